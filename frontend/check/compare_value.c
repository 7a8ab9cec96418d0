/* Values of leaves as texts that mean the same on both sides. */
#include "frontend/check/compare.h"

#include "core/mem.h"
#include "frontend/report/printed.h"
#include "frontend/source/hooks.h"

#include "frontend/report/witness.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- what a pointer points to */

static const struct image *image_of(const struct compare *c)
{
    return &c->sides[COMPARE_SOURCE]->source.image;
}

/* The last variable of the machine code at or below addr, or NULL. */
static const struct compare_object *machine_object(const struct compare *c,
                                                   uint64_t addr)
{
    uint32_t low = 0, high = c->n_objects;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (c->objects[middle].addr <= addr)
            low = middle + 1;
        else
            high = middle;
    }
    return low ? &c->objects[low - 1] : NULL;
}

/* The variable that holds byte `addr` of a side, and the offset in it. */
static const struct image_global *object_at(const struct compare *c, int side,
                                            uint64_t addr, uint64_t *offset)
{
    const struct image *im = image_of(c);
    const struct image_global *g = NULL;
    if (side == COMPARE_SOURCE) {
        g = image_find_global(im, addr);
        *offset = g ? addr - g->addr : 0;
    } else {
        const struct compare_object *o = machine_object(c, addr);
        g = o ? &im->globals[o->global] : NULL;
        *offset = o ? addr - o->addr : 0;
    }
    return g && g->tls == TLS_NONE && *offset < g->size ? g : NULL;
}

static void print_object(const struct compare *c, const struct image_global *g,
                         uint64_t offset, char *buf, size_t cap)
{
    const struct program *p = &c->sides[COMPARE_SOURCE]->program;
    snprintf(buf, cap, "&%s", p->texts[g->name]);
    if (offset == g->size && (g->type == TYPE_NONE ||
                              image_of(c)->types[g->type].kind != TYPE_ARRAY))
        snprintf(buf + strlen(buf), cap - strlen(buf), "+%" PRIu64, offset);
    else
        image_print_part(image_of(c), p, g->type, offset, buf, cap);
}

/* The bytes of a literal from somewhere on; zeros at its end are left out, so
 * that an empty string is one of any width. */
struct literal {
    const uint8_t *bytes;
    uint64_t n;
};

/* "abc" as C writes it; of what is too long a hash of all tells the rest. */
static void print_literal(struct literal l, char *buf, size_t cap)
{
    enum { HASH = sizeof "\"...#0123456789abcdef" };
    uint64_t hash = 0xcbf29ce484222325u, k = 0;
    size_t n = 0;
    buf[n++] = '"';
    for (; k < l.n && n + PRINTED_ESCAPED + HASH < cap; k++)
        n += printed_escape(l.bytes[k], buf + n);
    buf[n++] = '"';
    buf[n] = '\0';
    if (k == l.n)
        return;
    for (k = 0; k < l.n; k++)
        hash = (hash ^ l.bytes[k]) * 0x100000001b3u;
    snprintf(buf + n, cap - n, "...#%016" PRIx64, hash);
}

static bool is_literal(const struct image_global *g)
{
    return g->constant && !g->declared;
}

static struct literal literal_from(const struct image_global *g,
                                   uint64_t offset)
{
    struct literal l = {(const uint8_t *)(uintptr_t)g->addr + offset,
                        g->size - offset};
    while (l.n > 0 && !l.bytes[l.n - 1])
        l.n--;
    return l;
}

/* Does the machine code have these bytes there, as all that is left of one of
 * its constants? */
static bool has_literal(const struct machine_image *im, uint64_t addr,
                        struct literal l)
{
    uint8_t bytes[256], last;
    for (uint64_t k = 0, n; k < l.n; k += n) {
        n = l.n - k < sizeof bytes ? l.n - k : sizeof bytes;
        if (!machine_image_read(im, addr + k, bytes, n) ||
            memcmp(bytes, l.bytes + k, n) != 0)
            return false;
    }
    return machine_image_read(im, addr + l.n, &last, 1) && !last;
}

/* A literal is told by what is left of it. Where that ends is known in the
 * source alone: on the machine it is the longest of the source's that is there,
 * or else a string. */
