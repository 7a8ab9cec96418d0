// A thread waits for a flag. The wait is not unrolled: one execution where the
// flag is seen. The load that misses it blocks, or is revisited.
//
// expect: model=sc executions=1 verdict=SOUND
// expect: model=tso executions=1 verdict=SOUND
// expect: model=pso verdict=SOUND
// expect: model=ra executions=1 verdict=SOUND
// expect: model=rc11 executions=1 verdict=SOUND
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int flag;
static int data;

static void *setter(void *unused)
{
    (void)unused;
    data = 42;
    atomic_store_explicit(&flag, 1, memory_order_release);
    return NULL;
}

static void *waiter(void *unused)
{
    (void)unused;
    while (!atomic_load_explicit(&flag, memory_order_acquire))
        ;
    assert(data == 42);
    return NULL;
}

int main(void)
{
    pthread_t s, w;

    pthread_create(&s, NULL, setter, NULL);
    pthread_create(&w, NULL, waiter, NULL);
    pthread_join(s, NULL);
    pthread_join(w, NULL);
    return 0;
}
