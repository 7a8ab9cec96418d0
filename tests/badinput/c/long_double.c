#include <stdatomic.h>

static _Atomic(long double) x;

int main(void)
{
    atomic_store(&x, 1.0L);
    return 0;
}
