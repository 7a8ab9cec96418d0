#include "models/cat/cat_model.h"

#include "core/mem.h"
#include "models/cat/plan/cat_ignore.h"
#include "models/cat/reference/cat_eval.h"
#include "models/cat/run/cat_checker.h"
#include "models/cat/run/cat_final.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Whether fences with these tags are ignored. */
struct fence_kind {
    uint64_t tags;
    bool ignored;
};

struct cat_model {
    struct cat_code code;
    struct cat_plan plan;
    char *name;
};

struct model_instance {
    const struct cat_model *model;
    struct cat_checker checker;
    struct fence_kind *fences; /* those asked for so far: a handful */
    uint32_t n_fences, fences_cap;
};

/* The first of these checks that is not as it should be (an axiom fails, a
 * flag is raised), by the full evaluator; NULL: none. */
static const struct cat_check *evaluate(const struct cat_code *code,
                                        const struct graph *g,
                                        const uint32_t *checks, uint32_t n,
                                        struct broken *why)
{
    cat_id *roots = mem_resize(NULL, n * sizeof *roots);
    for (uint32_t i = 0; i < n; i++)
        roots[i] = code->checks[checks[i]].node;
    struct cat_eval ev;
    cat_eval_init(&ev, code, g, roots, n);
    const struct cat_check *found = NULL;
    for (uint32_t i = 0; i < n && !found; i++) {
        const struct cat_check *c = &code->checks[checks[i]];
        if (cat_eval_check(&ev, c) != (c->role == CHECK_AXIOM))
            found = c;
    }
    if (found && why)
        cat_explain(&ev, found, why);
    cat_eval_release(&ev);
    free(roots);
    return found;
}

static void enter(struct model_instance *in, struct graph *g, event_id e)
{
    cat_checker_enter(&in->checker, g, e);
}

static void settle(struct model_instance *in, const struct graph *g)
{
    cat_checker_settle(&in->checker, g);
}

static bool check(struct model_instance *in, const struct graph *g, event_id e)
{
    const struct cat_model *self = in->model;
    const struct cat_plan *plan = &self->plan;
    if (!cat_checker_check(&in->checker, g, e))
        return false;
    for (uint32_t i = 0; i < plan->n_slow; i++)
        if (cat_has_required(g, plan->required[i], g->words) &&
            evaluate(&self->code, g, plan->slow + i, 1, NULL))
            return false;
    return true;
}

static bool refuses_earlier(struct model_instance *in, const struct graph *g,
                            event_id e)
{
    return cat_checker_refuses_earlier(&in->checker, g, e);
}

static bool ignores(struct model_instance *in, uint64_t tags)
{
    for (uint32_t i = 0; i < in->n_fences; i++)
        if (in->fences[i].tags == tags)
            return in->fences[i].ignored;
    struct fence_kind kind = {tags, cat_ignores(&in->model->code, tags)};
    in->fences =
        mem_room(in->fences, in->n_fences, &in->fences_cap, sizeof *in->fences);
    in->fences[in->n_fences++] = kind;
    return kind.ignored;
}

static bool flagged(struct model_instance *in, const struct graph *g,
                    event_id e, struct broken *why)
{
    const struct cat_model *self = in->model;
    const struct cat_plan *plan = &self->plan;
    event_id other;
    const struct cat_pairs *found =
        cat_checker_flagged(&in->checker, g, e, &other);
    if (!found)
        return plan->n_slow_flags > 0 &&
               evaluate(&self->code, g, plan->slow_flags, plan->n_slow_flags,
                        why);
    const struct cat_check *c = &self->code.checks[found->check];
    *why = (struct broken){.axiom = c->name,
                           .kind = "flag",
                           .n = 2,
                           .cycle = {other, e},
                           .unexplored = c->role == CHECK_UNEXPLORED};
    const char *edge = self->code.nodes[c->node].name;
    snprintf(why->edge[0], sizeof why->edge[0], "%s", edge ? edge : c->name);
    return true;
}

static bool final(struct model_instance *in, const struct graph *g)
{
    const struct cat_model *self = in->model;
    const struct cat_plan *plan = &self->plan;
    return cat_final_holds(&in->checker, g) &&
           (plan->n_final == 0 ||
            !evaluate(&self->code, g, plan->final, plan->n_final, NULL));
}

