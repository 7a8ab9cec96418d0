#include "core/scratch.h"

#include "core/mem.h"

#include <stdlib.h>

void scratch_release(struct scratch *s)
{
    for (uint32_t i = 0; i < SCRATCH_BLOCKS; i++)
        free(s->blocks[i]);
    *s = (struct scratch){{NULL}, 0, 0};
}

void scratch_grow(struct scratch *s, uint32_t words)
{
    if (s->blocks[s->top])
        s->top++;
    while ((size_t)SCRATCH_BLOCK_WORDS << s->top < words)
        s->top++;
    assert(s->top < SCRATCH_BLOCKS);
    s->used = 0;
    if (!s->blocks[s->top])
        s->blocks[s->top] = mem_resize(
            NULL, ((size_t)SCRATCH_BLOCK_WORDS << s->top) * sizeof(uint64_t));
}
