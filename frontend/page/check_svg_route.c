/* The routes of arrows in a picture: of several curves the one that runs into
 * the fewest boxes, and hides the least with its label. */
#include "frontend/page/check_svg.h"

#include <string.h>

#define LABEL_HEIGHT 16.0

static struct svg_point curve_at(const struct svg_curve *c, double t)
{
    double s = 1 - t;
    double k[4] = {s * s * s, 3 * s * s * t, 3 * s * t * t, t * t * t};
    struct svg_point p = {0, 0};
    for (int i = 0; i < 4; i++) {
        p.x += k[i] * c->at[i].x;
        p.y += k[i] * c->at[i].y;
    }
    return p;
}

static bool overlap(const struct svg_rectangle *a,
                    const struct svg_rectangle *b)
{
    return a->x < b->x + b->width && b->x < a->x + a->width &&
           a->y < b->y + b->height && b->y < a->y + a->height;
}

struct svg_rectangle svg_label_box(const struct svg_edge *e,
                                   struct svg_point at)
{
    double width = (double)strlen(e->label) * SVG_SMALL_CHAR + 4;
    return (struct svg_rectangle){at.x - width / 2, at.y - LABEL_HEIGHT / 2,
                                  width, LABEL_HEIGHT};
}

/* How many boxes and labels does a label at that point hide? */
static uint32_t label_cost(const struct svg_picture *p,
                           const struct svg_edge *e, struct svg_point at)
{
    struct svg_rectangle box = svg_label_box(e, at);
    uint32_t cost = box.x < 0 || box.y < 0 || box.x + box.width > p->width ||
                    box.y + box.height > p->height;
    for (uint32_t i = 0; i < p->n; i++)
        cost += 2 * overlap(&box, &p->boxes[p->events[i]]);
    for (uint32_t i = 0; i < p->n_labels; i++)
        cost += 2 * overlap(&box, &p->labels[i]);
    return cost;
}

bool svg_label_hides(const struct svg_picture *p, const struct svg_edge *e,
                     struct svg_point at)
{
    return label_cost(p, e, at) > 1;
}

/* Where on the curve the label stands best; not in the middle, where two that
 * cross meet. */
static struct svg_point place_label(const struct svg_picture *p,
                                    const struct svg_edge *e,
                                    const struct svg_curve *c, uint32_t *cost)
{
    double middle = c->at[0].x == c->at[3].x ? 0.5 : 0.36;
    struct svg_point best = curve_at(c, middle);
    *cost = label_cost(p, e, best);
    for (int i = 1; i <= 8 && *cost; i++)
        for (int side = -1; side <= 1; side += 2) {
            struct svg_point at = curve_at(c, middle + side * 0.04 * i);
            uint32_t here = label_cost(p, e, at);
            if (here < *cost) {
                *cost = here;
                best = at;
            }
        }
    return best;
}

static double curve_cost(const struct svg_picture *p, const struct svg_edge *e,
                         const struct svg_curve *c)
{
    double cost = 0;
    for (int k = 1; k < 24; k++) {
        struct svg_point at = curve_at(c, k / 24.0);
        struct svg_rectangle dot = {at.x - 3, at.y - 3, 6, 6};
        for (uint32_t i = 0; i < p->n; i++)
            if (p->events[i] != e->from && p->events[i] != e->to)
                cost += overlap(&dot, &p->boxes[p->events[i]]);
        cost += at.x < 2 || at.y < SVG_TITLES || at.x > p->width - 2 ||
                at.y > p->height - 2;
    }
    return cost;
}

/* In one column: beside the boxes. Else from side to side, bent up or down. */
static struct svg_curve bend(const struct svg_picture *p,
                             const struct svg_edge *e, int i)
{
    const struct svg_rectangle *a = &p->boxes[e->from], *b = &p->boxes[e->to];
    int step = (i + 1) / 2 * 16;
    double y = i & 1 ? -step : step;
    double ay = a->y + a->height / 2, by = b->y + b->height / 2;
    if (a->x == b->x) {
        double x = i & 1 ? a->x : a->x + a->width;
        double far = i & 1 ? x - 22 - i * 4 : x + 22 + i * 4;
        double down = ay < by ? 6 : -6;
        return (struct svg_curve){{{x, ay + down},
                                   {far, ay + down},
                                   {far, by - down},
                                   {x, by - down}}};
    }
    bool right = a->x < b->x;
    double ax = right ? a->x + a->width : a->x;
    double bx = right ? b->x : b->x + b->width, third = (bx - ax) * 0.35;
    double shift = e->kind == SVG_RF ? -7 : e->kind == SVG_FR ? 7 : 0;
    return (struct svg_curve){{{ax, ay + shift},
                               {ax + third, ay + shift + y},
                               {bx - third, by + shift + y},
                               {bx, by + shift}}};
}

#define BENDS 15

struct svg_curve svg_route(const struct svg_picture *p,
                           const struct svg_edge *e, struct svg_point *label)
{
    struct svg_curve best = bend(p, e, 0);
    double least = 1e9;
    for (int i = 0; i < BENDS; i++) {
        struct svg_curve c = bend(p, e, i);
        uint32_t hidden = 0;
        struct svg_point at = place_label(p, e, &c, &hidden);
        double cost = 3 * curve_cost(p, e, &c) + 4 * hidden + 0.4 * i;
        if (cost >= least)
            continue;
        least = cost;
        best = c;
        *label = at;
    }
    return best;
}
