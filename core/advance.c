/* How a thread goes on: past what is no event, and past events that were kept
 * behind a hole, up to the next event that is to be added. */
#include "core/halt.h"
#include "core/search.h"

#include <stdio.h>
#include <string.h>

/* A thread waits because of its last read (or an RMW that changed nothing). Can
 * a later write still reach that read? If not (docs/ALGORITHM.md, S7) it waits
 * for ever. */
static bool waits_for_ever(const struct search *s, const struct graph *g,
                           thread_id t)
{
    event_id last = g->threads[t].last;
    if (last != EVENT_NONE && event_is_half(&g->events[last]))
        last = g->events[last].rmw;
    return !search_has_lb(s) && !s->x->options.keeps_waiting &&
           last != EVENT_NONE && g->events[last].kind == LABEL_READ &&
           (g->events[last].flags & (EVENT_MAX | EVENT_FIXED)) != EVENT_MAX;
}

/* The event behind a hole that was just filled, at `label`, if there is one. */
static event_id kept_event(const struct graph *g, thread_id t,
                           const struct label *label)
{
    event_id last = g->threads[t].last;
    event_id next =
        last == EVENT_NONE ? g->threads[t].first : g->events[last].po_next;
    uint32_t index = graph_index_after(g, last, label);
    return next != EVENT_NONE && g->events[next].index == index ? next
                                                                : EVENT_NONE;
}

/* Has the thread come to its end although an event behind it was kept? */
static bool ends_early(const struct graph *g, thread_id t,
                       const struct label *label)
{
    event_id last = g->threads[t].last;
    event_id next =
        last == EVENT_NONE ? g->threads[t].first : g->events[last].po_next;
    return label->kind == LABEL_END && next != EVENT_NONE;
}

/* Is the kept event e what the code does at `label`, after the hole? It must be
 * so, or a dependency was not seen. */
static bool is_same(const struct search *s, const struct event *e,
                    const struct label *label)
{
    const struct label *was = path_label(s->path, e->node);
    return e->kind == label->kind && was->deps == label->deps &&
           (e->kind != LABEL_ALLOC || was->value == label->value) &&
           (e->loc == LOC_NONE || e->loc == label->loc) &&
           (e->kind != LABEL_WRITE ||
            (e->value == label->value &&
             !(e->flags & EVENT_APART) == !label->aux));
}

static void note_unseen(struct search *s, thread_id t)
{
    search_note_gap(s, REASON_DEPENDENCY,
                    "thread %u depends on a value in a way that was not seen",
                    t);
    s->dead = true;
}

/* Of the gap that is noted next, if it is the first. */
static void note_gap_place(struct search *s, place_id place)
{
    if (s->x->gap == GAP_NONE)
        s->x->gap_place = place;
}

/* What is no event is dealt with here; true if the thread goes on behind it. */
static bool pass_label(struct search *s, thread_id t, const struct label *l)
{
    struct graph *g = search_graph(s);
    const char *text =
        l->aux < s->program->n_texts ? s->program->texts[l->aux] : "";
    if (l->kind == LABEL_WARN)
        violation_warn(s->x, l->aux, l->place);
    else if (l->kind == LABEL_ERROR && !s->model->has_final &&
             violation_is_atomic(s)) {
        violation_add_error(s, t, l);
        s->dead = !search_goes_through(s, l);
    } else if (l->kind == LABEL_BOUND) {
        note_gap_place(s, l->place);
        search_note_gap(s, REASON_LOOP, "%s", text);
    } else if (l->kind == LABEL_UNMODELLED) {
        char place[200];
        note_gap_place(s, l->place);
        program_print_place(s->program, l->place, place, sizeof place);
        /* The text may have it already, beside other places. */
        bool said = place[0] && strstr(text, place);
        search_note_gap(s, REASON_CODE, "%s%s%s", text, said ? "" : ", at ",
                        said ? "" : place);
    } else if (l->kind == LABEL_BLOCK && waits_for_ever(s, g, t))
        s->dead = true;
    return l->kind == LABEL_WARN || l->kind == LABEL_OBSERVE ||
           l->kind == LABEL_FENCE;
}

void search_advance(struct search *s, thread_id t, node_id node)
{
    struct graph *g = search_graph(s);
    while (node != NODE_NONE && !s->dead) {
        struct label l = *path_label(s->path, node);
        g->threads[t].node = node;
        event_id kept = kept_event(g, t, &l);
        if (ends_early(g, t, &l)) {
            note_unseen(s, t);
            return;
        }
        if (!label_is_event(l.kind) || search_hides(s, &l)) {
            if (!pass_label(s, t, &l))
                return;
            node = search_step(s, node, 0);
        } else if (kept == EVENT_NONE)
            return;
        else if (!is_same(s, &g->events[kept], &l)) {
            note_unseen(s, t);
        } else {
            struct event *ev = &g->events[kept];
            ev->node = node;
            g->threads[t].last = kept;
            node = search_step(s, node, label_returns(l.kind) ? ev->value : 0);
        }
    }
}

const char *search_where(const struct search *s, char *buf, size_t cap)
{
    enum { MANY = 200 };
    uint32_t most = MANY;
    char place[200];
    buf[0] = '\0';
    if (s->n_frames == 0) /* before the search, or behind it */
        return buf;
    const struct graph *g = search_graph(s);
    for (thread_id t = 0; t < g->n_threads; t++) {
        uint32_t n = 0;
        event_id last = g->threads[t].last;
        for (event_id e = last; e != EVENT_NONE; e = g->events[e].po_prev)
            n++;
        if (g->threads[t].node == NODE_NONE || n <= most)
            continue;
        most = n;
        place_id at = path_label(s->path, g->events[last].node)->place;
        program_print_place(s->program, at, place, sizeof place);
        snprintf(buf, cap,
                 "; thread %u had made %u accesses, the last at %s in %s", t, n,
                 place,
                 at == PLACE_NONE
                     ? "?"
                     : s->program->texts[s->program->places[at].function]);
    }
    return buf;
}

void search_note_halt(struct search *s, const char *text)
{
    char where[400];
    search_note_gap(
        s, halt_reason() == HALT_TIMEOUT ? REASON_TIMEOUT : REASON_INTERRUPTED,
        "%s%s", text, search_where(s, where, sizeof where));
}

bool search_is_halted(struct search *s)
{
    char text[100], where[400];
    if (halt_reason() != HALT_NONE) {
        halt_print(text, sizeof text);
        search_note_halt(s, text);
        return true;
    }
    if (!s->x->options.stop || !*s->x->options.stop)
        return false;
    search_note_gap(s, REASON_INTERRUPTED, "interrupted%s",
                    search_where(s, where, sizeof where));
    return true;
}
