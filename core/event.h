/* The nouns of an execution: what a thread does (a label), and the marks by
 * which a memory model tells one access or fence from another (tags).
 *
 * A label is what a thread's code produces, independent of any execution; the
 * path cache (path.h) keeps labels. An event is a label that takes part in an
 * execution graph (graph.h). */
#ifndef CORE_EVENT_H
#define CORE_EVENT_H

#include "isa_tags.h"

#include <stdbool.h>
#include <stdint.h>

typedef uint32_t event_id;
typedef uint32_t thread_id;
typedef uint32_t loc_id;
typedef uint32_t node_id;  /* a node of the path cache */
typedef uint32_t place_id; /* a position in the source, see program.h */

#define EVENT_NONE  UINT32_MAX
#define EVENT_INIT  (UINT32_MAX - 1) /* the initial write of a location */
#define THREAD_NONE UINT32_MAX
#define LOC_NONE    UINT32_MAX
#define NODE_NONE   UINT32_MAX
#define PLACE_NONE  UINT32_MAX

/* The sets of a cat file: X(enumerator, name in cat, what it holds).
 * One row adds a set; the graph keeps a bit row of each. Those of the ISAs are
 * in their folders, hw/isa/<folder>/tags.h: THREAD is an X that thread creation
 * and join have as well, ORDER one that says how an access is ordered. */
#define EVENT_TAGS(X)                                                      \
    X(R, "R", "reads")                                                     \
    X(W, "W", "writes (initial writes are added by the model)")            \
    X(F, "F", "fences, and thread creation and join")                      \
    X(NA, "NA", "non-atomic accesses")                                     \
    X(ATOMIC, "A", "atomic accesses and C fences")                         \
    X(RLX, "RLX", "memory_order_relaxed")                                  \
    X(ACQ, "ACQ", "memory_order_acquire (also the read half of acq_rel)")  \
    X(REL, "REL", "memory_order_release (also the write half of acq_rel)") \
    X(ACQ_REL, "ACQ_REL", "memory_order_acq_rel fences")                   \
    X(SC, "SC", "memory_order_seq_cst")                                    \
    X(RMW, "RMW", "both halves of a read-modify-write")                    \
    X(X, "X", "exclusive or LOCKed accesses")                              \
    X(CREATE, "TC", "thread creations")                                    \
    X(JOIN, "TJ", "thread joins")                                          \
    X(ALLOC, "ALLOC", "allocations")                                       \
    X(FREE, "FREE", "deallocations")                                       \
    X(CHOICE, "CHOICE", "nondeterministic choices")                        \
    X(LOCK, "LOCK", "reads that take a mutex")                             \
    ISA_TAGS(X, X, X)                                                      \
    X(EX, "EX", "load-reserve/exclusive and store-conditional")            \
    X(FAILED, "FAILED-RMW", "reads of compare-and-swaps that failed")      \
    X(SWAP, "FAILED-SWAP", "those of one instruction; for `corder` alone") \
    X(SWAP_L, "FAILED-SWAP.L", "those whose write would be a release")     \
    X(LOW, "PART.LOW", "reads of the first half of a 16-byte location")    \
    X(HIGH, "PART.HIGH", "reads of its second half")

enum event_tag {
#define X(id, name, what) TAG_##id,
    EVENT_TAGS(X)
#undef X
        TAG_COUNT
};

_Static_assert(TAG_COUNT <= 64, "tags are the bits of a word");

#define TAG_BIT(tag) ((uint64_t)1 << (tag))

#define TAG_NONE(id, name, what)
#define TAG_OR(id, name, what) | TAG_BIT(TAG_##id)
/* Those of any ISA, and among them those that order an access. */
#define TAGS_ISA   (0 ISA_TAGS(TAG_OR, TAG_OR, TAG_OR))
#define TAGS_ORDER (0 ISA_TAGS(TAG_NONE, TAG_NONE, TAG_OR))

/* Reads of different halves of a location are not of the same location to a
 * model, though both are of the same as any write there. */
#define TAGS_PART (TAG_BIT(TAG_LOW) | TAG_BIT(TAG_HIGH))

/* By which a swap that failed is needed as if it had not. */
#define TAGS_SWAP (TAG_BIT(TAG_SWAP) | TAG_BIT(TAG_SWAP_L))

/* Creation and join order everything around them in every model, so they are
 * fences of each hardware kind; C models order them by po alone. */
#define TAGS_THREAD_SYNC (TAG_BIT(TAG_F) ISA_TAGS(TAG_NONE, TAG_OR, TAG_NONE))

/* What library calls need, and who needs them, is not said by dependencies.
 * These need all before them in their thread. */
#define TAGS_WAITING \
    (TAG_BIT(TAG_CREATE) | TAG_BIT(TAG_JOIN) | TAG_BIT(TAG_FREE))
/* These are needed by all behind them; so is a choice. (malloc and free do not
 * order what is before them and what is behind.) */
#define TAGS_NEEDED                                                 \
    (TAG_BIT(TAG_CREATE) | TAG_BIT(TAG_JOIN) | TAG_BIT(TAG_ALLOC) | \
     TAG_BIT(TAG_CHOICE))

/* Name of a tag in cat files and reports. */
const char *event_tag_name(enum event_tag tag);

