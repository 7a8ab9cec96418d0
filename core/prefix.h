/* What an event needs, under models with load buffering: its causal prefix. */
#ifndef CORE_PREFIX_H
#define CORE_PREFIX_H

#include "core/search.h"

/* Where a prefix may be smaller: rows of writes, or NULL. */
struct leave {
    /* Those of RMWs that do not stay with their reads. */
    const uint64_t *apart;
    /* Those of which a read in their own thread needs the value alone. */
    const uint64_t *early;
};

/* The causal prefix of an event, itself included. */
struct prefix {
    uint64_t *events;
    /* The same as far as conditional selection is left aside. */
    const uint64_t *ordered;
    struct leave leave;
    bool has_joined; /* it has a write of an RMW for its read's sake alone */
    bool has_own;    /* it has a read of a write of its own thread */
};

/* The prefix of w in g: all that w needs, and the writes of RMWs whose reads it
 * needs, but for what is left. Its rows are scratch of the caller. */
struct prefix prefix_of(struct search *s, const struct graph *g, event_id w,
                        struct leave leave);
/* The same where each write is apart, and early if `early` is true. */
struct prefix prefix_alone(struct search *s, const struct graph *g, event_id w,
                           bool early);
/* The same, but what a forwarded value depends on is left aside: the least that
 * w may need. All writes of RMWs are apart. */
struct prefix prefix_least(struct search *s, const struct graph *g, event_id w);

/* Has the prefix of w all of these events whatever the model says, and
 * whichever swaps succeed? That is often so, and the model's rows, mostly not
 * made yet, need not be made for it. Or (prefix_of was called for the graph) if
 * just the swaps `failing` fail? */
bool prefix_surely_has(struct search *s, const struct graph *g, event_id w,
                       const uint64_t *events, const uint64_t *failing);

/* Is e the write of a compare-and-swap whose order depends on success? */
bool prefix_is_swap(const struct search *s, const struct graph *g, event_id e);
/* A compare-and-swap before read r in its thread that failed, and whose value r
 * might take if it had not; or EVENT_NONE. */
event_id prefix_swap_before(const struct search *s, const struct graph *g,
                            event_id r);
/* Does f stay behind e, before it in po, for the model's sake? Taken to be so
 * if the model has no row of that. prefix_of was called for the graph. */
bool prefix_is_behind(const struct search *s, const struct graph *g, event_id f,
                      event_id e);
/* The write of an RMW whose read is e, unless it is among `apart`. The read
 * does not need it, but the two stay together where they can. */
event_id prefix_half_of(const struct graph *g, event_id e,
                        const uint64_t *apart);

/* A row behind the model's, if e has EVENT_NEEDS: what e was found to need when
 * a revisit kept it and deleted others before it in po. An event may need
 * another because of a third one that it does not need (addr; po): in a hole
 * that is not seen any more. */
static inline uint64_t *prefix_kept_needs(const struct search *s,
                                          const struct graph *g, event_id e)
{
    return graph_row(g, e, ROW_MODEL + s->model->n_rows);
}
/* What the events of `prefix` need in g, they need in its `part`, the events
 * `keep`, as long as they stay; r gets another source. */
void prefix_keep_needs(struct search *s, const struct graph *g,
                       const uint64_t *prefix, const uint64_t *keep, event_id r,
                       const struct graph *part);

#endif
