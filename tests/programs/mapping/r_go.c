// Go's atomics are meant to be sequentially consistent; on Power the store before
// a Swap may come after it: r=0 and x=2 in the end.
//
// expect: mapping=go-ppc64 arch=ppc64le verdict=MISCOMPILED
// expect: mapping=c11-power-leading-sync arch=ppc64le verdict=SOUND
#include <pthread.h>
#include <stdatomic.h>

atomic_int x, y;
int r;

static void *thread_1(void *unused)
{
    atomic_store_explicit(&y, 1, memory_order_seq_cst);
    atomic_exchange_explicit(&x, 1, memory_order_seq_cst);
    return unused;
}

static void *thread_2(void *unused)
{
    atomic_store_explicit(&x, 2, memory_order_seq_cst);
    r = atomic_load_explicit(&y, memory_order_seq_cst);
    return unused;
}

int main(void)
{
    pthread_t t[2];
    pthread_create(&t[0], 0, thread_1, 0);
    pthread_create(&t[1], 0, thread_2, 0);
    pthread_join(t[0], 0);
    pthread_join(t[1], 0);
    return 0;
}
