/* x86-64: the instructions that do more than their operands' letters say, and
 * the entry that tells them apart. */
#include "hw/isa/x86_64/x86_64.h"

#include <string.h>

/* --- Atomic instructions --- */

/* The memory operand, or NULL. */
static const cs_x86_op *memory_operand(const struct x86_builder *b)
{
    for (unsigned i = 0; i < b->x86->op_count; i++)
        if (b->x86->operands[i].type == X86_OP_MEM)
            return &b->x86->operands[i];
    return NULL;
}

/* xchg, xadd. With memory, xchg is LOCKed without a prefix. */
static void exchange(struct x86_builder *b)
{
    bool adds = b->class->special == X86_XADD;
    const cs_x86_op *ops = b->x86->operands, *memory = memory_operand(b);
    if (!memory) {
        struct regs first = x86_regs_of(x86_map(b, ops[0].reg)),
                    second = x86_regs_of(x86_map(b, ops[1].reg));
        bool merges = x86_keeps_rest(&ops[0]);
        enum flow_kind kind = merges ? FLOW_MERGE : FLOW_DATA;
        b->srcs = first;
        x86_regs_add(&b->srcs, second.r[0]);
        x86_add_flow(b, kind, first.r[0], adds ? &b->srcs : &second)->part =
            x86_part(&ops[0]);
        x86_add_flow(b, kind, second.r[0], &first)->part = x86_part(&ops[1]);
        x86_write_flags(b);
        return;
    }
    const cs_x86_op *reg = memory == ops ? &ops[1] : &ops[0];
    struct regs addr = x86_address(b, memory);
    struct regs data = x86_regs_of(x86_map(b, reg->reg));
    b->locked = b->locked || !adds;
    x86_add_read(b, memory->size, &addr, data.r[0]);
    b->e->accesses[0].partial = x86_keeps_rest(reg);
    b->e->accesses[0].part = x86_part(reg);
    b->srcs = data;
    if (adds)
        x86_regs_add(&b->srcs, REG_READ);
    x86_add_write(b, memory->size, &addr, &b->srcs);
    x86_write_flags(b);
}

/* The write of a compare and exchange, and what both halves need. */
static void compare_halves(struct x86_builder *b, unsigned size,
                           const struct regs *addr, const struct regs *data,
                           const struct regs *pick)
{
    struct effect_access *r = x86_add_access(b, false, size, addr);
    r->result = X86_RAX; /* replaced only if the comparison fails */
    r->partial = 1;
    struct effect_access *w = x86_add_access(b, true, size, addr);
    w->data = *data;
    w->pick = *pick;
    if (b->locked)
        r->role = w->role = ACCESS_AMO_COMPARE;
    b->srcs = *pick;
    x86_regs_add(&b->srcs, REG_READ);
}

static void compare_exchange(struct x86_builder *b)
{
    const cs_x86_op *ops = b->x86->operands;
    struct regs data = x86_regs_of(x86_map(b, ops[1].reg)),
                rax = x86_regs_of(X86_RAX);
    if (ops[0].type == X86_OP_MEM) {
        struct regs addr = x86_address(b, &ops[0]);
        compare_halves(b, ops[0].size, &addr, &data, &rax);
    } else {
        reg_id dst = x86_map(b, ops[0].reg);
        struct regs old = x86_regs_of(dst);
        b->srcs = rax;
        x86_regs_add(&b->srcs, dst);
        x86_add_flow(b, FLOW_MERGE, dst, &data);
        x86_add_flow(b, FLOW_MERGE, X86_RAX, &old);
    }
    x86_write_flags(b);
}

/* cmpxchg8b, cmpxchg16b: rdx:rax against memory, then rcx:rbx into it. */
static void compare_exchange_wide(struct x86_builder *b)
{
    const cs_x86_op *op = &b->x86->operands[0];
    unsigned size = b->insn->id == X86_INS_CMPXCHG16B ? 16 : 8;
    struct regs addr = x86_address(b, op), data = x86_regs_of(X86_RBX),
                pick = x86_regs_of(X86_RAX), read = x86_regs_of(REG_READ);
    x86_regs_add(&data, X86_RCX);
    x86_regs_add(&pick, X86_RDX);
    compare_halves(b, size, &addr, &data, &pick);
    x86_add_flow(b, FLOW_MERGE, X86_RDX, &read);
    x86_write_flags(b);
}

