// S with release and acquire.
//
// expect: model=rc11 executions=2 blocked=0 outcomes=2 verdict=SOUND
// expect: model=sc executions=2 blocked=0 outcomes=2 verdict=SOUND
// expect: model=tso executions=2 blocked=0 outcomes=2 verdict=SOUND
// expect: model=pso executions=2 blocked=0 outcomes=2 verdict=SOUND
// expect: model=ra executions=2 blocked=0 outcomes=2 verdict=SOUND
#include <pthread.h>
#include <stdatomic.h>

atomic_int y;
int x;
int r1;

static void *thread_1(void *unused)
{
    (void)unused;
    x = 1;
    atomic_store_explicit(&y, 1, memory_order_release);
    return NULL;
}

static void *thread_2(void *unused)
{
    (void)unused;
    r1 = atomic_load_explicit(&y, memory_order_acquire);
    if (r1 == 1)
        x = 2;
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
