/* The full evaluator: every relation as a bit matrix over all events, initial
 * writes included. Slow and plain, because it is what the fast checker is held
 * against, and what a cat file means.
 *
 * Element i < n_live is the event g->order[i]; after them comes one initial
 * write for each location that has an access. Initial writes are in W and IW,
 * in no po, first in co, external to all events of threads. */
#ifndef MODELS_CAT_EVAL_H
#define MODELS_CAT_EVAL_H

#include "core/model.h"
#include "models/cat/plan/cat_compile.h"

struct cat_eval {
    const struct cat_code *code;
    const struct graph *g;
    uint32_t n_live, n, words;
    event_id *events;  /* [n]: EVENT_INIT for initial writes */
    uint32_t *index;   /* [g->cap]: element of an event */
    uint32_t *init_of; /* [n]: access: its location's initial write */
    uint64_t **values; /* [code->n]: rows [n][words]; a set: one row; or NULL */
    bool *wanted;      /* [code->n] */
    uint64_t *memory;  /* one block for all values */
};

/* Evaluates `roots` and all they need. */
void cat_eval_init(struct cat_eval *ev, const struct cat_code *code,
                   const struct graph *g, const cat_id *roots,
                   uint32_t n_roots);
void cat_eval_release(struct cat_eval *ev);

/* Does the relation (which was evaluated) relate elements i and j? */
static inline bool cat_eval_has(const struct cat_eval *ev, cat_id node,
                                uint32_t i, uint32_t j)
{
    return row_has(ev->values[node] + (size_t)i * ev->words, j);
}

/* Is the check satisfied (for a flag: raised)? */
bool cat_eval_check(const struct cat_eval *ev, const struct cat_check *check);

/* Fills `why` with a smallest cycle, or a pair, for a check that failed (or a
 * flag that was raised). Each step of a cycle is named after the base relation,
 * or the innermost definition, that it comes from. Not for checks with ~, to
 * which no events belong: then why->n is 0. */
void cat_explain(const struct cat_eval *ev, const struct cat_check *check,
                 struct broken *why);

#endif