/* bt and such: with memory and a register as index, the index selects the word
 * as well. */
static void bit_test(struct x86_builder *b)
{
    const cs_x86_op *ops = b->x86->operands;
    x86_plain(b);
    if (ops[0].type == X86_OP_MEM && ops[1].type == X86_OP_REG)
        for (int i = 0; i < b->e->n_accesses; i++)
            x86_regs_add(&b->e->accesses[i].addr, x86_map(b, ops[1].reg));
}

/* --- Stack and control --- */

/* A push or pop moves the stack pointer by a constant. */
static void move_stack(struct x86_builder *b)
{
    struct regs sp = x86_regs_of(X86_RSP);
    x86_add_flow(b, FLOW_DATA, X86_RSP, &sp);
}

static void push(struct x86_builder *b)
{
    struct regs sp = x86_regs_of(X86_RSP);
    x86_read_operand(b, &b->x86->operands[0]);
    x86_add_write(b, b->x86->operands[0].size == 2 ? 2 : 8, &sp, &b->srcs);
    move_stack(b);
}

static void pop(struct x86_builder *b)
{
    const cs_x86_op *op = &b->x86->operands[0];
    struct regs sp = x86_regs_of(X86_RSP);
    x86_add_read(b, op->size, &sp, REG_NONE);
    if (op->type == X86_OP_REG && x86_map(b, op->reg) == X86_RSP) {
        b->e->accesses[0].result = X86_RSP; /* overrides the increment */
        return;
    }
    x86_write_operand(b, op, 'w');
    x86_join_load(b);
    move_stack(b);
}

static void push_flags(struct x86_builder *b)
{
    struct regs sp = x86_regs_of(X86_RSP), flags = x86_regs_of(X86_FLAGS);
    x86_add_write(b, 8, &sp, &flags);
    move_stack(b);
}

static void pop_flags(struct x86_builder *b)
{
    struct regs sp = x86_regs_of(X86_RSP);
    x86_add_read(b, 8, &sp, X86_FLAGS);
    move_stack(b);
}

/* jmp and call: the target is the operand; a call pushes a constant. */
static void jump(struct x86_builder *b)
{
    bool is_call = b->class->special == X86_CALL;
    const cs_x86_op *op = &b->x86->operands[0];
    struct regs sp = x86_regs_of(X86_RSP);
    x86_read_operand(b, op);
    b->e->branch = op->type == X86_OP_IMM ? BRANCH_DIRECT : BRANCH_INDIRECT;
    b->e->branch_on = b->srcs;
    b->e->is_call = is_call;
    if (op->type == X86_OP_IMM)
        b->e->target = (uint64_t)op->imm;
    if (is_call) {
        x86_add_write(b, 8, &sp, NULL);
        move_stack(b);
    }
}

static void ret(struct x86_builder *b)
{
    struct regs sp = x86_regs_of(X86_RSP);
    x86_add_read(b, 8, &sp, REG_NONE);
    move_stack(b);
    b->e->branch = BRANCH_INDIRECT;
    b->e->branch_on = b->srcs;
    b->e->is_return = 1;
}

static void leave(struct x86_builder *b)
{
    struct regs bp = x86_regs_of(X86_RBP);
    x86_add_read(b, 8, &bp, X86_RBP);
    x86_add_flow(b, FLOW_DATA, X86_RSP, &bp);
}

static void conditional(struct x86_builder *b)
{
    b->e->branch = BRANCH_CONDITIONAL;
    if (b->x86->operands[0].type == X86_OP_IMM)
        b->e->target = (uint64_t)b->x86->operands[0].imm;
    if (b->class->special == X86_LOOP || b->class->special == X86_JRCXZ)
        x86_regs_add(&b->e->branch_on, X86_RCX);
    if (b->class->special == X86_LOOP) {
        struct regs counter = x86_regs_of(X86_RCX);
        x86_add_flow(b, FLOW_DATA, X86_RCX, &counter);
    }
    if (b->class->flags & X86_FR)
        x86_regs_add(&b->e->branch_on, X86_FLAGS);
}

