// A lock taken by compare-exchange. BUG: taking it is relaxed.
//
// expect: model=sc executions=2 verdict=SOUND
// expect: model=rc11 executions=2 verdict=SOUND
// expect: model=rc11 executions=6 verdict=SOUND flags=-DTHREADS=3
// expect: model=rc11 verdict=VIOLATION kind=data-race flags=-DBUG
#include <stdatomic.h>
#include <stdbool.h>

#ifdef BUG
#define ACQUIRE memory_order_relaxed
#else
#define ACQUIRE memory_order_acquire
#endif

static atomic_bool taken;

static void lock(int id)
{
    bool free;

    (void)id;
    do
        free = false;
    while (!atomic_compare_exchange_strong_explicit(
        &taken, &free, true, ACQUIRE, memory_order_relaxed));
}

static void unlock(int id)
{
    (void)id;
    atomic_store_explicit(&taken, false, memory_order_release);
}

#include "critical.h"
