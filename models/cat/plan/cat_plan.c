#include "models/cat/plan/cat_plan.h"

#include "core/graph.h"
#include "core/mem.h"
#include "models/cat/plan/cat_convert.h"
#include "models/cat/plan/cat_rows.h"
#include "models/cat/plan/cat_within.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

/* A larger model is left to the full evaluator altogether. */
enum { NODES_MAX = 1000 };

/* The fast form of a relation, with rows for its recursive definitions. */
static rel_id convert(struct cat_plan *plan, struct cat_converter *c, cat_id id)
{
    rel_id n = cat_convert(c, id);
    cat_keep_solutions(plan);
    return n;
}

/* --- checks ------------------------------------------------------------- */

static void add_index(uint32_t **list, uint32_t *n, uint32_t *cap,
                      uint32_t index)
{
    *list = mem_room(*list, *n, cap, sizeof **list);
    (*list)[(*n)++] = index;
}

static void add_pairs(struct cat_plan *plan, bool flag, uint32_t check,
                      rel_id node)
{
    struct cat_rels *r = &plan->rels;
    struct cat_set range = rel_range(r, node), domain = rel_domain(r, node);
    struct cat_pairs p = {check, r->nodes[node].required, node,
                          rel_keep_set(r, &range), rel_keep_set(r, &domain)};
    cat_keep_closures(plan, node);
    if (flag) {
        plan->flags = mem_room(plan->flags, plan->n_flags, &plan->flags_cap,
                               sizeof *plan->flags);
        plan->flags[plan->n_flags++] = p;
        return;
    }
    plan->late = false;
    plan->pairs = mem_room(plan->pairs, plan->n_pairs, &plan->pairs_cap,
                           sizeof *plan->pairs);
    plan->pairs[plan->n_pairs++] = p;
}

/* Old pairs stay as they are, and initial writes are in none. */
static bool has_plain_pairs(const struct cat_plan *plan, rel_id n)
{
    unsigned is = plan->rels.nodes[n].is;
    return (is & REL_FROZEN) == REL_FROZEN && !(is & (REL_INIT | REL_BLIND));
}

static bool within_eco(const struct cat_rels *r, rel_id n)
{
    if (n == REL_OP_RF || rel_is(r, n, REL_ECO))
        return true;
    const struct cat_rel *x = &r->nodes[n];
    if (x->op == REL_OP_INTER) {
        for (uint32_t i = 0; i < x->n; i++)
            if (within_eco(r, rel_kids(r, n)[i]))
                return true;
        return false;
    }
    if (x->op != REL_OP_UNION && x->op != REL_OP_SEQ && x->op != REL_OP_PLUS)
        return false;
    for (uint32_t i = 0; i < x->n; i++)
        if (!within_eco(r, rel_kids(r, n)[i]))
            return false;
    return true;
}

/* Is n base, or base & something? */
static bool is_part_of(const struct cat_rels *r, rel_id n, rel_id base)
{
    if (n == base)
        return true;
    if (r->nodes[n].op != REL_OP_INTER)
        return false;
    for (uint32_t i = 0; i < r->nodes[n].n; i++)
        if (rel_kids(r, n)[i] == base)
            return true;
    return false;
}

/* empty rmw & (fr;co), with fr and co whole or only their external pairs. */
static bool is_empty_between(const struct cat_rels *r, rel_id n)
{
    bool rmw = false, between = false;
    if (r->nodes[n].op != REL_OP_INTER)
        return false;
    for (uint32_t i = 0; i < r->nodes[n].n; i++) {
        rel_id kid = rel_kids(r, n)[i];
        rmw = rmw || kid == REL_OP_RMW;
        if (r->nodes[kid].op == REL_OP_SEQ && r->nodes[kid].n == 2)
            between =
                between || (is_part_of(r, rel_kids(r, kid)[0], REL_OP_FR) &&
                            is_part_of(r, rel_kids(r, kid)[1], REL_OP_CO));
    }
    return rmw && between;
}

