#include "hw/litmus_dialect.h"

#include "hw/isa.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

const struct litmus_dialect *litmus_dialect_nth(uint32_t i)
{
    for (const struct isa *const *isa = isa_registry; *isa; isa++)
        for (const struct litmus_dialect *const *d = (*isa)->dialects; d && *d;
             d++)
            if (i-- == 0)
                return *d;
    return NULL;
}

bool litmus_dialect_begins(const char *line, const char *const *prefixes)
{
    for (; prefixes && *prefixes; prefixes++)
        if (strncasecmp(line, *prefixes, strlen(*prefixes)) == 0)
            return true;
    return false;
}

bool litmus_dialect_is(const char *line, const char *const *lines)
{
    for (; lines && *lines; lines++)
        if (strcasecmp(line, *lines) == 0)
            return true;
    return false;
}

bool litmus_dialect_jumps(const struct litmus_dialect *d, const char *line)
{
    return litmus_dialect_begins(line, d->jumps) &&
           !litmus_dialect_begins(line, d->no_jumps);
}

int litmus_dialect_numbered(const char *name, char letter, long n)
{
    char *end;
    if (tolower((unsigned char)name[0]) != letter ||
        !isdigit((unsigned char)name[1]))
        return -1;
    long r = strtol(name + 1, &end, 10);
    return *end || r >= n ? -1 : (int)r;
}

void litmus_dialect_copy(const char *at, size_t n, bool lower, FILE *out)
{
    for (size_t i = 0; i < n; i++)
        fputc(lower ? tolower((unsigned char)at[i]) : at[i], out);
}
