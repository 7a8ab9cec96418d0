#include "frontend/report/report_json.h"

#include "frontend/base/cli.h"
#include "frontend/base/output.h"
#include "frontend/report/witness.h"

#include <cjson/cJSON.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* cJSON prints numbers as doubles with 15 digits at first try, so integers go
 * in as text of our own. */
static cJSON *integer(int64_t value)
{
    const int64_t limit = (int64_t)1 << 53;
    char text[32];

    snprintf(text, sizeof(text), "%" PRId64, value);
    if (value > limit || value < -limit)
        return cJSON_CreateString(text);
    return cJSON_CreateRaw(text);
}

void report_json_count(cJSON *to, const char *name, uint64_t value)
{
    cJSON_AddItemToObject(to, name, integer((int64_t)value));
}

/* Program texts come from source files in any encoding; JSON is UTF-8. */
static cJSON *string(const char *text)
{
    char *copy = report_utf8_new(text);
    cJSON *item = cJSON_CreateString(copy);

    free(copy);
    return item;
}

/* Names of members that a program chose are cleaned like its texts. */
static void add_member(cJSON *to, const char *name, cJSON *item)
{
    char *copy = report_utf8_new(name);

    cJSON_AddItemToObject(to, copy, item);
    free(copy);
}

void report_json_text(cJSON *to, const char *name, const char *text)
{
    cJSON_AddItemToObject(to, name, string(text));
}

static void add_place(cJSON *to, const struct program *p, place_id place)
{
    if (place >= p->n_places)
        return;
    report_json_text(to, "file", p->texts[p->places[place].file]);
    report_json_count(to, "line", p->places[place].line);
    report_json_text(to, "function", p->texts[p->places[place].function]);
}

/* A number, or what is said of 16 bytes that are none. */
static cJSON *number_or_text(const struct program *p, uint64_t value,
                             unsigned size)
{
    char text[200];
    int64_t number;
    if (value_number(p, value, size, &number))
        return integer(number);
    value_text(p, value, size, text, sizeof(text));
    return string(text);
}

cJSON *report_json_event(const struct witness *w, event_id e)
{
    char name[16];

    witness_name(w, e, name, sizeof(name));
    return cJSON_CreateString(name);
}

/* What the event depends on, as lists of reads; nothing of C source. */
static void add_dependencies(cJSON *to, const struct witness *w, event_id e)
{
    static const struct {
        enum graph_row row;
        const char *name;
    } kinds[] = {{ROW_ADDR, "addr"}, {ROW_DATA, "data"}, {ROW_CTRL, "ctrl"}};

    for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
        const uint64_t *row = graph_row(w->graph, e, kinds[i].row);
        cJSON *list = NULL;
        event_id from;

        row_for_each (from, row, w->graph->words) {
            if (!list)
                list = cJSON_AddArrayToObject(to, kinds[i].name);
            cJSON_AddItemToArray(list, report_json_event(w, from));
        }
    }
}

static cJSON *event_object(const struct witness *w, event_id e)
{
    const struct event *ev = &w->graph->events[e];
    const struct label *label = witness_label(w, e);
    cJSON *to = cJSON_CreateObject();
    char text[300];

    cJSON_AddItemToObject(to, "id", report_json_event(w, e));
    report_json_count(to, "thread", ev->thread);
    report_json_text(to, "kind", witness_kind(ev));
    if (witness_order(ev)[0])
        report_json_text(to, "order", witness_order(ev));
    if (witness_has_location(ev)) {
        program_print_location(w->program, ev->loc, text, sizeof(text));
        report_json_text(to, "location", text);
        report_json_count(to, "size",
                          ev->kind == LABEL_ALLOC ? label->value : ev->size);
    }
    if (ev->kind == LABEL_CREATE || ev->kind == LABEL_JOIN)
        report_json_count(to, "child", label->loc);
    if (witness_has_value(ev))
        cJSON_AddItemToObject(to, "value",
                              number_or_text(w->program, ev->value, ev->size));
    if (ev->kind == LABEL_READ && ev->rf != EVENT_NONE)
        cJSON_AddItemToObject(to, "rf", report_json_event(w, ev->rf));
    if (witness_has_location(ev) && ev->rmw != EVENT_NONE)
        cJSON_AddItemToObject(to, "rmw", report_json_event(w, ev->rmw));
    add_dependencies(to, w, e);
    add_place(to, w->program, label->place);
    if (witness_instruction(w, e)[0])
        report_json_text(to, "instruction", witness_instruction(w, e));
    witness_text(w, e, text, sizeof(text));
    report_json_text(to, "text", text);
    return to;
}

