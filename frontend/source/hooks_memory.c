/* Accesses to memory as labels. Real memory is never touched, except constants
 * and variables that no one else can see ("native"). */
#include "frontend/source/hooks_memory.h"

#include "core/mem.h"

#include <assert.h>
#include <string.h>

/* A single memcpy or memset beyond this is not worth a list of events. */
#define COPY_BYTES_MAX ((uint64_t)1 << 20)

struct accessed {
    const char *init; /* bytes of the initial value; NULL: zero */
    uint64_t object;  /* start of the allocated object; 0: none */
    bool constant;
};

enum area area_of(uint64_t addr, thread_id *thread)
{
    uint64_t offset = addr - AREA_BASE;
    if (offset >= (uint64_t)AREA_THREADS << AREA_THREAD_BITS)
        return AREA_NONE;
    *thread = (thread_id)(offset >> AREA_THREAD_BITS);
    return (enum area)(offset >> AREA_BITS & 7);
}

_Noreturn static void invalid(struct hooks *h, uint32_t site, uint64_t addr,
                              uint64_t bytes, const char *verb)
{
    const char *why = addr < 4096 ? "null pointer" : "not in any object";
    const struct image_global *o = image_find_global(h->image, addr);
    if (!o && addr)
        o = image_find_global(h->image, addr - 1);
    if (o)
        hooks_fail(h, site, VIOLATION_INVALID_ACCESS,
                   "%s of %llu bytes at offset %llu of '%s', which has %llu",
                   verb, (unsigned long long)bytes,
                   (unsigned long long)(addr - o->addr),
                   h->program->texts[o->name], (unsigned long long)o->size);
    if (image_find_function(h->image, addr) != UINT32_MAX)
        why = "a function";
    hooks_fail(h, site, VIOLATION_INVALID_ACCESS,
               "%s of %llu bytes at address 0x%llx: %s", verb,
               (unsigned long long)bytes, (unsigned long long)addr, why);
}

/* The object that holds all of [addr, addr + bytes). Whether an allocated one
 * is alive and large enough is for the engine to see. */
static struct accessed resolve(struct hooks *h, uint32_t site, uint64_t addr,
                               uint64_t bytes, bool write)
{
    const char *verb = write ? "write" : "read";
    struct site *s = &h->image->sites[site];
    const struct image_global *o = s->object;
    struct accessed t = {0};
    if (!o || addr - o->addr >= o->size)
        o = s->object = image_find_global(h->image, addr);
    if (o) {
        if (o->size - (addr - o->addr) < bytes || o->tls != TLS_NONE)
            invalid(h, site, addr, bytes, verb);
        if (o->constant && write)
            hooks_fail(h, site, VIOLATION_INVALID_ACCESS,
                       "write of %llu bytes to constant '%s'",
                       (unsigned long long)bytes, h->program->texts[o->name]);
        t.init = (const char *)(uintptr_t)addr;
        t.constant = o->constant;
        return t;
    }
    thread_id thread;
    enum area area = area_of(addr, &thread);
    if (area == AREA_NONE)
        invalid(h, site, addr, bytes, verb);
    if (area != AREA_TLS) {
        t.object = area_slot(addr, area);
        return t;
    }
    uint64_t offset = addr - area_start(thread, AREA_TLS);
    o = image_find_tls(h->image, offset);
    if (!o || o->size - (offset - o->tls) < bytes)
        invalid(h, site, addr, bytes, verb);
    t.init = (const char *)(uintptr_t)(o->addr + (offset - o->tls));
    return t;
}

/* Bytes in the order of the program's memory, or back. */
static void order_bytes(const struct hooks *h, void *to, const void *from,
                        unsigned bytes)
{
    if (!h->program->big_endian) {
        memcpy(to, from, bytes);
        return;
    }
    for (unsigned i = 0; i < bytes; i++)
        ((char *)to)[i] = ((const char *)from)[bytes - 1 - i];
}

/* The value of `bytes` in memory. */
static uint64_t value_at(struct hooks *h, const char *from, unsigned bytes)
{
    uint64_t halves[2] = {0};
    order_bytes(h, halves, from, bytes);
    return bytes == WIDE_BYTES ? wides_word(&h->program->wides,
                                            (struct wide){halves[0], halves[1]})
                               : halves[0];
}

static loc_id location(struct hooks *h, const struct accessed *t, uint64_t base,
                       uint64_t addr, unsigned bytes)
{
    struct locations *ls = &h->program->locations;
    if (t->object)
        return locations_get(ls, addr, bytes, 0,
                             locations_object(ls, t->object));
    assert(t->init);
    return locations_get(ls, addr, bytes,
                         value_at(h, t->init + (addr - base), bytes), LOC_NONE);
}

