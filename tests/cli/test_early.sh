#!/usr/bin/env bash
# A command that ends early: by a signal, or because its time is over. It
# reports what it has, INCONCLUSIVE, with exit code 3, leaves no process
# behind, and never calls forbidden what it does not know.
#   HWCHECK=<binary> SRC=<project root> tests/cli/test_early.sh
set -u
. "${SRC:?}/tests/cli/cli.sh"

# Has far more executions than anyone waits for, and few of their outcomes.
cat >long.c <<'END'
#include <pthread.h>
#include <stdatomic.h>
atomic_int x, y;
static void *add(void *unused)
{
    (void)unused;
    for (int i = 0; i < 8; i++) {
        atomic_fetch_add_explicit(&x, 1, memory_order_relaxed);
        atomic_store_explicit(&y, i, memory_order_relaxed);
    }
    return NULL;
}
int main(void)
{
    pthread_t t[4];
    for (int i = 0; i < 4; i++)
        pthread_create(&t[i], NULL, add, NULL);
    for (int i = 0; i < 4; i++)
        pthread_join(t[i], NULL);
}
END
# Computes for long before the first event.
cat >silent.c <<'END'
#include <stdatomic.h>
#define TEN(s) s s s s s s s s s s
atomic_int x;
int main(void)
{
    unsigned sum = 0;
    for (unsigned k = 0; k < 100; k++)
        for (unsigned i = 0; i < 90000000; i++)
            { TEN(TEN(TEN(sum = sum * 3 + i;))) }
    atomic_store(&x, (int)sum);
}
END
# Whose machine code is wrong under a bad mapping, and whose source is short.
sb=$SRC/tests/programs/litmus/sb.c

# A compiler, and a child of it, that never end; `begun` says that they run.
cat >slow-clang <<'END'
#!/bin/sh
sleep 1000 &
echo $$ $! >begun.new
mv begun.new begun
wait
END
chmod +x slow-clang
# A QEMU that never starts its guest.
sed 's/sleep 1000/sleep 1001/' slow-clang >slow-qemu
chmod +x slow-qemu

# In /proc/PID/stat: user and system time, in ticks.
ticks() { awk '{ print $14 + $15 }' "/proc/$1/stat" 2>/dev/null || echo 0; }

# The QEMU that the process has started.
qemu_of() { # <pid>
    local child
    for child in $(cat "/proc/$1/task/$1/children" 2>/dev/null); do
        case $(cat "/proc/$child/comm" 2>/dev/null) in
        qemu-*) echo "$child"; return ;;
        esac
    done
    return 1
}

# Runs hwcheck and sends it a signal in a state that is known: when the file
# `begun` is there, or (busy) when it has computed for so long that it is past
# what comes before, whatever the speed of the machine: its children are waited
# for without computing. Or (qemu) when its QEMU has computed for a while.
interrupt() { # <signal> begun|busy|qemu <argument>...
    local signal=$1 when=$2 pid child got
    shift 2
    last=("$@")
    rm -f begun
    "$HWCHECK" "$@" >out 2>err </dev/null &
    pid=$!
    while kill -0 "$pid" 2>/dev/null; do
        if [ "$when" = begun ]; then
            [ -e begun ] && break
        elif [ $when = qemu ]; then
            child=$(qemu_of "$pid") && [ "$(ticks $child)" -gt 30 ] && break
        elif [ "$(ticks $pid)" -gt 60 ]; then
            break
        fi
        sleep 0.02
    done
    kill "-$signal" "$pid" 2>/dev/null || complain "ended before the signal"
    wait "$pid"
    got=$?
    [ "$got" = 3 ] || complain "exit code $got, expected 3"
    no_children
}

ended() { # <pid>
    [ ! -d "/proc/$1" ] || [ "$(awk '{ print $3 }' "/proc/$1/stat")" = Z ]
}

# A process that was killed takes a moment to end.
no_children() {
    local pid try
    [ -e begun ] || return 0
    for pid in $(cat begun); do
        for try in {1..100}; do
            ended "$pid" && continue 2
            sleep 0.05
        done
        complain "process $pid was left behind"
    done
}

says_interrupted() { out_has '^(program|INCONCLUSIVE)'; out_has 'INTERRUPTED'; }

# ---- signals

for signal in INT TERM; do
    interrupt $signal busy check --arch=x86_64 long.c
    says_interrupted
    out_has 'the source is not known in full: interrupted'
