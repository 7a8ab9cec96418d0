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
    x->only_unexplored = x->stopped = false;
    outcomes_release(&x->outcomes);
    outcomes_init(&x->outcomes);
}

/* Reads are given the co-latest write first. */
static uint64_t holds(const void *self, loc_id loc)
{
    const struct explore *x = self;
    event_id w = EVENT_NONE;
    const struct graph *g = NULL; /* none behind the search */
    if (x->n_frames > 0)
        g = &x->frames[x->n_frames - 1].g;
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
static void note_cycles(struct explore *x)
{
    if (x->model->acyclic_cause || x->path.runtime->gives_deps)
        return;
    search_note_gap(x, GAP_UNMODELLED,
                    "model %s allows cycles in po | rf (load buffering), which "
                    "are not explored without dependencies",
                    x->model->name);
    x->only_unexplored = true;
}

static void start(struct explore *x, uint32_t function, uint64_t argument)
{
    x->n_frames = x->n_work = 0;
    x->dead = false;
    x->pending = EVENT_NONE;
    struct graph *g = search_push_frame(x);
    graph_reset(g);
    node_id root = path_root(&x->path, 0, function, argument);
    graph_start_thread(g, 0, root, EVENT_NONE);
    search_advance(x, 0, search_step(x, root, 0));
}

bool explore_run(struct explore *x, uint32_t function, uint64_t argument,
                 struct err *err)
{
    const struct runtime *runtime = x->path.runtime;
    x->err = err;
    forget_results(x);
    struct err before = *err;
    x->failed = runtime->prepare && !runtime->prepare(runtime->self, err);
    x->started = search_now();
    x->next_progress = 0;
    while (!x->failed) {
        note_cycles(x);
        start(x, function, argument);
        search(x);
        if (x->failed || !x->program->locations.stale)
            break;
        /* An access cut a location in two: all paths are void. */
        forget_results(x);
        path_release(&x->path);
        init_path(x, runtime);
        dep_cache_forget(&x->deps);
        locations_restart(&x->program->locations);
        if (runtime->restart)
            runtime->restart(runtime->self);
    }
    if (x->failed && err->kind == ERR_STOPPED && search_is_halted(x)) {
        x->failed = false;
        *err = before;
    }
    outcomes_finish(&x->outcomes, x->program);
    x->seconds = search_now() - x->started;
    search_rest(x);
    x->verdict = x->n_violations      ? VERDICT_VIOLATION
                 : x->gap != GAP_NONE ? VERDICT_GAP
                 : x->failed          ? VERDICT_NONE
                                      : VERDICT_SOUND;
    return !x->failed;
}

void explore_warn(struct explore *x, const char *text)
{
    violation_warn(x, program_text(x->program, text), PLACE_NONE);
}

void explore_keep(struct explore *x, uint32_t i, const struct graph *g)
{
    if (i == x->n_kept) {
        x->kept = mem_resize(x->kept, (i + 1) * sizeof *x->kept);
        graph_init(&x->kept[x->n_kept++], x->model->n_rows);
    }
    graph_copy(&x->kept[i], g);
    hidden_fences_add(x, &x->kept[i]);
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
    x->pending = EVENT_NONE;
    x->gap_place = PLACE_NONE;
    init_path(x, runtime);
    outcomes_init(&x->outcomes);
}

void explore_release(struct explore *x)
{
    forget_results(x);
    outcomes_release(&x->outcomes);
    for (uint32_t i = 0; i < x->frames_made; i++)
        graph_release(&x->frames[i].g);
    free(x->frames);
    free(x->work);
    for (unsigned i = 0; i < SCRATCHES; i++)
        free(x->scratch[i].row);
    graph_ids_release(&x->ids);
    dep_cache_release(&x->deps);
    if (x->whole.block)
        graph_release(&x->whole);
    free(x->violations);
    free(x->kept);
    free(x->warnings);
    free(x->warning_places);
    path_release(&x->path);
    memset(x, 0, sizeof *x);
}
