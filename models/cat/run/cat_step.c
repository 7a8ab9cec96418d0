/* One body serves both directions and any row length; it is compiled
 * with `words` and `forward` constant, because nearly all graphs have rows of
 * one to three words and then most of it is a few instructions. Recursion
 * is bounded by the depth of the relation. */
#include "models/cat/run/cat_step.h"

#include "models/cat/run/cat_base.h"

/* Rows at a time per level of recursion. */
enum { ROWS_PER_LEVEL = 4 };

size_t cat_step_room(uint32_t depth, uint32_t words)
{
    return words == 1 ? 0 : (size_t)(depth + 2) * ROWS_PER_LEVEL * words;
}

#define DECLARE(name)                                                   \
    static void name(struct cat_step *s, rel_id n, const uint64_t *set, \
                     uint64_t *out);
DECLARE(back_base_1)
DECLARE(back_base_2)
DECLARE(back_base_3)
DECLARE(back_base_n)
DECLARE(forward_base_1)
DECLARE(forward_base_2)
DECLARE(forward_base_3)
DECLARE(forward_base_n)
DECLARE(back_tree_1)
DECLARE(back_tree_2)
DECLARE(back_tree_3)
DECLARE(back_tree_n)
DECLARE(forward_tree_1)
DECLARE(forward_tree_2)
DECLARE(forward_tree_3)
DECLARE(forward_tree_n)
#undef DECLARE

/* Relations without operands have functions of their own, which are small. */
INLINE void image(struct way v, rel_id n, const uint64_t *set, uint64_t *out)
{
    const struct cat_rel *x = &v.s->rels->nodes[n];
    bool base = x->op < REL_OP_UNION || cat_has_row(v.s, x);
    if (v.words == 1 && base)
        (v.forward ? forward_base_1 : back_base_1)(v.s, n, set, out);
    else if (v.words == 2 && base)
        (v.forward ? forward_base_2 : back_base_2)(v.s, n, set, out);
    else if (v.words == 3 && base)
        (v.forward ? forward_base_3 : back_base_3)(v.s, n, set, out);
    else if (base)
        (v.forward ? forward_base_n : back_base_n)(v.s, n, set, out);
    else if (v.words == 1)
        (v.forward ? forward_tree_1 : back_tree_1)(v.s, n, set, out);
    else if (v.words == 2)
        (v.forward ? forward_tree_2 : back_tree_2)(v.s, n, set, out);
    else if (v.words == 3)
        (v.forward ? forward_tree_3 : back_tree_3)(v.s, n, set, out);
    else
        (v.forward ? forward_tree_n : back_tree_n)(v.s, n, set, out);
}

/* Does the relation lead from the new event, which is all of the set, to
 * nothing? */
INLINE bool leads_nowhere(struct way v, const struct cat_rel *x,
                          const uint64_t *set)
{
    return v.forward && x->is & REL_SINK && x->is & REL_STRICT &&
           only_new(v, set);
}

/* --- sequences and closures ---------------------------------------------- */

INLINE void image_seq(struct way v, rel_id n, const uint64_t *set,
                      uint64_t *out)
{
    const struct cat_rels *r = v.s->rels;
    const struct cat_rel *x = &r->nodes[n];
    const rel_id *kids = rel_kids(r, n);
    uint32_t i = 0;
    if (x->required && !cat_has_required(v.s->g, x->required, v.words))
        return;
    rel_id end = kids[v.forward ? 0 : x->n - 1];
    if (r->nodes[end].op == REL_OP_TOID && only_new(v, set)) {
        uint64_t tags = v.s->g->events[v.s->e].tags;
        if (!cat_set_has(&r->sets[r->nodes[end].a], tags))
            return;
        i = 1;
    }
    size_t top = v.s->top;
    uint64_t one, two;
    uint64_t *now = take(v, &one), *next = take(v, &two);
    copy(v, now, set);
    for (; i < x->n && !is_empty(v, now); i++) {
        rel_id kid = kids[v.forward ? i : x->n - 1 - i];
        if (r->nodes[kid].op == REL_OP_TOID) {
            filter(v, &r->sets[r->nodes[kid].a], now);
            continue;
        }
        image(v, kid, now, next);
        uint64_t *swap = now;
        now = next;
        next = swap;
        clear(v, next);
    }
    add_row(v, out, now);
    v.s->top = top;
}

INLINE void image_plus(struct way v, rel_id n, const uint64_t *set,
                       uint64_t *out)
{
    rel_id kid = rel_kids(v.s->rels, n)[0];
    size_t top = v.s->top;
    uint64_t a, b, c;
    uint64_t *acc = take(v, &a), *now = take(v, &b), *next = take(v, &c);
    copy(v, now, set);
    while (!is_empty(v, now)) {
        image(v, kid, now, next);
        for (uint32_t w = 0; w < v.words; w++) {
            now[w] = next[w] & ~acc[w];
            acc[w] |= next[w];
            next[w] = 0;
        }
    }
    add_row(v, out, acc);
    v.s->top = top;
}

