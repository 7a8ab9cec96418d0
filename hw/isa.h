/* What a machine instruction does, as far as memory models care: its accesses,
 * its fence, how values flow between registers, and what it branches on.
 *
 * An ISA is a folder, hw/isa/<folder>/, with an isa_<name>.c that defines one
 * `const struct isa` (docs/ARCHITECTURE.md, "Adding an ISA"). Its decoder turns
 * code into a struct effect by tables of its own, because capstone's register
 * lists are missing for PPC and wrong in places for AArch64. What is not in the
 * tables is EFFECT_UNKNOWN, never guessed.
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
    uint64_t tags;     /* marks beyond R or W: A, L, Q, X, EX ... */
    struct regs addr;  /* whose values make the address */
    struct regs data;  /* write: whose values are stored (AMO: operand) */
    struct regs pick; /* CAS: the compare register (pick-data into the write) */
    reg_id result;    /* read: the register that receives the value;
                         store-conditional: that which tells whether it
                         succeeded, if that depends on it */
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

/* What a flag of the compiler says of effect.is_pair. Of those that begin a
 * flag the last of this list counts, and of the flags the last. */
struct isa_pair_flag {
    const char *prefix; /* NULL: the end of the list */
    bool atomic;
};

/* How the guest's library, whose code is not looked at, synchronizes: the tags
 * of what its mutexes and such would be as instructions; as strong as the C
 * orders, no stronger. */
struct isa_sync {
    uint64_t half;    /* of both halves of read-modify-writes, beside RMW */
    uint64_t acquire; /* of reads that acquire */
    uint64_t release; /* of writes that release */
    uint64_t unlock;  /* more of those that are no halves */
    uint64_t fence;   /* before what releases and behind what acquires; 0: none
                         is needed */
};

/* Operands of the assembly of a mapping, in LLVM's notation of constraints. */
struct isa_assembly {
    const char *address, *value; /* constraints */
    const char *clobbers;
    /* Modifiers of operands of 8, 16, 32 and 64 bits; "": none. */
    const char *modifiers;
    /* Narrower values are passed in a register of so many bits, 0 or 32 or 64;
     * with extends_signed words in 64 bits have their sign there. */
    unsigned register_bits;
    bool extends_signed;
    /* In a template with this instruction the result is in that register, the
     * expected value of a cas, too. NULL: there is none. */
    const char *accumulator_of, *accumulator;
};

/* The va_list of an ABI: what va_start puts into it when all arguments are in
 * memory. */
struct isa_va_list {
    uint8_t bytes, n;
    struct {
        uint8_t offset, bytes;
        bool is_area;   /* the address of the arguments */
        uint32_t value; /* else */
    } members[5];
};

/* All that the rest of hwcheck knows of an ISA. What may be NULL or 0 says so,
 * and what follows of it; nothing else may be. In the order of its use: */
/* NOLINTNEXTLINE(clang-analyzer-optin.performance.Padding) */
struct isa {
    const char *name;           /* "aarch64"; mappings call it so */
    const char *const *aliases; /* "arm64", "armv8", NULL */
    bool big_endian;
    uint16_t elf_machine; /* with the byte order this tells it */

    /* ---- models: names of files in models/ */
    const char *model;         /* default for litmus tests: "armv8" */
    const char *program_model; /* and for compiled programs */
    enum event_tag full_fence; /* a model that does not know it is about
                                  another machine */

    /* ---- compiling; lists end with NULL, NULL: an empty one */
    const char *triple;            /* for clang */
    const char *const *abi_flags;  /* of the compiler, for all code */
    const char *const *ir_flags;   /* of clang, for LLVM IR of the source */
    const char *const *code_flags; /* of the compiler, for machine code */
    const char *const *link_flags; /* of lld */
    const char *assembler_cpu;     /* LLVM's name of one that has it all; "" */
    const struct isa_pair_flag *pair_flags; /* NULL: pairs are never one */
    const struct isa_assembly *assembly;    /* NULL: mappings are an error */

    /* ---- LLVM IR of the source */
    const char *intrinsics; /* how the names of its own begin: "llvm.x86." */
    const char *pause;      /* the one of these that does nothing; NULL: none */
    const char *const *pauses; /* assembly that does nothing, NULL at the end */
    /* NULL: functions with variable arguments are an error. */
    const struct isa_va_list *va_list;
    uint8_t long_double_bytes; /* that count; 0: all */

    /* ---- litmus tests: litmus_dialect.h, sketch.h */
    const struct litmus_dialect *const *dialects; /* which it runs, NULL at the
                                                     end; NULL: none */
    const struct sketch_isa *sketch; /* NULL: executions cannot be written
                                           as litmus tests */

    /* ---- QEMU */
    const char *qemu, *cpu; /* "qemu-aarch64", "max" */
    /* Instructions stand at multiples of `step` bytes. With exact_text going
     * from one to the next finds those that are executed; else instructions
     * may be missed, and no flag of them (wire.h) is relied on by which QEMU's
     * loads are told from the program's. */
    unsigned step;
    bool exact_text;
    uint8_t trap[4]; /* an instruction that traps, in the order of memory */
    uint8_t n_trap;  /* its bytes: no other is shorter, or it traps as it is */
    const char *const
        *system_calls; /* how their text begins; NULL at the end */

    /* ---- what its accesses are to models */
    bool has_dependencies; /* its models know them: they are tracked */
    bool loads_in_order;   /* of several instructions, by all its models */
    uint64_t release;      /* tags of writes that release */
    uint64_t failed_loses; /* tags that the read of a compare-and-swap has only
                              if it succeeds, beside RMW */
    uint64_t private_amo;  /* fence that an atomic instruction is even where no
                              other thread sees the memory; 0: none */
    const struct isa_sync *sync; /* NULL: the library's synchronization is
                                    UNMODELLED */

    /* ---- decoding */
    int cs_arch, cs_mode; /* capstone's numbers */
    reg_id n_regs;
    reg_id stack_register;
    reg_id result_register; /* of a function */
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
     * selection, and a branch back. Returns the branch to it. NULL: which one
     * is taken is not known, so that both count. */
    uint32_t (*make_stub)(uint32_t word, uint64_t pc, uint64_t at,
                          uint32_t stub[STUB_WORDS]);
};

/* All of them in the order of lists, NULL at the end. Made from the folders of
 * hw/isa (cmake/isa.cmake). */
extern const struct isa *const isa_registry[];

/* That of a name or alias, NULL: none. */
const struct isa *isa_find(const char *name);
/* That of a triple of LLVM, NULL: none. */
const struct isa *isa_of_triple(const char *triple);
/* That of an ELF file, NULL: none. */
const struct isa *isa_of_elf(unsigned machine, bool big_endian);
/* That of the machine which runs this, NULL: none of them. */
const struct isa *isa_host(void);
/* Is it the intrinsic of one of them that does nothing? */
bool isa_is_pause(const char *intrinsic);
/* Their names: "x86_64, aarch64 or ppc64". */
void isa_print_names(char *buf, size_t cap);

#endif
