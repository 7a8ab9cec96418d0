#include <stdlib.h>

int main(void)
{
    char *p = malloc(10UL << 30);

    if (p) {
        p[0] = 1;
        p[(10UL << 30) - 1] = 1;
    }
    free(p);
    return 0;
}
