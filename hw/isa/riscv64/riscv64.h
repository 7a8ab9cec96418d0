/* Inside the RISC-V decoder: register numbers, fields of the instruction word
 * and the builders of effects that its files share.
 *
 * Instructions are told apart by their encoding (The RISC-V Instruction Set
 * Manual, volume I, "RV32/64G Instruction Set Listings"), not by capstone's
 * operands, which lack the implicit ones. A compressed instruction stands for
 * one of four bytes and is decoded as that. Capstone gives the text. */
#ifndef HW_ISA_RISCV64_H
#define HW_ISA_RISCV64_H

#include "hw/isa.h"

enum {
    RV_X0 = 0, /* the constant; no register in effects */
    RV_RA = 1,
    RV_SP = 2,
    RV_T0 = 5, /* the alternative link register */
    RV_S0 = 8, /* the frame pointer */
    RV_A0 = 10,
    RV_F0 = 32,
    RV_FRM = 64,
    RV_FFLAGS = 65,
    RV_N_REGS = 66,
};

static inline uint32_t rv_bits(uint32_t w, unsigned hi, unsigned lo)
{
    return w >> lo & ((1u << (hi - lo + 1)) - 1);
}

/* The lowest bits of the fields of registers. */
enum { RV_RD = 7, RV_RS1 = 15, RV_RS2 = 20, RV_RS3 = 27 };

static inline reg_id rv_x(uint32_t w, unsigned field)
{
    uint32_t r = rv_bits(w, field + 4, field);
    return r == RV_X0 ? REG_NONE : (reg_id)r;
}

static inline reg_id rv_f(uint32_t w, unsigned field)
{
    return (reg_id)(RV_F0 + rv_bits(w, field + 4, field));
}

static inline uint32_t rv_funct3(uint32_t w)
{
    return rv_bits(w, 14, 12);
}

static inline void rv_add(struct regs *regs, reg_id r)
{
    if (r != REG_NONE)
        regs->r[regs->n++] = r;
}

/* dst := a | b; does nothing without dst. */
static inline void rv_flow(struct effect *e, reg_id dst, reg_id a, reg_id b)
{
    if (dst == REG_NONE)
        return;
    struct effect_flow *f = &e->flows[e->n_flows++];
    *f = (struct effect_flow){.kind = FLOW_DATA, .dst = dst};
    rv_add(&f->srcs, a);
    rv_add(&f->srcs, b);
}

/* The accesses of loads and stores, whose address is rs1 plus a constant. */
static inline struct effect_access *rv_access(uint32_t w, struct effect *e,
                                              bool is_write, unsigned size)
{
    struct effect_access *a = &e->accesses[e->n_accesses++];
    *a = (struct effect_access){
        .is_write = is_write, .size = (uint8_t)size, .result = REG_NONE};
    rv_add(&a->addr, rv_x(w, RV_RS1));
    return a;
}

static inline void rv_load(uint32_t w, struct effect *e, unsigned size,
                           reg_id result)
{
    rv_access(w, e, false, size)->result = result;
}

static inline void rv_store(uint32_t w, struct effect *e, unsigned size,
                            reg_id data)
{
    rv_add(&rv_access(w, e, true, size)->data, data);
}

/* The instruction of four bytes that a compressed one stands for, without the
 * constants that make no difference to its effect (of branches and jumps they
 * are there); 0 if there is none. */
uint32_t rv_expand(uint16_t half);

/* Adds the effect of loads and stores of floating-point registers, of
 * arithmetic in them, and of the moves between them and the others. False: not
 * in the tables. */
bool rv_decode_float(uint32_t w, struct effect *e);

/* As isa.decode and isa.reg_name. */
unsigned rv_decode(size_t handle, const uint8_t *code, size_t bytes,
                   uint64_t pc, struct effect *out, char *text,
                   size_t text_cap);
const char *rv_reg_name(reg_id r);

extern const struct litmus_dialect *const rv_dialects[];
extern const struct sketch_isa rv_sketch;

#endif
