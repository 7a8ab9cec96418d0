/* Inside the AArch64 decoder: register numbers, fields of the instruction word
 * and the builders of effects that its files share.
 *
 * Instructions are told apart by their encoding (Arm ARM, C4 "A64 instruction
 * set encoding"), not by capstone's operands: capstone hides zero registers and
 * drops sources behind aliases, and the encoding classes say which field is
 * which register. Capstone gives the text, and what it does not accept is
 * unallocated and stays unknown. */
#ifndef HW_ISA_AARCH64_AARCH64_H
#define HW_ISA_AARCH64_AARCH64_H

#include "hw/isa.h"

enum {
    A64_X0 = 0,
    A64_LR = 30,
    A64_SP = 31,
    A64_NZCV = 32,
    A64_V0 = 33,
    A64_TPIDR = A64_V0 + 32, /* the thread pointer, tpidr_el0 */
    A64_FPCR,
    A64_FPSR, /* what arithmetic adds to it is not tracked: weaker, so safe */
    A64_N_REGS
};

enum { A64_ZERO = 31 }; /* in a register field: the zero register, or SP */

/* Bits hi..lo of the word. */
static inline uint32_t a64_bits(uint32_t word, unsigned hi, unsigned lo)
{
    return word >> lo & (UINT32_MAX >> (31 - (hi - lo)));
}

static inline bool a64_bit(uint32_t word, unsigned at)
{
    return word >> at & 1;
}

/* The general register in the five bits from `lo`, where 31 is zero... */
static inline reg_id a64_x(uint32_t word, unsigned lo)
{
    uint32_t n = a64_bits(word, lo + 4, lo);
    return n == A64_ZERO ? REG_NONE : (reg_id)(A64_X0 + n);
}

/* ... or where it is the stack pointer. */
static inline reg_id a64_sp(uint32_t word, unsigned lo)
{
    return (reg_id)(A64_X0 + a64_bits(word, lo + 4, lo));
}

static inline reg_id a64_v(uint32_t word, unsigned lo)
{
    return (reg_id)(A64_V0 + a64_bits(word, lo + 4, lo));
}

/* The usual places of registers in the word. */
enum { A64_RD = 0, A64_RT = 0, A64_RN = 5, A64_RA = 10, A64_RT2 = 10 };
enum { A64_RM = 16, A64_RS = 16 };

/* Adds r unless it is none or there already. */
static inline void a64_add(struct regs *regs, reg_id r)
{
    for (int i = 0; i < regs->n; i++)
        if (regs->r[i] == r)
            return;
    if (r != REG_NONE)
        regs->r[regs->n++] = r;
}

static inline struct effect_flow *
a64_flow_of_kind(struct effect *e, enum flow_kind kind, reg_id dst)
{
    struct effect_flow *f = &e->flows[e->n_flows];
    if (dst != REG_NONE)
        e->n_flows++; /* else a spare slot, overwritten by the next */
    *f = (struct effect_flow){.kind = (uint8_t)kind, .dst = dst};
    return f;
}

/* dst := a | b | c; REG_NONE is no source, and as dst drops the flow. */
static inline void a64_flow(struct effect *e, reg_id dst, reg_id a, reg_id b,
                            reg_id c)
{
    struct effect_flow *f = a64_flow_of_kind(e, FLOW_DATA, dst);
    a64_add(&f->srcs, a);
    a64_add(&f->srcs, b);
    a64_add(&f->srcs, c);
}

static inline void a64_constant(struct effect *e, reg_id dst)
{
    a64_flow(e, dst, REG_NONE, REG_NONE, REG_NONE);
}

/* dst := dst | a | b */
static inline void a64_merge(struct effect *e, reg_id dst, reg_id a, reg_id b)
{
    struct effect_flow *f = a64_flow_of_kind(e, FLOW_MERGE, dst);
    a64_add(&f->srcs, a);
    a64_add(&f->srcs, b);
}

/* Condition codes 14 and 15 both mean "always". */
static inline bool a64_is_always(uint32_t condition)
{
    return condition >= 14;
}

/* dst := held if the flags fulfil the condition, else the other register. */
static inline void a64_select(struct effect *e, reg_id dst, uint32_t condition,
                              const struct regs *held, reg_id otherwise)
{
    bool always = a64_is_always(condition);
    struct effect_flow *f =
        a64_flow_of_kind(e, always ? FLOW_DATA : FLOW_SELECT, dst);
    f->srcs = *held;
    if (always)
        return;
    if (!f->srcs.n)
        f->srcs.r[f->srcs.n++] = REG_NONE;
    f->srcs.r[f->srcs.n++] = otherwise;
    a64_add(&f->cond, A64_NZCV);
    f->condition = (uint8_t)condition;
}

/* Each decodes the words of its part of the encoding space. False: not in its
 * tables; the effect then has no meaning. */
bool a64_decode_memory(uint32_t word, struct effect *e);
bool a64_decode_vector(uint32_t word, struct effect *e);

/* Writes zeros to the block that holds the address in xt (dc zva). */
void a64_zero_block(uint32_t word, struct effect *e);

/* Is it a pair of FEAT_LRCPC3 or FEAT_LSE128? Capstone 5 does not know them, so
 * a64_decode_memory itself decides all their bits. */
bool a64_is_newer_pair(uint32_t word);

/* Of struct isa. */
const char *a64_reg_name(reg_id r);
/* NOLINTNEXTLINE(readability-function-size): the port has seven parameters */
unsigned a64_decode(size_t handle, const uint8_t *code, size_t bytes,
                    uint64_t pc, struct effect *out, char *text,
                    size_t text_cap);
uint32_t a64_make_stub(uint32_t word, uint64_t pc, uint64_t at,
                       uint32_t stub[STUB_WORDS]);

extern const struct litmus_dialect *const a64_dialects[];
extern const struct sketch_isa a64_sketch;

#endif
