/* RISC-V: RV64GC, that is the base instructions, multiplication, atomics,
 * floating point, control registers, fence.i and compressed instructions; and
 * Zba, Zbb and Zbs, whose instructions are like those of the base.
 * Instructions of other extensions are unknown. */
#include "hw/isa/riscv64/riscv64.h"

#include <capstone/capstone.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* --- Arithmetic --- */

/* Numbers of an operation within its format, as bits: whether it exists. */
static bool has(uint32_t operations, uint32_t number)
{
    return operations >> number & 1;
}

static bool immediate(uint32_t w, struct effect *e, bool is_word)
{
    enum { SLL = 1, SRL = 5 };
    uint32_t op = rv_funct3(w), high = rv_bits(w, 31, 26);
    rv_flow(e, rv_x(w, RV_RD), rv_x(w, RV_RS1), REG_NONE);
    if (op != SLL && op != SRL)
        return !is_word || op == 0;
    if (is_word && rv_bits(w, 25, 25))
        return false;
    return high == 0 || (op == SRL && high == 0x10);
}

/* Zba, Zbb and Zbs with a constant, whose fields are otherwise those of shifts.
 */
static bool bit_immediate(uint32_t w, bool is_word)
{
    enum { SLL = 1, SRL = 5 };
    uint32_t op = rv_funct3(w), high = rv_bits(w, 31, 26);
    uint32_t which = rv_bits(w, 25, 20);
    if (op == SLL && high == 0x18) /* clz, ctz, cpop, sext.b, sext.h */
        return which <= 2 || (!is_word && (which == 4 || which == 5));
    if (is_word)
        return (op == SLL && high == 2) ||                   /* slli.uw */
               (op == SRL && high == 0x18 && !(which >> 5)); /* roriw */
    if (op == SLL) /* bclri, binvi, bseti */
        return high == 0x12 || high == 0x1a || high == 0x0a;
    if (op != SRL)
        return false;
    return high == 0x18 || high == 0x12 || /* rori, bexti */
           rv_bits(w, 31, 20) == 0x287 ||  /* orc.b */
           rv_bits(w, 31, 20) == 0x6b8;    /* rev8 */
}

static bool registers(uint32_t w, struct effect *e, bool is_word)
{
    /* By funct7: the base, its other form, M; then Zba, Zbb, Zbs. */
    static const struct {
        uint8_t funct7;
        uint8_t double_words, words; /* sets of funct3 */
    } known[] = {
        {0x00, 0xff, 0x23}, {0x20, 0xf1, 0x21}, {0x01, 0xff, 0xf1},
        {0x10, 0x54, 0x54}, {0x04, 0x00, 0x11}, {0x05, 0xf0, 0x00},
        {0x30, 0x22, 0x22}, {0x24, 0x22, 0x00}, {0x34, 0x02, 0x00},
        {0x14, 0x02, 0x00},
    };
    uint32_t funct7 = rv_bits(w, 31, 25), op = rv_funct3(w);
    rv_flow(e, rv_x(w, RV_RD), rv_x(w, RV_RS1), rv_x(w, RV_RS2));
    if (is_word && funct7 == 0x04 && op == 4) /* zext.h */
        return rv_bits(w, 24, 20) == 0;
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (known[i].funct7 == funct7)
            return has(is_word ? known[i].words : known[i].double_words, op);
    return false;
}

/* --- Branches --- */

/* A bit of the offset, which stands at `at`. */
static uint32_t moved(uint32_t w, unsigned at, unsigned bit)
{
    return (w >> at & 1) << bit;
}

static uint64_t extended(uint32_t offset, unsigned sign)
{
    uint64_t bit = (uint64_t)1 << sign;
    return (offset ^ bit) - bit;
}

/* Puts the return address, a constant, into rd. */
static void link(uint32_t w, struct effect *e)
{
    reg_id rd = rv_x(w, RV_RD);
    rv_flow(e, rd, REG_NONE, REG_NONE);
    e->is_call = rd != REG_NONE;
}

static bool jump(uint32_t w, struct effect *e)
{
    uint32_t offset = moved(w, 31, 20) | rv_bits(w, 19, 12) << 12 |
                      moved(w, 20, 11) | rv_bits(w, 30, 21) << 1;
    e->branch = BRANCH_DIRECT;
    e->target = extended(offset, 20);
    link(w, e);
    return true;
}

/* A jump through ra, or through t0 as routines that save registers do, without
 * a return address of its own is a return. */
static bool jump_register(uint32_t w, struct effect *e)
{
    reg_id rs1 = rv_x(w, RV_RS1);
    e->branch = BRANCH_INDIRECT;
    rv_add(&e->branch_on, rs1);
    link(w, e);
    e->is_return = !e->is_call && (rs1 == RV_RA || rs1 == RV_T0);
    return rv_funct3(w) == 0;
}

