/* The brute-force oracle: every complete execution of a script, by taking each
 * thread's possible paths, every rf that fits the values and every co, and
 * asking the model's direct evaluation (model.judge). Shares nothing with the
 * explorer but the graph as a container. */
#ifndef TESTS_ORACLE_H
#define TESTS_ORACLE_H

#include "core/graph.h"
#include "core/model.h"
#include "core/path.h"
#include "tests/script.h"

/* What two equal executions have in common: values, rf and co by (thread,
 * index), as a 128-bit hash. */
struct execution_key {
    uint64_t a, b;
};

struct execution_set {
    struct execution_key *keys;
    unsigned n, cap;
};

void execution_set_add(struct execution_set *s, struct execution_key key);
void execution_set_sort(struct execution_set *s);
void execution_set_release(struct execution_set *s);

struct execution_key execution_key_of(const struct graph *g);

/* Fills `out` with the consistent executions; false if there are more than
 * `limit` candidates (then out is of no use). */
bool oracle_run(const struct script *s, const struct model *model,
                unsigned limit, struct execution_set *out);

#endif
