/* As memory.c: accesses of the program, so this code is looked at. */
#include <stddef.h>

#pragma clang section text = ".hwclib.text"

#include "frontend/include/hwcheck/library.h"

int *__errno_location(void);
int *__errno_location(void)
{
    static _Thread_local int value;
    return &value;
}
