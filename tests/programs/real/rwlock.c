// A reader-writer lock in one word: readers count down from FREE, a writer
// takes all of it. BUG: a leaving reader's fetch_add is relaxed, so a writer
// may change what the reader still reads.
//
// expect: model=sc executions=34 verdict=SOUND
// expect: model=tso verdict=SOUND
// expect: model=rc11 executions=34 verdict=SOUND
// expect: model=rc11 verdict=VIOLATION kind=data-race flags=-DBUG
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

#define FREE 100

#ifdef BUG
#define LEAVE memory_order_relaxed
#else
#define LEAVE memory_order_release
#endif

static atomic_int lock_word = FREE;
static int a, b; // equal whenever no writer is inside

static void write_lock(void)
{
    int expected;

    do
        expected = FREE;
    while (!atomic_compare_exchange_strong_explicit(
        &lock_word, &expected, 0, memory_order_acquire, memory_order_relaxed));
}

static void write_unlock(void)
{
    atomic_store_explicit(&lock_word, FREE, memory_order_release);
}

static void read_lock(void)
{
    int seen;

    for (;;) {
        seen = atomic_load_explicit(&lock_word, memory_order_relaxed);
        if (seen > 0 && atomic_compare_exchange_strong_explicit(
                            &lock_word, &seen, seen - 1, memory_order_acquire,
                            memory_order_relaxed))
            return;
    }
}

static void read_unlock(void)
{
    atomic_fetch_add_explicit(&lock_word, 1, LEAVE);
}

static void *writer(void *unused)
{
    (void)unused;
    write_lock();
    a++;
    b++;
    write_unlock();
    return NULL;
}

static void *reader(void *unused)
{
    (void)unused;
    read_lock();
    assert(a == b);
    read_unlock();
    return NULL;
}

int main(void)
{
    pthread_t w, r1, r2;

    pthread_create(&w, NULL, writer, NULL);
    pthread_create(&r1, NULL, reader, NULL);
    pthread_create(&r2, NULL, reader, NULL);
    pthread_join(w, NULL);
    pthread_join(r1, NULL);
    pthread_join(r2, NULL);
    assert(a == 1 && b == 1);
    return 0;
}
