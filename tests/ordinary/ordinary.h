/* For the programs of this folder: ordinary, correct and without races, so that
 * what any compiler makes of them is sound. With -DPLANTED the machine code of
 * each has a fault, which must be seen. */
#ifndef ORDINARY_H
#define ORDINARY_H

#include <hwcheck.h>

#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#if defined PLANTED && !defined __HWCHECK_SOURCE__
#define PLANT(right, wrong) wrong
#else
#define PLANT(right, wrong) right
#endif

#define ACQUIRE memory_order_acquire
#define RELEASE memory_order_release
#define RELAXED memory_order_relaxed

typedef void *thread(void *);

/* Runs the two at the same time, until both have ended. */
static inline void both(thread *one, thread *other)
{
    pthread_t a, b;
    pthread_create(&a, NULL, one, NULL);
    pthread_create(&b, NULL, other, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
}

/* Runs one, then the other. */
static inline void in_turn(thread *one, thread *other)
{
    pthread_t t;
    pthread_create(&t, NULL, one, NULL);
    pthread_join(t, NULL);
    pthread_create(&t, NULL, other, NULL);
    pthread_join(t, NULL);
}

#endif
