/* Dependencies of events: a label names the reads it depends on by their place
 * in its path, an event has rows of them. */
#include "core/mem.h"
#include "core/search.h"

#include <stdlib.h>

enum { N_ROWS = ROW_MODEL - ROW_ADDR, WORDS_MAX = 8 };
/* Small explorations do well with few: memory costs when it is touched first.
 */
enum { SLOTS_MIN = 128, SLOTS_MAX = 2048 };

void dep_cache_release(struct dep_cache *c)
{
    free(c->nodes);
    free(c->rows);
    *c = (struct dep_cache){0};
}

void dep_cache_forget(struct dep_cache *c)
{
    for (uint32_t i = 0; i < c->slots; i++)
        c->nodes[i] = NODE_NONE;
}

static void make_room(struct dep_cache *c, uint32_t slots, uint32_t words)
{
    c->slots = slots;
    c->words = words;
    c->nodes = mem_resize(c->nodes, slots * sizeof *c->nodes);
    c->rows =
        mem_resize(c->rows, (size_t)slots * N_ROWS * words * sizeof *c->rows);
    dep_cache_forget(c);
}

/* The slot for rows of events at `node`, or NULL: they are not kept. */
static node_id *slot_of(struct dep_cache *c, const struct path *path,
                        const struct graph *g, node_id node)
{
    if (!c || !g->ids || g->words > WORDS_MAX)
        return NULL;
    uint32_t slots = c->slots ? c->slots : SLOTS_MIN;
    while (slots < path->n && slots < SLOTS_MAX)
        slots *= 2;
    if (c->words < g->words)
        make_room(c, slots, g->words);
    else if (c->slots < slots)
        make_room(c, slots, c->words);
    if (c->version != path->version) {
        c->version = path->version;
        dep_cache_forget(c);
    }
    return c->words == g->words ? &c->nodes[node % c->slots] : NULL;
}

static uint32_t count_reads(const struct path *path, node_id at)
{
    uint32_t n = 0;
    for (; at != NODE_NONE; at = path->nodes[at].parent)
        n += path->nodes[at].label.kind == LABEL_READ;
    return n;
}

/* Looks for each read of the list on the way up the path; true: all of them
 * are there. Reads may be missing (holes), and nodes may be no events. */
static bool find_reads(const struct path *path, struct graph *g, event_id e,
                       const struct dep *deps, uint32_t n)
{
    node_id at = path->nodes[g->events[e].node].parent;
    event_id i = g->events[e].po_prev;
    bool all = true;
    for (uint32_t reads = count_reads(path, at); n > 0 && at != NODE_NONE;
         at = path->nodes[at].parent) {
        bool here = i != EVENT_NONE && g->events[i].node == at;
        if (path->nodes[at].label.kind == LABEL_READ) {
            reads--;
            for (; n > 0 && deps[n - 1].read >= reads; n--) {
                all = all && here && deps[n - 1].read == reads;
                if (here && deps[n - 1].read == reads)
                    row_add(graph_row(g, e, ROW_ADDR + deps[n - 1].kind), i);
            }
        }
        if (here)
            i = g->events[i].po_prev;
    }
    return all && n == 0;
}

void search_depend(struct dep_cache *cache, const struct path *path,
                   const struct program *program, struct graph *g, event_id e)
{
    node_id node = g->events[e].node;
    struct dep_list list = program->dep_lists[path_label(path, node)->deps];
    if (list.n == 0)
        return;
    if (list.picks)
        g->events[e].flags |= EVENT_PICKS;
    node_id *slot = slot_of(cache, path, g, node);
    uint64_t *rows = graph_row(g, e, ROW_ADDR), *kept = NULL;
    size_t size = (size_t)N_ROWS * g->words;
    if (slot)
        kept = cache->rows + (size_t)(slot - cache->nodes) * size;
    if (slot && *slot == node)
        memcpy(rows, kept, size * sizeof *rows);
    else if (find_reads(path, g, e, program->deps + list.first, list.n) &&
             slot) {
        memcpy(kept, rows, size * sizeof *rows);
        *slot = node;
    }
}
