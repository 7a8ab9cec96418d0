#include "frontend/report_dot.h"

#include "frontend/report.h"
#include "frontend/witness.h"

#include <inttypes.h>
#include <string.h>

/* Between quotes: escapes quotes and backslashes, drops control characters. */
static void print_quoted(const char *text, FILE *out)
{
    for (; *text; text++) {
        if (*text == '"' || *text == '\\')
            fputc('\\', out);
        if ((unsigned char)*text >= ' ')
            fputc(*text, out);
    }
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

static void print_node(const struct witness *w, event_id e, bool bad, FILE *out)
{
    char name[16], text[300], place[200];

    witness_name(w, e, name, sizeof(name));
    witness_short_text(w, e, text, sizeof(text));
    report_short_place(w->program, witness_place(w, e), place, sizeof(place));
    fprintf(out, "    e%" PRIu32 " [label=\"%s: ", e, name);
    print_quoted(text, out);
    if (witness_instruction(w, e)[0]) {
        fputs("\\n", out);
        print_quoted(witness_instruction(w, e), out);
    }
    fprintf(out, "\"%s", bad ? ", style=filled, fillcolor=\"#ffd0d0\"" : "");
    if (place[0]) {
        fprintf(out, ", tooltip=\"");
        print_quoted(place, out);
        fputc('"', out);
    }
    fprintf(out, "];\n");
}

/* The text that a thread stands at when it failed, below its events. */
static void print_failure(const struct witness *w, const struct violation *v,
                          thread_id t, FILE *out)
{
    event_id last = w->graph->threads[t].last;

    if (!v || v->thread != t || report_has_conflict(v))
        return;
    fprintf(out, "    failure [style=filled, fillcolor=\"#ffd0d0\", label=\"");
    print_quoted(w->program->texts[v->text], out);
    fprintf(out, "\"];\n");
    if (last != EVENT_NONE)
        fprintf(out, "    e%" PRIu32 " -> failure [weight=100];\n", last);
}

static void print_thread(const struct witness *w, const struct violation *v,
                         thread_id t, FILE *out)
{
    char name[16];

    witness_thread(w, t, name, sizeof(name));
    fprintf(out,
            "  subgraph cluster_%" PRIu32 " {\n"
            "    label=\"%s\"; color=\"#a0a0a0\"; fontcolor=\"#606060\";\n",
            t, name);
    for (uint32_t i = 0; i < w->n; i++) {
        event_id e = w->rows[i];
        const struct event *ev = &w->graph->events[e];

        if (ev->thread != t)
            continue;
        print_node(w, e, is_bad(v, e), out);
        if (ev->po_prev != EVENT_NONE)
            fprintf(out, "    e%" PRIu32 " -> e%" PRIu32 " [weight=100];\n",
                    ev->po_prev, e);
    }
    print_failure(w, v, t, out);
    fprintf(out, "  }\n");
}

/* Initial writes are no events; one node a location stands for that which some
 * edge needs. */
static void print_edge(event_id from, event_id to, loc_id loc, const char *name,
                       const char *color, FILE *out)
{
    fputs("  ", out);
    if (from == EVENT_INIT)
        fprintf(out, "init%" PRIu32, loc);
    else
        fprintf(out, "e%" PRIu32, from);
    fprintf(out,
            " -> e%" PRIu32 " [label=\"%s\", color=\"%s\", fontcolor=\"%s\", "
            "constraint=false];\n",
            to, name, color, color);
}

static void print_thread_edges(const struct witness *w, event_id e, FILE *out)
{
    const struct event *ev = &w->graph->events[e];
    const struct graph_thread *threads = w->graph->threads;
    event_id create = threads[ev->thread].create;

    if (ev->po_prev == EVENT_NONE && create != EVENT_NONE &&
        witness_shows(w, w->graph->events[create].thread))
        fprintf(out, "  e%" PRIu32 " -> e%" PRIu32 " [style=dashed];\n", create,
                e);
    if (ev->kind == LABEL_JOIN) {
        thread_id child = witness_label(w, e)->loc;

        if (child < w->graph->n_threads && threads[child].last != EVENT_NONE)
            fprintf(out, "  e%" PRIu32 " -> e%" PRIu32 " [style=dashed];\n",
                    threads[child].last, e);
    }
}

static void print_edges(const struct witness *w, FILE *out)
{
    const struct graph *g = w->graph;

    for (uint32_t i = 0; i < w->n; i++) {
        event_id e = w->rows[i], next;
        const struct event *ev = &g->events[e];

        print_thread_edges(w, e, out);
        /* co from the initial write says nothing that the eye needs. */
        if (ev->kind == LABEL_WRITE && ev->co_prev < g->cap)
            print_edge(ev->co_prev, e, ev->loc, "co", "blue", out);
        if (ev->kind != LABEL_READ || ev->rf == EVENT_NONE)
            continue;
        print_edge(ev->rf, e, ev->loc, "rf", "red", out);
        next = ev->rf == EVENT_INIT ? g->locs[ev->loc].co_first
                                    : g->events[ev->rf].co_next;
        if (next != EVENT_NONE && next != ev->rmw)
            print_edge(e, next, ev->loc, "fr", "#ffa040", out);
    }
}

static void print_initial_writes(const struct witness *w, FILE *out)
{
    for (loc_id l = 0; l < w->graph->n_locs; l++) {
        const uint64_t *readers = graph_init_row(w->graph, l);
        const struct location *loc = &w->program->locations.items[l];
        char name[200], value[80];
        bool is_read = false;

        for (uint32_t i = 0; i < w->graph->words; i++)
            is_read = is_read || readers[i];
        if (!is_read)
            continue;
        program_print_location(w->program, l, name, sizeof(name));
        value_text(w->program, loc->init, loc->size, value, sizeof(value));
        fprintf(out, "  init%" PRIu32 " [label=\"init ", l);
        print_quoted(name, out);
        fputc('=', out);
        print_quoted(value, out);
        fprintf(out, "\", fontcolor=\"#606060\"];\n");
    }
}

/* The cycle of a broken axiom, edge by edge. */
static void print_cycle(const struct witness *w, const struct broken *why,
                        FILE *out)
{
    for (uint32_t i = 0; i < why->n; i++) {
        event_id from = why->cycle[i], to = why->cycle[(i + 1) % why->n];

        if (from >= w->graph->cap || to >= w->graph->cap)
            continue;
        fprintf(out, "  e%" PRIu32 " -> e%" PRIu32 " [label=\"", from, to);
        print_quoted(why->edge[i], out);
        fprintf(out, "\", color=\"#c000c0\", fontcolor=\"#c000c0\", "
                     "style=bold, constraint=false];\n");
    }
}

void report_dot_print(const struct graph *g, const struct violation *v,
                      const struct path *path, const struct program *program,
                      const char *title, FILE *out)
{
    struct witness w;

    witness_init(&w, g, path, program);
    fprintf(out, "digraph execution {\n  label=\"");
    print_quoted(title, out);
    fprintf(out, "\"; labelloc=t; fontname=\"Helvetica\"; ranksep=0.3;\n"
                 "  node [shape=plaintext, fontname=\"Helvetica\", height=0.2, "
                 "margin=\"0.05,0.02\"];\n"
                 "  edge [fontname=\"Helvetica\", fontsize=10, "
                 "arrowsize=0.7];\n");
    print_initial_writes(&w, out);
    for (thread_id t = 0; t < g->n_threads; t++)
        if (witness_shows(&w, t))
            print_thread(&w, v, t, out);
    print_edges(&w, out);
    if (v && v->why.kind && strcmp(v->why.kind, "flag") != 0)
        print_cycle(&w, &v->why, out);
    fprintf(out, "}\n");
    witness_release(&w);
}
