#include "frontend/check/check.h"

#include "core/halt.h"
#include "core/mem.h"
#include "frontend/base/progress.h"
#include "frontend/check/check_refute.h"
#include "frontend/check/check_stuck.h"
#include "frontend/check/check_why.h"
#include "frontend/report/report.h"
#include "frontend/subject/model_fit.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* By convention the axioms that keep a write behind the earlier reads of its
 * thread, in any model: no cycle of po and rf, and none of po, rf and co. */
#define NO_THIN_AIR "no-thin-air"
#define CORW        "corw"

/* Of the time that is left for a target: the rest is for showing what was
 * found. */
#define TARGET_SHARE 0.8

const char *check_verdict_name(enum check_verdict verdict)
{
    static const char *const names[] = {
        [CHECK_SOUND] = "SOUND",
        [CHECK_MISCOMPILED] = "MISCOMPILED",
        [CHECK_UNDEFINED] = "VIOLATION",
        [CHECK_INCONCLUSIVE] = "INCONCLUSIVE",
    };
    return names[verdict];
}

/* ---- one side */

/* Sees each execution; false: that is enough. */
typedef bool look_fn(void *self, const struct graph *g, bool blocked);

/* One pass over the executions of a side, with a path cache of its own. */
struct pass {
    const struct check *check;
    struct explore *explore;
    struct subject *subject;
    uint32_t function; /* to start with */
    const struct model *model;
    const struct runtime *runtime;
    look_fn *look;
    void *self; /* of look */
    struct progress progress;
    double timeout_s; /* 0: as long as the command may go on */
    sig_atomic_t stop;
    bool enough;        /* `look` said so */
    bool keeps_waiting; /* see explore_options */
};

static void on_progress(void *self, uint64_t executions, uint64_t blocked,
                        double seconds)
{
    struct pass *r = self;
    progress_show(&r->progress, executions, blocked, seconds);
}

static void on_execution(void *self, const struct graph *g, bool blocked)
{
    struct pass *r = self;
    r->enough = r->enough || !r->look(r->self, g, blocked);
    r->stop = r->enough;
}

/* Explores all of it, or until `look` has seen enough. */
static bool make_pass(struct pass *r, struct err *err)
{
    const struct options *o = r->check->options;
    struct explore_options options = {
        .max_executions = o->max_executions,
        .timeout_s = r->timeout_s,
        .max_events =
            (uint32_t)(o->max_events < UINT32_MAX ? o->max_events : UINT32_MAX),
        .all = true,
        .through_failures = true,
        .keeps_waiting = r->keeps_waiting,
        .stop = &r->stop,
        .on_execution = on_execution,
        .on_progress = on_progress,
        .self = r,
    };
    explore_init(r->explore, &options, r->model, &r->subject->program,
                 r->runtime);
    progress_init(&r->progress, stderr, !o->quiet && !o->show_output);
    bool done = explore_run(r->explore, r->function, 0, err);
    progress_clear(&r->progress);
    return done;
}

/* Once, for all functions that are checked. */
static bool prepare(struct check_side *side, const struct check *c,
                    const struct isa *isa, bool keeps_statics, struct err *err)
{
    const char *model = c->source_model;
    if (isa)
        model = c->options->target_model ? c->options->target_model
                                         : isa->program_model;
    if (side->ready)
        return true;
    if (!c->load(&side->model, model, err))
        return false;
    side->ready = true;
    struct options options = *c->options;
    options.keeps_statics = keeps_statics;
    options.abi = c->isa;
    return subject_init(&side->subject, &options, isa, c->file, err);
}

/* Does some thread stand at an assumption that is false, or wait for ever? */
static bool note_blocked(void *self, const struct graph *g, bool blocked)
{
    struct check_side *side = self;
    for (thread_id t = 0; blocked && t < g->n_threads; t++) {
        node_id node = g->threads[t].node;
        const struct label *l =
            node == NODE_NONE ? NULL : path_label(&side->explore.path, node);
        side->assumes |= l && l->kind == LABEL_BLOCK && l->aux == BLOCK_ASSUME;
    }
    if (check_is_stuck(side, g, blocked) && side->stuck++ == 0)
        check_describe_stuck(side, g);
    return true;
}

