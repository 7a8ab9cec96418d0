#include "frontend/check/check_why.h"

#include "core/mem.h"
#include "frontend/report/witness.h"

#include <stdlib.h>
#include <string.h>

/* ---- the source */

struct wanted {
    struct check *check;
    const char *text;
};

static bool has_outcome(void *self, const struct graph *g,
                        const struct path *path)
{
    const struct wanted *w = self;
    char *text = compare_text(&w->check->compare, COMPARE_SOURCE, path, g);
    bool same = strcmp(text, w->text) == 0;
    free(text);
    return same;
}

static bool explain_source(struct check_why *w, struct check *c,
                           const struct check_extra *e, struct err *err)
{
    struct wanted wanted = {c, e->text};
    struct check_side *s = c->source;
    struct explain_query q = {
        .subject = &s->subject,
        .function = s->function,
        .model = &s->model,
        .load = c->load,
        .has_outcome = has_outcome,
        .self = &wanted,
        .is_forbidden = true,
        .stop = c->stop,
    };
    return explain_find(&w->explanation, &q, err);
}

/* ---- where they meet */

/* Do the two events act on variables of the same name? */
static bool same_location(const struct check *c, const struct event *source,
                          const struct event *machine)
{
    char names[2][200];
    if ((source->loc == LOC_NONE) != (machine->loc == LOC_NONE))
        return false;
    if (source->loc == LOC_NONE)
        return true;
    program_print_location(&c->source->subject.program, source->loc, names[0],
                           sizeof names[0]);
    program_print_location(&c->target->subject.program, machine->loc, names[1],
                           sizeof names[1]);
    return strcmp(names[0], names[1]) == 0;
}

static uint32_t line_of(const struct program *p, const struct path *path,
                        const struct event *e)
{
    place_id place = path_label(path, e->node)->place;
    return place < p->n_places ? p->places[place].line : 0;
}

/* The machine's event for a source event: same thread, line, kind and variable,
 * and as many like it before. */
static event_id find_machine(const struct check *c, const struct check_why *w,
                             const struct graph *machine, event_id e)
{
    const struct graph *source = &w->explanation.graph;
    const struct event *wanted = &source->events[e];
    uint32_t line =
        line_of(&c->source->subject.program, &w->explanation.x.path, wanted);
    uint32_t before = 0;
    for (event_id f = wanted->po_prev; f != EVENT_NONE;
         f = source->events[f].po_prev) {
        const struct event *other = &source->events[f];
        before += other->kind == wanted->kind && other->loc == wanted->loc &&
                  line_of(&c->source->subject.program, &w->explanation.x.path,
                          other) == line;
    }
    if (wanted->thread >= machine->n_threads)
        return EVENT_NONE;
    for (event_id f = machine->threads[wanted->thread].first; f != EVENT_NONE;
         f = machine->events[f].po_next) {
        const struct event *other = &machine->events[f];
        if (other->kind == wanted->kind && same_location(c, wanted, other) &&
            line_of(&c->target->subject.program, &c->target->explore.path,
                    other) == line &&
            before-- == 0)
            return f;
    }
    return EVENT_NONE;
}

static void add_fence(struct graph *g, event_id b)
{
    const struct label fence = {.kind = LABEL_FENCE, .tags = TAGS_THREAD_SYNC};
    const struct event *ev = &g->events[b];
    /* Not between the halves of a read-modify-write. */
    if (event_is_half(ev))
        ev = &g->events[ev->rmw];
    if (ev->po_prev != EVENT_NONE)
        graph_add_after(g, ev->po_prev, ev->node, &fence);
}

/* Would the machine forbid its execution with a full fence in each step that is
 * marked? */
static bool fences_forbid(const struct check_why *w, const struct check *c,
                          const struct graph *machine)
{
    const struct model *model = &c->target->model;
    struct graph copy;
    graph_init(&copy, model->n_rows);
    graph_copy(&copy, machine);
    for (uint32_t i = 0; i < w->n_steps; i++)
        if (w->steps[i].is_culprit)
            add_fence(&copy, w->steps[i].machine[1]);
    bool forbid = !model->judge(model, &copy, NULL);
    graph_release(&copy);
    return forbid;
}

