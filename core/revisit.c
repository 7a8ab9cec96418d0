/* Which older reads a new write may serve.
 *
 * Let w be the new write. Reading w from an older read r keeps K = everything
 * older than r, what w depends on (its prefix in po | rf), w and r; all else,
 * D, is deleted and will be added anew. The same K with r reading w can be
 * reached from many graphs that differ in D: only the one in which every event
 * of D, and r, was added the canonical way (co-maximally: EVENT_MAX, and still
 * so without D) may do it. That makes each execution appear once. See
 * docs/ALGORITHM.md, R1 to R4 and C1. */
#include "core/revisit.h"

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
 * older read can be revisited either. (rule R3) */
static bool is_deletable(const struct graph *g, event_id e, event_id w,
                         const uint64_t *deleted)
{
    const struct event *ev = &g->events[e];
    /* What a kept read takes is kept: the source of a read that was
     * revisited, and all that source needs, is EVENT_FIXED. */
    if ((ev->flags & (EVENT_MAX | EVENT_FIXED)) != EVENT_MAX)
        return false;
    if (ev->kind == LABEL_READ)
        return (ev->rf == EVENT_INIT || !row_has(deleted, ev->rf)) &&
               !kept_after(g, ev->loc, ev->rf, w, deleted);
    if (ev->kind == LABEL_WRITE)
        return !kept_after(g, ev->loc, e, w, deleted);
    return true;
}

/* May w serve older reads still, once e goes too? */
static bool may_go_on(const struct graph *g, event_id e, event_id w,
                      const uint64_t *deleted)
{
    const struct event *write = &g->events[w];
    /* R2: of the places of w that differ only in D, one is enough. */
    bool doubled = !event_is_half(write) && write->co_next != EVENT_NONE &&
                   row_has(deleted, write->co_next);
    return is_deletable(g, e, w, deleted) && !doubled;
}

void revisit_push(struct search *s, event_id w, event_id rival)
{
    struct scratch_mark mark = scratch_mark(&s->scratch);
    const struct graph *g = search_graph(s);
    const uint64_t *prefix = graph_row(g, w, ROW_CAUSE);
    const uint64_t *same_loc = graph_loc_row(g, g->events[w].loc);
    uint64_t *deleted = search_row(s, g); /* D */
    for (uint32_t i = g->events[w].stamp; i-- > 0;) {
        event_id e = g->order[i];
        if (row_has(prefix, e))
            continue;
        if (!may_go_on(g, e, w, deleted))
            break;
        /* Both writes of two RMWs on one source cannot stay. */
        if (g->events[e].kind == LABEL_READ && row_has(same_loc, e) &&
            (rival == EVENT_NONE || row_has(deleted, rival)))
            search_push_work(s, WORK_REVISIT, w, e);
        row_add(deleted, e);
    }
    scratch_rewind(&s->scratch, mark);
}

void revisit_apply(struct search *s, event_id w, event_id r)
{
    struct scratch_mark mark = scratch_mark(&s->scratch);
    struct graph *g = search_push_frame(s);
    graph_copy(g, search_graph_below(s));
    s->x->revisits++;

    uint64_t *kept = search_row(s, g); /* K */
    memcpy(kept, graph_row(g, w, ROW_CAUSE), g->words * sizeof *kept);
    row_add(kept, w);
    event_id e;
    row_for_each (e, kept, g->words)
        g->events[e].flags |= EVENT_FIXED;
    for (uint32_t i = 0; i <= g->events[r].stamp; i++)
        row_add(kept, g->order[i]);
    graph_restrict(g, kept);
    scratch_rewind(&s->scratch, mark);
    search_take_source(s, r, w);
    if (!s->dead && !s->failed)
        search_advance(s, g->events[w].thread,
                       search_step(s, g->events[w].node, 0));
}
