// Waits at most TRIES times for a flag, with a counter that Power keeps in CTR
// when the loop is unrolled: giving up is possible, the loop does not wait for
// ever.
//
// expect: model=sc verdict=SOUND
// expect: model=rc11 verdict=SOUND
#include <hwcheck.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

#define TRIES 40

static atomic_int flag;

static void *raise(void *unused)
{
    atomic_store_explicit(&flag, 1, memory_order_relaxed);
    return unused;
}

int main(void)
{
    pthread_t t;
    int seen = 0;

    pthread_create(&t, NULL, raise, NULL);
    for (int i = 0; i < TRIES; i++) {
        seen = atomic_load_explicit(&flag, memory_order_relaxed);
        if (seen == 1)
            break;
    }
    observe("seen", seen);
    pthread_join(t, NULL);
    return 0;
}