/* Marks a smallest set of steps in which fences would forbid the execution;
 * none if all of them do not. */
static void find_culprits(struct check_why *w, const struct check *c,
                          const struct graph *machine)
{
    for (uint32_t i = 0; i < w->n_steps; i++)
        w->steps[i].is_culprit = w->steps[i].machine[0] != EVENT_NONE &&
                                 w->steps[i].machine[1] != EVENT_NONE;
    bool forbid = fences_forbid(w, c, machine);
    for (uint32_t i = 0; i < w->n_steps; i++) {
        bool was = w->steps[i].is_culprit;
        w->steps[i].is_culprit = false;
        if (forbid && was && !fences_forbid(w, c, machine))
            w->steps[i].is_culprit = true;
        w->n_culprits += w->steps[i].is_culprit;
    }
}

static bool is_later(const struct graph *g, event_id a, event_id b)
{
    return a < g->cap && b < g->cap && a != b &&
           g->events[a].thread == g->events[b].thread &&
           row_has(graph_row(g, b, ROW_PO), a);
}

/* Is event i of the cycle a fence that it passes within a thread? Such a fence
 * may be no instruction on the machine; the step leads over it. */
static bool is_passed(const struct check_why *w, uint32_t i)
{
    const struct graph *g = &w->explanation.graph;
    const struct broken *why = &w->explanation.why;
    event_id before = why->cycle[(i + why->n - 1) % why->n];
    event_id after = why->cycle[(i + 1) % why->n];
    event_id e = why->cycle[i];
    return e < g->cap && g->events[e].kind == LABEL_FENCE &&
           is_later(g, before, e) && is_later(g, e, after);
}

static void find_steps(struct check_why *w, const struct check *c,
                       const struct graph *machine)
{
    const struct broken *why = &w->explanation.why;
    for (uint32_t i = 0; i < why->n; i++) {
        w->machine[i] = why->cycle[i] < w->explanation.graph.cap
                            ? find_machine(c, w, machine, why->cycle[i])
                            : EVENT_NONE;
        w->step_of[i] = UINT32_MAX;
        w->n_lacking += check_why_lacks(w, i);
    }
    for (uint32_t i = 0; i < why->n && w->n_steps < CHECK_STEPS_MAX; i++) {
        uint32_t j = (i + 1) % why->n;
        if (is_passed(w, i) ||
            !is_later(&w->explanation.graph, why->cycle[i], why->cycle[j]))
            continue;
        w->step_of[i] = w->n_steps;
        for (; is_passed(w, j); j = (j + 1) % why->n)
            w->step_of[j] = w->n_steps;
        w->steps[w->n_steps++] = (struct check_step){
            .source = {why->cycle[i], why->cycle[j]},
            .machine = {w->machine[i], w->machine[j]},
        };
    }
}

bool check_why_lacks(const struct check_why *w, uint32_t i)
{
    const struct graph *g = &w->explanation.graph;
    event_id e = w->explanation.why.cycle[i];
    return w->machine[i] == EVENT_NONE && e < g->cap &&
           (g->events[e].kind == LABEL_READ ||
            g->events[e].kind == LABEL_WRITE);
}

struct check_why *check_why_new(struct check *c, const struct check_extra *e,
                                struct err *err)
{
    struct check_why *w = mem_resize(NULL, sizeof *w);
    memset(w, 0, sizeof *w);
    if (!explain_source(w, c, e, err)) {
        check_why_free(w);
        return NULL;
    }
    w->explanation.executions = c->source->explore.executions;
    if (w->explanation.answer == EXPLAIN_FORBIDDEN &&
        w->explanation.has_graph) {
        const struct graph *machine = &c->target->explore.kept[e->kept];
        find_steps(w, c, machine);
        find_culprits(w, c, machine);
    }
    return w;
}

void check_why_free(struct check_why *w)
{
    if (w)
        explain_release(&w->explanation);
    free(w);
}
