#!/usr/bin/env bash
# Machine code against its source: verdicts, classes, exit codes.
#   HWCHECK=<binary> SRC=<project root> tests/cli/test_check.sh
set -u
. "$(dirname "$0")/cli.sh"
litmus=$SRC/tests/programs/litmus
real=$SRC/tests/programs/real

# Sound on each machine; the word check may be left out.
run 0 "$litmus/mp-rel-acq.c"
for isa in x86_64 aarch64 ppc64le ppc64 riscv64; do
    out_has "mp-rel-acq.c +$isa .* SOUND$"
done
run 0 check --arch=power "$litmus/sb.c"
out_has '^SOUND: all 4 outcomes'
out_has '^target +ppc64le, .*clang.* -O2'
out_has '^source +rc11'
out_has '^machine +power'

# A source model that is stronger than the compiler promises.
run 1 --arch=aarch64 --source-model=sc "$litmus/sb.c"
out_has '^MISCOMPILED: the machine code allows 1 outcome'
out_has '^ +- +1 +r1=0 r2=0 x=1 y=1 +<- forbidden'
run 0 --arch=x86_64 --source-model=sc "$litmus/mp.c"

# Load buffering is a class of its own, where that alone is the reason.
run 0 --arch=aarch64 "$litmus/lb.c"
out_has '^SOUND: .*but for load buffering'
out_has 'r1=1 r2=1 .*<- load buffering'
out_has '^LOAD-BUFFERING: 1 outcome'
run 1 --arch=aarch64 --lb=error "$litmus/lb.c"
out_has '^MISCOMPILED'
run 1 --arch=aarch64 --source-model=sc "$litmus/lb.c"
out_has '<- forbidden'
run 0 --arch=x86_64 --lb=error "$litmus/lb.c"
# malloc and free are no barriers.
for arch in aarch64 ppc64le; do
    run 0 --arch=$arch "$litmus/lb-heap.c"
    out_has '^SOUND: .*but for load buffering'
    out_has 'r1=1 r2=1 .*<- load buffering'
done
# For Java also where a write passes an opaque read in a cycle with co.
java=$SRC/tests/litmus/java
for test in S+opq-rel+opq LB+opq-full-opq+opq; do
    run 0 check --arch=aarch64 --mapping=java-aarch64 "$java/$test.litmus"
    out_has '^LOAD-BUFFERING: 1 outcome'
    run 1 check --arch=aarch64 --mapping=java-aarch64 --lb=error "$java/$test.litmus"
done
run 0 check --arch=aarch64 --mapping=java-aarch64 "$java/2+2W+opq+vol.litmus"
out_has '^SOUND: all 4 outcomes of the machine code are allowed by the source$'

# A target that is weaker than the machine.
run 1 --arch=x86_64 --target-model=pso --source-model=tso "$litmus/mp.c"
out_has '^machine +pso'

# Load buffering and something worse in one outcome: not excused.
cat >lb_sb.c <<'EOF'
#include <pthread.h>
#include <stdatomic.h>
#define RLX memory_order_relaxed
atomic_int x, y, a, b;
int r1, r2, r3, r4;
static void *one(void *p)
{
    r1 = atomic_load_explicit(&x, RLX);
    atomic_store_explicit(&y, 1, RLX);
    atomic_store_explicit(&a, 1, ORDER);
    r3 = atomic_load_explicit(&b, ORDER);
    return p;
}
static void *two(void *p)
{
    r2 = atomic_load_explicit(&y, RLX);
    atomic_store_explicit(&x, 1, RLX);
    atomic_store_explicit(&b, 1, ORDER);
    r4 = atomic_load_explicit(&a, ORDER);
    return p;
}
int main(void)
{
    pthread_t t, u;
    pthread_create(&t, 0, one, 0);
    pthread_create(&u, 0, two, 0);
    pthread_join(t, 0);
    pthread_join(u, 0);
}
EOF
run 0 --arch=ppc64le lb_sb.c -- -DORDER=memory_order_seq_cst
cat >weak.cat <<'EOF'
"anything with coherence"
acyclic po-loc | rf | co | fr as coherence
acyclic addr | data | ctrl | rf as dependencies
let corder = po-loc | addr | data | ctrl
EOF
run 1 --arch=ppc64le --target-model=weak.cat lb_sb.c -- \
    -DORDER=memory_order_seq_cst
