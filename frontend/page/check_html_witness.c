/* One outcome in the page: both graphs, the cycle edge by edge, the order that
 * is missing, and which instructions each line became. */
#include "frontend/check/check_view.h"
#include "frontend/check/check_why.h"
#include "frontend/page/check_html.h"
#include "frontend/page/check_svg.h"
#include "frontend/report/report.h"

#include <inttypes.h>
#include <string.h>

#define MARKS_MAX 64

/* One extra outcome, both executions made ready. */
struct page {
    const struct check *check;
    const struct check_extra *extra;
    const struct explanation *x; /* of the source; NULL: there is no graph */
    struct witness source, machine;
    const struct html_sources *sources;
};

static uint32_t line_of(const struct witness *w, event_id e)
{
    place_id place = witness_place(w, e);
    return place < w->program->n_places ? w->program->places[place].line : 0;
}

/* The user's file that e is in; NULL: none. */
static struct html_source *file_of(const struct page *p,
                                   const struct witness *w, event_id e)
{
    place_id place = witness_place(w, e);
    if (place >= w->program->n_places)
        return NULL;
    return html_find_source(p->sources,
                            w->program->texts[w->program->places[place].file]);
}

/* ---- pictures */

static uint32_t source_marks(const struct page *p, struct svg_mark *marks)
{
    const struct broken *why = &p->x->why;
    bool is_pair = why->n == 2 && !why->edge[1][0];
    uint32_t n = 0;
    for (; n < why->n - is_pair && n < MARKS_MAX; n++)
        marks[n] = (struct svg_mark){
            why->cycle[n], why->cycle[(n + 1) % why->n], why->edge[n], false};
    return n;
}

/* The step that edge i of the source's cycle is part of; NULL: none. */
static const struct check_step *step_of(const struct check_why *why, uint32_t i)
{
    return why->step_of[i] < why->n_steps ? &why->steps[why->step_of[i]] : NULL;
}

/* The source's cycle in the machine's execution, with the step that is no order
 * there; without one, why it is no interleaving. */
static uint32_t machine_marks(const struct page *p, struct svg_mark *marks)
{
    uint32_t n = 0;
    for (uint32_t i = 0; p->x && i < p->x->why.n && i < MARKS_MAX; i++) {
        const struct broken *cycle = &p->x->why;
        const struct check_why *why = p->extra->why;
        const struct check_step *s = step_of(why, i);
        if (!s)
            marks[n++] = (struct svg_mark){why->machine[i],
                                           why->machine[(i + 1) % cycle->n],
                                           cycle->edge[i], false};
        else if (s->source[0] == cycle->cycle[i]) /* its first edge */
            marks[n++] = (struct svg_mark){
                s->machine[0], s->machine[1],
                check_step_is_shown(why, s) ? "no order" : "po",
                check_step_is_shown(why, s)};
    }
    if (p->x)
        return n;
    event_id cycle[16];
    const char *edges[16];
    n = witness_find_cycle(&p->machine, cycle, edges, 16);
    for (uint32_t i = 0; i < n; i++)
        marks[i] =
            (struct svg_mark){cycle[i], cycle[(i + 1) % n], edges[i], false};
    return n;
}

static void print_picture(const struct page *p, const struct witness *w,
                          const struct svg_mark *marks, uint32_t n, FILE *out)
{
    bool machine = w == &p->machine;
    char id[60];
    snprintf(id, sizeof id, "g%" PRIu32 "-%td-%c", p->sources->number,
             p->extra - p->check->extras, machine ? 'm' : 's');
    struct svg_options options = {.title = machine
                                               ? "execution of the machine code"
                                               : "execution of the source",
                                  .id = id};
    svg_print(w, marks, n, &options, out);
}

