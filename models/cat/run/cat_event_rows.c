/* The rows of new events: made from those of older ones, when something looks
 * at them. */
#include "models/cat/run/cat_checker.h"

#include <string.h>

#define INLINE static inline __attribute__((always_inline))

INLINE void add_row(uint64_t *to, const uint64_t *from, uint32_t words)
{
    for (uint32_t w = 0; w < words; w++)
        to[w] |= from[w];
}

/* Row of a closure: the predecessors in the body, and the rows of those. What
 * an older row has brought already is not looked at again. */
INLINE void close_row(struct cat_checker *c, unsigned k, event_id e,
                      uint64_t *out, uint32_t words)
{
    const struct graph *g = c->step.g;
    const struct cat_row *row = &c->plan->rows[k];
    unsigned which = ROW_MODEL + k;
    uint64_t *rest = c->rows + words;
    memcpy(rest, out, words * sizeof *rest);
    event_id before = g->events[e].po_prev;
    if (row->with_po && before != EVENT_NONE) {
        const uint64_t *known = graph_row(g, before, which);
        for (uint32_t w = 0; w < words; w++) {
            out[w] |= known[w];
            rest[w] &= ~known[w];
        }
        row_drop(rest, before);
    }
    for (uint32_t w = words; w-- > 0;)
        while (rest[w]) {
            uint32_t bit = 63 - (uint32_t)__builtin_clzll(rest[w]);
            const uint64_t *known = graph_row(g, w * 64 + bit, which);
            rest[w] &= ~((uint64_t)1 << bit);
            for (uint32_t i = 0; i < words; i++) {
                out[i] |= known[i];
                rest[i] &= ~known[i];
            }
        }
}

/* Adds a part of a row of e, which is all in the first of c->rows. */
INLINE void add_part(struct cat_checker *c, const struct cat_part *part,
                     event_id e, uint64_t *out, uint32_t words)
{
    const struct graph *g = c->step.g;
    const uint64_t *known = cat_memo_dynamic(&c->memo);
    if (part->dynamic > 0 && known) {
        add_row(out, known + (size_t)(part->dynamic - 1) * words, words);
    } else if (part->row < 0) {
        cat_back(&c->step, part->node, c->rows, out);
    } else if (part->from == UINT32_MAX) {
        add_row(out, graph_row(g, e, (unsigned)part->row), words);
    } else {
        uint64_t *some = c->rows + (size_t)(1 + c->plan->solved) * words;
        memcpy(some, graph_row(g, e, (unsigned)part->row),
               words * sizeof *some);
        cat_filter(&c->step, &c->plan->rels.sets[part->from], some);
        add_row(out, some, words);
    }
}

/* Adds the union of the parts of row k to `out`, or `again` of those that may
 * have changed. */
INLINE void add_parts(struct cat_checker *c, unsigned k, event_id e,
                      uint64_t *out, bool again, uint32_t words)
{
    const struct cat_plan *plan = c->plan;
    const struct cat_row *row = &plan->rows[k];
    const struct cat_part *parts = plan->parts + row->first;
    uint64_t tags = c->step.g->events[e].tags;
    for (uint32_t i = 0; i < row->n; i++)
        if (!parts[i].ruled && (!again || parts[i].open) &&
            cat_set_has(&plan->rels.sets[parts[i].range], tags))
            add_part(c, &parts[i], e, out, words);
}

/* Follows the rules of one variable from what it has that is not in `done`:
 * each event brings what leads to it, and then all are in other variables too.
 * False: there was nothing. */
INLINE bool follow_rules(struct cat_checker *c, const struct cat_rule *rules,
                         uint32_t n, event_id e, uint64_t *done, uint32_t words)
{
    const struct graph *g = c->step.g;
    const uint64_t *by = graph_row(g, e, rules->by);
    bool any = false;
    uint64_t bits;
    for (uint32_t w = words; w-- > 0;)
        while ((bits = by[w] & ~done[w]) != 0) {
            uint32_t bit = 63 - (uint32_t)__builtin_clzll(bits);
            done[w] |= (uint64_t)1 << bit;
            any = true;
            for (uint32_t i = 0; i < n; i++) {
                if (rules[i].left == 0)
                    continue;
                const uint64_t *left =
                    graph_row(g, w * 64 + bit, rules[i].left);
                add_row(graph_row(g, e, rules[i].to), left, words);
                if (rules[i].closed)
                    add_row(done, left, words);
            }
        }
    for (uint32_t i = 0; i < n && any; i++)
        if (rules[i].left == 0)
            add_row(graph_row(g, e, rules[i].to), by, words);
    return any;
}

/* The same for all variables from row k on, until there is nothing. `done` has
 * a row for each. */