static bool find_function(struct check_side *side, const struct check *c,
                          struct err *err)
{
    side->function = c->entry ? subject_function(&side->subject, c->entry)
                              : side->subject.main;
    return side->function != UINT32_MAX ||
           err_set(err, ERR_INPUT, "no function '%s'", c->entry);
}

static bool explore_side(struct check_side *side, const struct check *c,
                         struct err *err)
{
    const struct runtime *runtime = subject_runtime(&side->subject);
    if (!find_function(side, c, err))
        return false;
    /* Nothing of the function before is of use to this one. */
    locations_restart(&side->subject.program.locations);
    if (runtime->restart)
        runtime->restart(runtime->self);
    struct pass r = {
        .check = c,
        .explore = &side->explore,
        .subject = &side->subject,
        .function = side->function,
        .model = &side->model,
        .runtime = runtime,
        .look = note_blocked,
        .self = side,
    };
    if (side->subject.isa)
        r.timeout_s = TARGET_SHARE * halt_remaining();
    side->explored = true;
    side->subject.program.compares = side->subject.program.prints = true;
    side->subject.program.has_status = !c->entry;
    if (!make_pass(&r, err))
        return false;
    model_fit_warn(&side->explore, side->subject.isa);
    if (side->explore.gap == GAP_TIMEOUT && halt_reason() == HALT_NONE) {
        const char *where = strchr(side->explore.gap_text, ';');
        char text[sizeof side->explore.gap_text];
        snprintf(text, sizeof text, "stopped after %.3g of %g seconds%s",
                 c->options->timeout - halt_remaining(), c->options->timeout,
                 where ? where : "");
        memcpy(side->explore.gap_text, text, sizeof text);
    }
    return true;
}

bool check_compile(struct check_side *side, const struct check *c,
                   struct err *err)
{
    if (!prepare(side, c, NULL, false, err))
        return false;
    if (c->options->ignore_races)
        side->model.has_flags = false;
    return true;
}

bool check_explore_source(const struct check *c, struct err *err)
{
    return explore_side(c->source, c, err);
}

void check_side_forget(struct check_side *side)
{
    if (side->explored)
        explore_release(&side->explore);
    side->explored = side->assumes = false;
    side->stuck = 0;
    if (side->kept)
        check_side_forget(side->kept);
}

void check_side_release(struct check_side *side)
{
    check_side_forget(side);
    if (side->ready) {
        subject_release(&side->subject);
        side->model.release(&side->model);
    }
    if (side->kept)
        check_side_release(side->kept);
    free(side->kept);
    memset(side, 0, sizeof *side);
}

/* ---- what only the target has */

static void push_extra(struct check *c, const char *text, uint64_t executions,
                       uint32_t violation)
{
    size_t bytes = strlen(text) + 1;
    c->extras = mem_resize(c->extras, (c->n_extras + 1) * sizeof *c->extras);
    c->extras[c->n_extras++] = (struct check_extra){
        .text = memcpy(mem_resize(NULL, bytes), text, bytes),
        .executions = executions,
        .violation = violation,
        .kept = UINT32_MAX,
        .cyclic = violation == UINT32_MAX,
    };
}

/* ---- waiting for ever */

struct waiting {
    struct check_side side;
    bool found;
};

static bool find_stuck(void *self, const struct graph *g, bool blocked)
{
    struct waiting *w = self;
    w->found =
        blocked && check_stuck_thread(&w->side.explore.path, g) != THREAD_NONE;
    return !w->found;
}

/* Does a thread of the source wait for ever, in some execution? The search
 * leaves out such executions where it can: it is made again without that. */
