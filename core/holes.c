/* Revisits under models that allow cycles in po | rf (load buffering).
 *
 * There a write depends on less than all that precedes it in its thread: its
 * prefix follows rf, dependencies and what the model preserves (`corder`). So a
 * revisit may keep a write and delete reads before it: holes, which are filled
 * again later, when all later values are known.
 *
 * The flags of revisit.c judge what was maximal when it was added, which misses
 * executions here (ALGORITHMS.md, section 2). Instead the canonical form is
 * judged afresh, in the presence of w: r, then each deleted event by age, must
 * have the co-latest source or place that is consistent with what is kept and
 * what was judged before it. */
#include "core/mem.h"
#include "core/search.h"

#include <stdlib.h>

/* Library calls: what they need, and what needs them, is not said by
 * dependencies, so it is all of their thread. */
#define CALLS                                                       \
    (TAG_BIT(TAG_CREATE) | TAG_BIT(TAG_JOIN) | TAG_BIT(TAG_ALLOC) | \
     TAG_BIT(TAG_FREE))
/* Nothing says who depends on a choice, either. */
#define NEEDED_AFTER (CALLS | TAG_BIT(TAG_CHOICE))

static void row_or(uint64_t *to, const uint64_t *from, uint32_t words)
{
    for (uint32_t w = 0; w < words; w++)
        to[w] |= from[w];
}

/* All that e needs directly; of dependencies those in rows up to `last`. */
static void add_causes(const struct graph *g, event_id e, const uint64_t *model,
                       unsigned last, uint64_t *out)
{
    const struct event *ev = &g->events[e];
    const uint64_t *po = graph_row(g, e, ROW_PO);
    row_or(out, model + (size_t)e * g->words, g->words);
    for (unsigned row = ROW_ADDR; row <= last; row++)
        row_or(out, graph_row(g, e, row), g->words);
    if (ev->kind == LABEL_READ && ev->rf != EVENT_INIT && ev->rf != EVENT_NONE)
        row_add(out, ev->rf);
    if (ev->rmw != EVENT_NONE)
        row_add(out, ev->rmw);
    if (ev->tags & CALLS)
        row_or(out, po, g->words);
    for (unsigned tag = 0; tag < TAG_COUNT; tag++)
        if (NEEDED_AFTER >> tag & 1) {
            const uint64_t *set = graph_set(g, (enum event_tag)tag);
            for (uint32_t w = 0; w < g->words; w++)
                out[w] |= po[w] & set[w];
        }
}

/* What w needs, w included, with dependencies in rows up to `last`. */
static void needs_of(const struct explore *x, const struct graph *g, event_id w,
                     unsigned last, uint64_t *prefix)
{
    size_t bytes = (size_t)g->cap * g->words * sizeof *prefix;
    uint64_t *model = memset(mem_resize(NULL, bytes), 0, bytes);
    uint64_t *done = memset(mem_resize(NULL, g->words * sizeof *done), 0,
                            g->words * sizeof *done);
    if (x->model->causes)
        x->model->causes(x->model, g, model);
    memset(prefix, 0, g->words * sizeof *prefix);
    row_add(prefix, w);
    for (bool more = true; more;) {
        more = false;
        event_id e;
        for (uint32_t i = 0; i < g->n; i++) {
            e = g->order[i];
            if (!row_has(prefix, e) || row_has(done, e))
                continue;
            row_add(done, e);
            add_causes(g, e, model, last, prefix);
            more = true;
        }
    }
    free(model);
    free(done);
}

/* The causal prefix of w, w included. */
static void prefix_of(const struct explore *x, const struct graph *g,
                      event_id w, uint64_t *prefix)
{
    needs_of(x, g, w, ROW_PICK_CTRL, prefix);
}

