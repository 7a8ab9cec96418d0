// Dekker's lock for two. BUG: the fence between raising the flag and looking
// at the other's is only acq_rel.
//
// expect: model=sc executions=4 verdict=SOUND
// expect: model=tso verdict=SOUND
// expect: model=rc11 executions=4 verdict=SOUND
// expect: model=rc11 verdict=VIOLATION kind=data-race flags=-DBUG
#include <stdatomic.h>

#ifdef BUG
#define FENCE memory_order_acq_rel
#else
#define FENCE memory_order_seq_cst
#endif

static atomic_int wants[2], turn;

static void lock(int id)
{
    atomic_store_explicit(&wants[id], 1, memory_order_relaxed);
    atomic_thread_fence(FENCE);
    while (atomic_load_explicit(&wants[1 - id], memory_order_acquire)) {
        if (atomic_load_explicit(&turn, memory_order_acquire) != id) {
            atomic_store_explicit(&wants[id], 0, memory_order_release);
            while (atomic_load_explicit(&turn, memory_order_acquire) != id)
                ;
            atomic_store_explicit(&wants[id], 1, memory_order_relaxed);
            atomic_thread_fence(FENCE);
        }
    }
}

static void unlock(int id)
{
    atomic_store_explicit(&turn, 1 - id, memory_order_release);
    atomic_store_explicit(&wants[id], 0, memory_order_release);
}

#include "critical.h"