static bool source_waits(struct check *c, bool *waits, struct err *err)
{
    struct check_side *s = c->source;
    struct waiting w = {.found = false};
    const struct runtime *runtime = subject_runtime(&s->subject);
    *waits = true;
    if (s->stuck || s->explore.gap != GAP_NONE)
        return true;
    if (runtime->restart)
        runtime->restart(runtime->self);
    struct pass r = {
        .check = c,
        .explore = &w.side.explore,
        .subject = &s->subject,
        .function = s->function,
        .model = &s->model,
        .runtime = runtime,
        .look = find_stuck,
        .self = &w,
        .keeps_waiting = true,
    };
    bool done = make_pass(&r, err);
    *waits = w.found || w.side.explore.gap != GAP_NONE;
    explore_release(&w.side.explore);
    return done;
}

/* The machine code has executions in which a thread waits for ever; does the
 * source? */
static bool find_waiting(struct check *c, struct err *err)
{
    bool waits;
    if (!c->target->stuck || c->source->explore.executions == 0)
        return true;
    if (!source_waits(c, &waits, err))
        return false;
    if (waits)
        return true;
    push_extra(c, c->target->stuck_at, c->target->stuck, UINT32_MAX);
    c->extras[c->n_extras - 1].stuck = true;
    return true;
}

static void find_extras(struct check *c)
{
    const struct explore *source = &c->source->explore;
    const struct explore *target = &c->target->explore;
    for (uint32_t i = 0; i < target->n_violations; i++) {
        char text[900];
        compare_violation(target, &target->violations[i], text, sizeof text);
        if (!compare_has_violation(source, text))
            push_extra(c, text, 0, i);
    }
    uint32_t n_violations = c->n_extras;
    for (uint32_t i = 0; i < c->outcomes[1].n; i++) {
        const struct compare_outcome *o = &c->outcomes[1].list[i];
        /* A failure that the source does not have says enough. */
        if (compare_set_find(&c->outcomes[0], o->text) == UINT32_MAX &&
            !(o->failed && n_violations))
            push_extra(c, o->text, o->executions, UINT32_MAX);
    }
}

static struct check_extra *extra_of(struct check *c, const struct explore *x,
                                    const struct graph *g)
{
    struct check_extra *found = NULL;
    int side = x->program == &c->source->subject.program ? COMPARE_SOURCE
                                                         : COMPARE_MACHINE;
    char *text = compare_text(&c->compare, side, &x->path, g);
    for (uint32_t i = 0; i < c->n_extras && !found; i++)
        if (c->extras[i].violation == UINT32_MAX && !c->extras[i].stuck &&
            strcmp(c->extras[i].text, text) == 0)
            found = &c->extras[i];
    free(text);
    return found;
}

/* The extra that a blocked execution is a witness of. */
static struct check_extra *stuck_extra(struct check *c, const struct graph *g)
{
    for (uint32_t i = 0; i < c->n_extras; i++)
        if (c->extras[i].stuck && check_is_stuck(c->target, g, true))
            return &c->extras[i];
    return NULL;
}

/* Keeps the first execution of each extra outcome, one without load buffering
 * if there is any; goes on while that is open for some, or violations of the
 * first time have not come back. */
static bool keep_witness(void *self, const struct graph *g, bool blocked)
{
    struct check *c = self;
    struct explore *x = &c->target->explore;
    struct check_extra *e = blocked ? stuck_extra(c, g) : extra_of(c, x, g);
    bool cyclic = e && e->cyclic && compare_is_cyclic(g, c->by_co);
    if (e && e->cyclic && (e->kept == UINT32_MAX || !cyclic)) {
        e->cyclic = cyclic;
        if (e->kept == UINT32_MAX)
            e->kept = x->n_kept;
        explore_keep(x, e->kept, g);
    }
    for (uint32_t i = 0; i < c->n_extras; i++)
        if (c->extras[i].cyclic)
            return true;
    return x->n_violations < c->n_violations;
}

/* The second pass was cut short as soon as it had the witnesses: what reports
 * say of the exploration is that of the first. */
