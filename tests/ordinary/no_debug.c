/* Without debug information, static variables of functions included. */
// flags: -g0
#include "ordinary.h"

int outside;
static int hidden;

static void *left(void *unused)
{
    static int r;
    r = 1;
    outside = r + 1;
    return unused;
}

static void *right(void *unused)
{
    static int r;
    r = 3;
    hidden = r + PLANT(1, 2);
    return unused;
}

int test_no_debug(void)
{
    both(left, right);
    outside += hidden;
    return 0;
}

int main(void)
{
    return 0;
}
