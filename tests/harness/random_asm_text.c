/* The programs of random_asm.h as litmus tests. */
#include "tests/harness/random_asm.h"

#include <assert.h>
#include <stdarg.h>
#include <string.h>

const char *asm_location(unsigned loc)
{
    static const char *const names[] = {"x", "y", "z"};
    assert(loc < 3);
    return names[loc];
}

/* In the order of logs. */
const char *asm_register(enum asm_isa isa, unsigned reg)
{
    static const char *const names[ASM_N_ISAS][ASM_REGS] = {
        {"rbx", "rcx", "rdx", "rsi", "rdi", "rbp"},
        {"X0", "X1", "X2", "X3", "X4", "X5"},
        {"r3", "r4", "r5", "r6", "r7", "r8"},
        {"x10", "x11", "x12", "x13", "x14", "x15"},
    };
    return names[isa][reg];
}

/* One thread's column: a line an instruction. */
struct column {
    const struct asm_program *p;
    unsigned thread;
    unsigned at; /* of the instruction that is written */
    char lines[120][48];
    unsigned n;
};

static void line(struct column *c, const char *fmt, ...)
    __attribute__((format(printf, 2, 3)));

static void line(struct column *c, const char *fmt, ...)
{
    va_list args;
    va_start(args, fmt);
    vsnprintf(c->lines[c->n++], sizeof c->lines[0], fmt, args);
    va_end(args);
}

/* ---- AArch64: locations in X10 and on, W20 to W24 are free */

static char arm_width(const struct asm_program *p)
{
    return p->size == 8 ? 'X' : 'W';
}

static const char *arm_suffix(const struct asm_program *p)
{
    return p->size == 1 ? "B" : p->size == 2 ? "H" : "";
}

/* Sets X21 to the address if that depends on something; returns its number. */
static unsigned arm_address(struct column *c, const struct asm_insn *in)
{
    if (in->addr < 0)
        return 10 + in->loc;
    line(c, "EOR W20,W%d,W%d", in->addr, in->addr);
    line(c, "ADD X21,X%u,W20,SXTW", 10 + in->loc);
    return 21;
}

/* The register that holds what is stored: W22 for a constant. */
static unsigned arm_operand(struct column *c, const struct asm_insn *in)
{
    if (in->rb >= 0)
        return (unsigned)in->rb;
    line(c, "MOV W22,#%u", in->imm);
    return 22;
}

static void arm_load_store(struct column *c, const struct asm_insn *in)
{
    const struct asm_program *p = c->p;
    char w = arm_width(p);
    const char *b = arm_suffix(p);
    bool load = in->op == ASM_LOAD;
    unsigned r = load ? (unsigned)in->rd : arm_operand(c, in);
    const char *ordered = load      ? in->acq      ? "LDAR"
                                      : in->acq_pc ? "LDAPR"
                                                   : NULL
                          : in->rel ? "STLR"
                                    : NULL;
    if (ordered || (in->addr >= 0 && in->syntax == 0)) {
        unsigned n = arm_address(c, in);
        line(c, "%s%s %c%u,[X%u]",
             ordered ? ordered
             : load  ? "LDR"
                     : "STR",
             b, w, r, n);
    } else if (in->addr >= 0) {
        line(c, "EOR X20,X%d,X%d", in->addr, in->addr);
        line(c,
             in->syntax == 1   ? "%s%s %c%u,[X%u,X20]"
             : in->syntax == 2 ? "%s%s %c%u,[X%u,W20,SXTW]"
                               : "%s%s %c%u,[X%u,W20,UXTW]",
             load ? "LDR" : "STR", b, w, r, 10 + in->loc);
    } else {
        line(c, in->syntax == 3 ? "%s%s %c%u,[X%u,#0]" : "%s%s %c%u,[X%u]",
             load ? "LDR" : "STR", b, w, r, 10 + in->loc);
    }
}

static const char *arm_order(const struct asm_insn *in)
{
    return in->acq ? in->rel ? "AL" : "A" : in->rel ? "L" : "";
}

