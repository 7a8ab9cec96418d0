// A fence cycle through two relaxed hops; RC11 allows the one complete run.
//
// expect: model=rc11 executions=1 outcomes=1 verdict=SOUND
// expect: model=sc executions=0 outcomes=0 verdict=SOUND
// expect: model=tso executions=0 outcomes=0 verdict=SOUND
// expect: model=pso executions=0 outcomes=0 verdict=SOUND
// expect: model=ra executions=0 outcomes=0 verdict=SOUND
// expect: model=jam21 executions=0 blocked=3
// expect: model=jam21-thesis executions=0 blocked=3
#include <pthread.h>
#include <stdatomic.h>

void __VERIFIER_assume(int condition);

atomic_int x, y, z;
int r1, r2, r3;

static void *thread_1(void *unused)
{
    (void)unused;
    r1 = atomic_load_explicit(&y, memory_order_relaxed);
    __VERIFIER_assume(r1 == 1);
    atomic_thread_fence(memory_order_seq_cst);
    r2 = atomic_load_explicit(&z, memory_order_relaxed);
    __VERIFIER_assume(r2 == 0);
    return NULL;
}

static void *thread_2(void *unused)
{
    (void)unused;
    atomic_store_explicit(&z, 1, memory_order_relaxed);
    atomic_thread_fence(memory_order_seq_cst);
    atomic_store_explicit(&x, 1, memory_order_relaxed);
    return NULL;
}

static void *thread_3(void *unused)
{
    (void)unused;
    r3 = atomic_load_explicit(&x, memory_order_relaxed);
    if (r3 == 1)
        atomic_store_explicit(&y, 1, memory_order_relaxed);
    __VERIFIER_assume(r3 == 1);
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
