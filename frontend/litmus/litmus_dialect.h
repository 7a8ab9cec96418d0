/* How each ISA writes what stands around the code of a litmus test: setting
 * registers, telling them, creating threads. All of it is code that is not
 * looked at (litmus_asm.h), written as assembly text. Symbols that it uses:
 * `slots`, 8 bytes for each term; `name<i>`, the name of term i. */
#ifndef FRONTEND_LITMUS_DIALECT_H
#define FRONTEND_LITMUS_DIALECT_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

/* What differs between the ISAs. Registers are numbers below n_registers. */
struct litmus_dialect {
    unsigned n_registers;
    /* Number of a register as tests name it; -1: none. *bytes: of it. */
    int (*find)(const char *name, unsigned *bytes);
    const char *(*name)(unsigned r);
    const char *head;
    const char *clear; /* code: no flag is set; may change any register */
    /* Register := number, or symbol plus number. */
    void (*load)(FILE *out, unsigned r, const char *symbol, int64_t number);
    void (*jump)(FILE *out, const char *label);
    /* Save the register in slot i; `base` is free and holds the slots. */
    void (*base)(FILE *out, unsigned base);
    void (*save)(FILE *out, unsigned r, unsigned base, uint32_t i,
                 unsigned bytes);
    /* After the saves: whatever C code relies on. */
    void (*restore)(FILE *out);
    /* Call hwc_observe(name<term>, slot i). */
    void (*observe)(FILE *out, uint32_t term, uint32_t i);
    /* Call __hwc_tell(op, symbol): create a thread, or give up. */
    void (*tell)(FILE *out, int op, const char *symbol);
    /* Jump to one of labels 1 .. n-1, <prefix><i>, or go on: all are tried. */
    void (*choose)(FILE *out, uint32_t n, const char *prefix);
    /* Forget the reservation; no register but flags may change. NULL: there is
     * no store-conditional. */
    void (*forget)(FILE *out);
    const char *const *conditionals; /* how those start */
    bool has_status;   /* their first register tells whether they failed */
    const char *retry; /* how a jump starts that is taken if they did */
    void (*enter)(FILE *out); /* a function that calls others */
    void (*finish)(FILE *out);
};

extern const struct litmus_dialect litmus_dialect_ppc, litmus_dialect_arm,
    litmus_dialect_x86;

#endif
