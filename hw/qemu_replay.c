/* What the plugin recorded of a run, as labels.
 *
 * A run starts at the thread's first instruction, so most of its labels are in
 * the path cache already: the first `skip` are only counted. Values of the past
 * answer what the thread asked; where they end, the label that asks is the last
 * one. Everything else (places, locks, loops) follows from the records. */
#include "core/mem.h"
#include "hw/qemu_runtime.h"

#include <assert.h>
#include <inttypes.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NONE UINT32_MAX

/* Of iterations; a loop without events may only compute, so it gets more. */
#define UNROLL_DEFAULT   10000
#define SILENT_LOOPS_MAX 2000000
#define SILENT_STEPS_MAX 200000000

#define TAGS_ATOMIC(mode) (TAG_BIT(TAG_ATOMIC) | TAG_BIT(TAG_##mode))

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

static bool is_live(const struct qemu_replay *p)
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

static void add(struct qemu_runtime *r, const struct label *label, uint64_t pc)
{
    struct qemu_replay *p = &r->replay;
    bool live = is_live(p);
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

static void end(struct qemu_runtime *r, const struct label *label, uint64_t pc)
{
    struct qemu_replay *p = &r->replay;
    if (!is_live(p))
        p->diverged = true;
    add(r, label, pc);
    p->done = p->over = true;
    p->sure = p->node;
}

/* Adds a label that wants a value. True: it is known, or is `guess` (which may
 * be NULL). */
static bool ask(struct qemu_runtime *r, const struct label *label, uint64_t pc,
                const uint64_t *guess)
{
    struct qemu_replay *p = &r->replay;
    add(r, label, pc);
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

/* Are we still to go on? What a guess leads to must not make anything new. */
static bool may_touch(struct qemu_runtime *r, const struct wire_record *rec)
{
    struct qemu_replay *p = &r->replay;
    if (p->guessing &&
        !locations_has(&r->program->locations, rec->addr, rec->size))
        p->over = true;
    return !p->over;
}

static place_id place_at(const struct qemu_runtime *r)
{
    return r->replay.user_place;
}

static uint32_t format(struct qemu_runtime *r, const char *fmt, va_list args)
{
    char text[600];
    vsnprintf(text, sizeof text, fmt, args);
    return program_text(r->program, text);
}

static void end_with(struct qemu_runtime *r, enum label_kind kind,
                     uint64_t value, const char *fmt, ...)
    __attribute__((format(printf, 4, 5)));
static void end_with(struct qemu_runtime *r, enum label_kind kind,
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
        .place = place_at(r),
        .loc = LOC_NONE,
        .aux = format(r, fmt, args),
        .value = value,
    };
    va_end(args);
    end(r, &label, r->replay.last_pc);
}

static void block(struct qemu_runtime *r, enum block_reason reason)
{
    struct label label = {
        .kind = LABEL_BLOCK,
        .place = place_at(r),
        .loc = LOC_NONE,
        .aux = reason,
    };
    end(r, &label, r->replay.last_pc);
}

static void stale(struct qemu_runtime *r)
{
    end_with(r, LABEL_UNMODELLED, 0, "granules changed");
}

/* ---- memory */

struct target {
    uint64_t object; /* start of the allocated object; 0: none */
    bool zero;       /* initial value is zero; else the image's */
    bool tls;
};

static uint64_t value_of(const struct qemu_runtime *r, const uint8_t *bytes,
                         unsigned size)
{
    uint64_t value = 0;
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
            end_with(r, LABEL_UNMODELLED, 0,
                     "more than %d words of stacks are shared", WIRE_SHARED);
            return false;
        }
        w->shared[w->n_shared++] = word;
        r->program->locations.stale = true;
    }
    if (!r->program->locations.stale)
        return true;
    stale(r);
    return false;
}

/* What the bytes at `addr` belong to; false: a label says why not. */
static bool resolve(struct qemu_runtime *r, uint64_t addr, unsigned size,
                    bool write, struct target *t)
{
    *t = (struct target){0};
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
    end_with(r, LABEL_ERROR, VIOLATION_INVALID_ACCESS,
             "%s of %u bytes at address 0x%" PRIx64 ": %s",
             write ? "write" : "read", size, addr,
             addr < 4096 ? "null pointer" : "not in any object");
    return false;
}

static uint64_t initial(const struct qemu_runtime *r, const struct target *t,
                        uint64_t addr, unsigned size)
{
    uint8_t bytes[8] = {0};
    if (t->tls) {
        uint64_t offset =
            (addr - WIRE_BASE) & (((uint64_t)1 << WIRE_REGION_BITS) - 1);
        uint64_t from = r->image->tls.from + (offset - WIRE_OWN - 256);
        if (range_has(r->image->tls, from))
            machine_image_read(r->image, from, bytes, size);
    } else if (!t->zero) {
        machine_image_read(r->image, addr, bytes, size);
    }
    return value_of(r, bytes, size);
}

static loc_id location(struct qemu_runtime *r, const struct target *t,
                       uint64_t addr, unsigned size)
{
    struct locations *ls = &r->program->locations;
    loc_id object = t->object ? locations_object(ls, t->object) : LOC_NONE;
    return locations_get(ls, addr, size, initial(r, t, addr, size), object);
}

