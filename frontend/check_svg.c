#include "frontend/check_svg.h"

#include "core/mem.h"
#include "frontend/report.h"

#include <stdlib.h>
#include <string.h>

/* In pixels. A character is as wide as in a monospaced font of that size. */
#define BOX_HEIGHT   38.0
#define ROW_HEIGHT   68.0
#define HEAD_HEIGHT  34.0
#define COLUMN_GAP   66.0
#define MARGIN       14.0
#define PADDING      8.0
#define LABEL_HEIGHT 16.0
#define BIG_CHAR     7.3 /* 12px */
#define SMALL_CHAR   6.1 /* 10px */

enum edge_kind { EDGE_PO, EDGE_RF, EDGE_CO, EDGE_FR, EDGE_DEP };

struct edge {
    event_id from, to;
    const char *label;
    enum edge_kind kind;
    bool is_marked, is_culprit;
    double label_x, label_y; /* where the label stands, set by its route */
};

struct rectangle {
    double x, y, width, height;
};

struct point {
    double x, y;
};

struct curve {
    struct point at[4]; /* ends, and control points between */
};

struct picture {
    const struct witness *w;
    event_id *events; /* [n] those shown */
    uint32_t n;
    struct rectangle *boxes; /* [graph->cap]; width 0: not shown */
    double *columns;         /* [n_threads] left side; -1: not shown */
    double *widths;          /* [n_threads] */
    struct edge *edges;
    uint32_t n_edges, edges_cap;
    struct rectangle *labels; /* [edges_cap] those placed already */
    uint32_t n_labels;
    double width, height;
};

void html_text(const char *text, FILE *out)
{
    char *copy = strdup(text);
    if (!copy)
        return;
    report_clean(copy);
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
static void choose_events(struct picture *p, const struct svg_mark *marks,
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

static void place_boxes(struct picture *p)
{
    const struct graph *g = p->w->graph;
    double x = MARGIN;
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
            double other = (double)strlen(small) * SMALL_CHAR;
            wide = (wide > other ? wide : other) + 2 * PADDING;
            p->widths[t] = wide > p->widths[t] ? wide : p->widths[t];
            p->boxes[e] = (struct rectangle){x, y, 0, BOX_HEIGHT};
            y += ROW_HEIGHT;
        }
        p->columns[t] = p->widths[t] > 0 ? x : -1;
        if (p->widths[t] > 0)
            x += p->widths[t] + COLUMN_GAP;
        p->height = y > p->height ? y : p->height;
    }
    for (uint32_t i = 0; i < p->n; i++)
        p->boxes[p->events[i]].width =
            p->widths[g->events[p->events[i]].thread];
    p->width = x - COLUMN_GAP + MARGIN + COLUMN_GAP / 2.0;
    p->height += MARGIN - (ROW_HEIGHT - BOX_HEIGHT);
}

/* ---- edges */

static bool is_shown(const struct picture *p, event_id e)
{
    return e < p->w->graph->cap && p->boxes[e].width > 0;
}

static struct edge *add_edge(struct picture *p, enum edge_kind kind,
                             event_id from, event_id to, const char *label)
{
    if (p->n_edges == p->edges_cap) {
        p->edges_cap = p->edges_cap * 2 + 16;
        p->edges = mem_resize(p->edges, p->edges_cap * sizeof *p->edges);
    }
    struct edge *edge = &p->edges[p->n_edges];
    *edge = (struct edge){.from = from, .to = to, .label = label, .kind = kind};
    /* An edge to what is not shown is forgotten with the next one. */
    p->n_edges += is_shown(p, from) && is_shown(p, to);
    return edge;
}

static void add_dependencies(struct picture *p, event_id e)
{
    static const struct {
        enum graph_row row;
        const char *name;
    } kinds[] = {{ROW_ADDR, "addr"}, {ROW_DATA, "data"}, {ROW_CTRL, "ctrl"}};
    const struct graph *g = p->w->graph;
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
        const uint64_t *row = graph_row(g, e, kinds[i].row);
        event_id from;
        row_for_each (from, row, g->words)
            add_edge(p, EDGE_DEP, from, e, kinds[i].name);
    }
}