static cJSON *co_object(const struct witness *w)
{
    cJSON *to = cJSON_CreateObject();

    for (loc_id l = 0; l < w->graph->n_locs; l++) {
        event_id e = w->graph->locs[l].co_first;
        char name[200];
        cJSON *list;

        if (e == EVENT_NONE)
            continue;
        program_print_location(w->program, l, name, sizeof(name));
        list = cJSON_CreateArray();
        add_member(to, name, list);
        cJSON_AddItemToArray(list, cJSON_CreateString("init"));
        for (; e != EVENT_NONE; e = w->graph->events[e].co_next)
            cJSON_AddItemToArray(list, report_json_event(w, e));
    }
    return to;
}

static void add_broken(cJSON *to, const struct witness *w,
                       const struct broken *why)
{
    cJSON *cycle;

    if (!why->axiom)
        return;
    report_json_text(to, "axiom", why->axiom);
    report_json_text(to, "axiom_kind", why->kind);
    cycle = cJSON_AddArrayToObject(to, "cycle");
    for (uint32_t i = 0; i < why->n && i < 64; i++) {
        cJSON *step = cJSON_CreateObject();

        cJSON_AddItemToObject(step, "event",
                              report_json_event(w, why->cycle[i]));
        report_json_text(step, "edge", why->edge[i]);
        cJSON_AddItemToArray(cycle, step);
    }
}

/* Why the execution is no interleaving. */
static void add_weak_cycle(cJSON *to, const struct witness *w)
{
    event_id cycle[16];
    const char *edges[16];
    uint32_t n = witness_find_cycle(w, cycle, edges, 16);
    cJSON *list;

    cJSON_AddBoolToObject(to, "sequentially_consistent", w->interleaved);
    if (!n)
        return;
    list = cJSON_AddArrayToObject(to, "weak_cycle");
    for (uint32_t i = 0; i < n; i++) {
        cJSON *step = cJSON_CreateObject();

        cJSON_AddItemToObject(step, "event", report_json_event(w, cycle[i]));
        report_json_text(step, "edge", edges[i]);
        cJSON_AddItemToArray(list, step);
    }
}

void report_json_witness(cJSON *to, const struct witness *w,
                         const struct broken *why)
{
    cJSON *list;

    add_weak_cycle(to, w);
    list = cJSON_AddArrayToObject(to, "events");
    for (uint32_t i = 0; i < w->n; i++)
        cJSON_AddItemToArray(list, event_object(w, w->rows[i]));
    cJSON_AddItemToObject(to, "co", co_object(w));
    if (why)
        add_broken(to, w, why);
}

static cJSON *violation_object(const struct report *r,
                               const struct violation *v)
{
    const struct program *p = r->x->program;
    cJSON *to = cJSON_CreateObject(), *list;
    struct witness w;
    char kind[64], text[500];

    witness_init(&w, &v->graph, &r->x->path, p);
    report_violation_kind(v, kind, sizeof(kind));
    report_json_text(to, "kind", kind);
    report_violation_text(r->x, v, text, sizeof(text));
    report_json_text(to, "text", text);
    add_place(to, p, v->place);
    if (v->thread != THREAD_NONE)
        report_json_count(to, "thread", v->thread);
    report_json_count(to, "execution", v->execution);
    report_json_witness(to, &w, &v->why);
    list = cJSON_AddArrayToObject(to, "conflict");
    for (int i = 1; i >= 0 && report_has_conflict(v); i--)
        cJSON_AddItemToArray(list, report_json_event(&w, v->events[i]));
    witness_release(&w);
    return to;
}

