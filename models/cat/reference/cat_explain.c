/* Finds a smallest cycle for a failed check and names its steps.
 *
 * A relation of a cat file is an expression; that it relates i and j has a
 * derivation: which alternative of a union, which event between the two parts
 * of a sequence. What counts is the number of base steps (po, rf, co, fr,
 * dependencies, fences) of the cheapest derivation, its cost: a reader can
 * check each of these by hand. The costs of all expressions below the check are
 * matrices, filled from the leaves up; the cycle is read off them from the root
 * down. Least solutions (`let rec`) are iterated, as in the evaluator. */
#include "models/cat/reference/cat_eval.h"

#include "core/mem.h"
#include "models/cat/plan/cat_builtin.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    STEPS_MAX = sizeof((struct broken *)0)->cycle / sizeof(event_id),
    DEPTH_MAX = 1000,
    COST_NONE = UINT16_MAX
};

struct walk {
    const struct cat_eval *ev;
    uint16_t **costs; /* [code->n]: [n][n], NULL where not needed */
    struct broken *why;
    uint32_t depth;
    bool overflow;
};

/* --- which expressions are one step ------------------------------------ */

static bool is_builtin(const char *name)
{
    const char *known;
    for (uint32_t i = 0; name && (known = cat_builtin_name(i)); i++)
        if (strcmp(known, name) == 0)
            return true;
    return false;
}

/* Does the relation only say of which kind the two events are? */
static bool is_filter(const struct cat_code *code, cat_id node)
{
    const struct cat_node *n = &code->nodes[node];
    switch ((enum cat_op)n->op) {
    case CAT_PRODUCT:
    case CAT_LOC:
    case CAT_INT:
    case CAT_EXT:
    case CAT_COMPLEMENT:
        return true;
    case CAT_UNION:
    case CAT_INTER:
        return is_filter(code, n->a) && is_filter(code, n->b);
    case CAT_DIFF:
        return is_filter(code, n->a);
    default:
        return false;
    }
}

/* What an intersection or difference takes its pairs from; CAT_NONE: more than
 * one relation, which is not taken apart. */
static cat_id source_of(const struct cat_code *code, const struct cat_node *n)
{
    if (n->op == CAT_DIFF || is_filter(code, n->b))
        return n->a;
    return is_filter(code, n->a) ? n->b : CAT_NONE;
}

/* Is it made of po and sets alone, as what fences order is? */
static bool is_local(const struct cat_code *code, cat_id node)
{
    const struct cat_node *n = &code->nodes[node];
    cat_id source;
    switch ((enum cat_op)n->op) {
    case CAT_PO:
    case CAT_TOID:
    case CAT_ID:
        return true;
    case CAT_SEQ:
        return is_local(code, n->a) && is_local(code, n->b);
    case CAT_INTER:
    case CAT_DIFF:
        source = source_of(code, n);
        return source != CAT_NONE && is_local(code, source);
    default:
        return false;
    }
}

/* In a sequence of po and sets: how often is there po? */
static uint32_t count_po(const struct cat_code *code, cat_id node)
{
    const struct cat_node *n = &code->nodes[node];
    if (n->op == CAT_SEQ)
        return count_po(code, n->a) + count_po(code, n->b);
    return n->op != CAT_TOID && n->op != CAT_ID;
}

static bool is_step(const struct cat_code *code, cat_id node)
{
    const struct cat_node *n = &code->nodes[node];
    switch ((enum cat_op)n->op) {
    case CAT_ID:
    case CAT_TOID:
    case CAT_EMPTY:
    case CAT_UNION:
    case CAT_PLUS:
    case CAT_STAR:
    case CAT_OPT:
    case CAT_FIX:
    case CAT_VARIABLE:
        return false;
    case CAT_SEQ:
        return is_builtin(n->name) ||
               (is_local(code, node) && (n->name || count_po(code, node) <= 2));
    case CAT_INTER:
    case CAT_DIFF:
        return is_builtin(n->name) || source_of(code, n) == CAT_NONE ||
               (n->name && is_local(code, node));
    default:
        return true;
    }
}

/* --- names ------------------------------------------------------------- */

static void append(char *out, size_t cap, const char *text)
{
    size_t n = strlen(out);
    snprintf(out + n, cap - n, "%s", text);
}

static void add_name(const struct cat_code *code, cat_id node, char *out,
                     size_t cap);

