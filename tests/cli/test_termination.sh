#!/usr/bin/env bash
# A thread that waits for ever in the machine code alone is a miscompilation; one
# that does so in the source too, or that only reads old values, is none.
#   HWCHECK=<binary> SRC=<project root> tests/cli/test_termination.sh
set -u
. "$SRC/tests/cli/cli.sh"

# clang makes `victim` a local variable: both threads may wait for each other.
for arch in x86_64 aarch64 ppc64le; do
    run 1 --arch=$arch "$SRC/tests/programs/real/peterson_sc.c"
    out_has '^MISCOMPILED: termination: in the machine code T[12] waits for ever'
    out_has 'waits for ever in a loop at .*peterson_sc.c:26 \(0x[0-9a-f]+\)'
    out_has 'blocked: waits in a loop'
done
run 1 --arch=x86_64 --json --html=page.html --dot=graph.dot \
    "$SRC/tests/programs/real/peterson_sc.c"
out_has '"termination"'
run 0 --arch=x86_64 "$SRC/tests/programs/real/peterson_sc.c" -- -O0

cat >wait.c <<'C'
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
static atomic_int flag;
int done;
static void *waiter(void *unused)
{
    while (!atomic_load_explicit(&flag, memory_order_acquire))
        ;
    done = 1;
    return unused;
}
int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, waiter, NULL);
#ifdef NEVER
    if (!NEVER)
#endif
    atomic_store_explicit(&flag, 1, memory_order_release);
    return 0;
}
C
# The store is lost, the load is not made: nothing comes to its end.
cat >lost-store.map <<'M'
title   a release store that loads
bad     nothing is stored
like    c11-x86-xchg

store release *   = mov{b|w|l|q} %v, %t ; mov{b|w|l|q} (%a), %t
M
cat >no-load.map <<'M'
title   an acquire load that loads nothing
bad     it is not there
like    c11-x86-xchg

load acquire *    = lea (%a), %d ; xor{b|w|l|q} %d, %d
M
run 0 --arch=x86_64 wait.c
out_has '^SOUND'
for map in lost-store no-load; do
    run 1 --arch=x86_64 --mapping=$map.map wait.c
    out_has '^MISCOMPILED: termination: in the machine code T1 waits for ever'
    out_has 'wait.c:8'
done

# The source waits for ever as well: nothing can be said.
run 3 --arch=x86_64 wait.c -- -DNEVER=1
out_has '^INCONCLUSIVE'

# Of two values the waiting thread wants neither; which one is last is up to the
# execution.
cat >wrong.c <<'C'
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
static atomic_int flag;
int done;
static void *waiter(void *unused)
{
    while (atomic_load_explicit(&flag, memory_order_relaxed) != 1)
        ;
    done = 1;
    return unused;
}
static void *setter(void *unused)
{
    atomic_store_explicit(&flag, 2, memory_order_relaxed);
    return unused;
}
int main(void)
{
    pthread_t t, u;
    pthread_create(&t, NULL, waiter, NULL);
    pthread_create(&u, NULL, setter, NULL);
    atomic_store_explicit(&flag, 1, memory_order_relaxed);
    return 0;
}
C
for arch in x86_64 aarch64 ppc64le; do
    run 0 --arch=$arch wrong.c
    out_has '^SOUND'
done
finish
