/* All axioms held before e came, e is maximal in po and rf, and letters are
 * frozen: so a new closed walk goes through e, and leaves it by a letter that
 * can lead away from the youngest event. These are co, fr and eco, and nearly
 * always they lead nowhere, because e is the last write of its location, or a
 * read of that. Then nothing more needs to be done. Otherwise the walk is
 * searched from e backwards, since the graph keeps predecessor rows.
 *
 * While no event closed a cycle of po, rf, co and fr (graph.loops: those that
 * may have, when they were added or got another source or place), there is
 * none, and axioms within sequential consistency need not be asked in the end.
 *
 * Where e has others behind it in its thread (a hole was filled), it is maximal
 * no longer: then rows of those behind it are made anew, and walks are searched
 * that leave by any letter, through each event of which a row may be new. */
#include "models/cat/run/cat_checker.h"

#include "core/mem.h"
#include "models/cat/run/cat_sc.h"

#include <stdlib.h>
#include <string.h>

#define INLINE static inline __attribute__((always_inline))

void cat_checker_init(struct cat_checker *c, const struct cat_plan *plan)
{
    *c = (struct cat_checker){.plan = plan};
    c->step.rels = &plan->rels;
    cat_memo_init(&c->memo, plan);
    c->step.usable = INT16_MAX;
}

void cat_checker_release(struct cat_checker *c)
{
    free(c->rows);
    free(c->all);
    free(c->step.scratch);
    cat_memo_release(&c->memo);
    free(c->step.members);
    *c = (struct cat_checker){0};
}

static void grow(struct cat_checker *c, uint32_t words)
{
    size_t rows = 3 * (size_t)c->plan->states + 4 + c->plan->solved;
    c->words = words;
    c->rows = mem_resize(c->rows, rows * words * sizeof *c->rows);
    c->step.cap = cat_step_room(c->plan->depth, words);
    c->step.scratch =
        mem_resize(c->step.scratch, c->step.cap * sizeof *c->step.scratch);
    if (c->plan->n_finals == 0)
        return;
    size_t events = 64 * (size_t)words; /* the most that a graph can have */
    c->all = mem_resize(c->all, (events + 2) * words * sizeof *c->all);
    c->step.members =
        mem_resize(c->step.members, c->plan->rels.n_members * (size_t)words *
                                        sizeof *c->step.members);
}

INLINE void start(struct cat_checker *c, const struct graph *g, event_id e)
{
    if (g->words > c->words)
        grow(c, g->words);
    c->step.g = g;
    c->step.e = e;
    c->step.top = 0;
}

void cat_checker_start(struct cat_checker *c, const struct graph *g, event_id e)
{
    start(c, g, e);
}

/* --- searches ----------------------------------------------------------- */

/* Does eco lead from e to nothing? */
INLINE bool is_latest(const struct graph *g, event_id e)
{
    const struct event *ev = &g->events[e];
    if (ev->kind == LABEL_WRITE)
        return ev->co_next == EVENT_NONE &&
               cat_row_empty(graph_row(g, e, ROW_READERS), g->words);
    if (ev->kind != LABEL_READ || ev->rf == EVENT_NONE)
        return true;
    return (ev->rf == EVENT_INIT ? g->locs[ev->loc].co_first
                                 : g->events[ev->rf].co_next) == EVENT_NONE;
}

/* Rows by state. */
struct fronts {
    uint64_t *seen, *fresh, *goal;
};

/* The source of a read, if it is in another thread; else EVENT_NONE. */
INLINE event_id external_source(const struct graph *g, event_id y)
{
    const struct event *ev = &g->events[y];
    return ev->kind == LABEL_READ && ev->rf < EVENT_INIT &&
                   g->events[ev->rf].thread != ev->thread
               ? ev->rf
               : EVENT_NONE;
}

/* Adds what leads to y by a simple step. */
INLINE void add_step(const struct graph *g, const struct cat_edge *edge,
                     event_id y, uint64_t *out, uint32_t words)
{
    if (edge->kind == EDGE_RFE) {
        event_id source = external_source(g, y);
        if (source != EVENT_NONE)
            row_add(out, source);
        return;
    }
    const uint64_t *row = graph_row(g, y, edge->row);
    for (uint32_t w = 0; w < words; w++)
        out[w] |= row[w];
}

/* Adds to `now` what leads there by a loop of a transitive row, and (`rfe`) of
 * sources in other threads, and has not been seen. What a row brings needs no
 * row of its own. Behind `now` is room for two more. */
