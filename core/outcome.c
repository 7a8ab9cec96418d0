/* While exploring, an outcome holds only the locations that differ from their
 * initial value: the set of known locations grows, and an outcome must not
 * change with it.
 *
 * A location of 16 bytes counts as two: whether a variable is one or two is a
 * matter of the instructions. */
#include "core/outcome.h"

#include "core/mem.h"

#include <stdio.h>
#include <stdlib.h>

void outcomes_init(struct outcomes *o)
{
    memset(o, 0, sizeof *o);
    o->last = OUTCOME_NONE;
    o->raw = mem_room(NULL, 0, &o->raw_cap, sizeof *o->raw);
}

void outcomes_release(struct outcomes *o)
{
    free(o->list);
    free(o->raw);
    free(o->items);
    free(o->index);
    free(o->initial);
    memset(o, 0, sizeof *o);
}

static struct outcome_item make_item(enum outcome_kind kind, uint32_t name,
                                     unsigned size, uint64_t value)
{
    return (struct outcome_item){.name = name & 0x3fffff,
                                 .kind = kind & 7,
                                 .size = size & 0x3f,
                                 .value = value};
}

static void push_item(struct outcomes *o, struct outcome_item item)
{
    o->raw = mem_room(o->raw, o->n_raw, &o->raw_cap, sizeof *o->raw);
    o->raw[o->n_raw++] = item;
}

/* ---- one execution */

/* A thread's observations, in the order made. */
static void push_observations(struct outcomes *o, const struct path *path,
                              thread_id thread, node_id at)
{
    uint32_t first = o->n_raw;
    for (node_id n = path->nodes[at].observe; n != NODE_NONE;
         n = path->nodes[path->nodes[n].parent].observe) {
        const struct label *l = path_label(path, n);
        push_item(o, l->size
                         ? make_item(OUTCOME_PRINTED, thread, l->size, l->value)
                         : make_item(OUTCOME_OBSERVED, l->aux, 8, l->value));
    }
    for (uint32_t i = first, j = o->n_raw; i + 1 < j; i++) {
        j--;
        struct outcome_item swap = o->raw[i];
        o->raw[i] = o->raw[j];
        o->raw[j] = swap;
    }
}

static unsigned parts(const struct location *loc)
{
    return loc->size == WIDE_BYTES ? 2 : 1;
}

/* Of a value of the location. */
static uint64_t part_of(const struct program *program,
                        const struct location *loc, uint64_t value,
                        unsigned part)
{
    if (parts(loc) == 1)
        return value;
    struct wide wide = wides_value(&program->wides, value);
    return (part != 0) != program->big_endian ? wide.high : wide.low;
}

static void push_locations(struct outcomes *o, const struct graph *g,
                           const struct program *program)
{
    for (loc_id l = 0; l < g->n_locs; l++) {
        const struct location *loc = &program->locations.items[l];
        event_id last = g->locs[l].co_last;
        if (last == EVENT_NONE || loc->kind != LOC_STATIC)
            continue;
        uint64_t value = g->events[last].value;
        for (unsigned part = 0; value != loc->init && part < parts(loc);
             part++) {
            uint64_t half = part_of(program, loc, value, part);
            if (half == part_of(program, loc, loc->init, part))
                continue;
            struct outcome_item item = make_item(
                OUTCOME_LOCATION, l, parts(loc) == 1 ? loc->size : 8, half);
            item.part = part & 1;
            push_item(o, item);
        }
    }
}

/* "malloc@prog.c:12@T1"; "malloc@?@T1": the line is not known. */
static void push_object(struct outcomes *o, const struct graph *g,
                        const struct path *path, struct program *program,
                        event_id alloc)
{
    char place[200], name[300];
    const struct event *ev = &g->events[alloc];
    const struct label *l = path_label(path, ev->node);
    program_print_place(program, l->place, place, sizeof place);
    const char *slash = strrchr(place, '/');
    snprintf(name, sizeof name, "malloc@%s@T%u", slash ? slash + 1 : place,
             ev->thread);
    unsigned bits = 0;
    while (bits < 63 && (uint64_t)1 << bits < l->value)
        bits++;
    push_item(o, make_item(OUTCOME_OBJECT, program_text(program, name), bits,
                           program->locations.items[l->loc].addr));
}

/* No address of allocated memory is below. */
#define OBJECTS_FROM ((uint64_t)1 << 40)

/* Does some value from `first` on point to what the event allocated? */
static bool is_met(const struct outcomes *o, const struct graph *g,
                   const struct path *path, const struct program *program,
                   uint32_t first, event_id alloc)
{
    const struct label *l = path_label(path, g->events[alloc].node);
    uint64_t start = program->locations.items[l->loc].addr;
    for (uint32_t i = first; i < o->n_raw; i++)
        if (o->raw[i].kind != OUTCOME_OBJECT &&
            o->raw[i].value - start <= l->value)
            return true;
    return false;
}

