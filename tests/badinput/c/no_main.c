#include <stdatomic.h>

atomic_int x;

void set(void)
{
    atomic_store(&x, 1);
}
