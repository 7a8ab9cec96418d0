#include "frontend/page/check_svg.h"

#include "core/mem.h"
#include "frontend/report/report.h"

#include <stdlib.h>
#include <string.h>

/* In pixels. A character is as wide as in a monospaced font of that size. */
#define BOX_HEIGHT  38.0
#define ROW_HEIGHT  68.0
#define HEAD_HEIGHT 34.0
#define COLUMN_GAP  66.0
#define WIDEST_GAP  170.0
#define MARGIN      14.0
#define PADDING     8.0
#define BIG_CHAR    7.3 /* 12px */

void html_text(const char *text, FILE *out)
{
    char *copy = report_utf8_new(text);
    for (const char *c = copy; *c; c++)
        switch (*c) {
        case '&':
            fputs("&amp;", out);
            break;
        case '<':
            fputs("&lt;", out);
            break;
        case '>':
            fputs("&gt;", out);
            break;
        case '"':
            fputs("&quot;", out);
            break;
        default:
            fputc((unsigned char)*c < ' ' && *c != '\n' ? ' ' : *c, out);
        }
    free(copy);
}

/* ---- what is shown */

static bool is_marked(event_id e, const struct svg_mark *marks, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++)
        if (marks[i].from == e || marks[i].to == e)
            return true;
    return false;
}

static bool is_shared(const struct graph *g, loc_id loc)
{
    const uint64_t *row = graph_loc_row(g, loc);
    thread_id first = THREAD_NONE;
    event_id e;
    row_for_each (e, row, g->words) {
        if (first != THREAD_NONE && g->events[e].thread != first)
            return true;
        first = g->events[e].thread;
    }
    return false;
}

static bool is_access(const struct event *e)
{
    return e->kind == LABEL_READ || e->kind == LABEL_WRITE;
}

/* Fences only where there is something for them to order. */
static void choose_events(struct svg_picture *p, const struct svg_mark *marks,
                          uint32_t n_marks)
{
    const struct witness *w = p->w;
    const struct graph *g = w->graph;
    bool *busy = mem_resize(NULL, g->n_threads + 1);
    memset(busy, 0, g->n_threads + 1);
    p->events = mem_resize(NULL, (w->n + 1) * sizeof *p->events);
    for (int pass = 0; pass < 2; pass++)
        for (uint32_t i = 0; i < w->n; i++) {
            const struct event *e = &g->events[w->rows[i]];
            bool counts = is_marked(w->rows[i], marks, n_marks) ||
                          (is_access(e) && is_shared(g, e->loc));
            busy[e->thread] |= counts;
            if (pass == 1 &&
                (counts || (e->kind == LABEL_FENCE && busy[e->thread])))
                p->events[p->n++] = w->rows[i];
        }
    free(busy);
}

/* ---- boxes */

static void big_text(const struct witness *w, event_id e, char *buf, size_t cap)
{
    char name[16], text[200];
    witness_name(w, e, name, sizeof name);
    witness_short_text(w, e, text, sizeof text);
    snprintf(buf, cap, "%s: %s", name, text);
}

/* The instruction, or else the place in the source. */
static void small_text(const struct witness *w, event_id e, char *buf,
                       size_t cap)
{
    const char *instruction = witness_instruction(w, e);
    if (instruction[0])
        snprintf(buf, cap, "%s", instruction);
    else
        report_short_place(w->program, witness_place(w, e), buf, cap);
}

