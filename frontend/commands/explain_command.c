#include "frontend/commands/explain_command.h"

#include "core/halt.h"
#include "frontend/base/cli.h"
#include "frontend/base/output.h"
#include "frontend/explain/explain_asked.h"
#include "frontend/explain/explain_text.h"
#include "frontend/litmus/litmus_run.h"
#include "frontend/report/report_json.h"
#include "frontend/subject/model_fit.h"

#include <stdlib.h>
#include <string.h>

#define LIST_MAX 20 /* outcomes in a message */

bool explain_is_litmus(const struct options *o)
{
    const char *dot = strrchr(o->operands[0], '.');
    return dot && strcmp(dot, ".litmus") == 0;
}

static void keep_error(void *self, const struct isa *isa, const struct err *err)
{
    struct explain_command *c = self;
    if (c->options->json && !c->json && err->kind != ERR_STOPPED)
        c->json = report_json_new_error(c->options->operands[0], isa, err);
}

static int complain(struct explain_command *c, const struct isa *isa,
                    const struct err *err)
{
    if (err->kind != ERR_STOPPED) /* which is reported */
        cli_complain(err, c->talk);
    keep_error(c, isa, err);
    return cli_code_of(err);
}

static bool draw(const struct explain_command *c,
                 const struct explain_report *r, struct err *err)
{
    const char *path = c->options->dot;
    if (!r->e->has_graph) {
        fprintf(c->talk, "hwcheck: no execution to draw into '%s'\n", path);
        return true;
    }
    struct output out;
    if (!output_open(&out, path, err))
        return false;
    explain_dot_print(r, out.file);
    return output_close(&out, err);
}

/* All reports of a finished explanation. */
static int report(struct explain_command *c, const struct explanation *e,
                  const struct explain_query *q, const char *outcome,
                  struct err *err)
{
    struct explain_report r = {.program = c->options->operands[0],
                               .outcome = outcome,
                               .e = e,
                               .model = q->model,
                               .isa = q->subject->isa,
                               .color = c->color};
    c->reported = true;
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
        code = report(c, &e, &q, outcome ? outcome : "", err);
        litmus_case_show_names(ready->its_case, false);
        free(outcome);
    }
    explain_release(&e);
    return code;
}

int explain_litmus(struct explain_command *c)
{
    struct litmus_visitor visitor = {visit, c, keep_error};
    return litmus_visit(c->options, c->load, c->stop, &visitor, c->talk);
}

/* ---- C programs */

/* The condition of --outcome, on the names that reports have. */
struct names_query {
    struct asked *asked;
    struct program *program;
};

static bool has_names(void *self, const struct graph *g,
                      const struct path *path)
{
    struct names_query *q = self;
    return asked_holds(q->asked, q->program, g, path);
}

static int explain_names(struct explain_command *c, struct asked *a,
                         struct subject *subject, const struct model *model,
                         struct err *err)
{
    struct explain_query q = make_query(c, subject, model);
    struct explanation e;
    struct names_query names = {a, &subject->program};
    q.has_outcome = has_names;
    q.self = &names;
    int code = EXIT_USAGE;
    if (explain_find(&e, &q, err) && asked_check_names(a, &e.x, err))
        code = report(c, &e, &q, c->options->outcome, err);
    explain_release(&e);
    return code;
}

/* "\n  --outcome='x=1 seen=0'" at the end of the message. */
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
                                 k ? " " : "\n  --outcome='",
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
                                      .max_events = q.max_events,
                                      .all = true,
                                      .stop = q.stop};
    struct explore x;
    explore_init(&x, &options, model, &subject->program,
                 subject_runtime(subject));
    if (!explore_run(&x, subject->main, 0, err))
        ;
    else if (halt_reason() != HALT_NONE)
        halt_fail(err);
    else {
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
    struct asked a = {0};
    struct err err = {0};
    struct subject subject = {0};
    int code = EXIT_USAGE;
    if (c->options->outcome && !asked_parse(&a, c->options->outcome, &err)) {
        asked_release(&a);
        return complain(c, isa, &err);
    }
    char warning[300];
    if (!model_fits(model, isa, warning, sizeof warning))
        fprintf(c->talk, "hwcheck: warning: %s\n", warning);
    if (subject_init(&subject, c->options, isa, path, &err)) {
        struct program *program = &subject.program;
        program->compares = program->prints = program->has_status = true;
        if (c->options->outcome)
            code = explain_names(c, &a, &subject, model, &err);
        else
            list_outcomes(c, &subject, model, &err);
    }
    /* What was cut short knows no names: that it was is said instead. */
    if (err.kind != ERR_NONE && halt_reason() == HALT_NONE) {
        if (err.kind == ERR_INPUT)
            err_name_file(&err, path);
        code = complain(c, isa, &err);
    }
    subject_release(&subject);
    asked_release(&a);
    return code;
}
