/* Memory for structures that live as long as the run. One exit on failure. */
#ifndef CORE_MEM_H
#define CORE_MEM_H

#include <stddef.h>

#define MEM_EXIT_CODE 70

/* realloc that does not return NULL: says so on stderr and exits. */
void *mem_resize(void *p, size_t bytes);

/* Makes room for item `n` of an array: doubles *cap until n < *cap. */
void *mem_room(void *items, size_t n, unsigned *cap, size_t item_bytes);

/* Takes so much memory from the system at once and leaves it to be allocated:
 * page by page, on first touch, it costs more than most small explorations. */
void mem_touch(size_t bytes);

#endif