static bool conditional(uint32_t w, struct effect *e)
{
    enum { BRANCHES = 0xf3 };
    uint32_t offset = moved(w, 31, 12) | moved(w, 7, 11) |
                      rv_bits(w, 30, 25) << 5 | rv_bits(w, 11, 8) << 1;
    e->branch = BRANCH_CONDITIONAL;
    e->target = extended(offset, 12);
    rv_add(&e->branch_on, rv_x(w, RV_RS1));
    rv_add(&e->branch_on, rv_x(w, RV_RS2));
    return has(BRANCHES, rv_funct3(w));
}

/* --- Memory --- */

static bool load(uint32_t w, struct effect *e)
{
    enum { LOADS = 0x7f };
    rv_load(w, e, 1u << rv_bits(w, 13, 12), rv_x(w, RV_RD));
    return has(LOADS, rv_funct3(w));
}

static bool store(uint32_t w, struct effect *e)
{
    rv_store(w, e, 1u << rv_bits(w, 13, 12), rv_x(w, RV_RS2));
    return rv_funct3(w) <= 3;
}

/* Of the sets before and behind only memory counts, not devices; without any on
 * one side (pause is one such) it orders nothing. */
static bool fence(uint32_t w, struct effect *e)
{
    enum { NORMAL = 0, TSO = 8, RW = 3 };
#define FENCE(set) (TAG_BIT(TAG_F) | TAG_BIT(TAG_FENCE_##set))
    static const uint64_t tags[4][4] = {
        [1] = {0, FENCE(W_W), FENCE(W_R), FENCE(W_RW)},
        [2] = {0, FENCE(R_W), FENCE(R_R), FENCE(R_RW)},
        [3] = {0, FENCE(RW_W), FENCE(RW_R), FENCE(RW_RW)},
    };
    uint32_t before = rv_bits(w, 25, 24), behind = rv_bits(w, 21, 20);
    uint32_t mode = rv_bits(w, 31, 28);
    if (mode == TSO && before == RW && behind == RW) {
        e->fence = FENCE(TSO);
        return true;
    }
#undef FENCE
    e->fence = tags[before][behind];
    return mode == NORMAL;
}

/* fence; fence.i, which is about instructions alone. */
static bool ordering(uint32_t w, struct effect *e)
{
    switch (rv_funct3(w)) {
    case 0:
        return fence(w, e);
    case 1:
        return true;
    default:
        return false;
    }
}

/* The annotations. An atomic instruction is one operation, whose both halves
 * have them. */
static uint64_t annotations(uint32_t w)
{
    static const uint64_t tags[] = {0, TAG_BIT(TAG_RV_RL), TAG_BIT(TAG_RV_AQ),
                                    TAG_BIT(TAG_RV_AQRL)};
    return tags[rv_bits(w, 26, 25)];
}

static void load_reserved(uint32_t w, struct effect *e, unsigned size)
{
    struct effect_access *a = rv_access(w, e, false, size);
    a->result = rv_x(w, RV_RD);
    a->role = ACCESS_EXCLUSIVE;
    a->tags = TAG_BIT(TAG_EX) | annotations(w);
}

/* What depends on its success comes behind the store. */
static void store_conditional(uint32_t w, struct effect *e, unsigned size)
{
    struct effect_access *a = rv_access(w, e, true, size);
    rv_add(&a->data, rv_x(w, RV_RS2));
    a->role = ACCESS_EXCLUSIVE;
    a->tags = TAG_BIT(TAG_EX) | annotations(w);
    a->result = rv_x(w, RV_RD);
    rv_flow(e, a->result, REG_NONE, REG_NONE);
}

static void read_modify_write(uint32_t w, struct effect *e, unsigned size,
                              bool is_swap)
{
    struct effect_access *a = rv_access(w, e, false, size);
    a->result = rv_x(w, RV_RD);
    struct effect_access *b = rv_access(w, e, true, size);
    if (!is_swap)
        rv_add(&b->data, REG_READ);
    rv_add(&b->data, rv_x(w, RV_RS2));
    a->role = b->role = ACCESS_AMO;
    a->tags = b->tags = TAG_BIT(TAG_X) | annotations(w);
}

static bool atomic(uint32_t w, struct effect *e)
{
    enum { SWAP = 1, LR = 2, SC = 3 };
    enum { OPERATIONS = 0x11111113 }; /* by funct5: amoswap, amoadd, ... */
    uint32_t op = rv_bits(w, 31, 27), width = rv_funct3(w);
    if (width != 2 && width != 3)
        return false;
    if (op == LR) {
        load_reserved(w, e, 1u << width);
        return rv_bits(w, 24, 20) == 0;
    }
    if (op == SC) {
        store_conditional(w, e, 1u << width);
        return true;
    }
    read_modify_write(w, e, 1u << width, op == SWAP);
    return has(OPERATIONS, op);
}

/* --- System --- */

/* csrrw, csrrs, csrrc and those with a constant: rd gets the old value. */
static void control_register(uint32_t w, struct effect *e, reg_id csr)
{
    bool has_constant = rv_bits(w, 14, 14), replaces = rv_bits(w, 13, 12) == 1;
    reg_id rs1 = has_constant ? REG_NONE : rv_x(w, RV_RS1);
    if (rv_bits(w, 19, 15) == 0 && !replaces)
        return; /* a read alone */
    rv_flow(e, csr, rs1, REG_NONE);
    if (!replaces)
        e->flows[e->n_flows - 1].kind = FLOW_MERGE;
}