/* irreflexive rmw;eco, or parts of eco. */
static bool is_rmw_eco(const struct cat_rels *r, rel_id n)
{
    if (r->nodes[n].op != REL_OP_SEQ || rel_kids(r, n)[0] != REL_OP_RMW)
        return false;
    for (uint32_t i = 1; i < r->nodes[n].n; i++)
        if (!within_eco(r, rel_kids(r, n)[i]))
            return false;
    return true;
}

static bool plan_empty(struct cat_plan *plan, uint32_t check, rel_id node)
{
    struct cat_rels *r = &plan->rels;
    rel_id part;
    bool ok = true;
    uint32_t n = cat_parts_of(r, node, 0, &part);
    for (uint32_t i = 0; i < n && ok; i++) {
        cat_parts_of(r, node, i, &part);
        if (part == REL_OP_EMPTY || is_empty_between(r, part))
            continue;
        if (has_plain_pairs(plan, part)) {
            add_pairs(plan, false, check, part);
        } else if (r->nodes[part].op == REL_OP_INTER) {
            /* a & b is empty iff a;b^-1 is irreflexive. */
            rel_id first = rel_kids(r, part)[0], rest = rel_kids(r, part)[1];
            uint32_t count = r->nodes[part].n;
            for (uint32_t k = 2; k < count; k++)
                rest = rel_inter(r, rest, rel_kids(r, part)[k]);
            rel_id round = rel_seq(r, first, rel_inverse(r, rest));
            cat_keep_closures(plan, round);
            ok = !rel_is(r, part, REL_INIT_SELF) &&
                 cat_automaton(plan, check, round, false);
        } else {
            ok = false;
        }
    }
    return ok;
}

/* irreflexive k1;...;kn with frozen steps, of which one, y, leads away from e:
 * then e is where y starts, and the rest leads back to it. */
static bool plan_meet(struct cat_plan *plan, uint32_t check, rel_id node)
{
    struct cat_rels *r = &plan->rels;
    bool is_seq = r->nodes[node].op == REL_OP_SEQ;
    uint32_t n = is_seq ? r->nodes[node].n : 1, away = n, n_away = 0;
    bool steps = false;
    unsigned is = 0;
    for (uint32_t i = 0; i < n; i++) {
        rel_id kid = is_seq ? rel_kids(r, node)[i] : node;
        if (r->nodes[kid].op == REL_OP_TOID)
            continue;
        steps = true;
        is |= r->nodes[kid].is;
        if (!rel_is(r, kid, REL_FROZEN) || rel_is(r, kid, REL_BLIND))
            return false;
        if (rel_is(r, kid, REL_SINK | REL_STRICT))
            continue;
        away = i;
        n_away++;
    }
    if (n_away > 1 || !steps || rel_is(r, node, REL_INIT_SELF) ||
        (is & REL_TO_INIT && is & REL_FROM_INIT))
        return false;
    if (n_away == 0 && r->in_order)
        return true;
    if (n_away == 0) /* any step will do to start from */
        for (away = 0;
             is_seq && r->nodes[rel_kids(r, node)[away]].op == REL_OP_TOID;)
            away++;
    rel_id y = is_seq ? rel_kids(r, node)[away] : node;
    rel_id rest = rel_base(REL_OP_ID);
    for (uint32_t i = 1; i < n; i++)
        rest = rel_seq(r, rest, rel_kids(r, node)[(away + i) % n]);
    struct cat_set set = cat_set_and(rel_range(r, rest), rel_domain(r, y));
    if (set.opaque)
        set = cat_set_all();
    struct cat_meet m = {
        .check = check,
        .behind = n_away == 0,
        .own = rel_is(r, rest, REL_OWN) && rel_is(r, y, REL_OWN),
        .required = r->nodes[node].required,
        .back = rest,
        .forward = y,
        .set = rel_keep_set(r, &set),
    };
    plan->late = plan->late && rel_is(r, y, REL_LATE);
    plan->meets = mem_room(plan->meets, plan->n_meets, &plan->meets_cap,
                           sizeof *plan->meets);
    plan->meets[plan->n_meets++] = m;
    return true;
}

