/* From syntax trees to a DAG of relations and sets.
 *
 * Names are resolved, functions and procedures are expanded in place, kinds
 * (set or relation) are checked. Equal expressions are one node; operands have
 * smaller ids than the node, so that a loop over the ids evaluates all. Nothing
 * is simplified here: this DAG is the meaning of the model, on which the full
 * evaluator (cat_eval) works; cat_plan makes the fast form from it. */
#ifndef MODELS_CAT_COMPILE_H
#define MODELS_CAT_COMPILE_H

#include "models/cat/text/cat_parse.h"

typedef uint32_t cat_id;
#define CAT_NONE UINT32_MAX

/* X(enumerator) */
#define CAT_OPS(X)                                               \
    /* sets */                                                   \
    X(UNIVERSE)                                                  \
    X(TAG) /* a: enum event_tag */                               \
    X(INIT)                                                      \
    X(FINAL)                                                     \
    X(DOMAIN) /* a: relation */                                  \
    X(RANGE)                                                     \
    /* relations */                                              \
    X(PO)                                                        \
    X(RF)                                                        \
    X(CO)                                                        \
    X(RMW)                                                       \
    X(DEP) /* a: row of the graph */                             \
    X(LOC)                                                       \
    X(INT)                                                       \
    X(EXT)                                                       \
    X(ID)                                                        \
    X(PRODUCT) /* a, b: sets */                                  \
    X(TOID)    /* a: set */                                      \
    X(SEQ)                                                       \
    X(INVERSE)                                                   \
    X(PLUS)                                                      \
    X(STAR)                                                      \
    X(OPT)                                                       \
    X(VARIABLE) /* a: group, b: index in it; while it is open */ \
    X(FIX)      /* likewise: the least solution */               \
    /* both */                                                   \
    X(EMPTY)                                                     \
    X(UNION)                                                     \
    X(INTER)                                                     \
    X(DIFF)                                                      \
    X(COMPLEMENT)

enum cat_op {
#define X(id) CAT_##id,
    CAT_OPS(X)
#undef X
};

struct cat_node {
    uint8_t op; /* enum cat_op */
    bool set;   /* else a relation */
    uint16_t depth;
    uint32_t group;   /* 1 + the oldest open `let rec` it depends on; 0: none */
    cat_id a, b;      /* CAT_NONE where there is none */
    const char *name; /* of the first definition that gave it one, or NULL */
};

/* Are a, and b if it is not CAT_NONE, nodes? */
static inline bool cat_has_operands(const struct cat_node *n)
{
    return n->op != CAT_TAG && n->op != CAT_DEP && n->op != CAT_VARIABLE &&
           n->op != CAT_FIX && n->a != CAT_NONE;
}

/* let rec x1 = e1 and x2 = e2 ... */
struct cat_group {
    uint32_t first, n; /* bodies[first .. first + n) are the e's */
};

struct cat_check {
    enum check_kind kind;
    enum check_role role; /* not CHECK_ASSERT */
    bool negated;
    bool final;  /* of complete graphs only */
    cat_id node; /* a relation */
    const char *name;
    uint32_t line;
};

struct cat_code {
    struct cat_node *nodes;
    uint32_t n, cap;
    struct cat_group *groups;
    uint32_t n_groups, groups_cap;
    cat_id *bodies;
    uint32_t n_bodies, bodies_cap;
    struct cat_check *checks;
    uint32_t n_checks, checks_cap;
    char *title; /* never NULL */
    /* What `hb` and `corder` are at the end of the file, or CAT_NONE. */
    cat_id hb, corder;
    bool needs_deps, orders_picks; /* see struct model */

    char **strings; /* owns names and title */
    uint32_t n_strings, strings_cap;
    uint32_t *table; /* hash table of nodes, ids + 1 */
    uint32_t table_cap;
};

/* The code must be zeroed before, and released after success and failure
 * alike. It does not refer to the ast afterwards. */
bool cat_compile(struct cat_code *code, const struct cat_ast *ast,
                 struct err *err);
void cat_code_release(struct cat_code *code);

/* Keeps a copy of a text as long as the code. */
char *cat_keep_string(struct cat_code *code, const char *text, uint32_t length);

/* Does a node, or what it is made of, mention an event_tag of these TAG_BITs?
 */
bool cat_mentions(const struct cat_code *code, cat_id node, uint64_t tags);

/* Makes or finds a node. */
cat_id cat_node(struct cat_code *code, enum cat_op op, bool set, cat_id a,
                cat_id b);

#endif
