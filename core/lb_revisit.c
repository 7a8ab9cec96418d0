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

bool lb_readers_of(const struct explore *x, const struct graph *g, event_id w,
                   uint64_t *out)
{
    const uint64_t *same = graph_loc_row(g, g->events[w].loc);
    const uint64_t *reads = graph_set(g, TAG_R), *po = graph_row(g, w, ROW_PO);
    uint64_t any = 0;
    for (uint32_t i = 0; i < g->words; i++) {
        out[i] = same[i] & reads[i];
        if (x->model->coherence_row >= 0)
            out[i] &= ~po[i];
        any |= out[i];
    }
    return any != 0;
}

bool lb_is_needed_behind(struct explore *x, const struct graph *g, event_id e)
{
    uint64_t *prefix = search_scratch(x, SCRATCH_OTHER, g->words);
    for (event_id f = g->events[e].po_next; f != EVENT_NONE;
         f = g->events[f].po_next) {
        prefix_of(x, g, f, g->live, prefix, NULL);
        if (row_has(prefix, e))
            return true;
    }
    return false;
}

/* What is behind a hole gets its rows anew. */
static void enter_behind(const struct explore *x, struct graph *g)
{
    for (thread_id t = 0; t < g->n_threads; t++) {
        event_id last = g->threads[t].last;
        event_id behind =
            last == EVENT_NONE ? g->threads[t].first : g->events[last].po_next;
        if (g->threads[t].node != NODE_NONE && behind != EVENT_NONE)
            x->model->enter(x->model, g, behind);
    }
}

/* A new graph on top: the events `keep` of the one below. */
static struct graph *push_part(struct explore *x, const uint64_t *keep)
{
    struct graph *g = search_push_frame(x);
    graph_copy_part(g, &x->frames[x->n_frames - 2].g, keep);
    return g;
}

static event_id co_before(const struct graph *g, event_id w)
{
    return g->events[w].co_prev;
}

/* Whether read d takes part in an RMW depends on its value: its marks do, and
 * whether there is a write. False: as it is now, w would need d, so d would not
 * be deleted at all. */
static bool adapt(struct explore *x, struct graph *c, event_id d, event_id w)
{
    const struct event *ev = &c->events[d];
    node_id next = search_step(x, ev->node, ev->value);
    if (next == NODE_NONE)
        return false;
    const struct label *l = path_label(&x->path, next);
    const struct label *read = path_label(&x->path, ev->node);
    bool takes = l->kind == LABEL_WRITE && l->rmw;
    bool swaps = takes && read->value;
    uint64_t tags = search_rmw_tags(read, takes);
    if (tags == ev->tags && !swaps)
        return true;
    graph_set_tags(c, d, tags);
    x->model->enter(x->model, c, d);
    if (swaps && search_add_half(x, d) == EVENT_NONE)
        return false;
    uint64_t *prefix = search_scratch(x, SCRATCH_OTHER, c->words);
    prefix_of(x, c, w, x->apart, prefix, NULL);
    if (swaps)
        search_pop(x, c);
    if (row_has(prefix, d))
        search_note_varying(x);
    return !row_has(prefix, d);
}

/* Is the source of d the latest in co (w aside) that is consistent? */
static bool has_latest_source(struct explore *x, struct graph *c, event_id d,
                              event_id w)
{
    const struct event ev = c->events[d];
    event_id source = ev.rf, last = c->locs[ev.loc].co_last;
    for (event_id s = last == EVENT_NONE ? EVENT_INIT : last;;
         s = co_before(c, s)) {
        if (s != w) {
            graph_set_rf(c, d, s, x->program->locations.items[ev.loc].init);
            x->model->enter(x->model, c, d);
            if ((!(ev.flags & EVENT_RMW) || adapt(x, c, d, w)) &&
                search_is_consistent(x, c, d))
                return s == source;
        }
        if (s == EVENT_INIT)
            return false;
    }
}