INLINE void close_loops(const struct graph *g, const struct cat_edge *row,
                        bool rfe, uint64_t *seen, uint64_t *now, uint32_t words)
{
    const uint64_t *all_reads = graph_set(g, TAG_R);
    uint64_t *left = now + words, *reads = left + words;
    for (uint32_t w = 0; w < words; w++) {
        left[w] = now[w];
        reads[w] = rfe ? now[w] & all_reads[w] : 0;
    }
    for (bool more = true; more;) {
        for (uint32_t w = words; w-- > 0;)
            while (left[w]) {
                uint32_t bit = 63 - (uint32_t)__builtin_clzll(left[w]);
                const uint64_t *known = graph_row(g, w * 64 + bit, row->row);
                left[w] &= ~((uint64_t)1 << bit);
                for (uint32_t k = 0; k < words; k++) {
                    uint64_t fresh = known[k] & ~seen[k];
                    seen[k] |= fresh;
                    now[k] |= fresh;
                    left[k] &= ~known[k];
                    reads[k] |= rfe ? fresh & all_reads[k] : 0;
                }
            }
        more = false;
        for (uint32_t w = 0; w < words; w++)
            for (; reads[w]; reads[w] &= reads[w] - 1) {
                event_id source = external_source(
                    g, w * 64 + (event_id)__builtin_ctzll(reads[w]));
                if (source == EVENT_NONE || row_has(seen, source))
                    continue;
                row_add(seen, source);
                row_add(now, source);
                row_add(left, source);
                more = true;
            }
    }
}

/* Events that `edge` relates to one in `now`, to `got`. */
INLINE void take_edge(struct cat_checker *c, const struct cat_edge *edge,
                      const uint64_t *now, uint64_t *got, uint32_t words)
{
    event_id y;
    if (edge->kind == EDGE_SAME) {
        memcpy(got, now, words * sizeof *got);
        if (edge->set != UINT32_MAX)
            cat_filter(&c->step, &c->plan->rels.sets[edge->set], got);
        return;
    }
    memset(got, 0, words * sizeof *got);
    if (edge->kind == EDGE_LETTER)
        cat_back(&c->step, edge->letter, now, got);
    else
        row_for_each (y, now, words)
            add_step(c->step.g, edge, y, got, words);
}

/* Walks backwards from (e, q) until nothing is new; true: met a goal. */
INLINE bool walk_back(struct cat_checker *c, const struct cat_search *s,
                      struct fronts f, uint32_t q, event_id e, uint32_t words)
{
    const struct cat_plan *plan = c->plan;
    uint64_t one[4];
    uint64_t *got = words == 1 ? one : c->rows + 3 * plan->states * words;
    uint64_t *copy = got + words;
    uint64_t dirty = (uint64_t)1 << q;
    row_add(f.seen + q * words, e);
    row_add(f.fresh + q * words, e);
    while (dirty) {
        uint32_t to = (uint32_t)__builtin_ctzll(dirty);
        dirty &= dirty - 1;
        uint64_t *now = f.fresh + to * words;
        memcpy(copy, now, words * sizeof *now);
        memset(now, 0, words * sizeof *now);
        uint32_t i = plan->into[s->first_into + to];
        uint32_t end = plan->into[s->first_into + to + 1];
        const struct cat_edge *loops = plan->edges + i;
        if (i < end && loops->from == to && loops->kind == EDGE_CLOSED) {
            bool rfe =
                ++i < end && loops[1].from == to && loops[1].kind == EDGE_RFE;
            i += rfe;
            close_loops(c->step.g, loops, rfe, f.seen + to * words, copy,
                        words);
        }
        if (row_meets(copy, f.goal + to * words, words))
            return true;
        for (; i < end; i++) {
            const struct cat_edge *edge = &plan->edges[i];
            take_edge(c, edge, copy, got, words);
            size_t at = (size_t)edge->from * words;
            uint64_t any = 0, met = 0;
            for (uint32_t w = 0; w < words; w++) {
                uint64_t fresh = got[w] & ~f.seen[at + w];
                if (edge->from == to) /* a loop: the edges after it go on */
                    copy[w] |= fresh;
                f.seen[at + w] |= fresh;
                f.fresh[at + w] |= fresh;
                any |= fresh;
                met |= fresh & f.goal[at + w];
            }
            if (met)
                return true;
            if (any)
                dirty |= (uint64_t)1 << edge->from;
        }
    }
    return false;
}

/* Gives e another source, or another write before it in co, and nothing else:
 * others still take it for a reader of the old one. Returns that. */
INLINE event_id swap_source(const struct graph *g, event_id e, event_id source)
{
    struct event *ev = &g->events[e];
    event_id *at = ev->kind == LABEL_READ ? &ev->rf : &ev->co_prev;
    event_id old = *at;
    *at = source;
    return old;
}

