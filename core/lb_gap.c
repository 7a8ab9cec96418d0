/* Where the search may miss executions under models with load buffering: each
 * note looks at a new write w and its prefix, or at who reads w, and says so if
 * that could be. */
#include "core/mem.h"
#include "core/search.h"

#include <stdlib.h>

bool lb_needed_readers(const struct explore *x, const struct graph *g,
                       event_id w, const uint64_t *prefix, uint64_t *out)
{
    lb_readers_of(x, g, w, out);
    return row_and(out, prefix, g->words);
}

static const char across_selection[] =
    "load buffering across a conditional selection is not explored";

/* A copy of the graph on top, to be changed and dropped again. */
static struct graph *push_copy(struct explore *x)
{
    struct graph *c = search_push_frame(x);
    graph_copy(c, &x->frames[x->n_frames - 2].g);
    return c;
}

/* What was selected by what a read returned cannot be kept without the read,
 * nor a compare-and-swap without the one that it compares with. `ordered` is
 * the prefix without these: where it lacks one of the readers that w needs,
 * executions are missed, say so. */
static void note_picks(struct explore *x, const uint64_t *readers,
                       const uint64_t *ordered)
{
    if (row_exceeds(readers, ordered, search_graph(x)->words))
        search_note_gap(x, GAP_UNMODELLED, "%s", across_selection);
}

/* Does an event of the prefix stay behind e, of its thread, for the model's
 * sake? Taken to be so where the model has no row of that. */
static bool is_ordered_before(const struct explore *x, const struct graph *g,
                              event_id e, const uint64_t *prefix)
{
    for (event_id f = g->events[e].po_next; f != EVENT_NONE;
         f = g->events[f].po_next)
        if (row_has(prefix, f) && prefix_is_behind(x, g, f, e))
            return true;
    return false;
}

/* Lets the compare-and-swaps of the copy c fail whose writes are in `swaps`,
 * and order no more than other reads: then nothing takes these. Those whose
 * reads are there have failed already. */
static void fail_swaps(const struct explore *x, struct graph *c,
                       const uint64_t *swaps)
{
    event_id swap, e;
    row_for_each (swap, swaps, c->words) {
        event_id r = swap;
        if (c->events[swap].kind == LABEL_WRITE) {
            r = c->events[swap].rmw;
            row_for_each (e, graph_row(c, swap, ROW_READERS), c->words) {
                graph_set_rf(c, e, EVENT_INIT, 0);
                x->model->enter(x->model, c, e);
            }
            graph_set_tags(c, swap, 0);
            c->events[r].rmw = c->events[swap].rmw = EVENT_NONE;
        }
        const struct label *read = path_label(&x->path, c->events[r].node);
        graph_set_tags(c, r, search_rmw_tags(read, false) & ~TAGS_SWAP);
        /* What was found to be needed when it succeeded does not count. */
        for (e = c->events[r].po_next; e != EVENT_NONE;
             e = c->events[e].po_next)
            c->events[e].flags &= (uint16_t)~EVENT_NEEDS;
        x->model->enter(x->model, c, r);
    }
}

/* The writes of compare-and-swaps, other than w, that w needs by order, and the
 * reads of those that failed, to `out`; false: there are none. */
static bool needed_swaps(const struct explore *x, const struct graph *g,
                         event_id w, const uint64_t *prefix, uint64_t *out)
{
    bool any = false;
    event_id e;
    row_for_each (e, prefix, g->words) {
        bool failed = g->events[e].tags & TAG_BIT(TAG_SWAP);
        if (e == w || (!failed && !prefix_is_swap(x, g, e)) ||
            !is_ordered_before(x, g, e, prefix))
            continue;
        row_add(out, e);
        any = true;
    }
    return any;
}

/* The least that w may need in c, a variation of the graph on top: what a value
 * of the thread itself depends on is left aside, and the writes of RMWs are
 * apart, since what only they need, their reads do not (push_split). */
static uint64_t *least_prefix(struct explore *x, const struct graph *c,
                              event_id w)
{
    uint64_t *prefix = search_scratch(x, SCRATCH_OTHER, c->words);
    x->leaves_forwarded = true;
    prefix_of(x, c, w, c->live, prefix, NULL);
    x->leaves_forwarded = false;
    return prefix;
}

/* A write needs a compare-and-swap because of what that orders when it succeeds
 * (AArch64: by its own write, which may be a release, or come before a DMB ST).
 * If it fails, w does not need it, and what makes it fail may exist only in a
 * cycle through w, which is not explored: say so. */
static void note_swaps(struct explore *x, event_id w, const uint64_t *prefix,
                       const uint64_t *readers)
{
    const struct graph *g = search_graph(x);
    uint64_t *fail = search_scratch(x, SCRATCH_NEEDED, g->words);
    if (!needed_swaps(x, g, w, prefix, fail) ||
        prefix_surely_has(x, g, w, readers, fail))
        return;
    struct graph *c = push_copy(x);
    fail_swaps(x, c, fail);
    if (row_exceeds(readers, least_prefix(x, c, w), c->words))
        search_note_gap(x, GAP_UNMODELLED,
                        "load buffering across a compare-and-swap that may "
                        "fail is not explored");
    x->n_frames--;
}

