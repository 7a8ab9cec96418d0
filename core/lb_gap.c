/* Where the search may miss executions under models with load buffering: each
 * note looks at a new write w and its prefix, or at who reads w, and says so if
 * that could be. */
#include "core/mem.h"
#include "core/prefix.h"
#include "core/revisit.h"

#include <stdlib.h>

bool lb_needed_readers(const struct search *s, const struct graph *g,
                       event_id w, const uint64_t *prefix, uint64_t *out)
{
    lb_readers_of(s, g, w, out);
    return row_and(out, prefix, g->words);
}

static void note_selection(struct search *s)
{
    search_note_gap(
        s, REASON_LB_SELECTION,
        "load buffering across a conditional selection is not explored");
}

void lb_gap_note_varying(struct search *s)
{
    search_note_gap(s, REASON_LB_VARYING,
                    "load buffering across a compare-and-swap that orders more "
                    "or less when it fails is not explored in full");
}

/* A copy of the graph on top, to be changed and dropped again. */
static struct graph *push_copy(struct search *s)
{
    struct graph *c = search_push_frame(s);
    graph_copy(c, search_graph_below(s));
    return c;
}

/* What was selected by what a read returned cannot be kept without the read,
 * nor a compare-and-swap without the one that it compares with. `ordered` is
 * prefix(w) without these: where it lacks one of the readers that w needs,
 * executions are missed, say so. (rule G4) */
static void note_picks(struct search *s, const uint64_t *readers,
                       const uint64_t *ordered)
{
    if (row_exceeds(readers, ordered, search_graph(s)->words))
        note_selection(s);
}

/* Does an event of the prefix stay behind e, of its thread, for the model's
 * sake? Taken to be so where the model has no row of that. */
static bool is_ordered_before(const struct search *s, const struct graph *g,
                              event_id e, const uint64_t *prefix)
{
    for (event_id f = g->events[e].po_next; f != EVENT_NONE;
         f = g->events[f].po_next)
        if (row_has(prefix, f) && prefix_is_behind(s, g, f, e))
            return true;
    return false;
}

/* Lets the compare-and-swaps fail, in the copy c, whose writes are in `swaps`:
 * they order no more than other reads, and no read takes these writes any more.
 * A read in `swaps` is of one that has failed already. */
static void fail_swaps(const struct search *s, struct graph *c,
                       const uint64_t *swaps)
{
    event_id swap, e;
    row_for_each (swap, swaps, c->words) {
        event_id r = swap;
        if (c->events[swap].kind == LABEL_WRITE) {
            r = c->events[swap].rmw;
            row_for_each (e, graph_row(c, swap, ROW_READERS), c->words) {
                graph_set_rf(c, e, EVENT_INIT, 0);
                search_enter(s, c, e);
            }
            graph_set_tags(c, swap, 0);
            c->events[r].rmw = c->events[swap].rmw = EVENT_NONE;
        }
        const struct label *read = path_label(s->path, c->events[r].node);
        graph_set_tags(c, r, label_rmw_tags(read, false) & ~TAGS_SWAP);
        /* What was found to be needed when it succeeded does not count. */
        for (e = c->events[r].po_next; e != EVENT_NONE;
             e = c->events[e].po_next)
            c->events[e].flags &= (uint16_t)~EVENT_NEEDS;
        search_enter(s, c, r);
    }
}

/* Of the compare-and-swaps that the model keeps before an event of prefix(w):
 * the writes, w aside, and the reads of those that failed, to `out`. False:
 * there are none. */
static bool needed_swaps(const struct search *s, const struct graph *g,
                         event_id w, const uint64_t *prefix, uint64_t *out)
{
    bool any = false;
    event_id e;
    row_for_each (e, prefix, g->words) {
        bool failed = g->events[e].tags & TAG_BIT(TAG_SWAP);
        if (e == w || (!failed && !prefix_is_swap(s, g, e)) ||
            !is_ordered_before(s, g, e, prefix))
            continue;
        row_add(out, e);
        any = true;
    }
    return any;
}

/* A write needs a compare-and-swap because of what that orders when it succeeds
 * (AArch64: by its own write, which may be a release, or come before a DMB ST).
 * If it fails, w does not need it, and what makes it fail may exist only in a
 * cycle through w, which is not explored: say so. (rule G2) */