/* An access that is one event whatever others do; false: it cannot be. */
static bool fits_whole(struct qemu_runtime *r, uint64_t addr, unsigned size)
{
    struct locations *ls = &r->program->locations;
    bool fits = locations_whole(ls, addr, size);
    if (ls->stale)
        stale(r);
    else if (!fits)
        end_with(r, LABEL_UNMODELLED, 0, "%s of %u bytes at 0x%" PRIx64,
                 size > 8 || addr % size ? "misaligned atomic access"
                                         : "mixed-size access",
                 size, addr);
    return fits && !ls->stale;
}

static struct label access_label(const struct qemu_runtime *r, bool write,
                                 uint64_t tags, unsigned size)
{
    return (struct label){
        .kind = write ? LABEL_WRITE : LABEL_READ,
        .size = (uint8_t)size,
        .place = place_at(r),
        .tags = tags | TAG_BIT(write ? TAG_W : TAG_R),
        .loc = LOC_NONE,
    };
}

/* ---- the tape: what the thread asked for */

static uint32_t tape_next(struct qemu_runtime *r, uint64_t pc, uint64_t addr,
                          unsigned size, bool follows)
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

static void tape_answer(struct qemu_runtime *r, uint32_t node, uint64_t key)
{
    r->replay.tape = node;
    r->replay.tape_key = key;
}

/* ---- accesses of the program */

static bool is_plain(const struct effect_access *a)
{
    return a->role == ACCESS_PLAIN &&
           !(a->tags & ~(TAG_BIT(TAG_R) | TAG_BIT(TAG_W)));
}

static bool is_user_code(const struct qemu_runtime *r, uint64_t pc)
{
    return range_has(r->image->text, pc) && !range_has(r->image->library, pc);
}

/* One event, or one a granule? An aligned access of up to 8 bytes is
 * single-copy atomic on every ISA; only where accesses of other sizes have cut
 * its bytes it is taken apart, which allows more. The library's (memset and
 * such) go by granules. False: it cannot be one and has to; a label says so. */
static bool is_whole(struct qemu_runtime *r, const struct wire_record *rec,
                     const struct effect_access *a, bool *whole)
{
    *whole = !is_plain(a);
    if (*whole)
        return fits_whole(r, rec->addr, rec->size);
    if (is_user_code(r, rec->pc))
        *whole = locations_whole(&r->program->locations, rec->addr, rec->size);
    return true;
}

static uint64_t failed_loses(const struct qemu_runtime *r)
{
    bool is_x86 = strcmp(r->image->isa->name, "x86_64") == 0;
    return TAG_BIT(TAG_RMW) | TAG_BIT(TAG_ARM_L) |
           (is_x86 ? 0 : TAG_BIT(TAG_X));
}

/* A shared load. False: the run ends there, or its value is not known. */
static bool load(struct qemu_runtime *r, const struct wire_record *rec,
                 const struct effect_access *a)
{
    struct qemu_replay *p = &r->replay;
    struct target t;
    if (!may_touch(r, rec))
        return false;
    uint32_t node = tape_next(r, rec->pc, rec->addr, rec->size,
                              rec->flags & RECORD_FOLLOWS);
    if (!resolve(r, rec->addr, rec->size, false, &t))
        return false;
    bool whole;
    if (!is_whole(r, rec, a, &whole))
        return false;
    struct tape_node *n = &r->tape[node];
    n->n_pieces = 0;
    bool known = true;
    bool guess = rec->flags & RECORD_UNKNOWN && p->next_value == r->n_values;
    for (unsigned done = 0, size; done < rec->size; done += size) {
        size = whole ? rec->size
                     : locations_piece(&r->program->locations, rec->addr + done,
                                       rec->size - done);
        if (r->program->locations.stale) {
            stale(r);
            return false;
        }
        if (n->n_pieces < 8)
            n->pieces[n->n_pieces++] = (uint8_t)size;
        struct label label = access_label(r, false, a->tags, size);
        if (a->role != ACCESS_PLAIN) {
            label.rmw = 1;
            label.tags |= TAG_BIT(TAG_RMW);
            /* A compare-and-swap that fails is no RMW any more; x86's is
             * locked all the same. */
            if (a->role == ACCESS_AMO_COMPARE)
                label.aux = (uint32_t)(label.tags & ~failed_loses(r));
        }
        if (!known)
            continue; /* only the sizes of its pieces matter now */
        label.loc = location(r, &t, rec->addr + done, size);
        uint64_t held = value_of(r, rec->bytes + done, size);
        known = ask(r, &label, rec->pc, guess ? &held : NULL);
    }
    if (a->role == ACCESS_EXCLUSIVE) {
        p->reserved_addr = rec->addr;
        p->reserved_label = p->n_labels;
    }
    if (!known)
        return false;
    uint64_t key = 0;
    memcpy(&key, rec->bytes, rec->size < 8 ? rec->size : 8);
    tape_answer(r, node, key);
    /* Known, but the plugin did not know: the tape was forgotten. */
    return guess || !(rec->flags & RECORD_UNKNOWN);
}

static bool store_half(struct qemu_runtime *r, const struct wire_record *rec,
                       const struct effect_access *a, struct label *label)
{
    struct qemu_replay *p = &r->replay;
    label->rmw = 1;
    label->tags |= TAG_BIT(TAG_RMW);
    if (a->role != ACCESS_EXCLUSIVE)
        return true;
    if (p->reserved_label == p->n_labels && p->reserved_addr == rec->addr) {
        p->reserved_label = 0;
        return true;
    }
    end_with(r, LABEL_UNMODELLED, 0,
             "store-conditional that does not follow its load at once");
    return false;
}

