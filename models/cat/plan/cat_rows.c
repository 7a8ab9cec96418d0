/* Which relations the graph keeps as rows. */
#include "models/cat/plan/cat_rows.h"

#include "core/graph.h"
#include "core/mem.h"

uint32_t cat_parts_of(const struct cat_rels *r, rel_id n, uint32_t i,
                      rel_id *part)
{
    bool is_union = r->nodes[n].op == REL_OP_UNION;
    *part = is_union ? rel_kids(r, n)[i] : n;
    return is_union ? r->nodes[n].n : 1;
}

/* Is it made of variables whose rows are not there yet? */
static bool is_open(const struct cat_rels *r, rel_id n)
{
    if (r->nodes[n].row >= 0)
        return false;
    if (r->nodes[n].op == REL_OP_VARIABLE)
        return true;
    for (uint32_t i = 0; i < r->nodes[n].n; i++)
        if (is_open(r, rel_kids(r, n)[i]))
            return true;
    return false;
}

/* Can the graph keep the predecessor rows of a relation? They must be settled
 * when an event is added; and if it has others behind it, the rows of these
 * alone may change. */
static bool is_settled(const struct cat_rels *r, rel_id n)
{
    unsigned what = REL_FROZEN | REL_SINK | REL_EARLY;
    if (!r->in_order)
        what |= REL_INNER | REL_OWN;
    return rel_is(r, n, what) && !rel_is(r, n, REL_BLIND) && !is_open(r, n);
}

static void add_row(struct cat_plan *plan, struct cat_row row, rel_id body)
{
    struct cat_rels *r = &plan->rels;
    rel_id part;
    row.first = plan->n_parts;
    row.n = cat_parts_of(r, body, 0, &part);
    for (uint32_t i = 0; i < row.n; i++) {
        cat_parts_of(r, body, i, &part);
        struct cat_set range = rel_range(r, part);
        plan->parts = mem_room(plan->parts, plan->n_parts, &plan->parts_cap,
                               sizeof *plan->parts);
        plan->parts[plan->n_parts++] =
            (struct cat_part){.node = part, .range = rel_keep_set(r, &range)};
    }
    r->nodes[row.node].row = (int16_t)(ROW_MODEL + plan->n_rows);
    plan->rows =
        mem_room(plan->rows, plan->n_rows, &plan->rows_cap, sizeof *plan->rows);
    plan->rows[plan->n_rows++] = row;
}

bool cat_keep_row(struct cat_plan *plan, rel_id n)
{
    struct cat_rels *r = &plan->rels;
    if (r->nodes[n].row >= 0)
        return true;
    if (!is_settled(r, n))
        return false;
    struct cat_row row = {.node = n};
    rel_id body = n;
    if (r->nodes[n].op == REL_OP_PLUS) {
        /* A row of a closure is made from those of older events. */
        if (!rel_is(r, n, REL_STRICT))
            return false;
        body = rel_kids(r, n)[0];
        row.closed = true;
        row.with_po = rel_has_part(r, body, rel_base(REL_OP_PO));
    }
    add_row(plan, row, body);
    return true;
}

void cat_keep_closures(struct cat_plan *plan, rel_id n)
{
    struct cat_rels *r = &plan->rels;
    if (r->nodes[n].row >= 0)
        return;
    for (uint32_t i = 0; i < r->nodes[n].n; i++)
        cat_keep_closures(plan, rel_kids(r, n)[i]);
    if (r->nodes[n].op == REL_OP_PLUS)
        cat_keep_row(plan, n);
}

/* x & (A * B) is [A];x;[B]. */
static rel_id without_product(struct cat_rels *r, rel_id n)
{
    for (uint32_t i = 0; i < r->nodes[n].n; i++) {
        struct cat_rel x = r->nodes[rel_kids(r, n)[i]];
        if (x.op != REL_OP_PRODUCT)
            continue;
        rel_id rest = REL_NONE;
        for (uint32_t k = 0; k < r->nodes[n].n; k++) {
            rel_id kid = rel_kids(r, n)[k];
            if (k != i)
                rest = rest == REL_NONE ? kid : rel_inter(r, rest, kid);
        }
        rest = rel_seq(r, rel_toid(r, r->sets[x.a]), rest);
        return rel_seq(r, rest, rel_toid(r, r->sets[x.b]));
    }
    return REL_NONE;
}

/* cat_keep_inner of a sequence: steps that follow each other become one. */
static rel_id keep_inner_steps(struct cat_plan *plan, rel_id n)
{
    struct cat_rels *r = &plan->rels;
    rel_id all = REL_OP_ID, run = REL_OP_ID;
    for (uint32_t i = 0, count = r->nodes[n].n; i < count; i++) {
        rel_id kid = rel_kids(r, n)[i];
        bool inner = is_settled(r, kid);
        if (inner)
            run = rel_seq(r, run, kid);
        if (inner && i + 1 < count)
            continue;
        if (r->nodes[run].n > 0 && rel_is(r, run, REL_STRICT)) {
            cat_keep_closures(plan, run);
            cat_keep_row(plan, run);
        }
        all = rel_seq(r, all, run);
        if (!inner)
            all = rel_seq(r, all, cat_keep_inner(plan, kid, false));
        run = REL_OP_ID;
    }
    return all;
}

