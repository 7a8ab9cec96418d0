// Two threads add each other's number to their own, N times each; main looks
// at both meanwhile. Neither may exceed the Fibonacci number 2N+2.
// With seq_cst accesses every model gives the count of SC; release/acquire
// gives more, relaxed more still.
//
// expect: model=sc executions=140 blocked=0 verdict=SOUND flags=-DN=2
// expect: model=rc11 executions=140 blocked=0 verdict=SOUND flags=-DN=2
// expect: model=rc11 executions=153 blocked=0 verdict=SOUND flags=-DN=2,-DRA
// expect: model=rc11 executions=180 blocked=0 verdict=SOUND flags=-DN=2,-DRELAXED
// expect: model=ra executions=153 blocked=0 verdict=SOUND flags=-DN=2
// expect: model=sc executions=19605 blocked=0 verdict=SOUND flags=-DN=4 slow
// expect: model=tso executions=19605 blocked=0 verdict=SOUND flags=-DN=4 slow
// expect: model=rc11 executions=19605 blocked=0 verdict=SOUND flags=-DN=4 slow
// expect: model=ra executions=34205 blocked=0 verdict=SOUND flags=-DN=4 slow
// expect: model=rc11 executions=34205 blocked=0 verdict=SOUND flags=-DN=4,-DRA slow
// expect: model=rc11 executions=44100 blocked=0 verdict=SOUND flags=-DN=4,-DRELAXED slow
// expect: model=sc executions=218243 blocked=0 verdict=SOUND flags=-DN=5 slow
// expect: model=rc11 executions=525630 blocked=0 verdict=SOUND flags=-DN=5,-DRA bench
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifndef N
#define N 2
#endif

#if defined RA
#define LOAD  memory_order_acquire
#define STORE memory_order_release
#elif defined RELAXED
#define LOAD  memory_order_relaxed
#define STORE memory_order_relaxed
#else
#define LOAD  memory_order_seq_cst
#define STORE memory_order_seq_cst
#endif

static atomic_int i = 1, j = 1;

static void add(atomic_int *to, atomic_int *from)
{
    for (int k = 0; k < N; k++) {
        int own = atomic_load_explicit(to, LOAD);
        int other = atomic_load_explicit(from, LOAD);
        atomic_store_explicit(to, own + other, STORE);
    }
}

static void *thread_1(void *unused)
{
    (void)unused;
    add(&i, &j);
    return NULL;
}

static void *thread_2(void *unused)
{
    (void)unused;
    add(&j, &i);
    return NULL;
}

static int fibonacci(int n)
{
    int before = 0, now = 1;
    while (n-- > 1) {
        int next = before + now;
        before = now;
        now = next;
    }
    return now;
}

int main(void)
{
    pthread_t t1, t2;

    pthread_create(&t1, NULL, thread_1, NULL);
    pthread_create(&t2, NULL, thread_2, NULL);
    assert(atomic_load_explicit(&i, LOAD) <= fibonacci(2 * N + 2));
    assert(atomic_load_explicit(&j, LOAD) <= fibonacci(2 * N + 2));
    return 0;
}
