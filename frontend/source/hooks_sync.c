/* Semaphores, read-write locks and condition variables, as words like mutexes.
 * A semaphore's word is its value; a read-write lock's counts the readers, or
 * is WRITER; a condition variable's counts signals.
 *
 * pthread_cond_signal wakes all who wait, which POSIX allows (a wakeup may be
 * spurious) and which includes every choice of the one that it must wake. That
 * a wait may also return without any signal is not explored. */
#include "frontend/source/hooks_thread.h"

#include <errno.h>

#define WORD   4
#define WRITER 0x80000000u

uint64_t hooks_on_sem_init(struct hooks *h, uint32_t site, uint64_t sem,
                           uint64_t shared, uint64_t value, uint64_t d)
{
    (void)shared, (void)d;
    hooks_store(h, site, sem, WORD, value);
    return 0;
}

static bool take_one(struct hooks *h, uint32_t site, uint64_t sem)
{
    uint64_t value =
        hooks_rmw_read(h, site, sem, WORD, TAGS_ATOMIC(ACQ), TAGS_ATOMIC(RLX));
    if (value == 0)
        return false;
    hooks_rmw_write(h, site, sem, WORD, TAGS_ATOMIC(RLX), value - 1);
    return true;
}

uint64_t hooks_on_sem_wait(struct hooks *h, uint32_t site, uint64_t sem,
                           uint64_t b, uint64_t c, uint64_t d)
{
    (void)b, (void)c, (void)d;
    if (!take_one(h, site, sem))
        hooks_block(h, site, BLOCK_LOCK);
    return 0;
}

uint64_t hooks_on_sem_trywait(struct hooks *h, uint32_t site, uint64_t sem,
                              uint64_t b, uint64_t c, uint64_t d)
{
    (void)b, (void)c, (void)d;
    return take_one(h, site, sem) ? 0 : UINT64_MAX;
}

uint64_t hooks_on_sem_post(struct hooks *h, uint32_t site, uint64_t sem,
                           uint64_t b, uint64_t c, uint64_t d)
{
    (void)b, (void)c, (void)d;
    uint64_t value = hooks_rmw_read(h, site, sem, WORD, TAGS_ATOMIC(RLX), 0);
    hooks_rmw_write(h, site, sem, WORD, TAGS_ATOMIC(REL), value + 1);
    return 0;
}

uint64_t hooks_on_sem_getvalue(struct hooks *h, uint32_t site, uint64_t sem,
                               uint64_t result, uint64_t c, uint64_t d)
{
    (void)c, (void)d;
    hooks_store(h, site, result, WORD,
                hooks_load_atomic(h, site, sem, WORD, TAGS_ATOMIC(RLX)));
    return 0;
}

uint64_t hooks_on_rwlock_init(struct hooks *h, uint32_t site, uint64_t lock,
                              uint64_t attributes, uint64_t c, uint64_t d)
{
    (void)attributes, (void)c, (void)d;
    hooks_store(h, site, lock, WORD, 0);
    return 0;
}

/* In the table of held locks a writer's has the count WRITER. */
static bool try_lock(struct hooks *h, uint32_t site, uint64_t lock, bool write)
{
    uint64_t value =
        hooks_rmw_read(h, site, lock, WORD, TAGS_ATOMIC(ACQ), TAGS_ATOMIC(RLX));
    if (value & WRITER || (write && value))
        return false;
    hooks_rmw_write(h, site, lock, WORD, TAGS_ATOMIC(RLX),
                    write ? WRITER : value + 1);
    struct hooks_held *held = hooks_find_held(h, lock);
    if (held)
        held->count++;
    else
        hooks_hold(h, lock, write ? WRITER : 1);
    return true;
}