static void place_boxes(struct svg_picture *p)
{
    const struct graph *g = p->w->graph;
    /* The more events, the more arrows run between the columns. */
    double x = MARGIN, gap = COLUMN_GAP + 2.5 * p->n;
    if (gap > WIDEST_GAP)
        gap = WIDEST_GAP;
    for (thread_id t = 0; t < g->n_threads; t++) {
        double y = HEAD_HEIGHT;
        p->widths[t] = 0;
        for (uint32_t i = 0; i < p->n; i++) {
            event_id e = p->events[i];
            char big[240], small[240];
            if (g->events[e].thread != t)
                continue;
            big_text(p->w, e, big, sizeof big);
            small_text(p->w, e, small, sizeof small);
            double wide = (double)strlen(big) * BIG_CHAR;
            double other = (double)strlen(small) * SVG_SMALL_CHAR;
            wide = (wide > other ? wide : other) + 2 * PADDING;
            p->widths[t] = wide > p->widths[t] ? wide : p->widths[t];
            p->boxes[e] = (struct svg_rectangle){x, y, 0, BOX_HEIGHT};
            y += ROW_HEIGHT;
        }
        p->columns[t] = p->widths[t] > 0 ? x : -1;
        if (p->widths[t] > 0)
            x += p->widths[t] + gap;
        p->height = y > p->height ? y : p->height;
    }
    for (uint32_t i = 0; i < p->n; i++)
        p->boxes[p->events[i]].width =
            p->widths[g->events[p->events[i]].thread];
    p->width = x - gap + MARGIN + gap / 2.0;
    p->height += MARGIN - (ROW_HEIGHT - BOX_HEIGHT);
}

/* ---- edges */

static const char *const names[SVG_KINDS] = {"po",   "rf",   "co",  "fr",
                                             "addr", "data", "ctrl"};

static bool is_shown(const struct svg_picture *p, event_id e)
{
    return e < p->w->graph->cap && p->boxes[e].width > 0;
}

/* The relation without the sets around it, "po" of "[W];po;[R]"; cut to fit. */
static void shorten(const char *full, char *buf, size_t cap)
{
    size_t n = 0;
    int depth = 0;
    for (const char *c = full; *c && n + 4 < cap; c++) {
        depth += *c == '[';
        if (depth == 0 && (*c != ';' || (n && buf[n - 1] != ';')))
            buf[n++] = *c;
        depth -= *c == ']';
    }
    n -= n && buf[n - 1] == ';';
    if (n == 0)
        n = (size_t)snprintf(buf, cap - 3, "%s", full);
    if (n + 4 >= cap)
        n = cap - 4 + (size_t)snprintf(buf + cap - 4, 4, "...");
    buf[n] = '\0';
}

static struct svg_edge *add_edge(struct svg_picture *p, enum svg_edge_kind kind,
                                 event_id from, event_id to, const char *label)
{
    if (p->n_edges == p->edges_cap) {
        p->edges_cap = p->edges_cap * 2 + 16;
        p->edges = mem_resize(p->edges, p->edges_cap * sizeof *p->edges);
    }
    struct svg_edge *edge = &p->edges[p->n_edges];
    *edge = (struct svg_edge){.from = from, .to = to, .kind = kind};
    shorten(label, edge->label, sizeof edge->label);
    /* An edge to what is not shown is forgotten with the next one. */
    p->n_edges += is_shown(p, from) && is_shown(p, to);
    return edge;
}

static void add_dependencies(struct svg_picture *p, event_id e)
{
    static const struct {
        enum graph_row row;
        enum svg_edge_kind kind;
    } kinds[] = {
        {ROW_ADDR, SVG_ADDR}, {ROW_DATA, SVG_DATA}, {ROW_CTRL, SVG_CTRL}};
    const struct graph *g = p->w->graph;
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
        const uint64_t *row = graph_row(g, e, kinds[i].row);
        event_id from;
        row_for_each (from, row, g->words)
            add_edge(p, kinds[i].kind, from, e, names[kinds[i].kind]);
    }
}

