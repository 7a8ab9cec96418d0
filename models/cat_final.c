#include "models/cat_final.h"

#include "core/mem.h"

#include <string.h>

/* --- planning ------------------------------------------------------------- */

/* How a relation lies in that of sequential consistency. */
enum within { WITHIN_NOT, WITHIN_STAR, WITHIN_PLUS };

static enum within within_sc(const struct cat_rels *r, rel_id n);

static enum within within_sc_list(const struct cat_rels *r, rel_id n,
                                  enum rel_op op)
{
    const struct cat_rel *x = &r->nodes[n];
    enum within least = WITHIN_PLUS, most = WITHIN_NOT;
    for (uint32_t i = 0; i < x->n; i++) {
        enum within kid = within_sc(r, rel_kids(r, n)[i]);
        if (kid < least)
            least = kid;
        if (kid > most)
            most = kid;
    }
    if (op == REL_OP_SEQ)
        return least == WITHIN_NOT ? WITHIN_NOT : most;
    return op == REL_OP_INTER ? most : least;
}

/* Is n known to be part of (po | rf | co | fr)+, or of its reflexive closure?
 * Recursion is bounded by the depth of the DAG. */
static enum within within_sc(const struct cat_rels *r, rel_id n)
{
    enum rel_op op = (enum rel_op)r->nodes[n].op;
    enum within kid;
    if (n >= REL_OP_PO && n <= REL_OP_CO_FR)
        return WITHIN_PLUS;
    switch (op) {
    case REL_OP_EMPTY:
        return WITHIN_PLUS;
    case REL_OP_ID:
    case REL_OP_TOID:
    case REL_OP_MEMBERS:
        return WITHIN_STAR;
    case REL_OP_UNION:
    case REL_OP_SEQ:
    case REL_OP_INTER:
        return within_sc_list(r, n, op);
    case REL_OP_DIFF:
    case REL_OP_PLUS:
        return within_sc(r, rel_kids(r, n)[0]);
    case REL_OP_OPT:
        kid = within_sc(r, rel_kids(r, n)[0]);
        return kid == WITHIN_NOT ? WITHIN_NOT : WITHIN_STAR;
    default:
        return WITHIN_NOT;
    }
}

/* Can images of n be taken once its sets are made? As REL_BLIND, but for the
 * sets. */
static bool has_images(const struct cat_rels *r, rel_id n)
{
    const struct cat_rel *x = &r->nodes[n];
    if (x->op == REL_OP_OPAQUE || x->size > REL_SIZE_MAX)
        return false;
    if (x->op == REL_OP_MEMBERS)
        return r->members[x->a].of == REL_NONE ||
               !rel_is(r, r->members[x->a].of, REL_BLIND);
    bool to_init = false;
    for (uint32_t i = 0; i < x->n; i++) {
        rel_id kid = rel_kids(r, n)[i];
        bool from_init = rel_is(r, kid, REL_FROM_INIT);
        if (!has_images(r, kid) ||
            (x->op == REL_OP_SEQ && to_init && from_init))
            return false;
        to_init = to_init || rel_is(r, kid, REL_TO_INIT);
    }
    return x->op != REL_OP_PLUS || !rel_is(r, n, REL_TO_INIT | REL_FROM_INIT);
}

bool cat_final_plan(struct cat_plan *plan, uint32_t check, rel_id node)
{
    const struct cat_rels *r = &plan->rels;
    if (!has_images(r, node) || rel_is(r, node, REL_INIT_SELF) ||
        rel_is(r, node, REL_TO_INIT | REL_FROM_INIT))
        return false;
    plan->finals = mem_room(plan->finals, plan->n_finals, &plan->finals_cap,
                            sizeof *plan->finals);
    plan->finals[plan->n_finals++] =
        (struct cat_final){.check = check,
                           .node = node,
                           .required = r->nodes[node].required,
                           .within_sc = within_sc(r, node) == WITHIN_PLUS};
    return true;
}

/* --- running -------------------------------------------------------------- */

