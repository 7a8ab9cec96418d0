#include "models/cat/reference/cat_eval.h"

#include "core/mem.h"

#include <stdlib.h>
#include <string.h>

/* --- elements ---------------------------------------------------------- */

static bool is_access(const struct event *e)
{
    return (e->tags & (TAG_BIT(TAG_R) | TAG_BIT(TAG_W))) != 0 &&
           e->loc != LOC_NONE;
}

static void number_elements(struct cat_eval *ev)
{
    const struct graph *g = ev->g;
    ev->n_live = ev->n = g->n;
    ev->events = mem_resize(NULL, 2 * (size_t)g->n * sizeof *ev->events);
    ev->index = mem_resize(NULL, g->cap * sizeof *ev->index);
    ev->init_of = mem_resize(NULL, 2 * (size_t)g->n * sizeof *ev->init_of);
    for (uint32_t i = 0; i < g->n; i++) {
        event_id e = g->order[i];
        ev->events[i] = e;
        ev->index[e] = i;
        ev->init_of[i] = UINT32_MAX;
        if (!is_access(&g->events[e]))
            continue;
        for (uint32_t k = 0; k < i; k++)
            if (is_access(&g->events[ev->events[k]]) &&
                g->events[ev->events[k]].loc == g->events[e].loc)
                ev->init_of[i] = ev->init_of[k];
        if (ev->init_of[i] != UINT32_MAX)
            continue;
        ev->init_of[i] = ev->n;
        ev->init_of[ev->n] = ev->n;
        ev->events[ev->n++] = EVENT_INIT;
    }
    ev->words = (ev->n + 63) / 64;
    if (ev->words == 0)
        ev->words = 1;
}

static const struct event *event_of(const struct cat_eval *ev, uint32_t i)
{
    return &ev->g->events[ev->events[i]];
}

/* --- base sets and relations ------------------------------------------- */

static uint64_t *row(const struct cat_eval *ev, uint64_t *m, uint32_t i)
{
    return m + (size_t)i * ev->words;
}

static void fill_tag(struct cat_eval *ev, enum event_tag tag, uint64_t *out)
{
    for (uint32_t i = 0; i < ev->n; i++)
        if (i < ev->n_live ? (event_of(ev, i)->tags >> tag & 1) != 0
                           : tag == TAG_W)
            row_add(out, i);
}

/* The last write of each location: the initial one if there is no other. */
static void fill_final(struct cat_eval *ev, uint64_t *out)
{
    for (uint32_t i = 0; i < ev->n_live; i++) {
        const struct event *e = event_of(ev, i);
        if (!is_access(e))
            continue;
        event_id last = ev->g->locs[e->loc].co_last;
        row_add(out, last == EVENT_NONE ? ev->init_of[i] : ev->index[last]);
    }
}

/* A relation that the graph keeps as rows of predecessors. */
static void fill_row(struct cat_eval *ev, unsigned which, uint64_t *out)
{
    for (uint32_t j = 0; j < ev->n_live; j++)
        for (uint32_t i = 0; i < ev->n_live; i++)
            if (row_has(graph_row(ev->g, ev->events[j], which), ev->events[i]))
                row_add(row(ev, out, i), j);
}

static void fill_rf(struct cat_eval *ev, uint64_t *out)
{
    for (uint32_t j = 0; j < ev->n_live; j++) {
        const struct event *e = event_of(ev, j);
        if (e->kind != LABEL_READ || e->rf == EVENT_NONE)
            continue;
        uint32_t i = e->rf == EVENT_INIT ? ev->init_of[j] : ev->index[e->rf];
        row_add(row(ev, out, i), j);
    }
}

/* A write without tags is one that was left out (core/lb_revisit.c). */
static void fill_co(struct cat_eval *ev, uint64_t *out)
{
    for (uint32_t j = 0; j < ev->n_live; j++) {
        const struct event *e = event_of(ev, j);
        if (e->kind != LABEL_WRITE || e->co_prev == EVENT_NONE || !is_access(e))
            continue;
        row_add(row(ev, out, ev->init_of[j]), j);
        for (event_id w = e->co_prev; w != EVENT_INIT;
             w = ev->g->events[w].co_prev)
            if (is_access(&ev->g->events[w]))
                row_add(row(ev, out, ev->index[w]), j);
    }
}