static void add_edges(struct svg_picture *p)
{
    const struct graph *g = p->w->graph;
    for (uint32_t i = 0; i < p->n; i++) {
        event_id e = p->events[i];
        const struct event *ev = &g->events[e];
        for (uint32_t k = i; k-- > 0;)
            if (g->events[p->events[k]].thread == ev->thread) {
                add_edge(p, SVG_PO, p->events[k], e, "");
                break;
            }
        add_dependencies(p, e);
        if (ev->kind == LABEL_WRITE)
            add_edge(p, SVG_CO, ev->co_prev, e, "co");
        if (ev->kind != LABEL_READ || ev->rf == EVENT_NONE)
            continue;
        add_edge(p, SVG_RF, ev->rf, e, "rf");
        event_id next = ev->rf == EVENT_INIT ? g->locs[ev->loc].co_first
                                             : g->events[ev->rf].co_next;
        if (next != ev->rmw)
            add_edge(p, SVG_FR, e, next, "fr");
    }
}

/* By what a relation is called: "rfe", "coi", "fre;rf". */
static enum svg_edge_kind kind_of(const char *label)
{
    return strncmp(label, "rf", 2) == 0   ? SVG_RF
           : strncmp(label, "co", 2) == 0 ? SVG_CO
           : strncmp(label, "fr", 2) == 0 ? SVG_FR
                                          : SVG_PO;
}

static void add_marks(struct svg_picture *p, const struct svg_mark *marks,
                      uint32_t n)
{
    for (uint32_t i = 0; i < n; i++) {
        const struct svg_mark *m = &marks[i];
        struct svg_edge *edge = NULL;
        char label[sizeof edge->label];
        shorten(m->label, label, sizeof label);
        enum svg_edge_kind kind = kind_of(label);
        for (uint32_t k = 0; k < p->n_edges && !edge; k++)
            if (p->edges[k].from == m->from && p->edges[k].to == m->to &&
                p->edges[k].kind == kind && !p->edges[k].is_marked)
                edge = &p->edges[k];
        if (!edge)
            edge = add_edge(p, kind, m->from, m->to, label);
        memcpy(edge->label, label, sizeof label);
        edge->is_marked = true;
        edge->is_culprit = m->is_culprit;
    }
}

/* ---- arrows */

/* po to the next one below: straight down. */
static bool is_straight(const struct svg_picture *p, const struct svg_edge *e)
{
    const struct svg_rectangle *a = &p->boxes[e->from], *b = &p->boxes[e->to];
    return e->kind == SVG_PO && a->x == b->x && b->y == a->y + ROW_HEIGHT;
}

static const char *edge_class(const struct svg_edge *e)
{
    return e->is_culprit         ? "culprit"
           : e->is_marked        ? "cycle"
           : e->kind >= SVG_ADDR ? "dep"
                                 : names[e->kind];
}

/* What switches and the script go by: the relation, unless it is always shown,
 * and the events at its ends. */
static void print_classes(const struct svg_picture *p, const struct svg_edge *e,
                          FILE *out)
{
    char from[16], to[16];
    witness_name(p->w, e->from, from, sizeof from);
    witness_name(p->w, e->to, to, sizeof to);
    fprintf(out, "%s%s%s at-%s at-%s", edge_class(e), e->is_marked ? "" : " k-",
            e->is_marked ? "" : names[e->kind], from, to);
}

static void print_edge(struct svg_picture *p, struct svg_edge *e, FILE *out)
{
    const struct svg_rectangle *a = &p->boxes[e->from], *b = &p->boxes[e->to];
    const char *class = edge_class(e);
    struct svg_point label = {0, 0};
    char from[16], to[16];
    witness_name(p->w, e->from, from, sizeof from);
    witness_name(p->w, e->to, to, sizeof to);
    fputs("<g class=\"edge ", out);
    print_classes(p, e, out);
    fprintf(out, "\"><title>%s ", from);
    html_text(e->label[0] ? e->label : names[e->kind], out);
    fprintf(out, " %s</title>", to);
    if (is_straight(p, e)) {
        double x = a->x + a->width / 2;
        label = (struct svg_point){x, (a->y + a->height + b->y) / 2};
        fprintf(out, "<path d=\"M%.1f %.1fV%.1f\" marker-end=\"url(#h-%s)\"/>",
                x, a->y + a->height, b->y - 1, class);
    } else {
        struct svg_curve c = svg_route(p, e, &label);
        fprintf(out,
                "<path d=\"M%.1f %.1fC%.1f %.1f %.1f %.1f %.1f %.1f\" "
                "marker-end=\"url(#h-%s)\"/>",
                c.at[0].x, c.at[0].y, c.at[1].x, c.at[1].y, c.at[2].x,
                c.at[2].y, c.at[3].x, c.at[3].y, class);
    }
    e->label_x = label.x;
    e->label_y = label.y;
    /* Better none than two in one place: colour and title say the same. */
    if (!e->is_marked && svg_label_hides(p, e, label))
        e->label[0] = '\0';
    if (e->label[0])
        p->labels[p->n_labels++] = svg_label_box(e, label);
    fputs("</g>\n", out);
}

