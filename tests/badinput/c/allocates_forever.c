#include <stdlib.h>

int main(void)
{
    for (;;)
        malloc(1 << 20);
}
