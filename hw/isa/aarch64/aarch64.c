/* AArch64: integer instructions, branches and the system, and the descriptor.
 * Loads and stores are in aarch64_memory.c, SIMD and floating-point
 * arithmetic in aarch64_vector.c.
 *
 * Section numbers C4.1.x are those of the Arm ARM's encoding tables. */
#include "hw/isa/aarch64/aarch64.h"

#include <capstone/capstone.h>
#include <inttypes.h>
#include <stdio.h>

#define A64_TAGS(fence) (TAG_BIT(TAG_F) | TAG_BIT(fence))

/* --- Data processing, immediate --- */

static void set_flags(struct effect *e, reg_id a, reg_id b, reg_id c)
{
    a64_flow(e, A64_NZCV, a, b, c);
}

static bool add_immediate(uint32_t w, struct effect *e)
{
    bool flags = a64_bit(w, 29);
    reg_id n = a64_sp(w, A64_RN);
    a64_flow(e, flags ? a64_x(w, A64_RD) : a64_sp(w, A64_RD), n, REG_NONE,
             REG_NONE);
    if (flags)
        set_flags(e, n, REG_NONE, REG_NONE);
    return true;
}

static bool logical_immediate(uint32_t w, struct effect *e)
{
    bool flags = a64_bits(w, 30, 29) == 3;
    reg_id n = a64_x(w, A64_RN);
    a64_flow(e, flags ? a64_x(w, A64_RD) : a64_sp(w, A64_RD), n, REG_NONE,
             REG_NONE);
    if (flags)
        set_flags(e, n, REG_NONE, REG_NONE);
    return true;
}

static bool move_wide(uint32_t w, struct effect *e)
{
    enum { MOVN, UNALLOCATED, MOVZ, MOVK };
    uint32_t op = a64_bits(w, 30, 29);
    if (op == MOVK)
        a64_merge(e, a64_x(w, A64_RD), REG_NONE, REG_NONE);
    else
        a64_constant(e, a64_x(w, A64_RD));
    return op != UNALLOCATED;
}

static bool bitfield(uint32_t w, struct effect *e)
{
    enum { SBFM, BFM, UBFM, UNALLOCATED };
    uint32_t op = a64_bits(w, 30, 29);
    reg_id d = a64_x(w, A64_RD), n = a64_x(w, A64_RN);
    if (op == BFM)
        a64_merge(e, d, n, REG_NONE);
    else
        a64_flow(e, d, n, REG_NONE, REG_NONE);
    return op != UNALLOCATED;
}

/* FEAT_CSSC: smax, umax, smin, umin with an immediate or a register; ctz, cnt
 * and abs. Capstone 5 does not know them. */
static bool is_minmax_immediate(uint32_t w)
{
    return (w & 0x7ff00000) == 0x11c00000;
}

static bool is_cssc(uint32_t w)
{
    enum { CTZ = 6, ABS = 8 };
    uint32_t op = a64_bits(w, 15, 10);
    return is_minmax_immediate(w) || (w & 0x7fe0f000) == 0x1ac06000 ||
           ((w & 0x7fff0000) == 0x5ac00000 && op >= CTZ && op <= ABS);
}

static bool decode_immediate(uint32_t w, struct effect *e)
{
    switch (a64_bits(w, 25, 23)) {
    case 0:
    case 1: /* adr, adrp */
        a64_constant(e, a64_x(w, A64_RD));
        return true;
    case 2:
        return add_immediate(w, e);
    case 4:
        return logical_immediate(w, e);
    case 5:
        return move_wide(w, e);
    case 6:
        return bitfield(w, e);
    case 7: /* extr */
        a64_flow(e, a64_x(w, A64_RD), a64_x(w, A64_RN), a64_x(w, A64_RM),
                 REG_NONE);
        return true;
    case 3:
        a64_flow(e, a64_x(w, A64_RD), a64_x(w, A64_RN), REG_NONE, REG_NONE);
        return is_minmax_immediate(w); /* else memory tagging */
    default:
        return false;
    }
}

/* --- Data processing, register --- */