static void keep_results(struct explore *x, const struct explore *first)
{
    x->executions = first->executions;
    x->blocked = first->blocked;
    x->seconds += first->seconds;
    x->gap = first->gap;
    x->gap_reason = first->gap_reason;
    memcpy(x->gap_text, first->gap_text, sizeof x->gap_text);
}

/* Explores the target again, for an execution of each extra outcome. */
static bool find_witnesses(struct check *c, struct err *err)
{
    struct check_side *t = c->target;
    bool outcomes = false;
    for (uint32_t i = 0; i < c->n_extras; i++)
        outcomes |= c->extras[i].violation == UINT32_MAX;
    if (!outcomes)
        return true;
    /* What was found stays in c: texts of extras, sets of outcomes. */
    struct explore first = t->explore;
    c->n_violations = first.n_violations;
    const struct runtime *runtime = subject_runtime(&t->subject);
    if (runtime->restart)
        runtime->restart(runtime->self);
    struct pass r = {
        .check = c,
        .explore = &t->explore,
        .subject = &t->subject,
        .function = t->function,
        .model = &t->model,
        .runtime = runtime,
        .look = keep_witness,
        .self = c,
    };
    bool done = make_pass(&r, err);
    /* Cut short, it may not have come to an execution without a cycle. */
    bool halted = !r.enough && halt_reason() != HALT_NONE;
    for (uint32_t i = 0; i < c->n_extras; i++) {
        struct check_extra *e = &c->extras[i];
        e->may_buffer = halted && e->cyclic && !t->model.acyclic_cause;
        e->cyclic &= t->explore.gap == GAP_NONE || r.enough;
    }
    model_fit_warn(&t->explore, t->subject.isa);
    keep_results(&t->explore, &first);
    explore_release(&first);
    return done;
}

/* ---- load buffering */

struct buffering {
    struct check *check;
    struct explore explore;
};

static bool mark_buffering(void *self, const struct graph *g, bool blocked)
{
    struct buffering *b = self;
    struct check *c = b->check;
    struct check_extra *e = blocked ? NULL : extra_of(c, &b->explore, g);
    if (e && e->cyclic)
        e->buffering = true;
    for (uint32_t i = 0; i < c->n_extras; i++)
        if (c->extras[i].cyclic && !c->extras[i].buffering)
            return true;
    return false;
}

/* The source's model without its axioms against load buffering. False: it has
 * none, so that nothing is buffering. */
static bool load_loose(struct check *c, struct model *m)
{
    struct err ignored;
    char name[400];
    if (!c->source->model.acyclic_cause)
        return c->load(m, c->source_model, &ignored);
    snprintf(name, sizeof name, "%s~" NO_THIN_AIR "~" CORW, c->source_model);
    c->by_co = c->load(m, name, &ignored);
    name[strlen(name) - strlen("~" CORW)] = '\0';
    return c->by_co || c->load(m, name, &ignored);
}

/* Which of the extra outcomes would the source allow, were it not for its
 * axioms against load buffering? The source is explored without them, as if no
 * write depended on a read; where one does, the engine notices and drops the
 * execution. So what is found is allowed, and what is not found stays a
 * miscompilation. */
static bool find_buffering(struct check *c, const struct model *model,
                           struct err *err)
{
    struct check_side *s = c->source;
    struct runtime loose = *subject_runtime(&s->subject);
    struct buffering b = {.check = c};
    bool any = false;
    for (uint32_t i = 0; i < c->n_extras; i++)
        any |= c->extras[i].cyclic && !c->extras[i].stuck;
    if (!any)
        return true;
    loose.gives_deps = true;
    if (loose.restart)
        loose.restart(loose.self);
    struct pass r = {
        .check = c,
        .explore = &b.explore,
        .subject = &s->subject,
        .function = s->function,
        .model = model,
        .runtime = &loose,
        .look = mark_buffering,
        .self = &b,
    };
    bool done = make_pass(&r, err);
    explore_release(&b.explore);
    bool halted = !r.enough && halt_reason() != HALT_NONE;
    for (uint32_t i = 0; i < c->n_extras; i++) {
        struct check_extra *e = &c->extras[i];
        c->n_buffering += e->buffering;
        e->may_buffer |= halted && e->cyclic && !e->buffering;
    }
    return done;
}

