// A free of what malloc did not give.
//
// expect: model=rc11 verdict=VIOLATION kind=invalid-free at=here exit=1
#include <stdlib.h>

static int x;

int main(void)
{
    int *p = &x;

    free(p); // <- here
    return 0;
}
