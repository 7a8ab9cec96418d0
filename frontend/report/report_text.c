#include "frontend/report/report_text.h"

#include "core/mem.h"
#include "frontend/report/witness.h"
#include "frontend/report/witness_text.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static const char *color(const struct report *r, const char *code)
{
    return r->color ? code : "";
}

static void print_verdict(const struct report *r, FILE *out)
{
    const struct explore *x = r->x;
    const char *code = x->verdict == VERDICT_SOUND       ? "\033[1;32m"
                       : x->verdict == VERDICT_VIOLATION ? "\033[1;31m"
                                                         : "\033[1;33m";
    char reason[1000];

    report_reason(x, reason, sizeof(reason));
    fprintf(out, "%s%s", color(r, code), report_verdict(x));
    if (x->verdict != VERDICT_SOUND && x->verdict != VERDICT_VIOLATION)
        fprintf(out, " (%s)", report_gap(x->gap));
    fprintf(out, "%s: %s\n", color(r, "\033[0m"), reason);
    if (x->verdict == VERDICT_VIOLATION && x->gap != GAP_NONE)
        fprintf(out, "not all executions were visited (%s): %s\n",
                report_gap(x->gap), x->gap_text);
}

static void print_counts(const struct report *r, FILE *out)
{
    const struct explore *x = r->x;
    bool stopped = x->verdict == VERDICT_VIOLATION && !r->options->all;

    fprintf(out, "executions  %" PRIu64 " complete, %" PRIu64 " blocked%s\n",
            x->executions, x->blocked,
            stopped ? "; stopped at the first violation (--all goes on)" : "");
}

/* The outcomes as a table: a column an item if all outcomes have the same
 * items, which is so unless observations depend on the execution. */
struct table {
    const struct report *r;
    uint32_t n_shown;
    uint32_t n_columns; /* 0: the outcomes do not line up */
    int *widths;        /* [n_columns] of "name=value" */
    bool *constant;     /* [n_columns] the same in all outcomes */
    bool leave_constant_out;
};

static const struct outcome_item *items_of(const struct report *r, uint32_t i)
{
    return r->x->outcomes.items + r->x->outcomes.list[i].first;
}

static void item_text(const struct report *r, const struct outcome_item *item,
                      char *buf, size_t cap)
{
    const struct program *p = r->x->program;
    char value[200];

    value_text(p, item->value, item->size, value, sizeof(value));
    snprintf(buf, cap, "%s=%s", p->texts[item->name], value);
}

static bool same_items(const struct report *r, uint32_t i, uint32_t j)
{
    const struct outcome *list = r->x->outcomes.list;
    const struct outcome_item *a = items_of(r, i), *b = items_of(r, j);

    if (list[i].n != list[j].n)
        return false;
    for (uint32_t k = 0; k < list[i].n; k++)
        if (a[k].name != b[k].name)
            return false;
    return true;
}

static void measure_columns(struct table *t)
{
    const struct report *r = t->r;
    char text[400];

    for (uint32_t i = 0; i < r->x->outcomes.n; i++) {
        const struct outcome_item *items = items_of(r, i);

        for (uint32_t k = 0; k < t->n_columns; k++) {
            if (items[k].value != items_of(r, 0)[k].value)
                t->constant[k] = false;
            if (i >= t->n_shown)
                continue;
            item_text(r, &items[k], text, sizeof(text));
            if ((int)strlen(text) > t->widths[k])
                t->widths[k] = (int)strlen(text);
        }
    }
}

static void table_init(struct table *t, const struct report *r)
{
    const struct outcomes *o = &r->x->outcomes;
    uint64_t limit = r->options->outcomes;
    int width = 0;

    *t = (struct table){.r = r, .n_shown = o->n, .n_columns = o->list[0].n};
    if (limit && limit < o->n)
        t->n_shown = (uint32_t)limit;
    for (uint32_t i = 1; i < o->n; i++)
        if (!same_items(r, 0, i))
            t->n_columns = 0;
    t->widths = mem_resize(NULL, t->n_columns * sizeof(*t->widths));
    t->constant = mem_resize(NULL, t->n_columns * sizeof(*t->constant));
    for (uint32_t k = 0; k < t->n_columns; k++) {
        t->widths[k] = 0;
        t->constant[k] = o->n > 1;
    }
    measure_columns(t);
    for (uint32_t k = 0; k < t->n_columns; k++)
        width += t->widths[k] + 1;
    t->leave_constant_out = width > REPORT_COLUMNS - 12;
}

static void print_outcome(const struct table *t, uint32_t i, FILE *out)
{
    const struct outcome *o = &t->r->x->outcomes.list[i];
    struct wrapped line = {.out = out, .indent = 10};
    char head[32], text[400], padded[500];
    int pad = 0; /* what the item before lacks to the width of its column */

    snprintf(head, sizeof(head), "%8" PRIu64 " ", o->executions);
    line.head = head;
    for (uint32_t k = 0; k < o->n; k++) {
        if (k < t->n_columns && t->leave_constant_out && t->constant[k])
            continue;
        item_text(t->r, items_of(t->r, i) + k, text, sizeof(text));
        snprintf(padded, sizeof(padded), "%*s%s", pad + 1, "", text);
        wrapped_add(&line, padded);
        pad = k < t->n_columns ? t->widths[k] - (int)strlen(text) : 0;
    }
    if (line.at == 0)
        wrapped_add(&line, o->n ? " (as below)" : " (nothing written)");
    wrapped_end(&line);
}

static void print_constants(const struct table *t, FILE *out)
{
    struct wrapped line = {.out = out, .head = "  in all ", .indent = 10};
    char text[400], padded[404];

    for (uint32_t k = 0; k < t->n_columns; k++) {
        if (!t->constant[k])
            continue;
        item_text(t->r, items_of(t->r, 0) + k, text, sizeof(text));
        snprintf(padded, sizeof(padded), " %s", text);
        wrapped_add(&line, padded);
    }
    wrapped_end(&line);
}

