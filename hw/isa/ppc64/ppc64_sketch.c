/* Executions on Power as litmus tests. */
#include "hw/isa/ppc64/ppc64.h"
#include "hw/sketch.h"

#include <inttypes.h>
#include <stdio.h>

static void branch(struct sketch *s, uint32_t reg, const char *label)
{
    sketch_line(s, "cmpw r%u,r%u", reg, reg);
    sketch_line(s, "beq %s", label);
}

static const struct sketch_spelling spelling = {
    .reg = "r",
    .xor = "xor",
    .add = "add",
    .subtract = "sub",
    .set = "li r",
    .immediate = "",
    .branch = branch,
};

static const struct sketch_fence_text fences[] = {
    {TAG_SYNC, "sync"},   {TAG_LWSYNC, "lwsync"}, {TAG_ISYNC, "isync"},
    {TAG_EIEIO, "eieio"}, {TAG_COUNT, NULL},
};

static const char *reg_name(uint32_t r)
{
    static _Thread_local char name[16];
    snprintf(name, sizeof name, "r%" PRIu32, r);
    return name;
}

/* lwarx; stwcx.; bne. Also what the library's mutexes do. */
static void rmw(struct sketch *s, const struct sketch_access *a)
{
    static const char letters[] = "bhwd";
    char letter = letters[sketch_size_index(a->size)], to[16];
    uint32_t at = sketch_address(s, &spelling, a->read, a->loc, a->read);
    uint32_t label = s->n_labels++, reg = sketch_new_reg(s);
    if (a->write != EVENT_NONE)
        sketch_constant(s, &spelling, a->new);
    if (s->retries)
        sketch_line(s, "L%u%u:", s->number, label);
    sketch_line(s, "l%carx r%u,r0,r%u", letter, reg, at);
    s->reg_of[a->read] = (uint8_t)reg;
    if (a->write == EVENT_NONE)
        return;
    sketch_branch(s, &spelling, a->write);
    uint32_t in = sketch_data(s, &spelling, a->write, a->new, EVENT_NONE);
    sketch_line(s, "st%ccx. r%u,r0,r%u", letter, in, at);
    sketch_target(s, label, to, sizeof to);
    sketch_line(s, "bne %s", to);
}

static bool write(struct sketch *s, const struct sketch_access *a,
                  struct err *err)
{
    static const char *const loads[] = {"lbz", "lhz", "lwz", "ld"};
    static const char *const stores[] = {"stb", "sth", "stw", "std"};
    event_id e = a->fence != EVENT_NONE  ? a->fence
                 : a->read != EVENT_NONE ? a->read
                                         : a->write;
    sketch_branch(s, &spelling, e);
    if (a->fence != EVENT_NONE)
        return sketch_fence(s, a->fence, fences, err);
    if ((a->read != EVENT_NONE && a->write != EVENT_NONE) ||
        sketch_has_tag(s, e, TAG_EX)) {
        rmw(s, a);
        return true;
    }
    uint32_t at = sketch_address(s, &spelling, e, a->loc, EVENT_NONE);
    if (a->write != EVENT_NONE) {
        uint32_t in = sketch_data(s, &spelling, e, a->new, EVENT_NONE);
        sketch_line(s, "%s r%u,0(r%u)", stores[sketch_size_index(a->size)], in,
                    at);
        return true;
    }
    uint32_t reg = sketch_new_reg(s);
    sketch_line(s, "%s r%u,0(r%u)", loads[sketch_size_index(a->size)], reg, at);
    s->reg_of[e] = (uint8_t)reg;
    return true;
}

const struct sketch_isa ppc_sketch = {"PPC", 31, reg_name, true, write};
