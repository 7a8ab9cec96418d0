/* Executions on AArch64 as litmus tests. */
#include "hw/isa/aarch64/aarch64.h"
#include "hw/sketch.h"

#include <inttypes.h>
#include <stdio.h>

static void branch(struct sketch *s, uint32_t reg, const char *label)
{
    sketch_line(s, "CBNZ W%u,%s", reg, label);
}

static const struct sketch_spelling spelling = {
    .reg = "X",
    .xor = "EOR",
    .add = "ADD",
    .subtract = "SUB",
    .set = "MOV W",
    .immediate = "#",
    .branch = branch,
};

static const struct sketch_fence_text fences[] = {
    {TAG_DSB_SY, "DSB ISH"},   {TAG_DSB_LD, "DSB ISHLD"},
    {TAG_DSB_ST, "DSB ISHST"}, {TAG_DMB_SY, "DMB ISH"},
    {TAG_DMB_LD, "DMB ISHLD"}, {TAG_DMB_ST, "DMB ISHST"},
    {TAG_ISB, "ISB"},          {TAG_COUNT, NULL},
};

static const char *reg_name(uint32_t r)
{
    static _Thread_local char name[16];
    snprintf(name, sizeof name, "X%" PRIu32, r);
    return name;
}

/* Registers of 64 bits for what is as wide; bytes and halves by a suffix. */
static char width(unsigned size)
{
    return size == 8 ? 'X' : 'W';
}

static const char *suffix(unsigned size)
{
    return size == 1 ? "B" : size == 2 ? "H" : "";
}

static void exclusive(struct sketch *s, const struct sketch_access *a)
{
    char letter = width(a->size), to[16];
    uint32_t at = sketch_address(s, &spelling, a->read, a->loc, a->read);
    uint32_t label = s->n_labels++, reg = sketch_new_reg(s);
    if (a->write != EVENT_NONE)
        sketch_constant(s, &spelling, a->new);
    if (s->retries)
        sketch_line(s, "L%u%u:", s->number, label);
    sketch_line(s, "LD%sXR%s %c%u,[X%u]",
                sketch_has_tag(s, a->read, TAG_ARM_A) ? "A" : "",
                suffix(a->size), letter, reg, at);
    s->reg_of[a->read] = (uint8_t)reg;
    if (a->write == EVENT_NONE)
        return;
    sketch_branch(s, &spelling, a->write);
    uint32_t in = sketch_data(s, &spelling, a->write, a->new, EVENT_NONE);
    uint32_t status = sketch_scratch(s, 2);
    sketch_line(s, "ST%sXR%s W%u,%c%u,[X%u]",
                sketch_has_tag(s, a->write, TAG_ARM_L) ? "L" : "",
                suffix(a->size), status, letter, in, at);
    sketch_target(s, label, to, sizeof to);
    sketch_line(s, "CBNZ W%u,%s", status, to);
}

/* SWP stands for each atomic instruction that has a result, STADD for those
 * that have none. */
static void amo(struct sketch *s, const struct sketch_access *a)
{
    char letter = width(a->size);
    uint64_t mask = a->size == 8 ? UINT64_MAX : (1ull << a->size * 8) - 1;
    bool acquires = sketch_has_tag(s, a->read, TAG_ARM_A);
    bool releases = sketch_has_tag(s, a->write, TAG_ARM_L);
    bool silent = sketch_has_tag(s, a->read, TAG_NORET);
    uint64_t value = silent ? (a->new - a->old) & mask : a->new;
    uint32_t in = sketch_data(s, &spelling, a->write, value, a->read);
    uint32_t at = sketch_address(s, &spelling, a->read, a->loc, a->read);
    if (silent) {
        sketch_line(s, "STADD%s%s %c%u,[X%u]", releases ? "L" : "",
                    suffix(a->size), letter, in, at);
        return;
    }
    uint32_t reg = sketch_new_reg(s);
    sketch_line(s, "SWP%s%s%s %c%u,%c%u,[X%u]", acquires ? "A" : "",
                releases ? "L" : "", suffix(a->size), letter, in, letter, reg,
                at);
    s->reg_of[a->read] = (uint8_t)reg;
}

/* A compare-and-swap that expects something else than there is. */
static void failed(struct sketch *s, const struct sketch_access *a)
{
    char letter = width(a->size);
    uint32_t at = sketch_address(s, &spelling, a->read, a->loc, a->read);
    uint32_t in = sketch_constant(s, &spelling, a->old),
             reg = sketch_new_reg(s);
    sketch_line(s, "MOV W%u,#%u", reg, a->old == 0);
    sketch_line(s, "CAS%s%s %c%u,%c%u,[X%u]",
                sketch_has_tag(s, a->read, TAG_ARM_A) ? "A" : "",
                suffix(a->size), letter, reg, letter, in, at);
    s->reg_of[a->read] = (uint8_t)reg;
}

static void plain(struct sketch *s, const struct sketch_access *a)
{
    event_id e = a->read != EVENT_NONE ? a->read : a->write;
    uint32_t at = sketch_address(s, &spelling, e, a->loc, EVENT_NONE);
    if (a->write != EVENT_NONE) {
        uint32_t in = sketch_data(s, &spelling, e, a->new, EVENT_NONE);
        sketch_line(s, "ST%s%s %c%u,[X%u]",
                    sketch_has_tag(s, e, TAG_ARM_L) ? "LR" : "R",
                    suffix(a->size), width(a->size), in, at);
        return;
    }
    uint32_t reg = sketch_new_reg(s);
    sketch_line(s, "LD%s%s %c%u,[X%u]",
                sketch_has_tag(s, e, TAG_ARM_A)   ? "AR"
                : sketch_has_tag(s, e, TAG_ARM_Q) ? "APR"
                                                  : "R",
                suffix(a->size), width(a->size), reg, at);
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
    else if (sketch_has_tag(s, e, TAG_FAILED))
        failed(s, a);
    else
        plain(s, a);
    return true;
}

const struct sketch_isa a64_sketch = {"AArch64", 30, reg_name, true, write};
