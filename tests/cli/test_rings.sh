#!/usr/bin/env bash
# Ring buffers whose indices and counts are selected (isel on Power): the machine
# code is sound under the machine's model, and nothing is left open.
#   HWCHECK=<binary> SRC=<project root> tests/cli/test_rings.sh
set -u
. "$SRC/tests/cli/cli.sh"
cp "$SRC"/tests/programs/real/ring_*.c .
for program in ring_batch ring_cursors ring_overwrite; do
    run 0 --arch=x86_64,ppc64le,ppc64 "$program.c"
    [ "$(grep -c '  SOUND$' out)" = 3 ] || complain "$program: not three times SOUND"
done
# clang's pairing of stores, docs/FINDINGS.md.
run 1 --arch=aarch64 ring_cursors.c

# What another thread reads was selected by a relaxed load, without a fence: on
# Power this was not explored.
cat >select.c <<'C'
#include <hwcheck.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
static atomic_int x, y;
static void *copy(void *unused)
{
    int a = atomic_load_explicit(&x, memory_order_relaxed);
    atomic_store_explicit(&y, a > 3 ? 10 : 7 * a, memory_order_relaxed);
    return unused;
}
int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, copy, NULL);
    atomic_store_explicit(&x, 5, memory_order_relaxed);
    observe("y", atomic_load_explicit(&y, memory_order_relaxed));
    pthread_join(t, NULL);
    return 0;
}
C
for arch in ppc64le ppc64; do
    run 0 --arch=$arch select.c
    out_has '^SOUND: all 3 outcomes'
done
finish