done
interrupt INT busy check --arch=x86_64 --quiet long.c
out_has '^INCONCLUSIVE \(INTERRUPTED\)'
interrupt INT busy check --arch=x86_64 --json long.c
out_has '"verdict":	"INCONCLUSIVE"'
out_has '"gap":	"INTERRUPTED"'
interrupt INT busy check --arch=x86_64,aarch64 long.c "$sb"
[ "$(grep -c 'INCONCLUSIVE (INTERRUPTED)' out)" = 4 ] ||
    complain "not every check is reported"
out_has '4 checks: 4 inconclusive'
out_has 'not begun: interrupted'
interrupt INT busy explore long.c "$sb"
[ "$(grep -c '^INCONCLUSIVE (INTERRUPTED)' out)" = 2 ] ||
    complain "not every program is reported"
interrupt TERM busy explore --arch=aarch64 --json long.c
out_has '"gap":	"INTERRUPTED"'
interrupt INT busy explore silent.c
says_interrupted
out_has 'interrupted; in the loop at silent.c:[89] in main'
interrupt TERM qemu explore --arch=ppc64le silent.c -- -O0
out_has 'interrupted; in the loop at silent.c:[89] in main, at 0x[0-9a-f]+'
interrupt INT busy trace silent.c
says_interrupted
interrupt INT busy explain --outcome=x=99 long.c
out_has '^INCONCLUSIVE.*interrupted'
interrupt INT busy explain --json --outcome=x=99 silent.c
out_has '"INCONCLUSIVE"|"OPEN"'

# A compiler and a QEMU that do not end.
for command in check explore trace explain; do
    arguments=(--arch=x86_64 --cc="$PWD/slow-clang" "$sb")
    [ $command = explain ] && arguments+=(--outcome=r1=0)
    interrupt INT begun $command "${arguments[@]}"
    says_interrupted
    interrupt TERM begun $command --json "${arguments[@]}"
    out_has '"gap":	"INTERRUPTED"'
done
interrupt INT begun check --quiet --arch=x86_64 --qemu="$PWD/slow-qemu" "$sb"
out_has '^INCONCLUSIVE \(INTERRUPTED\)'
cat >c.litmus <<'END'
C SB
{}
P0(atomic_int *x, atomic_int *y) {
  atomic_store_explicit(x, 1, memory_order_relaxed);
  int r = atomic_load_explicit(y, memory_order_relaxed);
}
P1(atomic_int *x, atomic_int *y) {
  atomic_store_explicit(y, 1, memory_order_relaxed);
  int r = atomic_load_explicit(x, memory_order_relaxed);
}
exists (0:r=0 /\ 1:r=0)
END
interrupt INT begun litmus --arch=x86_64 --cc="$PWD/slow-clang" c.litmus c.litmus
err_has '2 of 2 tests not run: interrupted'

# A second signal kills, and the compiler with it. (Signals are queued once, so
# the first must have been taken before the second is sent.)
rm -f begun
last=(check, two signals)
cat >stubborn-clang <<'END'
#!/bin/sh
trap 'echo >term' TERM
sleep 1000 &
echo $$ $! >begun.new
mv begun.new begun
while :; do wait; done
END
chmod +x stubborn-clang
"$HWCHECK" check --arch=x86_64 --cc="$PWD/stubborn-clang" "$sb" >out 2>err &
pid=$!
until [ -e begun ]; do sleep 0.02; done
kill -INT $pid
until [ -e term ]; do sleep 0.01; done
kill -INT $pid 2>/dev/null
wait $pid
got=$?
# It may have killed the compiler and reported before the second came.
[ "$got" = 130 ] || [ "$got" = 3 ] || complain "exit code $got, expected 130"
no_children

# ---- time

seconds() { # <at most>: of the last command
    [ "$took" -le "$(($1 * 1000))" ] || complain "took $took ms"
}
timed() { # as run
    local from
    from=$(date +%s%3N)
    run "$@"
    took=$(($(date +%s%3N) - from))
}
timed 3 check --timeout=1 --arch=all long.c silent.c "$sb"
out_has 'INCONCLUSIVE \(TIMEOUT\).*stopped after 1 seconds'
[ "$(grep -c 'INCONCLUSIVE (TIMEOUT)' out)" = 15 ] ||
    complain "not every check is reported"
out_has 'not begun: stopped after 1 seconds'
seconds 10 # loaded machines are slow; each phase alone would take as long
rm -f begun
timed 3 check --timeout=0.5 --arch=x86_64 --cc="$PWD/slow-clang" "$sb"
out_has 'INCONCLUSIVE \(TIMEOUT\)'
no_children
timed 3 explore --timeout=0.3 silent.c long.c
[ "$(grep -c '^INCONCLUSIVE (TIMEOUT)' out)" = 2 ] ||
    complain "not every program is reported"

