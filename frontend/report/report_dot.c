#include "frontend/report/report_dot.h"

#include "frontend/report/report.h"
#include "frontend/report/witness.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* A graph being printed; node names begin with `prefix`. */
struct dot {
    const struct witness *w;
    const struct violation *v; /* or NULL */
    const char *prefix;
    FILE *out;
};

void report_dot_quoted(const char *text, FILE *out)
{
    char *copy = report_utf8_new(text);
    for (const char *c = copy; *c; c++) {
        if (*c == '"' || *c == '\\')
            fputc('\\', out);
        /* "&lt;" would be taken for "<". */
        if (*c == '&')
            fputs("&amp;", out);
        else if ((unsigned char)*c >= ' ')
            fputc(*c, out);
    }
    free(copy);
}

static bool is_bad(const struct violation *v, event_id e)
{
    if (!v)
        return false;
    for (uint32_t i = 0; i < v->why.n && i < 64; i++)
        if (v->why.cycle[i] == e)
            return true;
    return report_has_conflict(v) && (v->events[0] == e || v->events[1] == e);
}

/* Of a broken axiom; a flag has none. */
static bool has_cycle(const struct violation *v)
{
    return v && v->why.kind && strcmp(v->why.kind, "flag") != 0;
}

static void print_node(const struct dot *d, event_id e)
{
    const struct witness *w = d->w;
    FILE *out = d->out;
    char name[16], text[300], place[200];

    witness_name(w, e, name, sizeof(name));
    witness_short_text(w, e, text, sizeof(text));
    report_short_place(w->program, witness_place(w, e), place, sizeof(place));
    fprintf(out, "    %se%" PRIu32 " [label=\"%s: ", d->prefix, e, name);
    report_dot_quoted(text, out);
    if (witness_instruction(w, e)[0]) {
        fputs("\\n", out);
        report_dot_quoted(witness_instruction(w, e), out);
    }
    fprintf(out, "\"%s",
            is_bad(d->v, e) ? ", style=filled, fillcolor=\"#ffd0d0\"" : "");
    if (place[0]) {
        fprintf(out, ", tooltip=\"");
        report_dot_quoted(place, out);
        fputc('"', out);
    }
    fprintf(out, "];\n");
}

/* An arrow between two events. */
static void print_arrow(const struct dot *d, event_id from, event_id to,
                        const char *how)
{
    fprintf(d->out, "  %se%" PRIu32 " -> %se%" PRIu32 " [%s];\n", d->prefix,
            from, d->prefix, to, how);
}

/* The text that a thread stands at when it failed, below its events. */
static void print_failure(const struct dot *d, thread_id t)
{
    const struct violation *v = d->v;
    event_id last = d->w->graph->threads[t].last;

    if (!v || v->thread != t || report_has_conflict(v))
        return;
    fprintf(d->out,
            "    %sfailure [style=filled, fillcolor=\"#ffd0d0\", label=\"",
            d->prefix);
    report_dot_quoted(d->w->program->texts[v->text], d->out);
    fprintf(d->out, "\"];\n");
    if (last != EVENT_NONE)
        fprintf(d->out, "    %se%" PRIu32 " -> %sfailure [weight=100];\n",
                d->prefix, last, d->prefix);
}

static void print_thread(const struct dot *d, thread_id t)
{
    const struct witness *w = d->w;
    char name[16];

    witness_thread(w, t, name, sizeof(name));
    fprintf(d->out,
            "  subgraph cluster_%s%" PRIu32 " {\n"
            "    label=\"%s\"; color=\"#a0a0a0\"; fontcolor=\"#606060\";\n",
            d->prefix, t, name);
    for (uint32_t i = 0; i < w->n; i++) {
        event_id e = w->rows[i];
        const struct event *ev = &w->graph->events[e];

        if (ev->thread != t)
            continue;
        print_node(d, e);
        if (ev->po_prev != EVENT_NONE)
            print_arrow(d, ev->po_prev, e, "weight=100");
    }
    print_failure(d, t);
    fprintf(d->out, "  }\n");
}

/* Is it a step of the cycle, which is drawn for itself? */
static bool is_step(const struct violation *v, event_id from, event_id to)
{
    for (uint32_t i = 0; from != EVENT_INIT && has_cycle(v) && i < v->why.n;
         i++)
        if (v->why.cycle[i] == from && v->why.cycle[(i + 1) % v->why.n] == to)
            return true;
    return false;
}

/* Initial writes are no events; one node a location stands for that which some
 * edge needs.
 *
 * Edges that do not rank their ends have an xlabel: Graphviz fails on a label
 * of an edge between nodes of one rank in different clusters ("trouble in
 * init_rank", "lost edge"). */
