/* What the program prints: an effect for loops, else nothing, unless the user
 * wants to see it. Then each printing call shows once for each different past
 * of its thread, not once an execution. */
#include "frontend/guest_library.h"

#include <stdio.h>
#include <string.h>

static bool prints(struct guest *g)
{
    g->effects++;
    return g->show_output && guest_is_live(g);
}

/* One conversion; returns the number of words it takes. */
static uint32_t print_one(struct guest *g, const char *spec, size_t n,
                          const uint64_t *words, uint32_t left)
{
    char fmt[32];
    uint32_t used = 0;
    int star[2] = {0, 0};
    size_t k = 0;
    for (size_t i = 0; i < n && k + 4 < sizeof fmt; i++) {
        if (spec[i] == '*' && used < 2) {
            if (used < left)
                star[used] = (int)words[used];
            used++;
            k += (size_t)snprintf(fmt + k, sizeof fmt - k, "%d",
                                  star[used - 1] % 1000);
        } else if (!strchr("hlLqjzt", spec[i])) {
            fmt[k++] = spec[i];
        }
    }
    fmt[k] = '\0';
    if (spec[n - 1] == '%') {
        fputc('%', stderr);
        return used;
    }
    if (used >= left)
        return used;
    uint64_t word = words[used];
    bool is_long = memchr(spec, 'l', n) || memchr(spec, 'z', n) ||
                   memchr(spec, 'j', n) || memchr(spec, 't', n);
    char type = spec[n - 1];
    fmt[k - 1] = '\0';
    char with[40];
    double real;
    memcpy(&real, &word, sizeof real);
    if (strchr("di", type)) {
        snprintf(with, sizeof with, "%slld", fmt);
        fprintf(stderr, with, is_long ? (long long)word : (long long)(int)word);
    } else if (strchr("uxXo", type)) {
        snprintf(with, sizeof with, "%sll%c", fmt, type);
        fprintf(stderr, with,
                is_long ? (unsigned long long)word
                        : (unsigned long long)(unsigned)word);
    } else if (strchr("aAeEfFgG", type)) {
        snprintf(with, sizeof with, "%s%c", fmt, type);
        fprintf(stderr, with, real);
    } else if (type == 'c') {
        fputc((int)word, stderr);
    } else if (type == 's') {
        snprintf(with, sizeof with, "%ss", fmt);
        fprintf(stderr, with, guest_string(g, word));
    } else if (type == 'p') {
        fprintf(stderr, "0x%llx", (unsigned long long)word);
    }
    return used + 1;
}

uint64_t guest_on_printf(struct guest *g, uint32_t site, uint64_t format,
                         uint64_t array, uint64_t n_words, uint64_t stream)
{
    (void)site, (void)stream;
    if (!prints(g))
        return 0;
    const uint64_t *words = (const uint64_t *)(uintptr_t)array;
    uint32_t left = (uint32_t)n_words;
    for (const char *s = guest_string(g, format); *s;) {
        if (*s != '%') {
            fputc(*s++, stderr);
            continue;
        }
        size_t n = 1 + strcspn(s + 1, "diuxXoaAeEfFgGcspn%");
        if (!s[n])
            break;
        uint32_t used = print_one(g, s, n + 1, words, left);
        used = used < left ? used : left;
        words += used;
        left -= used;
        s += n + 1;
    }
    return 0;
}

uint64_t guest_on_puts(struct guest *g, uint32_t site, uint64_t text,
                       uint64_t b, uint64_t c, uint64_t d)
{
    (void)site, (void)b, (void)c, (void)d;
    if (prints(g))
        fprintf(stderr, "%s\n", guest_string(g, text));
    return 0;
}

uint64_t guest_on_fputs(struct guest *g, uint32_t site, uint64_t text,
                        uint64_t b, uint64_t c, uint64_t d)
{
    (void)site, (void)b, (void)c, (void)d;
    if (prints(g))
        fputs(guest_string(g, text), stderr);
    return 0;
}

uint64_t guest_on_putchar(struct guest *g, uint32_t site, uint64_t character,
                          uint64_t b, uint64_t c, uint64_t d)
{
    (void)site, (void)b, (void)c, (void)d;
    if (prints(g))
        fputc((int)character, stderr);
    return (unsigned char)character;
}