static void note_swaps(struct search *s, event_id w, const uint64_t *prefix,
                       const uint64_t *readers)
{
    const struct graph *g = search_graph(s);
    uint64_t *fail = search_row(s, g);
    if (!needed_swaps(s, g, w, prefix, fail) ||
        prefix_surely_has(s, g, w, readers, fail))
        return;
    struct graph *c = push_copy(s);
    fail_swaps(s, c, fail);
    if (row_exceeds(readers, prefix_least(s, c, w).events, g->words))
        search_note_gap(s, REASON_LB_FAILING,
                        "load buffering across a compare-and-swap that may "
                        "fail is not explored");
    search_pop_frame(s);
}

/* Lets the compare-and-swap `swap` of the copy c succeed, which failed. */
static void succeed(const struct search *s, struct graph *c, event_id swap)
{
    const uint64_t marks = TAG_BIT(TAG_RMW) | TAG_BIT(TAG_EX) |
                           TAG_BIT(TAG_ATOMIC) | TAG_BIT(TAG_RLX);
    const struct event ev = c->events[swap];
    const struct label *read = path_label(s->path, ev.node);
    struct label write = {.kind = LABEL_WRITE,
                          .size = ev.size,
                          .rmw = true,
                          .tags = TAG_BIT(TAG_W) | (read->tags & marks),
                          .loc = ev.loc};
    event_id half = graph_add_after(c, swap, ev.node, &write);
    c->events[half].rmw = swap;
    c->events[swap].rmw = half;
    graph_set_tags(c, swap, read->tags);
}

/* What w may need at least if `swap`, a compare-and-swap that failed, succeeds
 * and those of these reads that may take its value do. */
static const uint64_t *prefix_if(struct search *s, event_id w, event_id swap,
                                 const uint64_t *reads)
{
    struct graph *c = push_copy(s);
    const struct graph *g = search_graph_below(s);
    event_id r;
    succeed(s, c, swap);
    row_for_each (r, reads, g->words)
        if (prefix_swap_before(s, g, r) == swap)
            graph_set_rf(c, r, c->events[swap].rmw, 0);
    search_enter(s, c, swap);
    const uint64_t *least = prefix_least(s, c, w).events;
    search_pop_frame(s);
    return least;
}

/* Reads of w's prefix stand behind a compare-and-swap that failed. Had that
 * succeeded, they could take its value and might wait for less, not even for
 * what makes it succeed: that may exist only in a cycle through w, which is not
 * explored: say so. (rule G2) */
static void note_failed(struct search *s, event_id w, const uint64_t *prefix,
                        const uint64_t *readers)
{
    const struct graph *g = search_graph(s);
    uint64_t *swaps = search_row(s, g);
    event_id e, swap;
    row_for_each (e, prefix, g->words)
        if ((swap = prefix_swap_before(s, g, e)) != EVENT_NONE)
            row_add(swaps, swap);
    row_for_each (e, swaps, g->words) {
        const uint64_t *least = prefix_if(s, w, e, prefix);
        if (!row_has(least, e) && row_exceeds(readers, least, g->words))
            search_note_gap(s, REASON_LB_SUCCEEDING,
                            "load buffering across a compare-and-swap that may "
                            "succeed is not explored");
    }
}

void lb_gap_note_forwarded(struct search *s)
{
    search_note_gap(s, REASON_LB_FORWARDED,
                    "load buffering across a value that its thread wrote and "
                    "reads again is not explored");
}

/* A read of w's prefix takes the value of a write of its thread, and is ordered
 * before w, but not behind what that value depends on, or behind the read of
 * the write's RMW. The model may allow that one of these takes w (a cycle of
 * values in which w's own does not take part), but the write cannot be kept
 * without them: executions are missed, say so. (rule G1) */
static void note_forwarded(struct search *s, event_id w,
                           const uint64_t *readers)
{
    const struct graph *g = search_graph(s);
    if (row_exceeds(readers, prefix_least(s, g, w).events, g->words))
        lb_gap_note_forwarded(s);
}

