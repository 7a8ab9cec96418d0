/* Hooks for memory accesses, see hooks.h. */
#ifndef FRONTEND_HOOKS_MEMORY_H
#define FRONTEND_HOOKS_MEMORY_H

#include "frontend/source/hooks.h"

hooks_function hooks_on_load;  /* address */
hooks_function hooks_on_store; /* address, value */
hooks_function hooks_on_rmw;   /* address, operand; returns the old value */
hooks_function hooks_on_cas;   /* address, expected, desired; the old value */
hooks_function hooks_on_fence;

/* Values of 16 bytes (core/wide.h). */
hooks_function hooks_on_wide; /* low half, high half; the word */
hooks_function hooks_on_half; /* word, 0 or 1; the low or high half */

/* destination, source, bytes, flags; as memmove */
enum { COPY_TO_NATIVE = 1, COPY_FROM_NATIVE = 2 };
hooks_function hooks_on_copy;
/* destination, byte, bytes, flags */
hooks_function hooks_on_fill;

hooks_function hooks_on_local; /* bytes, local's number; address of an object */
hooks_function hooks_on_forget;  /* address: the object's scope ends */
hooks_function hooks_on_bounds;  /* offset, size of access, size of variable */
hooks_function hooks_on_divisor; /* divisor */

hooks_function hooks_on_malloc;
hooks_function hooks_on_calloc;
hooks_function hooks_on_aligned_alloc; /* alignment, bytes */
hooks_function
    hooks_on_posix_memalign; /* pointer's address, alignment, bytes */
hooks_function hooks_on_realloc;
hooks_function hooks_on_free;

#endif
