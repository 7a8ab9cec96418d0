/* Dependencies of events: a label names what it depends on by the place of
 * reads in its path, an event has rows of them. */
#ifndef CORE_DEPEND_H
#define CORE_DEPEND_H

#include "core/graph.h"
#include "core/path.h"
#include "core/program.h"

/* Rows by node: where events at the same place of a thread have the same id,
 * they are the same in all graphs. */
struct dep_slot {
    node_id node; /* NODE_NONE: empty */
    uint32_t at;  /* in rows */
};
struct dep_cache {
    struct dep_slot *slots;
    uint64_t *rows;
    uint32_t n, cap, words, version;
};

/* Gives the new event e the dependencies of its label; `cache` may be NULL. */
void depend_add(struct dep_cache *cache, const struct path *path,
                const struct program *program, struct graph *g, event_id e);

/* When nodes get a new meaning otherwise than path.version says. */
void dep_cache_forget(struct dep_cache *c);
void dep_cache_release(struct dep_cache *c);

#endif
