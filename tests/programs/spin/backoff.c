// A wait with exponential back-off: the delay changes from round to round, but
// decides nothing else. With CAP it stops growing; with YIELD the thread gives
// way once the delay is long. GIVE_UP looks at it after the loop, so that each
// round counts.
//
// expect: model=sc executions=1 verdict=SOUND
// expect: model=rc11 executions=1 verdict=SOUND
// expect: model=rc11 executions=1 verdict=SOUND flags=-DCAP
// expect: model=rc11 executions=1 verdict=SOUND flags=-DYIELD
// expect: model=rc11 executions=4 blocked=0 verdict=SOUND flags=-DGIVE_UP
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int flag;

static void relax(unsigned n)
{
    for (volatile unsigned i = 0; i < n; i++)
        ;
}

static void *waiter(void *unused)
{
    unsigned delay = 1;

    while (!atomic_load_explicit(&flag, memory_order_acquire)) {
#ifdef YIELD
        if (delay > 16)
            sched_yield();
        else
#endif
            relax(delay);
        delay *= 2;
#ifdef CAP
        if (delay > 64)
            delay = 64;
#endif
#ifdef GIVE_UP
        if (delay > 4)
            break;
#endif
    }
    return unused;
}

static void *setter(void *unused)
{
    atomic_store_explicit(&flag, 1, memory_order_release);
    return unused;
}

int main(void)
{
    pthread_t w, s;

    pthread_create(&w, NULL, waiter, NULL);
    pthread_create(&s, NULL, setter, NULL);
    pthread_join(w, NULL);
    pthread_join(s, NULL);
    return 0;
}