static void print_label(const struct svg_picture *p, const struct svg_edge *e,
                        FILE *out)
{
    if (!e->label[0])
        return;
    fputs("<text class=\"label ", out);
    print_classes(p, e, out);
    fprintf(out, "\" x=\"%.1f\" y=\"%.1f\">", e->label_x, e->label_y + 3.5);
    html_text(e->label, out);
    fputs("</text>\n", out);
}

/* ---- all of it */

static void print_box(const struct svg_picture *p, event_id e, bool marked,
                      FILE *out)
{
    const struct svg_rectangle *b = &p->boxes[e];
    char text[240], place[200];
    report_short_place(p->w->program, witness_place(p->w, e), place,
                       sizeof place);
    char name[16];
    witness_name(p->w, e, name, sizeof name);
    fprintf(out,
            "<g class=\"event%s\" data-event=\"%s\" tabindex=\"0\"><title>",
            marked ? " hot" : "", name);
    html_text(place, out);
    fprintf(out,
            "</title><rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" "
            "height=\"%.1f\" rx=\"5\"/>",
            b->x, b->y, b->width, b->height);
    big_text(p->w, e, text, sizeof text);
    fprintf(out, "<text x=\"%.1f\" y=\"%.1f\">", b->x + b->width / 2,
            b->y + 16);
    html_text(text, out);
    small_text(p->w, e, text, sizeof text);
    fprintf(out, "</text><text class=\"small\" x=\"%.1f\" y=\"%.1f\">",
            b->x + b->width / 2, b->y + 30);
    html_text(text, out);
    fputs("</text></g>\n", out);
    /* The initial write is no box of its own. */
    const struct event *ev = &p->w->graph->events[e];
    if (ev->kind == LABEL_READ && ev->rf == EVENT_INIT)
        fprintf(out,
                "<g class=\"edge rf k-rf at-%s\"><title>reads the initial "
                "value</title>"
                "<path d=\"M%.1f %.1fL%.1f %.1f\" marker-end=\"url(#h-rf)\"/>"
                "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"2.5\"/></g>\n",
                name, b->x + 2, b->y - 14, b->x + 11, b->y - 1, b->x + 2,
                b->y - 14);
}

/* A box for each relation that there is, but for the edges of cycles. So many
 * of one kind hide the rest, and are off at first. */
#define MANY_EDGES 12

static void print_switches(const struct svg_picture *p, const char *id,
                           FILE *out)
{
    uint32_t counts[SVG_KINDS] = {0};
    for (uint32_t i = 0; i < p->n_edges; i++)
        counts[p->edges[i].kind] += !p->edges[i].is_marked;
    for (uint32_t i = 0; i < p->n; i++) {
        const struct event *e = &p->w->graph->events[p->events[i]];
        counts[SVG_RF] += e->kind == LABEL_READ && e->rf == EVENT_INIT;
    }
    for (int k = 0; k < SVG_KINDS; k++) {
        bool off = k >= SVG_ADDR && counts[k] > MANY_EDGES;
        if (!counts[k])
            continue;
        fprintf(out,
                "<input type=\"checkbox\" class=\"switch s-%s\" "
                "id=\"%s-%s\"%s/><label class=\"%s\" for=\"%s-%s\">%s "
                "<span class=\"dim\">%u</span></label>\n",
                names[k], id, names[k], off ? "" : " checked=\"checked\"",
                k >= SVG_ADDR ? "dep" : names[k], id, names[k], names[k],
                counts[k]);
    }
}

