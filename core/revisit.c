/* Which older reads a new write may serve.
 *
 * Let w be the new write. Reading w from an older read r keeps K = everything
 * older than r, what w depends on (its prefix in po | rf), w and r; all else,
 * D, is deleted and will be added anew. The same K with r reading w can be
 * reached from many graphs that differ in D: only the one in which every event
 * of D, and r, was added the canonical way (co-maximally: EVENT_MAX, and still
 * so without D) may do it. That makes each execution appear once. See
 * ALGORITHMS.md, section 1, REVISIT_OK, whose three rules are marked below. */
#include "core/mem.h"
#include "core/search.h"

/* Is some write after `from` in co kept (w aside)? `from` may be EVENT_INIT. */
static bool kept_after(const struct graph *g, loc_id loc, event_id from,
                       event_id w, const uint64_t *deleted)
{
    event_id v =
        from == EVENT_INIT ? g->locs[loc].co_first : g->events[from].co_next;
    for (; v != EVENT_NONE; v = g->events[v].co_next)
        if (v != w && !row_has(deleted, v))
            return true;
    return false;
}

/* May e go, given that all newer ones outside the prefix of w go? If not, no
 * older read can be revisited either. */
static bool is_deletable(const struct graph *g, event_id e, event_id w,
                         const uint64_t *deleted)
{
    const struct event *ev = &g->events[e];
    /* Rule 1 (what a kept read takes is kept): the source of a read that was
     * revisited, and all that source needs, is EVENT_FIXED. */
    if ((ev->flags & (EVENT_MAX | EVENT_FIXED)) != EVENT_MAX)
        return false;
    /* Rule 3. */
    if (ev->kind == LABEL_READ)
        return (ev->rf == EVENT_INIT || !row_has(deleted, ev->rf)) &&
               !kept_after(g, ev->loc, ev->rf, w, deleted);
    if (ev->kind == LABEL_WRITE)
        return !kept_after(g, ev->loc, e, w, deleted);
    return true;
}

void revisit_push(struct explore *x, event_id w, event_id rival)
{
    const struct graph *g = search_graph(x);
    const struct event *write = &g->events[w];
    const uint64_t *prefix = graph_row(g, w, ROW_CAUSE);
    const uint64_t *same_loc = graph_loc_row(g, write->loc);
    uint64_t *deleted = search_scratch(x, SCRATCH_OTHER, g->words);
    for (uint32_t i = write->stamp; i-- > 0;) {
        event_id e = g->order[i];
        if (row_has(prefix, e))
            continue;
        if (!is_deletable(g, e, w, deleted))
            return;
        /* Rule 2: of the places of w that differ only in D, one is enough. */
        if (!event_is_half(write) && write->co_next != EVENT_NONE &&
            row_has(deleted, write->co_next))
            return;
        /* Both writes of two RMWs on one source cannot stay. */
        if (g->events[e].kind == LABEL_READ && row_has(same_loc, e) &&
            (rival == EVENT_NONE || row_has(deleted, rival)))
            search_push_work(x, WORK_REVISIT, w, e);
        row_add(deleted, e);
    }
}

void revisit_apply(struct explore *x, event_id w, event_id r)
{
    struct graph *g = search_push_frame(x);
    const struct graph *parent = &x->frames[x->n_frames - 2].g;
    graph_copy(g, parent);
    x->revisits++;

    uint64_t *keep = search_scratch(x, SCRATCH_KEPT, g->words);
    const uint64_t *prefix = graph_row(g, w, ROW_CAUSE);
    for (uint32_t i = 0; i < g->words; i++)
        keep[i] = prefix[i];
    row_add(keep, w);
    event_id e;
    row_for_each (e, keep, g->words)
        g->events[e].flags |= EVENT_FIXED;
    for (uint32_t i = 0; i <= g->events[r].stamp; i++)
        row_add(keep, g->order[i]);
    graph_restrict(g, keep);
    search_take_source(x, r, w);
    if (!x->dead && !x->failed)
        search_advance(x, g->events[w].thread,
                       search_step(x, g->events[w].node, 0));
}
