#!/usr/bin/env bash
# hwcheck explain: the answer, the axiom and the cycle's edges for litmus tests of
# every kind and for C programs; messages for outcomes that make no sense.
#   HWCHECK=<binary> SRC=<project root> tests/cli/test_explain.sh
set -u
: "${HWCHECK:?}" "${SRC:?}"
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
n=0
n_failed=0

complain() {
    echo "FAILED: $1"
    n_failed=$((n_failed + 1))
}

# "ANSWER", or "FORBIDDEN axiom edge edge ..." of the report in $tmp/out.
summary() {
    awk '/^(ALLOWED|FORBIDDEN|IMPOSSIBLE|INCONCLUSIVE)/ { sub(":.*", ""); line = $0 }
         /It breaks the axiom/ {
             split($0, quoted, "\047"); line = line " " quoted[2]; cycle = 1; next
         }
         cycle && match($0, / -[^ ]+-> /) {
             edge = substr($0, RSTART + 2, RLENGTH - 5); line = line " " edge
         }
         END { print line }' "$tmp/out"
}

expect() { # <summary> <argument>...
    local want=$1 got code
    shift
    n=$((n + 1))
    "$HWCHECK" explain "$@" >"$tmp/out" 2>"$tmp/err" </dev/null
    code=$?
    got=$(summary)
    case $want in
    INCONCLUSIVE*) [ "$code" = 3 ] ;;
    *) [ "$code" = 0 ] ;;
    esac || complain "explain $*: exit code $code: $(head -c 300 "$tmp/err")"
    [ "$got" = "$want" ] || complain "explain $*
  expected $want
  got      $got"
}

# Each line of the report must be there.
shows() { # <line>...
    for line; do
        grep -qxF -- "$line" "$tmp/out" || complain "no line '$line' in:
$(cat "$tmp/out")"
    done
}

refuses() { # <message> <argument>...
    local want=$1 code
    shift
    n=$((n + 1))
    (cd "$SRC" && "$HWCHECK" explain "$@") >"$tmp/out" 2>"$tmp/err" </dev/null
    code=$?
    [ "$code" = 2 ] || complain "explain $*: exit code $code, not 2"
    [ "$(cat "$tmp/err")" = "hwcheck: $want" ] || complain "explain $*
  expected hwcheck: $want
  got      $(cat "$tmp/err")"
    [ ! -s "$tmp/out" ] || complain "explain $*: prints a report"
}

# ---- litmus tests, allowed and forbidden

ppc=$SRC/tests/litmus/ppc
expect ALLOWED "$ppc/MP.litmus"
shows '  a  W x = 1           MP.litmus:7  stw r4, 0(r1)' '  rf:  b -> c   init -> d' \
    '  No interleaving does this, it needs weak memory: a -po-> b -rf-> c -po-> d -fr-> a'
expect 'FORBIDDEN observation fre lwsync rfe addr' "$ppc/MP+lwsync+addr.litmus"
shows '  e              R x = 0  ...ync+addr.litmus:8  lwzx r5, r6, r1' \
    '    a: W x = 1  [stw r4, 0(r1)]    -lwsync->  c: W y = 1  [stw r5, 0(r2)]' \
    '    d: R y = 1  [lwz r4, 0(r2)]    -addr->    e: R x = 0  [lwzx r5, r6, r1]'
expect ALLOWED "$ppc/MP+lwsync+ctrl.litmus"
expect 'FORBIDDEN observation fre lwsync rfe ctrl po' "$ppc/MP+lwsync+ctrlisync.litmus"
expect ALLOWED "$ppc/SB+lwsyncs.litmus"
expect 'FORBIDDEN propagation fr sync fr sync' "$ppc/SB+syncs.litmus"
expect ALLOWED "$ppc/LB.litmus"
expect 'FORBIDDEN no-thin-air addr rfe addr rfe' "$ppc/LB+addrs.litmus"
expect ALLOWED "$ppc/IRIW+lwsyncs.litmus"
expect 'FORBIDDEN propagation fr rf sync fr rf sync' "$ppc/IRIW+syncs.litmus"
expect 'FORBIDDEN propagation lwsync co lwsync co' "$ppc/2+2W+lwsyncs.litmus"
expect 'FORBIDDEN coherence rf po-loc fr' "$ppc/CoRR.litmus"
expect 'FORBIDDEN atomicity fre coe rmw^-1' "$ppc/ATOM.litmus"
expect 'FORBIDDEN atomicity fre coe rmw^-1' "$ppc/ATOM+lwz.litmus"
expect 'FORBIDDEN observation fre lwsync rfe addr rdw addr' "$ppc/MP+lwsync+addr-rdw-addr.litmus"

