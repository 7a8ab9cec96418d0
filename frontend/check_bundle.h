/* A folder with all that a bug report needs: what was found (report.md,
 * witness.html, outcomes.txt), and what it takes to see it again (the program,
 * its assembly, the command, the bad execution as a litmus test). */
#ifndef FRONTEND_CHECK_BUNDLE_H
#define FRONTEND_CHECK_BUNDLE_H

#include "frontend/check.h"

/* Before anything is run: false if there is something in the folder already;
 * it is never written over. */
bool check_bundle_may(const char *dir, struct err *err);

/* Fills the folder, which is made if need be; with `several` checks one within
 * it that has the name of program and ISA. */
bool check_bundle_write(const struct check *c, const char *dir, bool several,
                        struct err *err);

#endif
