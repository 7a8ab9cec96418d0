#include "frontend/explain_command.h"

#include "core/mem.h"
#include "frontend/cli.h"
#include "frontend/explain_text.h"
#include "frontend/litmus_run.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define LIST_MAX 20 /* outcomes, or names, in a message */

bool explain_is_litmus(const struct options *o)
{
    const char *dot = strrchr(o->operands[0], '.');
    return dot && strcmp(dot, ".litmus") == 0;
}

static int complain(struct explain_command *c, const struct err *err)
{
    fprintf(c->talk, "hwcheck: %s\n", err->text);
    return err->kind == ERR_INTERNAL ? EXIT_INTERNAL : EXIT_USAGE;
}

static bool draw(const struct explain_command *c,
                 const struct explain_report *r, struct err *err)
{
    const char *path = c->options->dot;
    if (!r->e->has_graph) {
        fprintf(c->talk, "hwcheck: no execution to draw into '%s'\n", path);
        return true;
    }
    FILE *out = fopen(path, "w");
    if (out)
        explain_dot_print(r, out);
    bool bad = !out || ferror(out);
    if ((out && fclose(out) != 0) || bad)
        return err_set(err, ERR_SYSTEM, "cannot write '%s': %s", path,
                       strerror(errno));
    return true;
}

/* All reports of a finished explanation. */
static int report(struct explain_command *c, const struct explanation *e,
                  const struct model *model, const char *outcome,
                  struct err *err)
{
    struct explain_report r = {.program = c->options->operands[0],
                               .outcome = outcome,
                               .e = e,
                               .model = model,
                               .color = c->color};
    if (c->out)
        explain_text_print(&r, c->out);
    if (c->options->json)
        c->json = explain_json_new(&r);
    if (c->options->dot && !draw(c, &r, err))
        return EXIT_USAGE;
    return e->answer == EXPLAIN_OPEN ? EXIT_INCONCLUSIVE : EXIT_SOUND;
}

static struct explain_query make_query(const struct explain_command *c,
                                       struct subject *subject,
                                       const struct model *model)
{
    const struct options *o = c->options;
    return (struct explain_query){
        .subject = subject,
        .function = subject->main,
        .model = model,
        .load = c->load,
        .max_executions = o->max_executions,
        .timeout_s = o->timeout,
        .max_events =
            (uint32_t)(o->max_events < UINT32_MAX ? o->max_events : UINT32_MAX),
        .stop = c->stop,
    };
}

/* ---- litmus tests */

/* Of `forall P` it is the question whether P can fail. */
static bool has_condition(void *self, const struct graph *g,
                          const struct path *path)
{
    const struct litmus_ready *ready = self;
    const struct litmus_test *t = ready->test;
    return (t->filter == LITMUS_NONE ||
            litmus_case_holds(ready->its_case, t->filter, g, path)) &&
           litmus_case_holds(ready->its_case, t->condition, g, path) !=
               (t->quantifier == LITMUS_FORALL);
}

/* To be freed. */
static char *condition_text(const struct litmus_test *t)
{
    char *text = NULL;
    size_t bytes;
    FILE *out = open_memstream(&text, &bytes);
    if (!out)
        return NULL;
    if (t->quantifier == LITMUS_FORALL)
        fputs("not (", out);
    litmus_print_outcome(t, out);
    if (t->quantifier == LITMUS_FORALL)
        fputc(')', out);
    fclose(out);
    return text;
}

static int visit(void *self, const struct litmus_ready *ready, struct err *err)
{
    struct explain_command *c = self;
    struct explain_query q = make_query(c, ready->subject, ready->model);
    struct litmus_ready asked = *ready;
    struct explanation e;
    int code = EXIT_USAGE;
    q.function = ready->function;
    q.argument = ready->argument;
    q.has_outcome = has_condition;
    q.self = &asked;
    if (explain_find(&e, &q, err)) {
        char *outcome = condition_text(ready->test);
        litmus_case_show_names(ready->its_case, true);
        code = report(c, &e, ready->model, outcome ? outcome : "", err);
        litmus_case_show_names(ready->its_case, false);
        free(outcome);
    }
    explain_release(&e);
    return code;
}

int explain_litmus(struct explain_command *c)
{
    struct litmus_visitor visitor = {visit, c};
    return litmus_visit(c->options, c->load, c->stop, &visitor, c->talk);
}

/* ---- C programs */

