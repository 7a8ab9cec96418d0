/* The other half of main.c. */
#include "both.h"

#include <stdatomic.h>

static atomic_int x, y;
static int r;
int (*theirs)(void);

static int shared(void)
{
    return 2;
}

void fill(void)
{
    theirs = shared;
}

void put_x(int value)
{
    atomic_store(&x, value);
}

void put_y(int value)
{
    atomic_store(&y, value);
}

int get_x(void)
{
    return atomic_load(&x);
}

int get_y(void)
{
    return atomic_load(&y);
}

void note(int value)
{
    r = value;
}
