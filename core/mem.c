#include "core/mem.h"

#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

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

void mem_touch(size_t bytes)
{
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    mallopt(M_MMAP_THRESHOLD, (int)(2 * bytes)); /* from the heap, */
    mallopt(M_TRIM_THRESHOLD, (int)(4 * bytes)); /* and to stay there */
    char *p = malloc(bytes);
#ifdef MADV_POPULATE_WRITE
    if (p) {
        size_t skip = page - (size_t)p % page;
        madvise(p + skip, (bytes - skip) / page * page, MADV_POPULATE_WRITE);
    }
#endif
    free(p);
}
