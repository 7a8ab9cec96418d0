#include "core/candidates.h"

#include "core/depend.h"
#include "core/halt.h"
#include "core/mem.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

enum {
    VALUES_MAX = 32,
    COPY_STEPS = 20 /* that a copy of the graph counts for */
};

/* In one round only the first n_now values are read: what is written meanwhile
 * is for the next. So the values of round k are those that follow from the
 * initial ones by k writes; as many rounds as an execution has writes do. (A
 * counter that is read and written would have no end of values.) */
struct candidate_pool {
    uint64_t values[VALUES_MAX];
    uint32_t n, n_now;
};

static void cut(struct candidates *c, const char *fmt, ...)
    __attribute__((format(printf, 2, 3)));

static void cut(struct candidates *c, const char *fmt, ...)
{
    if (c->is_cut)
        return;
    c->is_cut = true;
    va_list args;
    va_start(args, fmt);
    vsnprintf(c->cut_text, sizeof c->cut_text, fmt, args);
    va_end(args);
}

/* One more step; false: no more are allowed. */
static bool may_step(struct candidates *c)
{
    if (c->is_done || c->failed)
        return false;
    bool stop = halt_reason() != HALT_NONE || (c->stop && *c->stop);
    if (c->steps++ < c->max_steps && !stop && !c->program->locations.stale)
        return true;
    if (stop)
        cut(c, "interrupted");
    else if (c->program->locations.stale)
        cut(c, "accesses of different sizes to the same bytes");
    else
        cut(c, "stopped after %llu steps", (unsigned long long)c->max_steps);
    c->is_done = true;
    return false;
}

/* --- values ------------------------------------------------------------ */

static struct candidate_pool *pool_of(struct candidates *c, loc_id loc)
{
    if (loc >= c->n_pools) {
        c->pools = mem_resize(c->pools, (loc + 1) * sizeof *c->pools);
        for (; c->n_pools <= loc; c->n_pools++)
            c->pools[c->n_pools] = (struct candidate_pool){
                {c->program->locations.items[c->n_pools].init}, 1, 1};
    }
    return &c->pools[loc];
}

static void add_value(struct candidates *c, loc_id loc, uint64_t value)
{
    struct candidate_pool *p = pool_of(c, loc);
    for (uint32_t i = 0; i < p->n; i++)
        if (p->values[i] == value)
            return;
    if (p->n == VALUES_MAX) {
        cut(c, "more than %d values of one location", VALUES_MAX);
        return;
    }
    p->values[p->n++] = value;
    c->grew = true;
}

/* --- threads ----------------------------------------------------------- */

static node_id next_node(struct candidates *c, node_id at, uint64_t value)
{
    node_id n = path_step(c->path, at, value, c->err);
    c->failed |= n == NODE_NONE;
    return n;
}

/* Thread t goes on to `node`, and past all that is no event. */
static void advance(struct candidates *c, struct graph *g, thread_id t,
                    node_id node)
{
    for (; node != NODE_NONE; node = next_node(c, node, 0)) {
        uint8_t kind = path_label(c->path, node)->kind;
        g->threads[t].node = node;
        if (kind != LABEL_WARN && kind != LABEL_OBSERVE)
            return;
    }
}

static const struct label *label_at(const struct candidates *c,
                                    const struct graph *g, thread_id t)
{
    node_id node = t < g->n_threads ? g->threads[t].node : NODE_NONE;
    return node == NODE_NONE ? NULL : path_label(c->path, node);
}

static thread_id next_thread(const struct candidates *c, const struct graph *g)
{
    for (thread_id t = 0; t < g->n_threads; t++) {
        const struct label *l = label_at(c, g, t);
        const struct label *child =
            l && l->kind == LABEL_JOIN ? label_at(c, g, l->loc) : NULL;
        if (l && label_is_event(l->kind) &&
            (l->kind != LABEL_JOIN || (child && child->kind == LABEL_END)))
            return t;
    }
    return THREAD_NONE;
}

/* Do all threads end? What cuts a path short is noted. */
static bool is_complete(struct candidates *c, const struct graph *g)
{
    bool complete = true;
    uint32_t n_writes = 0;
    for (uint32_t i = 0; i < g->n; i++)
        n_writes += g->events[g->order[i]].kind == LABEL_WRITE;
    if (n_writes > c->n_writes)
        c->n_writes = n_writes;
    for (thread_id t = 0; t < g->n_threads; t++) {
        const struct label *l = label_at(c, g, t);
        complete &= !l || l->kind == LABEL_END;
        c->has_errors |= l && l->kind == LABEL_ERROR;
        if (l && (l->kind == LABEL_BOUND || l->kind == LABEL_UNMODELLED))
            cut(c, "%s", c->program->texts[l->aux]);
    }
    return complete;
}

/* --- sources and places ------------------------------------------------ */

static void choose_co(struct candidates *c, struct graph *g, uint32_t i)
{
    if (!may_step(c))
        return;
    while (i < g->n && g->events[g->order[i]].kind != LABEL_WRITE)
        i++;
    if (i == g->n) {
        c->is_done = !c->visit(c->self, g);
        return;
    }
    event_id w = g->order[i], after = EVENT_INIT;
    while (after != EVENT_NONE && !c->is_done) {
        graph_insert_co(g, w, after);
        choose_co(c, g, i + 1);
        graph_remove_co(g, w);
        after = after == EVENT_INIT ? g->locs[g->events[w].loc].co_first
                                    : g->events[after].co_next;
    }
}

