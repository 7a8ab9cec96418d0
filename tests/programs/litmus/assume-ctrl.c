// An assume between loads and a store.
//
// expect: model=rc11 executions=4 outcomes=4 verdict=SOUND
// expect: model=sc executions=4 outcomes=4 verdict=SOUND
// expect: model=tso executions=4 outcomes=4 verdict=SOUND
// expect: model=pso executions=4 outcomes=4 verdict=SOUND
// expect: model=ra executions=4 outcomes=4 verdict=SOUND
#include <pthread.h>
#include <stdatomic.h>

void __VERIFIER_assume(int condition);

atomic_int x, y;
int r1, r2, r3;

static void *thread_1(void *unused)
{
    (void)unused;
    r1 = atomic_load_explicit(&y, memory_order_relaxed);
    if (r1 >= 2) {
        r2 = atomic_load_explicit(&y, memory_order_relaxed);
        __VERIFIER_assume(r2 > 3);
    }
    atomic_store_explicit(&x, 1, memory_order_relaxed);
    return NULL;
}

static void *thread_2(void *unused)
{
    (void)unused;
    r3 = atomic_load_explicit(&x, memory_order_relaxed);
    __VERIFIER_assume(r3 < 3);
    atomic_store_explicit(&y, 3, memory_order_relaxed);
    atomic_thread_fence(memory_order_seq_cst);
    atomic_store_explicit(&y, 4, memory_order_relaxed);
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