static bool literal_at(const struct compare *c, int side, uint64_t addr,
                       char *buf, size_t cap)
{
    const struct image *source = image_of(c);
    if (side == COMPARE_SOURCE) {
        const struct image_global *g = image_find_global(source, addr);
        if (!g || !is_literal(g))
            return false;
        print_literal(literal_from(g, addr - g->addr), buf, cap);
        return true;
    }
    const struct machine_image *im = &c->sides[side]->target.image;
    struct literal best = {.n = 0};
    char text[4096];
    if (!range_has(im->constant, addr) && !range_has(im->relro, addr))
        return false;
    for (uint32_t i = 0; i < source->n_globals; i++)
        for (uint64_t k = 0;
             is_literal(&source->globals[i]) && k < source->globals[i].size;
             k++) {
            struct literal l = literal_from(&source->globals[i], k);
            if (l.n <= best.n)
                break;
            if (has_literal(im, addr, l))
                best = l;
        }
    if (!best.n) {
        machine_image_string(im, addr, text, sizeof text);
        if (strcmp(text, "?") == 0)
            return false;
        best = (struct literal){(uint8_t *)text, strlen(text)};
    }
    print_literal(best, buf, cap);
    return true;
}

/* Where the source has one function of a name, others of that name in the
 * machine code are parts or copies of it: the file need not be said. */
static void strip_file(const struct compare *c, char *name)
{
    const struct image *im = image_of(c);
    char **texts = c->sides[COMPARE_SOURCE]->program.texts;
    size_t n = strcspn(name, "@");
    for (uint32_t i = 0; i < im->n_functions && name[n]; i++) {
        const char *own = texts[im->functions[i].name];
        if (strncmp(own, name, n) == 0 && !own[n])
            name[n] = '\0';
    }
}

static bool function_at(const struct compare *c, int side, uint64_t addr,
                        char *buf, size_t cap)
{
    const struct subject *s = c->sides[side];
    const char *name = NULL;
    char own[1000];
    if (side == COMPARE_SOURCE) {
        name = image_function_name(image_of(c), &s->program, addr);
    } else if (target_function_name(&s->target, addr, own, sizeof own)) {
        strip_file(c, own);
        name = own;
    }
    if (!name)
        return false;
    snprintf(buf, cap, "&%s", name);
    return true;
}

/* A local variable or a thread-local one, by its thread alone. */
static bool own_at(const struct compare *c, uint64_t addr, char *buf,
                   size_t cap)
{
    thread_id thread = 0;
    bool is_tls;
    if (c->side == COMPARE_SOURCE) {
        enum area area = area_of(addr, &thread);
        if (area < AREA_STACK || area == AREA_NONE)
            return false;
        is_tls = area == AREA_TLS;
        uint64_t offset = addr & (((uint64_t)1 << AREA_BITS) - 1);
        if (is_tls && offset >= image_of(c)->tls_size)
            return false;
    } else {
        uint64_t offset = addr - WIRE_BASE;
        if (offset >> WIRE_REGION_BITS >= WIRE_THREADS)
            return false;
        thread = (uint32_t)(offset >> WIRE_REGION_BITS);
        offset &= ((uint64_t)1 << WIRE_REGION_BITS) - 1;
        if (offset < WIRE_OWN || offset >= WIRE_OWN_END)
            return false;
        is_tls = offset < WIRE_OWN_END - WIRE_STACK_BYTES;
    }
    if (thread >= c->n_threads)
        return false; /* a number */
    snprintf(buf, cap, "&%s of T%u", is_tls ? "thread-local" : "local", thread);
    return true;
}

/* What allocated objects are counted by: thread and line, or thread alone. */
static const char *maker_of(const struct compare *c,
                            const struct outcome_item *object)
{
    const char *name = c->sides[c->side]->program.texts[object->name];
    return c->no_lines ? strrchr(name, '@') : name;
}

/* How many objects of the same maker the outcome mentions that were made before
 * it. A compiler leaves out allocations, but not such. */
static uint32_t count_before(const struct compare *c,
                             const struct outcome_item *object)
{
    uint32_t n = 0;
    for (uint32_t i = 0; &c->raw[i] < object; i++)
        n += c->is_met[i] &&
             strcmp(maker_of(c, &c->raw[i]), maker_of(c, object)) == 0;
    return n;
}

/* Allocated objects are named when the outcome is taken. */
static bool allocated_at(struct compare *c, uint64_t addr, char *buf,
                         size_t cap)
{
    const struct outcome_item *raw = c->raw, *best = NULL;
    for (uint32_t i = 0; i < c->n_raw; i++)
        if (raw[i].kind == OUTCOME_OBJECT && raw[i].value <= addr &&
            addr - raw[i].value <= (uint64_t)1 << raw[i].size &&
            (!best || raw[i].value > best->value))
            best = &raw[i];
    if (!best)
        return false;
    c->n_met += !c->is_met[best - raw];
    c->is_met[best - raw] = true;
    snprintf(buf, cap, "&%s%s#%u", c->no_lines ? "malloc" : "",
             maker_of(c, best), count_before(c, best) + 1);
    if (addr > best->value)
        snprintf(buf + strlen(buf), cap - strlen(buf), "+%" PRIu64,
                 addr - best->value);
    return true;
}

