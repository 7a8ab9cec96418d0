// RWC with one acquire load: a=1 b=0 c=0 is allowed by RC11, and by the sync that
// comes last on Power (Manerkar et al., 2016). C11 as it was forbade it.
//
// expect: mapping=c11-power-leading-sync arch=ppc64le verdict=SOUND
// expect: mapping=c11-power-trailing-sync arch=ppc64le verdict=SOUND
#include <pthread.h>
#include <stdatomic.h>

atomic_int x, y;
int a, b, c;

static void *thread_1(void *unused)
{
    atomic_store_explicit(&x, 1, memory_order_seq_cst);
    return unused;
}

static void *thread_2(void *unused)
{
    a = atomic_load_explicit(&x, memory_order_acquire);
    b = atomic_load_explicit(&y, memory_order_seq_cst);
    return unused;
}

static void *thread_3(void *unused)
{
    atomic_store_explicit(&y, 1, memory_order_seq_cst);
    c = atomic_load_explicit(&x, memory_order_seq_cst);
    return unused;
}

int main(void)
{
    pthread_t t[3];
    pthread_create(&t[0], 0, thread_1, 0);
    pthread_create(&t[1], 0, thread_2, 0);
    pthread_create(&t[2], 0, thread_3, 0);
    pthread_join(t[0], 0);
    pthread_join(t[1], 0);
    pthread_join(t[2], 0);
    return 0;
}
