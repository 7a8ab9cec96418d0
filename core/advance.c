/* How a thread goes on: past what is no event, and past events that were kept
 * behind a hole, up to the next event that is to be added. */
#include "core/halt.h"
#include "core/search.h"

#include <stdio.h>
#include <string.h>

/* A thread waits because of its last read (or an RMW that changed nothing). Can
 * a later write still reach that read? If not (ALGORITHMS.md, "Blocked
 * threads") it waits for ever. */
static bool waits_for_ever(const struct explore *x, const struct graph *g,
                           thread_id t)
{
    event_id last = g->threads[t].last;
    if (last != EVENT_NONE && event_is_half(&g->events[last]))
        last = g->events[last].rmw;
    return !search_has_lb(x) && !x->options.keeps_waiting &&
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
static bool is_same(const struct explore *x, const struct event *e,
                    const struct label *label)
{
    const struct label *was = path_label(&x->path, e->node);
    return e->kind == label->kind && was->deps == label->deps &&
           (e->kind != LABEL_ALLOC || was->value == label->value) &&
           (e->loc == LOC_NONE || e->loc == label->loc) &&
           (e->kind != LABEL_WRITE ||
            (e->value == label->value &&
             !(e->flags & EVENT_APART) == !label->aux));
}

static void note_unseen(struct explore *x, thread_id t)
{
    search_note_gap(x, GAP_UNMODELLED,
                    "thread %u depends on a value in a way that was not seen",
                    t);
    x->dead = true;
}

/* Of the gap that is noted next, if it is the first. */
static void note_gap_place(struct explore *x, place_id place)
{
    if (x->gap == GAP_NONE)
        x->gap_place = place;
}

/* What is no event is dealt with here; true if the thread goes on behind it. */
static bool pass_label(struct explore *x, thread_id t, const struct label *l)
{
    struct graph *g = search_graph(x);
    const char *text =
        l->aux < x->program->n_texts ? x->program->texts[l->aux] : "";
    if (l->kind == LABEL_WARN)
        violation_warn(x, l->aux, l->place);
    else if (l->kind == LABEL_ERROR && !x->model->has_final &&
             search_is_atomic(x)) {
        violation_add_error(x, t, l);
        x->dead = !search_goes_through(x, l);
    } else if (l->kind == LABEL_BOUND) {
        note_gap_place(x, l->place);
        search_note_gap(x, GAP_BOUNDED, "%s", text);
    } else if (l->kind == LABEL_UNMODELLED) {
        char place[200];
        note_gap_place(x, l->place);
        program_print_place(x->program, l->place, place, sizeof place);
        /* The text may have it already, beside other places. */
        bool said = place[0] && strstr(text, place);
        search_note_gap(x, GAP_UNMODELLED, "%s%s%s", text, said ? "" : ", at ",
                        said ? "" : place);
    } else if (l->kind == LABEL_BLOCK && waits_for_ever(x, g, t))
        x->dead = true;
    return l->kind == LABEL_WARN || l->kind == LABEL_OBSERVE ||
           l->kind == LABEL_FENCE;
}

void search_advance(struct explore *x, thread_id t, node_id node)
{
    struct graph *g = search_graph(x);
    while (node != NODE_NONE && !x->dead) {
        struct label l = *path_label(&x->path, node);
        g->threads[t].node = node;
        event_id kept = kept_event(g, t, &l);
        if (ends_early(g, t, &l)) {
            note_unseen(x, t);
            return;
        }
        if (!label_is_event(l.kind) || search_hides(x, &l)) {
            if (!pass_label(x, t, &l))
                return;
            node = search_step(x, node, 0);
        } else if (kept == EVENT_NONE)
            return;
        else if (!is_same(x, &g->events[kept], &l)) {
            note_unseen(x, t);
        } else {
            struct event *ev = &g->events[kept];
            ev->node = node;
            g->threads[t].last = kept;
            node = search_step(x, node, label_returns(l.kind) ? ev->value : 0);
        }
    }
}

const char *search_where(struct explore *x, char *buf, size_t cap)
{
    enum { MANY = 200 };
    uint32_t most = MANY;
    char place[200];
    buf[0] = '\0';
    if (x->n_frames == 0) /* before the search, or behind it */
        return buf;
    const struct graph *g = search_graph(x);
    for (thread_id t = 0; t < g->n_threads; t++) {
        uint32_t n = 0;
        for (event_id e = g->threads[t].last; e != EVENT_NONE;
             e = g->events[e].po_prev)
            n++;
        if (g->threads[t].node == NODE_NONE || n <= most)
            continue;
        most = n;
        place_id at = path_label(&x->path, g->threads[t].node)->place;
        program_print_place(x->program, at, place, sizeof place);
        snprintf(buf, cap,
                 "; thread %u had made %u accesses, the last at %s in %s", t, n,
                 place,
                 at == PLACE_NONE
                     ? "?"
                     : x->program->texts[x->program->places[at].function]);
    }
    return buf;
}

bool search_is_halted(struct explore *x)
{
    char text[100], where[400];
    if (halt_reason() != HALT_NONE) {
        halt_print(text, sizeof text);
        search_note_gap(
            x, halt_reason() == HALT_TIMEOUT ? GAP_TIMEOUT : GAP_INTERRUPTED,
            "%s%s", text, search_where(x, where, sizeof where));
        return true;
    }
    if (!x->options.stop || !*x->options.stop)
        return false;
    search_note_gap(x, GAP_INTERRUPTED, "interrupted%s",
                    search_where(x, where, sizeof where));
    return true;
}