static void fill_rmw(struct cat_eval *ev, uint64_t *out)
{
    for (uint32_t i = 0; i < ev->n_live; i++) {
        const struct event *e = event_of(ev, i);
        if (e->kind == LABEL_READ && e->rmw != EVENT_NONE)
            row_add(row(ev, out, i), ev->index[e->rmw]);
    }
}

static bool same_location(const struct cat_eval *ev, uint32_t i, uint32_t j)
{
    uint64_t parts = 0;
    if (i < ev->n_live && j < ev->n_live)
        parts = (event_of(ev, i)->tags | event_of(ev, j)->tags) & TAGS_PART;
    return ev->init_of[i] != UINT32_MAX && ev->init_of[i] == ev->init_of[j] &&
           parts != TAGS_PART;
}

/* Initial writes are of no thread: internal among themselves (as in herd),
 * external to all else. */
static bool same_thread(const struct cat_eval *ev, uint32_t i, uint32_t j)
{
    if (i >= ev->n_live || j >= ev->n_live)
        return i >= ev->n_live && j >= ev->n_live;
    return event_of(ev, i)->thread == event_of(ev, j)->thread;
}

static void fill_pairs(struct cat_eval *ev, enum cat_op op, uint64_t *out)
{
    for (uint32_t i = 0; i < ev->n; i++)
        for (uint32_t j = 0; j < ev->n; j++) {
            bool related = op == CAT_ID ? i == j
                           : op == CAT_LOC
                               ? same_location(ev, i, j)
                               : same_thread(ev, i, j) == (op == CAT_INT);
            if (related)
                row_add(row(ev, out, i), j);
        }
}

/* --- operators --------------------------------------------------------- */

static size_t size_of(const struct cat_eval *ev, cat_id node)
{
    return ev->code->nodes[node].set ? ev->words : (size_t)ev->n * ev->words;
}

static void or_row(const struct cat_eval *ev, uint64_t *to,
                   const uint64_t *from)
{
    for (uint32_t w = 0; w < ev->words; w++)
        to[w] |= from[w];
}

static void compose(struct cat_eval *ev, const uint64_t *a, const uint64_t *b,
                    uint64_t *out)
{
    for (uint32_t i = 0; i < ev->n; i++)
        for (uint32_t k = 0; k < ev->n; k++)
            if (row_has(a + (size_t)i * ev->words, k))
                or_row(ev, row(ev, out, i), b + (size_t)k * ev->words);
}

/* Warshall. */
static void close(const struct cat_eval *ev, uint64_t *m)
{
    for (uint32_t k = 0; k < ev->n; k++)
        for (uint32_t i = 0; i < ev->n; i++)
            if (row_has(row(ev, m, i), k))
                or_row(ev, row(ev, m, i), row(ev, m, k));
}

static void invert(struct cat_eval *ev, const uint64_t *a, uint64_t *out)
{
    for (uint32_t i = 0; i < ev->n; i++)
        for (uint32_t j = 0; j < ev->n; j++)
            if (row_has(a + (size_t)i * ev->words, j))
                row_add(row(ev, out, j), i);
}

static void add_identity(struct cat_eval *ev, uint64_t *m)
{
    for (uint32_t i = 0; i < ev->n; i++)
        row_add(row(ev, m, i), i);
}

static void combine(struct cat_eval *ev, cat_id node, uint64_t *out)
{
    const struct cat_node *n = &ev->code->nodes[node];
    const uint64_t *a = ev->values[n->a];
    const uint64_t *b = n->op == CAT_COMPLEMENT ? NULL : ev->values[n->b];
    size_t size = size_of(ev, node);
    for (size_t i = 0; i < size; i++) {
        uint64_t in = ev->n % 64 && i % ev->words == ev->words - 1
                          ? ((uint64_t)1 << ev->n % 64) - 1
                          : ~(uint64_t)0;
        out[i] = n->op == CAT_UNION   ? a[i] | b[i]
                 : n->op == CAT_INTER ? a[i] & b[i]
                 : n->op == CAT_DIFF  ? a[i] & ~b[i]
                                      : ~a[i] & in;
    }
}

