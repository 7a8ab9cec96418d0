/* What the rest of hwcheck sees of the engine: begins a search, begins it anew
 * where locations were cut, and keeps what it found. The search itself:
 * core/search.c. */
#include "core/explore.h"

#include "core/mem.h"
#include "core/search.h"

#include <stdlib.h>

static void forget_results(struct explore *x)
{
    for (uint32_t i = 0; i < x->n_violations; i++)
        graph_release(&x->violations[i].graph);
    for (uint32_t i = 0; i < x->n_kept; i++)
        graph_release(&x->kept[i]);
    x->n_kept = 0;
    x->executions = x->blocked = x->revisits = x->steps = 0;
    x->n_violations = x->n_warnings = 0;
    x->violations_seen = 0;
    x->gap = GAP_NONE;
    x->gap_place = PLACE_NONE;
    x->gap_reason = REASON_NONE;
    outcomes_release(&x->outcomes);
    outcomes_init(&x->outcomes);
}

/* Reads are given the co-latest write first. */
static uint64_t holds(const void *self, loc_id loc)
{
    const struct explore *x = self;
    const struct search *s = x->search;
    event_id w = EVENT_NONE;
    const struct graph *g = NULL; /* none behind the search */
    if (s && s->n_frames > 0)
        g = search_graph(s);
    if (g && loc < g->n_locs)
        w = g->locs[loc].co_last;
    return w == EVENT_NONE ? x->program->locations.items[loc].init
                           : g->events[w].value;
}

static void init_path(struct explore *x, const struct runtime *runtime)
{
    path_init(&x->path, runtime);
    x->path.holds = holds;
    x->path.holds_self = x;
}

/* Whatever else is missing is said in place of this. */
static void note_cycles(struct search *s)
{
    if (s->model->acyclic_cause || s->path->runtime->gives_deps)
        return;
    search_note_gap(s, REASON_LB_UNSEEN,
                    "model %s allows cycles in po | rf (load buffering), which "
                    "are not explored without dependencies",
                    s->model->name);
}

/* An access cut a location in two: all paths are void. */
static void forget_paths(struct explore *x)
{
    const struct runtime *runtime = x->path.runtime;
    forget_results(x);
    path_release(&x->path);
    init_path(x, runtime);
    dep_cache_forget(&x->search->deps);
    locations_restart(&x->program->locations);
    if (runtime->restart)
        runtime->restart(runtime->self);
}

/* The search of x, to be begun; x may have moved since the last one, and the
 * model need not outlive explore_run. */
static struct search *begin(struct explore *x, struct err *err)
{
    if (!x->search)
        x->search = search_new();
    struct search *s = x->search;
    s->x = x;
    s->model = x->model;
    s->instance = x->model->instantiate(x->model);
    s->program = x->program;
    s->path = &x->path;
    x->path.holds_self = x;
    s->err = err;
    s->failed = s->stopped = false;
    s->next_progress = 0;
    return s;
}

static void end(struct search *s)
{
    s->model->dismiss(s->instance);
    s->instance = NULL;
    search_rest(s->path);
}

bool explore_run(struct explore *x, uint32_t function, uint64_t argument,
                 struct err *err)
{
    const struct runtime *runtime = x->path.runtime;
    struct search *s = begin(x, err);
    forget_results(x);
    struct err before = *err;
    s->failed = runtime->prepare && !runtime->prepare(runtime->self, err);
    s->started = search_now();
    while (!s->failed) {
        note_cycles(s);
        search_start(s, function, argument);
        search(s);
        if (s->failed || !x->program->locations.stale)
            break;
        s->stopped = false;
        forget_paths(x);
    }
    if (s->failed && err->kind == ERR_STOPPED) {
        search_note_halt(s, err->text);
        s->failed = false;
        *err = before;
    }
    outcomes_finish(&x->outcomes, x->program);
    x->seconds = search_now() - s->started;
    end(s);
    x->verdict = x->n_violations      ? VERDICT_VIOLATION
                 : x->gap != GAP_NONE ? VERDICT_GAP
                 : s->failed          ? VERDICT_NONE
                                      : VERDICT_SOUND;
    return !s->failed;
}

void explore_warn(struct explore *x, const char *text)
{
    violation_warn(x, program_text(x->program, text), PLACE_NONE);
}

void explore_stop(struct explore *x)
{
    x->search->stopped = true;
}

void explore_keep(struct explore *x, uint32_t i, const struct graph *g)
{
    if (i == x->n_kept) {
        x->kept = mem_resize(x->kept, (i + 1) * sizeof *x->kept);
        graph_init(&x->kept[x->n_kept++], x->model->n_rows);
    }
    graph_copy(&x->kept[i], g);
    hidden_fences_add(x->search, &x->kept[i]);
}

void explore_init(struct explore *x, const struct explore_options *options,
                  const struct model *model, struct program *program,
                  const struct runtime *runtime)
{
    memset(x, 0, sizeof *x);
    x->options = *options;
    if (!x->options.max_events)
        x->options.max_events = 10000;
    x->model = model;
    x->program = program;
    x->gap_place = PLACE_NONE;
    init_path(x, runtime);
    outcomes_init(&x->outcomes);
}

void explore_release(struct explore *x)
{
    forget_results(x);
    outcomes_release(&x->outcomes);
    if (x->search)
        search_free(x->search);
    free(x->violations);
    free(x->kept);
    free(x->warnings);
    free(x->warning_places);
    path_release(&x->path);
    memset(x, 0, sizeof *x);
}
