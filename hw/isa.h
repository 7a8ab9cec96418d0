/* What a machine instruction does, as far as memory models care: its accesses,
 * its fence, how values flow between registers, and what it branches on.
 *
 * A decoder is one file, hw/isa_<name>.c, with one `const struct isa`. It turns
 * capstone's operands into a struct effect by tables of its own, because
 * capstone's register lists are missing for PPC and wrong in places for
 * AArch64. What is not in the tables is EFFECT_UNKNOWN, never guessed.
 *
 * Registers are small numbers of the ISA's own ("taint registers"): general,
 * vector, link and counter registers, the flags as one register or one a CR
 * field. Constants and zero registers are no register. */
#ifndef HW_ISA_H
#define HW_ISA_H

#include "core/event.h"

#include <stddef.h>

typedef uint8_t reg_id;
#define REG_NONE UINT8_MAX
/* As a source of data, flow or branch: what the instruction itself read from
 * memory (x86: `add %eax, (%rdi)` stores it, `cmp (%rdi), %eax` tests it; a
 * fetch-and-add stores it; a flow from it is the second result of a 16-byte
 * read, as in ldxp and lq). */
#define REG_READ (UINT8_MAX - 1)

/* The most that an instruction has: ld4 of bytes, lmw, mfcr. */
enum { EFFECT_ACCESSES = 64, EFFECT_FLOWS = 34, EFFECT_REGS = 8 };

enum effect_kind {
    EFFECT_UNKNOWN, /* not in the tables: what is executed is UNMODELLED */
    EFFECT_KNOWN,
    EFFECT_TRAP, /* system call, illegal or breakpoint: ends the run */
};

/* Parts of a register are told as a mask, whose bits mean what the ISA wants
 * (x86: the low bytes, Power: the bits of a CR field); 0: all of it, or not
 * told. */

/* A set of registers. */
struct regs {
    uint8_t n;
    reg_id r[EFFECT_REGS];
};

enum access_role {
    ACCESS_PLAIN,
    ACCESS_AMO,         /* half of an atomic instruction (LOCK, xchg, LSE) */
    ACCESS_EXCLUSIVE,   /* load-reserve / store-conditional */
    ACCESS_AMO_COMPARE, /* as AMO, but the write happens only if equal (CAS) */
};

/* One access, in the order in which the instruction makes them. */
struct effect_access {
    uint8_t is_write;
    uint8_t size; /* bytes; 16 for what is single-copy atomic as such */
    uint8_t role; /* enum access_role */
    uint8_t volatile_order; /* pairs: no order between the accesses of one
                               instruction unless set */
    uint8_t if_stored; /* a single one only if its store-exclusive succeeds */
    uint64_t tags;     /* marks beyond R or W: A, L, Q, X, EX, NR, LK ... */
    struct regs addr;  /* whose values make the address */
    struct regs data;  /* write: whose values are stored (AMO: operand) */
    struct regs pick; /* CAS: the compare register (pick-data into the write) */
    reg_id result;    /* read: the register that receives the value */
    uint8_t partial;  /* result keeps the rest of the register: add, not replace
                         the taint */
    uint8_t part;     /* of a partial result: what changes, see below */
    uint8_t loose_address; /* ldnp: an address dependency does not order it */
    uint8_t outside_model; /* weaker than the ordinary write that it is taken
                              for: non-temporal, fast strings; warn */
};

enum flow_kind {
    FLOW_DATA,   /* dst := union of srcs (empty: a constant) */
    FLOW_MERGE,  /* dst := dst | srcs (partial register write) */
    FLOW_SELECT, /* dst := srcs but the last if the condition holds, else the
                    last (REG_NONE: a constant); pick from `cond`. Two sources
                    for csel and isel, three for ccmp, which compares two */
};

/* Power: between a CR field and its place in a general register. */
enum flow_copy {
    COPY_NONE,
    COPY_OUT,  /* dst holds all of the source */
    COPY_BACK, /* dst gets what stands in its place */
};

/* Register results that do not come straight from a read. Executed after the
 * accesses, all from the values before the instruction. */
struct effect_flow {
    uint8_t kind; /* enum flow_kind */
    reg_id dst;
    struct regs srcs;
    struct regs cond;  /* FLOW_SELECT: the flags */
    uint8_t condition; /* FLOW_SELECT: the ISA's condition code */
    uint8_t part;      /* of dst: what changes, see below */
    uint8_t copy;      /* enum flow_copy */
};

enum branch_kind {
    BRANCH_NONE,
    BRANCH_DIRECT,      /* unconditional, or a call */
    BRANCH_CONDITIONAL, /* `branch_on` decides: ctrl */
    BRANCH_INDIRECT,    /* target from `branch_on`: ctrl */
};

struct effect {
    uint8_t kind;   /* enum effect_kind */
    uint8_t branch; /* enum branch_kind */
    uint8_t is_call, is_return;
    uint8_t n_accesses, n_flows;
    uint8_t ends_exclusive; /* clrex and such: forgets the reservation */
    uint8_t repeats;        /* x86 strings: as often as a register says */
    uint8_t may_trap;       /* tw and such: by registers that are not told */
    uint8_t is_pair;     /* its two accesses of 8 bytes are one if aligned, on
                            CPUs that say so (FEAT_LSE2, AVX) */
    uint8_t is_constant; /* its results, whatever its sources hold: x86
                            clears registers by "xor eax, eax" */
    uint64_t target;     /* of a direct or conditional branch; 0: not told */
    uint64_t fence;      /* tags of a fence event, TAG_F included; 0: none */
    struct regs branch_on;
    uint8_t branch_part; /* of those registers: what decides */
    struct effect_access accesses[EFFECT_ACCESSES];
    struct effect_flow flows[EFFECT_FLOWS];
};

/* Instructions of a stub: see isa.make_stub. */
enum { STUB_SKIP, STUB_NOT_HELD, STUB_SELECT, STUB_BACK, STUB_WORDS };

struct isa {
    const char *name;           /* "aarch64" */
    const char *const *aliases; /* "arm64", "armv8", NULL */
    const char *triple;         /* for clang */
    const char *qemu;           /* "qemu-aarch64" */
    const char *model;          /* default for litmus tests: "armv8" */
    const char *program_model;  /* and for compiled programs */
    bool big_endian;
    int cs_arch, cs_mode; /* capstone's numbers */
    reg_id n_regs;
    reg_id stack_register;
    const char *(*reg_name)(reg_id r);

    /* Decodes the instruction at `code` (up to `bytes` long, at address pc).
     * Returns its length, 0 if there are no bytes for one. `handle` is a csh
     * with details on; `text` receives its assembly text. */
    unsigned (*decode)(size_t handle, const uint8_t *code, size_t bytes,
                       uint64_t pc, struct effect *out, char *text,
                       size_t text_cap);

    /* A stub at address `at` that does the conditional selection `word`, whose
     * place is at pc, so that the path through it tells which operand is taken:
     * a branch over one instruction if the condition holds, that one, the
     * selection, and a branch back. Returns the branch to it. NULL: there is no
     * need, since no model of the ISA knows dependencies. */
    uint32_t (*make_stub)(uint32_t word, uint64_t pc, uint64_t at,
                          uint32_t stub[STUB_WORDS]);
};

#endif
