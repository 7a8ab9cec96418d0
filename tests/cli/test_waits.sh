#!/usr/bin/env bash
# A loop that cannot be seen to wait is cut, and the verdict says which one: by
# file, line and function, in machine code by its address, too.
#   HWCHECK=<binary> SRC=<project root> tests/cli/test_waits.sh
set -u
. "$SRC/tests/cli/cli.sh"
cp "$SRC"/tests/programs/spin/dead_count.c .
run 3 explore dead_count.c -- -DUSED
out_has '^INCONCLUSIVE \(BOUNDED\): loop at dead_count.c:[0-9]+ in waiter: more than 1000 iterations'
run 3 explore --arch=x86_64 dead_count.c -- -DUSED
out_has 'loop at dead_count.c:[0-9]+ in waiter: more than 1000 iterations, at 0x[0-9a-f]+'
run 3 explore --unroll=5 dead_count.c -- -DUSED
out_has 'in waiter: more than 5 iterations'

# Yields are nothing, on the machine as well.
for arch in x86_64 aarch64 ppc64le ppc64 riscv64; do
    run 0 explore --arch=$arch "$SRC/tests/programs/spin/yield.c"
    run 0 explore --arch=$arch "$SRC/tests/programs/spin/yield.c" -- -O0
done

# A hint is an instruction that moves a register to itself, also when the loop
# calls functions, which may use any register.
cat >hint.c <<'C'
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
atomic_int flag;
static void *waiter(void *p)
{
    for (int tries = 0; !atomic_load(&flag);) {
        if (++tries > 9) {
            sched_yield();
            tries = 0;
        }
#ifndef __HWCHECK_SOURCE__
        __asm__ volatile("or 27,27,27; nop");
#endif
    }
    return p;
}
int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, waiter, NULL);
    flag = 1;
    pthread_join(t, NULL);
}
C
for arch in ppc64le ppc64; do
    run 0 check --arch=$arch hint.c
    out_has '^machine +[0-9]{1,2} executions, 1 blocked'
done

# A loop that only computes.
cat >silent.c <<'C'
int main(void)
{
    for (unsigned x = 1; x != 2; x = x * 3 + 2)
        ;
    return 0;
}
C
run 3 explore --arch=x86_64 silent.c -- -fno-finite-loops
out_has 'loop at silent.c:3 in main: more than [0-9]+ iterations, at 0x'
finish
