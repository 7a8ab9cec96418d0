// One thread frees an object twice.
//
// expect: model=rc11 verdict=VIOLATION kind=double-free at=here exit=1
#include <stdlib.h>

int main(void)
{
    void *object = malloc(8);

    free(object);
    free(object); // <- here
    return 0;
}
