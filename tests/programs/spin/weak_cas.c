// As cas_loop with the weak compare-exchange, whose spurious failure would
// only go round again.
//
// expect: model=sc executions=2 verdict=SOUND
// expect: model=rc11 executions=2 verdict=SOUND
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int x;

static void *add(void *unused)
{
    int seen = atomic_load_explicit(&x, memory_order_relaxed);

    (void)unused;
    while (!atomic_compare_exchange_weak_explicit(
        &x, &seen, seen + 1, memory_order_relaxed, memory_order_relaxed))
        ;
    return NULL;
}

int main(void)
{
    pthread_t t1, t2;

    pthread_create(&t1, NULL, add, NULL);
    pthread_create(&t2, NULL, add, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    assert(atomic_load_explicit(&x, memory_order_relaxed) == 2);
    return 0;
}
