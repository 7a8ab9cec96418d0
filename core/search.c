/* Exploration (TruSt: Kokologiannakis, Marmanis, Gladstein, Vafeiadis, POPL'22;
 * claims and proofs by numbered rules, as rule S1: docs/ALGORITHM.md).
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
#include "core/revisit.h"

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

static enum gap gap_of(enum gap_reason reason)
{
    switch (reason) {
    case REASON_NONE:
        return GAP_NONE;
    case REASON_EXECUTIONS:
    case REASON_EVENTS:
    case REASON_LOOP:
        return GAP_BOUNDED;
    case REASON_TIMEOUT:
        return GAP_TIMEOUT;
    case REASON_INTERRUPTED:
        return GAP_INTERRUPTED;
    case REASON_CODE:
    case REASON_MIXED_SIZE:
    case REASON_PARTIAL:
    case REASON_DEPENDENCY:
    case REASON_NOT_EXTENSIBLE:
    case REASON_NO_FAILURES:
    case REASON_NOT_ATOMIC:
    case REASON_LB_SELECTION:
    case REASON_LB_FORWARDED:
    case REASON_LB_UPDATE:
    case REASON_LB_FAILING:
    case REASON_LB_SUCCEEDING:
    case REASON_LB_VARYING:
    case REASON_LB_UNSEEN:
    case REASON_FLAGGED:
        break;
    }
    return GAP_UNMODELLED;
}

void search_note_gap(struct search *s, enum gap_reason reason, const char *fmt,
                     ...)
{
    struct explore *x = s->x;
    if (search_has_gap(s))
        return;
    x->gap = gap_of(reason);
    x->gap_reason = reason;
    va_list args;
    va_start(args, fmt);
    vsnprintf(x->gap_text, sizeof x->gap_text, fmt, args);
    va_end(args);
}

void search_push_work(struct search *s, enum work_kind kind, event_id e,
                      uint32_t alt)
{
    s->work = mem_room(s->work, s->n_work, &s->work_cap, sizeof *s->work);
    s->work[s->n_work++] = (struct work){kind, e, alt};
}

struct graph *search_push_frame(struct search *s)
{
    s->frames =
        mem_room(s->frames, s->n_frames, &s->frames_cap, sizeof *s->frames);
    struct frame *f = &s->frames[s->n_frames];
    if (s->n_frames == s->frames_made) {
        f->g = mem_resize(NULL, sizeof *f->g);
        graph_init(f->g, s->model->n_rows + search_has_lb(s));
        /* Models without acyclic_cause know events again by their ids. */
        f->g->ids = s->model->acyclic_cause ? NULL : &s->ids;
        s->frames_made++;
    }
    f->work_base = s->n_work;
    s->n_frames++;
    return f->g;
}

void search_pop_frame(struct search *s)
{
    s->n_frames--;
}

node_id search_step(struct search *s, node_id at, uint64_t value)
{
    node_id n = path_step(s->path, at, value, s->err);
    if (n == NODE_NONE)
        s->failed = true;
    return n;
}

/* The write of another RMW that already follows source w, or EVENT_NONE. */
static event_id rival_of(const struct graph *g, loc_id loc, event_id w)
{
    event_id u = w == EVENT_INIT ? g->locs[loc].co_first : g->events[w].co_next;
    return u != EVENT_NONE && event_is_half(&g->events[u]) ? u : EVENT_NONE;
}

/* Two RMWs cannot share a source, but the second one's write may revisit the
 * first one's read, if that read can still be revisited. (rule S6) */
static bool rival_is_settled(const struct graph *g, event_id e, event_id rival)
{
    event_id r = g->events[rival].rmw;
    return (g->events[r].flags & (EVENT_MAX | EVENT_FIXED)) != EVENT_MAX ||
           row_has(graph_row(g, e, ROW_CAUSE), r);
}

/* The thread of e goes on behind e, unless a hole is before that. */
static void go_on(struct search *s, event_id e, node_id next)
{
    struct graph *g = search_graph(s);
    thread_id t = g->events[e].thread;
    if (!s->dead && g->threads[t].last == e)
        search_advance(s, t, next);
}

/* The compare-and-swap of `read` fills a hole. Does an event that a revisit
 * kept behind the hole have `half`, its read or its write, in its prefix? That
 * event was kept without: then the graph is another revisit's, which has kept
 * `half` too, if there is one. (Prefixes should not vary with what a swap
 * reads.) */
static bool is_for_another(struct search *s, event_id read, event_id half)
{
    const struct graph *g = search_graph(s);
    bool is = search_has_lb(s) && g->events[half].po_next != EVENT_NONE &&
              path_label(s->path, g->events[read].node)->value &&
              lb_is_needed_behind(s, g, half);
    if (is)
        lb_gap_note_varying(s);
    return is;
}

