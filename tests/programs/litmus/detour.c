// A store of another thread between a store and the load after it.
//
// expect: model=rc11 executions=9 blocked=0 outcomes=6 verdict=SOUND
// expect: model=sc executions=9 blocked=0 outcomes=6 verdict=SOUND
// expect: model=tso executions=9 blocked=0 outcomes=6 verdict=SOUND
// expect: model=pso executions=9 blocked=0 outcomes=6 verdict=SOUND
// expect: model=ra executions=9 blocked=0 outcomes=6 verdict=SOUND
#include <pthread.h>
#include <stdatomic.h>

atomic_int x, y, z;
int r1, r2, r3;

static void *thread_1(void *unused)
{
    (void)unused;
    atomic_store_explicit(&x, 1, memory_order_relaxed);
    return NULL;
}

static void *thread_2(void *unused)
{
    (void)unused;
    r1 = atomic_load_explicit(&z, memory_order_relaxed);
    atomic_store_explicit(&x, r1 - 1, memory_order_relaxed);
    r2 = atomic_load_explicit(&x, memory_order_relaxed);
    atomic_store_explicit(&y, r2, memory_order_relaxed);
    return NULL;
}

static void *thread_3(void *unused)
{
    (void)unused;
    r3 = atomic_load_explicit(&y, memory_order_relaxed);
    atomic_store_explicit(&z, r3, memory_order_relaxed);
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
