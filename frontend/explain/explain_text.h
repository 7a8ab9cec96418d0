/* An explanation (explain.h) for people and for programs. */
#ifndef FRONTEND_EXPLAIN_TEXT_H
#define FRONTEND_EXPLAIN_TEXT_H

#include "frontend/explain/explain.h"
#include "frontend/report/witness.h"

#include <stdio.h>

struct explain_report {
    const char *program; /* its path, as given */
    const char *outcome; /* what was asked about */
    const struct explanation *e;
    const struct model *model;
    const struct isa *isa; /* NULL: it is about the source */
    bool color;
};

/* "ALLOWED", "FORBIDDEN", "IMPOSSIBLE" or "INCONCLUSIVE". */
const char *explain_word(enum explain_answer answer);

/* All of it: the answer, the execution and why. */
void explain_text_print(const struct explain_report *r, FILE *out);

/* The broken axiom, and its cycle one edge a line, each with its two events and
 * their instructions, or else their source lines. */
void explain_text_cycle(const struct witness *w, const struct broken *why,
                        FILE *out);

/* The same as JSON; to be freed with cJSON_Delete. */
struct cJSON *explain_json_new(const struct explain_report *r);

/* The execution for Graphviz; there must be one. */
void explain_dot_print(const struct explain_report *r, FILE *out);

#endif