static bool judge(const struct model *m, const struct graph *g,
                  struct broken *why)
{
    const struct cat_model *self = m->self;
    const struct cat_code *code = &self->code;
    uint32_t *axioms = mem_resize(NULL, code->n_checks * sizeof *axioms);
    uint32_t n = 0;
    for (uint32_t i = 0; i < code->n_checks; i++)
        if (code->checks[i].role == CHECK_AXIOM)
            axioms[n++] = i;
    bool ok = !evaluate(code, g, axioms, n, why);
    free(axioms);
    return ok;
}

static bool mentions(const struct model *m, uint64_t tags)
{
    const struct cat_model *self = m->self;
    const struct cat_code *code = &self->code;
    for (uint32_t i = 0; i < code->n_checks; i++)
        if (code->checks[i].role == CHECK_AXIOM &&
            cat_mentions(code, code->checks[i].node, tags))
            return true;
    return false;
}

static bool has_axioms(const struct cat_code *code)
{
    for (uint32_t i = 0; i < code->n_checks; i++)
        if (code->checks[i].role == CHECK_AXIOM)
            return true;
    return false;
}

static uint32_t count_broken(const struct model *m, const struct graph *g)
{
    const struct cat_model *self = m->self;
    const struct cat_code *code = &self->code;
    uint32_t n = 0;
    for (uint32_t i = 0; i < code->n_checks; i++)
        if (code->checks[i].role == CHECK_AXIOM)
            n += evaluate(code, g, &i, 1, NULL) != NULL;
    return n;
}

static void causes(const struct model *m, const struct graph *g, uint64_t *rows)
{
    const struct cat_model *self = m->self;
    cat_id corder = self->code.corder;
    struct cat_eval ev;
    cat_eval_init(&ev, &self->code, g, &corder, 1);
    for (uint32_t j = 0; j < ev.n_live; j++)
        for (uint32_t i = 0; i < ev.n_live; i++)
            if (cat_eval_has(&ev, corder, i, j))
                row_add(rows + (size_t)ev.events[j] * g->words, ev.events[i]);
    cat_eval_release(&ev);
}

static struct model_instance *instantiate(const struct model *m)
{
    const struct cat_model *self = m->self;
    struct model_instance *in = mem_resize(NULL, sizeof *in);
    *in = (struct model_instance){.model = self};
    cat_checker_init(&in->checker, &self->plan);
    return in;
}

static void dismiss(struct model_instance *in)
{
    cat_checker_release(&in->checker);
    free(in->fences);
    free(in);
}

static void release(struct model *m)
{
    struct cat_model *self = m->self;
    cat_plan_release(&self->plan);
    cat_code_release(&self->code);
    free(self->name);
    free(self);
    *m = (struct model){0};
}

/* --- load buffering ----------------------------------------------------- */

/* The marks of a thread's read, and of the write behind it. */
struct accesses {
    uint64_t read, write;
};

/* Each of n threads reads its own location and then writes the next one's,
 * which the next thread reads: a cycle of po and rf. */
static bool allows_cycle(const struct model *m, uint32_t n,
                         const struct accesses *threads, bool one_location)
{
    struct graph g;
    event_id reads[3], writes[3];
    graph_init(&g, m->n_rows);
    for (uint32_t t = 0; t < n; t++) {
        struct label r = {.kind = LABEL_READ,
                          .size = 4,
                          .tags = threads[t].read | TAG_BIT(TAG_R),
                          .loc = one_location ? 0 : t};
        struct label w = {.kind = LABEL_WRITE,
                          .size = 4,
                          .tags = threads[t].write | TAG_BIT(TAG_W),
                          .loc = one_location ? 0 : (t + 1) % n,
                          .value = t + 1};
        graph_start_thread(&g, t, 0, EVENT_NONE);
        reads[t] = graph_add(&g, t, &r);
        writes[t] = graph_add(&g, t, &w);
    }
    for (uint32_t t = 0; t < n; t++) {
        graph_set_rf(&g, reads[(t + 1) % n], writes[t], 0);
        graph_insert_co(&g, writes[t],
                        one_location && t ? writes[t - 1] : EVENT_INIT);
    }
    bool allowed = m->judge(m, &g, NULL);
    graph_release(&g);
    return allowed;
}

