#include "models/cat/plan/cat_convert.h"

#include "core/graph.h"
#include "core/mem.h"

#include <stdlib.h>
#include <string.h>

/* Terms of a recursive definition that are looked at. */
enum { TERMS_MAX = 200 };

static struct cat_set convert_set_now(struct cat_converter *c, cat_id id);

static struct cat_set convert_set(struct cat_converter *c, cat_id id)
{
    if (!c->have_set[id]) {
        c->sets[id] = convert_set_now(c, id);
        c->have_set[id] = true;
    }
    return c->sets[id];
}

static struct cat_set convert_set_now(struct cat_converter *c, cat_id id)
{
    const struct cat_node *n = &c->code->nodes[id];
    const struct cat_rels *r = c->rels;
    rel_id of;
    switch ((enum cat_op)n->op) {
    case CAT_EMPTY:
        return cat_set_none();
    case CAT_UNIVERSE:
        return cat_set_all();
    case CAT_TAG:
        return cat_set_tag((enum event_tag)n->a);
    case CAT_INIT:
        return cat_set_init();
    case CAT_DOMAIN:
        of = cat_convert(c, n->a);
        return cat_set_opaque(rel_is(r, of, REL_GROWS),
                              rel_is(r, of, REL_SHRINKS | REL_SOURCE));
    case CAT_RANGE:
        of = cat_convert(c, n->a);
        return cat_set_opaque(rel_is(r, of, REL_GROWS),
                              rel_is(r, of, REL_SHRINKS | REL_SINK));
    case CAT_UNION:
        return cat_set_or(convert_set(c, n->a), convert_set(c, n->b));
    case CAT_INTER:
        return cat_set_and(convert_set(c, n->a), convert_set(c, n->b));
    case CAT_DIFF:
        return cat_set_and(convert_set(c, n->a),
                           cat_set_not(convert_set(c, n->b)));
    case CAT_COMPLEMENT:
        return cat_set_not(convert_set(c, n->a));
    case CAT_FINAL: /* a later write takes the place of a final one */
        return cat_set_opaque(false, true);
    default:
        return cat_set_opaque(false, false);
    }
}

/* The recursive definition x = A | B;x | x;C | x;x, taken apart. */
struct equation {
    rel_id plain, before, after; /* A, B, C */
    bool squared;                /* x;x */
    bool other;
    uint32_t n_terms;
};

/* x;c1;c2..., which is built from the left: gives c1;c2... or REL_NONE. */
static rel_id after_variable(struct cat_converter *c, cat_id id)
{
    const struct cat_node *n = &c->code->nodes[id];
    if (n->op == CAT_VARIABLE)
        return rel_base(REL_OP_ID);
    if (n->op != CAT_SEQ || c->code->nodes[n->b].group)
        return REL_NONE;
    rel_id left = after_variable(c, n->a);
    return left == REL_NONE ? REL_NONE
                            : rel_seq(c->rels, left, cat_convert(c, n->b));
}

static void add_term(struct cat_converter *c, struct equation *eq, cat_id id)
{
    struct cat_rels *r = c->rels;
    const struct cat_node *n = &c->code->nodes[id];
    if (++eq->n_terms > TERMS_MAX)
        eq->other = true;
    if (eq->other)
        return;
    if (n->group == 0) {
        eq->plain = rel_join(r, eq->plain, cat_convert(c, id));
    } else if (n->op == CAT_UNION) {
        add_term(c, eq, n->a);
        add_term(c, eq, n->b);
    } else if (n->op == CAT_SEQ && c->code->nodes[n->b].op == CAT_VARIABLE) {
        if (c->code->nodes[n->a].op == CAT_VARIABLE)
            eq->squared = true;
        else if (c->code->nodes[n->a].group == 0)
            eq->before = rel_join(r, eq->before, cat_convert(c, n->a));
        else
            eq->other = true;
    } else {
        rel_id rest = after_variable(c, id);
        if (rest == REL_NONE)
            eq->other = true;
        else if (rest != REL_OP_ID) /* x = ... | x adds nothing */
            eq->after = rel_join(r, eq->after, rest);
    }
}