INLINE bool search(struct cat_checker *c, const struct cat_search *s,
                   event_id e, bool hidden, uint32_t words)
{
    const struct cat_plan *plan = c->plan;
    const struct cat_out *outs = plan->outs + s->first_out;
    size_t size = (size_t)s->n_states * words;
    struct fronts f = {c->rows, c->rows + size, c->rows + 2 * size};
    uint64_t one[1];
    uint64_t *self = words == 1 ? one : c->rows + 3 * plan->states * words;
    for (uint32_t i = 0; i < s->n_outs;) {
        uint32_t q = outs[i].from;
        bool any = false;
        memset(self, 0, words * sizeof *self);
        row_add(self, e);
        memset(f.goal, 0, size * sizeof *f.goal);
        for (; i < s->n_outs && outs[i].from == q; i++) {
            uint64_t *goal = f.goal + (size_t)outs[i].to * words;
            if ((outs[i].behind && c->step.e == e) ||
                !cat_has_required(c->step.g, outs[i].required, words))
                continue;
            cat_forward(&c->step, outs[i].letter, self, goal);
            any = any || !cat_row_empty(goal, words);
        }
        if (!any)
            continue;
        memset(f.seen, 0, 2 * size * sizeof *f.seen);
        const struct graph *g = c->step.g;
        bool is_read = g->events[e].kind == LABEL_READ;
        event_id source = EVENT_NONE;
        if (hidden)
            source = swap_source(g, e, is_read ? EVENT_NONE : EVENT_INIT);
        bool met = walk_back(c, s, f, q, e, words);
        if (hidden)
            swap_source(g, e, source);
        if (met)
            return false;
    }
    return true;
}

INLINE bool meet(struct cat_checker *c, const struct cat_meet *m, event_id e,
                 uint32_t words)
{
    const struct cat_set *set = &c->plan->rels.sets[m->set];
    if ((m->behind && c->step.e == e) ||
        !cat_set_has(set, c->step.g->events[e].tags) ||
        !cat_has_required(c->step.g, m->required, words))
        return true;
    uint64_t *self = c->rows, *to = self + words, *from = to + words;
    memset(self, 0, 3 * words * sizeof *self);
    row_add(self, e);
    cat_forward(&c->step, m->forward, self, to);
    if (cat_row_empty(to, words))
        return true;
    cat_back(&c->step, m->back, self, from);
    return !row_meets(to, from, words);
}

/* Is e in a pair of the relation? Adds the others to `row`. */
INLINE bool is_paired(struct cat_checker *c, const struct cat_pairs *p,
                      event_id e, uint64_t **others, uint32_t words)
{
    const struct cat_rels *r = &c->plan->rels;
    uint64_t *self = c->rows, *row = c->rows + words;
    uint64_t tags = c->step.g->events[e].tags;
    bool to = cat_set_has(&r->sets[p->range], tags);
    bool from = !(r->nodes[p->node].is & REL_SYMMETRIC) &&
                cat_set_has(&r->sets[p->domain], tags);
    if ((!to && !from) || !cat_has_required(c->step.g, p->required, words))
        return false;
    memset(self, 0, 2 * words * sizeof *self);
    row_add(self, e);
    if (to)
        cat_back(&c->step, p->node, self, row);
    if (from)
        cat_forward(&c->step, p->node, self, row);
    *others = row;
    return !cat_row_empty(row, words);
}

INLINE bool check(struct cat_checker *c, event_id e, uint32_t words)
{
    const struct cat_plan *plan = c->plan;
    for (uint32_t i = 0; i < plan->n_meets; i++)
        if (!meet(c, &plan->meets[i], e, words))
            return false;
    uint32_t *first = &c->failed[c->step.g->events[e].kind == LABEL_WRITE];
    for (uint32_t i = 0; i < plan->n_searches; i++) {
        uint32_t k = i == 0 ? *first : i - (i <= *first);
        const struct cat_search *s = &plan->searches[k];
        if (cat_has_required(c->step.g, s->required, words) &&
            !search(c, s, e, false, words)) {
            *first = k;
            c->refused_by = s;
            return false;
        }
    }
    for (uint32_t i = 0; i < plan->n_pairs; i++) {
        uint64_t *others;
        if (is_paired(c, &plan->pairs[i], e, &others, words))
            return false;
    }
    return true;
}

/* Where e has others behind it: does the meet hold of all events at which it
 * may be new? If its relations are REL_OWN, a new pair leads to e, from e, or
 * to one behind. */
