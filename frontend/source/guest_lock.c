/* Mutexes, barriers and once-only calls as words that are read and written
 * atomically. A pthread_mutex_t or mtx_t has its word at offset 0 and, as in
 * glibc, its type at offset 16, so that the static initializers work. Which
 * mutexes a thread holds follows from what it did, so that misuse is seen
 * without events. */
#include "core/mem.h"
#include "frontend/source/guest_thread.h"

#include <errno.h>
#include <pthread.h>
#include <threads.h>

#define WORD        4
#define TYPE_OFFSET 16

struct guest_held *guest_find_held(const struct guest *g, uint64_t addr)
{
    for (uint32_t i = 0; i < g->thread->n_held; i++)
        if (g->thread->held[i].addr == addr)
            return &g->thread->held[i];
    return NULL;
}

void guest_hold(struct guest *g, uint64_t addr, uint32_t count)
{
    struct guest_thread *t = g->thread;
    t->held = mem_room(t->held, t->n_held, &t->held_cap, sizeof *t->held);
    t->held[t->n_held++] = (struct guest_held){addr, count};
}

static void init_mutex(struct guest *g, uint32_t site, uint64_t mutex,
                       uint32_t type)
{
    guest_store(g, site, mutex, WORD, 0);
    guest_store(g, site, mutex + TYPE_OFFSET, WORD, type);
}

uint64_t guest_on_mutex_init(struct guest *g, uint32_t site, uint64_t mutex,
                             uint64_t attributes, uint64_t c, uint64_t d)
{
    (void)c, (void)d;
    uint64_t type = attributes ? guest_load(g, site, attributes, WORD) : 0;
    init_mutex(g, site, mutex, (uint32_t)type);
    return 0;
}

uint64_t guest_on_mtx_init(struct guest *g, uint32_t site, uint64_t mutex,
                           uint64_t type, uint64_t c, uint64_t d)
{
    (void)c, (void)d;
    init_mutex(g, site, mutex,
               type & mtx_recursive ? PTHREAD_MUTEX_RECURSIVE : 0);
    return thrd_success;
}

uint64_t guest_on_mutexattr_init(struct guest *g, uint32_t site,
                                 uint64_t attributes, uint64_t b, uint64_t c,
                                 uint64_t d)
{
    (void)b, (void)c, (void)d;
    guest_store(g, site, attributes, WORD, 0);
    return 0;
}

uint64_t guest_on_mutexattr_settype(struct guest *g, uint32_t site,
                                    uint64_t attributes, uint64_t type,
                                    uint64_t c, uint64_t d)
{
    (void)c, (void)d;
    guest_store(g, site, attributes, WORD, type);
    return 0;
}

uint64_t guest_on_mutex_destroy(struct guest *g, uint32_t site, uint64_t mutex,
                                uint64_t b, uint64_t c, uint64_t d)
{
    (void)b, (void)c, (void)d;
    if (guest_find_held(g, mutex) ||
        guest_load_atomic(g, site, mutex, WORD, TAGS_ATOMIC(RLX)) != 0)
        guest_fail(g, site, VIOLATION_MUTEX, "destroy of a locked mutex");
    return 0;
}

/* What lock of a mutex that the thread itself holds does: only then its type
 * matters. */
static uint64_t relock(struct guest *g, uint32_t site, struct guest_held *held,
                       bool wait)
{
    uint64_t type = guest_load(g, site, held->addr + TYPE_OFFSET, WORD);
    if (type == PTHREAD_MUTEX_RECURSIVE) {
        held->count++;
        return 0;
    }
    if (!wait)
        return EBUSY;
    if (type == PTHREAD_MUTEX_ERRORCHECK)
        return EDEADLK;
    guest_fail(g, site, VIOLATION_DEADLOCK,
               "lock of a mutex that the thread holds already");
}

uint64_t guest_on_mutex_lock(struct guest *g, uint32_t site, uint64_t mutex,
                             uint64_t b, uint64_t c, uint64_t d)
{
    (void)b, (void)c, (void)d;
    struct guest_held *held = guest_find_held(g, mutex);
    if (held)
        return relock(g, site, held, true);
    if (guest_rmw_read(g, site, mutex, WORD,
                       TAGS_ATOMIC(ACQ) | TAG_BIT(TAG_LOCK), 0) != 0)
        guest_block(g, site, BLOCK_LOCK);
    guest_rmw_write(g, site, mutex, WORD, TAGS_ATOMIC(RLX), 1);
    guest_hold(g, mutex, 1);
    return 0;
}

