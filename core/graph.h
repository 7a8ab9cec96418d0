/* An execution graph: events with po, rf and co.
 *
 * Events have ids below `cap`; an id is free again after its event was removed,
 * so ids say nothing of order: `order` lists the live events by age (stamp).
 * Relations are bit rows of `words` 64-bit words over ids, one per event and
 * kind; a row holds PREDECESSORS (column of the relation): bit a in row(b) of
 * po says a po b. Rows of an event are written once, when it is added, and stay
 * right while it lives, because a new event is maximal in po and rf (but for
 * holes: see struct graph_thread).
 *
 * Initial writes are no events: a read that takes one has rf == EVENT_INIT, and
 * they come first in co. po runs through thread creation and join: what comes
 * before a creation in the parent is po-before all of the child.
 *
 * A graph is flat memory without pointers to itself other than its arrays, so
 * that a revisit can copy it. */
#ifndef CORE_GRAPH_H
#define CORE_GRAPH_H

#include "core/event.h"

#include <stddef.h>
#include <string.h>

enum graph_row {
    ROW_PO,      /* predecessors in po */
    ROW_CAUSE,   /* predecessors in (po | rf)+ */
    ROW_READERS, /* of a write: the reads that take it (not predecessors!) */
    ROW_ADDR,    /* reads of its thread that it depends on, in the order of */
    ROW_DATA,    /* enum dep_kind */
    ROW_CTRL,
    ROW_PICK_ADDR,
    ROW_PICK_DATA,
    ROW_PICK_CTRL,
    ROW_MODEL /* first of the rows that the model keeps */
};

enum {
    EVENT_MAX = 1,     /* added co-maximally (revisit.c) */
    EVENT_FIXED = 2,   /* in the prefix of a revisit: never revisited again */
    EVENT_RMW = 4,     /* a read that may be followed by its RMW's write */
    EVENT_APART = 8,   /* a write whose `rmw` is not directly before it */
    EVENT_TAKEN = 16,  /* some source or place was consistent for it */
    EVENT_PICKS = 32,  /* depends on a read by conditional selection */
    EVENT_SPLIT = 64,  /* a read kept without the write of its RMW */
    EVENT_NEEDS = 128, /* has a row of prefix_kept_needs */
    EVENT_LOOSE = 256, /* these two: see core/lb_revisit.c, struct unsettled */
    EVENT_FREED = 512
};

struct event {
    uint64_t tags;
    uint64_t value; /* read or written; choice: the alternative taken */
    node_id node;   /* its label in the path cache */
    loc_id loc;     /* LOC_NONE without a location */
    thread_id thread;
    event_id rf;      /* read: source, EVENT_INIT or EVENT_NONE */
    event_id co_prev; /* write: EVENT_INIT when first */
    event_id co_next; /* write: EVENT_NONE when last */
    event_id po_prev; /* in its own thread, EVENT_NONE when first */
    event_id po_next; /* in its own thread, EVENT_NONE when last */
    uint32_t index;   /* in its own thread; see graph_index_after */
    event_id rmw;   /* the other half, EVENT_NONE without; see event_is_half */
    uint32_t stamp; /* index in `order` */
    uint8_t kind;   /* enum label_kind */
    uint8_t size;
    uint16_t flags;
};

/* Is it the write of a read-modify-write that is one step: added together with
 * its read, and directly behind that one's source in co? The write of a pair
 * that is apart has `rmw` too, for the model, and is otherwise like any. */
static inline bool event_is_half(const struct event *ev)
{
    return ev->kind == LABEL_WRITE && ev->rmw != EVENT_NONE &&
           !(ev->flags & EVENT_APART);
}

/* A thread whose events 0 .. i-1 are there, but not event i, stands at label i,
 * also when later ones (which do not depend on it) are there: then event i is
 * a hole. */