out_has 'r1=1 r2=1 r3=0 r4=0 .*<- forbidden'
out_has 'r1=1 r2=1 r3=1 r4=1 .*<- load buffering'

# Why load buffering is forbidden: for what it is, not for what an execution
# without it would break to end in the same way.
cat >swap.litmus <<'END'
C swap
{}
P0(atomic_int *x, atomic_int *y) {
  atomic_exchange_explicit(x, 1, memory_order_release);
  int r0 = atomic_fetch_add_explicit(y, 2, memory_order_relaxed);
}
P1(atomic_int *x, atomic_int *y) {
  atomic_fetch_add_explicit(y, 1, memory_order_relaxed);
  int r1 = atomic_exchange_explicit(x, 2, memory_order_seq_cst);
}
exists (0:r0=0 /\ 1:r1=0 /\ x=1 /\ y=3)
END
run 0 check --arch=aarch64 swap.litmus
out_has '0:r0=0 1:r1=0 x=1 y=3 +<- load buffering'
run 1 check --arch=aarch64 --lb=error swap.litmus
out_has "breaks the axiom 'no-thin-air'"
out_has ' c: R\* x = 2  .*(ldxr|swpl) '
out_has 'before f: W\* y = 2  .*(stxr|ldadd) '

# Undefined behaviour comes first.
run 1 --arch=aarch64 "$SRC/tests/programs/violations/data_race.c"
out_has '^VIOLATION: the source itself has undefined behaviour: data race'
run 0 --arch=x86_64 --ignore-races "$SRC/tests/programs/violations/data_race.c"

# A failing assertion is behaviour: no harm if the source has it too.
run 0 --arch=aarch64 "$SRC/tests/programs/demo.c"
out_has '^note +the source itself can fail: assertion'
run 1 --arch=x86_64 "$real/lamport_fast.c"
out_has 'only in the machine code: assertion'

# Mappings: the demo and the tutorial.
volatile4=$SRC/tests/programs/java/volatile4.c
run 1 --arch=ppc64le --mapping=java-volatile-hotspot9 "$volatile4"
out_has '^source +jam21'
out_has 'r1=0 r2=1 r3=1 r4=2 x=2 y=1 +<- forbidden'
out_has 'does not keep this order; a full fence there'
out_has 'between them only: lwsync, lwsync'
out_has 'store seq_cst 32 is: lwsync ; stw %v'
run 0 --mapping=java-volatile-repaired "$volatile4"
out_has 'ppc64le +42 +42 +SOUND'
out_has 'ppc64 +42 +42 +SOUND'
cp "$SRC"/docs/examples/* .
run 1 --mapping=mine.map sb_sc.c
out_has "breaks the axiom 'psc'"
out_has 'load seq_cst 32 is: ldapr .*mine.map:7'
run 0 --mapping=fixed.map sb_sc.c
run 0 sb_sc.c
run 2 --mapping=c11-x86-xchg --arch=aarch64 sb_sc.c
err_has 'c11-x86-xchg'

# The rows to blame: of read-modify-writes, used and not, that succeed and fail,
# of fences in between, and of what is no access at all.
mappings=$SRC/tests/mappings
run 1 check --arch=aarch64 --mapping=bad-aarch64-swp-zr \
    "$mappings/MP-swap-unused.litmus"
out_has ' f: R\* y = 1 .*swp w[0-9]+, wzr'
out_has 'before i: R x = 0 '
out_has 'exchange relaxed 32 noreturn is: swp %v, wzr.*swp-zr.map:5'
out_has 'fence acquire is: dmb ishld'
out_has 'load relaxed 32 is: ldr'
run 1 check --arch=ppc64le --mapping=bad-linux-power-lwsync-isync \
    "$mappings/SB-rmw-store.litmus"
out_has 'j: W\* y = 1 .*stwcx'
out_has 'exchange seq_cst 32 is: lwsync ; 1: lwarx .*lwsync-isync.map:6'
run 1 check --arch=x86_64 --mapping=bad-x86-exchange-store \
    "$mappings/MP-swap-unused.litmus"
out_has 'has no such access there:'
out_has '^    f: R\* y = 1 \(rlx\) '
out_has 'exchange relaxed 32 noreturn is: movl %v'
out_lacks 'does not keep'
run 1 --arch=x86_64 --mapping=bad-x86-sc-fence "$litmus/sb-scfs.c"
out_has 'fence seq_cst is: - +\(built-in:bad-x86-sc-fence.map:5\)'
cat >failing.c <<'END'
#include <pthread.h>
#include <stdatomic.h>
atomic_int x, y;
int r1, r2;
/* Two of a kind at one place, with the order to tell them apart. */
#define PUBLISH                                              \
    do {                                                     \
        atomic_fetch_add_explicit(&x, 1, memory_order_relaxed); \
        atomic_fetch_add_explicit(&y, 1, memory_order_release); \
    } while (0)