static bool store(struct qemu_runtime *r, const struct wire_record *rec,
                  const struct effect_access *a)
{
    struct target t;
    if (!may_touch(r, rec) || !resolve(r, rec->addr, rec->size, true, &t))
        return false;
    bool whole;
    if (!is_whole(r, rec, a, &whole))
        return false;
    for (unsigned done = 0, size; done < rec->size; done += size) {
        size = whole ? rec->size
                     : locations_piece(&r->program->locations, rec->addr + done,
                                       rec->size - done);
        if (r->program->locations.stale) {
            stale(r);
            return false;
        }
        struct label label = access_label(r, true, a->tags, size);
        if (a->role != ACCESS_PLAIN && !store_half(r, rec, a, &label))
            return false;
        if (is_live(&r->replay))
            label.loc = location(r, &t, rec->addr + done, size);
        label.value = value_of(r, rec->bytes + done, size);
        add(r, &label, rec->pc);
    }
    return true;
}

static bool private_access(struct qemu_runtime *r,
                           const struct wire_record *rec)
{
    if (rec->type != RECORD_STORE)
        return true;
    uint64_t offset = rec->addr - WIRE_BASE;
    if (offset >> WIRE_REGION_BITS == r->replay.thread) {
        spin_store(&r->spin, rec->addr, rec->bytes, rec->size);
        return true;
    }
    end_with(r, LABEL_ERROR, VIOLATION_INVALID_ACCESS,
             "write of %u bytes at address 0x%" PRIx64 ": constant", rec->size,
             rec->addr);
    return false;
}

/* ---- instructions */

/* Which access of the effect a record is: QEMU may split one in several. */
struct matcher {
    const struct effect *effect;
    int read, write;                  /* current accesses */
    unsigned read_bytes, write_bytes; /* done of them */
    struct spin_values values;
    struct deps_access deps[EFFECT_ACCESSES];
    uint8_t bytes[EFFECT_ACCESSES]; /* that QEMU told of each */
    uint64_t old;                   /* what an atomic instruction read */
};

/* Only what the effect has: this is done for each instruction. */
static void begin_match(struct matcher *m, const struct effect *e)
{
    m->effect = e;
    m->read = m->write = -1;
    m->read_bytes = m->write_bytes = 0;
    m->old = 0;
    for (int i = 0; i < e->n_accesses; i++) {
        m->values.low[i] = m->values.high[i] = 0;
        m->bytes[i] = 0;
        m->deps[i] = (struct deps_access){.skipped = e->accesses[i].is_write &&
                                                     e->accesses[i].role !=
                                                         ACCESS_PLAIN};
    }
}

static int match(struct matcher *m, const struct wire_record *rec)
{
    bool is_write = rec->type == RECORD_STORE;
    int *at = is_write ? &m->write : &m->read;
    unsigned *done = is_write ? &m->write_bytes : &m->read_bytes;
    const struct effect *e = m->effect;
    if (*at >= 0 && *done >= e->accesses[*at].size)
        ++*at, *done = 0;
    if (*at < 0)
        *at = 0;
    while (*at < e->n_accesses && e->accesses[*at].is_write != is_write)
        ++*at;
    if (*at >= e->n_accesses)
        return -1;
    *done += rec->size;
    m->bytes[*at] = (uint8_t)*done;
    return *at;
}

/* Did QEMU tell of all that the instruction does to memory? It does not of
 * those that clear a cache block. The write of a conditional store may be
 * missing, and all of a string instruction that repeats zero times. */
static bool is_complete(const struct matcher *m)
{
    const struct effect *e = m->effect;
    for (int i = 0; i < e->n_accesses; i++) {
        const struct effect_access *a = &e->accesses[i];
        bool may_fail = a->is_write && (a->role == ACCESS_EXCLUSIVE ||
                                        a->role == ACCESS_AMO_COMPARE);
        if (m->bytes[i] != a->size && !may_fail && !e->repeats)
            return false;
    }
    return true;
}

static bool same_bytes(const struct wire_record *rec, uint64_t old)
{
    uint64_t now = 0;
    memcpy(&now, rec->bytes, rec->size < 8 ? rec->size : 8);
    return now == old;
}

static void add_fence(struct qemu_runtime *r, uint64_t tags, uint64_t pc)
{
    struct label label = {
        .kind = LABEL_FENCE,
        .place = place_at(r),
        .tags = tags | TAG_BIT(TAG_F),
        .loc = LOC_NONE,
    };
    add(r, &label, pc);
}

