/* Inside the Power decoder: the instruction tables (ppc64_base.c and
 * ppc64_vector.c) and what turns a row into an effect (ppc64_effect.c).
 *
 * A row is found by the primary opcode, the form (where the extended opcode
 * stands) and the extended opcode. Its spec says what the instruction does, in
 * items separated by spaces:
 *
 *   rt=ra,rb          rt gets a value made of ra and rb
 *   rt,C=ra           two results; no source: a constant
 *   kt+=ka,kb         the rest of the result stays
 *   rt=4[oa,rb]       4 bytes read at an address made of oa and rb
 *   st=8*2[oa]        two reads of 8 bytes
 *   4[oa]=rt          a write; 4x[...] is reserved or conditional
 *
 * A register is a class and a field. Fields: t, a, b, c (bits 6, 11, 16, 21).
 * Classes: r GPR; o GPR, none if 0; R the GPR after it; f FPR; v VR; s VSR with
 * its sixth bit at the field's place in XX forms; q VSR with the bit of DQ
 * forms, w with that of prefixed loads, z of 8RR forms; c CR field; k the CR
 * field of a CR bit. Alone: X cr0, Y cr6, C CA, V OV, L LR, N CTR, P FPSCR, U
 * VSCR, M what the instruction read. FPRs and VRs are the two halves of the
 * VSRs.
 *
 * Left out on purpose: XER[SO], which every compare copies and no compiler
 * sets, and the exception bits of FPSCR; dependencies by them are not ordered
 * by any model. */
#ifndef HW_ISA_PPC64_PPC64_H
#define HW_ISA_PPC64_PPC64_H

#include "hw/isa.h"

/* Names of the manual (Power ISA 3.1, book I, 1.6); S and T are the forms with
 * a shift, splat or test field amid the extended opcode, suffix A stands for an
 * extended opcode that goes on in field A (bits 11 to 15). */
enum ppc_form {
    FORM_D,
    FORM_DS,
    FORM_DQ,
    FORM_DQP,
    FORM_M,
    FORM_X,
    FORM_XA,
    FORM_XO,
    FORM_XS,
    FORM_A,
    FORM_MD,
    FORM_MDS,
    FORM_Z23,
    FORM_VX,
    FORM_VXA,
    FORM_VA,
    FORM_DX,
    FORM_XX2,
    FORM_XX2A,
    FORM_XX3,
    FORM_XX3S,
    FORM_XX3T,
    FORM_XX4,
    FORM_8LS, /* prefixed, type 0 */
    FORM_8RR, /* prefixed, type 1, opcode in bits 11 to 14 */
    FORM_8RR4,
    FORM_MLS, /* prefixed, type 2 */
};

enum ppc_flags {
    PPC_RC = 1,   /* bit 31 set: cr0 gets the sources too */
    PPC_RC1 = 2,  /* bit 31 set: cr1 does */
    PPC_OE = 4,   /* bit 21 set: OV does */
    PPC_DOT = 8,  /* bit 31 must be set; otherwise it must be clear */
    PPC_ANY = 16, /* bit 31 is part of a field, or a hint */
};

/* What does not fit a spec. */
enum ppc_special {
    PPC_PLAIN,
    PPC_B,
    PPC_BC,
    PPC_BCLR,
    PPC_BCCTR,
    PPC_BCTAR,
    PPC_MTSPR,
    PPC_MFSPR,
    PPC_MTCRF,
    PPC_MFCR,
    PPC_ISEL,
    PPC_LMW,
    PPC_STMW,
    PPC_LOAD_PAIR,
    PPC_STORE_PAIR,
    PPC_DCBZ,
    PPC_SYNC,
    PPC_ISYNC,
    PPC_EIEIO,
    PPC_TRAP_IF, /* tw and such: a trap only if always */
    PPC_TRAP,
};

struct ppc_row {
    uint8_t opcode;
    uint8_t form; /* enum ppc_form */
    uint16_t extended;
    uint8_t flags;
    uint8_t special; /* enum ppc_special */
    const char *name, *spec;
};

extern const struct ppc_row ppc_base_rows[], ppc_vector_rows[];
extern const size_t ppc_n_base_rows, ppc_n_vector_rows;

/* Taint registers. */
enum {
    PPC_GPR = 0,
    PPC_VSR = PPC_GPR + 32, /* FPRs are the first half, VRs the second */
    PPC_CR = PPC_VSR + 64,
    PPC_LR = PPC_CR + 8,
    PPC_CTR,
    PPC_TAR,
    PPC_CA, /* and CA32 */
    PPC_OV, /* and OV32 */
    PPC_FPSCR,
    PPC_VSCR,
    PPC_N_REGS,
};

/* An instruction word, or the two of a prefixed instruction. */
struct ppc_word {
    uint32_t prefix, word;
    bool prefixed, big_endian;
    const uint8_t *code; /* where it was read from, */
    uint64_t pc;         /* and will be run */
};

/* Bits first .. first+width-1, counted from the left as in the manual. */
static inline unsigned ppc_bits(uint32_t word, unsigned first, unsigned width)
{
    return (word >> (32 - first - width)) & ((1u << width) - 1);
}

static inline unsigned ppc_field(uint32_t word, char name)
{
    return name == 't'   ? ppc_bits(word, 6, 5)
           : name == 'a' ? ppc_bits(word, 11, 5)
           : name == 'b' ? ppc_bits(word, 16, 5)
                         : ppc_bits(word, 21, 5);
}

/* The register of a class (see above) in the field t, a, b or c. */
reg_id ppc_register(const struct ppc_word *in, char class, char name);

/* Adds what the instruction does to an effect that is known and empty. */
void ppc_apply(const struct ppc_word *in, const struct ppc_row *row,
               struct effect *e);

/* Of struct isa. */
const char *ppc_reg_name(reg_id r);
/* NOLINTBEGIN(readability-function-size): the port has seven parameters */
unsigned ppc_decode_little(size_t handle, const uint8_t *code, size_t bytes,
                           uint64_t pc, struct effect *out, char *text,
                           size_t text_cap);
unsigned ppc_decode_big(size_t handle, const uint8_t *code, size_t bytes,
                        uint64_t pc, struct effect *out, char *text,
                        size_t text_cap);
/* NOLINTEND(readability-function-size) */
uint32_t ppc_make_stub(uint32_t word, uint64_t pc, uint64_t at,
                       uint32_t stub[STUB_WORDS]);

extern const struct litmus_dialect *const ppc_dialects[]; /* ppc64le's */
extern const struct sketch_isa ppc_sketch;
extern const struct isa_assembly ppc_assembly;
extern const struct isa_sync ppc_sync;
extern const struct isa_va_list ppc_va_list;

/* What both byte orders have in common. */
#define PPC_ISA                                                                \
    .elf_machine = EM_PPC64, .model = "power", .program_model = "power-rmw",   \
    .full_fence = TAG_SYNC, .assembler_cpu = "pwr10",                          \
    .assembly = &ppc_assembly, .sketch = &ppc_sketch, .cpu = "power10",        \
    .step = 4, .exact_text = true, .n_trap = 4, .trap = {0, 0, 0, 0},          \
    .has_dependencies = true, .sync = &ppc_sync, .intrinsics = "llvm.ppc.",    \
    .va_list = &ppc_va_list,                                                   \
    .system_calls = (const char *const[]){"sc", NULL}, .cs_arch = CS_ARCH_PPC, \
    .n_regs = PPC_N_REGS, .stack_register = 1, .result_register = 3,           \
    .reg_name = ppc_reg_name, .make_stub = ppc_make_stub

#endif
