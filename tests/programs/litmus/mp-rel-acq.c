// MP with release store and acquire load of the flag: the data is seen.
//
// expect: model=rc11 executions=2 blocked=0 outcomes=2 verdict=SOUND
// expect: model=sc executions=2 blocked=0 outcomes=2 verdict=SOUND
// expect: model=tso executions=2 blocked=0 outcomes=2 verdict=SOUND
// expect: model=pso executions=2 blocked=0 outcomes=2 verdict=SOUND
// expect: model=ra executions=2 blocked=0 outcomes=2 verdict=SOUND
#include <pthread.h>
#include <stdatomic.h>

atomic_int x, y;
int r1, r2;

static void *thread_1(void *unused)
{
    (void)unused;
    atomic_store_explicit(&x, 1, memory_order_relaxed);
    atomic_store_explicit(&y, 1, memory_order_release);
    return NULL;
}

static void *thread_2(void *unused)
{
    (void)unused;
    r1 = atomic_load_explicit(&y, memory_order_acquire);
    if (r1 == 1)
        r2 = atomic_load_explicit(&x, memory_order_relaxed);
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
