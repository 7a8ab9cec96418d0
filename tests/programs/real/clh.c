// The CLH queue lock: each waiter spins in its predecessor's node and takes it
// over. BUG: the wait is relaxed.
//
// expect: model=sc executions=2 verdict=SOUND
// expect: model=tso verdict=SOUND
// expect: model=rc11 executions=2 verdict=SOUND
// expect: model=rc11 verdict=SOUND flags=-DTHREADS=3 slow
// expect: model=rc11 verdict=VIOLATION kind=data-race flags=-DBUG
#include <stdatomic.h>

#ifdef BUG
#define ACQUIRE memory_order_relaxed
#else
#define ACQUIRE memory_order_acquire
#endif

struct node {
    atomic_int held;
};

static struct node nodes[9]; // one a thread, and the first tail
static _Atomic(struct node *) tail = &nodes[8];
static struct node *mine[8], *before[8]; // each used by its own thread alone

static void lock(int id)
{
    if (!mine[id])
        mine[id] = &nodes[id];
    atomic_store_explicit(&mine[id]->held, 1, memory_order_relaxed);
    before[id] =
        atomic_exchange_explicit(&tail, mine[id], memory_order_acq_rel);
    while (atomic_load_explicit(&before[id]->held, ACQUIRE))
        ;
}

static void unlock(int id)
{
    struct node *own = mine[id];

    mine[id] = before[id];
    atomic_store_explicit(&own->held, 0, memory_order_release);
}

#include "critical.h"