/* A name that was observed several times gets the list of its values. */
static void add_value(cJSON *values, const char *name, cJSON *value)
{
    char *clean = report_utf8_new(name);
    cJSON *known = cJSON_GetObjectItemCaseSensitive(values, clean);

    if (!known) {
        cJSON_AddItemToObject(values, clean, value);
    } else if (cJSON_IsArray(known)) {
        cJSON_AddItemToArray(known, value);
    } else {
        cJSON *list = cJSON_CreateArray();

        known = cJSON_DetachItemViaPointer(values, known);
        cJSON_AddItemToArray(list, known);
        cJSON_AddItemToArray(list, value);
        cJSON_AddItemToObject(values, clean, list);
    }
    free(clean);
}

/* Addresses by name, so that outcomes of different runs can be compared. */
static cJSON *item_value(const struct program *p,
                         const struct outcome_item *item)
{
    char text[200];

    value_text(p, item->value, item->size, text, sizeof(text));
    return text[0] == '&' ? string(text)
                          : number_or_text(p, item->value, item->size);
}

static cJSON *outcomes_array(const struct report *r)
{
    const struct outcomes *o = &r->x->outcomes;
    cJSON *list = cJSON_CreateArray();

    for (uint32_t i = 0; i < o->n; i++) {
        cJSON *to = cJSON_CreateObject();
        cJSON *values = cJSON_AddObjectToObject(to, "values");

        for (uint32_t k = 0; k < o->list[i].n; k++) {
            const struct outcome_item *item = &o->items[o->list[i].first + k];

            add_value(values, r->x->program->texts[item->name],
                      item_value(r->x->program, item));
        }
        report_json_count(to, "executions", o->list[i].executions);
        cJSON_AddItemToArray(list, to);
    }
    return list;
}

static cJSON *warnings_array(const struct report *r)
{
    cJSON *list = cJSON_CreateArray();

    for (uint32_t i = 0; i < r->x->n_warnings; i++) {
        cJSON *to = cJSON_CreateObject();

        report_json_text(to, "text", r->x->program->texts[r->x->warnings[i]]);
        add_place(to, r->x->program, r->x->warning_places[i]);
        cJSON_AddItemToArray(list, to);
    }
    return list;
}

void report_json_arch(cJSON *to, const struct isa *isa)
{
    if (isa)
        report_json_text(to, "arch", isa->name);
    else
        cJSON_AddNullToObject(to, "arch");
}

struct cJSON *report_json_new(const struct report *r)
{
    const struct explore *x = r->x;
    cJSON *to = cJSON_CreateObject(), *list;
    char reason[1000];

    report_reason(x, reason, sizeof(reason));
    report_json_text(to, "verdict", report_verdict(x));
    if (x->gap != GAP_NONE) {
        report_json_text(to, "gap", report_gap(x->gap));
        report_json_text(to, "gap_text", x->gap_text);
    }
    report_json_text(to, "reason", reason);
    report_json_text(to, "program", r->program);
    report_json_text(to, "model", x->model->name);
    report_json_arch(to, r->target ? r->target->image.isa : NULL);
    if (r->target) {
        report_json_text(to, "compiler", r->target->compiler);
        report_json_text(to, "flags", r->target->flags);
        report_json_text(to, "mapping", r->target->mapping);
    }
    report_json_count(to, "executions", x->executions);
    report_json_count(to, "blocked", x->blocked);
    cJSON_AddItemToObject(to, "outcomes", outcomes_array(r));
    if (x->outcomes.not_kept)
        report_json_count(to, "outcomes_not_kept", x->outcomes.not_kept);
    list = cJSON_AddArrayToObject(to, "violations");
    for (uint32_t i = 0; i < x->n_violations; i++)
        cJSON_AddItemToArray(list, violation_object(r, &x->violations[i]));
    report_json_count(to, "violations_seen", x->violations_seen);
    cJSON_AddItemToObject(to, "warnings", warnings_array(r));
    cJSON_AddNumberToObject(to, "seconds", x->seconds);
    report_json_count(to, "peak_bytes", report_peak_bytes());
    list = cJSON_AddObjectToObject(to, "path_cache");
    report_json_count(list, "hits", x->path.hits);
    report_json_count(list, "misses", x->path.misses);
    cJSON_AddNumberToObject(list, "seconds", x->path.seconds);
    return to;
}