/* Does some event depend on a read by conditional selection alone? */
static bool has_picks(const struct graph *g)
{
    for (uint32_t i = 0; i < g->n; i++)
        for (unsigned row = ROW_ADDR; row <= ROW_CTRL; row++) {
            const uint64_t *data = graph_row(g, g->order[i], row);
            const uint64_t *pick =
                data + (size_t)(ROW_PICK_ADDR - ROW_ADDR) * g->words;
            for (uint32_t w = 0; w < g->words; w++)
                if (pick[w] & ~data[w])
                    return true;
        }
    return false;
}

/* A value that was selected by what a read returned cannot be kept without the
 * read, whether the model orders the two (AArch64) or not (Power's isel, as we
 * take it). In the second case executions are missed: say so. */
static void note_picks(struct explore *x, event_id w, const uint64_t *prefix)
{
    struct graph *g = search_graph(x);
    if (x->gap != GAP_NONE || !has_picks(g))
        return;
    uint64_t *ordered = mem_resize(NULL, g->words * sizeof *ordered);
    needs_of(x, g, w, ROW_CTRL, ordered);
    for (uint32_t i = 0; i < g->n; i++) {
        event_id r = g->order[i];
        const struct event *ev = &g->events[r];
        if (ev->kind == LABEL_READ && ev->loc == g->events[w].loc &&
            row_has(prefix, r) && !row_has(ordered, r))
            search_note_gap(x, GAP_UNMODELLED,
                            "load buffering across a conditional selection "
                            "is not explored");
    }
    free(ordered);
}

/* A compare-and-swap that succeeded, other than that of w itself. */
static bool has_swapped(const struct explore *x, const struct graph *g,
                        event_id r, event_id w)
{
    const struct event *ev = &g->events[r];
    return ev->kind == LABEL_READ && ev->rmw != EVENT_NONE && ev->rmw != w &&
           path_label(&x->path, ev->node)->aux != 0;
}

/* Lets the compare-and-swaps of the copy c fail, but for those whose write is
 * in `kept`. */
static void fail_swaps(const struct explore *x, struct graph *c, event_id w,
                       const uint64_t *kept)
{
    for (uint32_t i = 0; i < c->n; i++) {
        event_id r = c->order[i], half = c->events[r].rmw;
        if (!has_swapped(x, c, r, w) || row_has(kept, half))
            continue;
        graph_set_tags(c, half, 0);
        graph_set_tags(
            c, r,
            search_rmw_tags(path_label(&x->path, c->events[r].node), false));
        c->events[r].rmw = c->events[half].rmw = EVENT_NONE;
    }
}

/* What w needs if compare-and-swaps fail, to `failed`. One whose write w needs
 * even so (it reads from it, say) cannot fail: then all is tried again with
 * that one left as it is. */
static void failed_prefix(struct explore *x, event_id w, uint64_t *failed)
{
    struct graph *c = search_push_frame(x);
    const struct graph *g = &x->frames[x->n_frames - 2].g;
    uint64_t *kept = mem_resize(NULL, g->words * sizeof *kept);
    memset(kept, 0, g->words * sizeof *kept);
    for (bool again = true; again;) {
        again = false;
        graph_copy(c, g);
        fail_swaps(x, c, w, kept);
        prefix_of(x, c, w, failed);
        for (uint32_t i = 0; i < g->n; i++) {
            event_id r = g->order[i], half = g->events[r].rmw;
            if (!has_swapped(x, g, r, w) || row_has(kept, half) ||
                !row_has(failed, half))
                continue;
            row_add(kept, half);
            again = true;
        }
    }
    free(kept);
    x->n_frames--;
}

/* A write needs what comes before a compare-and-swap that succeeded, but would
 * not if it had failed (AArch64: its own write and a DMB ST order the two).
 * What would make it fail may exist only in a cycle through w, which is not
 * explored: say so. */
