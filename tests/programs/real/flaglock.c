// A lock on atomic_flag. BUG: clearing it is relaxed.
//
// expect: model=sc executions=2 verdict=SOUND
// expect: model=rc11 executions=2 verdict=SOUND
// expect: model=rc11 verdict=VIOLATION kind=data-race flags=-DBUG
#include <stdatomic.h>

#ifdef BUG
#define RELEASE memory_order_relaxed
#else
#define RELEASE memory_order_release
#endif

static atomic_flag taken = ATOMIC_FLAG_INIT;

static void lock(int id)
{
    (void)id;
    while (atomic_flag_test_and_set_explicit(&taken, memory_order_acquire))
        ;
}

static void unlock(int id)
{
    (void)id;
    atomic_flag_clear_explicit(&taken, RELEASE);
}

#include "critical.h"
