/* Functions that work on the program's memory: their accesses are the
 * program's, made where it called them, so this code is looked at. Compiled
 * without vectors and without turning loops into calls of themselves. */
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#pragma clang section text = ".hwclib.text"

typedef uint64_t word __attribute__((may_alias));

/* Plain accesses that library functions make in the program's name. */
uint64_t __hwc_load(const void *at, unsigned size);
void __hwc_store(void *at, unsigned size, uint64_t value);

uint64_t __hwc_load(const void *at, unsigned size)
{
    return size == 1   ? *(const volatile uint8_t *)at
           : size == 4 ? *(const volatile uint32_t *)at
                       : *(const volatile uint64_t *)at;
}

void __hwc_store(void *at, unsigned size, uint64_t value)
{
    if (size == 4)
        *(volatile uint32_t *)at = (uint32_t)value;
    else
        *(volatile uint64_t *)at = value;
}

static int words_fit(const void *a, const void *b, size_t n)
{
    return n >= 8 && ((uintptr_t)a | (uintptr_t)b) % 8 == 0;
}

void *memcpy(void *restrict to, const void *restrict from, size_t n)
{
    return memmove(to, from, n);
}

void *memmove(void *to, const void *from, size_t n)
{
    char *a = to;
    const char *b = from;
    if ((uintptr_t)a - (uintptr_t)b >= n) { /* forwards */
        for (; words_fit(a, b, n); a += 8, b += 8, n -= 8)
            *(word *)(void *)a = *(const word *)(const void *)b;
        while (n-- > 0)
            *a++ = *b++;
        return to;
    }
    for (a += n, b += n; n % 8 || (n && !words_fit(a, b, n)); n--)
        *--a = *--b;
    for (; n > 0; n -= 8) {
        a -= 8, b -= 8;
        *(word *)(void *)a = *(const word *)(const void *)b;
    }
    return to;
}

void *memset(void *to, int byte, size_t n)
{
    char *a = to;
    word all = (unsigned char)byte * (word)0x0101010101010101u;
    for (; n > 0 && (uintptr_t)a % 8; n--)
        *a++ = (char)byte;
    for (; n >= 8; a += 8, n -= 8)
        *(word *)(void *)a = all;
    while (n-- > 0)
        *a++ = (char)byte;
    return to;
}

static int compare(const unsigned char *a, const unsigned char *b, size_t n,
                   int text)
{
    for (; n > 0; a++, b++, n--) {
        unsigned char x = *a, y = *b;
        if (x != y)
            return x < y ? -1 : 1;
        if (text && !x)
            return 0;
    }
    return 0;
}

int memcmp(const void *a, const void *b, size_t n)
{
    return compare(a, b, n, 0);
}

int bcmp(const void *a, const void *b, size_t n)
{
    return compare(a, b, n, 0);
}

int strcmp(const char *a, const char *b)
{
    return compare((const unsigned char *)a, (const unsigned char *)b, SIZE_MAX,
                   1);
}

int strncmp(const char *a, const char *b, size_t n)
{
    return compare((const unsigned char *)a, (const unsigned char *)b, n, 1);
}

size_t strnlen(const char *s, size_t max)
{
    size_t n = 0;
    while (n < max && s[n])
        n++;
    return n;
}

size_t strlen(const char *s)
{
    return strnlen(s, SIZE_MAX);
}

char *strcpy(char *restrict to, const char *restrict from)
{
    for (size_t i = 0; (to[i] = from[i]); i++)
        ;
    return to;
}

char *strncpy(char *restrict to, const char *restrict from, size_t n)
{
    char x = 1;
    for (size_t i = 0; i < n; i++)
        to[i] = x = x ? from[i] : x;
    return to;
}

char *strcat(char *restrict to, const char *restrict from)
{
    strcpy(to + strlen(to), from);
    return to;
}

void *memchr(const void *s, int byte, size_t n)
{
    const unsigned char *a = s;
    for (; n > 0; a++, n--)
        if (*a == (unsigned char)byte)
            return (void *)(uintptr_t)a;
    return NULL;
}

char *strchr(const char *s, int byte)
{
    for (;; s++) {
        char x = *s;
        if (x == (char)byte)
            return (char *)(uintptr_t)s;
        if (!x)
            return NULL;
    }
}

char *strrchr(const char *s, int byte)
{
    const char *found = NULL;
    for (;; s++) {
        char x = *s;
        if (x == (char)byte)
            found = s;
        if (!x)
            return (char *)(uintptr_t)found;
    }
}

/* GCC calls it where the machine has no instruction for it. */
int __popcountdi2(unsigned long value);
int __popcountdi2(unsigned long value)
{
    int n = 0;
    for (; value; value &= value - 1)
        n++;
    return n;
}
