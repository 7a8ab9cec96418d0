/* The final states of a litmus test, and herd's log of them. */
#ifndef FRONTEND_LITMUS_LOG_H
#define FRONTEND_LITMUS_LOG_H

#include "frontend/litmus/litmus.h"

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
    char *trouble;    /* what was left out, to be freed; NULL: nothing */
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

/* The same as an entry of a JSON report (report_json.h). */
struct cJSON;
struct isa;
struct cJSON *litmus_json_new(const struct litmus_test *t,
                              struct litmus_result *r, const char *model,
                              const struct isa *isa);

/* ---- between litmus_log.c and litmus_json.c: what states say of the test */

struct litmus_judgement {
    const struct litmus_test *test;
    uint32_t *terms; /* those that are shown, in order */
    uint32_t n;
    uint64_t holds, fails;   /* executions by the condition's truth */
    const char *kind;        /* "Allowed", "Forbidden", "Required" */
    const char *verdict;     /* "Ok", "No", "Undef" */
    const char *observation; /* "Never", "Sometimes", "Always" */
};

/* Sorts the states, and joins those that look the same. */
void litmus_judge(struct litmus_judgement *o, const struct litmus_test *t,
                  struct litmus_result *r);
void litmus_judgement_release(struct litmus_judgement *o);

/* "0:r1=0; [x]=1;" */
void litmus_print_state(const struct litmus_judgement *o,
                        const struct litmus_state *state, FILE *out);

#endif
