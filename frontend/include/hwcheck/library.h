/* hwcheck/library.h: functions of the C library that are C themselves, for
 * both sides of a check: what they read and write is the program's. A program
 * may define them itself. Not to be included. */
#include <stddef.h>
#include <string.h>

#pragma weak qsort
#pragma weak bsearch
void qsort(void *base, size_t n, size_t size,
           int (*compare)(const void *, const void *));
void *bsearch(const void *key, const void *base, size_t n, size_t size,
              int (*compare)(const void *, const void *));

static void hwc_swap(char *a, char *b, size_t size)
{
    char kept[64];
    for (size_t at = 0; at < size; at += sizeof kept) {
        size_t n = size - at < sizeof kept ? size - at : sizeof kept;
        memcpy(kept, a + at, n);
        memcpy(a + at, b + at, n);
        memcpy(b + at, kept, n);
    }
}

/* By insertion: equal elements keep their order, as with glibc's. */
void qsort(void *base, size_t n, size_t size,
           int (*compare)(const void *, const void *))
{
    char *from = base;
    for (size_t i = 1; i < n; i++)
        for (char *at = from + i * size;
             at > from && compare(at - size, at) > 0; at -= size)
            hwc_swap(at - size, at, size);
}

void *bsearch(const void *key, const void *base, size_t n, size_t size,
              int (*compare)(const void *, const void *))
{
    const char *from = base;
    while (n > 0) {
        const char *middle = from + n / 2 * size;
        int order = compare(key, middle);
        if (order == 0)
            return (void *)middle;
        if (order > 0) {
            from = middle + size;
            n -= n / 2 + 1;
        } else
            n /= 2;
    }
    return 0;
}
