/* Objects on the heap, and variables on the stack whose address is known to
 * others. They are address space alone. */
#include "core/mem.h"
#include "frontend/source/hooks_memory.h"

#include <errno.h>

static enum area fitting_area(enum area first, uint64_t bytes)
{
    for (enum area a = first; a < first + 3; a++)
        if (bytes < (uint64_t)1 << area_slot_bits(a))
            return a;
    return AREA_NONE;
}

uint64_t hooks_allocate(struct hooks *h, uint32_t site, enum area first,
                        uint64_t bytes, bool zero)
{
    struct hooks_thread *t = h->thread;
    enum area area = fitting_area(first, bytes);
    if (area == AREA_NONE)
        return 0;
    uint64_t ordinal = t->n_objects[area]++;
    if (ordinal >> (AREA_BITS - area_slot_bits(area)))
        hooks_unmodelled(h, site, "more than %llu allocations by one thread",
                         (unsigned long long)ordinal);
    uint64_t addr = area_start(t->id, area) + (ordinal << area_slot_bits(area));
    t->objects = mem_room(t->objects, t->n_all_objects, &t->objects_cap,
                          sizeof *t->objects);
    t->objects[t->n_all_objects++] = (struct hooks_object){addr, bytes};
    struct label label = {
        .kind = LABEL_ALLOC,
        .place = h->image->sites[site].place,
        .tags = TAG_BIT(TAG_ALLOC),
        .loc = LOC_NONE,
        .aux = zero,
        .value = bytes,
    };
    if (hooks_is_live(h))
        label.loc = locations_object(&h->program->locations, addr);
    hooks_tell(h, &label);
    return addr;
}

bool hooks_object_size(const struct hooks *h, uint64_t addr, uint64_t *bytes)
{
    const struct hooks_thread *t = h->thread;
    for (uint32_t i = t->n_all_objects; i-- > 0;) {
        if (t->objects[i].addr == addr) {
            *bytes = t->objects[i].size;
            return true;
        }
    }
    return false;
}

static void release(struct hooks *h, uint32_t site, uint64_t addr)
{
    struct label label = {
        .kind = LABEL_FREE,
        .place = h->image->sites[site].place,
        .tags = TAG_BIT(TAG_FREE),
        .loc = LOC_NONE,
    };
    if (hooks_is_live(h))
        label.loc = locations_object(&h->program->locations, addr);
    hooks_tell(h, &label);
}

static uint32_t name_slot(uint64_t addr)
{
    uint64_t key = (addr - AREA_BASE) >> area_slot_bits(AREA_STACK);
    return (uint32_t)(key * 0x9e3779b97f4a7c15u >> 40) % HOOKS_NAMES;
}

const struct hooks_name *hooks_find_name(const struct hooks *h, uint64_t addr)
{
    const struct hooks_name *n = &h->local_names[name_slot(addr)];
    return n->addr == addr ? n : NULL;
}

/* For names in reports only: another path of the thread may put another
 * variable at the same address. */
static void remember_local(struct hooks *h, uint64_t addr, uint32_t local)
{
    h->local_names[name_slot(addr)] = (struct hooks_name){addr, local};
}

uint64_t hooks_on_local(struct hooks *h, uint32_t site, uint64_t bytes,
                        uint64_t local, uint64_t c, uint64_t d)
{
    (void)c, (void)d;
    uint64_t addr = hooks_allocate(h, site, AREA_STACK, bytes, true);
    if (!addr)
        hooks_fail(h, site, VIOLATION_STACK_OVERFLOW,
                   "variable of %llu bytes on the stack",
                   (unsigned long long)bytes);
    remember_local(h, addr, (uint32_t)local);
    return addr;
}

uint64_t hooks_on_forget(struct hooks *h, uint32_t site, uint64_t addr,
                         uint64_t b, uint64_t c, uint64_t d)
{
    (void)b, (void)c, (void)d;
    release(h, site, addr);
    return 0;
}

