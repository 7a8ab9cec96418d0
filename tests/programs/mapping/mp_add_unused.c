// The same with an addition: stadd counts as no read for dmb ishld.
//
// expect: mapping=bad-aarch64-stadd arch=aarch64 verdict=MISCOMPILED
// expect: mapping=c11-aarch64-lse arch=aarch64 verdict=SOUND
// expect: mapping=c11-aarch64 arch=aarch64 verdict=SOUND
#include <pthread.h>
#include <stdatomic.h>

atomic_int x, y;
int r1;

static void *thread_1(void *unused)
{
    atomic_store_explicit(&x, 1, memory_order_relaxed);
    atomic_thread_fence(memory_order_release);
    atomic_store_explicit(&y, 1, memory_order_relaxed);
    return unused;
}

static void *thread_2(void *unused)
{
    atomic_fetch_add_explicit(&y, 2, memory_order_relaxed);
    atomic_thread_fence(memory_order_acquire);
    r1 = atomic_load_explicit(&x, memory_order_relaxed);
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
