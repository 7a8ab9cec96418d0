/* Hooks for threads, locks and what else waits, see guest.h. */
#ifndef FRONTEND_GUEST_THREAD_H
#define FRONTEND_GUEST_THREAD_H

#include "frontend/source/guest.h"

/* Threads. A handle is a small number that says which thread. */
guest_hook guest_on_handle; /* of the thread that is created next */
guest_hook guest_on_create; /* function, argument */
/* handle, address for the result or 0; returns the result */
guest_hook guest_on_join;
guest_hook guest_on_self;
guest_hook guest_on_equal;       /* two handles */
guest_hook guest_on_thread_exit; /* value */

/* Marks of a write that gives a lock free. TAG_X: a lock must work on hardware
 * whose stores pass each other, so there it is a locked instruction. */
#define TAGS_UNLOCK (TAGS_ATOMIC(REL) | TAG_BIT(TAG_X))

/* The lock at `addr` if this thread holds it, else NULL. */
struct guest_held *guest_find_held(const struct guest *g, uint64_t addr);
void guest_hold(struct guest *g, uint64_t addr, uint32_t count);

/* Mutexes: one word, 0 when free. */
guest_hook guest_on_mutex_init; /* mutex, attributes */
guest_hook guest_on_mtx_init;   /* mutex, type */
guest_hook guest_on_mutex_destroy;
guest_hook guest_on_mutex_lock;
guest_hook guest_on_mutex_trylock;
guest_hook guest_on_mtx_trylock;
guest_hook guest_on_mutex_unlock;
guest_hook guest_on_mutexattr_init;
guest_hook guest_on_mutexattr_settype;

guest_hook guest_on_barrier_init; /* barrier, attributes, count */
guest_hook guest_on_barrier_wait;
guest_hook guest_on_barrier_destroy;
guest_hook guest_on_once; /* word, function */

/* Semaphores, read-write locks, condition variables. */
guest_hook guest_on_sem_init; /* semaphore, shared, value */
guest_hook guest_on_sem_wait;
guest_hook guest_on_sem_trywait;
guest_hook guest_on_sem_post;
guest_hook guest_on_sem_getvalue; /* semaphore, address for the value */
guest_hook guest_on_rwlock_init;
guest_hook guest_on_rwlock_rdlock;
guest_hook guest_on_rwlock_wrlock;
guest_hook guest_on_rwlock_tryrdlock;
guest_hook guest_on_rwlock_trywrlock;
guest_hook guest_on_rwlock_unlock;
guest_hook guest_on_cond_init;
guest_hook guest_on_cond_wait; /* condition, mutex */
guest_hook guest_on_cond_signal;

#endif