struct graph_thread {
    node_id node;    /* next label; NODE_NONE: not created */
    event_id last;   /* event i-1, EVENT_NONE if there is none */
    event_id first;  /* the first that is there */
    event_id create; /* EVENT_NONE for the first thread */
};

struct graph_loc {
    event_id co_first, co_last; /* EVENT_NONE: never written */
};

/* Ids that are the same for the same place in a thread (its number and the
 * event's index), in all graphs that share this. */
struct graph_ids {
    event_id **by_index; /* [n_threads][caps[t]], EVENT_NONE where none is */
    uint32_t *caps;
    uint32_t n_threads, n;
};

void graph_ids_release(struct graph_ids *ids);

struct graph {
    struct graph_ids *ids; /* NULL: ids are the smallest ones that are free */
    uint32_t words;        /* per row */
    uint32_t n_rows;       /* per event, ROW_MODEL + the model's */
    uint32_t cap;          /* ids: 64 * words */
    uint32_t n_ids;        /* every live id is below */
    uint32_t n;            /* live events */
    uint32_t n_threads, threads_cap;
    uint32_t n_locs, locs_cap;

    struct event *events;         /* [cap] */
    uint64_t *rows;               /* [cap][n_rows][words] */
    event_id *order;              /* [cap], the first n live, oldest first */
    struct graph_thread *threads; /* [threads_cap] */
    struct graph_loc *locs;       /* [locs_cap] */
    uint64_t *loc_rows;    /* [locs_cap][words]: all events of a location */
    uint64_t *init_rows;   /* [locs_cap][words]: reads of the initial write */
    uint64_t *thread_rows; /* [threads_cap][words]: all events of a thread */
    uint64_t *sets;        /* [TAG_COUNT][words]: events by tag */
    uint64_t *live;        /* [words] */
    uint64_t *raw;         /* [words]: for the model, whose rows these lack */
    uint64_t *loops;       /* [words]: for the model, see cat_checker.c */
    void *block;           /* holds all of the arrays */
    size_t block_bytes;
};

static inline uint64_t *graph_row(const struct graph *g, event_id e,
                                  unsigned row)
{
    return g->rows + ((size_t)e * g->n_rows + row) * g->words;
}
static inline uint64_t *graph_set(const struct graph *g, enum event_tag tag)
{
    return g->sets + (size_t)tag * g->words;
}
static inline uint64_t *graph_loc_row(const struct graph *g, loc_id loc)
{
    return g->loc_rows + (size_t)loc * g->words;
}
static inline uint64_t *graph_init_row(const struct graph *g, loc_id loc)
{
    return g->init_rows + (size_t)loc * g->words;
}
static inline uint64_t *graph_thread_row(const struct graph *g, thread_id t)
{
    return g->thread_rows + (size_t)t * g->words;
}

/* Bit rows. */
static inline bool row_has(const uint64_t *row, event_id e)
{
    return row[e >> 6] >> (e & 63) & 1;
}
static inline void row_add(uint64_t *row, event_id e)
{
    row[e >> 6] |= (uint64_t)1 << (e & 63);
}
static inline void row_drop(uint64_t *row, event_id e)
{
    row[e >> 6] &= ~((uint64_t)1 << (e & 63));
}

static inline void row_or(uint64_t *to, const uint64_t *from, uint32_t words)
{
    for (uint32_t w = 0; w < words; w++)
        to[w] |= from[w];
}
/* Leaves what is in both; false: nothing. */
static inline bool row_and(uint64_t *to, const uint64_t *from, uint32_t words)
{
    uint64_t any = 0;
    for (uint32_t w = 0; w < words; w++)
        any |= to[w] &= from[w];
    return any != 0;
}
/* Have they an event in common? */
static inline bool row_meets(const uint64_t *row, const uint64_t *other,
                             uint32_t words)
{
    uint64_t both = 0;
    for (uint32_t w = 0; w < words; w++)
        both |= row[w] & other[w];
    return both != 0;
}
/* Has it an event that the other has not? */
static inline bool row_exceeds(const uint64_t *row, const uint64_t *other,
                               uint32_t words)
{
    for (uint32_t w = 0; w < words; w++)
        if (row[w] & ~other[w])
            return true;
    return false;
}
/* The first of the events `bits`, not 0, of a row's word. */
static inline event_id row_event(uint32_t word, uint64_t bits)
{
    return word * 64 + (event_id)__builtin_ctzll(bits);
}

