/* What must hold of a search between two steps. Debug builds look after each of
 * the first steps, and after one of many later on. */
#include "core/search.h"

#include <stdarg.h>
#include <stdio.h>

/* What does not hold; false. */
__attribute__((format(printf, 3, 4))) static bool told(char *why, size_t cap,
                                                       const char *fmt, ...)
{
    va_list args;
    va_start(args, fmt);
    vsnprintf(why, cap, fmt, args);
    va_end(args);
    return false;
}

#define CHECK(condition, ...) \
    if (!(condition))         \
    return told(why, cap, __VA_ARGS__)

/* Work of a frame is of events that its graph has; what is done first is of the
 * newest: cutting the graph back to it undoes no event of other work. */
static bool check_work(const struct search *s, char *why, size_t cap)
{
    for (uint32_t f = 0; f < s->n_frames; f++) {
        const struct graph *g = s->frames[f].g;
        uint32_t from = s->frames[f].work_base, stamp = 0;
        uint32_t to =
            f + 1 < s->n_frames ? s->frames[f + 1].work_base : s->n_work;
        CHECK(from <= to, "frame %u: its work begins behind its end", f);
        for (uint32_t i = from; i < to; i++) {
            event_id e = s->work[i].e;
            CHECK(e < g->cap && row_has(g->live, e),
                  "work %u: its event %u is gone", i, e);
            CHECK(g->events[e].stamp >= stamp,
                  "work %u: its event %u is older than that of work below", i,
                  e);
            stamp = g->events[e].stamp;
        }
    }
    return true;
}

/* The node of the nearest event above `node` in its path. */
static node_id event_above(const struct search *s, node_id node)
{
    const struct path_node *nodes = s->path->nodes;
    node_id at = nodes[node].parent;
    while (at != NODE_NONE && (!label_is_event(nodes[at].label.kind) ||
                               search_hides(s, &nodes[at].label)))
        at = nodes[at].parent;
    return at;
}

/* Each thread stands where its events have brought it, and each event where
 * those before it have. */
static bool check_paths(const struct search *s, char *why, size_t cap)
{
    const struct graph *g = search_graph(s);
    for (thread_id t = 0; t < g->n_threads; t++) {
        node_id node = g->threads[t].node;
        if (node == NODE_NONE)
            continue;
        for (event_id e = g->threads[t].last;; e = g->events[e].po_prev) {
            node_id want = e == EVENT_NONE ? NODE_NONE : g->events[e].node;
            CHECK(event_above(s, node) == want,
                  "thread %u: path and graph part before node %u", t, node);
            if (e == EVENT_NONE)
                break;
            node = want;
        }
    }
    return true;
}

bool search_check(const struct search *s, char *why, size_t cap)
{
    CHECK(s->n_frames > 0, "no graph");
    CHECK(scratch_is_empty(&s->scratch), "a scratch row was not given back");
    const struct graph *g = search_graph(s);
    event_id e = s->pending;
    CHECK(e == EVENT_NONE || (g->events[e].kind == LABEL_READ &&
                              g->threads[g->events[e].thread].last == e),
          "event %u is no read at the end of its thread, but is to write", e);
    return graph_check(g, why, cap) && check_work(s, why, cap) &&
           (s->dead || check_paths(s, why, cap));
}
