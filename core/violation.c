/* What an execution does wrong, beyond what its own threads notice: flags of
 * the model (data races), lifetimes of allocated objects, joins, deadlock. */
#include "core/mem.h"
#include "core/search.h"
#include "core/torn.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>

void violation_add(struct search *s, const struct violation *what)
{
    struct explore *x = s->x;
    s->dead = true;
    x->violations_seen++;
    for (uint32_t i = 0; i < x->n_violations; i++)
        if (x->violations[i].kind == what->kind &&
            x->violations[i].text == what->text &&
            x->violations[i].place == what->place)
            return;
    if (x->n_violations == EXPLORE_VIOLATIONS_MAX)
        return;
    x->violations = mem_resize(x->violations,
                               (x->n_violations + 1) * sizeof *x->violations);
    struct violation *v = &x->violations[x->n_violations++];
    *v = *what;
    v->execution = x->executions;
    graph_init(&v->graph, s->model->n_rows);
    graph_copy(&v->graph, search_graph(s));
    hidden_fences_add(s, &v->graph);
}

void violation_warn(struct explore *x, uint32_t text, place_id place)
{
    for (uint32_t i = 0; i < x->n_warnings; i++)
        if (x->warnings[i] == text && x->warning_places[i] == place)
            return;
    size_t n = x->n_warnings + 1;
    x->warnings = mem_resize(x->warnings, n * sizeof *x->warnings);
    x->warning_places =
        mem_resize(x->warning_places, n * sizeof *x->warning_places);
    x->warnings[n - 1] = text;
    x->warning_places[n - 1] = place;
    x->n_warnings++;
}

void violation_add_error(struct search *s, thread_id t, const struct label *l)
{
    violation_add(s,
                  &(struct violation){
                      .kind = (enum violation_kind)l->value,
                      .text = l->aux,
                      .place = l->place,
                      .thread = t,
                      .events = {search_graph(s)->threads[t].last, EVENT_NONE},
                  });
}

static place_id place_of(const struct search *s, event_id e)
{
    return path_label(s->path, search_graph(s)->events[e].node)->place;
}

/* Is each access that is several events seen as one step? Where that is not
 * known, it is noted. */
static bool check_torn(struct search *s)
{
    event_id pair[2];
    const struct graph *g = search_graph(s);
    s->model->settle(s->instance, g);
    enum torn torn = torn_find(g, s->path, s->model->hb_row, pair);
    if (torn != TORN_PERHAPS)
        return torn == TORN_NOT;
    char place[200], other[200];
    program_print_place(s->program, place_of(s, pair[0]), place, sizeof place);
    program_print_place(s->program, place_of(s, pair[1]), other, sizeof other);
    if (s->x->gap == GAP_NONE)
        s->x->gap_place = place_of(s, pair[0]);
    search_note_gap(s, REASON_MIXED_SIZE,
                    "mixed-size race: the access at %s and that of another "
                    "size at %s",
                    place, other);
    return false;
}

bool violation_is_atomic(struct search *s)
{
    const struct graph *g = search_graph(s);
    return (!graph_has_pairs(g) || s->model->judge(s->model, g, NULL)) &&
           (!s->program->has_pieces || check_torn(s));
}

bool violation_is_judged(struct search *s)
{
    return (!s->model->has_final ||
            s->model->final(s->instance, search_graph(s))) &&
           violation_is_atomic(s);
}

/* A violation that event e commits, against the older event `other`. */
static void report(struct search *s, enum violation_kind kind, event_id e,
                   event_id other, const char *fmt, ...)
    __attribute__((format(printf, 5, 6)));
static void report(struct search *s, enum violation_kind kind, event_id e,
                   event_id other, const char *fmt, ...)
{
    char text[400];
    va_list args;
    va_start(args, fmt);
    vsnprintf(text, sizeof text, fmt, args);
    va_end(args);
    if (!violation_is_judged(s)) {
        search_note_gap(s, REASON_PARTIAL,
                        "cannot judge in a partial execution: %s", text);
        return;
    }
    violation_add(s, &(struct violation){
                         .kind = kind,
                         .text = program_text(s->program, text),
                         .place = place_of(s, e),
                         .thread = search_graph(s)->events[e].thread,
                         .events = {e, other},
                     });
}

