// Additions of 0 to z, one in each thread, with fences around them: one of them
// reads from the other, so that its thread sees what the other wrote before.
// clang drops both from -O1 on (LLVM #101551; docs/FINDINGS.md).
#include <pthread.h>
#include <stdatomic.h>

atomic_int x, y, z;
int r1, r2;

static void *thread_1(void *unused)
{
    atomic_store_explicit(&x, 1, memory_order_relaxed);
    atomic_thread_fence(memory_order_release);
    atomic_fetch_add_explicit(&z, 0, memory_order_relaxed);
    atomic_thread_fence(memory_order_acquire);
    r1 = atomic_load_explicit(&y, memory_order_relaxed);
    return unused;
}

static void *thread_2(void *unused)
{
    atomic_store_explicit(&y, 1, memory_order_relaxed);
    atomic_thread_fence(memory_order_release);
    atomic_fetch_add_explicit(&z, 0, memory_order_relaxed);
    atomic_thread_fence(memory_order_acquire);
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
