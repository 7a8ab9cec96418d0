/* What `./run` shows without arguments: message passing gone wrong.
 *
 * The producer writes the data and then raises a flag; the consumer looks at
 * the flag and, if it is raised, expects the data to be there. All accesses are
 * atomic, so there is no data race. But the flag's order is relaxed: nothing
 * makes the data visible before the flag. On Arm and Power, and wherever the
 * compiler reorders, the consumer can see the flag raised and the data old.
 *
 * The repair is one word on each side: memory_order_release where the flag is
 * raised, memory_order_acquire where it is read. Then hwcheck says SOUND:
 *
 *     ./run explore tests/programs/demo.c -- -DFIXED
 *
 * So it does on x86, whose hardware keeps the order: try --model=tso. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifdef FIXED
#define RAISE memory_order_release
#define LOOK  memory_order_acquire
#else
#define RAISE memory_order_relaxed
#define LOOK  memory_order_relaxed
#endif

static atomic_int data, flag;

static void *producer(void *unused)
{
    atomic_store_explicit(&data, 42, memory_order_relaxed);
    atomic_store_explicit(&flag, 1, RAISE);
    return unused;
}

static void *consumer(void *unused)
{
    if (atomic_load_explicit(&flag, LOOK) == 1) {
        int seen = atomic_load_explicit(&data, memory_order_relaxed);

        assert(seen == 42);
    }
    return unused;
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
