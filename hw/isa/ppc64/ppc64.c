/* Power, both byte orders: finds the instruction's row in the tables and turns
 * its spec (see ppc64.h) into an effect.
 *
 * The words are decoded by our own tables alone. Capstone 5 gives no registers
 * read or written for Power, knows neither prefixed nor most ISA 3.1
 * instructions, and mixes aliases with instructions; it only writes the text.
 */
#include "hw/isa/ppc64/ppc64.h"

#include <capstone/capstone.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

const char *ppc_reg_name(reg_id r)
{
    static const char names[PPC_N_REGS][6] = {
        "r0",   "r1",    "r2",   "r3",   "r4",   "r5",   "r6",   "r7",   "r8",
        "r9",   "r10",   "r11",  "r12",  "r13",  "r14",  "r15",  "r16",  "r17",
        "r18",  "r19",   "r20",  "r21",  "r22",  "r23",  "r24",  "r25",  "r26",
        "r27",  "r28",   "r29",  "r30",  "r31",  "vs0",  "vs1",  "vs2",  "vs3",
        "vs4",  "vs5",   "vs6",  "vs7",  "vs8",  "vs9",  "vs10", "vs11", "vs12",
        "vs13", "vs14",  "vs15", "vs16", "vs17", "vs18", "vs19", "vs20", "vs21",
        "vs22", "vs23",  "vs24", "vs25", "vs26", "vs27", "vs28", "vs29", "vs30",
        "vs31", "vs32",  "vs33", "vs34", "vs35", "vs36", "vs37", "vs38", "vs39",
        "vs40", "vs41",  "vs42", "vs43", "vs44", "vs45", "vs46", "vs47", "vs48",
        "vs49", "vs50",  "vs51", "vs52", "vs53", "vs54", "vs55", "vs56", "vs57",
        "vs58", "vs59",  "vs60", "vs61", "vs62", "vs63", "cr0",  "cr1",  "cr2",
        "cr3",  "cr4",   "cr5",  "cr6",  "cr7",  "lr",   "ctr",  "tar",  "ca",
        "ov",   "fpscr", "vscr",
    };
    return r < PPC_N_REGS ? names[r] : "?";
}

/* --- Finding the row --- */

/* The extended opcode, where a form has it. */
static unsigned extended_opcode(uint32_t w, enum ppc_form form)
{
    switch (form) {
    case FORM_D:
    case FORM_M:
    case FORM_8LS:
    case FORM_MLS:
        return 0;
    case FORM_DS:
        return ppc_bits(w, 30, 2);
    case FORM_DQ:
        return ppc_bits(w, 29, 3);
    case FORM_DQP:
        return ppc_bits(w, 28, 4);
    case FORM_X:
        return ppc_bits(w, 21, 10);
    case FORM_XA:
        return ppc_bits(w, 21, 10) << 5 | ppc_field(w, 'a');
    case FORM_XO:
        return ppc_bits(w, 22, 9);
    case FORM_XS:
        return ppc_bits(w, 21, 9);
    case FORM_A:
    case FORM_DX:
        return ppc_bits(w, 26, 5);
    case FORM_MD:
        return ppc_bits(w, 27, 3);
    case FORM_MDS:
        return ppc_bits(w, 27, 4);
    case FORM_Z23:
        return ppc_bits(w, 23, 8);
    case FORM_VX:
        return ppc_bits(w, 21, 11);
    case FORM_VXA:
        return ppc_bits(w, 21, 11) << 5 | ppc_field(w, 'a');
    case FORM_VA:
        return ppc_bits(w, 26, 6);
    case FORM_XX2:
        return ppc_bits(w, 21, 9);
    case FORM_XX2A:
        return ppc_bits(w, 21, 9) << 5 | ppc_field(w, 'a');
    case FORM_XX3:
        return ppc_bits(w, 21, 8);
    case FORM_XX3S: /* without the two bits DM or SHW */
        return ppc_bits(w, 21, 1) << 7 | ppc_bits(w, 24, 5);
    case FORM_XX3T: /* without a bit of DCMX */
        return ppc_bits(w, 21, 8) & ~8u;
    case FORM_XX4:
    case FORM_8RR4:
        return ppc_bits(w, 26, 2);
    case FORM_8RR:
        return ppc_bits(w, 11, 4);
    }
    return 0;
}

/* Is bit 31 none of the operands in this form? */
static bool has_record_bit(enum ppc_form form)
{
    switch (form) {
    case FORM_X:
    case FORM_XA:
    case FORM_XO:
    case FORM_XS:
    case FORM_A:
    case FORM_M:
    case FORM_MD:
    case FORM_MDS:
    case FORM_Z23:
        return true;
    default:
        return false;
    }
}

static bool is_prefixed_form(enum ppc_form form, uint32_t prefix)
{
    switch (form) {
    case FORM_8LS:
        return ppc_bits(prefix, 6, 2) == 0;
    case FORM_8RR:
    case FORM_8RR4:
        return ppc_bits(prefix, 6, 2) == 1;
    case FORM_MLS:
        return ppc_bits(prefix, 6, 2) == 2;
    default:
        return false;
    }
}

static bool row_matches(const struct ppc_row *row, const struct ppc_word *in)
{
    enum ppc_form form = (enum ppc_form)row->form;
    if (row->opcode != in->word >> 26 ||
        row->extended != extended_opcode(in->word, form))
        return false;
    if (in->prefixed || form >= FORM_8LS)
        return in->prefixed && is_prefixed_form(form, in->prefix);
    if (!has_record_bit(form) || row->flags & PPC_ANY)
        return true;
    if (row->flags & PPC_DOT)
        return in->word & 1;
    return !(in->word & 1) || row->flags & (PPC_RC | PPC_RC1);
}

