#!/usr/bin/env bash
# How accesses of different sizes to the same bytes are taken.
#   HWCHECK=<binary> SRC=<project root> tests/cli/test_memory.sh
. "${SRC:?}/tests/cli/cli.sh"

# A struct copy that has nothing to do with x. It made x two locations of four
# bytes, by guess, and so gave the source executions in which x is torn.
cat >torn.c <<'END'
#include <pthread.h>
long x, r1, r2, r3;
long *p = &x, *q = &x;
struct three { int a, b, c; } from, to;
static void *writer(void *a)
{
    *(volatile long *)&x = 1;
    *(volatile long *)&x = 0x100000000;
    return a;
}
static void *reader(void *a)
{
    long v1 = *p, v2 = *q, v3 = *p;
    r1 = v1, r2 = v2, r3 = v3;
    return a;
}
int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, writer, 0);
    pthread_create(&b, 0, reader, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
#ifdef COPY
    to = from;
    to.b = 3;
#endif
#ifdef HALF
    ((int *)&x)[1] = 3;
#endif
}
END
for how in PLAIN COPY HALF; do
    for model in sc lkmm ra; do
        run 0 explore --model=$model torn.c -- -D$how
        out_has '^executions +10 complete'
    done
    # The compiler reads *p once: r1 = 0, r2 = 1, r3 = 0 is not the source's.
    run 1 --arch=x86_64 --source-model=sc torn.c -- -D$how
    out_has 'r1=0 r2=1 r3=0 .*forbidden'
done

# Bytes that are written as one and read in part by another thread.
cat >race.c <<'END'
#include <pthread.h>
union { long all; int half[2]; } u;
int r1, r2;
static void *writer(void *a)
{
    *(volatile int *)&u.half[0] = 1;
    *(volatile int *)&u.half[1] = 1;
    return a;
}
static void *reader(void *a)
{
    long all = u.all;
    r1 = (int)all, r2 = (int)(all >> 32);
    return a;
}
int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, writer, 0);
#ifdef ORDERED
    pthread_join(a, 0);
#endif
    pthread_create(&b, 0, reader, 0);
#ifndef ORDERED
    pthread_join(a, 0);
#endif
    pthread_join(b, 0);
}
END
run 3 explore --model=sc race.c
out_has 'UNMODELLED.*mixed-size race: the access at race.c:12 .* race.c:[67]'
run 0 explore --model=sc race.c -- -DORDERED
run 1 explore race.c
out_has 'data race'

# What is written as a whole before threads start and after they have ended, and
# otherwise field by field.
cat >fill.c <<'END'
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>
struct s { atomic_int a, b; atomic_long c; char d[3]; _Atomic char e; } s, t;
int r;
static void *first(void *p)
{
    atomic_fetch_add(&s.a, 1);
    atomic_store(&s.c, 5);
    r = atomic_load(&s.e);
    return p;
}
static void *second(void *p)
{
    atomic_fetch_add(&s.b, 1);
    atomic_fetch_add(&s.c, 3);
    atomic_store(&s.e, 1);
    return p;
}
int main(void)
{
    pthread_t x, y;
    memset(&s, 0, sizeof s);
    pthread_create(&x, 0, first, 0);
    pthread_create(&y, 0, second, 0);
    pthread_join(x, 0);
    pthread_join(y, 0);
    memcpy(&t, &s, sizeof t);
}
END
for arch in x86_64 aarch64 ppc64le; do
    run 0 --arch=$arch fill.c
    out_has '^SOUND'
done

# A lock's word as a whole and in parts: open, but no race.
cat >queued.c <<'END'
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
static union {
    _Atomic uint32_t all;
    _Atomic uint16_t locked_pending;
    _Atomic uint8_t locked;
} word;
static int x;
static void lock(void)
{
    uint32_t old = 0;
    if (atomic_compare_exchange_strong_explicit(&word.all, &old, 1,
                                                memory_order_acquire,
                                                memory_order_relaxed))
        return;
    atomic_fetch_or_explicit(&word.all, 0x100, memory_order_acquire);
    while (atomic_load_explicit(&word.locked, memory_order_acquire))
        ;
    atomic_store_explicit(&word.locked_pending, 1, memory_order_relaxed);
}
static void *run(void *p)
{
    lock();
    x++;
    atomic_store_explicit(&word.locked, 0, memory_order_release);
    return p;
}
int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, run, 0);
    pthread_create(&b, 0, run, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
}
END
run 3 --arch=x86_64 queued.c
out_has 'UNMODELLED.*mixed-size access'

# A read of what malloc gives is said by every command.
cat >unwritten.c <<'END'
#include <stdlib.h>
int copy;
int main(void)
{
    int *object = malloc(sizeof *object);
    copy = *object;
    copy = 1;
    free(object);
}
END
warning='unwritten.c:6: read of malloc#1, which was never written'
run 0 explore unwritten.c
out_has "warning +$warning"
run 0 --arch=x86_64 unwritten.c
out_has "warning +$warning"
# Of a table once.
run 0 --arch=all unwritten.c
[ "$(grep -cxF "hwcheck: warning: $warning" err)" = 1 ] ||
    complain "the warning is there $(grep -c "$warning" err) times"
for command in explore 'check --arch=x86_64'; do
    # shellcheck disable=SC2086 # two words
    run 0 $command --json unwritten.c
    out_has '"text":.*"read of malloc#1, which was never written"'
    out_has '"line":.*6'
done
finish
