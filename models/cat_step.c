/* One body serves both directions and any row length; it is compiled four
 * times, with `words` and `forward` constant, because nearly all graphs have
 * rows of one word and then most of it is a few instructions. Recursion is
 * bounded by the depth of the relation. */
#include "models/cat_step.h"

#include <string.h>

#define INLINE static inline __attribute__((always_inline))

/* Rows at a time per level of recursion. */
enum { ROWS_PER_LEVEL = 4 };

size_t cat_step_room(uint32_t depth, uint32_t words)
{
    return words == 1 ? 0 : (size_t)(depth + 2) * ROWS_PER_LEVEL * words;
}

/* A cleared row that lives until s->top is put back. */
INLINE uint64_t *take(struct cat_step *s, uint64_t *one, uint32_t words)
{
    uint64_t *row = one;
    if (words != 1) {
        row = s->scratch + s->top;
        s->top += words;
    }
    memset(row, 0, words * sizeof *row);
    return row;
}

INLINE void or_row(uint64_t *to, const uint64_t *from, uint32_t words)
{
    for (uint32_t w = 0; w < words; w++)
        to[w] |= from[w];
}

INLINE uint64_t clause_word(const struct graph *g, struct cat_clause c,
                            uint32_t words, uint32_t w)
{
    uint64_t any = 0;
    for (uint64_t t = c.with; t; t &= t - 1)
        any |= g->sets[(size_t)__builtin_ctzll(t) * words + w];
    for (uint64_t t = c.without; t; t &= t - 1)
        any |= ~g->sets[(size_t)__builtin_ctzll(t) * words + w];
    return any;
}

INLINE void filter(const struct graph *g, const struct cat_set *set,
                   uint64_t *row, uint32_t words)
{
    for (uint32_t w = 0; w < words; w++)
        for (uint32_t i = 0; i < set->n && row[w]; i++)
            row[w] &= clause_word(g, set->clauses[i], words, w);
}

void cat_filter(const struct graph *g, const struct cat_set *set, uint64_t *row)
{
    if (g->words == 1)
        filter(g, set, row, 1);
    else
        filter(g, set, row, g->words);
}

/* Does the row hold an event of the set? */
INLINE bool meets(const struct graph *g, const struct cat_set *set,
                  const uint64_t *row, uint32_t words)
{
    for (uint32_t w = 0; w < words; w++) {
        uint64_t bits = row[w];
        for (uint32_t i = 0; i < set->n && bits; i++)
            bits &= clause_word(g, set->clauses[i], words, w);
        if (bits)
            return true;
    }
    return false;
}

/* --- base relations ----------------------------------------------------- */

/* Predecessor rows. In a transitive relation what is in the row of one event
 * need not be looked at again; youngest events are likely last, so they go
 * first. */
INLINE void back_rows(struct cat_step *s, unsigned which, bool transitive,
                      const uint64_t *set, uint64_t *out, uint32_t words)
{
    size_t top = s->top;
    uint64_t one;
    uint64_t *rest = take(s, &one, words);
    memcpy(rest, set, words * sizeof *rest);
    for (uint32_t w = words; w-- > 0;)
        while (rest[w]) {
            uint32_t bit = 63 - (uint32_t)__builtin_clzll(rest[w]);
            const uint64_t *row = graph_row(s->g, w * 64 + bit, which);
            rest[w] &= ~((uint64_t)1 << bit);
            for (uint32_t i = 0; i < words; i++) {
                out[i] |= row[i];
                if (transitive)
                    rest[i] &= ~row[i];
            }
        }
    s->top = top;
}

/* With predecessor rows only, successors must be looked for. */
INLINE void forward_rows(struct cat_step *s, unsigned which,
                         const uint64_t *set, uint64_t *out, uint32_t words)
{
    event_id x;
    row_for_each (x, s->g->live, words) {
        const uint64_t *row = graph_row(s->g, x, which);
        for (uint32_t i = 0; i < words; i++)
            if (row[i] & set[i]) {
                row_add(out, x);
                break;
            }
    }
}

