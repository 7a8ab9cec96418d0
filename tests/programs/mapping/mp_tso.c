// x86 code, translated: its moves keep order, bare loads and stores of a weak
// machine do not. The source model is tso.
//
// expect: mapping=bad-tso-aarch64-naive arch=aarch64 verdict=MISCOMPILED
// expect: mapping=tso-aarch64 arch=aarch64 verdict=SOUND
// expect: mapping=tso-aarch64-rcpc arch=aarch64 verdict=SOUND
// expect: mapping=tso-power arch=ppc64le verdict=SOUND
#include <pthread.h>
#include <stdatomic.h>

atomic_int x, y;
int r1, r2;

static void *thread_1(void *unused)
{
    atomic_store_explicit(&x, 1, memory_order_relaxed);
    atomic_store_explicit(&y, 1, memory_order_relaxed);
    return unused;
}

static void *thread_2(void *unused)
{
    r1 = atomic_load_explicit(&y, memory_order_relaxed);
    r2 = atomic_load_explicit(&x, memory_order_relaxed);
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