/* The variable that ends at byte `addr` of a side, or NULL. */
static const struct image_global *ending_at(const struct compare *c, int side,
                                            uint64_t addr)
{
    uint64_t offset;
    const struct image_global *g = object_at(c, side, addr - 1, &offset);
    return g && offset + 1 == g->size && g->declared ? g : NULL;
}

/* A variable's address on the machine, or 0. */
static uint64_t on_machine(const struct compare *c,
                           const struct image_global *g)
{
    uint32_t global = (uint32_t)(g - image_of(c)->globals);
    for (uint32_t i = 0; i < c->n_objects; i++)
        if (c->objects[i].global == global)
            return c->objects[i].addr;
    return 0;
}

/* On the machine the end of one variable may be the start of the next, so that
 * nobody can tell which of them a pointer is for. On both sides it is the end
 * if the source has such a pointer, else the start. `is_sure`: nothing else can
 * be there. */
static bool end_at(const struct compare *c, uint64_t addr, bool is_sure,
                   char *buf, size_t cap, bool *is_unsure)
{
    uint64_t offset;
    const struct image_global *end = ending_at(c, c->side, addr);
    const struct image_global *start = object_at(c, c->side, addr, &offset);
    start = start && start->declared && offset == 0 ? start : NULL;
    if (c->side == COMPARE_SOURCE && (end || start)) {
        uint64_t at = on_machine(c, end ? end : start);
        *is_unsure = at == 0;
        at += end && at ? end->size : 0;
        if (at && end)
            start = object_at(c, COMPARE_MACHINE, at, &offset);
        else if (at)
            end = ending_at(c, COMPARE_MACHINE, at);
    }
    if (end && !c->is_past[end - image_of(c)->globals] && (start || !is_sure))
        end = NULL;
    if (!end && !start) {
        *is_unsure = false;
        return false;
    }
    print_object(c, end ? end : start, end ? end->size : 0, buf, cap);
    return true;
}

void compare_note_ends(struct compare *c, const struct explore *source)
{
    const struct outcomes *o = &source->outcomes;
    for (uint32_t i = 0; i < o->n_raw; i++) {
        uint64_t value = o->raw[i].value;
        const struct image_global *g =
            value < 4096 ? NULL : ending_at(c, COMPARE_SOURCE, value);
        if (g)
            c->is_past[g - image_of(c)->globals] = true;
    }
}

/* Is there something of the program that has no name on the other side? */
static bool unnamed_at(const struct compare *c, uint64_t addr, char *buf,
                       size_t cap)
{
    const struct machine_image *im = &c->sides[COMPARE_MACHINE]->target.image;
    if (c->side == COMPARE_SOURCE) {
        if (!image_find_global(image_of(c), addr))
            return false;
        snprintf(buf, cap, "&an unnamed object");
        return true;
    }
    if (!c->lacks ||
        (!range_has(im->data, addr) && !range_has(im->constant, addr) &&
         !range_has(im->relro, addr)))
        return false;
    snprintf(buf, cap, "0x%" PRIx64, addr);
    return true;
}

/* Of a variable with a name; *is_unsure: the machine code does not say where.
 */
static bool variable_at(const struct compare *c, uint64_t addr, char *buf,
                        size_t cap, bool *is_unsure)
{
    uint64_t offset;
    const struct image_global *g = object_at(c, c->side, addr, &offset);
    if (!g || !g->declared)
        return false;
    *is_unsure = on_machine(c, g) == 0;
    print_object(c, g, offset, buf, cap);
    return true;
}

static bool points_to(struct compare *c, uint64_t addr, char *buf, size_t cap,
                      bool *is_unsure)
{
    int side = c->side;
    if (addr < 4096)
        return false;
    if (end_at(c, addr, false, buf, cap, is_unsure) ||
        variable_at(c, addr, buf, cap, is_unsure) ||
        literal_at(c, side, addr, buf, cap) ||
        function_at(c, side, addr, buf, cap) || own_at(c, addr, buf, cap))
        return true;
    if (allocated_at(c, addr, buf, cap)) {
        *is_unsure = c->other_lines;
        return true;
    }
    *is_unsure = unnamed_at(c, addr, buf, cap);
    return *is_unsure || end_at(c, addr, true, buf, cap, is_unsure);
}

/* ---- numbers */

