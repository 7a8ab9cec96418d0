// Read-modify-writes that change nothing, one in each thread, with fences around
// them: one of them reads from the other, so that its thread sees what the other
// wrote before. As loads both may read the initial value (LLVM #56450, #101551).
//
// expect: mapping=bad-x86-idempotent-load arch=x86_64 verdict=MISCOMPILED
// expect: mapping=bad-x86-idempotent-load arch=x86_64 verdict=MISCOMPILED flags=-DRMW=atomic_fetch_and_explicit,-DOPERAND=-1
// expect: mapping=bad-x86-idempotent-load arch=x86_64 verdict=SOUND flags=-DOPERAND=1
// expect: mapping=c11-x86-xchg arch=x86_64 verdict=SOUND
// expect: mapping=bad-power-idempotent-load arch=ppc64le verdict=MISCOMPILED
// expect: mapping=bad-power-idempotent-load arch=ppc64le verdict=MISCOMPILED flags=-DRMW=atomic_fetch_sub_explicit
// expect: mapping=c11-power-leading-sync arch=ppc64le verdict=SOUND
// expect: mapping=bad-aarch64-idempotent-load arch=aarch64 verdict=MISCOMPILED
// expect: mapping=bad-aarch64-idempotent-load arch=aarch64 verdict=MISCOMPILED flags=-DRMW=atomic_fetch_xor_explicit
// expect: mapping=bad-aarch64-idempotent-load arch=aarch64 verdict=SOUND flags=-DRMW=atomic_fetch_or_explicit,-DOPERAND=2
// expect: mapping=c11-aarch64-abi arch=aarch64 verdict=SOUND
#include <pthread.h>
#include <stdatomic.h>

#ifndef RMW
#define RMW atomic_fetch_add_explicit
#endif
#ifndef OPERAND
#define OPERAND 0
#endif

atomic_int x, y, z;
int r1, r2;

static void *thread_1(void *unused)
{
    atomic_store_explicit(&y, 1, memory_order_relaxed);
    atomic_thread_fence(memory_order_release);
    RMW(&x, OPERAND, memory_order_relaxed);
    atomic_thread_fence(memory_order_acquire);
    r1 = atomic_load_explicit(&z, memory_order_relaxed);
    return unused;
}

static void *thread_2(void *unused)
{
    atomic_store_explicit(&z, 1, memory_order_relaxed);
    atomic_thread_fence(memory_order_release);
    RMW(&x, OPERAND, memory_order_relaxed);
    atomic_thread_fence(memory_order_acquire);
    r2 = atomic_load_explicit(&y, memory_order_relaxed);
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