static void project(struct cat_eval *ev, const uint64_t *a, bool range,
                    uint64_t *out)
{
    for (uint32_t i = 0; i < ev->n; i++) {
        const uint64_t *r = a + (size_t)i * ev->words;
        for (uint32_t w = 0; w < ev->words; w++) {
            if (range)
                out[w] |= r[w];
            else if (r[w])
                row_add(out, i);
        }
    }
}

/* Those without operands. */
static void compute_base(struct cat_eval *ev, const struct cat_node *n,
                         uint64_t *out)
{
    switch ((enum cat_op)n->op) {
    case CAT_UNIVERSE:
        for (uint32_t i = 0; i < ev->n; i++)
            row_add(out, i);
        break;
    case CAT_TAG:
        fill_tag(ev, (enum event_tag)n->a, out);
        break;
    case CAT_INIT:
        for (uint32_t i = ev->n_live; i < ev->n; i++)
            row_add(out, i);
        break;
    case CAT_FINAL:
        fill_final(ev, out);
        break;
    case CAT_PO:
        fill_row(ev, ROW_PO, out);
        break;
    case CAT_DEP:
        fill_row(ev, n->a, out);
        break;
    case CAT_RF:
        fill_rf(ev, out);
        break;
    case CAT_CO:
        fill_co(ev, out);
        break;
    case CAT_RMW:
        fill_rmw(ev, out);
        break;
    case CAT_LOC:
    case CAT_INT:
    case CAT_EXT:
    case CAT_ID:
        fill_pairs(ev, (enum cat_op)n->op, out);
        break;
    default: /* CAT_EMPTY; CAT_FIX is filled by its solution */
        break;
    }
}

static void compute_closure(struct cat_eval *ev, enum cat_op op,
                            const uint64_t *a, uint64_t *out)
{
    memcpy(out, a, (size_t)ev->n * ev->words * sizeof *out);
    if (op != CAT_OPT)
        close(ev, out);
    if (op != CAT_PLUS)
        add_identity(ev, out);
}

static void compute(struct cat_eval *ev, cat_id node)
{
    const struct cat_node *n = &ev->code->nodes[node];
    uint64_t *out = ev->values[node];
    if (n->op == CAT_VARIABLE)
        return; /* set by solve */
    memset(out, 0, size_of(ev, node) * sizeof *out);
    if (!cat_has_operands(n)) {
        compute_base(ev, n, out);
        return;
    }
    const uint64_t *a = ev->values[n->a];
    switch ((enum cat_op)n->op) {
    case CAT_DOMAIN:
    case CAT_RANGE:
        project(ev, a, n->op == CAT_RANGE, out);
        break;
    case CAT_PRODUCT:
        for (uint32_t i = 0; i < ev->n; i++)
            if (row_has(a, i))
                or_row(ev, row(ev, out, i), ev->values[n->b]);
        break;
    case CAT_TOID:
        for (uint32_t i = 0; i < ev->n; i++)
            if (row_has(a, i))
                row_add(row(ev, out, i), i);
        break;
    case CAT_SEQ:
        compose(ev, a, ev->values[n->b], out);
        break;
    case CAT_INVERSE:
        invert(ev, a, out);
        break;
    case CAT_PLUS:
    case CAT_STAR:
    case CAT_OPT:
        compute_closure(ev, (enum cat_op)n->op, a, out);
        break;
    default: /* | & \ ~ */
        combine(ev, node, out);
        break;
    }
}

/* --- all of it --------------------------------------------------------- */

/* Least solution of a group by iteration from nothing, into the values of its
 * variables. */