static bool meet_behind(struct cat_checker *c, const struct cat_meet *m,
                        event_id e)
{
    const struct graph *g = c->step.g;
    uint64_t *at = c->rows + 3 * g->words, *self = c->rows;
    event_id f;
    if (m->own) {
        memset(at, 0, g->words * sizeof *at);
        memset(self, 0, g->words * sizeof *self);
        row_add(self, e);
        cat_forward(&c->step, m->back, self, at);
        for (f = e; f != EVENT_NONE; f = g->events[f].po_next)
            row_add(at, f);
    } else
        memcpy(at, g->live, g->words * sizeof *at);
    row_for_each (f, at, g->words)
        if (!meet(c, m, f, g->words))
            return false;
    return true;
}

/* The same for a search. */
static bool search_behind(struct cat_checker *c, const struct cat_search *s,
                          event_id e)
{
    const struct graph *g = c->step.g;
    event_id f;
    if (!cat_has_required(g, s->required, g->words))
        return true;
    if (!s->own) {
        row_for_each (f, g->live, g->words)
            if (!search(c, s, f, false, g->words))
                return false;
        return true;
    }
    for (f = e; f != EVENT_NONE; f = g->events[f].po_next)
        if (!search(c, s, f, false, g->words))
            return false;
    return true;
}

static bool check_behind(struct cat_checker *c, const struct graph *g,
                         event_id e)
{
    const struct cat_plan *plan = c->plan;
    event_id f;
    uint64_t *others;
    for (uint32_t i = 0; i < plan->n_meets; i++)
        if (!meet_behind(c, &plan->meets[i], e))
            return false;
    for (uint32_t i = 0; i < plan->n_searches; i++)
        if (!search_behind(c, &plan->searches[i], e))
            return false;
    for (uint32_t i = 0; i < plan->n_pairs; i++)
        row_for_each (f, g->live, g->words)
            if (is_paired(c, &plan->pairs[i], f, &others, g->words))
                return false;
    return true;
}

/* Does the graph hold because no event is on a cycle of po, rf, co and fr that
 * was not before? */
static bool is_sequential(struct cat_checker *c, const struct graph *g,
                          event_id e)
{
    const struct cat_plan *plan = c->plan;
    start(c, g, e);
    return plan->within_sc &&
           (plan->own || g->events[e].po_next == EVENT_NONE) &&
           !cat_sc_returns(g, e, c->rows);
}

bool cat_checker_check(struct cat_checker *c, const struct graph *g, event_id e)
{
    bool behind = !c->plan->rels.in_order && g->events[e].po_next != EVENT_NONE;
    if ((!behind && c->plan->late && is_latest(g, e)) ||
        is_sequential(c, g, e)) {
        row_drop(g->loops, e);
        return true;
    }
    row_add(g->loops, e);
    c->refused_by = NULL;
    cat_checker_settle(c, g);
    start(c, g, behind ? EVENT_NONE : e);
    return behind          ? check_behind(c, g, e)
           : g->words == 1 ? check(c, e, 1)
           : g->words == 2 ? check(c, e, 2)
                           : check(c, e, g->words);
}

/* A walk that leaves e by co or fr, and does not come back to it by rf, co or
 * fr, is there with each earlier source or place of e too, from which co and fr
 * lead to more. So they do within the walk; and rows of e must be the same. */
bool cat_checker_refuses_earlier(struct cat_checker *c, const struct graph *g,
                                 event_id e)
{
    const struct cat_search *s = c->refused_by;
    if (!s || !s->lasts || !cat_memo_is_plain(&c->memo, g, e))
        return false;
    start(c, g, e);
    return !(g->words == 1   ? search(c, s, e, true, 1)
             : g->words == 2 ? search(c, s, e, true, 2)
                             : search(c, s, e, true, g->words));
}

/* --- flags -------------------------------------------------------------- */

INLINE const struct cat_pairs *flagged(struct cat_checker *c, event_id e,
                                       event_id *other, uint32_t words)
{
    for (uint32_t i = 0; i < c->plan->n_flags; i++) {
        const struct cat_pairs *p = &c->plan->flags[i];
        uint64_t *others;
        if (!is_paired(c, p, e, &others, words))
            continue;
        event_id x;
        row_for_each (x, others, words) {
            *other = x;
            return p;
        }
    }
    return NULL;
}

const struct cat_pairs *cat_checker_flagged(struct cat_checker *c,
                                            const struct graph *g, event_id e,
                                            event_id *other)
{
    if (c->plan->n_flags == 0)
        return NULL;
    if (!c->plan->rels.in_order)
        cat_checker_settle(c, g);
    start(c, g, e);
    return g->words == 1 ? flagged(c, e, other, 1)
                         : flagged(c, e, other, g->words);
}