static const struct ppc_row *find_row(const struct ppc_word *in)
{
    for (size_t i = 0; i < ppc_n_base_rows; i++)
        if (row_matches(&ppc_base_rows[i], in))
            return &ppc_base_rows[i];
    for (size_t i = 0; i < ppc_n_vector_rows; i++)
        if (row_matches(&ppc_vector_rows[i], in))
            return &ppc_vector_rows[i];
    return NULL;
}

/* --- Text and decoding --- */

/* For what Capstone does not know: the name, then the registers and for
 * prefixed ones the displacement. */
static void write_text(const struct ppc_word *in, const struct ppc_row *row,
                       char *text, size_t cap)
{
    if (!row) {
        snprintf(text, cap, ".long 0x%08" PRIx32, in->word);
        return;
    }
    int used = snprintf(text, cap, "%s", row->name);
    const char *separator = " ";
    for (const char *name = "tabc"; *name; name++) {
        const char *at = row->spec;
        while (*at && !(at[1] == *name && strchr("roRfvsqwzck", at[0])))
            at++;
        if (!*at || used < 0 || (size_t)used >= cap)
            continue;
        reg_id r = ppc_register(in, *at, *name);
        used += snprintf(text + used, cap - (size_t)used, "%s%s", separator,
                         r == REG_NONE ? "0" : ppc_reg_name(r));
        separator = ", ";
    }
    if (in->prefixed && row->form != FORM_8RR && used > 0 &&
        (size_t)used < cap) {
        int64_t displacement =
            (int64_t)((uint64_t)ppc_bits(in->prefix, 14, 18) << 46) >> 30;
        displacement |= ppc_bits(in->word, 16, 16);
        snprintf(text + used, cap - (size_t)used, ", %" PRId64 "%s",
                 displacement, ppc_bits(in->prefix, 11, 1) ? "(pc)" : "");
    }
}

static uint32_t read_word(const uint8_t *b, bool big_endian)
{
    return big_endian ? (uint32_t)b[0] << 24 | (uint32_t)b[1] << 16 |
                            (uint32_t)b[2] << 8 | b[3]
                      : (uint32_t)b[3] << 24 | (uint32_t)b[2] << 16 |
                            (uint32_t)b[1] << 8 | b[0];
}

static void disassemble(csh handle, const struct ppc_word *in,
                        const struct ppc_row *row, char *text, size_t cap)
{
    cs_insn *cs = NULL;
    if (!in->prefixed && cs_disasm(handle, in->code, 4, in->pc, 1, &cs)) {
        snprintf(text, cap, "%s%s%s", cs->mnemonic, cs->op_str[0] ? " " : "",
                 cs->op_str);
        cs_free(cs, 1);
    } else {
        write_text(in, row, text, cap);
    }
}

/* Reads the word or two at in->code. Returns their length, 0 if they are not
 * all there. */
static unsigned read_words(struct ppc_word *in, size_t bytes)
{
    if (bytes < 4)
        return 0;
    in->word = read_word(in->code, in->big_endian);
    in->prefixed = in->word >> 26 == 1;
    if (!in->prefixed)
        return 4;
    if (bytes < 8)
        return 0;
    in->prefix = in->word;
    in->word = read_word(in->code + 4, in->big_endian);
    return 8;
}

static unsigned decode(size_t handle, struct ppc_word *in, size_t bytes,
                       struct effect *out, char *text, size_t text_cap)
{
    memset(out, 0, sizeof *out);
    unsigned length = read_words(in, bytes);
    if (!length)
        return 0;
    const struct ppc_row *row = find_row(in);
    disassemble(handle, in, row, text, text_cap);
    if (!row && !in->prefixed && in->word == 0) {
        out->kind = EFFECT_TRAP; /* the word that is always illegal */
    } else if (row) {
        out->kind = EFFECT_KNOWN;
        if (in->prefixed || in->word != 0x60000000) /* nop: ori r0, r0, 0 */
            ppc_apply(in, row, out);
    }
    return length;
}

/* NOLINTBEGIN(readability-function-size): the port has seven parameters */
unsigned ppc_decode_little(size_t handle, const uint8_t *code, size_t bytes,
                           uint64_t pc, struct effect *out, char *text,
                           size_t text_cap)
{
    struct ppc_word in = {.code = code, .pc = pc};
    return decode(handle, &in, bytes, out, text, text_cap);
}

unsigned ppc_decode_big(size_t handle, const uint8_t *code, size_t bytes,
                        uint64_t pc, struct effect *out, char *text,
                        size_t text_cap)
{
    struct ppc_word in = {.code = code, .pc = pc, .big_endian = true};
    return decode(handle, &in, bytes, out, text, text_cap);
}
/* NOLINTEND(readability-function-size) */

static uint32_t branch_to(uint64_t from, uint64_t to)
{
    return 0x48000000 | ((uint32_t)(to - from) & 0x03fffffc);
}

uint32_t ppc_make_stub(uint32_t word, uint64_t pc, uint64_t at,
                       uint32_t stub[STUB_WORDS])
{
    stub[STUB_SKIP] = 0x41800008 | (word >> 6 & 31) << 16; /* bc 12,bit,.+8 */
    stub[STUB_NOT_HELD] = 0x60000000;                      /* nop */
    stub[STUB_SELECT] = word;
    stub[STUB_BACK] = branch_to(at + 4 * STUB_BACK, pc + 4);
    return branch_to(pc, at);
}