static void add_edges(struct picture *p)
{
    const struct graph *g = p->w->graph;
    for (uint32_t i = 0; i < p->n; i++) {
        event_id e = p->events[i];
        const struct event *ev = &g->events[e];
        for (uint32_t k = i; k-- > 0;)
            if (g->events[p->events[k]].thread == ev->thread) {
                add_edge(p, EDGE_PO, p->events[k], e, "");
                break;
            }
        add_dependencies(p, e);
        if (ev->kind == LABEL_WRITE)
            add_edge(p, EDGE_CO, ev->co_prev, e, "co");
        if (ev->kind != LABEL_READ || ev->rf == EVENT_NONE)
            continue;
        add_edge(p, EDGE_RF, ev->rf, e, "rf");
        event_id next = ev->rf == EVENT_INIT ? g->locs[ev->loc].co_first
                                             : g->events[ev->rf].co_next;
        if (next != ev->rmw)
            add_edge(p, EDGE_FR, e, next, "fr");
    }
}

/* By what a relation is called: "rfe", "coi", "fre;rf". */
static enum edge_kind kind_of(const char *label)
{
    return strncmp(label, "rf", 2) == 0   ? EDGE_RF
           : strncmp(label, "co", 2) == 0 ? EDGE_CO
           : strncmp(label, "fr", 2) == 0 ? EDGE_FR
                                          : EDGE_PO;
}

static void add_marks(struct picture *p, const struct svg_mark *marks,
                      uint32_t n)
{
    for (uint32_t i = 0; i < n; i++) {
        const struct svg_mark *m = &marks[i];
        enum edge_kind kind = kind_of(m->label);
        struct edge *edge = NULL;
        for (uint32_t k = 0; k < p->n_edges && !edge; k++)
            if (p->edges[k].from == m->from && p->edges[k].to == m->to &&
                p->edges[k].kind == kind && !p->edges[k].is_marked)
                edge = &p->edges[k];
        if (!edge)
            edge = add_edge(p, kind, m->from, m->to, m->label);
        edge->label = m->label;
        edge->is_marked = true;
        edge->is_culprit = m->is_culprit;
    }
}

/* ---- routes: of several curves the one that runs into the fewest boxes */

static struct point curve_at(const struct curve *c, double t)
{
    double s = 1 - t;
    double k[4] = {s * s * s, 3 * s * s * t, 3 * s * t * t, t * t * t};
    struct point p = {0, 0};
    for (int i = 0; i < 4; i++) {
        p.x += k[i] * c->at[i].x;
        p.y += k[i] * c->at[i].y;
    }
    return p;
}

static bool overlap(const struct rectangle *a, const struct rectangle *b)
{
    return a->x < b->x + b->width && b->x < a->x + a->width &&
           a->y < b->y + b->height && b->y < a->y + a->height;
}

static struct rectangle label_box(const struct edge *e, struct point at)
{
    double width = (double)strlen(e->label) * SMALL_CHAR + 4;
    return (struct rectangle){at.x - width / 2, at.y - LABEL_HEIGHT / 2.0,
                              width, LABEL_HEIGHT};
}

/* How many boxes and labels does a label at that point hide? */
static uint32_t label_cost(const struct picture *p, const struct edge *e,
                           struct point at)
{
    struct rectangle box = label_box(e, at);
    uint32_t cost = box.x < 0 || box.y < 0 || box.x + box.width > p->width ||
                    box.y + box.height > p->height;
    for (uint32_t i = 0; i < p->n; i++)
        cost += 2 * overlap(&box, &p->boxes[p->events[i]]);
    for (uint32_t i = 0; i < p->n_labels; i++)
        cost += 2 * overlap(&box, &p->labels[i]);
    return cost;
}

/* Where on the curve the label stands best; not in the middle, where two that
 * cross meet. */
