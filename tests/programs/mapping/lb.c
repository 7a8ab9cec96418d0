// Load buffering: noted, not an error, unless it is asked for.
//
// expect: mapping=c11-power-leading-sync arch=ppc64le verdict=SOUND
// expect: mapping=c11-power-leading-sync arch=ppc64le options=--lb=error verdict=MISCOMPILED
// expect: mapping=c11-power-no-lb arch=ppc64le options=--lb=error verdict=SOUND
// expect: mapping=c11-aarch64 arch=aarch64 options=--lb=error verdict=MISCOMPILED
// expect: mapping=c11-x86-xchg arch=x86_64 options=--lb=error verdict=SOUND
#include <pthread.h>
#include <stdatomic.h>

atomic_int x, y;
int r1, r2;

static void *thread_1(void *unused)
{
    r1 = atomic_load_explicit(&x, memory_order_relaxed);
    atomic_store_explicit(&y, 1, memory_order_relaxed);
    return unused;
}

static void *thread_2(void *unused)
{
    r2 = atomic_load_explicit(&y, memory_order_relaxed);
    atomic_store_explicit(&x, 1, memory_order_relaxed);
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