static bool logical_register(uint32_t w, struct effect *e)
{
    reg_id n = a64_x(w, A64_RN), m = a64_x(w, A64_RM);
    a64_flow(e, a64_x(w, A64_RD), n, m, REG_NONE);
    if (a64_bits(w, 30, 29) == 3)
        set_flags(e, n, m, REG_NONE);
    return true;
}

static bool add_register(uint32_t w, struct effect *e)
{
    bool flags = a64_bit(w, 29), extended = a64_bit(w, 21);
    reg_id n = extended ? a64_sp(w, A64_RN) : a64_x(w, A64_RN);
    reg_id m = a64_x(w, A64_RM);
    a64_flow(e, extended && !flags ? a64_sp(w, A64_RD) : a64_x(w, A64_RD), n, m,
             REG_NONE);
    if (flags)
        set_flags(e, n, m, REG_NONE);
    return true;
}

static bool add_with_carry(uint32_t w, struct effect *e)
{
    reg_id n = a64_x(w, A64_RN), m = a64_x(w, A64_RM);
    if (a64_bits(w, 15, 10) == 0) {
        a64_flow(e, a64_x(w, A64_RD), n, m, A64_NZCV);
        if (a64_bit(w, 29))
            set_flags(e, n, m, A64_NZCV);
        return true;
    }
    /* rmif, setf8, setf16: some of the flags */
    a64_merge(e, A64_NZCV, n, REG_NONE);
    return a64_bits(w, 14, 10) == 1 || a64_bits(w, 13, 10) == 2;
}

/* ccmp, ccmn: the flags of the comparison, or four bits of the word. */
static bool conditional_compare(uint32_t w, struct effect *e)
{
    struct regs compared = {0};
    a64_add(&compared, a64_x(w, A64_RN));
    if (!a64_bit(w, 11))
        a64_add(&compared, a64_x(w, A64_RM));
    a64_select(e, A64_NZCV, a64_bits(w, 15, 12), &compared, REG_NONE);
    return true;
}

/* csel, csinc, csinv, csneg, which make cset, csetm, cinc, cinv and cneg. */
static bool conditional_select(uint32_t w, struct effect *e)
{
    struct regs held = {0};
    a64_add(&held, a64_x(w, A64_RN));
    a64_select(e, a64_x(w, A64_RD), a64_bits(w, 15, 12), &held,
               a64_x(w, A64_RM));
    return true;
}

static bool two_sources(uint32_t w, struct effect *e)
{
    enum {
        UDIV = 2,
        SDIV = 3,
        LSLV = 8,
        PACGA = 12,
        CRC32B = 16,
        CRC32CX = 23
    };
    uint32_t op = a64_bits(w, 15, 10);
    reg_id m = op == PACGA ? a64_sp(w, A64_RM) : a64_x(w, A64_RM);
    a64_flow(e, a64_x(w, A64_RD), a64_x(w, A64_RN), m, REG_NONE);
    return op == UDIV || op == SDIV || (op >= LSLV && op <= PACGA) ||
           (op >= CRC32B && op <= CRC32CX) || is_cssc(w);
}

/* rbit, rev, clz ...; signing and authentication of pointers in place. */
static bool one_source(uint32_t w, struct effect *e)
{
    enum { CLS = 5, PACIA = 0, AUTDB = 7, AUTDZB = 15, XPACD = 17 };
    uint32_t op = a64_bits(w, 15, 10);
    reg_id d = a64_x(w, A64_RD);
    if (a64_bits(w, 20, 16) == 0) {
        a64_flow(e, d, a64_x(w, A64_RN), REG_NONE, REG_NONE);
        return op <= CLS || is_cssc(w);
    }
    a64_flow(e, d, d, op <= AUTDB ? a64_sp(w, A64_RN) : REG_NONE, REG_NONE);
    return a64_bits(w, 20, 16) == 1 && op <= XPACD;
}

/* madd, smaddl ...; smulh and umulh add nothing. */
static bool three_sources(uint32_t w, struct effect *e)
{
    bool high = a64_bits(w, 22, 21) == 2;
    a64_flow(e, a64_x(w, A64_RD), a64_x(w, A64_RN), a64_x(w, A64_RM),
             high ? REG_NONE : a64_x(w, A64_RA));
    return true;
}

