/* Steps of base relations over rows, for cat_step.c alone: every function here
 * is compiled with `words` (of a row) and `forward` constant. */
#ifndef MODELS_CAT_BASE_H
#define MODELS_CAT_BASE_H

#include "models/cat/run/cat_step.h"

#include <string.h>

#define INLINE static inline __attribute__((always_inline))

/* How images are taken. */
struct way {
    struct cat_step *s;
    uint32_t words;
    bool forward;
};

/* A cleared row that lives until s->top is put back; `one` is the row if a row
 * is one word. */
INLINE uint64_t *take(struct way v, uint64_t *one)
{
    uint64_t *row = one;
    if (v.words != 1) {
        row = v.s->scratch + v.s->top;
        v.s->top += v.words;
    }
    memset(row, 0, v.words * sizeof *row);
    return row;
}

INLINE void clear(struct way v, uint64_t *row)
{
    memset(row, 0, v.words * sizeof *row);
}

INLINE void copy(struct way v, uint64_t *to, const uint64_t *from)
{
    memcpy(to, from, v.words * sizeof *to);
}

INLINE bool is_empty(struct way v, const uint64_t *row)
{
    return cat_row_empty(row, v.words);
}

INLINE void add_row(struct way v, uint64_t *to, const uint64_t *from)
{
    for (uint32_t w = 0; w < v.words; w++)
        to[w] |= from[w];
}

/* acc &= row, or acc &= ~row */
INLINE void narrow_row(struct way v, uint64_t *acc, const uint64_t *row,
                       bool keep)
{
    for (uint32_t w = 0; w < v.words; w++)
        acc[w] &= keep ? row[w] : ~row[w];
}

/* --- sets ---------------------------------------------------------------- */

/* Those of the events `bits` in word w that are in the set. */
INLINE uint64_t within(struct way v, const struct cat_set *set, uint32_t w,
                       uint64_t bits)
{
    const uint64_t *sets = v.s->g->sets + w;
    for (uint32_t i = 0; i < set->n && bits; i++) {
        uint64_t any = 0;
        for (uint64_t t = set->clauses[i].with; t; t &= t - 1)
            any |= sets[(size_t)__builtin_ctzll(t) * v.words];
        for (uint64_t t = set->clauses[i].without; t; t &= t - 1)
            any |= ~sets[(size_t)__builtin_ctzll(t) * v.words];
        bits &= any;
    }
    return bits;
}

INLINE void filter(struct way v, const struct cat_set *set, uint64_t *row)
{
    for (uint32_t w = 0; w < v.words; w++)
        row[w] = within(v, set, w, row[w]);
}

/* Does the row hold an event of the set? */
INLINE bool meets(struct way v, const struct cat_set *set, const uint64_t *row)
{
    for (uint32_t w = 0; w < v.words; w++)
        if (within(v, set, w, row[w]))
            return true;
    return false;
}

/* Is the new event all that the row holds? */
INLINE bool only_new(struct way v, const uint64_t *row)
{
    uint64_t others = 0;
    for (uint32_t w = 0; w < v.words; w++)
        others |= w == v.s->e >> 6 ? row[w] & ~((uint64_t)1 << (v.s->e & 63))
                                   : row[w];
    return others == 0;
}

/* --- rows of the graph -----------------------------------------------------
 */

/* Rows of three words at most: what is gathered stays in registers. */
INLINE void back_short_rows(struct way v, unsigned which, const uint64_t *set,
                            uint64_t *out)
{
    uint64_t all[3] = {0};
    for (uint32_t w = 0; w < v.words; w++)
        for (uint64_t bits = set[w]; bits; bits &= bits - 1) {
            event_id y = w * 64 + (event_id)__builtin_ctzll(bits);
            add_row(v, all, graph_row(v.s->g, y, which));
        }
    add_row(v, out, all);
}

/* In a transitive relation what is in the row of one event need not be looked
 * at again; youngest events are likely last, so they go first. */
INLINE void back_rows(struct way v, unsigned which, bool transitive,
                      const uint64_t *set, uint64_t *out)
{
    if (!transitive && v.words <= 3) {
        back_short_rows(v, which, set, out);
        return;
    }
    size_t top = v.s->top;
    uint64_t one;
    uint64_t *rest = take(v, &one);
    copy(v, rest, set);
    for (uint32_t w = v.words; w-- > 0;)
        while (rest[w]) {
            uint32_t bit = 63 - (uint32_t)__builtin_clzll(rest[w]);
            const uint64_t *row = graph_row(v.s->g, w * 64 + bit, which);
            rest[w] &= ~((uint64_t)1 << bit);
            add_row(v, out, row);
            if (transitive)
                narrow_row(v, rest, row, false);
        }
    v.s->top = top;
}

/* With predecessor rows only, successors must be looked for. */
INLINE void forward_rows(struct way v, unsigned which, const uint64_t *set,
                         uint64_t *out)
{
    event_id x;
    row_for_each (x, v.s->g->live, v.words) {
        const uint64_t *row = graph_row(v.s->g, x, which);
        for (uint32_t i = 0; i < v.words; i++)
            if (row[i] & set[i]) {
                row_add(out, x);
                break;
            }
    }
}

