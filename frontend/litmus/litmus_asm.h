/* Assembly litmus tests as one object file.
 *
 * Only the code of the tests lies in .text. What sets the registers before and
 * tells their values after it lies in the guest's quiet section (.hwc.text),
 * so that it makes no events and no dependencies, whatever registers a test
 * uses: even the stack pointer is free. `main` is a table of addresses in the
 * constants: for each test that of the function which creates its threads, then
 * those of its locations; in the end those of all lines of code. A register is
 * observed under the number of its term. */
#ifndef FRONTEND_LITMUS_ASM_H
#define FRONTEND_LITMUS_ASM_H

#include "frontend/litmus/litmus.h"
#include "hw/isa.h"
#include "hw/litmus_dialect.h"

#define LITMUS_ALIGN 64 /* of locations */

/* Is the word at `word`, of n characters, an operand that names memory? */
bool litmus_names_memory(const struct litmus_test *t, const char *line,
                         const char *word, size_t n);

/* A line of a test that was assembled. */
struct litmus_origin {
    uint32_t test; /* LITMUS_NONE: from us */
    uint32_t thread;
    struct litmus_place place;
};

/* Tests of one ISA, and what becomes of them. */
struct litmus_assembly {
    struct litmus_test *const *tests;
    uint32_t n;
    struct err *errors; /* of kind ERR_NONE for those to be assembled */
    uint32_t *entries;  /* index of each test in the table */
    /* All lines of code by ascending address; the caller frees them. Their
     * addresses stand in the table, from first_line on. */
    struct litmus_origin *lines;
    uint32_t n_lines, lines_cap, first_line;
};

/* Assembles the tests without an error into a file in memory, *fd. One that
 * cannot be assembled gets an error and is left out. False: nothing could be
 * done at all. */
bool litmus_assemble(const struct isa *isa, struct litmus_assembly *a, int *fd,
                     struct err *err);

#endif
