// MP through two chained compare-exchanges, a relaxed store after the release
// store.
//
// C++20 ends the release sequence at a relaxed store of the same thread;
// C++11 and the RC11 paper do not.
//
// expect: model=rc11 executions=36 blocked=0 outcomes=15 verdict=SOUND
// expect: model=sc executions=35 blocked=0 outcomes=14 verdict=SOUND
// expect: model=tso executions=35 blocked=0 outcomes=14 verdict=SOUND
// expect: model=pso executions=35 blocked=0 outcomes=14 verdict=SOUND
// expect: model=ra executions=35 blocked=0 outcomes=14 verdict=SOUND
// expect: model=rc11-paper executions=35 blocked=0 outcomes=14 verdict=SOUND
#include <pthread.h>
#include <stdatomic.h>

atomic_int x, y;
int r1, r2, r3;

static void *thread_1(void *unused)
{
    (void)unused;
    atomic_store_explicit(&x, 1, memory_order_relaxed);
    atomic_store_explicit(&y, 0, memory_order_release);
    atomic_store_explicit(&y, 1, memory_order_relaxed);
    return NULL;
}

static void *thread_2(void *unused)
{
    (void)unused;
    int expected = 2;
    atomic_compare_exchange_strong_explicit(&y, &expected, 3,
                                            memory_order_relaxed,
                                            memory_order_relaxed);
    r1 = expected;
    return NULL;
}

static void *thread_3(void *unused)
{
    (void)unused;
    int expected = 1;
    atomic_compare_exchange_strong_explicit(&y, &expected, 2,
                                            memory_order_relaxed,
                                            memory_order_relaxed);
    r2 = expected;
    return NULL;
}

static void *thread_4(void *unused)
{
    (void)unused;
    r3 = atomic_load_explicit(&y, memory_order_acquire);
    if (r3 > 2)
        atomic_store_explicit(&x, 2, memory_order_relaxed);
    return NULL;
}

int main(void)
{
    pthread_t t1, t2, t3, t4;

    pthread_create(&t1, NULL, thread_1, NULL);
    pthread_create(&t2, NULL, thread_2, NULL);
    pthread_create(&t3, NULL, thread_3, NULL);
    pthread_create(&t4, NULL, thread_4, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    pthread_join(t3, NULL);
    pthread_join(t4, NULL);
    return 0;
}
