/* Inside the x86-64 decoder: the table of instructions (x86_64_table.c) and
 * what turns capstone's operands into an effect (x86_64_effect.c, and
 * x86_64_special.c for what is not regular).
 *
 * A class lists instructions by name, without LOCK or REP and without the v of
 * AVX. `operands` has a letter for each explicit operand: r read, w written,
 * m both, - neither; the last letter stands for all further operands. An AVX
 * instruction has the class of its SSE name, but writes its first operand
 * without reading it. */
#ifndef HW_ISA_X86_64_X86_64_H
#define HW_ISA_X86_64_X86_64_H

#include "hw/isa.h"

#include <capstone/capstone.h>

/* Taint registers: general, vector, and these. */
enum {
    X86_VECTOR = 16,
    X86_FLAGS = X86_VECTOR + 16,
    X86_FPU, /* the whole x87 state */
    X86_MXCSR,
    X86_N_REGS,
};

enum { X86_RAX, X86_RCX, X86_RDX, X86_RBX, X86_RSP, X86_RBP, X86_RSI, X86_RDI };

enum x86_class_flags {
    X86_FW = 1, /* writes the flags */
    X86_FM = 2, /* writes some of them, or not always */
    X86_FR = 4, /* reads the flags */
    X86_NT = 8, /* non-temporal store */
};

/* What the letters cannot say. */
enum x86_special {
    X86_PLAIN,
    X86_NOTHING,
    X86_TRAP,
    X86_LEA,
    X86_XCHG,
    X86_XADD,
    X86_CMPXCHG,
    X86_CMPXCHG_WIDE,
    X86_PUSH,
    X86_POP,
    X86_PUSHF,
    X86_POPF,
    X86_CALL,
    X86_RET,
    X86_LEAVE,
    X86_JMP,
    X86_JCC,
    X86_JRCXZ,
    X86_LOOP, /* on rcx, which is decremented, and flags if X86_FR */
    X86_CMOV,
    X86_BIT_TEST, /* with memory, the index is part of the address */
    X86_IMUL,
    X86_MULTIPLY,    /* rdx:rax from rax */
    X86_DIVIDE,      /* rdx:rax from rdx:rax */
    X86_SIGN_RAX,    /* rax from rax */
    X86_SIGN_RDX,    /* rdx from rax */
    X86_MULX,        /* reads rdx too */
    X86_BLEND,       /* SSE form reads xmm0 too */
    X86_SCALAR_MOVE, /* between registers: keeps the rest */
    X86_SCALAR_COMPARE,
    X86_HALF_MOVE, /* to a register: keeps the rest */
    X86_MOVS,
    X86_STOS,
    X86_LODS,
    X86_SCAS,
    X86_CMPS,
    X86_FPU_OP,  /* operands only say how memory is used */
    X86_CONTROL, /* mxcsr from or to memory */
    X86_CPUID,
    X86_CLOCK,
    X86_LAHF,
    X86_SAHF,
    X86_MFENCE,
    X86_SFENCE,
    X86_LFENCE,
};

struct x86_class {
    const char *operands;
    uint8_t flags;
    uint8_t special; /* enum x86_special */
    const char *names;
};

/* The class of an instruction, NULL if it is not in the table. */
const struct x86_class *x86_class_find(const char *name);

/* One instruction on its way to an effect. */
struct x86_builder {
    const struct x86_class *class;
    const cs_insn *insn;
    const cs_x86 *x86;
    struct effect *e;
    bool is_vex, locked;
    bool has_rep;     /* prefix: also a part of some opcodes */
    bool repeats;     /* a string instruction with REP */
    bool failed;      /* an operand is not understood */
    struct regs srcs; /* what the results are made of, REG_READ included */
};

/* The taint register of a capstone register, REG_NONE for rip and none. The
 * builder fails at one that is unknown. */
reg_id x86_map(struct x86_builder *b, x86_reg r);

void x86_regs_add(struct regs *regs, reg_id r);
struct regs x86_regs_of(reg_id r);

/* Base and index of a memory operand. */
struct regs x86_address(struct x86_builder *b, const cs_x86_op *op);

/* Appends one access, LOCKed if the builder is, after the reads if a write. */
struct effect_access *x86_add_access(struct x86_builder *b, bool is_write,
                                     unsigned size, const struct regs *addr);

/* Append a read or write of any size, in pieces that are atomic. What a read
 * gets is added to the sources; data may be NULL. */
void x86_add_read(struct x86_builder *b, unsigned size, const struct regs *addr,
                  reg_id result);
void x86_add_write(struct x86_builder *b, unsigned size,
                   const struct regs *addr, const struct regs *data);

/* Appends a flow, valid until the next; srcs may be NULL. */
struct effect_flow *x86_add_flow(struct x86_builder *b, enum flow_kind kind,
                                 reg_id dst, const struct regs *srcs);

/* The flags get the sources, if the class says so. */
void x86_write_flags(struct x86_builder *b);

bool x86_is_general(const cs_x86_op *op);

/* Does writing the operand keep a part of the register? */
bool x86_keeps_rest(const cs_x86_op *op);
/* If so: which part it writes, a mask of bytes; else 0. */
uint8_t x86_part(const cs_x86_op *op);

/* Adds the operand to the sources, or gives them to it; `letter` as in the
 * class. */
void x86_read_operand(struct x86_builder *b, const cs_x86_op *op);
void x86_write_operand(struct x86_builder *b, const cs_x86_op *op, char letter);

/* A result that is nothing but what was read becomes the read's own. */
void x86_join_load(struct x86_builder *b);

/* All operands as the letters say, then the flags. */
void x86_plain(struct x86_builder *b);

/* Fills an empty effect; its kind stays EFFECT_UNKNOWN if an operand is not
 * understood. */
void x86_apply(const struct x86_class *c, const cs_insn *insn,
               const cs_x86 *detail, bool is_vex, struct effect *e);

/* Of struct isa. */
const char *x86_reg_name(reg_id r);
/* NOLINTNEXTLINE(readability-function-size): the port has seven parameters */
unsigned x86_decode(size_t handle, const uint8_t *code, size_t bytes,
                    uint64_t pc, struct effect *out, char *text,
                    size_t text_cap);

extern const struct litmus_dialect *const x86_dialects[];
extern const struct sketch_isa x86_sketch;

#endif
