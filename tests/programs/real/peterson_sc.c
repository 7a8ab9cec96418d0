// Peterson's lock for two with seq_cst accesses. BUG: one of them, the store
// that raises the flag, is only release.
//
// expect: model=sc executions=4 verdict=SOUND
// expect: model=tso verdict=SOUND
// expect: model=rc11 executions=4 verdict=SOUND
// expect: model=rc11 executions=48 verdict=SOUND flags=-DROUNDS=2
// expect: model=rc11 executions=588 verdict=SOUND flags=-DROUNDS=3 slow
// expect: model=sc executions=7360 verdict=SOUND flags=-DROUNDS=4 slow
// expect: model=rc11 executions=7360 verdict=SOUND flags=-DROUNDS=4 slow
// expect: model=rc11 verdict=VIOLATION kind=data-race flags=-DBUG
#include <stdatomic.h>

#ifdef BUG
#define RAISE memory_order_release
#else
#define RAISE memory_order_seq_cst
#endif

static atomic_int wants[2], victim;

static void lock(int id)
{
    atomic_store_explicit(&wants[id], 1, RAISE);
    atomic_store_explicit(&victim, id, RAISE);
    while (atomic_load(&wants[1 - id]) && atomic_load(&victim) == id)
        ;
}

static void unlock(int id)
{
    atomic_store(&wants[id], 0);
}

#include "critical.h"
