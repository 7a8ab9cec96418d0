/* Axioms that wait for the complete graph, in the fast form. Nothing is known
 * of the graph from before, so a final axiom looks at all events; but sets such
 * as `domain(r)` and `FW`, which change as a graph grows, can be made then. */
#ifndef MODELS_CAT_FINAL_H
#define MODELS_CAT_FINAL_H

#include "models/cat/run/cat_checker.h"

/* Do all that the plan has taken hold of the graph? */
bool cat_final_holds(struct cat_checker *c, const struct graph *g);

#endif
