#include "frontend/check/check_stuck.h"

#include <inttypes.h>
#include <stdio.h>

/* Does the read return what is there in the end? */
static bool is_final(const struct graph *g, event_id e)
{
    const struct event *ev = &g->events[e];
    event_id last = g->locs[ev->loc].co_last;
    if (last == EVENT_NONE)
        return ev->rf == EVENT_INIT;
    return ev->rf == last || ev->rmw == last ||
           g->events[last].value == ev->value;
}

static bool is_among(const struct path *path, node_id from, uint64_t n,
                     node_id node)
{
    for (; n > 0 && from != NODE_NONE; from = path->nodes[from].parent) {
        if (from == node)
            return true;
        n -= label_is_event(path->nodes[from].label.kind);
    }
    return false;
}

/* The thread's last iteration, of `n` events, read final values alone. */
static bool read_final(const struct path *path, const struct graph *g,
                       thread_id t, uint64_t n)
{
    node_id node = g->threads[t].node;
    for (event_id e = g->threads[t].last; e != EVENT_NONE;
         e = g->events[e].po_prev) {
        if (!is_among(path, node, n, g->events[e].node))
            return true;
        if (g->events[e].kind == LABEL_READ && !is_final(g, e))
            return false;
    }
    return true;
}

enum state { ENDED, WAITS, STUCK, UNKNOWN };

static enum state state_of(const struct path *path, const struct graph *g,
                           thread_id t)
{
    if (g->threads[t].node == NODE_NONE)
        return ENDED;
    const struct label *l = path_label(path, g->threads[t].node);
    event_id last = g->threads[t].last;
    if (l->kind == LABEL_END || l->kind == LABEL_ERROR)
        return ENDED;
    if (l->kind == LABEL_JOIN)
        return WAITS;
    if (l->kind != LABEL_BLOCK)
        return UNKNOWN;
    if (l->aux == BLOCK_LOCK && last != EVENT_NONE &&
        g->events[last].kind == LABEL_READ && is_final(g, last))
        return WAITS;
    if (l->aux == BLOCK_SPIN && l->value > 0 &&
        read_final(path, g, t, l->value))
        return STUCK;
    return UNKNOWN;
}

thread_id check_stuck_thread(const struct path *path, const struct graph *g)
{
    thread_id found = THREAD_NONE;
    bool known = true;
    for (thread_id t = 0; t < g->n_threads; t++) {
        if (g->threads[t].node == NODE_NONE)
            continue;
        const struct label *l = path_label(path, g->threads[t].node);
        /* Whatever the others do. */
        if (l->kind == LABEL_BOUND && l->value == BOUND_ENDLESS)
            return t;
        enum state state = state_of(path, g, t);
        known = known && state != UNKNOWN;
        if (state == STUCK && found == THREAD_NONE)
            found = t;
    }
    return known ? found : THREAD_NONE;
}

bool check_is_stuck(const struct check_side *side, const struct graph *g,
                    bool blocked)
{
    return blocked &&
           check_stuck_thread(&side->explore.path, g) != THREAD_NONE &&
           !compare_is_cyclic(g, false);
}

void check_describe_stuck(struct check_side *side, const struct graph *g)
{
    const struct explore *x = &side->explore;
    thread_id t = check_stuck_thread(&x->path, g);
    const struct label *l = path_label(&x->path, g->threads[t].node);
    uint64_t pc = 0;
    char place[300], name[40] = "main", address[40] = "";
    program_print_place(x->program, l->place, place, sizeof place);
    if (t > 0)
        snprintf(name, sizeof name, "T%" PRIu32, t);
    subject_instruction(&side->subject, g->threads[t].node, &pc);
    if (pc)
        snprintf(address, sizeof address, " (0x%" PRIx64 ")", pc);
    snprintf(side->stuck_at, sizeof side->stuck_at,
             "%s waits for ever in a loop at %s%s", name, place, address);
}
