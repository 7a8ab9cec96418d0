/* The engine: visits every consistent complete execution of a program exactly
 * once (TruSt; see search.c for the algorithm). */
#ifndef CORE_EXPLORE_H
#define CORE_EXPLORE_H

#include "core/err.h"
#include "core/graph.h"
#include "core/model.h"
#include "core/outcome.h"
#include "core/path.h"
#include "core/program.h"

#include <signal.h>

/* VIOLATION beats all; a gap (bound, time, unmodelled) rules out SOUND. */
enum verdict { VERDICT_NONE, VERDICT_SOUND, VERDICT_VIOLATION, VERDICT_GAP };

enum gap {
    GAP_NONE,
    GAP_BOUNDED,     /* a loop bound, --max-executions or event limit was hit */
    GAP_TIMEOUT,     /* --timeout */
    GAP_UNMODELLED,  /* something that is not understood */
    GAP_INTERRUPTED, /* Ctrl-C */
    GAP_NOTHING,     /* a check that has nothing to compare */
};

struct violation {
    enum violation_kind kind;
    uint32_t text;  /* what happened, text id */
    place_id place; /* where, PLACE_NONE if nowhere in particular */
    thread_id thread;
    struct graph graph; /* the execution so far: the witness */
    event_id events[2]; /* those in conflict, or EVENT_NONE */
    struct broken why;  /* of a flag; n == 0 if none */
    uint64_t execution; /* how many executions came before */
};

struct explore_options {
    uint64_t max_executions; /* 0: no limit */
    double timeout_s;        /* 0: no limit */
    uint32_t max_events;     /* per execution */
    bool all;                /* go on after the first violation */
    /* Where an assertion fails or abort is called the other threads go on to
     * their end, and the execution has an outcome. */
    bool through_failures;
    /* Also executions in which a thread waits for ever because the search would
     * not let a later write reach it; else they are left out where they are
     * seen to be so. */
    bool keeps_waiting;
    const volatile sig_atomic_t *stop; /* set by Ctrl-C; may be NULL */
    /* Called for each complete execution (blocked: some thread is blocked), and
     * about four times a second with progress; both may be NULL. Fences that
     * the model ignores are not in g: see explore_with_fences. */
    void (*on_execution)(void *self, const struct graph *g, bool blocked);
    void (*on_progress)(void *self, uint64_t executions, uint64_t blocked,
                        double seconds);
    void *self;
};

#define EXPLORE_VIOLATIONS_MAX 100 /* distinct ones kept with --all */

/* Rows of dependencies; see search.h. */
struct dep_slot {
    node_id node; /* NODE_NONE: empty */
    uint32_t at;  /* in rows */
};
struct dep_cache {
    struct dep_slot *slots;
    uint64_t *rows;
    uint32_t n, cap, words, version;
};

/* Bit rows that live until the next use of the same kind. */
enum scratch_kind {
    SCRATCH_PREFIX,
    SCRATCH_ORDERED,
    SCRATCH_KEPT,
    SCRATCH_DONE,
    SCRATCH_FULL,
    SCRATCH_CAUSES,
    SCRATCH_READERS,
    SCRATCH_SERVED,
    SCRATCH_NEEDED,
    SCRATCH_HALVES,
    SCRATCH_APART,
    SCRATCH_LOOSE,
    SCRATCH_FREED,
    SCRATCH_OTHER,
    SCRATCHES
};

struct scratch_row {
    uint64_t *row;
    uint32_t words;
};

struct explore {
    struct explore_options options;
    const struct model *model;
    struct program *program;
    struct path path;

    uint64_t executions, blocked, revisits, steps;
    struct outcomes outcomes;
    struct violation *violations; /* distinct by kind, place and text */
    uint32_t n_violations;
    uint64_t violations_seen;
    struct graph *kept; /* see explore_keep */
    uint32_t n_kept;
    struct graph whole; /* see explore_with_fences */
    uint32_t *warnings; /* text ids, with place */
    place_id *warning_places;
    uint32_t n_warnings;
    enum verdict verdict;
    enum gap gap;
    char gap_text[400]; /* which loop, which instruction, ... */
    place_id gap_place; /* or PLACE_NONE */
    /* Nothing is missing but executions that the model says are not explored.
     */
    bool only_unexplored;
    double seconds;

    /* The search itself: see search.c and search.h. */
    struct frame *frames;
    uint32_t n_frames, frames_cap, frames_made;
    struct work *work;
    uint32_t n_work, work_cap;
    struct graph_ids ids; /* of models with holes */
    struct dep_cache deps;
    struct scratch_row scratch[SCRATCHES];
    event_id pending; /* a read whose RMW must write next, or EVENT_NONE */
    /* Of the revisit at hand: writes of RMWs that do not stay with their reads;
     * NULL: none. */
    const uint64_t *apart;
    bool has_splits;    /* there was such a revisit */
    bool has_joined;    /* the last prefix has a write of an RMW for its read's
                           sake alone */
    bool has_forwarded; /* it has a write whose value alone is needed, ... */
    bool leaves_forwarded; /* ... and is to have it without its needs */
    bool has_swaps;        /* a compare-and-swap was met */
    bool dead;             /* the graph on top leads nowhere: backtrack */
    bool stopped;          /* --max-executions was reached */
    bool failed;           /* the runtime failed, *err says why */
    struct err *err;
    double started, next_progress;
    uint64_t misses_seen; /* of the path cache, at the last look */
};

void explore_init(struct explore *x, const struct explore_options *options,
                  const struct model *model, struct program *program,
                  const struct runtime *runtime);
void explore_release(struct explore *x);

/* Explores the thread 0 that runs `function` (the runtime's number of main).
 * When called again it starts anew, but for the paths that are known. True:
 * x->verdict and the rest are set. False: the runtime failed; what was found so
 * far is kept, err says why. */
bool explore_run(struct explore *x, uint32_t function, uint64_t argument,
                 struct err *err);

/* After explore_run: if it found no violation, and it is the search that left
 * something open, not what the code does, all candidates (core/candidates.h)
 * that the model allows take the place of what was found, if there are few
 * enough to try them all. Else nothing changes. Blocked executions are not
 * counted. False: the runtime failed. */
bool explore_candidates(struct explore *x, uint32_t function, uint64_t argument,
                        struct err *err);

/* After explore_run: one more warning, about no place. */
void explore_warn(struct explore *x, const char *text);

/* From on_execution: the execution with the fences that the model ignores, for
 * reports and for other models; an event has the same id. Valid until the next
 * call. */
const struct graph *explore_with_fences(struct explore *x,
                                        const struct graph *g);

/* From on_execution: keeps a whole copy of the execution, with the paths that
 * its events stand on, as x->kept[i] until explore_release. In place of
 * kept[i], or for i == x->n_kept as a further one. */
void explore_keep(struct explore *x, uint32_t i, const struct graph *g);

#endif
