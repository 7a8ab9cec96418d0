// As counted, with the count in a local: still no spin.
//
// expect: model=sc executions=4 blocked=0 verdict=SOUND
// expect: model=rc11 executions=4 blocked=0 verdict=SOUND
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int flag;

static void *waiter(void *unused)
{
    (void)unused;
    for (int tries = 0; tries < 3; tries++)
        if (atomic_load_explicit(&flag, memory_order_acquire))
            break;
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
