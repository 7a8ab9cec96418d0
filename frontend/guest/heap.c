/* Objects on the heap: address space alone. An address depends on the thread
 * and on how many objects it made before. */
#include "frontend/guest/runtime.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static uint64_t allocate(uint64_t caller, uint64_t bytes, uint64_t zeroed)
{
    static const struct {
        uint64_t start;
        uint32_t bits, n;
    } areas[] = {
        {WIRE_HEAP, WIRE_SLOT_BITS, 1u << (30 - WIRE_SLOT_BITS)},
        {WIRE_HEAP_MEDIUM, WIRE_MEDIUM_BITS, 1u << (30 - WIRE_MEDIUM_BITS)},
        {WIRE_HEAP_LARGE, WIRE_LARGE_BITS, 4},
    };
    struct state *s = &__hwc_state;
    if (bytes > INT64_MAX)
        return 0; /* as every C library does */
    uint32_t *const counts[] = {&s->n_small, &s->n_medium, &s->n_large};
    for (unsigned i = 0; i < 3; i++) {
        if (bytes >> areas[i].bits)
            continue;
        uint32_t ordinal = (*counts[i])++;
        if (ordinal >= areas[i].n || s->n_objects == OBJECTS_MAX)
            __hwc_end(caller, OP_UNMODELLED,
                      (uint64_t)(uintptr_t)"too many allocations by one thread",
                      0, 0);
        uint64_t addr = __hwc_mailbox.region + areas[i].start +
                        ((uint64_t)ordinal << areas[i].bits);
        s->objects[s->n_objects++] = (struct object){addr, bytes};
        __hwc_tell(caller, OP_ALLOC, addr, bytes, zeroed);
        return addr;
    }
    __hwc_end(caller, OP_UNMODELLED,
              (uint64_t)(uintptr_t)"allocation of 1 GiB or more", 0, 0);
}

static void release(uint64_t caller, uint64_t addr)
{
    if (addr)
        __hwc_tell(caller, OP_FREE, addr, 0, 0);
}

void *malloc(size_t bytes)
{
    return (void *)(uintptr_t)allocate(CALLER, bytes, 0);
}

void *calloc(size_t n, size_t bytes)
{
    uint64_t all;
    if (__builtin_mul_overflow(n, bytes, &all))
        return NULL;
    return (void *)(uintptr_t)allocate(CALLER, all, 1);
}

/* C11 does not say what aligned_alloc does if the alignment is none. */
static uint64_t allocate_aligned(uint64_t caller, size_t alignment,
                                 size_t bytes)
{
    if (!alignment || alignment & (alignment - 1))
        __hwc_fail(caller, VIOLATION_LIBRARY,
                   "allocation with an alignment that is no power of two");
    if (alignment >> WIRE_SLOT_BITS)
        __hwc_end(caller, OP_UNMODELLED,
                  (uint64_t)(uintptr_t)"alignment of 64 KiB or more", 0, 0);
    return allocate(caller, bytes, 0);
}

void *aligned_alloc(size_t alignment, size_t bytes)
{
    return (void *)(uintptr_t)allocate_aligned(CALLER, alignment, bytes);
}

void *memalign(size_t alignment, size_t bytes)
{
    return (void *)(uintptr_t)allocate_aligned(CALLER, alignment, bytes);
}

int posix_memalign(void **pointer, size_t alignment, size_t bytes)
{
    uint64_t caller = CALLER;
    if (!alignment || alignment & (alignment - 1) || alignment % 8)
        return EINVAL;
    uint64_t addr = allocate_aligned(caller, alignment, bytes);
    if (!addr)
        return ENOMEM;
    __hwc_store(pointer, 8, addr);
    return 0;
}

void free(void *object)
{
    release(CALLER, (uint64_t)(uintptr_t)object);
}

/* Always moves, as it may. The size of the old object must be known, and only
 * what this thread did itself is. */
void *realloc(void *old, size_t bytes)
{
    uint64_t caller = CALLER;
    if (!old)
        return (void *)(uintptr_t)allocate(caller, bytes, 0);
    const struct state *s = &__hwc_state;
    uint32_t i = s->n_objects;
    while (i-- > 0 && s->objects[i].addr != (uint64_t)(uintptr_t)old)
        ;
    if (i == UINT32_MAX)
        __hwc_end(caller, OP_UNMODELLED,
                  (uint64_t)(uintptr_t)"realloc of memory that another thread "
                                       "allocated",
                  0, 0);
    uint64_t n = s->objects[i].bytes;
    void *moved = (void *)(uintptr_t)allocate(caller, bytes, 0);
    if (!moved)
        return NULL;
    memcpy(moved, old, n < bytes ? n : bytes);
    release(caller, (uint64_t)(uintptr_t)old);
    return moved;
}