enum label_kind {
    LABEL_START, /* root of a thread's paths; value: argument, aux: function */

    /* Those that become events. */
    LABEL_READ,  /* rmw: value: tags if it fails, 0: the same */
    LABEL_WRITE, /* aux: 0, or a store-conditional apart from its load, which
                    is the aux-th read of the thread, from 1 */
    LABEL_FENCE,
    LABEL_CREATE, /* aux: root node of the child; loc: child's thread id */
    LABEL_JOIN,   /* loc: thread id waited for */
    LABEL_ALLOC,  /* loc: the object's own location; value: size in bytes */
    LABEL_FREE,   /* loc: the object's own location */
    LABEL_CHOICE, /* value: how many alternatives, 0 .. value-1 */

    /* Those that do not. */
    /* aux: name (program text id), value; size > 0: so many bytes that are
     * printed, the first lowest in value. */
    LABEL_OBSERVE,
    LABEL_WARN,       /* aux: text id; printed once, thread goes on */
    LABEL_END,        /* value: what the thread returned; aux: end_kind */
    LABEL_BLOCK,      /* aux: enum block_reason; BLOCK_SPIN: value: how many
                         events the last iteration had, 0: not known */
    LABEL_ERROR,      /* aux: text id, value: enum violation_kind */
    LABEL_BOUND,      /* aux: text id (names the loop); a bound was hit;
                         value: BOUND_ENDLESS, or 0 */
    LABEL_UNMODELLED, /* aux: text id; what is not understood */
};

enum end_kind {
    END_RETURN,
    END_EXIT,   /* of the program */
    END_THREAD, /* pthread_exit */
};

enum block_reason {
    BLOCK_ASSUME,
    BLOCK_SPIN, /* a loop iteration without effect */
    BLOCK_LOCK, /* a mutex that is held */
};

/* The loop reads nothing and changes nothing: it never ends. */
enum { BOUND_ENDLESS = 1 };

enum label_rmw { RMW_PLAIN = 1, RMW_RELEASE /* its write is a release */ };

/* A path node holds one inline. */
struct label {
    uint8_t kind; /* enum label_kind */
    uint8_t size; /* of an access, in bytes */
    uint8_t rmw;  /* read: may be followed by its write (enum label_rmw);
                     write: is the half, directly behind its read */
    place_id place;
    uint64_t tags; /* TAG_BIT(...) of its kind and marks, TAG_R included */
    loc_id loc;
    uint32_t aux;
    uint64_t value; /* of a write; else as said at the kind */
    uint32_t deps;  /* what it depends on, see program.h; 0: nothing known */
    uint8_t piece;  /* of an access that is one step but several events, since
                       others take less: which of them, from 0; see torn.h */
};

/* The tags of a read that may be half of an RMW, once it is known whether it
 * is: a CAS that fails has those of its failure order. */
static inline uint64_t label_rmw_tags(const struct label *read, bool takes)
{
    if (takes)
        return read->tags;
    if (!read->value)
        return read->tags | TAG_BIT(TAG_FAILED);
    return read->value | TAG_BIT(TAG_FAILED) | TAG_BIT(TAG_SWAP) |
           (read->rmw == RMW_RELEASE ? TAG_BIT(TAG_SWAP_L) : 0);
}

/* The value of a LABEL_OBSERVE of n printed bytes, at most 8. */
static inline uint64_t label_printed(const char *text, unsigned n)
{
    uint64_t value = 0;
    for (unsigned i = 0; i < n; i++)
        value |= (uint64_t)(uint8_t)text[i] << i * 8;
    return value;
}

_Static_assert(sizeof(struct label) == 40, "a path node has one inline");

/* Does the code wait for a value from outside at this label? */
static inline bool label_returns(uint8_t kind)
{
    return kind == LABEL_READ || kind == LABEL_JOIN || kind == LABEL_CHOICE;
}

/* Is this label the last of its thread's path? */
static inline bool label_ends(uint8_t kind)
{
    return kind == LABEL_END || kind == LABEL_BLOCK || kind == LABEL_ERROR ||
           kind == LABEL_BOUND || kind == LABEL_UNMODELLED;
}

static inline bool label_is_event(uint8_t kind)
{
    return kind >= LABEL_READ && kind <= LABEL_CHOICE;
}

enum violation_kind {
    VIOLATION_ASSERT,
    VIOLATION_ABORT,
    VIOLATION_FLAG, /* a `flag` of the model, e.g. data-race */
    VIOLATION_INVALID_ACCESS,
    VIOLATION_USE_AFTER_FREE,
    VIOLATION_DOUBLE_FREE,
    VIOLATION_INVALID_FREE,
    VIOLATION_DEADLOCK,
    VIOLATION_MUTEX,  /* unlock of a mutex not held, relock, destroy held */
    VIOLATION_THREAD, /* join of an unknown thread, joined twice */
    VIOLATION_ARITHMETIC,
    VIOLATION_STACK_OVERFLOW,
    VIOLATION_LIBRARY, /* a barrier in use destroyed, a bad alignment, ... */
    VIOLATION_COUNT
};

/* "assertion failed", "data race", ...: as shown in reports and JSON. */
const char *violation_name(enum violation_kind kind);

#endif
