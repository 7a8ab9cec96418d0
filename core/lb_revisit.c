/* Revisits under models that allow cycles in po | rf (load buffering).
 *
 * There a write depends on less than all that precedes it in its thread: its
 * prefix follows rf, dependencies and what the model preserves (`corder`). So a
 * revisit may keep a write and delete reads before it: holes, which are filled
 * again later, when all later values are known.
 *
 * The flags of revisit.c judge what was maximal when it was added, which misses
 * executions here (docs/ALGORITHM.md, L2). Instead the canonical form is
 * judged afresh, in the presence of w: r, then each deleted event by age, must
 * have the co-latest source or place that is consistent with what is kept and
 * what was judged before it. */
#include "core/prefix.h"
#include "core/revisit.h"

bool lb_readers_of(const struct search *s, const struct graph *g, event_id w,
                   uint64_t *out)
{
    const uint64_t *same = graph_loc_row(g, g->events[w].loc);
    const uint64_t *reads = graph_set(g, TAG_R), *po = graph_row(g, w, ROW_PO);
    uint64_t any = 0;
    for (uint32_t i = 0; i < g->words; i++) {
        out[i] = same[i] & reads[i];
        if (s->model->coherence_row >= 0)
            out[i] &= ~po[i];
        any |= out[i];
    }
    return any != 0;
}

bool lb_is_needed_behind(struct search *s, const struct graph *g, event_id e)
{
    bool is = false;
    for (event_id f = g->events[e].po_next; f != EVENT_NONE && !is;
         f = g->events[f].po_next) {
        struct scratch_mark mark = scratch_mark(&s->scratch);
        is = row_has(prefix_alone(s, g, f, true).events, e);
        scratch_rewind(&s->scratch, mark);
    }
    return is;
}

/* What is behind a hole gets its rows anew. */
static void enter_behind(const struct search *s, struct graph *g)
{
    for (thread_id t = 0; t < g->n_threads; t++) {
        event_id last = g->threads[t].last;
        event_id behind =
            last == EVENT_NONE ? g->threads[t].first : g->events[last].po_next;
        if (g->threads[t].node != NODE_NONE && behind != EVENT_NONE)
            search_enter(s, g, behind);
    }
}

/* A new graph on top: the events `keep` of the one below. */
static struct graph *push_part(struct search *s, const uint64_t *keep)
{
    struct graph *g = search_push_frame(s);
    graph_copy_part(g, search_graph_below(s), keep);
    return g;
}

static event_id co_before(const struct graph *g, event_id w)
{
    return g->events[w].co_prev;
}

/* A row of the graph below for its copy c, which may have longer rows. */
static const uint64_t *row_for_copy(struct search *s, const struct graph *c,
                                    const uint64_t *row)
{
    uint32_t words = search_graph_below(s)->words;
    if (!row || words == c->words)
        return row;
    return memcpy(search_row(s, c), row, words * sizeof *row);
}

/* Does w need read d in the copy c? */
static bool needs(struct search *s, const struct graph *c, event_id w,
                  event_id d, const struct leave *leave)
{
    struct scratch_mark mark = scratch_mark(&s->scratch);
    struct leave less = {row_for_copy(s, c, leave->apart),
                         row_for_copy(s, c, leave->early)};
    bool needs = row_has(prefix_of(s, c, w, less).events, d);
    scratch_rewind(&s->scratch, mark);
    return needs;
}

/* Whether read d of the copy c takes part in an RMW depends on its value: its
 * marks do, and whether there is a write. Gives it those of the value it has
 * now. False: then w would need d, so d would not be in D at all. (rule X3) */
