/* Exploration (TruSt: Kokologiannakis, Marmanis, Gladstein, Vafeiadis, POPL'22;
 * the flag form of ALGORITHMS.md, section 1).
 *
 * The graph on top of the stack is grown by one event at a time, always by the
 * leftmost thread that can go on. A read may take any write that is there, a
 * write any place in co: one alternative is followed, the others become work.
 * A new write may also serve a read that is older than it (revisit.c): that
 * starts a new graph on the stack. Nothing is remembered but the stack, whose
 * depth is bounded by the length of an execution, so memory stays flat; that
 * each execution is met once follows from which revisits are allowed.
 *
 * Work of a graph is done last in, first out. To take up an item the graph is
 * cut back to the item's event, which undoes exactly what came later. */
#include "core/search.h"

#include "core/mem.h"

#include <assert.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

double search_now(void)
{
    struct timespec ts;
    clock_gettime(CLOCK_MONOTONIC, &ts);
    return (double)ts.tv_sec + (double)ts.tv_nsec * 1e-9;
}

void search_note_gap(struct explore *x, enum gap gap, const char *fmt, ...)
{
    if (x->gap != GAP_NONE && !x->only_unexplored)
        return;
    x->gap = gap;
    x->only_unexplored = false;
    va_list args;
    va_start(args, fmt);
    vsnprintf(x->gap_text, sizeof x->gap_text, fmt, args);
    va_end(args);
}

void search_note_varying(struct explore *x)
{
    search_note_gap(x, GAP_UNMODELLED,
                    "load buffering across a compare-and-swap that orders more "
                    "or less when it fails is not explored in full");
}

void search_push_work(struct explore *x, enum work_kind kind, event_id e,
                      uint32_t alt)
{
    x->work = mem_room(x->work, x->n_work, &x->work_cap, sizeof *x->work);
    x->work[x->n_work++] = (struct work){kind, e, alt};
}

struct graph *search_push_frame(struct explore *x)
{
    x->frames =
        mem_room(x->frames, x->n_frames, &x->frames_cap, sizeof *x->frames);
    struct frame *f = &x->frames[x->n_frames];
    if (x->n_frames == x->frames_made) {
        graph_init(&f->g, x->model->n_rows + search_has_lb(x));
        /* Models without acyclic_cause know events again by their ids. */
        f->g.ids = x->model->acyclic_cause ? NULL : &x->ids;
        x->frames_made++;
    }
    f->work_base = x->n_work;
    x->n_frames++;
    return &f->g;
}

uint64_t *search_scratch(struct explore *x, enum scratch_kind kind,
                         uint32_t words)
{
    struct scratch_row *s = &x->scratch[kind];
    if (s->words < words) {
        s->row = mem_resize(s->row, words * sizeof *s->row);
        s->words = words;
    }
    return memset(s->row, 0, words * sizeof *s->row);
}

node_id search_step(struct explore *x, node_id at, uint64_t value)
{
    node_id n = path_step(&x->path, at, value, x->err);
    if (n == NODE_NONE)
        x->failed = true;
    return n;
}

/* The write of another RMW that already follows source w, or EVENT_NONE. */
static event_id rival_of(const struct graph *g, loc_id loc, event_id w)
{
    event_id u = w == EVENT_INIT ? g->locs[loc].co_first : g->events[w].co_next;
    return u != EVENT_NONE && event_is_half(&g->events[u]) ? u : EVENT_NONE;
}

/* Two RMWs cannot share a source, but the second one's write may revisit the
 * first one's read, if that read can still be revisited. */
static bool rival_is_settled(const struct graph *g, event_id e, event_id rival)
{
    event_id r = g->events[rival].rmw;
    return (g->events[r].flags & (EVENT_MAX | EVENT_FIXED)) != EVENT_MAX ||
           row_has(graph_row(g, e, ROW_CAUSE), r);
}

/* The thread of e goes on behind e, unless a hole is before that. */
static void go_on(struct explore *x, event_id e, node_id next)
{
    struct graph *g = search_graph(x);
    thread_id t = g->events[e].thread;
    if (!x->dead && g->threads[t].last == e)
        search_advance(x, t, next);
}

/* Is `half` of the compare-and-swap with this read, which fills a hole, needed
 * by what was kept behind it? Then another revisit has kept it, perhaps: what
 * is needed should not vary with what a swap reads. */
