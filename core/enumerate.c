/* Small programs by enumeration, where the search left something open. */
#include "core/candidates.h"
#include "core/search.h"

enum { STEPS_MAX = 100000, EVENTS_MAX = 64 };

struct enumeration {
    struct explore *x;
    struct candidates candidates;
};

static bool on_candidate(void *self, const struct graph *g)
{
    struct enumeration *e = self;
    struct explore *x = e->x;
    if (x->model->judge(x->model, g, NULL)) {
        x->executions++;
        outcomes_add(&x->outcomes, g, &x->path, x->program);
    }
    return !e->candidates.is_cut; /* else it is all in vain */
}

bool explore_candidates(struct explore *x, uint32_t function, uint64_t argument,
                        struct err *err)
{
    if (x->gap != GAP_UNMODELLED || x->gap_place != PLACE_NONE ||
        x->n_violations > 0 || !x->path.runtime->gives_deps)
        return true;
    struct enumeration e = {
        .x = x,
        .candidates = {.path = &x->path,
                       .program = x->program,
                       .max_steps = STEPS_MAX,
                       .max_events = EVENTS_MAX,
                       .stop = x->options.stop,
                       .visit = on_candidate,
                       .self = &e},
    };
    struct outcomes found = x->outcomes;
    uint64_t executions = x->executions;
    outcomes_init(&x->outcomes);
    x->executions = 0;
    bool good = candidates_run(&e.candidates, function, argument, err);
    search_rest(&x->path);
    outcomes_finish(&x->outcomes, x->program);
    bool all = good && !e.candidates.is_cut && !e.candidates.has_errors;
    outcomes_release(all ? &found : &x->outcomes);
    if (all) {
        x->gap = GAP_NONE;
        x->gap_reason = REASON_NONE;
        x->verdict = VERDICT_SOUND;
    } else {
        x->outcomes = found;
        x->executions = executions;
    }
    return good;
}