static void note_swaps(struct explore *x, event_id w, const uint64_t *prefix)
{
    const struct graph *g = search_graph(x);
    bool any = false;
    for (uint32_t i = 0; i < g->n && x->gap == GAP_NONE; i++)
        any |=
            row_has(prefix, g->order[i]) && has_swapped(x, g, g->order[i], w);
    if (!any)
        return;
    uint64_t *failed = mem_resize(NULL, g->words * sizeof *failed);
    failed_prefix(x, w, failed);
    g = search_graph(x);
    for (uint32_t i = 0; i < g->n; i++) {
        const struct event *r = &g->events[g->order[i]];
        /* No read of its own thread takes w in any case: coherence. */
        if (r->kind == LABEL_READ && r->thread != g->events[w].thread &&
            r->loc == g->events[w].loc && row_has(prefix, g->order[i]) &&
            !row_has(failed, g->order[i]))
            search_note_gap(x, GAP_UNMODELLED,
                            "load buffering across a compare-and-swap that "
                            "may fail is not explored");
    }
    free(failed);
}

bool holes_is_needed(const struct explore *x, const struct graph *g, event_id e)
{
    uint64_t *prefix = mem_resize(NULL, g->words * sizeof *prefix);
    bool needed = false;
    for (event_id f = g->events[e].po_next; f != EVENT_NONE && !needed;
         f = g->events[f].po_next) {
        prefix_of(x, g, f, prefix);
        needed = row_has(prefix, e);
    }
    free(prefix);
    return needed;
}

/* Does every kept read but r have its source kept? */
static bool is_closed(const struct graph *g, const uint64_t *keep, event_id r)
{
    event_id e;
    row_for_each (e, keep, g->words) {
        const struct event *ev = &g->events[e];
        if (e != r && ev->kind == LABEL_READ && ev->rf != EVENT_INIT &&
            ev->rf != EVENT_NONE && !row_has(keep, ev->rf))
            return false;
    }
    return true;
}

static event_id co_before(const struct graph *g, event_id w)
{
    return g->events[w].co_prev;
}

/* The marks of a read that may be half of an RMW depend on whether it will be.
 * False: with them, w would need d, so d would not be deleted at all. */
static bool adapt_tags(struct explore *x, struct graph *c, event_id d,
                       event_id w)
{
    const struct event *ev = &c->events[d];
    node_id next = search_step(x, ev->node, ev->value);
    if (next == NODE_NONE)
        return false;
    const struct label *l = path_label(&x->path, next);
    bool takes = l->kind == LABEL_WRITE && l->rmw;
    uint64_t tags = search_rmw_tags(path_label(&x->path, ev->node), takes);
    if (tags == ev->tags)
        return true;
    graph_set_tags(c, d, tags);
    uint64_t *prefix = mem_resize(NULL, c->words * sizeof *prefix);
    prefix_of(x, c, w, prefix);
    bool needed = row_has(prefix, d);
    free(prefix);
    return !needed;
}

/* Is the source of d the latest in co (w aside) that is consistent? */
static bool has_latest_source(struct explore *x, struct graph *c, event_id d,
                              event_id w)
{
    struct event *ev = &c->events[d];
    event_id source = ev->rf, last = c->locs[ev->loc].co_last;
    if (source == w)
        return false;
    for (event_id s = last == EVENT_NONE ? EVENT_INIT : last;;
         s = co_before(c, s)) {
        if (s != w) {
            graph_set_rf(c, d, s, x->program->locations.items[ev->loc].init);
            if ((!(ev->flags & EVENT_RMW) || adapt_tags(x, c, d, w)) &&
                search_is_consistent(x, c, d))
                return s == source;
        }
        if (s == EVENT_INIT)
            return false;
    }
}

/* Is the place of write d the latest in co that is consistent, and d unread? */
static bool has_latest_place(const struct explore *x, struct graph *c,
                             event_id d)
{
    event_id e;
    row_for_each (e, graph_row(c, d, ROW_READERS), c->words)
        return false;
    struct event *ev = &c->events[d];
    if (ev->rmw != EVENT_NONE)
        return true;
    event_id place = ev->co_prev;
    graph_remove_co(c, d);
    event_id last = c->locs[ev->loc].co_last;
    for (event_id p = last == EVENT_NONE ? EVENT_INIT : last;;
         p = co_before(c, p)) {
        graph_insert_co(c, d, p);
        if (search_is_consistent(x, c, d))
            return p == place;
        graph_remove_co(c, d);
        if (p == EVENT_INIT)
            return false;
    }
}

