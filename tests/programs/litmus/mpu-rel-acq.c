// MP through an RMW of a third thread: the release sequence goes on through
// it.
//
// expect: model=rc11 executions=6 blocked=0 outcomes=5 verdict=SOUND
// expect: model=sc executions=6 blocked=0 outcomes=5 verdict=SOUND
// expect: model=tso executions=6 blocked=0 outcomes=5 verdict=SOUND
// expect: model=pso executions=6 blocked=0 outcomes=5 verdict=SOUND
// expect: model=ra executions=6 blocked=0 outcomes=5 verdict=SOUND
#include <pthread.h>
#include <stdatomic.h>

atomic_int y;
int x;
int r1, r2;

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
    r1 = atomic_fetch_add_explicit(&y, 1, memory_order_relaxed);
    return NULL;
}

static void *thread_3(void *unused)
{
    (void)unused;
    r2 = atomic_load_explicit(&y, memory_order_acquire);
    if (r2 > 1)
        x = 2;
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
