// Two compare-exchanges from the same value: one wins.
//
// expect: model=rc11 executions=2 blocked=0 outcomes=2 verdict=SOUND
// expect: model=sc executions=2 blocked=0 outcomes=2 verdict=SOUND
// expect: model=tso executions=2 blocked=0 outcomes=2 verdict=SOUND
// expect: model=pso executions=2 blocked=0 outcomes=2 verdict=SOUND
// expect: model=ra executions=2 blocked=0 outcomes=2 verdict=SOUND
#include <pthread.h>
#include <stdatomic.h>

atomic_int x;
int r1, r2;

static void *thread_1(void *unused)
{
    (void)unused;
    int expected = 0;
    atomic_compare_exchange_strong_explicit(&x, &expected, 1,
                                            memory_order_relaxed,
                                            memory_order_relaxed);
    r1 = expected;
    return NULL;
}

static void *thread_2(void *unused)
{
    (void)unused;
    int expected = 0;
    atomic_compare_exchange_strong_explicit(&x, &expected, 2,
                                            memory_order_relaxed,
                                            memory_order_relaxed);
    r2 = expected;
    return NULL;
}

int main(void)
{
    pthread_t t1, t2;

    pthread_create(&t1, NULL, thread_1, NULL);
    pthread_create(&t2, NULL, thread_2, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    return 0;
}
