/* What must be there before an event can be, under models that allow cycles in
 * po | rf: its causal prefix. It follows rf, dependencies and what the model
 * preserves within a thread (`corder`), and is less than all that precedes the
 * event in po.
 *
 * A read may take the value of a write of its own thread before others see that
 * write (forwarding). Then it need not wait for what has to come before the
 * write, only for what the value of the write, and its being executed, depends
 * on: in a = x; x = 1; b = x; y = b the store to y need not wait for a, though
 * the store to x does. Kept so, the write may be seen by others before what has
 * to come before it: so only where a read of that takes w (struct leave). */
#include "core/prefix.h"

/* A prefix that is being made. */
struct growing {
    struct search *s;
    const struct graph *g;
    struct prefix prefix;
    const uint64_t *model; /* rows of `corder`, if the graph has none */
    uint64_t *full; /* those needed with all they need: others are forwarded */
    uint64_t *done;
    bool leaves_forwarded; /* what forwarded values depend on is left aside */
};

/* Adds what e needs by the model's `corder`, of which `model` has the rows if
 * the graph does not keep them. */
static void add_order(const struct search *s, const struct graph *g, event_id e,
                      const uint64_t *model, uint64_t *out)
{
    const struct event *ev = &g->events[e];
    const uint64_t *po = graph_row(g, e, ROW_PO);
    if (s->model->cause_row >= 0) {
        row_or(out, graph_row(g, e, (unsigned)s->model->cause_row), g->words);
        return;
    }
    if (model)
        row_or(out, model + (size_t)e * g->words, g->words);
    if (ev->tags & TAGS_WAITING)
        row_or(out, po, g->words);
    for (uint64_t tags = TAGS_NEEDED; tags; tags &= tags - 1) {
        const uint64_t *set =
            graph_set(g, (enum event_tag)__builtin_ctzll(tags));
        for (uint32_t w = 0; w < g->words; w++)
            out[w] |= po[w] & set[w];
    }
}

/* The rows of the model's `corder`, scratch of the caller; NULL if the graph
 * has them. */
static const uint64_t *order_of(struct search *s, const struct graph *g)
{
    s->model->settle(s->instance, g);
    if (!s->model->causes)
        return NULL;
    uint64_t *rows = scratch_row(&s->scratch, g->cap * g->words);
    s->model->causes(s->model, g, rows);
    return rows;
}

static void add_dependencies(const struct graph *g, event_id e, uint64_t *out)
{
    const uint64_t *addr = graph_row(g, e, ROW_ADDR);
    const uint64_t *data = addr + g->words, *ctrl = data + g->words;
    for (uint32_t w = 0; w < g->words; w++)
        out[w] |= addr[w] | data[w] | ctrl[w];
}

/* The write that read e takes, or EVENT_NONE. */
static event_id source_of(const struct graph *g, event_id e)
{
    const struct event *ev = &g->events[e];
    return ev->kind == LABEL_READ && ev->rf < EVENT_INIT ? ev->rf : EVENT_NONE;
}

/* The read of the RMW whose write is w, one step or apart; or EVENT_NONE. */
static event_id read_of(const struct graph *g, event_id w)
{
    return g->events[w].kind == LABEL_WRITE ? g->events[w].rmw : EVENT_NONE;
}

static bool is_forwarded(const struct graph *g, event_id read, event_id source)
{
    return g->events[source].thread == g->events[read].thread;
}

bool prefix_is_swap(const struct search *s, const struct graph *g, event_id e)
{
    event_id r = read_of(g, e);
    return r != EVENT_NONE && event_is_half(&g->events[e]) &&
           path_label(s->path, g->events[r].node)->value != 0;
}

event_id prefix_swap_before(const struct search *s, const struct graph *g,
                            event_id r)
{
    const uint64_t *failed = graph_set(g, TAG_FAILED);
    const uint64_t *ctrl = graph_row(g, r, ROW_CTRL);
    const uint64_t *pick = graph_row(g, r, ROW_PICK_CTRL);
    if (!s->has_swaps || g->events[r].kind != LABEL_READ)
        return EVENT_NONE;
    for (event_id e = g->events[r].po_prev; e != EVENT_NONE;
         e = g->events[e].po_prev) {
        if (g->events[e].loc != g->events[r].loc)
            continue;
        if (g->events[e].kind == LABEL_WRITE)
            return EVENT_NONE;
        if (row_has(failed, e) && !row_has(ctrl, e) && !row_has(pick, e))
            return e;
    }
    return EVENT_NONE;
}

bool prefix_is_behind(const struct search *s, const struct graph *g, event_id f,
                      event_id e)
{
    int row = s->model->cause_row;
    return row < 0 || row_has(graph_row(g, f, (unsigned)row), e) ||
           (g->events[f].flags & EVENT_NEEDS &&
            row_has(prefix_kept_needs(s, g, f), e));
}

event_id prefix_half_of(const struct graph *g, event_id e,
                        const uint64_t *apart)
{
    const struct event *ev = &g->events[e];
    return ev->kind == LABEL_READ && ev->rmw != EVENT_NONE &&
                   !(ev->flags & EVENT_SPLIT) &&
                   event_is_half(&g->events[ev->rmw]) &&
                   !(apart && row_has(apart, ev->rmw))
               ? ev->rmw
               : EVENT_NONE;
}

