// A cycle of seq_cst stores and loads; every complete run is forbidden.
//
// expect: model=rc11 executions=0 outcomes=0 verdict=SOUND
// expect: model=sc executions=0 outcomes=0 verdict=SOUND
// expect: model=tso executions=0 outcomes=0 verdict=SOUND
// expect: model=pso executions=0 outcomes=0 verdict=SOUND
// expect: model=ra executions=2 outcomes=2 verdict=SOUND
// expect: model=jam21 executions=0 blocked=13
// expect: model=jam21-thesis executions=2 blocked=18
#include <pthread.h>
#include <stdatomic.h>

void __VERIFIER_assume(int condition);

atomic_int x, y, z;
int r1, r2, r3;

static void *thread_1(void *unused)
{
    (void)unused;
    atomic_store_explicit(&x, 1, memory_order_seq_cst);
    atomic_store_explicit(&y, 1, memory_order_seq_cst);
    r1 = atomic_load_explicit(&z, memory_order_seq_cst);
    __VERIFIER_assume(r1 == 0);
    return NULL;
}

static void *thread_2(void *unused)
{
    (void)unused;
    atomic_store_explicit(&z, 1, memory_order_seq_cst);
    r2 = atomic_load_explicit(&y, memory_order_seq_cst);
    __VERIFIER_assume(r2 == 2);
    return NULL;
}

static void *thread_3(void *unused)
{
    (void)unused;
    atomic_store_explicit(&y, 2, memory_order_seq_cst);
    r3 = atomic_load_explicit(&x, memory_order_seq_cst);
    __VERIFIER_assume(r3 == 0);
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
