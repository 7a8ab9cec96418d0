// Store buffering, all seq_cst. Not both threads may miss the other's store.
// Schemes of one machine have the fence at the store or at the load: a thread
// that takes its stores from one and its loads from the other has none. Threads
// as wholes may take what they want.
//
// expect: mapping=bad-x86-sc-store arch=x86_64 verdict=MISCOMPILED
// expect: mapping=bad-x86-mixed arch=x86_64 verdict=MISCOMPILED
// expect: mapping=c11-x86-xchg arch=x86_64 verdict=SOUND
// expect: mapping=c11-x86-trailing-mfence arch=x86_64 verdict=SOUND
// expect: mapping=c11-x86-trailing-lock arch=x86_64 verdict=SOUND
// expect: mapping=c11-x86-leading-mfence arch=x86_64 verdict=SOUND
// expect: mapping=bad-aarch64-ldapr-sc arch=aarch64 verdict=MISCOMPILED
// expect: mapping=c11-aarch64-ldapr arch=aarch64 verdict=SOUND
// expect: mapping=c11-aarch64 arch=aarch64 verdict=SOUND
// expect: mapping=c11-aarch64-dmb arch=aarch64 verdict=SOUND
// expect: mapping=bad-power-mixed arch=ppc64le verdict=MISCOMPILED
// expect: mapping=c11-power-leading-sync arch=ppc64le verdict=SOUND
// expect: mapping=c11-power-trailing-sync arch=ppc64le verdict=SOUND
// expect: mapping=bad-riscv64-mixed arch=riscv64 verdict=MISCOMPILED
// expect: mapping=c11-riscv64-a6 arch=riscv64 verdict=SOUND
// expect: mapping=c11-riscv64-a7 arch=riscv64 verdict=SOUND
// expect: mapping=c11-riscv64-mixed arch=riscv64 verdict=SOUND
// expect: mapping=c11-riscv64 arch=riscv64 verdict=SOUND
// expect: map=T1=bad-x86-sc-store,T2=c11-x86-xchg arch=x86_64 verdict=MISCOMPILED
// expect: map=T1=c11-x86-leading-mfence,T2=c11-x86-xchg arch=x86_64 verdict=SOUND
// expect: map=T1=c11-aarch64-dmb,T2=bad-aarch64-ldapr-sc arch=aarch64 verdict=MISCOMPILED
// expect: map=T1=c11-aarch64-dmb,T2=c11-aarch64 arch=aarch64 verdict=SOUND
// expect: map=T1=c11-power-leading-sync,T2=bad-power-mixed arch=ppc64le verdict=MISCOMPILED
// expect: map=T1=c11-power-leading-sync,T2=c11-power-trailing-sync arch=ppc64le verdict=SOUND
// expect: map=T1=c11-riscv64-a6,T2=c11-riscv64-mixed arch=riscv64 verdict=SOUND
#include <pthread.h>
#include <stdatomic.h>

atomic_int x, y;
int r1, r2;

static void *thread_1(void *unused)
{
    atomic_store_explicit(&x, 1, memory_order_seq_cst);
    r1 = atomic_load_explicit(&y, memory_order_seq_cst);
    return unused;
}

static void *thread_2(void *unused)
{
    atomic_store_explicit(&y, 1, memory_order_seq_cst);
    r2 = atomic_load_explicit(&x, memory_order_seq_cst);
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