# ---- exit codes of several programs

echo 'int main(void) { nonsense }' >refused.c
run 1 --arch=x86_64 --mapping=bad-x86-sc-store "$SRC/docs/examples/sb_sc.c" refused.c
out_has 'MISCOMPILED'
err_has 'refused.c'
run 1 explore "$SRC/tests/programs/demo.c" refused.c
run 2 explore --max-executions=1 "$sb" refused.c
run 3 explore --max-executions=1 "$sb"
run 0 help check
out_has 'the first of 1, 70, 2, 3, 0'

# ---- a source that is not known in full forbids nothing

# Cut, the source has other executions than the machine code, which is not
# optimised here: its threads come in another order.
cat >many.c <<'END'
#include <hwcheck.h>
#include <pthread.h>
#include <stdatomic.h>
atomic_int x, y;
static void *writer(void *unused)
{
    (void)unused;
    for (int i = 1; i <= N; i++) {
        atomic_store_explicit(&x, i, memory_order_relaxed);
        atomic_store_explicit(&y, i, memory_order_relaxed);
    }
    return NULL;
}
static void *reader(void *unused)
{
    (void)unused;
    for (int i = 1; i <= N; i++) {
        observe("y", atomic_load_explicit(&y, memory_order_relaxed));
        observe("x", atomic_load_explicit(&x, memory_order_relaxed));
    }
    return NULL;
}
int main(void)
{
    pthread_t t, u;
#ifdef __OPTIMIZE__
    pthread_create(&t, NULL, reader, NULL);
    pthread_create(&u, NULL, writer, NULL);
#else
    pthread_create(&t, NULL, writer, NULL);
    pthread_create(&u, NULL, reader, NULL);
#endif
    pthread_join(t, NULL);
    pthread_join(u, NULL);
}
END
run 3 check --arch=x86_64 --max-executions=300 --outcomes=3 many.c -- -DN=6 -O0
[ "$(grep -cE '^ +(-|[0-9]+) +(-|[0-9]+)  ' out)" = 3 ] ||
    complain "--outcomes=3 is not respected"
out_has 'not found in the part of the source that was explored'
out_lacks 'forbidden'
run 3 check --arch=x86_64 --max-executions=300 --json many.c -- -DN=6 -O0
out_has '"class":	"UNDECIDED"'
out_lacks '"verdict":.*"MISCOMPILED"'
# Few enough executions to look for it: it is refuted, or found.
run 1 check --mapping="$SRC/docs/examples/mine.map" --max-executions=2 \
    "$SRC/docs/examples/sb_sc.c"
out_has 'MISCOMPILED: the machine code allows 1 outcome that the source forbids'
out_has 'r1=0 r2=0 .*<- forbidden by the source'
run 3 check --arch=x86_64 --max-executions=2 many.c -- -DN=1 -O0
out_has 'allowed by the source, where it was looked for'

# ---- a model that does not fit

run 0 check --arch=x86_64 --target-model=armv8 "$SRC/tests/programs/litmus/mp.c"
out_has '^warning +model armv8 is about another machine than x86_64'
run 0 check --arch=x86_64 --target-model=armv8 --json "$SRC/tests/programs/litmus/mp.c"
out_has 'model armv8 is about another machine than x86_64'
run 0 check --arch=x86_64,aarch64 --target-model=armv8 "$SRC/tests/programs/litmus/mp.c"
err_has '^hwcheck: warning: model armv8 is about another machine than x86_64'
! grep -q 'than aarch64' err || complain "armv8 fits aarch64"
run 0 explore --arch=ppc64le --model=tso "$sb"
out_has '^warning +model tso is about another machine than ppc64le'
for model in sc rc11 tso; do
    run 0 explore --arch=x86_64 --model=$model "$sb"
    out_lacks 'warning'
done
"$HWCHECK" models show tso >mine.cat
run 0 explore --arch=x86_64 --model=mine.cat "$sb"
out_lacks 'warning'
printf '"Nothing"\nlet mine = po | rf\n' >nothing.cat
run 0 check --arch=x86_64 --target-model=nothing.cat "$SRC/tests/programs/litmus/mp.c"
out_has '^warning +model .*nothing.* has no axioms: it allows everything'
"$HWCHECK" check --arch=x86_64 --source-model=nothing.cat --json "$sb" >out 2>err
out_has 'has no axioms: it allows everything'

finish
