#include <stdatomic.h>

static _Atomic(struct { long word[4]; }) x, y;

int main(void)
{
    atomic_store(&x, atomic_load(&y));
    return 0;
}
