/* Hooks for threads, locks and what else waits, see hooks.h. */
#ifndef FRONTEND_HOOKS_THREAD_H
#define FRONTEND_HOOKS_THREAD_H

#include "frontend/source/hooks.h"

/* Threads. A handle is a small number that says which thread. */
hooks_function hooks_on_handle; /* of the thread that is created next */
hooks_function hooks_on_create; /* function, argument */
/* handle, address for the result or 0; returns the result */
hooks_function hooks_on_join;
hooks_function hooks_on_self;
hooks_function hooks_on_equal;       /* two handles */
hooks_function hooks_on_thread_exit; /* value */

/* Marks of a write that gives a lock free. TAG_X: a lock must work on hardware
 * whose stores pass each other, so there it is a locked instruction. */
#define TAGS_UNLOCK (TAGS_ATOMIC(REL) | TAG_BIT(TAG_X))

/* The lock at `addr` if this thread holds it, else NULL. */
struct hooks_held *hooks_find_held(const struct hooks *h, uint64_t addr);
void hooks_hold(struct hooks *h, uint64_t addr, uint32_t count);

/* Mutexes: one word, 0 when free. */
hooks_function hooks_on_mutex_init; /* mutex, attributes */
hooks_function hooks_on_mtx_init;   /* mutex, type */
hooks_function hooks_on_mutex_destroy;
hooks_function hooks_on_mutex_lock;
hooks_function hooks_on_mutex_trylock;
hooks_function hooks_on_mtx_trylock;
hooks_function hooks_on_mutex_unlock;
hooks_function hooks_on_mutexattr_init;
hooks_function hooks_on_mutexattr_settype;

hooks_function hooks_on_barrier_init; /* barrier, attributes, count */
hooks_function hooks_on_barrier_wait;
hooks_function hooks_on_barrier_destroy;
hooks_function hooks_on_once; /* word, function */

/* Semaphores, read-write locks, condition variables. */
hooks_function hooks_on_sem_init; /* semaphore, shared, value */
hooks_function hooks_on_sem_wait;
hooks_function hooks_on_sem_trywait;
hooks_function hooks_on_sem_post;
hooks_function hooks_on_sem_getvalue; /* semaphore, address for the value */
hooks_function hooks_on_rwlock_init;
hooks_function hooks_on_rwlock_rdlock;
hooks_function hooks_on_rwlock_wrlock;
hooks_function hooks_on_rwlock_tryrdlock;
hooks_function hooks_on_rwlock_trywrlock;
hooks_function hooks_on_rwlock_unlock;
hooks_function hooks_on_cond_init;
hooks_function hooks_on_cond_wait; /* condition, mutex */
hooks_function hooks_on_cond_signal;

#endif
