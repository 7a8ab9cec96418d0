/* Hooks for threads, locks and what else waits, see guest.h. */
#ifndef FRONTEND_GUEST_THREAD_H
#define FRONTEND_GUEST_THREAD_H

#include "frontend/guest.h"

/* Threads. A handle is a small number that says which thread. */
guest_hook guest_on_handle; /* of the thread that is created next */
guest_hook guest_on_create; /* function, argument */
/* handle, address for the result or 0; returns the result */
guest_hook guest_on_join;
guest_hook guest_on_self;
guest_hook guest_on_equal;       /* two handles */
guest_hook guest_on_thread_exit; /* value */

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
guest_hook guest_on_once; /* word, function */

#endif