/* Is the place of write d the latest in co that is consistent? */
static bool has_latest_place(const struct explore *x, struct graph *c,
                             event_id d)
{
    struct event *ev = &c->events[d];
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

/* Does a kept write other than `but` follow `from` in co? */
static bool kept_after(const struct graph *g, loc_id loc, event_id from,
                       event_id but, const uint64_t *kept)
{
    event_id v =
        from == EVENT_INIT ? g->locs[loc].co_first : g->events[from].co_next;
    for (; v != EVENT_NONE; v = g->events[v].co_next)
        if (v != but && row_has(kept, v))
            return true;
    return false;
}

static bool is_read_by(const struct graph *g, event_id d, const uint64_t *kept)
{
    return row_meets(graph_row(g, d, ROW_READERS), kept, g->words);
}

/* Has e no kept event behind it in po? */
static bool is_end(const struct graph *g, event_id e, const uint64_t *kept)
{
    const uint64_t *joins = graph_set(g, TAG_JOIN);
    if (search_has_behind(g, e, kept))
        return false;
    for (uint32_t i = 0; i < g->words; i++)
        for (uint64_t bits = joins[i] & kept[i]; bits; bits &= bits - 1)
            if (row_has(graph_row(g, row_event(i, bits), ROW_PO), e))
                return false;
    return true;
}

/* Could read d as well take the co-latest of the kept writes, w aside? Surely
 * so if it then leads to w at most, which leads nowhere: that is no cycle. (And
 * what has no event behind it, w does not need.) */
static bool may_take_latest(const struct explore *x, const struct graph *g,
                            event_id d, event_id w, const uint64_t *kept)
{
    return x->model->within_sc && is_end(g, d, kept) && is_end(g, w, kept) &&
           !is_read_by(g, w, kept);
}

/* Is event d what one would add to the events `kept` (d included)? Mostly its
 * source or place is the co-latest of all: that is consistent, since less than
 * a consistent graph is. Only otherwise the later ones must be tried. */
static bool is_canonical(struct explore *x, event_id d, event_id w,
                         const uint64_t *kept)
{
    const struct graph *g = search_graph(x);
    const struct event *ev = &g->events[d];
    bool is_read = ev->kind == LABEL_READ;
    if (ev->kind == LABEL_CHOICE)
        return ev->value == 0;
    if (!is_read && ev->kind != LABEL_WRITE)
        return true;
    if (is_read ? ev->rf != EVENT_INIT && !row_has(kept, ev->rf)
                : is_read_by(g, d, kept))
        return false;
    if (is_read ? ev->rf == w : event_is_half(ev))
        return !is_read;
    if (!kept_after(g, ev->loc, is_read ? ev->rf : d, is_read ? w : EVENT_NONE,
                    kept))
        return true;
    if (is_read && may_take_latest(x, g, d, w, kept))
        return false;
    struct graph *c = push_part(x, kept);
    enter_behind(x, c);
    bool good =
        is_read ? has_latest_source(x, c, d, w) : has_latest_place(x, c, d);
    x->n_frames--;
    return good;
}

/* A read of `readers` may take w if it and all newer events outside the prefix
 * of w are canonical, each among the events that are older than it or in the
 * prefix. */
static void push_canonical(struct explore *x, event_id w, event_id rival,
                           const uint64_t *prefix, uint64_t *readers)
{
    const struct graph *g = search_graph(x);
    uint64_t *kept = search_scratch(x, SCRATCH_KEPT, g->words);
    memcpy(kept, g->live, g->words * sizeof *kept);
    for (uint32_t i = g->n;
         i-- > 0 && row_exceeds(readers, prefix, g->words);) {
        event_id d = g->order[i];
        if (row_has(prefix, d))
            continue;
        if (!is_canonical(x, d, w, kept))
            return;
        g = search_graph(x); /* frames may have moved */
        row_drop(kept, d);
        /* Both writes of two RMWs on one source cannot stay. */
        if (row_has(readers, d) &&
            (rival == EVENT_NONE || !row_has(kept, rival)))
            search_push_work(x, WORK_REVISIT, w, d);
        row_drop(readers, d);
    }
}

/* The prefix of w with which read r can take it. Where w depends on the read of
 * an RMW, and the RMW's write, but not the read, on r, that write is left out
 * (x->apart): a hole like any other. False: w itself needs r. */
static bool split_prefix(struct explore *x, const struct graph *g, event_id w,
                         event_id r, uint64_t *prefix)
{
    x->apart = NULL;
    prefix_of(x, g, w, NULL, prefix, NULL);
    if (!row_has(prefix, r) || !x->has_joined)
        return !row_has(prefix, r);
    uint64_t *all = search_scratch(x, SCRATCH_HALVES, g->words);
    uint64_t *apart = search_scratch(x, SCRATCH_APART, g->words);
    memcpy(all, prefix, g->words * sizeof *all);
    event_id e;
    row_for_each (e, all, g->words) {
        event_id half = prefix_half_of(g, e, NULL);
        if (half == EVENT_NONE)
            continue;
        prefix_of(x, g, half, g->live, prefix, NULL);
        if (row_has(prefix, r))
            row_add(apart, half);
    }
    prefix_of(x, g, w, apart, prefix, NULL);
    x->apart = apart;
    return !row_has(prefix, r);
}

/* Would a revisit of r that keeps the prefix delete, or change, an event with
 * the flag? */
static bool loses(const struct graph *g, event_id r, const uint64_t *prefix,
                  unsigned flag)
{
    for (uint32_t i = g->events[r].stamp; i < g->n; i++)
        if (g->events[g->order[i]].flags & flag &&
            !row_has(prefix, g->order[i]))
            return true;
    return false;
}

/* Is a revisit by w of a read that is older than c to come? It keeps c as it
 * is, with the write of the RMW that needs it. */
static bool keeps_as_it_is(const struct explore *x, event_id w, event_id c)
{
    const struct graph *g = &x->frames[x->n_frames - 1].g;
    for (uint32_t i = x->frames[x->n_frames - 1].work_base; i < x->n_work; i++)
        if (x->work[i].kind == WORK_REVISIT && x->work[i].e == w &&
            g->events[x->work[i].alt].stamp < g->events[c].stamp)
            return true;
    return false;
}

/* Is one of these halves read by what may be half of an RMW? */
static bool has_rivals(const struct graph *g, const uint64_t *halves)
{
    event_id half, q;
    row_for_each (half, halves, g->words)
        row_for_each (q, graph_row(g, half, ROW_READERS), g->words)
            if (g->events[q].flags & EVENT_RMW)
                return true;
    return false;
}

/* Revisits of those reads that w needs only because the halves of RMWs are kept
 * together. Where a loose event would go, it is made where that one is
 * canonical; of a freed one it is not known whether there is such a graph, nor
 * of a half with rivals: nothing goes on behind two updates of one write. And
 * none leads to an execution in which an older read takes w as well. */
static void push_split(struct explore *x, event_id w, event_id rival,
                       uint64_t *prefix, uint64_t *needed)
{
    const struct graph *g = search_graph(x);
    prefix_of(x, g, w, g->live, prefix, NULL);
    for (uint32_t i = 0; i < g->words; i++)
        needed[i] &= ~prefix[i];
    uint64_t *readers = search_scratch(x, SCRATCH_READERS, g->words);
    event_id r;
    row_for_each (r, needed, g->words) {
        if (!split_prefix(x, g, w, r, prefix) ||
            loses(g, r, prefix, EVENT_LOOSE))
            continue;
        bool open = keeps_as_it_is(x, w, r);
        uint32_t n_work = x->n_work;
        memset(readers, 0, g->words * sizeof *readers);
        row_add(readers, r);
        push_canonical(x, w, rival, prefix, readers);
        g = search_graph(x);
        open |= x->n_work == n_work && x->apart && has_rivals(g, x->apart);
        if (x->n_work > n_work && loses(g, r, prefix, EVENT_FREED)) {
            x->n_work = n_work;
            open = true;
        }
        if (open)
            search_note_gap(x, GAP_UNMODELLED,
                            "load buffering across the write of an update is "
                            "not explored in full");
    }
}

/* The reads that w could serve, and its prefix; what may be missed because of
 * what is there is noted. False: no read can take w. */
static bool look_for_readers(struct explore *x, event_id w, uint64_t **readers,
                             uint64_t **prefix)
{
    struct graph *g = search_graph(x);
    *readers = search_scratch(x, SCRATCH_SERVED, g->words);
    if (!lb_readers_of(x, g, w, *readers))
        return false;
    if (x->program->has_open) {
        lb_gap_check_served(x, w);
        g = search_graph(x); /* frames may have moved */
    }
    if (prefix_surely_has(x, g, w, *readers, NULL))
        return false;
    *prefix = search_scratch(x, SCRATCH_PREFIX, g->words);
    x->apart = NULL;
    uint64_t *ordered = search_scratch(x, SCRATCH_ORDERED, g->words);
    prefix_of(x, g, w, NULL, *prefix, ordered);
    bool has_joined = x->has_joined;
    lb_gap_check_prefix(x, w, *prefix, ordered);
    x->has_joined = has_joined;
    return true;
}

void lb_revisit_note_refused(struct explore *x, event_id w)
{
    uint64_t *readers, *prefix;
    look_for_readers(x, w, &readers, &prefix);
}

void lb_revisit_push(struct explore *x, event_id w, event_id rival)
{
    uint64_t *readers, *prefix;
    if (!look_for_readers(x, w, &readers, &prefix))
        return;
    bool has_joined = x->has_joined;
    push_canonical(x, w, rival, prefix, readers);
    const struct graph *g = search_graph(x);
    uint64_t *needed = search_scratch(x, SCRATCH_NEEDED, g->words);
    if (has_joined && lb_needed_readers(x, g, w, prefix, needed))
        push_split(x, w, rival, prefix, needed);
}

/* Each write that was left out must need something behind it in its thread:
 * that is why it could not stay with its read. */
bool lb_revisit_had_to_split(struct explore *x)
{
    const struct graph *g = search_graph(x);
    uint64_t *prefix = search_scratch(x, SCRATCH_PREFIX, g->words);
    event_id q;
    row_for_each (q, g->live, g->words) {
        if (!(g->events[q].flags & EVENT_SPLIT))
            continue;
        event_id half = g->events[q].rmw;
        /* A swap of equal values looks like one that failed. */
        if (half == EVENT_NONE)
            continue;
        prefix_of(x, g, half, g->live, prefix, NULL);
        if (!search_has_behind(g, half, prefix))
            return false;
    }
    return true;
}

/* Is d a write that is read, but not any more once r is revisited, and that
 * would be canonical otherwise (w aside)? */
static bool is_freed(const struct graph *g, event_id d, event_id r, event_id w,
                     const uint64_t *prefix, const uint64_t *kept)
{
    event_id q;
    if (g->events[d].kind != LABEL_WRITE || !is_read_by(g, d, kept) ||
        kept_after(g, g->events[d].loc, d, w, kept))
        return false;
    row_for_each (q, graph_row(g, d, ROW_READERS), g->words)
        if (q != r &&
            (row_has(prefix, q) || g->events[q].stamp < g->events[r].stamp))
            return false;
    return true;
}

/* Takes d away, and what has no source without it. */
static void drop_with_readers(const struct graph *g, event_id d, uint64_t *kept)
{
    event_id q;
    row_drop(kept, d);
    if (g->events[d].kind == LABEL_READ && g->events[d].rmw != EVENT_NONE)
        drop_with_readers(g, g->events[d].rmw, kept);
    if (g->events[d].kind == LABEL_WRITE)
        row_for_each (q, graph_row(g, d, ROW_READERS), g->words)
            if (row_has(kept, q))
                drop_with_readers(g, q, kept);
}

/* What is kept by a revisit of r only because the halves of RMWs are, and is
 * not canonical, to `loose`. It may have to go later, for a write that comes of
 * the revisit; by then the writes may be gone for which it is not canonical.
 * What is only read by events that go, or by r, goes to `freed`. */
static void find_loose(struct explore *x, event_id w, event_id r,
                       const uint64_t *prefix, uint64_t *loose, uint64_t *freed)
{
    const struct graph *g = search_graph(x);
    uint64_t *needed = search_scratch(x, SCRATCH_NEEDED, g->words);
    uint64_t *kept = search_scratch(x, SCRATCH_KEPT, g->words);
    prefix_of(x, g, w, g->live, needed, NULL);
    if (!row_exceeds(prefix, needed, g->words))
        return;
    memcpy(kept, g->live, g->words * sizeof *kept);
    x->apart = g->live;
    for (uint32_t i = g->n; i-- > g->events[r].stamp + 1;) {
        event_id d = g->order[i];
        if (row_has(needed, d))
            continue;
        bool good = !row_has(prefix, d) || is_canonical(x, d, w, kept);
        g = search_graph(x); /* frames may have moved */
        if (!good)
            row_add(is_freed(g, d, r, w, prefix, kept) ? freed : loose, d);
        drop_with_readers(g, d, kept);
    }
    x->apart = NULL;
}

void lb_revisit_apply(struct explore *x, event_id w, event_id r)
{
    const struct graph *old = search_graph(x);
    uint64_t *prefix = search_scratch(x, SCRATCH_PREFIX, old->words);
    uint64_t *loose = search_scratch(x, SCRATCH_LOOSE, old->words);
    uint64_t *freed = search_scratch(x, SCRATCH_FREED, old->words);
    x->revisits++;
    split_prefix(x, old, w, r, prefix);
    if (x->has_joined && !x->apart)
        find_loose(x, w, r, prefix, loose, freed);
    old = search_graph(x);
    uint64_t *keep = search_scratch(x, SCRATCH_KEPT, old->words);
    memcpy(keep, prefix, old->words * sizeof *keep);
    for (uint32_t i = 0; i <= old->events[r].stamp; i++)
        row_add(keep, old->order[i]);
    struct graph *g = push_part(x, keep);
    event_id half, e;
    row_for_each (e, loose, g->words)
        g->events[e].flags |= EVENT_LOOSE;
    row_for_each (e, freed, g->words)
        g->events[e].flags |= EVENT_FREED;
    if (x->apart)
        row_for_each (half, x->apart, g->words)
            g->events[x->frames[x->n_frames - 2].g.events[half].rmw].flags |=
                EVENT_SPLIT;
    x->has_splits |= x->apart != NULL;
    g->events[r].flags &= (uint16_t)~(EVENT_SPLIT | EVENT_LOOSE | EVENT_FREED);
    prefix_keep_needs(x, &x->frames[x->n_frames - 2].g, prefix, keep, r, g);
    enter_behind(x, g);

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