/* Does the model forbid all cycles of po and rf? If no axiom says so, small
 * ones are tried: of two threads with all kinds of accesses in any mixture, of
 * three that are alike. Those of machine code have no marks of C. */
static bool forbids_cycles(const struct model *m)
{
    static const uint64_t reads[] = {TAG_BIT(TAG_NA),
                                     TAG_BIT(TAG_RLX) | TAG_BIT(TAG_ATOMIC),
                                     TAG_BIT(TAG_ACQ) | TAG_BIT(TAG_ATOMIC),
                                     TAG_BIT(TAG_SC) | TAG_BIT(TAG_ATOMIC), 0};
    static const uint64_t writes[] = {TAG_BIT(TAG_NA),
                                      TAG_BIT(TAG_RLX) | TAG_BIT(TAG_ATOMIC),
                                      TAG_BIT(TAG_REL) | TAG_BIT(TAG_ATOMIC),
                                      TAG_BIT(TAG_SC) | TAG_BIT(TAG_ATOMIC), 0};
    enum { KINDS = sizeof reads / sizeof *reads, PAIRS = KINDS * KINDS };
    for (unsigned i = 0; i < PAIRS; i++)
        for (unsigned j = i; j < PAIRS; j++) {
            struct accesses a = {reads[i / KINDS], writes[i % KINDS]};
            struct accesses b = {reads[j / KINDS], writes[j % KINDS]};
            struct accesses threads[] = {a, b, a};
            for (int one = 0; one < 2; one++)
                if (allows_cycle(m, 2, threads, one) ||
                    (i == j && allows_cycle(m, 3, threads, one)))
                    return false;
        }
    return true;
}

static void fill_port(struct model *m, struct cat_model *self)
{
    const struct cat_plan *plan = &self->plan;
    *m = (struct model){
        .name = self->name,
        .title = self->code.title,
        .n_rows = plan->n_rows + plan->remembers, /* one for the state */
        .hb_row = plan->hb_row,
        .coherence_row = plan->coherence_row,
        .cause_row = plan->cause_row,
        .stale_tags = plan->stale_tags,
        .atomic_rmw = plan->atomic_rmw,
        .needs_deps = self->code.needs_deps,
        .orders_picks = self->code.orders_picks,
        .tells_failures = self->code.corder != CAT_NONE &&
                          cat_mentions(&self->code, self->code.corder,
                                       TAG_BIT(TAG_FAILED) | TAG_BIT(TAG_SWAP)),
        .within_sc = plan->within_sc && plan->n_slow == 0,
        .has_axioms = has_axioms(&self->code),
        .has_flags = plan->n_flags + plan->n_slow_flags > 0,
        .has_final = plan->n_final + plan->n_finals > 0,
        .self = self,
        .instantiate = instantiate,
        .dismiss = dismiss,
        .enter = enter,
        .settle = settle,
        .check = check,
        .refuses_earlier = refuses_earlier,
        .mentions = mentions,
        .flagged = flagged,
        .final = final,
        .causes = self->code.corder == CAT_NONE || plan->cause_row >= 0
                      ? NULL
                      : causes,
        .judge = judge,
        .count_broken = count_broken,
        .release = release,
    };
}

void cat_model_init(struct model *m, const char *name, struct cat_code *code)
{
    struct cat_model *self = mem_resize(NULL, sizeof *self);
    size_t bytes = strlen(name) + 1;
    self->code = *code;
    *code = (struct cat_code){0};
    self->name = memcpy(mem_resize(NULL, bytes), name, bytes);
    cat_plan_init(&self->plan, &self->code, true, false);
    fill_port(m, self);
    m->acyclic_cause = self->plan.acyclic_cause || forbids_cycles(m);
    if (!m->acyclic_cause) { /* the explorer adds events out of order, then */
        bool coherent = self->plan.coherence_row >= 0;
        cat_plan_release(&self->plan);
        cat_plan_init(&self->plan, &self->code, false, coherent);
        fill_port(m, self);
    }
    if (m->acyclic_cause)
        m->ignores = ignores;
}
