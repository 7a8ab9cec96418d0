// N threads; thread k turns x from k - 1 to k with a compare-exchange. If k is
// the first to fail, it read one of k - 1 values and each later thread one of
// k: 1 + sum over k = 2..N of (k - 1) * k^(N - k) executions in every model.
//
// expect: model=sc executions=144 blocked=0 verdict=SOUND flags=-DN=6
// expect: model=tso executions=144 blocked=0 verdict=SOUND flags=-DN=6
// expect: model=pso executions=144 blocked=0 verdict=SOUND flags=-DN=6
// expect: model=ra executions=144 blocked=0 verdict=SOUND flags=-DN=6
// expect: model=rc11 executions=144 blocked=0 verdict=SOUND flags=-DN=6
// expect: model=rc11 executions=8597 blocked=0 verdict=SOUND flags=-DN=9 slow
// expect: model=rc11 executions=38486 blocked=0 verdict=SOUND flags=-DN=10 slow
// expect: model=rc11 executions=182905 blocked=0 verdict=SOUND flags=-DN=11 bench
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

#ifndef N
#define N 6
#endif

static atomic_int x;

static void *turn(void *arg)
{
    int to = (int)(intptr_t)arg;
    int from = to - 1;

    atomic_compare_exchange_strong(&x, &from, to);
    return NULL;
}

int main(void)
{
    pthread_t t[N];

    for (intptr_t k = 0; k < N; k++)
        pthread_create(&t[k], NULL, turn, (void *)(k + 1));
    for (int k = 0; k < N; k++)
        pthread_join(t[k], NULL);
    return 0;
}
