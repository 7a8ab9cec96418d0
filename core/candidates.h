/* Every candidate execution of a program, in the sense of the axiomatic models:
 * each thread does what its code does with the values it reads, each read takes
 * some write of that value to its location, the writes of a location are in
 * some order. Nothing else is asked: neither coherence, nor that
 * read-modify-writes are atomic, nor that po and rf have no cycle. For small
 * programs: the number of candidates is exponential in everything.
 *
 * Which values a read may get is not known beforehand: those that some path of
 * some thread writes when its reads get such values, from the initial ones on.
 * So no value comes out of thin air. */
#ifndef CORE_CANDIDATES_H
#define CORE_CANDIDATES_H

#include "core/err.h"
#include "core/graph.h"
#include "core/path.h"
#include "core/program.h"

#include <signal.h>

struct candidates {
    /* Set by the caller. */
    struct path *path; /* of which the graphs' nodes are */
    struct program *program;
    uint64_t max_steps;  /* events added, sources and places tried */
    uint32_t max_events; /* of one execution */
    const volatile sig_atomic_t *stop; /* may be NULL */
    /* Called for each complete candidate; false: enough. */
    bool (*visit)(void *self, const struct graph *g);
    void *self;

    /* Set by candidates_run: something was left out, for this reason. */
    bool is_cut;
    char cut_text[200];
    bool has_errors; /* some candidate ends in a violation; not visited */

    /* The search itself. */
    uint64_t steps;
    struct candidate_pool *pools; /* by location: the values it may have */
    uint32_t n_pools;
    uint32_t n_writes; /* in the longest execution so far */
    bool grew;         /* some pool did, in this round */
    bool visits;       /* the pools are complete: candidates are wanted */
    bool is_done;      /* `visit` said so, or the limit was reached */
    struct err *err;
    bool failed;
};

/* False: the runtime failed, err says why. */
bool candidates_run(struct candidates *c, uint32_t function, uint64_t argument,
                    struct err *err);

#endif