/* Counters and what belongs to the system are unknown. */
static bool control_registers(uint32_t w, struct effect *e)
{
    enum { FFLAGS = 1, FRM = 2, FCSR = 3 };
    uint32_t csr = rv_bits(w, 31, 20);
    reg_id rd = rv_x(w, RV_RD);
    if (csr < FFLAGS || csr > FCSR)
        return false;
    rv_flow(e, rd, csr & FFLAGS ? RV_FFLAGS : REG_NONE,
            csr & FRM ? RV_FRM : REG_NONE);
    if (csr & FFLAGS)
        control_register(w, e, RV_FFLAGS);
    if (csr & FRM)
        control_register(w, e, RV_FRM);
    return true;
}

static bool system_instruction(uint32_t w, struct effect *e)
{
    enum { ECALL = 0x73, EBREAK = 0x00100073, UNIMP = 0xc0001073 };
    if (w == ECALL || w == EBREAK || w == UNIMP) {
        e->kind = EFFECT_TRAP;
        return true;
    }
    return (rv_funct3(w) & 3) != 0 && control_registers(w, e);
}

/* --- All --- */

static bool decode_word(uint32_t w, struct effect *e)
{
    switch (w & 0x7f) {
    case 0x03:
        return load(w, e);
    case 0x0f:
        return ordering(w, e);
    case 0x13:
        return immediate(w, e, false) || bit_immediate(w, false);
    case 0x1b:
        return immediate(w, e, true) || bit_immediate(w, true);
    case 0x17:
    case 0x37: /* auipc, lui */
        rv_flow(e, rv_x(w, RV_RD), REG_NONE, REG_NONE);
        return true;
    case 0x23:
        return store(w, e);
    case 0x2f:
        return atomic(w, e);
    case 0x33:
        return registers(w, e, false);
    case 0x3b:
        return registers(w, e, true);
    case 0x63:
        return conditional(w, e);
    case 0x67:
        return jump_register(w, e);
    case 0x6f:
        return jump(w, e);
    case 0x73:
        return system_instruction(w, e);
    default:
        return rv_decode_float(w, e);
    }
}

/* Writes the assembly text; false: it has none. */
static bool disassemble(csh handle, const uint8_t *code, unsigned bytes,
                        uint64_t pc, char *text, size_t cap)
{
    cs_detail detail;
    cs_insn insn = {.detail = &detail};
    size_t left = bytes;
    if (!cs_disasm_iter(handle, &code, &left, &pc, &insn) || insn.size != bytes)
        return false;
    snprintf(text, cap, "%s%s%s", insn.mnemonic, insn.op_str[0] ? " " : "",
             insn.op_str);
    return true;
}

/* The port has seven parameters. */
/* NOLINTNEXTLINE(readability-function-size) */
unsigned rv_decode(size_t handle, const uint8_t *code, size_t bytes,
                   uint64_t pc, struct effect *out, char *text, size_t text_cap)
{
    if (bytes < 2)
        return 0;
    uint32_t word = code[0] | (uint32_t)code[1] << 8;
    bool is_short = (word & 3) != 3;
    if (!is_short && bytes < 4)
        return 0;
    unsigned length = is_short ? 2 : 4;
    if (!is_short)
        word |= (uint32_t)code[2] << 16 | (uint32_t)code[3] << 24;
    if (!disassemble(handle, code, length, pc, text, text_cap))
        snprintf(text, text_cap, ".insn 0x%0*" PRIx32, (int)(2 * length), word);
    *out = (struct effect){.kind = EFFECT_KNOWN};
    uint32_t whole = is_short ? rv_expand((uint16_t)word) : word;
    if (word == 0) /* c.unimp */
        out->kind = EFFECT_TRAP;
    else if (!whole || !decode_word(whole, out))
        *out = (struct effect){.kind = EFFECT_UNKNOWN};
    if (out->branch == BRANCH_DIRECT || out->branch == BRANCH_CONDITIONAL)
        out->target += pc;
    return length;
}

static const char *const names[RV_N_REGS] = {
    "zero", "ra",  "sp",     "gp",  "tp",   "t0",   "t1",  "t2",  "s0",
    "s1",   "a0",  "a1",     "a2",  "a3",   "a4",   "a5",  "a6",  "a7",
    "s2",   "s3",  "s4",     "s5",  "s6",   "s7",   "s8",  "s9",  "s10",
    "s11",  "t3",  "t4",     "t5",  "t6",   "ft0",  "ft1", "ft2", "ft3",
    "ft4",  "ft5", "ft6",    "ft7", "fs0",  "fs1",  "fa0", "fa1", "fa2",
    "fa3",  "fa4", "fa5",    "fa6", "fa7",  "fs2",  "fs3", "fs4", "fs5",
    "fs6",  "fs7", "fs8",    "fs9", "fs10", "fs11", "ft8", "ft9", "ft10",
    "ft11", "frm", "fflags",
};

const char *rv_reg_name(reg_id r)
{
    return names[r];
}