/* An event in both rows (and `in` a third, if not NULL), or EVENT_NONE. */
static event_id common(const struct graph *g, const uint64_t *a,
                       const uint64_t *b, const uint64_t *in)
{
    for (uint32_t w = 0; w < g->words; w++) {
        uint64_t both = a[w] & b[w] & (in ? in[w] : ~(uint64_t)0);
        if (both)
            return w * 64 + (event_id)__builtin_ctzll(both);
    }
    return EVENT_NONE;
}

static const char *verb(const struct event *ev)
{
    return ev->kind == LABEL_READ ? "read" : "write";
}

/* The allocation of `object` that e knows of, or EVENT_NONE. (With holes the
 * cause row says less than that; there, any.) */
static event_id allocation(const struct search *s, const struct graph *g,
                           loc_id object, event_id e)
{
    if (object >= g->n_locs)
        return EVENT_NONE;
    return common(g, graph_loc_row(g, object), graph_set(g, TAG_ALLOC),
                  search_has_lb(s) ? NULL : graph_row(g, e, ROW_CAUSE));
}

/* Heap accesses are frequent and faults are not: names are made at the end. */
static void report_access(struct search *s, event_id e, event_id other,
                          enum violation_kind kind, const char *what)
{
    const struct event *ev = &search_graph(s)->events[e];
    char name[128];
    program_print_location(s->program, ev->loc, name, sizeof name);
    report(s, kind, e, other, "%s of %s, %s", verb(ev), name, what);
}

static void warn_unwritten(struct search *s, event_id e)
{
    char name[128], text[200];
    program_print_location(s->program, search_graph(s)->events[e].loc, name,
                           sizeof name);
    snprintf(text, sizeof text, "read of %s, which was never written", name);
    violation_warn(s->x, program_text(s->program, text), place_of(s, e));
}

static void check_access(struct search *s, event_id e)
{
    const struct graph *g = search_graph(s);
    const struct event *ev = &g->events[e];
    const struct location *loc = &s->program->locations.items[ev->loc];
    if (loc->object == LOC_NONE)
        return;
    event_id alloc = allocation(s, g, loc->object, e);
    if (alloc == EVENT_NONE) {
        report_access(s, e, EVENT_NONE, VIOLATION_INVALID_ACCESS,
                      "which is not allocated");
        return;
    }
    const struct label *label = path_label(s->path, g->events[alloc].node);
    uint64_t start = s->program->locations.items[loc->object].addr;
    /* e is the newest event: nothing can order it before a free that exists. */
    event_id freed =
        common(g, graph_loc_row(g, loc->object), graph_set(g, TAG_FREE), NULL);
    if (loc->addr + loc->size > start + label->value) {
        char what[80];
        snprintf(what, sizeof what, "outside the %" PRIu64 " bytes allocated",
                 label->value);
        report_access(s, e, alloc, VIOLATION_INVALID_ACCESS, what);
    } else if (freed != EVENT_NONE)
        report_access(s, e, freed, VIOLATION_USE_AFTER_FREE,
                      row_has(graph_row(g, e, ROW_CAUSE), freed)
                          ? "which is already freed"
                          : "which another thread may have freed");
    else if (ev->rf == EVENT_INIT && label->aux == 0)
        warn_unwritten(s, e);
}

/* What event o has to do with the object that e frees, if that is wrong. */
static bool conflicts_with_free(const struct search *s, const struct graph *g,
                                event_id e, event_id o, const uint64_t *before)
{
    const struct event *ev = &g->events[o];
    loc_id object = g->events[e].loc;
    if (o == e || ev->loc == LOC_NONE)
        return false;
    return (ev->kind == LABEL_FREE && ev->loc == object) ||
           (s->program->locations.items[ev->loc].object == object &&
            !row_has(before, o));
}