/* Event e is not consistent with its source or place. Alternatives are tried
 * from the co-latest one on: are all that are left inconsistent too? Not known
 * of the read of an RMW, whose marks vary with its source. (rule S2) */
static void drop_earlier(struct search *s, enum work_kind kind, event_id e)
{
    const struct graph *g = search_graph(s);
    if (!search_has_more(s, kind, e) || g->events[e].flags & EVENT_RMW ||
        !s->model->refuses_earlier(s->instance, g, e))
        return;
    while (search_has_more(s, kind, e))
        s->n_work--;
}

void search_take_source(struct search *s, event_id e, event_id w)
{
    struct graph *g = search_graph(s);
    struct event *ev = &g->events[e];
    loc_id loc = ev->loc;
    if (s->program->has_open && w < EVENT_INIT &&
        g->events[w].thread != ev->thread &&
        !row_has(graph_row(g, e, ROW_PO), w))
        lb_gap_check_served(s, w);
    graph_set_rf(g, e, w, s->program->locations.items[loc].init);
    event_id last = g->locs[loc].co_last;
    if (w == (last == EVENT_NONE ? EVENT_INIT : last))
        ev->flags |= EVENT_MAX;
    else
        ev->flags &= (uint16_t)~EVENT_MAX;

    node_id next = search_step(s, ev->node, ev->value);
    if (next == NODE_NONE)
        return;
    struct label read = *path_label(s->path, ev->node);
    bool takes = false;
    if (read.rmw) {
        const struct label *l = path_label(s->path, next);
        takes = l->kind == LABEL_WRITE && l->rmw;
        graph_set_tags(g, e, label_rmw_tags(&read, takes));
        event_id rival = takes ? rival_of(g, loc, w) : EVENT_NONE;
        if (rival != EVENT_NONE && !search_has_lb(s) &&
            rival_is_settled(g, e, rival)) {
            s->dead = true;
            return;
        }
    }
    search_enter(s, g, e);
    if (!search_is_consistent(s, g, e)) {
        drop_earlier(s, WORK_SOURCE, e);
        watch_refused(s, e);
        return;
    }
    ev->flags |= EVENT_TAKEN;
    if (is_for_another(s, e, e)) {
        s->dead = true;
        return;
    }
    if (!takes && read.value)
        watch_failure(s, e);
    if (!takes)
        violation_check_event(s, e);
    else if (g->threads[ev->thread].last == e)
        s->pending = e;
    go_on(s, e, next);
}

/* The co-earliest write that coherence lets e read or follow in co. Of those
 * before *fresh in co, e can read only stale ones (core/model.h). (rule S2) */
