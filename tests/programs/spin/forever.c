// A thread waits for a flag that nobody sets. That is a blocked execution, not
// a hang, and no complete execution exists.
//
// expect: model=sc executions=0 blocked=1 verdict=SOUND
// expect: model=rc11 executions=0 blocked=1 verdict=SOUND
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int flag;

static void *waiter(void *unused)
{
    (void)unused;
    while (!atomic_load_explicit(&flag, memory_order_acquire))
        ;
    return NULL;
}

int main(void)
{
    pthread_t w;

    pthread_create(&w, NULL, waiter, NULL);
    pthread_join(w, NULL);
    return 0;
}
