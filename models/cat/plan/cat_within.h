/* Which relations cannot leave the order of sequential consistency: an axiom
 * about such a relation holds wherever po, rf, co and fr have no cycle. */
#ifndef MODELS_CAT_WITHIN_H
#define MODELS_CAT_WITHIN_H

#include "models/cat/plan/cat_rel.h"

/* Is the relation known to be part of (po | rf | co | fr)+? */
bool cat_within_sc(const struct cat_rels *r, rel_id n);

#endif