/* Reads memory even if the condition is false. */
static void conditional_move(struct x86_builder *b)
{
    const cs_x86_op *ops = b->x86->operands;
    reg_id dst = x86_map(b, ops[0].reg);
    x86_read_operand(b, &ops[1]);
    struct effect_flow *f = x86_add_flow(b, FLOW_SELECT, dst, NULL);
    f->srcs.n = 2;
    f->srcs.r[0] = b->srcs.r[0];
    f->srcs.r[1] = dst;
    f->cond = x86_regs_of(X86_FLAGS);
    f->condition = b->x86->opcode[1] & 15; /* 0f 4c, c: the condition */
}

/* --- Implicit operands --- */

/* rax and, if wide, rdx get what was read and `srcs`. */
static void to_accumulators(struct x86_builder *b, bool rdx)
{
    x86_add_flow(b, FLOW_DATA, X86_RAX, &b->srcs);
    if (rdx)
        x86_add_flow(b, FLOW_DATA, X86_RDX, &b->srcs);
    x86_write_flags(b);
}

static void multiply(struct x86_builder *b)
{
    bool divides = b->class->special == X86_DIVIDE;
    const cs_x86_op *op = &b->x86->operands[0];
    x86_read_operand(b, op);
    x86_regs_add(&b->srcs, X86_RAX);
    if (divides && op->size > 1)
        x86_regs_add(&b->srcs, X86_RDX);
    to_accumulators(b, op->size > 1);
}

/* One operand: as mul. Two: the first is a source too. Three: it is not. */
static void integer_multiply(struct x86_builder *b)
{
    const cs_x86 *x = b->x86;
    if (x->op_count == 1) {
        multiply(b);
        return;
    }
    for (unsigned i = x->op_count == 3; i < x->op_count; i++)
        x86_read_operand(b, &x->operands[i]);
    x86_write_operand(b, &x->operands[0], 'w');
    x86_write_flags(b);
}

static void sign_extend(struct x86_builder *b)
{
    reg_id dst = b->class->special == X86_SIGN_RAX ? X86_RAX : X86_RDX;
    struct regs rax = x86_regs_of(X86_RAX);
    bool keeps = b->insn->id == X86_INS_CWD;
    x86_add_flow(b, keeps ? FLOW_MERGE : FLOW_DATA, dst, &rax);
}

/* movsd and cmpsd are also string instructions, without a vector register. */
static bool is_string(const struct x86_builder *b)
{
    for (unsigned i = 0; i < b->x86->op_count; i++)
        if (b->x86->operands[i].type == X86_OP_REG &&
            !x86_is_general(&b->x86->operands[i]))
            return false;
    return true;
}

/* Size of a string's element. */
static unsigned element(struct x86_builder *b)
{
    const cs_x86_op *op = memory_operand(b);
    b->repeats = b->e->repeats = b->has_rep;
    return op ? op->size : 0;
}

/* The registers that point are moved by a constant, and so is the counter. */
static void advance(struct x86_builder *b, reg_id pointer)
{
    struct regs old = x86_regs_of(pointer);
    x86_add_flow(b, FLOW_DATA, pointer, &old);
}

static void count(struct x86_builder *b)
{
    if (b->repeats)
        advance(b, X86_RCX);
}

static void string_move(struct x86_builder *b)
{
    unsigned size = element(b);
    struct regs rsi = x86_regs_of(X86_RSI), rdi = x86_regs_of(X86_RDI);
    x86_add_read(b, size, &rsi, REG_NONE);
    x86_add_write(b, size, &rdi, &b->srcs);
    advance(b, X86_RSI);
    advance(b, X86_RDI);
    count(b);
}

static void string_store(struct x86_builder *b)
{
    unsigned size = element(b);
    struct regs rdi = x86_regs_of(X86_RDI), rax = x86_regs_of(X86_RAX);
    x86_add_write(b, size, &rdi, &rax);
    advance(b, X86_RDI);
    count(b);
}

static void string_load(struct x86_builder *b)
{
    unsigned size = element(b);
    struct regs rsi = x86_regs_of(X86_RSI);
    x86_add_read(b, size, &rsi, X86_RAX);
    b->e->accesses[0].partial = size < 4;
    advance(b, X86_RSI);
    count(b);
}

