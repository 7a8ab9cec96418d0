#include <stdatomic.h>

static atomic_int x;

int main(void)
{
    for (;;)
        atomic_fetch_add(&x, 1);
}