static void print_all(struct svg_picture *p, const struct svg_mark *marks,
                      uint32_t n_marks, const struct svg_options *options,
                      FILE *out)
{
    print_switches(p, options->id, out);
    fprintf(out,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"execution\" "
            "viewBox=\"0 0 %.0f %.0f\" width=\"%.0f\" height=\"%.0f\" "
            "role=\"group\" aria-label=\"",
            p->width, p->height, p->width, p->height);
    html_text(options->title, out);
    fputs("\">\n", out);
    for (thread_id t = 0; t < p->w->graph->n_threads; t++) {
        char name[16];
        if (p->columns[t] < 0)
            continue;
        witness_thread(p->w, t, name, sizeof name);
        fprintf(out, "<text class=\"thread\" x=\"%.1f\" y=\"16\">%s</text>\n",
                p->columns[t] + p->widths[t] / 2, name);
    }
    /* What counts is placed first; labels stand above all arrows. */
    p->labels = mem_resize(NULL, (p->n_edges + 1) * sizeof *p->labels);
    for (uint32_t i = 0; i < p->n_edges; i++)
        if (p->edges[i].is_marked)
            print_edge(p, &p->edges[i], out);
    for (int kind = 0; kind < SVG_KINDS; kind++)
        for (uint32_t i = 0; i < p->n_edges; i++)
            if (!p->edges[i].is_marked && (int)p->edges[i].kind == kind)
                print_edge(p, &p->edges[i], out);
    for (uint32_t i = 0; i < p->n_edges; i++)
        print_label(p, &p->edges[i], out);
    for (uint32_t i = 0; i < p->n; i++)
        print_box(p, p->events[i], is_marked(p->events[i], marks, n_marks),
                  out);
    fputs("</svg>\n", out);
}

void svg_print(const struct witness *w, const struct svg_mark *marks,
               uint32_t n_marks, const struct svg_options *options, FILE *out)
{
    struct svg_picture p = {.w = w};
    const struct graph *g = w->graph;
    p.boxes = mem_resize(NULL, (g->cap + 1) * sizeof *p.boxes);
    memset(p.boxes, 0, (g->cap + 1) * sizeof *p.boxes);
    p.columns = mem_resize(NULL, (g->n_threads + 1) * sizeof *p.columns);
    p.widths = mem_resize(NULL, (g->n_threads + 1) * sizeof *p.widths);
    choose_events(&p, marks, n_marks);
    place_boxes(&p);
    add_edges(&p);
    add_marks(&p, marks, n_marks);
    print_all(&p, marks, n_marks, options, out);
    free(p.events);
    free(p.boxes);
    free(p.columns);
    free(p.widths);
    free(p.edges);
    free(p.labels);
}

void svg_print_heads(FILE *out)
{
    static const char *const classes[] = {"po",  "rf",    "co",     "fr",
                                          "dep", "cycle", "culprit"};
    fputs("<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"0\" height=\"0\" "
          "class=\"heads\" aria-hidden=\"true\"><defs>\n",
          out);
    for (size_t i = 0; i < sizeof classes / sizeof classes[0]; i++)
        fprintf(out,
                "<marker id=\"h-%s\" class=\"head %s\" viewBox=\"0 0 8 8\" "
                "refX=\"7\" refY=\"4\" markerWidth=\"8\" markerHeight=\"8\" "
                "markerUnits=\"userSpaceOnUse\" orient=\"auto\">"
                "<path d=\"M0 0L8 4L0 8z\"/></marker>\n",
                classes[i], classes[i]);
    fputs("</defs></svg>\n", out);
}