static void add_set(const struct cat_code *code, cat_id set, char *out,
                    size_t cap)
{
    const struct cat_node *n = &code->nodes[set];
    bool joins = n->op == CAT_UNION || n->op == CAT_INTER || n->op == CAT_DIFF;
    if (n->name) {
        append(out, cap, n->name);
    } else if (n->op == CAT_TAG) {
        append(out, cap, event_tag_name((enum event_tag)n->a));
    } else if (joins) {
        add_set(code, n->a, out, cap);
        append(out, cap,
               n->op == CAT_UNION   ? "|"
               : n->op == CAT_INTER ? "&"
                                    : "\\");
        add_set(code, n->b, out, cap);
    } else if (n->op == CAT_DOMAIN || n->op == CAT_RANGE) {
        char of[32] = "";
        add_name(code, n->a, of, sizeof of);
        append(out, cap, n->op == CAT_RANGE ? "range(" : "domain(");
        append(out, cap, of);
        append(out, cap, ")");
    } else {
        append(out, cap, "...");
    }
}

/* "[L];po": a sequence of one step and sets. Which of two kinds an access is
 * can be seen, so R, W and M are left out. */
static void add_sequence(const struct cat_code *code, cat_id node, char *out,
                         size_t cap)
{
    const struct cat_node *n = &code->nodes[node];
    char set[32] = "";
    if (n->op == CAT_SEQ && !n->name) {
        add_sequence(code, n->a, out, cap);
        add_sequence(code, n->b, out, cap);
        return;
    }
    if (n->op == CAT_TOID) {
        add_set(code, n->a, set, sizeof set);
        if (strcmp(set, "R") == 0 || strcmp(set, "W") == 0 ||
            strcmp(set, "M") == 0 || strcmp(set, "_") == 0)
            return;
    }
    if (out[0])
        append(out, cap, ";");
    if (n->op == CAT_TOID) {
        append(out, cap, "[");
        append(out, cap, set);
        append(out, cap, "]");
    } else {
        add_name(code, node, out, cap);
    }
}

/* What to call a step that is not looked into further. */
static void add_name(const struct cat_code *code, cat_id node, char *out,
                     size_t cap)
{
    static const char *const base[] = {
        [CAT_PO] = "po",   [CAT_RF] = "rf",   [CAT_CO] = "co",
        [CAT_RMW] = "rmw", [CAT_LOC] = "loc", [CAT_INT] = "int",
        [CAT_EXT] = "ext", [CAT_ID] = "id",
    };
    const struct cat_node *n = &code->nodes[node];
    if (n->name) {
        append(out, cap, n->name);
        return;
    }
    switch ((enum cat_op)n->op) {
    case CAT_PO:
    case CAT_RF:
    case CAT_CO:
    case CAT_RMW:
    case CAT_LOC:
    case CAT_INT:
    case CAT_EXT:
    case CAT_ID:
        append(out, cap, base[n->op]);
        break;
    case CAT_INTER: /* po & (W * W) is best called po */
    case CAT_DIFF:
        add_name(code, is_filter(code, n->a) ? n->b : n->a, out, cap);
        break;
    case CAT_SEQ:
        add_sequence(code, node, out, cap);
        break;
    case CAT_UNION:
    case CAT_PLUS:
    case CAT_STAR:
    case CAT_OPT:
        add_name(code, n->a, out, cap);
        break;
    case CAT_INVERSE:
        add_name(code, n->a, out, cap);
        append(out, cap, "^-1");
        break;
    default:
        append(out, cap, "?");
    }
}

/* --- costs ------------------------------------------------------------- */

static uint16_t sum(uint16_t a, uint16_t b)
{
    return a == COST_NONE || b == COST_NONE || a + b >= COST_NONE
               ? COST_NONE
               : (uint16_t)(a + b);
}

static void lower(uint16_t *cost, uint16_t to)
{
    if (to < *cost)
        *cost = to;
}

static void add_costs(const struct walk *w, const uint16_t *a,
                      const uint16_t *b, uint16_t *out)
{
    uint32_t n = w->ev->n;
    for (uint32_t i = 0; i < n; i++)
        for (uint32_t k = 0; k < n; k++)
            for (uint32_t j = 0; a[i * n + k] != COST_NONE && j < n; j++)
                lower(&out[i * n + j], sum(a[i * n + k], b[k * n + j]));
}