INLINE const uint64_t *readers(const struct graph *g, event_id w, loc_id loc)
{
    return w == EVENT_INIT ? graph_init_row(g, loc)
                           : graph_row(g, w, ROW_READERS);
}

/* Events before w in co, and with them (as said) the writes, their readers. */
INLINE void before_in_co(const struct graph *g, event_id w, bool writes,
                         bool reads, bool nearest, uint64_t *out,
                         uint32_t words)
{
    loc_id loc = g->events[w].loc;
    event_id v = g->events[w].co_prev;
    if (v == EVENT_NONE)
        return;
    for (;; v = g->events[v].co_prev) {
        if (reads)
            or_row(out, readers(g, v, loc), words);
        if (v == EVENT_INIT)
            return;
        if (writes)
            row_add(out, v);
        if (nearest)
            return;
    }
}

/* The same after w; EVENT_INIT: all writes of the location. */
INLINE void after_in_co(const struct graph *g, event_id w, loc_id loc,
                        bool reads, uint64_t *out, uint32_t words)
{
    event_id v = w == EVENT_INIT ? g->locs[loc].co_first : g->events[w].co_next;
    for (; v != EVENT_NONE; v = g->events[v].co_next) {
        row_add(out, v);
        if (reads)
            or_row(out, readers(g, v, loc), words);
    }
}

/* co, fr, eco and co_fr of event y, backwards. */
INLINE void back_eco(const struct graph *g, enum rel_op op, event_id y,
                     uint64_t *out, uint32_t words)
{
    const struct event *ev = &g->events[y];
    if (ev->kind == LABEL_WRITE) {
        before_in_co(g, y, op != REL_OP_FR, op != REL_OP_CO, op == REL_OP_CO_FR,
                     out, words);
    } else if (op == REL_OP_ECO && ev->kind == LABEL_READ &&
               ev->rf != EVENT_NONE && ev->rf != EVENT_INIT) {
        row_add(out, ev->rf);
        before_in_co(g, ev->rf, true, true, false, out, words);
    }
}

INLINE void forward_eco(const struct graph *g, enum rel_op op, event_id y,
                        uint64_t *out, uint32_t words)
{
    const struct event *ev = &g->events[y];
    bool reads = op == REL_OP_ECO;
    if (ev->kind == LABEL_WRITE && op != REL_OP_FR) {
        if (reads)
            or_row(out, graph_row(g, y, ROW_READERS), words);
        after_in_co(g, y, ev->loc, reads, out, words);
    } else if (ev->kind == LABEL_READ && op != REL_OP_CO &&
               ev->rf != EVENT_NONE) {
        after_in_co(g, ev->rf, ev->loc, reads, out, words);
    }
}

INLINE void step_rf(const struct graph *g, bool forward, event_id y,
                    uint64_t *out, uint32_t words)
{
    const struct event *ev = &g->events[y];
    if (forward) {
        if (ev->kind == LABEL_WRITE)
            or_row(out, graph_row(g, y, ROW_READERS), words);
    } else if (ev->kind == LABEL_READ && ev->rf < EVENT_INIT) {
        row_add(out, ev->rf);
    }
}

INLINE void step_rmw(const struct graph *g, bool forward, event_id y,
                     uint64_t *out)
{
    const struct event *ev = &g->events[y];
    if (ev->rmw != EVENT_NONE &&
        ev->kind == (forward ? LABEL_READ : LABEL_WRITE))
        row_add(out, ev->rmw);
}

INLINE void step_loc(const struct graph *g, event_id y, uint64_t *out,
                     uint32_t words)
{
    const struct event *ev = &g->events[y];
    if (ev->kind != LABEL_READ && ev->kind != LABEL_WRITE)
        return;
    const uint64_t *row = graph_loc_row(g, ev->loc);
    const uint64_t *r = graph_set(g, TAG_R), *w = graph_set(g, TAG_W);
    for (uint32_t i = 0; i < words; i++)
        out[i] |= row[i] & (r[i] | w[i]);
}

INLINE void step_thread(const struct graph *g, bool same, event_id y,
                        uint64_t *out, uint32_t words)
{
    const uint64_t *row = graph_thread_row(g, g->events[y].thread);
    for (uint32_t i = 0; i < words; i++)
        out[i] |= same ? row[i] : g->live[i] & ~row[i];
}

