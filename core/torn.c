/* Are accesses in pieces seen as one step?
 *
 * Let the events of an access be one node. Axioms forbid cycles of po, rf, co
 * and fr, of some kind or other. One that is there between the nodes, but not
 * between the events, comes into an access at one piece and goes out of it at
 * another, both times by rf, co or fr: po comes to all pieces, and so does what
 * happens before. If there is none, the graph is allowed with the accesses as
 * one step. If there is one between two accesses alone, they are in different
 * orders in different bytes, which no model allows. Otherwise the axioms would
 * have to be evaluated anew, with overlapping locations: that is left open.
 *
 * Edges are immediate ones; co and fr go on along the list of writes. */
#include "core/torn.h"

#include "core/mem.h"

#include <stdlib.h>

struct finder {
    const struct graph *g;
    const struct path *path;
    unsigned order_row; /* of what is ordered, come what may */
    bool by_thread;     /* that row says so only between different threads */
    uint64_t *seen;     /* row: reached from somewhere */
    event_id *stack;
    uint32_t n_stack;
};

static uint8_t piece_of(const struct finder *f, event_id e)
{
    return path_label(f->path, f->g->events[e].node)->piece;
}

static bool is_next_piece(const struct finder *f, event_id e, event_id next)
{
    const struct event *events = f->g->events;
    return next != EVENT_NONE && events[e].loc != LOC_NONE &&
           events[next].kind == events[e].kind &&
           piece_of(f, next) == piece_of(f, e) + 1;
}

/* The first event of e's access. */
static event_id access_of(const struct finder *f, event_id e)
{
    event_id prev = f->g->events[e].po_prev;
    while (prev != EVENT_NONE && is_next_piece(f, prev, e)) {
        e = prev;
        prev = f->g->events[e].po_prev;
    }
    return e;
}

/* The next event of e's access, or EVENT_NONE. */
static event_id next_piece(const struct finder *f, event_id e)
{
    event_id next = f->g->events[e].po_next;
    return is_next_piece(f, e, next) ? next : EVENT_NONE;
}

/* Does an access in pieces begin with e? */
static bool is_first(const struct finder *f, event_id e)
{
    return piece_of(f, e) == 0 && next_piece(f, e) != EVENT_NONE;
}

/* Is all of e's access before all of d's? (That one piece is may follow from
 * what it reads.) */
static bool is_before(const struct finder *f, event_id e, event_id d)
{
    for (event_id next = e; next != EVENT_NONE; next = next_piece(f, e))
        e = next;
    return row_has(graph_row(f->g, access_of(f, d), f->order_row), e);
}

/* Is the order of a and b that of all of their accesses, come what may? */
static bool is_ordered(const struct finder *f, event_id a, event_id b)
{
    const struct event *events = f->g->events;
    return !(f->by_thread && events[a].thread == events[b].thread) &&
           (is_before(f, a, b) || is_before(f, b, a));
}

/* --- rf, co and fr ------------------------------------------------------ */

typedef bool visitor(struct finder *f, void *self, event_id e);

static event_id co_after(const struct graph *g, loc_id loc, event_id w)
{
    return w == EVENT_INIT ? g->locs[loc].co_first : g->events[w].co_next;
}

static bool visit_readers(struct finder *f, loc_id loc, event_id w,
                          visitor *visit, void *self)
{
    const struct graph *g = f->g;
    const uint64_t *readers =
        w == EVENT_INIT ? graph_init_row(g, loc) : graph_row(g, w, ROW_READERS);
    event_id r;
    row_for_each (r, readers, g->words)
        if (!visit(f, self, r))
            return false;
    return true;
}

/* Visits what e is directly before; false: a visitor said so. */
static bool visit_after(struct finder *f, event_id e, visitor *visit,
                        void *self)
{
    const struct event *ev = &f->g->events[e];
    if (ev->kind == LABEL_READ) {
        event_id w =
            ev->rf == EVENT_NONE ? EVENT_NONE : co_after(f->g, ev->loc, ev->rf);
        return w == EVENT_NONE || visit(f, self, w);
    }
    return ev->kind != LABEL_WRITE ||
           (visit_readers(f, ev->loc, e, visit, self) &&
            (ev->co_next == EVENT_NONE || visit(f, self, ev->co_next)));
}

/* The same of what is directly before e; not for the initial write. */
static bool visit_before(struct finder *f, event_id e, visitor *visit,
                         void *self)
{
    const struct event *ev = &f->g->events[e];
    if (ev->kind == LABEL_READ)
        return ev->rf >= EVENT_INIT || visit(f, self, ev->rf);
    return ev->kind != LABEL_WRITE || ev->co_prev == EVENT_NONE ||
           (visit_readers(f, ev->loc, ev->co_prev, visit, self) &&
            (ev->co_prev >= EVENT_INIT || visit(f, self, ev->co_prev)));
}

/* --- cycles ------------------------------------------------------------- */

/* Reaches all of e's access. */
static bool reach(struct finder *f, void *self, event_id e)
{
    (void)self;
    for (e = access_of(f, e); e != EVENT_NONE; e = next_piece(f, e))
        if (!row_has(f->seen, e)) {
            row_add(f->seen, e);
            f->stack[f->n_stack++] = e;
        }
    return true;
}

static void reach_by_po(struct finder *f, event_id e)
{
    const struct graph *g = f->g;
    const struct event *ev = &g->events[e];
    if (ev->po_next != EVENT_NONE) {
        reach(f, NULL, ev->po_next);
    } else {
        event_id join;
        row_for_each (join, graph_set(g, TAG_JOIN), g->words)
            if (path_label(f->path, g->events[join].node)->loc == ev->thread)
                reach(f, NULL, join);
    }
    for (thread_id t = 0; ev->kind == LABEL_CREATE && t < g->n_threads; t++)
        if (g->threads[t].create == e && g->threads[t].first != EVENT_NONE)
            reach(f, NULL, g->threads[t].first);
}

