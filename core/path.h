/* The path cache: what each thread does, as a function of the values it read.
 *
 * Exploration never needs "run the program"; it needs "thread t has read
 * v1..vk so far: which labels follow?" That is a pure function, so it is kept
 * in a trie per thread root. A node is one label; below a label that returns a
 * value (label_returns) there is one child per value, below any other at most
 * one child. Only a missing child asks the runtime.
 *
 * A path cache belongs to one explorer, as the runtime behind it does, and a
 * hit is no read alone: the child that was asked for comes first from then on.
 * Explorers that run side by side have one each. */
#ifndef CORE_PATH_H
#define CORE_PATH_H

#include "core/err.h"
#include "core/event.h"
#include "core/runtime.h"

/* Does a write need what left its dependencies open? Found out by
 * core/lb_gap.c, once. */
enum path_held { HELD_UNKNOWN, HELD, HELD_NOT };

struct path_node {
    struct label label;
    node_id parent;
    node_id child;    /* first; most recently used first */
    node_id sibling;  /* next child of the parent */
    node_id observe;  /* nearest LABEL_OBSERVE at or above, or NODE_NONE */
    uint32_t n_reads; /* above it */
    uint8_t held;     /* of a write: enum path_held */
    uint64_t key;     /* value that the parent returned on the way here */
};

struct path {
    struct path_node *nodes;
    uint32_t n, cap;
    node_id free;     /* list of collected nodes, by sibling */
    uint32_t version; /* another one: some nodes may be others now */
    uint32_t n_live;
    node_id roots;               /* list by sibling */
    struct path_thread *threads; /* interned (parent, ordinal) */
    uint32_t n_threads, threads_cap;
    const struct runtime *runtime;
    /* What a location holds where the one who asks stands: a thread that reads
     * it next gets that, most likely. NULL: not known. */
    uint64_t (*holds)(const void *self, loc_id loc);
    const void *holds_self;
    uint64_t hits, misses;
    double seconds;   /* in which the runtime ran, for the misses */
    uint32_t limit;   /* collect when there are more live nodes than this */
    uint64_t *marked; /* one bit a node, between path_keep and path_collect */
};

/* 72 bytes a node: 11 MB, which also stays in the caches. */
#define PATH_LIMIT 150000

void path_init(struct path *p, const struct runtime *runtime);
void path_release(struct path *p);

static inline const struct label *path_label(const struct path *p, node_id n)
{
    return &p->nodes[n].label;
}

/* Dense id of the `ordinal`th thread that `parent` creates; the same in every
 * execution. The first thread is thread 0 and has no parent. */
thread_id path_thread(struct path *p, thread_id parent, uint32_t ordinal);
/* The same, THREAD_NONE if it was not asked for before. */
thread_id path_find_thread(const struct path *p, thread_id parent,
                           uint32_t ordinal);

/* Root of thread `t` running function `function` (runtime's number) on
 * `argument`. */
node_id path_root(struct path *p, thread_id t, uint32_t function,
                  uint64_t argument);

/* The label that follows `at` when it returned `value` (0 if it returns
 * none); asks the runtime on a miss. NODE_NONE: it failed, err says why. */
node_id path_step(struct path *p, node_id at, uint64_t value, struct err *err);

/* So that memory stays flat over time: path_keep names each node that is still
 * in use (and so all above it), path_collect forgets the others. A forgotten
 * path is run again when it is needed again. */
void path_keep(struct path *p, node_id at);
void path_collect(struct path *p);

/* For runtimes: adds a label below `at` for `key`; returns its node. Pointers
 * into the trie are invalid afterwards. */
node_id path_append(struct path *p, node_id at, uint64_t key,
                    const struct label *label);

/* For runtimes: forgets the newest path below `at`, which was added by this
 * very `extend`: no one has seen its nodes. */
void path_cut(struct path *p, node_id at);

/* For runtimes: the root above `at`. */
node_id path_root_of(const struct path *p, node_id at);

/* For runtimes: how many values were returned on the way from the root to
 * `at`, that of `at` itself not included; the first min(n, cap) of them, in
 * order, go to `values`. */
uint32_t path_values(const struct path *p, node_id at, uint64_t *values,
                     uint32_t cap);

#endif
