/* The outcomes of an exploration: final values of the globals and of what the
 * program observed, with the number of executions that end in each. Kept in
 * the order found. Arena: run. */
#ifndef CORE_OUTCOME_H
#define CORE_OUTCOME_H

#include "core/graph.h"
#include "core/path.h"
#include "core/program.h"

struct outcome_item {
    uint32_t name; /* text id */
    uint32_t is_location;
    uint64_t value;
};

struct outcome {
    uint64_t hash;
    uint64_t executions;
    uint32_t first, n; /* its items in outcomes.items, sorted by name */
};

struct outcomes {
    struct outcome *list;
    uint32_t n, cap;
    struct outcome_item *items;
    uint32_t n_items, items_cap;
    uint32_t *index; /* open-addressed hash of list indices + 1 */
    uint32_t index_cap;
    uint64_t not_kept; /* executions whose outcome came after the limit */
};

#define OUTCOMES_MAX 100000

void outcomes_init(struct outcomes *o);
void outcomes_release(struct outcomes *o);

/* Counts the outcome of a complete execution. */
void outcomes_add(struct outcomes *o, const struct graph *g,
                  const struct path *path, struct program *program);

#endif
