/* The instructions of a litmus test, as each ISA writes them. */
#include "frontend/bundle/check_litmus.h"

#include "core/mem.h"

#include <inttypes.h>
#include <stdarg.h>
#include <string.h>

void sketch_line(struct sketch *s, const char *fmt, ...)
{
    va_list args;
    s->lines = mem_room(s->lines, s->n_lines, &s->lines_cap, sizeof *s->lines);
    va_start(args, fmt);
    vsnprintf(s->lines[s->n_lines++], SKETCH_LINE, fmt, args);
    va_end(args);
}

static uint32_t new_reg(struct sketch *s)
{
    /* Whether there are as many is looked at in the end. */
    return s->n_regs < UINT8_MAX ? ++s->n_regs : UINT8_MAX;
}

static uint32_t scratch(struct sketch *s, int i)
{
    if (!s->scratch[i])
        s->scratch[i] = (uint8_t)new_reg(s);
    return s->scratch[i];
}

static uint32_t base(struct sketch *s, loc_id loc)
{
    if (!s->base_of[loc])
        s->base_of[loc] = (uint8_t)new_reg(s);
    return s->base_of[loc];
}

static bool has_tag(const struct sketch *s, event_id e, enum event_tag tag)
{
    return e != EVENT_NONE && s->graph->events[e].tags & TAG_BIT(tag);
}

static int size_index(unsigned size)
{
    return size == 1 ? 0 : size == 2 ? 1 : size == 4 ? 2 : 3;
}

/* ---- dependencies, on Power and AArch64 alike but for the spelling */

struct spelling {
    const char *reg; /* of 64 bits: "r" or "X" */
    const char * xor, *add, *subtract;
    const char *set, *immediate; /* a constant */
};

static const struct spelling ppc = {"r", "xor", "add", "sub", "li r", ""};
static const struct spelling arm = {"X", "EOR", "ADD", "SUB", "MOV W", "#"};

