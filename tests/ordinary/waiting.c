/* Loops that wait. */
// inconclusive: test_waits GCC's loop at -O3 for Power is not seen to wait
#include "ordinary.h"

static int data, seen;
static atomic_int flag;

static void *send(void *unused)
{
    data = 42;
    atomic_store_explicit(&flag, 1, RELEASE);
    return unused;
}

/* One waits for the other. */
static void *await(void *unused)
{
    while (!atomic_load_explicit(&flag, ACQUIRE))
        ;
    seen = data + PLANT(1, 2);
    return unused;
}

int test_waits(void)
{
    both(send, await);
    return 0;
}

int main(void)
{
    return 0;
}
