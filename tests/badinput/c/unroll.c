/* A bound that the user asked for and that was hit is never SOUND. */
#include <stdatomic.h>

static atomic_int x;

int main(void)
{
    for (int i = 0; i < 10; i++)
        atomic_store(&x, i);
    return 0;
}
