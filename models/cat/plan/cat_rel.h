/* Relations in the fast form: a DAG like cat_compile's, but simplified, over
 * more base relations, and with what is known of each relation as the graph
 * grows by one event e. If the graph grows in order, e is maximal in po and rf;
 * otherwise (for models that allow cycles of these) it may stand anywhere.
 *
 * Only pairs of events of the graph are meant; initial writes are left out, and
 * what may depend on them is marked. */
#ifndef MODELS_CAT_REL_H
#define MODELS_CAT_REL_H

#include "models/cat/plan/cat_set.h"

#include <stddef.h>

typedef uint32_t rel_id;
#define REL_NONE UINT32_MAX

/* X(enumerator, attributes) of those without operands. */
#define REL_BASES(X)                                                           \
    X(EMPTY, REL_ALL)                                                          \
    X(PO, REL_TIMED | REL_STEP | REL_TRANSITIVE)                               \
    X(CAUSE, REL_TIMED | REL_TRANSITIVE | REL_FROM_INIT) /* (po | rf)+ */      \
    X(RF, REL_TIMED | REL_PAIR | REL_LOCAL | REL_FROM_INIT)                    \
    X(RMW, REL_TIMED | REL_STEP | REL_LOCAL)                                   \
    X(ADDR, REL_TIMED | REL_STEP)                                              \
    X(DATA, REL_TIMED | REL_STEP)                                              \
    X(CTRL, REL_TIMED | REL_STEP)                                              \
    X(PICK_ADDR, REL_TIMED | REL_STEP)                                         \
    X(PICK_DATA, REL_TIMED | REL_STEP)                                         \
    X(PICK_CTRL, REL_TIMED | REL_STEP)                                         \
    X(CO, REL_FROZEN | REL_PAIR | REL_STRICT | REL_LATE | REL_LOCAL |          \
              REL_ECO | REL_TRANSITIVE | REL_FROM_INIT)                        \
    X(FR, REL_FROZEN | REL_PAIR | REL_STRICT | REL_LATE | REL_LOCAL | REL_ECO) \
    /* (rf | co | fr)+ */                                                      \
    X(ECO, REL_FROZEN | REL_PAIR | REL_STRICT | REL_LATE | REL_LOCAL |         \
               REL_ECO | REL_TRANSITIVE | REL_FROM_INIT)                       \
    /* co | fr where only its closure counts: backwards, the nearest steps */  \
    X(CO_FR, REL_FROZEN | REL_PAIR | REL_STRICT | REL_LATE | REL_LOCAL |       \
                 REL_ECO | REL_FROM_INIT)                                      \
    X(LOC, REL_FROZEN | REL_PAIR | REL_EARLY | REL_LOCAL | REL_SYMMETRIC |     \
               REL_TO_INIT | REL_FROM_INIT | REL_INIT_SELF)                    \
    X(INT, REL_FROZEN | REL_PAIR | REL_EARLY | REL_SYMMETRIC | REL_INIT_SELF)  \
    X(EXT, REL_FROZEN | REL_PAIR | REL_EARLY | REL_SYMMETRIC | REL_STRICT |    \
               REL_TO_INIT | REL_FROM_INIT)                                    \
    X(ID, REL_FROZEN | REL_STEP | REL_EARLY | REL_SYMMETRIC | REL_SINK |       \
              REL_SOURCE | REL_INIT_SELF)                                      \
    X(OPAQUE, 0)

enum rel_op {
#define X(id, attributes) REL_OP_##id,
    REL_BASES(X)
#undef X
        REL_OP_TOID, /* set a */
    REL_OP_PRODUCT,  /* sets a, b */
    REL_OP_VARIABLE, /* of a `let rec`, kept as a row; a: its number */
    REL_OP_MEMBERS,  /* members a: those of a set made for complete graphs */
    REL_OP_UNION,    /* kids; so are the next two */
    REL_OP_SEQ,
    REL_OP_INTER,
    REL_OP_DIFF,       /* two kids */
    REL_OP_COMPLEMENT, /* one kid; so are all below */
    REL_OP_INVERSE,
    REL_OP_PLUS,
    REL_OP_OPT,
};

