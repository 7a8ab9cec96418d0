// A free of a pointer into the middle of an object.
//
// expect: model=rc11 verdict=VIOLATION kind=invalid-free at=here exit=1
#include <stdlib.h>

int main(void)
{
    char *object = malloc(8);

    free(object + 4); // <- here
    return 0;
}