/* The next piece of an access of so many bytes, of which some are `done`. */
static unsigned piece(struct hooks *h, uint32_t site, uint64_t addr,
                      unsigned bytes, unsigned done)
{
    struct locations *ls = &h->program->locations;
    unsigned n = done ? locations_next(ls, addr + done, bytes - done)
                      : locations_piece(ls, addr, bytes);
    if (ls->stale)
        hooks_unmodelled(h, site, "granules changed");
    return n;
}

/* Is an access of the program itself one step? In each model those are that
 * are aligned and no wider than a word. That the location is wanted as one is
 * noted: what guesses there are of it, for the sake of others, go. */
static bool is_step(struct hooks *h, uint32_t site, uint64_t addr,
                    unsigned bytes)
{
    if (bytes > 8 || (bytes & (bytes - 1)) || addr % bytes)
        return false;
    struct locations *ls = &h->program->locations;
    locations_whole(ls, addr, bytes);
    if (ls->stale)
        hooks_unmodelled(h, site, "granules changed");
    return true;
}

/* Its n-th piece. */
static uint8_t number_piece(struct hooks *h, bool step, unsigned n)
{
    h->program->has_pieces |= step && n > 0;
    return step ? (uint8_t)n : 0;
}

static uint64_t low_bytes(uint64_t value, unsigned bytes)
{
    return bytes >= 8 ? value : value & (((uint64_t)1 << bytes * 8) - 1);
}

/* Where in a value of `bytes` the piece of n bytes stands that is `done` bytes
 * behind its start; one of 16 bytes is no part of another. */
static unsigned shift_of(const struct hooks *h, unsigned bytes, unsigned done,
                         unsigned n)
{
    if (n > 8)
        return 0;
    return (h->program->big_endian ? bytes - done - n : done) % 8 * 8;
}

static struct label access_label(struct hooks *h, uint32_t site,
                                 enum label_kind kind, uint64_t tags,
                                 unsigned bytes)
{
    return (struct label){
        .kind = (uint8_t)kind,
        .size = (uint8_t)bytes,
        .place = h->image->sites[site].place,
        .tags = tags | TAG_BIT(kind == LABEL_READ ? TAG_R : TAG_W),
        .loc = LOC_NONE,
    };
}

static uint64_t load(struct hooks *h, uint32_t site, uint64_t addr,
                     unsigned bytes, bool step)
{
    struct accessed t = resolve(h, site, addr, bytes, false);
    uint64_t value = 0;
    if (t.constant)
        return value_at(h, t.init, bytes);
    step = step && is_step(h, site, addr, bytes);
    for (unsigned done = 0, i = 0, n; done < bytes; done += n) {
        n = piece(h, site, addr, bytes, done);
        struct label label =
            access_label(h, site, LABEL_READ, TAG_BIT(TAG_NA), n);
        label.piece = number_piece(h, step, i++);
        if (hooks_is_live(h))
            label.loc = location(h, &t, addr, addr + done, n);
        value |= low_bytes(hooks_ask(h, &label), n)
                 << shift_of(h, bytes, done, n);
    }
    return value;
}

static void store(struct hooks *h, uint32_t site, uint64_t addr, unsigned bytes,
                  uint64_t value, bool step)
{
    struct accessed t = resolve(h, site, addr, bytes, true);
    step = step && is_step(h, site, addr, bytes);
    for (unsigned done = 0, i = 0, n; done < bytes; done += n) {
        n = piece(h, site, addr, bytes, done);
        struct label label =
            access_label(h, site, LABEL_WRITE, TAG_BIT(TAG_NA), n);
        label.piece = number_piece(h, step, i++);
        if (hooks_is_live(h))
            label.loc = location(h, &t, addr, addr + done, n);
        label.value = low_bytes(value >> shift_of(h, bytes, done, n), n);
        hooks_tell(h, &label);
    }
}

uint64_t hooks_load(struct hooks *h, uint32_t site, uint64_t addr,
                    unsigned bytes)
{
    return load(h, site, addr, bytes, true);
}

void hooks_store(struct hooks *h, uint32_t site, uint64_t addr, unsigned bytes,
                 uint64_t value)
{
    store(h, site, addr, bytes, value, true);
}