/* Floyd and Warshall. The diagonal, which starts with what it has, ends with
 * the cheapest cycles. */
static void close_costs(const struct walk *w, uint16_t *m)
{
    uint32_t n = w->ev->n;
    for (uint32_t k = 0; k < n; k++)
        for (uint32_t i = 0; i < n; i++)
            for (uint32_t j = 0; m[i * n + k] != COST_NONE && j < n; j++)
                lower(&m[i * n + j], sum(m[i * n + k], m[k * n + j]));
}

static uint16_t *new_costs(const struct walk *w)
{
    size_t bytes = (size_t)w->ev->n * w->ev->n * sizeof(uint16_t);
    return memset(mem_resize(NULL, bytes + 1), 0xff, bytes);
}

/* The same cost for all pairs of the relation. */
static void fill_flat(const struct walk *w, cat_id node, uint16_t cost,
                      uint16_t *out)
{
    uint32_t n = w->ev->n;
    for (uint32_t i = 0; i < n; i++)
        for (uint32_t j = 0; j < n; j++)
            if (cat_eval_has(w->ev, node, i, j))
                out[i * n + j] = cost;
}

static cat_id body_of(const struct cat_code *code, const struct cat_node *n)
{
    return code->bodies[code->groups[n->a].first + n->b];
}

/* The costs of a node from those of its operands. */
static void fill_costs(const struct walk *w, cat_id node)
{
    const struct cat_code *code = w->ev->code;
    const struct cat_node *x = &code->nodes[node];
    uint32_t n = w->ev->n;
    uint16_t *out = w->costs[node];
    if (is_step(code, node)) {
        fill_flat(w, node, 1, out);
        return;
    }
    switch ((enum cat_op)x->op) {
    case CAT_UNION:
        for (uint32_t i = 0; i < n * n; i++) {
            lower(&out[i], w->costs[x->a][i]);
            lower(&out[i], w->costs[x->b][i]);
        }
        break;
    case CAT_SEQ:
        add_costs(w, w->costs[x->a], w->costs[x->b], out);
        break;
    case CAT_INTER:
    case CAT_DIFF:
        for (uint32_t i = 0; i < n * n; i++)
            if (cat_eval_has(w->ev, node, i / n, i % n))
                lower(&out[i], w->costs[source_of(code, x)][i]);
        break;
    case CAT_PLUS:
    case CAT_STAR:
    case CAT_OPT:
        for (uint32_t i = 0; i < n * n; i++)
            lower(&out[i], w->costs[x->a][i]);
        if (x->op != CAT_OPT)
            close_costs(w, out);
        for (uint32_t i = 0; x->op != CAT_PLUS && i < n; i++)
            out[i * n + i] = 0;
        break;
    case CAT_VARIABLE: /* set by solve */
        break;
    default: /* sets as relations */
        fill_flat(w, node, 0, out);
    }
}

/* Least costs of a group: costs only sink, from none at all. */
static void solve(const struct walk *w, uint32_t group)
{
    const struct cat_code *code = w->ev->code;
    size_t n = (size_t)w->ev->n * w->ev->n;
    bool changed;
    do {
        changed = false;
        for (cat_id i = 0; i < code->n; i++)
            if (w->costs[i] && code->nodes[i].group == group + 1)
                fill_costs(w, i);
        for (cat_id i = 0; i < code->n; i++) {
            const struct cat_node *x = &code->nodes[i];
            if (x->op != CAT_VARIABLE || x->a != group || !w->costs[i])
                continue;
            const uint16_t *body = w->costs[body_of(code, x)];
            if (memcmp(w->costs[i], body, n * sizeof *body) != 0) {
                memcpy(w->costs[i], body, n * sizeof *body);
                changed = true;
            }
        }
    } while (changed);
}

static void need(struct walk *w, cat_id node)
{
    const struct cat_code *code = w->ev->code;
    const struct cat_node *n = &code->nodes[node];
    if (w->costs[node])
        return;
    w->costs[node] = new_costs(w);
    if (is_step(code, node))
        return;
    switch ((enum cat_op)n->op) {
    case CAT_UNION:
    case CAT_SEQ:
        need(w, n->a);
        need(w, n->b);
        break;
    case CAT_INTER:
    case CAT_DIFF:
        need(w, source_of(code, n));
        break;
    case CAT_PLUS:
    case CAT_STAR:
    case CAT_OPT:
        need(w, n->a);
        break;
    case CAT_FIX:
    case CAT_VARIABLE:
        need(w, body_of(code, n));
        break;
    default:
        break;
    }
}

