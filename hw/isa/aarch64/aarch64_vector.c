/* AArch64 arithmetic on SIMD and floating-point registers (Arm ARM, C4.1 "Data
 * Processing -- Scalar Floating-Point and Advanced SIMD").
 *
 * A vector register is one taint register, whatever lanes an instruction uses.
 * So of each encoding class only this matters: which fields are registers, of
 * which kind, and whether the destination's old value is a source (it
 * accumulates, inserts, or fills the upper half as xtn2 does): FLOW_MERGE.
 * Cryptography is left out. */
#include "hw/isa/aarch64/aarch64.h"

/* vd := vn | vm, or with the old vd. */
static bool vector(uint32_t w, struct effect *e, bool accumulates, reg_id m)
{
    reg_id d = a64_v(w, A64_RD), n = a64_v(w, A64_RN);
    if (accumulates)
        a64_merge(e, d, n, m);
    else
        a64_flow(e, d, n, m, REG_NONE);
    return true;
}

/* Is `item` in the set of small numbers? */
static bool has(uint32_t set, uint32_t item)
{
    return set >> item & 1;
}

#define BIT(n) (UINT32_C(1) << (n))

/* --- Scalar floating point --- */

/* Between general and floating-point registers: fmov, fcvt*, scvtf, ucvtf. */
static bool fp_convert(uint32_t w, struct effect *e, bool is_fixed)
{
    enum { SCVTF = 2, UCVTF = 3, TO_GENERAL = 6, TO_FP = 7, FJCVTZS_MODE = 3 };
    uint32_t op = a64_bits(w, 18, 16), mode = a64_bits(w, 20, 19);
    reg_id n = a64_v(w, A64_RN);
    if (op == TO_FP && mode == 1) { /* fmov v0.d[1], x0 */
        a64_merge(e, a64_v(w, A64_RD), a64_x(w, A64_RN), REG_NONE);
    } else if (op == SCVTF || op == UCVTF || op == TO_FP) {
        a64_flow(e, a64_v(w, A64_RD), a64_x(w, A64_RN), REG_NONE, REG_NONE);
    } else {
        a64_flow(e, a64_x(w, A64_RD), n, REG_NONE, REG_NONE);
        if (op == TO_GENERAL && mode == FJCVTZS_MODE)
            a64_flow(e, A64_NZCV, n, REG_NONE, REG_NONE);
    }
    return !is_fixed || op <= UCVTF;
}

static bool fp_compare(uint32_t w, struct effect *e)
{
    bool with_zero = a64_bit(w, 3);
    a64_flow(e, A64_NZCV, a64_v(w, A64_RN),
             with_zero ? REG_NONE : a64_v(w, A64_RM), REG_NONE);
    return true;
}

static bool fp_conditional_compare(uint32_t w, struct effect *e)
{
    struct regs compared = {0};
    a64_add(&compared, a64_v(w, A64_RN));
    a64_add(&compared, a64_v(w, A64_RM));
    a64_select(e, A64_NZCV, a64_bits(w, 15, 12), &compared, REG_NONE);
    return true;
}

static bool fp_conditional_select(uint32_t w, struct effect *e)
{
    struct regs held = {0};
    a64_add(&held, a64_v(w, A64_RN));
    a64_select(e, a64_v(w, A64_RD), a64_bits(w, 15, 12), &held,
               a64_v(w, A64_RM));
    return true;
}

/* Bit 30 is 0, bits 28..24 are 11110. */
static bool fp(uint32_t w, struct effect *e)
{
    if (!a64_bit(w, 21))
        return fp_convert(w, e, true);
    switch (a64_bits(w, 11, 10)) {
    case 1:
        return fp_conditional_compare(w, e);
    case 2: /* fadd, fmul ... */
        return vector(w, e, false, a64_v(w, A64_RM));
    case 3:
        return fp_conditional_select(w, e);
    default:
        break;
    }
    if (a64_bit(w, 12)) { /* fmov #imm */
        a64_constant(e, a64_v(w, A64_RD));
        return true;
    }
    if (a64_bit(w, 13))
        return fp_compare(w, e);
    if (a64_bit(w, 14)) /* fmov, fabs, fcvt, frint ... */
        return vector(w, e, false, REG_NONE);
    return !a64_bit(w, 15) && fp_convert(w, e, false);
}

/* --- Advanced SIMD, vectors and scalars alike --- */