/* --- & \ and ~, which look at each event of the set alone ----------------- */

/* Narrows acc to what the kid relates to y (or takes that away), for kids with
 * which this can be done in place; false: it cannot. */
INLINE bool narrow(struct way v, rel_id n, event_id y, uint64_t *acc, bool keep)
{
    const struct cat_rels *r = v.s->rels;
    const struct graph *g = v.s->g;
    const struct cat_rel *x = &r->nodes[n];
    const struct event *ev = &g->events[y];
    if (!v.forward && cat_has_row(v.s, x)) {
        narrow_row(v, acc, graph_row(g, y, (unsigned)x->row), keep);
        return true;
    }
    switch ((enum rel_op)x->op) {
    case REL_OP_PRODUCT: {
        const struct cat_set *to = &r->sets[v.forward ? x->b : x->a];
        bool in = cat_set_has(&r->sets[v.forward ? x->a : x->b], ev->tags);
        for (uint32_t w = 0; w < v.words; w++) {
            uint64_t bits = in ? within(v, to, w, acc[w]) : 0;
            acc[w] = keep ? bits : acc[w] & ~bits;
        }
        return true;
    }
    case REL_OP_LOC:
        for (uint32_t w = 0; w < v.words; w++) {
            uint64_t bits = is_access(ev) ? same_location(v, y, w) : 0;
            acc[w] &= keep ? bits : ~bits;
        }
        return true;
    case REL_OP_INT:
    case REL_OP_EXT:
        narrow_row(v, acc, graph_thread_row(g, ev->thread),
                   keep == (x->op == REL_OP_INT));
        return true;
    case REL_OP_PO:
        if (!v.forward)
            narrow_row(v, acc, graph_row(g, y, ROW_PO), keep);
        return !v.forward;
    default:
        return false;
    }
}

/* The same for a union of products. */
INLINE void narrow_products(struct way v, rel_id n, event_id y, uint64_t *acc)
{
    const struct cat_rels *r = v.s->rels;
    const rel_id *kids = rel_kids(r, n);
    uint64_t tags = v.s->g->events[y].tags;
    for (uint32_t w = 0; w < v.words; w++) {
        uint64_t any = 0;
        for (uint32_t k = 0; k < r->nodes[n].n; k++) {
            const struct cat_rel *x = &r->nodes[kids[k]];
            if (cat_set_has(&r->sets[v.forward ? x->a : x->b], tags))
                any |= within(v, &r->sets[v.forward ? x->b : x->a], w, acc[w]);
        }
        acc[w] = any;
    }
}

/* Takes from acc what the relation n, or each part of it, relates to y. */
INLINE void subtract(struct way v, rel_id n, event_id y, uint64_t *acc)
{
    const struct cat_rels *r = v.s->rels;
    bool is_union =
        r->nodes[n].op == REL_OP_UNION && !cat_has_row(v.s, &r->nodes[n]);
    uint32_t count = is_union ? r->nodes[n].n : 1;
    size_t top = v.s->top;
    for (uint32_t i = 0; i < count; i++) {
        rel_id kid = is_union ? rel_kids(r, n)[i] : n;
        struct way u = v;
        if (r->nodes[kid].op == REL_OP_INVERSE) {
            kid = rel_kids(r, kid)[0];
            u.forward = !v.forward;
        }
        if (u.forward && y == v.s->e && rel_is(r, kid, REL_SINK | REL_STRICT))
            continue;
        if (narrow(u, kid, y, acc, false))
            continue;
        uint64_t a, b;
        uint64_t *set = take(v, &a), *more = take(v, &b);
        row_add(set, y);
        image(u, kid, set, more);
        narrow_row(v, acc, more, false);
        v.s->top = top;
    }
}

INLINE void keep_only(struct way v, rel_id n, event_id y, uint64_t *acc)
{
    if (v.s->rels->nodes[n].products) {
        narrow_products(v, n, y, acc);
        return;
    }
    if (narrow(v, n, y, acc, true))
        return;
    size_t top = v.s->top;
    uint64_t a, b;
    uint64_t *set = take(v, &a), *more = take(v, &b);
    row_add(set, y);
    image(v, n, set, more);
    narrow_row(v, acc, more, true);
    v.s->top = top;
}