static void print_outcomes(const struct report *r, FILE *out)
{
    const struct outcomes *o = &r->x->outcomes;
    struct table t;

    if (o->n == 0)
        return;
    fprintf(out, "outcomes    %" PRIu32 "%s\n", o->n,
            o->not_kept ? " (further ones were not kept)" : "");
    table_init(&t, r);
    for (uint32_t i = 0; i < t.n_shown; i++)
        print_outcome(&t, i, out);
    if (t.n_shown < o->n)
        fprintf(out, "     ...  %" PRIu32 " more (--outcomes=0 shows all)\n",
                o->n - t.n_shown);
    if (t.leave_constant_out)
        print_constants(&t, out);
    free(t.widths);
    free(t.constant);
}

static void print_warnings(const struct report *r, FILE *out)
{
    const struct explore *x = r->x;

    for (uint32_t i = 0; i < x->n_warnings; i++) {
        char place[400] = "";

        if (x->warning_places[i] != PLACE_NONE)
            program_print_place(x->program, x->warning_places[i], place,
                                sizeof(place));
        fprintf(out, "%swarning%s     %s%s%s\n", color(r, "\033[1;33m"),
                color(r, "\033[0m"), place, place[0] ? ": " : "",
                x->program->texts[x->warnings[i]]);
    }
}

static void print_violation(const struct report *r, uint32_t i, FILE *out)
{
    const struct explore *x = r->x;
    const struct violation *v = &x->violations[i];
    char title[600], place[400];

    report_violation_title(x, v, title, sizeof(title));
    fprintf(out, "\n%sviolation %" PRIu32 "%s: %s\n", color(r, "\033[1;31m"),
            i + 1, color(r, "\033[0m"), title);
    if (v->place != PLACE_NONE) {
        const char *function =
            x->program->texts[x->program->places[v->place].function];

        program_print_place(x->program, v->place, place, sizeof(place));
        fprintf(out, "  at %s%s%s%s\n", place, function[0] ? " in " : "",
                function, function[0] ? "()" : "");
    }
    witness_text_print(r, v, out);
}

static void print_violations(const struct report *r, FILE *out)
{
    const struct explore *x = r->x;

    for (uint32_t i = 0; i < x->n_violations; i++)
        print_violation(r, i, out);
    if (x->violations_seen > x->n_violations)
        fprintf(out,
                "\n%" PRIu64 " executions violate something; each violation is "
                "shown once\n",
                x->violations_seen);
    if (x->n_violations)
        fputc('\n', out);
}

static void print_work(const struct report *r, FILE *out)
{
    const struct explore *x = r->x;
    uint64_t runs = x->executions + x->blocked;
    uint64_t lookups = x->path.hits + x->path.misses;

    fprintf(out, "time        %.2f s", x->seconds);
    if (r->target)
        fprintf(out, " (%.2f s of it under QEMU)", x->path.seconds);
    if (x->seconds > 0.001 && runs > 0)
        fprintf(out, ", %.0f executions/s", (double)runs / x->seconds);
    fprintf(out, "; path cache %" PRIu64 " hits, %" PRIu64 " misses",
            x->path.hits, x->path.misses);
    if (lookups)
        fprintf(out, " (%.1f %% hits)",
                100.0 * (double)x->path.hits / (double)lookups);
    fputc('\n', out);
    if (!r->options->verbose)
        return;
    fprintf(out,
            "work        %" PRIu64 " steps, %" PRIu64
            " revisits; threads run %" PRIu64
            " times from the start, resumed %" PRIu64
            " times; %.2f s in the program's code\n",
            x->steps, x->revisits, r->cold, r->warm, x->path.seconds);
    fprintf(out,
            "memory      %.1f MB at most, %" PRIu32 " path nodes, %" PRIu32
            " locations\n",
            (double)report_peak_bytes() / 1e6, x->path.n_live,
            x->program->locations.n);
}

void report_text_print(const struct report *r, FILE *out)
{
    const struct model *m = r->x->model;
    bool has_title = m->title && m->title[0];

    if (r->options->quiet) {
        if (r->options->n_operands > 1)
            fprintf(out, "%s: ", r->program);
        print_verdict(r, out);
        return;
    }
    fprintf(out, "program     %s", r->program);
    for (uint32_t i = 1; i < r->options->n_files; i++)
        fprintf(out, " %s", r->options->operands[i]);
    fputc('\n', out);
    if (r->target)
        fprintf(out, "target      %s, %s %s\n", r->target->image.isa->name,
                r->target->cc ? r->target->compiler : "linked already",
                r->target->flags);
    if (r->target && strcmp(r->target->mapping, "native") != 0)
        fprintf(out, "mapping     %s\n", r->target->mapping);
    fprintf(out, "model       %s%s%s%s\n", m->name, has_title ? " (" : "",
            has_title ? m->title : "", has_title ? ")" : "");
    if (r->language)
        fprintf(out, "            model %s: the program includes <%s>\n",
                r->language->model, r->language->header);
    print_verdict(r, out);
    print_counts(r, out);
    print_outcomes(r, out);
    print_warnings(r, out);
    print_violations(r, out);
    print_work(r, out);
}

void report_text_stopped(const struct options *o, const char *program,
                         const struct err *why, FILE *out)
{
    if (!o->quiet)
        fprintf(out, "program     %s\n", program);
    else if (o->n_operands > 1)
        fprintf(out, "%s: ", program);
    fprintf(out, "INCONCLUSIVE (%s): %s\n", report_gap(report_halt_gap()),
            why->text);
}
