#include <pthread.h>
#include <stdatomic.h>

atomic_int x, y;
int r1, r2;

static void *left(void *unused)
{
    atomic_store(&x, 1);
    r1 = atomic_load(&y);
    return unused;
}

static void *right(void *unused)
{
    atomic_store(&y, 1);
    r2 = atomic_load(&x);
    return unused;
}

int main(void)
{
    pthread_t t, u;

    pthread_create(&t, NULL, left, NULL);
    pthread_create(&u, NULL, right, NULL);
    pthread_join(t, NULL);
    pthread_join(u, NULL);
    return 0;
}
