/* Semaphores, read-write locks and condition variables, as words like mutexes.
 * A semaphore's word is its value; a read-write lock's counts the readers, or
 * is WRITER; a condition variable's counts signals.
 *
 * pthread_cond_signal wakes all who wait, which POSIX allows (a wakeup may be
 * spurious) and which includes every choice of the one that it must wake. That
 * a wait may also return without any signal is not explored. */
#include "frontend/source/guest_thread.h"

#include <errno.h>

#define WORD   4
#define WRITER 0x80000000u

uint64_t guest_on_sem_init(struct guest *g, uint32_t site, uint64_t sem,
                           uint64_t shared, uint64_t value, uint64_t d)
{
    (void)shared, (void)d;
    guest_store(g, site, sem, WORD, value);
    return 0;
}

static bool take_one(struct guest *g, uint32_t site, uint64_t sem)
{
    uint64_t value =
        guest_rmw_read(g, site, sem, WORD, TAGS_ATOMIC(ACQ), TAGS_ATOMIC(RLX));
    if (value == 0)
        return false;
    guest_rmw_write(g, site, sem, WORD, TAGS_ATOMIC(RLX), value - 1);
    return true;
}

uint64_t guest_on_sem_wait(struct guest *g, uint32_t site, uint64_t sem,
                           uint64_t b, uint64_t c, uint64_t d)
{
    (void)b, (void)c, (void)d;
    if (!take_one(g, site, sem))
        guest_block(g, site, BLOCK_LOCK);
    return 0;
}

uint64_t guest_on_sem_trywait(struct guest *g, uint32_t site, uint64_t sem,
                              uint64_t b, uint64_t c, uint64_t d)
{
    (void)b, (void)c, (void)d;
    return take_one(g, site, sem) ? 0 : UINT64_MAX;
}

uint64_t guest_on_sem_post(struct guest *g, uint32_t site, uint64_t sem,
                           uint64_t b, uint64_t c, uint64_t d)
{
    (void)b, (void)c, (void)d;
    uint64_t value = guest_rmw_read(g, site, sem, WORD, TAGS_ATOMIC(RLX), 0);
    guest_rmw_write(g, site, sem, WORD, TAGS_ATOMIC(REL), value + 1);
    return 0;
}

uint64_t guest_on_sem_getvalue(struct guest *g, uint32_t site, uint64_t sem,
                               uint64_t result, uint64_t c, uint64_t d)
{
    (void)c, (void)d;
    guest_store(g, site, result, WORD,
                guest_load_atomic(g, site, sem, WORD, TAGS_ATOMIC(RLX)));
    return 0;
}

uint64_t guest_on_rwlock_init(struct guest *g, uint32_t site, uint64_t lock,
                              uint64_t attributes, uint64_t c, uint64_t d)
{
    (void)attributes, (void)c, (void)d;
    guest_store(g, site, lock, WORD, 0);
    return 0;
}

/* In the table of held locks a writer's has the count WRITER. */
static bool try_lock(struct guest *g, uint32_t site, uint64_t lock, bool write)
{
    uint64_t value =
        guest_rmw_read(g, site, lock, WORD, TAGS_ATOMIC(ACQ), TAGS_ATOMIC(RLX));
    if (value & WRITER || (write && value))
        return false;
    guest_rmw_write(g, site, lock, WORD, TAGS_ATOMIC(RLX),
                    write ? WRITER : value + 1);
    struct guest_held *held = guest_find_held(g, lock);
    if (held)
        held->count++;
    else
        guest_hold(g, lock, write ? WRITER : 1);
    return true;
}

static uint64_t lock_or_block(struct guest *g, uint32_t site, uint64_t lock,
                              bool write)
{
    struct guest_held *held = guest_find_held(g, lock);
    if (held && (write || held->count & WRITER))
        guest_fail(g, site, VIOLATION_DEADLOCK,
                   "lock of a read-write lock that the thread holds already");
    if (!try_lock(g, site, lock, write))
        guest_block(g, site, BLOCK_LOCK);
    return 0;
}

uint64_t guest_on_rwlock_rdlock(struct guest *g, uint32_t site, uint64_t lock,
                                uint64_t b, uint64_t c, uint64_t d)
{
    (void)b, (void)c, (void)d;
    return lock_or_block(g, site, lock, false);
}

uint64_t guest_on_rwlock_wrlock(struct guest *g, uint32_t site, uint64_t lock,
                                uint64_t b, uint64_t c, uint64_t d)
{
    (void)b, (void)c, (void)d;
    return lock_or_block(g, site, lock, true);
}

uint64_t guest_on_rwlock_tryrdlock(struct guest *g, uint32_t site,
                                   uint64_t lock, uint64_t b, uint64_t c,
                                   uint64_t d)
{
    (void)b, (void)c, (void)d;
    return try_lock(g, site, lock, false) ? 0 : EBUSY;
}

uint64_t guest_on_rwlock_trywrlock(struct guest *g, uint32_t site,
                                   uint64_t lock, uint64_t b, uint64_t c,
                                   uint64_t d)
{
    (void)b, (void)c, (void)d;
    return try_lock(g, site, lock, true) ? 0 : EBUSY;
}

uint64_t guest_on_rwlock_unlock(struct guest *g, uint32_t site, uint64_t lock,
                                uint64_t b, uint64_t c, uint64_t d)
{
    (void)b, (void)c, (void)d;
    struct guest_held *held = guest_find_held(g, lock);
    if (!held)
        guest_fail(g, site, VIOLATION_MUTEX,
                   "unlock of a read-write lock that the thread does not hold");
    bool write = held->count & WRITER;
    if (write || held->count == 1)
        *held = g->thread->held[--g->thread->n_held];
    else
        held->count--;
    if (write) {
        guest_store_atomic(g, site, lock, WORD, TAGS_UNLOCK, 0);
        return 0;
    }
    uint64_t value = guest_rmw_read(g, site, lock, WORD, TAGS_ATOMIC(RLX), 0);
    guest_rmw_write(g, site, lock, WORD, TAGS_ATOMIC(REL), value - 1);
    return 0;
}

uint64_t guest_on_cond_init(struct guest *g, uint32_t site, uint64_t condition,
                            uint64_t attributes, uint64_t c, uint64_t d)
{
    (void)attributes, (void)c, (void)d;
    guest_store(g, site, condition, WORD, 0);
    return 0;
}

/* The count is read before the mutex is free: a signal that comes later is
 * not missed. */
uint64_t guest_on_cond_wait(struct guest *g, uint32_t site, uint64_t condition,
                            uint64_t mutex, uint64_t c, uint64_t d)
{
    uint64_t before =
        guest_load_atomic(g, site, condition, WORD, TAGS_ATOMIC(RLX));
    guest_on_mutex_unlock(g, site, mutex, 0, c, d);
    uint64_t now =
        guest_load_atomic(g, site, condition, WORD, TAGS_ATOMIC(RLX));
    if (now == before)
        guest_block(g, site, BLOCK_LOCK);
    return guest_on_mutex_lock(g, site, mutex, 0, c, d);
}

uint64_t guest_on_cond_signal(struct guest *g, uint32_t site,
                              uint64_t condition, uint64_t b, uint64_t c,
                              uint64_t d)
{
    (void)b, (void)c, (void)d;
    uint64_t value =
        guest_rmw_read(g, site, condition, WORD, TAGS_ATOMIC(RLX), 0);
    guest_rmw_write(g, site, condition, WORD, TAGS_ATOMIC(RLX), value + 1);
    return 0;
}