/* One access of an instruction; false: the run ends there. */
static bool access_memory(struct qemu_runtime *r, struct matcher *m,
                          const struct wire_record *rec)
{
    int i = match(m, rec);
    if (i < 0) {
        const struct instruction *in = decode_at(&r->decode, rec->pc);
        end_with(r, LABEL_UNMODELLED, 0,
                 "unknown access of instruction '%s' at 0x%" PRIx64,
                 in ? in->text : "?", rec->pc);
        return false;
    }
    const struct effect_access *a = &m->effect->accesses[i];
    if (!is_plain(a) && rec->size != a->size &&
        !(rec->flags & RECORD_PRIVATE)) {
        end_with(r, LABEL_UNMODELLED, 0,
                 "atomic access of %u bytes that QEMU makes in parts", a->size);
        return false;
    }
    r->replay.access = i;
    m->deps[i].address = rec->addr;
    m->deps[i].is_private = rec->flags & RECORD_PRIVATE;
    uint64_t low = 0;
    memcpy(&low, rec->bytes, rec->size < 8 ? rec->size : 8);
    if (rec->flags & RECORD_PRIVATE) {
        m->values.high[i] = m->values.low[i];
        m->values.low[i] = low;
        if (a->role == ACCESS_AMO && rec->type == RECORD_STORE)
            add_fence(r, TAG_BIT(TAG_MFENCE), rec->pc);
        return private_access(r, rec);
    }
    if (rec->type == RECORD_LOAD) {
        uint32_t first = r->replay.n_reads;
        bool known = load(r, rec, a);
        if (!m->deps[i].n_reads)
            m->deps[i].read = first;
        m->deps[i].n_reads += (uint8_t)(r->replay.n_reads - first);
        if (!known)
            return false;
        m->old = low;
        m->values.high[i] = m->values.low[i];
        m->values.low[i] = low;
        return true;
    }
    m->deps[i].skipped = 0;
    /* QEMU writes the old value back when a compare-and-swap fails. One that
     * succeeds without changing the value looks the same; to leave its write
     * out only allows more. */
    if (a->role == ACCESS_AMO_COMPARE && same_bytes(rec, m->old)) {
        m->deps[i].skipped = 1;
        return true;
    }
    return store(r, rec, a);
}

/* For the instruction's events that are new: what they depend on. */
static void report_deps(struct qemu_runtime *r, const struct instruction *in,
                        const struct matcher *m)
{
    const struct qemu_replay *p = &r->replay;
    struct deps_out out;
    struct deps_dynamic dynamic = {.accesses = m->deps};
    deps_step(&r->deps, &in->effect, &dynamic, &out);
    for (uint32_t i = 0; i < p->n_events; i++)
        r->on_event(r->on_event_self, p->events[i].node, in,
                    p->events[i].access, &out);
}

/* ---- calls and loops */

static const struct live_set *live(struct qemu_runtime *r, uint64_t pc)
{
    const struct qemu_replay *p = &r->replay;
    return live_at(&r->live, pc, p->n_callers == 0 && !p->lost);
}

/* Where an instruction reads or writes the stack; 0: it does not. */
static uint64_t stack_address(const struct wire_record *recs, uint32_t n)
{
    return n > 0 ? recs[n - 1].addr : 0;
}

static void note_call(struct qemu_runtime *r, uint64_t returns_to,
                      uint64_t pushed)
{
    struct qemu_replay *p = &r->replay;
    if (p->n_callers == QEMU_CALLERS) {
        p->lost = true;
        return;
    }
    p->callers[p->n_callers++] = (struct qemu_call){
        .returns_to = returns_to,
        .pushed = pushed,
        .stack = r->spin.regs[r->image->isa->stack_register],
    };
}

/* Control comes to pc after a return, or from the library, which may also call
 * the program. The stack pointer is what it was before the call: on x86 the
 * return address says so, elsewhere the ABI. */
static void note_return(struct qemu_runtime *r, uint64_t pc)
{
    struct qemu_replay *p = &r->replay;
    uint32_t n = p->n_callers;
    while (p->last_is_return && n > 0 && p->callers[n - 1].returns_to != pc)
        n--;
    if (n > 0 && p->callers[n - 1].returns_to == pc) {
        p->n_callers = n - 1;
        const struct qemu_call *call = &p->callers[n - 1];
        if (p->last_is_return && call->pushed == p->popped)
            r->spin.regs[r->image->isa->stack_register] = call->stack;
    } else if (p->last_is_return) {
        p->lost = true;
    }
}

static void bound(struct qemu_runtime *r, uint64_t head, const char *what)
{
    place_id place = qemu_runtime_place(r, head);
    char where[300];
    program_print_place(r->program, place, where, sizeof where);
    const char *function = "?";
    if (place != PLACE_NONE)
        function = r->program->texts[r->program->places[place].function];
    r->replay.user_place = place;
    end_with(r, LABEL_BOUND, 0, "loop at %s in %s: %s", where, function, what);
}

/* Ends the run if the loop only waits, or goes on for too long. */
static void arrive_at_loop(struct qemu_runtime *r, uint64_t pc, bool back)
{
    const struct qemu_replay *p = &r->replay;
    const struct spin_loop *l;
    enum spin_result result = spin_arrive(&r->spin, pc, back, live(r, pc), &l);
    char text[60];
    uint64_t max = r->unroll ? r->unroll : UNROLL_DEFAULT;
    if (result == SPIN_BLOCK) {
        block(r, BLOCK_SPIN);
    } else if (result == SPIN_ENDLESS) {
        bound(r, pc, "never ends");
    } else if (l->busy > max) {
        snprintf(text, sizeof text, "more than %" PRIu64 " iterations", max);
        bound(r, pc, text);
    } else if (l->iterations > SILENT_LOOPS_MAX ||
               p->instructions > SILENT_STEPS_MAX) {
        snprintf(text, sizeof text, "more than %" PRIu64 " iterations",
                 l->iterations);
        bound(r, pc, text);
    }
}

