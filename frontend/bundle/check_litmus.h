/* The machine code of one execution as a litmus test: each thread's accesses
 * and fences in order, with the dependencies that the code has, rebuilt by
 * arithmetic and branches that change nothing. The condition is what the
 * execution reads and leaves in memory. */
#ifndef FRONTEND_CHECK_LITMUS_H
#define FRONTEND_CHECK_LITMUS_H

#include "frontend/check/check.h"

#include <stdio.h>

/* Of something that only the machine has, which must have an execution. False:
 * such a test cannot be written, err says why; what was printed is of no use
 * then. */
bool check_litmus_print(const struct check *c, const struct check_extra *e,
                        FILE *out, struct err *err);

#endif
