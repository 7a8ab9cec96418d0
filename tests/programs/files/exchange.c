/* Message passing by compare-and-swap, and others that compilers may call. */
#include <pthread.h>
#include <stdatomic.h>

atomic_int x;
atomic_long l;
atomic_char c;
int data, r1, r2, r3;

static void *left(void *arg)
{
    int expected = 0;
    data = 1;
    r1 = atomic_compare_exchange_strong_explicit(
        &x, &expected, 1, memory_order_release, memory_order_relaxed);
    atomic_fetch_add(&l, 5);
    atomic_fetch_or_explicit(&c, 2, memory_order_relaxed);
    return arg;
}

static void *right(void *arg)
{
    int expected = 1;
    r2 = atomic_compare_exchange_strong_explicit(
        &x, &expected, 2, memory_order_acquire, memory_order_relaxed);
    if (r2)
        r3 = data;
    atomic_exchange(&l, 7);
    atomic_fetch_and(&c, 6);
    return arg;
}

int main(void)
{
    pthread_t t, u;
    pthread_create(&t, 0, left, 0);
    pthread_create(&u, 0, right, 0);
    pthread_join(t, 0);
    pthread_join(u, 0);
    return 0;
}
