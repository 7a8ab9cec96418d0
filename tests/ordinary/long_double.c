/* long double, which on some targets needs functions of the compiler's library.
 */
// refused: aarch64 ppc64le ppc64 riscv64, it is not what the machine here has
#include "ordinary.h"

static void *skip(void *unused)
{
    return unused;
}

static long double_digits;

static void *use_long_double(void *unused)
{
    long double third = 1.0L / 3;
    double_digits = (long)(third * PLANT(30, 60));
    return unused;
}

int test_long_double(void)
{
    both(use_long_double, skip);
    return 0;
}

int main(void)
{
    return 0;
}
