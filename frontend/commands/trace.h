/* `hwcheck trace`: one sequential run of the program, thread by thread, event
 * by event: source line, instruction, event, and what it depends on. */
#ifndef FRONTEND_TRACE_H
#define FRONTEND_TRACE_H

#include "core/explore.h"
#include "frontend/subject/subject.h"

#include <stdio.h>

struct cJSON;

/* Prints the execution g, which x has just completed. */
void trace_print(struct subject *s, const struct explore *x,
                 const struct graph *g, FILE *out);
/* The same as an object that the caller owns. */
struct cJSON *trace_json(struct subject *s, const struct explore *x,
                         const char *program, const struct graph *g);

#endif