/* Adds e, and what it needs of its thread if the model has a row of that. */
static void add_needed(struct growing *p, event_id e)
{
    const struct graph *g = p->g;
    if (row_has(p->full, e))
        return;
    row_add(p->prefix.events, e);
    row_add(p->full, e);
    if (p->s->model->cause_row >= 0) {
        const uint64_t *row = graph_row(g, e, (unsigned)p->s->model->cause_row);
        row_or(p->prefix.events, row, g->words);
        row_or(p->full, row, g->words);
    }
}

/* The same for all in the row; false: they are there. */
static bool add_all_needed(struct growing *p, const uint64_t *row)
{
    bool any = false;
    for (uint32_t w = 0; w < p->g->words; w++)
        for (; row[w] & ~p->full[w]; any = true)
            add_needed(p, row_event(w, row[w] & ~p->full[w]));
    return any;
}

/* Adds write w of which only the value is needed. That of an RMW cannot stay
 * without its read. */
static void add_forwarded(struct growing *p, event_id w)
{
    if (row_has(p->prefix.events, w))
        return;
    row_add(p->prefix.events, w);
    if (p->leaves_forwarded)
        return;
    for (unsigned row = ROW_ADDR; row <= ROW_CTRL; row++)
        add_all_needed(p, graph_row(p->g, w, row));
    if (read_of(p->g, w) != EVENT_NONE)
        add_needed(p, read_of(p->g, w));
}

/* What e needs besides what is in the model's row: its source, what it needed
 * before; and the halves of an RMW stay together. */
static void add_sources(struct growing *p, event_id e)
{
    const struct graph *g = p->g;
    if (g->events[e].flags & EVENT_NEEDS)
        add_all_needed(p, prefix_kept_needs(p->s, g, e));
    const struct leave *leave = &p->prefix.leave;
    event_id half = prefix_half_of(g, e, leave->apart);
    event_id source = source_of(g, e);
    if (half != EVENT_NONE && !row_has(p->full, half)) {
        p->prefix.has_joined = true;
        add_needed(p, half);
    }
    if (source == EVENT_NONE)
        return;
    bool own = is_forwarded(g, e, source);
    p->prefix.has_own |= own;
    if (own && leave->early && row_has(leave->early, source))
        add_forwarded(p, source);
    else
        add_needed(p, source);
}

/* The rest, for models without such a row. */
static void add_causes(struct growing *p, event_id e)
{
    const struct graph *g = p->g;
    struct scratch_mark mark = scratch_mark(&p->s->scratch);
    uint64_t *row = search_row(p->s, g);
    add_dependencies(g, e, row);
    if (read_of(g, e) != EVENT_NONE)
        row_add(row, read_of(g, e));
    add_order(p->s, g, e, p->model, row);
    add_all_needed(p, row);
    scratch_rewind(&p->s->scratch, mark);
}

/* All that is needed by what is there. */
static void add_rest(struct growing *p)
{
    for (bool more = true; more;) {
        more = false;
        for (uint32_t i = 0; i < p->g->words; i++) {
            uint64_t bits = p->full[i] & ~p->done[i];
            p->done[i] |= bits;
            more |= bits != 0;
            for (; bits; bits &= bits - 1) {
                event_id e = row_event(i, bits);
                add_sources(p, e);
                if (p->s->model->cause_row < 0)
                    add_causes(p, e);
            }
        }
    }
}

/* Adds the reads that events of the prefix depend on by conditional selection:
 * what is selected changes with their values. False: none is new. (rule N5) */
static bool add_picks(struct growing *p)
{
    const struct graph *g = p->g;
    bool any = false;
    event_id e;
    row_for_each (e, g->live, g->words)
        if (g->events[e].flags & EVENT_PICKS && row_has(p->prefix.events, e))
            for (unsigned row = ROW_PICK_ADDR; row <= ROW_PICK_CTRL; row++)
                any |= add_all_needed(p, graph_row(g, e, row));
    return any;
}

static struct prefix grow(struct search *s, const struct graph *g, event_id w,
                          struct leave leave, bool leaves_forwarded)
{
    bool picks = s->program->has_picks;
    struct growing p = {.s = s, .g = g, .leaves_forwarded = leaves_forwarded};
    p.prefix = (struct prefix){.events = search_row(s, g), .leave = leave};
    p.prefix.ordered = p.prefix.events;
    uint64_t *ordered = picks ? search_row(s, g) : NULL;
    struct scratch_mark mark = scratch_mark(&s->scratch);
    p.done = search_row(s, g);
    p.full = search_row(s, g);
    if (s->model->cause_row < 0)
        p.model = order_of(s, g);
    else
        s->model->settle(s->instance, g);
    add_needed(&p, w);
    add_rest(&p);
    if (ordered) {
        memcpy(ordered, p.prefix.events, g->words * sizeof *ordered);
        p.prefix.ordered = ordered;
        while (add_picks(&p))
            add_rest(&p);
    }
    scratch_rewind(&s->scratch, mark);
    return p.prefix;
}