struct cJSON *report_json_new_error(const char *program, const struct isa *isa,
                                    const struct err *err)
{
    cJSON *to = cJSON_CreateObject();

    if (err->kind == ERR_STOPPED) {
        report_json_text(to, "verdict", "INCONCLUSIVE");
        report_json_text(to, "gap", report_gap(report_halt_gap()));
    } else
        report_json_text(to, "verdict", "ERROR");
    report_json_text(to, "reason", err->text);
    report_json_text(to, "program", program);
    report_json_arch(to, isa);
    return to;
}

/* The words that an entry's verdict may be, by command. */
static const char *const *verdicts_of(enum command command)
{
    static const char *const check[] = {
        "SOUND", "MISCOMPILED", "VIOLATION", "INCONCLUSIVE", "ERROR", NULL};
    static const char *const explore[] = {"SOUND", "VIOLATION", "INCONCLUSIVE",
                                          "ERROR", NULL};
    static const char *const trace[] = {"DONE", "INCONCLUSIVE", "ERROR", NULL};
    static const char *const litmus[] = {"Ok",           "No",    "Undef",
                                         "INCONCLUSIVE", "ERROR", NULL};
    static const char *const explain[] = {
        "ALLOWED", "FORBIDDEN", "IMPOSSIBLE", "INCONCLUSIVE", "ERROR", NULL};

    switch (command) {
    case COMMAND_EXPLORE:
        return explore;
    case COMMAND_TRACE:
        return trace;
    case COMMAND_LITMUS:
        return litmus;
    case COMMAND_EXPLAIN:
        return explain;
    case COMMAND_CHECK:
    case COMMAND_MODELS:
    case COMMAND_MAPPINGS:
    case COMMAND_HELP:
    case COMMAND_COUNT:
        break;
    }
    return check;
}

static void add_summary(cJSON *to, enum command command,
                        struct cJSON *const *entries, uint32_t n)
{
    cJSON *summary = cJSON_AddObjectToObject(to, "summary");
    cJSON *counts;

    report_json_count(summary, "entries", n);
    counts = cJSON_AddObjectToObject(summary, "verdicts");
    for (const char *const *word = verdicts_of(command); *word; word++) {
        uint64_t count = 0;

        for (uint32_t i = 0; i < n; i++) {
            const char *verdict = cJSON_GetStringValue(
                cJSON_GetObjectItemCaseSensitive(entries[i], "verdict"));

            count += verdict && strcmp(verdict, *word) == 0;
        }
        report_json_count(counts, *word, count);
    }
}

void report_json_print(const struct options *o, struct cJSON *const *entries,
                       uint32_t n, FILE *out)
{
    cJSON *to = cJSON_CreateObject(), *list;
    char *text;

    report_json_count(to, "schema", REPORT_JSON_SCHEMA);
    report_json_text(to, "tool", "hwcheck");
    report_json_text(to, "version", HWCHECK_VERSION);
    report_json_text(to, "report", cli_command_name(o->command));
    list = cJSON_AddArrayToObject(to, "command");
    for (uint32_t i = 0; i < o->argc; i++)
        cJSON_AddItemToArray(list, string(o->argv[i]));
    add_summary(to, o->command, entries, n);
    list = cJSON_AddArrayToObject(to, "entries");
    for (uint32_t i = 0; i < n; i++)
        cJSON_AddItemReferenceToArray(list, entries[i]);
    text = cJSON_Print(to);
    fprintf(out, "%s\n", text ? text : "{}");
    cJSON_free(text);
    cJSON_Delete(to);
}

bool report_json_on_stdout(const struct options *o)
{
    return o->json && strcmp(o->json, "-") == 0;
}

bool report_json_write(const struct options *o, struct cJSON *const *objects,
                       uint32_t n, struct err *err)
{
    struct output out;

    if (report_json_on_stdout(o)) {
        report_json_print(o, objects, n, stdout);
        return true;
    }
    if (!output_open(&out, o->json, err))
        return false;
    report_json_print(o, objects, n, out.file);
    return output_close(&out, err);
}

void report_json_free(struct cJSON **objects, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++)
        cJSON_Delete(objects[i]);
}
