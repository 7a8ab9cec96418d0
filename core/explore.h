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

/* Why there is a gap: what a message says in words. */
enum gap_reason {
    REASON_NONE,
    /* Limits. */
    REASON_EXECUTIONS, /* --max-executions */
    REASON_EVENTS,     /* more events in one execution than are allowed */
    REASON_LOOP,       /* the code goes round in a loop too often */
    REASON_TIMEOUT,
    REASON_INTERRUPTED,
    /* What the code does. */
    REASON_CODE,       /* is not understood: an instruction, a call, ... */
    REASON_MIXED_SIZE, /* accesses of different sizes race */
    REASON_PARTIAL,    /* may be wrong in an execution that is not complete */
    REASON_DEPENDENCY, /* depends on a value in a way that was not seen */
    /* What the model is not as it is taken to be (core/watch.c). */
    REASON_NOT_EXTENSIBLE,
    REASON_NO_FAILURES, /* its `corder` does not know of CAS that fail */
    REASON_NOT_ATOMIC,
    /* Executions with load buffering that the search does not find
     * (core/lb_gap.c): */
    REASON_LB_SELECTION,  /* across a conditional selection, */
    REASON_LB_FORWARDED,  /* a value that its thread wrote and reads again, */
    REASON_LB_UPDATE,     /* the write of an update, or */
    REASON_LB_FAILING,    /* a CAS that may fail, */
    REASON_LB_SUCCEEDING, /* a CAS that may succeed, or */
    REASON_LB_VARYING,    /* a CAS that orders more or less when it fails */
    /* Executions that the model says are not explored. */
    REASON_LB_UNSEEN, /* load buffering, where dependencies are not known */
    REASON_FLAGGED,   /* the model has a flag for it */
};

/* Does the search leave out executions, other than by a limit? */
static inline bool gap_is_of_search(enum gap_reason reason)
{
    return reason >= REASON_LB_SELECTION;
}
/* Is it nothing but executions that the model says are not explored? */
static inline bool gap_is_unexplored(enum gap_reason reason)
{
    return reason >= REASON_LB_UNSEEN;
}

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
    /* Called for each flag of the model; NULL: they are violations. */
    void (*on_flag)(void *self, const struct broken *why);
    void (*on_progress)(void *self, uint64_t executions, uint64_t blocked,
                        double seconds);
    void *self;
};

#define EXPLORE_VIOLATIONS_MAX 100 /* distinct ones kept with --all */

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
    uint32_t *warnings; /* text ids, with place */
    place_id *warning_places;
    uint32_t n_warnings;
    enum verdict verdict;
    enum gap gap;
    enum gap_reason gap_reason;
    char gap_text[400]; /* which loop, which instruction, ... */
    place_id gap_place; /* or PLACE_NONE */
    double seconds;

    struct search *search; /* core/search.h; NULL before the first run */
};

void explore_init(struct explore *x, const struct explore_options *options,
                  const struct model *model, struct program *program,
                  const struct runtime *runtime);
void explore_release(struct explore *x);

/* Explores the thread 0 that runs `function` (the runtime's number of main).
 * When called again it starts anew, but for the paths that are known. Any
 * number of explorers may be at work, also in threads of one process, if each
 * has its own program and runtime; the model may be the same. True: x->verdict
 * and the rest are set. False: the runtime failed; what was found so far is
 * kept, err says why. */
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

/* From on_execution: that is enough of them; it is no gap. */
void explore_stop(struct explore *x);

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