/* for (each id e in `row` of `words` words) body. The row must not change. */
#define row_for_each(e, row, words)                                          \
    for (uint32_t e##_w = 0; e##_w < (words); e##_w++)                       \
        for (uint64_t e##_bits = (row)[e##_w];                               \
             e##_bits &&                                                     \
             ((e) = e##_w * 64 + (uint32_t)__builtin_ctzll(e##_bits), true); \
             e##_bits &= e##_bits - 1)

void graph_init(struct graph *g, uint32_t n_model_rows);
void graph_release(struct graph *g);
/* Empties the graph; capacities stay. */
void graph_reset(struct graph *g);
/* dst becomes an equal graph of its own (capacities grow as needed). */
void graph_copy(struct graph *dst, const struct graph *src);
/* The same without the events outside `keep`; see graph_restrict. */
void graph_copy_part(struct graph *dst, const struct graph *src,
                     const uint64_t *keep);

/* Makes thread `t` exist, standing at `node`; `create` is its creation. */
void graph_start_thread(struct graph *g, thread_id t, node_id node,
                        event_id create);

/* Adds the label at the thread's current node as its next event: sets, po and
 * cause rows are filled (a read's rf is still EVENT_NONE, a write is not in co
 * yet, a join has no extra edges yet). The thread's node is unchanged: the
 * caller steps it. May move all arrays. */
event_id graph_add(struct graph *g, thread_id t, const struct label *label);

/* The index of a label that follows event `prev` (EVENT_NONE: the first one).
 * A read that may be half of an RMW has two, so that a CAS which fails does not
 * shift what follows. */
uint32_t graph_index_after(const struct graph *g, event_id prev,
                           const struct label *label);

/* The same for a label at `node` that follows event `prev`, which may stand
 * behind a hole. */
event_id graph_add_after(struct graph *g, event_id prev, node_id node,
                         const struct label *label);

/* The same in thread t, where `prev` may be EVENT_NONE: at its begin. */
event_id graph_add_between(struct graph *g, thread_id t, event_id prev,
                           node_id node, const struct label *label);

/* Makes write w and the n-th read of its thread (from 1) a pair that is apart;
 * all that precedes w in its thread must be there. */
void graph_pair(struct graph *g, event_id w, uint32_t n);
/* Is there such a pair? */
bool graph_has_pairs(const struct graph *g);

/* Removes the newest event of all; its thread stands at its label again. */
void graph_pop(struct graph *g);

/* Points read r to write w (or EVENT_INIT), in place of an earlier source, and
 * renews r's value and cause row. `init` is the location's initial value. */
void graph_set_rf(struct graph *g, event_id r, event_id w, uint64_t init);

/* Puts write w, not in co yet, right after `after` (EVENT_INIT: first). */
void graph_insert_co(struct graph *g, event_id w, event_id after);
void graph_remove_co(struct graph *g, event_id w);

/* Changes the tags of e: those of a CAS vary with whether it succeeds. */
void graph_set_tags(struct graph *g, event_id e, uint64_t tags);

/* Makes join j follow all of thread t, which has ended. */
void graph_join(struct graph *g, event_id j, thread_id t);

/* Removes all events outside `keep` (ids; closed under po and rf but for the
 * source of one read, which the caller sets next). */
void graph_restrict(struct graph *g, const uint64_t *keep);

/* Re-derives everything that is stored twice; returns false with a text naming
 * the broken invariant. For tests and debug builds. */
bool graph_check(const struct graph *g, char *why, size_t cap);

#endif
