/* The C extension: what each compressed instruction stands for. */
#include "hw/isa/riscv64/riscv64.h"

/* Opcodes of the instructions of four bytes. */
enum {
    LOAD = 0x03,
    LOAD_FP = 0x07,
    OP_IMM = 0x13,
    OP_IMM_32 = 0x1b,
    STORE = 0x23,
    STORE_FP = 0x27,
    OP = 0x33,
    LUI = 0x37,
    OP_32 = 0x3b,
    BRANCH = 0x63,
    JALR = 0x67,
    JAL = 0x6f,
};

enum { EBREAK = 0x00100073 };

/* --- Making instructions --- */

static uint32_t r_type(uint32_t opcode, uint32_t funct, unsigned rd,
                       unsigned rs1, unsigned rs2)
{
    return opcode | rd << RV_RD | funct << 12 | rs1 << RV_RS1 | rs2 << RV_RS2;
}

/* With a constant of 0. */
static uint32_t i_type(uint32_t opcode, uint32_t funct, unsigned rd,
                       unsigned rs1)
{
    return r_type(opcode, funct, rd, rs1, 0);
}

static uint32_t s_type(uint32_t opcode, uint32_t funct, unsigned rs1,
                       unsigned rs2)
{
    return r_type(opcode, funct, 0, rs1, rs2);
}

/* A bit of the offset, which stands at `at` in the compressed instruction. */
static uint32_t moved(uint32_t half, unsigned at, unsigned bit)
{
    return (half >> at & 1) << bit;
}

static uint32_t jump(uint32_t half)
{
    uint32_t o = moved(half, 12, 11) | moved(half, 11, 4) |
                 rv_bits(half, 10, 9) << 8 | moved(half, 8, 10) |
                 moved(half, 7, 6) | moved(half, 6, 7) |
                 rv_bits(half, 5, 3) << 1 | moved(half, 2, 5);
    uint32_t sign = o >> 11 ? 0xff : 0;
    return JAL | rv_bits(o, 10, 1) << 21 | rv_bits(o, 11, 11) << 20 |
           sign << 12 | (sign & 1) << 31;
}

static uint32_t branch(uint32_t half, uint32_t funct, unsigned rs1)
{
    uint32_t o = moved(half, 12, 8) | rv_bits(half, 11, 10) << 3 |
                 rv_bits(half, 6, 5) << 6 | rv_bits(half, 4, 3) << 1 |
                 moved(half, 2, 5);
    uint32_t sign = o >> 8 ? 7 : 0;
    return s_type(BRANCH, funct, rs1, 0) | rv_bits(o, 4, 1) << 8 |
           (rv_bits(o, 7, 5) | sign << 3) << 25 | (sign & 1) << 7 |
           (sign & 1) << 31;
}

/* --- Quadrant 0: loads and stores, c.addi4spn --- */

/* One of x8 to x15. */
static unsigned popular(uint32_t half, unsigned field)
{
    return 8 + rv_bits(half, field + 2, field);
}

static uint32_t quadrant_0(uint32_t half)
{
    enum { WORD = 2, DOUBLE = 3 };
    unsigned rs1 = popular(half, 7), r = popular(half, 2);
    switch (rv_bits(half, 15, 13)) {
    case 0: /* c.addi4spn; of 0 it is no instruction */
        return rv_bits(half, 12, 5) ? i_type(OP_IMM, 0, r, RV_SP) : 0;
    case 1:
        return i_type(LOAD_FP, DOUBLE, r, rs1);
    case 2:
        return i_type(LOAD, WORD, r, rs1);
    case 3:
        return i_type(LOAD, DOUBLE, r, rs1);
    case 5:
        return s_type(STORE_FP, DOUBLE, rs1, r);
    case 6:
        return s_type(STORE, WORD, rs1, r);
    case 7:
        return s_type(STORE, DOUBLE, rs1, r);
    default: /* Zcb has others */
        return 0;
    }
}

/* --- Quadrant 1: arithmetic, jumps and branches --- */

static uint32_t arithmetic(uint32_t half)
{
    enum { SRLI, SRAI, ANDI };
    enum { SRL = 5, AND = 7 };
    static const struct {
        uint8_t opcode, funct;
        bool is_sub;
    } of_two[] = {{OP, 0, true},  {OP, 4, false},   {OP, 6, false},
                  {OP, 7, false}, {OP_32, 0, true}, {OP_32, 0, false}};
    unsigned rd = popular(half, 7);
    uint32_t op = rv_bits(half, 11, 10);
    if (op != 3)
        return i_type(OP_IMM, op == ANDI ? AND : SRL, rd, rd);
    op = rv_bits(half, 12, 12) << 2 | rv_bits(half, 6, 5);
    if (op >= sizeof of_two / sizeof *of_two)
        return 0;
    return r_type(of_two[op].opcode, of_two[op].funct, rd, rd,
                  popular(half, 2)) |
           (of_two[op].is_sub ? 0x40000000 : 0);
}

/* c.addi16sp and c.lui; of 0 they are no instructions. */
static uint32_t upper(uint32_t half, unsigned rd)
{
    if (!rv_bits(half, 12, 12) && !rv_bits(half, 6, 2))
        return 0;
    return rd == RV_SP ? i_type(OP_IMM, 0, RV_SP, RV_SP) : LUI | rd << RV_RD;
}

static uint32_t quadrant_1(uint32_t half)
{
    unsigned rd = rv_bits(half, 11, 7);
    switch (rv_bits(half, 15, 13)) {
    case 0:
        return i_type(OP_IMM, 0, rd, rd);
    case 1:
        return rd ? i_type(OP_IMM_32, 0, rd, rd) : 0;
    case 2:
        return i_type(OP_IMM, 0, rd, RV_X0);
    case 3:
        return upper(half, rd);
    case 4:
        return arithmetic(half);
    case 5:
        return jump(half);
    case 6:
        return branch(half, 0, popular(half, 7));
    default:
        return branch(half, 1, popular(half, 7));
    }
}

/* --- Quadrant 2: c.slli, accesses to the stack, moves and indirect jumps ---
 */

static uint32_t quadrant_2(uint32_t half)
{
    enum { WORD = 2, DOUBLE = 3 };
    unsigned rd = rv_bits(half, 11, 7), rs2 = rv_bits(half, 6, 2);
    bool other = rv_bits(half, 12, 12);
    switch (rv_bits(half, 15, 13)) {
    case 0:
        return i_type(OP_IMM, 1, rd, rd);
    case 1:
        return i_type(LOAD_FP, DOUBLE, rd, RV_SP);
    case 2:
        return rd ? i_type(LOAD, WORD, rd, RV_SP) : 0;
    case 3:
        return rd ? i_type(LOAD, DOUBLE, rd, RV_SP) : 0;
    case 4:
        if (rs2) /* c.add, c.mv */
            return r_type(OP, 0, rd, other ? rd : RV_X0, rs2);
        if (!rd)
            return other ? EBREAK : 0;
        return i_type(JALR, 0, other ? RV_RA : RV_X0, rd);
    case 5:
        return s_type(STORE_FP, DOUBLE, RV_SP, rs2);
    case 6:
        return s_type(STORE, WORD, RV_SP, rs2);
    default:
        return s_type(STORE, DOUBLE, RV_SP, rs2);
    }
}

uint32_t rv_expand(uint16_t half)
{
    switch (half & 3) {
    case 0:
        return quadrant_0(half);
    case 1:
        return quadrant_1(half);
    default:
        return quadrant_2(half);
    }
}
