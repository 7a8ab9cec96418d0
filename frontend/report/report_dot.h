/* An execution drawn for Graphviz, in herd's colours: one cluster a thread,
 * rf red, co blue, fr orange, po black. */
#ifndef FRONTEND_REPORT_DOT_H
#define FRONTEND_REPORT_DOT_H

#include "core/explore.h"
#include "frontend/report/witness.h"

#include <stdio.h>

/* `v` is the violation that the graph is the witness of, or NULL. */
void report_dot_print(const struct graph *g, const struct violation *v,
                      const struct path *path, const struct program *program,
                      const char *title, FILE *out);

/* For several graphs in one file: its begin, up to the closing brace; and one
 * graph, of which the names of nodes and clusters begin with `prefix`: event e
 * is "<prefix>e<e>". */
void report_dot_begin(const char *title, FILE *out);
void report_dot_graph(const struct witness *w, const struct violation *v,
                      const char *prefix, FILE *out);
/* Between quotes: escapes quotes and backslashes, drops control characters. */
void report_dot_quoted(const char *text, FILE *out);

#endif
