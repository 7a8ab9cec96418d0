#include "core/program.h"

#include "core/mem.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static uint32_t add_list(struct program *p, struct dep_list list)
{
    p->dep_lists = mem_room(p->dep_lists, p->n_dep_lists, &p->dep_lists_cap,
                            sizeof *p->dep_lists);
    p->dep_lists[p->n_dep_lists] = list;
    return p->n_dep_lists++;
}

void program_init(struct program *p)
{
    memset(p, 0, sizeof *p);
    locations_init(&p->locations);
    program_text(p, "");
    add_list(p, (struct dep_list){0});
}

void program_release(struct program *p)
{
    for (uint32_t i = 0; i < p->n_texts; i++)
        free(p->texts[i]);
    free(p->texts);
    free(p->text_index);
    free(p->places);
    free(p->deps);
    free(p->dep_lists);
    locations_release(&p->locations);
    wides_release(&p->wides);
    memset(p, 0, sizeof *p);
}

static uint32_t *text_slot(const struct program *p, const char *text)
{
    uint64_t hash = 0xcbf29ce484222325u;
    for (const char *c = text; *c; c++)
        hash = (hash ^ (unsigned char)*c) * 0x100000001b3u;
    uint32_t mask = p->text_index_cap - 1;
    uint32_t i = (uint32_t)(hash >> 20) & mask;
    while (p->text_index[i] &&
           strcmp(p->texts[p->text_index[i] - 1], text) != 0)
        i = (i + 1) & mask;
    return &p->text_index[i];
}

static void grow_text_index(struct program *p)
{
    p->text_index_cap = p->text_index_cap ? p->text_index_cap * 2 : 64;
    size_t bytes = p->text_index_cap * sizeof *p->text_index;
    p->text_index = mem_resize(p->text_index, bytes);
    memset(p->text_index, 0, bytes);
    for (uint32_t i = 0; i < p->n_texts; i++)
        *text_slot(p, p->texts[i]) = i + 1;
}

uint32_t program_text(struct program *p, const char *text)
{
    if (p->n_texts * 2 >= p->text_index_cap)
        grow_text_index(p);
    uint32_t *slot = text_slot(p, text);
    if (*slot)
        return *slot - 1;
    size_t bytes = strlen(text) + 1;
    p->texts = mem_room(p->texts, p->n_texts, &p->texts_cap, sizeof *p->texts);
    p->texts[p->n_texts] = memcpy(mem_resize(NULL, bytes), text, bytes);
    *slot = ++p->n_texts;
    return *slot - 1;
}

place_id program_place(struct program *p, const char *file,
                       const char *function, uint32_t line, uint32_t column)
{
    struct place place = {
        .file = program_text(p, file),
        .function = program_text(p, function),
        .line = line,
        .column = column,
    };
    for (uint32_t i = p->n_places; i-- > 0;)
        if (memcmp(&p->places[i], &place, sizeof place) == 0)
            return i;
    p->places =
        mem_room(p->places, p->n_places, &p->places_cap, sizeof *p->places);
    p->places[p->n_places] = place;
    return p->n_places++;
}

static int by_source(const void *a, const void *b)
{
    const struct dep *x = a, *y = b;
    return x->source != y->source
               ? (x->source > y->source) - (x->source < y->source)
               : (x->kind > y->kind) - (x->kind < y->kind);
}

static void sort_by_source(struct dep *deps, uint32_t n)
{
    for (uint32_t i = 1; i < n; i++)
        if (by_source(&deps[i - 1], &deps[i]) >
            0) { /* mostly they are sorted */
            qsort(deps, n, sizeof *deps, by_source);
            return;
        }
}

/* Is one of the dependencies by conditional selection alone? */
static bool has_picks(const struct dep *deps, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++) {
        bool flows = deps[i].kind < DEP_PICK_ADDR || deps[i].kind == DEP_OPEN;
        for (uint32_t k = 0; k < n && !flows; k++)
            flows = deps[k].source == deps[i].source &&
                    deps[k].kind + DEP_PICK_ADDR == deps[i].kind;
        if (!flows)
            return true;
    }
    return false;
}

static bool is_open(const struct dep *deps, uint32_t n)
{
    while (n > 0 && deps[n - 1].kind != DEP_OPEN)
        n--;
    return n > 0;
}

static uint32_t hash_of(const struct dep *deps, uint32_t n)
{
    uint64_t hash = n;
    for (uint32_t i = 0; i < n; i++)
        hash = (hash ^ deps[i].source * DEP_KINDS ^ deps[i].kind) *
               0x9e3779b97f4a7c15u;
    return (uint32_t)(hash >> 32) % DEP_HASHES;
}

uint32_t program_deps(struct program *p, const struct dep *deps, uint32_t n)
{
    if (n == 0)
        return 0;
    p->deps = mem_room(p->deps, p->n_deps + n, &p->deps_cap, sizeof *p->deps);
    struct dep *list = p->deps + p->n_deps;
    memcpy(list, deps, n * sizeof *deps);
    sort_by_source(list, n);
    uint32_t *newest = &p->dep_hashes[hash_of(list, n)];
    for (uint32_t i = *newest; i; i = p->dep_lists[i].next)
        if (p->dep_lists[i].n == n && memcmp(p->deps + p->dep_lists[i].first,
                                             list, n * sizeof *list) == 0)
            return i;
    struct dep_list new = {p->n_deps, n, *newest, has_picks(list, n),
                           is_open(list, n)};
    *newest = add_list(p, new);
    p->has_picks |= new.picks;
    p->has_open |= new.open;
    p->n_deps += n;
    return *newest;
}

void program_print_place(const struct program *p, place_id place, char *buf,
                         size_t cap)
{
    if (place >= p->n_places || p->places[place].line == 0)
        snprintf(buf, cap, "?");
    else
        snprintf(buf, cap, "%s:%u", p->texts[p->places[place].file],
                 p->places[place].line);
}

void program_print_location(const struct program *p, loc_id loc, char *buf,
                            size_t cap)
{
    if (loc >= p->locations.n) {
        snprintf(buf, cap, "?");
        return;
    }
    const struct location *l = &p->locations.items[loc];
    if (p->name)
        p->name(p->self, l->addr, l->size, buf, cap);
    else
        snprintf(buf, cap, "loc%u", loc);
}