/* What the names of a group must be so that the graph can keep them as rows: a
 * row is then the least solution over itself and older rows. */
enum { SOLVABLE = REL_TIMED | REL_INNER | REL_OWN };

static bool is_solvable(struct cat_converter *c, uint32_t group)
{
    const struct cat_group *g = &c->code->groups[group];
    struct cat_rels *r = c->rels;
    for (uint32_t i = 0; i < g->n; i++) {
        rel_id body = cat_convert(c, c->code->bodies[g->first + i]);
        if (!rel_is(r, body, SOLVABLE) ||
            r->nodes[body].is & (REL_BLIND | REL_INIT))
            return false;
    }
    return true;
}

/* Assumes that the names are such, and sees whether what they stand for is. */
static bool solve_by_rows(struct cat_converter *c, uint32_t group)
{
    const struct cat_group *g = &c->code->groups[group];
    struct cat_rels *r = c->rels;
    if (c->tried[group])
        return c->variables[group] != REL_NONE;
    c->tried[group] = true;
    c->variables[group] = rel_variables(r, g->n, SOLVABLE);
    if (is_solvable(c, group)) {
        r->fixes =
            mem_room(r->fixes, r->n_fixes, &r->fixes_cap, sizeof *r->fixes);
        r->fixes[r->n_fixes++] =
            (struct cat_fix){c->variables[group], g->n, r->n_bodies};
        for (uint32_t i = 0; i < g->n; i++) {
            r->bodies = mem_room(r->bodies, r->n_bodies, &r->bodies_cap,
                                 sizeof *r->bodies);
            r->bodies[r->n_bodies++] =
                cat_convert(c, c->code->bodies[g->first + i]);
        }
        return true;
    }
    c->variables[group] = REL_NONE;
    for (cat_id i = 0; i < c->code->n; i++) /* what they are made of */
        if (c->code->nodes[i].group)
            c->made[i] = REL_NONE;
    return false;
}

static rel_id convert_fix(struct cat_converter *c, const struct cat_node *n)
{
    struct cat_rels *r = c->rels;
    const struct cat_group *g = &c->code->groups[n->a];
    cat_id body = c->code->bodies[g->first + n->b];
    if (g->n == 1) {
        struct equation eq = {REL_OP_EMPTY, REL_OP_EMPTY, REL_OP_EMPTY,
                              false,        false,        0};
        add_term(c, &eq, body);
        rel_id before = rel_opt(r, rel_plus(r, eq.before));
        rel_id after = rel_opt(r, rel_plus(r, eq.after));
        if (!eq.other && !eq.squared)
            return rel_seq(r, rel_seq(r, before, eq.plain), after);
        if (!eq.other && eq.before == REL_OP_EMPTY && eq.after == REL_OP_EMPTY)
            return rel_plus(r, eq.plain);
    }
    if (solve_by_rows(c, n->a))
        return c->variables[n->a] + n->b;
    /* Left to the evaluator; it grows if it does while its names do. */
    unsigned is = REL_GROWS;
    for (uint32_t i = 0; i < g->n; i++) {
        rel_id x = cat_convert(c, c->code->bodies[g->first + i]);
        is &= r->nodes[x].is;
    }
    return rel_opaque(r, is & REL_GROWS);
}

/* [range(r)] is (r^-1;r) & id, [domain(r)] is (r;r^-1) & id: that is how graphs
 * that do not grow in order see them. */
static rel_id convert_toid(struct cat_converter *c, cat_id id)
{
    struct cat_rels *r = c->rels;
    const struct cat_node *n = &c->code->nodes[id];
    struct cat_set set = convert_set(c, id);
    if (!r->in_order && (n->op == CAT_RANGE || n->op == CAT_DOMAIN)) {
        rel_id a = cat_convert(c, n->a), b = rel_inverse(r, a);
        return rel_inter(r, REL_OP_ID,
                         n->op == CAT_RANGE ? rel_seq(r, b, a)
                                            : rel_seq(r, a, b));
    }
    switch ((enum cat_op)n->op) {
    case CAT_DOMAIN:
        return rel_members(r, MEMBERS_DOMAIN, cat_convert(c, n->a), set);
    case CAT_RANGE:
        return rel_members(r, MEMBERS_RANGE, cat_convert(c, n->a), set);
    case CAT_FINAL:
        return rel_members(r, MEMBERS_FINAL, REL_NONE, set);
    default:
        return rel_toid(r, set);
    }
}

