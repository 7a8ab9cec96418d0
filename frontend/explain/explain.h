/* Why is an outcome allowed or forbidden? The search behind `hwcheck explain`.
 *
 * Whether it is allowed is the explorer's answer: all executions under the
 * model are visited until one has the outcome. If none has, the nearest one
 * that the model forbids is looked for: the program is explored under weaker
 * and weaker models, in the end without any (core/candidates.h), and what has
 * the outcome there is judged by the model itself, which says what is broken.
 * Of those that the first such step finds the one is kept that breaks the
 * fewest axioms, and of these the one with the shortest cycle. */
#ifndef FRONTEND_EXPLAIN_H
#define FRONTEND_EXPLAIN_H

#include "core/explore.h"
#include "frontend/subject/subject.h"

enum explain_answer {
    EXPLAIN_ALLOWED,    /* `graph` shows how */
    EXPLAIN_FORBIDDEN,  /* `graph`, if there is one, and `why` show why */
    EXPLAIN_IMPOSSIBLE, /* no rf and co at all give that outcome */
    EXPLAIN_OPEN,       /* not found, and not all was visited: `gap` */
};

struct explain_query {
    struct subject *subject;
    uint32_t function; /* what to run: subject->main and 0, as a rule */
    uint64_t argument;
    const struct model *model;
    model_loader *load; /* of the weaker models */
    /* Does this complete execution have the outcome? Asked of all of them. */
    bool (*has_outcome)(void *self, const struct graph *g,
                        const struct path *path);
    void *self;
    bool is_forbidden; /* known already: only the nearest one is looked for */

    /* Of each exploration; 0: no limit for that under the model itself,
     * EXPLAIN_EXECUTIONS and EXPLAIN_SECONDS for the weaker ones. */
    uint64_t max_executions;
    double timeout_s;
    uint32_t max_events;
    const volatile sig_atomic_t *stop; /* may be NULL */
};

#define EXPLAIN_EXECUTIONS 100000
#define EXPLAIN_SECONDS    10.0
/* So many with the outcome are compared. */
#define EXPLAIN_COMPARED 500

struct explanation {
    enum explain_answer answer;
    bool has_graph;
    struct graph graph;  /* owned */
    struct broken why;   /* FORBIDDEN: the first axiom that is broken */
    uint32_t n_broken;   /* likewise: how many are */
    uint64_t n_compared; /* how many executions with the outcome there were */
    bool is_cut;         /* not all candidates were looked at: cut_text */
    char cut_text[400];  /* why not */
    enum gap gap;        /* OPEN: why; see gap_text */
    char gap_text[400];
    uint64_t executions;   /* under the model itself */
    uint64_t n_violations; /* of these executions: they have no outcome */
    struct broken flag;    /* raised in some execution; axiom NULL: none */
    /* Holds the path cache to which `graph` refers; and, when the outcome is
     * not allowed, only that. */
    struct explore x;
    /* The subject's runtime; source code as if no write depended on a read.
     * Where one does, the explorer notices and drops the execution. */
    struct runtime loose;
};

/* False: a runtime or the loading failed, err says why. Call explain_release
 * in either case. */
bool explain_find(struct explanation *e, const struct explain_query *q,
                  struct err *err);
void explain_release(struct explanation *e);

#endif
