/* Takes one fence f, any with the given tags, and asks of each set and relation
 * of the model what it makes of f. All follows from the operands, in one pass
 * over the DAG.
 *
 * A walk can pass through f by po alone; where all of po may be walked anyway,
 * it can as well leave f out: acyclic (po | rf | co | fr) does not see f, but
 * [W];po;[F];po;[R] does. */
#include "models/cat/plan/cat_ignore.h"

#include "core/mem.h"

#include <stdlib.h>

enum {
    /* Between events other than f it is what it would be without f. */
    SAME = 1,
    /* Of a set: f may be in it, f may be out of it. */
    IN = 2,
    OUT = 4,
    /* Of a relation: it may lead from f, to f. */
    FROM = 8,
    TO = 16,
    /* All of its pairs with f are in po; all of po is in it. */
    WITHIN = 32,
    AROUND = 64,
};

/* What a union has from either operand, and an intersection from both; with the
 * others it is the other way round, but for SAME. */
enum { EITHER = IN | FROM | TO | AROUND };

static unsigned of_base(const struct cat_node *n, uint64_t tags)
{
    switch ((enum cat_op)n->op) {
    case CAT_UNIVERSE:
        return SAME | IN;
    case CAT_TAG:
        return SAME | (tags >> n->a & 1 ? IN : OUT);
    case CAT_INIT:
    case CAT_FINAL:
        return SAME | OUT;
    case CAT_PO:
        return SAME | FROM | TO | WITHIN | AROUND;
    case CAT_DEP:
        return SAME | TO | WITHIN;
    case CAT_RF:
    case CAT_CO:
    case CAT_RMW:
    case CAT_LOC:
        return SAME;
    case CAT_INT:
    case CAT_EXT:
    case CAT_ID:
        return SAME | FROM | TO;
    case CAT_EMPTY:
        return SAME | (n->set ? OUT : 0);
    default: /* CAT_FIX, CAT_VARIABLE */
        return FROM | TO;
    }
}

/* Can it be that a walk leads through f? */
static bool is_passage(unsigned a)
{
    return a & FROM && a & TO;
}

/* Is there always a way around? */
static bool is_avoided(unsigned a)
{
    return !is_passage(a) || (a & WITHIN && a & AROUND);
}

static unsigned of_inter(unsigned a, unsigned b)
{
    return (a & b & (SAME | EITHER)) | ((a | b) & (OUT | WITHIN));
}

static unsigned of_complement(unsigned a, bool set)
{
    if (!set)
        return (a & SAME) | FROM | TO;
    return (a & SAME) | (a & IN ? OUT : 0) | (a & OUT ? IN : 0);
}

static unsigned of_operator(const struct cat_node *n, unsigned a, unsigned b)
{
    switch ((enum cat_op)n->op) {
    case CAT_DOMAIN:
        return (a & TO ? 0 : a & SAME) | (a & FROM ? IN : 0) | OUT;
    case CAT_RANGE:
        return (a & FROM ? 0 : a & SAME) | (a & TO ? IN : 0) | OUT;
    case CAT_PRODUCT:
        return (a & b & SAME) | (a & IN ? FROM : 0) | (b & IN ? TO : 0);
    case CAT_TOID:
        return (a & SAME) | (a & IN ? FROM | TO : 0);
    case CAT_SEQ:
        return (a & TO && b & FROM ? 0 : a & b & SAME) | (a & FROM) | (b & TO);
    case CAT_INVERSE:
        return (a & SAME) | (a & FROM ? TO : 0) | (a & TO ? FROM : 0);
    case CAT_PLUS:
    case CAT_STAR:
        return (is_avoided(a) ? a & SAME : 0) | (a & (FROM | TO | AROUND)) |
               (n->op == CAT_STAR ? FROM | TO : 0);
    case CAT_OPT:
        return (a & (SAME | AROUND)) | FROM | TO;
    case CAT_UNION:
        return (a & b) | ((a | b) & EITHER);
    case CAT_INTER:
        return of_inter(a, b);
    case CAT_DIFF:
        return of_inter(a, of_complement(b, n->set));
    case CAT_COMPLEMENT:
        return of_complement(a, n->set);
    default:
        return FROM | TO;
    }
}

static bool ignores_check(enum check_kind kind, unsigned a)
{
    if (!(a & SAME))
        return false;
    switch (kind) {
    case CHECK_ACYCLIC:
        return is_avoided(a);
    case CHECK_IRREFLEXIVE: /* po leads from nothing to itself */
        return !is_passage(a) || a & WITHIN;
    case CHECK_EMPTY:
        return !(a & (FROM | TO));
    }
    return false;
}

bool cat_ignores(const struct cat_code *code, uint64_t tags)
{
    unsigned *is = mem_resize(NULL, (code->n + 1) * sizeof *is);
    for (cat_id i = 0; i < code->n; i++) {
        const struct cat_node *n = &code->nodes[i];
        is[i] = !cat_has_operands(n)
                    ? of_base(n, tags)
                    : of_operator(n, is[n->a], n->b == CAT_NONE ? 0 : is[n->b]);
        if (!(is[i] & (FROM | TO)))
            is[i] |= WITHIN; /* there are no such pairs */
    }
    bool ignores = code->hb == CAT_NONE || is[code->hb] & SAME;
    for (uint32_t i = 0; i < code->n_checks && ignores; i++)
        ignores = ignores_check(code->checks[i].kind, is[code->checks[i].node]);
    free(is);
    return ignores;
}