static rel_id convert_now(struct cat_converter *c, cat_id id)
{
    const struct cat_node *n = &c->code->nodes[id];
    struct cat_rels *r = c->rels;
    rel_id a, b;
    switch ((enum cat_op)n->op) {
    case CAT_EMPTY:
        return rel_base(REL_OP_EMPTY);
    case CAT_PO:
        return rel_base(REL_OP_PO);
    case CAT_RF:
        return rel_base(REL_OP_RF);
    case CAT_CO:
        return rel_base(REL_OP_CO);
    case CAT_RMW:
        return rel_base(REL_OP_RMW);
    case CAT_DEP:
        return rel_base((enum rel_op)(REL_OP_ADDR + (n->a - ROW_ADDR)));
    case CAT_LOC:
        return rel_base(REL_OP_LOC);
    case CAT_INT:
        return rel_base(REL_OP_INT);
    case CAT_EXT:
        return rel_base(REL_OP_EXT);
    case CAT_ID:
        return rel_base(REL_OP_ID);
    case CAT_TOID:
        return convert_toid(c, n->a);
    case CAT_PRODUCT:
        return rel_product(r, convert_set(c, n->a), convert_set(c, n->b));
    case CAT_VARIABLE:
        return c->variables[n->a] == REL_NONE ? rel_opaque(r, REL_GROWS)
                                              : c->variables[n->a] + n->b;
    case CAT_FIX:
        return convert_fix(c, n);
    default:
        break;
    }
    a = cat_convert(c, n->a);
    b = n->b == CAT_NONE ? REL_NONE : cat_convert(c, n->b);
    switch ((enum cat_op)n->op) {
    case CAT_UNION:
        return rel_join(r, a, b);
    case CAT_INTER:
        return rel_inter(r, a, b);
    case CAT_DIFF:
        return rel_diff(r, a, b);
    case CAT_SEQ:
        return rel_seq(r, a, b);
    case CAT_INVERSE:
        return rel_inverse(r, a);
    case CAT_PLUS:
        return rel_plus(r, a);
    case CAT_STAR:
        return rel_opt(r, rel_plus(r, a));
    case CAT_OPT:
        return rel_opt(r, a);
    case CAT_COMPLEMENT:
        return rel_complement(r, a);
    default:
        return rel_opaque(r, 0);
    }
}

rel_id cat_convert(struct cat_converter *c, cat_id id)
{
    if (c->made[id] == REL_NONE)
        c->made[id] = convert_now(c, id);
    return c->made[id];
}

void cat_converter_init(struct cat_converter *c, struct cat_rels *rels,
                        const struct cat_code *code)
{
    size_t n = code->n + 1;
    *c = (struct cat_converter){.rels = rels, .code = code};
    c->made = mem_resize(NULL, n * sizeof *c->made);
    c->sets = mem_resize(NULL, n * sizeof *c->sets);
    c->have_set = memset(mem_resize(NULL, n), 0, n);
    for (uint32_t i = 0; i < code->n; i++)
        c->made[i] = REL_NONE;
    n = code->n_groups + 1;
    c->variables = mem_resize(NULL, n * sizeof *c->variables);
    c->tried = memset(mem_resize(NULL, n), 0, n);
    for (uint32_t i = 0; i < code->n_groups; i++)
        c->variables[i] = REL_NONE;
}

void cat_converter_release(struct cat_converter *c)
{
    free(c->made);
    free(c->sets);
    free(c->have_set);
    free(c->variables);
    free(c->tried);
    *c = (struct cat_converter){0};
}
