/* The machine code of one execution as a litmus test: what is the same for all
 * ISAs of writing a thread's instructions down (frontend/bundle/check_litmus.c
 * writes the file around them). */
#ifndef HW_SKETCH_H
#define HW_SKETCH_H

#include "core/err.h"
#include "core/graph.h"

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

/* Appends a line. */
void sketch_line(struct sketch *s, const char *fmt, ...)
    __attribute__((format(printf, 2, 3)));

/* ---- for the ISAs */

bool sketch_has_tag(const struct sketch *s, event_id e, enum event_tag tag);
/* 0 to 3 for 1 to 8 bytes. */
int sketch_size_index(unsigned size);
uint32_t sketch_new_reg(struct sketch *s);
/* The i-th of sketch.scratch. */
uint32_t sketch_scratch(struct sketch *s, int i);

/* How dependencies are spelled where they are made by arithmetic. */
struct sketch_spelling {
    const char *reg; /* of 64 bits: "r" or "X" */
    const char * xor, *add, *subtract;
    const char *set, *immediate; /* a constant: "MOV W", "#" */
    /* To the label, the next line, if the register says so, or always. */
    void (*branch)(struct sketch *s, uint32_t reg, const char *label);
};

/* The register that holds a constant. */
uint32_t sketch_constant(struct sketch *s, const struct sketch_spelling *sp,
                         uint64_t value);
/* The register with the address of `loc`, or the value, for e, in a way that
 * depends on what e's depends on, `but` aside. */
uint32_t sketch_address(struct sketch *s, const struct sketch_spelling *sp,
                        event_id e, loc_id loc, event_id but);
uint32_t sketch_data(struct sketch *s, const struct sketch_spelling *sp,
                     event_id e, uint64_t value, event_id but);
/* A branch to the next line for each read that e depends on by one and nothing
 * before it does. */
void sketch_branch(struct sketch *s, const struct sketch_spelling *sp,
                   event_id e);
/* Where a store-conditional that fails goes; `label` is that of its loop. */
void sketch_target(struct sketch *s, uint32_t label, char *buf, size_t cap);

struct sketch_fence_text {
    enum event_tag tag;
    const char *text; /* NULL: the end of the list */
};

bool sketch_fence(struct sketch *s, event_id e,
                  const struct sketch_fence_text *texts, struct err *err);

#endif
