#include <stdatomic.h>

static char bytes[16];

int main(void)
{
    atomic_store((_Atomic(int) *)(void *)(bytes + 1), 1);
    return 0;
}
