// A sense-reversing barrier: everybody's work of phase 1 is seen by all in
// phase 2. BUG: arriving is relaxed.
//
// expect: model=sc executions=2 verdict=SOUND
// expect: model=tso verdict=SOUND
// expect: model=rc11 executions=2 verdict=SOUND
// expect: model=rc11 executions=6 verdict=SOUND flags=-DN=3
// expect: model=rc11 verdict=VIOLATION kind=data-race flags=-DBUG
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

#ifndef N
#define N 2
#endif

#ifdef BUG
#define ARRIVE memory_order_relaxed
#else
#define ARRIVE memory_order_acq_rel
#endif

static atomic_int arrived, sense;
static int work[N];

static void wait_for_all(int phase)
{
    if (atomic_fetch_add_explicit(&arrived, 1, ARRIVE) == N - 1) {
        atomic_store_explicit(&arrived, 0, memory_order_relaxed);
        atomic_store_explicit(&sense, phase, memory_order_release);
    } else {
        while (atomic_load_explicit(&sense, memory_order_acquire) != phase)
            ;
    }
}

static void *worker(void *arg)
{
    int id = (int)(intptr_t)arg;

    work[id] = id + 1;
    wait_for_all(1);

    int sum = 0;
    for (int k = 0; k < N; k++)
        sum += work[k];
    assert(sum == N * (N + 1) / 2);
    return NULL;
}

int main(void)
{
    pthread_t t[N];

    for (intptr_t id = 0; id < N; id++)
        pthread_create(&t[id], NULL, worker, (void *)id);
    for (int id = 0; id < N; id++)
        pthread_join(t[id], NULL);
    return 0;
}
