/* The program under test while it runs: what the hooks that its instrumented
 * code calls share with the runtime that starts and stops it.
 *
 * A hook runs on the stack of the thread it serves. It says what the thread
 * does by hooks_tell, hooks_ask and hooks_end; the last two leave the stack,
 * hooks_ask for as long as it takes until the value is known. While a thread is
 * run again up to the point where it stood before (`next < n_values`), all of
 * them are silent, and hooks_ask answers from the values of the past.
 *
 * Whatever a hook does must depend only on the values it got: nothing that
 * other threads did, no time, no real address but those of the image. */
#ifndef FRONTEND_HOOKS_H
#define FRONTEND_HOOKS_H

#include "core/event.h"
#include "core/path.h"
#include "core/program.h"
#include "frontend/source/coroutine.h"
#include "frontend/source/source_image.h"

/* A mutex that a thread holds. */
struct hooks_held {
    uint64_t addr;
    uint32_t count; /* of a recursive one */
};

/* An object on the heap or stack, by the thread that made it. */
struct hooks_object {
    uint64_t addr, size;
};

/* One run of a thread, parked at a label that returns a value, or done. */
struct hooks_thread {
    struct coroutine coroutine;
    bool parked; /* else free */
    uint64_t used;
    thread_id id;
    uint32_t function;
    uint64_t argument;
    uint64_t *values; /* returned so far */
    uint32_t n_values, values_cap;
    uint32_t next; /* value to be returned next, while run again */

    /* All that follows depends on the values alone. */
    uint64_t effects, events; /* copies of those in struct hooks while parked */
    uint32_t n_created;
    uint32_t n_objects[8]; /* by enum area */
    uint64_t random;
    place_id place;     /* of the last site */
    uint64_t last_read; /* address, if the last event was an atomic read */
    uint64_t rmw_old;   /* what the read half of the last RMW returned */
    struct hooks_held *held;
    uint32_t n_held, held_cap;
    struct hooks_object *objects; /* for realloc, and stack to be freed */
    uint32_t n_all_objects, objects_cap;
};

/* Which variable an object on the stack was last, for reports. */
struct hooks_name {
    uint64_t addr;
    uint32_t local; /* index in the image */
};

#define HOOKS_THREADS 64
#define HOOKS_NAMES   4096 /* a cache: names may be lost */

struct hooks {
    /* Written by instrumented code too, by address. */
    uint64_t effects;   /* things a loop iteration does besides reading */
    uint64_t tls_base;  /* of the running thread */
    char *stack_limit;  /* of the running thread */
    uint64_t arguments; /* of the function being called, variable ones */

    uint64_t events; /* labels of the running thread that are events */
    struct image *image;
    struct program *program;
    uint64_t unroll;
    bool show_output;

    struct path *path; /* these while extending */
    node_id node;
    uint64_t key;
    struct hooks_thread *thread; /* NULL: none runs */
    bool diverged; /* a thread run again did not do what it did before */
    bool stopped;  /* it did not come to a label: the command is to end, */
    uint32_t stopped_loop; /* in this loop */

    struct hooks_thread threads[HOOKS_THREADS];
    uint64_t clock;
    struct hooks_name local_names[HOOKS_NAMES];
};

/* What instrumented code calls. Arguments that a hook does not use are 0. */
typedef uint64_t hooks_function(struct hooks *h, uint32_t site, uint64_t a,
                                uint64_t b, uint64_t c, uint64_t d);

/* Labels. */
static inline bool hooks_is_live(const struct hooks *h)
{
    return h->thread->next == h->thread->n_values;
}

/* Adds a label that does not return a value. */
void hooks_tell(struct hooks *h, const struct label *label);
/* Adds a label and returns its value. */
uint64_t hooks_ask(struct hooks *h, const struct label *label);
/* Adds a label that ends the thread. */
_Noreturn void hooks_end(struct hooks *h, const struct label *label);
/* Leaves the thread where it is: the command is to end. */
_Noreturn void hooks_stop(struct hooks *h, uint32_t loop);
/* The thread does what no program may do. */
_Noreturn void hooks_fail(struct hooks *h, uint32_t site,
                          enum violation_kind kind, const char *fmt, ...)
    __attribute__((format(printf, 4, 5)));
