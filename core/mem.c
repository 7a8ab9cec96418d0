#include "core/mem.h"

#include <stdio.h>
#include <stdlib.h>

void *mem_resize(void *p, size_t bytes)
{
    void *q = realloc(p, bytes ? bytes : 1);
    if (!q) {
        fprintf(stderr, "hwcheck: out of memory (%zu bytes)\n", bytes);
        exit(MEM_EXIT_CODE);
    }
    return q;
}

void *mem_room(void *items, size_t n, unsigned *cap, size_t item_bytes)
{
    if (n < *cap)
        return items;
    size_t want = *cap ? *cap : 16;
    while (want <= n)
        want *= 2;
    *cap = (unsigned)want;
    return mem_resize(items, want * item_bytes);
}