INLINE void step_rows(struct way v, unsigned which, bool transitive,
                      const uint64_t *set, uint64_t *out)
{
    if (v.forward)
        forward_rows(v, which, set, out);
    else
        back_rows(v, which, transitive, set, out);
}

/* --- rf, co, fr, eco -------------------------------------------------------
 */

INLINE const uint64_t *readers(const struct graph *g, event_id w, loc_id loc)
{
    return w == EVENT_INIT ? graph_init_row(g, loc)
                           : graph_row(g, w, ROW_READERS);
}

/* What comes before write w: by co the writes before it, by fr the readers of
 * these, by eco both; by co_fr both, but only of the nearest write. */
INLINE void before_write(struct way v, enum rel_op op, event_id w,
                         uint64_t *out)
{
    const struct graph *g = v.s->g;
    loc_id loc = g->events[w].loc;
    event_id x = g->events[w].co_prev;
    if (x == EVENT_NONE)
        return;
    for (;; x = g->events[x].co_prev) {
        if (op != REL_OP_CO)
            add_row(v, out, readers(g, x, loc));
        if (x == EVENT_INIT)
            return;
        if (op != REL_OP_FR)
            row_add(out, x);
        if (op == REL_OP_CO_FR)
            return;
    }
}

/* The writes after w in co (EVENT_INIT: all of the location), with their
 * readers in the case of eco. */
INLINE void after_write(struct way v, enum rel_op op, event_id w, loc_id loc,
                        uint64_t *out)
{
    const struct graph *g = v.s->g;
    event_id x = w == EVENT_INIT ? g->locs[loc].co_first : g->events[w].co_next;
    for (; x != EVENT_NONE; x = g->events[x].co_next) {
        row_add(out, x);
        if (op == REL_OP_ECO)
            add_row(v, out, readers(g, x, loc));
    }
}

INLINE void step_eco(struct way v, enum rel_op op, event_id y, uint64_t *out)
{
    const struct event *ev = &v.s->g->events[y];
    bool is_write = ev->kind == LABEL_WRITE;
    bool is_read = ev->kind == LABEL_READ && ev->rf != EVENT_NONE;
    if (v.forward && is_write && op != REL_OP_FR) {
        if (op == REL_OP_ECO)
            add_row(v, out, graph_row(v.s->g, y, ROW_READERS));
        after_write(v, op, y, ev->loc, out);
    } else if (v.forward && is_read && op != REL_OP_CO) {
        after_write(v, op, ev->rf, ev->loc, out);
    } else if (!v.forward && is_write) {
        before_write(v, op, y, out);
    } else if (!v.forward && is_read && op == REL_OP_ECO &&
               ev->rf != EVENT_INIT) {
        row_add(out, ev->rf);
        before_write(v, op, ev->rf, out);
    }
}

INLINE void step_rf(struct way v, event_id y, uint64_t *out)
{
    const struct event *ev = &v.s->g->events[y];
    if (v.forward) {
        if (ev->kind == LABEL_WRITE)
            add_row(v, out, graph_row(v.s->g, y, ROW_READERS));
    } else if (ev->kind == LABEL_READ && ev->rf != EVENT_NONE &&
               ev->rf != EVENT_INIT) {
        row_add(out, ev->rf);
    }
}

/* --- the others ------------------------------------------------------------
 */

INLINE void step_rmw(struct way v, event_id y, uint64_t *out)
{
    const struct event *ev = &v.s->g->events[y];
    if (ev->rmw != EVENT_NONE &&
        ev->kind == (v.forward ? LABEL_READ : LABEL_WRITE))
        row_add(out, ev->rmw);
}

INLINE bool is_access(const struct event *ev)
{
    return ev->kind == LABEL_READ || ev->kind == LABEL_WRITE;
}

/* Accesses to y's location in word w; y is one. */
INLINE uint64_t same_location(struct way v, event_id y, uint32_t w)
{
    const struct graph *g = v.s->g;
    uint64_t bits = graph_loc_row(g, g->events[y].loc)[w] &
                    (graph_set(g, TAG_R)[w] | graph_set(g, TAG_W)[w]);
    uint64_t part = g->events[y].tags & TAGS_PART;
    if (part)
        bits &= ~graph_set(g, part & TAG_BIT(TAG_LOW) ? TAG_HIGH : TAG_LOW)[w];
    return bits;
}

INLINE void step_loc(struct way v, event_id y, uint64_t *out)
{
    if (!is_access(&v.s->g->events[y]))
        return;
    for (uint32_t w = 0; w < v.words; w++)
        out[w] |= same_location(v, y, w);
}

INLINE void step_thread(struct way v, bool same, event_id y, uint64_t *out)
{
    const struct graph *g = v.s->g;
    const uint64_t *row = graph_thread_row(g, g->events[y].thread);
    for (uint32_t w = 0; w < v.words; w++)
        out[w] |= same ? row[w] : g->live[w] & ~row[w];
}

INLINE void step_product(struct way v, const struct cat_rel *x,
                         const uint64_t *set, uint64_t *out)
{
    const struct cat_set *sets = v.s->rels->sets;
    if (!meets(v, &sets[v.forward ? x->a : x->b], set))
        return;
    const struct cat_set *to = &sets[v.forward ? x->b : x->a];
    for (uint32_t w = 0; w < v.words; w++)
        out[w] |= within(v, to, w, v.s->g->live[w]);
}

#endif
