/* Small random programs of machine code, in a form of which two readings exist:
 * assembly text for the whole pipeline (a litmus test), and an interpreter that
 * gives events and dependencies by definition, without any decoding, for the
 * oracle. */
#ifndef TESTS_RANDOM_ASM_H
#define TESTS_RANDOM_ASM_H

#include "core/program.h"
#include "tests/harness/script.h"

#include <stdio.h>

enum asm_isa { ASM_X86_64, ASM_AARCH64, ASM_PPC, ASM_RISCV, ASM_N_ISAS };

enum asm_op {
    ASM_CONST,   /* rd = imm */
    ASM_ALU,     /* rd = ra (alu) rb */
    ASM_LOAD,    /* rd = loc */
    ASM_STORE,   /* loc = rb, or imm */
    ASM_FENCE,   /* */
    ASM_AMO,     /* rd = loc; loc = loc (amo) rb or imm; rd may be none */
    ASM_CAS,     /* if (loc == rd) loc = rb or imm; rd = what loc was */
    ASM_LLSC,    /* rd = loc; try loc = rb, imm or rd + imm; rs = failed */
    ASM_COMPARE, /* flags = ra == imm */
    ASM_BRANCH, /* skip instructions if flags (or ra, without compare) say so */
    ASM_SELECT, /* rd = flags ? ra : rb */
    ASM_UPDATE, /* x86: loc = loc + imm, not locked: a load and a store */
};

enum asm_alu { ALU_MOVE, ALU_ADD, ALU_SUB, ALU_XOR, ALU_AND, ALU_OR };
enum asm_amo { AMO_SWAP, AMO_ADD, AMO_XOR, AMO_OR };

struct asm_insn {
    enum asm_op op;
    int rd, ra, rb, rs; /* registers, -1: none */
    int addr;           /* the address depends on this register; -1: on none */
    unsigned loc, imm;
    unsigned kind;  /* enum asm_alu, enum asm_amo, or a number of a fence */
    bool acq, rel;  /* AArch64: an acquire (RCsc), a release; RISC-V: .aq, .rl
                       of an atomic instruction */
    bool acq_pc;    /* load: ldapr */
    bool from_read; /* LLSC: stores rd + imm */
    bool apart;     /* LLSC: something else comes between the two */
    enum asm_op between; /* then: ra = loc, loc = 1 or a fence */
    unsigned between_loc, between_kind;
    bool negated;    /* branch: skips if not equal, or not zero */
    bool on_reg;     /* branch: tests ra itself for zero (AArch64, RISC-V) */
    unsigned skip;   /* branch: how many instructions */
    unsigned field;  /* Power: of the condition register, 0 or 1; RISC-V has
                        a register for either */
    unsigned syntax; /* which of several ways to write it */
};

enum { ASM_THREADS = 3, ASM_INSNS = 10, ASM_REGS = 6, ASM_LOCS = 3 };

struct asm_program {
    enum asm_isa isa;
    unsigned n_threads, n_locs;
    unsigned size; /* of a location: 1, 2, 4 or 8 bytes */
    unsigned n_insns[ASM_THREADS];
    struct asm_insn insns[ASM_THREADS][ASM_INSNS];
    /* Some store-conditional may be skipped: the pipeline chooses all the same
     * whether it fails, so its executions are more. */
    bool counts_differ;
    struct program *program; /* owns the lists of dependencies */
    loc_id locs[ASM_LOCS];
};

/* Fills p with a random program; bind it to run it. */
void asm_generate(struct asm_program *p, enum asm_isa isa, uint64_t *seed);
void asm_bind(struct asm_program *p, struct program *program);

/* As script_run (oracle_subject.run). */
unsigned asm_run(const void *self, unsigned t, const uint64_t *values,
                 unsigned n_values, struct label *out, unsigned cap);

/* The thread's registers after reading all these values. */
void asm_registers(const struct asm_program *p, unsigned t,
                   const uint64_t *values, unsigned n_values,
                   uint64_t regs[ASM_REGS]);

/* Is the register written anywhere in the thread? Then its final value is part
 * of the state. */
bool asm_uses(const struct asm_program *p, unsigned t, unsigned reg);

/* Does either instruction of an LLSC have both annotations? Else the load has
 * .aq and the store .rl. */
bool asm_marks_both(const struct asm_insn *in);

/* The litmus test, and a name as it appears in states: "0:X1". */
void asm_print(const struct asm_program *p, const char *name, FILE *out);
const char *asm_register(enum asm_isa isa, unsigned reg);
const char *asm_location(unsigned loc);

/* Fences by number: how it is written, and its tags. */
unsigned asm_n_fences(enum asm_isa isa);
const char *asm_fence(enum asm_isa isa, unsigned kind);
uint64_t asm_fence_tags(enum asm_isa isa, unsigned kind);

#endif
