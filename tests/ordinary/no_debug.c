/* Without debug information, static variables of functions included. */
// flags: -g0
#include "ordinary.h"

int outside, shown;
static int hidden;

static void *left(void *unused)
{
    static int r;
    r = 1;
    outside = r + 1;
    shown = 1;
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

/* What is wrong is seen in a static variable alone. */
static void *hide(void *unused)
{
    static int r;
    r = PLANT(3, 4);
    return unused;
}

int test_hidden(void)
{
    both(left, hide);
    return 0;
}

int main(void)
{
    return 0;
}
