/* What is known of a relation (REL_GROWS ... in cat_rel.h) from what is known
 * of its operands. When in doubt a property is left out; those that speak of
 * initial writes, and REL_BLIND, are put in. */
#include "models/cat/plan/cat_rel.h"

unsigned rel_traits_union(const struct cat_rels *r, const rel_id *kids,
                          uint32_t n)
{
    unsigned all = ~0u, any = 0;
    for (uint32_t i = 0; i < n; i++) {
        all &= r->nodes[kids[i]].is;
        any |= r->nodes[kids[i]].is;
    }
    all &= REL_FROZEN | REL_SINK | REL_SOURCE | REL_STRICT | REL_EARLY |
           REL_LATE | REL_LOCAL | REL_ECO | REL_STEP;
    return all | (any & (REL_INIT | REL_BLIND));
}

unsigned rel_traits_inter(const struct cat_rels *r, const rel_id *kids,
                          uint32_t n)
{
    unsigned all = ~0u, any = 0;
    bool rf = false, internal = false;
    for (uint32_t i = 0; i < n; i++) {
        all &= r->nodes[kids[i]].is;
        any |= r->nodes[kids[i]].is;
        rf = rf || kids[i] == REL_OP_RF;
        internal = internal || kids[i] == REL_OP_INT;
    }
    all &= REL_FROZEN | REL_EARLY | REL_SYMMETRIC | REL_INIT | REL_PAIR;
    if (r->coherent && rf && internal)
        all |= REL_INNER;
    return all | (any & (REL_SINK | REL_SOURCE | REL_STRICT | REL_LATE |
                         REL_LOCAL | REL_ECO | REL_BLIND | REL_INNER));
}

/* Frozen and sink: goes from older events to younger ones, or to itself. */
static bool in_time(unsigned is)
{
    return (is & (REL_FROZEN | REL_SINK)) == (REL_FROZEN | REL_SINK);
}

/* Is n a base relation, or made of it by taking pairs away? */
static bool is_part(const struct cat_rels *r, rel_id n, rel_id base)
{
    const struct cat_rel *x = &r->nodes[n];
    bool found = n == base;
    if (x->size > REL_SIZE_MAX || (x->n > 0 && x->op != REL_OP_INTER &&
                                   x->op != REL_OP_DIFF && x->op != REL_OP_SEQ))
        return false;
    for (uint32_t i = 0; i < x->n; i++) {
        rel_id kid = rel_kids(r, n)[i];
        bool part = (i == 0 || x->op != REL_OP_DIFF) && is_part(r, kid, base);
        if (x->op == REL_OP_SEQ && !part && r->nodes[kid].op != REL_OP_TOID)
            return false;
        found = found || part;
    }
    return found;
}

/* Can it lead from no event back to itself, one after the other? Where events
 * come out of order only po says so. */
static bool keeps_direction(const struct cat_rels *r, unsigned a, unsigned b)
{
    return r->in_order ? in_time(a) && in_time(b) : (a & b & REL_INNER) != 0;
}

/* Is the event between x and y known by what is before x, or behind y: the
 * source of a read, the other half of an RMW, or that event itself? */
static bool knows_left(const struct cat_rels *r, rel_id x)
{
    if (r->nodes[x].op == REL_OP_INVERSE)
        return is_part(r, rel_kids(r, x)[0], REL_OP_RF) ||
               is_part(r, rel_kids(r, x)[0], REL_OP_RMW);
    return r->nodes[x].op == REL_OP_TOID || is_part(r, x, REL_OP_RMW);
}
static bool knows_right(const struct cat_rels *r, rel_id y)
{
    return r->nodes[y].op == REL_OP_TOID || is_part(r, y, REL_OP_RMW) ||
           is_part(r, y, REL_OP_RF);
}

unsigned rel_traits_seq(const struct cat_rels *r, const rel_id *kids,
                        uint32_t i, unsigned a)
{
    rel_id y = kids[i];
    unsigned b = r->nodes[y].is;
    unsigned is = a & b & (REL_GROWS | REL_EARLY | REL_LOCAL | REL_INNER);
    if (a & b & REL_SHRINKS && (b & REL_SINK || a & REL_SOURCE))
        is |= REL_SHRINKS;
    if (is_part(r, y, REL_OP_RF)) /* leads to reads, which are not in co */
        is |= REL_EARLY;
    if (a & b & REL_PAIRWISE &&
        (knows_right(r, y) || (i == 1 && knows_left(r, kids[0]))))
        is |= REL_PAIR;
    if (a & b & REL_OWN && a & b & REL_INNER)
        is |= REL_OWN;
    if ((a & REL_SINK && (b & REL_SINK || a & REL_STRICT)))
        is |= REL_SINK;
    if ((b & REL_SOURCE && (a & REL_SOURCE || b & REL_STRICT)))
        is |= REL_SOURCE;
    if (keeps_direction(r, a, b) && (a | b) & REL_STRICT)
        is |= REL_STRICT;
    if (a & REL_LATE || (a & REL_SINK && b & REL_LATE))
        is |= REL_LATE;
    is |= (a | b) & REL_BLIND;
    is |= (b | (b & REL_INIT_SELF ? a : 0)) & REL_TO_INIT;
    is |= (a | (a & REL_INIT_SELF ? b : 0)) & REL_FROM_INIT;
    if (a & b & REL_INIT_SELF || (a & REL_FROM_INIT && b & REL_TO_INIT))
        is |= REL_INIT_SELF;
    if (a & REL_TO_INIT && b & REL_FROM_INIT)
        is |= REL_BLIND;
    return is;
}

