/* One conversion of a format of printf, as both sides read it: the library
 * inside QEMU, which takes the arguments, and hwcheck, which writes the text of
 * numbers. Shared with the guest: no library functions. */
#ifndef HW_PRINT_H
#define HW_PRINT_H

#include <stdbool.h>
#include <stdint.h>

struct print_spec {
    char flags[6]; /* of "-+ #0" */
    uint8_t n_flags;
    bool left;
    int width;     /* 0: none */
    int precision; /* -1: none */
    char length;   /* 'H': hh, 'h', 'l' (also z, j, t, ll), 'L', or 0 */
    char type;     /* 'd', 's', ...; '\0': the format ends here */
};

/* Where numbers for '*' come from. */
struct print_stars {
    int (*next)(void *self);
    void *self;
};

static inline bool print_is_flag(char c)
{
    return c == '-' || c == '+' || c == ' ' || c == '#' || c == '0';
}

static inline const char *print_number(const char *at, int *number,
                                       const struct print_stars *stars)
{
    if (*at == '*') {
        *number = stars->next(stars->self);
        return at + 1;
    }
    for (*number = 0; *at >= '0' && *at <= '9'; at++)
        if (*number < 100000)
            *number = *number * 10 + (*at - '0');
    return at;
}

/* Reads what is behind a '%'; returns what is behind that. */
static inline const char *print_parse(const char *at, struct print_spec *spec,
                                      const struct print_stars *stars)
{
    *spec = (struct print_spec){.precision = -1};
    for (; print_is_flag(*at); at++) {
        spec->left |= *at == '-';
        if (spec->n_flags < sizeof spec->flags - 1)
            spec->flags[spec->n_flags++] = *at;
    }
    at = print_number(at, &spec->width, stars);
    if (spec->width < 0) {
        spec->left = true;
        spec->width = -spec->width;
        if (spec->n_flags < sizeof spec->flags - 1)
            spec->flags[spec->n_flags++] = '-';
    }
    if (*at == '.')
        at = print_number(at + 1, &spec->precision, stars);
    for (; *at == 'h' || *at == 'l' || *at == 'z' || *at == 'j' || *at == 't' ||
           *at == 'q' || *at == 'L';
         at++)
        spec->length = *at == 'h'   ? (spec->length == 'h' ? 'H' : 'h')
                       : *at == 'L' ? 'L'
                                    : 'l';
    spec->type = *at;
    return *at ? at + 1 : at;
}

/* What it is a conversion of. */
static inline bool print_is_signed(const struct print_spec *spec)
{
    return spec->type == 'd' || spec->type == 'i';
}

static inline bool print_is_unsigned(const struct print_spec *spec)
{
    return spec->type == 'u' || spec->type == 'x' || spec->type == 'X' ||
           spec->type == 'o';
}

static inline bool print_is_real(const struct print_spec *spec)
{
    char lower = (char)(spec->type | 0x20);
    return lower == 'a' || lower == 'e' || lower == 'f' || lower == 'g';
}

/* An integer argument as the conversion takes it, in 64 bits. */
static inline uint64_t print_integer(const struct print_spec *spec,
                                     uint64_t word)
{
    bool is_signed = print_is_signed(spec);
    switch (spec->length) {
    case 'l':
    case 'L':
        return word;
    case 'h':
        return is_signed ? (uint64_t)(int16_t)word : (uint16_t)word;
    case 'H':
        return is_signed ? (uint64_t)(int8_t)word : (uint8_t)word;
    default:
        return is_signed ? (uint64_t)(int32_t)word : (uint32_t)word;
    }
}

/* Flags, width and precision in one word, for the wire: flags as bits 0 to 4,
 * then the type, width and precision + 1. */
static inline uint64_t print_pack(const struct print_spec *spec)
{
    uint64_t flags = 0;
    for (unsigned i = 0; i < spec->n_flags; i++)
        flags |= spec->flags[i] == '-'   ? 1
                 : spec->flags[i] == '+' ? 2
                 : spec->flags[i] == ' ' ? 4
                 : spec->flags[i] == '#' ? 8
                                         : 16;
    return flags | (uint64_t)(uint8_t)spec->type << 8 |
           (uint64_t)(spec->width & 0xfffff) << 16 |
           (uint64_t)((spec->precision + 1) & 0xfffff) << 36;
}

static inline struct print_spec print_unpack(uint64_t word)
{
    struct print_spec spec = {.left = word & 1,
                              .type = (char)(word >> 8 & 0xff),
                              .width = (int)(word >> 16 & 0xfffff),
                              .precision = (int)(word >> 36 & 0xfffff) - 1};
    for (unsigned i = 0; i < 5; i++)
        if (word >> i & 1)
            spec.flags[spec.n_flags++] = "-+ #0"[i];
    return spec;
}

#define PRINT_MAX 512 /* characters of one number; more are cut */

/* hw/print.c, not in the guest: the text of a number, an integer or the bits of
 * a double. Returns its length. */
unsigned print_value(const struct print_spec *spec, uint64_t word,
                     char text[PRINT_MAX]);

#endif