/* What holds of a relation. "Old" are the events other than e. */
enum {
    REL_GROWS = 1 << 0,   /* no pair of old events is lost when e comes */
    REL_SHRINKS = 1 << 1, /* none is gained */
    REL_SINK = 1 << 2,    /* e is related to no old event */
    REL_SOURCE = 1 << 3,  /* no old event is related to e */
    REL_STRICT = 1 << 4,  /* no event is related to itself */
    REL_EARLY = 1 << 5,   /* does not depend on co: known before e is in it */
    REL_LATE = 1 << 6,    /* relates e to nothing if eco does not either */
    REL_LOCAL = 1 << 7,   /* within loc */
    REL_ECO = 1 << 8,     /* within eco */
    REL_TRANSITIVE = 1 << 9,
    REL_SYMMETRIC = 1 << 10,
    REL_TO_INIT = 1 << 11,   /* may relate events to initial writes */
    REL_FROM_INIT = 1 << 12, /* and back */
    REL_INIT_SELF = 1 << 13, /* may relate initial writes to such */
    REL_BLIND = 1 << 14,     /* pairs cannot be found without them, or it holds
                                something opaque */

    /* For events that come between older ones of their thread. */
    REL_INNER = 1 << 15,    /* within po and identity */
    REL_PAIRWISE = 1 << 16, /* whether it relates two events depends on these
                               alone and on the writes they read */
    REL_OWN = 1 << 17,      /* or else on what is between them in po: pairs of
                               old events come and go only behind e */

    REL_PAIR = REL_PAIRWISE | REL_OWN,
    REL_STEP = REL_PAIR | REL_INNER,
    REL_FROZEN = REL_GROWS | REL_SHRINKS,
    /* Goes from older to younger events only. */
    REL_TIMED = REL_FROZEN | REL_SINK | REL_STRICT | REL_EARLY | REL_LATE,
    REL_INIT = REL_TO_INIT | REL_FROM_INIT | REL_INIT_SELF,
    REL_ALL = REL_TIMED | REL_STEP | REL_SOURCE | REL_LOCAL | REL_ECO |
              REL_TRANSITIVE | REL_SYMMETRIC,
};

struct cat_rel {
    uint8_t op;    /* enum rel_op */
    bool products; /* a union of products */
    uint16_t depth;
    uint16_t size;     /* as a tree, no more than REL_SIZE_MAX + 1 */
    uint32_t is;       /* REL_GROWS ... */
    int16_t row;       /* graph row that holds its predecessors, -1: none */
    int16_t within;    /* a row that holds all of them; -1: none is known */
    uint32_t a, b;     /* sets; opaque: a number of its own */
    uint32_t first, n; /* kids */
    uint64_t required; /* a pair needs an event with each of these tags,
                          between its ends or at them */
};

/* Larger trees are left to the full evaluator (REL_BLIND): shared operands are
 * looked at once for each way to them. */
enum { REL_SIZE_MAX = 2000 };

/* The variables of a `let rec` that is solved row by row. */
struct cat_fix {
    rel_id first; /* variables first .. first + n - 1 */
    uint32_t n;
    uint32_t body; /* bodies[body + i] is what variable i stands for */
};

/* A set that is no condition on tags. */
enum members_kind { MEMBERS_DOMAIN, MEMBERS_RANGE, MEMBERS_FINAL };
struct cat_members {
    enum members_kind kind;
    rel_id of; /* final writes: REL_NONE */
};

