// An alignment that is no power of two.
//
// expect: model=rc11 verdict=VIOLATION kind=library-misuse at=here exit=1
#include <stdlib.h>

int main(void)
{
    char *object = aligned_alloc(24, 48); // <- here

    free(object);
    return 0;
}