/* Lets the compare-and-swap `swap` of the copy c succeed, which failed. */
static void succeed(const struct explore *x, struct graph *c, event_id swap)
{
    const uint64_t marks = TAG_BIT(TAG_RMW) | TAG_BIT(TAG_EX) |
                           TAG_BIT(TAG_ATOMIC) | TAG_BIT(TAG_RLX);
    const struct event ev = c->events[swap];
    const struct label *read = path_label(&x->path, ev.node);
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
static const uint64_t *prefix_if(struct explore *x, event_id w, event_id swap,
                                 const uint64_t *reads)
{
    struct graph *c = push_copy(x);
    const struct graph *g = &x->frames[x->n_frames - 2].g;
    event_id r;
    succeed(x, c, swap);
    row_for_each (r, reads, g->words)
        if (prefix_swap_before(x, g, r) == swap)
            graph_set_rf(c, r, c->events[swap].rmw, 0);
    x->model->enter(x->model, c, swap);
    const uint64_t *least = least_prefix(x, c, w);
    x->n_frames--;
    return least;
}

/* Reads of w's prefix stand behind a compare-and-swap that failed. Had that
 * succeeded, they could take its value and might wait for less, not even for
 * what makes it succeed: that may exist only in a cycle through w, which is not
 * explored: say so. */
static void note_failed(struct explore *x, event_id w, const uint64_t *prefix,
                        const uint64_t *readers)
{
    uint32_t words = search_graph(x)->words; /* a copy may have more */
    uint64_t *swaps = search_scratch(x, SCRATCH_NEEDED, words);
    event_id e, swap;
    row_for_each (e, prefix, words)
        if ((swap = prefix_swap_before(x, search_graph(x), e)) != EVENT_NONE)
            row_add(swaps, swap);
    row_for_each (e, swaps, words) {
        const uint64_t *least = prefix_if(x, w, e, prefix);
        if (!row_has(least, e) && row_exceeds(readers, least, words))
            search_note_gap(x, GAP_UNMODELLED,
                            "load buffering across a compare-and-swap that may "
                            "succeed is not explored");
    }
}

/* A read of w's prefix takes the value of a write of its thread, and is ordered
 * before w, but not behind what that value depends on, or behind the read of
 * the write's RMW. The model may allow that one of these takes w (a cycle of
 * values in which w's own does not take part), but the write cannot be kept
 * without them: executions are missed, say so. */
static void note_forwarded(struct explore *x, event_id w,
                           const uint64_t *readers)
{
    const struct graph *g = search_graph(x);
    if (row_exceeds(readers, least_prefix(x, g, w), g->words))
        search_note_gap(x, GAP_UNMODELLED,
                        "load buffering across a value that its thread wrote "
                        "and reads again is not explored");
}

void lb_gap_check_prefix(struct explore *x, event_id w, const uint64_t *prefix,
                         const uint64_t *ordered)
{
    const struct graph *g = search_graph(x);
    uint64_t *readers = search_scratch(x, SCRATCH_READERS, g->words);
    bool picks = x->program->has_picks;
    if (x->gap != GAP_NONE ||
        !(picks || x->has_swaps || x->has_forwarded || x->has_joined) ||
        !lb_needed_readers(x, g, w, prefix, readers) ||
        prefix_surely_has(x, g, w, readers, NULL))
        return;
    if (picks)
        note_picks(x, readers, ordered);
    /* Of those that w needs only because halves are together, push_split
     * knows. */
    const uint64_t *apart = prefix;
    if (x->has_joined) {
        uint64_t *row = search_scratch(x, SCRATCH_APART, g->words);
        prefix_of(x, g, w, g->live, row, NULL);
        apart = row;
    }
    if (!row_and(readers, apart, g->words))
        return;
    if (x->has_forwarded)
        note_forwarded(x, w, readers);
    if (x->has_swaps) {
        note_swaps(x, w, apart, readers);
        note_failed(x, w, apart, readers);
    }
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
static event_id push_bare(struct explore *x, thread_id t, node_id node)
{
    struct graph *c = search_push_frame(x);
    const struct path_node *nodes = x->path.nodes;
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
        if (!label_is_event(l.kind) || search_hides(x, &l))
            continue;
        l.loc = c->n_locs;
        c->threads[t].node = way[i];
        e = graph_add(c, t, &l);
        if (l.kind == LABEL_READ)
            graph_set_rf(c, e, EVENT_INIT, 0);
        x->model->enter(x->model, c, e);
    }
    free(way);
    return e;
}

/* Does the write at `node` need the reads that leave it open in any case? */
static bool is_held(struct explore *x, thread_id t, node_id node)
{
    struct dep_list list =
        x->program->dep_lists[path_label(&x->path, node)->deps];
    event_id w = push_bare(x, t, node);
    const struct graph *c = search_graph(x);
    uint64_t *prefix = search_scratch(x, SCRATCH_OTHER, c->words);
    prefix_of(x, c, w, NULL, prefix, NULL);
    bool held = true;
    for (event_id e = w; e != EVENT_NONE; e = c->events[e].po_prev)
        for (uint32_t i = 0; i < list.n && !row_has(prefix, e); i++) {
            const struct dep *d = &x->program->deps[list.first + i];
            held &= c->events[e].kind != LABEL_READ || d->kind != DEP_OPEN ||
                    d->read != x->path.nodes[c->events[e].node].n_reads;
        }
    x->n_frames--;
    return held;
}

void lb_gap_check_served(struct explore *x, event_id w)
{
    enum { HELD = 1, OPEN };
    if (x->model->orders_picks || !search_has_lb(x) || x->gap != GAP_NONE)
        return;
    const struct event *ev = &search_graph(x)->events[w];
    struct label *label = &x->path.nodes[ev->node].label;
    if (!x->program->dep_lists[label->deps].open)
        return;
    if (!label->noted)
        label->noted = is_held(x, ev->thread, ev->node) ? HELD : OPEN;
    if (label->noted == OPEN)
        search_note_gap(x, GAP_UNMODELLED, "%s", across_selection);
}