static void arm_amo(struct column *c, const struct asm_insn *in)
{
    static const char *const names[] = {"SWP", "LDADD", "LDEOR", "LDSET"};
    static const char *const stores[] = {NULL, "STADD", "STEOR", "STSET"};
    char w = arm_width(c->p);
    const char *b = arm_suffix(c->p);
    unsigned s = arm_operand(c, in), n = arm_address(c, in);
    if (in->rd >= 0)
        line(c, "%s%s%s %c%u,%c%d,[X%u]", names[in->kind], arm_order(in), b, w,
             s, w, in->rd, n);
    else if (in->kind == AMO_SWAP || in->acq)
        line(c, "%s%s%s %c%u,%cZR,[X%u]", names[in->kind], arm_order(in), b, w,
             s, w, n);
    else
        line(c, "%s%s%s %c%u,[X%u]", stores[in->kind], in->rel ? "L" : "", b, w,
             s, n);
}

static void arm_llsc(struct column *c, const struct asm_insn *in)
{
    char w = arm_width(c->p);
    const char *b = arm_suffix(c->p);
    unsigned s = arm_operand(c, in), n = arm_address(c, in);
    line(c, "%s%s %c%d,[X%u]", in->acq ? "LDAXR" : "LDXR", b, w, in->rd, n);
    if (in->from_read) {
        line(c, "ADD %c22,%c%d,#%u", w, w, in->rd, in->imm);
        s = 22;
    } else if (in->rb == in->rd && in->rb >= 0) {
        s = 23; /* what it was before */
    }
    if (in->apart && in->between == ASM_STORE) {
        line(c, "MOV W24,#1");
        line(c, "STR%s %c24,[X%u]", b, w, 10 + in->between_loc);
    } else if (in->apart && in->between == ASM_LOAD) {
        line(c, "LDR%s %c%d,[X%u]", b, w, in->ra, 10 + in->between_loc);
    } else if (in->apart) {
        line(c, "%s", asm_fence(ASM_AARCH64, in->between_kind));
    }
    line(c, "%s%s W20,%c%u,[X%u]", in->rel ? "STLXR" : "STXR", b, w, s, n);
    line(c, "MOV X%d,X20", in->rs);
}

static void arm_alu(struct column *c, const struct asm_insn *in)
{
    static const char *const names[] = {"", "ADD", "SUB", "EOR", "AND", "ORR"};
    if (in->kind == ALU_MOVE) {
        line(c, "MOV X%d,X%d", in->rd, in->ra);
    } else if (in->kind == ALU_ADD || in->kind == ALU_SUB) {
        line(c, "%s W20,W%d,W%d", names[in->kind], in->ra, in->rb);
        line(c, "AND X%d,X20,#3", in->rd);
    } else {
        line(c, "%s X%d,X%d,X%d", names[in->kind], in->rd, in->ra, in->rb);
    }
}

static void arm_insn(struct column *c, const struct asm_insn *in)
{
    char w = arm_width(c->p);
    switch (in->op) {
    case ASM_CONST:
        line(c, "MOV %c%d,#%u", in->syntax & 1 ? 'W' : 'X', in->rd, in->imm);
        break;
    case ASM_ALU:
        arm_alu(c, in);
        break;
    case ASM_FENCE:
        line(c, "%s", asm_fence(ASM_AARCH64, in->kind));
        break;
    case ASM_AMO:
        arm_amo(c, in);
        break;
    case ASM_CAS: {
        unsigned s = arm_operand(c, in), n = arm_address(c, in);
        line(c, "CAS%s%s %c%d,%c%u,[X%u]", arm_order(in), arm_suffix(c->p), w,
             in->rd, w, s, n);
        break;
    }
    case ASM_LLSC:
        if (in->rb == in->rd && in->rb >= 0)
            line(c, "MOV X23,X%d", in->rb);
        arm_llsc(c, in);
        break;
    case ASM_COMPARE:
        line(c, "CMP %c%d,#%u", w, in->ra, in->imm);
        break;
    case ASM_BRANCH:
        if (in->on_reg)
            line(c, "CB%sZ %c%d,L%u", in->negated ? "N" : "", w, in->ra,
                 c->at + 1 + in->skip);
        else
            line(c, "B.%s L%u", in->negated ? "NE" : "EQ",
                 c->at + 1 + in->skip);
        break;
    case ASM_SELECT:
        line(c, "CSEL X%d,X%d,X%d,%s", in->rd, in->ra, in->rb,
             in->negated ? "NE" : "EQ");
        break;
    case ASM_LOAD:
    case ASM_STORE:
        arm_load_store(c, in);
        break;
    case ASM_UPDATE:
        break;
    }
}