static bool adapt(struct search *s, struct graph *c, event_id d, event_id w,
                  const struct leave *leave)
{
    const struct event *ev = &c->events[d];
    node_id next = search_step(s, ev->node, ev->value);
    if (next == NODE_NONE)
        return false;
    const struct label *l = path_label(s->path, next);
    const struct label *read = path_label(s->path, ev->node);
    bool takes = l->kind == LABEL_WRITE && l->rmw;
    bool swaps = takes && read->value;
    uint64_t tags = label_rmw_tags(read, takes);
    if (tags == ev->tags && !swaps)
        return true;
    graph_set_tags(c, d, tags);
    search_enter(s, c, d);
    if (swaps && search_add_half(s, d) == EVENT_NONE)
        return false;
    bool is_needed = needs(s, c, w, d, leave);
    if (swaps)
        search_pop(s, c);
    if (is_needed)
        lb_gap_note_varying(s);
    return !is_needed;
}

/* Is the source of d the latest in co (w aside) that is consistent? */
static bool has_latest_source(struct search *s, struct graph *c, event_id d,
                              event_id w, const struct leave *leave)
{
    const struct event ev = c->events[d];
    event_id source = ev.rf, last = c->locs[ev.loc].co_last;
    for (event_id v = last == EVENT_NONE ? EVENT_INIT : last;;
         v = co_before(c, v)) {
        if (v != w) {
            graph_set_rf(c, d, v, s->program->locations.items[ev.loc].init);
            search_enter(s, c, d);
            if ((!(ev.flags & EVENT_RMW) || adapt(s, c, d, w, leave)) &&
                search_is_consistent(s, c, d))
                return v == source;
        }
        if (v == EVENT_INIT)
            return false;
    }
}

