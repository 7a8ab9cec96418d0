// A ticket lock. BUG: the number now served is read relaxed.
//
// expect: model=sc executions=2 verdict=SOUND
// expect: model=tso verdict=SOUND
// expect: model=rc11 executions=2 verdict=SOUND
// expect: model=rc11 executions=6 verdict=SOUND flags=-DTHREADS=3
// expect: model=rc11 verdict=SOUND flags=-DROUNDS=2
// expect: model=rc11 executions=720 verdict=SOUND flags=-DTHREADS=6 slow
// expect: model=rc11 verdict=VIOLATION kind=data-race flags=-DBUG
// expect: mapping=c11-x86-xchg arch=x86_64 verdict=SOUND
// expect: mapping=c11-aarch64 arch=aarch64 verdict=SOUND
// expect: mapping=c11-aarch64-lse arch=aarch64 verdict=SOUND
// expect: mapping=c11-power-leading-sync arch=ppc64le verdict=SOUND
// expect: mapping=c11-power-leading-sync arch=ppc64 verdict=SOUND
// expect: mapping=weak-aarch64-store.map arch=aarch64 verdict=MISCOMPILED
// expect: mapping=bad-power-release-none arch=ppc64le verdict=MISCOMPILED
// expect: mapping=bad-power-acquire-none arch=ppc64 verdict=MISCOMPILED
#include <stdatomic.h>

#ifdef BUG
#define ACQUIRE memory_order_relaxed
#else
#define ACQUIRE memory_order_acquire
#endif

static atomic_int next_ticket, now_served;

static void lock(int id)
{
    int mine = atomic_fetch_add_explicit(&next_ticket, 1, memory_order_relaxed);

    (void)id;
    while (atomic_load_explicit(&now_served, ACQUIRE) != mine)
        ;
}

static void unlock(int id)
{
    int served = atomic_load_explicit(&now_served, memory_order_relaxed);

    (void)id;
    atomic_store_explicit(&now_served, served + 1, memory_order_release);
}

#include "critical.h"
