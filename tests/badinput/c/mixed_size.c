#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static _Atomic(long) x;

static void *low(void *unused)
{
    (void)unused;
    atomic_store((_Atomic(int) *)&x, 1);
    return NULL;
}

int main(void)
{
    pthread_t t;

    pthread_create(&t, NULL, low, NULL);
    atomic_store(&x, -1L);
    pthread_join(t, NULL);
    return 0;
}