static void print_figures(const struct page *p, FILE *out)
{
    struct svg_mark marks[MARKS_MAX];
    uint32_t n;
    fprintf(out, "<div class=\"pair%s\">\n", p->x ? "" : " one");
    if (p->x) {
        fputs("<figure class=\"source\"><figcaption><b>Source</b>: forbidden "
              "by ",
              out);
        html_text(p->check->source->model.name, out);
        fputs("; the nearest execution</figcaption>\n", out);
        n = source_marks(p, marks);
        print_picture(p, &p->source, marks, n, out);
        fputs("</figure>\n", out);
    }
    fprintf(out,
            "<figure class=\"machine\"><figcaption><b>Machine code</b> "
            "(%s): allowed by ",
            p->check->isa->name);
    html_text(p->check->target->model.name, out);
    fputs("</figcaption>\n", out);
    n = machine_marks(p, marks);
    print_picture(p, &p->machine, marks, n, out);
    fputs("</figure>\n</div>\n"
          "<p class=\"legend\"><b class=\"po\">↓ program order</b> "
          "<b class=\"rf\">rf: is read by</b> <b class=\"co\">co: is "
          "overwritten by</b> <b class=\"fr\">fr: read before</b> "
          "<b class=\"dep\">addr, data, ctrl: dependencies</b> "
          "<b class=\"cycle\">the cycle</b> <b class=\"culprit\">an order that "
          "the machine does not keep</b> A dot: the initial value. Variables "
          "that only one thread uses are left out. The boxes above a graph "
          "switch relations on and off; point at an event, or go to it with "
          "Tab, for its own edges.</p>\n",
          out);
}

/* ---- the cycle */

static void print_event(const struct witness *w, event_id e, FILE *out)
{
    char name[16], text[300] = "initial write", thread[16] = "";
    witness_name(w, e, name, sizeof name);
    if (e < w->graph->cap) {
        witness_text(w, e, text, sizeof text);
        witness_thread(w, w->graph->events[e].thread, thread, sizeof thread);
    }
    fprintf(out, "<b>%s</b>: ", name);
    html_text(text, out);
    if (thread[0])
        fprintf(out, " <span class=\"dim\">%s</span>", thread);
}

static void print_line(const struct page *p, const struct witness *w,
                       event_id e, FILE *out)
{
    char place[200] = "";
    if (e < w->graph->cap)
        report_short_place(w->program, witness_place(w, e), place,
                           sizeof place);
    html_text(place, out);
    const struct html_source *file =
        e < w->graph->cap ? file_of(p, w, e) : NULL;
    if (file) {
        fputs(" <code class=\"dim\">", out);
        html_text(html_source_line(file, line_of(w, e)), out);
        fputs("</code>", out);
    }
}

static void print_cycle(const struct page *p, FILE *out)
{
    const struct broken *why = &p->x->why;
    bool is_pair = why->n == 2 && !why->edge[1][0];
    if (why->n == 0)
        return;
    fputs("<h3>Why the source forbids it</h3>\n<p class=\"axiom\">It breaks "
          "the axiom <code>",
          out);
    html_text(why->axiom, out);
    fputs("</code> (", out);
    html_text(why->kind, out);
    fputs(") of ", out);
    html_text(p->check->source->model.name, out);
    fputs(":</p>\n<div class=\"scroll\"><table class=\"cycle-table\"><tr>"
          "<th>from</th><th>relation</th><th>to</th><th>line</th></tr>\n",
          out);
    for (uint32_t i = 0; i < why->n - is_pair; i++) {
        event_id a = why->cycle[i], b = why->cycle[(i + 1) % why->n];
        const struct check_step *s = step_of(p->extra->why, i);
        fprintf(out, "<tr%s><td class=\"m\">",
                s && check_step_is_shown(p->extra->why, s) ? " class=\"bad\""
                                                           : "");
        print_event(&p->source, a, out);
        fputs("</td><td class=\"m\">", out);
        html_text(why->edge[i], out);
        fputs("</td><td class=\"m\">", out);
        print_event(&p->source, b, out);
        fputs("</td><td>", out);
        print_line(p, &p->source, a, out);
        fputs("</td></tr>\n", out);
    }
    fputs("</table></div>\n", out);
}

/* ---- the order that is missing */

static void print_end(const struct page *p, event_id e, FILE *out)
{
    fputs("<code>", out);
    print_event(&p->machine, e, out);
    fputs("</code>, <code>", out);
    html_text(witness_instruction(&p->machine, e), out);
    fputs("</code>, ", out);
    print_line(p, &p->machine, e, out);
}

