// Main raises a shared index and creates a thread, N times; each thread marks
// the array at the index that it finds. Thread k sees one of the values k..N-1:
// N! choices of reads-from. With SHARED all threads that found the same index
// mark the same cell, and their coherence orders count too: 1*3*5*...*(2N-1).
//
// expect: model=sc executions=120 blocked=0 verdict=SOUND flags=-DN=5
// expect: model=tso executions=120 blocked=0 verdict=SOUND flags=-DN=5
// expect: model=ra executions=120 blocked=0 verdict=SOUND flags=-DN=5
// expect: model=rc11 executions=120 blocked=0 verdict=SOUND flags=-DN=5
// expect: model=rc11 executions=105 blocked=0 verdict=SOUND flags=-DN=4,-DSHARED
// expect: model=sc executions=105 blocked=0 verdict=SOUND flags=-DN=4,-DSHARED
// expect: model=rc11 executions=5040 blocked=0 verdict=SOUND flags=-DN=7 slow
// expect: model=rc11 executions=10395 blocked=0 verdict=SOUND flags=-DN=6,-DSHARED slow
// expect: model=rc11 executions=40320 blocked=0 verdict=SOUND flags=-DN=8 bench
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

#ifndef N
#define N 5
#endif

static atomic_int marks[N][N];
static atomic_int shared_index = -1;

static void *mark(void *arg)
{
    int index = atomic_load(&shared_index);
#ifdef SHARED
    int cell = 0;
    (void)arg;
#else
    int cell = (int)(intptr_t)arg;
#endif

    atomic_store(&marks[index][cell], 1);
    return NULL;
}

int main(void)
{
    pthread_t t[N];

    for (intptr_t k = 0; k < N; k++) {
        atomic_store(&shared_index, atomic_load(&shared_index) + 1);
        pthread_create(&t[k], NULL, mark, (void *)k);
    }
    for (int k = 0; k < N; k++)
        pthread_join(t[k], NULL);
    return 0;
}