static bool decode_register(uint32_t w, struct effect *e)
{
    switch (a64_bits(w, 28, 24)) {
    case 0x0a:
        return logical_register(w, e);
    case 0x0b:
        return add_register(w, e);
    case 0x1b:
        return three_sources(w, e);
    case 0x1a:
        break;
    default:
        return false;
    }
    switch (a64_bits(w, 23, 21)) {
    case 0:
        return add_with_carry(w, e);
    case 2:
        return conditional_compare(w, e);
    case 4:
        return conditional_select(w, e);
    case 6:
        return a64_bit(w, 30) ? one_source(w, e) : two_sources(w, e);
    default:
        return false;
    }
}

/* --- Branches --- */

static bool branch(struct effect *e, enum branch_kind kind, reg_id on)
{
    e->branch = (uint8_t)kind;
    a64_add(&e->branch_on, on);
    return true;
}

static void link(struct effect *e)
{
    e->is_call = 1;
    a64_constant(e, A64_LR);
}

/* br, blr and ret, and those that authenticate: braa xn, xm; braaz xn; retaa.
 * The modifier is no part of the target, only of the check. */
static bool branch_register(uint32_t w, struct effect *e)
{
    enum { BR, BLR, RET };
    uint32_t op = a64_bits(w, 24, 21) & 7;
    if (op > RET || a64_bits(w, 20, 16) != 31)
        return false;
    if (op == BLR)
        link(e);
    e->is_return = op == RET;
    bool authenticates = a64_bits(w, 15, 10) != 0;
    return branch(e, BRANCH_INDIRECT,
                  op == RET && authenticates ? A64_LR : a64_x(w, A64_RN));
}

/* --- System --- */

/* Barriers; CRm's low bits are the type, its high bits the domain, of which
 * the models make no difference. */
static bool barrier(uint32_t w, struct effect *e)
{
    enum { CLREX = 2, DSB = 4, DMB = 5, ISB = 6, SB = 7 };
    enum { SSBB_OR_PSSBB, LD, ST, FULL };
    static const uint64_t dmb[] = {0, A64_TAGS(TAG_DMB_LD),
                                   A64_TAGS(TAG_DMB_ST), A64_TAGS(TAG_DMB_SY)};
    static const uint64_t dsb[] = {0, A64_TAGS(TAG_DSB_LD),
                                   A64_TAGS(TAG_DSB_ST), A64_TAGS(TAG_DSB_SY)};
    uint32_t type = a64_bits(w, 9, 8), domain = a64_bits(w, 11, 10);
    switch (a64_bits(w, 7, 5)) {
    case CLREX:
        e->ends_exclusive = 1;
        return true;
    case DSB:
        e->fence = dsb[type];
        return type != SSBB_OR_PSSBB || domain <= 1;
    case DMB:
        e->fence = dmb[type];
        return type != SSBB_OR_PSSBB;
    case ISB:
        e->fence = A64_TAGS(TAG_ISB);
        return true;
    case SB: /* speculation barrier: no order in the models */
        return true;
    default:
        return false;
    }
}

/* Hints that a CPU without the feature takes as nop: bti, yield, csdb ... and
 * those that sign or authenticate x30 or x17. */
static bool hint(uint32_t w, struct effect *e)
{
    enum { XPACLRI = 7, PACIA1716 = 8, AUTIB1716 = 14, PACIAZ = 24 };
    uint32_t op = a64_bits(w, 11, 5);
    if (op == XPACLRI)
        a64_flow(e, A64_LR, A64_LR, REG_NONE, REG_NONE);
    else if (op >= PACIA1716 && op <= AUTIB1716 && !(op & 1))
        a64_flow(e, A64_X0 + 17, A64_X0 + 17, A64_X0 + 16, REG_NONE);
    else if (op >= PACIAZ && op < PACIAZ + 8)
        a64_flow(e, A64_LR, A64_LR, op & 1 ? A64_SP : REG_NONE, REG_NONE);
    return true;
}

