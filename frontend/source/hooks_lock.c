/* Mutexes, barriers and once-only calls as words that are read and written
 * atomically. A pthread_mutex_t or mtx_t has its word at offset 0 and, as in
 * glibc, its type at offset 16, so that the static initializers work. Which
 * mutexes a thread holds follows from what it did, so that misuse is seen
 * without events. */
#include "core/mem.h"
#include "frontend/source/hooks_thread.h"

#include <errno.h>
#include <pthread.h>
#include <threads.h>

#define WORD        4
#define TYPE_OFFSET 16

struct hooks_held *hooks_find_held(const struct hooks *h, uint64_t addr)
{
    for (uint32_t i = 0; i < h->thread->n_held; i++)
        if (h->thread->held[i].addr == addr)
            return &h->thread->held[i];
    return NULL;
}

void hooks_hold(struct hooks *h, uint64_t addr, uint32_t count)
{
    struct hooks_thread *t = h->thread;
    t->held = mem_room(t->held, t->n_held, &t->held_cap, sizeof *t->held);
    t->held[t->n_held++] = (struct hooks_held){addr, count};
}

static void init_mutex(struct hooks *h, uint32_t site, uint64_t mutex,
                       uint32_t type)
{
    hooks_store(h, site, mutex, WORD, 0);
    hooks_store(h, site, mutex + TYPE_OFFSET, WORD, type);
}

uint64_t hooks_on_mutex_init(struct hooks *h, uint32_t site, uint64_t mutex,
                             uint64_t attributes, uint64_t c, uint64_t d)
{
    (void)c, (void)d;
    uint64_t type = attributes ? hooks_load(h, site, attributes, WORD) : 0;
    init_mutex(h, site, mutex, (uint32_t)type);
    return 0;
}

uint64_t hooks_on_mtx_init(struct hooks *h, uint32_t site, uint64_t mutex,
                           uint64_t type, uint64_t c, uint64_t d)
{
    (void)c, (void)d;
    init_mutex(h, site, mutex,
               type & mtx_recursive ? PTHREAD_MUTEX_RECURSIVE : 0);
    return thrd_success;
}

uint64_t hooks_on_mutexattr_init(struct hooks *h, uint32_t site,
                                 uint64_t attributes, uint64_t b, uint64_t c,
                                 uint64_t d)
{
    (void)b, (void)c, (void)d;
    hooks_store(h, site, attributes, WORD, 0);
    return 0;
}

uint64_t hooks_on_mutexattr_settype(struct hooks *h, uint32_t site,
                                    uint64_t attributes, uint64_t type,
                                    uint64_t c, uint64_t d)
{
    (void)c, (void)d;
    hooks_store(h, site, attributes, WORD, type);
    return 0;
}

uint64_t hooks_on_mutex_destroy(struct hooks *h, uint32_t site, uint64_t mutex,
                                uint64_t b, uint64_t c, uint64_t d)
{
    (void)b, (void)c, (void)d;
    if (hooks_find_held(h, mutex) ||
        hooks_load_atomic(h, site, mutex, WORD, TAGS_ATOMIC(RLX)) != 0)
        hooks_fail(h, site, VIOLATION_MUTEX, "destroy of a locked mutex");
    return 0;
}

/* What lock of a mutex that the thread itself holds does: only then its type
 * matters. */
static uint64_t relock(struct hooks *h, uint32_t site, struct hooks_held *held,
                       bool wait)
{
    uint64_t type = hooks_load(h, site, held->addr + TYPE_OFFSET, WORD);
    if (type == PTHREAD_MUTEX_RECURSIVE) {
        held->count++;
        return 0;
    }
    if (!wait)
        return EBUSY;
    if (type == PTHREAD_MUTEX_ERRORCHECK)
        return EDEADLK;
    hooks_fail(h, site, VIOLATION_DEADLOCK,
               "lock of a mutex that the thread holds already");
}

uint64_t hooks_on_mutex_lock(struct hooks *h, uint32_t site, uint64_t mutex,
                             uint64_t b, uint64_t c, uint64_t d)
{
    (void)b, (void)c, (void)d;
    struct hooks_held *held = hooks_find_held(h, mutex);
    if (held)
        return relock(h, site, held, true);
    if (hooks_rmw_read(h, site, mutex, WORD,
                       TAGS_ATOMIC(ACQ) | TAG_BIT(TAG_LOCK), 0) != 0)
        hooks_block(h, site, BLOCK_LOCK);
    hooks_rmw_write(h, site, mutex, WORD, TAGS_ATOMIC(RLX), 1);
    hooks_hold(h, mutex, 1);
    return 0;
}

