#include "frontend/check/check_report.h"

#include "frontend/check/check_view.h"
#include "frontend/check/check_why.h"
#include "frontend/explain/explain_text.h"
#include "frontend/report/report_text.h"
#include "frontend/report/witness.h"
#include "frontend/report/witness_text.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static const char *color_of(const struct check *c, bool color)
{
    if (!color)
        return "";
    switch (c->verdict) {
    case CHECK_SOUND:
        return "\033[1;32m";
    case CHECK_MISCOMPILED:
    case CHECK_UNDEFINED:
        return "\033[1;31m";
    case CHECK_INCONCLUSIVE:
        break;
    }
    return "\033[1;33m";
}

static void print_verdict(const struct check *c, bool color, FILE *out)
{
    fprintf(out, "%s%s", color_of(c, color), check_verdict_name(c->verdict));
    if (c->verdict == CHECK_INCONCLUSIVE)
        fprintf(out, " (%s)", report_gap(c->gap));
    fprintf(out, "%s: %s\n", color ? "\033[0m" : "", c->reason);
}

static void print_model(const struct model *m, FILE *out)
{
    fprintf(out, "%s", m->name);
    if (m->title && m->title[0])
        fprintf(out, " (%s)", m->title);
    fputc('\n', out);
}

static void print_counts(const char *side, const struct explore *x, FILE *out)
{
    fprintf(out, "%-11s %" PRIu64 " executions, %" PRIu64 " blocked\n", side,
            x->executions, x->blocked);
}

static void print_head(const struct check *c, FILE *out)
{
    const struct target *t = &c->target->subject.target;
    char name[CHECK_NAME_BYTES];
    check_print_name(c, name, sizeof name);
    fprintf(out, "program     %s", name);
    for (uint32_t i = 1; i < c->options->n_files; i++)
        fprintf(out, " %s", c->options->operands[i]);
    fputc('\n', out);
    fprintf(out, "source      ");
    print_model(&c->source->model, out);
    if (c->language)
        fprintf(out, "            model %s: the program includes <%s>\n",
                c->language->model, c->language->header);
    if (!c->target->explored)
        return;
    fprintf(out, "machine     ");
    print_model(&c->target->model, out);
    fprintf(out, "target      %s", c->isa->name);
    if (t->compiler[0])
        fprintf(out, ", %s", t->compiler);
    fprintf(out, "%s%s\n", t->flags[0] ? ", " : "", t->flags);
    if (c->mapping)
        fprintf(out, "mapping     %s\n", t->mapping);
}

/* One outcome with the number of executions on both sides; 0 shows as a dash:
 * not possible there. */
static void print_outcome(const struct check_row *r, FILE *out)
{
    char count[2][24] = {"-", "-"};
    if (r->source)
        snprintf(count[0], sizeof count[0], "%" PRIu64, r->source);
    if (r->machine)
        snprintf(count[1], sizeof count[1], "%" PRIu64, r->machine);
    fprintf(out, "  %8s %8s  %s%s%s\n", count[0], count[1],
            r->text[0] ? r->text : "(nothing written)",
            r->extra ? "   <- " : "",
            r->extra ? check_extra_text(r->extra) : "");
}

static void print_missing(const struct check *c, FILE *out)
{
    if (c->kept)
        fprintf(out,
                "kept        %s: static, left out by the compiler; sound "
                "without, and compiled once\n"
                "            more so that the value is seen\n",
                c->kept);
    if (c->compare.missing && c->compare.missing[0])
        fprintf(out, "not compared: %s: static, no copy in the machine code\n",
                c->compare.missing);
}

static void print_outcomes(const struct check *c, FILE *out)
{
    uint64_t limit = c->options->outcomes, shown = 0;
    uint32_t n;
    struct check_row *rows = check_rows_new(c, &n);
    uint64_t n_extra = 0, extras = 0;
    for (uint32_t i = 0; i < n; i++)
        n_extra += rows[i].extra != NULL;
    if (limit && n_extra > limit)
        n_extra = limit;
    fprintf(out, "outcomes    source  machine\n");
    for (uint32_t i = 0; i < n; i++) {
        /* What may be wrong comes before the rest, which has what is left. */
        bool is_shown =
            !limit || (rows[i].extra ? extras < n_extra
                                     : shown - extras < limit - n_extra);
        if (!is_shown)
            continue;
        print_outcome(&rows[i], out);
        shown++;
        extras += rows[i].extra != NULL;
    }
    if (shown < n)
        fprintf(out, "     ...  %" PRIu64 " more (--outcomes=0 shows all)\n",
                n - shown);
    free(rows);
}

/* Of a model that does not fit, a program that reads what was not written, ...
 */
static void print_warnings(const struct explore *x, FILE *out)
{
    char text[1000];
    for (uint32_t i = 0; i < x->n_warnings; i++) {
        check_print_warning(x, i, text, sizeof text);
        fprintf(out, "warning     %s\n", text);
    }
}

