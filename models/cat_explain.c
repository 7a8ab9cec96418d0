/* Finds a cycle for a failed check and names its steps. */
#include "models/cat_eval.h"

#include "core/mem.h"

#include <stdio.h>
#include <stdlib.h>

enum { STEPS_MAX = sizeof((struct broken *)0)->cycle / sizeof(event_id) };

struct walk {
    const struct cat_eval *ev;
    struct broken *why;
    bool overflow;
};

/* The path of fewest steps, at least one, from i to j in a relation: its
 * elements without j go to `path` [n]. Returns how many; 0: there is none. */
static uint32_t shortest(const struct cat_eval *ev, cat_id node, uint32_t i,
                         uint32_t j, uint32_t *path)
{
    uint32_t *from = mem_resize(NULL, 2 * ev->n * sizeof *from);
    uint32_t *queue = from + ev->n;
    for (uint32_t k = 0; k < ev->n; k++)
        from[k] = UINT32_MAX;
    uint32_t head = 0, tail = 0, length = 0;
    queue[tail++] = i;
    while (head < tail && from[j] == UINT32_MAX) {
        uint32_t k = queue[head++];
        for (uint32_t l = 0; l < ev->n; l++)
            if (from[l] == UINT32_MAX && cat_eval_has(ev, node, k, l)) {
                from[l] = k;
                if (l != i && tail < ev->n)
                    queue[tail++] = l;
            }
    }
    if (from[j] != UINT32_MAX) {
        uint32_t k = j;
        do {
            k = from[k];
            path[length++] = k;
        } while (k != i);
        for (uint32_t a = 0, b = length - 1; a < b; a++, b--) {
            uint32_t t = path[a];
            path[a] = path[b];
            path[b] = t;
        }
    }
    free(from);
    return length;
}

/* What to call a step that is not looked into further. */
static void name_of(const struct cat_code *code, cat_id node, char *out,
                    size_t cap)
{
    const struct cat_node *n = &code->nodes[node];
    if (n->name) {
        snprintf(out, cap, "%s", n->name);
        return;
    }
    switch ((enum cat_op)n->op) {
    case CAT_INTER: /* po & (W * W) is best called po */
    case CAT_DIFF:
    case CAT_UNION:
    case CAT_SEQ: {
        enum cat_op left = (enum cat_op)code->nodes[n->a].op;
        bool dull = left == CAT_PRODUCT || left == CAT_LOC || left == CAT_INT ||
                    left == CAT_EXT || left == CAT_TOID;
        bool other = n->op == CAT_INTER || n->op == CAT_SEQ;
        name_of(code, dull && other ? n->b : n->a, out, cap);
        return;
    }
    case CAT_PLUS:
    case CAT_STAR:
    case CAT_OPT:
        name_of(code, n->a, out, cap);
        return;
    case CAT_INVERSE: {
        char inner[24];
        name_of(code, n->a, inner, sizeof inner);
        snprintf(out, cap, "%s^-1", inner);
        return;
    }
    default:
        snprintf(out, cap, "?");
    }
}

static void step(struct walk *w, cat_id node, uint32_t i)
{
    struct broken *why = w->why;
    if (why->n >= STEPS_MAX) {
        w->overflow = true;
        return;
    }
    why->cycle[why->n] = w->ev->events[i];
    name_of(w->ev->code, node, why->edge[why->n], sizeof why->edge[0]);
    why->n++;
}

/* Adds the steps from i to j, which the relation relates. Recursion is bounded
 * by the depth of the DAG. */
static void walk_to(struct walk *w, cat_id node, uint32_t i, uint32_t j)
{
    const struct cat_eval *ev = w->ev;
    const struct cat_node *n = &ev->code->nodes[node];
    if (w->overflow)
        return;
    switch ((enum cat_op)n->op) {
    case CAT_ID:
    case CAT_TOID:
        return;
    case CAT_UNION:
        walk_to(w, cat_eval_has(ev, n->a, i, j) ? n->a : n->b, i, j);
        return;
    case CAT_SEQ:
        for (uint32_t k = 0; k < ev->n; k++)
            if (cat_eval_has(ev, n->a, i, k) && cat_eval_has(ev, n->b, k, j)) {
                walk_to(w, n->a, i, k);
                walk_to(w, n->b, k, j);
                return;
            }
        return;
    case CAT_OPT:
        if (i != j)
            walk_to(w, n->a, i, j);
        return;
    case CAT_STAR:
    case CAT_PLUS: {
        if (n->op == CAT_STAR && i == j)
            return;
        uint32_t *path = mem_resize(NULL, (ev->n + 1) * sizeof *path);
        uint32_t length = shortest(ev, n->a, i, j, path);
        path[length] = j;
        for (uint32_t k = 0; k < length; k++)
            walk_to(w, n->a, path[k], path[k + 1]);
        free(path);
        return;
    }
    default:
        step(w, node, i);
    }
}

/* The smallest cycle, or the first pair, of the relation. */
static uint32_t find(const struct cat_eval *ev, const struct cat_check *check,
                     uint32_t *path)
{
    uint32_t best = 0;
    uint32_t *other = mem_resize(NULL, (ev->n + 1) * sizeof *other);
    for (uint32_t i = 0; i < ev->n && best != 1; i++) {
        if (check->kind == CHECK_IRREFLEXIVE) {
            if (cat_eval_has(ev, check->node, i, i)) {
                path[0] = i;
                best = 1;
            }
            continue;
        }
        uint32_t length = shortest(ev, check->node, i, i, other);
        if (length && (!best || length < best)) {
            best = length;
            for (uint32_t k = 0; k < length; k++)
                path[k] = other[k];
        }
    }
    free(other);
    return best;
}

static void explain_pair(const struct cat_eval *ev,
                         const struct cat_check *check, struct broken *why)
{
    for (uint32_t i = 0; i < ev->n; i++)
        for (uint32_t j = 0; j < ev->n; j++)
            if (cat_eval_has(ev, check->node, i, j)) {
                why->n = 2;
                why->cycle[0] = ev->events[i];
                why->cycle[1] = ev->events[j];
                name_of(ev->code, check->node, why->edge[0],
                        sizeof why->edge[0]);
                why->edge[1][0] = '\0';
                return;
            }
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
    if (check->kind == CHECK_EMPTY) {
        explain_pair(ev, check, why);
        return;
    }
    uint32_t *path = mem_resize(NULL, (ev->n + 1) * sizeof *path);
    path[0] = 0;
    uint32_t length = find(ev, check, path);
    path[length] = path[0];
    struct walk w = {.ev = ev, .why = why};
    for (uint32_t k = 0; k < length; k++)
        walk_to(&w, check->node, path[k], path[k + 1]);
    if (w.overflow || why->n == 0) { /* too long, or an event by itself */
        why->n = 0;
        for (uint32_t k = 0; k < length; k++)
            step(&w, check->node, path[k]);
    }
    free(path);
}
