/* The runtime port over QEMU: runs the threads of a machine-code image, each
 * from its start with the values that it read before, and turns what the
 * plugin recorded into labels (qemu_replay.c). */
#ifndef HW_QEMU_QEMU_RUNTIME_H
#define HW_QEMU_QEMU_RUNTIME_H

#include "core/err.h"
#include "core/path.h"
#include "core/program.h"
#include "core/runtime.h"
#include "hw/decode.h"
#include "hw/deps.h"
#include "hw/live.h"
#include "hw/qemu/machine_image.h"
#include "hw/qemu/qemu_link.h"
#include "hw/qemu/qemu_spin.h"

/* What a thread asked for, in order: where its values come from is known only
 * from earlier runs. A trie by values, one root for each root of the path
 * cache. */
struct tape_node {
    uint64_t pc, addr; /* addr 0: the library asked */
    uint8_t size;
    uint8_t follows;
    uint8_t n_pieces;
    uint8_t offset;     /* in the first of its */
    uint8_t pieces[16]; /* sizes: the granules that it was split in */
    uint64_t key;       /* value of the parent on the way here */
    uint32_t child, sibling;
};

struct tape_root {
    thread_id thread;
    uint32_t function;
    uint64_t argument;
    uint32_t first; /* node, or UINT32_MAX */
};

struct qemu_function {
    uint64_t addr;
    bool returns_int;
};

/* Where an instruction or call stands in the source. */
struct qemu_place {
    uint64_t pc; /* 0: free */
    place_id place;
};

/* A new event of the current instruction. */
struct qemu_event {
    node_id node;
    int access; /* index in the effect; -1: its fence */
};

/* A call that has not returned: where to, the stack pointer before it, and
 * where the return address lies (0: in a register). */
struct qemu_call {
    uint64_t returns_to, pushed;
    struct spin_reg stack;
};

#define QEMU_EVENTS  128
#define QEMU_CALLERS 64

/* The run that is being replayed. */
struct qemu_replay {
    struct path *path;
    node_id node;
    uint64_t key;
    uint32_t n_labels, skip; /* those of the path are not added again */
    uint32_t next_value;
    uint64_t last_value; /* that was asked for */
    bool done;           /* the label that was asked for is there */
    bool over;           /* nothing more comes of the run */
    bool diverged;       /* the thread did not repeat what it did before */

    /* Behind the label that was asked for, as long as nothing new is made: the
     * values are what memory happened to hold. */
    bool guessing;
    node_id sure; /* the last label that returns or ends */

    thread_id thread;
    uint32_t n_created;
    uint32_t tape;     /* node of the last value asked for, or UINT32_MAX */
    uint64_t tape_key; /* its value */
    uint32_t root;     /* index in roots */

    /* Instructions of the current block that are still to come. */
    uint64_t pc;
    uint32_t left;
    uint64_t last_pc;    /* executed last */
    uint8_t last_branch; /* its effect */
    bool last_is_call, last_is_return;
    uint64_t popped;  /* by the last return: where it found its address */
    bool in_call;     /* in the library, or just back */
    uint64_t callee;  /* of the last call, if that says; else 0 */
    uint64_t user_pc; /* the program's last instruction; 0: none yet */

    uint32_t n_callers;
    bool lost; /* it returned elsewhere, or they are too many */

    /* The reservation: numbers of the load's label, and of the read among the
     * thread's, from 1. */
    uint64_t reserved_addr;
    uint32_t reserved_label; /* 0: none */
    uint32_t reserved_read;
    uint8_t reserved_size;
    uint64_t reserved_effects; /* spin.effects at that time */
    bool unstored; /* its load is a single one only if its store comes */
    uint64_t loop; /* the head of one that it came by last; 0: none */
    uint64_t instructions;
    bool begins_block; /* the next one is the first of its block */
    bool has_started;

    /* In a stub: what the selection takes. */
    enum deps_selection selection;

    uint32_t n_events;
    int access;
    uint32_t n_reads; /* labels so far */

    /* The last load: its node on the tape, and how many of its pieces begin in
     * its first 8 bytes. */
    uint32_t asked;
    uint32_t first_half;

    /* Not cleared for a run. */
    struct qemu_event events[QEMU_EVENTS];
    struct qemu_call callers[QEMU_CALLERS];
};

struct qemu_runtime {
    struct runtime runtime; /* the port */
    struct qemu_link link;
    const struct machine_image *image;
    struct program *program;
    struct decode decode;
    struct deps deps;
    struct spin spin;
    struct live live;
    uint64_t unroll; /* 0: a default */
    /* The code has variants of itself in which store-conditionals outside of
     * loops fail (litmus tests). */
    bool tries_failures;

    struct qemu_replay replay;
    uint64_t *values;
    uint32_t n_values, values_cap;
    struct tape_node *tape;
    uint32_t n_tape, tape_cap;
    struct tape_root *roots;
    uint32_t n_roots, roots_cap;
    struct qemu_function *functions;
    uint32_t n_functions, functions_cap;
    struct qemu_place *places; /* open-addressed by pc */
    uint32_t n_places, places_cap;
    uint64_t *origin; /* pc of each node of the path cache */
    uint32_t origin_cap;
    uint64_t *selections; /* pc of those that have a stub, ascending */
    uint32_t n_selections, selections_cap;
    bool is_set_up;

    /* For each event, what it depends on; the sets are valid during the call
     * and name reads by their ordinal among those of the thread. NULL: not
     * wanted. `access` is an index in the effect, or -1 for its fence. */
    void (*on_event)(void *self, node_id node,
                     const struct instruction *instruction, int access,
                     const struct deps_out *deps);
    void *on_event_self;
    struct dep *event_deps; /* of the event at hand (qemu_deps.c) */
    uint32_t n_event_deps, event_deps_cap;
};

struct qemu_options {
    const char *qemu;   /* NULL: the ISA's */
    const char *plugin; /* NULL: found beside this program */
    uint64_t unroll;
};

/* The image and `program` must live as long. QEMU starts with the first run. */
bool qemu_runtime_init(struct qemu_runtime *r,
                       const struct machine_image *image,
                       struct program *program,
                       const struct qemu_options *options, struct err *err);
void qemu_runtime_release(struct qemu_runtime *r);

/* Number of the function at `addr`, for path_root. */
uint32_t qemu_runtime_function(struct qemu_runtime *r, uint64_t addr,
                               bool returns_int);

/* The instruction that made a label: its address (0: none, or the library's),
 * and itself (NULL likewise). */
uint64_t qemu_runtime_pc(const struct qemu_runtime *r, node_id node);
const struct instruction *qemu_runtime_instruction(struct qemu_runtime *r,
                                                   node_id node);

/* program's `name`; self is the runtime. */
void qemu_runtime_name(const void *self, uint64_t addr, unsigned size,
                       char *buf, size_t cap);

/* ---- between qemu_runtime.c and qemu_replay.c */

/* Turns the records of the last turn into labels; false only for our own
 * faults. `last`: the run is over. */
bool qemu_replay_records(struct qemu_runtime *r, bool last, struct err *err);

/* What the tape knows a read by: its bytes. */
uint64_t qemu_runtime_tape_key(struct qemu_runtime *r, const uint8_t *bytes,
                               unsigned size);

/* Position of the code at pc, interned. */
place_id qemu_runtime_place(struct qemu_runtime *r, uint64_t pc);

#endif
