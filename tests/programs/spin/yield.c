// A wait that calls sched_yield is a wait all the same.
//
// expect: model=rc11 executions=1 verdict=SOUND
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int flag;

static void *waiter(void *unused)
{
    (void)unused;
    while (!atomic_load_explicit(&flag, memory_order_acquire))
        sched_yield();
    return NULL;
}

int main(void)
{
    pthread_t w;

    pthread_create(&w, NULL, waiter, NULL);
    atomic_store_explicit(&flag, 1, memory_order_release);
    pthread_join(w, NULL);
    return 0;
}
