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
    size_t used = n < 0 ? 0 : (size_t)n;
    if (used + 3 < sizeof err->text) {
        memcpy(err->text + used, ": ", 2);
        used += 2;
        size_t rest = strnlen(old, sizeof err->text - used - 1);
        memcpy(err->text + used, old, rest);
        err->text[used + rest] = 0;
    }
    return false;
}

void err_name_file(struct err *err, const char *path)
{
    if (!strstr(err->text, path))
        err_wrap(err, "%s", path);
}
