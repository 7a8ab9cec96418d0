/* Executions on x86 as litmus tests. Total store order asks for no
 * dependencies. */
#include "hw/isa/x86_64/x86_64.h"
#include "hw/sketch.h"

#include <inttypes.h>

static const struct sketch_fence_text fences[] = {
    {TAG_MFENCE, "mfence"},
    {TAG_SFENCE, "sfence"},
    {TAG_LFENCE, "lfence"},
    {TAG_COUNT, NULL},
};

static const char *const names[2][15] = {
    {"eax", "ebx", "ecx", "edx", "esi", "edi", "r8d", "r9d", "r10d", "r11d",
     "r12d", "r13d", "r14d", "r15d", "ebp"},
    {"rax", "rbx", "rcx", "rdx", "rsi", "rdi", "r8", "r9", "r10", "r11", "r12",
     "r13", "r14", "r15", "rbp"},
};

/* The accumulator is number 0: it is left for compare-and-exchange. */
static const char *reg_name(uint32_t r)
{
    return names[1][r < 15 ? r : 14];
}

static const char *sized(uint32_t r, unsigned size)
{
    return names[size == 8][r < 15 ? r : 14];
}

/* LOCKed, or an exchange. */
static bool locked(struct sketch *s, const struct sketch_access *a,
                   struct err *err)
{
    char letter = a->size == 8 ? 'q' : 'l';
    uint32_t reg = sketch_new_reg(s);
    if (a->size < 4)
        return err_set(err, ERR_INPUT,
                       "an atomic instruction on %u bytes, of which herd has "
                       "none",
                       a->size);
    s->reg_of[a->read] = (uint8_t)reg;
    if (a->write != EVENT_NONE) {
        sketch_line(s, "mov%c $%" PRIu64 ",%%%s", letter, a->new,
                    sized(reg, a->size));
        sketch_line(s, "xchg%c (%s),%%%s", letter, a->location,
                    sized(reg, a->size));
        return true;
    }
    sketch_line(s, "mov%c $%u,%%%s", letter, a->old == 0, sized(0, a->size));
    sketch_line(s, "mov%c $%u,%%%s", letter, a->old == 0, sized(reg, a->size));
    sketch_line(s, "lock cmpxchg (%s),%%%s", a->location, sized(reg, a->size));
    sketch_line(s, "mov%c %%%s,%%%s", letter, sized(0, a->size),
                sized(reg, a->size));
    return true;
}

static bool write(struct sketch *s, const struct sketch_access *a,
                  struct err *err)
{
    static const char *const loads[] = {"movzbl", "movzwl", "movl", "movq"};
    if (a->fence != EVENT_NONE)
        return sketch_fence(s, a->fence, fences, err);
    if (sketch_has_tag(s, a->read, TAG_X))
        return locked(s, a, err);
    if (a->read != EVENT_NONE) {
        uint32_t reg = sketch_new_reg(s);
        sketch_line(s, "%s (%s),%%%s", loads[sketch_size_index(a->size)],
                    a->location, sized(reg, a->size));
        s->reg_of[a->read] = (uint8_t)reg;
    }
    if (a->write != EVENT_NONE)
        sketch_line(s, "mov%c $%" PRIu64 ",(%s)",
                    "bwlq"[sketch_size_index(a->size)], a -> new, a->location);
    return true;
}

const struct sketch_isa x86_sketch = {"X86_64", 14, reg_name, false, write};
