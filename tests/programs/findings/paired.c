// Two words, each published by a release store. clang for AArch64 makes one stp
// of both words, behind the first stlr.
#include <hwcheck.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

int words[2];
atomic_int published;

static void *reader(void *unused)
{
    if (atomic_load_explicit(&published, memory_order_acquire))
        observe("message", words[0]);
    return unused;
}

void send(int first);
__attribute__((noinline)) void send(int first)
{
    words[0] = first;
    atomic_store_explicit(&published, first, memory_order_release);
    words[1] = 2;
    atomic_store_explicit(&published, 2, memory_order_release);
}

int main(void)
{
    pthread_t t;

    pthread_create(&t, NULL, reader, NULL);
    send(1);
    pthread_join(t, NULL);
    return 0;
}
