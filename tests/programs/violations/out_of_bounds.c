// A write one past the end of an allocated array.
//
// expect: model=rc11 verdict=VIOLATION kind=invalid-access at=here exit=1
#include <stdlib.h>

int main(void)
{
    int *array = malloc(4 * sizeof *array);

    for (int i = 0; i <= 4; i++)
        array[i] = i; // <- here
    free(array);
    return 0;
}
