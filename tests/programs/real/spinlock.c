// A test-and-set lock. BUG: the unlocking store is relaxed, so the next owner
// need not see what was done inside.
//
// expect: model=sc executions=2 verdict=SOUND
// expect: model=tso verdict=SOUND
// expect: model=rc11 executions=2 verdict=SOUND
// expect: model=rc11 executions=6 verdict=SOUND flags=-DTHREADS=3
// expect: model=rc11 executions=720 verdict=SOUND flags=-DTHREADS=6 slow
// expect: model=rc11 verdict=VIOLATION kind=data-race flags=-DBUG
#include <stdatomic.h>

#ifdef BUG
#define RELEASE memory_order_relaxed
#else
#define RELEASE memory_order_release
#endif

static atomic_int taken;

static void lock(int id)
{
    (void)id;
    while (atomic_exchange_explicit(&taken, 1, memory_order_acquire))
        ;
}

static void unlock(int id)
{
    (void)id;
    atomic_store_explicit(&taken, 0, RELEASE);
}

#include "critical.h"