unsigned rel_traits_diff(const struct cat_rels *r, rel_id x, rel_id y)
{
    unsigned a = r->nodes[x].is, b = r->nodes[y].is;
    unsigned is = a & (REL_SINK | REL_SOURCE | REL_STRICT | REL_LATE |
                       REL_LOCAL | REL_ECO | REL_INIT | REL_BLIND | REL_INNER);
    is |= a & b & (REL_EARLY | REL_SYMMETRIC | REL_PAIR);
    is |= b & REL_BLIND;
    if (a & REL_GROWS && b & REL_SHRINKS)
        is |= REL_GROWS;
    if (a & REL_SHRINKS && b & REL_GROWS)
        is |= REL_SHRINKS;
    if (rel_has_part(r, y, rel_base(REL_OP_ID)))
        is |= REL_STRICT;
    return is;
}

unsigned rel_traits_plus(const struct cat_rels *r, unsigned a)
{
    unsigned is =
        a & (REL_GROWS | REL_SINK | REL_SOURCE | REL_EARLY | REL_LATE |
             REL_LOCAL | REL_SYMMETRIC | REL_INIT | REL_BLIND | REL_INNER);
    if (a & REL_INNER && a & REL_OWN)
        is |= REL_OWN;
    if (a & REL_SHRINKS && a & (REL_SINK | REL_SOURCE))
        is |= REL_SHRINKS;
    if (keeps_direction(r, a, a) && a & REL_STRICT)
        is |= REL_STRICT;
    if (a & REL_TO_INIT && a & REL_FROM_INIT)
        is |= REL_BLIND | REL_INIT_SELF;
    return is | REL_TRANSITIVE;
}

unsigned rel_traits_inverse(unsigned a)
{
    unsigned is = a & ~(unsigned)(REL_SINK | REL_SOURCE | REL_LATE | REL_ECO |
                                  REL_TO_INIT | REL_FROM_INIT | REL_INNER);
    if (!(a & REL_PAIRWISE))
        is &= ~(unsigned)REL_OWN;
    is |= a & REL_SINK ? REL_SOURCE : 0;
    is |= a & REL_SOURCE ? REL_SINK : 0;
    is |= a & REL_TO_INIT ? REL_FROM_INIT : 0;
    is |= a & REL_FROM_INIT ? REL_TO_INIT : 0;
    return is;
}

uint64_t rel_required(const struct cat_rels *r, enum rel_op op,
                      const rel_id *kids, uint32_t n)
{
    uint64_t all = UINT64_MAX, any = 0;
    for (uint32_t i = 0; i < n; i++) {
        all &= r->nodes[kids[i]].required;
        any |= r->nodes[kids[i]].required;
    }
    switch (op) {
    case REL_OP_UNION:
        return all;
    case REL_OP_SEQ:
    case REL_OP_INTER:
    case REL_OP_PLUS:
    case REL_OP_INVERSE:
        return any;
    case REL_OP_DIFF:
        return r->nodes[kids[0]].required;
    default:
        return 0;
    }
}

unsigned rel_traits_complement(unsigned a)
{
    unsigned is = (a & (REL_EARLY | REL_SYMMETRIC | REL_BLIND)) | REL_INIT;
    is |= a & REL_PAIRWISE ? REL_PAIR : 0;
    is |= a & REL_GROWS ? REL_SHRINKS : 0;
    is |= a & REL_SHRINKS ? REL_GROWS : 0;
    return is;
}

unsigned rel_traits_opt(unsigned a)
{
    return (a & ~(unsigned)(REL_STRICT | REL_LATE | REL_LOCAL | REL_ECO)) |
           REL_INIT_SELF;
}

/* --- where it leads to and from ------------------------------------------ */

static struct cat_set ends(const struct cat_rels *r, rel_id n, bool range);

/* The end of a sequence is that of its last step, or of the one before if that
 * may be left out. */
