#include "frontend/check/check_json.h"

#include "frontend/check/check_view.h"
#include "frontend/check/check_why.h"
#include "frontend/explain/explain_text.h"
#include "frontend/report/report_json.h"

#include <cjson/cJSON.h>
#include <stdlib.h>
#include <string.h>

struct cJSON *check_json_outcomes(const struct check *c)
{
    cJSON *list = cJSON_CreateArray();
    uint32_t n;
    struct check_row *rows = check_rows_new(c, &n);
    for (uint32_t i = 0; i < n; i++) {
        cJSON *to = cJSON_CreateObject();
        report_json_text(to, "text", rows[i].text);
        report_json_count(to, "source", rows[i].source);
        report_json_count(to, "machine", rows[i].machine);
        report_json_text(to, "class", check_row_class(&rows[i]));
        cJSON_AddItemToArray(list, to);
    }
    free(rows);
    return list;
}

/* ---- one outcome that is wrong */

/* An end of a step: its events on both sides. */
static cJSON *end_object(const struct witness *source,
                         const struct witness *machine,
                         const struct check_step *s, int k)
{
    cJSON *to = cJSON_CreateObject();
    cJSON_AddItemToObject(to, "source",
                          report_json_event(source, s->source[k]));
    if (s->machine[k] == EVENT_NONE)
        return to;
    cJSON_AddItemToObject(to, "machine",
                          report_json_event(machine, s->machine[k]));
    report_json_text(to, "instruction",
                     witness_instruction(machine, s->machine[k]));
    return to;
}

static void add_map_row(cJSON *list, const struct check *c,
                        const struct check_why *why, event_id e)
{
    struct check_map_row row;
    if (!check_map_row(c, why, e, &row))
        return;
    cJSON *item = cJSON_CreateObject();
    report_json_text(item, "operation", row.key);
    report_json_text(item, "code", row.text);
    report_json_text(item, "place", row.place);
    cJSON_AddItemToArray(list, item);
}

static void add_mapping(cJSON *to, const struct check *c,
                        const struct check_why *why, const struct check_step *s)
{
    cJSON *list = cJSON_AddArrayToObject(to, "mapping");
    for (event_id e = s->source[0]; e != EVENT_NONE;
         e = check_step_next(why, s, e))
        add_map_row(list, c, why, e);
}

/* The steps of the source's cycle within one thread; `culprit` marks those at
 * which a fence would help. */
static void add_culprits(cJSON *to, const struct check *c,
                         const struct check_extra *e,
                         const struct witness *source,
                         const struct witness *machine)
{
    cJSON *list = cJSON_AddArrayToObject(to, "culprits");
    for (uint32_t i = 0; i < e->why->n_steps; i++) {
        const struct check_step *s = &e->why->steps[i];
        cJSON *item = cJSON_CreateObject();
        cJSON_AddBoolToObject(item, "culprit", s->is_culprit);
        cJSON_AddItemToObject(item, "from", end_object(source, machine, s, 0));
        cJSON_AddItemToObject(item, "to", end_object(source, machine, s, 1));
        add_mapping(item, c, e->why, s);
        cJSON_AddItemToArray(list, item);
    }
}

/* Accesses of the cycle that the machine code does not have. */
static void add_lacking(cJSON *to, const struct check *c,
                        const struct check_why *why,
                        const struct witness *source)
{
    cJSON *list = cJSON_AddArrayToObject(to, "lacking");
    for (uint32_t i = 0; i < why->explanation.why.n; i++) {
        event_id e = why->explanation.why.cycle[i];
        if (!check_why_lacks(why, i))
            continue;
        cJSON *item = cJSON_CreateObject();
        cJSON_AddItemToObject(item, "source", report_json_event(source, e));
        add_map_row(cJSON_AddArrayToObject(item, "mapping"), c, why, e);
        cJSON_AddItemToArray(list, item);
    }
}

static void add_why(cJSON *to, const struct check *c,
                    const struct check_extra *e, const struct witness *machine)
{
    const struct explanation *x = &e->why->explanation;
    struct explain_report r = {.program = c->path,
                               .outcome = e->text,
                               .e = x,
                               .model = &c->source->model};
    cJSON_AddItemToObject(to, "source", explain_json_new(&r));
    if (!x->has_graph)
        return;
    struct witness source;
    witness_init(&source, &x->graph, &x->x.path, &c->source->subject.program);
    add_culprits(to, c, e, &source, machine);
    add_lacking(to, c, e->why, &source);
    witness_release(&source);
}

static cJSON *extra_object(const struct check *c, const struct check_extra *e)
{
    const struct explore *x = &c->target->explore;
    const struct graph *g = check_extra_graph(c, e);
    cJSON *to = cJSON_CreateObject();
    report_json_text(to, "class", check_extra_class(e));
    report_json_text(to, "kind",
                     e->stuck                     ? "termination"
                     : e->violation == UINT32_MAX ? "outcome"
                                                  : "violation");
    report_json_text(to, "text", e->text);
    if (e->violation == UINT32_MAX)
        report_json_count(to, "executions", e->executions);
    if (!g)
        return to;
    struct witness machine;
    witness_init(&machine, g, &x->path, x->program);
    report_json_witness(cJSON_AddObjectToObject(to, "machine"), &machine, NULL);
    if (e->why)
        add_why(to, c, e, &machine);
    witness_release(&machine);
    return to;
}

/* ---- all of it */

static cJSON *side_object(const struct check *c, const struct check_side *side,
                          const struct target *target)
{
    struct report r = {.options = c->options,
                       .program = c->path,
                       .x = &side->explore,
                       .target = target};
    return report_json_new(&r);
}

static void add_target(cJSON *to, const struct check *c)
{
    const struct target *t = &c->target->subject.target;
    report_json_text(to, "compiler", t->compiler);
    report_json_text(to, "flags", t->flags);
    report_json_text(to, "mapping", t->mapping);
    report_json_text(to, "source_model", c->source->model.name);
    report_json_text(to, "target_model", c->target->model.name);
    cJSON_AddItemToObject(to, "outcomes", check_json_outcomes(c));
    report_json_text(to, "not_compared",
                     c->compare.missing ? c->compare.missing : "");
    report_json_text(to, "kept", c->kept ? c->kept : "");
}

struct cJSON *check_json_new(const struct check *c)
{
    cJSON *to = cJSON_CreateObject(), *list;
    report_json_text(to, "verdict", check_verdict_name(c->verdict));
    if (c->verdict == CHECK_INCONCLUSIVE)
        report_json_text(to, "gap", report_gap(c->gap));
    report_json_text(to, "reason", c->reason);
    report_json_text(to, "program", c->path);
    if (c->entry)
        report_json_text(to, "entry", c->entry);
    report_json_text(to, "arch", c->isa->name);
    if (c->target->explored)
        add_target(to, c);
    list = cJSON_AddArrayToObject(to, "extra");
    for (uint32_t i = 0; i < c->n_extras; i++)
        cJSON_AddItemToArray(list, extra_object(c, &c->extras[i]));
    cJSON_AddItemToObject(to, "source", side_object(c, c->source, NULL));
    if (c->target->explored)
        cJSON_AddItemToObject(
            to, "machine",
            side_object(c, c->target, &c->target->subject.target));
    return to;
}
