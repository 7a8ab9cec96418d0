#include "frontend/source/guest_thread.h"

#include <stdio.h>

/* Not 0, and not a likely value of anything else. */
#define HANDLE_BASE 0x7400

uint64_t guest_on_handle(struct guest *g, uint32_t site, uint64_t a, uint64_t b,
                         uint64_t c, uint64_t d)
{
    (void)site, (void)a, (void)b, (void)c, (void)d;
    return HANDLE_BASE +
           path_thread(g->path, g->thread->id, g->thread->n_created);
}

uint64_t guest_on_create(struct guest *g, uint32_t site, uint64_t function,
                         uint64_t argument, uint64_t c, uint64_t d)
{
    (void)c, (void)d;
    uint32_t number = image_find_function(g->image, function);
    if (number == UINT32_MAX)
        guest_fail(g, site, VIOLATION_INVALID_ACCESS,
                   "thread created to run 0x%llx: not a function",
                   (unsigned long long)function);
    thread_id child = path_thread(g->path, g->thread->id, g->thread->n_created);
    if (child >= AREA_THREADS)
        guest_unmodelled(g, site, "more than %d threads", AREA_THREADS);
    g->thread->n_created++;
    struct label label = {
        .kind = LABEL_CREATE,
        .place = g->image->sites[site].place,
        .tags = TAG_BIT(TAG_CREATE) | TAGS_THREAD_SYNC,
        .loc = child,
    };
    if (guest_is_live(g))
        label.aux = path_root(g->path, child, number, argument);
    guest_tell(g, &label);
    return 0;
}

uint64_t guest_on_join(struct guest *g, uint32_t site, uint64_t handle,
                       uint64_t result, uint64_t c, uint64_t d)
{
    (void)c, (void)d;
    uint64_t child = handle - HANDLE_BASE;
    if (child >= g->path->n_threads || child == 0)
        guest_fail(g, site, VIOLATION_THREAD,
                   "join of 0x%llx, which is not a thread",
                   (unsigned long long)handle);
    if (child == g->thread->id)
        guest_fail(g, site, VIOLATION_DEADLOCK, "thread joins itself");
    struct label label = {
        .kind = LABEL_JOIN,
        .place = g->image->sites[site].place,
        .tags = TAG_BIT(TAG_JOIN) | TAGS_THREAD_SYNC,
        .loc = (loc_id)child,
    };
    uint64_t value = guest_ask(g, &label);
    if (result)
        guest_store(g, site, result, g->image->sites[site].size, value);
    return value;
}

uint64_t guest_on_equal(struct guest *g, uint32_t site, uint64_t a, uint64_t b,
                        uint64_t c, uint64_t d)
{
    (void)g, (void)site, (void)c, (void)d;
    return a == b;
}

uint64_t guest_on_self(struct guest *g, uint32_t site, uint64_t a, uint64_t b,
                       uint64_t c, uint64_t d)
{
    (void)site, (void)a, (void)b, (void)c, (void)d;
    return HANDLE_BASE + g->thread->id;
}

uint64_t guest_on_thread_exit(struct guest *g, uint32_t site, uint64_t value,
                              uint64_t b, uint64_t c, uint64_t d)
{
    (void)b, (void)c, (void)d;
    guest_finish(g, site, value);
}