static struct cat_set ends_of_seq(const struct cat_rels *r, rel_id n,
                                  bool range)
{
    const rel_id *kids = rel_kids(r, n);
    uint32_t count = r->nodes[n].n;
    struct cat_set all = cat_set_not(cat_set_all()); /* so far: nothing */
    for (uint32_t i = 0; i < count; i++) {
        rel_id kid = kids[range ? count - 1 - i : i];
        bool optional = r->nodes[kid].op == REL_OP_OPT;
        all = cat_set_or(all,
                         ends(r, optional ? rel_kids(r, kid)[0] : kid, range));
        if (!optional)
            return all;
    }
    return cat_set_all();
}

static struct cat_set ends_of_base(enum rel_op op, bool range)
{
    struct cat_set read = cat_set_tag(TAG_R), write = cat_set_tag(TAG_W);
    switch (op) {
    case REL_OP_RF:
        return range ? read : write;
    case REL_OP_RMW:
    case REL_OP_FR:
        return range ? write : read;
    case REL_OP_CO:
        return write;
    case REL_OP_ECO:
    case REL_OP_LOC:
        return cat_set_or(read, write);
    case REL_OP_EMPTY:
        return cat_set_none();
    default:
        return cat_set_all();
    }
}

/* Recursion is bounded by the depth of the DAG. */
static struct cat_set ends(const struct cat_rels *r, rel_id n, bool range)
{
    const struct cat_rel *x = &r->nodes[n];
    struct cat_set set;
    switch ((enum rel_op)x->op) {
    case REL_OP_TOID:
        return r->sets[x->a];
    case REL_OP_PRODUCT:
        return r->sets[range ? x->b : x->a];
    case REL_OP_UNION:
        set = cat_set_none();
        for (uint32_t i = 0; i < x->n; i++)
            set = cat_set_or(set, ends(r, rel_kids(r, n)[i], range));
        break;
    case REL_OP_INTER:
        set = cat_set_all();
        for (uint32_t i = 0; i < x->n; i++)
            set = cat_set_and(set, ends(r, rel_kids(r, n)[i], range));
        break;
    case REL_OP_SEQ:
        set = ends_of_seq(r, n, range);
        break;
    case REL_OP_DIFF:
    case REL_OP_PLUS:
        set = ends(r, rel_kids(r, n)[0], range);
        break;
    case REL_OP_INVERSE:
        set = ends(r, rel_kids(r, n)[0], !range);
        break;
    default:
        set = ends_of_base((enum rel_op)x->op, range);
    }
    return set.opaque ? cat_set_all() : set;
}

struct cat_set rel_range(const struct cat_rels *r, rel_id n)
{
    return ends(r, n, true);
}

struct cat_set rel_domain(const struct cat_rels *r, rel_id n)
{
    return ends(r, n, false);
}

/* Is it the same whatever rf, co and fr are? */
static bool is_static(const struct cat_rels *r, rel_id n)
{
    const struct cat_rel *x = &r->nodes[n];
    bool known = (x->op >= REL_OP_RMW && x->op <= REL_OP_PICK_CTRL) ||
                 (x->op >= REL_OP_LOC && x->op <= REL_OP_ID) ||
                 x->op == REL_OP_EMPTY || x->op == REL_OP_PO ||
                 x->op == REL_OP_TOID || x->op == REL_OP_PRODUCT || x->n > 0;
    for (uint32_t i = 0; i < x->n && known; i++)
        known = is_static(r, rel_kids(r, n)[i]);
    return known;
}

/* The same for one relation, if it is so for all variables. Recursion is
 * bounded by the size of what is not REL_BLIND. */
static bool rises(const struct cat_rels *r, rel_id n)
{
    const struct cat_rel *x = &r->nodes[n];
    bool ok = true;
    switch ((enum rel_op)x->op) {
    case REL_OP_RF:
    case REL_OP_CO:
    case REL_OP_FR:
    case REL_OP_ECO:
    case REL_OP_CO_FR:
    case REL_OP_VARIABLE:
        return true;
    case REL_OP_DIFF:
        return rises(r, rel_kids(r, n)[0]) && is_static(r, rel_kids(r, n)[1]);
    case REL_OP_UNION:
    case REL_OP_SEQ:
    case REL_OP_INTER:
    case REL_OP_PLUS:
    case REL_OP_OPT:
        for (uint32_t i = 0; i < x->n && ok; i++)
            ok = rises(r, rel_kids(r, n)[i]);
        return ok;
    default:
        return is_static(r, n);
    }
}

bool rel_rises(const struct cat_rels *r, rel_id n)
{
    for (uint32_t i = 0; i < r->n_bodies; i++)
        if (!rises(r, r->bodies[i]))
            return false;
    return rises(r, n);
}
