/* String functions, byte by byte: how far they read depends on what they
 * read. */
#include "frontend/source/hooks_library.h"
#include "frontend/source/hooks_memory.h"

static uint64_t byte_at(struct hooks *h, uint32_t site, uint64_t addr)
{
    return hooks_load(h, site, addr, 1);
}

uint64_t hooks_on_strnlen(struct hooks *h, uint32_t site, uint64_t s,
                          uint64_t max, uint64_t c, uint64_t d)
{
    (void)c, (void)d;
    uint64_t n = 0;
    while (n < max && byte_at(h, site, s + n))
        n++;
    return n;
}

uint64_t hooks_on_strlen(struct hooks *h, uint32_t site, uint64_t s, uint64_t b,
                         uint64_t c, uint64_t d)
{
    (void)b;
    return hooks_on_strnlen(h, site, s, UINT64_MAX, c, d);
}

static uint64_t compare(struct hooks *h, uint32_t site, uint64_t a, uint64_t b,
                        uint64_t max, bool text)
{
    for (uint64_t i = 0; i < max; i++) {
        uint64_t x = byte_at(h, site, a + i), y = byte_at(h, site, b + i);
        if (x != y)
            return x < y ? UINT64_MAX : 1;
        if (text && !x)
            return 0;
    }
    return 0;
}

uint64_t hooks_on_strcmp(struct hooks *h, uint32_t site, uint64_t a, uint64_t b,
                         uint64_t c, uint64_t d)
{
    (void)c, (void)d;
    return compare(h, site, a, b, UINT64_MAX, true);
}

uint64_t hooks_on_strncmp(struct hooks *h, uint32_t site, uint64_t a,
                          uint64_t b, uint64_t max, uint64_t d)
{
    (void)d;
    return compare(h, site, a, b, max, true);
}

uint64_t hooks_on_memcmp(struct hooks *h, uint32_t site, uint64_t a, uint64_t b,
                         uint64_t max, uint64_t d)
{
    (void)d;
    return compare(h, site, a, b, max, false);
}

uint64_t hooks_on_strcpy(struct hooks *h, uint32_t site, uint64_t to,
                         uint64_t from, uint64_t c, uint64_t d)
{
    (void)c, (void)d;
    for (uint64_t i = 0;; i++) {
        uint64_t x = byte_at(h, site, from + i);
        hooks_store(h, site, to + i, 1, x);
        if (!x)
            return to;
    }
}

uint64_t hooks_on_strncpy(struct hooks *h, uint32_t site, uint64_t to,
                          uint64_t from, uint64_t n, uint64_t d)
{
    (void)d;
    uint64_t x = 1;
    for (uint64_t i = 0; i < n; i++) {
        if (x)
            x = byte_at(h, site, from + i);
        hooks_store(h, site, to + i, 1, x);
    }
    return to;
}

uint64_t hooks_on_strcat(struct hooks *h, uint32_t site, uint64_t to,
                         uint64_t from, uint64_t c, uint64_t d)
{
    uint64_t n = hooks_on_strlen(h, site, to, 0, c, d);
    hooks_on_strcpy(h, site, to + n, from, c, d);
    return to;
}

static uint64_t find(struct hooks *h, uint32_t site, uint64_t s, uint64_t byte,
                     uint64_t max)
{
    for (uint64_t i = 0; i < max; i++)
        if (byte_at(h, site, s + i) == (byte & 0xff))
            return s + i;
    return 0;
}

uint64_t hooks_on_memchr(struct hooks *h, uint32_t site, uint64_t s,
                         uint64_t byte, uint64_t max, uint64_t d)
{
    (void)d;
    return find(h, site, s, byte, max);
}

uint64_t hooks_on_strchr(struct hooks *h, uint32_t site, uint64_t s,
                         uint64_t byte, uint64_t c, uint64_t d)
{
    (void)c, (void)d;
    for (;; s++) {
        uint64_t x = byte_at(h, site, s);
        if (x == (byte & 0xff))
            return s;
        if (!x)
            return 0;
    }
}

uint64_t hooks_on_strrchr(struct hooks *h, uint32_t site, uint64_t s,
                          uint64_t byte, uint64_t c, uint64_t d)
{
    (void)c, (void)d;
    uint64_t found = 0;
    for (uint64_t i = 0;; i++) {
        uint64_t x = byte_at(h, site, s + i);
        if (x == (byte & 0xff))
            found = s + i;
        if (!x)
            return found;
    }
}