static uint64_t lock_or_block(struct hooks *h, uint32_t site, uint64_t lock,
                              bool write)
{
    struct hooks_held *held = hooks_find_held(h, lock);
    if (held && (write || held->count & WRITER))
        hooks_fail(h, site, VIOLATION_DEADLOCK,
                   "lock of a read-write lock that the thread holds already");
    if (!try_lock(h, site, lock, write))
        hooks_block(h, site, BLOCK_LOCK);
    return 0;
}

uint64_t hooks_on_rwlock_rdlock(struct hooks *h, uint32_t site, uint64_t lock,
                                uint64_t b, uint64_t c, uint64_t d)
{
    (void)b, (void)c, (void)d;
    return lock_or_block(h, site, lock, false);
}

uint64_t hooks_on_rwlock_wrlock(struct hooks *h, uint32_t site, uint64_t lock,
                                uint64_t b, uint64_t c, uint64_t d)
{
    (void)b, (void)c, (void)d;
    return lock_or_block(h, site, lock, true);
}

uint64_t hooks_on_rwlock_tryrdlock(struct hooks *h, uint32_t site,
                                   uint64_t lock, uint64_t b, uint64_t c,
                                   uint64_t d)
{
    (void)b, (void)c, (void)d;
    return try_lock(h, site, lock, false) ? 0 : EBUSY;
}

uint64_t hooks_on_rwlock_trywrlock(struct hooks *h, uint32_t site,
                                   uint64_t lock, uint64_t b, uint64_t c,
                                   uint64_t d)
{
    (void)b, (void)c, (void)d;
    return try_lock(h, site, lock, true) ? 0 : EBUSY;
}

uint64_t hooks_on_rwlock_unlock(struct hooks *h, uint32_t site, uint64_t lock,
                                uint64_t b, uint64_t c, uint64_t d)
{
    (void)b, (void)c, (void)d;
    struct hooks_held *held = hooks_find_held(h, lock);
    if (!held)
        hooks_fail(h, site, VIOLATION_MUTEX,
                   "unlock of a read-write lock that the thread does not hold");
    bool write = held->count & WRITER;
    if (write || held->count == 1)
        *held = h->thread->held[--h->thread->n_held];
    else
        held->count--;
    if (write) {
        hooks_store_atomic(h, site, lock, WORD, TAGS_UNLOCK, 0);
        return 0;
    }
    uint64_t value = hooks_rmw_read(h, site, lock, WORD, TAGS_ATOMIC(RLX), 0);
    hooks_rmw_write(h, site, lock, WORD, TAGS_ATOMIC(REL), value - 1);
    return 0;
}

uint64_t hooks_on_cond_init(struct hooks *h, uint32_t site, uint64_t condition,
                            uint64_t attributes, uint64_t c, uint64_t d)
{
    (void)attributes, (void)c, (void)d;
    hooks_store(h, site, condition, WORD, 0);
    return 0;
}

/* The count is read before the mutex is free: a signal that comes later is
 * not missed. */
uint64_t hooks_on_cond_wait(struct hooks *h, uint32_t site, uint64_t condition,
                            uint64_t mutex, uint64_t c, uint64_t d)
{
    uint64_t before =
        hooks_load_atomic(h, site, condition, WORD, TAGS_ATOMIC(RLX));
    hooks_on_mutex_unlock(h, site, mutex, 0, c, d);
    uint64_t now =
        hooks_load_atomic(h, site, condition, WORD, TAGS_ATOMIC(RLX));
    if (now == before)
        hooks_block(h, site, BLOCK_LOCK);
    return hooks_on_mutex_lock(h, site, mutex, 0, c, d);
}

uint64_t hooks_on_cond_signal(struct hooks *h, uint32_t site,
                              uint64_t condition, uint64_t b, uint64_t c,
                              uint64_t d)
{
    (void)b, (void)c, (void)d;
    uint64_t value =
        hooks_rmw_read(h, site, condition, WORD, TAGS_ATOMIC(RLX), 0);
    hooks_rmw_write(h, site, condition, WORD, TAGS_ATOMIC(RLX), value + 1);
    return 0;
}
