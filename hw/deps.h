/* Dependencies of one thread, from the instructions that it executed: which of
 * its reads flow into the address, the value or the control flow before each of
 * its events. The same code for all ISAs; the rules are those of
 * docs/MODELS.md, "Rules shared by the machine-code front ends" and "Two
 * flows".
 *
 * A read is named by its ordinal, 0 for the first of the thread, a
 * store-conditional, by which an ISA may say that what tells of its success
 * depends on it, by that of its load. A set of both is a bit row: DEP_READ and
 * DEP_STORE say which bit. Each register has four: D (data flow), P (pick flow,
 * through conditional selection and compare-and-swap; holds all of D), S (what
 * is sure: the part of D that it would have whatever had been selected) and C
 * (the reads that chose between operands on the way). Memory that only this
 * thread can reach makes no events, so the sets pass through it, byte by byte.
 */
#ifndef HW_DEPS_H
#define HW_DEPS_H

#include "core/program.h"
#include "hw/isa.h"

/* A value's flows; rows of `deps.n_words` words. */
struct deps_taint {
    uint64_t *d, *p, *s, *c;
};

/* Bytes of private memory that hold a value which depends on a read. */
struct deps_slot {
    uint64_t address;
    uint32_t bytes;
    uint32_t row; /* D; the others are the next */
};

struct deps {
    bool enabled;
    reg_id n_regs;
    uint32_t n_words; /* of a row; doubles as ordinals grow */
    uint64_t *rows;
    uint32_t n_rows, rows_cap;

    struct deps_slot *slots; /* by address, disjoint */
    uint32_t n_slots, slots_cap;
    uint32_t *free_rows; /* of slots that were overwritten */
    uint32_t n_free, free_cap;

    uint64_t n_unknown_selections; /* see deps_dynamic.selection */
};

/* Without tracking (for x86, whose models need no dependencies) all sets stay
 * empty. */
void deps_init(struct deps *t, const struct isa *isa, bool enabled);
void deps_release(struct deps *t);

/* The thread starts again: nothing depends on anything. Keeps the memory. */
void deps_reset(struct deps *t);

/* --- What the decoder cannot know --- */

/* One access of the instruction, in the order of effect.accesses. */
struct deps_access {
    uint64_t address;
    uint32_t read;      /* shared read: its ordinal */
    uint8_t n_reads;    /* how many ordinals from `read` on: 1, or more if the
                           access was split */
    uint32_t stored;    /* store-conditional that succeeded, whose success is
                           told by a register: its load's ordinal + 1 */
    uint8_t is_private; /* no event: the thread's own stack, read-only data */
    uint8_t skipped;    /* not done: the write of a store-conditional or
                           compare-and-swap that failed */
};

enum deps_selection {
    DEPS_UNKNOWN, /* then only what both operands share counts as selected:
                     weaker, so that no behaviour is lost */
    DEPS_HELD,    /* the condition held: the first operand */
    DEPS_NOT_HELD,
};

struct deps_dynamic {
    const struct deps_access *accesses; /* effect.n_accesses of them */
    enum deps_selection selection;
};

/* --- What an instruction's events depend on --- */

/* Sets of reads, each `n_words` long, valid until the next call. */
struct deps_event {
    const uint64_t *addr, *paddr;
    /* Of writes. The read of a compare-and-swap has in `pdata` what it is
     * compared with. */
    const uint64_t *data, *pdata;
    /* A write: the reads that chose what it, or something before it, depends
     * on, but on which it does not surely depend itself. */
    const uint64_t *open;
};

struct deps_out {
    uint32_t n_words;
    /* For each event of the instruction, its fence included. Only grow along
     * the thread. `pctrl` also has what flowed into the address of an earlier
     * private access: AArch64 orders the same events after `paddr;po` as after
     * `pctrl`, and the access itself is no event. */
    const uint64_t *ctrl, *pctrl;
    struct deps_event accesses[EFFECT_ACCESSES];
};

/* Executes one instruction. `dynamic` may be NULL if it has no access and
 * selects nothing. */
void deps_step(struct deps *t, const struct effect *e,
               const struct deps_dynamic *dynamic, struct deps_out *out);

/* The first source of the set that is not below `from`; UINT32_MAX if none. */
uint32_t deps_next(const uint64_t *set, uint32_t n_words, uint32_t from);

/* What a register holds now; borrowed until the next call. For reports and
 * tests. */
struct deps_taint deps_register(const struct deps *t, reg_id r);

#endif
