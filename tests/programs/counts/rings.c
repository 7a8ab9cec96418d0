// N threads in a ring, each beside its neighbour: store buffering, load
// buffering
// (-DLB), or stores only (-DWRITES, 2+2W for two threads). Each read, or each
// pair of stores, goes one of two ways; SC, and what keeps the order in the
// thread, forbids the one in which all close the ring.
// With -DREADERS: two stores, and N threads that read both (IRIW).
//
// expect: model=sc executions=63 blocked=0 verdict=SOUND flags=-DN=6
// expect: model=tso executions=64 blocked=0 verdict=SOUND flags=-DN=6
// expect: model=rc11 executions=64 blocked=0 verdict=SOUND flags=-DN=6
// expect: model=tso executions=63 blocked=0 verdict=SOUND flags=-DN=6,-DLB
// expect: model=rc11 executions=63 blocked=0 verdict=SOUND flags=-DN=6,-DLB
// expect: model=tso executions=63 blocked=0 verdict=SOUND flags=-DN=6,-DWRITES
// expect: model=pso executions=64 blocked=0 verdict=SOUND flags=-DN=6,-DWRITES
// expect: model=rc11 executions=64 blocked=0 verdict=SOUND flags=-DN=6,-DWRITES
// expect: model=rc11 executions=256 verdict=SOUND flags=-DN=4,-DREADERS
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

#ifndef N
#define N 6
#endif

atomic_int x[N];
int seen[N][2];

static int load(int i)
{
    return atomic_load_explicit(&x[i % N], memory_order_relaxed);
}

static void store(int i, int value)
{
    atomic_store_explicit(&x[i % N], value, memory_order_relaxed);
}

static void *run(void *arg)
{
    int i = (int)(intptr_t)arg;
#if defined LB
    seen[i][0] = load(i);
    store(i + 1, 1);
#elif defined WRITES
    store(i, 1);
    store(i + 1, 2);
#elif defined READERS
    seen[i][0] = load(i % 2);
    seen[i][1] = load(1 - i % 2);
#else
    store(i, 1);
    seen[i][0] = load(i + 1);
#endif
    return NULL;
}

#ifdef READERS
static void *write_one(void *arg)
{
    store((int)(intptr_t)arg, 1);
    return NULL;
}
#endif

int main(void)
{
    pthread_t t[N + 2];
    int n = N;

    for (intptr_t k = 0; k < N; k++)
        pthread_create(&t[k], NULL, run, (void *)k);
#ifdef READERS
    for (intptr_t k = 0; k < 2; k++)
        pthread_create(&t[n++], NULL, write_one, (void *)k);
#endif
    for (int k = 0; k < n; k++)
        pthread_join(t[k], NULL);
    return 0;
}
