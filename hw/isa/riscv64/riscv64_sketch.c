/* Executions on RISC-V as litmus tests. */
#include "hw/isa/riscv64/riscv64.h"
#include "hw/sketch.h"

#include <inttypes.h>
#include <stdio.h>

static void branch(struct sketch *s, uint32_t reg, const char *label)
{
    sketch_line(s, "bne x%u,x0,%s", reg, label);
}

static const struct sketch_spelling spelling = {
    .reg = "x",
    .xor = "xor",
    .add = "add",
    .subtract = "sub",
    .set = "li x",
    .immediate = "",
    .branch = branch,
};

static const struct sketch_fence_text fences[] = {
    {TAG_FENCE_RW_RW, "fence rw,rw"},
    {TAG_FENCE_R_R, "fence r,r"},
    {TAG_FENCE_R_W, "fence r,w"},
    {TAG_FENCE_R_RW, "fence r,rw"},
    {TAG_FENCE_W_R, "fence w,r"},
    {TAG_FENCE_W_W, "fence w,w"},
    {TAG_FENCE_W_RW, "fence w,rw"},
    {TAG_FENCE_RW_R, "fence rw,r"},
    {TAG_FENCE_RW_W, "fence rw,w"},
    {TAG_FENCE_TSO, "fence.tso"},
    {TAG_COUNT, NULL},
};

static const char *reg_name(uint32_t r)
{
    static _Thread_local char name[16];
    snprintf(name, sizeof name, "x%" PRIu32, r);
    return name;
}

static char width(unsigned size)
{
    return "bhwd"[sketch_size_index(size)];
}

static const char *order(struct sketch *s, event_id e)
{
    return sketch_has_tag(s, e, TAG_RV_AQRL) ? ".aq.rl"
           : sketch_has_tag(s, e, TAG_RV_AQ) ? ".aq"
           : sketch_has_tag(s, e, TAG_RV_RL) ? ".rl"
                                             : "";
}

static void exclusive(struct sketch *s, const struct sketch_access *a)
{
    char w = width(a->size), to[16];
    uint32_t at = sketch_address(s, &spelling, a->read, a->loc, a->read);
    uint32_t label = s->n_labels++, reg = sketch_new_reg(s);
    if (a->write != EVENT_NONE)
        sketch_constant(s, &spelling, a->new);
    if (s->retries)
        sketch_line(s, "L%u%u:", s->number, label);
    sketch_line(s, "lr.%c%s x%u,(x%u)", w, order(s, a->read), reg, at);
    s->reg_of[a->read] = (uint8_t)reg;
    if (a->write == EVENT_NONE)
        return;
    sketch_branch(s, &spelling, a->write);
    uint32_t in = sketch_data(s, &spelling, a->write, a->new, EVENT_NONE);
    uint32_t status = sketch_new_reg(s);
    sketch_line(s, "sc.%c%s x%u,x%u,(x%u)", w, order(s, a->write), status, in,
                at);
    s->reg_of[a->write] = (uint8_t)status;
    sketch_target(s, label, to, sizeof to);
    sketch_line(s, "bne x%u,x0,%s", status, to);
}

/* amoswap stands for each atomic instruction. */
static void amo(struct sketch *s, const struct sketch_access *a)
{
    uint32_t in = sketch_data(s, &spelling, a->write, a->new, a->read);
    uint32_t at = sketch_address(s, &spelling, a->read, a->loc, a->read);
    uint32_t reg = sketch_new_reg(s);
    sketch_line(s, "amoswap.%c%s x%u,x%u,(x%u)", width(a->size),
                order(s, a->read), reg, in, at);
    s->reg_of[a->read] = (uint8_t)reg;
}

static void plain(struct sketch *s, const struct sketch_access *a)
{
    event_id e = a->read != EVENT_NONE ? a->read : a->write;
    uint32_t at = sketch_address(s, &spelling, e, a->loc, EVENT_NONE);
    if (a->write != EVENT_NONE) {
        uint32_t in = sketch_data(s, &spelling, e, a->new, EVENT_NONE);
        sketch_line(s, "s%c x%u,0(x%u)", width(a->size), in, at);
        return;
    }
    uint32_t reg = sketch_new_reg(s);
    sketch_line(s, "l%c%s x%u,0(x%u)", width(a->size), a->size < 8 ? "u" : "",
                reg, at);
    s->reg_of[e] = (uint8_t)reg;
}

static bool write(struct sketch *s, const struct sketch_access *a,
                  struct err *err)
{
    event_id e = a->fence != EVENT_NONE  ? a->fence
                 : a->read != EVENT_NONE ? a->read
                                         : a->write;
    sketch_branch(s, &spelling, e);
    if (a->fence != EVENT_NONE)
        return sketch_fence(s, a->fence, fences, err);
    if (sketch_has_tag(s, e, TAG_EX))
        exclusive(s, a);
    else if (a->read != EVENT_NONE && a->write != EVENT_NONE)
        amo(s, a);
    else
        plain(s, a);
    return true;
}

const struct sketch_isa rv_sketch = {"RISCV", 31, reg_name, true, write};
