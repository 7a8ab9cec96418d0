// Store buffering in which one load is that of a compare-exchange that fails:
// it is seq_cst like any other load, and has no store that would order it.
//
// expect: mapping=bad-riscv64-cas arch=riscv64 verdict=MISCOMPILED
// expect: mapping=c11-riscv64-a6 arch=riscv64 verdict=SOUND
// expect: mapping=c11-riscv64-a7 arch=riscv64 verdict=SOUND
// expect: mapping=c11-riscv64-mixed arch=riscv64 verdict=SOUND
// expect: mapping=c11-riscv64 arch=riscv64 verdict=SOUND
// expect: mapping=c11-x86-xchg arch=x86_64 verdict=SOUND
// expect: mapping=c11-aarch64 arch=aarch64 verdict=SOUND
// expect: mapping=c11-power-leading-sync arch=ppc64le verdict=SOUND
#include <pthread.h>
#include <stdatomic.h>

atomic_int x, y;
int r1 = 1, r2;

static void *thread_1(void *unused)
{
    atomic_store_explicit(&x, 1, memory_order_seq_cst);
    atomic_compare_exchange_strong_explicit(&y, &r1, 2, memory_order_seq_cst,
                                            memory_order_seq_cst);
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
