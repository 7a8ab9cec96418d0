#include "frontend/source/hooks_thread.h"

#include <stdio.h>

/* Not 0, and not a likely value of anything else. */
#define HANDLE_BASE 0x7400

uint64_t hooks_on_handle(struct hooks *h, uint32_t site, uint64_t a, uint64_t b,
                         uint64_t c, uint64_t d)
{
    (void)site, (void)a, (void)b, (void)c, (void)d;
    return HANDLE_BASE +
           path_thread(h->path, h->thread->id, h->thread->n_created);
}

uint64_t hooks_on_create(struct hooks *h, uint32_t site, uint64_t function,
                         uint64_t argument, uint64_t c, uint64_t d)
{
    (void)c, (void)d;
    uint32_t number = image_find_function(h->image, function);
    if (number == UINT32_MAX)
        hooks_fail(h, site, VIOLATION_INVALID_ACCESS,
                   "thread created to run 0x%llx: not a function",
                   (unsigned long long)function);
    thread_id child = path_thread(h->path, h->thread->id, h->thread->n_created);
    if (child >= AREA_THREADS)
        hooks_unmodelled(h, site, "more than %d threads", AREA_THREADS);
    h->thread->n_created++;
    struct label label = {
        .kind = LABEL_CREATE,
        .place = h->image->sites[site].place,
        .tags = TAG_BIT(TAG_CREATE) | TAGS_THREAD_SYNC,
        .loc = child,
    };
    if (hooks_is_live(h))
        label.aux = path_root(h->path, child, number, argument);
    hooks_tell(h, &label);
    return 0;
}

uint64_t hooks_on_join(struct hooks *h, uint32_t site, uint64_t handle,
                       uint64_t result, uint64_t c, uint64_t d)
{
    (void)c, (void)d;
    uint64_t child = handle - HANDLE_BASE;
    if (child >= h->path->n_threads || child == 0)
        hooks_fail(h, site, VIOLATION_THREAD,
                   "join of 0x%llx, which is not a thread",
                   (unsigned long long)handle);
    if (child == h->thread->id)
        hooks_fail(h, site, VIOLATION_DEADLOCK, "thread joins itself");
    struct label label = {
        .kind = LABEL_JOIN,
        .place = h->image->sites[site].place,
        .tags = TAG_BIT(TAG_JOIN) | TAGS_THREAD_SYNC,
        .loc = (loc_id)child,
    };
    uint64_t value = hooks_ask(h, &label);
    if (result)
        hooks_store(h, site, result, h->image->sites[site].size, value);
    return value;
}

uint64_t hooks_on_equal(struct hooks *h, uint32_t site, uint64_t a, uint64_t b,
                        uint64_t c, uint64_t d)
{
    (void)h, (void)site, (void)c, (void)d;
    return a == b;
}

uint64_t hooks_on_self(struct hooks *h, uint32_t site, uint64_t a, uint64_t b,
                       uint64_t c, uint64_t d)
{
    (void)site, (void)a, (void)b, (void)c, (void)d;
    return HANDLE_BASE + h->thread->id;
}

uint64_t hooks_on_thread_exit(struct hooks *h, uint32_t site, uint64_t value,
                              uint64_t b, uint64_t c, uint64_t d)
{
    (void)b, (void)c, (void)d;
    hooks_finish(h, site, value, END_THREAD);
}
