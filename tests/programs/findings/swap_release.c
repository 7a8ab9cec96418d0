// A message that is sent by a compare-and-swap which releases if it succeeds
// and only acquires if it fails. GCC 12 for RISC-V leaves the release out
// (docs/FINDINGS.md).
#include <pthread.h>
#include <stdatomic.h>

#ifndef SUCCESS
#define SUCCESS memory_order_acq_rel
#define FAILURE memory_order_acquire
#endif

atomic_int data, flag;
int r1, r2;

static void *sender(void *unused)
{
    int expected = 0;
    atomic_store_explicit(&data, 1, memory_order_relaxed);
    atomic_compare_exchange_strong_explicit(&flag, &expected, 1, SUCCESS,
                                            FAILURE);
    return unused;
}

static void *receiver(void *unused)
{
    r1 = atomic_load_explicit(&flag, memory_order_acquire);
    r2 = atomic_load_explicit(&data, memory_order_relaxed);
    return unused;
}

int main(void)
{
    pthread_t t, u;
    pthread_create(&t, NULL, sender, NULL);
    pthread_create(&u, NULL, receiver, NULL);
    pthread_join(t, NULL);
    pthread_join(u, NULL);
    return 0;
}
