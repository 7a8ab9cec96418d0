#include "frontend/source/source_image.h"

#include "core/mem.h"
#include "core/program.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void image_init(struct image *im)
{
    memset(im, 0, sizeof *im);
    im->main = UINT32_MAX;
}

void image_release(struct image *im)
{
    free(im->sites);
    free(im->loops);
    free(im->functions);
    free(im->globals);
    free(im->types);
    free(im->members);
    free(im->locals);
    free(im->swaps);
    memset(im, 0, sizeof *im);
}

#define ADDER(item, what, list)                                      \
    uint32_t image_add_##item(struct image *im, struct what item)    \
    {                                                                \
        im->list = mem_room(im->list, im->n_##list, &im->list##_cap, \
                            sizeof *im->list);                       \
        im->list[im->n_##list] = item;                               \
        return im->n_##list++;                                       \
    }

ADDER(site, site, sites)
ADDER(loop, image_loop, loops)
ADDER(function, image_function, functions)
ADDER(global, image_global, globals)
ADDER(type, image_type, types)
ADDER(member, image_member, members)
ADDER(local, image_local, locals)
ADDER(swap, image_swap, swaps)

static int by_addr(uint64_t a, uint64_t b)
{
    return a < b ? -1 : a > b;
}

static int compare_functions(const void *a, const void *b)
{
    return by_addr(((const struct image_function *)a)->addr,
                   ((const struct image_function *)b)->addr);
}

static int compare_globals(const void *a, const void *b)
{
    return by_addr(((const struct image_global *)a)->addr,
                   ((const struct image_global *)b)->addr);
}

void image_sort(struct image *im)
{
    if (im->n_functions)
        qsort(im->functions, im->n_functions, sizeof *im->functions,
              compare_functions);
    if (im->n_globals)
        qsort(im->globals, im->n_globals, sizeof *im->globals, compare_globals);
}

const struct image_global *image_find_global(const struct image *im,
                                             uint64_t addr)
{
    uint32_t from = 0, to = im->n_globals;
    while (from < to) {
        uint32_t middle = from + (to - from) / 2;
        const struct image_global *g = &im->globals[middle];
        if (addr - g->addr < g->size)
            return g;
        if (addr < g->addr)
            to = middle;
        else
            from = middle + 1;
    }
    return NULL;
}

const struct image_global *image_find_tls(const struct image *im, uint64_t tls)
{
    for (uint32_t i = 0; i < im->n_globals; i++) {
        const struct image_global *g = &im->globals[i];
        if (g->tls != TLS_NONE && tls - g->tls < g->size)
            return g;
    }
    return NULL;
}

uint32_t image_find_function(const struct image *im, uint64_t addr)
{
    uint32_t from = 0, to = im->n_functions;
    while (from < to) {
        uint32_t middle = from + (to - from) / 2;
        if (im->functions[middle].addr == addr)
            return middle;
        if (addr < im->functions[middle].addr)
            to = middle;
        else
            from = middle + 1;
    }
    return UINT32_MAX;
}

const char *image_function_name(const struct image *im,
                                const struct program *program, uint64_t addr)
{
    uint32_t function = image_find_function(im, addr);
    if (function == UINT32_MAX)
        return NULL;
    const char *name = program->texts[im->functions[function].name];
    /* A function of the library that is called through a pointer. */
    static const char wrapper[] = "hwc.call.";
    size_t n = sizeof wrapper - 1;
    return strncmp(name, wrapper, n) == 0 ? name + n : name;
}

__attribute__((format(printf, 3, 4))) static void append(char *buf, size_t cap,
                                                         const char *fmt, ...)
{
    size_t n = strlen(buf);
    va_list args;
    va_start(args, fmt);
    if (n < cap)
        vsnprintf(buf + n, cap - n, fmt, args);
    va_end(args);
}

/* The member that holds byte `offset`; of a union the first that does. */
static const struct image_member *
find_member(const struct image *im, const struct image_type *t, uint64_t offset)
{
    for (uint32_t i = t->first; i < t->first + t->n; i++) {
        const struct image_member *m = &im->members[i];
        uint64_t size = m->type == TYPE_NONE ? 1 : im->types[m->type].size;
        if (offset - m->offset < (size ? size : 1))
            return m;
    }
    return NULL;
}

void image_print_part(const struct image *im, const struct program *program,
                      uint32_t type, uint64_t offset, char *buf, size_t cap)
{
    while (type != TYPE_NONE) {
        const struct image_type *t = &im->types[type];
        if (t->kind == TYPE_ARRAY) {
            uint64_t size =
                t->first == TYPE_NONE ? 0 : im->types[t->first].size;
            if (!size)
                break;
            append(buf, cap, "[%llu]", (unsigned long long)(offset / size));
            offset %= size;
            type = t->first;
        } else if (t->kind == TYPE_STRUCT || t->kind == TYPE_UNION) {
            const struct image_member *m = find_member(im, t, offset);
            /* The insides of the C library's types are nobody's business. */
            if (!m || strncmp(program->texts[m->name], "__", 2) == 0)
                break;
            if (m->name)
                append(buf, cap, ".%s", program->texts[m->name]);
            offset -= m->offset;
            type = m->type;
        } else {
            break;
        }
    }
    if (offset)
        append(buf, cap, "+%llu", (unsigned long long)offset);
}

/* ---- names of variables */

static const char *base_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

/* How a variable is called that needs so much to be told from others. */
static uint32_t full_name(const struct image_global *g, struct program *program,
                          int level)
{
    char text[4500];
    const char *name = program->texts[g->declared];
    const char *place = program->texts[g->function];
    if (!g->function)
        place = base_name(program->texts[g->file]);
    if (level == 0 || (!g->function && g->external))
        return g->declared;
    if (level == 1)
        snprintf(text, sizeof text, "%s@%s", name, place);
    else if (level == 2)
        snprintf(text, sizeof text, "%s@%s:%u", name, place, g->line);
    else
        snprintf(text, sizeof text, "%s@%s:%u#%d", name, place, g->line,
                 level - 1);
    return program_text(program, text);
}

static bool is_taken(const struct image *im, uint32_t global)
{
    for (uint32_t i = 0; i < im->n_globals; i++)
        if (i != global && im->globals[i].declared &&
            im->globals[i].name == im->globals[global].name)
            return true;
    return false;
}

void image_name_globals(struct image *im, struct program *program)
{
    uint32_t *wanted = mem_resize(NULL, (im->n_globals + 1) * sizeof *wanted);
    bool more = true;
    for (int level = 1; more && level < 1000; level++) {
        uint32_t n = 0;
        for (uint32_t i = 0; i < im->n_globals; i++)
            if (im->globals[i].declared && is_taken(im, i))
                wanted[n++] = i;
        /* From a count on, one of those that are still alike keeps its name. */
        for (uint32_t k = level > 2 ? 1 : 0; k < n; k++) {
            struct image_global *g = &im->globals[wanted[k]];
            g->name = full_name(g, program, level);
        }
        more = n > 0;
    }
    free(wanted);
}

/* ---- leaves */

struct leaves {
    const struct image *image;
    const struct program *program;
    uint64_t from, n; /* the bytes asked for */
    const struct image_visitor *visitor;
    char name[8192];
};

static void visit_type(struct leaves *l, uint32_t type, uint64_t at,
                       uint64_t bytes);

static bool is_asked_for(const struct leaves *l, uint64_t at, uint64_t bytes)
{
    return at < l->from + l->n && l->from < at + bytes;
}

static void visit_leaf(struct leaves *l, const struct image_leaf *leaf)
{
    if (is_asked_for(l, leaf->offset, leaf->bytes))
        l->visitor->visit(l->visitor->self, leaf, l->name);
}

/* What is larger than a leaf may be, or not known, as words. */
static void visit_bytes(struct leaves *l, uint64_t at, uint64_t bytes)
{
    size_t n = strlen(l->name);
    for (uint64_t k = 0; k < bytes; k += 8) {
        struct image_leaf leaf = {.offset = at + k,
                                  .type = TYPE_NONE,
                                  .bytes =
                                      bytes - k < 8 ? (uint8_t)(bytes - k) : 8};
        if (k)
            append(l->name, sizeof l->name, "+%llu", (unsigned long long)k);
        visit_leaf(l, &leaf);
        l->name[n] = '\0';
    }
}

static void visit_member(struct leaves *l, const struct image_member *m,
                         uint64_t at)
{
    size_t n = strlen(l->name);
    if (m->name)
        append(l->name, sizeof l->name, ".%s", l->program->texts[m->name]);
    if (m->n_bits) {
        struct image_leaf leaf = {
            .offset = at + m->bit / 8,
            .type = m->type,
            .bytes = (uint8_t)((m->bit % 8 + m->n_bits + 7) / 8),
            .bit = m->bit % 8,
            .n_bits = (uint8_t)m->n_bits,
        };
        if (m->name)
            visit_leaf(l, &leaf);
    } else if (m->type != TYPE_NONE) {
        visit_type(l, m->type, at + m->offset, l->image->types[m->type].size);
    }
    l->name[n] = '\0';
}

/* The bits of a type that mean something. */
static uint64_t meaning_bits(const struct image *im, uint32_t type)
{
    if (type == TYPE_NONE)
        return 0;
    const struct image_type *t = &im->types[type];
    uint64_t bits = 0;
    if (t->kind == TYPE_ARRAY)
        return t->n * meaning_bits(im, t->first);
    if (t->kind != TYPE_STRUCT && t->kind != TYPE_UNION)
        return 8 * (t->used ? t->used : t->size);
    for (uint32_t i = t->first; i < t->first + t->n; i++) {
        const struct image_member *m = &im->members[i];
        uint64_t own =
            m->n_bits ? (m->name ? m->n_bits : 0) : meaning_bits(im, m->type);
        if (t->kind == TYPE_STRUCT)
            bits += own;
        else if (own > bits)
            bits = own;
    }
    return bits;
}

/* Of a union the first member that is as large as all of it, without padding,
 * says what its bytes are; without one, all members do. */
static void visit_union(struct leaves *l, const struct image_type *t,
                        uint64_t at)
{
    const struct image_member *members = l->image->members + t->first;
    for (uint32_t i = 0; i < t->n; i++)
        if (!members[i].n_bits && members[i].type != TYPE_NONE &&
            meaning_bits(l->image, members[i].type) == 8 * t->size) {
            visit_member(l, &members[i], at);
            return;
        }
    for (uint32_t i = 0; i < t->n; i++)
        visit_member(l, &members[i], at);
}

static void visit_array(struct leaves *l, const struct image_type *t,
                        uint64_t at, uint64_t bytes)
{
    uint64_t size = t->first == TYPE_NONE ? 0 : l->image->types[t->first].size;
    size_t n = strlen(l->name);
    if (!size) {
        visit_bytes(l, at, bytes);
        return;
    }
    uint64_t first = l->from > at ? (l->from - at) / size : 0;
    for (uint64_t i = first;
         i < bytes / size && is_asked_for(l, at + i * size, size); i++) {
        append(l->name, sizeof l->name, "[%llu]", (unsigned long long)i);
        visit_type(l, t->first, at + i * size, size);
        l->name[n] = '\0';
    }
}

/* The last member of a variable that is larger than its type, or whose elements
 * stand in the type's padding. */
static void visit_flexible(struct leaves *l, const struct image_member *m,
                           uint64_t at, uint64_t bytes)
{
    size_t n = strlen(l->name);
    const struct image_type *t =
        m->type == TYPE_NONE ? NULL : &l->image->types[m->type];
    if (!t || t->kind != TYPE_ARRAY || t->n)
        return;
    append(l->name, sizeof l->name, ".%s", l->program->texts[m->name]);
    visit_array(l, t, at + m->offset, bytes - m->offset);
    l->name[n] = '\0';
}

static void visit_type(struct leaves *l, uint32_t type, uint64_t at,
                       uint64_t bytes)
{
    if (!is_asked_for(l, at, bytes))
        return;
    if (type == TYPE_NONE) {
        visit_bytes(l, at, bytes);
        return;
    }
    const struct image_type *t = &l->image->types[type];
    switch ((enum type_kind)t->kind) {
    case TYPE_SCALAR:
        if (bytes > IMAGE_LEAF_BYTES)
            visit_bytes(l, at, bytes);
        else
            visit_leaf(l, &(struct image_leaf){
                              .offset = at,
                              .type = type,
                              .bytes = t->used ? t->used : (uint8_t)bytes});
        break;
    case TYPE_ARRAY:
        visit_array(l, t, at, bytes);
        break;
    case TYPE_STRUCT:
        for (uint32_t i = t->first; i < t->first + t->n; i++)
            visit_member(l, &l->image->members[i], at);
        if (t->n && (bytes > t->size || at == 0))
            visit_flexible(l, &l->image->members[t->first + t->n - 1], at,
                           bytes);
        break;
    case TYPE_UNION:
        visit_union(l, t, at);
        break;
    case TYPE_LIBRARY:
        break;
    }
}

void image_each_leaf(const struct image *im, const struct program *program,
                     uint32_t type, uint64_t from, uint64_t n,
                     const struct image_visitor *visitor)
{
    struct leaves l = {.image = im,
                       .program = program,
                       .from = from,
                       .n = n,
                       .visitor = visitor};
    uint64_t bytes = type == TYPE_NONE ? from + n : im->types[type].size;
    /* A flexible member may be more. */
    if (type != TYPE_NONE && im->types[type].kind == TYPE_STRUCT &&
        bytes < from + n)
        bytes = from + n;
    visit_type(&l, type, 0, bytes);
}