/* The location of an atomic access, when it matters. */
static loc_id whole(struct hooks *h, uint32_t site, const struct accessed *t,
                    uint64_t addr, unsigned bytes)
{
    if (!hooks_is_live(h))
        return LOC_NONE;
    struct locations *ls = &h->program->locations;
    bool fits = locations_whole(ls, addr, bytes);
    if (ls->stale)
        hooks_unmodelled(h, site, "granules changed");
    if (!fits)
        hooks_unmodelled(h, site,
                         addr % bytes ? "misaligned atomic access"
                                      : "mixed-size access");
    return location(h, t, addr, addr, bytes);
}

uint64_t hooks_load_atomic(struct hooks *h, uint32_t site, uint64_t addr,
                           unsigned bytes, uint64_t tags)
{
    struct accessed t = resolve(h, site, addr, bytes, false);
    if (t.constant)
        return value_at(h, t.init, bytes);
    struct label label = access_label(h, site, LABEL_READ, tags, bytes);
    label.loc = whole(h, site, &t, addr, bytes);
    uint64_t value = low_bytes(hooks_ask(h, &label), bytes);
    h->thread->last_read = addr;
    return value;
}

void hooks_store_atomic(struct hooks *h, uint32_t site, uint64_t addr,
                        unsigned bytes, uint64_t tags, uint64_t value)
{
    struct accessed t = resolve(h, site, addr, bytes, true);
    struct label label = access_label(h, site, LABEL_WRITE, tags, bytes);
    label.loc = whole(h, site, &t, addr, bytes);
    label.value = low_bytes(value, bytes);
    hooks_tell(h, &label);
}

uint64_t hooks_rmw_read(struct hooks *h, uint32_t site, uint64_t addr,
                        unsigned bytes, uint64_t tags, uint64_t fail)
{
    struct accessed t = resolve(h, site, addr, bytes, true);
    struct label label =
        access_label(h, site, LABEL_READ, tags | TAG_BIT(TAG_RMW), bytes);
    label.rmw = 1;
    if (fail)
        label.value = fail | TAG_BIT(TAG_R) | TAG_BIT(TAG_RMW);
    label.loc = whole(h, site, &t, addr, bytes);
    return h->thread->rmw_old = low_bytes(hooks_ask(h, &label), bytes);
}

void hooks_rmw_write(struct hooks *h, uint32_t site, uint64_t addr,
                     unsigned bytes, uint64_t tags, uint64_t value)
{
    struct accessed t = resolve(h, site, addr, bytes, true);
    struct label label =
        access_label(h, site, LABEL_WRITE, tags | TAG_BIT(TAG_RMW), bytes);
    label.rmw = 1;
    label.loc = whole(h, site, &t, addr, bytes);
    label.value = low_bytes(value, bytes);
    hooks_tell(h, &label);
}

uint64_t hooks_on_load(struct hooks *h, uint32_t site, uint64_t addr,
                       uint64_t b, uint64_t c, uint64_t d)
{
    (void)b, (void)c, (void)d;
    const struct site *s = &h->image->sites[site];
    if (s->tags & TAG_BIT(TAG_ATOMIC))
        return hooks_load_atomic(h, site, addr, s->size, s->tags);
    return hooks_load(h, site, addr, s->size);
}

uint64_t hooks_on_store(struct hooks *h, uint32_t site, uint64_t addr,
                        uint64_t value, uint64_t c, uint64_t d)
{
    (void)c, (void)d;
    const struct site *s = &h->image->sites[site];
    if (s->tags & TAG_BIT(TAG_ATOMIC))
        hooks_store_atomic(h, site, addr, s->size, s->tags, value);
    else
        hooks_store(h, site, addr, s->size, value);
    return 0;
}

/* Read-modify-writes of any size are computed in the largest. */
__extension__ typedef unsigned __int128 wide_number;
__extension__ typedef __int128 wide_signed;

static wide_signed sign_extend(wide_number value, unsigned bytes)
{
    unsigned shift = (WIDE_BYTES - bytes) * 8;
    return (wide_signed)(value << shift) >> shift;
}

static double as_double(uint64_t bits, unsigned bytes)
{
    if (bytes == 4) {
        float f;
        uint32_t low = (uint32_t)bits;
        memcpy(&f, &low, sizeof f);
        return (double)f;
    }
    double d;
    memcpy(&d, &bits, sizeof d);
    return d;
}

static uint64_t as_bits(double value, unsigned bytes)
{
    uint64_t bits = 0;
    if (bytes == 4) {
        float f = (float)value;
        memcpy(&bits, &f, sizeof f);
    } else {
        memcpy(&bits, &value, sizeof value);
    }
    return bits;
}