/* --- composed relations ------------------------------------------------- */

#define DECLARE(name)                                                   \
    static void name(struct cat_step *s, rel_id n, const uint64_t *set, \
                     uint64_t *out);
DECLARE(back_base_1)
DECLARE(back_base_n)
DECLARE(forward_base_1)
DECLARE(forward_base_n)
DECLARE(back_tree_1)
DECLARE(back_tree_n)
DECLARE(forward_tree_1)
DECLARE(forward_tree_n)
#undef DECLARE

/* Relations without operands have functions of their own, which are small. */
INLINE void image(struct cat_step *s, rel_id n, bool forward,
                  const uint64_t *set, uint64_t *out, uint32_t words)
{
    const struct cat_rel *x = &s->rels->nodes[n];
    bool base = x->op < REL_OP_UNION || (x->row >= 0 && n != s->raw);
    if (words == 1 && base)
        (forward ? forward_base_1 : back_base_1)(s, n, set, out);
    else if (base)
        (forward ? forward_base_n : back_base_n)(s, n, set, out);
    else if (words == 1)
        (forward ? forward_tree_1 : back_tree_1)(s, n, set, out);
    else
        (forward ? forward_tree_n : back_tree_n)(s, n, set, out);
}

INLINE bool only_new(const struct cat_step *s, const uint64_t *set,
                     uint32_t words)
{
    uint64_t others = 0;
    for (uint32_t w = 0; w < words; w++)
        others |=
            w == s->e >> 6 ? set[w] & ~((uint64_t)1 << (s->e & 63)) : set[w];
    return others == 0;
}

INLINE void image_seq(struct cat_step *s, rel_id n, bool forward,
                      const uint64_t *set, uint64_t *out, uint32_t words)
{
    const struct cat_rels *r = s->rels;
    const struct cat_rel *x = &r->nodes[n];
    const rel_id *kids = rel_kids(r, n);
    uint32_t i = 0;
    if (x->required && !cat_has_required(s->g, x->required, words))
        return;
    rel_id edge = kids[forward ? 0 : x->n - 1];
    if (r->nodes[edge].op == REL_OP_TOID && only_new(s, set, words)) {
        const struct cat_set *in = &r->sets[r->nodes[edge].a];
        if (!cat_set_has(in, s->g->events[s->e].tags))
            return;
        i = 1;
    }
    size_t top = s->top;
    uint64_t one, two;
    uint64_t *now = take(s, &one, words), *next = take(s, &two, words);
    memcpy(now, set, words * sizeof *now);
    for (; i < x->n; i++) {
        rel_id kid = kids[forward ? i : x->n - 1 - i];
        if (r->nodes[kid].op == REL_OP_TOID) {
            filter(s->g, &r->sets[r->nodes[kid].a], now, words);
        } else {
            image(s, kid, forward, now, next, words);
            uint64_t *swap = now;
            now = next;
            next = swap;
            memset(next, 0, words * sizeof *next);
        }
        if (cat_row_empty(now, words)) {
            s->top = top;
            return;
        }
    }
    or_row(out, now, words);
    s->top = top;
}

/* acc &= set, or acc &= ~set */
INLINE void narrow_set(const struct graph *g, const struct cat_set *set,
                       uint64_t *acc, bool keep, uint32_t words)
{
    for (uint32_t w = 0; w < words; w++) {
        uint64_t bits = acc[w];
        for (uint32_t i = 0; i < set->n && bits; i++)
            bits &= clause_word(g, set->clauses[i], words, w);
        acc[w] = keep ? bits : acc[w] & ~bits;
    }
}

INLINE void narrow_row(uint64_t *acc, const uint64_t *row, bool keep,
                       uint32_t words)
{
    for (uint32_t w = 0; w < words; w++)
        acc[w] &= keep ? row[w] : ~row[w];
}

/* Narrows acc to what the kid relates to y (or takes that away), for kids with
 * which this can be done in place; false: it cannot. */
