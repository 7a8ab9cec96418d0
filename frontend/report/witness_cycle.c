/* Why an execution is no interleaving: a shortest cycle of po, rf, co and fr.
 * These are the critical cycles of litmus tests (Shasha and Snir, TOPLAS 1988):
 * what a compiler writer looks for first. */
#include "core/mem.h"
#include "frontend/report/witness.h"

#include <stdlib.h>

/* Beyond this the search, cubic in the number of events, takes too long. */
#define EVENTS_MAX 256

struct search {
    const struct witness *w;
    uint32_t *co_index; /* [cap] of a write: its place in co, from 1 on */
    uint32_t *from;     /* [n] row before, in the breadth-first search */
    uint32_t *queue;    /* [n] rows */
};

static void number_writes(struct search *s)
{
    const struct graph *g = s->w->graph;

    for (loc_id l = 0; l < g->n_locs; l++) {
        uint32_t i = 1;

        for (event_id e = g->locs[l].co_first; e != EVENT_NONE;
             e = g->events[e].co_next)
            s->co_index[e] = i++;
    }
}

/* The relation from a to b that counts, or NULL. */
static const char *relation(const struct search *s, event_id a, event_id b)
{
    const struct graph *g = s->w->graph;
    const struct event *x = &g->events[a], *y = &g->events[b];
    uint32_t source;

    if (row_has(graph_row(g, b, ROW_PO), a))
        return "po";
    if (y->kind == LABEL_READ && y->rf == a)
        return "rf";
    if (y->kind != LABEL_WRITE || x->loc != y->loc || a == b)
        return NULL;
    if (x->kind == LABEL_WRITE)
        return s->co_index[a] < s->co_index[b] ? "co" : NULL;
    if (x->kind != LABEL_READ || x->rf == EVENT_NONE)
        return NULL;
    source = x->rf == EVENT_INIT ? 0 : s->co_index[x->rf];
    return source < s->co_index[b] ? "fr" : NULL;
}

/* Length of a shortest cycle through row `start`, or UINT32_MAX; s->from then
 * leads back along it from *last. */
static uint32_t search_from(struct search *s, uint32_t start, uint32_t *last)
{
    const struct witness *w = s->w;
    uint32_t n_queued = 1, length = 1;

    for (uint32_t i = 0; i < w->n; i++)
        s->from[i] = UINT32_MAX;
    s->queue[0] = start;
    for (uint32_t head = 0, level_end = 1; head < n_queued; head++) {
        uint32_t row = s->queue[head];

        if (head == level_end) {
            level_end = n_queued;
            length++;
        }
        for (uint32_t i = 0; i < w->n; i++) {
            if (s->from[i] != UINT32_MAX ||
                !relation(s, w->rows[row], w->rows[i]))
                continue;
            s->from[i] = row;
            if (i == start) {
                *last = row;
                return length;
            }
            s->queue[n_queued++] = i;
        }
    }
    return UINT32_MAX;
}

uint32_t witness_find_cycle(const struct witness *w, event_id *cycle,
                            const char **edges, uint32_t cap)
{
    struct search s = {.w = w};
    uint32_t best = UINT32_MAX, last = 0;

    if (w->interleaved || w->n > EVENTS_MAX)
        return 0;
    s.co_index = mem_resize(NULL, w->graph->cap * sizeof(*s.co_index));
    s.from = mem_resize(NULL, w->n * sizeof(*s.from));
    s.queue = mem_resize(NULL, w->n * sizeof(*s.queue));
    number_writes(&s);
    for (uint32_t i = 0; i < w->n; i++) {
        uint32_t length = search_from(&s, i, &last);

        if (length >= best || length > cap)
            continue;
        best = length;
        for (uint32_t k = length; k-- > 0; last = s.from[last])
            cycle[k] = w->rows[last];
    }
    for (uint32_t k = 0; best <= cap && k < best; k++)
        edges[k] = relation(&s, cycle[k], cycle[(k + 1) % best]);
    free(s.co_index);
    free(s.from);
    free(s.queue);
    return best <= cap ? best : 0;
}
