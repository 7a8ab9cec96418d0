#include "core/path.h"

#include "core/mem.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

struct path_thread {
    thread_id parent;
    uint32_t ordinal;
};

void path_init(struct path *p, const struct runtime *runtime)
{
    memset(p, 0, sizeof *p);
    p->runtime = runtime;
    p->free = p->roots = NODE_NONE;
    p->limit = PATH_LIMIT;
    path_thread(p, THREAD_NONE, 0);
}

void path_release(struct path *p)
{
    free(p->nodes);
    free(p->threads);
    free(p->marked);
    memset(p, 0, sizeof *p);
}

thread_id path_find_thread(const struct path *p, thread_id parent,
                           uint32_t ordinal)
{
    for (thread_id t = 0; t < p->n_threads; t++)
        if (p->threads[t].parent == parent && p->threads[t].ordinal == ordinal)
            return t;
    return THREAD_NONE;
}

thread_id path_thread(struct path *p, thread_id parent, uint32_t ordinal)
{
    thread_id known = path_find_thread(p, parent, ordinal);
    if (known != THREAD_NONE)
        return known;
    p->threads =
        mem_room(p->threads, p->n_threads, &p->threads_cap, sizeof *p->threads);
    p->threads[p->n_threads] = (struct path_thread){parent, ordinal};
    return p->n_threads++;
}

static node_id new_node(struct path *p)
{
    p->n_live++;
    if (p->free != NODE_NONE) {
        node_id n = p->free;
        p->free = p->nodes[n].sibling;
        return n;
    }
    p->nodes = mem_room(p->nodes, p->n, &p->cap, sizeof *p->nodes);
    return p->n++;
}

node_id path_root(struct path *p, thread_id t, uint32_t function,
                  uint64_t argument)
{
    for (node_id n = p->roots; n != NODE_NONE; n = p->nodes[n].sibling) {
        const struct label *l = &p->nodes[n].label;
        if (l->loc == t && l->aux == function && l->value == argument)
            return n;
    }
    node_id n = new_node(p);
    p->nodes[n] = (struct path_node){
        .label = {.kind = LABEL_START,
                  .place = PLACE_NONE,
                  .loc = t,
                  .aux = function,
                  .value = argument},
        .parent = NODE_NONE,
        .child = NODE_NONE,
        .sibling = p->roots,
        .observe = NODE_NONE,
    };
    p->roots = n;
    return n;
}

node_id path_append(struct path *p, node_id at, uint64_t key,
                    const struct label *label)
{
    struct label copy = *label;
    node_id n = new_node(p);
    struct path_node *parent = &p->nodes[at];
    p->nodes[n] = (struct path_node){
        .label = copy,
        .parent = at,
        .child = NODE_NONE,
        .sibling = parent->child,
        .observe = copy.kind == LABEL_OBSERVE ? n : parent->observe,
        .n_reads = parent->n_reads + (parent->label.kind == LABEL_READ),
        .key = key,
    };
    parent->child = n;
    return n;
}

void path_cut(struct path *p, node_id at)
{
    node_id n = p->nodes[at].child;
    p->nodes[at].child = p->nodes[n].sibling;
    while (n != NODE_NONE) {
        node_id next = p->nodes[n].child;
        p->nodes[n].sibling = p->free;
        p->free = n;
        p->n_live--;
        n = next;
    }
}

static node_id find_child(struct path *p, node_id at, uint64_t value)
{
    struct path_node *parent = &p->nodes[at];
    node_id n = parent->child;
    if (n == NODE_NONE || p->nodes[n].key == value)
        return n;
    for (node_id before = n; (n = p->nodes[before].sibling) != NODE_NONE;
         before = n) {
        if (p->nodes[n].key != value)
            continue;
        p->nodes[before].sibling = p->nodes[n].sibling;
        p->nodes[n].sibling = parent->child;
        parent->child = n;
        return n;
    }
    return NODE_NONE;
}

node_id path_step(struct path *p, node_id at, uint64_t value, struct err *err)
{
    node_id n = find_child(p, at, value);
    if (n != NODE_NONE) {
        p->hits++;
        return n;
    }
    struct timespec from, to;
    clock_gettime(CLOCK_MONOTONIC, &from);
    bool good = p->runtime->extend(p->runtime->self, p, at, value, err);
    clock_gettime(CLOCK_MONOTONIC, &to);
    p->misses++;
    p->seconds += (double)(to.tv_sec - from.tv_sec) +
                  (double)(to.tv_nsec - from.tv_nsec) * 1e-9;
    if (!good)
        return NODE_NONE;
    n = find_child(p, at, value);
    if (n == NODE_NONE)
        err_set(err, ERR_INTERNAL, "runtime '%s' added no label",
                p->runtime->name);
    return n;
}

static bool is_marked(const struct path *p, node_id n)
{
    return p->marked[n / 64] >> n % 64 & 1;
}

static void mark(struct path *p, node_id n)
{
    p->marked[n / 64] |= (uint64_t)1 << n % 64;
}

void path_keep(struct path *p, node_id at)
{
    if (!p->marked) {
        size_t bytes = (p->n / 64 + 1) * sizeof *p->marked;
        p->marked = memset(mem_resize(NULL, bytes), 0, bytes);
    }
    for (node_id n = at; n != NODE_NONE && !is_marked(p, n);
         n = p->nodes[n].parent)
        mark(p, n);
    /* A runtime is asked only behind a label that returns a value, so what
     * follows without one stays. */
    while (!label_returns(p->nodes[at].label.kind) &&
           (at = p->nodes[at].child) != NODE_NONE)
        mark(p, at);
}

void path_collect(struct path *p)
{
    node_id next;
    p->version++;
    for (node_id n = p->roots; n != NODE_NONE; n = p->nodes[n].sibling)
        path_keep(p, n);
    for (node_id n = 0; n < p->n; n++) {
        struct path_node *node = &p->nodes[n];
        if (!is_marked(p, n))
            continue;
        node_id kept = NODE_NONE;
        for (node_id c = node->child; c != NODE_NONE; c = next) {
            next = p->nodes[c].sibling;
            if (is_marked(p, c)) {
                p->nodes[c].sibling = kept;
                kept = c;
            }
        }
        node->child = kept;
    }
    p->n_live = 0;
    p->free = NODE_NONE;
    for (node_id n = p->n; n-- > 0;) {
        if (is_marked(p, n)) {
            p->n_live++;
        } else {
            p->nodes[n].sibling = p->free;
            p->free = n;
        }
    }
    free(p->marked);
    p->marked = NULL;
    if (p->n_live > p->limit / 2)
        p->limit = p->n_live * 2;
}

node_id path_root_of(const struct path *p, node_id at)
{
    while (p->nodes[at].parent != NODE_NONE)
        at = p->nodes[at].parent;
    return at;
}

uint32_t path_values(const struct path *p, node_id at, uint64_t *values,
                     uint32_t cap)
{
    uint32_t n = 0;
    for (node_id i = at; p->nodes[i].parent != NODE_NONE;
         i = p->nodes[i].parent)
        n += label_returns(p->nodes[p->nodes[i].parent].label.kind);
    uint32_t k = n;
    for (node_id i = at; k > 0; i = p->nodes[i].parent)
        if (label_returns(p->nodes[p->nodes[i].parent].label.kind) && --k < cap)
            values[k] = p->nodes[i].key;
    return n;
}