#define DECIMAL_MAX 9999999
#define ADDRESS_MIN ((uint64_t)1 << 20)

static void print_number(int64_t number, uint64_t bits, char *buf, size_t cap)
{
    if (number >= -DECIMAL_MAX && number <= DECIMAL_MAX)
        snprintf(buf, cap, "%" PRId64, number);
    else
        snprintf(buf, cap, "0x%" PRIx64, bits);
}

void compare_word(struct compare *c, uint64_t value, char *buf, size_t cap,
                  bool *is_unsure)
{
    *is_unsure = false;
    if (points_to(c, value, buf, cap, is_unsure))
        return;
    print_number((int64_t)value, value, buf, cap);
    *is_unsure = image_of(c)->has_addresses && value >= ADDRESS_MIN &&
                 -value >= ADDRESS_MIN;
}

/* The shortest that is read as the same number. */
static void print_float(double value, bool is_double, char *buf, size_t cap)
{
    for (int digits = 1; digits <= 17; digits++) {
        snprintf(buf, cap, "%.*g", digits, value);
        double back = strtod(buf, NULL);
        if (is_double ? back == value : (float)back == (float)value)
            return;
    }
}

static void print_bytes(const uint8_t *bytes, unsigned n, bool big, char *buf,
                        size_t cap)
{
    size_t k = (size_t)snprintf(buf, cap, "0x");
    for (unsigned i = 0; i < n && k + 3 < cap; i++)
        k += (size_t)snprintf(buf + k, cap - k, "%02x",
                              bytes[big ? i : n - 1 - i]);
}

/* The number that the bytes are, at most 8. */
static uint64_t number_of(const uint8_t *bytes, unsigned n, bool big)
{
    uint64_t value = 0;
    for (unsigned i = 0; i < n; i++)
        value = value << 8 | bytes[big ? i : n - 1 - i];
    return value;
}

static void print_field(const struct compare_leaf *leaf, const uint8_t *bytes,
                        bool big, char *buf, size_t cap)
{
    uint64_t value = 0;
    /* Bits are counted from the low end of a byte, or from the high one. */
    for (unsigned i = 0; i < leaf->n_bits; i++) {
        unsigned at = leaf->bit + i, in = at % 8;
        uint64_t bit = bytes[at / 8] >> (big ? 7 - in : in) & 1;
        value = big ? value << 1 | bit : value | bit << i;
    }
    int64_t number = (int64_t)value;
    if (leaf->encoding != ENCODING_UNSIGNED && leaf->n_bits < 64 &&
        value >> (leaf->n_bits - 1) & 1)
        number -= (int64_t)((uint64_t)1 << leaf->n_bits);
    print_number(number, value, buf, cap);
}

void compare_value(struct compare *c, const struct compare_leaf *leaf,
                   char *buf, size_t cap, bool *is_unsure)
{
    const uint8_t *bytes = c->bytes + leaf->at;
    bool big = c->sides[c->side]->program.big_endian;
    *is_unsure = false;
    if (leaf->n_bits) {
        print_field(leaf, bytes, big, buf, cap);
        return;
    }
    if (leaf->bytes > 8) {
        print_bytes(bytes, leaf->bytes, big, buf, cap);
        return;
    }
    uint64_t value = number_of(bytes, leaf->bytes, big);
    if (leaf->encoding == ENCODING_FLOAT &&
        (leaf->bytes == 4 || leaf->bytes == 8)) {
        double real;
        float small;
        memcpy(&real, &value, sizeof real);
        uint32_t low = (uint32_t)value;
        memcpy(&small, &low, sizeof small);
        /* The sign of one that no one gave a value is the machine's. */
        if ((leaf->bytes == 4 && (low & INT32_MAX) == 0x7fc00000) ||
            (leaf->bytes == 8 && (value & INT64_MAX) == 0x7ff8000000000000)) {
            snprintf(buf, cap, "nan");
            return;
        }
        if (!isnan(leaf->bytes == 4 ? (double)small : real)) {
            print_float(leaf->bytes == 4 ? (double)small : real,
                        leaf->bytes == 8, buf, cap);
            return;
        }
    }
    if (leaf->bytes == 8)
        compare_word(c, value, buf, cap, is_unsure);
    else {
        print_number(value_signed(value, leaf->bytes), value, buf, cap);
        *is_unsure = image_of(c)->has_addresses && leaf->bytes == 4 &&
                     value >= ADDRESS_MIN && (uint32_t)-value >= ADDRESS_MIN;
    }
    *is_unsure &= leaf->encoding != ENCODING_FLOAT;
}
