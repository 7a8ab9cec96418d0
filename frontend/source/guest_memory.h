/* Hooks for memory accesses, see guest.h. */
#ifndef FRONTEND_GUEST_MEMORY_H
#define FRONTEND_GUEST_MEMORY_H

#include "frontend/source/guest.h"

guest_hook guest_on_load;  /* address */
guest_hook guest_on_store; /* address, value */
guest_hook guest_on_rmw;   /* address, operand; returns the old value */
guest_hook guest_on_cas;   /* address, expected, desired; the old value */
guest_hook guest_on_fence;

/* Values of 16 bytes (core/wide.h). */
guest_hook guest_on_wide; /* low half, high half; the word */
guest_hook guest_on_half; /* word, 0 or 1; the low or high half */

/* destination, source, bytes, flags; as memmove */
enum { COPY_TO_NATIVE = 1, COPY_FROM_NATIVE = 2 };
guest_hook guest_on_copy;
/* destination, byte, bytes, flags */
guest_hook guest_on_fill;

guest_hook guest_on_local;   /* bytes, local's number; address of an object */
guest_hook guest_on_forget;  /* address: the object's scope ends */
guest_hook guest_on_bounds;  /* offset, size of access, size of variable */
guest_hook guest_on_divisor; /* divisor */

guest_hook guest_on_malloc;
guest_hook guest_on_calloc;
guest_hook guest_on_aligned_alloc;  /* alignment, bytes */
guest_hook guest_on_posix_memalign; /* pointer's address, alignment, bytes */
guest_hook guest_on_realloc;
guest_hook guest_on_free;

#endif
