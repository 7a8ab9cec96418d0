// Go's Add on Power has no barrier behind it: a=1 b=0.
//
// expect: mapping=go-ppc64 arch=ppc64le verdict=MISCOMPILED
// expect: mapping=c11-power-leading-sync arch=ppc64le verdict=SOUND
#include <pthread.h>
#include <stdatomic.h>

atomic_int x, y;
int a, b;

static void *thread_1(void *unused)
{
    atomic_store_explicit(&x, 1, memory_order_relaxed);
    atomic_store_explicit(&y, 1, memory_order_seq_cst);
    return unused;
}

static void *thread_2(void *unused)
{
    a = atomic_fetch_add_explicit(&y, 0, memory_order_seq_cst);
    b = atomic_load_explicit(&x, memory_order_relaxed);
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