/* The same with optional steps, taken and left out; few of them. */
static bool plan_meets(struct cat_plan *plan, uint32_t check, rel_id node,
                       uint32_t n_optional)
{
    struct cat_rels *r = &plan->rels;
    uint32_t n = r->nodes[node].n;
    if (r->nodes[node].op != REL_OP_SEQ)
        return plan_meet(plan, check, node);
    for (uint32_t i = 0; i < n; i++) {
        if (r->nodes[rel_kids(r, node)[i]].op != REL_OP_OPT)
            continue;
        rel_id with = rel_base(REL_OP_ID), without = rel_base(REL_OP_ID);
        for (uint32_t k = 0; k < n; k++) {
            rel_id kid = rel_kids(r, node)[k];
            if (k != i)
                without = rel_seq(r, without, kid);
            with = rel_seq(r, with, k == i ? rel_kids(r, kid)[0] : kid);
        }
        return n_optional < 3 &&
               plan_meets(plan, check, with, n_optional + 1) &&
               plan_meets(plan, check, without, n_optional + 1);
    }
    return plan_meet(plan, check, node);
}

static bool plan_irreflexive(struct cat_plan *plan, uint32_t check, rel_id node)
{
    rel_id part;
    bool ok = true;
    uint32_t n = cat_parts_of(&plan->rels, node, 0, &part);
    for (uint32_t i = 0; i < n && ok; i++) {
        cat_parts_of(&plan->rels, node, i, &part);
        if (is_rmw_eco(&plan->rels, part))
            continue;
        part = cat_keep_inner(plan, part, false);
        cat_keep_closures(plan, part);
        uint32_t meets = plan->n_meets;
        if (plan_meets(plan, check, part, 0))
            continue;
        plan->n_meets = meets;
        ok = cat_automaton(plan, check, part, false);
    }
    return ok;
}

static rel_id replace_kid(struct cat_rels *r, rel_id seq, uint32_t i, rel_id by)
{
    rel_id result = rel_base(REL_OP_ID);
    for (uint32_t k = 0; k < r->nodes[seq].n; k++)
        result = rel_seq(r, result, k == i ? by : rel_kids(r, seq)[k]);
    return result;
}

/* Splits n into a part that leads only from older to younger events, which is
 * returned, and the rest. A sequence with a union in it, a;(b | co);c, is taken
 * apart if that gives such a part. */
static rel_id split_timed(struct cat_rels *r, rel_id *n)
{
    rel_id whole = *n;
    if (rel_is(r, whole, REL_TIMED)) {
        *n = rel_base(REL_OP_EMPTY);
        return whole;
    }
    if (r->nodes[whole].op != REL_OP_SEQ)
        return rel_base(REL_OP_EMPTY);
    for (uint32_t i = 0; i < r->nodes[whole].n; i++) {
        rel_id kid = rel_kids(r, whole)[i];
        if (r->nodes[kid].op != REL_OP_UNION)
            continue;
        rel_id in = rel_base(REL_OP_EMPTY), out = in;
        for (uint32_t k = 0; k < r->nodes[kid].n; k++) {
            rel_id part = rel_kids(r, kid)[k];
            rel_id *to = rel_is(r, part, REL_TIMED) ? &in : &out;
            *to = rel_join(r, *to, part);
        }
        rel_id timed = replace_kid(r, whole, i, in);
        if (in == REL_OP_EMPTY || !rel_is(r, timed, REL_TIMED))
            continue;
        *n = replace_kid(r, whole, i, out);
        return timed;
    }
    return rel_base(REL_OP_EMPTY);
}

/* acyclic over a union. Parts that lead only from older to younger events go
 * into one closure, whose rows are kept. If all parts stay within a location
 * and rf, co and fr are among them, then acyclic s | rf | co | fr is the same
 * as irreflexive s;eco: eco is a weak order of the location's events by the
 * place of their write in co, and every step of a cycle would have to go up or
 * stay. */