static void fill_all(struct walk *w, cat_id root)
{
    const struct cat_code *code = w->ev->code;
    size_t bytes = (size_t)w->ev->n * w->ev->n * sizeof(uint16_t);
    need(w, root);
    for (cat_id i = 0; i <= root; i++) {
        if (!w->costs[i])
            continue;
        if (code->nodes[i].op == CAT_FIX) {
            solve(w, code->nodes[i].a);
            memcpy(w->costs[i], w->costs[body_of(code, &code->nodes[i])],
                   bytes);
        } else {
            fill_costs(w, i);
        }
    }
}

/* --- the cycle --------------------------------------------------------- */

static void step(struct walk *w, cat_id node, uint32_t i)
{
    struct broken *why = w->why;
    if (why->n >= STEPS_MAX) {
        w->overflow = true;
        return;
    }
    why->cycle[why->n] = w->ev->events[i];
    why->edge[why->n][0] = '\0';
    add_name(w->ev->code, node, why->edge[why->n], sizeof why->edge[0]);
    why->n++;
}

/* po twice without a name of its own: goes by the name of the fence between,
 * or else the event between is shown. */
static void step_twice(struct walk *w, cat_id node, uint32_t i, uint32_t j)
{
    const struct cat_code *code = w->ev->code;
    const struct cat_node *x = &code->nodes[node];
    while (count_po(code, x->a) != 1)
        x = &code->nodes[count_po(code, x->a) == 2 ? x->a : x->b];
    uint32_t k = 0;
    while (k < w->ev->n && !(cat_eval_has(w->ev, x->a, i, k) &&
                             cat_eval_has(w->ev, x->b, k, j)))
        k++;
    const struct event *e =
        k < w->ev->n_live ? &w->ev->g->events[w->ev->events[k]] : NULL;
    uint64_t fence = e && e->kind == LABEL_FENCE ? e->tags & TAGS_ISA : 0;
    step(w, fence ? node : x->a, i);
    if (!fence)
        step(w, x->b, k);
    else if (!w->overflow)
        snprintf(w->why->edge[w->why->n - 1], sizeof w->why->edge[0], "%s",
                 event_tag_name((enum event_tag)__builtin_ctzll(fence)));
}

static void walk_to(struct walk *w, cat_id node, uint32_t i, uint32_t j);

/* Through the event that makes the two parts cheapest. */
static void walk_sequence(struct walk *w, const struct cat_node *x, uint32_t i,
                          uint32_t j)
{
    uint32_t n = w->ev->n, best = 0;
    uint16_t least = COST_NONE;
    for (uint32_t k = 0; k < n; k++) {
        uint16_t cost =
            sum(w->costs[x->a][i * n + k], w->costs[x->b][k * n + j]);
        if (cost < least) {
            least = cost;
            best = k;
        }
    }
    walk_to(w, x->a, i, best);
    walk_to(w, x->b, best, j);
}

/* A cheapest path of one or more steps of `node`, whose closure costs `all`. */
static void walk_path(struct walk *w, cat_id node, const uint16_t *all,
                      uint32_t i, uint32_t j)
{
    uint32_t n = w->ev->n;
    const uint16_t *one = w->costs[node];
    for (uint32_t left = n; left > 0; left--) {
        uint16_t least = one[i * n + j];
        uint32_t next = j;
        for (uint32_t k = 0; k < n; k++) {
            uint16_t cost = sum(one[i * n + k], all[k * n + j]);
            if (cost < least) {
                least = cost;
                next = k;
            }
        }
        walk_to(w, node, i, next);
        i = next;
        if (next == j)
            return;
    }
}

