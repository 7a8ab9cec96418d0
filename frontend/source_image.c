#include "frontend/source_image.h"

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
        } else if (t->kind == TYPE_STRUCT) {
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