rel_id cat_keep_inner(struct cat_plan *plan, rel_id n, bool closes)
{
    struct cat_rels *r = &plan->rels;
    struct cat_rel x = r->nodes[n];
    if (r->in_order || x.row >= 0 || x.n == 0)
        return n;
    bool optional = x.op == REL_OP_OPT; /* would lead from e to itself */
    if (x.op != REL_OP_UNION && !optional && is_settled(r, n)) {
        cat_keep_closures(plan, n);
        cat_keep_row(plan, n);
        return n;
    }
    if (x.op == REL_OP_INTER) {
        rel_id other = without_product(r, n);
        return other == REL_NONE ? n : cat_keep_inner(plan, other, closes);
    }
    if (x.op == REL_OP_SEQ)
        return keep_inner_steps(plan, n);
    if (x.op != REL_OP_UNION && x.op != REL_OP_PLUS && !optional)
        return n;
    rel_id inner = REL_OP_EMPTY, all = REL_OP_EMPTY;
    for (uint32_t i = 0; i < x.n; i++) {
        rel_id kid = rel_kids(r, n)[i];
        if (x.op == REL_OP_UNION && rel_is(r, kid, REL_STRICT) &&
            is_settled(r, kid))
            inner = rel_join(r, inner, kid);
        else
            all = rel_join(r, all,
                           cat_keep_inner(plan, kid, x.op == REL_OP_PLUS));
    }
    if (closes)
        inner = rel_plus(r, inner);
    if (r->nodes[inner].n > 0) {
        cat_keep_closures(plan, inner);
        cat_keep_row(plan, inner);
    }
    all = rel_join(r, all, inner);
    return x.op == REL_OP_PLUS ? rel_plus(r, all)
           : optional          ? rel_opt(r, all)
                               : all;
}

void cat_keep_solutions(struct cat_plan *plan)
{
    struct cat_rels *r = &plan->rels;
    for (uint32_t i = 0; i < r->n_fixes; i++) {
        struct cat_fix fix = r->fixes[i];
        if (r->nodes[fix.first].row >= 0)
            continue;
        for (uint32_t k = 0; k < fix.n; k++)
            cat_keep_closures(plan, r->bodies[fix.body + k]);
        for (uint32_t k = 0; k < fix.n; k++)
            add_row(
                plan,
                (struct cat_row){.node = fix.first + k,
                                 .n_solved = (uint16_t)(k == 0 ? fix.n : 0)},
                r->bodies[fix.body + k]);
    }
}

int cat_row_of(const struct cat_plan *plan, rel_id n)
{
    return n == REL_OP_PO      ? (int)ROW_PO
           : n == REL_OP_CAUSE ? (int)ROW_CAUSE
                               : plan->rels.nodes[n].row;
}

/* A row that holds all predecessors in a & b, or a \ b; -1: none is known. */
static int row_around(const struct cat_plan *plan, rel_id n)
{
    const struct cat_rel *x = &plan->rels.nodes[n];
    uint32_t count = x->op == REL_OP_INTER ? x->n : x->op == REL_OP_DIFF;
    for (uint32_t i = 0; i < count; i++) {
        int row = cat_row_of(plan, rel_kids(&plan->rels, n)[i]);
        if (row >= 0)
            return row;
    }
    return -1;
}

/* Is it known from the labels of a thread, and from what it reads from itself
 * (`own_rf`), which of its events are related? */
static bool is_static(const struct cat_rels *r, rel_id n, rel_id own_rf)
{
    if (n == own_rf)
        return true;
    switch ((enum rel_op)r->nodes[n].op) {
    case REL_OP_CAUSE:
    case REL_OP_RF:
    case REL_OP_CO:
    case REL_OP_FR:
    case REL_OP_ECO:
    case REL_OP_CO_FR:
    case REL_OP_MEMBERS:
    case REL_OP_OPAQUE:
        return false;
    default:
        for (uint32_t i = 0; i < r->nodes[n].n; i++)
            if (!is_static(r, rel_kids(r, n)[i], own_rf))
                return false;
        return true;
    }
}

/* Is `step` the last step to each event that the relation leads to? */
static bool ends_in(const struct cat_rels *r, rel_id n, rel_id step)
{
    const struct cat_rel *x = &r->nodes[n];
    const rel_id *kids = rel_kids(r, n);
    if (n == step)
        return true;
    if (x->op == REL_OP_SEQ)
        return ends_in(r, kids[x->n - 1], step);
    if (x->op == REL_OP_DIFF)
        return ends_in(r, kids[0], step);
    for (uint32_t i = 0; i < x->n && x->op == REL_OP_INTER; i++)
        if (ends_in(r, kids[i], step))
            return true;
    return false;
}