/* Executes the instruction at pc with its `n` records. False: the run ends. */
static bool step(struct qemu_runtime *r, uint64_t pc,
                 const struct wire_record *recs, uint32_t n,
                 const struct instruction **out)
{
    struct qemu_replay *p = &r->replay;
    const struct instruction *in = decode_at(&r->decode, pc);
    *out = in;
    if (in && in->is_loop_head && !p->begins_block)
        arrive_at_loop(r, pc, false);
    if (p->over)
        return false;
    p->instructions++;
    p->begins_block = false;
    p->last_pc = pc;
    p->n_events = 0;
    if (is_user_code(r, pc))
        p->user_place = qemu_runtime_place(r, pc);
    if (!in || in->effect.kind != EFFECT_KNOWN) {
        end_with(r, LABEL_UNMODELLED, 0,
                 "unknown instruction '%s' at 0x%" PRIx64, in ? in->text : "?",
                 pc);
        return false;
    }
    struct matcher m;
    begin_match(&m, &in->effect);
    bool goes_on = true;
    for (uint32_t i = 0; goes_on && i < n; i++)
        goes_on = access_memory(r, &m, &recs[i]);
    p->access = -1;
    if (goes_on && !is_complete(&m)) {
        end_with(r, LABEL_UNMODELLED, 0,
                 "QEMU does not tell what '%s' at 0x%" PRIx64 " does to memory",
                 in->text, pc);
        goes_on = false;
    }
    if (goes_on && in->effect.fence)
        add_fence(r, in->effect.fence, pc);
    if (r->on_event)
        report_deps(r, in, &m);
    if (!goes_on)
        return false;
    if (in->effect.ends_exclusive)
        p->reserved_label = 0;
    if (in->effect.is_call)
        note_call(r, pc + in->length, stack_address(recs, n));
    if (in->effect.is_return)
        p->popped = stack_address(recs, n);
    spin_step(&r->spin, pc, &in->effect, &m.values);
    p->last_branch = in->effect.branch;
    p->last_is_call = in->effect.is_call || in->effect.is_return;
    p->last_is_return = in->effect.is_return;
    return true;
}

/* Control comes to `pc`, where a block begins. */
static void arrive(struct qemu_runtime *r, uint64_t pc)
{
    struct qemu_replay *p = &r->replay;
    bool back = (p->last_branch == BRANCH_DIRECT ||
                 p->last_branch == BRANCH_CONDITIONAL) &&
                !p->last_is_call && !p->in_call && pc <= p->last_pc;
    if (p->in_call || p->last_is_return)
        note_return(r, pc);
    if (p->in_call)
        spin_call(&r->spin, pc);
    p->in_call = p->last_is_return = false;
    const struct instruction *in = decode_at(&r->decode, pc);
    if (back || (in && in->is_loop_head))
        arrive_at_loop(r, pc, back);
}

/* The instructions up to `pc`, which made no records. False: the run ends. */
static bool run_up_to(struct qemu_runtime *r, uint64_t pc)
{
    struct qemu_replay *p = &r->replay;
    const struct instruction *in;
    while (p->left > 0 && p->pc != pc) {
        if (!step(r, p->pc, NULL, 0, &in))
            return false;
        p->pc += in->length;
        p->left--;
    }
    return true;
}

/* ---- calls of the library */

static bool is_power(const struct qemu_runtime *r)
{
    return strncmp(r->image->isa->name, "ppc", 3) == 0;
}

/* What a mutex's instructions would be: as strong as the C orders, no
 * stronger. Power has no marks on accesses but fences. */
static uint64_t mode_tags(const struct qemu_runtime *r, enum wire_mode mode)
{
    bool arm = strcmp(r->image->isa->name, "aarch64") == 0;
    bool x86 = strcmp(r->image->isa->name, "x86_64") == 0;
    uint64_t acquire = arm ? TAG_BIT(TAG_ARM_A) : 0;
    uint64_t release = arm ? TAG_BIT(TAG_ARM_L) : 0;
    uint64_t half = TAG_BIT(TAG_RMW) | (arm || x86 ? TAG_BIT(TAG_X) : 0);
    switch (mode) {
    case MODE_PLAIN:
        return TAG_BIT(TAG_NA);
    case MODE_RLX:
        return TAGS_ATOMIC(RLX);
    case MODE_ACQ:
        return TAGS_ATOMIC(ACQ) | acquire;
    case MODE_REL:
        /* x86 unlocks by a LOCKed instruction. */
        return TAGS_ATOMIC(REL) | release | (x86 ? TAG_BIT(TAG_X) : 0);
    case MODE_LOCK:
        return TAGS_ATOMIC(ACQ) | TAG_BIT(TAG_LOCK) | half | acquire;
    case MODE_RMW_RLX:
    case MODE_RMW_REL:
        return TAGS_ATOMIC(RLX) | half;
    case MODE_RMW_ACQ:
    case MODE_RMW_ACQ_REL:
    case MODE_TRYLOCK:
        return TAGS_ATOMIC(ACQ) | half | acquire;
    case MODE_RMW_WRITE:
        return TAGS_ATOMIC(RLX) | half;
    case MODE_RMW_WRITE_REL:
        return TAGS_ATOMIC(REL) | half | release;
    }
    return 0;
}