/* Is there a way from access a to access b? */
static bool reaches(struct finder *f, event_id a, event_id b)
{
    const struct graph *g = f->g;
    memset(f->seen, 0, g->words * sizeof *f->seen);
    f->n_stack = 0;
    reach(f, NULL, a);
    while (f->n_stack > 0 && !row_has(f->seen, b)) {
        event_id e = f->stack[--f->n_stack];
        visit_after(f, e, reach, NULL);
        reach_by_po(f, e);
    }
    return row_has(f->seen, b);
}

/* One access in pieces, and what comes into it at a piece and goes out of it at
 * another. */
struct passage {
    event_id access;
    event_id in, out; /* pieces of it */
    event_id from;    /* the access that comes into `in` */
    event_id to;      /* the event that `out` goes to */
    enum torn torn;
};

static bool is_other(struct finder *f, void *self, event_id e)
{
    return access_of(f, e) != *(const event_id *)self;
}

/* Does the passage also go through a single piece? */
static bool goes_through_one(struct finder *f, struct passage *p)
{
    event_id to = access_of(f, p->to);
    for (event_id e = p->access; e != EVENT_NONE; e = next_piece(f, e))
        if (!visit_before(f, e, is_other, &p->from) &&
            !visit_after(f, e, is_other, &to))
            return true;
    return false;
}

static bool take_out(struct finder *f, void *self, event_id e)
{
    struct passage *p = self;
    if (access_of(f, e) == p->access || is_ordered(f, p->out, e))
        return true;
    p->to = e;
    if (goes_through_one(f, p) || !reaches(f, access_of(f, e), p->from))
        return true;
    p->torn = TORN_PERHAPS;
    return false;
}

static bool take_in(struct finder *f, void *self, event_id e)
{
    struct passage *p = self;
    if (access_of(f, e) == p->access || is_ordered(f, e, p->in))
        return true;
    p->from = access_of(f, e);
    for (p->out = p->access; p->out != EVENT_NONE;
         p->out = next_piece(f, p->out))
        if (p->out != p->in && !visit_after(f, p->out, take_out, p))
            return false;
    return true;
}

/* --- two accesses ------------------------------------------------------- */

/* Where e stands in the order of its location: a write before its readers. */
static uint32_t rank_of(const struct graph *g, event_id e)
{
    const struct event *ev = &g->events[e];
    uint32_t rank = ev->kind == LABEL_READ;
    event_id w = ev->kind == LABEL_READ ? ev->rf : e;
    for (; w < EVENT_INIT; w = g->events[w].co_prev)
        rank += 2;
    return rank;
}

/* Are accesses a and b, one of them a write, in different orders where they
 * have pieces in common? */
static bool disagree(const struct finder *f, event_id a, event_id b)
{
    const struct event *events = f->g->events;
    bool before = false, after = false;
    if (events[a].kind == LABEL_READ && events[b].kind == LABEL_READ)
        return false;
    for (event_id p = a; p != EVENT_NONE; p = next_piece(f, p))
        for (event_id q = b; q != EVENT_NONE; q = next_piece(f, q)) {
            if (events[p].loc != events[q].loc)
                continue;
            bool is_before = rank_of(f->g, p) < rank_of(f->g, q);
            before |= is_before;
            after |= !is_before;
        }
    return before && after;
}

/* Is access a in another order than another one of its locations? */
static bool is_broken(const struct finder *f, event_id a)
{
    const struct graph *g = f->g;
    event_id e;
    for (event_id p = a; p != EVENT_NONE; p = next_piece(f, p))
        row_for_each (e, graph_loc_row(g, g->events[p].loc), g->words) {
            event_id b = access_of(f, e);
            if (b != a && is_first(f, b) && disagree(f, a, b))
                return true;
        }
    return false;
}

static enum torn find_at(struct finder *f, event_id access, event_id pair[2])
{
    struct passage p = {.access = access, .torn = TORN_NOT};
    for (p.in = access; p.in != EVENT_NONE && p.torn == TORN_NOT;
         p.in = next_piece(f, p.in))
        visit_before(f, p.in, take_in, &p);
    if (p.torn == TORN_NOT)
        return TORN_NOT;
    pair[0] = access;
    pair[1] = p.from;
    return TORN_PERHAPS;
}

enum torn torn_find(const struct graph *g, const struct path *path, int hb_row,
                    event_id pair[2])
{
    bool has_hb = hb_row >= 0;
    struct finder f = {
        .g = g,
        .path = path,
        .order_row = has_hb ? (unsigned)hb_row : ROW_PO,
        .by_thread = !has_hb,
    };
    enum torn torn = TORN_NOT;
    f.seen = mem_resize(NULL, g->words * sizeof *f.seen);
    f.stack = mem_resize(NULL, g->cap * sizeof *f.stack);
    for (uint32_t i = 0; i < g->n && torn == TORN_NOT; i++)
        if (is_first(&f, g->order[i]))
            torn = find_at(&f, g->order[i], pair);
    for (uint32_t i = 0; i < g->n && torn == TORN_PERHAPS; i++) {
        event_id e = g->order[i];
        if (is_first(&f, e) && is_broken(&f, e))
            torn = TORN_BROKEN;
    }
    free(f.stack);
    free(f.seen);
    return torn;
}