/* ---- Power: locations in r20 and on, r14 to r17 are free */

static unsigned ppc_operand(struct column *c, const struct asm_insn *in)
{
    if (in->rb >= 0)
        return 3 + (unsigned)in->rb;
    line(c, "li r15,%u", in->imm);
    return 15;
}

static void ppc_load_store(struct column *c, const struct asm_insn *in)
{
    static const char *const loads[] = {"", "lbz", "lhz", "",  "lwz",
                                        "", "",    "",    "ld"};
    static const char *const stores[] = {"", "stb", "sth", "",   "stw",
                                         "", "",    "",    "std"};
    bool load = in->op == ASM_LOAD;
    const char *name = (load ? loads : stores)[c->p->size];
    unsigned r = load ? 3 + (unsigned)in->rd : ppc_operand(c, in);
    if (in->addr < 0) {
        line(c, "%s r%u,0(r%u)", name, r, 20 + in->loc);
        return;
    }
    line(c, "xor r14,r%d,r%d", 3 + in->addr, 3 + in->addr);
    if (in->syntax == 0) {
        line(c, "add r16,r14,r%u", 20 + in->loc);
        line(c, "%s r%u,0(r16)", name, r);
    } else {
        line(c, "%sx r%u,r14,r%u", name, r, 20 + in->loc);
    }
}

static void ppc_llsc(struct column *c, const struct asm_insn *in)
{
    static const char widths[] = {0, 'b', 'h', 0, 'w', 0, 0, 0, 'd'};
    char w = widths[c->p->size];
    unsigned s = ppc_operand(c, in);
    const char *base = in->addr < 0 ? "0" : "r14";
    if (in->addr >= 0)
        line(c, "xor r14,r%d,r%d", 3 + in->addr, 3 + in->addr);
    if (in->rb == in->rd && in->rb >= 0) {
        line(c, "mr r15,r%d", 3 + in->rb);
        s = 15;
    }
    line(c, "l%carx r%d,%s,r%u", w, 3 + in->rd, base, 20 + in->loc);
    if (in->from_read) {
        line(c, "addi r15,r%d,%u", 3 + in->rd, in->imm);
        s = 15;
    }
    struct asm_insn other = {.op = in->between,
                             .rd = in->ra,
                             .rb = -1,
                             .addr = -1,
                             .loc = in->between_loc};
    if (in->apart && in->between == ASM_FENCE) {
        line(c, "%s", asm_fence(ASM_PPC, in->between_kind));
    } else if (in->apart && in->between == ASM_STORE) {
        line(c, "li r17,1");
        other.rb = 17 - 3;
    }
    if (in->apart && in->between != ASM_FENCE)
        ppc_load_store(c, &other);
    line(c, "st%ccx. r%u,%s,r%u", w, s, base, 20 + in->loc);
}

static void ppc_alu(struct column *c, const struct asm_insn *in)
{
    static const char *const names[] = {"", "add", "", "xor", "and", "or"};
    unsigned d = 3 + (unsigned)in->rd, a = 3 + (unsigned)in->ra;
    unsigned b = 3 + (unsigned)in->rb;
    if (in->kind == ALU_MOVE) {
        line(c, "mr r%u,r%u", d, a);
    } else if (in->kind == ALU_ADD || in->kind == ALU_SUB) {
        if (in->kind == ALU_ADD)
            line(c, "add r14,r%u,r%u", a, b);
        else
            line(c, "subf r14,r%u,r%u", b, a);
        line(c, "rlwinm r%u,r14,0,30,31", d);
    } else {
        line(c, "%s r%u,r%u,r%u", names[in->kind], d, a, b);
    }
}