static void fence_of(struct qemu_runtime *r, uint64_t pc)
{
    if (is_power(r))
        add_fence(r, TAG_BIT(TAG_LWSYNC), pc);
}

/* The library asks: value in, or the end of what is known. */
static bool ask_op(struct qemu_runtime *r, const struct wire_record *rec,
                   const struct label *label)
{
    struct qemu_replay *p = &r->replay;
    uint32_t node = tape_next(r, rec->pc, 0, 8, false);
    if (!ask(r, label, 0, NULL))
        return false;
    p->in_call = true;
    r->spin.salt = r->spin.salt * 31 + p->last_value + 1;
    tape_answer(r, node, p->last_value);
    return !(rec->flags & RECORD_UNKNOWN);
}

static bool mode_is_half(enum wire_mode mode)
{
    return mode == MODE_LOCK || mode == MODE_RMW_RLX || mode == MODE_RMW_ACQ ||
           mode == MODE_RMW_REL || mode == MODE_RMW_ACQ_REL ||
           mode == MODE_TRYLOCK;
}

static bool op_read(struct qemu_runtime *r, const struct wire_record *rec)
{
    unsigned size = (unsigned)rec->word[0];
    enum wire_mode mode = (enum wire_mode)rec->word[1];
    struct target t;
    if (!resolve(r, rec->addr, size, mode == MODE_LOCK, &t) ||
        !fits_whole(r, rec->addr, size))
        return false;
    /* A fence cannot stand between the halves. */
    if (mode == MODE_RMW_REL || mode == MODE_RMW_ACQ_REL)
        fence_of(r, rec->pc);
    struct label label = access_label(r, false, mode_tags(r, mode), size);
    label.rmw = mode_is_half(mode);
    if (mode == MODE_TRYLOCK)
        label.aux =
            (uint32_t)(TAGS_ATOMIC(RLX) | TAG_BIT(TAG_R) | TAG_BIT(TAG_RMW));
    label.loc = location(r, &t, rec->addr, size);
    if (!ask_op(r, rec, &label))
        return false;
    if (mode == MODE_ACQ)
        fence_of(r, rec->pc);
    return true;
}

static bool op_write(struct qemu_runtime *r, const struct wire_record *rec)
{
    unsigned size = (unsigned)(rec->word[1] >> 8);
    enum wire_mode mode = (enum wire_mode)(rec->word[1] & 0xff);
    struct target t;
    if (!resolve(r, rec->addr, size, true, &t) ||
        !fits_whole(r, rec->addr, size))
        return false;
    bool half = mode == MODE_RMW_WRITE || mode == MODE_RMW_WRITE_REL;
    if (mode == MODE_REL)
        fence_of(r, rec->pc);
    struct label label = access_label(r, true, mode_tags(r, mode), size);
    label.rmw = half;
    label.loc = location(r, &t, rec->addr, size);
    label.value = size >= 8 ? rec->word[0]
                            : rec->word[0] & (((uint64_t)1 << size * 8) - 1);
    add(r, &label, 0);
    if (half)
        fence_of(r, rec->pc);
    return true;
}

static bool op_create(struct qemu_runtime *r, const struct wire_record *rec)
{
    struct qemu_replay *p = &r->replay;
    const struct machine_image *im = r->image;
    if (!range_has(im->text, rec->addr)) {
        end_with(r, LABEL_ERROR, VIOLATION_INVALID_ACCESS,
                 "thread created to run 0x%" PRIx64 ": not a function",
                 rec->addr);
        return false;
    }
    uint32_t ordinal = p->n_created++;
    thread_id child = path_thread(p->path, p->thread, ordinal);
    if (child >= WIRE_THREADS) {
        end_with(r, LABEL_UNMODELLED, 0, "more than %d threads", WIRE_THREADS);
        return false;
    }
    struct label label = {
        .kind = LABEL_CREATE,
        .place = place_at(r),
        .tags = TAG_BIT(TAG_CREATE) | TAGS_THREAD_SYNC,
        .loc = child,
    };
    if (is_live(p))
        label.aux =
            path_root(p->path, child,
                      qemu_runtime_function(r, rec->addr, rec->word[1] != 0),
                      rec->word[0]);
    add(r, &label, 0);
    return true;
}

static bool op_join(struct qemu_runtime *r, const struct wire_record *rec)
{
    uint64_t child = rec->addr - WIRE_HANDLE_BASE;
    if (child >= r->replay.path->n_threads || child == 0) {
        end_with(r, LABEL_ERROR, VIOLATION_THREAD,
                 "join of 0x%" PRIx64 ", which is not a thread", rec->addr);
        return false;
    }
    if (child == r->replay.thread) {
        end_with(r, LABEL_ERROR, VIOLATION_DEADLOCK, "thread joins itself");
        return false;
    }
    struct label label = {
        .kind = LABEL_JOIN,
        .place = place_at(r),
        .tags = TAG_BIT(TAG_JOIN) | TAGS_THREAD_SYNC,
        .loc = (loc_id)child,
    };
    return ask_op(r, rec, &label);
}