static bool plan_acyclic(struct cat_plan *plan, uint32_t check, rel_id node)
{
    struct cat_rels *r = &plan->rels;
    rel_id timed = REL_OP_EMPTY, other = REL_OP_EMPTY, part;
    bool local = true;
    uint32_t n = cat_parts_of(r, node, 0, &part);
    for (uint32_t i = 0; i < n; i++) {
        cat_parts_of(r, node, i, &part);
        local = local && rel_is(r, part, REL_LOCAL);
        rel_id early = split_timed(r, &part);
        timed = rel_join(r, timed, early);
        other = rel_join(r, other, part);
    }
    if (other == REL_OP_EMPTY && r->in_order)
        return true;
    rel_id co_fr[] = {REL_OP_CO, REL_OP_FR};
    rel_id both = rel_union(r, co_fr, 2);
    if (local && other == both && rel_has_part(r, timed, REL_OP_RF))
        return plan_irreflexive(plan, check, rel_seq(r, timed, REL_OP_ECO));
    bool exact = other == both;
    if (!r->in_order) {
        node = rel_join(r, timed, exact ? REL_OP_CO_FR : other);
        node = cat_keep_inner(plan, node, true);
        return cat_automaton(plan, check, node, true);
    }
    rel_id steps = rel_plus(r, timed);
    cat_keep_closures(plan, steps);
    cat_keep_closures(plan, other);
    return cat_automaton(
        plan, check, rel_join(r, steps, exact ? REL_OP_CO_FR : other), true);
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

/* Takes `final acyclic node` into the plan; false: it is for the full
 * evaluator. */
static bool plan_final(struct cat_plan *plan, uint32_t check, rel_id node)
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

static void plan_axiom(struct cat_plan *plan, const struct cat_check *check,
                       uint32_t index, rel_id node)
{
    uint32_t searches = plan->n_searches, pairs = plan->n_pairs;
    uint32_t meets = plan->n_meets;
    const struct cat_rels *r = &plan->rels;
    bool ok = false;
    enum check_kind kind = check->kind;
    if (check->final) {
        if (check->negated || kind != CHECK_ACYCLIC ||
            !plan_final(plan, index, node))
            add_index(&plan->final, &plan->n_final, &plan->final_cap, index);
        return;
    }
    if (kind != CHECK_EMPTY && r->nodes[node].op == REL_OP_PLUS) {
        kind = CHECK_ACYCLIC;
        node = rel_kids(r, node)[0];
    }
    if (check->negated || rel_is(r, node, REL_BLIND))
        ok = false;
    else if (kind == CHECK_EMPTY)
        ok = plan_empty(plan, index, node);
    else if (kind == CHECK_IRREFLEXIVE)
        ok = plan_irreflexive(plan, index, node);
    else
        ok = plan_acyclic(plan, index, node);
    if (ok) {
        bool any = plan->n_searches > searches || plan->n_meets > meets ||
                   plan->n_pairs > pairs;
        plan->within_sc =
            plan->within_sc &&
            (!any || (kind != CHECK_EMPTY && cat_within_sc(r, node)));
        return;
    }
    plan->n_searches = searches;
    plan->n_pairs = pairs;
    plan->n_meets = meets;
    if (!check->negated && rel_is(r, node, REL_GROWS)) {
        plan->required = mem_room(plan->required, plan->n_slow,
                                  &plan->required_cap, sizeof *plan->required);
        /* Initial writes are among W, but not of the graph. */
        plan->required[plan->n_slow] =
            r->nodes[node].required & ~TAG_BIT(TAG_W);
        add_index(&plan->slow, &plan->n_slow, &plan->slow_cap, index);
    } else
        add_index(&plan->final, &plan->n_final, &plan->final_cap, index);
}

static void plan_flag(struct cat_plan *plan, const struct cat_check *check,
                      uint32_t index, rel_id node)
{
    if (node == REL_OP_EMPTY && check->negated && check->kind == CHECK_EMPTY)
        return;
    if (check->negated && check->kind == CHECK_EMPTY &&
        has_plain_pairs(plan, node))
        add_pairs(plan, true, index, node);
    else
        add_index(&plan->slow_flags, &plan->n_slow_flags, &plan->slow_flags_cap,
                  index);
}

/* --- what the explorer wants to know ------------------------------------ */

/* What an axiom says of coherence: irreflexive x;eco, x;co or x;fr. */
struct coherence {
    rel_id x;
    bool eco, co, fr;
    /* Coherence in pieces: po;co, po;fr, rf;po;co and rf;po;fr, the last one
     * apart from writes with one of the tags. */
    bool po_co, po_fr, rf_po_co, rf_po_fr;
    uint64_t stale_tags;
    /* Of a read-modify-write: no write is between its source and it, none of
     * another thread is, and it follows its source. */
    bool alone, no_others, follows;
};

static bool contains_po(const struct cat_rels *r, rel_id n)
{
    if (n == REL_OP_PO || n == REL_OP_CAUSE)
        return true;
    return r->nodes[n].op == REL_OP_PLUS &&
           rel_has_part(r, rel_kids(r, n)[0], REL_OP_PO);
}

static bool contains_rf(const struct cat_rels *r, rel_id n)
{
    return n == REL_OP_CAUSE || (r->nodes[n].op == REL_OP_PLUS &&
                                 rel_has_part(r, rel_kids(r, n)[0], REL_OP_RF));
}

static void prefer_row(struct cat_plan *plan, int row)
{
    /* (po | rf)+ holds all others, and any holds po. */
    if (row < 0 || plan->coherence_row == (int)ROW_CAUSE)
        return;
    if (plan->coherence_row < 0 || plan->coherence_row == (int)ROW_PO ||
        row == (int)ROW_CAUSE) {
        plan->coherence_row = row;
        plan->stale_tags = 0;
    }
}

/* The tag t for which n is fr \ (rf^-1; [S]; co), where all of S have t, and
 * `from` holds all writes without it; TAG_COUNT: none. */
static enum event_tag exempt_tag(const struct cat_rels *r, rel_id from,
                                 rel_id n)
{
    const struct cat_rel *x = &r->nodes[n];
    if (r->nodes[from].op != REL_OP_TOID || x->op != REL_OP_DIFF ||
        rel_kids(r, n)[0] != REL_OP_FR)
        return TAG_COUNT;
    rel_id less = rel_kids(r, n)[1];
    const rel_id *kids = rel_kids(r, less);
    if (r->nodes[less].op != REL_OP_SEQ || r->nodes[less].n != 3 ||
        r->nodes[kids[0]].op != REL_OP_INVERSE ||
        rel_kids(r, kids[0])[0] != REL_OP_RF ||
        r->nodes[kids[1]].op != REL_OP_TOID || kids[2] != REL_OP_CO)
        return TAG_COUNT;
    uint64_t common = cat_set_common(&r->sets[r->nodes[kids[1]].a]);
    const struct cat_set *all = &r->sets[r->nodes[from].a];
    for (unsigned t = 0; t < TAG_COUNT; t++) {
        bool covers = common >> t & 1 && all->init;
        for (uint32_t i = 0; i < all->n && covers; i++)
            covers = all->clauses[i].with & TAG_BIT(TAG_W) ||
                     all->clauses[i].without & TAG_BIT(t);
        if (covers && t != TAG_W)
            return (enum event_tag)t;
    }
    return TAG_COUNT;
}

/* Coherence that is said piece by piece. */
static void note_pieces(struct cat_plan *plan, rel_id n, struct coherence *seen)
{
    const struct cat_rels *r = &plan->rels;
    const rel_id *kids = rel_kids(r, n);
    uint32_t count = r->nodes[n].n;
    if (count == 2 && kids[0] == REL_OP_PO) {
        seen->po_co = seen->po_co || kids[1] == REL_OP_CO;
        seen->po_fr = seen->po_fr || kids[1] == REL_OP_FR;
    } else if (count == 3 && kids[1] == REL_OP_PO &&
               (kids[0] == REL_OP_RF || contains_rf(r, kids[0]))) {
        seen->rf_po_co = seen->rf_po_co || kids[2] == REL_OP_CO;
        seen->rf_po_fr = seen->rf_po_fr || kids[2] == REL_OP_FR;
    } else if (count == 4 && kids[1] == REL_OP_RF && kids[2] == REL_OP_PO &&
               !seen->rf_po_fr) {
        enum event_tag tag = exempt_tag(r, kids[0], kids[3]);
        seen->rf_po_fr = tag != TAG_COUNT;
        seen->stale_tags = tag != TAG_COUNT ? TAG_BIT(tag) : 0;
    }
    if (plan->coherence_row < 0 && seen->po_co && seen->po_fr &&
        seen->rf_po_co && seen->rf_po_fr) {
        plan->coherence_row = (int)ROW_PO;
        plan->stale_tags = seen->stale_tags;
    }
}

static void note_irreflexive(struct cat_plan *plan, rel_id n,
                             struct coherence *seen)
{
    const struct cat_rels *r = &plan->rels;
    if (r->nodes[n].op != REL_OP_SEQ)
        return;
    note_pieces(plan, n, seen);
    if (r->nodes[n].n != 2)
        return;
    rel_id x = rel_kids(r, n)[0], y = rel_kids(r, n)[1];
    if (r->nodes[y].op == REL_OP_OPT)
        y = rel_kids(r, y)[0];
    if (x == rel_inter(&plan->rels, REL_OP_PO, REL_OP_LOC))
        x = REL_OP_PO; /* the same, since eco stays in a location */
    if (!contains_po(r, x))
        return;
    if (seen->x != x) {
        seen->x = x;
        seen->eco = seen->co = seen->fr = false;
    }
    seen->eco = seen->eco || y == REL_OP_ECO;
    seen->co = seen->co || y == REL_OP_CO;
    seen->fr = seen->fr || y == REL_OP_FR;
    if (seen->eco || (seen->co && seen->fr && contains_rf(r, x)))
        prefer_row(plan,
                   cat_row_of(plan, x) < 0 ? (int)ROW_PO : cat_row_of(plan, x));
}

static void note_acyclic(struct cat_plan *plan, rel_id n)
{
    struct cat_rels *r = &plan->rels;
    bool po = rel_has_part(r, n, REL_OP_PO);
    bool rf = rel_has_part(r, n, REL_OP_RF);
    plan->acyclic_cause = plan->acyclic_cause || (po && rf);
    if (!rf || !rel_has_part(r, n, REL_OP_CO) || !rel_has_part(r, n, REL_OP_FR))
        return;
    if (po)
        prefer_row(plan, (int)ROW_CAUSE);
    else if (rel_has_part(r, n, rel_inter(r, REL_OP_PO, REL_OP_LOC)))
        prefer_row(plan, (int)ROW_PO);
}

/* Does the axiom say that nothing comes between a read-modify-write and its
 * source, or that the source comes first? */
static void note_atomicity(struct cat_plan *plan, const struct cat_check *check,
                           rel_id node, struct coherence *seen)
{
    struct cat_rels *r = &plan->rels;
    rel_id fre = rel_inter(r, REL_OP_FR, REL_OP_EXT);
    rel_id coe = rel_inter(r, REL_OP_CO, REL_OP_EXT);
    rel_id all = rel_inter(r, REL_OP_RMW, rel_seq(r, REL_OP_FR, REL_OP_CO));
    rel_id others = rel_inter(r, REL_OP_RMW, rel_seq(r, fre, coe));
    rel_id back[] = {
        rel_seq(r, REL_OP_RMW, REL_OP_ECO),
        rel_seq(r, REL_OP_RMW, rel_seq(r, REL_OP_CO, REL_OP_RF)),
        rel_seq(r, REL_OP_RF, rel_seq(r, REL_OP_RMW, REL_OP_CO)),
    };
    if (check->negated)
        return;
    if (check->kind == CHECK_EMPTY) {
        seen->alone = seen->alone || rel_has_part(r, node, all);
        seen->no_others = seen->no_others || rel_has_part(r, node, others);
        return;
    }
    for (unsigned i = 0; i < sizeof back / sizeof *back; i++)
        seen->follows = seen->follows || rel_has_part(r, node, back[i]);
}

static void note_axiom(struct cat_plan *plan, const struct cat_check *check,
                       rel_id node, struct coherence *seen)
{
    const struct cat_rels *r = &plan->rels;
    if (check->negated || check->final || check->kind == CHECK_EMPTY)
        return;
    if (node == REL_OP_CAUSE)
        plan->acyclic_cause = true;
    bool acyclic = check->kind == CHECK_ACYCLIC;
    if (r->nodes[node].op == REL_OP_PLUS) {
        node = rel_kids(r, node)[0];
        acyclic = true;
    }
    if (acyclic)
        note_acyclic(plan, node);
    rel_id part;
    uint32_t n = cat_parts_of(r, node, 0, &part);
    for (uint32_t i = 0; i < n; i++) {
        cat_parts_of(r, node, i, &part);
        note_irreflexive(plan, part, seen);
    }
}

static void plan_hb(struct cat_plan *plan, struct cat_converter *c)
{
    rel_id hb =
        c->code->hb == CAT_NONE ? REL_NONE : convert(plan, c, c->code->hb);
    if (hb == REL_NONE || hb == REL_OP_EMPTY ||
        rel_is(&plan->rels, hb, REL_BLIND))
        return;
    if (cat_row_of(plan, hb) < 0) {
        cat_keep_closures(plan, hb);
        cat_keep_row(plan, hb);
    }
    plan->hb_row = cat_row_of(plan, hb);
}

static rel_id toid_of(struct cat_rels *r, uint64_t tags)
{
    struct cat_set set = cat_set_none();
    for (; tags; tags &= tags - 1)
        set =
            cat_set_or(set, cat_set_tag((enum event_tag)__builtin_ctzll(tags)));
    return rel_toid(r, set);
}

/* What must be there before an event can be: struct model, cause_row. */
static void plan_corder(struct cat_plan *plan, struct cat_converter *c)
{
    struct cat_rels *r = &plan->rels;
    if (r->in_order || c->code->corder == CAT_NONE)
        return;
    rel_id n = convert(plan, c, c->code->corder);
    n = rel_join(r, n, rel_seq(r, REL_OP_PO, toid_of(r, TAGS_WAITING)));
    n = rel_join(r, n, rel_seq(r, toid_of(r, TAGS_NEEDED), REL_OP_PO));
    for (rel_id dep = REL_OP_ADDR; dep <= REL_OP_CTRL; dep++)
        n = rel_join(r, n, dep);
    n = rel_plus(r, rel_join(r, n, REL_OP_RMW));
    cat_keep_closures(plan, n);
    plan->cause_row = cat_row_of(plan, n);
}

/* By state, loops first and simple ones before others: what they bring goes on
 * with the rest. */
static int by_state(const void *a, const void *b)
{
    const struct cat_edge *x = a, *y = b;
    bool x_loops = x->from == x->to, y_loops = y->from == y->to;
    return x->to != y->to          ? x->to - y->to
           : x_loops != y_loops    ? y_loops - x_loops
           : x->kind != y->kind    ? y->kind - x->kind
           : x->from != y->from    ? x->from - y->from
           : x->letter < y->letter ? -1
                                   : x->letter > y->letter;
}

static enum cat_edge_kind kind_of(struct cat_plan *plan, rel_id letter)
{
    rel_id rfe = rel_inter(&plan->rels, REL_OP_EXT, REL_OP_RF);
    if (letter == REL_NONE)
        return EDGE_SAME;
    if (cat_row_of(plan, letter) < 0)
        return letter == rfe ? EDGE_RFE : EDGE_LETTER;
    return rel_is(&plan->rels, letter, REL_TRANSITIVE) ? EDGE_CLOSED : EDGE_ROW;
}

/* When all rows are there: which steps of the search are simple, and where
 * those to a state are. */
static void plan_edges(struct cat_plan *plan, struct cat_search *s)
{
    struct cat_edge *edges = s->n_edges ? plan->edges + s->first_edge : NULL;
    uint32_t i = 0;
    for (uint32_t k = 0; k < s->n_edges; k++) {
        edges[k].kind = (uint16_t)kind_of(plan, edges[k].letter);
        if (edges[k].kind == EDGE_ROW || edges[k].kind == EDGE_CLOSED)
            edges[k].row = (uint16_t)cat_row_of(plan, edges[k].letter);
    }
    if (s->n_edges)
        qsort(edges, s->n_edges, sizeof *edges, by_state);
    s->first_into = plan->n_into;
    for (uint32_t q = 0; q <= s->n_states; q++) {
        while (i < s->n_edges && edges[i].to < q)
            i++;
        add_index(&plan->into, &plan->n_into, &plan->into_cap,
                  s->first_edge + i);
    }
}

void cat_plan_init(struct cat_plan *plan, const struct cat_code *code,
                   bool in_order, bool coherent)
{
    *plan = (struct cat_plan){
        .late = true,
        .within_sc = true,
        .hb_row = -1,
        .coherence_row = -1,
        .cause_row = -1,
    };
    cat_rels_init(&plan->rels, in_order, coherent);
    bool small = code->n <= NODES_MAX;
    struct cat_converter c;
    cat_converter_init(&c, &plan->rels, code);
    if (small) {
        plan_hb(plan, &c);
        plan_corder(plan, &c);
    }
    struct coherence seen = {.x = REL_NONE};
    for (uint32_t i = 0; i < code->n_checks; i++) {
        const struct cat_check *check = &code->checks[i];
        rel_id node =
            small ? convert(plan, &c, check->node) : rel_base(REL_OP_OPAQUE);
        if (check->role != CHECK_AXIOM) {
            plan_flag(plan, check, i, node);
            continue;
        }
        plan_axiom(plan, check, i, node);
        note_axiom(plan, check, node, &seen);
        note_atomicity(plan, check, node, &seen);
    }
    /* Coherence of a thread's accesses says the rest. */
    bool coherent_threads = plan->coherence_row >= 0;
    plan->atomic_rmw = (seen.alone || (seen.no_others && coherent_threads)) &&
                       (seen.follows || coherent_threads);
    cat_rows_finish(plan);
    for (uint32_t i = 0; i < plan->n_searches; i++)
        plan_edges(plan, &plan->searches[i]);
    plan->own = plan->n_pairs == 0;
    for (uint32_t i = 0; i < plan->n_searches; i++)
        plan->own = plan->own && plan->searches[i].own;
    for (uint32_t i = 0; i < plan->n_meets; i++)
        plan->own = plan->own && plan->meets[i].own;
    for (rel_id i = 0; i < plan->rels.n; i++)
        if (plan->rels.nodes[i].depth > plan->depth)
            plan->depth = plan->rels.nodes[i].depth;
    cat_converter_release(&c);
    assert(cat_plan_check(plan));
}

void cat_plan_release(struct cat_plan *plan)
{
    cat_rels_release(&plan->rels);
    free(plan->rows);
    free(plan->parts);
    free(plan->rules);
    free(plan->meets);
    free(plan->edges);
    free(plan->into);
    free(plan->outs);
    free(plan->searches);
    free(plan->pairs);
    free(plan->flags);
    free(plan->finals);
    free(plan->slow);
    free(plan->required);
    free(plan->dynamic);
    free(plan->final);
    free(plan->slow_flags);
    *plan = (struct cat_plan){0};
}
