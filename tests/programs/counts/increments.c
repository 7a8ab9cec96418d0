// N threads with one fetch-and-add each: N! orders, and nothing is lost.
//
// expect: model=sc executions=120 blocked=0 verdict=SOUND flags=-DN=5
// expect: model=tso executions=120 blocked=0 verdict=SOUND flags=-DN=5
// expect: model=pso executions=120 blocked=0 verdict=SOUND flags=-DN=5
// expect: model=ra executions=120 blocked=0 verdict=SOUND flags=-DN=5
// expect: model=rc11 executions=120 blocked=0 verdict=SOUND flags=-DN=5
// expect: model=rc11 executions=5040 blocked=0 verdict=SOUND flags=-DN=7 slow
// expect: model=rc11 verdict=VIOLATION kind=assertion-failed flags=-DBUG
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifndef N
#define N 5
#endif

static atomic_int x;

static void *increment(void *unused)
{
    (void)unused;
#ifdef BUG
    int seen = atomic_load_explicit(&x, memory_order_relaxed);
    atomic_store_explicit(&x, seen + 1, memory_order_relaxed);
#else
    atomic_fetch_add_explicit(&x, 1, memory_order_relaxed);
#endif
    return NULL;
}

int main(void)
{
    pthread_t t[N];

    for (int k = 0; k < N; k++)
        pthread_create(&t[k], NULL, increment, NULL);
    for (int k = 0; k < N; k++)
        pthread_join(t[k], NULL);
    assert(atomic_load_explicit(&x, memory_order_relaxed) == N);
    return 0;
}
