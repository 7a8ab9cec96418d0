#include "frontend/source/hooks.h"

#include "core/mem.h"

#include <assert.h>
#include <stdarg.h>
#include <stdio.h>

/* A label of a thread that is run again is not added: it is there. */
static void add(struct hooks *h, const struct label *label)
{
    h->node = path_append(h->path, h->node, h->key, label);
    h->key = 0;
}

/* Does it leave anything behind for the rest of the program? A
 * read-modify-write that puts back what it found does not: take it away, and
 * who read from it reads the same value from its source, to whose release
 * sequence it belonged; nothing becomes ordered that was not. */
static bool is_effect(const struct hooks *h, const struct label *label)
{
    switch (label->kind) {
    case LABEL_READ:
    case LABEL_FENCE:
    case LABEL_CHOICE:
    case LABEL_WARN:
        return false;
    case LABEL_WRITE:
        return !label->rmw || label->value != h->thread->rmw_old;
    default:
        return true;
    }
}

static void count(struct hooks *h, const struct label *label)
{
    h->effects += is_effect(h, label);
    h->thread->place = label->place;
    if (label_is_event(label->kind)) {
        h->events++;
        h->thread->last_read = 0;
    }
}

void hooks_tell(struct hooks *h, const struct label *label)
{
    count(h, label);
    if (hooks_is_live(h))
        add(h, label);
}

uint64_t hooks_ask(struct hooks *h, const struct label *label)
{
    struct hooks_thread *t = h->thread;
    count(h, label);
    if (!hooks_is_live(h))
        return t->values[t->next++];
    add(h, label);
    t->effects = h->effects;
    t->events = h->events;
    t->parked = true;
    coroutine_yield(&t->coroutine);
    assert(t->next + 1 == t->n_values);
    return t->values[t->next++];
}

_Noreturn void hooks_end(struct hooks *h, const struct label *label)
{
    if (hooks_is_live(h))
        add(h, label);
    else
        h->diverged = true;
    coroutine_yield(&h->thread->coroutine);
    __builtin_unreachable();
}

_Noreturn void hooks_stop(struct hooks *h, uint32_t loop)
{
    h->stopped = true;
    h->stopped_loop = loop;
    coroutine_yield(&h->thread->coroutine);
    __builtin_unreachable();
}

static place_id place_of(const struct hooks *h, uint32_t site)
{
    return site == UINT32_MAX ? h->thread->place : h->image->sites[site].place;
}

static uint32_t format(struct hooks *h, const char *fmt, va_list args)
{
    char text[600];
    vsnprintf(text, sizeof text, fmt, args);
    return program_text(h->program, text);
}

_Noreturn void hooks_fail(struct hooks *h, uint32_t site,
                          enum violation_kind kind, const char *fmt, ...)
{
    va_list args;
    va_start(args, fmt);
    struct label label = {
        .kind = LABEL_ERROR,
        .place = place_of(h, site),
        .loc = LOC_NONE,
        .aux = format(h, fmt, args),
        .value = kind,
    };
    va_end(args);
    hooks_end(h, &label);
}

_Noreturn void hooks_unmodelled(struct hooks *h, uint32_t site, const char *fmt,
                                ...)
{
    char text[600], place[300];
    va_list args;
    va_start(args, fmt);
    int n = vsnprintf(text, sizeof text, fmt, args);
    va_end(args);
    program_print_place(h->program, place_of(h, site), place, sizeof place);
    if (n >= 0 && (size_t)n < sizeof text)
        snprintf(text + n, sizeof text - (size_t)n, ", at %s", place);
    struct label label = {
        .kind = LABEL_UNMODELLED,
        .place = place_of(h, site),
        .loc = LOC_NONE,
        .aux = program_text(h->program, text),
    };
    hooks_end(h, &label);
}

_Noreturn void hooks_block(struct hooks *h, uint32_t site,
                           enum block_reason reason)
{
    struct label label = {
        .kind = LABEL_BLOCK,
        .place = place_of(h, site),
        .loc = LOC_NONE,
        .aux = reason,
    };
    hooks_end(h, &label);
}

_Noreturn void hooks_wait(struct hooks *h, uint32_t site, uint64_t n_events)
{
    struct label label = {
        .kind = LABEL_BLOCK,
        .place = place_of(h, site),
        .loc = LOC_NONE,
        .aux = BLOCK_SPIN,
        .value = n_events,
    };
    hooks_end(h, &label);
}

_Noreturn void hooks_finish(struct hooks *h, uint32_t site, uint64_t value,
                            enum end_kind kind)
{
    struct label label = {
        .kind = LABEL_END,
        .place = place_of(h, site),
        .loc = LOC_NONE,
        .aux = kind,
        .value = value,
    };
    hooks_end(h, &label);
}

const char *hooks_constant(const struct hooks *h, uint64_t addr, uint64_t bytes)
{
    const struct image_global *object = image_find_global(h->image, addr);
    if (!object || !object->constant)
        return NULL;
    if (object->size - (addr - object->addr) < bytes)
        return NULL;
    return (const char *)(uintptr_t)addr;
}

const char *hooks_string(const struct hooks *h, uint64_t addr)
{
    const struct image_global *object = image_find_global(h->image, addr);
    if (!object || !object->constant)
        return "?";
    const char *s = (const char *)(uintptr_t)addr;
    for (uint64_t n = object->size - (addr - object->addr), k = 0; k < n; k++)
        if (!s[k])
            return s;
    return "?";
}
