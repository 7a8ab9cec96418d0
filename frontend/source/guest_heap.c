/* Objects on the heap, and variables on the stack whose address is known to
 * others. They are address space alone. */
#include "core/mem.h"
#include "frontend/source/guest_memory.h"

#include <errno.h>

static enum area fitting_area(enum area first, uint64_t bytes)
{
    for (enum area a = first; a < first + 3; a++)
        if (bytes < (uint64_t)1 << area_slot_bits(a))
            return a;
    return AREA_NONE;
}

uint64_t guest_allocate(struct guest *g, uint32_t site, enum area first,
                        uint64_t bytes, bool zero)
{
    struct guest_thread *t = g->thread;
    enum area area = fitting_area(first, bytes);
    if (area == AREA_NONE)
        return 0;
    uint64_t ordinal = t->n_objects[area]++;
    if (ordinal >> (AREA_BITS - area_slot_bits(area)))
        guest_unmodelled(g, site, "more than %llu allocations by one thread",
                         (unsigned long long)ordinal);
    uint64_t addr = area_start(t->id, area) + (ordinal << area_slot_bits(area));
    t->objects = mem_room(t->objects, t->n_all_objects, &t->objects_cap,
                          sizeof *t->objects);
    t->objects[t->n_all_objects++] = (struct guest_object){addr, bytes};
    struct label label = {
        .kind = LABEL_ALLOC,
        .place = g->image->sites[site].place,
        .tags = TAG_BIT(TAG_ALLOC),
        .loc = LOC_NONE,
        .aux = zero,
        .value = bytes,
    };
    if (guest_is_live(g))
        label.loc = locations_object(&g->program->locations, addr);
    guest_tell(g, &label);
    return addr;
}

bool guest_object_size(const struct guest *g, uint64_t addr, uint64_t *bytes)
{
    const struct guest_thread *t = g->thread;
    for (uint32_t i = t->n_all_objects; i-- > 0;) {
        if (t->objects[i].addr == addr) {
            *bytes = t->objects[i].size;
            return true;
        }
    }
    return false;
}

static void release(struct guest *g, uint32_t site, uint64_t addr)
{
    struct label label = {
        .kind = LABEL_FREE,
        .place = g->image->sites[site].place,
        .tags = TAG_BIT(TAG_FREE),
        .loc = LOC_NONE,
    };
    if (guest_is_live(g))
        label.loc = locations_object(&g->program->locations, addr);
    guest_tell(g, &label);
}

static uint32_t name_slot(uint64_t addr)
{
    uint64_t key = (addr - AREA_BASE) >> area_slot_bits(AREA_STACK);
    return (uint32_t)(key * 0x9e3779b97f4a7c15u >> 40) % GUEST_NAMES;
}

const struct guest_name *guest_find_name(const struct guest *g, uint64_t addr)
{
    const struct guest_name *n = &g->local_names[name_slot(addr)];
    return n->addr == addr ? n : NULL;
}

/* For names in reports only: another path of the thread may put another
 * variable at the same address. */
static void remember_local(struct guest *g, uint64_t addr, uint32_t local)
{
    g->local_names[name_slot(addr)] = (struct guest_name){addr, local};
}

uint64_t guest_on_local(struct guest *g, uint32_t site, uint64_t bytes,
                        uint64_t local, uint64_t c, uint64_t d)
{
    (void)c, (void)d;
    uint64_t addr = guest_allocate(g, site, AREA_STACK, bytes, true);
    if (!addr)
        guest_fail(g, site, VIOLATION_STACK_OVERFLOW,
                   "variable of %llu bytes on the stack",
                   (unsigned long long)bytes);
    remember_local(g, addr, (uint32_t)local);
    return addr;
}

uint64_t guest_on_forget(struct guest *g, uint32_t site, uint64_t addr,
                         uint64_t b, uint64_t c, uint64_t d)
{
    (void)b, (void)c, (void)d;
    release(g, site, addr);
    return 0;
}

uint64_t guest_on_malloc(struct guest *g, uint32_t site, uint64_t bytes,
                         uint64_t b, uint64_t c, uint64_t d)
{
    (void)b, (void)c, (void)d;
    return guest_allocate(g, site, AREA_HEAP, bytes, false);
}

uint64_t guest_on_calloc(struct guest *g, uint32_t site, uint64_t n,
                         uint64_t bytes, uint64_t c, uint64_t d)
{
    (void)c, (void)d;
    uint64_t all;
    if (__builtin_mul_overflow(n, bytes, &all))
        return 0;
    return guest_allocate(g, site, AREA_HEAP, all, true);
}

/* C11 does not say what it does if the alignment is none. */
uint64_t guest_on_aligned_alloc(struct guest *g, uint32_t site,
                                uint64_t alignment, uint64_t bytes, uint64_t c,
                                uint64_t d)
{
    (void)c, (void)d;
    if (!alignment || alignment & (alignment - 1))
        guest_fail(g, site, VIOLATION_LIBRARY,
                   "allocation with an alignment that is no power of two");
    if (alignment >> area_slot_bits(AREA_HEAP))
        guest_unmodelled(g, site, "alignment of %llu bytes",
                         (unsigned long long)alignment);
    return guest_allocate(g, site, AREA_HEAP, bytes, false);
}

uint64_t guest_on_posix_memalign(struct guest *g, uint32_t site,
                                 uint64_t pointer, uint64_t alignment,
                                 uint64_t bytes, uint64_t d)
{
    if (!alignment || alignment & (alignment - 1) || alignment % 8)
        return EINVAL;
    uint64_t addr = guest_on_aligned_alloc(g, site, alignment, bytes, 0, d);
    if (!addr)
        return ENOMEM;
    guest_store(g, site, pointer, 8, addr);
    return 0;
}

uint64_t guest_on_free(struct guest *g, uint32_t site, uint64_t addr,
                       uint64_t b, uint64_t c, uint64_t d)
{
    (void)b, (void)c, (void)d;
    if (!addr)
        return 0;
    thread_id thread;
    enum area area = area_of(addr, &thread);
    if (area > AREA_HEAP_LARGE || addr != area_slot(addr, area))
        guest_fail(g, site, VIOLATION_INVALID_FREE, "free of 0x%llx: %s",
                   (unsigned long long)addr,
                   area <= AREA_HEAP_LARGE ? "not the start of an object"
                                           : "not from malloc");
    release(g, site, addr);
    return 0;
}

/* Always moves, as it may. The size of the old object must be known, and only
 * what this thread did itself is. */
uint64_t guest_on_realloc(struct guest *g, uint32_t site, uint64_t old,
                          uint64_t bytes, uint64_t c, uint64_t d)
{
    if (!old)
        return guest_allocate(g, site, AREA_HEAP, bytes, false);
    uint64_t old_bytes;
    if (!guest_object_size(g, old, &old_bytes))
        guest_unmodelled(g, site,
                         "realloc of memory that another thread allocated");
    uint64_t addr = guest_allocate(g, site, AREA_HEAP, bytes, false);
    if (!addr)
        return 0;
    guest_on_copy(g, site, addr, old, old_bytes < bytes ? old_bytes : bytes, 0);
    guest_on_free(g, site, old, 0, c, d);
    return addr;
}
