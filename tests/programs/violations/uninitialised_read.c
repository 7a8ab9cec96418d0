// A read of allocated memory that was never written: a warning, no violation,
// because its value decides nothing.
//
// expect: model=rc11 executions=1 verdict=SOUND warnings=1 at=here exit=0
#include <stdlib.h>

static int copy;

int main(void)
{
    int *object = malloc(sizeof *object);

    copy = *object; // <- here
    free(object);
    return 0;
}
