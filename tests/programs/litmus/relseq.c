// A release sequence with an exchange in it.
//
// C++20 ends the release sequence at a relaxed store of the same thread;
// C++11 and the RC11 paper do not.
//
// expect: model=rc11 executions=20 blocked=0 outcomes=20 verdict=SOUND
// expect: model=sc executions=16 blocked=0 outcomes=16 verdict=SOUND
// expect: model=tso executions=16 blocked=0 outcomes=16 verdict=SOUND
// expect: model=pso executions=16 blocked=0 outcomes=16 verdict=SOUND
// expect: model=ra executions=16 blocked=0 outcomes=16 verdict=SOUND
// expect: model=rc11-paper executions=16 blocked=0 outcomes=16 verdict=SOUND
#include <pthread.h>
#include <stdatomic.h>

atomic_int x, y;
int r1, r2, r3;

static void *thread_1(void *unused)
{
    (void)unused;
    atomic_store_explicit(&x, 1, memory_order_relaxed);
    atomic_store_explicit(&y, 1, memory_order_release);
    atomic_store_explicit(&y, 2, memory_order_relaxed);
    return NULL;
}

static void *thread_2(void *unused)
{
    (void)unused;
    r1 = atomic_exchange_explicit(&y, 3, memory_order_relaxed);
    return NULL;
}

static void *thread_3(void *unused)
{
    (void)unused;
    r2 = atomic_load_explicit(&y, memory_order_relaxed);
    atomic_thread_fence(memory_order_acq_rel);
    r3 = atomic_load_explicit(&x, memory_order_relaxed);
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