static void ppc_insn(struct column *c, const struct asm_insn *in)
{
    char field[8] = "";
    if (in->field)
        snprintf(field, sizeof field, "cr%u,", in->field);
    switch (in->op) {
    case ASM_CONST:
        line(c, "li r%d,%u", 3 + in->rd, in->imm);
        break;
    case ASM_ALU:
        ppc_alu(c, in);
        break;
    case ASM_FENCE:
        line(c, "%s", asm_fence(ASM_PPC, in->kind));
        break;
    case ASM_LLSC:
        ppc_llsc(c, in);
        break;
    case ASM_COMPARE:
        line(c, "cmp%si %sr%d,%u", in->syntax & 1 ? "w" : "d", field,
             3 + in->ra, in->imm);
        break;
    case ASM_BRANCH:
        line(c, "b%s %sL%u", in->negated ? "ne" : "eq", field,
             c->at + 1 + in->skip);
        break;
    case ASM_SELECT:
        line(c, "isel r%d,r%d,r%d,%u", 3 + in->rd,
             3 + (in->negated ? in->rb : in->ra),
             3 + (in->negated ? in->ra : in->rb), 4 * in->field + 2);
        break;
    case ASM_LOAD:
    case ASM_STORE:
        ppc_load_store(c, in);
        break;
    case ASM_AMO:
    case ASM_CAS:
    case ASM_UPDATE:
        break;
    }
}

/* ---- x86-64: locations by name or in r8 and on; rax, r11, r12 are free */

static unsigned x86_index(const struct asm_program *p)
{
    return p->size == 8 ? 3 : p->size == 4 ? 2 : p->size - 1;
}

static const char *x86_name(const struct asm_program *p, int reg)
{
    static const char *const names[][ASM_REGS] = {
        {"bl", "cl", "dl", "sil", "dil", "bpl"},
        {"bx", "cx", "dx", "si", "di", "bp"},
        {"ebx", "ecx", "edx", "esi", "edi", "ebp"},
        {"rbx", "rcx", "rdx", "rsi", "rdi", "rbp"},
    };
    return names[x86_index(p)][reg];
}

static const char *x86_free(const struct asm_program *p)
{
    static const char *const names[] = {"r12b", "r12w", "r12d", "r12"};
    return names[x86_index(p)];
}

static const char *x86_place(struct column *c, const struct asm_insn *in,
                             char *buf, size_t cap)
{
    if (in->addr >= 0) {
        line(c, "movl %%%s,%%r11d",
             x86_name(&(struct asm_program){.size = 4}, in->addr));
        line(c, "xorl %%r11d,%%r11d");
        snprintf(buf, cap, "(%%r%u,%%r11)", 8 + in->loc);
    } else if (in->syntax & 1) {
        snprintf(buf, cap, "(%%r%u)", 8 + in->loc);
    } else {
        snprintf(buf, cap, "(%s)", asm_location(in->loc));
    }
    return buf;
}

/* Copies the operand to the free register. */
static void x86_operand(struct column *c, const struct asm_insn *in)
{
    if (in->rb < 0)
        line(c, "movq $%u,%%r12", in->imm);
    else
        line(c, "movq %%%s,%%r12",
             x86_name(&(struct asm_program){.size = 8}, in->rb));
}

