// fib_bench with a bound that only the one fastest interleaving reaches.
//
// expect: model=sc verdict=VIOLATION kind=assertion-failed line=61
// expect: model=rc11 verdict=VIOLATION kind=assertion-failed line=61
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifndef N
#define N 3
#endif

static atomic_int i = 1, j = 1;

static void add(atomic_int *to, atomic_int *from)
{
    for (int k = 0; k < N; k++)
        atomic_store(to, atomic_load(to) + atomic_load(from));
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
    int bound = fibonacci(2 * N + 2);

    pthread_create(&t1, NULL, thread_1, NULL);
    pthread_create(&t2, NULL, thread_2, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);

    // Whoever adds last in strict alternation ends at the bound itself, so
    // "below" is wrong and "at most" would be right.
    int final_i = atomic_load(&i);
    int final_j = atomic_load(&j);

    assert(final_i < bound && final_j < bound);
    return 0;
}
