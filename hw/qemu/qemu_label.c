#include "hw/qemu/qemu_label.h"

#include "core/mem.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#define NONE UINT32_MAX

bool qemu_label_is_user_code(const struct qemu_runtime *r, uint64_t pc)
{
    return range_has(r->image->text, pc) && !range_has(r->image->library, pc);
}

/* ---- adding labels */

static void set_origin(struct qemu_runtime *r, node_id node, uint64_t pc)
{
    while (node >= r->origin_cap) {
        uint32_t cap = r->origin_cap ? r->origin_cap * 2 : 1024;
        r->origin = mem_resize(r->origin, cap * sizeof *r->origin);
        memset(r->origin + r->origin_cap, 0,
               (cap - r->origin_cap) * sizeof *r->origin);
        r->origin_cap = cap;
    }
    r->origin[node] = pc;
}

bool qemu_label_is_live(const struct qemu_replay *p)
{
    return p->n_labels >= p->skip;
}

/* Does it leave anything behind for the rest of the program? A
 * read-modify-write that puts back what it found does not. */
static bool is_effect(const struct qemu_replay *p, const struct label *label)
{
    switch (label->kind) {
    case LABEL_READ:
    case LABEL_FENCE:
    case LABEL_CHOICE:
    case LABEL_WARN:
        return false;
    case LABEL_WRITE:
        return !label->rmw || label->value != p->last_value;
    default:
        return true;
    }
}

void qemu_label_add(struct qemu_runtime *r, const struct label *label,
                    uint64_t pc)
{
    struct qemu_replay *p = &r->replay;
    bool live = qemu_label_is_live(p);
    p->n_labels++;
    r->spin.events += label_is_event(label->kind);
    r->spin.effects += is_effect(p, label);
    if (!live)
        return;
    p->node = path_append(p->path, p->node, p->key, label);
    p->key = 0;
    set_origin(r, p->node, pc);
    if (label_is_event(label->kind) && p->n_events < QEMU_EVENTS)
        p->events[p->n_events++] = (struct qemu_event){p->node, p->access};
}

void qemu_label_unstored(struct qemu_runtime *r)
{
    r->replay.unstored = false;
    qemu_label_end_with(r, LABEL_UNMODELLED, 0,
                        "load-exclusive of 16 bytes without its "
                        "store-exclusive, which may be two reads");
}

void qemu_label_end(struct qemu_runtime *r, const struct label *label,
                    uint64_t pc)
{
    struct qemu_replay *p = &r->replay;
    if (p->unstored &&
        (label->kind == LABEL_END || label->kind == LABEL_BLOCK)) {
        qemu_label_unstored(r);
        return;
    }
    if (!qemu_label_is_live(p))
        p->diverged = true;
    qemu_label_add(r, label, pc);
    p->done = p->over = true;
    p->sure = p->node;
}

bool qemu_label_ask(struct qemu_runtime *r, const struct label *label,
                    uint64_t pc, const uint64_t *guess)
{
    struct qemu_replay *p = &r->replay;
    qemu_label_add(r, label, pc);
    p->n_reads += label->kind == LABEL_READ;
    if (p->next_value < r->n_values) {
        p->last_value = r->values[p->next_value++];
        return true;
    }
    p->done = true;
    p->sure = p->node;
    p->guessing = guess;
    p->over = !guess;
    if (guess)
        p->key = p->last_value = *guess;
    return guess;
}

bool qemu_label_may_touch(struct qemu_runtime *r, const struct wire_record *rec)
{
    struct qemu_replay *p = &r->replay;
    if (p->guessing &&
        !locations_has(&r->program->locations, rec->addr, rec->size))
        p->over = true;
    return !p->over;
}

static uint32_t format(struct qemu_runtime *r, const char *fmt, va_list args)
{
    char text[600];
    vsnprintf(text, sizeof text, fmt, args);
    return program_text(r->program, text);
}

