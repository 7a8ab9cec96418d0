// The read of a read-modify-write comes before the writes after it under IMM; on
// AArch64 the branch on the status of a store-exclusive orders nothing.
//
// expect: mapping=bad-imm-aarch64 arch=aarch64 verdict=MISCOMPILED
// expect: mapping=imm-aarch64 arch=aarch64 verdict=SOUND
// expect: mapping=imm-power arch=ppc64le verdict=SOUND
#include <pthread.h>
#include <stdatomic.h>

atomic_int x, y;
int r1, r2;

static void *thread_1(void *unused)
{
    r1 = atomic_exchange_explicit(&x, 2, memory_order_relaxed);
    atomic_store_explicit(&y, 1, memory_order_relaxed);
    return unused;
}

static void *thread_2(void *unused)
{
    r2 = atomic_load_explicit(&y, memory_order_relaxed);
    if (r2)
        atomic_store_explicit(&x, 1, memory_order_release);
    return unused;
}

int main(void)
{
    pthread_t t[2];
    pthread_create(&t[0], NULL, thread_1, NULL);
    pthread_create(&t[1], NULL, thread_2, NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], NULL);
    return 0;
}
