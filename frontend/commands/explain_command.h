/* `hwcheck explain`: from the command line to an explanation. */
#ifndef FRONTEND_EXPLAIN_COMMAND_H
#define FRONTEND_EXPLAIN_COMMAND_H

#include "frontend/base/options.h"
#include "frontend/explain/explain.h"

#include <stdio.h>

struct explain_command {
    const struct options *options;
    model_loader *load;
    const volatile sig_atomic_t *stop;
    FILE *out; /* the text; NULL: none is wanted */
    FILE *talk;
    bool color;
    bool reported;      /* the answer */
    struct cJSON *json; /* with --json: the result, the caller's */
};

/* Is the operand a litmus test? Else it is a C program. */
bool explain_is_litmus(const struct options *o);

/* Each returns an exit code: 0 when the question has an answer. Complaints go
 * to `talk`. */
int explain_litmus(struct explain_command *c);
/* The model and the ISA (NULL: the source) are those of the options. */
int explain_program(struct explain_command *c, const struct isa *isa,
                    const struct model *model);

#endif