static void check_prefix(struct search *s, event_id w,
                         const struct prefix *prefix)
{
    const struct graph *g = search_graph(s);
    uint64_t *readers = search_row(s, g);
    bool picks = s->program->has_picks;
    if (!lb_needed_readers(s, g, w, prefix->events, readers) ||
        prefix_surely_has(s, g, w, readers, NULL))
        return;
    if (picks)
        note_picks(s, readers, prefix->ordered);
    /* Of those that w needs only because halves are together, push_split
     * knows. */
    struct prefix alone = *prefix;
    if (prefix->has_joined)
        alone = prefix_alone(s, g, w, true);
    if (!row_and(readers, alone.events, g->words))
        return;
    if (alone.has_own)
        note_forwarded(s, w, readers);
    if (s->has_swaps) {
        note_swaps(s, w, alone.events, readers);
        note_failed(s, w, alone.events, readers);
    }
}

void lb_gap_check_prefix(struct search *s, event_id w,
                         const struct prefix *prefix)
{
    if (s->x->gap != GAP_NONE || !(s->program->has_picks || s->has_swaps ||
                                   prefix->has_own || prefix->has_joined))
        return;
    struct scratch_mark mark = scratch_mark(&s->scratch);
    check_prefix(s, w, prefix);
    scratch_rewind(&s->scratch, mark);
}

/* --- What was selected ---------------------------------------------------
 *
 * Where the model does not order what is selected behind the reads that select
 * (none of ours), dependencies change with the values of these.
 * So does what a write needs that stands behind such a selection, unless it
 * needs those reads in any case. If other threads may read a write for which
 * that is not so, the reads that select may take values that exist only because
 * of it, and whether a revisit is possible may depend on what it would delete:
 * executions are missed. */

/* A new graph on top: the events of a thread up to `node`, each access to a
 * location of its own and without dependencies. What an event needs there, it
 * needs whatever was selected. Returns the last one. */
static event_id push_bare(struct search *s, thread_id t, node_id node)
{
    struct graph *c = search_push_frame(s);
    const struct path_node *nodes = s->path->nodes;
    uint32_t n = 0;
    for (node_id at = node; at != NODE_NONE; at = nodes[at].parent)
        n++;
    node_id *way = mem_resize(NULL, n * sizeof *way);
    for (uint32_t i = n; i-- > 0; node = nodes[node].parent)
        way[i] = node;
    graph_reset(c);
    graph_start_thread(c, t, way[0], EVENT_NONE);
    event_id e = EVENT_NONE;
    for (uint32_t i = 0; i < n; i++) {
        struct label l = nodes[way[i]].label;
        if (!label_is_event(l.kind) || search_hides(s, &l))
            continue;
        l.loc = c->n_locs;
        c->threads[t].node = way[i];
        e = graph_add(c, t, &l);
        if (l.kind == LABEL_READ)
            graph_set_rf(c, e, EVENT_INIT, 0);
        search_enter(s, c, e);
    }
    free(way);
    return e;
}

/* Does the write at `node` need the reads that leave it open? (rule G4) */
static bool is_held(struct search *s, thread_id t, node_id node)
{
    struct dep_list list =
        s->program->dep_lists[path_label(s->path, node)->deps];
    event_id w = push_bare(s, t, node);
    const struct graph *c = search_graph(s);
    struct scratch_mark mark = scratch_mark(&s->scratch);
    const uint64_t *prefix = prefix_of(s, c, w, (struct leave){0}).events;
    bool held = true;
    for (event_id e = w; e != EVENT_NONE; e = c->events[e].po_prev)
        for (uint32_t i = 0; i < list.n && !row_has(prefix, e); i++) {
            const struct dep *d = &s->program->deps[list.first + i];
            held &= c->events[e].kind != LABEL_READ || d->kind != DEP_OPEN ||
                    d->source !=
                        DEP_READ(s->path->nodes[c->events[e].node].n_reads);
        }
    scratch_rewind(&s->scratch, mark);
    search_pop_frame(s);
    return held;
}

void lb_gap_check_served(struct search *s, event_id w)
{
    if (s->model->orders_picks || !search_has_lb(s) || s->x->gap != GAP_NONE)
        return;
    const struct event *ev = &search_graph(s)->events[w];
    const struct label *label = path_label(s->path, ev->node);
    if (!s->program->dep_lists[label->deps].open)
        return;
    uint8_t *held = &s->path->nodes[ev->node].held;
    if (*held == HELD_UNKNOWN)
        *held = is_held(s, ev->thread, ev->node) ? HELD : HELD_NOT;
    if (*held == HELD_NOT)
        note_selection(s);
}