static bool is_for_another(struct explore *x, event_id read, event_id half)
{
    const struct graph *g = search_graph(x);
    bool is = search_has_lb(x) && g->events[half].po_next != EVENT_NONE &&
              path_label(&x->path, g->events[read].node)->value &&
              lb_is_needed_behind(x, g, half);
    if (is)
        search_note_varying(x);
    return is;
}

/* Event e was refused. Alternatives are tried from the co-latest one on: are
 * all that are left refused too? What marks a read-modify-write has depends on
 * its source. */
static void drop_earlier(struct explore *x, enum work_kind kind, event_id e)
{
    const struct graph *g = search_graph(x);
    if (!search_has_more(x, kind, e) || g->events[e].flags & EVENT_RMW ||
        !x->model->refuses_earlier(x->model, g, e))
        return;
    while (search_has_more(x, kind, e))
        x->n_work--;
}

void search_take_source(struct explore *x, event_id e, event_id w)
{
    struct graph *g = search_graph(x);
    struct event *ev = &g->events[e];
    loc_id loc = ev->loc;
    if (x->program->has_open && w < EVENT_INIT &&
        g->events[w].thread != ev->thread &&
        !row_has(graph_row(g, e, ROW_PO), w)) {
        lb_gap_check_served(x, w);
        g = search_graph(x); /* frames may have moved */
    }
    graph_set_rf(g, e, w, x->program->locations.items[loc].init);
    event_id last = g->locs[loc].co_last;
    if (w == (last == EVENT_NONE ? EVENT_INIT : last))
        ev->flags |= EVENT_MAX;
    else
        ev->flags &= (uint16_t)~EVENT_MAX;

    node_id next = search_step(x, ev->node, ev->value);
    if (next == NODE_NONE)
        return;
    struct label read = *path_label(&x->path, ev->node);
    bool takes = false;
    if (read.rmw) {
        const struct label *l = path_label(&x->path, next);
        takes = l->kind == LABEL_WRITE && l->rmw;
        graph_set_tags(g, e, search_rmw_tags(&read, takes));
        event_id rival = takes ? rival_of(g, loc, w) : EVENT_NONE;
        if (rival != EVENT_NONE && !search_has_lb(x) &&
            rival_is_settled(g, e, rival)) {
            x->dead = true;
            return;
        }
    }
    x->model->enter(x->model, g, e);
    if (!search_is_consistent(x, g, e)) {
        drop_earlier(x, WORK_SOURCE, e);
        watch_refused(x, e);
        return;
    }
    ev->flags |= EVENT_TAKEN;
    if (is_for_another(x, e, e)) {
        x->dead = true;
        return;
    }
    if (!takes && read.value)
        watch_failure(x, e);
    if (!takes)
        violation_check_event(x, e);
    else if (g->threads[ev->thread].last == e)
        x->pending = e;
    go_on(x, e, next);
}

/* The co-earliest write that coherence lets e read or follow in co. Of those
 * before *fresh in co, e can read only stale ones (core/model.h). */
static event_id floor_of(const struct explore *x, const struct graph *g,
                         event_id e, event_id *fresh)
{
    *fresh = EVENT_INIT;
    if (x->model->coherence_row < 0)
        return EVENT_INIT;
    const struct event *ev = &g->events[e];
    if (ev->tags & TAGS_PART) /* what the other half has seen does not count */
        return EVENT_INIT;
    event_id before = ev->kind == LABEL_WRITE ? e : ev->po_prev;
    if (before == EVENT_NONE)
        before = g->threads[ev->thread].create;
    if (before == EVENT_NONE)
        return EVENT_INIT;
    const uint64_t *known =
        graph_row(g, before, (unsigned)x->model->coherence_row);
    uint64_t stale = before == e ? 0 : x->model->stale_tags;
    event_id w = g->locs[ev->loc].co_last;
    for (; w != EVENT_NONE && w != EVENT_INIT; w = g->events[w].co_prev) {
        bool seen = w == before || row_has(known, w);
        const uint64_t *readers = graph_row(g, w, ROW_READERS);
        bool read = !seen && (row_meets(readers, known, g->words) ||
                              (before != e && row_has(readers, before)));
        if (*fresh == EVENT_INIT && (seen || read) &&
            !(g->events[w].tags & stale))
            *fresh = w;
        if (seen || (read && !stale))
            return w;
    }
    return EVENT_INIT;
}

/* Fills what the graph does not know of the new event e. */
static void equip(struct explore *x, event_id e)
{
    if (x->model->needs_deps)
        search_depend(&x->deps, &x->path, x->program, search_graph(x), e);
}