static void *one(void *p)
{
    PUBLISH;
    return p;
}
int main(void)
{
    pthread_t t;
    int wanted = 5;
    pthread_create(&t, 0, one, 0);
    atomic_compare_exchange_strong_explicit(&y, &wanted, 7,
        memory_order_acq_rel, memory_order_acquire);
    r2 = atomic_load_explicit(&x, memory_order_relaxed);
    r1 = wanted;
    pthread_join(t, 0);
}
END
printf '%s\n' 'title cas' 'like c11-aarch64' \
    'cas acq_rel acquire * = 1: ldxr{b|h||} %d, [%a] ; cmp %d, %e ; b.ne 2f ; stlxr{b|h||} %s, %v, [%a] ; cbnz %s, 1b ; 2:' \
    >cas.map
run 1 --mapping=./cas.map failing.c
out_has 'cas acq_rel acquire 32 is: 1: ldxr .*cas.map:3'
out_has 'load relaxed 32 is: ldr'
printf '%s\n' 'title add' 'like c11-aarch64' \
    'fetch_add release * = 1: ldxr{b|h||} %d, [%a] ; @op ; stxr{b|h||} %s, %n, [%a] ; cbnz %s, 1b' \
    >add.map
run 1 --mapping=./add.map failing.c
out_has 'fetch_add relaxed 32 is: 1: ldxr .*c11-aarch64.map:'
out_has 'fetch_add release 32 is: 1: ldxr .*add.map:3'

# C litmus tests are programs too.
run 0 check --arch=aarch64,ppc64le "$SRC/tests/litmus/c/IRIW+sc.litmus"
out_has 'IRIW\+sc.litmus +ppc64le +15 +15 +SOUND'
run 1 check --arch=aarch64 --source-model=sc "$SRC/tests/litmus/c/SB+rlx.litmus"
out_has '0:r0=0 1:r0=0 x=1 y=1 +<- forbidden'
run 2 check "$SRC/tests/litmus/ppc/MP.litmus"
err_has 'MP.litmus: machine code has no source'
run 2 check "$SRC/tests/badinput/litmus/c-syntax.litmus"
err_has 'c-syntax.litmus'

# A barrier between load-exclusive and store-conditional: the pair stays atomic,
# so that only one of two threads comes first, and what it loses is noticed.
cat >first.c <<'END'
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
atomic_int x, first;
int data, seen;
static void *one(void *a)
{
    data = 1;
    if (atomic_fetch_add(&x, 1) == 0)
        atomic_store(&first, 1);
    return a;
}
static void *two(void *a)
{
    if (atomic_fetch_add(&x, 1) == 0)
        assert(atomic_load(&first) == 0);
    else
        seen = data + 1;
    return a;
}
int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, one, 0);
    pthread_create(&b, 0, two, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
}
END
apart() { # <name> <load> <between> <store>
    printf 'title T\nlike c11-aarch64\n\nrmw seq_cst * = 1: %s{b|h||} %%d, [%%a] ; @op ; %s ; %s{b|h||} %%s, %%n, [%%a] ; cbnz %%s, 1b\n' \
        "$2" "$3" "$4" >"$1.map"
}
apart strong ldaxr 'dmb ish' stlxr
run 0 --mapping=strong.map first.c
out_has '^SOUND: all 2 outcomes'
apart weak ldxr isb stxr
run 1 --mapping=weak.map --bundle=weak first.c
out_has 'data=1 first=1 seen=1 x=2 +<- forbidden'
grep -q 'no litmus test: a store-conditional apart' weak/report.md ||
    complain 'weak: no word on the litmus test'