static void x86_access(struct column *c, const struct asm_insn *in)
{
    static const char suffixes[] = "bwlq";
    const struct asm_program *p = c->p;
    char s = suffixes[x86_index(p)], buf[40];
    const char *place = x86_place(c, in, buf, sizeof buf);
    const char *reg =
        in->rd < 0 ? "" : asm_register(ASM_X86_64, (unsigned)in->rd);
    if (in->op == ASM_LOAD && p->size < 4)
        line(c, "movz%cl %s,%%%s", s, place,
             x86_name(&(struct asm_program){.size = 4}, in->rd));
    else if (in->op == ASM_LOAD)
        line(c, "mov%c %s,%%%s", s, place, x86_name(p, in->rd));
    else if (in->op == ASM_UPDATE)
        line(c, "add%c $%u,%s", s, in->imm, place);
    else if (in->op == ASM_STORE && in->rb < 0)
        line(c, "mov%c $%u,%s", s, in->imm, place);
    else if (in->op == ASM_STORE)
        line(c, "mov%c %%%s,%s", s, x86_name(p, in->rb), place);
    else if (in->op == ASM_AMO && in->rd < 0 && in->kind == AMO_ADD &&
             in->rb < 0)
        line(c, "lock add%c $%u,%s", s, in->imm, place);
    else if (in->op == ASM_AMO) {
        x86_operand(c, in);
        line(c, "%s%c %%%s,%s", in->kind == AMO_SWAP ? "xchg" : "lock xadd", s,
             x86_free(p), place);
        if (in->rd >= 0)
            line(c, "movq %%r12,%%%s", reg);
    } else {
        x86_operand(c, in);
        line(c, "movq %%%s,%%rax", reg);
        line(c, "lock cmpxchg%c %%%s,%s", s, x86_free(p), place);
        line(c, "movq %%rax,%%%s", reg);
    }
}

static void x86_alu(struct column *c, const struct asm_insn *in)
{
    static const char *const names[] = {"", "add", "sub", "xor", "and", "or"};
    line(c, "movq %%%s,%%r11", asm_register(ASM_X86_64, (unsigned)in->ra));
    if (in->kind != ALU_MOVE)
        line(c, "%sq %%%s,%%r11", names[in->kind],
             asm_register(ASM_X86_64, (unsigned)in->rb));
    if (in->kind == ALU_ADD || in->kind == ALU_SUB)
        line(c, "andl $3,%%r11d");
    line(c, "movq %%r11,%%%s", asm_register(ASM_X86_64, (unsigned)in->rd));
}

static void x86_insn(struct column *c, const struct asm_insn *in)
{
    switch (in->op) {
    case ASM_CONST:
        line(c, "movl $%u,%%%s", in->imm,
             x86_name(&(struct asm_program){.size = 4}, in->rd));
        break;
    case ASM_ALU:
        x86_alu(c, in);
        break;
    case ASM_FENCE:
        line(c, "%s", asm_fence(ASM_X86_64, in->kind));
        break;
    case ASM_COMPARE:
        line(c, "cmpq $%u,%%%s", in->imm,
             asm_register(ASM_X86_64, (unsigned)in->ra));
        break;
    case ASM_BRANCH:
        line(c, "j%s L%u", in->negated ? "ne" : "e", c->at + 1 + in->skip);
        break;
    case ASM_SELECT:
        line(c, "movq %%%s,%%r11", asm_register(ASM_X86_64, (unsigned)in->rb));
        line(c, "cmov%sq %%%s,%%r11", in->negated ? "ne" : "e",
             asm_register(ASM_X86_64, (unsigned)in->ra));
        line(c, "movq %%r11,%%%s", asm_register(ASM_X86_64, (unsigned)in->rd));
        break;
    case ASM_LOAD:
    case ASM_STORE:
    case ASM_AMO:
    case ASM_CAS:
    case ASM_UPDATE:
        x86_access(c, in);
        break;
    case ASM_LLSC:
        break;
    }
}

/* ---- RISC-V: locations in x20 and on; x5, x6, x7, x16 and x17 are free, x28
 * and x29 are zero if the flags say equal */

static char rv_width(const struct asm_program *p)
{
    return p->size == 8 ? 'd' : 'w';
}

/* Sets x6 to the address if that depends on something; returns its number. */
static unsigned rv_address(struct column *c, const struct asm_insn *in)
{
    if (in->addr < 0)
        return 20 + in->loc;
    line(c, in->syntax & 1 ? "xor x5,x%d,x%d" : "sub x5,x%d,x%d", 10 + in->addr,
         10 + in->addr);
    line(c, "add x6,x%u,x5", 20 + in->loc);
    return 6;
}

