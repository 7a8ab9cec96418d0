// Not a spin: the rounds are counted, so each is an event of its own. The
// flag is seen in round 0, 1, 2 or never: 4 executions.
//
// expect: model=sc executions=4 blocked=0 verdict=SOUND
// expect: model=rc11 executions=4 blocked=0 verdict=SOUND
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int flag;
static int rounds;

static void *waiter(void *unused)
{
    (void)unused;
    for (rounds = 0; rounds < 3; rounds++)
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
