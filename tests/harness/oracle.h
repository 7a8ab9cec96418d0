/* The brute-force oracle: every complete execution of a small program, by
 * taking each thread's possible paths, every rf that fits the values and every
 * co, and asking the model's direct evaluation (model.judge). Shares nothing
 * with the explorer but the graph as a container. */
#ifndef TESTS_ORACLE_H
#define TESTS_ORACLE_H

#include "core/graph.h"
#include "core/model.h"
#include "core/path.h"
#include "tests/harness/script.h"

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

/* A program whose threads are functions of the values they read. Initial values
 * are 0, and all values are below ORACLE_VALUES. */
enum { ORACLE_VALUES = 64, ORACLE_LABELS = 32 };

struct oracle_subject {
    unsigned n_threads, n_locs; /* at most SCRIPT_THREADS, SCRIPT_LOCS */
    const loc_id *locs;
    const struct program *program; /* has the lists of dependencies */
    const void *self;
    /* As script_run, of thread t. */
    unsigned (*run)(const void *self, unsigned t, const uint64_t *values,
                    unsigned n_values, struct label *out, unsigned cap);
};

/* Calls `found` with each consistent execution, once; thread ids are the
 * subject's. False: there are more than `limit` candidates, or too many paths,
 * and it gave up on the way. */
bool oracle_each(const struct oracle_subject *s, const struct model *model,
                 unsigned limit, void (*found)(void *to, const struct graph *g),
                 void *to);

/* Fills `out` with the consistent executions of a script; false as above (then
 * out is of no use). */
bool oracle_run(const struct script *s, const struct model *model,
                unsigned limit, struct execution_set *out);

#endif
