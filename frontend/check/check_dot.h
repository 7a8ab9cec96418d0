/* A check for Graphviz: the execution of the source that is forbidden beside
 * that of the machine code, with the order that is missing there. */
#ifndef FRONTEND_CHECK_DOT_H
#define FRONTEND_CHECK_DOT_H

#include "frontend/check/check.h"

#include <stdio.h>

/* Is there anything to draw? */
bool check_dot_has(const struct check *c);

/* Of the first outcome that is explained, or else of the first violation. */
void check_dot_print(const struct check *c, FILE *out);

#endif
