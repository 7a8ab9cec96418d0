#include "frontend/commands/trace.h"

#include "frontend/report/report.h"
#include "frontend/report/report_json.h"
#include "frontend/report/witness.h"

#include <cjson/cJSON.h>
#include <inttypes.h>
#include <string.h>

static const char *const dep_names[] = {
    [DEP_ADDR] = "addr",           [DEP_DATA] = "data",
    [DEP_CTRL] = "ctrl",           [DEP_PICK_ADDR] = "pick-addr",
    [DEP_PICK_DATA] = "pick-data", [DEP_PICK_CTRL] = "pick-ctrl",
};

/* What is shown of one event. */
struct trace_row {
    char name[12], place[80], text[120];
    const char *instruction;
    uint64_t pc;
    char deps[6][80]; /* names of the reads, by kind; "" none */
};

/* The pick flow holds the data flow: only what goes beyond it is shown. */
static void list_deps(const struct witness *w, event_id e, unsigned kind,
                      char *buf, size_t cap)
{
    const struct graph *g = w->graph;
    const uint64_t *row = graph_row(g, e, ROW_ADDR + kind);
    const uint64_t *less =
        kind >= DEP_PICK_ADDR ? graph_row(g, e, ROW_ADDR + kind - 3) : NULL;
    size_t used = 0;
    buf[0] = 0;
    for (uint32_t i = 0; i < g->n && used < cap; i++) {
        event_id r = g->order[i];
        char name[12];
        if (!row_has(row, r) || (less && row_has(less, r)))
            continue;
        witness_name(w, r, name, sizeof name);
        used += (size_t)snprintf(buf + used, cap - used, "%s%s",
                                 used ? "," : "", name);
    }
}

static struct trace_row make_row(struct subject *s, const struct witness *w,
                                 event_id e)
{
    struct trace_row row;
    node_id node = w->graph->events[e].node;
    witness_name(w, e, row.name, sizeof row.name);
    witness_text(w, e, row.text, sizeof row.text);
    report_short_place(w->program, witness_place(w, e), row.place,
                       sizeof row.place);
    row.instruction = subject_instruction(s, node, &row.pc);
    for (unsigned k = 0; k < 6; k++)
        list_deps(w, e, k, row.deps[k], sizeof row.deps[k]);
    return row;
}

static void print_thread(struct subject *s, const struct witness *w,
                         thread_id t, FILE *out)
{
    const struct graph *g = w->graph;
    char name[20];
    witness_thread(w, t, name, sizeof name);
    fprintf(out, "%s\n", name);
    for (event_id e = g->threads[t].first; e != EVENT_NONE;
         e = g->events[e].po_next) {
        struct trace_row row = make_row(s, w, e);
        fprintf(out, "  %3s  %-18s ", row.name, row.place);
        if (s->isa)
            fprintf(out,
                    row.pc ? "%8" PRIx64 "  %-32s " : "%8.0" PRIx64 "  %-32s ",
                    row.pc, row.instruction);
        fprintf(out, "%-26s", row.text);
        for (unsigned k = 0; k < 6; k++)
            if (row.deps[k][0])
                fprintf(out, " %s:%s", dep_names[k], row.deps[k]);
        fputc('\n', out);
    }
}

void trace_print(struct subject *s, const struct explore *x,
                 const struct graph *g, FILE *out)
{
    struct witness w;
    witness_init(&w, g, &x->path, &s->program);
    for (thread_id t = 0; t < g->n_threads; t++)
        if (g->threads[t].node != NODE_NONE)
            print_thread(s, &w, t, out);
    witness_release(&w);
}

static cJSON *event_json(struct subject *s, const struct witness *w, event_id e)
{
    struct trace_row row = make_row(s, w, e);
    cJSON *o = cJSON_CreateObject();
    report_json_text(o, "id", row.name);
    report_json_text(o, "place", row.place);
    report_json_text(o, "event", row.text);
    if (s->isa) {
        report_json_count(o, "pc", row.pc);
        report_json_text(o, "instruction", row.instruction);
    }
    cJSON *deps = cJSON_AddObjectToObject(o, "dependencies");
    for (unsigned k = 0; k < 6; k++)
        if (row.deps[k][0])
            report_json_text(deps, dep_names[k], row.deps[k]);
    return o;
}

cJSON *trace_json(struct subject *s, const struct explore *x,
                  const char *program, const struct graph *g)
{
    struct witness w;
    witness_init(&w, g, &x->path, &s->program);
    cJSON *o = cJSON_CreateObject();
    report_json_text(o, "verdict", "DONE");
    report_json_text(o, "program", program);
    report_json_arch(o, s->isa);
    cJSON *threads = cJSON_AddArrayToObject(o, "threads");
    for (thread_id t = 0; t < g->n_threads; t++) {
        if (g->threads[t].node == NODE_NONE)
            continue;
        char name[20];
        cJSON *thread = cJSON_CreateObject();
        witness_thread(&w, t, name, sizeof name);
        report_json_text(thread, "name", name);
        cJSON *events = cJSON_AddArrayToObject(thread, "events");
        for (event_id e = g->threads[t].first; e != EVENT_NONE;
             e = g->events[e].po_next)
            cJSON_AddItemToArray(events, event_json(s, &w, e));
        cJSON_AddItemToArray(threads, thread);
    }
    witness_release(&w);
    return o;
}
