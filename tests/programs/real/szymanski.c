// Szymanski's lock for two: a waiting room with an entry and an exit door.
// Fences of seq_cst follow each store of a flag. BUG: they are acq_rel.
//
// expect: model=sc executions=29 verdict=SOUND
// expect: model=tso verdict=SOUND
// expect: model=rc11 executions=29 verdict=SOUND
// expect: model=rc11 verdict=VIOLATION kind=data-race flags=-DBUG
#include <stdatomic.h>

#ifdef BUG
#define FENCE memory_order_acq_rel
#else
#define FENCE memory_order_seq_cst
#endif

// 0 outside, 1 wants in, 2 waits for others to enter, 3 in the doorway,
// 4 past the entry door, which is closed now.
static atomic_int flag[2];

static void set(int id, int value)
{
    atomic_store_explicit(&flag[id], value, memory_order_release);
    atomic_thread_fence(FENCE);
}

static int other(int id)
{
    return atomic_load_explicit(&flag[1 - id], memory_order_acquire);
}

static void lock(int id)
{
    set(id, 1);
    while (other(id) >= 3)
        ;
    set(id, 3);
    if (other(id) == 1) {
        set(id, 2);
        while (other(id) != 4)
            ;
    }
    set(id, 4);
    if (id == 1) // those with lower numbers leave first
        while (other(id) >= 2)
            ;
}

static void unlock(int id)
{
    if (id == 0) // those with higher numbers must have seen the door closed
        for (;;) {
            int f = other(id);
            if (f < 2 || f > 3)
                break;
        }
    set(id, 0);
}

#include "critical.h"
