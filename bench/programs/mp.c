/* Message passing: the smallest program that asks something of a machine. */
#include <hwcheck.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int data, flag;

static void *writer(void *unused)
{
    atomic_store_explicit(&data, 1, memory_order_relaxed);
    atomic_store_explicit(&flag, 1, memory_order_release);
    return unused;
}

static void *reader(void *unused)
{
    int f = atomic_load_explicit(&flag, memory_order_acquire);
    int d = atomic_load_explicit(&data, memory_order_relaxed);
    observe("f", f);
    observe("d", d);
    return unused;
}

int main(void)
{
    pthread_t w, r;
    pthread_create(&w, NULL, writer, NULL);
    pthread_create(&r, NULL, reader, NULL);
    pthread_join(w, NULL);
    pthread_join(r, NULL);
    return 0;
}
