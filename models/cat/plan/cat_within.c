#include "models/cat/plan/cat_within.h"

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
    if (rel_is(r, n, REL_INNER)) /* within po and identity */
        return rel_is(r, n, REL_STRICT) ? WITHIN_PLUS : WITHIN_STAR;
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

bool cat_within_sc(const struct cat_rels *r, rel_id n)
{
    return within_sc(r, n) == WITHIN_PLUS;
}
