/* The final states of a litmus test, and herd's log of them. */
#ifndef FRONTEND_LITMUS_LOG_H
#define FRONTEND_LITMUS_LOG_H

#include "frontend/litmus.h"

struct litmus_state {
    struct litmus_value *values; /* one a term */
    uint64_t executions;
};

struct litmus_result {
    struct litmus_state *states;
    uint32_t n_states, states_cap;
    bool is_cut;      /* a loop bound was hit */
    bool is_open;     /* something else was left out: no verdict unless found */
    const char *flag; /* of the model that was raised; NULL: none */
    double seconds;
};

/* Adds the outcome of some executions; copies the values, one a term. Terms
 * that are not shown and outcomes that the filter rejects do not count. */
void litmus_result_add(struct litmus_result *r, const struct litmus_test *t,
                       const struct litmus_value *values, uint64_t executions);
void litmus_result_release(struct litmus_result *r);

/* Sorts the states and prints. */
void litmus_print_log(const struct litmus_test *t, struct litmus_result *r,
                      FILE *out);

#endif
