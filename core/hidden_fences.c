/* Fences that the model does not see are no events while executions are
 * explored: they would take part in everything and change nothing, and code for
 * Power has as many of them as accesses. The path cache has them, though, and
 * so an execution that is to be shown, or judged by another model, can be given
 * back all of them. */
#include "core/search.h"

/* What comes after `next` in po or in cause, and it itself, comes after f. */
static void put_before(struct graph *g, event_id f, event_id next)
{
    event_id e;
    row_for_each (e, g->live, g->words)
        for (unsigned row = ROW_PO; row <= ROW_CAUSE; row++) {
            uint64_t *before = graph_row(g, e, row);
            if (e == next || row_has(before, next))
                row_add(before, f);
        }
}

/* The same for what comes after the end of thread t. */
static void put_before_joins(const struct search *s, struct graph *g,
                             event_id f, thread_id t)
{
    event_id e;
    row_for_each (e, graph_set(g, TAG_JOIN), g->words)
        if (path_label(s->path, g->events[e].node)->loc == t)
            put_before(g, f, e);
}

static void add_fence(const struct search *s, struct graph *g, thread_id t,
                      event_id prev, node_id node)
{
    struct label label = *path_label(s->path, node);
    event_id f = graph_add_between(g, t, prev, node, &label);
    event_id next = g->events[f].po_next;
    if (s->model->needs_deps)
        depend_add(NULL, s->path, s->program, g, f);
    if (next != EVENT_NONE)
        put_before(g, f, next);
    else
        put_before_joins(s, g, f, t);
}

/* From the end of each thread to its begin. */
void hidden_fences_add(const struct search *s, struct graph *g)
{
    for (thread_id t = 0; t < g->n_threads && s->model->ignores; t++) {
        event_id prev = g->threads[t].last;
        for (node_id n = g->threads[t].node; n != NODE_NONE;
             n = s->path->nodes[n].parent) {
            if (prev != EVENT_NONE && g->events[prev].node == n)
                prev = g->events[prev].po_prev;
            else if (search_hides(s, path_label(s->path, n)))
                add_fence(s, g, t, prev, n);
        }
    }
}

const struct graph *explore_with_fences(struct explore *x,
                                        const struct graph *g)
{
    struct graph *shown = &x->search->shown;
    if (!shown->block)
        graph_init(shown, x->model->n_rows);
    graph_copy(shown, g);
    hidden_fences_add(x->search, shown);
    return shown;
}