apart write ldaxr 'str{b|h||} %n, [%a]' stlxr
run 3 --mapping=write.map first.c
out_has 'UNMODELLED.*write since its load'

# gcc leaves the order of a read-modify-write to its branch and an isync.
if command -v powerpc64le-linux-gnu-gcc >/dev/null; then
    run 0 --arch=ppc64le --cc=powerpc64le-linux-gnu-gcc \
        "$litmus/rmw-sc-fence.c"
fi
run 1 --arch=ppc64le --target-model=power \
    --mapping=c11-power-leading-sync "$litmus/rmw-sc-fence.c"

# What is not known in full is not sound.
run 3 --arch=aarch64 --max-executions=1 "$litmus/sb.c"
out_has '^INCONCLUSIVE \(BOUNDED\)'

# Several programs in one file, each a function; one alone; one that is not.
sed -e 's/int main(void)/int test_sc(void)/' lb_sb.c >entries.c
cat >>entries.c <<'EOF2'
atomic_int late;
int seen;
static void *store_late(void *p)
{
    atomic_store_explicit(&x, 1, RLX);
    seen = atomic_load_explicit(&late, RLX);
    return p;
}
int test_late(void)
{
    pthread_t t;
    pthread_create(&t, 0, store_late, 0);
    atomic_store_explicit(&late, 1, RLX);
    r1 = atomic_load_explicit(&x, RLX);
    pthread_join(t, 0);
    return 0;
}
int main(void) { return 0; }
EOF2
run 1 --arch=x86,arm64 --source-model=sc '--entry=test_*' entries.c -- \
    -DORDER=memory_order_seq_cst
out_has 'test_sc +x86_64 .* SOUND'
out_has 'test_late +x86_64 +3 +4 +MISCOMPILED'
out_has 'test_late +aarch64 +3 +4 +MISCOMPILED'
run 0 --arch=x86 --entry=test_late entries.c -- -DORDER=memory_order_relaxed
out_has '^program +entries.c:test_late'
run 2 --arch=x86 --entry=test entries.c -- -DORDER=memory_order_relaxed
err_has "entries.c: no function 'test'"

# What a mapping says of itself is the default.
printf '%s\n' 'title mine' 'source sc' 'isa aarch64' 'like c11-aarch64' >mine.map
run 1 --mapping=./mine.map "$litmus/sb.c"
out_has '^source +sc'
out_has '^target +aarch64'

# A label's address is that of one compilation.
printf '%s\n' 'int main(int argc, char **argv) {' \
    'static void *CONST to[] = {&&a, &&b};' 'goto *to[argc & 1];' \
    'a: return 1;' 'b: return argv != 0; }' >goto.c
run 0 --arch=x86_64 goto.c -- -DCONST=const
run 2 --arch=x86_64 goto.c -- -DCONST=
err_has 'goto to the address of a label that does not come from a constant'

# A table, JSON, and what cannot be done.
run 1 --source-model=sc "$litmus/sb.c" "$litmus/mp-rel-acq.c" --arch=x86,arm64
out_has 'sb.c +x86_64 +3 +4 +MISCOMPILED'
out_has 'mp-rel-acq.c +aarch64 .* SOUND'
run 1 --arch=aarch64 --source-model=sc --json "$litmus/sb.c"
out_has '"verdict":[[:space:]]"MISCOMPILED"'
out_has '"class":[[:space:]]"MISCOMPILED"'
err_empty
run 2 --arch=z80 "$litmus/sb.c"
err_has "no ISA 'z80'; there are x86_64, aarch64"
run 2 --arch=x86_64 missing.c
err_has 'missing.c'
run 2 --arch=x86_64 --source-model=rc12 "$litmus/sb.c"
err_has "unknown model 'rc12'"
run 2 --arch=x86_64 --source-model=rc11~nothing "$litmus/sb.c"
err_has "no axiom 'nothing' to leave out; there are coherence"
run 2 --arch=x86_64 --source-model=jam21~corw~nothing "$litmus/sb.c"
err_has "no axiom 'nothing' to leave out; there are coww cowr coww-loc"
run 2 --arch=x86_64 --target-model=rc12 "$litmus/sb.c"
run 2 --lb=maybe "$litmus/sb.c"
finish