static void solve(struct cat_eval *ev, uint32_t group)
{
    const struct cat_code *code = ev->code;
    const struct cat_group *g = &code->groups[group];
    bool changed;
    do {
        changed = false;
        for (cat_id i = 0; i < code->n; i++)
            if (ev->wanted[i] && code->nodes[i].group == group + 1)
                compute(ev, i);
        for (cat_id i = 0; i < code->n; i++) {
            const struct cat_node *n = &code->nodes[i];
            if (n->op != CAT_VARIABLE || n->a != group || !ev->wanted[i])
                continue;
            const uint64_t *body = ev->values[code->bodies[g->first + n->b]];
            size_t bytes = size_of(ev, i) * sizeof *body;
            if (memcmp(ev->values[i], body, bytes) != 0) {
                memcpy(ev->values[i], body, bytes);
                changed = true;
            }
        }
    } while (changed);
}

static void want(struct cat_eval *ev, const cat_id *roots, uint32_t n_roots)
{
    const struct cat_code *code = ev->code;
    for (uint32_t i = 0; i < n_roots; i++)
        ev->wanted[roots[i]] = true;
    for (cat_id i = code->n; i-- > 0;) {
        const struct cat_node *n = &code->nodes[i];
        if (!ev->wanted[i])
            continue;
        if (n->op == CAT_FIX) { /* all of its group, which has smaller ids */
            const struct cat_group *g = &code->groups[n->a];
            for (uint32_t k = 0; k < g->n; k++)
                ev->wanted[code->bodies[g->first + k]] = true;
        }
        if (!cat_has_operands(n))
            continue;
        ev->wanted[n->a] = true;
        if (n->b != CAT_NONE)
            ev->wanted[n->b] = true;
    }
}

void cat_eval_init(struct cat_eval *ev, const struct cat_code *code,
                   const struct graph *g, const cat_id *roots, uint32_t n_roots)
{
    *ev = (struct cat_eval){.code = code, .g = g};
    number_elements(ev);
    size_t bytes = (code->n + 1) * sizeof *ev->wanted;
    ev->wanted = memset(mem_resize(NULL, bytes), 0, bytes);
    want(ev, roots, n_roots);

    bytes = (code->n + 1) * sizeof *ev->values;
    ev->values = memset(mem_resize(NULL, bytes), 0, bytes);
    size_t total = 0;
    for (cat_id i = 0; i < code->n; i++)
        total += ev->wanted[i] ? size_of(ev, i) : 0;
    ev->memory = mem_resize(NULL, total * sizeof *ev->memory);
    memset(ev->memory, 0, total * sizeof *ev->memory);
    total = 0;
    for (cat_id i = 0; i < code->n; i++) {
        if (!ev->wanted[i])
            continue;
        ev->values[i] = ev->memory + total;
        total += size_of(ev, i);
    }
    for (cat_id i = 0; i < code->n; i++) {
        const struct cat_node *n = &code->nodes[i];
        if (!ev->wanted[i] || n->group)
            continue;
        compute(ev, i);
        if (n->op != CAT_FIX)
            continue;
        solve(ev, n->a);
        cat_id body = code->bodies[code->groups[n->a].first + n->b];
        memcpy(ev->values[i], ev->values[body],
               size_of(ev, i) * sizeof *ev->values[i]);
    }
}

void cat_eval_release(struct cat_eval *ev)
{
    free(ev->events);
    free(ev->index);
    free(ev->init_of);
    free(ev->wanted);
    free(ev->values);
    free(ev->memory);
    *ev = (struct cat_eval){0};
}

static bool holds(const struct cat_eval *ev, const struct cat_check *check)
{
    size_t size = (size_t)ev->n * ev->words;
    const uint64_t *value = ev->values[check->node];
    bool ok = true;
    if (check->kind == CHECK_EMPTY) {
        for (size_t i = 0; i < size; i++)
            ok = ok && value[i] == 0;
        return ok;
    }
    uint64_t *m = mem_resize(NULL, size * sizeof *m);
    memcpy(m, value, size * sizeof *m);
    if (check->kind == CHECK_ACYCLIC)
        close(ev, m);
    for (uint32_t i = 0; i < ev->n; i++)
        ok = ok && !row_has(row(ev, m, i), i);
    free(m);
    return ok;
}

bool cat_eval_check(const struct cat_eval *ev, const struct cat_check *check)
{
    return holds(ev, check) != check->negated;
}