static wide_number apply(enum site_op op, wide_number old, wide_number x,
                         unsigned bytes)
{
    wide_signed a = sign_extend(old, bytes), b = sign_extend(x, bytes);
    double f = as_double((uint64_t)old, bytes),
           e = as_double((uint64_t)x, bytes);
    switch (op) {
    case OP_XCHG:
        return x;
    case OP_ADD:
        return old + x;
    case OP_SUB:
        return old - x;
    case OP_AND:
        return old & x;
    case OP_NAND:
        return ~(old & x);
    case OP_OR:
        return old | x;
    case OP_XOR:
        return old ^ x;
    case OP_MAX:
        return a > b ? old : x;
    case OP_MIN:
        return a < b ? old : x;
    case OP_UMAX:
        return old > x ? old : x;
    case OP_UMIN:
        return old < x ? old : x;
    case OP_UINC_WRAP:
        return old >= x ? 0 : old + 1;
    case OP_UDEC_WRAP:
        return old == 0 || old > x ? x : old - 1;
    case OP_FADD:
        return as_bits(f + e, bytes);
    case OP_FSUB:
        return as_bits(f - e, bytes);
    case OP_FMAX:
        return as_bits(f > e ? f : e, bytes);
    case OP_FMIN:
        return as_bits(f < e ? f : e, bytes);
    }
    return x;
}

static wide_number number_of(const struct hooks *h, uint64_t word,
                             unsigned bytes)
{
    if (bytes < WIDE_BYTES)
        return low_bytes(word, bytes);
    struct wide value = wides_value(&h->program->wides, word);
    return (wide_number)value.high << 64 | value.low;
}

static uint64_t new_value(struct hooks *h, const struct site *s, uint64_t old,
                          uint64_t operand)
{
    wide_number value = apply((enum site_op)s->op, number_of(h, old, s->size),
                              number_of(h, operand, s->size), s->size);
    if (s->size < WIDE_BYTES)
        return (uint64_t)value;
    return wides_word(&h->program->wides,
                      (struct wide){(uint64_t)value, (uint64_t)(value >> 64)});
}

uint64_t hooks_on_wide(struct hooks *h, uint32_t site, uint64_t low,
                       uint64_t high, uint64_t c, uint64_t d)
{
    (void)site, (void)c, (void)d;
    return wides_word(&h->program->wides, (struct wide){low, high});
}

uint64_t hooks_on_half(struct hooks *h, uint32_t site, uint64_t word,
                       uint64_t which, uint64_t c, uint64_t d)
{
    (void)site, (void)c, (void)d;
    struct wide value = wides_value(&h->program->wides, word);
    return which ? value.high : value.low;
}

uint64_t hooks_on_rmw(struct hooks *h, uint32_t site, uint64_t addr,
                      uint64_t operand, uint64_t c, uint64_t d)
{
    (void)c, (void)d;
    struct site s = h->image->sites[site];
    uint64_t old = hooks_rmw_read(h, site, addr, s.size, s.tags, 0);
    uint64_t value = new_value(h, &s, old, operand);
    hooks_rmw_write(h, site, addr, s.size, s.tags_write, value);
    return old;
}

/* The tags of the read are chosen before anyone knows whether it succeeds, so
 * those of a failure go along. A weak exchange never fails by chance: a loop
 * around it would only go round once more. */
uint64_t hooks_on_cas(struct hooks *h, uint32_t site, uint64_t addr,
                      uint64_t expected, uint64_t desired, uint64_t d)
{
    (void)d;
    struct site s = h->image->sites[site];
    uint64_t old = hooks_rmw_read(h, site, addr, s.size, s.tags, s.tags_fail);
    if (old == low_bytes(expected, s.size))
        hooks_rmw_write(h, site, addr, s.size, s.tags_write, desired);
    return old;
}

uint64_t hooks_on_fence(struct hooks *h, uint32_t site, uint64_t a, uint64_t b,
                        uint64_t c, uint64_t d)
{
    (void)a, (void)b, (void)c, (void)d;
    const struct site *s = &h->image->sites[site];
    struct label label = {
        .kind = LABEL_FENCE,
        .place = s->place,
        .tags = s->tags,
        .loc = LOC_NONE,
    };
    hooks_tell(h, &label);
    return 0;
}