static void print_between(const struct page *p, const struct check_step *s,
                          FILE *out)
{
    const struct graph *g = p->machine.graph;
    uint32_t n = 0;
    for (event_id e = g->events[s->machine[0]].po_next;
         e != EVENT_NONE && e != s->machine[1]; e = g->events[e].po_next) {
        if (g->events[e].kind != LABEL_FENCE)
            continue;
        fputs(n++ ? ", " : "<br/>Between them only: <code>", out);
        html_text(witness_instruction(&p->machine, e), out);
    }
    fputs(n ? "</code>" : "<br/>No fence is between them.", out);
}

static void print_map_row(const struct page *p, event_id e, FILE *out)
{
    struct check_map_row row;
    if (!check_map_row(p->check, p->extra->why, e, &row))
        return;
    fputs("<br/><span class=\"map\">Mapping: ", out);
    html_text(row.key, out);
    fputs(" is <code>", out);
    html_text(row.text, out);
    fputs("</code> <span class=\"dim\">(", out);
    html_text(row.place, out);
    fputs(")</span></span>", out);
}

static void print_step(const struct page *p, const struct check_step *s,
                       FILE *out)
{
    fputs("<div class=\"missing\">", out);
    print_end(p, s->machine[0], out);
    fputs("<br/>before ", out);
    print_end(p, s->machine[1], out);
    print_between(p, s, out);
    for (event_id e = s->source[0]; e != EVENT_NONE;
         e = check_step_next(p->extra->why, s, e))
        print_map_row(p, e, out);
    fputs("</div>\n", out);
}

static void print_culprits(const struct page *p, FILE *out)
{
    const struct check_why *why = p->extra->why;
    uint32_t n = 0;
    for (uint32_t i = 0; i < why->n_steps; i++) {
        if (!check_step_is_shown(why, &why->steps[i]))
            continue;
        if (n++ == 0)
            fprintf(
                out, "<p>The machine does not keep %s.</p>\n",
                why->n_culprits == 1 ? "this order; a full fence there would "
                                       "forbid the execution"
                : why->n_culprits ? "these orders; a full fence in each would "
                                    "forbid the execution"
                                  : "all of these orders");
        print_step(p, &why->steps[i], out);
    }
}

/* Accesses of the cycle that the machine code does not have. */
static void print_lacking(const struct page *p, FILE *out)
{
    const struct check_why *why = p->extra->why;
    const struct broken *broken = &why->explanation.why;
    for (uint32_t i = 0; i < broken->n; i++) {
        if (!check_why_lacks(why, i))
            continue;
        fputs("<div class=\"missing lacking\">No such access: <code>", out);
        print_event(&p->source, broken->cycle[i], out);
        fputs("</code>, ", out);
        print_line(p, &p->source, broken->cycle[i], out);
        print_map_row(p, broken->cycle[i], out);
        fputs("</div>\n", out);
    }
}

/* ---- source line, instruction, event */

static bool is_listed(const struct event *e)
{
    return e->kind == LABEL_READ || e->kind == LABEL_WRITE ||
           e->kind == LABEL_FENCE;
}

static bool is_in_cycle(const struct page *p, event_id e)
{
    for (uint32_t i = 0; p->x && i < p->x->why.n; i++)
        if (p->x->why.cycle[i] == e)
            return true;
    return false;
}

/* The source's events of a line, with a break between them. */
static void print_source_events(const struct page *p, thread_id t,
                                uint32_t line, FILE *out)
{
    const struct graph *g = p->source.graph;
    uint32_t n = 0;
    for (uint32_t i = 0; p->x && i < p->source.n; i++) {
        event_id e = p->source.rows[i];
        if (g->events[e].thread != t || !is_listed(&g->events[e]) ||
            line_of(&p->source, e) != line)
            continue;
        fputs(n++ ? "<br/>" : "", out);
        char name[16], text[300];
        witness_name(&p->source, e, name, sizeof name);
        witness_text(&p->source, e, text, sizeof text);
        fprintf(out, "<b>%s</b>: ", name);
        html_text(text, out);
    }
}

static bool is_hot_line(const struct page *p, thread_id t, uint32_t line)
{
    for (uint32_t i = 0; p->x && i < p->source.n; i++) {
        event_id e = p->source.rows[i];
        if (p->source.graph->events[e].thread == t &&
            line_of(&p->source, e) == line && is_in_cycle(p, e))
            return true;
    }
    return false;
}

/* The event after e in its thread that belongs into the table. */
static event_id next_listed(const struct graph *g, event_id e)
{
    while (e != EVENT_NONE && !is_listed(&g->events[e]))
        e = g->events[e].po_next;
    return e;
}