/* scas compares with rax, cmps two elements. */
static void string_compare(struct x86_builder *b)
{
    bool with_rax = b->class->special == X86_SCAS;
    unsigned size = element(b);
    struct regs rsi = x86_regs_of(X86_RSI), rdi = x86_regs_of(X86_RDI);
    if (!with_rax)
        x86_add_read(b, size, &rsi, REG_NONE);
    x86_add_read(b, size, &rdi, REG_NONE);
    if (with_rax)
        x86_regs_add(&b->srcs, X86_RAX);
    else
        advance(b, X86_RSI);
    advance(b, X86_RDI);
    count(b);
    x86_add_flow(b, FLOW_DATA, X86_FLAGS, &b->srcs);
}

/* --- Vectors and x87 --- */

static void scalar_move(struct x86_builder *b)
{
    const cs_x86_op *ops = b->x86->operands;
    if (is_string(b)) {
        string_move(b);
    } else if (b->x86->op_count == 2 && ops[0].type == X86_OP_REG &&
               ops[1].type == X86_OP_REG) {
        x86_read_operand(b, &ops[1]);
        x86_add_flow(b, FLOW_MERGE, x86_map(b, ops[0].reg), &b->srcs);
    } else {
        x86_plain(b);
    }
}

static void scalar_compare(struct x86_builder *b)
{
    if (is_string(b))
        string_compare(b);
    else
        x86_plain(b);
}

static void half_move(struct x86_builder *b)
{
    x86_plain(b);
    if (b->x86->op_count == 2 && b->e->n_accesses &&
        !b->e->accesses[0].is_write)
        b->e->accesses[0].partial = 1;
}

static void blend(struct x86_builder *b)
{
    if (!b->is_vex)
        x86_regs_add(&b->srcs, X86_VECTOR);
    x86_plain(b);
}

/* The x87 state is one register, to which everything is added. */
static void fpu(struct x86_builder *b)
{
    const cs_x86_op *op = memory_operand(b);
    bool writes = b->class->operands[0] == 'w';
    struct regs state = x86_regs_of(X86_FPU);
    if (op) {
        struct regs addr = x86_address(b, op);
        if (writes)
            x86_add_write(b, op->size, &addr, &state);
        else
            x86_add_read(b, op->size, &addr, X86_FPU);
        for (int i = 0; !writes && i < b->e->n_accesses; i++)
            b->e->accesses[i].partial = 1;
    } else if (b->insn->id == X86_INS_FNSTSW) {
        x86_add_flow(b, FLOW_MERGE, X86_RAX, &state);
    }
    if (b->class->flags & X86_FW)
        x86_add_flow(b, FLOW_DATA, X86_FLAGS, &state);
    if (b->class->flags & X86_FR) {
        struct regs flags = x86_regs_of(X86_FLAGS);
        x86_add_flow(b, FLOW_MERGE, X86_FPU, &flags);
    }
}

static void control_register(struct x86_builder *b)
{
    struct regs mxcsr = x86_regs_of(X86_MXCSR);
    const cs_x86_op *op = &b->x86->operands[0];
    struct regs addr = x86_address(b, op);
    if (b->class->operands[0] == 'w')
        x86_add_write(b, op->size, &addr, &mxcsr);
    else
        x86_add_read(b, op->size, &addr, X86_MXCSR);
}

static void lea(struct x86_builder *b)
{
    const cs_x86_op *ops = b->x86->operands;
    b->srcs = x86_address(b, &ops[1]);
    x86_write_operand(b, &ops[0], 'w');
}

static void cpuid(struct x86_builder *b)
{
    x86_regs_add(&b->srcs, X86_RAX);
    x86_regs_add(&b->srcs, X86_RCX);
    to_accumulators(b, true);
    x86_add_flow(b, FLOW_DATA, X86_RBX, &b->srcs);
    x86_add_flow(b, FLOW_DATA, X86_RCX, &b->srcs);
    b->e->fence = TAG_BIT(TAG_F) | TAG_BIT(TAG_MFENCE);
}

static void multiply_extended(struct x86_builder *b)
{
    x86_regs_add(&b->srcs, X86_RDX);
    x86_plain(b);
}

static void read_clock(struct x86_builder *b)
{
    to_accumulators(b, true);
}

static void move_flags(struct x86_builder *b)
{
    bool to_rax = b->class->special == X86_LAHF;
    struct regs src = x86_regs_of(to_rax ? X86_FLAGS : X86_RAX);
    x86_add_flow(b, FLOW_MERGE, to_rax ? X86_RAX : X86_FLAGS, &src);
}