/* The condition of --outcome on the names that reports have. */
struct asked {
    struct litmus_test test;
    struct program *program;
    struct litmus_value *values; /* one a term */
    bool *seen;                  /* a term: there is such a name */
    loc_id *locs;                /* a term: where it was found last */
    bool is_ambiguous;           /* a name was observed more than once */
    uint32_t ambiguous;          /* its term */
};

static const char *term_name(const struct asked *a, uint32_t term)
{
    return a->test.locations[a->test.terms[term].location].name;
}

static bool is_named(const struct asked *a, loc_id loc, const char *name)
{
    char text[256];
    if (loc >= a->program->locations.n ||
        a->program->locations.items[loc].kind != LOC_STATIC)
        return false;
    program_print_location(a->program, loc, text, sizeof text);
    return strcmp(text, name) == 0;
}

/* A value as the condition can name it. */
static struct litmus_value value_of(const struct asked *a, uint64_t value,
                                    unsigned size)
{
    char text[256];
    uint32_t location = LITMUS_NONE;
    int64_t number;
    value_text(a->program, value, size, text, sizeof text);
    if (text[0] == '&')
        location = litmus_find_location(&a->test, text + 1, strlen(text + 1));
    /* Two halves are no number: one that none is taken for. */
    if (!value_number(a->program, value, size, &number))
        number = INT64_MIN;
    return (struct litmus_value){location,
                                 location == LITMUS_NONE ? number : 0};
}

static bool find_location(struct asked *a, uint32_t term, const struct graph *g)
{
    const char *name = term_name(a, term);
    loc_id loc = a->locs[term];
    if (!is_named(a, loc, name)) {
        loc = 0;
        while (loc < a->program->locations.n && !is_named(a, loc, name))
            loc++;
        if (loc == a->program->locations.n)
            return false;
        a->locs[term] = loc;
    }
    const struct location *l = &a->program->locations.items[loc];
    event_id last = loc < g->n_locs ? g->locs[loc].co_last : EVENT_NONE;
    a->values[term] = value_of(
        a, last == EVENT_NONE ? l->init : g->events[last].value, l->size);
    return true;
}

/* What the program observed under the term's name. */
static bool find_observation(struct asked *a, uint32_t term,
                             const struct outcomes *o)
{
    bool found = false;
    for (uint32_t i = 0; i < o->list[0].n; i++) {
        const struct outcome_item *item = &o->items[o->list[0].first + i];
        if (item->is_location ||
            strcmp(a->program->texts[item->name], term_name(a, term)) != 0)
            continue;
        if (found) {
            a->is_ambiguous = true;
            a->ambiguous = term;
        }
        found = true;
        a->values[term] = value_of(a, item->value, item->size);
    }
    return found;
}

/* A condition on something that an execution does not observe is false. */
static bool has_names(void *self, const struct graph *g,
                      const struct path *path)
{
    struct asked *a = self;
    struct outcomes outcomes;
    bool all = true;
    outcomes_init(&outcomes);
    outcomes_add(&outcomes, g, path, a->program);
    for (uint32_t i = 0; i < a->test.n_terms; i++) {
        bool found =
            find_observation(a, i, &outcomes) || find_location(a, i, g);
        a->seen[i] |= found;
        all &= found;
    }
    outcomes_release(&outcomes);
    return all && litmus_holds(&a->test, a->test.condition, a->values);
}

static void start_asking(struct asked *a, struct program *program)
{
    uint32_t n = a->test.n_terms + 1;
    a->program = program;
    a->values = mem_resize(NULL, n * sizeof *a->values);
    a->seen = memset(mem_resize(NULL, n), 0, n);
    a->locs = memset(mem_resize(NULL, n * sizeof *a->locs), 0xff,
                     n * sizeof *a->locs);
}

static void add_name(struct err *err, uint32_t *n, const char *name)
{
    size_t used = strlen(err->text);
    if (++*n <= LIST_MAX)
        snprintf(err->text + used, sizeof err->text - used, "%s%s",
                 *n == 1 ? " " : ", ", name);
}

/* Of the names that were never seen the first one is reported, with those that
 * there are. */
