// One writer and N readers of one location: each reader sees the store or not,
// 2^N executions in every model.
//
// expect: model=sc executions=64 blocked=0 verdict=SOUND flags=-DN=6
// expect: model=tso executions=64 blocked=0 verdict=SOUND flags=-DN=6
// expect: model=pso executions=64 blocked=0 verdict=SOUND flags=-DN=6
// expect: model=ra executions=64 blocked=0 verdict=SOUND flags=-DN=6
// expect: model=rc11 executions=64 blocked=0 verdict=SOUND flags=-DN=6
// expect: model=rc11 executions=8192 blocked=0 verdict=SOUND flags=-DN=13 slow
// expect: model=sc executions=8192 blocked=0 verdict=SOUND flags=-DN=13 slow
// expect: model=rc11 executions=32768 blocked=0 verdict=SOUND flags=-DN=15 bench
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

#ifndef N
#define N 6
#endif

static atomic_int x;

static void *writer(void *unused)
{
    (void)unused;
    atomic_store(&x, 1);
    return NULL;
}

static void *reader(void *unused)
{
    (void)unused;
    (void)atomic_load(&x);
    return NULL;
}

int main(void)
{
    pthread_t w, r[N];

    pthread_create(&w, NULL, writer, NULL);
    for (int i = 0; i < N; i++)
        pthread_create(&r[i], NULL, reader, NULL);
    pthread_join(w, NULL);
    for (int i = 0; i < N; i++)
        pthread_join(r[i], NULL);
    return 0;
}
