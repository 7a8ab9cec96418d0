/* What `./run` shows without arguments: message passing gone wrong.
 *
 * The producer writes the data and then raises a flag; the consumer waits for
 * the flag and then reads the data. The flag is atomic, but its order is
 * relaxed: nothing makes the data visible before the flag. On Arm and Power,
 * and after a compiler's reordering, the consumer can see the flag raised and
 * the data old. C calls it a data race.
 *
 * The repair is one word on each side: memory_order_release where the flag is
 * written and memory_order_acquire where it is read. Then hwcheck says SOUND:
 *
 *     ./run explore tests/programs/demo.c -- -DFIXED
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifdef FIXED
#define PUBLISH memory_order_release
#define OBSERVE memory_order_acquire
#else
#define PUBLISH memory_order_relaxed
#define OBSERVE memory_order_relaxed
#endif

static int data;
static atomic_int ready;

static void *producer(void *unused)
{
    (void)unused;
    data = 42;
    atomic_store_explicit(&ready, 1, PUBLISH);
    return NULL;
}

static void *consumer(void *unused)
{
    (void)unused;
    if (atomic_load_explicit(&ready, OBSERVE))
        assert(data == 42);
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