arm=$SRC/tests/litmus/aarch64
expect ALLOWED "$arm/MP.litmus"
expect 'FORBIDDEN external po;[L] rfe [ACQUIRE];po fre' "$arm/MP+stlr+ldar.litmus"
expect ALLOWED "$arm/SB+dmb.st.litmus"
expect 'FORBIDDEN external DMB.SY fre DMB.SY fre' "$arm/SB+dmb.sy.litmus"
expect ALLOWED "$arm/LB+po.litmus"
expect 'FORBIDDEN external pdata rfe pdata rfe' "$arm/LB+datas.litmus"
expect ALLOWED "$arm/IRIW.litmus"
expect 'FORBIDDEN external rfe addr fre rfe addr fre' "$arm/IRIW+addrs.litmus"
expect 'FORBIDDEN external DMB.ST coe DMB.ST coe' "$arm/2+2W+dmb.st.litmus"
expect 'FORBIDDEN internal rf po-loc fr' "$arm/CoRR.litmus"
expect 'FORBIDDEN atomic fre coe rmw^-1' "$arm/RMW2+ldadd.litmus"
expect ALLOWED "$arm/ATOM+int.litmus"
expect 'FORBIDDEN atomic fre coe rmw^-1' "$arm/ATOM+dmb.sy.litmus"
expect INCONCLUSIVE "$arm/ATOM+elsewhere.litmus"

x86=$SRC/tests/litmus/x86_64
expect ALLOWED "$x86/SB.litmus"
expect 'FORBIDDEN ghb fenced fr fenced fr' "$x86/SB+mfences.litmus"
expect 'FORBIDDEN sc po fr po fr' --model=sc "$x86/SB.litmus"
expect 'FORBIDDEN ghb ppo rfe ppo fr' "$x86/MP.litmus"
expect ALLOWED --model=pso "$x86/MP.litmus"
expect 'FORBIDDEN ghb ppo rfe ppo rfe' "$x86/LB.litmus"
expect 'FORBIDDEN ghb ppo co ppo co' "$x86/2+2W.litmus"
expect ALLOWED "$x86/INC2-nolock.litmus"
expect 'FORBIDDEN atomicity fr co rmw^-1' "$x86/INC2.litmus"

c=$SRC/tests/litmus/c
expect ALLOWED "$c/MP+rlx.litmus"
expect 'FORBIDDEN coherence po rf po fr' "$c/MP+rel+acq.litmus"
grep -q 'MP+rel+acq.litmus:[0-9]*  *atomic_store' "$tmp/out" ||
    complain "a C test shows no source lines"
expect 'FORBIDDEN external po;[L] rfe [ACQUIRE];po fre' --arch=aarch64 "$c/MP+rel+acq.litmus"
expect 'FORBIDDEN psc po fr po fr' "$c/SB+sc.litmus"
expect 'FORBIDDEN no-thin-air po rf po rf' "$c/LB+rlx.litmus"
expect 'FORBIDDEN atomicity fr co rmw^-1' "$c/RMW2.litmus"
expect IMPOSSIBLE "$c/LB+ctrl+data.litmus"
expect ALLOWED "$c/MP+na+rlx-race.litmus"
grep -q '^note  *data-race' "$tmp/out" || complain "a data race is not told"

# ---- another outcome than the test's own

expect ALLOWED --outcome='1:r4=1 /\ 1:r5=1' "$ppc/MP+lwsync+addr.litmus"
shows 'outcome     1:r4=1 /\ 1:r5=1'
expect ALLOWED --outcome='x=1 /\ (y=0 \/ ~ 1:r4=2)' "$ppc/MP.litmus"
expect IMPOSSIBLE --outcome='1:r4=2' "$ppc/MP.litmus"
expect IMPOSSIBLE --outcome='x=7' "$x86/SB.litmus"
expect INCONCLUSIVE --outcome='1:r4=2' --max-executions=1 "$ppc/MP.litmus"

