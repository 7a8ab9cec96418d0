/* While exploring, an outcome holds only the locations that differ from their
 * initial value: the set of known locations grows, and an outcome must not
 * change with it.
 *
 * A location of 16 bytes counts as two: whether a variable is one or two is a
 * matter of the instructions, and outcomes are compared by name. */
#include "core/outcome.h"

#include "core/mem.h"

#include <stdio.h>
#include <stdlib.h>

void outcomes_init(struct outcomes *o)
{
    memset(o, 0, sizeof *o);
    o->items = mem_room(NULL, 0, &o->items_cap, sizeof *o->items);
}

void outcomes_release(struct outcomes *o)
{
    free(o->list);
    free(o->items);
    free(o->index);
    free(o->initial);
    memset(o, 0, sizeof *o);
}

static struct outcome_item make_item(uint32_t name, bool is_location,
                                     unsigned size, uint64_t value)
{
    return (struct outcome_item){name & 0xffffff, is_location, size & 0x7f,
                                 value};
}

static void push_item(struct outcomes *o, struct outcome_item item)
{
    o->items = mem_room(o->items, o->n_items, &o->items_cap, sizeof *o->items);
    o->items[o->n_items++] = item;
}

/* A thread's observations, in the order made. */
static void push_observations(struct outcomes *o, const struct path *path,
                              node_id at)
{
    uint32_t first = o->n_items;
    for (node_id n = path->nodes[at].observe; n != NODE_NONE;
         n = path->nodes[path->nodes[n].parent].observe) {
        const struct label *l = path_label(path, n);
        push_item(o, make_item(l->aux, false, 8, l->value));
    }
    for (uint32_t i = first, j = o->n_items; i + 1 < j; i++) {
        j--;
        struct outcome_item swap = o->items[i];
        o->items[i] = o->items[j];
        o->items[j] = swap;
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
    return part ? wide.high : wide.low;
}

/* The size of an item tells which part it is, until outcomes_finish. */
#define SECOND_PART 64

static unsigned part_size(const struct location *loc, unsigned part)
{
    return parts(loc) == 1 ? loc->size : 8 + part * SECOND_PART;
}

static uint32_t part_id(const struct outcome_item *item)
{
    return item->name * 2 + item->size / SECOND_PART;
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
        for (unsigned part = 0; value != loc->init && part < parts(loc); part++)
            if (part_of(program, loc, value, part) !=
                part_of(program, loc, loc->init, part))
                push_item(o, make_item(l, true, part_size(loc, part),
                                       part_of(program, loc, value, part)));
    }
}

static uint64_t hash_items(const struct outcome_item *items, uint32_t n)
{
    uint64_t hash = n;
    for (uint32_t i = 0; i < n; i++) {
        hash ^= items[i].value + ((uint64_t)items[i].name << 40) +
                items[i].is_location;
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
        if (known->hash == hash && known->n == n &&
            (n == 0 ||
             memcmp(&o->items[known->first], items, n * sizeof *items) == 0))
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
                  const struct path *path, const struct program *program)
{
    /* Built at the end of `items`; dropped again if it is known. */
    uint32_t first = o->n_items;
    for (thread_id t = 0; t < g->n_threads; t++)
        if (g->threads[t].node != NODE_NONE)
            push_observations(o, path, g->threads[t].node);
    push_locations(o, g, program);
    uint32_t n = o->n_items - first;
    o->n_items = first;

    if (o->n * 2 >= o->index_cap)
        grow_index(o);
    uint64_t hash = hash_items(o->items + first, n);
    uint32_t *slot = find_slot(o, hash, o->items + first, n);
    if (!*slot) {
        if (o->n == OUTCOMES_MAX) {
            o->not_kept++;
            return;
        }
        o->list = mem_room(o->list, o->n, &o->cap, sizeof *o->list);
        o->list[o->n] = (struct outcome){hash, 0, first, n};
        o->n_items += n;
        *slot = ++o->n;
    }
    o->list[*slot - 1].executions++;
}

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
    char name[256];
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

/* All locations that differ from their initial value somewhere, by name. */
static uint32_t list_shown(const struct outcomes *o, struct program *program,
                           struct shown **out)
{
    uint32_t n = 0, n_locs = program->locations.n;
    struct shown *list = mem_resize(NULL, (n_locs * 2 + 1) * sizeof *list);
    uint8_t *seen = memset(mem_resize(NULL, n_locs * 2 + 1), 0, n_locs * 2 + 1);
    for (uint32_t i = 0; i < o->n_items; i++) {
        uint32_t id = part_id(&o->items[i]);
        if (!o->items[i].is_location || seen[id])
            continue;
        seen[id] = 1;
        const struct location *loc = &program->locations.items[id / 2];
        list[n++] =
            (struct shown){make_item(name_of(program, id / 2, id % 2), true,
                                     o->items[i].size % SECOND_PART,
                                     part_of(program, loc, loc->init, id % 2)),
                           id};
    }
    free(seen);
    qsort_r(list, n, sizeof *list, compare_names, program->texts);
    *out = list;
    return n;
}

/* A copy of the outcome's items in `full`: observations by name, then all
 * shown locations. `values` is scratch, one a part of a location. */
static void complete(const struct outcomes *o, struct outcome *outcome,
                     struct outcomes *full, const struct shown *shown,
                     uint32_t n_shown, uint64_t *values)
{
    const struct outcome_item *items = o->items + outcome->first;
    uint32_t first = full->n_items;
    for (uint32_t i = 0; i < n_shown; i++)
        values[shown[i].id] = shown[i].initial.value;
    for (uint32_t i = 0; i < outcome->n; i++)
        if (items[i].is_location)
            values[part_id(&items[i])] = items[i].value;
        else
            push_item(full, items[i]);
    for (uint32_t i = 0; i < n_shown; i++) {
        struct outcome_item item = shown[i].initial;
        item.value = values[shown[i].id];
        push_item(full, item);
    }
    outcome->first = first;
    outcome->n = full->n_items - first;
}

void outcomes_finish(struct outcomes *o, struct program *program)
{
    struct outcomes full;
    struct shown *shown;
    outcomes_init(&full);
    uint32_t n_shown = list_shown(o, program, &shown);
    uint64_t *values =
        mem_resize(NULL, (program->locations.n * 2 + 1) * sizeof *values);
    for (uint32_t k = 0; k < o->n; k++) {
        struct outcome *outcome = &o->list[k];
        complete(o, outcome, &full, shown, n_shown, values);
        uint32_t n_observed = outcome->n - n_shown;
        if (n_observed > 1)
            qsort_r(full.items + outcome->first, n_observed, sizeof *full.items,
                    compare_names, program->texts);
    }
    free(o->items);
    o->items = full.items;
    o->n_items = full.n_items;
    o->items_cap = full.items_cap;
    if (o->n)
        qsort_r(o->list, o->n, sizeof *o->list, compare_outcomes, o);
    o->initial = mem_resize(NULL, (n_shown + 1) * sizeof *o->initial);
    o->n_initial = n_shown;
    for (uint32_t i = 0; i < n_shown; i++)
        o->initial[i] = shown[i].initial;
    free(values);
    free(shown);
}
