// 2+2W: two threads write two locations in opposite order.
//
// expect: model=rc11 executions=4 blocked=0 outcomes=4 verdict=SOUND
// expect: model=sc executions=3 blocked=0 outcomes=3 verdict=SOUND
// expect: model=tso executions=3 blocked=0 outcomes=3 verdict=SOUND
// expect: model=pso executions=4 blocked=0 outcomes=4 verdict=SOUND
// expect: model=ra executions=4 blocked=0 outcomes=4 verdict=SOUND
// expect: model=jam21 executions=4 blocked=0
// expect: model=jam21-thesis executions=4 blocked=0
#include <pthread.h>
#include <stdatomic.h>

atomic_int x, y;

static void *thread_1(void *unused)
{
    (void)unused;
    atomic_store_explicit(&x, 1, memory_order_relaxed);
    atomic_store_explicit(&y, 2, memory_order_relaxed);
    return NULL;
}

static void *thread_2(void *unused)
{
    (void)unused;
    atomic_store_explicit(&y, 1, memory_order_relaxed);
    atomic_store_explicit(&x, 2, memory_order_relaxed);
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