INLINE bool follow_all_rules(struct cat_checker *c, unsigned k, event_id e,
                             uint64_t *done, uint32_t words)
{
    const struct cat_row *row = &c->plan->rows[k];
    const struct cat_rule *rules = c->plan->rules + row->first_rule;
    bool any = false;
    for (bool more = true; more; any = any || more) {
        more = false;
        for (uint32_t i = 0, n; i < row->n_rules; i += n) {
            uint32_t by = rules[i].by;
            for (n = 1; i + n < row->n_rules && rules[i + n].by == by;)
                n++;
            uint64_t *at = done + (size_t)(by - ROW_MODEL - k) * words;
            more |= follow_rules(c, rules + i, n, e, at, words);
        }
    }
    return any;
}

/* The rows from k on stand for variables: from nothing, until none grows. */
INLINE void solve_rows(struct cat_checker *c, unsigned k, event_id e,
                       uint32_t words)
{
    const struct cat_row *row = &c->plan->rows[k];
    size_t size = (size_t)row->n_solved * words;
    uint64_t *done = c->rows + words;
    memset(graph_row(c->step.g, e, ROW_MODEL + k), 0, size * sizeof *done);
    memset(done, 0, size * sizeof *done);
    c->step.usable = (int)ROW_MODEL + (int)k + row->n_solved;
    bool again = false;
    do {
        for (uint32_t i = 0; i < row->n_solved; i++)
            add_parts(c, k + i, e, graph_row(c->step.g, e, ROW_MODEL + k + i),
                      again, words);
        again = follow_all_rules(c, k, e, done, words);
    } while (again && row->open);
}

/* Makes the rows first .. end-1 of e. */
INLINE void enter(struct cat_checker *c, event_id e, uint32_t first,
                  uint32_t end, uint32_t words)
{
    const struct graph *g = c->step.g;
    const struct cat_plan *plan = c->plan;
    memset(c->rows, 0, words * sizeof *c->rows);
    row_add(c->rows, e);
    for (uint32_t k = first; k < end; k++) {
        const struct cat_row *row = &plan->rows[k];
        if (row->n_solved) {
            solve_rows(c, k, e, words);
            k += row->n_solved - 1u;
            continue;
        }
        uint64_t *out = graph_row(g, e, ROW_MODEL + k);
        memset(out, 0, words * sizeof *out);
        c->step.usable = (int)(ROW_MODEL + k);
        add_parts(c, k, e, out, false, words);
        if (row->closed)
            close_row(c, k, e, out, words);
    }
    c->step.usable = INT16_MAX;
}

static void enter_rows(struct cat_checker *c, event_id e, uint32_t first,
                       uint32_t end)
{
    uint32_t words = c->step.g->words;
    if (words == 1)
        enter(c, e, first, end, 1);
    else if (words == 2)
        enter(c, e, first, end, 2);
    else
        enter(c, e, first, end, words);
}

void cat_checker_enter(struct cat_checker *c, struct graph *g, event_id e)
{
    const struct cat_plan *plan = c->plan;
    if (plan->n_rows == 0)
        return;
    if (plan->rels.in_order) {
        cat_checker_start(c, g, e);
        enter_rows(c, e, 0, plan->n_eager);
        if (plan->n_eager < plan->n_rows)
            row_add(g->raw, e);
        return;
    }
    cat_checker_start(c, g,
                      g->events[e].po_next == EVENT_NONE ? e : EVENT_NONE);
    for (event_id f = e; f != EVENT_NONE; f = g->events[f].po_next)
        if (c->memo.on) {
            cat_memo_drop(&c->memo, g, f);
            row_add(g->raw, f);
        } else
            enter_rows(c, f, 0, plan->n_rows);
    if (plan->n_eager > 0)
        cat_checker_settle(c, g);
}

/* Are all rows made that those of e are made from? A read that was revisited
 * comes before its source in `order`. */
INLINE bool is_ready(const struct cat_plan *plan, const struct graph *g,
                     event_id e)
{
    const uint64_t *before =
        graph_row(g, e, plan->rels.in_order ? ROW_CAUSE : ROW_PO);
    uint64_t open = 0;
    for (uint32_t w = 0; w < g->words; w++)
        open |= before[w] & g->raw[w];
    return open == 0;
}

/* Makes the rows of e that are raw. */
static void settle(struct cat_checker *c, const struct graph *g, event_id e)
{
    const struct cat_plan *plan = c->plan;
    if (plan->rels.in_order) {
        enter_rows(c, e, plan->n_eager, plan->n_rows);
    } else if (!cat_memo_find(&c->memo, &c->step, g, e)) {
        enter_rows(c, e, 0, plan->n_rows);
        cat_memo_keep(&c->memo, g, e);
    }
    row_drop(g->raw, e);
}

void cat_checker_settle(struct cat_checker *c, const struct graph *g)
{
    event_id e;
    if (cat_row_empty(g->raw, g->words))
        return;
    cat_checker_start(c, g, EVENT_NONE);
    while (!cat_row_empty(g->raw, g->words)) /* mostly once */
        row_for_each (e, g->raw, g->words)
            if (is_ready(c->plan, g, e))
                settle(c, g, e);
}
