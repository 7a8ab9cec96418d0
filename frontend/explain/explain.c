#include "frontend/explain/explain.h"

#include "core/candidates.h"
#include "core/torn.h"

#include <stdio.h>

/* A search under way. */
struct finder {
    struct explanation *e;
    const struct explain_query *q;
    bool is_weaker;   /* than the model is what is explored */
    bool is_loose;    /* e->loose is what runs */
    bool is_complete; /* all candidates there are were looked at */
    uint64_t last;    /* number of the last execution */
    uint32_t longest; /* events of an execution under the model */
};

static void forget(struct explanation *e)
{
    if (e->has_graph)
        graph_release(&e->graph);
    e->has_graph = false;
    e->n_compared = 0;
}

static void keep(struct explanation *e, const struct graph *g)
{
    if (!e->has_graph)
        graph_init(&e->graph, 0);
    e->has_graph = true;
    graph_copy(&e->graph, g);
}

/* Is it nearer to what is allowed than the one kept so far? */
static bool is_nearer(const struct explanation *e, const struct broken *why,
                      uint32_t n_broken)
{
    if (!e->has_graph || n_broken != e->n_broken)
        return !e->has_graph || n_broken < e->n_broken;
    return why->n < e->why.n;
}

/* An execution with the outcome; true: enough of them. */
static bool consider(struct finder *f, const struct graph *g)
{
    struct explanation *e = f->e;
    const struct model *m = f->q->model;
    /* Graphs of weaker models, and candidates, do not have its rows. */
    int hb_row = e->x.model == m && !f->is_weaker ? m->hb_row : -1;
    struct broken why;
    event_id torn[2];
    if (f->q->subject->program.has_pieces &&
        torn_find(g, &e->x.path, hb_row, torn) != TORN_NOT)
        return false;
    e->n_compared++;
    if (m->judge(m, g, &why)) {
        e->answer = EXPLAIN_ALLOWED;
        keep(e, g);
        return true;
    }
    uint32_t n_broken = m->count_broken(m, g);
    if (is_nearer(e, &why, n_broken)) {
        e->why = why;
        e->n_broken = n_broken;
        keep(e, g);
    }
    return e->n_compared >= EXPLAIN_COMPARED;
}

static void on_execution(void *self, const struct graph *g, bool blocked)
{
    struct finder *f = self;
    struct explore *x = &f->e->x;
    /* The numbers begin anew when an access has cut a location: what was kept
     * is void then. */
    if (x->executions + x->blocked <= f->last)
        forget(f->e);
    f->last = x->executions + x->blocked;
    /* Other models may see fences that this one ignores. */
    g = explore_with_fences(x, g);
    if (!f->is_weaker && g->n > f->longest)
        f->longest = g->n;
    if (blocked || !f->q->has_outcome(f->q->self, g, &x->path))
        return;
    x->path.limit = UINT32_MAX; /* the graph that is kept refers to it */
    if (!consider(f, g))
        return;
    f->is_complete = false;
    explore_stop(x);
}

static struct explore_options limits(const struct explain_query *q)
{
    return (struct explore_options){
        .max_executions = q->max_executions,
        .timeout_s = q->timeout_s,
        .max_events = q->max_events,
        .stop = q->stop,
    };
}

/* A loop may go on much longer where less is forbidden; such executions are not
 * near. */
static struct explore_options weaker_limits(const struct finder *f)
{
    struct explore_options o = limits(f->q);
    uint32_t longest = f->longest ? 2 * f->longest + 20 : 200;
    if (!o.max_events || o.max_events > longest)
        o.max_events = longest;
    if (!o.max_executions)
        o.max_executions = EXPLAIN_EXECUTIONS;
    if (o.timeout_s <= 0)
        o.timeout_s = EXPLAIN_SECONDS;
    return o;
}

/* Explores the program under `model`, from nothing that was known before. */
static bool explore(struct finder *f, const struct model *model,
                    struct explore_options options, struct err *err)
{
    const struct explain_query *q = f->q;
    struct explanation *e = f->e;
    const struct runtime *runtime =
        f->is_loose ? &e->loose : subject_runtime(q->subject);
    options.all = true;
    options.on_execution = on_execution;
    options.self = f;
    if (e->x.model)
        explore_release(&e->x);
    forget(e);
    f->last = 0;
    locations_restart(&q->subject->program.locations);
    if (runtime->restart)
        runtime->restart(runtime->self);
    explore_init(&e->x, &options, model, &q->subject->program, runtime);
    return explore_run(&e->x, q->function, q->argument, err);
}