struct cat_rels {
    bool in_order;
    bool coherent; /* the axioms imply irreflexive po;eco */
    struct cat_fix *fixes;
    uint32_t n_fixes, fixes_cap;
    rel_id *bodies;
    uint32_t n_bodies, bodies_cap;
    struct cat_members *members;
    uint32_t n_members, members_cap;
    struct cat_rel *nodes;
    uint32_t n, cap;
    rel_id *kids;
    uint32_t n_kids, kids_cap;
    struct cat_set *sets;
    uint32_t n_sets, sets_cap;
};

void cat_rels_init(struct cat_rels *r, bool in_order, bool coherent);
void cat_rels_release(struct cat_rels *r);

static inline bool rel_is(const struct cat_rels *r, rel_id n, unsigned what)
{
    return (r->nodes[n].is & what) == what;
}
static inline const rel_id *rel_kids(const struct cat_rels *r, rel_id n)
{
    return r->nodes[n].n > 0 ? r->kids + r->nodes[n].first : NULL;
}

/* Base relations have their enumerator as id. */
static inline rel_id rel_base(enum rel_op op)
{
    return (rel_id)op;
}
/* A relation of which only this is known. */
rel_id rel_opaque(struct cat_rels *r, unsigned is);
/* The first of n variables of a `let rec` that start with these properties. */
rel_id rel_variables(struct cat_rels *r, uint32_t n, unsigned is);
rel_id rel_toid(struct cat_rels *r, struct cat_set set);
/* The identity on domain(of), range(of) or the final writes; `set` says how
 * that changes. Known to cat_final.h only: elsewhere as good as opaque. */
rel_id rel_members(struct cat_rels *r, enum members_kind kind, rel_id of,
                   struct cat_set set);
rel_id rel_product(struct cat_rels *r, struct cat_set a, struct cat_set b);
rel_id rel_union(struct cat_rels *r, const rel_id *kids, uint32_t n);
rel_id rel_join(struct cat_rels *r, rel_id a, rel_id b); /* a | b */
rel_id rel_inter(struct cat_rels *r, rel_id a, rel_id b);
rel_id rel_seq(struct cat_rels *r, rel_id a, rel_id b);
rel_id rel_diff(struct cat_rels *r, rel_id a, rel_id b);
rel_id rel_complement(struct cat_rels *r, rel_id a);
rel_id rel_inverse(struct cat_rels *r, rel_id a);
rel_id rel_plus(struct cat_rels *r, rel_id a);
rel_id rel_opt(struct cat_rels *r, rel_id a);

/* What is known of a relation made of others (cat_traits.c). */
unsigned rel_traits_union(const struct cat_rels *r, const rel_id *kids,
                          uint32_t n);
unsigned rel_traits_inter(const struct cat_rels *r, const rel_id *kids,
                          uint32_t n);
/* Of kids[0];...;kids[i], if `a` is known of what is before the last one. */
unsigned rel_traits_seq(const struct cat_rels *r, const rel_id *kids,
                        uint32_t i, unsigned a);
unsigned rel_traits_diff(const struct cat_rels *r, rel_id x, rel_id y);
unsigned rel_traits_complement(unsigned a);
unsigned rel_traits_inverse(unsigned a);
unsigned rel_traits_plus(const struct cat_rels *r, unsigned a);
unsigned rel_traits_opt(unsigned a);
uint64_t rel_required(const struct cat_rels *r, enum rel_op op,
                      const rel_id *kids, uint32_t n);

/* A set that holds all events (initial writes apart) that the relation can lead
 * to, or from. */
struct cat_set rel_range(const struct cat_rels *r, rel_id n);
struct cat_set rel_domain(const struct cat_rels *r, rel_id n);
uint32_t rel_keep_set(struct cat_rels *r, const struct cat_set *set);

/* Does it lose no pair when rf, co and fr gain some, those that are kept as
 * rows included? */
bool rel_rises(const struct cat_rels *r, rel_id n);

/* Is `part` one of the union `n`, or n itself? */
bool rel_has_part(const struct cat_rels *r, rel_id n, rel_id part);

#endif
