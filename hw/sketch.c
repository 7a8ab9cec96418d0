#include "hw/sketch.h"

#include "core/mem.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>

void sketch_line(struct sketch *s, const char *fmt, ...)
{
    va_list args;
    s->lines = mem_room(s->lines, s->n_lines, &s->lines_cap, sizeof *s->lines);
    va_start(args, fmt);
    vsnprintf(s->lines[s->n_lines++], SKETCH_LINE, fmt, args);
    va_end(args);
}

uint32_t sketch_new_reg(struct sketch *s)
{
    /* Whether there are as many is looked at in the end. */
    return s->n_regs < UINT8_MAX ? ++s->n_regs : UINT8_MAX;
}

uint32_t sketch_scratch(struct sketch *s, int i)
{
    if (!s->scratch[i])
        s->scratch[i] = (uint8_t)sketch_new_reg(s);
    return s->scratch[i];
}

static uint32_t base(struct sketch *s, loc_id loc)
{
    if (!s->base_of[loc])
        s->base_of[loc] = (uint8_t)sketch_new_reg(s);
    return s->base_of[loc];
}

bool sketch_has_tag(const struct sketch *s, event_id e, enum event_tag tag)
{
    return e != EVENT_NONE && s->graph->events[e].tags & TAG_BIT(tag);
}

int sketch_size_index(unsigned size)
{
    return size == 1 ? 0 : size == 2 ? 1 : size == 4 ? 2 : 3;
}

/* ---- dependencies */

uint32_t sketch_constant(struct sketch *s, const struct sketch_spelling *sp,
                         uint64_t value)
{
    for (uint32_t i = 0; i < s->n_constants; i++)
        if (s->constants[i].value == value)
            return s->constants[i].reg;
    uint32_t reg = sketch_new_reg(s);
    sketch_line(s, "%s%" PRIu32 ",%s%" PRIu64, sp->set, reg, sp->immediate,
                value);
    if (s->n_constants < SKETCH_CONSTANTS) {
        s->constants[s->n_constants].value = value;
        s->constants[s->n_constants++].reg = (uint8_t)reg;
    }
    return reg;
}

/* Puts the value of register `plus` into `to`, in a way that depends on the
 * reads of the row; returns the register that has it in the end. */
static uint32_t depend(struct sketch *s, const struct sketch_spelling *sp,
                       const uint64_t *row, event_id but, uint32_t to,
                       uint32_t plus)
{
    const char *r = sp->reg;
    event_id e;
    bool any = false;
    row_for_each (e, row, s->graph->words) {
        uint32_t from = s->reg_of[e];
        if (e == but || !from)
            continue;
        if (!any)
            sketch_line(s, "%s %s%u,%s%u,%s%u", sp->xor, r, to, r, from, r,
                        from);
        else {
            sketch_line(s, "%s %s%u,%s%u,%s%u", sp->add, r, to, r, to, r, from);
            sketch_line(s, "%s %s%u,%s%u,%s%u", sp->subtract, r, to, r, to, r,
                        from);
        }
        any = true;
    }
    if (any)
        sketch_line(s, "%s %s%u,%s%u,%s%u", sp->add, r, to, r, to, r, plus);
    return any ? to : plus;
}

static bool depends(const struct sketch *s, const uint64_t *row, event_id but)
{
    event_id e;
    row_for_each (e, row, s->graph->words)
        if (e != but && s->reg_of[e])
            return true;
    return false;
}

uint32_t sketch_address(struct sketch *s, const struct sketch_spelling *sp,
                        event_id e, loc_id loc, event_id but)
{
    const uint64_t *row = graph_row(s->graph, e, ROW_ADDR);
    uint32_t at = base(s, loc);
    return depends(s, row, but)
               ? depend(s, sp, row, but, sketch_scratch(s, 0), at)
               : at;
}

uint32_t sketch_data(struct sketch *s, const struct sketch_spelling *sp,
                     event_id e, uint64_t value, event_id but)
{
    const uint64_t *row = graph_row(s->graph, e, ROW_DATA);
    uint32_t in = sketch_constant(s, sp, value);
    return depends(s, row, but)
               ? depend(s, sp, row, but, sketch_scratch(s, 1), in)
               : in;
}

void sketch_branch(struct sketch *s, const struct sketch_spelling *sp,
                   event_id e)
{
    const uint64_t *row = graph_row(s->graph, e, ROW_CTRL);
    event_id on;
    row_for_each (on, row, s->graph->words) {
        uint32_t reg = s->reg_of[on];
        char label[24];
        if (!reg || s->branched[on])
            continue;
        s->branched[on] = true;
        snprintf(label, sizeof label, "C%u%u", s->number, s->n_labels++);
        sp->branch(s, reg, label);
        sketch_line(s, "%s:", label);
    }
}

void sketch_target(struct sketch *s, uint32_t label, char *buf, size_t cap)
{
    if (s->retries)
        snprintf(buf, cap, "L%u%u", s->number, label);
    else
        snprintf(buf, cap, "F%u", s->number);
    s->can_fail |= !s->retries;
}

bool sketch_fence(struct sketch *s, event_id e,
                  const struct sketch_fence_text *texts, struct err *err)
{
    for (; texts->text; texts++)
        if (sketch_has_tag(s, e, texts->tag)) {
            sketch_line(s, "%s", texts->text);
            return true;
        }
    return err_set(err, ERR_INPUT, "a fence that litmus tests do not have");
}