/* Is the place of write d the latest in co that is consistent? */
static bool has_latest_place(const struct search *s, struct graph *c,
                             event_id d)
{
    struct event *ev = &c->events[d];
    event_id place = ev->co_prev;
    graph_remove_co(c, d);
    event_id last = c->locs[ev->loc].co_last;
    for (event_id p = last == EVENT_NONE ? EVENT_INIT : last;;
         p = co_before(c, p)) {
        graph_insert_co(c, d, p);
        if (search_is_consistent(s, c, d))
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
 * what has no event behind it, w does not need.) (rule L4) */
static bool may_take_latest(const struct search *s, const struct graph *g,
                            event_id d, event_id w, const uint64_t *kept)
{
    return s->model->within_sc && is_end(g, d, kept) && is_end(g, w, kept) &&
           !is_read_by(g, w, kept);
}

/* Is event d what one would add to the events `kept` (d included)? Mostly its
 * source or place is the co-latest of all: that is consistent, since less than
 * a consistent graph is. Only else the later ones must be tried. (rule L3) */
static bool is_canonical(struct search *s, event_id d, event_id w,
                         const uint64_t *kept, const struct leave *leave)
{
    const struct graph *g = search_graph(s);
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
    if (is_read && may_take_latest(s, g, d, w, kept))
        return false;
    struct graph *c = push_part(s, kept);
    enter_behind(s, c);
    bool good = is_read ? has_latest_source(s, c, d, w, leave)
                        : has_latest_place(s, c, d);
    search_pop_frame(s);
    return good;
}

/* A read of `readers` may take w if it and all newer events outside prefix(w)
 * are canonical, each among K and the events older than it. (rule L5) */
static void push_canonical(struct search *s, event_id w, event_id rival,
                           const struct prefix *prefix, uint64_t *readers)
{
    struct scratch_mark mark = scratch_mark(&s->scratch);
    const struct graph *g = search_graph(s);
    uint64_t *kept = search_row(s, g);
    memcpy(kept, g->live, g->words * sizeof *kept);
    for (uint32_t i = g->n;
         i-- > 0 && row_exceeds(readers, prefix->events, g->words);) {
        event_id d = g->order[i];
        if (row_has(prefix->events, d))
            continue;
        if (!is_canonical(s, d, w, kept, &prefix->leave))
            break;
        row_drop(kept, d);
        /* Both writes of two RMWs on one source cannot stay. */
        if (row_has(readers, d) &&
            (rival == EVENT_NONE || !row_has(kept, rival)))
            search_push_work(s, WORK_REVISIT, w, d);
        row_drop(readers, d);
    }
    scratch_rewind(&s->scratch, mark);
}

/* The writes of RMWs in prefix(w) that need r. (rule X2) */
static const uint64_t *halves_that_need(struct search *s, const struct graph *g,
                                        const uint64_t *prefix, event_id r)
{
    uint64_t *apart = search_row(s, g);
    event_id e;
    row_for_each (e, prefix, g->words) {
        event_id half = prefix_half_of(g, e, NULL);
        if (half == EVENT_NONE)
            continue;
        struct scratch_mark mark = scratch_mark(&s->scratch);
        if (row_has(prefix_alone(s, g, half, true).events, r))
            row_add(apart, half);
        scratch_rewind(&s->scratch, mark);
    }
    return apart;
}

/* The prefix of w, which needs r, without what has to come before the writes
 * that their own thread reads, as far as that needs r; it has r if there is
 * none without. *lacks: something else than r is missing, too. (rule X1) */
static struct prefix early_prefix(struct search *s, const struct graph *g,
                                  event_id w, event_id r, const uint64_t *all,
                                  bool *lacks)
{
    uint64_t *early = search_row(s, g), *others = search_row(s, g);
    event_id e;
    row_for_each (e, all, g->words) {
        struct scratch_mark mark = scratch_mark(&s->scratch);
        const uint64_t *needed =
            prefix_of(s, g, e, (struct leave){NULL, NULL}).events;
        if (!row_has(needed, r))
            row_or(others, needed, g->words);
        else if (g->events[e].kind == LABEL_WRITE)
            row_add(early, e);
        scratch_rewind(&s->scratch, mark);
    }
    struct prefix prefix = prefix_of(s, g, w, (struct leave){NULL, early});
    if (row_has(prefix.events, r))
        return prefix;
    row_or(prefix.events, others, g->words);
    row_add(others, r);
    row_or(others, prefix.events, g->words);
    *lacks = row_exceeds(all, others, g->words);
    return prefix;
}

/* The prefix of w with which read r can take w. Where w needs r only because of
 * what comes before a write that its own thread reads, or because the halves of
 * an RMW are together (then the write is apart: a hole like any other), it is
 * less. If w itself needs r, it has r. Its rows are scratch of the caller.
 * *lacks: a write that it has may be seen without what must come before it. */
static struct prefix prefix_for(struct search *s, const struct graph *g,
                                event_id w, event_id r, bool *lacks)
{
    struct prefix prefix = prefix_of(s, g, w, (struct leave){NULL, NULL});
    *lacks = false;
    if (row_has(prefix.events, r) && prefix.has_own) {
        struct prefix early = early_prefix(s, g, w, r, prefix.events, lacks);
        *lacks |= prefix.has_joined;
        if (!row_has(early.events, r))
            return early;
    }
    if (!row_has(prefix.events, r) || !prefix.has_joined)
        return prefix;
    *lacks = prefix.has_own;
    return prefix_of(
        s, g, w,
        (struct leave){halves_that_need(s, g, prefix.events, r), g->live});
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
static bool keeps_as_it_is(const struct search *s, event_id w, event_id c)
{
    const struct graph *g = search_graph(s);
    for (uint32_t i = s->frames[s->n_frames - 1].work_base; i < s->n_work; i++)
        if (s->work[i].kind == WORK_REVISIT && s->work[i].e == w &&
            g->events[s->work[i].alt].stamp < g->events[c].stamp)
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

/* Makes work of the revisit of r by w, with less than the prefix of w. Where a
 * loose event would go, only if that one is canonical; of a freed one it is not
 * known whether there is such a graph, nor of a half with rivals: nothing goes
 * on behind two updates of one write. And none leads to an execution in which
 * an older read takes w as well. */
static void push_across(struct search *s, event_id w, event_id rival,
                        event_id r)
{
    const struct graph *g = search_graph(s);
    bool lacks;
    struct prefix prefix = prefix_for(s, g, w, r, &lacks);
    if (row_has(prefix.events, r) || loses(g, r, prefix.events, EVENT_LOOSE))
        return;
    bool open = keeps_as_it_is(s, w, r);
    uint32_t n_work = s->n_work;
    uint64_t *readers = search_row(s, g);
    row_add(readers, r);
    push_canonical(s, w, rival, &prefix, readers);
    const uint64_t *apart = prefix.leave.apart;
    open |= s->n_work == n_work && apart && has_rivals(g, apart);
    if (s->n_work > n_work && loses(g, r, prefix.events, EVENT_FREED)) {
        s->n_work = n_work;
        open = true;
    }
    if (lacks || (open && !apart))
        lb_gap_note_forwarded(s);
    else if (open)
        search_note_gap(s, REASON_LB_UPDATE,
                        "load buffering across the write of an update is not "
                        "explored in full");
}

/* Revisits of the reads `needed`, which are in prefix(w): of those that are not
 * in each smaller one. */
static void push_needed(struct search *s, event_id w, event_id rival,
                        uint64_t *needed)
{
    const struct graph *g = search_graph(s);
    const uint64_t *sure = prefix_alone(s, g, w, true).events;
    for (uint32_t i = 0; i < g->words; i++)
        needed[i] &= ~sure[i];
    event_id r;
    row_for_each (r, needed, g->words) {
        struct scratch_mark mark = scratch_mark(&s->scratch);
        push_across(s, w, rival, r);
        scratch_rewind(&s->scratch, mark);
    }
}

/* The reads that w could serve, NULL if there are none or w surely needs all of
 * them; and prefix(w). What may be missed because of what is in it is noted.
 * All rows are scratch of the caller. */
static uint64_t *look_for_readers(struct search *s, event_id w,
                                  struct prefix *prefix)
{
    const struct graph *g = search_graph(s);
    uint64_t *readers = search_row(s, g);
    if (!lb_readers_of(s, g, w, readers))
        return NULL;
    if (s->program->has_open)
        lb_gap_check_served(s, w);
    if (prefix_surely_has(s, g, w, readers, NULL))
        return NULL;
    *prefix = prefix_of(s, g, w, (struct leave){NULL, NULL});
    if (row_meets(readers, prefix->events, g->words)) {
        struct prefix least = *prefix;
        if (prefix->has_own)
            least = prefix_of(s, g, w, (struct leave){NULL, g->live});
        lb_gap_check_prefix(s, w, &least);
    }
    return readers;
}

void lb_revisit_note_refused(struct search *s, event_id w)
{
    struct scratch_mark mark = scratch_mark(&s->scratch);
    struct prefix prefix;
    look_for_readers(s, w, &prefix);
    scratch_rewind(&s->scratch, mark);
}

void lb_revisit_push(struct search *s, event_id w, event_id rival)
{
    struct scratch_mark mark = scratch_mark(&s->scratch);
    struct prefix prefix;
    uint64_t *readers = look_for_readers(s, w, &prefix);
    if (readers) {
        push_canonical(s, w, rival, &prefix, readers);
        const struct graph *g = search_graph(s);
        uint64_t *needed = search_row(s, g);
        if ((prefix.has_joined || prefix.has_own) &&
            lb_needed_readers(s, g, w, prefix.events, needed))
            push_needed(s, w, rival, needed);
    }
    scratch_rewind(&s->scratch, mark);
}

/* Has the write `half` of an RMW, kept apart, to be so: does it need something
 * behind it in its thread? That is why it could not stay with its read. */
static bool had_to_split(struct search *s, const struct graph *g, event_id half)
{
    struct scratch_mark mark = scratch_mark(&s->scratch);
    const uint64_t *prefix = prefix_alone(s, g, half, true).events;
    bool had_to = search_has_behind(g, half, prefix);
    scratch_rewind(&s->scratch, mark);
    return had_to;
}

bool lb_revisit_had_to_split(struct search *s)
{
    const struct graph *g = search_graph(s);
    event_id q;
    row_for_each (q, g->live, g->words) {
        /* A swap of equal values looks like one that failed. */
        bool is_split =
            g->events[q].flags & EVENT_SPLIT && g->events[q].rmw != EVENT_NONE;
        if (is_split && !had_to_split(s, g, g->events[q].rmw))
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
 * not canonical, is `loose`: it may have to go later, for a write that comes of
 * the revisit; by then the writes may be gone for which it is not canonical.
 * What is only read by events that go, or by r, is `freed`. */
struct unsettled {
    uint64_t *loose, *freed;
};

static void find_unsettled(struct search *s, event_id w, event_id r,
                           const uint64_t *prefix, const struct unsettled *out)
{
    struct scratch_mark mark = scratch_mark(&s->scratch);
    const struct graph *g = search_graph(s);
    const uint64_t *needed = prefix_alone(s, g, w, false).events;
    const struct leave leave = {g->live, NULL};
    bool any = row_exceeds(prefix, needed, g->words);
    uint64_t *kept = search_row(s, g);
    memcpy(kept, g->live, g->words * sizeof *kept);
    for (uint32_t i = g->n; any && i-- > g->events[r].stamp + 1;) {
        event_id d = g->order[i];
        if (row_has(needed, d))
            continue;
        if (row_has(prefix, d) && !is_canonical(s, d, w, kept, &leave))
            row_add(is_freed(g, d, r, w, prefix, kept) ? out->freed
                                                       : out->loose,
                    d);
        drop_with_readers(g, d, kept);
    }
    scratch_rewind(&s->scratch, mark);
}

/* Marks in g, the part of the graph below that the revisit of r keeps, what the
 * revisit leaves unsettled and apart. */
static void mark_kept(struct search *s, struct graph *g, event_id r,
                      const struct unsettled *u, const uint64_t *apart)
{
    const struct graph *old = search_graph_below(s);
    event_id half, e;
    row_for_each (e, u->loose, old->words)
        g->events[e].flags |= EVENT_LOOSE;
    row_for_each (e, u->freed, old->words)
        g->events[e].flags |= EVENT_FREED;
    if (apart)
        row_for_each (half, apart, old->words)
            g->events[old->events[half].rmw].flags |= EVENT_SPLIT;
    s->has_splits |= apart != NULL;
    g->events[r].flags &= (uint16_t)~(EVENT_SPLIT | EVENT_LOOSE | EVENT_FREED);
}

/* K, the part of the graph on top that the revisit of r by w keeps, in a new
 * one: prefix(w) and all that is not newer than r. */
static struct graph *push_kept(struct search *s, event_id w, event_id r)
{
    struct scratch_mark mark = scratch_mark(&s->scratch);
    const struct graph *old = search_graph(s);
    struct unsettled u = {search_row(s, old), search_row(s, old)};
    bool lacks;
    struct prefix prefix = prefix_for(s, old, w, r, &lacks);
    if (prefix.has_joined && !prefix.leave.apart && !prefix.leave.early)
        find_unsettled(s, w, r, prefix.events, &u);
    uint64_t *kept = search_row(s, old);
    memcpy(kept, prefix.events, old->words * sizeof *kept);
    for (uint32_t i = 0; i <= old->events[r].stamp; i++)
        row_add(kept, old->order[i]);
    struct graph *g = push_part(s, kept);
    mark_kept(s, g, r, &u, prefix.leave.apart);
    prefix_keep_needs(s, old, prefix.events, kept, r, g);
    scratch_rewind(&s->scratch, mark);
    return g;
}

void lb_revisit_apply(struct search *s, event_id w, event_id r)
{
    struct graph *g = push_kept(s, w, r);
    s->x->revisits++;
    enter_behind(s, g);
    thread_id t = g->events[r].thread;
    thread_id writer = g->events[w].thread;
    /* What stood behind r, and is kept, does not depend on r; r itself may
     * stand behind a hole. */
    if (g->threads[t].last != EVENT_NONE &&
        g->events[r].index <= g->events[g->threads[t].last].index)
        g->threads[t].last = r;
    search_take_source(s, r, w);
    if (!s->dead && !s->failed && g->threads[writer].last == w)
        search_advance(s, writer, search_step(s, g->events[w].node, 0));
}