static int buffering_last(const void *a, const void *b)
{
    const struct check_extra *x = a, *y = b;
    if (x->buffering != y->buffering)
        return x->buffering - y->buffering;
    return strverscmp(x->text, y->text);
}

/* Finds a witness of each extra outcome, and which of them are buffering. */
static bool classify_extras(struct check *c, struct err *err)
{
    struct model loose = {0};
    bool has_loose = load_loose(c, &loose);
    loose.has_flags = false;
    bool ok = find_witnesses(c, err) &&
              (!has_loose || find_buffering(c, &loose, err));
    if (has_loose)
        loose.release(&loose);
    bool counts = !has_loose || strcmp(c->options->lb, "error") == 0;
    for (uint32_t i = 0; i < c->n_extras; i++)
        c->extras[i].may_buffer &= !counts;
    qsort(c->extras, c->n_extras, sizeof *c->extras, buffering_last);
    return ok;
}

/* ---- the verdict */

static bool is_gap(const struct explore *x)
{
    return x->gap != GAP_NONE;
}

/* Is the source not known in full? What its model leaves out of cycles in
 * po | rf is no gap: what that misses can only make an outcome extra, never
 * allowed. */
static bool is_source_gap(const struct check *c)
{
    const struct explore *x = &c->source->explore;
    return is_gap(x) && (c->source->model.acyclic_cause ||
                         !gap_is_unexplored(x->gap_reason));
}

static void inconclusive(struct check *c, const struct explore *x,
                         const char *side)
{
    c->verdict = CHECK_INCONCLUSIVE;
    c->gap = x->gap;
    snprintf(c->reason, sizeof c->reason, "%s: %s", side, x->gap_text);
}

static const struct violation *undefined(const struct explore *x)
{
    for (uint32_t i = 0; i < x->n_violations; i++)
        if (compare_is_undefined(&x->violations[i]))
            return &x->violations[i];
    return NULL;
}

static const char *plural(uint32_t n)
{
    return n == 1 ? "" : "s";
}

/* Is there anything that could have differed? */
static bool compares_something(const struct check *c)
{
    const struct compare_set *s = &c->outcomes[0];
    return c->source->subject.source.image.can_fail || s->n > 1 ||
           (s->n == 1 && s->list[0].text[0]);
}

/* Is there anything to compare? Else *c says what is missing. */
static bool has_outcomes(struct check *c)
{
    const char *why = NULL;
    if (c->outcomes[0].n == 0)
        why = "no execution of the source comes to its end";
    else if (c->outcomes[1].n == 0)
        why = "no execution of the machine code comes to its end";
    else if (!compares_something(c))
        why = "the program changes no variable, observes and prints nothing, "
              "and has no assertion";
    if (!why)
        return true;
    c->verdict = CHECK_INCONCLUSIVE;
    c->gap = GAP_NOTHING;
    snprintf(c->reason, sizeof c->reason, "there is nothing to compare: %s%s%s",
             why, c->compare.missing[0] ? "; not in the machine code: " : "",
             c->compare.missing);
    return false;
}

/* How many outcomes are wrong; counts those of which that is not known. */
static uint32_t count_bad(struct check *c)
{
    bool error = strcmp(c->options->lb, "error") == 0;
    uint32_t bad = 0;
    c->n_undecided = 0;
    for (uint32_t i = 0; i < c->n_extras; i++) {
        const struct check_extra *e = &c->extras[i];
        if (e->allowed || (e->buffering && !error))
            continue;
        if (e->open || e->may_buffer)
            c->n_undecided++;
        else
            bad++;
    }
    return bad;
}

