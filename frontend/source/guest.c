#include "frontend/source/guest.h"

#include "core/mem.h"

#include <assert.h>
#include <stdarg.h>
#include <stdio.h>

/* A label of a thread that is run again is not added: it is there. */
static void add(struct guest *g, const struct label *label)
{
    g->node = path_append(g->path, g->node, g->key, label);
    g->key = 0;
}

/* Does it leave anything behind for the rest of the program? A
 * read-modify-write that puts back what it found does not: take it away, and
 * who read from it reads the same value from its source, to whose release
 * sequence it belonged; nothing becomes ordered that was not. */
static bool is_effect(const struct guest *g, const struct label *label)
{
    switch (label->kind) {
    case LABEL_READ:
    case LABEL_FENCE:
    case LABEL_CHOICE:
    case LABEL_WARN:
        return false;
    case LABEL_WRITE:
        return !label->rmw || label->value != g->thread->rmw_old;
    default:
        return true;
    }
}

static void count(struct guest *g, const struct label *label)
{
    g->effects += is_effect(g, label);
    g->thread->place = label->place;
    if (label_is_event(label->kind)) {
        g->events++;
        g->thread->last_read = 0;
    }
}

void guest_tell(struct guest *g, const struct label *label)
{
    count(g, label);
    if (guest_is_live(g))
        add(g, label);
}

uint64_t guest_ask(struct guest *g, const struct label *label)
{
    struct guest_thread *t = g->thread;
    count(g, label);
    if (!guest_is_live(g))
        return t->values[t->next++];
    add(g, label);
    t->effects = g->effects;
    t->events = g->events;
    t->parked = true;
    coroutine_yield(&t->coroutine);
    assert(t->next + 1 == t->n_values);
    return t->values[t->next++];
}

_Noreturn void guest_end(struct guest *g, const struct label *label)
{
    if (guest_is_live(g))
        add(g, label);
    else
        g->diverged = true;
    coroutine_yield(&g->thread->coroutine);
    __builtin_unreachable();
}

_Noreturn void guest_stop(struct guest *g)
{
    g->stopped = true;
    coroutine_yield(&g->thread->coroutine);
    __builtin_unreachable();
}

static place_id place_of(const struct guest *g, uint32_t site)
{
    return site == UINT32_MAX ? g->thread->place : g->image->sites[site].place;
}

static uint32_t format(struct guest *g, const char *fmt, va_list args)
{
    char text[600];
    vsnprintf(text, sizeof text, fmt, args);
    return program_text(g->program, text);
}

_Noreturn void guest_fail(struct guest *g, uint32_t site,
                          enum violation_kind kind, const char *fmt, ...)
{
    va_list args;
    va_start(args, fmt);
    struct label label = {
        .kind = LABEL_ERROR,
        .place = place_of(g, site),
        .loc = LOC_NONE,
        .aux = format(g, fmt, args),
        .value = kind,
    };
    va_end(args);
    guest_end(g, &label);
}

_Noreturn void guest_unmodelled(struct guest *g, uint32_t site, const char *fmt,
                                ...)
{
    char text[600], place[300];
    va_list args;
    va_start(args, fmt);
    int n = vsnprintf(text, sizeof text, fmt, args);
    va_end(args);
    program_print_place(g->program, place_of(g, site), place, sizeof place);
    if (n >= 0 && (size_t)n < sizeof text)
        snprintf(text + n, sizeof text - (size_t)n, ", at %s", place);
    struct label label = {
        .kind = LABEL_UNMODELLED,
        .place = place_of(g, site),
        .loc = LOC_NONE,
        .aux = program_text(g->program, text),
    };
    guest_end(g, &label);
}

_Noreturn void guest_block(struct guest *g, uint32_t site,
                           enum block_reason reason)
{
    struct label label = {
        .kind = LABEL_BLOCK,
        .place = place_of(g, site),
        .loc = LOC_NONE,
        .aux = reason,
    };
    guest_end(g, &label);
}

_Noreturn void guest_wait(struct guest *g, uint32_t site, uint64_t n_events)
{
    struct label label = {
        .kind = LABEL_BLOCK,
        .place = place_of(g, site),
        .loc = LOC_NONE,
        .aux = BLOCK_SPIN,
        .value = n_events,
    };
    guest_end(g, &label);
}

_Noreturn void guest_finish(struct guest *g, uint32_t site, uint64_t value)
{
    struct label label = {
        .kind = LABEL_END,
        .place = place_of(g, site),
        .loc = LOC_NONE,
        .value = value,
    };
    guest_end(g, &label);
}

const char *guest_constant(const struct guest *g, uint64_t addr, uint64_t bytes)
{
    const struct image_global *object = image_find_global(g->image, addr);
    if (!object || !object->constant)
        return NULL;
    if (object->size - (addr - object->addr) < bytes)
        return NULL;
    return (const char *)(uintptr_t)addr;
}

const char *guest_string(const struct guest *g, uint64_t addr)
{
    const struct image_global *object = image_find_global(g->image, addr);
    if (!object || !object->constant)
        return "?";
    const char *s = (const char *)(uintptr_t)addr;
    for (uint64_t n = object->size - (addr - object->addr), k = 0; k < n; k++)
        if (!s[k])
            return s;
    return "?";
}