void qemu_label_end_with(struct qemu_runtime *r, enum label_kind kind,
                         uint64_t value, const char *fmt, ...)
{
    va_list args;
    if (r->replay.guessing) {
        r->replay.over = true;
        return;
    }
    va_start(args, fmt);
    struct label label = {
        .kind = (uint8_t)kind,
        .place = qemu_runtime_place(r, r->replay.user_pc),
        .loc = LOC_NONE,
        .aux = format(r, fmt, args),
        .value = value,
    };
    va_end(args);
    qemu_label_end(r, &label, r->replay.last_pc);
}

void qemu_label_block(struct qemu_runtime *r, enum block_reason reason,
                      uint64_t value)
{
    struct label label = {
        .kind = LABEL_BLOCK,
        .place = qemu_runtime_place(r, r->replay.user_pc),
        .loc = LOC_NONE,
        .aux = reason,
        .value = value,
    };
    qemu_label_end(r, &label, r->replay.last_pc);
}

void qemu_label_stale(struct qemu_runtime *r)
{
    qemu_label_end_with(r, LABEL_UNMODELLED, 0, "granules changed");
}

/* ---- memory */

uint64_t qemu_label_value(const struct qemu_runtime *r, const uint8_t *bytes,
                          unsigned size)
{
    uint64_t value = 0;
    if (size == WIDE_BYTES) {
        uint64_t first = qemu_label_value(r, bytes, 8);
        uint64_t second = qemu_label_value(r, bytes + 8, 8);
        return wides_word(&r->program->wides,
                          r->image->isa->big_endian
                              ? (struct wide){second, first}
                              : (struct wide){first, second});
    }
    for (unsigned i = 0; i < size; i++)
        value =
            value << 8 | bytes[r->image->isa->big_endian ? i : size - 1 - i];
    return value;
}

/* A word of a stack that another thread sees: from now on it is shared. */
static bool share(struct qemu_runtime *r, uint64_t addr, unsigned size)
{
    struct wire *w = r->link.wire;
    for (uint64_t word = addr / 8; word <= (addr + size - 1) / 8; word++) {
        bool known = false;
        for (uint32_t i = 0; i < w->n_shared; i++)
            known |= w->shared[i] == word;
        if (known)
            continue;
        if (w->n_shared == WIRE_SHARED) {
            qemu_label_end_with(r, LABEL_UNMODELLED, 0,
                                "more than %d words of stacks are shared",
                                WIRE_SHARED);
            return false;
        }
        w->shared[w->n_shared++] = word;
        r->program->locations.stale = true;
    }
    if (!r->program->locations.stale)
        return true;
    qemu_label_stale(r);
    return false;
}

bool qemu_label_resolve(struct qemu_runtime *r, uint64_t addr, unsigned size,
                        bool write, struct qemu_target *t)
{
    *t = (struct qemu_target){0};
    if (range_has(r->image->data, addr) &&
        range_has(r->image->data, addr + size - 1))
        return true;
    uint64_t offset = addr - WIRE_BASE;
    uint64_t thread = offset >> WIRE_REGION_BITS;
    if (thread < r->replay.path->n_threads) {
        offset &= ((uint64_t)1 << WIRE_REGION_BITS) - 1;
        unsigned bits = offset < WIRE_HEAP_MEDIUM  ? WIRE_SLOT_BITS
                        : offset < WIRE_HEAP_LARGE ? WIRE_MEDIUM_BITS
                                                   : WIRE_LARGE_BITS;
        t->zero = true;
        if (offset < WIRE_OWN) {
            t->object = addr >> bits << bits;
            return true;
        }
        t->tls = offset < WIRE_OWN + WIRE_TLS_BYTES;
        t->object = wire_region((uint32_t)thread) + WIRE_OWN;
        if (offset < WIRE_OWN_END)
            return share(r, addr, size);
    }
    qemu_label_end_with(r, LABEL_ERROR, VIOLATION_INVALID_ACCESS,
                        "%s of %u bytes at address 0x%" PRIx64 ": %s",
                        write ? "write" : "read", size, addr,
                        addr < 4096 ? "null pointer" : "not in any object");
    return false;
}

