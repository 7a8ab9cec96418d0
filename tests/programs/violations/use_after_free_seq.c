// Use after free in one thread.
//
// expect: model=sc verdict=VIOLATION kind=use-after-free at=here exit=1
// expect: model=rc11 verdict=VIOLATION kind=use-after-free at=here exit=1
#include <stdlib.h>

int main(void)
{
    int *object = malloc(sizeof *object);

    *object = 1;
    free(object);
    return *object; // <- here
}