INLINE void image_pointwise(struct way v, rel_id n, event_id y, uint64_t *out)
{
    const struct cat_rel *x = &v.s->rels->nodes[n];
    const rel_id *kids = rel_kids(v.s->rels, n);
    size_t top = v.s->top;
    uint64_t one;
    uint64_t *acc = take(v, &one);
    copy(v, acc, v.s->g->live);
    for (uint32_t i = 0; i < x->n && !is_empty(v, acc); i++) {
        if (x->op == REL_OP_INTER || (x->op == REL_OP_DIFF && i == 0))
            keep_only(v, kids[i], y, acc);
        else
            subtract(v, kids[i], y, acc);
    }
    add_row(v, out, acc);
    v.s->top = top;
}

/* Can the event bring nothing that is not in `out` already? A quick look at one
 * row that holds all it can bring. */
INLINE bool is_covered(struct way v, const struct cat_rel *x, event_id y,
                       const uint64_t *out)
{
    if (v.forward || x->within < 0 || x->within >= v.s->usable)
        return false;
    const uint64_t *row = graph_row(v.s->g, y, (unsigned)x->within);
    uint64_t more = 0;
    for (uint32_t w = 0; w < v.words; w++)
        more |= row[w] & ~out[w];
    return more == 0;
}

/* Youngest first: they have the largest rows. */
INLINE void image_points(struct way v, rel_id n, const uint64_t *set,
                         uint64_t *out)
{
    const struct cat_rel *x = &v.s->rels->nodes[n];
    for (uint32_t w = v.words; w-- > 0;)
        for (uint64_t bits = set[w]; bits;) {
            uint32_t bit = 63 - (uint32_t)__builtin_clzll(bits);
            bits &= ~((uint64_t)1 << bit);
            if (!is_covered(v, x, w * 64 + bit, out))
                image_pointwise(v, n, w * 64 + bit, out);
        }
}

/* Is it the part within threads, or between threads, of rf, co, fr or eco? */
INLINE bool is_sided(const struct cat_rels *r, const struct cat_rel *x,
                     const rel_id *kids)
{
    return x->op == REL_OP_INTER && x->n == 2 &&
           (kids[0] == REL_OP_INT || kids[0] == REL_OP_EXT) &&
           (kids[1] == REL_OP_RF ||
            (kids[1] >= REL_OP_CO && kids[1] <= REL_OP_ECO)) &&
           r->nodes[kids[1]].row < 0;
}

/* Sources of the reads in the set, in their own threads or in others. */
INLINE void sources_sided(struct way v, bool same, const uint64_t *set,
                          uint64_t *out)
{
    const struct graph *g = v.s->g;
    const uint64_t *reads = graph_set(g, TAG_R);
    for (uint32_t w = 0; w < v.words; w++)
        for (uint64_t bits = set[w] & reads[w]; bits; bits &= bits - 1) {
            const struct event *ev =
                &g->events[w * 64 + (uint32_t)__builtin_ctzll(bits)];
            if (ev->rf < EVENT_INIT &&
                (g->events[ev->rf].thread == ev->thread) == same)
                row_add(out, ev->rf);
        }
}

INLINE void image_sided(struct way v, const rel_id *kids, const uint64_t *set,
                        uint64_t *out)
{
    const struct graph *g = v.s->g;
    if (kids[1] == REL_OP_RF && !v.forward) {
        sources_sided(v, kids[0] == REL_OP_INT, set, out);
        return;
    }
    size_t top = v.s->top;
    uint64_t one;
    uint64_t *acc = take(v, &one);
    event_id y;
    row_for_each (y, set, v.words) {
        clear(v, acc);
        if (kids[1] == REL_OP_RF)
            step_rf(v, y, acc);
        else
            step_eco(v, (enum rel_op)kids[1], y, acc);
        narrow_row(v, acc, graph_thread_row(g, g->events[y].thread),
                   kids[0] == REL_OP_INT);
        add_row(v, out, acc);
    }
    v.s->top = top;
}

/* --- all ------------------------------------------------------------------ */