static void choose_rf(struct candidates *c, struct graph *g, uint32_t i)
{
    if (!may_step(c))
        return;
    while (i < g->n && g->events[g->order[i]].kind != LABEL_READ)
        i++;
    if (i == g->n) {
        choose_co(c, g, 0);
        return;
    }
    event_id r = g->order[i];
    loc_id loc = g->events[r].loc;
    uint64_t value = g->events[r].value;
    uint64_t init = c->program->locations.items[loc].init;
    if (value == init) {
        graph_set_rf(g, r, EVENT_INIT, init);
        choose_rf(c, g, i + 1);
    }
    for (uint32_t k = 0; k < g->n; k++) {
        const struct event *w = &g->events[g->order[k]];
        if (w->kind != LABEL_WRITE || w->loc != loc || w->value != value)
            continue;
        graph_set_rf(g, r, g->order[k], init);
        choose_rf(c, g, i + 1);
    }
}

/* --- events ------------------------------------------------------------ */

static void grow(struct candidates *c, struct graph *g);

static event_id add(struct candidates *c, struct graph *g, thread_id t,
                    const struct label *label)
{
    event_id e = graph_add(g, t, label);
    depend_add(NULL, c->path, c->program, g, e);
    return e;
}

/* A copy of the graph in which the new event of t returns `value`. */
static void branch(struct candidates *c, const struct graph *g, thread_id t,
                   const struct label *label, uint64_t value)
{
    if (!may_step(c))
        return;
    c->steps += COPY_STEPS;
    struct graph copy;
    graph_init(&copy, 0);
    graph_copy(&copy, g);
    event_id e = add(c, &copy, t, label);
    copy.events[e].value = value;
    node_id next = next_node(c, copy.events[e].node, value);
    if (next != NODE_NONE) {
        const struct label *l = path_label(c->path, next);
        if (label->rmw)
            graph_set_tags(
                &copy, e,
                label_rmw_tags(label, l->kind == LABEL_WRITE && l->rmw));
        advance(c, &copy, t, next);
        grow(c, &copy);
    }
    graph_release(&copy);
}

static void add_write(struct candidates *c, struct graph *g, thread_id t,
                      const struct label *label)
{
    event_id before = g->threads[t].last;
    event_id e = add(c, g, t, label);
    add_value(c, label->loc, label->value);
    if (label->rmw && before != EVENT_NONE &&
        g->events[before].kind == LABEL_READ) {
        g->events[e].rmw = before;
        g->events[before].rmw = e;
    } else if (label->aux) {
        graph_pair(g, e, label->aux);
    }
    advance(c, g, t, next_node(c, g->events[e].node, 0));
}

/* Fence, create, join, alloc, free. */
static void add_other(struct candidates *c, struct graph *g, thread_id t,
                      const struct label *label)
{
    event_id e = add(c, g, t, label);
    uint64_t value = 0;
    if (label->kind == LABEL_JOIN) {
        value = label_at(c, g, label->loc)->value;
        graph_join(g, e, label->loc);
        g->events[e].value = value;
    } else if (label->kind == LABEL_CREATE) {
        graph_start_thread(g, label->loc, label->aux, e);
        advance(c, g, label->loc, next_node(c, label->aux, 0));
    }
    if (!c->failed)
        advance(c, g, t, next_node(c, g->events[e].node, value));
}

/* All that the graph can become. */
static void grow(struct candidates *c, struct graph *g)
{
    thread_id t;
    while (!c->failed && (t = next_thread(c, g)) != THREAD_NONE) {
        struct label label = *label_at(c, g, t);
        if (g->n >= c->max_events)
            cut(c, "more than %u events in one execution", c->max_events);
        if (g->n >= c->max_events || !may_step(c))
            return;
        if (label.kind == LABEL_READ) {
            for (uint32_t i = 0; i < pool_of(c, label.loc)->n_now; i++)
                branch(c, g, t, &label, pool_of(c, label.loc)->values[i]);
            return;
        }
        if (label.kind == LABEL_CHOICE) {
            for (uint64_t i = 0; i < label.value; i++)
                branch(c, g, t, &label, i);
            return;
        }
        if (label.kind == LABEL_WRITE)
            add_write(c, g, t, &label);
        else
            add_other(c, g, t, &label);
    }
    if (!c->failed && is_complete(c, g) && c->visits)
        choose_rf(c, g, 0);
}

static void run_round(struct candidates *c, uint32_t function,
                      uint64_t argument)
{
    struct graph g;
    graph_init(&g, 0);
    node_id root = path_root(c->path, 0, function, argument);
    graph_start_thread(&g, 0, root, EVENT_NONE);
    c->grew = false;
    advance(c, &g, 0, next_node(c, root, 0));
    if (!c->failed)
        grow(c, &g);
    graph_release(&g);
}

bool candidates_run(struct candidates *c, uint32_t function, uint64_t argument,
                    struct err *err)
{
    c->err = err;
    for (uint32_t round = 0; round == 0 || (c->grew && round <= c->n_writes);
         round++) {
        run_round(c, function, argument);
        for (uint32_t i = 0; i < c->n_pools; i++)
            c->pools[i].n_now = c->pools[i].n;
        if (c->is_done || c->failed)
            break;
    }
    c->visits = true;
    if (!c->is_done && !c->failed)
        run_round(c, function, argument);
    free(c->pools);
    c->pools = NULL;
    c->n_pools = 0;
    return !c->failed;
}
