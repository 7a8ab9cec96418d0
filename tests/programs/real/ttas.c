// Test-and-test-and-set: look with plain loads before trying. BUG: the
// successful exchange is relaxed, and looking is not taking.
//
// expect: model=sc executions=4 verdict=SOUND
// expect: model=tso verdict=SOUND
// expect: model=rc11 executions=4 verdict=SOUND
// expect: model=rc11 verdict=SOUND flags=-DTHREADS=3
// expect: model=rc11 verdict=VIOLATION kind=data-race flags=-DBUG
#include <stdatomic.h>

#ifdef BUG
#define ACQUIRE memory_order_relaxed
#else
#define ACQUIRE memory_order_acquire
#endif

static atomic_int taken;

static void lock(int id)
{
    (void)id;
    for (;;) {
        while (atomic_load_explicit(&taken, memory_order_relaxed))
            ;
        if (!atomic_exchange_explicit(&taken, 1, ACQUIRE))
            return;
    }
}

static void unlock(int id)
{
    (void)id;
    atomic_store_explicit(&taken, 0, memory_order_release);
}

#include "critical.h"
