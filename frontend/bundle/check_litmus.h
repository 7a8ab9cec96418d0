/* The machine code of one execution as a litmus test: each thread's accesses
 * and fences in order, with the dependencies that the code has, rebuilt by
 * arithmetic and branches that change nothing. The condition is what the
 * execution reads and leaves in memory. */
#ifndef FRONTEND_CHECK_LITMUS_H
#define FRONTEND_CHECK_LITMUS_H

#include "frontend/check/check.h"

#include <stdio.h>

/* Of something that only the machine has, which must have an execution. False:
 * such a test cannot be written, err says why; what was printed is of no use
 * then. */
bool check_litmus_print(const struct check *c, const struct check_extra *e,
                        FILE *out, struct err *err);

/* ---- between check_litmus.c and check_litmus_asm.c */

#define SKETCH_LINE      64
#define SKETCH_CONSTANTS 32

/* The code of one thread, as it grows. Registers go by number, from 1 on; 0 is
 * none. */
struct sketch {
    const struct graph *graph;
    char (*lines)[SKETCH_LINE];
    uint32_t n_lines, lines_cap;
    uint8_t *reg_of;  /* [graph->cap] where a read's value is */
    bool *branched;   /* [graph->cap] a branch depends on the read */
    uint8_t *base_of; /* [graph->n_locs] where an address is */
    uint32_t n_regs;  /* given out */
    struct {
        uint64_t value;
        uint8_t reg;
    } constants[SKETCH_CONSTANTS];
    uint32_t n_constants;
    uint8_t scratch[3]; /* for an address, data, the result of a store */
    uint32_t n_labels;
    uint32_t number; /* of the thread in the test */
    bool retries;    /* a store-conditional that fails tries again */
    bool can_fail;   /* some goes to the label at the end instead */
};

/* An access, a read-modify-write or a fence, ready to be written down. */
struct sketch_access {
    event_id read, write, fence; /* EVENT_NONE: it has none */
    loc_id loc;
    const char *location;
    unsigned size;
    uint64_t old, new; /* read and written, as small numbers */
};

/* How an ISA writes it. */
struct sketch_isa {
    const char *name; /* of the architecture in herd */
    uint32_t n_regs;
    const char *(*reg_name)(
        uint32_t r); /* in the init section and conditions */
    bool has_bases;  /* addresses are in registers */
    bool (*write)(struct sketch *s, const struct sketch_access *a,
                  struct err *err);
};

const struct sketch_isa *sketch_isa(const struct isa *isa);

/* Appends a line. */
void sketch_line(struct sketch *s, const char *fmt, ...)
    __attribute__((format(printf, 2, 3)));

#endif
