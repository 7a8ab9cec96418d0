/* An execution drawn for Graphviz, in herd's colours: one cluster a thread,
 * rf red, co blue, fr orange, po black. */
#ifndef FRONTEND_REPORT_DOT_H
#define FRONTEND_REPORT_DOT_H

#include "core/explore.h"

#include <stdio.h>

/* `v` is the violation that the graph is the witness of, or NULL. */
void report_dot_print(const struct graph *g, const struct violation *v,
                      const struct path *path, const struct program *program,
                      const char *title, FILE *out);

#endif