/* The register that holds what is stored: x7 for a constant. */
static unsigned rv_operand(struct column *c, const struct asm_insn *in)
{
    if (in->rb >= 0)
        return 10 + (unsigned)in->rb;
    line(c, in->syntax & 1 ? "li x7,%u" : "ori x7,x0,%u", in->imm);
    return 7;
}

static const char *rv_order(bool acquires, bool releases)
{
    return acquires ? releases ? ".aq.rl" : ".aq" : releases ? ".rl" : "";
}

static void rv_load_store(struct column *c, const struct asm_insn *in)
{
    char w = rv_width(c->p);
    bool load = in->op == ASM_LOAD;
    unsigned r = load ? 10 + (unsigned)in->rd : rv_operand(c, in);
    unsigned n = rv_address(c, in);
    if (load && in->syntax == 2) { /* by way of a floating-point register */
        line(c, "fl%c f1,0(x%u)", w, n);
        line(c, "fmv.x.%c x%u,f1", w, r);
    } else {
        line(c, "%c%c x%u,0(x%u)", load ? 'l' : 's', w, r, n);
    }
}

static void rv_amo(struct column *c, const struct asm_insn *in)
{
    static const char *const names[] = {"swap", "add", "xor", "or"};
    unsigned s = rv_operand(c, in), n = rv_address(c, in);
    line(c, "amo%s.%c%s x%d,x%u,(x%u)", names[in->kind], rv_width(c->p),
         rv_order(in->acq, in->rel), in->rd < 0 ? 0 : 10 + in->rd, s, n);
}

static void rv_between(struct column *c, const struct asm_insn *in)
{
    char w = rv_width(c->p);
    if (in->between == ASM_STORE) {
        line(c, "li x17,1");
        line(c, "s%c x17,0(x%u)", w, 20 + in->between_loc);
    } else if (in->between == ASM_LOAD) {
        line(c, "l%c x%d,0(x%u)", w, 10 + in->ra, 20 + in->between_loc);
    } else {
        line(c, "%s", asm_fence(ASM_RISCV, in->between_kind));
    }
}

static void rv_llsc(struct column *c, const struct asm_insn *in)
{
    char w = rv_width(c->p);
    bool both = asm_marks_both(in);
    if (in->rb == in->rd && in->rb >= 0)
        line(c, "mv x17,x%d", 10 + in->rb);
    unsigned s = rv_operand(c, in), n = rv_address(c, in);
    line(c, "lr.%c%s x%d,(x%u)", w, rv_order(in->acq, both && in->rel),
         10 + in->rd, n);
    if (in->from_read) {
        line(c, "addi x7,x%d,%u", 10 + in->rd, in->imm);
        s = 7;
    } else if (in->rb == in->rd && in->rb >= 0) {
        line(c, "mv x7,x17"); /* what it was before */
        s = 7;
    }
    if (in->apart)
        rv_between(c, in);
    line(c, "sc.%c%s x16,x%u,(x%u)", w, rv_order(both && in->acq, in->rel), s,
         n);
    line(c, "mv x%d,x16", 10 + in->rs);
}

static void rv_alu(struct column *c, const struct asm_insn *in)
{
    static const char *const names[] = {"", "add", "sub", "xor", "and", "or"};
    int d = 10 + in->rd, a = 10 + in->ra, b = 10 + in->rb;
    if (in->kind == ALU_MOVE) {
        line(c, "mv x%d,x%d", d, a);
    } else if (in->kind == ALU_ADD || in->kind == ALU_SUB) {
        line(c, "%s%s x5,x%d,x%d", names[in->kind], in->syntax & 1 ? "w" : "",
             a, b);
        line(c, "andi x%d,x5,3", d);
    } else {
        line(c, "%s x%d,x%d,x%d", names[in->kind], d, a, b);
    }
}