uint64_t hooks_on_mutex_trylock(struct hooks *h, uint32_t site, uint64_t mutex,
                                uint64_t b, uint64_t c, uint64_t d)
{
    (void)b, (void)c, (void)d;
    struct hooks_held *held = hooks_find_held(h, mutex);
    if (held)
        return relock(h, site, held, false);
    if (hooks_rmw_read(h, site, mutex, WORD, TAGS_ATOMIC(ACQ),
                       TAGS_ATOMIC(RLX)) != 0)
        return EBUSY;
    hooks_rmw_write(h, site, mutex, WORD, TAGS_ATOMIC(RLX), 1);
    hooks_hold(h, mutex, 1);
    return 0;
}

uint64_t hooks_on_mtx_trylock(struct hooks *h, uint32_t site, uint64_t mutex,
                              uint64_t b, uint64_t c, uint64_t d)
{
    return hooks_on_mutex_trylock(h, site, mutex, b, c, d) ? thrd_busy
                                                           : thrd_success;
}

uint64_t hooks_on_mutex_unlock(struct hooks *h, uint32_t site, uint64_t mutex,
                               uint64_t b, uint64_t c, uint64_t d)
{
    (void)b, (void)c, (void)d;
    struct hooks_held *held = hooks_find_held(h, mutex);
    if (!held)
        hooks_fail(h, site, VIOLATION_MUTEX,
                   "unlock of a mutex that the thread does not hold");
    if (--held->count > 0)
        return 0;
    *held = h->thread->held[--h->thread->n_held];
    hooks_store_atomic(h, site, mutex, WORD, TAGS_UNLOCK, 0);
    return 0;
}

/* A barrier counts arrivals; the round of an arrival is its number divided by
 * the size, which stands in the second word. */
uint64_t hooks_on_barrier_init(struct hooks *h, uint32_t site, uint64_t barrier,
                               uint64_t attributes, uint64_t n, uint64_t d)
{
    (void)attributes, (void)d;
    if ((uint32_t)n == 0)
        return EINVAL;
    hooks_store(h, site, barrier, WORD, 0);
    hooks_store(h, site, barrier + WORD, WORD, n);
    return 0;
}

uint64_t hooks_on_barrier_wait(struct hooks *h, uint32_t site, uint64_t barrier,
                               uint64_t b, uint64_t c, uint64_t d)
{
    (void)b, (void)c, (void)d;
    uint64_t n =
        hooks_load_atomic(h, site, barrier + WORD, WORD, TAGS_ATOMIC(RLX));
    if (n == 0)
        hooks_fail(h, site, VIOLATION_LIBRARY,
                   "wait at a barrier that is not initialised");
    uint64_t old = hooks_rmw_read(h, site, barrier, WORD, TAGS_ATOMIC(ACQ), 0);
    hooks_rmw_write(h, site, barrier, WORD, TAGS_ATOMIC(REL), old + 1);
    if ((old + 1) % n == 0)
        return (uint64_t)PTHREAD_BARRIER_SERIAL_THREAD;
    uint64_t now = hooks_load_atomic(h, site, barrier, WORD, TAGS_ATOMIC(ACQ));
    if (now / n <= old / n)
        hooks_block(h, site, BLOCK_SPIN);
    return 0;
}

/* The size goes, so that a later wait is seen to be wrong. */
uint64_t hooks_on_barrier_destroy(struct hooks *h, uint32_t site,
                                  uint64_t barrier, uint64_t b, uint64_t c,
                                  uint64_t d)
{
    (void)b, (void)c, (void)d;
    uint64_t n =
        hooks_load_atomic(h, site, barrier + WORD, WORD, TAGS_ATOMIC(RLX));
    if (n == 0)
        hooks_fail(h, site, VIOLATION_LIBRARY,
                   "destroy of a barrier that is not initialised");
    if (hooks_load_atomic(h, site, barrier, WORD, TAGS_ATOMIC(ACQ)) % n != 0)
        hooks_fail(h, site, VIOLATION_LIBRARY,
                   "destroy of a barrier at which a thread waits");
    hooks_store_atomic(h, site, barrier + WORD, WORD, TAGS_ATOMIC(RLX), 0);
    return 0;
}

/* 0: not called yet; 1: being called; 2: done. */
uint64_t hooks_on_once(struct hooks *h, uint32_t site, uint64_t word,
                       uint64_t function, uint64_t c, uint64_t d)
{
    (void)c, (void)d;
    if (image_find_function(h->image, function) == UINT32_MAX)
        hooks_fail(h, site, VIOLATION_INVALID_ACCESS,
                   "call of 0x%llx: not a function",
                   (unsigned long long)function);
    uint64_t old = hooks_rmw_read(h, site, word, WORD, TAGS_ATOMIC(ACQ), 0);
    if (old == 1)
        hooks_block(h, site, BLOCK_SPIN);
    if (old == 2)
        return 0;
    hooks_rmw_write(h, site, word, WORD, TAGS_ATOMIC(RLX), 1);
    ((void (*)(void))(uintptr_t)function)();
    hooks_store_atomic(h, site, word, WORD, TAGS_UNLOCK, 2);
    return 0;
}