/* One row: events from e on that are of one line; returns the one after. */
static event_id print_table_row(const struct page *p, thread_id t, event_id e,
                                FILE *out)
{
    const struct graph *g = p->machine.graph;
    uint32_t line = line_of(&p->machine, e);
    char name[16], text[300];
    witness_thread(&p->machine, t, name, sizeof name);
    fprintf(out, "<tr%s><td>%s</td><td>",
            is_hot_line(p, t, line) ? " class=\"hot\"" : "", name);
    print_line(p, &p->machine, e, out);
    fputs("</td><td class=\"m\">", out);
    print_source_events(p, t, line, out);
    fputs("</td><td class=\"m\">", out);
    event_id end = e;
    for (uint32_t n = 0; end != EVENT_NONE && line_of(&p->machine, end) == line;
         end = next_listed(g, g->events[end].po_next)) {
        fputs(n++ ? "<br/>" : "", out);
        html_text(witness_instruction(&p->machine, end), out);
    }
    fputs("</td><td class=\"m\">", out);
    for (event_id f = e; f != end; f = next_listed(g, g->events[f].po_next)) {
        witness_name(&p->machine, f, name, sizeof name);
        witness_text(&p->machine, f, text, sizeof text);
        fprintf(out, "%s<b>%s</b>: ", f == e ? "" : "<br/>", name);
        html_text(text, out);
    }
    fputs("</td></tr>\n", out);
    return end;
}

static void print_table(const struct page *p, FILE *out)
{
    const struct graph *g = p->machine.graph;
    fprintf(out,
            "<h3>Line, instruction, event</h3>\n<div class=\"scroll\"><table "
            "class=\"events\"><tr><th>thread</th><th>line</th><th>source "
            "event</th><th>%s instruction</th><th>machine event</th></tr>\n",
            p->check->isa->name);
    for (thread_id t = 0; t < g->n_threads; t++) {
        event_id e = next_listed(g, g->threads[t].first);
        while (e != EVENT_NONE)
            e = print_table_row(p, t, e, out);
    }
    fputs("</table></div>\n", out);
}

static void mark_lines(const struct page *p)
{
    for (uint32_t i = 0; p->x && i < p->x->why.n; i++) {
        event_id e = p->x->why.cycle[i];
        struct html_source *file =
            e < p->source.graph->cap ? file_of(p, &p->source, e) : NULL;
        uint32_t line = file ? line_of(&p->source, e) : 0;
        if (line > 0 && line <= file->n)
            file->hot[line - 1] = true;
    }
}

void check_html_witness(const struct check *c, const struct check_extra *e,
                        const struct html_sources *sources, FILE *out)
{
    const struct graph *g = check_extra_graph(c, e);
    const struct explanation *x = e->why ? &e->why->explanation : NULL;
    struct page p = {.check = c, .extra = e, .sources = sources};
    if (!g)
        return;
    witness_init(&p.machine, g, &c->target->explore.path,
                 c->target->explore.program);
    if (x && x->has_graph) {
        p.x = x;
        witness_init(&p.source, &x->graph, &x->x.path,
                     &c->source->subject.program);
    }
    fprintf(out, "<section class=\"witness\">\n<h2>%s <code>",
            e->stuck                     ? "Termination:"
            : e->violation == UINT32_MAX ? "Outcome"
                                         : "Failure");
    html_text(e->text, out);
    fputs("</code></h2>\n", out);
    if (x && !x->has_graph) {
        fputs("<p>No execution of the source could have it: ", out);
        html_text(x->is_cut ? x->cut_text : "no rf and co at all give it", out);
        fputs("</p>\n", out);
    }
    print_figures(&p, out);
    if (p.machine.interleaved)
        fputs("<p>The machine code's execution is an interleaving of its "
              "threads: no weak memory is needed.</p>\n",
              out);
    if (p.x) {
        print_cycle(&p, out);
        fputs("<h3>What the machine code lacks</h3>\n", out);
        print_lacking(&p, out);
        print_culprits(&p, out);
    }
    print_table(&p, out);
    mark_lines(&p);
    fputs("</section>\n", out);
    witness_release(&p.machine);
    if (p.x)
        witness_release(&p.source);
}