static bool op_choice(struct qemu_runtime *r, const struct wire_record *rec)
{
    struct label label = {
        .kind = LABEL_CHOICE,
        .place = place_at(r),
        .tags = TAG_BIT(TAG_CHOICE),
        .loc = LOC_NONE,
        .value = rec->addr,
    };
    return ask_op(r, rec, &label);
}

static bool op_heap(struct qemu_runtime *r, const struct wire_record *rec)
{
    bool alloc = rec->n == OP_ALLOC;
    uint64_t offset =
        (rec->addr - WIRE_BASE) & (((uint64_t)1 << WIRE_REGION_BITS) - 1);
    unsigned bits = offset < WIRE_HEAP_MEDIUM  ? WIRE_SLOT_BITS
                    : offset < WIRE_HEAP_LARGE ? WIRE_MEDIUM_BITS
                                               : WIRE_LARGE_BITS;
    bool in_heap = (rec->addr - WIRE_BASE) >> WIRE_REGION_BITS < WIRE_THREADS &&
                   offset < WIRE_OWN;
    if (!in_heap || rec->addr & (((uint64_t)1 << bits) - 1)) {
        end_with(r, LABEL_ERROR, VIOLATION_INVALID_FREE,
                 "free of 0x%" PRIx64 ": %s", rec->addr,
                 in_heap ? "not the start of an object" : "not from malloc");
        return false;
    }
    struct label label = {
        .kind = alloc ? LABEL_ALLOC : LABEL_FREE,
        .place = place_at(r),
        .tags = TAG_BIT(alloc ? TAG_ALLOC : TAG_FREE),
        .loc = locations_object(&r->program->locations, rec->addr),
        .aux = alloc ? (uint32_t)rec->word[1] : 0,
        .value = alloc ? rec->word[0] : 0,
    };
    add(r, &label, 0);
    return true;
}

static void op_observe(struct qemu_runtime *r, const struct wire_record *rec)
{
    char name[200];
    machine_image_string(r->image, rec->addr, name, sizeof name);
    struct label label = {
        .kind = LABEL_OBSERVE,
        .place = place_at(r),
        .loc = LOC_NONE,
        .aux = program_text(r->program, name),
        .value = rec->word[0],
    };
    add(r, &label, 0);
}

/* The library's texts have at most one %s, for a text of the program's. */
static void op_error(struct qemu_runtime *r, const struct wire_record *rec)
{
    char text[300], detail[200] = "", all[520];
    machine_image_string(r->image, rec->word[0], text, sizeof text);
    if (rec->word[1])
        machine_image_string(r->image, rec->word[1], detail, sizeof detail);
    char *hole = strstr(text, "%s");
    if (hole)
        snprintf(all, sizeof all, "%.*s%s%s", (int)(hole - text), text, detail,
                 hole + 2);
    else
        snprintf(all, sizeof all, "%s", text);
    end_with(r, LABEL_ERROR, rec->addr, "%s", all);
}

static void op_end(struct qemu_runtime *r, const struct wire_record *rec)
{
    struct qemu_replay *p = &r->replay;
    const struct label *root =
        path_label(p->path, path_root_of(p->path, p->node));
    struct label label = {
        .kind = LABEL_END,
        .place = place_at(r),
        .loc = LOC_NONE,
        .value = r->functions[root->aux].returns_int ? (uint32_t)rec->addr
                                                     : rec->addr,
    };
    end(r, &label, 0);
}

static bool is_system_call(const char *text)
{
    return strncmp(text, "sc", 2) == 0 || strncmp(text, "svc", 3) == 0 ||
           strncmp(text, "syscall", 7) == 0 ||
           strncmp(text, "int 0x80", 8) == 0;
}

/* A signal from the guest's machine: the program's fault. */
static void op_fault(struct qemu_runtime *r, const struct wire_record *rec)
{
    struct qemu_replay *p = &r->replay;
    uint64_t pc = rec->word[1], addr = rec->word[0];
    const struct instruction *in = decode_at(&r->decode, pc);
    const char *text = in ? in->text : "?";
    p->last_pc = pc;
    if (is_user_code(r, pc))
        p->user_place = qemu_runtime_place(r, pc);
    uint64_t stack = wire_region(p->thread) + WIRE_OWN_END - WIRE_STACK_BYTES;
    switch ((int)rec->addr) {
    case SIGFPE:
        end_with(r, LABEL_ERROR, VIOLATION_ARITHMETIC,
                 "division by zero or overflow: '%s' at 0x%" PRIx64, text, pc);
        return;
    case SIGILL:
    case SIGTRAP:
        if (in && in->effect.kind == EFFECT_TRAP && !is_system_call(text))
            end_with(r, LABEL_ERROR, VIOLATION_ABORT,
                     "trap instruction '%s' at 0x%" PRIx64, text, pc);
        else if (in && in->effect.kind == EFFECT_TRAP)
            end_with(r, LABEL_UNMODELLED, 0, "system call '%s' at 0x%" PRIx64,
                     text, pc);
        else
            end_with(r, LABEL_UNMODELLED, 0,
                     "QEMU does not know instruction '%s' at 0x%" PRIx64, text,
                     pc);
        return;
    default:
        break;
    }
    if (addr < stack && stack - addr < WIRE_STACK_BYTES)
        end_with(r, LABEL_ERROR, VIOLATION_STACK_OVERFLOW,
                 "stack overflow: '%s' at 0x%" PRIx64, text, pc);
    else
        end_with(r, LABEL_ERROR, VIOLATION_INVALID_ACCESS,
                 "access to address 0x%" PRIx64 ": %s: '%s' at 0x%" PRIx64,
                 addr, addr < 4096 ? "null pointer" : "not in any object", text,
                 pc);
}