/* The register that holds a constant. */
static uint32_t constant(struct sketch *s, const struct spelling *sp,
                         uint64_t value)
{
    for (uint32_t i = 0; i < s->n_constants; i++)
        if (s->constants[i].value == value)
            return s->constants[i].reg;
    uint32_t reg = new_reg(s);
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
static uint32_t depend(struct sketch *s, const struct spelling *sp,
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

static uint32_t address(struct sketch *s, const struct spelling *sp, event_id e,
                        loc_id loc, event_id but)
{
    const uint64_t *row = graph_row(s->graph, e, ROW_ADDR);
    uint32_t at = base(s, loc);
    return depends(s, row, but) ? depend(s, sp, row, but, scratch(s, 0), at)
                                : at;
}

static uint32_t data(struct sketch *s, const struct spelling *sp, event_id e,
                     uint64_t value, event_id but)
{
    const uint64_t *row = graph_row(s->graph, e, ROW_DATA);
    uint32_t in = constant(s, sp, value);
    return depends(s, row, but) ? depend(s, sp, row, but, scratch(s, 1), in)
                                : in;
}

/* A branch to the next line for each read that e depends on by one and nothing
 * before it does. */
static void branch(struct sketch *s, event_id e, const char *compare,
                   const char *jump)
{
    const uint64_t *row = graph_row(s->graph, e, ROW_CTRL);
    event_id on;
    row_for_each (on, row, s->graph->words) {
        uint32_t reg = s->reg_of[on], label = s->n_labels;
        if (!reg || s->branched[on])
            continue;
        s->branched[on] = true;
        s->n_labels++;
        if (compare[0])
            sketch_line(s, "%s r%u,r%u", compare, reg, reg);
        if (compare[0])
            sketch_line(s, "%s C%u%u", jump, s->number, label);
        else
            sketch_line(s, "%s W%u,C%u%u", jump, reg, s->number, label);
        sketch_line(s, "C%u%u:", s->number, label);
    }
}

/* Where a store-conditional that fails goes. */
static void target(struct sketch *s, uint32_t label, char *buf, size_t cap)
{
    if (s->retries)
        snprintf(buf, cap, "L%u%u", s->number, label);
    else
        snprintf(buf, cap, "F%u", s->number);
    s->can_fail |= !s->retries;
}

/* ---- Power */

static const char *ppc_reg(uint32_t r)
{
    static _Thread_local char name[16];
    snprintf(name, sizeof name, "r%" PRIu32, r);
    return name;
}

static bool write_fence(struct sketch *s, event_id e, struct err *err)
{
    static const struct {
        enum event_tag tag;
        const char *text;
    } fences[] = {
        {TAG_SYNC, "sync"},        {TAG_LWSYNC, "lwsync"},
        {TAG_ISYNC, "isync"},      {TAG_EIEIO, "eieio"},
        {TAG_DSB_SY, "DSB ISH"},   {TAG_DSB_LD, "DSB ISHLD"},
        {TAG_DSB_ST, "DSB ISHST"}, {TAG_DMB_SY, "DMB ISH"},
        {TAG_DMB_LD, "DMB ISHLD"}, {TAG_DMB_ST, "DMB ISHST"},
        {TAG_ISB, "ISB"},          {TAG_MFENCE, "mfence"},
        {TAG_SFENCE, "sfence"},    {TAG_LFENCE, "lfence"},
    };
    for (size_t i = 0; i < sizeof fences / sizeof fences[0]; i++)
        if (has_tag(s, e, fences[i].tag)) {
            sketch_line(s, "%s", fences[i].text);
            return true;
        }
    return err_set(err, ERR_INPUT, "a fence that litmus tests do not have");
}

/* lwarx; stwcx.; bne. Also what the library's mutexes do. */
static void ppc_rmw(struct sketch *s, const struct sketch_access *a)
{
    static const char letters[] = "bhwd";
    char letter = letters[size_index(a->size)], to[16];
    uint32_t at = address(s, &ppc, a->read, a->loc, a->read);
    uint32_t label = s->n_labels++, reg = new_reg(s);
    if (a->write != EVENT_NONE)
        constant(s, &ppc, a->new);
    if (s->retries)
        sketch_line(s, "L%u%u:", s->number, label);
    sketch_line(s, "l%carx r%u,r0,r%u", letter, reg, at);
    s->reg_of[a->read] = (uint8_t)reg;
    if (a->write == EVENT_NONE)
        return;
    branch(s, a->write, "cmpw", "beq");
    uint32_t in = data(s, &ppc, a->write, a->new, EVENT_NONE);
    sketch_line(s, "st%ccx. r%u,r0,r%u", letter, in, at);
    target(s, label, to, sizeof to);
    sketch_line(s, "bne %s", to);
}

static bool ppc_write(struct sketch *s, const struct sketch_access *a,
                      struct err *err)
{
    static const char *const loads[] = {"lbz", "lhz", "lwz", "ld"};
    static const char *const stores[] = {"stb", "sth", "stw", "std"};
    event_id e = a->fence != EVENT_NONE  ? a->fence
                 : a->read != EVENT_NONE ? a->read
                                         : a->write;
    branch(s, e, "cmpw", "beq");
    if (a->fence != EVENT_NONE)
        return write_fence(s, a->fence, err);
    if ((a->read != EVENT_NONE && a->write != EVENT_NONE) ||
        has_tag(s, e, TAG_EX)) {
        ppc_rmw(s, a);
        return true;
    }
    uint32_t at = address(s, &ppc, e, a->loc, EVENT_NONE);
    if (a->write != EVENT_NONE) {
        uint32_t in = data(s, &ppc, e, a->new, EVENT_NONE);
        sketch_line(s, "%s r%u,0(r%u)", stores[size_index(a->size)], in, at);
        return true;
    }
    uint32_t reg = new_reg(s);
    sketch_line(s, "%s r%u,0(r%u)", loads[size_index(a->size)], reg, at);
    s->reg_of[e] = (uint8_t)reg;
    return true;
}

/* ---- AArch64 */

static const char *arm_reg(uint32_t r)
{
    static _Thread_local char name[16];
    snprintf(name, sizeof name, "X%" PRIu32, r);
    return name;
}

/* Registers of 64 bits for what is as wide; bytes and halves by a suffix. */
static char arm_width(unsigned size)
{
    return size == 8 ? 'X' : 'W';
}

static const char *arm_suffix(unsigned size)
{
    return size == 1 ? "B" : size == 2 ? "H" : "";
}

static void arm_exclusive(struct sketch *s, const struct sketch_access *a)
{
    char width = arm_width(a->size), to[16];
    uint32_t at = address(s, &arm, a->read, a->loc, a->read);
    uint32_t label = s->n_labels++, reg = new_reg(s);
    if (a->write != EVENT_NONE)
        constant(s, &arm, a->new);
    if (s->retries)
        sketch_line(s, "L%u%u:", s->number, label);
    sketch_line(s, "LD%sXR%s %c%u,[X%u]",
                has_tag(s, a->read, TAG_ARM_A) ? "A" : "", arm_suffix(a->size),
                width, reg, at);
    s->reg_of[a->read] = (uint8_t)reg;
    if (a->write == EVENT_NONE)
        return;
    branch(s, a->write, "", "CBNZ");
    uint32_t in = data(s, &arm, a->write, a->new, EVENT_NONE);
    uint32_t status = scratch(s, 2);
    sketch_line(s, "ST%sXR%s W%u,%c%u,[X%u]",
                has_tag(s, a->write, TAG_ARM_L) ? "L" : "", arm_suffix(a->size),
                status, width, in, at);
    target(s, label, to, sizeof to);
    sketch_line(s, "CBNZ W%u,%s", status, to);
}

/* SWP stands for each atomic instruction that has a result, STADD for those
 * that have none. */
static void arm_amo(struct sketch *s, const struct sketch_access *a)
{
    char width = arm_width(a->size);
    uint64_t mask = a->size == 8 ? UINT64_MAX : (1ull << a->size * 8) - 1;
    bool acquires = has_tag(s, a->read, TAG_ARM_A);
    bool releases = has_tag(s, a->write, TAG_ARM_L);
    bool silent = has_tag(s, a->read, TAG_NORET);
    uint64_t value = silent ? (a->new - a->old) & mask : a->new;
    uint32_t in = data(s, &arm, a->write, value, a->read);
    uint32_t at = address(s, &arm, a->read, a->loc, a->read);
    if (silent) {
        sketch_line(s, "STADD%s%s %c%u,[X%u]", releases ? "L" : "",
                    arm_suffix(a->size), width, in, at);
        return;
    }
    uint32_t reg = new_reg(s);
    sketch_line(s, "SWP%s%s%s %c%u,%c%u,[X%u]", acquires ? "A" : "",
                releases ? "L" : "", arm_suffix(a->size), width, in, width, reg,
                at);
    s->reg_of[a->read] = (uint8_t)reg;
}

/* A compare-and-swap that expects something else than there is. */
static void arm_failed(struct sketch *s, const struct sketch_access *a)
{
    char width = arm_width(a->size);
    uint32_t at = address(s, &arm, a->read, a->loc, a->read);
    uint32_t in = constant(s, &arm, a->old), reg = new_reg(s);
    sketch_line(s, "MOV W%u,#%u", reg, a->old == 0);
    sketch_line(s, "CAS%s%s %c%u,%c%u,[X%u]",
                has_tag(s, a->read, TAG_ARM_A) ? "A" : "", arm_suffix(a->size),
                width, reg, width, in, at);
    s->reg_of[a->read] = (uint8_t)reg;
}

static void arm_plain(struct sketch *s, const struct sketch_access *a)
{
    event_id e = a->read != EVENT_NONE ? a->read : a->write;
    uint32_t at = address(s, &arm, e, a->loc, EVENT_NONE);
    if (a->write != EVENT_NONE) {
        uint32_t in = data(s, &arm, e, a->new, EVENT_NONE);
        sketch_line(s, "ST%s%s %c%u,[X%u]",
                    has_tag(s, e, TAG_ARM_L) ? "LR" : "R", arm_suffix(a->size),
                    arm_width(a->size), in, at);
        return;
    }
    uint32_t reg = new_reg(s);
    sketch_line(s, "LD%s%s %c%u,[X%u]",
                has_tag(s, e, TAG_ARM_A)   ? "AR"
                : has_tag(s, e, TAG_ARM_Q) ? "APR"
                                           : "R",
                arm_suffix(a->size), arm_width(a->size), reg, at);
    s->reg_of[e] = (uint8_t)reg;
}

static bool arm_write(struct sketch *s, const struct sketch_access *a,
                      struct err *err)
{
    event_id e = a->fence != EVENT_NONE  ? a->fence
                 : a->read != EVENT_NONE ? a->read
                                         : a->write;
    branch(s, e, "", "CBNZ");
    if (a->fence != EVENT_NONE)
        return write_fence(s, a->fence, err);
    if (has_tag(s, e, TAG_EX))
        arm_exclusive(s, a);
    else if (a->read != EVENT_NONE && a->write != EVENT_NONE)
        arm_amo(s, a);
    else if (has_tag(s, e, TAG_FAILED))
        arm_failed(s, a);
    else
        arm_plain(s, a);
    return true;
}

/* ---- x86: total store order asks for no dependencies */

static const char *const x86_names[2][15] = {
    {"eax", "ebx", "ecx", "edx", "esi", "edi", "r8d", "r9d", "r10d", "r11d",
     "r12d", "r13d", "r14d", "r15d", "ebp"},
    {"rax", "rbx", "rcx", "rdx", "rsi", "rdi", "r8", "r9", "r10", "r11", "r12",
     "r13", "r14", "r15", "rbp"},
};

/* The accumulator is number 0: it is left for compare-and-exchange. */
static const char *x86_reg(uint32_t r)
{
    return x86_names[1][r < 15 ? r : 14];
}

static const char *x86_sized(uint32_t r, unsigned size)
{
    return x86_names[size == 8][r < 15 ? r : 14];
}

/* LOCKed, or an exchange. */
static bool x86_locked(struct sketch *s, const struct sketch_access *a,
                       struct err *err)
{
    char letter = a->size == 8 ? 'q' : 'l';
    uint32_t reg = new_reg(s);
    if (a->size < 4)
        return err_set(err, ERR_INPUT,
                       "an atomic instruction on %u bytes, of which herd has "
                       "none",
                       a->size);
    s->reg_of[a->read] = (uint8_t)reg;
    if (a->write != EVENT_NONE) {
        sketch_line(s, "mov%c $%" PRIu64 ",%%%s", letter, a->new,
                    x86_sized(reg, a->size));
        sketch_line(s, "xchg%c (%s),%%%s", letter, a->location,
                    x86_sized(reg, a->size));
        return true;
    }
    sketch_line(s, "mov%c $%u,%%%s", letter, a->old == 0,
                x86_sized(0, a->size));
    sketch_line(s, "mov%c $%u,%%%s", letter, a->old == 0,
                x86_sized(reg, a->size));
    sketch_line(s, "lock cmpxchg (%s),%%%s", a->location,
                x86_sized(reg, a->size));
    sketch_line(s, "mov%c %%%s,%%%s", letter, x86_sized(0, a->size),
                x86_sized(reg, a->size));
    return true;
}

static bool x86_write(struct sketch *s, const struct sketch_access *a,
                      struct err *err)
{
    static const char *const loads[] = {"movzbl", "movzwl", "movl", "movq"};
    if (a->fence != EVENT_NONE)
        return write_fence(s, a->fence, err);
    if (has_tag(s, a->read, TAG_X))
        return x86_locked(s, a, err);
    if (a->read != EVENT_NONE) {
        uint32_t reg = new_reg(s);
        sketch_line(s, "%s (%s),%%%s", loads[size_index(a->size)], a->location,
                    x86_sized(reg, a->size));
        s->reg_of[a->read] = (uint8_t)reg;
    }
    if (a->write != EVENT_NONE)
        sketch_line(s, "mov%c $%" PRIu64 ",(%s)", "bwlq"[size_index(a->size)],
                    a -> new, a->location);
    return true;
}

const struct sketch_isa *sketch_isa(const struct isa *isa)
{
    static const struct sketch_isa isas[] = {
        {"PPC", 31, ppc_reg, true, ppc_write},
        {"AArch64", 30, arm_reg, true, arm_write},
        {"X86_64", 14, x86_reg, false, x86_write},
    };
    return &isas[strncmp(isa->name, "ppc", 3) == 0   ? 0
                 : strcmp(isa->name, "aarch64") == 0 ? 1
                                                     : 2];
}
