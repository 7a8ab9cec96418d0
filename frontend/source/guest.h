/* The program under test while it runs: what the hooks that its instrumented
 * code calls share with the runtime that starts and stops it.
 *
 * A hook runs on the stack of the thread it serves. It says what the thread
 * does by guest_tell, guest_ask and guest_end; the last two leave the stack,
 * guest_ask for as long as it takes until the value is known. While a thread is
 * run again up to the point where it stood before (`next < n_values`), all of
 * them are silent, and guest_ask answers from the values of the past.
 *
 * Whatever a hook does must depend only on the values it got: nothing that
 * other threads did, no time, no real address but those of the image. */
#ifndef FRONTEND_GUEST_H
#define FRONTEND_GUEST_H

#include "core/event.h"
#include "core/path.h"
#include "core/program.h"
#include "frontend/source/coroutine.h"
#include "frontend/source/source_image.h"

/* A mutex that a thread holds. */
struct guest_held {
    uint64_t addr;
    uint32_t count; /* of a recursive one */
};

/* An object on the heap or stack, by the thread that made it. */
struct guest_object {
    uint64_t addr, size;
};

/* One run of a thread, parked at a label that returns a value, or done. */
struct guest_thread {
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
    uint64_t effects, events; /* copies of guest's while parked */
    uint32_t n_created;
    uint32_t n_objects[8]; /* by enum area */
    uint64_t random;
    place_id place;     /* of the last site */
    uint64_t last_read; /* address, if the last event was an atomic read */
    uint64_t rmw_old;   /* what the read half of the last RMW returned */
    struct guest_held *held;
    uint32_t n_held, held_cap;
    struct guest_object *objects; /* for realloc, and stack to be freed */
    uint32_t n_all_objects, objects_cap;
};

/* Which variable an object on the stack was last, for reports. */
struct guest_name {
    uint64_t addr;
    uint32_t local; /* index in the image */
};

#define GUEST_THREADS 64
#define GUEST_NAMES   4096 /* a cache: names may be lost */

struct guest {
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
    struct guest_thread *thread; /* NULL: none runs */
    bool diverged; /* a thread run again did not do what it did before */
    bool stopped;  /* it did not come to a label: the command is to end */

    struct guest_thread threads[GUEST_THREADS];
    uint64_t clock;
    struct guest_name local_names[GUEST_NAMES];
};

/* What instrumented code calls. Arguments that a hook does not use are 0. */
typedef uint64_t guest_hook(struct guest *g, uint32_t site, uint64_t a,
                            uint64_t b, uint64_t c, uint64_t d);

/* Labels. */
static inline bool guest_is_live(const struct guest *g)
{
    return g->thread->next == g->thread->n_values;
}

/* Adds a label that does not return a value. */
void guest_tell(struct guest *g, const struct label *label);
/* Adds a label and returns its value. */
uint64_t guest_ask(struct guest *g, const struct label *label);
/* Adds a label that ends the thread. */
_Noreturn void guest_end(struct guest *g, const struct label *label);
/* Leaves the thread where it is: the command is to end. */
_Noreturn void guest_stop(struct guest *g);
/* The thread does what no program may do. */
_Noreturn void guest_fail(struct guest *g, uint32_t site,
                          enum violation_kind kind, const char *fmt, ...)
    __attribute__((format(printf, 4, 5)));
_Noreturn void guest_unmodelled(struct guest *g, uint32_t site, const char *fmt,
                                ...) __attribute__((format(printf, 3, 4)));
_Noreturn void guest_block(struct guest *g, uint32_t site,
                           enum block_reason reason);
/* An iteration of n_events can only be repeated. */
_Noreturn void guest_wait(struct guest *g, uint32_t site, uint64_t n_events);
/* The thread returns `value`. */
_Noreturn void guest_finish(struct guest *g, uint32_t site, uint64_t value);

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
uint64_t guest_load(struct guest *g, uint32_t site, uint64_t addr,
                    unsigned bytes);
void guest_store(struct guest *g, uint32_t site, uint64_t addr, unsigned bytes,
                 uint64_t value);
uint64_t guest_load_atomic(struct guest *g, uint32_t site, uint64_t addr,
                           unsigned bytes, uint64_t tags);
void guest_store_atomic(struct guest *g, uint32_t site, uint64_t addr,
                        unsigned bytes, uint64_t tags, uint64_t value);
/* A read-modify-write in two steps: the read, then its write at once or
 * never. `fail`: the read's tags when there is no write, 0 if the same. */
uint64_t guest_rmw_read(struct guest *g, uint32_t site, uint64_t addr,
                        unsigned bytes, uint64_t tags, uint64_t fail);
void guest_rmw_write(struct guest *g, uint32_t site, uint64_t addr,
                     unsigned bytes, uint64_t tags, uint64_t value);

/* A new object; its address, or 0 when too large. */
uint64_t guest_allocate(struct guest *g, uint32_t site, enum area area,
                        uint64_t bytes, bool zero);
/* Size of an object that this thread has made; false: it has not. */
bool guest_object_size(const struct guest *g, uint64_t addr, uint64_t *bytes);

/* Which variable the stack object at `addr` is; NULL if forgotten. */
const struct guest_name *guest_find_name(const struct guest *g, uint64_t addr);

/* The bytes at `addr` of a constant variable, at least `bytes`; NULL if it is
 * not such an address. */
const char *guest_constant(const struct guest *g, uint64_t addr,
                           uint64_t bytes);
/* A string for messages and output: from constants as it is, else "?". */
const char *guest_string(const struct guest *g, uint64_t addr);

#define TAGS_ATOMIC(mode) (TAG_BIT(TAG_ATOMIC) | TAG_BIT(TAG_##mode))

#endif
