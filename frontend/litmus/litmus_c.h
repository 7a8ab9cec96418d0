/* C litmus tests as one C program. main takes the number of a test and creates
 * its threads, as does t<n>_main of test n; location v of test n is the global
 * t<n>_v<v>, and registers are observed under the number of their term. */
#ifndef FRONTEND_LITMUS_C_H
#define FRONTEND_LITMUS_C_H

#include "frontend/litmus/litmus.h"

/* Writes the program of those tests[0..n) that have no error. One that cannot
 * be written gets an error. As herd reads them, *x is never atomic and a weak
 * compare-exchange may fail at any time. */
void litmus_write_c(struct litmus_test *const *tests, uint32_t n,
                    struct err *errors, bool as_herd, FILE *out);

/* One test as a program of its own: locations have their names, registers are
 * observed as "0:r1". */
bool litmus_write_alone(struct litmus_test *t, FILE *out, struct err *err);

#endif