static void print_failures(const struct check *c, FILE *out)
{
    const struct explore *x = &c->source->explore;
    char text[900];
    for (uint32_t i = 0; i < x->n_violations; i++) {
        compare_violation(x, &x->violations[i], text, sizeof text);
        fprintf(out, "note        the source itself can fail: %s\n", text);
    }
    for (uint32_t i = 0; i < c->n_extras; i++)
        if (c->extras[i].violation != UINT32_MAX)
            fprintf(out, "            only in the machine code%s: %s\n",
                    c->extras[i].open
                        ? " and not in the part of the source that was explored"
                        : "",
                    c->extras[i].text);
}

static void print_buffering(const struct check *c, FILE *out)
{
    if (c->n_buffering)
        fprintf(out,
                "LOAD-BUFFERING: %u outcome%s need%s a write to come before "
                "an earlier read of its\n"
                "            thread, in a cycle; %s forbids this wholesale, "
                "machines only along\n"
                "            dependencies (--lb=error makes it an error)\n",
                c->n_buffering, c->n_buffering == 1 ? "" : "s",
                c->n_buffering == 1 ? "s" : "", c->source->model.name);
}

/* "T1 prog.c:12 W x = 1 (rel)", as the witness has it. */
static void print_step_end(const struct witness *w, event_id e, FILE *out)
{
    char text[200], name[16], place[200];
    witness_text(w, e, text, sizeof text);
    witness_name(w, e, name, sizeof name);
    report_short_place(w->program, witness_place(w, e), place, sizeof place);
    fprintf(out, "%s: %s  [%s%s%s]", name, text, place,
            witness_instruction(w, e)[0] ? ": " : "",
            witness_instruction(w, e));
}

/* The row of the mapping that a source access went by; nothing if the compiler
 * chose. */
static void print_map_row(const struct check *c, const struct check_why *why,
                          event_id e, FILE *out)
{
    struct check_map_row row;
    if (check_map_row(c, why, e, &row))
        fprintf(out, "      %s is: %s   (%s)\n", row.key, row.text, row.place);
}

/* What stands between the ends of a step on the machine. */
static void print_between(const struct witness *w, const struct check_step *s,
                          FILE *out)
{
    const struct graph *g = w->graph;
    uint32_t n = 0;
    for (event_id e = g->events[s->machine[0]].po_next;
         e != EVENT_NONE && e != s->machine[1]; e = g->events[e].po_next)
        if (g->events[e].kind == LABEL_FENCE)
            fprintf(out, "%s%s", n++ ? ", " : "      between them only: ",
                    witness_instruction(w, e));
    if (n)
        fputc('\n', out);
}

static void print_step(const struct check *c, const struct check_why *why,
                       const struct check_step *s, const struct witness *w,
                       FILE *out)
{
    fprintf(out, "    ");
    print_step_end(w, s->machine[0], out);
    fprintf(out, "\n      before ");
    print_step_end(w, s->machine[1], out);
    fputc('\n', out);
    print_between(w, s, out);
    for (event_id e = s->source[0]; e != EVENT_NONE;
         e = check_step_next(why, s, e))
        print_map_row(c, why, e, out);
}

static void print_culprits(const struct check *c, const struct check_extra *e,
                           FILE *out)
{
    const struct check_why *why = e->why;
    const struct explore *x = &c->target->explore;
    struct witness w;
    uint32_t n = 0;
    witness_init(&w, &x->kept[e->kept], &x->path, x->program);
    for (uint32_t i = 0; i < why->n_steps; i++) {
        if (!check_step_is_shown(why, &why->steps[i]))
            continue;
        if (n++ == 0)
            fprintf(
                out, "  The machine does not keep %s:\n",
                why->n_culprits == 1 ? "this order; a full fence there would "
                                       "forbid the execution"
                : why->n_culprits ? "these orders; a full fence in each would "
                                    "forbid the execution"
                                  : "all of these orders");
        print_step(c, why, &why->steps[i], &w, out);
    }
    witness_release(&w);
}

/* Accesses of the cycle that the machine code does not have; `w` is of the
 * source. */
static void print_lacking(const struct check *c, const struct check_why *why,
                          const struct witness *w, FILE *out)
{
    const struct broken *broken = &why->explanation.why;
    uint32_t n = 0;
    for (uint32_t i = 0; i < broken->n; i++) {
        if (!check_why_lacks(why, i))
            continue;
        if (n++ == 0)
            fprintf(out, "  The machine code has no such access there:\n");
        fprintf(out, "    ");
        print_step_end(w, broken->cycle[i], out);
        fputc('\n', out);
        print_map_row(c, why, broken->cycle[i], out);
    }
}

static void print_why(const struct check *c, const struct check_extra *e,
                      bool color, FILE *out)
{
    const struct explanation *x = &e->why->explanation;
    struct witness w;
    if (!x->has_graph) {
        fprintf(out, "  No execution of the source could have it: %s\n",
                x->is_cut ? x->cut_text : "no rf and co at all give it");
        return;
    }
    fprintf(out,
            "\n  The source forbids it. The nearest execution there, under "
            "%s:\n",
            c->source->model.name);
    witness_init(&w, &x->graph, &x->x.path, &c->source->subject.program);
    witness_text_rows(&w, NULL, color, out);
    explain_text_cycle(&w, &x->why, out);
    print_lacking(c, e->why, &w, out);
    witness_release(&w);
    print_culprits(c, e, out);
}

