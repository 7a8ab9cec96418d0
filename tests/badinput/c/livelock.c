/* Two threads that undo each other's work for ever. */
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int x;

static void *up(void *unused)
{
    (void)unused;
    while (atomic_load(&x) < 2)
        atomic_store(&x, 1);
    return NULL;
}

static void *down(void *unused)
{
    (void)unused;
    while (atomic_load(&x) > -2)
        atomic_store(&x, -1);
    return NULL;
}

int main(void)
{
    pthread_t t1, t2;

    pthread_create(&t1, NULL, up, NULL);
    pthread_create(&t2, NULL, down, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    return 0;
}