static int allocs_in_order(const void *a, const void *b, void *graph)
{
    const struct graph *g = graph;
    const struct event *x = &g->events[*(const event_id *)a];
    const struct event *y = &g->events[*(const event_id *)b];
    if (x->thread != y->thread)
        return x->thread < y->thread ? -1 : 1;
    return x->index < y->index ? -1 : x->index > y->index;
}

/* The allocated objects that the values from `first` on point to, those of a
 * thread in the order made. */
static void push_objects(struct outcomes *o, const struct graph *g,
                         const struct path *path, struct program *program,
                         uint32_t first)
{
    uint32_t n = 0;
    bool any = false;
    for (uint32_t i = first; i < o->n_raw && !any; i++)
        any = o->raw[i].value >= OBJECTS_FROM;
    event_id e;
    if (!any)
        return;
    event_id *met = mem_resize(NULL, (g->n + 1) * sizeof *met);
    row_for_each (e, graph_set(g, TAG_ALLOC), g->words)
        if (is_met(o, g, path, program, first, e))
            met[n++] = e;
    qsort_r(met, n, sizeof *met, allocs_in_order, (void *)(uintptr_t)g);
    for (uint32_t i = 0; i < n; i++)
        push_object(o, g, path, program, met[i]);
    free(met);
}

/* How threads ended. */
static void push_ends(struct outcomes *o, const struct graph *g,
                      const struct path *path, const struct program *program)
{
    for (thread_id t = 0; t < g->n_threads; t++) {
        node_id node = g->threads[t].node;
        const struct label *l =
            node == NODE_NONE ? NULL : path_label(path, node);
        if (l && l->kind == LABEL_ERROR)
            push_item(o, make_item(OUTCOME_FAILURE, l->aux, 0, l->place));
        else if (l && l->kind == LABEL_END &&
                 (l->aux == END_EXIT ||
                  (l->aux == END_RETURN && t == 0 && program->has_status)))
            push_item(o, make_item(OUTCOME_STATUS, t, 0, l->value & 0xff));
    }
}

void outcome_status_name(const struct outcome_item *item,
                         char buf[OUTCOME_STATUS_BYTES])
{
    snprintf(buf, OUTCOME_STATUS_BYTES, "exit");
    if (item->name)
        snprintf(buf, OUTCOME_STATUS_BYTES, "exit@T%u", (unsigned)item->name);
}

/* ---- the set */

static uint64_t hash_items(const struct outcome_item *items, uint32_t n)
{
    uint64_t hash = n;
    for (uint32_t i = 0; i < n; i++) {
        hash ^= items[i].value + ((uint64_t)items[i].name << 40) +
                items[i].kind + ((uint64_t)items[i].part << 8);
        hash *= 0x9e3779b97f4a7c15u;
        hash ^= hash >> 29;
    }
    return hash;
}

static uint32_t *find_slot(const struct outcomes *o, uint64_t hash,
                           const struct outcome_item *items, uint32_t n)
{
    uint32_t mask = o->index_cap - 1;
    for (uint32_t i = (uint32_t)hash & mask;; i = (i + 1) & mask) {
        uint32_t *slot = &o->index[i];
        if (!*slot)
            return slot;
        const struct outcome *known = &o->list[*slot - 1];
        if (known->hash == hash && known->raw_n == n &&
            (n == 0 ||
             memcmp(&o->raw[known->raw_first], items, n * sizeof *items) == 0))
            return slot;
    }
}

static void grow_index(struct outcomes *o)
{
    o->index_cap = o->index_cap ? o->index_cap * 2 : 64;
    size_t bytes = o->index_cap * sizeof *o->index;
    o->index = memset(mem_resize(o->index, bytes), 0, bytes);
    uint32_t mask = o->index_cap - 1;
    for (uint32_t k = 0; k < o->n; k++) {
        uint32_t i = (uint32_t)o->list[k].hash & mask;
        while (o->index[i])
            i = (i + 1) & mask;
        o->index[i] = k + 1;
    }
}

void outcomes_add(struct outcomes *o, const struct graph *g,
                  const struct path *path, struct program *program)
{
    /* Built at the end of `raw`; dropped again if it is known. */
    uint32_t first = o->n_raw;
    for (thread_id t = 0; t < g->n_threads; t++)
        if (g->threads[t].node != NODE_NONE)
            push_observations(o, path, t, g->threads[t].node);
    push_locations(o, g, program);
    if (program->compares) {
        push_objects(o, g, path, program, first);
        push_ends(o, g, path, program);
    }
    uint32_t n = o->n_raw - first;
    o->n_raw = first;

    if (o->n * 2 >= o->index_cap)
        grow_index(o);
    uint64_t hash = hash_items(o->raw + first, n);
    uint32_t *slot = find_slot(o, hash, o->raw + first, n);
    o->last = OUTCOME_NONE;
    if (!*slot) {
        if (o->n == OUTCOMES_MAX) {
            o->not_kept++;
            return;
        }
        o->list = mem_room(o->list, o->n, &o->cap, sizeof *o->list);
        o->list[o->n] =
            (struct outcome){.hash = hash, .raw_first = first, .raw_n = n};
        o->n_raw += n;
        *slot = ++o->n;
    }
    o->last = *slot - 1;
    o->list[o->last].executions++;
}

