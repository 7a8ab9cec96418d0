// N threads store to one location: N! coherence orders.
//
// expect: model=sc executions=120 blocked=0 verdict=SOUND flags=-DN=5
// expect: model=tso executions=120 blocked=0 verdict=SOUND flags=-DN=5
// expect: model=pso executions=120 blocked=0 verdict=SOUND flags=-DN=5
// expect: model=ra executions=120 blocked=0 verdict=SOUND flags=-DN=5
// expect: model=rc11 executions=120 blocked=0 verdict=SOUND flags=-DN=5
// expect: model=rc11 executions=720 blocked=0 verdict=SOUND flags=-DN=5,-DREADER
// expect: model=rc11 executions=5040 blocked=0 verdict=SOUND flags=-DN=7 slow
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

#ifndef N
#define N 5
#endif

static atomic_int x;

static void *writer(void *arg)
{
    atomic_store_explicit(&x, 1 + (int)(intptr_t)arg, memory_order_relaxed);
    return NULL;
}

int main(void)
{
    pthread_t t[N];

    for (intptr_t k = 0; k < N; k++)
        pthread_create(&t[k], NULL, writer, (void *)k);
#ifdef READER
    // One load beside them: N + 1 sources each, (N + 1)! in all.
    (void)atomic_load_explicit(&x, memory_order_relaxed);
#endif
    for (int k = 0; k < N; k++)
        pthread_join(t[k], NULL);
    return 0;
}