/* struct cat_dynamic, eco. */
static rel_id eco_of(struct cat_rels *r, rel_id n)
{
    rel_id po_loc = rel_inter(r, REL_OP_LOC, REL_OP_PO);
    rel_id rfe = rel_inter(r, REL_OP_EXT, REL_OP_RF);
    for (rel_id eco = REL_OP_CO; eco <= REL_OP_FR; eco++) {
        rel_id steps = rel_seq(r, rel_inter(r, REL_OP_EXT, eco), rfe);
        if (n == rel_inter(r, po_loc, steps))
            return eco;
    }
    return REL_NONE;
}

/* Gathers the parts of a row that are not static; false: that is not known. */
static bool add_dynamic(struct cat_plan *plan, rel_id n)
{
    struct cat_rels *r = &plan->rels;
    if (is_static(r, n, rel_inter(r, REL_OP_INT, REL_OP_RF)))
        return true;
    if (!rel_is(r, n, REL_PAIRWISE)) {
        bool ok = r->nodes[n].n > 0;
        for (uint32_t i = 0; i < r->nodes[n].n && ok; i++)
            ok = add_dynamic(plan, rel_kids(r, n)[i]);
        return ok;
    }
    for (uint32_t i = 0; i < plan->n_dynamic; i++)
        if (plan->dynamic[i].node == n)
            return true;
    struct cat_set range = rel_range(r, n), domain = rel_domain(r, n);
    uint64_t from = cat_set_common(&domain);
    plan->dynamic = mem_room(plan->dynamic, plan->n_dynamic, &plan->dynamic_cap,
                             sizeof *plan->dynamic);
    plan->dynamic[plan->n_dynamic++] = (struct cat_dynamic){
        .node = n,
        .range = rel_keep_set(r, &range),
        .through_rfe = ends_in(r, n, rel_inter(r, REL_OP_EXT, REL_OP_RF)),
        .in_po_loc = rel_is(r, n, REL_LOCAL | REL_INNER | REL_STRICT),
        .eco = eco_of(r, n),
        .from = from ? (enum event_tag)__builtin_ctzll(from) : TAG_COUNT,
    };
    return true;
}

/* One more than the last row of dependencies in the relation. */
static uint32_t deps_of(const struct cat_rels *r, rel_id n)
{
    const struct cat_rel *x = &r->nodes[n];
    uint32_t most = x->op >= REL_OP_ADDR && x->op <= REL_OP_PICK_CTRL
                        ? x->op - REL_OP_ADDR + 1u
                        : 0;
    for (uint32_t i = 0; i < x->n; i++) {
        uint32_t deps = deps_of(r, rel_kids(r, n)[i]);
        most = deps > most ? deps : most;
    }
    return most;
}

static void plan_memory(struct cat_plan *plan)
{
    for (uint32_t i = 0; i < plan->n_parts; i++) {
        uint32_t deps = deps_of(&plan->rels, plan->parts[i].node);
        plan->n_deps = deps > plan->n_deps ? deps : plan->n_deps;
    }
    plan->remembers = !plan->rels.in_order && plan->n_rows > 0;
    for (uint32_t i = 0; i < plan->n_parts && plan->remembers; i++)
        plan->remembers = add_dynamic(plan, plan->parts[i].node);
    for (uint32_t i = 0; i < plan->n_parts; i++)
        for (uint32_t k = 0; k < plan->n_dynamic && plan->remembers; k++)
            if (plan->dynamic[k].node == plan->parts[i].node)
                plan->parts[i].dynamic = k + 1;
}

/* One more than the last row that the relation is made of. */
static uint32_t rows_of(const struct cat_plan *plan, rel_id n)
{
    const struct cat_rel *x = &plan->rels.nodes[n];
    uint32_t most = x->row >= 0 ? (uint32_t)x->row + 1 - ROW_MODEL : 0;
    for (uint32_t i = 0; i < x->n; i++) {
        uint32_t rows = rows_of(plan, rel_kids(&plan->rels, n)[i]);
        most = rows > most ? rows : most;
    }
    return most;
}

static void plan_eager(struct cat_plan *plan)
{
    int last =
        plan->hb_row > plan->coherence_row ? plan->hb_row : plan->coherence_row;
    plan->n_eager = last < (int)ROW_MODEL ? 0 : (uint32_t)last + 1 - ROW_MODEL;
    for (uint32_t i = 0; i < plan->n_flags; i++) {
        uint32_t rows = rows_of(plan, plan->flags[i].node);
        plan->n_eager = rows > plan->n_eager ? rows : plan->n_eager;
    }
}

void cat_rows_finish(struct cat_plan *plan)
{
    cat_order_rows(plan);
    plan_memory(plan);
    plan_eager(plan);
    for (rel_id i = 0; i < plan->rels.n; i++)
        plan->rels.nodes[i].within = (int16_t)row_around(plan, i);
}
