// Peterson's lock for two without seq_cst: yielding is an exchange, so whoever
// yields second sees the other's raised flag. BUG: yielding is a store.
//
// expect: model=sc executions=4 verdict=SOUND
// expect: model=tso verdict=SOUND
// expect: model=rc11 executions=4 verdict=SOUND
// expect: model=rc11 verdict=SOUND flags=-DROUNDS=2 slow
// expect: model=rc11 verdict=VIOLATION kind=data-race flags=-DBUG
// expect: model=sc verdict=SOUND flags=-DBUG
// expect: model=tso verdict=VIOLATION flags=-DBUG
#include <stdatomic.h>

static atomic_int wants[2], victim;

static void lock(int id)
{
    atomic_store_explicit(&wants[id], 1, memory_order_relaxed);
#ifdef BUG
    atomic_store_explicit(&victim, id, memory_order_release);
#else
    atomic_exchange_explicit(&victim, id, memory_order_acq_rel);
#endif
    while (atomic_load_explicit(&wants[1 - id], memory_order_acquire) &&
           atomic_load_explicit(&victim, memory_order_acquire) == id)
        ;
}

static void unlock(int id)
{
    atomic_store_explicit(&wants[id], 0, memory_order_release);
}

#include "critical.h"
