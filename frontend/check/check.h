/* The main question: does the machine code of a program allow what its source
 * forbids?
 *
 * A check that finds nothing wrong is two explorations: of the source under its
 * model, of the machine code under the machine's. If the machine code has more
 * outcomes ("extra" ones), there are up to three more passes:
 *
 *   the candidates of the source, where its search left something open, since
 *     it may have the outcome after all (check_refute);
 *   the machine code again, for an execution of each extra outcome;
 *   the source without its axioms against load buffering, to tell what is
 *     forbidden for that alone.
 *
 * If threads of the machine code wait for ever, there is one of the source that
 * leaves no such execution out. All of it is done again on machine code that
 * keeps its static variables, where these were not to be seen (kept). */
#ifndef FRONTEND_CHECK_H
#define FRONTEND_CHECK_H

#include "frontend/base/options.h"
#include "frontend/check/compare.h"
#include "frontend/subject/language.h"
#include "frontend/subject/subject.h"
#include "mappings/mapping.h"

enum check_verdict {
    CHECK_SOUND,
    CHECK_MISCOMPILED,
    CHECK_UNDEFINED,    /* the source has a data race, a bad access, ... */
    CHECK_INCONCLUSIVE, /* gap says why */
};

/* A program as its source, or as machine code, and its exploration. */
struct check_side {
    struct subject subject;
    struct model model;
    struct explore explore;
    uint32_t function;  /* that was explored */
    bool ready;         /* model and subject are there */
    bool explored;      /* and the exploration */
    bool assumes;       /* some execution ends at an assumption that is false */
    uint64_t stuck;     /* executions in which a thread waits for ever... */
    char stuck_at[400]; /* ...and which one, in the first */
    /* The same machine code, but that no static variable is left out; owned,
     * NULL: not needed so far. */
    struct check_side *kept;
};

/* An outcome, or a failing assertion, that only the machine code has; or that a
 * thread waits for ever. */
struct check_extra {
    char *text;
    uint64_t executions;
    uint32_t violation; /* of the target's exploration; UINT32_MAX: outcome */
    uint32_t kept;      /* its witness among the target's, UINT32_MAX: none */
    bool stuck;         /* a thread waits for ever; text says which */
    bool cyclic;        /* each execution that has it has a cycle (by_co)... */
    bool buffering; /* ...and that alone is why the source does not allow it */
    /* Not decided: stopped before it was known whether it is buffering; or the
     * source is not known in full, and its rest may have it. */
    bool may_buffer, open;
    bool allowed; /* the source was searched for it, and has it after all */
    struct check_why *why; /* of the first few; else NULL */
};

#define CHECK_EXPLAINED 4

struct check {
    const struct options *options;
    const char *path;  /* of the program, for reports */
    const char *file;  /* what is compiled: the same, or made of it */
    const char *entry; /* the function to check; NULL: main */
    const struct isa *isa;
    const struct mapping *mapping; /* NULL: what the compiler does */
    const char *source_model;
    const struct language *language; /* that it is of; NULL: it was named */
    model_loader *load;
    const volatile sig_atomic_t *stop;
    /* Borrowed: the source serves several targets, both several functions. */
    struct check_side *source, *target;
    struct compare compare;
    struct compare_set outcomes[2]; /* of source and target */
    struct check_extra *extras;     /* those of class load buffering last */
    uint32_t n_extras, n_buffering, n_undecided;
    uint32_t n_violations; /* of the target */
    bool by_co; /* load buffering is a cycle of po, rf and co, not po and rf */
    enum check_verdict verdict;
    enum gap gap;
    char reason[700]; /* one sentence without a full stop */
    double seconds;
    /* Variables that the compiler leaves out: the machine code that is compared
     * was made to have them (target->kept), after that without them was found
     * sound. To be freed; NULL: none. */
    char *kept;
};

/* Compiles the source; *side is zero before. Call check_side_release in either
 * case. */
bool check_compile(struct check_side *side, const struct check *c,
                   struct err *err);
/* Explores c->source, which has been compiled. */
bool check_explore_source(const struct check *c, struct err *err);
/* Makes it ready for the next function; a side that is zero stays so. */
void check_side_forget(struct check_side *side);
void check_side_release(struct check_side *side);

/* The verdict: compiles c->target for c->isa, if it is zero, explores it,
 * compares it with the source, which has been explored, and finds reasons;
 * fills the rest of *c, whose members up to the sides are set. Call
 * check_release in either case. */
bool check_decide(struct check *c, struct err *err);
/* The command is to end before the rest of *c, whose source has a model, is
 * known: makes it INCONCLUSIVE; `what` is why. */
void check_stop(struct check *c, const char *what);
void check_release(struct check *c);

/* "SOUND", "MISCOMPILED", "VIOLATION", "INCONCLUSIVE". */
const char *check_verdict_name(enum check_verdict verdict);

/* Do the extra outcomes differ from those of the source only by values that
 * need not look alike (compare_word)? */
bool check_differs_unsurely(const struct check *c);
/* Only by static variables? Nobody reads them when the program has ended. */
bool check_differs_by_statics(const struct check *c);

#endif