static event_id floor_of(const struct search *s, const struct graph *g,
                         event_id e, event_id *fresh)
{
    *fresh = EVENT_INIT;
    if (s->model->coherence_row < 0)
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
        graph_row(g, before, (unsigned)s->model->coherence_row);
    uint64_t stale = before == e ? 0 : s->model->stale_tags;
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
static void equip(struct search *s, event_id e)
{
    if (s->model->needs_deps)
        depend_add(&s->deps, s->path, s->program, search_graph(s), e);
}

static event_id add(struct search *s, thread_id t, const struct label *label)
{
    event_id e = graph_add(search_graph(s), t, label);
    equip(s, e);
    return e;
}

/* Work is taken from the end, so the co-latest alternative is pushed last. */
static void add_read(struct search *s, thread_id t, const struct label *label)
{
    struct graph *g = search_graph(s);
    event_id e = add(s, t, label), fresh;
    event_id w = floor_of(s, g, e, &fresh);
    s->has_swaps |= label->value != 0;
    bool is_fresh = fresh == EVENT_INIT;
    for (;;) {
        is_fresh = is_fresh || w == fresh;
        if (is_fresh ||
            (w != EVENT_INIT && g->events[w].tags & s->model->stale_tags))
            search_push_work(s, WORK_SOURCE, e, w);
        w = w == EVENT_INIT ? g->locs[label->loc].co_first
                            : g->events[w].co_next;
        if (w == EVENT_NONE)
            break;
    }
    s->dead = true;
}

static void place_write(struct search *s, event_id w, event_id after)
{
    struct graph *g = search_graph(s);
    graph_remove_co(g, w);
    graph_insert_co(g, w, after);
    struct event *ev = &g->events[w];
    bool is_half = event_is_half(ev);
    if (ev->co_next == EVENT_NONE || is_half)
        ev->flags |= EVENT_MAX;
    else
        ev->flags &= (uint16_t)~EVENT_MAX;
    if (!search_is_consistent(s, g, w)) {
        drop_earlier(s, WORK_PLACE, w);
        if (is_half && s->has_swaps && search_has_lb(s))
            lb_revisit_note_refused(s, w);
        watch_refused(s, w);
        return;
    }
    ev->flags |= EVENT_TAKEN;
    event_id rival = EVENT_NONE;
    if (is_half && ev->co_next != EVENT_NONE) {
        const struct event *next = &g->events[ev->co_next];
        if (event_is_half(next) && g->events[next->rmw].rf == after)
            rival = ev->co_next;
    }
    if (search_has_lb(s))
        lb_revisit_push(s, w, rival);
    else
        revisit_push(s, w, rival);
    if (rival != EVENT_NONE) {
        s->dead = true;
        return;
    }
    if (is_half)
        violation_check_event(s, ev->rmw);
    violation_check_event(s, w);
    if (!s->dead)
        go_on(s, w, search_step(s, ev->node, 0));
}

static void add_write(struct search *s, thread_id t, const struct label *label)
{
    struct graph *g = search_graph(s);
    event_id e = add(s, t, label);
    if (label->aux)
        graph_pair(g, e, label->aux);
    search_enter(s, g, e);
    event_id fresh, w = floor_of(s, g, e, &fresh);
    for (;;) {
        event_id next = w == EVENT_INIT ? g->locs[label->loc].co_first
                                        : g->events[w].co_next;
        /* Nothing comes between an RMW and its source. */
        if (next == EVENT_NONE || !event_is_half(&g->events[next]))
            search_push_work(s, WORK_PLACE, e, w);
        if (next == EVENT_NONE)
            break;
        w = next;
    }
    s->dead = true;
}

static bool is_there(const struct graph *g, thread_id t)
{
    return t < g->n_threads && g->threads[t].node != NODE_NONE;
}

event_id search_add_half(struct search *s, event_id read)
{
    struct graph *g = search_graph(s);
    node_id node = search_step(s, g->events[read].node, g->events[read].value);
    if (node == NODE_NONE)
        return EVENT_NONE;
    struct label label = *path_label(s->path, node);
    event_id e = graph_add_after(g, read, node, &label);
    equip(s, e);
    g->events[e].rmw = read;
    g->events[read].rmw = e;
    search_enter(s, g, e);
    return e;
}

/* The second half of the RMW whose first is `read`. */
static void add_rmw_write(struct search *s, event_id read)
{
    struct graph *g = search_graph(s);
    watch_atomic(s, read);
    event_id e = search_add_half(s, read);
    if (e == EVENT_NONE)
        return;
    if (is_for_another(s, read, e))
        s->dead = true;
    else
        place_write(s, e, g->events[read].rf);
}

/* Anything without alternatives: fence, create, join, alloc, free. */
static void add_other(struct search *s, thread_id t, const struct label *label)
{
    struct graph *g = search_graph(s);
    if (label->kind == LABEL_JOIN && !is_there(g, label->loc)) {
        violation_add(
            s, &(struct violation){
                   .kind = VIOLATION_THREAD,
                   .text = program_text(s->program, "join of unknown thread"),
                   .place = label->place,
                   .thread = t,
                   .events = {g->threads[t].last, EVENT_NONE},
               });
        return;
    }
    event_id e = add(s, t, label);
    uint64_t value = 0;
    if (label->kind == LABEL_JOIN) {
        const struct graph_thread *child = &g->threads[label->loc];
        graph_join(g, e, label->loc);
        value = path_label(s->path, child->node)->value;
        g->events[e].value = value;
    }
    search_enter(s, g, e);
    if (!search_is_consistent(s, g, e)) {
        watch_refused(s, e);
        return;
    }
    violation_check_event(s, e);
    if (s->dead)
        return;
    if (label->kind == LABEL_CREATE) {
        graph_start_thread(g, label->loc, label->aux, e);
        search_advance(s, label->loc, search_step(s, label->aux, 0));
    }
    if (!s->dead && !s->failed)
        search_advance(s, t, search_step(s, g->events[e].node, value));
}

static void add_choice(struct search *s, thread_id t, const struct label *label)
{
    event_id e = add(s, t, label);
    search_enter(s, search_graph(s), e);
    for (uint32_t i = (uint32_t)label->value; i-- > 0;)
        search_push_work(s, WORK_CHOICE, e, i);
    s->dead = true;
}

static void take_choice(struct search *s, event_id e, uint32_t alternative)
{
    struct graph *g = search_graph(s);
    struct event *ev = &g->events[e];
    ev->value = alternative;
    /* One alternative stands for all where a revisit deletes the choice. */
    if (alternative == 0)
        ev->flags |= EVENT_MAX;
    else
        ev->flags &= (uint16_t)~EVENT_MAX;
    search_advance(s, ev->thread, search_step(s, ev->node, alternative));
}

static void add_event(struct search *s, thread_id t)
{
    struct graph *g = search_graph(s);
    struct label label = *path_label(s->path, g->threads[t].node);
    if (g->n >= s->x->options.max_events) {
        char place[200];
        program_print_place(s->program, label.place, place, sizeof place);
        search_note_gap(s, REASON_EVENTS,
                        "more than %u events in one execution, at %s",
                        s->x->options.max_events, place);
        s->dead = true;
    } else if (label.kind == LABEL_READ)
        add_read(s, t, &label);
    else if (label.kind == LABEL_WRITE && label.rmw)
        add_rmw_write(s, g->threads[t].last); /* was a hole */
    else if (label.kind == LABEL_WRITE)
        add_write(s, t, &label);
    else if (label.kind == LABEL_CHOICE)
        add_choice(s, t, &label);
    else
        add_other(s, t, &label);
}

static bool has_ended(const struct search *s, const struct graph *g,
                      thread_id t)
{
    return is_there(g, t) &&
           path_label(s->path, g->threads[t].node)->kind == LABEL_END;
}

/* The thread to go on with: must depend on the graph alone. (rule S4) */
static thread_id next_thread(const struct search *s)
{
    const struct graph *g = search_graph(s);
    for (thread_id t = 0; t < g->n_threads; t++) {
        if (!is_there(g, t))
            continue;
        const struct label *l = path_label(s->path, g->threads[t].node);
        if (label_is_event(l->kind) &&
            (l->kind != LABEL_JOIN || has_ended(s, g, l->loc) ||
             !is_there(g, l->loc)))
            return t;
    }
    return THREAD_NONE;
}

/* No thread can go on: one more execution, whole or blocked. */
static void finish_execution(struct search *s)
{
    struct graph *g = search_graph(s);
    s->dead = true;
    bool blocked = false, failed = false;
    for (thread_id t = 0; t < g->n_threads; t++)
        if (is_there(g, t) && !has_ended(s, g, t))
            blocked = true;
    if (!violation_is_judged(s) ||
        (s->has_splits && !lb_revisit_had_to_split(s)))
        return;
    for (thread_id t = 0; t < g->n_threads; t++) {
        if (!is_there(g, t))
            continue;
        struct label l = *path_label(s->path, g->threads[t].node);
        if (l.kind != LABEL_ERROR)
            continue;
        violation_add_error(s, t, &l);
        if (!search_goes_through(s, &l))
            return;
        failed = true;
    }
    if (failed)
        blocked = false;
    else if (blocked) {
        s->x->blocked++;
        violation_check_deadlock(s);
    } else
        s->x->executions++;
    if (!blocked)
        outcomes_add(&s->x->outcomes, g, s->path, s->program);
    if (s->x->options.on_execution)
        s->x->options.on_execution(s->x->options.self, g, blocked);
    if (s->x->options.max_executions && !blocked &&
        s->x->executions >= s->x->options.max_executions &&
        (s->n_frames > 1 || s->n_work > 0)) {
        search_note_gap(s, REASON_EXECUTIONS, "stopped after %llu executions",
                        (unsigned long long)s->x->executions);
        s->stopped = true;
    }
}

void search_pop(const struct search *s, struct graph *g)
{
    event_id behind = g->events[g->order[g->n - 1]].po_next;
    graph_pop(g);
    if (behind != EVENT_NONE)
        search_enter(s, g, behind);
}

/* Takes up the newest piece of work; false if there is none left. */
static bool backtrack(struct search *s)
{
    s->dead = false;
    s->pending = EVENT_NONE;
    while (s->n_work == s->frames[s->n_frames - 1].work_base)
        if (--s->n_frames == 0)
            return false;
    struct work item = s->work[--s->n_work];
    struct graph *g = search_graph(s);
    while (g->order[g->n - 1] != item.e)
        search_pop(s, g);
    struct graph_thread *thread = &g->threads[g->events[item.e].thread];
    thread->node = g->events[item.e].node;
    thread->last = item.e;
    switch ((enum work_kind)item.kind) {
    case WORK_SOURCE:
        search_take_source(s, item.e, item.alt);
        break;
    case WORK_PLACE:
        place_write(s, item.e, item.alt);
        break;
    case WORK_REVISIT:
        if (search_has_lb(s))
            lb_revisit_apply(s, item.e, item.alt);
        else
            revisit_apply(s, item.e, item.alt);
        break;
    case WORK_CHOICE:
        take_choice(s, item.e, item.alt);
        break;
    }
    watch_tried(s, &item);
    return true;
}

static void keep_paths(struct search *s, const struct graph *g)
{
    for (uint32_t i = 0; i < g->n; i++)
        path_keep(s->path, g->events[g->order[i]].node);
    for (thread_id t = 0; t < g->n_threads; t++)
        if (is_there(g, t))
            path_keep(s->path, g->threads[t].node);
}

/* Drops the paths that no graph stands on; those of witnesses stay. */
static void collect_paths(struct search *s)
{
    for (uint32_t i = 0; i < s->n_frames; i++)
        keep_paths(s, s->frames[i].g);
    for (uint32_t i = 0; i < s->x->n_violations; i++)
        keep_paths(s, &s->x->violations[i].graph);
    for (uint32_t i = 0; i < s->x->n_kept; i++)
        keep_paths(s, &s->x->kept[i]);
    path_collect(s->path);
    if (s->path->runtime->restart)
        s->path->runtime->restart(s->path->runtime->self);
}

static void rest_if_unasked(struct search *s)
{
    if (s->misses_seen == s->path->misses)
        search_rest(s->path);
    s->misses_seen = s->path->misses;
}

/* Looks at the clock once in a while. */
static bool over_budget(struct search *s)
{
    char where[400];
    if (s->stopped || search_is_halted(s))
        return true;
    if (s->x->steps++ % 512 != 0)
        return false;
    rest_if_unasked(s);
    if (s->path->n_live > s->path->limit)
        collect_paths(s);
    double elapsed = search_now() - s->started;
    if (s->x->options.timeout_s > 0 && elapsed > s->x->options.timeout_s) {
        search_note_gap(s, REASON_TIMEOUT, "stopped after %g seconds%s",
                        s->x->options.timeout_s,
                        search_where(s, where, sizeof where));
        return true;
    }
    if (s->x->options.on_progress && elapsed > s->next_progress) {
        s->next_progress = elapsed + 0.25;
        s->x->options.on_progress(s->x->options.self, s->x->executions,
                                  s->x->blocked, elapsed);
    }
    return false;
}

/* In debug builds. All steps of a small search are looked at, of others one of
 * many. */
static void assert_sound(const struct search *s)
{
#ifndef NDEBUG
    enum { ALL = 200, ONE_OF = 97 };
    char why[200];
    if (s->x->steps < ALL || s->x->steps % ONE_OF == 0) {
        bool sound = search_check(s, why, sizeof why);
        if (!sound)
            fprintf(stderr, "after step %llu: %s\n",
                    (unsigned long long)s->x->steps, why);
        assert(sound);
    }
#else
    (void)s;
#endif
}

static bool found_enough(const struct search *s)
{
    return s->x->n_violations > 0 && !s->x->options.all;
}

/* The main loop: one event at a time, until no work is left. */
void search(struct search *s)
{
    thread_id t;
    event_id e;
    while (!s->failed && !s->program->locations.stale) {
        assert_sound(s);
        if (found_enough(s) || over_budget(s))
            return;
        else if (s->dead) {
            if (!backtrack(s))
                return;
        } else if ((e = s->pending) != EVENT_NONE) {
            s->pending = EVENT_NONE;
            add_rmw_write(s, e);
        } else if ((t = next_thread(s)) != THREAD_NONE)
            add_event(s, t);
        else
            finish_execution(s);
    }
}

void search_start(struct search *s, uint32_t function, uint64_t argument)
{
    s->n_frames = s->n_work = 0;
    s->dead = false;
    s->pending = EVENT_NONE;
    struct graph *g = search_push_frame(s);
    graph_reset(g);
    node_id root = path_root(s->path, 0, function, argument);
    graph_start_thread(g, 0, root, EVENT_NONE);
    search_advance(s, 0, search_step(s, root, 0));
}

struct search *search_new(void)
{
    struct search *s = mem_resize(NULL, sizeof *s);
    *s = (struct search){.pending = EVENT_NONE};
    return s;
}

void search_free(struct search *s)
{
    for (uint32_t i = 0; i < s->frames_made; i++) {
        graph_release(s->frames[i].g);
        free(s->frames[i].g);
    }
    free(s->frames);
    free(s->work);
    graph_ids_release(&s->ids);
    dep_cache_release(&s->deps);
    scratch_release(&s->scratch);
    graph_release(&s->shown);
    free(s);
}