static void fence(struct x86_builder *b)
{
    enum event_tag tag = b->class->special == X86_SFENCE   ? TAG_SFENCE
                         : b->class->special == X86_LFENCE ? TAG_LFENCE
                                                           : TAG_MFENCE;
    b->e->fence = TAG_BIT(TAG_F) | TAG_BIT(tag);
}

static void nothing(struct x86_builder *b)
{
    (void)b;
}

static void trap(struct x86_builder *b)
{
    b->e->kind = EFFECT_TRAP;
}

static void (*const appliers[])(struct x86_builder *b) = {
    [X86_PLAIN] = x86_plain,
    [X86_NOTHING] = nothing,
    [X86_TRAP] = trap,
    [X86_LEA] = lea,
    [X86_XCHG] = exchange,
    [X86_XADD] = exchange,
    [X86_CMPXCHG] = compare_exchange,
    [X86_CMPXCHG_WIDE] = compare_exchange_wide,
    [X86_PUSH] = push,
    [X86_POP] = pop,
    [X86_PUSHF] = push_flags,
    [X86_POPF] = pop_flags,
    [X86_CALL] = jump,
    [X86_RET] = ret,
    [X86_LEAVE] = leave,
    [X86_JMP] = jump,
    [X86_JCC] = conditional,
    [X86_JRCXZ] = conditional,
    [X86_LOOP] = conditional,
    [X86_CMOV] = conditional_move,
    [X86_BIT_TEST] = bit_test,
    [X86_IMUL] = integer_multiply,
    [X86_MULTIPLY] = multiply,
    [X86_DIVIDE] = multiply,
    [X86_SIGN_RAX] = sign_extend,
    [X86_SIGN_RDX] = sign_extend,
    [X86_MULX] = multiply_extended,
    [X86_BLEND] = blend,
    [X86_SCALAR_MOVE] = scalar_move,
    [X86_SCALAR_COMPARE] = scalar_compare,
    [X86_HALF_MOVE] = half_move,
    [X86_MOVS] = string_move,
    [X86_STOS] = string_store,
    [X86_LODS] = string_load,
    [X86_SCAS] = string_compare,
    [X86_CMPS] = string_compare,
    [X86_FPU_OP] = fpu,
    [X86_CONTROL] = control_register,
    [X86_CPUID] = cpuid,
    [X86_CLOCK] = read_clock,
    [X86_LAHF] = move_flags,
    [X86_SAHF] = move_flags,
    [X86_MFENCE] = fence,
    [X86_SFENCE] = fence,
    [X86_LFENCE] = fence,
};

static bool clears(const cs_insn *insn, const cs_x86 *detail)
{
    const cs_x86_op *ops = detail->operands;
    return (insn->id == X86_INS_XOR || insn->id == X86_INS_SUB) &&
           ops[0].type == X86_OP_REG && ops[1].type == X86_OP_REG &&
           ops[0].reg == ops[1].reg;
}

/* Moves that Intel and AMD promise to be one access of 16 bytes on processors
 * with AVX. */
static bool is_pair(const cs_insn *insn, const struct effect *e)
{
    switch (insn->id) {
    case X86_INS_MOVAPS:
    case X86_INS_MOVAPD:
    case X86_INS_MOVDQA:
    case X86_INS_VMOVAPS:
    case X86_INS_VMOVAPD:
    case X86_INS_VMOVDQA:
        return e->n_accesses == 2;
    default:
        return false;
    }
}

void x86_apply(const struct x86_class *c, const cs_insn *insn,
               const cs_x86 *detail, bool is_vex, struct effect *e)
{
    struct x86_builder b = {
        .class = c,
        .insn = insn,
        .x86 = detail,
        .e = e,
        .is_vex = is_vex,
        .locked = detail->prefix[0] == X86_PREFIX_LOCK,
        .has_rep = detail->prefix[0] == X86_PREFIX_REP ||
                   detail->prefix[0] == X86_PREFIX_REPNE,
    };
    e->kind = EFFECT_KNOWN;
    e->is_constant = clears(insn, detail);
    appliers[c->special](&b);
    e->is_pair = is_pair(insn, e);
    if (b.failed) {
        memset(e, 0, sizeof *e);
        e->kind = EFFECT_UNKNOWN;
    }
}
