// Two threads take a mutex N times each: C(2N, N) orders of critical sections,
// and the plain counter behind it is exact.
//
// expect: model=sc executions=20 verdict=SOUND flags=-DN=3
// expect: model=tso executions=20 verdict=SOUND flags=-DN=3
// expect: model=pso executions=20 verdict=SOUND flags=-DN=3
// expect: model=ra executions=20 verdict=SOUND flags=-DN=3
// expect: model=rc11 executions=20 verdict=SOUND flags=-DN=3
// expect: model=rc11 executions=924 verdict=SOUND flags=-DN=6 slow
// expect: model=rc11 executions=12870 verdict=SOUND flags=-DN=8 bench
// expect: model=rc11 verdict=VIOLATION kind=data-race flags=-DBUG
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

#ifndef N
#define N 3
#endif

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int counter;

static void *count(void *unused)
{
    (void)unused;
    for (int i = 0; i < N; i++) {
#ifndef BUG
        pthread_mutex_lock(&mutex);
#endif
        counter++;
#ifndef BUG
        pthread_mutex_unlock(&mutex);
#endif
    }
    return NULL;
}

int main(void)
{
    pthread_t t1, t2;

    pthread_create(&t1, NULL, count, NULL);
    pthread_create(&t2, NULL, count, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    assert(counter == 2 * N);
    return 0;
}