/* Adds the steps from i to j, which the relation relates. */
static void walk_to(struct walk *w, cat_id node, uint32_t i, uint32_t j)
{
    const struct cat_code *code = w->ev->code;
    const struct cat_node *x = &code->nodes[node];
    uint32_t at = i * w->ev->n + j;
    if (w->overflow || w->costs[node][at] == 0)
        return;
    if (is_step(code, node)) {
        if (x->op == CAT_SEQ && !x->name && count_po(code, node) == 2)
            step_twice(w, node, i, j);
        else
            step(w, node, i);
        return;
    }
    if (++w->depth > DEPTH_MAX)
        w->overflow = true;
    switch ((enum cat_op)x->op) {
    case CAT_UNION:
        /* Of equals what is no recursion, else there may be no end. */
        walk_to(w,
                w->costs[x->b][at] < w->costs[x->a][at] ||
                        (w->costs[x->b][at] == w->costs[x->a][at] &&
                         code->nodes[x->a].group > code->nodes[x->b].group)
                    ? x->b
                    : x->a,
                i, j);
        break;
    case CAT_SEQ:
        walk_sequence(w, x, i, j);
        break;
    case CAT_PLUS:
    case CAT_STAR:
        walk_path(w, x->a, w->costs[node], i, j);
        break;
    case CAT_OPT:
        walk_to(w, x->a, i, j);
        break;
    case CAT_INTER:
    case CAT_DIFF:
        walk_to(w, source_of(code, x), i, j);
        break;
    case CAT_FIX:
    case CAT_VARIABLE:
        walk_to(w, body_of(code, x), i, j);
        break;
    default:
        break;
    }
    w->depth--;
}

static uint32_t cheapest(const struct walk *w, const uint16_t *costs)
{
    uint32_t n = w->ev->n, best = 0;
    for (uint32_t i = 1; i < n; i++)
        if (costs[i * n + i] < costs[best * n + best])
            best = i;
    return best;
}

/* The relation is not empty: i and j are in it. Of two relations that must not
 * meet, `rmw & (fre; coe)`, the second is taken apart, and the way back is the
 * first: that makes a cycle. */
static bool walk_pair(struct walk *w, cat_id node)
{
    const struct cat_eval *ev = w->ev;
    const struct cat_node *x = &ev->code->nodes[node];
    bool meets = x->op == CAT_INTER && source_of(ev->code, x) == CAT_NONE;
    uint32_t i = 0, j = 0;
    for (uint32_t k = 0; k < ev->n * ev->n; k++)
        if (cat_eval_has(ev, node, k / ev->n, k % ev->n)) {
            i = k / ev->n;
            j = k % ev->n;
            break;
        }
    if (meets) {
        fill_all(w, x->b);
        walk_to(w, x->b, i, j);
        step(w, x->a, j);
    } else {
        step(w, node, i);
        step(w, node, j);
    }
    if (w->overflow)
        return false;
    char *back = w->why->edge[w->why->n - 1];
    if (meets)
        append(back, sizeof w->why->edge[0], "^-1");
    else
        back[0] = '\0';
    return true;
}

static void walk_cycle(struct walk *w, const struct cat_check *check)
{
    fill_all(w, check->node);
    size_t bytes = (size_t)w->ev->n * w->ev->n * sizeof(uint16_t);
    uint16_t *all = memcpy(new_costs(w), w->costs[check->node], bytes);
    if (check->kind == CHECK_ACYCLIC)
        close_costs(w, all);
    uint32_t i = cheapest(w, all);
    if (check->kind == CHECK_ACYCLIC)
        walk_path(w, check->node, all, i, i);
    else
        walk_to(w, check->node, i, i);
    if (w->overflow || w->why->n == 0) { /* too long, or an event by itself */
        w->overflow = false;
        w->why->n = 0;
        step(w, check->node, i);
    }
    free(all);
}

void cat_explain(const struct cat_eval *ev, const struct cat_check *check,
                 struct broken *why)
{
    static const char *const kinds[] = {"acyclic", "irreflexive", "empty"};
    *why = (struct broken){.axiom = check->name, .kind = kinds[check->kind]};
    bool about_events = !check->negated;
    if (check->role != CHECK_AXIOM) {
        why->kind = "flag";
        why->unexplored = check->role == CHECK_UNEXPLORED;
        about_events = check->negated;
    }
    if (!about_events)
        return;
    size_t bytes = (ev->code->n + 1) * sizeof(uint16_t *);
    struct walk w = {.ev = ev,
                     .why = why,
                     .costs = memset(mem_resize(NULL, bytes), 0, bytes)};
    if (check->kind != CHECK_EMPTY)
        walk_cycle(&w, check);
    else if (!walk_pair(&w, check->node))
        why->n = 0;
    for (cat_id i = 0; i < ev->code->n; i++)
        free(w.costs[i]);
    free(w.costs);
}
