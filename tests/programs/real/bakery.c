// Lamport's bakery: take a number above all others, wait for lower ones. All
// accesses seq_cst. BUG: release and acquire.
//
// expect: model=sc executions=9 verdict=SOUND
// expect: model=tso verdict=SOUND
// expect: model=rc11 executions=9 verdict=SOUND
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

static atomic_int choosing[THREADS], number[THREADS];

static void lock(int id)
{
    int highest = 0;

    atomic_store_explicit(&choosing[id], 1, STORE);
    for (int k = 0; k < THREADS; k++) {
        int n = atomic_load_explicit(&number[k], LOAD);
        if (n > highest)
            highest = n;
    }
    int mine = highest + 1;
    atomic_store_explicit(&number[id], mine, STORE);
    atomic_store_explicit(&choosing[id], 0, STORE);

    for (int k = 0; k < THREADS; k++) {
        if (k == id)
            continue;
        while (atomic_load_explicit(&choosing[k], LOAD))
            ;
        for (;;) {
            int n = atomic_load_explicit(&number[k], LOAD);
            if (n == 0 || n > mine || (n == mine && k > id))
                break;
        }
    }
}

static void unlock(int id)
{
    atomic_store_explicit(&number[id], 0, STORE);
}

#include "critical.h"