/* Is event d of g what one would add to the events `kept` (d included)? */
static bool is_canonical(struct explore *x, const struct graph *g, event_id d,
                         event_id w, const uint64_t *kept)
{
    const struct event *ev = &g->events[d];
    if (ev->kind == LABEL_CHOICE)
        return ev->value == 0;
    if (ev->kind != LABEL_READ && ev->kind != LABEL_WRITE)
        return true;
    if (ev->kind == LABEL_READ && ev->rf != EVENT_INIT &&
        !row_has(kept, ev->rf))
        return false;
    struct graph *c = search_push_frame(x);
    graph_copy(c, &x->frames[x->n_frames - 2].g);
    graph_restrict(c, kept);
    bool good = ev->kind == LABEL_READ ? has_latest_source(x, c, d, w)
                                       : has_latest_place(x, c, d);
    x->n_frames--;
    return good;
}

/* May r take w, given the prefix of w? */
static bool may_revisit(struct explore *x, event_id w, event_id r,
                        const uint64_t *prefix)
{
    struct graph *g = search_graph(x);
    size_t bytes = g->words * sizeof *prefix;
    uint64_t *kept = memcpy(mem_resize(NULL, bytes), prefix, bytes);
    uint32_t stamp = g->events[r].stamp, n = g->n;
    for (uint32_t i = 0; i <= stamp; i++)
        row_add(kept, g->order[i]);
    bool good = is_closed(g, kept, r) && is_canonical(x, g, r, w, kept);
    for (uint32_t i = stamp + 1; i < n && good; i++) {
        /* Frames may have moved. */
        g = search_graph(x);
        event_id d = g->order[i];
        if (row_has(prefix, d))
            continue;
        row_add(kept, d);
        good = is_canonical(x, g, d, w, kept);
    }
    free(kept);
    return good;
}

void holes_push_revisits(struct explore *x, event_id w, event_id rival)
{
    struct graph *g = search_graph(x);
    uint64_t *prefix = mem_resize(NULL, g->words * sizeof *prefix);
    prefix_of(x, g, w, prefix);
    note_picks(x, w, prefix);
    note_swaps(x, w, prefix);
    g = search_graph(x);
    loc_id loc = g->events[w].loc;
    uint32_t n = g->n;
    for (uint32_t i = 0; i < n; i++) {
        g = search_graph(x);
        event_id r = g->order[i];
        const struct event *ev = &g->events[r];
        if (ev->kind != LABEL_READ || ev->loc != loc || ev->rf == w ||
            row_has(prefix, r))
            continue;
        /* Both writes of two RMWs on one source cannot stay. */
        if (rival != EVENT_NONE &&
            (g->events[rival].stamp < ev->stamp || row_has(prefix, rival)))
            continue;
        if (may_revisit(x, w, r, prefix))
            search_push_work(x, WORK_REVISIT, w, r);
    }
    free(prefix);
}

void holes_apply_revisit(struct explore *x, event_id w, event_id r)
{
    struct graph *g = search_push_frame(x);
    graph_copy(g, &x->frames[x->n_frames - 2].g);
    x->revisits++;
    uint64_t *keep = mem_resize(NULL, g->words * sizeof *keep);
    prefix_of(x, g, w, keep);
    for (uint32_t i = 0; i <= g->events[r].stamp; i++)
        row_add(keep, g->order[i]);
    graph_restrict(g, keep);
    free(keep);

    thread_id t = g->events[r].thread;
    thread_id writer = g->events[w].thread;
    /* What stood behind r, and is kept, does not depend on r; r itself may
     * stand behind a hole. */
    if (g->threads[t].last != EVENT_NONE &&
        g->events[r].index <= g->events[g->threads[t].last].index)
        g->threads[t].last = r;
    search_take_source(x, r, w);
    if (!x->dead && !x->failed && g->threads[writer].last == w)
        search_advance(x, writer, search_step(x, g->events[w].node, 0));
}