_Noreturn void hooks_unmodelled(struct hooks *h, uint32_t site, const char *fmt,
                                ...) __attribute__((format(printf, 3, 4)));
_Noreturn void hooks_block(struct hooks *h, uint32_t site,
                           enum block_reason reason);
/* An iteration of n_events can only be repeated. */
_Noreturn void hooks_wait(struct hooks *h, uint32_t site, uint64_t n_events);
/* The thread returns `value`. */
_Noreturn void hooks_finish(struct hooks *h, uint32_t site, uint64_t value,
                            enum end_kind kind);

/* Memory. The address space of a thread beyond the image: one area for each
 * kind and size class of object, cut in slots; an object takes one slot, whose
 * address thus depends on the thread and a count alone. Below 2^47, since
 * programs hide marks in the upper bits of pointers. */
enum area {
    AREA_HEAP,        /* slots of 64 KiB */
    AREA_HEAP_MEDIUM, /* 16 MiB */
    AREA_HEAP_LARGE,  /* 1 GiB */
    AREA_STACK,
    AREA_STACK_MEDIUM,
    AREA_STACK_LARGE,
    AREA_TLS,
    AREA_NONE, /* outside */
};

#define AREA_BASE        ((uint64_t)1 << 44)
#define AREA_THREAD_BITS 37
#define AREA_BITS        34
#define AREA_THREADS     512

static inline uint64_t area_start(thread_id t, enum area area)
{
    return AREA_BASE + ((uint64_t)t << AREA_THREAD_BITS) +
           ((uint64_t)area << AREA_BITS);
}
static inline unsigned area_slot_bits(enum area area)
{
    static const uint8_t bits[] = {16, 24, 30, 16, 24, 30, 34, 34};
    return bits[area];
}
enum area area_of(uint64_t addr, thread_id *thread);
static inline uint64_t area_slot(uint64_t addr, enum area area)
{
    return addr & ~(((uint64_t)1 << area_slot_bits(area)) - 1);
}

/* Accesses of `bytes` <= 8; non-atomic ones of any alignment. The tags are the
 * site's unless given. */
uint64_t hooks_load(struct hooks *h, uint32_t site, uint64_t addr,
                    unsigned bytes);
void hooks_store(struct hooks *h, uint32_t site, uint64_t addr, unsigned bytes,
                 uint64_t value);
uint64_t hooks_load_atomic(struct hooks *h, uint32_t site, uint64_t addr,
                           unsigned bytes, uint64_t tags);
void hooks_store_atomic(struct hooks *h, uint32_t site, uint64_t addr,
                        unsigned bytes, uint64_t tags, uint64_t value);
/* A read-modify-write in two steps: the read, then its write at once or
 * never. `fail`: the read's tags when there is no write, 0 if the same. */
uint64_t hooks_rmw_read(struct hooks *h, uint32_t site, uint64_t addr,
                        unsigned bytes, uint64_t tags, uint64_t fail);
void hooks_rmw_write(struct hooks *h, uint32_t site, uint64_t addr,
                     unsigned bytes, uint64_t tags, uint64_t value);

/* A new object; its address, or 0 when too large. */
uint64_t hooks_allocate(struct hooks *h, uint32_t site, enum area area,
                        uint64_t bytes, bool zero);
/* Size of an object that this thread has made; false: it has not. */
bool hooks_object_size(const struct hooks *h, uint64_t addr, uint64_t *bytes);

/* Which variable the stack object at `addr` is; NULL if forgotten. */
const struct hooks_name *hooks_find_name(const struct hooks *h, uint64_t addr);

/* The bytes at `addr` of a constant variable, at least `bytes`; NULL if it is
 * not such an address. */
const char *hooks_constant(const struct hooks *h, uint64_t addr,
                           uint64_t bytes);
/* A string for messages and output: from constants as it is, else "?". */
const char *hooks_string(const struct hooks *h, uint64_t addr);

#define TAGS_ATOMIC(mode) (TAG_BIT(TAG_ATOMIC) | TAG_BIT(TAG_##mode))

#endif
