#include "models/cat/run/cat_sc.h"

#include <string.h>

#define INLINE static inline __attribute__((always_inline))

/* --- the whole graph ------------------------------------------------------ */

static bool holds(const uint64_t *row, event_id e)
{
    return e != EVENT_INIT && e != EVENT_NONE && row_has(row, e);
}

/* Does nothing in `left` come before e in po, rf, co or fr? Of co and fr the
 * nearest step is enough, since what it leads to has others. */
static bool is_next(const struct graph *g, const uint64_t *left, event_id e)
{
    const struct event *ev = &g->events[e];
    if (row_meets(graph_row(g, e, ROW_PO), left, g->words))
        return false;
    if (ev->kind == LABEL_READ)
        return !holds(left, ev->rf);
    if (ev->kind != LABEL_WRITE || ev->co_prev == EVENT_NONE)
        return true;
    const uint64_t *readers = ev->co_prev == EVENT_INIT
                                  ? graph_init_row(g, ev->loc)
                                  : graph_row(g, ev->co_prev, ROW_READERS);
    return !holds(left, ev->co_prev) && !row_meets(readers, left, g->words);
}

/* Is there an order of all events that keeps po, rf, co and fr? Events leave
 * `left` in such an order; they were added in one that is close to it. */
bool cat_sc_holds(const struct graph *g, uint64_t *left)
{
    uint32_t n_left = g->n, before;
    memcpy(left, g->live, g->words * sizeof *left);
    do {
        before = n_left;
        for (uint32_t i = 0; i < g->n; i++) {
            event_id e = g->order[i];
            if (row_has(left, e) && is_next(g, left, e)) {
                row_drop(left, e);
                n_left--;
            }
        }
    } while (n_left && n_left < before);
    return n_left == 0;
}

/* --- through one event ---------------------------------------------------- */

static const uint64_t *readers(const struct graph *g, event_id w, loc_id loc)
{
    return w == EVENT_INIT ? graph_init_row(g, loc)
                           : graph_row(g, w, ROW_READERS);
}

INLINE void add(uint64_t *to, const uint64_t *from, uint32_t words)
{
    for (uint32_t w = 0; w < words; w++)
        to[w] |= from[w];
}

/* row_add without an index, so that short rows can stay in registers. */
INLINE void add_one(uint64_t *to, event_id e, uint32_t words)
{
    for (uint32_t w = 0; w < words; w++)
        to[w] |= (uint64_t)(e >> 6 == w) << (e & 63);
}

/* What is before access e by rf, or by co and fr, of which the nearest step is
 * enough. */
INLINE void add_sources(const struct graph *g, event_id e, uint64_t *to,
                        uint32_t words)
{
    const struct event *ev = &g->events[e];
    event_id w = ev->kind == LABEL_READ ? ev->rf : ev->co_prev;
    if (w == EVENT_NONE)
        return;
    if (w != EVENT_INIT)
        add_one(to, w, words);
    if (ev->kind == LABEL_WRITE)
        add(to, readers(g, w, ev->loc), words);
}

/* Where a walk goes from e: the readers of a write, and the next write. */
INLINE void add_targets(const struct graph *g, event_id e, uint64_t *to,
                        uint32_t words)
{
    const struct event *ev = &g->events[e];
    event_id w = ev->kind == LABEL_READ    ? ev->rf
                 : ev->kind == LABEL_WRITE ? e
                                           : EVENT_NONE;
    if (w == EVENT_NONE)
        return;
    event_id next =
        w == EVENT_INIT ? g->locs[ev->loc].co_first : g->events[w].co_next;
    if (next != EVENT_NONE)
        add_one(to, next, words);
    if (w == e)
        add(to, graph_row(g, e, ROW_READERS), words);
}

/* Backwards from the last event of the thread, e or one behind it. What came by
 * a row of po needs no row of its own; events that are no accesses lead nowhere
 * else. */
INLINE bool returns(const struct graph *g, event_id e, uint64_t *rows,
                    uint32_t words)
{
    uint64_t *seen = rows, *done = seen + words, *past = done + words;
    uint64_t *goal = past + words;
    const uint64_t *reads = graph_set(g, TAG_R), *writes = graph_set(g, TAG_W);
    memset(rows, 0, 4 * words * sizeof *rows);
    event_id last = e;
    for (event_id f = e; f != EVENT_NONE; f = g->events[f].po_next) {
        add_targets(g, f, goal, words);
        last = f;
    }
    if (row_meets(graph_row(g, last, ROW_CAUSE), goal, words))
        return true;
    add(past, graph_row(g, last, ROW_PO), words);
    add(seen, past, words);
    add_sources(g, last, seen, words);
    for (bool more = true; more;) {
        more = false;
        for (uint32_t w = words; w-- > 0;)
            for (uint64_t bits;
                 (bits = seen[w] & ~done[w] & (reads[w] | writes[w]));) {
                uint32_t bit = 63 - (uint32_t)__builtin_clzll(bits);
                event_id y = w * 64 + bit;
                if (row_meets(seen, goal, words))
                    return true;
                done[w] |= (uint64_t)1 << bit;
                if (!(past[w] >> bit & 1)) {
                    add(past, graph_row(g, y, ROW_PO), words);
                    add(seen, past, words);
                }
                add_sources(g, y, seen, words);
                more = true;
            }
    }
    return row_meets(seen, goal, words);
}

/* Rows of one or two words need no memory. */
static bool returns_1(const struct graph *g, event_id e)
{
    uint64_t rows[4];
    return returns(g, e, rows, 1);
}

static bool returns_2(const struct graph *g, event_id e)
{
    uint64_t rows[8];
    return returns(g, e, rows, 2);
}

bool cat_sc_returns(const struct graph *g, event_id e, uint64_t *rows)
{
    return g->words == 1   ? returns_1(g, e)
           : g->words == 2 ? returns_2(g, e)
                           : returns(g, e, rows, g->words);
}