static uint64_t initial(const struct qemu_runtime *r,
                        const struct qemu_target *t, uint64_t addr,
                        unsigned size)
{
    uint8_t bytes[WIDE_BYTES] = {0};
    if (t->tls) {
        uint64_t offset =
            (addr - WIRE_BASE) & (((uint64_t)1 << WIRE_REGION_BITS) - 1);
        uint64_t from = r->image->tls.from + (offset - WIRE_OWN - 256);
        if (range_has(r->image->tls, from))
            machine_image_read(r->image, from, bytes, size);
    } else if (!t->zero) {
        machine_image_read(r->image, addr, bytes, size);
    }
    return qemu_label_value(r, bytes, size);
}

loc_id qemu_label_location(struct qemu_runtime *r, const struct qemu_target *t,
                           uint64_t addr, unsigned size)
{
    struct locations *ls = &r->program->locations;
    loc_id object = t->object ? locations_object(ls, t->object) : LOC_NONE;
    return locations_get(ls, addr, size, initial(r, t, addr, size), object);
}

bool qemu_label_fits_whole(struct qemu_runtime *r, uint64_t addr, unsigned size)
{
    struct locations *ls = &r->program->locations;
    bool fits = locations_whole(ls, addr, size);
    if (ls->stale)
        qemu_label_stale(r);
    else if (!fits)
        qemu_label_end_with(
            r, LABEL_UNMODELLED, 0, "%s of %u bytes at 0x%" PRIx64,
            addr % size ? "misaligned atomic access" : "mixed-size access",
            size, addr);
    return fits && !ls->stale;
}

struct label qemu_label_access(struct qemu_runtime *r, bool write,
                               uint64_t tags, unsigned size)
{
    return (struct label){
        .kind = write ? LABEL_WRITE : LABEL_READ,
        .size = (uint8_t)size,
        .place = qemu_runtime_place(r, r->replay.user_pc),
        .tags = tags | TAG_BIT(write ? TAG_W : TAG_R),
        .loc = LOC_NONE,
    };
}

void qemu_label_add_fence(struct qemu_runtime *r, uint64_t tags, uint64_t pc)
{
    struct label label = {
        .kind = LABEL_FENCE,
        .place = qemu_runtime_place(r, r->replay.user_pc),
        .tags = tags | TAG_BIT(TAG_F),
        .loc = LOC_NONE,
    };
    qemu_label_add(r, &label, pc);
}

/* ---- the tape: what the thread asked for */

uint32_t qemu_label_tape_next(struct qemu_runtime *r, uint64_t pc,
                              uint64_t addr, unsigned size, bool follows)
{
    struct qemu_replay *p = &r->replay;
    uint32_t *list =
        p->tape == NONE ? &r->roots[p->root].first : &r->tape[p->tape].child;
    uint64_t key = p->tape == NONE ? 0 : p->tape_key;
    for (uint32_t n = *list; n != NONE; n = r->tape[n].sibling)
        if (r->tape[n].key == key)
            return n;
    uint32_t first = *list;
    r->tape = mem_room(r->tape, r->n_tape, &r->tape_cap, sizeof *r->tape);
    list = p->tape == NONE ? &r->roots[p->root].first : &r->tape[p->tape].child;
    *list = r->n_tape;
    r->tape[r->n_tape] = (struct tape_node){
        .pc = pc,
        .addr = addr,
        .size = (uint8_t)size,
        .follows = follows,
        .key = key,
        .child = NONE,
        .sibling = first,
    };
    return r->n_tape++;
}

void qemu_label_tape_answer(struct qemu_runtime *r, uint32_t node, uint64_t key)
{
    r->replay.tape = node;
    r->replay.tape_key = key;
}