static void check_free(struct search *s, event_id e)
{
    const struct graph *g = search_graph(s);
    char name[128];
    program_print_location(s->program, g->events[e].loc, name, sizeof name);
    if (allocation(s, g, g->events[e].loc, e) == EVENT_NONE) {
        report(s, VIOLATION_INVALID_FREE, e, EVENT_NONE,
               "free of %s, which is not allocated", name);
        return;
    }
    int hb = s->model->hb_row >= 0 ? s->model->hb_row : ROW_CAUSE;
    const uint64_t *before = graph_row(g, e, (unsigned)hb);
    for (uint32_t i = 0; i < g->n; i++) {
        event_id o = g->order[i];
        if (!conflicts_with_free(s, g, e, o, before))
            continue;
        if (g->events[o].kind == LABEL_FREE)
            report(s, VIOLATION_DOUBLE_FREE, e, o, "%s is freed twice", name);
        else
            report(s, VIOLATION_USE_AFTER_FREE, e, o,
                   "free of %s, while another thread may still %s it", name,
                   verb(&g->events[o]));
        return;
    }
}

static void check_join(struct search *s, event_id e)
{
    const struct graph *g = search_graph(s);
    const struct label *label = path_label(s->path, g->events[e].node);
    event_id o;
    row_for_each (o, graph_set(g, TAG_JOIN), g->words) {
        if (o == e || path_label(s->path, g->events[o].node)->loc != label->loc)
            continue;
        report(s, VIOLATION_THREAD, e, o, "thread %u is joined twice",
               label->loc);
        return;
    }
}

static void note_unexplored(struct search *s, event_id e,
                            const struct broken *why)
{
    char place[200];
    if (s->x->gap != GAP_NONE)
        return;
    program_print_place(s->program, place_of(s, e), place, sizeof place);
    search_note_gap(s, REASON_FLAGGED,
                    "model %s has executions that are not explored (%s), at %s",
                    s->model->name, why->axiom, place);
}

void violation_check_event(struct search *s, event_id e)
{
    const struct graph *g = search_graph(s);
    struct broken why;
    uint8_t kind = g->events[e].kind;
    if (kind == LABEL_READ || kind == LABEL_WRITE)
        check_access(s, e);
    else if (kind == LABEL_FREE)
        check_free(s, e);
    else if (kind == LABEL_JOIN)
        check_join(s, e);
    if (s->dead || !s->model->has_flags ||
        !s->model->flagged(s->instance, g, e, &why))
        return;
    if (s->x->options.on_flag) {
        s->x->options.on_flag(s->x->options.self, &why);
        return;
    }
    if (why.unexplored) {
        note_unexplored(s, e, &why);
        return;
    }
    if (!violation_is_atomic(s)) {
        search_note_gap(s, REASON_PARTIAL,
                        "cannot judge in a partial execution: %s", why.axiom);
        return;
    }
    violation_add(s, &(struct violation){
                         .kind = VIOLATION_FLAG,
                         .text = program_text(s->program, why.axiom),
                         .place = place_of(s, e),
                         .thread = g->events[e].thread,
                         .events = {e, why.n > 1 ? why.cycle[0] : EVENT_NONE},
                         .why = why,
                     });
}

/* A blocked execution in which every thread has ended or waits for a mutex, or
 * for a thread that does. */
void violation_check_deadlock(struct search *s)
{
    const struct graph *g = search_graph(s);
    thread_id waiting = THREAD_NONE;
    for (thread_id t = 0; t < g->n_threads; t++) {
        if (g->threads[t].node == NODE_NONE)
            continue;
        const struct label *l = path_label(s->path, g->threads[t].node);
        event_id last = g->threads[t].last;
        if (l->kind == LABEL_BLOCK && l->aux == BLOCK_LOCK) {
            const struct event *ev = &g->events[last];
            if (ev->rf != g->locs[ev->loc].co_last)
                return;
            waiting = t;
        } else if (l->kind != LABEL_END && l->kind != LABEL_JOIN)
            return;
    }
    if (waiting == THREAD_NONE)
        return;
    event_id last = g->threads[waiting].last;
    char name[128];
    program_print_location(s->program, g->events[last].loc, name, sizeof name);
    report(s, VIOLATION_DEADLOCK, last, g->events[last].rf,
           "thread %u waits for mutex %s, and no thread can go on", waiting,
           name);
}