uint64_t guest_on_mutex_trylock(struct guest *g, uint32_t site, uint64_t mutex,
                                uint64_t b, uint64_t c, uint64_t d)
{
    (void)b, (void)c, (void)d;
    struct guest_held *held = guest_find_held(g, mutex);
    if (held)
        return relock(g, site, held, false);
    if (guest_rmw_read(g, site, mutex, WORD, TAGS_ATOMIC(ACQ),
                       TAGS_ATOMIC(RLX)) != 0)
        return EBUSY;
    guest_rmw_write(g, site, mutex, WORD, TAGS_ATOMIC(RLX), 1);
    guest_hold(g, mutex, 1);
    return 0;
}

uint64_t guest_on_mtx_trylock(struct guest *g, uint32_t site, uint64_t mutex,
                              uint64_t b, uint64_t c, uint64_t d)
{
    return guest_on_mutex_trylock(g, site, mutex, b, c, d) ? thrd_busy
                                                           : thrd_success;
}

uint64_t guest_on_mutex_unlock(struct guest *g, uint32_t site, uint64_t mutex,
                               uint64_t b, uint64_t c, uint64_t d)
{
    (void)b, (void)c, (void)d;
    struct guest_held *held = guest_find_held(g, mutex);
    if (!held)
        guest_fail(g, site, VIOLATION_MUTEX,
                   "unlock of a mutex that the thread does not hold");
    if (--held->count > 0)
        return 0;
    *held = g->thread->held[--g->thread->n_held];
    guest_store_atomic(g, site, mutex, WORD, TAGS_UNLOCK, 0);
    return 0;
}

/* A barrier counts arrivals; the round of an arrival is its number divided by
 * the size, which stands in the second word. */
uint64_t guest_on_barrier_init(struct guest *g, uint32_t site, uint64_t barrier,
                               uint64_t attributes, uint64_t n, uint64_t d)
{
    (void)attributes, (void)d;
    if ((uint32_t)n == 0)
        return EINVAL;
    guest_store(g, site, barrier, WORD, 0);
    guest_store(g, site, barrier + WORD, WORD, n);
    return 0;
}

uint64_t guest_on_barrier_wait(struct guest *g, uint32_t site, uint64_t barrier,
                               uint64_t b, uint64_t c, uint64_t d)
{
    (void)b, (void)c, (void)d;
    uint64_t n =
        guest_load_atomic(g, site, barrier + WORD, WORD, TAGS_ATOMIC(RLX));
    if (n == 0)
        guest_fail(g, site, VIOLATION_LIBRARY,
                   "wait at a barrier that is not initialised");
    uint64_t old = guest_rmw_read(g, site, barrier, WORD, TAGS_ATOMIC(ACQ), 0);
    guest_rmw_write(g, site, barrier, WORD, TAGS_ATOMIC(REL), old + 1);
    if ((old + 1) % n == 0)
        return (uint64_t)PTHREAD_BARRIER_SERIAL_THREAD;
    uint64_t now = guest_load_atomic(g, site, barrier, WORD, TAGS_ATOMIC(ACQ));
    if (now / n <= old / n)
        guest_block(g, site, BLOCK_SPIN);
    return 0;
}

/* The size goes, so that a later wait is seen to be wrong. */
uint64_t guest_on_barrier_destroy(struct guest *g, uint32_t site,
                                  uint64_t barrier, uint64_t b, uint64_t c,
                                  uint64_t d)
{
    (void)b, (void)c, (void)d;
    uint64_t n =
        guest_load_atomic(g, site, barrier + WORD, WORD, TAGS_ATOMIC(RLX));
    if (n == 0)
        guest_fail(g, site, VIOLATION_LIBRARY,
                   "destroy of a barrier that is not initialised");
    if (guest_load_atomic(g, site, barrier, WORD, TAGS_ATOMIC(ACQ)) % n != 0)
        guest_fail(g, site, VIOLATION_LIBRARY,
                   "destroy of a barrier at which a thread waits");
    guest_store_atomic(g, site, barrier + WORD, WORD, TAGS_ATOMIC(RLX), 0);
    return 0;
}

/* 0: not called yet; 1: being called; 2: done. */
uint64_t guest_on_once(struct guest *g, uint32_t site, uint64_t word,
                       uint64_t function, uint64_t c, uint64_t d)
{
    (void)c, (void)d;
    if (image_find_function(g->image, function) == UINT32_MAX)
        guest_fail(g, site, VIOLATION_INVALID_ACCESS,
                   "call of 0x%llx: not a function",
                   (unsigned long long)function);
    uint64_t old = guest_rmw_read(g, site, word, WORD, TAGS_ATOMIC(ACQ), 0);
    if (old == 1)
        guest_block(g, site, BLOCK_SPIN);
    if (old == 2)
        return 0;
    guest_rmw_write(g, site, word, WORD, TAGS_ATOMIC(RLX), 1);
    ((void (*)(void))(uintptr_t)function)();
    guest_store_atomic(g, site, word, WORD, TAGS_UNLOCK, 2);
    return 0;
}
