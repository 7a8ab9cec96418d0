// A wait for the second of two stores: what is seen on the way does not count.
//
// expect: model=sc executions=1 verdict=SOUND
// expect: model=rc11 executions=1 verdict=SOUND
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int stage;

static void *waiter(void *unused)
{
    (void)unused;
    while (atomic_load_explicit(&stage, memory_order_acquire) != 2)
        ;
    return NULL;
}

int main(void)
{
    pthread_t w;

    pthread_create(&w, NULL, waiter, NULL);
    atomic_store_explicit(&stage, 1, memory_order_release);
    atomic_store_explicit(&stage, 2, memory_order_release);
    pthread_join(w, NULL);
    return 0;
}