# `forall P` asks whether P can fail.
sed 's/^exists/forall/' "$x86/SB.litmus" >"$tmp/forall.litmus"
expect ALLOWED "$tmp/forall.litmus"
shows 'outcome     not (0:rax=0 /\ 1:rax=0)'

# ---- C programs

programs=$SRC/tests/programs/litmus
expect ALLOWED --outcome='r1=0 /\ r2=0' "$programs/sb.c"
expect 'FORBIDDEN sc po fr po fr' --model=sc --outcome='r1=0 /\ r2=0' "$programs/sb.c"
shows '    d: R y = 0 (rlx)  [sb.c:18]  -fr->  g: W y = 1 (rlx)  [sb.c:25]'
expect 'FORBIDDEN atomicity fr co rmw^-1' --outcome='r1=0 /\ r2=0' "$programs/inc2.c"
expect 'FORBIDDEN atomicity fr co rmw^-1' --arch=x86_64 --outcome='r1=0 /\ r2=0' "$programs/inc2.c"
expect 'FORBIDDEN no-thin-air po rf po rf' --outcome='r1=1 /\ r2=1' "$programs/lb.c"
expect ALLOWED --arch=aarch64 --outcome='r1=1 /\ r2=1' "$programs/lb.c"
expect IMPOSSIBLE --outcome='x=7' "$programs/inc2.c"
expect INCONCLUSIVE --model=power --outcome='r1=1 /\ r2=1' "$programs/lb.c"

# ---- an outcome as reports print it

cat >"$tmp/items.c" <<'END'
#include <pthread.h>
#include <stdatomic.h>
#include <hwcheck.h>
struct pair { int first, second; };
struct pair pairs[2] = {{1, 2}, {3, 4}};
atomic_int x, y;
int negative = 1, *pointer;
static void *one(void *p)
{
    atomic_store_explicit(&x, 1, memory_order_relaxed);
    int seen = atomic_load_explicit(&y, memory_order_relaxed);
    observe("a=b", seen);
    observe("twice", seen - 2);
    observe("twice", -seen);
    negative = seen - 1;
    pointer = &pairs[seen].second;
    return p;
}
int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, one, 0);
    atomic_store_explicit(&y, 1, memory_order_relaxed);
    pthread_join(t, 0);
    pairs[1].second = atomic_load_explicit(&x, memory_order_relaxed);
}
END
# Every line of every report of the program's outcomes is taken.
grep_outcomes() { sed -n '/^outcomes/,/^[st][a-z]* /p' | grep '='; }
for arch in '' --arch=aarch64; do
    "$HWCHECK" explore $arch "$tmp/items.c" | grep_outcomes >"$tmp/lines"
    [ "$(wc -l <"$tmp/lines")" = 2 ] || complain "items.c has no two outcomes"
    while IFS= read -r line; do
        expect ALLOWED $arch --outcome="$line" "$tmp/items.c"
    done <"$tmp/lines"
done
expect ALLOWED --outcome='a=b=1 twice=-1 twice=-1 negative=0 pointer=&pairs[1].second' "$tmp/items.c"
expect ALLOWED --outcome='pointer = &pairs[0].second /\ negative=-1' "$tmp/items.c"
expect IMPOSSIBLE --outcome='twice=-2 twice=-1' "$tmp/items.c"
expect IMPOSSIBLE --outcome='pointer=&pairs[0].second negative=0' "$tmp/items.c"
expect ALLOWED --outcome='~(negative=0 \/ a=b=1)&&x=0x1' "$tmp/items.c"
refuses "--outcome: 'twice' is observed more than once" --outcome='twice=-1' "$tmp/items.c"
expect IMPOSSIBLE --outcome='a=b=1 T1 prints "a b\n" x=1' "$tmp/items.c"
expect IMPOSSIBLE --outcome='exit=1 x=1' "$tmp/items.c"
sed 's/pointer = /printf("%d b\\n", seen); &/; s/^}/&/; s/^#include <pthread.h>/&\n#include <stdio.h>/' "$tmp/items.c" >"$tmp/prints.c"
expect ALLOWED --outcome='a=b=1 T1 prints "1 b\n" exit=0' "$tmp/prints.c"
expect IMPOSSIBLE --outcome='a=b=1 T1 prints "0 b\n"' "$tmp/prints.c"
# A check's line, with its counts and its remark.
line=$("$HWCHECK" --arch=x86_64 --source-model=sc "$programs/sb.c" | grep 'forbidden by')
expect 'FORBIDDEN sc po fr po fr' --model=sc --outcome="$line" "$programs/sb.c"
expect ALLOWED --arch=x86_64 --outcome="$line" "$programs/sb.c"
# A state of the log of a litmus test.
"$HWCHECK" litmus "$ppc/MP+lwsync+addr.litmus" | grep ';$' >"$tmp/lines"
[ -s "$tmp/lines" ] || complain "MP+lwsync+addr has no states"
while IFS= read -r line; do
    expect ALLOWED --outcome="$line" "$ppc/MP+lwsync+addr.litmus"
