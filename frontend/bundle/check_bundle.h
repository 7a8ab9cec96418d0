/* A folder with all that a bug report needs: what was found (report.md,
 * witness.html, outcomes.txt), and what it takes to see it again (the program,
 * its assembly, the command with a script that runs it from there, mappings and
 * models, the bad execution as a litmus test). */
#ifndef FRONTEND_CHECK_BUNDLE_H
#define FRONTEND_CHECK_BUNDLE_H

#include "frontend/page/check_index.h"

/* Fills the folder, which is ours (output_lock). `folder` (NAME_MAX + 1 bytes)
 * is NULL, or there are several checks: then it is one within dir that has the
 * name of program or function and ISA, which is told. */
bool check_bundle_write(const struct check *c, const char *dir, char *folder,
                        struct err *err);

/* Then dir has a page about all of them, too: index.html. */
bool check_bundle_write_index(struct check_index *x, const struct options *o,
                              const char *dir, struct err *err);

#endif