static void op_unmodelled(struct qemu_runtime *r, const struct wire_record *rec)
{
    char text[300];
    machine_image_string(r->image, rec->addr, text, sizeof text);
    end_with(r, LABEL_UNMODELLED, 0, "%s", text);
}

static bool makes_nothing_new(enum wire_op op)
{
    return op == OP_NONE || op == OP_EFFECT || op == OP_OBSERVE ||
           op == OP_BLOCK || op == OP_END;
}

/* False: nothing more comes of the run. */
static bool operation(struct qemu_runtime *r, const struct wire_record *rec)
{
    r->replay.in_call = true;
    if (r->replay.guessing && !makes_nothing_new((enum wire_op)rec->n))
        return false;
    if (range_has(r->image->text, rec->pc) && is_user_code(r, rec->pc - 1) &&
        rec->n != OP_FAULT)
        r->replay.user_place = qemu_runtime_place(r, rec->pc - 1);
    switch ((enum wire_op)rec->n) {
    case OP_NONE:
    case OP_IDLE:
        return true;
    case OP_EFFECT:
        r->spin.effects++;
        return true;
    case OP_READ:
        return op_read(r, rec);
    case OP_WRITE:
        return op_write(r, rec);
    case OP_JOIN:
        return op_join(r, rec);
    case OP_CHOICE:
        return op_choice(r, rec);
    case OP_CREATE:
        return op_create(r, rec);
    case OP_ALLOC:
    case OP_FREE:
        return op_heap(r, rec);
    case OP_OBSERVE:
        op_observe(r, rec);
        return true;
    case OP_BLOCK:
        block(r, (enum block_reason)rec->addr);
        return false;
    case OP_ERROR:
        op_error(r, rec);
        return false;
    case OP_FAULT:
        op_fault(r, rec);
        return false;
    case OP_UNMODELLED:
        op_unmodelled(r, rec);
        return false;
    case OP_END:
        op_end(r, rec);
        return false;
    }
    return true;
}

/* ---- the whole run */

/* The accesses of one instruction, from record i on; how many in *n. */
static bool accesses(struct qemu_runtime *r, const struct wire_record *recs,
                     uint32_t left, uint32_t *n)
{
    struct qemu_replay *p = &r->replay;
    const struct instruction *in;
    for (*n = 1;
         *n < left && recs[*n].pc == recs->pc &&
         (recs[*n].type == RECORD_LOAD || recs[*n].type == RECORD_STORE);
         ++*n)
        ;
    if (!run_up_to(r, recs->pc))
        return false;
    if (p->left == 0) {
        p->diverged = true;
        return false;
    }
    if (!step(r, recs->pc, recs, *n, &in))
        return false;
    p->pc += in->length;
    p->left--;
    return true;
}

/* A thread whose stack others see allocates it first of all. */
static void allocate_stack(struct qemu_runtime *r)
{
    const struct wire *w = r->link.wire;
    uint64_t own = wire_region(r->replay.thread) + WIRE_OWN;
    bool shared = false;
    for (uint32_t i = 0; i < w->n_shared; i++)
        shared |= w->shared[i] * 8 - own < WIRE_OWN_END - WIRE_OWN;
    if (!shared)
        return;
    struct label label = {
        .kind = LABEL_ALLOC,
        .place = PLACE_NONE,
        .tags = TAG_BIT(TAG_ALLOC),
        .loc = locations_object(&r->program->locations, own),
        .aux = 1,
        .value = WIRE_OWN_END - WIRE_OWN,
    };
    add(r, &label, 0);
}

bool qemu_replay_records(struct qemu_runtime *r, bool last, struct err *err)
{
    (void)err;
    struct qemu_replay *p = &r->replay;
    const struct wire *w = r->link.wire;
    uint32_t n = 1;
    bool go_on = true;
    if (!p->has_started) {
        p->has_started = true;
        allocate_stack(r);
    }
    for (uint32_t i = 0; i < w->n_records && go_on && !p->over; i += n) {
        const struct wire_record *rec = &w->records[i];
        n = 1;
        switch ((enum wire_record_type)rec->type) {
        case RECORD_LOAD:
        case RECORD_STORE:
            go_on = accesses(r, rec, w->n_records - i, &n);
            break;
        case RECORD_BLOCK:
            go_on = run_up_to(r, 0);
            if (!go_on)
                break;
            if (p->last_is_call && rec->pc == p->pc)
                p->in_call = true; /* back from the library */
            arrive(r, rec->pc);
            p->pc = rec->pc;
            p->left = rec->n;
            p->begins_block = true;
            break;
        case RECORD_OP:
            go_on = rec->n == OP_FAULT ? run_up_to(r, rec->word[1])
                                       : run_up_to(r, 0);
            if (go_on)
                go_on = operation(r, rec);
            break;
        }
    }
    if (p->guessing && p->node != p->sure)
        path_cut(p->path, p->sure);
    if (last && go_on && !p->done && w->status == STATUS_ENDED)
        p->diverged = true;
    return true;
}
