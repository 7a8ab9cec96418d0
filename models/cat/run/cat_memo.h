/* Rows of events, remembered by what they were made from.
 *
 * Where the graph keeps only rows that are REL_OWN (cat_rel.h), the rows of an
 * event follow from the event itself, from what its reads take (as far as the
 * rows ask for that: `dynamic`), and from the same of all before it in po. That
 * is its state: the state of the event before, and a few words. Exploration
 * comes by the same states again and again, so making rows is mostly a look
 * into a table. Event ids are part of a state: it helps if the explorer gives
 * the same event the same id in all graphs (graph.h, struct graph_ids). */
#ifndef MODELS_CAT_MEMO_H
#define MODELS_CAT_MEMO_H

#include "core/graph.h"
#include "models/cat/plan/cat_plan.h"
#include "models/cat/run/cat_step.h"

struct cat_memo {
    const struct cat_plan *plan;
    bool on;
    uint32_t words;     /* of a row; others are not remembered */
    uint32_t epoch;     /* states of other epochs are forgotten */
    uint32_t n, cap;    /* states */
    uint32_t key_words; /* of one state */
    uint64_t *keys;     /* [cap][key_words] */
    uint64_t *rows;     /* [cap][n_rows * words] */
    uint32_t *table;    /* states + 1, by hash */
    uint64_t *key;      /* of the event just looked up */
    uint32_t *found;    /* its place in the table, NULL: not to be kept */
};

void cat_memo_init(struct cat_memo *m, const struct cat_plan *plan);
void cat_memo_release(struct cat_memo *m);

/* The rows of e will be made anew. */
void cat_memo_drop(struct cat_memo *m, const struct graph *g, event_id e);

/* Fills the rows of e, which were dropped, if they are known; those before e in
 * po must not be raw. Once they are made, cat_memo_keep remembers them. */
bool cat_memo_find(struct cat_memo *m, struct cat_step *s,
                   const struct graph *g, event_id e);
/* The dynamic rows of the event that cat_memo_find did not find, in their
 * order; until they are remembered. NULL: they are not known. */
const uint64_t *cat_memo_dynamic(const struct cat_memo *m);
void cat_memo_keep(struct cat_memo *m, const struct graph *g, event_id e);
/* Do the rows of e, which are made, not depend on what it reads? */
bool cat_memo_is_plain(const struct cat_memo *m, const struct graph *g,
                       event_id e);

#endif