/* ---- by name */

/* Comparisons need the program's texts; qsort_r hands them on. */
static int compare_names(const void *a, const void *b, void *texts)
{
    const struct outcome_item *x = a, *y = b;
    char **text = texts;
    return strverscmp(text[x->name], text[y->name]);
}

static int compare_outcomes(const void *a, const void *b, void *outcomes)
{
    const struct outcome *x = a, *y = b;
    const struct outcome_item *items = ((struct outcomes *)outcomes)->items;
    uint32_t n = x->n < y->n ? x->n : y->n;
    for (uint32_t i = 0; i < n; i++) {
        int64_t u = (int64_t)items[x->first + i].value;
        int64_t v = (int64_t)items[y->first + i].value;
        if (u != v)
            return u < v ? -1 : 1;
    }
    return x->n < y->n ? -1 : x->n > y->n;
}

static uint32_t name_of(struct program *program, loc_id loc, unsigned part)
{
    char name[4096];
    const struct location *l = &program->locations.items[loc];
    if (parts(l) > 1 && program->name)
        program->name(program->self, l->addr + 8 * part, 8, name, sizeof name);
    else
        program_print_location(program, loc, name, sizeof name);
    return program_text(program, name);
}

/* One location, or part of one, that is shown: its item with the initial value,
 * and its id. */
struct shown {
    struct outcome_item initial; /* first: compare_names reads it */
    uint32_t id;
};

static uint32_t part_id(const struct outcome_item *item)
{
    return item->name * 2 + item->part;
}

/* All locations that differ from their initial value somewhere, by name. */
static uint32_t list_shown(const struct outcomes *o, struct program *program,
                           struct shown **out)
{
    uint32_t n = 0, n_locs = program->locations.n;
    struct shown *list = mem_resize(NULL, (n_locs * 2 + 1) * sizeof *list);
    uint8_t *seen = memset(mem_resize(NULL, n_locs * 2 + 1), 0, n_locs * 2 + 1);
    for (uint32_t i = 0; i < o->n_raw; i++) {
        uint32_t id = part_id(&o->raw[i]);
        if (o->raw[i].kind != OUTCOME_LOCATION || seen[id])
            continue;
        seen[id] = 1;
        const struct location *loc = &program->locations.items[id / 2];
        uint64_t init = part_of(program, loc, loc->init, id % 2);
        list[n++] = (struct shown){make_item(OUTCOME_LOCATION,
                                             name_of(program, id / 2, id % 2),
                                             o->raw[i].size, init),
                                   id};
    }
    free(seen);
    qsort_r(list, n, sizeof *list, compare_names, program->texts);
    *out = list;
    return n;
}

/* Fills in the outcome's items from *n_items on: observations by name, then all
 * shown locations. `values` is scratch, one a part of a location. */
static void complete(struct outcomes *o, struct outcome *outcome,
                     const struct shown *shown, uint32_t n_shown,
                     uint64_t *values)
{
    const struct outcome_item *raw = o->raw + outcome->raw_first;
    outcome->first = o->n_items;
    for (uint32_t i = 0; i < n_shown; i++)
        values[shown[i].id] = shown[i].initial.value;
    for (uint32_t i = 0; i < outcome->raw_n; i++)
        if (raw[i].kind == OUTCOME_LOCATION)
            values[part_id(&raw[i])] = raw[i].value;
        else if (raw[i].kind == OUTCOME_OBSERVED)
            o->items[o->n_items++] = raw[i];
    for (uint32_t i = 0; i < n_shown; i++) {
        struct outcome_item item = shown[i].initial;
        item.value = values[shown[i].id];
        o->items[o->n_items++] = item;
    }
    outcome->n = o->n_items - outcome->first;
}

void outcomes_finish(struct outcomes *o, struct program *program)
{
    struct shown *shown;
    uint32_t n_shown = list_shown(o, program, &shown);
    uint64_t *values =
        mem_resize(NULL, (program->locations.n * 2 + 1) * sizeof *values);
    size_t n_most = o->n_raw + (size_t)o->n * n_shown + 1;
    o->items = mem_resize(o->items, n_most * sizeof *o->items);
    o->n_items = 0;
    for (uint32_t k = 0; k < o->n; k++) {
        struct outcome *outcome = &o->list[k];
        complete(o, outcome, shown, n_shown, values);
        uint32_t n_observed = outcome->n - n_shown;
        if (n_observed > 1)
            qsort_r(o->items + outcome->first, n_observed, sizeof *o->items,
                    compare_names, program->texts);
    }
    if (o->n)
        qsort_r(o->list, o->n, sizeof *o->list, compare_outcomes, o);
    o->initial = mem_resize(o->initial, (n_shown + 1) * sizeof *o->initial);
    o->n_initial = n_shown;
    for (uint32_t i = 0; i < n_shown; i++)
        o->initial[i] = shown[i].initial;
    free(values);
    free(shown);
}
