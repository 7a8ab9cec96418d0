/* Images of sets of events under fast relations: the inner loop of the fast
 * checker. */
#ifndef MODELS_CAT_STEP_H
#define MODELS_CAT_STEP_H

#include "core/graph.h"
#include "models/cat/plan/cat_rel.h"

struct cat_step {
    const struct cat_rels *rels;
    const struct graph *g;
    event_id e; /* the new event, maximal in po and rf; EVENT_NONE: none is */
    int usable; /* rows of the graph below this are made, the others not yet */
    /* Rows for intermediate results, taken and given back like a stack; not
     * used when a row is one word. */
    uint64_t *scratch;
    size_t top, cap;   /* in words */
    uint64_t *members; /* rows of rels->members; for final checks only */
};

/* Words of scratch that images of relations of this depth may take. */
size_t cat_step_room(uint32_t depth, uint32_t words);

/* Adds to `out` the events related to one in `set` (back), or to which one in
 * `set` is related (forward). */
void cat_back(struct cat_step *s, rel_id n, const uint64_t *set, uint64_t *out);
void cat_forward(struct cat_step *s, rel_id n, const uint64_t *set,
                 uint64_t *out);

/* The same for one event, without rows that may not be made yet. */
void cat_back_of(struct cat_step *s, rel_id n, event_id e, uint64_t *out);

/* row &= set */
void cat_filter(struct cat_step *s, const struct cat_set *set, uint64_t *row);

/* Has the relation a row that can be used? */
static inline bool cat_has_row(const struct cat_step *s,
                               const struct cat_rel *x)
{
    return x->row >= 0 && x->row < s->usable;
}

static inline bool cat_row_empty(const uint64_t *row, uint32_t words)
{
    uint64_t any = 0;
    for (uint32_t w = 0; w < words; w++)
        any |= row[w];
    return any == 0;
}

/* Does the graph have events with each of these tags? */
static inline bool cat_has_required(const struct graph *g, uint64_t tags,
                                    uint32_t words)
{
    for (; tags; tags &= tags - 1) {
        unsigned tag = (unsigned)__builtin_ctzll(tags);
        if (tag < TAG_COUNT &&
            cat_row_empty(g->sets + (size_t)tag * words, words))
            return false;
    }
    return true;
}

#endif
