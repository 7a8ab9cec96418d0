/* Random graphs that grow event by event as the explorer's do: each new event
 * is maximal in po and rf (unless out_of_order), read-modify-writes are atomic.
 */
#ifndef TESTS_UNIT_TEST_CAT_RANDOM_H
#define TESTS_UNIT_TEST_CAT_RANDOM_H

#include "core/graph.h"
#include "core/model.h"

#include <stdio.h>

struct random {
    uint64_t state;
    uint32_t n_threads, n_locs;
    bool has_na, has_sc, has_fences, has_rmw, has_machine;
    bool weak;     /* fences, marks and dependencies of Arm and Power */
    bool power;    /* weak, with many fences, mostly sync and lwsync */
    bool coherent; /* mostly, so that other axioms than coherence matter */
    bool mostly_sc;
    bool out_of_order; /* events also come between older ones of a thread */
};

static inline uint32_t random_below(struct random *r, uint32_t n)
{
    r->state ^= r->state << 13;
    r->state ^= r->state >> 7;
    r->state ^= r->state << 17;
    return (uint32_t)((r->state >> 32) % n);
}

static inline void random_make_sc(struct random *r)
{
    r->mostly_sc = true;
    r->n_threads = 3 + random_below(r, 2);
    r->n_locs = 2 + random_below(r, 2);
}

static inline void random_init(struct random *r, uint64_t seed)
{
    *r = (struct random){.state = seed * 0x9e3779b97f4a7c15u + 1};
    random_below(r, 2);
    r->n_threads = 2 + random_below(r, 3);
    r->n_locs = 1 + random_below(r, 3);
    r->has_na = random_below(r, 3) == 0;
    r->has_sc = random_below(r, 2);
    r->has_fences = random_below(r, 2);
    r->has_rmw = random_below(r, 2);
    r->has_machine = random_below(r, 4) == 0;
    r->coherent = random_below(r, 4) != 0;
    if (random_below(r, 3) == 0)
        random_make_sc(r);
}

static inline uint64_t random_access_tags(struct random *r, bool write)
{
    uint64_t atomic = TAG_BIT(TAG_ATOMIC);
    if (r->weak && random_below(r, 3) == 0)
        return write                     ? TAG_BIT(TAG_ARM_L)
               : random_below(r, 2) == 0 ? TAG_BIT(TAG_ARM_A)
                                         : TAG_BIT(TAG_ARM_Q);
    if (r->weak && random_below(r, 2) == 0)
        return random_below(r, 4) == 0 ? TAG_BIT(TAG_EX) : 0;
    if (r->mostly_sc && random_below(r, 5))
        return TAG_BIT(TAG_SC) | atomic;
    if (r->has_na && random_below(r, 3) == 0)
        return TAG_BIT(TAG_NA);
    if (r->has_machine && random_below(r, 4) == 0)
        return TAG_BIT(TAG_X) | TAG_BIT(TAG_NA);
    if (r->has_sc && random_below(r, 2))
        return TAG_BIT(TAG_SC) | atomic;
    if (random_below(r, 2))
        return TAG_BIT(TAG_RLX) | atomic;
    return TAG_BIT(write ? TAG_REL : TAG_ACQ) | atomic;
}

static inline uint64_t random_fence_tags(struct random *r)
{
    static const enum event_tag c[] = {TAG_ACQ, TAG_REL, TAG_ACQ_REL, TAG_SC};
    static const enum event_tag x86[] = {TAG_MFENCE, TAG_SFENCE, TAG_LFENCE};
    static const enum event_tag weak[] = {TAG_DMB_SY, TAG_DMB_LD, TAG_DMB_ST,
                                          TAG_DSB_ST, TAG_ISB,    TAG_SYNC,
                                          TAG_LWSYNC, TAG_ISYNC,  TAG_EIEIO};
    if (r->power)
        return TAG_BIT(weak[5 + random_below(r, random_below(r, 4) ? 2 : 4)]);
    if (r->weak && random_below(r, 4))
        return TAG_BIT(weak[random_below(r, 9)]);
    if (r->has_machine && random_below(r, 2))
        return TAG_BIT(x86[random_below(r, 3)]);
    if (r->mostly_sc && random_below(r, 4))
        return TAG_BIT(TAG_SC) | TAG_BIT(TAG_ATOMIC);
    return TAG_BIT(c[random_below(r, 4)]) | TAG_BIT(TAG_ATOMIC);
}

static inline void random_start(struct random *r, struct graph *g)
{
    for (thread_id t = 0; t < r->n_threads; t++)
        graph_start_thread(g, t, 0, EVENT_NONE);
}

/* Graphs in which other axioms of machine models than coherence matter. */
static inline void random_make_weak(struct random *r)
{
    r->weak = r->coherent = true;
    r->mostly_sc = false;
    r->n_threads = 2 + random_below(r, 3);
    r->n_locs = 2 + random_below(r, 2);
}

/* Would a write right after w come between an RMW and its source? */
static inline bool random_is_taken(const struct graph *g, loc_id loc,
                                   event_id w)
{
    event_id next = EVENT_NONE;
    if (w == EVENT_INIT)
        next = loc < g->n_locs ? g->locs[loc].co_first : EVENT_NONE;
    else
        next = g->events[w].co_next;
    return next != EVENT_NONE && g->events[next].rmw != EVENT_NONE;
}

/* Does the thread know of write w, or of a read of it? (Weak graphs: by po.) */
static inline bool random_knows(const struct random *r, const struct graph *g,
                                thread_id t, event_id w)
{
    event_id last = g->threads[t].last;
    if (last == EVENT_NONE)
        return false;
    const uint64_t *cause = graph_row(g, last, r->weak ? ROW_PO : ROW_CAUSE);
    const uint64_t *readers = graph_row(g, w, ROW_READERS);
    if (w == last || row_has(cause, w) || row_has(readers, last))
        return true;
    for (uint32_t i = 0; i < g->words; i++)
        if (readers[i] & cause[i])
            return true;
    return false;
}

