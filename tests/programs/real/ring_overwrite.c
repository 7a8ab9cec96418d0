// A log of the newest items, with one writer that never waits and one reader
// that may miss some: it starts at its own place or at the oldest one that is
// still there, whichever is later, and throws away what was overwritten while
// it read. All relaxed but for the counts. BUG: no fence before the second look
// at the count, so that an overwritten item may pass for one that was not.
//
// expect: model=sc verdict=SOUND
// expect: model=rc11 verdict=SOUND
// expect: model=rc11 verdict=VIOLATION kind=assertion-failed flags=-DBUG
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

#define SLOTS 2u
#define ITEMS 3u

static atomic_uint begun, done;
static atomic_int slots[SLOTS];
static unsigned missed;

static unsigned max(unsigned a, unsigned b)
{
    return (int)(a - b) > 0 ? a : b;
}

static void append(int value)
{
    unsigned at = atomic_load_explicit(&done, memory_order_relaxed);

    atomic_store_explicit(&begun, at + 1, memory_order_relaxed);
    atomic_thread_fence(memory_order_release);
    atomic_store_explicit(&slots[at % SLOTS], value, memory_order_relaxed);
    atomic_store_explicit(&done, at + 1, memory_order_release);
}

static unsigned oldest(unsigned count)
{
    return count > SLOTS ? count - SLOTS : 0;
}

// Reads the item at or after `from`; 0: there is none.
static int next(unsigned *from)
{
    unsigned count = atomic_load_explicit(&done, memory_order_acquire);
    unsigned at = max(*from, oldest(count));

    if (at == count)
        return 0;
    int value = atomic_load_explicit(&slots[at % SLOTS], memory_order_relaxed);
#ifndef BUG
    atomic_thread_fence(memory_order_acquire);
#endif
    unsigned valid = oldest(atomic_load_explicit(&begun, memory_order_relaxed));
    missed += max(at, valid) - *from;
    *from = max(at + 1, valid);
    return valid > at ? 0 : value;
}

static void *writer(void *unused)
{
    for (int k = 1; k <= (int)ITEMS; k++)
        append(k * 10);
    return unused;
}

int main(void)
{
    pthread_t t;
    unsigned from = 0;

    pthread_create(&t, NULL, writer, NULL);
    for (int k = 0; k < 2; k++) {
        int value = next(&from);
        assert(value == 0 || value == (int)from * 10);
    }
    pthread_join(t, NULL);
    return 0;
}