static void copy_piece(struct hooks *h, uint32_t site, uint64_t to,
                       uint64_t from, unsigned bytes, uint64_t flags)
{
    uint64_t value;
    if (flags & COPY_FROM_NATIVE)
        value = value_at(h, (const char *)(uintptr_t)from, bytes);
    else
        value = load(h, site, from, bytes, false);
    if (!(flags & COPY_TO_NATIVE)) {
        store(h, site, to, bytes, value, false);
        return;
    }
    struct wide halves = {value, 0};
    if (bytes == WIDE_BYTES)
        halves = wides_value(&h->program->wides, value);
    uint64_t words[] = {halves.low, halves.high};
    char ordered[WIDE_BYTES];
    void *native = (void *)(uintptr_t)to;
    order_bytes(h, ordered, words, bytes);
    if (memcmp(native, ordered, bytes) != 0) {
        h->effects++;
        memcpy(native, ordered, bytes);
    }
}

/* How many bytes to copy at once from `at` on: up to the end of a word, or a
 * pair of words that is one location for both sides. */
static uint64_t copy_bytes(const struct hooks *h, uint64_t to, uint64_t from,
                           uint64_t left, uint64_t flags)
{
    const struct locations *ls = &h->program->locations;
    bool fits_to =
        flags & COPY_TO_NATIVE || (to % 16 == 0 && locations_in_pair(ls, to));
    bool fits_from = flags & COPY_FROM_NATIVE ||
                     (from % 16 == 0 && locations_in_pair(ls, from));
    bool both_native = flags & COPY_TO_NATIVE && flags & COPY_FROM_NATIVE;
    if (left >= 16 && fits_to && fits_from && !both_native)
        return 16;
    uint64_t n = 8 - (flags & COPY_FROM_NATIVE ? to : from) % 8;
    return n < left ? n : left;
}

/* In pieces that end where 8-byte words of the shared side end, so that the
 * copy cuts no granules: of the source if that is shared. */
uint64_t hooks_on_copy(struct hooks *h, uint32_t site, uint64_t to,
                       uint64_t from, uint64_t bytes, uint64_t flags)
{
    if (bytes > COPY_BYTES_MAX)
        hooks_unmodelled(h, site, "copy of %llu bytes at once, more than %u",
                         (unsigned long long)bytes, (unsigned)COPY_BYTES_MAX);
    uint64_t lead = flags & COPY_FROM_NATIVE ? to : from;
    if (to - from >= bytes) { /* forwards, also when they do not overlap */
        for (uint64_t done = 0; done < bytes;) {
            uint64_t n =
                copy_bytes(h, to + done, from + done, bytes - done, flags);
            copy_piece(h, site, to + done, from + done, (unsigned)n, flags);
            done += n;
        }
        return to;
    }
    for (uint64_t left = bytes; left > 0;) {
        uint64_t n = (lead + left) % 8 ? (lead + left) % 8 : 8;
        n = n < left ? n : left;
        left -= n;
        copy_piece(h, site, to + left, from + left, (unsigned)n, flags);
    }
    return to;
}

uint64_t hooks_on_fill(struct hooks *h, uint32_t site, uint64_t to,
                       uint64_t byte, uint64_t bytes, uint64_t flags)
{
    if (bytes > COPY_BYTES_MAX)
        hooks_unmodelled(h, site, "fill of %llu bytes at once, more than %u",
                         (unsigned long long)bytes, (unsigned)COPY_BYTES_MAX);
    uint64_t value = (byte & 0xff) * 0x0101010101010101u;
    for (uint64_t done = 0; done < bytes;) {
        uint64_t n = 8 - (to + done) % 8;
        n = n < bytes - done ? n : bytes - done;
        assert(n <= 8);
        if (flags & COPY_TO_NATIVE)
            copy_piece(h, site, to + done, (uint64_t)(uintptr_t)&value,
                       (unsigned)n, flags | COPY_FROM_NATIVE);
        else
            store(h, site, to + done, (unsigned)n, value, false);
        done += n;
    }
    return to;
}

uint64_t hooks_on_bounds(struct hooks *h, uint32_t site, uint64_t offset,
                         uint64_t bytes, uint64_t size, uint64_t d)
{
    (void)d;
    if (offset > size || size - offset < bytes)
        hooks_fail(h, site, VIOLATION_INVALID_ACCESS,
                   "access of %llu bytes at offset %lld of a local variable, "
                   "which has %llu",
                   (unsigned long long)bytes, (long long)offset,
                   (unsigned long long)size);
    return 0;
}

uint64_t hooks_on_divisor(struct hooks *h, uint32_t site, uint64_t divisor,
                          uint64_t overflow, uint64_t c, uint64_t d)
{
    (void)c, (void)d;
    if (divisor == 0)
        hooks_fail(h, site, VIOLATION_ARITHMETIC, "division by zero");
    if (overflow)
        hooks_fail(h, site, VIOLATION_ARITHMETIC, "division overflow");
    return 0;
}
