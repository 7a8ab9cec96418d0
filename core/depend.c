#include "core/depend.h"

#include "core/mem.h"

#include <stdlib.h>

enum { N_ROWS = ROW_MODEL - ROW_ADDR, SLOTS = 1024, WORDS_MAX = 8 };

void dep_cache_release(struct dep_cache *c)
{
    free(c->slots);
    free(c->rows);
    *c = (struct dep_cache){0};
}

void dep_cache_forget(struct dep_cache *c)
{
    for (uint32_t i = 0; i < SLOTS && c->slots; i++)
        c->slots[i] = (struct dep_slot){NODE_NONE, 0};
    c->n = 0;
}

/* The slot for rows of events at `node`, or NULL: they are not kept. */
static struct dep_slot *slot_of(struct dep_cache *c, const struct path *path,
                                const struct graph *g, node_id node)
{
    if (!c || !g->ids || g->words > WORDS_MAX)
        return NULL;
    if (!c->slots)
        c->slots = mem_resize(NULL, SLOTS * sizeof *c->slots);
    if (c->words < g->words || c->version != path->version) {
        c->version = path->version;
        if (c->words < g->words) {
            c->words = g->words;
            c->cap = 0;
        }
        dep_cache_forget(c);
    }
    return c->words == g->words ? &c->slots[node % SLOTS] : NULL;
}

/* The rows of a slot, which has some from now on. They lie close together:
 * memory costs when it is touched first. */
static uint64_t *take_rows(struct dep_cache *c, struct dep_slot *slot,
                           node_id node)
{
    size_t size = (size_t)N_ROWS * c->words;
    if (slot->node == NODE_NONE) {
        c->rows = mem_room(c->rows, c->n, &c->cap, size * sizeof *c->rows);
        slot->at = c->n++;
    }
    slot->node = node;
    return c->rows + slot->at * size;
}

/* Looks for each source of the list, which is in the order of reads, among the
 * events before e; true: all of them are there. Some may be missing (holes). */
static bool find_sources(const struct path *path, struct graph *g, event_id e,
                         const struct dep *deps, uint32_t n)
{
    bool all = true;
    for (event_id i = g->events[e].po_prev; n > 0 && i != EVENT_NONE;
         i = g->events[i].po_prev) {
        if (g->events[i].kind != LABEL_READ)
            continue;
        uint32_t read = path->nodes[g->events[i].node].n_reads;
        for (; n > 0 && DEP_NUMBER(deps[n - 1].source) >= read; n--) {
            const struct dep *d = &deps[n - 1];
            event_id source = DEP_NUMBER(d->source) != read ? EVENT_NONE
                              : DEP_IS_STORE(d->source)     ? g->events[i].rmw
                                                            : i;
            if (source == EVENT_NONE)
                all = false;
            else if (d->kind != DEP_OPEN) /* has no row */
                row_add(graph_row(g, e, ROW_ADDR + d->kind), source);
        }
    }
    return all && n == 0;
}

void depend_add(struct dep_cache *cache, const struct path *path,
                const struct program *program, struct graph *g, event_id e)
{
    node_id node = g->events[e].node;
    struct dep_list list = program->dep_lists[path_label(path, node)->deps];
    if (list.n == 0)
        return;
    if (list.picks)
        g->events[e].flags |= EVENT_PICKS;
    struct dep_slot *slot = slot_of(cache, path, g, node);
    uint64_t *rows = graph_row(g, e, ROW_ADDR);
    size_t size = (size_t)N_ROWS * g->words;
    if (slot && slot->node == node)
        memcpy(rows, cache->rows + slot->at * size, size * sizeof *rows);
    else if (find_sources(path, g, e, program->deps + list.first, list.n) &&
             slot)
        memcpy(take_rows(cache, slot, node), rows, size * sizeof *rows);
}