static struct point place_label(const struct picture *p, const struct edge *e,
                                const struct curve *c, uint32_t *cost)
{
    double middle = c->at[0].x == c->at[3].x ? 0.5 : 0.36;
    struct point best = curve_at(c, middle);
    *cost = label_cost(p, e, best);
    for (int i = 1; i <= 8 && *cost; i++)
        for (int side = -1; side <= 1; side += 2) {
            struct point at = curve_at(c, middle + side * 0.04 * i);
            uint32_t here = label_cost(p, e, at);
            if (here < *cost) {
                *cost = here;
                best = at;
            }
        }
    return best;
}

static double curve_cost(const struct picture *p, const struct edge *e,
                         const struct curve *c)
{
    double cost = 0;
    for (int k = 1; k < 24; k++) {
        struct point at = curve_at(c, k / 24.0);
        struct rectangle dot = {at.x - 3, at.y - 3, 6, 6};
        for (uint32_t i = 0; i < p->n; i++)
            if (p->events[i] != e->from && p->events[i] != e->to)
                cost += overlap(&dot, &p->boxes[p->events[i]]);
        cost +=
            at.x < 2 || at.y < 2 || at.x > p->width - 2 || at.y > p->height - 2;
    }
    return cost;
}

/* In one column: beside the boxes. Else from side to side, bent up or down. */
static struct curve bend(const struct picture *p, const struct edge *e, int i)
{
    const struct rectangle *a = &p->boxes[e->from], *b = &p->boxes[e->to];
    double step = (i + 1) / 2 * 16.0, y = i & 1 ? -step : step;
    double ay = a->y + a->height / 2, by = b->y + b->height / 2;
    if (a->x == b->x) {
        double x = i & 1 ? a->x : a->x + a->width;
        double far = i & 1 ? x - 22 - i * 4 : x + 22 + i * 4;
        double down = ay < by ? 6 : -6;
        return (struct curve){{{x, ay + down},
                               {far, ay + down},
                               {far, by - down},
                               {x, by - down}}};
    }
    bool right = a->x < b->x;
    double ax = right ? a->x + a->width : a->x;
    double bx = right ? b->x : b->x + b->width, third = (bx - ax) * 0.35;
    double shift = e->kind == EDGE_RF ? -7 : e->kind == EDGE_FR ? 7 : 0;
    return (struct curve){{{ax, ay + shift},
                           {ax + third, ay + shift + y},
                           {bx - third, by + shift + y},
                           {bx, by + shift}}};
}

#define BENDS 15

static struct curve route(const struct picture *p, const struct edge *e,
                          struct point *label)
{
    struct curve best = bend(p, e, 0);
    double least = 1e9;
    for (int i = 0; i < BENDS; i++) {
        struct curve c = bend(p, e, i);
        uint32_t hidden = 0;
        struct point at = place_label(p, e, &c, &hidden);
        double cost = 3 * curve_cost(p, e, &c) + 4 * hidden + 0.4 * i;
        if (cost >= least)
            continue;
        least = cost;
        best = c;
        *label = at;
    }
    return best;
}

/* po to the next one below: straight down. */
static bool is_straight(const struct picture *p, const struct edge *e)
{
    const struct rectangle *a = &p->boxes[e->from], *b = &p->boxes[e->to];
    return e->kind == EDGE_PO && a->x == b->x && b->y == a->y + ROW_HEIGHT;
}

static const char *edge_class(const struct edge *e)
{
    static const char *const names[] = {"po", "rf", "co", "fr", "dep"};
    return e->is_culprit ? "culprit" : e->is_marked ? "cycle" : names[e->kind];
}

