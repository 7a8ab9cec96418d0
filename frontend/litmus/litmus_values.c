/* What an image says of the tests in it: places, locations, final values. */
#include "core/mem.h"
#include "frontend/litmus/litmus_batch.h"
#include "frontend/litmus/litmus_run.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* ---- names */

/* Locations are told by address: the tests' own names for them are not
 * symbols. */
static void name_address(const void *self, uint64_t addr, unsigned size,
                         char *buf, size_t cap)
{
    (void)self, (void)size;
    snprintf(buf, cap, "@%" PRIx64, addr);
}

uint64_t litmus_table_word(const struct litmus_batch *b, uint32_t i)
{
    uint8_t bytes[8] = {0};
    uint64_t word = 0;
    const struct machine_image *im = &b->subject.target.image;
    machine_image_read(im, im->main + i * 8, bytes, 8);
    for (unsigned k = 8; k-- > 0;)
        word = word << 8 | bytes[k];
    return word;
}

/* Which line of which test the code at pc is; false: none. */
static bool find_line(const void *self, uint64_t pc,
                      struct machine_position *out)
{
    const struct litmus_batch *b = self;
    uint32_t low = 0, high = b->assembly.n_lines;
    while (low < high) { /* the first behind pc */
        uint32_t middle = low + (high - low) / 2;
        if (b->line_addresses[middle] <= pc)
            low = middle + 1;
        else
            high = middle;
    }
    if (low == 0 || b->assembly.lines[low - 1].test == LITMUS_NONE)
        return false;
    static _Thread_local char function[16]; /* copied at once */
    const struct litmus_origin *line = &b->assembly.lines[low - 1];
    snprintf(function, sizeof function, "P%u", line->thread);
    *out = (struct machine_position){.file = b->tests[line->test]->path,
                                     .function = function,
                                     .line = line->place.line,
                                     .column = line->place.column};
    return true;
}

void litmus_name_all(struct litmus_batch *b)
{
    struct machine_image *im = &b->subject.target.image;
    b->line_addresses =
        mem_resize(NULL, (b->assembly.n_lines + 1) * sizeof *b->line_addresses);
    for (uint32_t i = 0; i < b->assembly.n_lines; i++)
        b->line_addresses[i] = litmus_table_word(b, b->assembly.first_line + i);
    im->find = find_line;
    im->name = NULL;
    im->self = b;
    b->subject.program.name = name_address;
}

/* ---- values */

/* Where C has put a location. One that is not in the code any more is nowhere
 * near any other. */
static uint64_t c_address(const struct litmus_batch *b, uint32_t test,
                          uint32_t i)
{
    const struct image *im = &b->subject.source.image;
    uint64_t addr;
    char name[40];
    snprintf(name, sizeof name, "t%u_v%u", test, i);
    if (b->isa && target_find(&b->subject.target, name, false, &addr))
        return addr;
    for (uint32_t k = 0; !b->isa && k < im->n_globals; k++)
        if (strcmp(b->subject.program.texts[im->globals[k].name], name) == 0)
            return im->globals[k].addr;
    return UINT64_MAX - ((uint64_t)i + 1) * 16 * LITMUS_ARRAY_MAX;
}

void litmus_find_locations(struct litmus_batch *b, uint32_t test)
{
    const struct litmus_test *t = b->tests[test];
    b->addresses =
        mem_resize(b->addresses, (t->n_locations + 1) * sizeof *b->addresses);
    for (uint32_t i = 0; i < t->n_locations; i++)
        b->addresses[i] = b->is_c
                              ? c_address(b, test, i)
                              : litmus_table_word(b, b->entries[test] + 1 + i);
}

/* A number that may be an address. What assembly has after a location, to the
 * next one, counts as part of it: a pointer may have been moved on. */
static struct litmus_value value_of(const struct litmus_batch *b,
                                    const struct litmus_test *t,
                                    uint64_t number)
{
    for (uint32_t i = 0; i < t->n_locations; i++) {
        const struct litmus_location *l = &t->locations[i];
        uint64_t extent = (uint64_t)l->size * (l->n ? l->n : 1);
        if (!b->is_c)
            extent = (extent + LITMUS_ALIGN - 1) / LITMUS_ALIGN * LITMUS_ALIGN;
        if (number - b->addresses[i] < extent)
            return (struct litmus_value){i,
                                         (int64_t)(number - b->addresses[i])};
    }
    return (struct litmus_value){LITMUS_NONE, (int64_t)number};
}

/* Which bytes of the test's memory an item of an outcome is: location and
 * offset. False: none. */
static bool find_item(const struct litmus_batch *b, uint32_t test,
                      const char *name, uint32_t *location, uint64_t *offset)
{
    const struct litmus_test *t = b->tests[test];
    unsigned number, v, index = 0;
    uint64_t addr;
    if (!b->is_c && sscanf(name, "@%" SCNx64, &addr) == 1) {
        for (uint32_t i = 0; i < t->n_locations; i++)
            if (addr - b->addresses[i] < 8 * LITMUS_ARRAY_MAX &&
                (i + 1 == t->n_locations ||
                 b->addresses[i + 1] < b->addresses[i] ||
                 addr < b->addresses[i + 1])) {
                *location = i;
                *offset = addr - b->addresses[i];
                return true;
            }
        return false;
    }
    int n = sscanf(name, "t%u_v%u[%u]", &number, &v, &index);
    if (n < 2 || number != test || v >= t->n_locations)
        return false;
    *location = v;
    *offset = (uint64_t)index * t->locations[v].size;
    return true;
}

