/* Compare-and-swap of 16 bytes. */
#include <pthread.h>
#include <stdatomic.h>

struct pair {
    long a, b;
};
_Atomic struct pair pair;
int done;

static void *set(void *arg)
{
    struct pair expected = {0, 0};
    done =
        atomic_compare_exchange_strong(&pair, &expected, ((struct pair){1, 2}));
    return arg;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, set, 0);
    pthread_join(t, 0);
    return 0;
}
