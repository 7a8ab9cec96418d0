// x86 code, translated: two readers may not disagree on the order of two stores.
// lwsync does not see to that on Power. The source model is tso.
//
// expect: mapping=bad-tso-power-lwsync arch=ppc64le verdict=MISCOMPILED
// expect: mapping=tso-power arch=ppc64le verdict=SOUND
// expect: mapping=tso-aarch64 arch=aarch64 verdict=SOUND
#include <pthread.h>
#include <stdatomic.h>

atomic_int x, y;
int r1, r2, r3, r4;

static void *thread_1(void *unused)
{
    atomic_store_explicit(&x, 1, memory_order_relaxed);
    return unused;
}

static void *thread_2(void *unused)
{
    r1 = atomic_load_explicit(&x, memory_order_relaxed);
    r2 = atomic_load_explicit(&y, memory_order_relaxed);
    return unused;
}

static void *thread_3(void *unused)
{
    atomic_store_explicit(&y, 1, memory_order_relaxed);
    return unused;
}

static void *thread_4(void *unused)
{
    r3 = atomic_load_explicit(&y, memory_order_relaxed);
    r4 = atomic_load_explicit(&x, memory_order_relaxed);
    return unused;
}

int main(void)
{
    pthread_t t[4];
    pthread_create(&t[0], 0, thread_1, 0);
    pthread_create(&t[1], 0, thread_2, 0);
    pthread_create(&t[2], 0, thread_3, 0);
    pthread_create(&t[3], 0, thread_4, 0);
    pthread_join(t[0], 0);
    pthread_join(t[1], 0);
    pthread_join(t[2], 0);
    pthread_join(t[3], 0);
    return 0;
}
