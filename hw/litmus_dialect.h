/* How an ISA writes litmus tests in herd's format.
 *
 * One half is what stands around the code of a test: setting registers, telling
 * them, creating threads. All of it is code that is not looked at
 * (frontend/litmus/litmus_asm.h), written as assembly text. Symbols that it
 * uses: `slots`, 8 bytes for each term; `name<i>`, the name of term i. The
 * other half is what can be seen of the test's own code, which is text. */
#ifndef HW_LITMUS_DIALECT_H
#define HW_LITMUS_DIALECT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* Registers are numbers below n_registers, bits of a word with one more. */
#define LITMUS_REGISTERS_MAX 32

/* Lists of words end with NULL; a list that is NULL is empty. A "prefix" is how
 * a line of code may begin, whatever the case of its letters. */
struct litmus_dialect {
    const char *name; /* of the architecture, as files begin */
    const char *isa;  /* that runs it */
    unsigned n_registers;
    /* Number of a register as tests name it; -1: none. *bytes: of it. */
    int (*find)(const char *name, unsigned *bytes);
    const char *head; /* of the assembly file */

    /* ---- around the code */
    const char *clear; /* code: no flag is set; may change any register */
    const char *jump;  /* to a label */
    /* Register := number, or symbol plus number. */
    void (*load)(FILE *out, unsigned r, const char *symbol, int64_t number);
    /* Save the register in slot i; `base` is free and holds the slots. */
    void (*base)(FILE *out, unsigned base);
    void (*save)(FILE *out, unsigned r, unsigned base, uint32_t i,
                 unsigned bytes);
    /* After the saves: whatever C code relies on. The stack pointer is at
     * __hwc_mailbox plus `stack`. NULL: nothing. */
    void (*restore)(FILE *out, size_t stack);
    /* Call hwc_observe(name<term>, slot i). */
    void (*observe)(FILE *out, uint32_t term, uint32_t i);
    /* Call __hwc_tell(op, symbol): create a thread, or give up. */
    void (*tell)(FILE *out, int op, const char *symbol);
    /* A function that calls others; NULL: nothing. */
    void (*enter)(FILE *out);
    void (*finish)(FILE *out);

    /* ---- the code: how it is read */
    bool upper;         /* names of registers are told in upper case */
    bool names_memory;  /* operands may be names of locations */
    bool keeps_sign;    /* what narrow signed locations hold in the end */
    const char *before; /* text around each line; "" */
    const char *after;
    /* Changes the line, of which there is room for `cap` characters, before it
     * is written. True: it has been, otherwise. NULL: never. */
    bool (*rewrite)(char *line, size_t cap, FILE *out);
    /* Writes the word of n characters at `at` in the line, which is no label
     * and no location; n == 0: the one character there. */
    void (*write)(const char *line, const char *at, size_t n, FILE *out);
    /* Is the word at the end of a jump a register? NULL: if find knows it. */
    bool (*is_register)(const char *word, size_t n);
    const char *const *jumps;      /* prefixes of what may jump to a label */
    const char *const *no_jumps;   /* and what looks alike */
    const char *const *open_jumps; /* words: they go where no label says */
    const char *const *calls;      /* words: the line uses the link */
    const char *link;              /* the register for returns; NULL: none */
    const char *const *returns;    /* whole lines */

    /* ---- store-conditionals; all of it may be left out if there are none */
    const char *const *conditionals; /* prefixes */
    bool has_status;   /* their first register tells whether they failed */
    const char *retry; /* how a jump starts that is taken if they did */
    const char *zero;  /* the register that always is; NULL: none */
    /* Jump to one of labels 1 .. n-1, <prefix><i>, or go on: all are tried. */
    void (*choose)(FILE *out, uint32_t n, const char *prefix);
    /* Forget the reservation; no register but flags may change. */
    void (*forget)(FILE *out);
    /* What a line does to registers, by its mnemonic: those of `plain`, words
     * with blanks between, and of the next ones write the first register, and
     * read the others. */
    const char *plain, *sets_flags, *asks_flags;
    const char *compares;      /* set the flags alone */
    const char *const *stores; /* prefixes */
    const char *vectors; /* first letters of registers that find does not know;
                            the number follows, or 's' and the number */
    /* Does it do more than that, of which the mnemonic says nothing? NULL:
     * never. */
    bool (*is_opaque)(const char *line);
};

/* The i-th dialect of all ISAs, NULL behind the last. */
const struct litmus_dialect *litmus_dialect_nth(uint32_t i);

/* Does the line begin with one of the prefixes? */
bool litmus_dialect_begins(const char *line, const char *const *prefixes);
/* Is it the whole line, but for its case? */
bool litmus_dialect_is(const char *line, const char *const *lines);
/* May the line jump to a label? */
bool litmus_dialect_jumps(const struct litmus_dialect *d, const char *line);

/* For the folders of ISAs. */

/* Number of the register that is the letter, in either case, and a number below
 * n; -1: it is none. */
int litmus_dialect_numbered(const char *name, char letter, long n);
/* A word, in lower case or as it is. */
void litmus_dialect_copy(const char *at, size_t n, bool lower, FILE *out);

#endif
