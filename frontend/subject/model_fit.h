/* Does a model fit what it is asked about? */
#ifndef FRONTEND_MODEL_FIT_H
#define FRONTEND_MODEL_FIT_H

#include "core/explore.h"
#include "hw/isa.h"

/* False: it does not look so, and `buf` has a sentence that says why: it has no
 * axioms; or, for machine code (`isa` not NULL), it knows the full fence of
 * another machine and not that of this one. A model that knows none is fine:
 * it may be about all machines, such as sc, or about a simpler question. */
bool model_fits(const struct model *m, const struct isa *isa, char *buf,
                size_t cap);
/* After explore_run: makes that a warning of the exploration. */
void model_fit_warn(struct explore *x, const struct isa *isa);

#endif
