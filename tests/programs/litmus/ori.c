// An increment, a compare-exchange and a store under a condition.
//
// expect: model=rc11 executions=5 blocked=0 outcomes=5 verdict=SOUND
// expect: model=sc executions=5 blocked=0 outcomes=5 verdict=SOUND
// expect: model=tso executions=5 blocked=0 outcomes=5 verdict=SOUND
// expect: model=pso executions=5 blocked=0 outcomes=5 verdict=SOUND
// expect: model=ra executions=5 blocked=0 outcomes=5 verdict=SOUND
#include <pthread.h>
#include <stdatomic.h>

atomic_int x, y;
int r1, r2, r3;

static void *thread_1(void *unused)
{
    (void)unused;
    r1 = atomic_fetch_add_explicit(&x, 1, memory_order_relaxed);
    atomic_store_explicit(&y, 1, memory_order_release);
    return NULL;
}

static void *thread_2(void *unused)
{
    (void)unused;
    int expected = 0;
    atomic_compare_exchange_strong_explicit(&x, &expected, 1,
                                            memory_order_acquire,
                                            memory_order_acquire);
    r2 = expected;
    return NULL;
}

static void *thread_3(void *unused)
{
    (void)unused;
    r3 = atomic_load_explicit(&y, memory_order_relaxed);
    if (r3 == 1)
        atomic_store_explicit(&x, 4, memory_order_release);
    return NULL;
}

int main(void)
{
    pthread_t t1, t2, t3;

    pthread_create(&t1, NULL, thread_1, NULL);
    pthread_create(&t2, NULL, thread_2, NULL);
    pthread_create(&t3, NULL, thread_3, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    pthread_join(t3, NULL);
    return 0;
}