static event_id add(struct explore *x, thread_id t, const struct label *label)
{
    event_id e = graph_add(search_graph(x), t, label);
    equip(x, e);
    return e;
}

/* Work is taken from the end, so the co-latest alternative is pushed last. */
static void add_read(struct explore *x, thread_id t, const struct label *label)
{
    struct graph *g = search_graph(x);
    event_id e = add(x, t, label), fresh;
    event_id w = floor_of(x, g, e, &fresh);
    x->has_swaps |= label->value != 0;
    bool is_fresh = fresh == EVENT_INIT;
    for (;;) {
        is_fresh = is_fresh || w == fresh;
        if (is_fresh ||
            (w != EVENT_INIT && g->events[w].tags & x->model->stale_tags))
            search_push_work(x, WORK_SOURCE, e, w);
        w = w == EVENT_INIT ? g->locs[label->loc].co_first
                            : g->events[w].co_next;
        if (w == EVENT_NONE)
            break;
    }
    x->dead = true;
}

static void place_write(struct explore *x, event_id w, event_id after)
{
    struct graph *g = search_graph(x);
    graph_remove_co(g, w);
    graph_insert_co(g, w, after);
    struct event *ev = &g->events[w];
    bool is_half = event_is_half(ev);
    if (ev->co_next == EVENT_NONE || is_half)
        ev->flags |= EVENT_MAX;
    else
        ev->flags &= (uint16_t)~EVENT_MAX;
    if (!search_is_consistent(x, g, w)) {
        drop_earlier(x, WORK_PLACE, w);
        if (is_half && x->has_swaps && search_has_lb(x))
            lb_revisit_note_refused(x, w);
        watch_refused(x, w);
        return;
    }
    ev->flags |= EVENT_TAKEN;
    event_id rival = EVENT_NONE;
    if (is_half && ev->co_next != EVENT_NONE) {
        const struct event *next = &g->events[ev->co_next];
        if (event_is_half(next) && g->events[next->rmw].rf == after)
            rival = ev->co_next;
    }
    if (search_has_lb(x))
        lb_revisit_push(x, w, rival);
    else
        revisit_push(x, w, rival);
    if (rival != EVENT_NONE) {
        x->dead = true;
        return;
    }
    if (is_half)
        violation_check_event(x, ev->rmw);
    violation_check_event(x, w);
    if (!x->dead)
        go_on(x, w, search_step(x, ev->node, 0));
}

static void add_write(struct explore *x, thread_id t, const struct label *label)
{
    struct graph *g = search_graph(x);
    event_id e = add(x, t, label);
    if (label->aux)
        graph_pair(g, e, label->aux);
    x->model->enter(x->model, g, e);
    event_id fresh, w = floor_of(x, g, e, &fresh);
    for (;;) {
        event_id next = w == EVENT_INIT ? g->locs[label->loc].co_first
                                        : g->events[w].co_next;
        /* Nothing comes between an RMW and its source. */
        if (next == EVENT_NONE || !event_is_half(&g->events[next]))
            search_push_work(x, WORK_PLACE, e, w);
        if (next == EVENT_NONE)
            break;
        w = next;
    }
    x->dead = true;
}

static bool is_there(const struct graph *g, thread_id t)
{
    return t < g->n_threads && g->threads[t].node != NODE_NONE;
}

event_id search_add_half(struct explore *x, event_id read)
{
    struct graph *g = search_graph(x);
    node_id node = search_step(x, g->events[read].node, g->events[read].value);
    if (node == NODE_NONE)
        return EVENT_NONE;
    struct label label = *path_label(&x->path, node);
    event_id e = graph_add_after(g, read, node, &label);
    equip(x, e);
    g->events[e].rmw = read;
    g->events[read].rmw = e;
    x->model->enter(x->model, g, e);
    return e;
}

/* The second half of the RMW whose first is `read`. */
static void add_rmw_write(struct explore *x, event_id read)
{
    struct graph *g = search_graph(x);
    watch_atomic(x, read);
    event_id e = search_add_half(x, read);
    if (e == EVENT_NONE)
        return;
    if (is_for_another(x, read, e))
        x->dead = true;
    else
        place_write(x, e, g->events[read].rf);
}