INLINE bool narrow(struct cat_step *s, rel_id n, bool forward, event_id y,
                   uint64_t *acc, bool keep, uint32_t words)
{
    const struct cat_rels *r = s->rels;
    const struct cat_rel *x = &r->nodes[n];
    const struct event *ev = &s->g->events[y];
    if (x->row >= 0 && !forward && n != s->raw) {
        narrow_row(acc, graph_row(s->g, y, (unsigned)x->row), keep, words);
        return true;
    }
    switch ((enum rel_op)x->op) {
    case REL_OP_PRODUCT: {
        const struct cat_set *from = &r->sets[forward ? x->a : x->b];
        const struct cat_set *to = &r->sets[forward ? x->b : x->a];
        if (cat_set_has(from, ev->tags))
            narrow_set(s->g, to, acc, keep, words);
        else if (keep)
            memset(acc, 0, words * sizeof *acc);
        return true;
    }
    case REL_OP_LOC: {
        bool access = ev->kind == LABEL_READ || ev->kind == LABEL_WRITE;
        if (!access && keep)
            memset(acc, 0, words * sizeof *acc);
        if (!access)
            return true;
        const uint64_t *row = graph_loc_row(s->g, ev->loc);
        const uint64_t *a = graph_set(s->g, TAG_R), *b = graph_set(s->g, TAG_W);
        for (uint32_t w = 0; w < words; w++)
            acc[w] &= keep ? row[w] & (a[w] | b[w]) : ~(row[w] & (a[w] | b[w]));
        return true;
    }
    case REL_OP_INT:
    case REL_OP_EXT:
        narrow_row(acc, graph_thread_row(s->g, ev->thread),
                   keep == (x->op == REL_OP_INT), words);
        return true;
    case REL_OP_PO:
        if (!forward)
            narrow_row(acc, graph_row(s->g, y, ROW_PO), keep, words);
        return !forward;
    default:
        return false;
    }
}

/* A union of products, narrowed in the same way. */
INLINE void narrow_products(struct cat_step *s, rel_id n, bool forward,
                            event_id y, uint64_t *acc, uint32_t words)
{
    const struct cat_rels *r = s->rels;
    const rel_id *kids = rel_kids(r, n);
    uint64_t tags = s->g->events[y].tags;
    for (uint32_t w = 0; w < words; w++) {
        uint64_t any = 0;
        for (uint32_t k = 0; k < r->nodes[n].n; k++) {
            const struct cat_rel *x = &r->nodes[kids[k]];
            const struct cat_set *to = &r->sets[forward ? x->b : x->a];
            if (!cat_set_has(&r->sets[forward ? x->a : x->b], tags))
                continue;
            uint64_t bits = acc[w];
            for (uint32_t i = 0; i < to->n && bits; i++)
                bits &= clause_word(s->g, to->clauses[i], words, w);
            any |= bits;
        }
        acc[w] = any;
    }
}

/* Takes from acc what the kid relates to y; `more` is room for a row. */
INLINE void subtract(struct cat_step *s, rel_id n, bool forward,
                     const uint64_t *set, event_id y, uint64_t *acc,
                     uint64_t *more, uint32_t words)
{
    const struct cat_rels *r = s->rels;
    bool is_union = r->nodes[n].op == REL_OP_UNION && r->nodes[n].row < 0;
    uint32_t count = is_union ? r->nodes[n].n : 1;
    for (uint32_t i = 0; i < count; i++) {
        rel_id kid = is_union ? rel_kids(r, n)[i] : n;
        bool way = forward;
        if (r->nodes[kid].op == REL_OP_INVERSE) {
            kid = rel_kids(r, kid)[0];
            way = !way;
        }
        if (way && y == s->e && rel_is(r, kid, REL_SINK | REL_STRICT))
            continue;
        if (narrow(s, kid, way, y, acc, false, words))
            continue;
        memset(more, 0, words * sizeof *more);
        image(s, kid, way, set, more, words);
        narrow_row(acc, more, false, words);
    }
}

