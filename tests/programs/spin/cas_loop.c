// Two threads add one with a load and a compare-exchange in a loop: nothing is
// lost, and the loop ends because each failure means that another succeeded.
//
// expect: model=sc executions=2 verdict=SOUND
// expect: model=tso verdict=SOUND
// expect: model=pso verdict=SOUND
// expect: model=ra verdict=SOUND
// expect: model=rc11 executions=2 verdict=SOUND
// expect: model=rc11 executions=6 verdict=SOUND flags=-DN=3
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

#ifndef N
#define N 2
#endif

static atomic_int x;

static void *add(void *unused)
{
    int seen = atomic_load_explicit(&x, memory_order_relaxed);

    (void)unused;
    while (!atomic_compare_exchange_strong_explicit(
        &x, &seen, seen + 1, memory_order_relaxed, memory_order_relaxed))
        ;
    return NULL;
}

int main(void)
{
    pthread_t t[N];

    for (int k = 0; k < N; k++)
        pthread_create(&t[k], NULL, add, NULL);
    for (int k = 0; k < N; k++)
        pthread_join(t[k], NULL);
    assert(atomic_load_explicit(&x, memory_order_relaxed) == N);
    return 0;
}