/* Anything without alternatives: fence, create, join, alloc, free. */
static void add_other(struct explore *x, thread_id t, const struct label *label)
{
    struct graph *g = search_graph(x);
    if (label->kind == LABEL_JOIN && !is_there(g, label->loc)) {
        violation_add(
            x, &(struct violation){
                   .kind = VIOLATION_THREAD,
                   .text = program_text(x->program, "join of unknown thread"),
                   .place = label->place,
                   .thread = t,
                   .events = {g->threads[t].last, EVENT_NONE},
               });
        return;
    }
    event_id e = add(x, t, label);
    uint64_t value = 0;
    if (label->kind == LABEL_JOIN) {
        const struct graph_thread *child = &g->threads[label->loc];
        graph_join(g, e, label->loc);
        value = path_label(&x->path, child->node)->value;
        g->events[e].value = value;
    }
    x->model->enter(x->model, g, e);
    if (!search_is_consistent(x, g, e)) {
        watch_refused(x, e);
        return;
    }
    violation_check_event(x, e);
    if (x->dead)
        return;
    if (label->kind == LABEL_CREATE) {
        graph_start_thread(g, label->loc, label->aux, e);
        search_advance(x, label->loc, search_step(x, label->aux, 0));
    }
    if (!x->dead && !x->failed)
        search_advance(x, t, search_step(x, g->events[e].node, value));
}

static void add_choice(struct explore *x, thread_id t,
                       const struct label *label)
{
    event_id e = add(x, t, label);
    x->model->enter(x->model, search_graph(x), e);
    for (uint32_t i = (uint32_t)label->value; i-- > 0;)
        search_push_work(x, WORK_CHOICE, e, i);
    x->dead = true;
}

static void take_choice(struct explore *x, event_id e, uint32_t alternative)
{
    struct graph *g = search_graph(x);
    struct event *ev = &g->events[e];
    ev->value = alternative;
    /* One alternative stands for all where a revisit deletes the choice. */
    if (alternative == 0)
        ev->flags |= EVENT_MAX;
    else
        ev->flags &= (uint16_t)~EVENT_MAX;
    search_advance(x, ev->thread, search_step(x, ev->node, alternative));
}

static void add_event(struct explore *x, thread_id t)
{
    struct graph *g = search_graph(x);
    struct label label = *path_label(&x->path, g->threads[t].node);
    if (g->n >= x->options.max_events) {
        char place[200];
        program_print_place(x->program, label.place, place, sizeof place);
        search_note_gap(x, GAP_BOUNDED,
                        "more than %u events in one execution, at %s",
                        x->options.max_events, place);
        x->dead = true;
    } else if (label.kind == LABEL_READ)
        add_read(x, t, &label);
    else if (label.kind == LABEL_WRITE && label.rmw)
        add_rmw_write(x, g->threads[t].last); /* was a hole */
    else if (label.kind == LABEL_WRITE)
        add_write(x, t, &label);
    else if (label.kind == LABEL_CHOICE)
        add_choice(x, t, &label);
    else
        add_other(x, t, &label);
}

static bool has_ended(const struct explore *x, const struct graph *g,
                      thread_id t)
{
    return is_there(g, t) &&
           path_label(&x->path, g->threads[t].node)->kind == LABEL_END;
}

/* The thread to go on with: must depend on the graph alone. */
static thread_id next_thread(const struct explore *x)
{
    const struct graph *g = &x->frames[x->n_frames - 1].g;
    for (thread_id t = 0; t < g->n_threads; t++) {
        if (!is_there(g, t))
            continue;
        const struct label *l = path_label(&x->path, g->threads[t].node);
        if (label_is_event(l->kind) &&
            (l->kind != LABEL_JOIN || has_ended(x, g, l->loc) ||
             !is_there(g, l->loc)))
            return t;
    }
    return THREAD_NONE;
}

/* No thread can go on: one more execution, whole or blocked. */
static void finish_execution(struct explore *x)
{
    struct graph *g = search_graph(x);
    x->dead = true;
    bool blocked = false, failed = false;
    for (thread_id t = 0; t < g->n_threads; t++)
        if (is_there(g, t) && !has_ended(x, g, t))
            blocked = true;
    if (!search_is_judged(x) || (x->has_splits && !lb_revisit_had_to_split(x)))
        return;
    for (thread_id t = 0; t < g->n_threads; t++) {
        if (!is_there(g, t))
            continue;
        struct label l = *path_label(&x->path, g->threads[t].node);
        if (l.kind != LABEL_ERROR)
            continue;
        violation_add_error(x, t, &l);
        if (!search_goes_through(x, &l))
            return;
        failed = true;
    }
    if (failed)
        blocked = false;
    else if (blocked) {
        x->blocked++;
        violation_check_deadlock(x);
    } else
        x->executions++;
    if (!blocked)
        outcomes_add(&x->outcomes, g, &x->path, x->program);
    if (x->options.on_execution)
        x->options.on_execution(x->options.self, g, blocked);
    if (x->options.max_executions && !blocked &&
        x->executions >= x->options.max_executions &&
        (x->n_frames > 1 || x->n_work > 0)) {
        search_note_gap(x, GAP_BOUNDED, "stopped after %llu executions",
                        (unsigned long long)x->executions);
        x->stopped = true;
    }
}