static bool meet(const uint64_t *a, const uint64_t *b, uint32_t words)
{
    uint64_t both = 0;
    for (uint32_t w = 0; w < words; w++)
        both |= a[w] & b[w];
    return both != 0;
}

static bool holds(const uint64_t *row, event_id e)
{
    return e != EVENT_INIT && e != EVENT_NONE && row_has(row, e);
}

/* Does nothing in `left` come before e in po, rf, co or fr? Of co and fr the
 * nearest step is enough, since what it leads to has others. */
static bool is_next(const struct graph *g, const uint64_t *left, event_id e)
{
    const struct event *ev = &g->events[e];
    if (meet(graph_row(g, e, ROW_PO), left, g->words))
        return false;
    if (ev->kind == LABEL_READ)
        return !holds(left, ev->rf);
    if (ev->kind != LABEL_WRITE || ev->co_prev == EVENT_NONE)
        return true;
    const uint64_t *readers = ev->co_prev == EVENT_INIT
                                  ? graph_init_row(g, ev->loc)
                                  : graph_row(g, ev->co_prev, ROW_READERS);
    return !holds(left, ev->co_prev) && !meet(readers, left, g->words);
}

/* Is there an order of all events that keeps po, rf, co and fr? Events leave
 * `left` in such an order; they were added in one that is close to it. */
static bool is_sequential(const struct graph *g, uint64_t *left)
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

static void make_members(struct cat_checker *c, const struct graph *g)
{
    const struct cat_rels *r = &c->plan->rels;
    for (uint32_t i = 0; i < r->n_members; i++) {
        uint64_t *row = c->step.members + (size_t)i * g->words;
        memset(row, 0, g->words * sizeof *row);
        if (r->members[i].kind == MEMBERS_DOMAIN)
            cat_back(&c->step, r->members[i].of, g->live, row);
        else if (r->members[i].kind == MEMBERS_RANGE)
            cat_forward(&c->step, r->members[i].of, g->live, row);
        else
            for (loc_id l = 0; l < g->n_locs; l++)
                if (g->locs[l].co_last != EVENT_NONE)
                    row_add(row, g->locs[l].co_last);
    }
}

/* Is the relation acyclic? Takes away events without predecessors until none
 * is left, or none can be taken. */
static bool is_acyclic(struct cat_checker *c, const struct graph *g, rel_id n)
{
    uint32_t words = g->words, n_left = g->n, before;
    uint64_t *left = c->all, *self = left + words, *rows = self + words;
    memcpy(left, g->live, words * sizeof *left);
    memset(self, 0, words * sizeof *self);
    memset(rows, 0, (size_t)g->n * words * sizeof *rows);
    for (uint32_t i = 0; i < g->n; i++) {
        row_add(self, g->order[i]);
        cat_back(&c->step, n, self, rows + (size_t)i * words);
        row_drop(self, g->order[i]);
    }
    do {
        before = n_left;
        for (uint32_t i = 0; i < g->n; i++)
            if (row_has(left, g->order[i]) &&
                !meet(rows + (size_t)i * words, left, words)) {
                row_drop(left, g->order[i]);
                n_left--;
            }
    } while (n_left && n_left < before);
    return n_left == 0;
}

bool cat_final_holds(struct cat_checker *c, const struct graph *g)
{
    const struct cat_plan *plan = c->plan;
    bool made = false, asked = false, sequential = false;
    if (plan->n_finals == 0 || g->n == 0)
        return true;
    /* The last event of a complete graph may have been read from. */
    cat_checker_start(c, g, EVENT_NONE);
    for (uint32_t i = 0; i < plan->n_finals; i++) {
        const struct cat_final *f = &plan->finals[i];
        if (!cat_has_required(g, f->required, g->words))
            continue;
        if (f->within_sc && !asked) {
            sequential = is_sequential(g, c->all);
            asked = true;
        }
        if (f->within_sc && sequential)
            continue;
        if (!made)
            make_members(c, g);
        made = true;
        if (!is_acyclic(c, g, f->node))
            return false;
    }
    return true;
}
