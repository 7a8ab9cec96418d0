// Z6 with seq_cst fences at the ends and an acquire load in the middle.
//
// expect: model=rc11 executions=7 blocked=0 outcomes=7 verdict=SOUND
// expect: model=sc executions=7 blocked=0 outcomes=7 verdict=SOUND
// expect: model=tso executions=7 blocked=0 outcomes=7 verdict=SOUND
// expect: model=pso executions=7 blocked=0 outcomes=7 verdict=SOUND
// expect: model=ra executions=8 blocked=0 outcomes=8 verdict=SOUND
// expect: model=jam21 executions=7 blocked=0
// expect: model=jam21-thesis executions=8 blocked=0
#include <pthread.h>
#include <stdatomic.h>

atomic_int a, b, c;
int r1, r2;

static void *thread_1(void *unused)
{
    (void)unused;
    atomic_store_explicit(&a, 1, memory_order_relaxed);
    atomic_thread_fence(memory_order_seq_cst);
    atomic_store_explicit(&b, 1, memory_order_relaxed);
    return NULL;
}

static void *thread_2(void *unused)
{
    (void)unused;
    r1 = atomic_load_explicit(&b, memory_order_acquire);
    atomic_store_explicit(&c, 1, memory_order_relaxed);
    return NULL;
}

static void *thread_3(void *unused)
{
    (void)unused;
    atomic_store_explicit(&c, 2, memory_order_relaxed);
    atomic_thread_fence(memory_order_seq_cst);
    r2 = atomic_load_explicit(&a, memory_order_relaxed);
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
