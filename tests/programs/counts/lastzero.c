// Writers j = 1..N set a[j] to a[j-1] + 1; a reader looks from a[N] down for
// the last zero. (N + 3) * 2^(N - 2) executions when causality holds,
// (N + 1) * 2^(N - 1) when the reader may miss what a writer saw.
//
// expect: model=sc executions=64 blocked=0 verdict=SOUND flags=-DN=5
// expect: model=tso executions=64 blocked=0 verdict=SOUND flags=-DN=5
// expect: model=pso executions=64 blocked=0 verdict=SOUND flags=-DN=5
// expect: model=ra executions=64 blocked=0 verdict=SOUND flags=-DN=5
// expect: model=rc11 executions=64 blocked=0 verdict=SOUND flags=-DN=5
// expect: model=rc11 executions=96 blocked=0 verdict=SOUND flags=-DN=5,-DRELAXED
// expect: model=rc11 executions=7168 blocked=0 verdict=SOUND flags=-DN=11 slow
// expect: model=rc11 executions=32768 blocked=0 verdict=SOUND flags=-DN=13 slow
// expect: model=rc11 executions=147456 blocked=0 verdict=SOUND flags=-DN=15 bench
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

#ifndef N
#define N 5
#endif

#ifdef RELAXED
#define LOAD  memory_order_relaxed
#define STORE memory_order_relaxed
#else
#define LOAD  memory_order_acquire
#define STORE memory_order_release
#endif

static atomic_int a[N + 1];

static void *reader(void *unused)
{
    int i = N;

    (void)unused;
    while (atomic_load_explicit(&a[i], LOAD) != 0)
        i--;
    return NULL;
}

static void *writer(void *arg)
{
    int j = (int)(intptr_t)arg;

    atomic_store_explicit(&a[j], atomic_load_explicit(&a[j - 1], LOAD) + 1,
                          STORE);
    return NULL;
}

int main(void)
{
    pthread_t t[N + 1];

    pthread_create(&t[0], NULL, reader, NULL);
    for (intptr_t j = 1; j <= N; j++)
        pthread_create(&t[j], NULL, writer, (void *)j);
    for (int j = 0; j <= N; j++)
        pthread_join(t[j], NULL);
    return 0;
}
