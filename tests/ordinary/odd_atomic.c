/* An atomic struct of three bytes, which is larger on some targets. */
// only: clang-19, for GCC calls a library
#include "ordinary.h"

static void *skip(void *unused)
{
    return unused;
}

static _Atomic struct three {
    char a, b, c;
} three;
static size_t atomic_size;

static void *use_three(void *unused)
{
    atomic_store(&three, ((struct three){1, 2, PLANT(3, 4)}));
    atomic_size = sizeof three;
    return unused;
}

int test_atomic_struct(void)
{
    both(use_three, skip);
    return 0;
}

int main(void)
{
    return 0;
}
