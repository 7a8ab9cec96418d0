/* Bit rows for the time of a call: taken from a stack and given back together.
 * A function marks the stack, takes what it needs and rewinds to its mark; what
 * it takes before its mark is its caller's. A row stays where it is until
 * then, whatever else is taken. */
#ifndef CORE_SCRATCH_H
#define CORE_SCRATCH_H

#include <assert.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* Whoever uses a row that was given back is seen by the address sanitizer. */
#ifdef __SANITIZE_ADDRESS__
#include <sanitizer/asan_interface.h>
#define SCRATCH_HIDE(row, words) \
    ASAN_POISON_MEMORY_REGION(row, (words) * sizeof(uint64_t))
#define SCRATCH_SHOW(row, words) \
    ASAN_UNPOISON_MEMORY_REGION(row, (words) * sizeof(uint64_t))
#else
#define SCRATCH_HIDE(row, words) ((void)0)
#define SCRATCH_SHOW(row, words) ((void)0)
#endif

enum {
    SCRATCH_BLOCKS = 24,      /* each twice as large as the one before */
    SCRATCH_BLOCK_WORDS = 512 /* the first */
};

struct scratch {
    uint64_t *blocks[SCRATCH_BLOCKS]; /* NULL: not made yet */
    size_t used;                      /* words of the block on top */
    uint32_t top;
};

struct scratch_mark {
    size_t used;
    uint32_t top;
};

void scratch_release(struct scratch *s);

/* Goes on to a block, behind the one on top, that has room for a row. */
void scratch_grow(struct scratch *s, uint32_t words);

/* A row without events. */
static inline uint64_t *scratch_row(struct scratch *s, uint32_t words)
{
    if (!s->blocks[s->top] || s->used + words > (size_t)SCRATCH_BLOCK_WORDS
                                                    << s->top)
        scratch_grow(s, words);
    uint64_t *row = s->blocks[s->top] + s->used;
    s->used += words;
    SCRATCH_SHOW(row, words);
    return memset(row, 0, words * sizeof *row);
}

static inline struct scratch_mark scratch_mark(const struct scratch *s)
{
    return (struct scratch_mark){s->used, s->top};
}

/* Gives back what was taken since the mark. */
static inline void scratch_rewind(struct scratch *s, struct scratch_mark mark)
{
    assert(mark.top < s->top || (mark.top == s->top && mark.used <= s->used));
    if (s->blocks[mark.top])
        SCRATCH_HIDE(s->blocks[mark.top] + mark.used,
                     ((size_t)SCRATCH_BLOCK_WORDS << mark.top) - mark.used);
    s->top = mark.top;
    s->used = mark.used;
}

static inline int scratch_is_empty(const struct scratch *s)
{
    return s->top == 0 && s->used == 0;
}

#endif