struct prefix prefix_of(struct search *s, const struct graph *g, event_id w,
                        struct leave leave)
{
    return grow(s, g, w, leave, false);
}

struct prefix prefix_alone(struct search *s, const struct graph *g, event_id w,
                           bool early)
{
    return grow(s, g, w, (struct leave){g->live, early ? g->live : NULL},
                false);
}

struct prefix prefix_least(struct search *s, const struct graph *g, event_id w)
{
    return grow(s, g, w, (struct leave){g->live, g->live}, true);
}

/* Adds what e needs in any case. */
static void add_sure(const struct search *s, const struct graph *g, event_id e,
                     uint64_t *out)
{
    event_id source = source_of(g, e), read = read_of(g, e);
    if (read != EVENT_NONE && !prefix_is_swap(s, g, e))
        row_add(out, read);
    if (source != EVENT_NONE && !is_forwarded(g, e, source) &&
        prefix_swap_before(s, g, e) == EVENT_NONE)
        row_add(out, source);
}

/* Adds what e needs as long as the swaps `failing` fail, and no other does. The
 * model's row of e varies with the events before e in po and with their
 * sources: it counts if none of these events is `changed`. */
static void add_sure_if(const struct search *s, const struct graph *g,
                        event_id e, const uint64_t *failing,
                        const uint64_t *changed, uint64_t *out)
{
    event_id source = source_of(g, e), read = read_of(g, e);
    if (read != EVENT_NONE && !row_has(failing, e))
        row_add(out, read);
    if (source != EVENT_NONE && !is_forwarded(g, e, source) &&
        !row_has(failing, source))
        row_add(out, source);
    if (g->events[e].flags & EVENT_PICKS)
        for (unsigned row = ROW_PICK_ADDR; row <= ROW_PICK_CTRL; row++)
            row_or(out, graph_row(g, e, row), g->words);
    if (s->model->cause_row >= 0 && !row_has(changed, e) &&
        !row_meets(graph_row(g, e, ROW_PO), changed, g->words))
        row_or(out, graph_row(g, e, (unsigned)s->model->cause_row), g->words);
}

/* The events whose rows may change when the swaps `failing` fail. */
static const uint64_t *changed_by(struct search *s, const struct graph *g,
                                  const uint64_t *failing)
{
    uint64_t *changed = search_row(s, g);
    event_id e;
    row_or(changed, failing, g->words);
    row_for_each (e, failing, g->words)
        row_or(changed, graph_row(g, e, ROW_READERS), g->words);
    return changed;
}

static bool surely_has(struct search *s, const struct graph *g, event_id w,
                       const uint64_t *events, const uint64_t *failing)
{
    uint64_t *needed = search_row(s, g);
    uint64_t *done = search_row(s, g);
    const uint64_t *changed = failing ? changed_by(s, g, failing) : NULL;
    row_add(needed, w);
    for (bool more = true; more;) {
        more = false;
        for (uint32_t i = g->words; i-- > 0;)
            for (uint64_t bits; (bits = needed[i] & ~done[i]); more = true) {
                if (!row_exceeds(events, needed, g->words))
                    return true;
                event_id e = row_event(i, bits);
                row_add(done, e);
                add_dependencies(g, e, needed);
                if (failing)
                    add_sure_if(s, g, e, failing, changed, needed);
                else
                    add_sure(s, g, e, needed);
            }
    }
    return false;
}

/* It is hardly so unless all are before w in po | rf. */
bool prefix_surely_has(struct search *s, const struct graph *g, event_id w,
                       const uint64_t *events, const uint64_t *failing)
{
    if (row_exceeds(events, graph_row(g, w, ROW_CAUSE), g->words))
        return false;
    struct scratch_mark mark = scratch_mark(&s->scratch);
    bool has = surely_has(s, g, w, events, failing);
    scratch_rewind(&s->scratch, mark);
    return has;
}

/* If all events before e in po are kept, the model's row of e in `part` says
 * what e needs there, unless r, which takes another source, is one of them.
 * (rule N3) */
void prefix_keep_needs(struct search *s, const struct graph *g,
                       const uint64_t *prefix, const uint64_t *keep, event_id r,
                       const struct graph *part)
{
    struct scratch_mark mark = scratch_mark(&s->scratch);
    const uint64_t *model = order_of(s, g);
    event_id e;
    row_for_each (e, prefix, g->words) {
        const uint64_t *po = graph_row(g, e, ROW_PO);
        if (!row_exceeds(po, keep, g->words) && !row_has(po, r))
            continue;
        uint64_t *needed = prefix_kept_needs(s, part, e);
        memset(needed, 0, g->words * sizeof *needed);
        if (g->events[e].flags & EVENT_NEEDS)
            row_or(needed, prefix_kept_needs(s, g, e), g->words);
        add_order(s, g, e, model, needed);
        for (uint32_t w = 0; w < g->words; w++)
            needed[w] &= keep[w]; /* a forwarded write may need more */
        part->events[e].flags |= EVENT_NEEDS;
    }
    scratch_rewind(&s->scratch, mark);
}
