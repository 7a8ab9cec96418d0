// Six RMWs of several orders on one location: every interleaving that po
// allows.
//
// expect: model=rc11 executions=180 blocked=0 outcomes=180 verdict=SOUND
// expect: model=sc executions=180 blocked=0 outcomes=180 verdict=SOUND
// expect: model=tso executions=180 blocked=0 outcomes=180 verdict=SOUND
// expect: model=pso executions=180 blocked=0 outcomes=180 verdict=SOUND
// expect: model=ra executions=180 blocked=0 outcomes=180 verdict=SOUND
#include <pthread.h>
#include <stdatomic.h>

atomic_int x;
int r1, r2, r3, r4, r5, r6;

static void *thread_1(void *unused)
{
    (void)unused;
    r1 = atomic_fetch_add_explicit(&x, 1, memory_order_acquire);
    r2 = atomic_fetch_add_explicit(&x, 1, memory_order_relaxed);
    return NULL;
}

static void *thread_2(void *unused)
{
    (void)unused;
    r3 = atomic_fetch_add_explicit(&x, 1, memory_order_relaxed);
    r4 = atomic_fetch_add_explicit(&x, 1, memory_order_relaxed);
    return NULL;
}

static void *thread_3(void *unused)
{
    (void)unused;
    r5 = atomic_fetch_add_explicit(&x, 1, memory_order_release);
    return NULL;
}

static void *thread_4(void *unused)
{
    (void)unused;
    r6 = atomic_fetch_add_explicit(&x, 1, memory_order_relaxed);
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