static void judge(struct check *c)
{
    const struct explore *source = &c->source->explore;
    const struct explore *target = &c->target->explore;
    uint32_t bad = count_bad(c);
    /* What it leaves unexplored is no gap as long as no outcome is extra. */
    bool source_gap = is_source_gap(c);
    if (bad && check_differs_unsurely(c)) {
        c->verdict = CHECK_INCONCLUSIVE;
        c->gap = GAP_UNMODELLED;
        snprintf(c->reason, sizeof c->reason, "outcomes differ only by %s",
                 c->source->subject.source.image.has_addresses
                     ? "integers that are made of addresses"
                     : "pointers to what the machine code has no name or "
                       "line of");
    } else if (bad == 1 && c->extras[0].stuck) {
        c->verdict = CHECK_MISCOMPILED;
        snprintf(c->reason, sizeof c->reason,
                 "termination: in the machine code %s, and in no execution of "
                 "the source does a thread",
                 c->extras[0].text);
    } else if (bad) {
        c->verdict = CHECK_MISCOMPILED;
        snprintf(c->reason, sizeof c->reason,
                 "the machine code allows %u outcome%s that the source forbids",
                 bad, plural(bad));
    } else if (!c->n_undecided && target->executions == 0 &&
               source->executions > 0 && !is_gap(target) &&
               target->n_violations == 0 && !c->target->assumes) {
        c->verdict = CHECK_MISCOMPILED;
        snprintf(c->reason, sizeof c->reason,
                 "no execution of the machine code comes to its end");
    } else if (source_gap &&
               (c->n_undecided || !gap_is_unexplored(source->gap_reason)))
        inconclusive(c, source, "the source is not known in full");
    else if (c->n_undecided) {
        char text[100];
        halt_print(text, sizeof text);
        check_stop(c, text);
        snprintf(c->reason, sizeof c->reason,
                 "of %u outcome%s that the source does not have it is not "
                 "known whether that is load buffering alone: %s",
                 c->n_undecided, plural(c->n_undecided), text);
    } else if (is_gap(target))
        inconclusive(c, target, "the machine code is not known in full");
    else if (c->outcomes[0].cut || c->outcomes[1].cut) {
        c->verdict = CHECK_INCONCLUSIVE;
        c->gap = GAP_BOUNDED;
        snprintf(c->reason, sizeof c->reason, "more than %u outcomes",
                 OUTCOMES_MAX);
    } else if (has_outcomes(c)) {
        c->verdict = CHECK_SOUND;
        snprintf(c->reason, sizeof c->reason,
                 "all %u outcome%s of the machine code %s allowed by the source"
                 "%s",
                 c->outcomes[1].n, plural(c->outcomes[1].n),
                 c->outcomes[1].n == 1 ? "is" : "are",
                 c->n_buffering ? ", but for load buffering" : "");
    }
}

/* The first few outcomes that are wrong get a reason. */
static bool find_reasons(struct check *c, struct err *err)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < c->n_extras && n < CHECK_EXPLAINED; i++) {
        struct check_extra *e = &c->extras[i];
        if (c->verdict != CHECK_MISCOMPILED || e->kept == UINT32_MAX ||
            e->open || e->allowed || e->stuck)
            continue;
        if (halt_reason() == HALT_NONE)
            e->why = check_why_new(c, e, err);
        if (!e->why)
            return halt_reason() != HALT_NONE;
        n++;
    }
    return true;
}

static bool compare_sides(struct check *c, struct err *err)
{
    struct check_side *s = c->source, *t = c->target;
    compare_init(&c->compare, &s->subject, &s->explore, &t->subject,
                 &t->explore);
    compare_set_init(&c->outcomes[0], &c->compare, COMPARE_SOURCE, &s->explore);
    compare_set_init(&c->outcomes[1], &c->compare, COMPARE_MACHINE,
                     &t->explore);
    find_extras(c);
    bool open = is_source_gap(c) && c->n_extras;
    if (open && !check_refute(c, &open, err))
        return false;
    if (!find_waiting(c, err))
        return false;
    /* Else nothing is known to be wrong. */
    if (c->n_extras && !open && !classify_extras(c, err))
        return false;
    judge(c);
    return find_reasons(c, err);
}