static bool three_same(uint32_t w, struct effect *e)
{
    enum { BITWISE = 0x03, ABA = 0x0f, MLA = 0x12, FMLA = 0x19, FMLAL = 0x1d };
    uint32_t op = a64_bits(w, 15, 11);
    bool u = a64_bit(w, 29);
    bool selects_bits = op == BITWISE && u && a64_bits(w, 23, 22); /* bsl ... */
    bool accumulates = has(BIT(ABA) | BIT(MLA) | BIT(FMLA), op) ||
                       (op == FMLAL && !u) || selects_bits;
    return vector(w, e, accumulates, a64_v(w, A64_RM));
}

static bool three_same_half(uint32_t w, struct effect *e)
{
    enum { FMLA = 1 };
    bool fmla = a64_bits(w, 13, 11) == FMLA && !a64_bit(w, 29);
    return vector(w, e, fmla, a64_v(w, A64_RM));
}

/* Dot products, complex numbers; all accumulate but fcadd. */
static bool three_same_extra(uint32_t w, struct effect *e)
{
    enum { FCADD_90 = 0xc, FCADD_270 = 0xe };
    uint32_t op = a64_bits(w, 14, 11);
    bool fcadd = a64_bit(w, 29) && (op == FCADD_90 || op == FCADD_270);
    return vector(w, e, !fcadd, a64_v(w, A64_RM));
}

/* Does a narrowing vector instruction fill the upper half (xtn2)? */
static bool is_upper_half(uint32_t w)
{
    return !a64_bit(w, 28) && a64_bit(w, 30);
}

static bool three_different(uint32_t w, struct effect *e)
{
    const uint32_t long_sums =
        BIT(0x5) | BIT(0x8) | BIT(0x9) | BIT(0xa) | BIT(0xb);
    const uint32_t narrowing = BIT(0x4) | BIT(0x6); /* addhn, subhn */
    uint32_t op = a64_bits(w, 15, 12);
    bool accumulates =
        has(long_sums, op) || (has(narrowing, op) && is_upper_half(w));
    return vector(w, e, accumulates, a64_v(w, A64_RM));
}

static bool two_misc(uint32_t w, struct effect *e)
{
    const uint32_t sums = BIT(0x03) | BIT(0x06); /* suqadd, sadalp */
    const uint32_t narrowing = BIT(0x12) | BIT(0x14) | BIT(0x16);
    uint32_t op = a64_bits(w, 16, 12);
    bool accumulates =
        has(sums, op) || (has(narrowing, op) && is_upper_half(w));
    return vector(w, e, accumulates, REG_NONE);
}

/* dup, ins, smov, umov. */
static bool copy(uint32_t w, struct effect *e)
{
    enum { DUP_ELEMENT = 0, DUP = 1, INS = 3, SMOV = 5, UMOV = 7 };
    reg_id x = a64_x(w, A64_RN);
    if (a64_bit(w, 29) && !a64_bit(w, 28)) /* ins from an element */
        return vector(w, e, true, REG_NONE);
    switch (a64_bits(w, 14, 11)) {
    case DUP_ELEMENT:
        return vector(w, e, false, REG_NONE);
    case DUP:
        a64_flow(e, a64_v(w, A64_RD), x, REG_NONE, REG_NONE);
        return true;
    case INS:
        a64_merge(e, a64_v(w, A64_RD), x, REG_NONE);
        return true;
    case SMOV:
    case UMOV:
        a64_flow(e, a64_x(w, A64_RD), a64_v(w, A64_RN), REG_NONE, REG_NONE);
        return true;
    default:
        return false;
    }
}

/* tbl and tbx: up to four table registers and the indices. */
static bool table_lookup(uint32_t w, struct effect *e)
{
    bool tbx = a64_bit(w, 12);
    struct effect_flow *f =
        a64_flow_of_kind(e, tbx ? FLOW_MERGE : FLOW_DATA, a64_v(w, A64_RD));
    for (uint32_t i = 0; i <= a64_bits(w, 14, 13); i++)
        a64_add(&f->srcs, (reg_id)(A64_V0 + (a64_bits(w, 9, 5) + i) % 32));
    a64_add(&f->srcs, a64_v(w, A64_RM));
    return true;
}

/* movi, mvni, fmov; orr and bic change some bits of vd. */
static bool modified_immediate(uint32_t w, struct effect *e)
{
    uint32_t mode = a64_bits(w, 15, 12);
    reg_id d = a64_v(w, A64_RD);
    if (mode < 12 && (mode & 1))
        a64_merge(e, d, REG_NONE, REG_NONE);
    else
        a64_constant(e, d);
    return true;
}