/* System registers that a program at EL0 may use, as (op0, op1, CRn, CRm, op2)
 * in bits 20..5 of the word. The others (counters, random numbers) return what
 * the models cannot know. */
#define SYSTEM_REGISTER(op1, crn, crm, op2) \
    (3u << 14 | (op1) << 11 | (crn) << 7 | (crm) << 3 | (op2))

static bool system_register(uint32_t w, struct effect *e)
{
    static const struct {
        uint32_t code;
        reg_id r; /* REG_NONE: a constant of the CPU */
    } known[] = {
        {SYSTEM_REGISTER(3u, 13u, 0u, 2u), A64_TPIDR},
        {SYSTEM_REGISTER(3u, 4u, 2u, 0u), A64_NZCV},
        {SYSTEM_REGISTER(3u, 4u, 4u, 0u), A64_FPCR},
        {SYSTEM_REGISTER(3u, 4u, 4u, 1u), A64_FPSR},
        {SYSTEM_REGISTER(3u, 0u, 0u, 7u), REG_NONE}, /* dczid_el0 */
        {SYSTEM_REGISTER(3u, 0u, 0u, 1u), REG_NONE}, /* ctr_el0 */
    };
    bool reads = a64_bit(w, 21);
    reg_id t = a64_x(w, A64_RT);
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        if (known[i].code != a64_bits(w, 20, 5))
            continue;
        reg_id r = known[i].r;
        a64_flow(e, reads ? t : r, reads ? r : t, REG_NONE, REG_NONE);
        return reads || r != REG_NONE;
    }
    return false;
}

static bool decode_system(uint32_t w, struct effect *e)
{
    enum { DC_ZVA = 0x5ba1 }; /* sys #3, c7, c4, #1 */
    uint32_t from_crn = a64_bits(w, 21, 12);
    bool no_register = a64_bits(w, 4, 0) == A64_ZERO;
    if (from_crn == 0x032 && no_register)
        return hint(w, e);
    if (from_crn == 0x033 && no_register)
        return barrier(w, e);
    if ((from_crn & 0x38f) == 0x004 && no_register) {
        /* cfinv, xaflag, axflag turn the flags into others */
        set_flags(e, A64_NZCV, REG_NONE, REG_NONE);
        return a64_bits(w, 18, 16) == 0 && a64_bits(w, 7, 5) <= 2;
    }
    if (a64_bits(w, 20, 5) == DC_ZVA && !a64_bit(w, 21)) {
        a64_zero_block(w, e);
        return true;
    }
    return a64_bit(w, 20) && system_register(w, e);
}

/* Words from here to the target, a signed field of bits. */
static uint64_t distance(uint32_t w, unsigned high, unsigned low)
{
    uint64_t sign = (uint64_t)1 << (high - low);
    return ((a64_bits(w, high, low) ^ sign) - sign) * 4;
}

/* Leaves the distance in e->target. */
static bool decode_branch(uint32_t w, struct effect *e)
{
    if (a64_bits(w, 30, 26) == 0x05) { /* b, bl */
        e->target = distance(w, 25, 0);
        if (a64_bit(w, 31))
            link(e);
        return branch(e, BRANCH_DIRECT, REG_NONE);
    }
    if (a64_bits(w, 30, 26) == 0x0d) { /* cbz, cbnz, tbz, tbnz */
        e->target = distance(w, a64_bit(w, 25) ? 18 : 23, 5);
        return branch(e, BRANCH_CONDITIONAL, a64_x(w, A64_RT));
    }
    switch (a64_bits(w, 31, 24)) {
    case 0x54: /* b.cond, bc.cond */
        e->target = distance(w, 23, 5);
        if (a64_is_always(a64_bits(w, 3, 0)))
            return branch(e, BRANCH_DIRECT, REG_NONE);
        return branch(e, BRANCH_CONDITIONAL, A64_NZCV);
    case 0xd4: /* svc, brk, hlt ... */
        e->kind = EFFECT_TRAP;
        return true;
    case 0xd5:
        return a64_bits(w, 23, 22) == 0 && decode_system(w, e);
    case 0xd6:
    case 0xd7:
        return branch_register(w, e);
    default:
        return false;
    }
}

