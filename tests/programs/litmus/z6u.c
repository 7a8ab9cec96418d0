// Z6.U: an RMW and a relaxed load between; needs the location condition in
// RC11 scb.
//
// expect: model=rc11 executions=24 blocked=0 outcomes=20 verdict=SOUND
// expect: model=sc executions=18 blocked=0 outcomes=15 verdict=SOUND
// expect: model=ra executions=24 blocked=0 outcomes=20 verdict=SOUND
#include <pthread.h>
#include <stdatomic.h>

atomic_int x, y;
int r1, r2, r3;

static void *thread_1(void *unused)
{
    (void)unused;
    atomic_store_explicit(&x, 1, memory_order_seq_cst);
    atomic_store_explicit(&y, 1, memory_order_release);
    return NULL;
}

static void *thread_2(void *unused)
{
    (void)unused;
    r1 = atomic_fetch_add_explicit(&y, 1, memory_order_seq_cst);
    r2 = atomic_load_explicit(&y, memory_order_relaxed);
    return NULL;
}

static void *thread_3(void *unused)
{
    (void)unused;
    atomic_store_explicit(&y, 3, memory_order_seq_cst);
    r3 = atomic_load_explicit(&x, memory_order_seq_cst);
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
