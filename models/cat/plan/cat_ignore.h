/* Which fences a model cannot see. */
#ifndef MODELS_CAT_IGNORE_H
#define MODELS_CAT_IGNORE_H

#include "models/cat/plan/cat_compile.h"

/* Can no check of the model, nor its hb, tell whether a fence with these tags
 * is in a graph? "No" is said when in doubt. */
bool cat_ignores(const struct cat_code *code, uint64_t tags);

#endif
