// A ring buffer for one producer and one consumer; plain slots. BUG: the
// consumer gives slots back with a relaxed store, so that the producer may
// overwrite what is still being read.
//
// expect: model=sc executions=1 verdict=SOUND
// expect: model=tso verdict=SOUND
// expect: model=rc11 executions=1 verdict=SOUND
// expect: model=rc11 executions=1 verdict=SOUND flags=-DITEMS=4
// expect: model=rc11 verdict=VIOLATION kind=data-race flags=-DBUG
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

#define CAPACITY 1
#ifndef ITEMS
#define ITEMS 2
#endif

#ifdef BUG
#define GIVE_BACK memory_order_relaxed
#else
#define GIVE_BACK memory_order_release
#endif

static int slots[CAPACITY];
static atomic_uint written, taken;

static bool put(int value)
{
    unsigned w = atomic_load_explicit(&written, memory_order_relaxed);

    if (w - atomic_load_explicit(&taken, memory_order_acquire) == CAPACITY)
        return false;
    slots[w % CAPACITY] = value;
    atomic_store_explicit(&written, w + 1, memory_order_release);
    return true;
}

static bool take(int *value)
{
    unsigned t = atomic_load_explicit(&taken, memory_order_relaxed);

    if (atomic_load_explicit(&written, memory_order_acquire) == t)
        return false;
    *value = slots[t % CAPACITY];
    atomic_store_explicit(&taken, t + 1, GIVE_BACK);
    return true;
}

static void *producer(void *unused)
{
    (void)unused;
    for (int k = 1; k <= ITEMS; k++)
        while (!put(k))
            ;
    return NULL;
}

static void *consumer(void *unused)
{
    (void)unused;
    for (int k = 1; k <= ITEMS; k++) {
        int value = 0;
        while (!take(&value))
            ;
        assert(value == k);
    }
    return NULL;
}

int main(void)
{
    pthread_t p, c;

    pthread_create(&p, NULL, producer, NULL);
    pthread_create(&c, NULL, consumer, NULL);
    pthread_join(p, NULL);
    pthread_join(c, NULL);
    return 0;
}