static void print_edge(struct picture *p, struct edge *e, FILE *out)
{
    const struct rectangle *a = &p->boxes[e->from], *b = &p->boxes[e->to];
    const char *class = edge_class(e);
    struct point label = {0, 0};
    char from[16], to[16];
    witness_name(p->w, e->from, from, sizeof from);
    witness_name(p->w, e->to, to, sizeof to);
    fprintf(out, "<g class=\"edge %s\"><title>%s %s %s</title>", class, from,
            e->label[0] ? "to" : "po", to);
    if (is_straight(p, e)) {
        double x = a->x + a->width / 2;
        label = (struct point){x, (a->y + a->height + b->y) / 2};
        fprintf(out, "<path d=\"M%.1f %.1fV%.1f\" marker-end=\"url(#h-%s)\"/>",
                x, a->y + a->height, b->y - 1, class);
    } else {
        struct curve c = route(p, e, &label);
        fprintf(out,
                "<path d=\"M%.1f %.1fC%.1f %.1f %.1f %.1f %.1f %.1f\" "
                "marker-end=\"url(#h-%s)\"/>",
                c.at[0].x, c.at[0].y, c.at[1].x, c.at[1].y, c.at[2].x,
                c.at[2].y, c.at[3].x, c.at[3].y, class);
    }
    e->label_x = label.x;
    e->label_y = label.y;
    if (e->label[0])
        p->labels[p->n_labels++] = label_box(e, label);
    fputs("</g>\n", out);
}

static void print_label(const struct edge *e, FILE *out)
{
    if (!e->label[0])
        return;
    fprintf(out, "<text class=\"label %s\" x=\"%.1f\" y=\"%.1f\">",
            edge_class(e), e->label_x, e->label_y + 3.5);
    html_text(e->label, out);
    fputs("</text>\n", out);
}

/* ---- all of it */

static void print_box(const struct picture *p, event_id e, bool marked,
                      FILE *out)
{
    const struct rectangle *b = &p->boxes[e];
    char text[240], place[200];
    report_short_place(p->w->program, witness_place(p->w, e), place,
                       sizeof place);
    fprintf(out, "<g class=\"event%s\"><title>", marked ? " hot" : "");
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
                "<g class=\"edge rf\"><title>reads the initial value</title>"
                "<path d=\"M%.1f %.1fL%.1f %.1f\" marker-end=\"url(#h-rf)\"/>"
                "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"2.5\"/></g>\n",
                b->x + 2, b->y - 14, b->x + 11, b->y - 1, b->x + 2, b->y - 14);
}

static void print_all(struct picture *p, const struct svg_mark *marks,
                      uint32_t n_marks, const char *title, FILE *out)
{
    fprintf(out,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"execution\" "
            "viewBox=\"0 0 %.0f %.0f\" width=\"%.0f\" height=\"%.0f\" "
            "role=\"img\" aria-label=\"",
            p->width, p->height, p->width, p->height);
    html_text(title, out);
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
    for (int marked = 1; marked >= 0; marked--)
        for (uint32_t i = 0; i < p->n_edges; i++)
            if (p->edges[i].is_marked == marked)
                print_edge(p, &p->edges[i], out);
    for (uint32_t i = 0; i < p->n_edges; i++)
        print_label(&p->edges[i], out);
    for (uint32_t i = 0; i < p->n; i++)
        print_box(p, p->events[i], is_marked(p->events[i], marks, n_marks),
                  out);
    fputs("</svg>\n", out);
}

void svg_print(const struct witness *w, const struct svg_mark *marks,
               uint32_t n_marks, const char *title, FILE *out)
{
    struct picture p = {.w = w};
    const struct graph *g = w->graph;
    p.boxes = mem_resize(NULL, (g->cap + 1) * sizeof *p.boxes);
    memset(p.boxes, 0, (g->cap + 1) * sizeof *p.boxes);
    p.columns = mem_resize(NULL, (g->n_threads + 1) * sizeof *p.columns);
    p.widths = mem_resize(NULL, (g->n_threads + 1) * sizeof *p.widths);
    choose_events(&p, marks, n_marks);
    place_boxes(&p);
    add_edges(&p);
    add_marks(&p, marks, n_marks);
    print_all(&p, marks, n_marks, title, out);
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
