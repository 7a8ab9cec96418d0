#include "core/err.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

bool err_set(struct err *err, enum err_kind kind, const char *fmt, ...)
{
    va_list args;
    va_start(args, fmt);
    err->kind = kind;
    vsnprintf(err->text, sizeof err->text, fmt, args);
    va_end(args);
    return false;
}

bool err_wrap(struct err *err, const char *fmt, ...)
{
    char old[sizeof err->text];
    memcpy(old, err->text, sizeof old);

    va_list args;
    va_start(args, fmt);
    int n = vsnprintf(err->text, sizeof err->text, fmt, args);
    va_end(args);
    if (n >= 0 && (size_t)n < sizeof err->text)
        snprintf(err->text + n, sizeof err->text - (size_t)n, ": %s", old);
    return false;
}
