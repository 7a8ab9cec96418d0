/* The fast checker: runs a plan (cat_plan.h) on a graph that grows. */
#ifndef MODELS_CAT_CHECKER_H
#define MODELS_CAT_CHECKER_H

#include "core/graph.h"
#include "models/cat/plan/cat_plan.h"
#include "models/cat/run/cat_memo.h"
#include "models/cat/run/cat_step.h"

/* Working memory; grows when a graph's rows are longer than any before, else
 * nothing is allocated. One checker must not be used by two threads. */
struct cat_checker {
    const struct cat_plan *plan;
    struct cat_step step;
    struct cat_memo memo;
    uint64_t *rows; /* three for each state of an automaton, and four */
    uint64_t *all;  /* for final checks: one for each event, and two */
    uint32_t words;
    uint32_t failed[2]; /* the search that failed last, of a write or others */
    const struct cat_search *refused_by; /* the last event; NULL: by none */
};

/* Makes room for a graph and its newest event e. */
void cat_checker_start(struct cat_checker *c, const struct graph *g,
                       event_id e);

void cat_checker_init(struct cat_checker *c, const struct cat_plan *plan);
void cat_checker_release(struct cat_checker *c);

/* As in struct model, but for the checks that the plan leaves to the full
 * evaluator. */
void cat_checker_enter(struct cat_checker *c, struct graph *g, event_id e);
void cat_checker_settle(struct cat_checker *c, const struct graph *g);
bool cat_checker_check(struct cat_checker *c, const struct graph *g,
                       event_id e);
bool cat_checker_refuses_earlier(struct cat_checker *c, const struct graph *g,
                                 event_id e);

/* The first flag that e raises, with the other event; NULL: none. */
const struct cat_pairs *cat_checker_flagged(struct cat_checker *c,
                                            const struct graph *g, event_id e,
                                            event_id *other);

#endif
