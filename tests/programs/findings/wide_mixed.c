// Store buffering with atomics of 16 bytes whose code is for several versions of
// the architecture, as when objects are linked: each thread writes by code for
// WRITE and then reads by code for LOAD. The ldp of ARMv8.4 code, with a barrier
// only behind it, passes the stlxp by which ARMv8.0 code writes (LLVM #81978;
// docs/FINDINGS.md).
#include <pthread.h>
#include <stdatomic.h>

#ifdef __aarch64__
#define FOR(arch) __attribute__((noinline, target("arch=" arch)))
#else
#define FOR(arch)
#endif
#ifndef WRITE
#define WRITE "armv8-a"
#endif
#ifndef LOAD
#define LOAD "armv8.4-a"
#endif

_Atomic __int128 x, y;
int r1, r2;

FOR(WRITE) static void put(_Atomic __int128 *to)
{
#ifdef RMW
    atomic_fetch_add(to, 1);
#else
    atomic_store(to, 1);
#endif
}

FOR(LOAD) static int get(_Atomic __int128 *from)
{
    return (int)atomic_load(from);
}

static void *thread_1(void *unused)
{
    put(&x);
    r1 = get(&y);
    return unused;
}

static void *thread_2(void *unused)
{
    put(&y);
    r2 = get(&x);
    return unused;
}

int main(void)
{
    pthread_t t[2];
    pthread_create(&t[0], 0, thread_1, 0);
    pthread_create(&t[1], 0, thread_2, 0);
    pthread_join(t[0], 0);
    pthread_join(t[1], 0);
    return 0;
}
