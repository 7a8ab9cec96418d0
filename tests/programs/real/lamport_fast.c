// Lamport's fast lock (his second algorithm): two stores and two loads when
// nobody else is there. All accesses seq_cst. BUG: release and acquire.
//
// expect: model=sc executions=16 verdict=SOUND
// expect: model=tso verdict=SOUND
// expect: model=rc11 executions=16 verdict=SOUND
// expect: model=sc executions=9216 verdict=SOUND flags=-DTHREADS=3 slow
// expect: model=rc11 executions=9216 verdict=SOUND flags=-DTHREADS=3 slow
// expect: model=rc11 verdict=VIOLATION kind=data-race flags=-DBUG
#include <stdatomic.h>

#ifdef BUG
#define LOAD  memory_order_acquire
#define STORE memory_order_release
#else
#define LOAD  memory_order_seq_cst
#define STORE memory_order_seq_cst
#endif

#ifndef THREADS
#define THREADS 2
#endif

static atomic_int x, y, busy[THREADS]; // x, y: 1 + id, 0 for nobody

static void lock(int id)
{
    for (;;) {
        atomic_store_explicit(&busy[id], 1, STORE);
        atomic_store_explicit(&x, id + 1, STORE);
        if (atomic_load_explicit(&y, LOAD) != 0) {
            atomic_store_explicit(&busy[id], 0, STORE);
            while (atomic_load_explicit(&y, LOAD) != 0)
                ;
            continue;
        }
        atomic_store_explicit(&y, id + 1, STORE);
        if (atomic_load_explicit(&x, LOAD) == id + 1)
            return;
        atomic_store_explicit(&busy[id], 0, STORE);
        for (int k = 0; k < THREADS; k++)
            while (atomic_load_explicit(&busy[k], LOAD))
                ;
        if (atomic_load_explicit(&y, LOAD) == id + 1)
            return;
        while (atomic_load_explicit(&y, LOAD) != 0)
            ;
    }
}

static void unlock(int id)
{
    atomic_store_explicit(&y, 0, STORE);
    atomic_store_explicit(&busy[id], 0, STORE);
}

#include "critical.h"