static void rv_insn(struct column *c, const struct asm_insn *in)
{
    switch (in->op) {
    case ASM_CONST:
        line(c, "li x%d,%u", 10 + in->rd, in->imm);
        break;
    case ASM_ALU:
        rv_alu(c, in);
        break;
    case ASM_FENCE:
        line(c, "%s", asm_fence(ASM_RISCV, in->kind));
        break;
    case ASM_AMO:
        rv_amo(c, in);
        break;
    case ASM_LLSC:
        rv_llsc(c, in);
        break;
    case ASM_COMPARE:
        line(c, "xori x%u,x%d,%u", 28 + in->field, 10 + in->ra, in->imm);
        break;
    case ASM_BRANCH:
        line(c, "b%s x%u,x0,L%u", in->negated ? "ne" : "eq",
             in->on_reg ? 10 + (unsigned)in->ra : 28 + in->field,
             c->at + 1 + in->skip);
        break;
    case ASM_LOAD:
    case ASM_STORE:
        rv_load_store(c, in);
        break;
    case ASM_SELECT:
    case ASM_CAS:
    case ASM_UPDATE:
        break;
    }
}

/* ---- the test */

static void write_column(struct column *c)
{
    static void (*const insns[])(
        struct column *c, const struct asm_insn *in) = {x86_insn, arm_insn,
                                                        ppc_insn, rv_insn};
    unsigned n = c->p->n_insns[c->thread], last = n;
    for (c->at = 0; c->at < n; c->at++) {
        const struct asm_insn *in = &c->p->insns[c->thread][c->at];
        line(c, "L%u:", c->at);
        insns[c->p->isa](c, in);
        if (in->op == ASM_BRANCH && c->at + 1 + in->skip > last)
            last = c->at + 1 + in->skip;
    }
    for (unsigned i = n; i <= last; i++)
        line(c, "L%u:", i);
}

static void print_init(const struct asm_program *p, FILE *out)
{
    static const char *const types[] = {"int8_t", "int16_t", "int", "int64_t"};
    static const unsigned bases[] = {8, 10, 20, 20};
    static const char letters[] = "rXrx";
    fputs("{ ", out);
    for (unsigned i = 0; i < p->n_locs; i++)
        fprintf(out, "%s %s; ", types[x86_index(p)], asm_location(i));
    for (unsigned t = 0; t < p->n_threads; t++)
        for (unsigned i = 0; i < p->n_locs; i++)
            fprintf(out, "%u:%c%u=%s; ", t, letters[p->isa], bases[p->isa] + i,
                    asm_location(i));
    fputs("}\n", out);
}

void asm_print(const struct asm_program *p, const char *name, FILE *out)
{
    static const char *const arches[] = {"X86_64", "AArch64", "PPC", "RISCV"};
    static struct column columns[ASM_THREADS];
    unsigned rows = 0;
    fprintf(out, "%s %s\n", arches[p->isa], name);
    print_init(p, out);
    for (unsigned t = 0; t < p->n_threads; t++) {
        columns[t] = (struct column){.p = p, .thread = t};
        write_column(&columns[t]);
        rows = columns[t].n > rows ? columns[t].n : rows;
        fprintf(out, " P%u %s", t, t + 1 < p->n_threads ? "|" : ";\n");
    }
    for (unsigned i = 0; i < rows; i++)
        for (unsigned t = 0; t < p->n_threads; t++)
            fprintf(out, " %-28s %s",
                    i < columns[t].n ? columns[t].lines[i] : "",
                    t + 1 < p->n_threads ? "|" : ";\n");
    fputs("locations [", out);
    for (unsigned t = 0; t < p->n_threads; t++)
        for (unsigned r = 0; r < ASM_REGS; r++)
            if (asm_uses(p, t, r))
                fprintf(out, "%u:%s; ", t, asm_register(p->isa, r));
    for (unsigned i = 0; i < p->n_locs; i++)
        fprintf(out, "%s; ", asm_location(i));
    fputs("]\nforall (true)\n", out);
}