/* Those without operands, and those that the graph keeps as rows. */
INLINE void image_base(struct way v, rel_id n, const uint64_t *set,
                       uint64_t *out)
{
    const struct cat_rel *x = &v.s->rels->nodes[n];
    enum rel_op op = (enum rel_op)x->op;
    event_id y;
    if (leads_nowhere(v, x, set))
        return;
    if (cat_has_row(v.s, x)) {
        step_rows(v, (unsigned)x->row, x->is & REL_TRANSITIVE, set, out);
        return;
    }
    switch (op) {
    case REL_OP_PO:
        step_rows(v, ROW_PO, true, set, out);
        break;
    case REL_OP_CAUSE:
        step_rows(v, ROW_CAUSE, true, set, out);
        break;
    case REL_OP_ADDR:
    case REL_OP_DATA:
    case REL_OP_CTRL:
    case REL_OP_PICK_ADDR:
    case REL_OP_PICK_DATA:
    case REL_OP_PICK_CTRL:
        step_rows(v, ROW_ADDR + (op - REL_OP_ADDR), false, set, out);
        break;
    case REL_OP_RF:
        row_for_each (y, set, v.words)
            step_rf(v, y, out);
        break;
    case REL_OP_RMW:
        row_for_each (y, set, v.words)
            step_rmw(v, y, out);
        break;
    case REL_OP_CO:
    case REL_OP_FR:
    case REL_OP_ECO:
    case REL_OP_CO_FR:
        row_for_each (y, set, v.words)
            step_eco(v, op, y, out);
        break;
    case REL_OP_LOC:
        row_for_each (y, set, v.words)
            step_loc(v, y, out);
        break;
    case REL_OP_INT:
    case REL_OP_EXT:
        row_for_each (y, set, v.words)
            step_thread(v, op == REL_OP_INT, y, out);
        break;
    case REL_OP_ID:
        add_row(v, out, set);
        break;
    case REL_OP_TOID:
        for (uint32_t w = 0; w < v.words; w++)
            out[w] |= within(v, &v.s->rels->sets[x->a], w, set[w]);
        break;
    case REL_OP_PRODUCT:
        step_product(v, x, set, out);
        break;
    case REL_OP_MEMBERS:
        for (uint32_t w = 0; w < v.words; w++)
            out[w] |= set[w] & v.s->members[(size_t)x->a * v.words + w];
        break;
    default:
        break;
    }
}

INLINE void image_tree(struct way v, rel_id n, const uint64_t *set,
                       uint64_t *out)
{
    const struct cat_rel *x = &v.s->rels->nodes[n];
    const rel_id *kids = rel_kids(v.s->rels, n);
    struct way back = v;
    back.forward = !v.forward;
    if (leads_nowhere(v, x, set))
        return;
    switch ((enum rel_op)x->op) {
    case REL_OP_UNION:
        for (uint32_t i = 0; i < x->n; i++)
            image(v, kids[i], set, out);
        break;
    case REL_OP_SEQ:
        image_seq(v, n, set, out);
        break;
    case REL_OP_INTER:
    case REL_OP_DIFF:
    case REL_OP_COMPLEMENT:
        if (is_sided(v.s->rels, x, kids))
            image_sided(v, kids, set, out);
        else
            image_points(v, n, set, out);
        break;
    case REL_OP_INVERSE:
        image(back, kids[0], set, out);
        break;
    case REL_OP_PLUS:
        image_plus(v, n, set, out);
        break;
    case REL_OP_OPT:
        add_row(v, out, set);
        image(v, kids[0], set, out);
        break;
    default:
        break;
    }
}

#define DEFINE(name, body, words, forward)                              \
    static void name(struct cat_step *s, rel_id n, const uint64_t *set, \
                     uint64_t *out)                                     \
    {                                                                   \
        body((struct way){s, words, forward}, n, set, out);             \
    }
DEFINE(back_base_1, image_base, 1, false)
DEFINE(back_base_2, image_base, 2, false)
DEFINE(back_base_3, image_base, 3, false)
DEFINE(back_base_n, image_base, s->g->words, false)
DEFINE(forward_base_1, image_base, 1, true)
DEFINE(forward_base_2, image_base, 2, true)
DEFINE(forward_base_3, image_base, 3, true)
DEFINE(forward_base_n, image_base, s->g->words, true)
DEFINE(back_tree_1, image_tree, 1, false)
DEFINE(back_tree_2, image_tree, 2, false)
DEFINE(back_tree_3, image_tree, 3, false)
DEFINE(back_tree_n, image_tree, s->g->words, false)
DEFINE(forward_tree_1, image_tree, 1, true)
DEFINE(forward_tree_2, image_tree, 2, true)
DEFINE(forward_tree_3, image_tree, 3, true)
DEFINE(forward_tree_n, image_tree, s->g->words, true)
#undef DEFINE

void cat_back(struct cat_step *s, rel_id n, const uint64_t *set, uint64_t *out)
{
    image((struct way){s, s->g->words, false}, n, set, out);
}

void cat_forward(struct cat_step *s, rel_id n, const uint64_t *set,
                 uint64_t *out)
{
    image((struct way){s, s->g->words, true}, n, set, out);
}

void cat_back_of(struct cat_step *s, rel_id n, event_id e, uint64_t *out)
{
    struct way v = {s, s->g->words, false};
    int usable = s->usable;
    size_t top = s->top;
    uint64_t one;
    uint64_t *set = take(v, &one);
    s->usable = ROW_MODEL;
    row_add(set, e);
    image(v, n, set, out);
    s->usable = usable;
    s->top = top;
}

void cat_filter(struct cat_step *s, const struct cat_set *set, uint64_t *row)
{
    if (s->g->words == 1)
        filter((struct way){s, 1, false}, set, row);
    else
        filter((struct way){s, s->g->words, false}, set, row);
}
