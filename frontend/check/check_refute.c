#include "frontend/check/check_refute.h"

#include "core/candidates.h"
#include "core/halt.h"

#include <stdlib.h>
#include <string.h>

enum {
    STEPS_MAX = 1000000,
    EVENTS_MAX = 64,
    CUTS_MAX = 20 /* of locations, each of which starts the search anew */
};

struct refutation {
    struct check *check;
    struct explore x; /* holds the path cache */
};

static bool on_candidate(void *self, const struct graph *g)
{
    struct refutation *r = self;
    struct check *c = r->check;
    const struct model *m = &c->source->model;
    if (!m->judge(m, g, NULL))
        return true;
    char *text = compare_text(&c->compare, COMPARE_SOURCE, &r->x.path, g);
    for (uint32_t i = 0; i < c->n_extras; i++)
        if (c->extras[i].violation == UINT32_MAX &&
            strcmp(c->extras[i].text, text) == 0)
            c->extras[i].allowed = true;
    free(text);
    return true;
}

/* *all: no candidate was left out, and none fails, which is no outcome here.
 * *cut: an access has cut a location, so that the search is void. */
static bool enumerate(struct refutation *r, bool *all, bool *cut,
                      struct err *err)
{
    struct check_side *s = r->check->source;
    const struct runtime *runtime = subject_runtime(&s->subject);
    struct explore_options options = {0};
    struct candidates candidates = {
        .path = &r->x.path,
        .program = &s->subject.program,
        .max_steps = STEPS_MAX,
        .max_events = EVENTS_MAX,
        .visit = on_candidate,
        .self = r,
    };
    locations_restart(&s->subject.program.locations);
    if (runtime->restart)
        runtime->restart(runtime->self);
    explore_init(&r->x, &options, &s->model, &s->subject.program, runtime);
    r->x.path.limit = UINT32_MAX;
    bool good = candidates_run(&candidates, s->function, 0, err);
    *cut = s->subject.program.locations.stale;
    *all = good && !candidates.is_cut && !candidates.has_errors;
    explore_release(&r->x);
    return good;
}

bool check_refute(struct check *c, bool *open, struct err *err)
{
    struct refutation r = {.check = c};
    bool good = true, all = false, cut = true;
    /* One that fails is a candidate, too. */
    bool fails = c->source->explore.n_violations > 0;
    for (int i = 0; good && cut && !fails && i < CUTS_MAX; i++) {
        for (uint32_t k = 0; k < c->n_extras; k++)
            c->extras[k].allowed = false;
        good = enumerate(&r, &all, &cut, err);
    }
    if (cut && !fails)
        locations_restart(&c->source->subject.program.locations);
    /* The end of the command is no failure: then nothing is decided. */
    if (!good && err->kind != ERR_STOPPED)
        return false;
    if (!good)
        err->kind = ERR_NONE;
    *open = !all;
    for (uint32_t i = 0; i < c->n_extras; i++) {
        struct check_extra *e = &c->extras[i];
        e->allowed &= good && !cut;
        e->open = !all && !e->allowed;
    }
    return true;
}