static bool shift_immediate(uint32_t w, struct effect *e)
{
    enum { SRI = 0x08, SLI = 0x0a };
    const uint32_t sums = BIT(0x02) | BIT(0x06); /* ssra, srsra */
    const uint32_t narrowing = BIT(0x10) | BIT(0x11) | BIT(0x12) | BIT(0x13);
    uint32_t op = a64_bits(w, 15, 11);
    bool inserts = a64_bit(w, 29) && (op == SRI || op == SLI);
    bool accumulates =
        has(sums, op) || inserts || (has(narrowing, op) && is_upper_half(w));
    return vector(w, e, accumulates, REG_NONE);
}

/* vd.4s, vn.4s, vm.s[1]: for elements of 16 bits vm is one of v0 ... v15, since
 * its fifth bit is part of the index; instructions with pairs or groups of
 * elements (fcmla, the dot products) index those. */
static bool by_element(uint32_t w, struct effect *e)
{
    enum { B_OR_FP16, H, S, D };
    const uint32_t fp16 = BIT(0x1) | BIT(0x5) | BIT(0x9);
    const uint32_t fmlal = BIT(0x0) | BIT(0x4), fmlal2 = BIT(0x8) | BIT(0xc);
    const uint32_t plain = BIT(0x9) | BIT(0xa) | BIT(0xb);
    uint32_t op = a64_bits(w, 15, 12), size = a64_bits(w, 23, 22);
    bool u = a64_bit(w, 29);
    bool is_dot = op == 0xe || (op == 0xf && !u);
    bool is_fcmla = u && has(BIT(0x1) | BIT(0x3) | BIT(0x5) | BIT(0x7), op);
    bool is_fmlal = size == S && has(u ? fmlal2 : fmlal, op);
    bool four_bits = (size == H && !is_dot && !is_fcmla) ||
                     (size == B_OR_FP16 && has(fp16, op)) || is_fmlal ||
                     (size == D && op == 0xf); /* bfmlal */
    bool product =
        has(plain, op) || (!u && has(BIT(0x8) | BIT(0xc) | BIT(0xd), op));
    reg_id m = a64_v(w, A64_RM);
    if (four_bits)
        m = (reg_id)(A64_V0 + a64_bits(w, 19, 16));
    return vector(w, e, !product, m);
}

/* Bits 28..24 are x1110; bit 21 is set. */
static bool simd_three_or_two(uint32_t w, struct effect *e)
{
    if (a64_bit(w, 10))
        return three_same(w, e);
    if (!a64_bit(w, 11))
        return three_different(w, e);
    switch (a64_bits(w, 21, 17)) {
    case 0x10:
        return two_misc(w, e);
    case 0x1c: /* the same on half precision */
    case 0x18: /* across lanes, pairs */
        return vector(w, e, false, REG_NONE);
    default: /* 0x14: cryptography */
        return false;
    }
}

/* Bits 28..24 are x1110; bit 21 is clear. */
static bool simd_copy_or_permute(uint32_t w, struct effect *e)
{
    bool scalar = a64_bit(w, 28);
    if (a64_bit(w, 10)) {
        if (a64_bit(w, 15))
            return three_same_extra(w, e);
        if (a64_bits(w, 23, 22) == 0)
            return copy(w, e);
        return a64_bit(w, 22) && !a64_bit(w, 14) && three_same_half(w, e);
    }
    if (scalar || a64_bit(w, 15))
        return false;                     /* cryptography */
    if (a64_bit(w, 29) || a64_bit(w, 11)) /* ext; zip, uzp, trn */
        return vector(w, e, false, a64_v(w, A64_RM));
    return table_lookup(w, e);
}

bool a64_decode_vector(uint32_t w, struct effect *e)
{
    bool simd = a64_bit(w, 30) || !a64_bit(w, 28);
    switch (a64_bits(w, 27, 24) | (uint32_t)simd << 4) {
    case 0x0e:
        return fp(w, e);
    case 0x0f: /* fmadd ... */
        a64_flow(e, a64_v(w, A64_RD), a64_v(w, A64_RN), a64_v(w, A64_RM),
                 a64_v(w, A64_RA));
        return true;
    case 0x1e:
        if (a64_bit(w, 31))
            return false; /* cryptography */
        return a64_bit(w, 21) ? simd_three_or_two(w, e)
                              : simd_copy_or_permute(w, e);
    case 0x1f:
        if (!a64_bit(w, 10))
            return by_element(w, e);
        if (a64_bits(w, 22, 19) == 0)
            return modified_immediate(w, e);
        return shift_immediate(w, e);
    default:
        return false;
    }
}