static bool check_names(const struct asked *a, const struct explore *x,
                        struct err *err)
{
    const struct outcomes *o = &x->outcomes;
    uint32_t term = 0, n = 0;
    char text[256];
    if (a->is_ambiguous)
        return err_set(err, ERR_INPUT,
                       "--outcome: '%s' is observed more than once",
                       term_name(a, a->ambiguous));
    while (term < a->test.n_terms && a->seen[term])
        term++;
    if (term == a->test.n_terms)
        return true;
    err_set(err, ERR_INPUT,
            "--outcome:%u:%u: nothing is called '%.100s'; there are",
            a->test.terms[term].place.line, a->test.terms[term].place.column,
            term_name(a, term));
    for (uint32_t i = 0; o->n && i < o->list[0].n; i++)
        if (!o->items[o->list[0].first + i].is_location)
            add_name(err, &n,
                     x->program->texts[o->items[o->list[0].first + i].name]);
    for (loc_id l = 0; l < x->program->locations.n; l++) {
        if (x->program->locations.items[l].kind != LOC_STATIC)
            continue;
        program_print_location(x->program, l, text, sizeof text);
        add_name(err, &n, text);
    }
    return false;
}

static int explain_names(struct explain_command *c, struct asked *a,
                         struct subject *subject, const struct model *model,
                         struct err *err)
{
    struct explain_query q = make_query(c, subject, model);
    struct explanation e;
    q.has_outcome = has_names;
    q.self = a;
    start_asking(a, &subject->program);
    int code = EXIT_USAGE;
    if (explain_find(&e, &q, err) && check_names(a, &e.x, err))
        code = report(c, &e, model, c->options->outcome, err);
    explain_release(&e);
    free(a->values);
    free(a->seen);
    free(a->locs);
    return code;
}

/* "\n  --outcome='x=1 /\ seen=0'" at the end of the message. */
static void add_outcome(struct err *err, const struct outcomes *o, uint32_t i,
                        const struct program *p)
{
    const struct outcome *outcome = &o->list[i];
    size_t used = strlen(err->text), cap = sizeof err->text;
    for (uint32_t k = 0; k < outcome->n && used < cap; k++) {
        const struct outcome_item *item = &o->items[outcome->first + k];
        char value[100];
        value_text(p, item->value, item->size, value, sizeof value);
        used += (size_t)snprintf(err->text + used, cap - used, "%s%s=%s",
                                 k ? " /\\ " : "\n  --outcome='",
                                 p->texts[item->name], value);
    }
    if (outcome->n && used + 2 < cap)
        snprintf(err->text + used, cap - used, "'");
}

/* No outcome was given: says which there are. */
static void list_outcomes(struct explain_command *c, struct subject *subject,
                          const struct model *model, struct err *err)
{
    struct explain_query q = make_query(c, subject, model);
    struct explore_options options = {.max_executions = q.max_executions,
                                      .timeout_s = q.timeout_s,
                                      .max_events = q.max_events,
                                      .all = true,
                                      .stop = q.stop};
    struct explore x;
    explore_init(&x, &options, model, &subject->program,
                 subject_runtime(subject));
    if (explore_run(&x, subject->main, 0, err)) {
        bool some = x.outcomes.n && x.outcomes.list[0].n;
        err_set(err, ERR_USAGE, "no outcome given; under %s there %s",
                model->name,
                some ? "are" : "is none: nothing changes or is observed");
        for (uint32_t i = 0; i < x.outcomes.n && i < LIST_MAX; i++)
            add_outcome(err, &x.outcomes, i, &subject->program);
    }
    explore_release(&x);
}

int explain_program(struct explain_command *c, const struct isa *isa,
                    const struct model *model)
{
    const char *path = c->options->operands[0];
    struct asked a = {.is_ambiguous = false};
    struct err err = {0};
    struct subject subject = {0};
    int code = EXIT_USAGE;
    if (c->options->outcome &&
        !litmus_parse_names(&a.test, c->options->outcome, &err)) {
        litmus_release(&a.test);
        return complain(c, &err);
    }
    if (subject_init(&subject, c->options, isa, path, &err)) {
        if (c->options->outcome)
            code = explain_names(c, &a, &subject, model, &err);
        else
            list_outcomes(c, &subject, model, &err);
    }
    if (err.kind != ERR_NONE) {
        if (err.kind == ERR_INPUT && !strstr(err.text, path) &&
            strncmp(err.text, "--outcome", 9) != 0)
            err_wrap(&err, "%s", path);
        code = complain(c, &err);
    }
    subject_release(&subject);
    litmus_release(&a.test);
    return code;
}