/* --- The descriptor --- */

/* C4.1: the top level of the encoding, by bits 28..25. */
static bool decode_word(uint32_t w, struct effect *e)
{
    switch (a64_bits(w, 28, 25)) {
    case 0x8:
    case 0x9:
        return decode_immediate(w, e);
    case 0xa:
    case 0xb:
        return decode_branch(w, e);
    case 0x4:
    case 0x6:
    case 0xc:
    case 0xe:
        return a64_decode_memory(w, e);
    case 0x5:
    case 0xd:
        return decode_register(w, e);
    case 0x7:
    case 0xf:
        return a64_decode_vector(w, e);
    default: /* reserved, SVE, SME */
        return false;
    }
}

/* Writes the assembly text; false if capstone does not know the word. */
static bool disassemble(csh handle, const uint8_t *code, uint64_t pc,
                        char *text, size_t cap)
{
    cs_detail detail;
    cs_insn insn = {.detail = &detail};
    size_t bytes = 4;
    if (!cs_disasm_iter(handle, &code, &bytes, &pc, &insn))
        return false;
    snprintf(text, cap, "%s%s%s", insn.mnemonic, insn.op_str[0] ? " " : "",
             insn.op_str);
    return true;
}

/* The port has seven parameters. */
/* NOLINTNEXTLINE(readability-function-size) */
unsigned a64_decode(size_t handle, const uint8_t *code, size_t bytes,
                    uint64_t pc, struct effect *out, char *text,
                    size_t text_cap)
{
    if (bytes < 4)
        return 0;
    uint32_t word = code[0] | (uint32_t)code[1] << 8 | (uint32_t)code[2] << 16 |
                    (uint32_t)code[3] << 24;
    bool allocated = disassemble(handle, code, pc, text, text_cap);
    if (!allocated)
        snprintf(text, text_cap, ".inst 0x%08" PRIx32, word);
    *out = (struct effect){.kind = EFFECT_KNOWN};
    if (word >> 16 == 0) /* udf; capstone takes it for data */
        out->kind = EFFECT_TRAP;
    else if ((!allocated && !is_cssc(word) && !a64_is_newer_pair(word)) ||
             !decode_word(word, out))
        *out = (struct effect){.kind = EFFECT_UNKNOWN};
    if (out->branch == BRANCH_DIRECT || out->branch == BRANCH_CONDITIONAL)
        out->target += pc;
    return 4;
}

static const char *const names[A64_N_REGS] = {
    "x0",  "x1",  "x2",        "x3",   "x4",   "x5",   "x6",  "x7",  "x8",
    "x9",  "x10", "x11",       "x12",  "x13",  "x14",  "x15", "x16", "x17",
    "x18", "x19", "x20",       "x21",  "x22",  "x23",  "x24", "x25", "x26",
    "x27", "x28", "x29",       "x30",  "sp",   "nzcv", "v0",  "v1",  "v2",
    "v3",  "v4",  "v5",        "v6",   "v7",   "v8",   "v9",  "v10", "v11",
    "v12", "v13", "v14",       "v15",  "v16",  "v17",  "v18", "v19", "v20",
    "v21", "v22", "v23",       "v24",  "v25",  "v26",  "v27", "v28", "v29",
    "v30", "v31", "tpidr_el0", "fpcr", "fpsr",
};

const char *a64_reg_name(reg_id r)
{
    return names[r];
}

static uint32_t branch_to(uint64_t from, uint64_t to)
{
    return 0x14000000 | ((uint32_t)((to - from) >> 2) & 0x03ffffff);
}

uint32_t a64_make_stub(uint32_t word, uint64_t pc, uint64_t at,
                       uint32_t stub[STUB_WORDS])
{
    stub[STUB_SKIP] = 0x54000040 | a64_bits(word, 15, 12); /* b.cond .+8 */
    stub[STUB_NOT_HELD] = 0xd503201f;                      /* nop */
    stub[STUB_SELECT] = word;
    stub[STUB_BACK] = branch_to(at + 4 * STUB_BACK, pc + 4);
    return branch_to(pc, at);
}
