/* The outcomes of an exploration: final values of the globals and of what the
 * program observed, with the number of executions that end in each. Arena:
 * run. */
#ifndef CORE_OUTCOME_H
#define CORE_OUTCOME_H

#include "core/graph.h"
#include "core/path.h"
#include "core/program.h"

/* Packed: there can be millions. */
struct __attribute__((packed)) outcome_item {
    uint32_t name : 24; /* text id; until outcomes_finish a loc_id if... */
    uint32_t is_location : 1; /* ...this is set */
    uint32_t size : 7;        /* in bytes, for the sign of the value */
    uint64_t value;
};

_Static_assert(sizeof(struct outcome_item) == 12, "no padding to compare");

struct outcome {
    uint64_t hash;
    uint64_t executions;
    uint32_t first, n; /* its items in outcomes.items */
};

struct outcomes {
    struct outcome *list; /* in the order found */
    uint32_t n, cap;
    struct outcome_item *items;
    uint32_t n_items, items_cap;
    uint32_t *index; /* open-addressed hash of list indices + 1 */
    uint32_t index_cap;
    uint64_t not_kept; /* executions whose outcome came after the limit */
    /* After outcomes_finish: the locations in all outcomes, by name, each with
     * its initial value. */
    struct outcome_item *initial;
    uint32_t n_initial;
};

#define OUTCOMES_MAX 100000

void outcomes_init(struct outcomes *o);
void outcomes_release(struct outcomes *o);

/* Counts the outcome of a complete execution. */
void outcomes_add(struct outcomes *o, const struct graph *g,
                  const struct path *path, const struct program *program);

/* After the last one: gives each outcome all locations that differ from their
 * initial value in some outcome, turns locations into names, and sorts items
 * (observations first, then by name) and outcomes (by their values). */
void outcomes_finish(struct outcomes *o, struct program *program);

#endif
