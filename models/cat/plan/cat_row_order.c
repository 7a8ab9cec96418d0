/* In which order rows are made, what they take from each other, and by which
 * rules variables are solved; and which parts of rows are rows. A row that is
 * part of another one is made first, so that it is looked up there and not
 * worked out again. */
#include "models/cat/plan/cat_rows.h"

#include "core/graph.h"
#include "core/mem.h"

#include <stdlib.h>
#include <string.h>

/* --- what rows share ------------------------------------------------------ */

static bool has_part(const struct cat_plan *plan, const struct cat_row *row,
                     rel_id n)
{
    for (uint32_t i = 0; i < row->n; i++)
        if (plan->parts[row->first + i].node == n)
            return true;
    return false;
}

/* Is `small` the union of some parts of `big`, or its closure if `big` is one
 * too? Variables are made of rows that may be made of them. */
static bool is_part_of(const struct cat_plan *plan, const struct cat_row *small,
                       const struct cat_row *big)
{
    const struct cat_rel *nodes = plan->rels.nodes;
    if (small == big || (small->closed && !big->closed) || small->n < 2 ||
        nodes[small->node].op == REL_OP_VARIABLE ||
        nodes[big->node].op == REL_OP_VARIABLE)
        return false;
    for (uint32_t i = 0; i < small->n; i++)
        if (!has_part(plan, big, plan->parts[small->first + i].node))
            return false;
    return true;
}

/* Puts the row `small` in place of its parts. */
static void take_row(struct cat_plan *plan, const struct cat_row *small,
                     struct cat_row *big)
{
    struct cat_part *parts = plan->parts + big->first;
    uint32_t n = 0;
    for (uint32_t i = 0; i < big->n; i++)
        if (!has_part(plan, small, parts[i].node))
            parts[n++] = parts[i];
    struct cat_set range = rel_range(&plan->rels, small->node);
    parts[n++] = (struct cat_part){.node = small->node,
                                   .range = rel_keep_set(&plan->rels, &range)};
    big->n = n;
}

/* Largest first. */
static void share_rows(struct cat_plan *plan)
{
    for (uint32_t i = 0; i < plan->n_rows; i++)
        for (;;) {
            struct cat_row *big = &plan->rows[i], *best = NULL;
            for (uint32_t k = 0; k < plan->n_rows; k++)
                if (is_part_of(plan, &plan->rows[k], big) &&
                    (!best || plan->rows[k].n > best->n))
                    best = &plan->rows[k];
            if (!best)
                break;
            take_row(plan, best, big);
        }
}

/* --- the order of rows ---------------------------------------------------- */

struct order {
    const struct cat_plan *plan;
    uint32_t *rows; /* in the new order */
    uint32_t n;
    bool *seen;
};

/* The row with which row k is solved. */
static uint32_t leader_of(const struct cat_plan *plan, uint32_t k)
{
    uint32_t first = k;
    while (plan->rels.nodes[plan->rows[first].node].op == REL_OP_VARIABLE &&
           plan->rows[first].n_solved == 0)
        first--;
    return first;
}

static void put_row(struct order *o, uint32_t first);

/* Puts what the relation is made of, unless `first` leads it. Recursion is
 * bounded by the depth of the DAG. */
static void put_needed(struct order *o, rel_id n, uint32_t first)
{
    const struct cat_rels *r = &o->plan->rels;
    if (r->nodes[n].row >= 0) {
        uint32_t row =
            leader_of(o->plan, (uint32_t)r->nodes[n].row - ROW_MODEL);
        if (row != first) {
            put_row(o, row);
            return;
        }
    }
    for (uint32_t i = 0; i < r->nodes[n].n; i++)
        put_needed(o, rel_kids(r, n)[i], first);
}

static void put_row(struct order *o, uint32_t first)
{
    const struct cat_plan *plan = o->plan;
    if (o->seen[first])
        return;
    o->seen[first] = true;
    uint32_t n = plan->rows[first].n_solved ? plan->rows[first].n_solved : 1;
    for (uint32_t k = first; k < first + n; k++)
        for (uint32_t i = 0; i < plan->rows[k].n; i++)
            put_needed(o, plan->parts[plan->rows[k].first + i].node, first);
    for (uint32_t k = first; k < first + n; k++)
        o->rows[o->n++] = k;
}

