// No psc edge between a seq_cst store and a load that does not happen after
// it.
//
// expect: model=rc11 executions=1 outcomes=1 verdict=SOUND
// expect: model=sc executions=1 outcomes=1 verdict=SOUND
// expect: model=tso executions=1 outcomes=1 verdict=SOUND
// expect: model=pso executions=1 outcomes=1 verdict=SOUND
// expect: model=ra executions=1 outcomes=1 verdict=SOUND
#include <pthread.h>
#include <stdatomic.h>

void __VERIFIER_assume(int condition);

atomic_int x, y;
int r1, r2;

static void *thread_1(void *unused)
{
    (void)unused;
    atomic_store_explicit(&x, 1, memory_order_seq_cst);
    atomic_store_explicit(&y, 1, memory_order_seq_cst);
    return NULL;
}

static void *thread_2(void *unused)
{
    (void)unused;
    r1 = atomic_load_explicit(&x, memory_order_acquire);
    __VERIFIER_assume(r1 == 1);
    r2 = atomic_load_explicit(&y, memory_order_seq_cst);
    __VERIFIER_assume(r2 == 0);
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