void search_pop(const struct explore *x, struct graph *g)
{
    event_id behind = g->events[g->order[g->n - 1]].po_next;
    graph_pop(g);
    if (behind != EVENT_NONE)
        x->model->enter(x->model, g, behind);
}

/* Takes up the newest piece of work; false if there is none left. */
static bool backtrack(struct explore *x)
{
    x->dead = false;
    x->pending = EVENT_NONE;
    while (x->n_work == x->frames[x->n_frames - 1].work_base)
        if (--x->n_frames == 0)
            return false;
    struct work item = x->work[--x->n_work];
    struct graph *g = search_graph(x);
    while (g->order[g->n - 1] != item.e)
        search_pop(x, g);
    struct graph_thread *thread = &g->threads[g->events[item.e].thread];
    thread->node = g->events[item.e].node;
    thread->last = item.e;
    switch ((enum work_kind)item.kind) {
    case WORK_SOURCE:
        search_take_source(x, item.e, item.alt);
        break;
    case WORK_PLACE:
        place_write(x, item.e, item.alt);
        break;
    case WORK_REVISIT:
        if (search_has_lb(x))
            lb_revisit_apply(x, item.e, item.alt);
        else
            revisit_apply(x, item.e, item.alt);
        break;
    case WORK_CHOICE:
        take_choice(x, item.e, item.alt);
        break;
    }
    watch_tried(x, &item);
    return true;
}

static void keep_paths(struct explore *x, const struct graph *g)
{
    for (uint32_t i = 0; i < g->n; i++)
        path_keep(&x->path, g->events[g->order[i]].node);
    for (thread_id t = 0; t < g->n_threads; t++)
        if (is_there(g, t))
            path_keep(&x->path, g->threads[t].node);
}

/* Drops the paths that no graph stands on; those of witnesses stay. */
static void collect_paths(struct explore *x)
{
    for (uint32_t i = 0; i < x->n_frames; i++)
        keep_paths(x, &x->frames[i].g);
    for (uint32_t i = 0; i < x->n_violations; i++)
        keep_paths(x, &x->violations[i].graph);
    for (uint32_t i = 0; i < x->n_kept; i++)
        keep_paths(x, &x->kept[i]);
    path_collect(&x->path);
    if (x->path.runtime->restart)
        x->path.runtime->restart(x->path.runtime->self);
}

static void rest_if_unasked(struct explore *x)
{
    if (x->misses_seen == x->path.misses)
        search_rest(x);
    x->misses_seen = x->path.misses;
}

/* Looks at the clock once in a while. */
static bool over_budget(struct explore *x)
{
    char where[400];
    if (x->stopped || search_is_halted(x))
        return true;
    if (x->steps++ % 512 != 0)
        return false;
    rest_if_unasked(x);
    if (x->path.n_live > x->path.limit)
        collect_paths(x);
    double elapsed = search_now() - x->started;
    if (x->options.timeout_s > 0 && elapsed > x->options.timeout_s) {
        search_note_gap(x, GAP_TIMEOUT, "stopped after %g seconds%s",
                        x->options.timeout_s,
                        search_where(x, where, sizeof where));
        return true;
    }
    if (x->options.on_progress && elapsed > x->next_progress) {
        x->next_progress = elapsed + 0.25;
        x->options.on_progress(x->options.self, x->executions, x->blocked,
                               elapsed);
    }
    return false;
}

static bool found_enough(const struct explore *x)
{
    return x->n_violations > 0 && !x->options.all;
}

/* The main loop: one event at a time, until no work is left. */
void search(struct explore *x)
{
    thread_id t;
    event_id e;
    while (!x->failed && !x->program->locations.stale) {
        if (found_enough(x) || over_budget(x))
            return;
        else if (x->dead) {
            if (!backtrack(x))
                return;
        } else if ((e = x->pending) != EVENT_NONE) {
            x->pending = EVENT_NONE;
            add_rmw_write(x, e);
        } else if ((t = next_thread(x)) != THREAD_NONE)
            add_event(x, t);
        else
            finish_execution(x);
    }
}