static void renumber(int *row, const uint32_t *place)
{
    if (*row >= (int)ROW_MODEL)
        *row = (int)(ROW_MODEL + place[*row - (int)ROW_MODEL]);
}

static void order_rows(struct cat_plan *plan)
{
    uint32_t n = plan->n_rows;
    if (n == 0)
        return;
    size_t bytes = n * sizeof *plan->rows;
    struct order o = {.plan = plan};
    o.rows = mem_resize(NULL, n * sizeof *o.rows);
    o.seen = memset(mem_resize(NULL, n), 0, n);
    for (uint32_t k = 0; k < n; k++)
        put_row(&o, leader_of(plan, k));
    struct cat_row *old = memcpy(mem_resize(NULL, bytes), plan->rows, bytes);
    uint32_t *place = mem_resize(NULL, n * sizeof *place);
    for (uint32_t k = 0; k < n; k++) {
        plan->rows[k] = old[o.rows[k]];
        place[o.rows[k]] = k;
        plan->rels.nodes[plan->rows[k].node].row = (int16_t)(ROW_MODEL + k);
    }
    renumber(&plan->hb_row, place);
    renumber(&plan->coherence_row, place);
    renumber(&plan->cause_row, place);
    free(place);
    free(old);
    free(o.seen);
    free(o.rows);
}

/* --- rules ---------------------------------------------------------------- */

/* Is the relation made of one of the rows first .. end-1? */
static bool uses_rows(const struct cat_rels *r, rel_id n, int first, int end)
{
    const struct cat_rel *x = &r->nodes[n];
    if (x->row >= 0)
        return x->row >= first && x->row < end;
    for (uint32_t i = 0; i < x->n; i++)
        if (uses_rows(r, rel_kids(r, n)[i], first, end))
            return true;
    return false;
}

/* The rule for an open part of row `to`, where first .. end-1 are solved;
 * false: there is none. */
static bool rule_of(const struct cat_rels *r, rel_id n, int first, int end,
                    struct cat_rule *rule)
{
    const struct cat_rel *x = &r->nodes[n];
    int by = x->row, left = 0;
    if (by < 0 && x->op == REL_OP_SEQ && x->n == 2) {
        left = r->nodes[rel_kids(r, n)[0]].row;
        by = r->nodes[rel_kids(r, n)[1]].row;
    }
    rule->by = (uint16_t)by;
    rule->left = (uint16_t)left;
    return by >= first && by < end && left >= 0 && left < end;
}

/* Those of one `by` stand together. */
static void add_rule(struct cat_plan *plan, struct cat_row *leader,
                     struct cat_rule rule)
{
    plan->rules = mem_room(plan->rules, plan->n_rules, &plan->rules_cap,
                           sizeof *plan->rules);
    uint32_t i = plan->n_rules++;
    for (; i > leader->first_rule && plan->rules[i - 1].by > rule.by; i--)
        plan->rules[i] = plan->rules[i - 1];
    plan->rules[i] = rule;
    leader->n_rules++;
}

static bool has_rule(const struct cat_plan *plan, const struct cat_row *leader,
                     uint16_t to, uint16_t left, uint16_t by)
{
    const struct cat_rule *rules = plan->rules + leader->first_rule;
    for (uint32_t i = 0; i < leader->n_rules; i++)
        if (rules[i].to == to && rules[i].left == left && rules[i].by == by)
            return true;
    return false;
}

/* by;by is in `by`. If y leads to e by it, and z to y, what z brings by a rule
 * left;by came with y already if left;by is in `left`: it leads to y. */
