/* An execution as a picture in a page: a column a thread, its events from top
 * to bottom, arrows for po, rf, co, fr and dependencies.
 *
 * The layout is our own, so that a page needs no other program. Colours are
 * classes that the page's style sheet gives (check_html.c), and so is the font:
 * widths are computed for a monospaced one. */
#ifndef FRONTEND_CHECK_SVG_H
#define FRONTEND_CHECK_SVG_H

#include "frontend/report/witness.h"

#include <stdio.h>

/* An arrow that counts: drawn boldly, in place of a usual one with the same
 * ends. */
struct svg_mark {
    event_id from, to; /* EVENT_INIT is left out */
    const char *label;
    bool is_culprit; /* an order that is missing, rather than one that is */
};

struct svg_options {
    const char *title;
    const char *id; /* what no other picture of the page has */
};

/* Before the picture come switches for its relations. Left out are events that
 * are no accesses or fences, and accesses to what only one thread uses, unless
 * a mark names them. */
void svg_print(const struct witness *w, const struct svg_mark *marks,
               uint32_t n_marks, const struct svg_options *options, FILE *out);

/* The arrow heads, once a page. */
void svg_print_heads(FILE *out);

/* Text between tags or in an attribute: escaped, and valid UTF-8. */
void html_text(const char *text, FILE *out);

/* ---- between check_svg.c and check_svg_route.c */

#define SVG_TITLES     22.0 /* above it stand the names of threads */
#define SVG_SMALL_CHAR 6.1  /* how wide one of the font of 10 pixels is */

enum svg_edge_kind {
    SVG_PO,
    SVG_RF,
    SVG_CO,
    SVG_FR,
    SVG_ADDR,
    SVG_DATA,
    SVG_CTRL,
    SVG_KINDS
};

struct svg_edge {
    event_id from, to;
    char label[20]; /* cut to what there is room for */
    enum svg_edge_kind kind;
    bool is_marked, is_culprit;
    double label_x, label_y; /* where the label stands, set by its route */
};

struct svg_rectangle {
    double x, y, width, height;
};

struct svg_point {
    double x, y;
};

struct svg_curve {
    struct svg_point at[4]; /* ends, and control points between */
};

struct svg_picture {
    const struct witness *w;
    event_id *events; /* [n] those shown */
    uint32_t n;
    struct svg_rectangle *boxes; /* [graph->cap]; width 0: not shown */
    double *columns;             /* [n_threads] left side; -1: not shown */
    double *widths;              /* [n_threads] */
    struct svg_edge *edges;
    uint32_t n_edges, edges_cap;
    struct svg_rectangle *labels; /* [edges_cap] those placed already */
    uint32_t n_labels;
    double width, height;
};

/* The space that the label takes there. */
struct svg_rectangle svg_label_box(const struct svg_edge *e,
                                   struct svg_point at);

/* Would a label there stand on another one, or on an event? */
bool svg_label_hides(const struct svg_picture *p, const struct svg_edge *e,
                     struct svg_point at);

/* A curve for the edge, and where its label stands. */
struct svg_curve svg_route(const struct svg_picture *p,
                           const struct svg_edge *e, struct svg_point *label);

#endif
