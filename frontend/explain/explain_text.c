#include "frontend/explain/explain_text.h"

#include "frontend/report/report_dot.h"
#include "frontend/report/report_json.h"
#include "frontend/report/witness_text.h"

#include <cjson/cJSON.h>
#include <inttypes.h>
#include <string.h>

#define TEXT_BYTES 300

const char *explain_word(enum explain_answer answer)
{
    static const char *const words[] = {
        [EXPLAIN_ALLOWED] = "ALLOWED",
        [EXPLAIN_FORBIDDEN] = "FORBIDDEN",
        [EXPLAIN_IMPOSSIBLE] = "IMPOSSIBLE",
        [EXPLAIN_OPEN] = "INCONCLUSIVE",
    };
    return words[answer];
}

/* The answer in one sentence without a full stop. */
static void describe(const struct explain_report *r, char *buf, size_t cap)
{
    const struct explanation *e = r->e;
    switch (e->answer) {
    case EXPLAIN_ALLOWED:
        snprintf(buf, cap, "an execution has this outcome");
        break;
    case EXPLAIN_FORBIDDEN:
        snprintf(buf, cap,
                 "none of the %" PRIu64 " executions has this outcome",
                 e->executions);
        break;
    case EXPLAIN_IMPOSSIBLE:
        snprintf(buf, cap,
                 "no choice of rf and co gives this outcome, whatever the "
                 "model; values out of thin air aside");
        break;
    case EXPLAIN_OPEN:
        snprintf(buf, cap,
                 "no execution with this outcome was found, but not all were "
                 "visited: %s",
                 e->gap_text);
        break;
    }
}

/* "a: W x = 1 (stw r1,0(r2))" */
static void event_text(const struct witness *w, event_id e, char *buf,
                       size_t cap)
{
    char name[16], text[TEXT_BYTES] = "initial write", place[200] = "";
    const char *beside = place;

    witness_name(w, e, name, sizeof(name));
    if (e < w->graph->cap) {
        witness_text(w, e, text, sizeof(text));
        report_short_place(w->program, witness_place(w, e), place,
                           sizeof(place));
        if (witness_instruction(w, e)[0])
            beside = witness_instruction(w, e);
    }
    snprintf(buf, cap, beside[0] ? "%s: %s  [%s]" : "%s: %s", name, text,
             beside);
}

void explain_text_cycle(const struct witness *w, const struct broken *why,
                        FILE *out)
{
    bool is_pair = why->n == 2 && !why->edge[1][0];
    int width = 0, edge = 0;
    char text[TEXT_BYTES];

    fprintf(out, "  It breaks the axiom '%s' (%s):\n", why->axiom, why->kind);
    for (uint32_t i = 0; i < why->n; i++) {
        event_text(w, why->cycle[i], text, sizeof(text));
        if ((int)strlen(text) > width)
            width = (int)strlen(text);
        if ((int)strlen(why->edge[i]) > edge)
            edge = (int)strlen(why->edge[i]);
    }
    for (uint32_t i = 0; i < why->n - is_pair; i++) {
        event_text(w, why->cycle[i], text, sizeof(text));
        fprintf(out, "    %-*s  -%s->%*s  ", width, text, why->edge[i],
                edge - (int)strlen(why->edge[i]), "");
        event_text(w, why->cycle[(i + 1) % why->n], text, sizeof(text));
        fprintf(out, "%s\n", text);
    }
}

static void print_notes(const struct explanation *e, FILE *out)
{
    if (e->flag.axiom)
        fprintf(out,
                "note        %s: some execution has one, which makes the "
                "program undefined\n",
                e->flag.axiom);
    if (e->n_violations)
        fprintf(out,
                "note        %" PRIu64 " executions end in a violation and "
                "have no outcome: see 'hwcheck explore'\n",
                e->n_violations);
}

static void print_forbidden(const struct explanation *e,
                            const struct witness *w, FILE *out)
{
    explain_text_cycle(w, &e->why, out);
    if (e->n_broken > 1)
        fprintf(out,
                "  It breaks %" PRIu32 " axioms; this is the first of the "
                "file.\n",
                e->n_broken);
}

void explain_text_print(const struct explain_report *r, FILE *out)
{
    const struct explanation *e = r->e;
    char text[700];
    struct witness w;

    describe(r, text, sizeof(text));
    fprintf(out, "program     %s\n", r->program);
    fprintf(out, "model       %s (%s)\n", r->model->name, r->model->title);
    fprintf(out, "outcome     %s\n", r->outcome);
    fprintf(out, "%s: %s\n", explain_word(e->answer), text);
    print_notes(e, out);
    if (e->is_cut && !e->has_graph)
        fprintf(out,
                "            No execution of a weaker model with it was found: "
                "%s.\n",
                e->cut_text);
    if (!e->has_graph)
        return;
    fprintf(out, "\n%s:\n",
            e->answer == EXPLAIN_ALLOWED
                ? "This execution has it"
                : "The nearest execution that would have it");
    witness_init(&w, &e->graph, &e->x.path, e->x.program);
    witness_text_rows(&w, NULL, r->color, out);
    if (e->answer == EXPLAIN_ALLOWED)
        witness_text_interleaved(&w, out);
    else
        print_forbidden(e, &w, out);
    witness_release(&w);
}

struct cJSON *explain_json_new(const struct explain_report *r)
{
    const struct explanation *e = r->e;
    cJSON *to = cJSON_CreateObject();
    char text[700];
    struct witness w;

    describe(r, text, sizeof(text));
    report_json_text(to, "verdict", explain_word(e->answer));
    report_json_text(to, "reason", text);
    report_json_text(to, "program", r->program);
    report_json_arch(to, r->isa);
    report_json_text(to, "model", r->model->name);
    report_json_text(to, "outcome", r->outcome);
    report_json_count(to, "executions", e->executions);
    if (e->flag.axiom)
        report_json_text(to, "flag", e->flag.axiom);
    if (e->is_cut)
        report_json_text(to, "cut", e->cut_text);
    if (!e->has_graph)
        return to;
    witness_init(&w, &e->graph, &e->x.path, e->x.program);
    report_json_witness(to, &w, e->answer == EXPLAIN_ALLOWED ? NULL : &e->why);
    if (e->answer != EXPLAIN_ALLOWED)
        report_json_count(to, "broken_axioms", e->n_broken);
    witness_release(&w);
    return to;
}

void explain_dot_print(const struct explain_report *r, FILE *out)
{
    const struct explanation *e = r->e;
    struct violation v = {.kind = VIOLATION_ASSERT,
                          .thread = THREAD_NONE,
                          .events = {EVENT_NONE, EVENT_NONE}};
    char title[700];

    if (e->answer == EXPLAIN_ALLOWED)
        snprintf(title, sizeof(title), "%s under %s: %s", r->program,
                 r->model->name, r->outcome);
    else
        snprintf(title, sizeof(title), "%s: %s is forbidden by %s of %s",
                 r->program, r->outcome, e->why.axiom, r->model->name);
    if (e->answer != EXPLAIN_ALLOWED)
        v.why = e->why;
    report_dot_print(&e->graph, &v, &e->x.path, e->x.program, title, out);
}