static void print_witness(const struct check *c, const struct check_extra *e,
                          bool color, FILE *out)
{
    const struct explore *x = &c->target->explore;
    struct witness w;
    fprintf(out, "\n%s%s%s\n", color ? "\033[1;31m" : "", e->text,
            color ? "\033[0m" : "");
    fprintf(out, "  The machine code does it so, under %s:\n",
            c->target->model.name);
    witness_init(&w, check_extra_graph(c, e), &x->path, x->program);
    witness_text_rows(&w, check_extra_violation(c, e), color, out);
    witness_release(&w);
    if (e->why)
        print_why(c, e, color, out);
}

/* The first one; all that were looked into with --verbose. */
static void print_witnesses(const struct check *c, bool color, FILE *out)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < c->n_extras && n < CHECK_EXPLAINED; i++) {
        const struct check_extra *e = &c->extras[i];
        bool shown = check_extra_is_shown(e);
        if (!shown || (n > 0 && !c->options->verbose))
            continue;
        print_witness(c, e, color, out);
        n++;
    }
    if (n)
        fputc('\n', out);
}

void check_report_print(const struct check *c, bool color, FILE *out)
{
    if (c->options->quiet) {
        print_verdict(c, color, out);
        return;
    }
    print_head(c, out);
    print_verdict(c, color, out);
    print_warnings(&c->source->explore, out);
    if (!c->target->explored)
        return;
    print_warnings(&c->target->explore, out);
    print_failures(c, out);
    print_outcomes(c, out);
    print_missing(c, out);
    print_buffering(c, out);
    if (c->verdict == CHECK_MISCOMPILED)
        print_witnesses(c, color, out);
    print_counts("source", &c->source->explore, out);
    print_counts("machine", &c->target->explore, out);
    fprintf(out, "time        %.2f s source, %.2f s machine code\n",
            c->source->explore.seconds, c->seconds);
}

/* ---- several checks */

static const char *row_name(const struct check_table *t, const char *path,
                            const char *entry, char buf[CHECK_NAME_BYTES])
{
    if (!entry)
        return path;
    if (!t->has_paths)
        return entry;
    snprintf(buf, CHECK_NAME_BYTES, "%s:%s", path, entry);
    return buf;
}

/* In characters, of UTF-8. */
static int width_of(const char *text)
{
    int n = 0;
    for (; *text; text++)
        n += (*text & 0xc0) != 0x80;
    return n;
}

void check_table_expect(struct check_table *t, const char *path,
                        const char *entry)
{
    char buf[CHECK_NAME_BYTES];
    int width = width_of(row_name(t, path, entry, buf));
    if (width > t->width)
        t->width = width;
}

static void print_name(const struct check_table *t, const char *name)
{
    fprintf(t->out, "%s%*s", name,
            t->width > width_of(name) ? t->width - width_of(name) : 0, "");
}

void check_table_row(struct check_table *t, const struct check *c)
{
    char buf[CHECK_NAME_BYTES];
    check_table_expect(t, "program", NULL);
    if (!t->has_head) {
        print_name(t, "program");
        fprintf(t->out, " %-8s %7s %7s  %s\n", "target", "source", "machine",
                "verdict");
    }
    t->has_head = true;
    print_name(t, row_name(t, c->path, c->entry, buf));
    fprintf(t->out, " %-8s %7u %7u  ", c->isa->name, c->outcomes[0].n,
            c->outcomes[1].n);
    if (c->verdict != CHECK_SOUND)
        print_verdict(c, t->color, t->out);
    else
        fprintf(t->out, "%sSOUND%s%s\n", color_of(c, t->color),
                t->color ? "\033[0m" : "",
                c->n_buffering ? " (and LOAD-BUFFERING)" : "");
}

void check_table_end(const struct check_table *t)
{
    static const char *const words[] = {[CHECK_SOUND] = "sound",
                                        [CHECK_MISCOMPILED] = "miscompiled",
                                        [CHECK_UNDEFINED] = "violation",
                                        [CHECK_INCONCLUSIVE] = "inconclusive"};
    const struct check_counts *n = &t->counts;
    uint32_t all = check_counts_all(n);
    const char *comma = ": ";
    fprintf(t->out, "%" PRIu32 " check%s", all, all == 1 ? "" : "s");
    for (int i = 0; i <= CHECK_INCONCLUSIVE; i++) {
        if (!n->n[i])
            continue;
        fprintf(t->out, "%s%" PRIu32 " %s%s", comma, n->n[i], words[i],
                i == CHECK_UNDEFINED && n->n[i] > 1 ? "s" : "");
        if (i == CHECK_SOUND && n->n_buffering)
            fprintf(t->out, " (%" PRIu32 " with load buffering)",
                    n->n_buffering);
        comma = ", ";
    }
    if (n->n_errors)
        fprintf(t->out, "%s%" PRIu32 " error%s", comma, n->n_errors,
                n->n_errors == 1 ? "" : "s");
    fputc('\n', t->out);
}
