/* x86-64: from a class and capstone's operands to an effect.
 *
 * An instruction reads all its operands before it writes any, so an effect has
 * its reads first, and the writes are ordered after them (volatile_order; for a
 * LOCKed instruction the pair says so itself). More than 8 bytes are no single
 * access, except in cmpxchg16b: they are split. */
#include "hw/isa/x86_64/x86_64.h"

#include <string.h>

enum { ATOMIC_BYTES = 8 };

/* --- Registers --- */

/* The general register that a capstone register is or is a part of, plus 1. */
static const reg_id general[X86_REG_ENDING] = {
#define GENERAL(n, r8, r16, r32, r64)                    \
    [X86_REG_##r8] = (n) + 1, [X86_REG_##r16] = (n) + 1, \
    [X86_REG_##r32] = (n) + 1, [X86_REG_##r64] = (n) + 1
    GENERAL(0, AL, AX, EAX, RAX),
    GENERAL(1, CL, CX, ECX, RCX),
    GENERAL(2, DL, DX, EDX, RDX),
    GENERAL(3, BL, BX, EBX, RBX),
    GENERAL(4, SPL, SP, ESP, RSP),
    GENERAL(5, BPL, BP, EBP, RBP),
    GENERAL(6, SIL, SI, ESI, RSI),
    GENERAL(7, DIL, DI, EDI, RDI),
    GENERAL(8, R8B, R8W, R8D, R8),
    GENERAL(9, R9B, R9W, R9D, R9),
    GENERAL(10, R10B, R10W, R10D, R10),
    GENERAL(11, R11B, R11W, R11D, R11),
    GENERAL(12, R12B, R12W, R12D, R12),
    GENERAL(13, R13B, R13W, R13D, R13),
    GENERAL(14, R14B, R14W, R14D, R14),
    GENERAL(15, R15B, R15W, R15D, R15),
#undef GENERAL
    [X86_REG_AH] = 0 + 1,
    [X86_REG_CH] = 1 + 1,
    [X86_REG_DH] = 2 + 1,
    [X86_REG_BH] = 3 + 1,
};

reg_id x86_map(struct x86_builder *b, x86_reg r)
{
    if (r < X86_REG_ENDING && general[r])
        return (reg_id)(general[r] - 1);
    if (r >= X86_REG_XMM0 && r <= X86_REG_XMM15)
        return (reg_id)(X86_VECTOR + (r - X86_REG_XMM0));
    if (r >= X86_REG_YMM0 && r <= X86_REG_YMM15)
        return (reg_id)(X86_VECTOR + (r - X86_REG_YMM0));
    if (r >= X86_REG_ST0 && r <= X86_REG_ST7)
        return X86_FPU;
    if (r != X86_REG_RIP && r != X86_REG_EIP && r != X86_REG_INVALID &&
        r != X86_REG_RIZ && r != X86_REG_EIZ)
        b->failed = true;
    return REG_NONE;
}

void x86_regs_add(struct regs *regs, reg_id r)
{
    if (r == REG_NONE)
        return;
    for (int i = 0; i < regs->n; i++)
        if (regs->r[i] == r)
            return;
    if (regs->n < EFFECT_REGS)
        regs->r[regs->n++] = r;
}

struct regs x86_regs_of(reg_id r)
{
    struct regs regs = {0};
    x86_regs_add(&regs, r);
    return regs;
}

/* The bases of fs and gs are constants of a thread. */
struct regs x86_address(struct x86_builder *b, const cs_x86_op *op)
{
    struct regs regs = {0};
    x86_regs_add(&regs, x86_map(b, op->mem.base));
    x86_regs_add(&regs, x86_map(b, op->mem.index));
    return regs;
}

/* --- Accesses and flows --- */

struct effect_access *x86_add_access(struct x86_builder *b, bool is_write,
                                     unsigned size, const struct regs *addr)
{
    struct effect *e = b->e;
    if (e->n_accesses == EFFECT_ACCESSES || !size) {
        b->failed = true;
        e->n_accesses = 0;
    }
    struct effect_access *a = &e->accesses[e->n_accesses++];
    *a = (struct effect_access){
        .is_write = is_write,
        .size = (uint8_t)size,
        .tags = is_write ? TAG_BIT(TAG_W) : TAG_BIT(TAG_R),
        .addr = *addr,
        .result = REG_NONE,
    };
    if (b->locked) {
        a->role = ACCESS_AMO;
        a->tags |= TAG_BIT(TAG_X);
    } else if (is_write && e->n_accesses > 1 && !e->accesses[0].is_write) {
        a->volatile_order = 1;
    }
    return a;
}

void x86_add_read(struct x86_builder *b, unsigned size, const struct regs *addr,
                  reg_id result)
{
    for (unsigned at = 0; at < size || at == 0; at += ATOMIC_BYTES) {
        unsigned piece = size - at < ATOMIC_BYTES ? size - at : ATOMIC_BYTES;
        struct effect_access *a = x86_add_access(b, false, piece, addr);
        a->result = result;
        a->partial = at > 0;
    }
    x86_regs_add(&b->srcs, REG_READ);
}

void x86_add_write(struct x86_builder *b, unsigned size,
                   const struct regs *addr, const struct regs *data)
{
    for (unsigned at = 0; at < size || at == 0; at += ATOMIC_BYTES) {
        unsigned piece = size - at < ATOMIC_BYTES ? size - at : ATOMIC_BYTES;
        struct effect_access *a = x86_add_access(b, true, piece, addr);
        if (data)
            a->data = *data;
        a->outside_model = b->repeats || b->class->flags & X86_NT;
    }
}

struct effect_flow *x86_add_flow(struct x86_builder *b, enum flow_kind kind,
                                 reg_id dst, const struct regs *srcs)
{
    struct effect_flow *f = &b->e->flows[b->e->n_flows++];
    *f = (struct effect_flow){.kind = (uint8_t)kind, .dst = dst};
    if (srcs)
        f->srcs = *srcs;
    return f;
}

void x86_write_flags(struct x86_builder *b)
{
    if (b->class->flags & X86_FW)
        x86_add_flow(b, FLOW_DATA, X86_FLAGS, &b->srcs);
    else if (b->class->flags & X86_FM)
        x86_add_flow(b, FLOW_MERGE, X86_FLAGS, &b->srcs);
}

/* --- Operands --- */

static char operand_letter(const struct x86_builder *b, unsigned i)
{
    size_t n = strlen(b->class->operands);
    if (!n)
        return '-';
    char letter = b->class->operands[i < n ? i : n - 1];
    return i == 0 && letter == 'm' && b->is_vex ? 'w' : letter;
}

bool x86_is_general(const cs_x86_op *op)
{
    return op->type == X86_OP_REG && op->reg < X86_REG_ENDING &&
           general[op->reg];
}

bool x86_keeps_rest(const cs_x86_op *op)
{
    return x86_is_general(op) && op->size < 4;
}

uint8_t x86_part(const cs_x86_op *op)
{
    enum { LOW_BYTE = 1, HIGH_BYTE = 2, WORD = 3 };
    if (!x86_keeps_rest(op))
        return 0;
    if (op->reg == X86_REG_AH || op->reg == X86_REG_BH ||
        op->reg == X86_REG_CH || op->reg == X86_REG_DH)
        return HIGH_BYTE;
    return op->size == 1 ? LOW_BYTE : WORD;
}

/* Capstone 5 says 16 for comisd. */
static unsigned operand_bytes(const struct x86_builder *b, const cs_x86_op *op)
{
    return b->insn->id == X86_INS_COMISD ? 8 : op->size;
}

void x86_read_operand(struct x86_builder *b, const cs_x86_op *op)
{
    if (op->type == X86_OP_REG) {
        x86_regs_add(&b->srcs, x86_map(b, op->reg));
    } else if (op->type == X86_OP_MEM) {
        struct regs addr = x86_address(b, op);
        x86_add_read(b, operand_bytes(b, op), &addr, REG_NONE);
    }
}

void x86_write_operand(struct x86_builder *b, const cs_x86_op *op, char letter)
{
    if (op->type == X86_OP_MEM) {
        struct regs addr = x86_address(b, op);
        x86_add_write(b, op->size, &addr, &b->srcs);
    } else if (op->type == X86_OP_REG) {
        bool merges = letter == 'w' && x86_keeps_rest(op);
        x86_add_flow(b, merges ? FLOW_MERGE : FLOW_DATA, x86_map(b, op->reg),
                     &b->srcs)
            ->part = x86_part(op);
    }
}

void x86_join_load(struct x86_builder *b)
{
    struct effect *e = b->e;
    if (b->srcs.n != 1 || b->srcs.r[0] != REG_READ || e->n_flows != 1)
        return;
    for (int i = 0; i < e->n_accesses; i++)
        if (e->accesses[i].is_write)
            return;
    for (int i = 0; i < e->n_accesses; i++) {
        e->accesses[i].result = e->flows[0].dst;
        e->accesses[i].partial = i > 0 || e->flows[0].kind == FLOW_MERGE;
        e->accesses[i].part = e->flows[0].part;
    }
    e->n_flows = 0;
}

void x86_plain(struct x86_builder *b)
{
    const cs_x86 *x = b->x86;
    for (unsigned i = 0; i < x->op_count; i++)
        if (strchr("rm", operand_letter(b, i)))
            x86_read_operand(b, &x->operands[i]);
    if (b->class->flags & X86_FR)
        x86_regs_add(&b->srcs, X86_FLAGS);
    for (unsigned i = 0; i < x->op_count; i++)
        if (strchr("wm", operand_letter(b, i)))
            x86_write_operand(b, &x->operands[i], operand_letter(b, i));
    if (!(b->class->flags & (X86_FW | X86_FM)))
        x86_join_load(b);
    x86_write_flags(b);
}
