#include "models/cat/run/cat_final.h"

#include "core/mem.h"
#include "models/cat/run/cat_sc.h"

#include <string.h>

/* --- planning ------------------------------------------------------------- */

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
    struct cat_rels *r = &plan->rels;
    if (!has_images(r, node) || rel_is(r, node, REL_INIT_SELF) ||
        rel_is(r, node, REL_TO_INIT | REL_FROM_INIT))
        return false;
    struct cat_set range = rel_range(r, node);
    plan->finals = mem_room(plan->finals, plan->n_finals, &plan->finals_cap,
                            sizeof *plan->finals);
    plan->finals[plan->n_finals++] =
        (struct cat_final){.check = check,
                           .node = node,
                           .range = rel_keep_set(r, &range),
                           .required = r->nodes[node].required,
                           .within_sc = cat_within_sc(r, node)};
    return true;
}

/* --- running -------------------------------------------------------------- */

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
static bool is_acyclic(struct cat_checker *c, const struct graph *g,
                       const struct cat_final *f)
{
    const struct cat_set *range = &c->plan->rels.sets[f->range];
    uint32_t words = g->words, n_left = g->n, before;
    uint64_t *left = c->all, *self = left + words, *rows = self + words;
    memcpy(left, g->live, words * sizeof *left);
    memset(self, 0, words * sizeof *self);
    memset(rows, 0, (size_t)g->n * words * sizeof *rows);
    for (uint32_t i = 0; i < g->n; i++) {
        if (!cat_set_has(range, g->events[g->order[i]].tags))
            continue;
        row_add(self, g->order[i]);
        cat_back(&c->step, f->node, self, rows + (size_t)i * words);
        row_drop(self, g->order[i]);
    }
    do {
        before = n_left;
        for (uint32_t i = 0; i < g->n; i++)
            if (row_has(left, g->order[i]) &&
                !row_meets(rows + (size_t)i * words, left, words)) {
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
            sequential =
                cat_row_empty(g->loops, g->words) || cat_sc_holds(g, c->all);
            asked = true;
        }
        if (f->within_sc && sequential)
            continue;
        if (!made) {
            cat_checker_settle(c, g);
            make_members(c, g);
        }
        made = true;
        if (!is_acyclic(c, g, f))
            return false;
    }
    return true;
}
