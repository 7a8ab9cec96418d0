/* A litmus test's result for programs: what herd's log has, by names. */
#include "frontend/litmus/litmus_log.h"
#include "frontend/report/report_json.h"

#include <cjson/cJSON.h>
#include <stdlib.h>

typedef void printer(const struct litmus_judgement *o, const void *what,
                     FILE *out);

/* What is printed as a text that is to be freed; NULL: no memory. */
static char *text_of(const struct litmus_judgement *o, printer *print,
                     const void *what)
{
    char *text = NULL;
    size_t bytes;
    FILE *out = open_memstream(&text, &bytes);
    if (!out)
        return NULL;
    print(o, what, out);
    fclose(out);
    return text;
}

static void add_text(cJSON *to, const char *name, char *text)
{
    report_json_text(to, name, text ? text : "");
    free(text);
}

static void print_state(const struct litmus_judgement *o, const void *what,
                        FILE *out)
{
    litmus_print_state(o, what, out);
}

static void print_condition(const struct litmus_judgement *o, const void *what,
                            FILE *out)
{
    (void)what;
    litmus_print_condition(o->test, out);
}

/* A value of a state: its term, and the values of all terms. */
struct value {
    uint32_t term;
    const struct litmus_value *values;
};

static void print_name(const struct litmus_judgement *o, const void *what,
                       FILE *out)
{
    litmus_print_term(o->test, ((const struct value *)what)->term, out);
}

static void print_value(const struct litmus_judgement *o, const void *what,
                        FILE *out)
{
    const struct value *v = what;
    litmus_print_final(o->test, v->term, v->values[v->term], out);
}

static cJSON *state_object(const struct litmus_judgement *o,
                           const struct litmus_state *state)
{
    cJSON *to = cJSON_CreateObject(), *values;
    add_text(to, "text", text_of(o, print_state, state));
    values = cJSON_AddObjectToObject(to, "values");
    for (uint32_t i = 0; i < o->n; i++) {
        struct value v = {o->terms[i], state->values};
        char *name = text_of(o, print_name, &v);
        if (name)
            add_text(values, name, text_of(o, print_value, &v));
        free(name);
    }
    cJSON_AddBoolToObject(
        to, "condition",
        litmus_holds(o->test, o->test->condition, state->values));
    report_json_count(to, "executions", state->executions);
    return to;
}

static struct cJSON *entry(const struct litmus_judgement *o,
                           const struct litmus_result *r, const char *model,
                           const struct isa *isa)
{
    const struct litmus_test *t = o->test;
    bool swap = t->quantifier == LITMUS_NOT_EXISTS;
    cJSON *to = cJSON_CreateObject(), *list;
    report_json_text(to, "verdict", o->verdict);
    report_json_text(to, "reason", r->trouble ? r->trouble : "");
    report_json_text(to, "program", t->path);
    report_json_arch(to, isa);
    report_json_text(to, "test", t->name);
    report_json_text(to, "kind", o->kind);
    report_json_text(to, "model", model);
    add_text(to, "condition", text_of(o, print_condition, NULL));
    report_json_text(to, "observation", o->observation);
    report_json_count(to, "positive", swap ? o->fails : o->holds);
    report_json_count(to, "negative", swap ? o->holds : o->fails);
    cJSON_AddBoolToObject(to, "complete", !r->is_cut && !r->is_open);
    cJSON_AddBoolToObject(to, "loop", r->is_cut);
    if (r->flag)
        report_json_text(to, "flag", r->flag);
    else
        cJSON_AddNullToObject(to, "flag");
    if (t->hash)
        report_json_text(to, "hash", t->hash);
    else
        cJSON_AddNullToObject(to, "hash");
    list = cJSON_AddArrayToObject(to, "states");
    for (uint32_t i = 0; i < r->n_states; i++)
        cJSON_AddItemToArray(list, state_object(o, &r->states[i]));
    cJSON_AddNumberToObject(to, "seconds", r->seconds);
    return to;
}

struct cJSON *litmus_json_new(const struct litmus_test *t,
                              struct litmus_result *r, const char *model,
                              const struct isa *isa)
{
    struct litmus_judgement o;
    litmus_judge(&o, t, r);
    struct cJSON *to = entry(&o, r, model, isa);
    litmus_judgement_release(&o);
    return to;
}