/* & \ and ~ look at each event of the set alone. */
INLINE void image_pointwise(struct cat_step *s, rel_id n, bool forward,
                            event_id y, uint64_t *out, uint32_t words)
{
    const struct cat_rels *r = s->rels;
    const struct cat_rel *x = &r->nodes[n];
    const rel_id *kids = rel_kids(r, n);
    size_t top = s->top;
    uint64_t a, b, c;
    uint64_t *set = take(s, &a, words), *acc = take(s, &b, words),
             *more = take(s, &c, words);
    memcpy(acc, s->g->live, words * sizeof *acc);
    row_add(set, y);
    for (uint32_t i = 0; i < x->n && !cat_row_empty(acc, words); i++) {
        bool keep = x->op == REL_OP_INTER || (x->op == REL_OP_DIFF && i == 0);
        if (!keep) {
            subtract(s, kids[i], forward, set, y, acc, more, words);
        } else if (r->nodes[kids[i]].products) {
            narrow_products(s, kids[i], forward, y, acc, words);
        } else if (!narrow(s, kids[i], forward, y, acc, true, words)) {
            memset(more, 0, words * sizeof *more);
            image(s, kids[i], forward, set, more, words);
            narrow_row(acc, more, true, words);
        }
    }
    or_row(out, acc, words);
    s->top = top;
}

INLINE void image_plus(struct cat_step *s, rel_id n, bool forward,
                       const uint64_t *set, uint64_t *out, uint32_t words)
{
    rel_id kid = rel_kids(s->rels, n)[0];
    size_t top = s->top;
    uint64_t a, b, c;
    uint64_t *acc = take(s, &a, words), *now = take(s, &b, words),
             *next = take(s, &c, words);
    memcpy(now, set, words * sizeof *now);
    for (;;) {
        image(s, kid, forward, now, next, words);
        uint64_t any = 0;
        for (uint32_t w = 0; w < words; w++) {
            now[w] = next[w] & ~acc[w];
            acc[w] |= next[w];
            next[w] = 0;
            any |= now[w];
        }
        if (!any)
            break;
    }
    or_row(out, acc, words);
    s->top = top;
}

/* Graph row of a relation that is kept as rows. */
INLINE unsigned row_of(enum rel_op op)
{
    return op == REL_OP_PO      ? (unsigned)ROW_PO
           : op == REL_OP_CAUSE ? (unsigned)ROW_CAUSE
                                : (unsigned)(ROW_ADDR + (op - REL_OP_ADDR));
}

INLINE void image_product(struct cat_step *s, const struct cat_rel *x,
                          bool forward, const uint64_t *set, uint64_t *out,
                          uint32_t words)
{
    const struct cat_set *from = &s->rels->sets[forward ? x->a : x->b];
    const struct cat_set *to = &s->rels->sets[forward ? x->b : x->a];
    if (!meets(s->g, from, set, words))
        return;
    for (uint32_t w = 0; w < words; w++) {
        uint64_t bits = s->g->live[w];
        for (uint32_t i = 0; i < to->n; i++)
            bits &= clause_word(s->g, to->clauses[i], words, w);
        out[w] |= bits;
    }
}