/* Flags of the model are only noted: what an execution with a data race ends in
 * is asked for, too. */
static void on_flag(void *self, const struct broken *why)
{
    struct finder *f = self;
    if (!f->e->flag.axiom)
        f->e->flag = *why;
}

static bool ask_model(struct finder *f, struct err *err)
{
    struct explanation *e = f->e;
    struct explore_options options = limits(f->q);
    options.on_flag = on_flag;
    if (!explore(f, f->q->model, options, err))
        return false;
    e->executions = e->x.executions;
    e->n_violations = e->x.violations_seen;
    if (e->has_graph) {
        e->answer = EXPLAIN_ALLOWED;
    } else if (e->x.gap != GAP_NONE) {
        e->answer = EXPLAIN_OPEN;
        e->gap = e->x.gap;
        snprintf(e->gap_text, sizeof e->gap_text, "%s", e->x.gap_text);
    }
    return true;
}

static void note_cut(struct finder *f, const char *text)
{
    f->is_complete = false;
    f->e->is_cut = true;
    snprintf(f->e->cut_text, sizeof f->e->cut_text, "%s", text);
}

static bool ask_weaker(struct finder *f, const char *name, struct err *err)
{
    struct model model;
    if (!f->q->load(&model, name, err))
        return false;
    model.needs_deps = true; /* the model that judges may */
    bool good = explore(f, &model, weaker_limits(f), err);
    if (good && f->e->x.gap != GAP_NONE && !f->e->has_graph)
        note_cut(f, f->e->x.gap_text);
    /* The graph and its paths are kept, the model is not. */
    f->e->x.model = f->q->model;
    model.release(&model);
    return good;
}

static bool on_candidate(void *self, const struct graph *g)
{
    struct finder *f = self;
    return !f->q->has_outcome(f->q->self, g, &f->e->x.path) || !consider(f, g);
}

static bool ask_nothing(struct finder *f, struct err *err)
{
    struct explanation *e = f->e;
    struct candidates c = {
        .path = &e->x.path,
        .program = &f->q->subject->program,
        .max_steps = 20 * EXPLAIN_EXECUTIONS,
        .max_events = weaker_limits(f).max_events,
        .stop = f->q->stop,
        .visit = on_candidate,
        .self = f,
    };
    e->x.path.limit = UINT32_MAX;
    if (!candidates_run(&c, f->q->function, f->q->argument, err))
        return false;
    f->is_complete = !c.is_cut;
    e->is_cut = c.is_cut && !e->has_graph;
    if (e->is_cut)
        snprintf(e->cut_text, sizeof e->cut_text, "%s", c.cut_text);
    return true;
}

/* The chain of weaker models, up to the first that has such an execution. */
static bool find_nearest(struct finder *f, struct err *err)
{
    bool has_deps = subject_runtime(f->q->subject)->gives_deps;
    f->e->loose = *subject_runtime(f->q->subject);
    f->e->loose.gives_deps = true;
    static const char *const chain[] = {"weak-causal", "weak-deps",
                                        "weak-incoherent"};
    f->is_weaker = true;
    for (size_t i = 0; i < sizeof chain / sizeof chain[0]; i++) {
        f->is_loose = i == 1 && !has_deps;
        if (!ask_weaker(f, chain[i], err))
            return false;
        if (f->e->has_graph || (f->q->stop && *f->q->stop))
            return true;
    }
    return ask_nothing(f, err);
}

bool explain_find(struct explanation *e, const struct explain_query *q,
                  struct err *err)
{
    struct finder f = {.e = e, .q = q};
    *e = (struct explanation){.answer = EXPLAIN_FORBIDDEN};
    if (!q->is_forbidden && !ask_model(&f, err))
        return false;
    /* What the search does not explore may be among the candidates. */
    bool is_open = e->answer == EXPLAIN_OPEN;
    if (e->answer == EXPLAIN_ALLOWED ||
        (is_open && (e->gap != GAP_UNMODELLED ||
                     !subject_runtime(q->subject)->gives_deps)))
        return true;
    if (!find_nearest(&f, err))
        return false;
    if (is_open && e->answer != EXPLAIN_ALLOWED) {
        forget(e);
        e->is_cut = false;
        return true;
    }
    if (!e->has_graph && f.is_complete && !e->is_cut)
        e->answer = EXPLAIN_IMPOSSIBLE;
    return true;
}

void explain_release(struct explanation *e)
{
    forget(e);
    if (e->x.model)
        explore_release(&e->x);
}
