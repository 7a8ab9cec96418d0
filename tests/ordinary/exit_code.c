/* The exit status of main depends on the threads. */
#include "ordinary.h"

static atomic_int x, y;
static int r1, r2;

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
    both(left, right);
    return r1 || r2 ? PLANT(0, 2) : 1;
}