done <"$tmp/lines"
expect 'FORBIDDEN observation fre lwsync rfe addr' --outcome='1:r4=1; 1:r5=0;' "$ppc/MP+lwsync+addr.litmus"

# ---- for other programs

"$HWCHECK" explain --json --dot="$tmp/dot" "$ppc/LB+addrs.litmus" >"$tmp/out" </dev/null ||
    complain "--json: exit code $?"
for line in '"verdict":	"FORBIDDEN"' '"axiom":	"no-thin-air"' '"edge":	"addr"' \
    '"instruction":	"stwx r5, r6, r2"' '"broken_axioms":	1'; do
    grep -qF "$line" "$tmp/out" || complain "no $line in the JSON"
done
grep -q 'label="rfe", color="#c000c0"' "$tmp/dot" || complain "no cycle in the drawing"
[ "$(grep -c 'label="P[01]"' "$tmp/dot")" = 2 ] || complain "no threads P0 and P1 in the drawing"

# ---- mistakes

refuses "--outcome:1:11: thread 1 has no register 'r99'; it has r4, r2, r5, r1, r3" \
    --outcome='1:r4=1 /\ 1:r99=0' tests/litmus/ppc/MP.litmus
refuses "--outcome:1:1: thread 1 has no variable 'q'; it has r0, r1" \
    --outcome='1:q=1' tests/litmus/c/MP+rel+acq.litmus
refuses "--outcome:1:1: there is no thread 3" --outcome='3:r4=1' tests/litmus/ppc/MP.litmus
refuses "--outcome:1:1: no location 'w'; there are x, y" --outcome='w=1' tests/litmus/x86_64/SB.litmus
refuses "--outcome:1:5: expected '=', got the end" --outcome='1:r4' tests/litmus/ppc/MP.litmus
refuses "--outcome:1:2: '(' without ')'" --outcome='(1:r4=1' tests/litmus/ppc/MP.litmus
refuses "--outcome:1:5: expected '/\\', '\\/' or the end, got ')'" \
    --outcome='x=1 ) y=2' tests/litmus/ppc/MP.litmus
refuses "--outcome: the value is empty" --outcome= tests/litmus/ppc/MP.litmus
# Any blank separates.
refuses "--outcome:1:7: expected '=', got the end" --outcome=$'r1=0\fx' \
    tests/programs/litmus/sb.c
refuses "--outcome:1:8: expected a value, got the end" --outcome='x=1/\y=' tests/programs/litmus/sb.c
refuses "--outcome:1:9: nothing is called 'z'; there are x, y, r1, r2" \
    --outcome='r1=0 /\ z=1' tests/programs/litmus/sb.c
refuses "no outcome given; under sc there are
  --outcome='r1=0 r2=1 x=1 y=1'
  --outcome='r1=1 r2=0 x=1 y=1'
  --outcome='r1=1 r2=1 x=1 y=1'" --model=sc tests/programs/litmus/sb.c
refuses "cannot read 'missing.litmus': No such file or directory" missing.litmus
refuses "explain takes one test or program, got 0; usage: hwcheck explain [options] test.litmus|prog.c [-- CFLAGS]"

echo "$n explanations"
[ "$n_failed" = 0 ] && echo "all good"
exit $((n_failed > 0))