/* NULL is what every C library returns for more than PTRDIFF_MAX bytes, and
 * none for less that is there. */
static uint64_t allocate(struct hooks *h, uint32_t site, uint64_t bytes,
                         bool zero)
{
    if (bytes > INT64_MAX)
        return 0;
    uint64_t addr = hooks_allocate(h, site, AREA_HEAP, bytes, zero);
    if (!addr)
        hooks_unmodelled(h, site, "allocation of %llu bytes, not less than %u",
                         (unsigned long long)bytes,
                         1u << area_slot_bits(AREA_HEAP_LARGE));
    return addr;
}

uint64_t hooks_on_malloc(struct hooks *h, uint32_t site, uint64_t bytes,
                         uint64_t b, uint64_t c, uint64_t d)
{
    (void)b, (void)c, (void)d;
    return allocate(h, site, bytes, false);
}

uint64_t hooks_on_calloc(struct hooks *h, uint32_t site, uint64_t n,
                         uint64_t bytes, uint64_t c, uint64_t d)
{
    (void)c, (void)d;
    uint64_t all;
    if (__builtin_mul_overflow(n, bytes, &all))
        return 0;
    return allocate(h, site, all, true);
}

/* C11 does not say what it does if the alignment is none. */
uint64_t hooks_on_aligned_alloc(struct hooks *h, uint32_t site,
                                uint64_t alignment, uint64_t bytes, uint64_t c,
                                uint64_t d)
{
    (void)c, (void)d;
    if (!alignment || alignment & (alignment - 1))
        hooks_fail(h, site, VIOLATION_LIBRARY,
                   "allocation with an alignment that is no power of two");
    if (alignment >> area_slot_bits(AREA_HEAP))
        hooks_unmodelled(h, site, "alignment of %llu bytes",
                         (unsigned long long)alignment);
    return allocate(h, site, bytes, false);
}

uint64_t hooks_on_posix_memalign(struct hooks *h, uint32_t site,
                                 uint64_t pointer, uint64_t alignment,
                                 uint64_t bytes, uint64_t d)
{
    if (!alignment || alignment & (alignment - 1) || alignment % 8)
        return EINVAL;
    uint64_t addr = hooks_on_aligned_alloc(h, site, alignment, bytes, 0, d);
    if (!addr)
        return ENOMEM;
    hooks_store(h, site, pointer, 8, addr);
    return 0;
}

uint64_t hooks_on_free(struct hooks *h, uint32_t site, uint64_t addr,
                       uint64_t b, uint64_t c, uint64_t d)
{
    (void)b, (void)c, (void)d;
    if (!addr)
        return 0;
    thread_id thread;
    enum area area = area_of(addr, &thread);
    if (area > AREA_HEAP_LARGE || addr != area_slot(addr, area))
        hooks_fail(h, site, VIOLATION_INVALID_FREE, "free of 0x%llx: %s",
                   (unsigned long long)addr,
                   area <= AREA_HEAP_LARGE ? "not the start of an object"
                                           : "not from malloc");
    release(h, site, addr);
    return 0;
}

/* Always moves, as it may. The size of the old object must be known, and only
 * what this thread did itself is. */
uint64_t hooks_on_realloc(struct hooks *h, uint32_t site, uint64_t old,
                          uint64_t bytes, uint64_t c, uint64_t d)
{
    if (!old)
        return allocate(h, site, bytes, false);
    uint64_t old_bytes;
    if (!hooks_object_size(h, old, &old_bytes))
        hooks_unmodelled(h, site,
                         "realloc of memory that another thread allocated");
    uint64_t addr = allocate(h, site, bytes, false);
    if (!addr)
        return 0;
    hooks_on_copy(h, site, addr, old, old_bytes < bytes ? old_bytes : bytes, 0);
    hooks_on_free(h, site, old, 0, c, d);
    return addr;
}