static void close_rules(struct cat_plan *plan, const struct cat_row *leader)
{
    struct cat_rule *rules = plan->rules + leader->first_rule;
    for (uint32_t i = 0; i < leader->n_rules; i++) {
        struct cat_rule *rule = &rules[i];
        rule->closed = rule->to == rule->by && rule->left == rule->by;
        for (uint32_t k = 0; k < leader->n_rules && rule->closed; k++)
            if (rules[k].by == rule->by && rules[k].left)
                rule->closed = has_rule(plan, leader, rules[k].left,
                                        rules[k].left, rule->by);
    }
}

/* Which parts of the variables k .. change while these are solved? */
static void find_rules(struct cat_plan *plan, uint32_t k)
{
    struct cat_row *leader = &plan->rows[k];
    int first = (int)(ROW_MODEL + k), end = first + leader->n_solved;
    leader->first_rule = plan->n_rules;
    for (int i = first; i < end; i++) {
        const struct cat_row *row = &plan->rows[i - (int)ROW_MODEL];
        for (uint32_t p = 0; p < row->n; p++) {
            struct cat_part *part = &plan->parts[row->first + p];
            struct cat_rule rule = {.to = (uint16_t)i};
            part->open = uses_rows(&plan->rels, part->node, first, end);
            part->ruled = part->open &&
                          rule_of(&plan->rels, part->node, first, end, &rule);
            if (part->ruled)
                add_rule(plan, leader, rule);
            else
                leader->open = leader->open || part->open;
        }
    }
    close_rules(plan, leader);
}

/* --- parts that are rows -------------------------------------------------- */

/* The row of the graph that holds what the relation leads from, if it is made
 * before row `end`; -1: none. */
static int made_row(const struct cat_plan *plan, rel_id n, int end)
{
    const struct cat_rel *x = &plan->rels.nodes[n];
    if (x->op >= REL_OP_ADDR && x->op <= REL_OP_PICK_CTRL)
        return (int)ROW_ADDR + (int)(x->op - REL_OP_ADDR);
    int row = cat_row_of(plan, n);
    return row < end ? row : -1;
}

/* Is the part [A];row;[B] or row & A * B? B is its range, which is looked at
 * anyway. */
static void find_plain(const struct cat_plan *plan, struct cat_part *part,
                       int end)
{
    const struct cat_rels *r = &plan->rels;
    const struct cat_rel *x = &r->nodes[part->node];
    const rel_id *kids = rel_kids(r, part->node);
    const struct cat_set *to = NULL;
    part->from = UINT32_MAX;
    part->row = (int16_t)made_row(plan, part->node, end);
    if (part->row >= 0 || x->n < 2)
        return;
    const struct cat_rel *first = &r->nodes[kids[0]];
    const struct cat_rel *last = &r->nodes[kids[x->n - 1]];
    if (x->op == REL_OP_INTER && x->n == 2 && first->op == REL_OP_PRODUCT) {
        part->from = first->a;
        to = &r->sets[first->b];
        part->row = (int16_t)made_row(plan, kids[1], end);
    } else if (x->op == REL_OP_SEQ) {
        bool filtered = first->op == REL_OP_TOID;
        if (filtered)
            part->from = first->a;
        if (last->op == REL_OP_TOID)
            to = &r->sets[last->a];
        if (x->n == 1u + filtered + (to != NULL))
            part->row = (int16_t)made_row(plan, kids[filtered], end);
    }
    if (to && !cat_set_equal(to, &r->sets[part->range]))
        part->row = -1;
}

/* Variables are made together. */
static void find_all_plain(struct cat_plan *plan)
{
    for (uint32_t k = 0; k < plan->n_rows; k++)
        for (uint32_t i = 0; i < plan->rows[k].n; i++)
            find_plain(plan, &plan->parts[plan->rows[k].first + i],
                       (int)(ROW_MODEL + leader_of(plan, k)));
}

void cat_order_rows(struct cat_plan *plan)
{
    if (!plan->rels.in_order) {
        share_rows(plan);
        order_rows(plan);
    }
    for (uint32_t k = 0; k < plan->n_rows; k++) {
        uint32_t n = plan->rows[k].n_solved;
        if (n > 0)
            find_rules(plan, k);
        plan->solved = n > plan->solved ? n : plan->solved;
    }
    find_all_plain(plan);
}
