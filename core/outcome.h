/* The outcomes of an exploration: final values of the globals and of what the
 * program observed, with the number of executions that end in each.
 *
 * There are two forms of one: raw, as it was found, by locations; and after
 * outcomes_finish also by name, for reports about one exploration alone. */
#ifndef CORE_OUTCOME_H
#define CORE_OUTCOME_H

#include "core/graph.h"
#include "core/path.h"
#include "core/program.h"

enum outcome_kind {
    OUTCOME_OBSERVED, /* name: text id */
    OUTCOME_LOCATION, /* name: loc_id; text id after outcomes_finish */
    OUTCOME_OBJECT,   /* name: text id of what the allocated object at address
                         `value` is; raw only */
    OUTCOME_FAILURE,  /* name: text id, value: place_id; likewise */
    OUTCOME_STATUS,   /* name: thread that ended the program, value: its exit
                         status; likewise */
    OUTCOME_PRINTED,  /* name: thread, size: bytes, value: them; likewise */
};

/* Packed: there can be millions. */
struct __attribute__((packed)) outcome_item {
    uint32_t name : 22;
    uint32_t kind : 3; /* enum outcome_kind */
    uint32_t part : 1; /* raw: the second half of a location of 16 bytes */
    uint32_t size : 6; /* in bytes, for the sign of the value; OBJECT: it has
                          at most 2^size */
    uint64_t value;
};

_Static_assert(sizeof(struct outcome_item) == 12, "no padding to compare");

struct outcome {
    uint64_t hash;
    uint64_t executions;
    uint32_t first, n;         /* its items in outcomes.items */
    uint32_t raw_first, raw_n; /* in outcomes.raw */
};

struct outcomes {
    struct outcome *list; /* in the order found; outcomes_finish sorts it */
    uint32_t n, cap;
    uint32_t last; /* that of the execution added last; OUTCOME_NONE: not kept
                    */
    struct outcome_item *raw, *items;
    uint32_t n_raw, raw_cap, n_items;
    uint32_t *index; /* open-addressed hash of list indices + 1 */
    uint32_t index_cap;
    uint64_t not_kept; /* executions whose outcome came after the limit */
    /* After outcomes_finish: the locations in all outcomes, by name, each with
     * its initial value. */
    struct outcome_item *initial;
    uint32_t n_initial;
};

#define OUTCOMES_MAX 100000
#define OUTCOME_NONE UINT32_MAX

/* "exit", or "exit@T1" of another thread than the first. */
#define OUTCOME_STATUS_BYTES 24
void outcome_status_name(const struct outcome_item *item,
                         char buf[OUTCOME_STATUS_BYTES]);

void outcomes_init(struct outcomes *o);
void outcomes_release(struct outcomes *o);

/* Counts the outcome of an execution: a complete one, or one that failed. */
void outcomes_add(struct outcomes *o, const struct graph *g,
                  const struct path *path, struct program *program);

/* After the last one: gives each outcome all locations that differ from their
 * initial value in some outcome, turns locations into names, and sorts items
 * (observations first, then by name) and outcomes (by their values). */
void outcomes_finish(struct outcomes *o, struct program *program);

#endif
