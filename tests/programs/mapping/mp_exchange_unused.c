// An exchange whose result nobody uses still reads, so that the fence behind it
// acquires. As a store, or into the zero register (which dmb ishld does not
// count), it does not (LLVM #68428, #60418).
//
// expect: mapping=bad-aarch64-exchange-store arch=aarch64 verdict=MISCOMPILED
// expect: mapping=bad-aarch64-swp-zr arch=aarch64 verdict=MISCOMPILED
// expect: mapping=c11-aarch64-lse arch=aarch64 verdict=SOUND
// expect: mapping=c11-aarch64 arch=aarch64 verdict=SOUND
// expect: mapping=c11-aarch64-abi arch=aarch64 verdict=SOUND
// expect: mapping=bad-x86-exchange-store arch=x86_64 verdict=MISCOMPILED
// expect: mapping=c11-x86-xchg arch=x86_64 verdict=SOUND
// expect: mapping=bad-power-exchange-store arch=ppc64le verdict=MISCOMPILED
// expect: mapping=c11-power-leading-sync arch=ppc64le verdict=SOUND
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
    atomic_exchange_explicit(&y, 2, memory_order_release);
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
