// A wait whose body computes with a local that does not outlive the round.
//
// expect: model=rc11 executions=1 verdict=SOUND
// expect: model=sc executions=1 verdict=SOUND
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int flag;

static void *waiter(void *unused)
{
    (void)unused;
    for (;;) {
        int seen = atomic_load_explicit(&flag, memory_order_acquire);
        int sum = 0;
        for (int k = 0; k < 3; k++)
            sum += seen * k;
        if (sum == 3)
            break;
    }
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