static void put_bytes(uint8_t *to, uint64_t value, unsigned size)
{
    for (unsigned i = 0; i < size; i++)
        to[i] = (uint8_t)(value >> i * 8);
}

/* The final bytes of one location, from the initial ones on; *size becomes 8
 * when it was written as a whole doubleword. */
static void final_bytes(const struct litmus_batch *b, uint32_t test,
                        const struct outcome *outcome, uint32_t location,
                        uint8_t *bytes, unsigned *size)
{
    const struct litmus_test *t = b->tests[test];
    const struct litmus_location *l = &t->locations[location];
    unsigned length = l->size * (l->n ? l->n : 1);
    *size = l->size;
    memset(bytes, 0, 8 * LITMUS_ARRAY_MAX);
    for (uint32_t k = 0; k < (l->n ? l->n : 1); k++) {
        struct litmus_value v = l->values[k];
        uint64_t number = (uint64_t)v.number;
        if (v.location != LITMUS_NONE)
            number += b->addresses[v.location];
        put_bytes(bytes + k * l->size, number, l->size);
    }
    for (uint32_t i = 0; i < outcome->n; i++) {
        const struct outcome_item *item =
            &b->outcomes->items[outcome->first + i];
        uint32_t found;
        uint64_t offset;
        if (item->kind != OUTCOME_LOCATION ||
            !find_item(b, test, b->subject.program.texts[item->name], &found,
                       &offset) ||
            found != location || offset + item->size > 8 * LITMUS_ARRAY_MAX)
            continue;
        put_bytes(bytes + offset, item->value, item->size);
        if (item->size == 8 && length < 8)
            *size = 8;
    }
}

static struct litmus_value memory_value(const struct litmus_batch *b,
                                        uint32_t test,
                                        const struct litmus_term *x,
                                        const struct outcome *outcome)
{
    const struct litmus_test *t = b->tests[test];
    const struct litmus_location *l = &t->locations[x->location];
    uint8_t bytes[8 * LITMUS_ARRAY_MAX];
    uint64_t value = 0;
    unsigned size = 0;
    final_bytes(b, test, outcome, x->location, bytes, &size);
    unsigned at = x->index == LITMUS_NONE ? 0 : x->index * l->size;
    for (unsigned i = size; i-- > 0;)
        value = value << 8 | bytes[at + i];
    if (size == 8 || size == 0)
        return value_of(b, t, value);
    /* herd's x86 stores keep the sign; the order of states depends on it. */
    bool keeps_sign = b->is_c || t->dialect->keeps_sign;
    if (keeps_sign && l->is_signed && value >> (size * 8 - 1))
        value |= ~(uint64_t)0 << size * 8;
    return (struct litmus_value){LITMUS_NONE, (int64_t)value};
}

struct litmus_value *litmus_term_values(const struct litmus_batch *b,
                                        uint32_t test,
                                        const struct outcome *outcome)
{
    const struct litmus_test *t = b->tests[test];
    struct litmus_value *values =
        mem_resize(NULL, (t->n_terms + 1) * sizeof *values);
    for (uint32_t i = 0; i < t->n_terms; i++)
        values[i] = t->terms[i].is_register
                        ? (struct litmus_value){LITMUS_NONE, 0}
                        : memory_value(b, test, &t->terms[i], outcome);
    for (uint32_t i = 0; i < outcome->n; i++) {
        const struct outcome_item *item =
            &b->outcomes->items[outcome->first + i];
        if (item->kind == OUTCOME_LOCATION)
            continue;
        uint32_t k =
            (uint32_t)strtoul(b->subject.program.texts[item->name], NULL, 10);
        if (k < t->n_terms)
            values[k] = value_of(b, t, item->value);
    }
    return values;
}

/* ---- for visitors */

bool litmus_case_holds(const struct litmus_case *c, uint32_t node,
                       const struct graph *g, const struct path *path)
{
    struct litmus_batch *b = c->batch;
    struct outcomes outcomes;
    outcomes_init(&outcomes);
    outcomes_add(&outcomes, g, path, &b->subject.program);
    outcomes_finish(&outcomes, &b->subject.program);
    b->outcomes = &outcomes;
    struct litmus_value *values =
        litmus_term_values(b, c->test, &outcomes.list[0]);
    b->outcomes = NULL;
    bool holds = litmus_holds(b->tests[c->test], node, values);
    free(values);
    outcomes_release(&outcomes);
    return holds;
}

/* The name that the test has for an address. */
static void name_as_in_test(const void *self, uint64_t addr, unsigned size,
                            char *buf, size_t cap)
{
    const struct litmus_case *c = self;
    const struct litmus_test *t = c->batch->tests[c->test];
    uint32_t location;
    uint64_t offset;
    c->name(c->name_self, addr, size, buf, cap);
    if (!find_item(c->batch, c->test, buf, &location, &offset))
        return;
    const struct litmus_location *l = &t->locations[location];
    if (l->n && offset % l->size == 0)
        snprintf(buf, cap, "%s[%" PRIu64 "]", l->name, offset / l->size);
    else if (offset)
        snprintf(buf, cap, "%s+%" PRIu64, l->name, offset);
    else
        snprintf(buf, cap, "%s", l->name);
}

void litmus_case_show_names(struct litmus_case *c, bool on)
{
    struct program *p = &c->batch->subject.program;
    p->name = on ? name_as_in_test : c->name;
    p->self = on ? c : c->name_self;
    p->is_litmus = on;
}
