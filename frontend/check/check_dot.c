#include "frontend/check/check_dot.h"

#include "frontend/check/check_view.h"
#include "frontend/check/check_why.h"
#include "frontend/report/report_dot.h"

#include <inttypes.h>

static const struct check_extra *chosen(const struct check *c)
{
    for (uint32_t i = 0; i < c->n_extras; i++)
        if (check_extra_is_shown(&c->extras[i]) &&
            check_extra_graph(c, &c->extras[i]))
            return &c->extras[i];
    return NULL;
}

bool check_dot_has(const struct check *c)
{
    return c->verdict == CHECK_UNDEFINED ||
           (c->verdict == CHECK_MISCOMPILED && chosen(c));
}

static void begin_cluster(const char *name, const char *title,
                          const struct model *model, FILE *out)
{
    fprintf(out, "subgraph cluster_%s {\n  label=\"%s ", name, title);
    report_dot_quoted(model->name, out);
    fprintf(out, "\"; color=\"#404040\";\n");
}

static void print_source(const struct check *c, const struct explanation *x,
                         FILE *out)
{
    /* A cycle is drawn as that of a violation. */
    struct violation v = {.kind = VIOLATION_ASSERT,
                          .thread = THREAD_NONE,
                          .events = {EVENT_NONE, EVENT_NONE},
                          .why = x->why};
    struct witness w;
    begin_cluster("source", "source: forbidden by", &c->source->model, out);
    witness_init(&w, &x->graph, &x->x.path, &c->source->subject.program);
    report_dot_graph(&w, &v, "s", out);
    witness_release(&w);
    fprintf(out, "}\n");
}

static void print_culprits(const struct check_why *why, FILE *out)
{
    for (uint32_t i = 0; i < why->n_steps; i++) {
        const struct check_step *s = &why->steps[i];
        if (!check_step_is_shown(why, s))
            continue;
        fprintf(out,
                "  me%" PRIu32 " -> me%" PRIu32
                " [xlabel=\"no order\", color=red, fontcolor=red, "
                "style=\"bold,dashed\", penwidth=2.5, constraint=false];\n",
                s->machine[0], s->machine[1]);
    }
}

static void print_machine(const struct check *c, const struct check_extra *e,
                          FILE *out)
{
    const struct explore *x = &c->target->explore;
    struct witness w;
    begin_cluster("machine", "machine code: allowed by", &c->target->model,
                  out);
    witness_init(&w, check_extra_graph(c, e), &x->path, x->program);
    report_dot_graph(&w, check_extra_violation(c, e), "m", out);
    if (e->why)
        print_culprits(e->why, out);
    witness_release(&w);
    fprintf(out, "}\n");
}

void check_dot_print(const struct check *c, FILE *out)
{
    const struct explore *x = &c->source->explore;
    const struct check_extra *e = chosen(c);
    char title[1200];
    snprintf(title, sizeof title, "%s on %s: %s", c->path, c->isa->name,
             e ? e->text : c->reason);
    if (c->verdict == CHECK_UNDEFINED && x->n_violations) {
        report_dot_print(&x->violations[0].graph, &x->violations[0], &x->path,
                         x->program, title, out);
        return;
    }
    report_dot_begin(title, out);
    if (e && e->why && e->why->explanation.has_graph)
        print_source(c, &e->why->explanation, out);
    if (e)
        print_machine(c, e, out);
    fprintf(out, "}\n");
}
