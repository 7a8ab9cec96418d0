/* Why the source forbids what the machine code does, and where the machine code
 * lacks an order: the nearest source execution with the outcome, the axiom that
 * it breaks, and the steps of the cycle that the machine does not take in
 * order. */
#ifndef FRONTEND_CHECK_WHY_H
#define FRONTEND_CHECK_WHY_H

#include "frontend/check/check.h"
#include "frontend/explain/explain.h"

#define CHECK_STEPS_MAX 32

/* A step of the source's cycle from one event to a later one of its thread,
 * over fences if there are any between, and what stands for the two in the
 * machine's execution (EVENT_NONE: nothing). */
struct check_step {
    event_id source[2], machine[2];
    /* With full fences in all steps that have this mark, and in no fewer, the
     * machine would forbid its execution. */
    bool is_culprit;
};

struct check_why {
    struct explanation explanation; /* of the source */
    /* What stands for each event of its cycle on the machine (EVENT_NONE:
     * nothing). */
    event_id machine[64];
    uint32_t step_of[64]; /* that edge i of it is part of; else UINT32_MAX */
    struct check_step steps[CHECK_STEPS_MAX];
    uint32_t n_steps, n_culprits;
    uint32_t n_lacking; /* events of the cycle: see check_why_lacks */
};

/* For an extra outcome that has a witness; NULL: failed, err says why. To be
 * freed by check_why_free. */
struct check_why *check_why_new(struct check *c, const struct check_extra *e,
                                struct err *err);
void check_why_free(struct check_why *w);

/* Is event i of the source's cycle an access for which nothing stands in the
 * machine's execution? */
bool check_why_lacks(const struct check_why *w, uint32_t i);

#endif
