/* What must hold of a plan, whatever the cat file says: what it refers to is
 * there, and is made before it is used. Looked at in debug builds. */
#include "models/cat/plan/cat_plan.h"

#include "core/graph.h"

static bool is_set(const struct cat_plan *plan, uint32_t set)
{
    return set < plan->rels.n_sets;
}

static bool is_relation(const struct cat_plan *plan, rel_id n)
{
    return n < plan->rels.n;
}

/* The part of a row that is one of rows first .. end-1, solved together. */
static bool check_part(const struct cat_plan *plan, const struct cat_part *part,
                       uint32_t first, uint32_t end)
{
    uint32_t before = ROW_MODEL + (part->open ? end : first);
    return is_relation(plan, part->node) && is_set(plan, part->range) &&
           (part->from == UINT32_MAX || is_set(plan, part->from)) &&
           (part->row < 0 || (uint32_t)part->row < before) &&
           part->dynamic <= plan->n_dynamic;
}

static bool check_rules(const struct cat_plan *plan, uint32_t first,
                        uint32_t end)
{
    const struct cat_row *row = &plan->rows[first];
    const struct cat_rule *rules = plan->rules + row->first_rule;
    if (row->first_rule + row->n_rules > plan->n_rules)
        return false;
    for (uint32_t i = 0; i < row->n_rules; i++)
        if (rules[i].to < ROW_MODEL + first || rules[i].to >= ROW_MODEL + end ||
            rules[i].by < ROW_MODEL + first || rules[i].by >= ROW_MODEL + end ||
            rules[i].left >= ROW_MODEL + end ||
            (i > 0 && rules[i].by < rules[i - 1].by))
            return false;
    return true;
}

static bool check_rows(const struct cat_plan *plan)
{
    for (uint32_t k = 0, end; k < plan->n_rows; k = end) {
        uint32_t n = plan->rows[k].n_solved;
        end = k + (n ? n : 1);
        if (end > plan->n_rows || (n && !check_rules(plan, k, end)))
            return false;
        for (uint32_t i = k; i < end; i++) {
            const struct cat_row *row = &plan->rows[i];
            if (row->first + row->n > plan->n_parts)
                return false;
            for (uint32_t p = row->first; p < row->first + row->n; p++)
                if (!check_part(plan, &plan->parts[p], k, end))
                    return false;
        }
    }
    return true;
}

/* Edges stand by the state that they lead to. */
static bool check_search(const struct cat_plan *plan,
                         const struct cat_search *search)
{
    const uint32_t *into = plan->into + search->first_into;
    if (search->first_edge + search->n_edges > plan->n_edges ||
        search->first_into + search->n_states >= plan->n_into ||
        search->first_out + search->n_outs > plan->n_outs)
        return false;
    for (uint32_t q = 0; q < search->n_states; q++)
        for (uint32_t i = into[q]; i < into[q + 1]; i++)
            if (i >= plan->n_edges || plan->edges[i].to != q ||
                plan->edges[i].from >= search->n_states ||
                (plan->edges[i].set != UINT32_MAX &&
                 !is_set(plan, plan->edges[i].set)))
                return false;
    return true;
}

static bool is_row(const struct cat_plan *plan, int row)
{
    return row >= -1 && row < (int)(ROW_MODEL + plan->n_rows);
}

bool cat_plan_check(const struct cat_plan *plan)
{
    for (uint32_t i = 0; i < plan->n_searches; i++)
        if (!check_search(plan, &plan->searches[i]))
            return false;
    for (uint32_t i = 0; i < plan->n_meets; i++)
        if (!is_relation(plan, plan->meets[i].back) ||
            !is_relation(plan, plan->meets[i].forward) ||
            !is_set(plan, plan->meets[i].set))
            return false;
    return plan->n_eager <= plan->n_rows && check_rows(plan) &&
           is_row(plan, plan->hb_row) && is_row(plan, plan->coherence_row) &&
           is_row(plan, plan->cause_row);
}