static void print_edge(const struct dot *d, event_id from, event_id to,
                       const char *name, const char *color)
{
    if (is_step(d->v, from, to))
        return;
    fprintf(d->out, "  %s", d->prefix);
    if (from == EVENT_INIT)
        fprintf(d->out, "init%" PRIu32, d->w->graph->events[to].loc);
    else
        fprintf(d->out, "e%" PRIu32, from);
    fprintf(d->out,
            " -> %se%" PRIu32
            " [xlabel=\"%s\", color=\"%s\", fontcolor=\"%s\", "
            "constraint=false];\n",
            d->prefix, to, name, color, color);
}

static void print_thread_edges(const struct dot *d, event_id e)
{
    const struct witness *w = d->w;
    const struct event *ev = &w->graph->events[e];
    const struct graph_thread *threads = w->graph->threads;
    event_id create = threads[ev->thread].create;

    if (ev->po_prev == EVENT_NONE && create != EVENT_NONE &&
        witness_shows(w, w->graph->events[create].thread))
        print_arrow(d, create, e, "style=dashed");
    if (ev->kind == LABEL_JOIN) {
        thread_id child = witness_label(w, e)->loc;

        if (child < w->graph->n_threads && threads[child].last != EVENT_NONE)
            print_arrow(d, threads[child].last, e, "style=dashed");
    }
}

static void print_edges(const struct dot *d)
{
    const struct graph *g = d->w->graph;

    for (uint32_t i = 0; i < d->w->n; i++) {
        event_id e = d->w->rows[i], next;
        const struct event *ev = &g->events[e];

        print_thread_edges(d, e);
        /* co from the initial write says nothing that the eye needs. */
        if (ev->kind == LABEL_WRITE && ev->co_prev < g->cap)
            print_edge(d, ev->co_prev, e, "co", "blue");
        if (ev->kind != LABEL_READ || ev->rf == EVENT_NONE)
            continue;
        print_edge(d, ev->rf, e, "rf", "red");
        next = ev->rf == EVENT_INIT ? g->locs[ev->loc].co_first
                                    : g->events[ev->rf].co_next;
        if (next != EVENT_NONE && next != ev->rmw)
            print_edge(d, e, next, "fr", "#ffa040");
    }
}

static void print_initial_writes(const struct dot *d)
{
    const struct witness *w = d->w;

    for (loc_id l = 0; l < w->graph->n_locs; l++) {
        const uint64_t *readers = graph_init_row(w->graph, l);
        const struct location *loc = &w->program->locations.items[l];
        char name[200], value[200];
        bool is_read = false;

        for (uint32_t i = 0; i < w->graph->words; i++)
            is_read = is_read || readers[i];
        if (!is_read)
            continue;
        program_print_location(w->program, l, name, sizeof(name));
        value_text(w->program, loc->init, loc->size, value, sizeof(value));
        fprintf(d->out, "  %sinit%" PRIu32 " [label=\"init ", d->prefix, l);
        report_dot_quoted(name, d->out);
        fputc('=', d->out);
        report_dot_quoted(value, d->out);
        fprintf(d->out, "\", fontcolor=\"#606060\"];\n");
    }
}

/* The cycle of a broken axiom, edge by edge. */
static void print_cycle(const struct dot *d, const struct broken *why)
{
    for (uint32_t i = 0; i < why->n; i++) {
        event_id from = why->cycle[i], to = why->cycle[(i + 1) % why->n];

        if (from >= d->w->graph->cap || to >= d->w->graph->cap)
            continue;
        fprintf(d->out, "  %se%" PRIu32 " -> %se%" PRIu32 " [xlabel=\"",
                d->prefix, from, d->prefix, to);
        report_dot_quoted(why->edge[i], d->out);
        fprintf(d->out, "\", color=\"#c000c0\", fontcolor=\"#c000c0\", "
                        "style=bold, constraint=false];\n");
    }
}

void report_dot_begin(const char *title, FILE *out)
{
    fprintf(out, "digraph execution {\n  label=\"");
    report_dot_quoted(title, out);
    fprintf(out, "\"; labelloc=t; fontname=\"Helvetica\"; ranksep=0.3;\n"
                 "  node [shape=plaintext, fontname=\"Helvetica\", height=0.2, "
                 "margin=\"0.05,0.02\"];\n"
                 "  edge [fontname=\"Helvetica\", fontsize=10, "
                 "arrowsize=0.7];\n");
}

void report_dot_graph(const struct witness *w, const struct violation *v,
                      const char *prefix, FILE *out)
{
    struct dot d = {w, v, prefix, out};

    print_initial_writes(&d);
    for (thread_id t = 0; t < w->graph->n_threads; t++)
        if (witness_shows(w, t))
            print_thread(&d, t);
    print_edges(&d);
    if (has_cycle(v))
        print_cycle(&d, &v->why);
}

void report_dot_print(const struct graph *g, const struct violation *v,
                      const struct path *path, const struct program *program,
                      const char *title, FILE *out)
{
    struct witness w;

    witness_init(&w, g, path, program);
    report_dot_begin(title, out);
    report_dot_graph(&w, v, "", out);
    fprintf(out, "}\n");
    witness_release(&w);
}
