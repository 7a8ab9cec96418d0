/* Semaphores, read-write locks and condition variables, as words like mutexes.
 * A semaphore's word is its value; a read-write lock's counts the readers, or
 * is WRITER; a condition variable's counts signals: a signal wakes all who
 * wait, which POSIX allows. */
#include "frontend/guest/runtime.h"

#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <threads.h>

#define WORD   4
#define WRITER 0x80000000u

/* ---- semaphores */

int sem_init(sem_t *sem, int shared, unsigned value)
{
    (void)shared;
    __hwc_store(sem, WORD, value);
    return 0;
}

int sem_destroy(sem_t *sem)
{
    (void)sem;
    return 0;
}

static int take_one(uint64_t caller, sem_t *sem)
{
    uint64_t value = __hwc_read(caller, sem, WORD, MODE_TRYLOCK);
    if (value == 0)
        return 0;
    __hwc_write(caller, sem, WORD, MODE_RMW_WRITE, value - 1);
    return 1;
}

int sem_wait(sem_t *sem)
{
    uint64_t caller = CALLER;
    if (!take_one(caller, sem))
        __hwc_end(caller, OP_BLOCK, BLOCK_LOCK, 0, 0);
    return 0;
}

int sem_trywait(sem_t *sem)
{
    return take_one(CALLER, sem) ? 0 : -1;
}

int sem_post(sem_t *sem)
{
    uint64_t caller = CALLER;
    uint64_t value = __hwc_read(caller, sem, WORD, MODE_RMW_REL);
    __hwc_write(caller, sem, WORD, MODE_RMW_WRITE_REL, value + 1);
    return 0;
}

int sem_getvalue(sem_t *sem, int *value)
{
    __hwc_store(value, WORD, __hwc_read(CALLER, sem, WORD, MODE_RLX));
    return 0;
}

/* ---- read-write locks: a writer holds one with the count WRITER */

int pthread_rwlock_init(pthread_rwlock_t *lock, const pthread_rwlockattr_t *a)
{
    (void)a;
    __hwc_store(lock, WORD, 0);
    return 0;
}

int pthread_rwlock_destroy(pthread_rwlock_t *lock)
{
    (void)lock;
    return 0;
}

static int try_lock(uint64_t caller, void *lock, int write)
{
    uint64_t value = __hwc_read(caller, lock, WORD, MODE_TRYLOCK);
    if (value & WRITER || (write && value))
        return 0;
    __hwc_write(caller, lock, WORD, MODE_RMW_WRITE, write ? WRITER : value + 1);
    struct held *held = __hwc_find_held(lock);
    if (held)
        held->count++;
    else
        __hwc_hold(caller, lock, write ? WRITER : 1);
    return 1;
}

static int lock_or_block(uint64_t caller, void *lock, int write)
{
    struct held *held = __hwc_find_held(lock);
    if (held && (write || held->count & WRITER))
        __hwc_fail(caller, VIOLATION_DEADLOCK,
                   "lock of a read-write lock that the thread holds already");
    if (!try_lock(caller, lock, write))
        __hwc_end(caller, OP_BLOCK, BLOCK_LOCK, 0, 0);
    return 0;
}

int pthread_rwlock_rdlock(pthread_rwlock_t *lock)
{
    return lock_or_block(CALLER, lock, 0);
}

int pthread_rwlock_wrlock(pthread_rwlock_t *lock)
{
    return lock_or_block(CALLER, lock, 1);
}

int pthread_rwlock_tryrdlock(pthread_rwlock_t *lock)
{
    return try_lock(CALLER, lock, 0) ? 0 : EBUSY;
}

int pthread_rwlock_trywrlock(pthread_rwlock_t *lock)
{
    return try_lock(CALLER, lock, 1) ? 0 : EBUSY;
}

int pthread_rwlock_unlock(pthread_rwlock_t *lock)
{
    uint64_t caller = CALLER;
    struct state *s = &__hwc_state;
    struct held *held = __hwc_find_held(lock);
    if (!held)
        __hwc_fail(caller, VIOLATION_MUTEX,
                   "unlock of a read-write lock that the thread does not hold");
    int write = (held->count & WRITER) != 0;
    if (write || held->count == 1)
        *held = s->held[--s->n_held];
    else
        held->count--;
    if (write) {
        __hwc_write(caller, lock, WORD, MODE_REL, 0);
        return 0;
    }
    uint64_t value = __hwc_read(caller, lock, WORD, MODE_RMW_REL);
    __hwc_write(caller, lock, WORD, MODE_RMW_WRITE_REL, value - 1);
    return 0;
}

/* ---- condition variables */

/* The count is read before the mutex is free: a signal that comes later is
 * not missed. */
static int wait(uint64_t caller, void *condition, void *mutex)
{
    uint64_t before = __hwc_read(caller, condition, WORD, MODE_RLX);
    __hwc_unlock(caller, mutex);
    if (__hwc_read(caller, condition, WORD, MODE_RLX) == before)
        __hwc_end(caller, OP_BLOCK, BLOCK_LOCK, 0, 0);
    return __hwc_lock(caller, mutex);
}

static int wake(uint64_t caller, void *condition)
{
    uint64_t value = __hwc_read(caller, condition, WORD, MODE_RMW_RLX);
    __hwc_write(caller, condition, WORD, MODE_RMW_WRITE, value + 1);
    return 0;
}

int pthread_cond_init(pthread_cond_t *condition, const pthread_condattr_t *a)
{
    (void)a;
    __hwc_store(condition, WORD, 0);
    return 0;
}

int pthread_cond_destroy(pthread_cond_t *condition)
{
    (void)condition;
    return 0;
}

int pthread_cond_wait(pthread_cond_t *condition, pthread_mutex_t *mutex)
{
    return wait(CALLER, condition, mutex);
}

int pthread_cond_signal(pthread_cond_t *condition)
{
    return wake(CALLER, condition);
}

int pthread_cond_broadcast(pthread_cond_t *condition)
{
    return wake(CALLER, condition);
}

int cnd_init(cnd_t *condition)
{
    __hwc_store(condition, WORD, 0);
    return thrd_success;
}

void cnd_destroy(cnd_t *condition)
{
    (void)condition;
}

int cnd_wait(cnd_t *condition, mtx_t *mutex)
{
    return wait(CALLER, condition, mutex);
}

int cnd_signal(cnd_t *condition)
{
    return wake(CALLER, condition);
}

int cnd_broadcast(cnd_t *condition)
{
    return wake(CALLER, condition);
}
