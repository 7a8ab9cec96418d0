// A write through an integer that is no address.
//
// expect: model=rc11 verdict=VIOLATION kind=invalid-access at=here exit=1
#include <stdint.h>

static volatile uintptr_t number = 0xdeadbeef;

int main(void)
{
    *(int *)number = 1; // <- here
    return 0;
}
