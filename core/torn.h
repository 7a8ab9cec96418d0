/* Accesses that are one step to every model, but several events here: those of
 * up to 8 bytes that are aligned, where other accesses take less of their bytes
 * (core/location.h). Their events are pieces (label.piece), one behind the
 * other in their thread. A model judges them one by one; whether together they
 * are still one step is found here. */
#ifndef CORE_TORN_H
#define CORE_TORN_H

#include "core/graph.h"
#include "core/path.h"

enum torn {
    TORN_NOT,     /* as one step each, the accesses break no axiom either */
    TORN_PERHAPS, /* not known; `pair` has an event of each of two accesses */
    TORN_BROKEN,  /* two accesses see one another in different orders */
};

/* In a graph that the model allows; hb_row is its row of happens-before, which
 * is made for all events (see `settle` in core/model.h), or -1: it has none. */
enum torn torn_find(const struct graph *g, const struct path *path, int hb_row,
                    event_id pair[2]);

#endif
