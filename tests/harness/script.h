/* Small random programs in a language of their own, and a runtime that
 * interprets them: the explorer's second runtime, and the oracle's subject. */
#ifndef TESTS_SCRIPT_H
#define TESTS_SCRIPT_H

#include "core/path.h"
#include "core/program.h"
#include "core/runtime.h"

#include <stdio.h>

enum script_op {
    OP_LOAD,   /* reg = loc */
    OP_STORE,  /* loc = from < 0 ? value : reg[from] + value */
    OP_FADD,   /* reg = loc; loc += what OP_STORE would store */
    OP_CAS,    /* reg = loc; if (reg == expected) loc = the same */
    OP_FENCE,  /* */
    OP_SKIP,   /* if (reg[from] == expected) skip `value` instructions */
    OP_ASSUME, /* reg[from] != expected, or block */
    OP_CHOOSE, /* reg = one of 0 .. value-1 */
    OP_LL,     /* reg = loc, exclusively */
    OP_SC,     /* store, and with the last load of loc by OP_LL, if there is
                  one that has none yet, a pair */
};

struct script_insn {
    enum script_op op;
    int reg, from;
    int addr; /* access: its address depends on this register, -1: on none */
    bool indexed; /* and it is that of the location so many behind `loc` */
    unsigned loc;
    uint64_t value, expected;
    uint64_t tags, fail_tags; /* modes; of an RMW: read half's, see script.c */
    uint64_t write_tags;
};

enum { SCRIPT_THREADS = 4, SCRIPT_INSNS = 8, SCRIPT_LOCS = 3, SCRIPT_REGS = 8 };

struct script {
    unsigned n_threads, n_locs;
    unsigned n_insns[SCRIPT_THREADS];
    struct script_insn insns[SCRIPT_THREADS][SCRIPT_INSNS];
    struct program *program; /* owns lists of dependencies */
    loc_id locs[SCRIPT_LOCS];
};

/* Which features a random program may use. */
enum {
    SHAPE_ATOMICS = 1,  /* no non-atomic accesses: no data races */
    SHAPE_ADDR = 2,     /* address dependencies */
    SHAPE_RELAXED = 4,  /* mostly relaxed loads and stores: load buffering */
    SHAPE_FENCES = 8,   /* many of them */
    SHAPE_PAIRS = 16,   /* load-exclusives and store-conditionals, also apart */
    SHAPE_PARTS = 32,   /* loads of either half of a location */
    SHAPE_UPDATES = 64, /* many read-modify-writes */
    SHAPE_OWN = 128,   /* load buffering around what a thread reads of itself */
    SHAPE_RING = 256,  /* each thread passes on what it got, by updates too */
    SHAPE_SWAPS = 512, /* many compare-and-swaps, with accesses behind them */
    SHAPE_INDEX = 1024,  /* address dependencies choose the location */
    SHAPE_SERVED = 2048, /* the first thread reads what the last one writes */
    SHAPE_SC = 4096,     /* mostly seq_cst loads and stores */
};

struct script_shape {
    unsigned max_threads, max_insns, max_locs;
    unsigned flags;
};

/* A generator with a state of its own, so that runs can be repeated. */
uint64_t script_random(uint64_t *state);
void script_generate(struct script *s, const struct script_shape *shape,
                     uint64_t *seed);
void script_print(const struct script *s, FILE *out);

/* Makes the locations. Thread 0 of the exploration runs script thread 0 and
 * creates the others first; function numbers are script threads. */
void script_bind(struct script *s, struct program *program);
struct runtime script_runtime(struct script *s);

/* Runs script thread t with the given values; appends labels to `out` (at most
 * cap) until the next one needs a value that is not given, or the thread ends.
 * Returns how many. */
unsigned script_run(const struct script *s, unsigned t, const uint64_t *values,
                    unsigned n_values, struct label *out, unsigned cap);

#endif