static void forget_comparison(struct check *c)
{
    compare_release(&c->compare);
    compare_set_release(&c->outcomes[0]);
    compare_set_release(&c->outcomes[1]);
    for (uint32_t i = 0; i < c->n_extras; i++) {
        free(c->extras[i].text);
        check_why_free(c->extras[i].why);
    }
    free(c->extras);
    c->extras = NULL;
    c->n_extras = c->n_buffering = c->n_undecided = c->n_violations = 0;
}

void check_stop(struct check *c, const char *what)
{
    struct check_side *s = c->source;
    c->verdict = CHECK_INCONCLUSIVE;
    c->gap = halt_reason() == HALT_TIMEOUT ? GAP_TIMEOUT : GAP_INTERRUPTED;
    snprintf(c->reason, sizeof c->reason, "%s", what);
    if (s->explored)
        return;
    /* For reports: nothing was found. */
    static const struct runtime none;
    struct explore_options options = {0};
    explore_init(&s->explore, &options, &s->model, &s->subject.program, &none);
    s->explored = true;
    s->explore.verdict = VERDICT_GAP;
    s->explore.gap = c->gap;
    snprintf(s->explore.gap_text, sizeof s->explore.gap_text, "%s", what);
}

static bool check_machine(struct check *c, bool keeps_statics, struct err *err)
{
    if (!prepare(c->target, c, c->isa, keeps_statics, err) ||
        !explore_side(c->target, c, err) || !compare_sides(c, err)) {
        if (err->kind != ERR_STOPPED)
            return false;
        check_stop(c, err->text);
        err->kind = ERR_NONE;
        return true;
    }
    c->seconds += c->target->explore.seconds;
    return true;
}

/* Nothing is wrong with what can be seen, but there is more: variables whose
 * values the compiler does not keep. Or what is wrong are static variables
 * alone: nobody reads them any more, so that the last stores may be missing.
 * What others compiled is as it is. */
static bool is_more_to_see(struct check *c)
{
    if (c->options->object.n || c->options->assembly.n || !c->compare.missing)
        return false;
    if (c->verdict == CHECK_MISCOMPILED && check_differs_by_statics(c)) {
        compare_note_statics(&c->compare);
        return true;
    }
    return c->compare.missing[0] && strcmp(c->options->observe, "all") == 0 &&
           (c->verdict == CHECK_SOUND ||
            (c->verdict == CHECK_INCONCLUSIVE && c->gap == GAP_NOTHING));
}

bool check_decide(struct check *c, struct err *err)
{
    const struct explore *source = &c->source->explore;
    const struct violation *bad = undefined(source);
    if (bad) {
        char text[900];
        compare_violation(source, bad, text, sizeof text);
        c->verdict = CHECK_UNDEFINED;
        snprintf(c->reason, sizeof c->reason,
                 "the source itself has undefined behaviour: %.500s", text);
        return true;
    }
    if (halt_reason() != HALT_NONE) {
        check_stop(c, source->gap_text);
        if (is_gap(source))
            inconclusive(c, source, "the source is not known in full");
        return true;
    }
    if (!check_machine(c, false, err))
        return false;
    if (!is_more_to_see(c))
        return true;
    c->kept = c->compare.missing;
    c->compare.missing = NULL;
    forget_comparison(c);
    if (!c->target->kept) {
        c->target->kept = mem_resize(NULL, sizeof *c->target->kept);
        memset(c->target->kept, 0, sizeof *c->target->kept);
    }
    c->target = c->target->kept;
    return check_machine(c, true, err);
}

void check_release(struct check *c)
{
    forget_comparison(c);
    free(c->kept);
}
