/* The outcome that --outcome asks about, of a C program: a line of a report as
 * it stands there, or such items with /\, \/, =>, ~ and parentheses.
 *
 *     r1=0 r2=0 p=&x+4            1  r1=0 q[1].next=-1   T1 prints "a b\n"
 *     r1=0 /\ ~(r2=0 \/ r3=1)
 *
 * Items are told by their text, so that all that reports print can be asked
 * for. */
#ifndef FRONTEND_EXPLAIN_ASKED_H
#define FRONTEND_EXPLAIN_ASKED_H

#include "core/err.h"
#include "core/explore.h"

/* "name=value", or a text without a value. */
struct asked_item {
    char *text;     /* all of it, owned */
    char *name;     /* owned; NULL: there is no value */
    char *value;    /* part of text */
    bool unequal;   /* name!=value */
    uint32_t nth;   /* so many items of the name stand before it */
    uint32_t at;    /* its column, from 1 */
    bool seen;      /* some execution has something of that name */
    bool ambiguous; /* and some observes it more often than it is asked for */
    loc_id loc;     /* where it was found last */
};

enum asked_op { ASKED_ITEM, ASKED_AND, ASKED_OR, ASKED_IMPLIES, ASKED_NOT };

struct asked_node {
    enum asked_op op;
    uint32_t a, b; /* nodes; of ASKED_ITEM a is the item */
};

struct asked {
    struct asked_item *items;
    uint32_t n, cap;
    struct asked_node *nodes; /* operands before operators: the last is all */
    uint32_t n_nodes, nodes_cap;
    bool *holds; /* [n] of the execution at hand */
    struct program *program;
};

/* Call asked_release in either case. */
bool asked_parse(struct asked *a, const char *text, struct err *err);
void asked_release(struct asked *a);

/* Does this complete execution of `program` have the outcome? A condition on
 * something that it does not observe is false. */
bool asked_holds(struct asked *a, struct program *program,
                 const struct graph *g, const struct path *path);

/* After all executions: was each name seen? If not, err says which there are.
 */
bool asked_check_names(const struct asked *a, const struct explore *x,
                       struct err *err);

#endif