/* A write of the location, or the initial one, for thread t to read or to
 * follow in co; latest ones more likely. */
static inline event_id random_write(struct random *r, const struct graph *g,
                                    thread_id t, loc_id loc, bool free)
{
    for (int tries = 0; tries < 20; tries++) {
        event_id w = loc < g->n_locs && g->locs[loc].co_last != EVENT_NONE
                         ? g->locs[loc].co_last
                         : EVENT_INIT;
        while (w != EVENT_INIT &&
               random_below(r, 5) < (r->mostly_sc && r->coherent ? 3 : 2) &&
               !(r->coherent && random_knows(r, g, t, w)))
            w = g->events[w].co_prev;
        if (!free || !random_is_taken(g, loc, w))
            return w;
    }
    return EVENT_NONE;
}

/* Lets e depend on some reads before it. */
static inline void random_depend(struct random *r, struct graph *g, event_id e)
{
    for (event_id i = g->events[e].po_prev; i != EVENT_NONE && r->weak;
         i = g->events[i].po_prev)
        if (g->events[i].kind == LABEL_READ && random_below(r, 4) == 0)
            row_add(graph_row(g, e, ROW_ADDR + random_below(r, 6)), i);
}

/* Adds the label to the thread, at its end or (not within an RMW) before it. */
static inline event_id random_place(struct random *r, struct graph *g,
                                    thread_id t, const struct label *label)
{
    event_id prev = g->threads[t].last;
    while (r->out_of_order && prev != EVENT_NONE && random_below(r, 2))
        prev = g->events[prev].po_prev;
    while (prev != EVENT_NONE && g->events[prev].rmw != EVENT_NONE &&
           g->events[prev].kind == LABEL_READ)
        prev = g->events[prev].rmw;
    event_id e = prev == EVENT_NONE ? graph_add(g, t, label)
                                    : graph_add_after(g, prev, 0, label);
    random_depend(r, g, e);
    return e;
}

/* Adds one random event, or the two halves of an RMW: `added` gets them.
 * Returns how many; `enter` is called for the first half before the second is
 * there, through `half`, which says whether to go on. */
static inline uint32_t random_add(struct random *r, struct graph *g,
                                  bool (*half)(void *self, event_id e),
                                  void *self, event_id added[2])
{
    thread_id t = random_below(r, r->n_threads);
    loc_id loc = random_below(r, r->n_locs);
    struct label l = {.size = 4, .loc = loc};
    uint32_t what = random_below(r, 10);
    if ((what == 0 && r->has_fences) || (what == 9 && r->weak) ||
        (what < 2 && r->power)) {
        l.kind = LABEL_FENCE;
        l.tags = TAG_BIT(TAG_F) | random_fence_tags(r);
        added[0] = random_place(r, g, t, &l);
        return 1;
    }
    bool rmw = r->has_rmw && what < 3;
    event_id w = random_write(r, g, t, loc, rmw || what < 6);
    if (w == EVENT_NONE)
        return 0;
    uint64_t both = rmw ? TAG_BIT(TAG_RMW) : 0;
    if (what >= 6 || rmw) {
        l.kind = LABEL_READ;
        l.tags = TAG_BIT(TAG_R) | both | random_access_tags(r, false);
        added[0] = random_place(r, g, t, &l);
        graph_set_rf(g, added[0], w, 0);
        if (!rmw)
            return 1;
        if (!half(self, added[0]))
            return 1;
    }
    l.kind = LABEL_WRITE;
    l.tags = TAG_BIT(TAG_W) | both | random_access_tags(r, true);
    l.value = random_below(r, 1000);
    event_id e =
        rmw ? graph_add_after(g, added[0], 0, &l) : random_place(r, g, t, &l);
    if (rmw) {
        g->events[e].rmw = added[0];
        g->events[added[0]].rmw = e;
        added[1] = e;
    } else {
        added[0] = e;
    }
    graph_insert_co(g, e, w);
    return rmw ? 2 : 1;
}

/* The text of a random relation out of a small grammar. */
static inline void random_relation(struct random *r, uint32_t depth, char *out,
                                   size_t cap)
{
    static const char *const bases[] = {
        "po",      "rf",  "co",    "fr",   "po-loc", "rfe",     "coe",
        "fre",     "rmw", "[W]",   "[R]",  "[SC]",   "[F]",     "[A & W]",
        "po",      "fr",  "co",    "rf",   "ext",    "(R * W)", "loc",
        "(W * M)", "po?", "rf^-1", "com+", "[M\\IW]"};
    char a[400], b[400];
    if (depth == 0 || random_below(r, 5) == 0) {
        uint32_t n = sizeof bases / sizeof bases[0];
        snprintf(out, cap, "%s", bases[random_below(r, n)]);
        return;
    }
    random_relation(r, depth - 1, a, sizeof a);
    random_relation(r, depth - 1, b, sizeof b);
    switch (random_below(r, 10)) {
    case 0:
    case 1:
    case 2:
        snprintf(out, cap, "(%.180s | %.180s)", a, b);
        break;
    case 3:
    case 4:
    case 5:
        snprintf(out, cap, "(%.180s; %.180s)", a, b);
        break;
    case 6:
        snprintf(out, cap, "(%.180s & %.180s)", a, b);
        break;
    case 7:
        snprintf(out, cap, "(%.180s \\ %.180s)", a, b);
        break;
    case 8:
        snprintf(out, cap, "(%.180s)+", a);
        break;
    default:
        snprintf(out, cap, "(%.180s)?", a);
    }
}

#endif
