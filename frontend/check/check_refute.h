/* Of a source that was not explored in full: does it forbid what only the
 * machine code was seen to do? */
#ifndef FRONTEND_CHECK_REFUTE_H
#define FRONTEND_CHECK_REFUTE_H

#include "frontend/check/check.h"

/* Looks at all candidates of the source (core/candidates.h), if there are few
 * enough, for the extra outcomes of *c. Those that the model allows one of are
 * marked `allowed`, and if all candidates were seen, the others are refuted.
 * Else these are marked `open`; *open: all are. False: the runtime failed. */
bool check_refute(struct check *c, bool *open, struct err *err);

#endif
