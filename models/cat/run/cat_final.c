#include "models/cat/run/cat_final.h"

#include "models/cat/run/cat_sc.h"

#include <string.h>

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