/* Those without operands, and those that the graph keeps as rows. */
INLINE void image_base(struct cat_step *s, rel_id n, bool forward,
                       const uint64_t *set, uint64_t *out, uint32_t words)
{
    const struct cat_rel *x = &s->rels->nodes[n];
    enum rel_op op = (enum rel_op)x->op;
    event_id y;
    if (forward && x->is & REL_SINK && x->is & REL_STRICT &&
        only_new(s, set, words))
        return;
    if (x->row >= 0 && n != s->raw) {
        if (forward)
            forward_rows(s, (unsigned)x->row, set, out, words);
        else
            back_rows(s, (unsigned)x->row, x->is & REL_TRANSITIVE, set, out,
                      words);
        return;
    }
    switch (op) {
    case REL_OP_PO:
    case REL_OP_CAUSE:
    case REL_OP_ADDR:
    case REL_OP_DATA:
    case REL_OP_CTRL:
    case REL_OP_PICK_ADDR:
    case REL_OP_PICK_DATA:
    case REL_OP_PICK_CTRL:
        if (forward)
            forward_rows(s, row_of(op), set, out, words);
        else
            back_rows(s, row_of(op), !rel_op_is_dep(op), set, out, words);
        break;
    case REL_OP_RF:
        row_for_each (y, set, words)
            step_rf(s->g, forward, y, out, words);
        break;
    case REL_OP_RMW:
        row_for_each (y, set, words)
            step_rmw(s->g, forward, y, out);
        break;
    case REL_OP_CO:
    case REL_OP_FR:
    case REL_OP_ECO:
    case REL_OP_CO_FR:
        row_for_each (y, set, words) {
            if (forward)
                forward_eco(s->g, op, y, out, words);
            else
                back_eco(s->g, op, y, out, words);
        }
        break;
    case REL_OP_LOC:
        row_for_each (y, set, words)
            step_loc(s->g, y, out, words);
        break;
    case REL_OP_INT:
    case REL_OP_EXT:
        row_for_each (y, set, words)
            step_thread(s->g, op == REL_OP_INT, y, out, words);
        break;
    case REL_OP_ID:
        or_row(out, set, words);
        break;
    case REL_OP_TOID:
        for (uint32_t w = 0; w < words; w++) {
            const struct cat_set *in = &s->rels->sets[x->a];
            uint64_t bits = set[w];
            for (uint32_t i = 0; i < in->n && bits; i++)
                bits &= clause_word(s->g, in->clauses[i], words, w);
            out[w] |= bits;
        }
        break;
    case REL_OP_PRODUCT:
        image_product(s, x, forward, set, out, words);
        break;
    default:
        break;
    }
}

INLINE void image_tree(struct cat_step *s, rel_id n, bool forward,
                       const uint64_t *set, uint64_t *out, uint32_t words)
{
    const struct cat_rels *r = s->rels;
    const struct cat_rel *x = &r->nodes[n];
    const rel_id *kids = rel_kids(r, n);
    event_id y;
    if (forward && x->is & REL_SINK && x->is & REL_STRICT &&
        only_new(s, set, words))
        return;
    switch ((enum rel_op)x->op) {
    case REL_OP_UNION:
        for (uint32_t i = 0; i < x->n; i++)
            image(s, kids[i], forward, set, out, words);
        break;
    case REL_OP_SEQ:
        image_seq(s, n, forward, set, out, words);
        break;
    case REL_OP_INTER:
    case REL_OP_DIFF:
    case REL_OP_COMPLEMENT:
        row_for_each (y, set, words)
            image_pointwise(s, n, forward, y, out, words);
        break;
    case REL_OP_INVERSE:
        image(s, kids[0], !forward, set, out, words);
        break;
    case REL_OP_PLUS:
        image_plus(s, n, forward, set, out, words);
        break;
    case REL_OP_OPT:
        or_row(out, set, words);
        image(s, kids[0], forward, set, out, words);
        break;
    default:
        break;
    }
}

#define DEFINE(name, body, forward, words)                              \
    static void name(struct cat_step *s, rel_id n, const uint64_t *set, \
                     uint64_t *out)                                     \
    {                                                                   \
        body(s, n, forward, set, out, words);                           \
    }
DEFINE(back_base_1, image_base, false, 1)
DEFINE(back_base_n, image_base, false, s->g->words)
DEFINE(forward_base_1, image_base, true, 1)
DEFINE(forward_base_n, image_base, true, s->g->words)
DEFINE(back_tree_1, image_tree, false, 1)
DEFINE(back_tree_n, image_tree, false, s->g->words)
DEFINE(forward_tree_1, image_tree, true, 1)
DEFINE(forward_tree_n, image_tree, true, s->g->words)
#undef DEFINE

void cat_back(struct cat_step *s, rel_id n, const uint64_t *set, uint64_t *out)
{
    if (s->g->words == 1)
        image(s, n, false, set, out, 1);
    else
        image(s, n, false, set, out, s->g->words);
}

void cat_forward(struct cat_step *s, rel_id n, const uint64_t *set,
                 uint64_t *out)
{
    if (s->g->words == 1)
        image(s, n, true, set, out, 1);
    else
        image(s, n, true, set, out, s->g->words);
}
