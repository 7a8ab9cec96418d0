// IRIW with seq_cst stores and second loads but acquire first loads: RC11
// allows disagreement.
//
// expect: model=rc11 executions=16 blocked=0 outcomes=16 verdict=SOUND
// expect: model=sc executions=15 blocked=0 outcomes=15 verdict=SOUND
// expect: model=tso executions=15 blocked=0 outcomes=15 verdict=SOUND
// expect: model=pso executions=15 blocked=0 outcomes=15 verdict=SOUND
// expect: model=ra executions=16 blocked=0 outcomes=16 verdict=SOUND
// expect: model=jam21 executions=16 blocked=0
// expect: model=jam21-thesis executions=16 blocked=0
#include <pthread.h>
#include <stdatomic.h>

atomic_int x, y;
int r1, r2, r3, r4;

static void *thread_1(void *unused)
{
    (void)unused;
    atomic_store_explicit(&x, 1, memory_order_seq_cst);
    return NULL;
}

static void *thread_2(void *unused)
{
    (void)unused;
    r1 = atomic_load_explicit(&x, memory_order_acquire);
    r2 = atomic_load_explicit(&y, memory_order_seq_cst);
    return NULL;
}

static void *thread_3(void *unused)
{
    (void)unused;
    atomic_store_explicit(&y, 1, memory_order_seq_cst);
    return NULL;
}

static void *thread_4(void *unused)
{
    (void)unused;
    r3 = atomic_load_explicit(&y, memory_order_acquire);
    r4 = atomic_load_explicit(&x, memory_order_seq_cst);
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
