#include "hw/print.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

unsigned print_value(const struct print_spec *spec, uint64_t word,
                     char text[PRINT_MAX])
{
    char format[40];
    int width = spec->width < PRINT_MAX ? spec->width : PRINT_MAX - 1;
    int precision = spec->precision < PRINT_MAX ? spec->precision : PRINT_MAX;
    double real;
    int n;
    snprintf(format, sizeof format, "%%%.*s%s%s%s%c", (int)spec->n_flags,
             spec->flags, width ? "*" : "", precision >= 0 ? ".*" : "",
             print_is_real(spec) ? "" : "ll", spec->type);
    memcpy(&real, &word, sizeof real);
    bool is_real = print_is_real(spec);
    if (isnan(real))
        real = NAN; /* its sign is the machine's */
    unsigned long long number = word;
    /* The formats are made of what print_parse found. */
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wformat-nonliteral"
    if (width && precision >= 0)
        n = is_real
                ? snprintf(text, PRINT_MAX, format, width, precision, real)
                : snprintf(text, PRINT_MAX, format, width, precision, number);
    else if (width || precision >= 0)
        n = is_real ? snprintf(text, PRINT_MAX, format,
                               width ? width : precision, real)
                    : snprintf(text, PRINT_MAX, format,
                               width ? width : precision, number);
    else
        n = is_real ? snprintf(text, PRINT_MAX, format, real)
                    : snprintf(text, PRINT_MAX, format, number);
#pragma clang diagnostic pop
    return n < 0 ? 0 : n < PRINT_MAX ? (unsigned)n : PRINT_MAX - 1;
}
