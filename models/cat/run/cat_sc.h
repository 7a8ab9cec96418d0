/* Sequential consistency, which all our models hold to be enough: where an
 * axiom forbids only what has a cycle of po, rf, co and fr, looking for that
 * cycle first settles most questions, and is cheaper than any automaton. */
#ifndef MODELS_CAT_SC_H
#define MODELS_CAT_SC_H

#include "core/graph.h"

/* May a walk of po, rf, co and fr lead from e, or an event behind it in its
 * thread, back to it? Only no is sure. `rows`: room for four. */
bool cat_sc_returns(const struct graph *g, event_id e, uint64_t *rows);

/* Does no walk of them come back to where it started? `left`: room for a row.
 */
bool cat_sc_holds(const struct graph *g, uint64_t *left);

#endif
