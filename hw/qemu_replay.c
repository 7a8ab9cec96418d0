/* What the plugin recorded of a run, as labels.
 *
 * A run starts at the thread's first instruction, so most of its labels are in
 * the path cache already: the first `skip` are only counted. Values of the past
 * answer what the thread asked; where they end, the label that asks is the last
 * one. Everything else (places, locks, loops) follows from the records. */
#include "hw/qemu_image.h"
#include "hw/qemu_label.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* Of iterations; a loop without events may only compute, so it gets more. */
#define UNROLL_DEFAULT   10000
#define PAGE_BYTES       4096
#define SILENT_LOOPS_MAX 2000000
#define SILENT_STEPS_MAX 200000000

/* ---- accesses of the program */

static bool is_plain(const struct effect_access *a)
{
    return a->role == ACCESS_PLAIN &&
           !(a->tags & ~(TAG_BIT(TAG_R) | TAG_BIT(TAG_W)));
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
        return qemu_label_fits_whole(r, rec->addr, rec->size);
    if (qemu_label_is_user_code(r, rec->pc))
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
    struct qemu_target t;
    if (!qemu_label_may_touch(r, rec))
        return false;
    uint32_t node = qemu_label_tape_next(r, rec->pc, rec->addr, rec->size,
                                         rec->flags & RECORD_FOLLOWS);
    if (!qemu_label_resolve(r, rec->addr, rec->size, false, &t))
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
            qemu_label_stale(r);
            return false;
        }
        if (n->n_pieces < 8)
            n->pieces[n->n_pieces++] = (uint8_t)size;
        struct label label = qemu_label_access(r, false, a->tags, size);
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
        label.loc = qemu_label_location(r, &t, rec->addr + done, size);
        uint64_t held = qemu_label_value(r, rec->bytes + done, size);
        known = qemu_label_ask(r, &label, rec->pc, guess ? &held : NULL);
    }
    if (a->role == ACCESS_EXCLUSIVE) {
        p->reserved_addr = rec->addr;
        p->reserved_label = p->n_labels;
        p->reserved_read = p->n_reads;
        p->reserved_size = rec->size;
        p->reserved_effects = r->spin.effects;
    }
    if (!known)
        return false;
    uint64_t key = 0;
    memcpy(&key, rec->bytes, rec->size < 8 ? rec->size : 8);
    qemu_label_tape_answer(r, node, key);
    /* Known, but the plugin did not know: the tape was forgotten. */
    return guess || !(rec->flags & RECORD_UNKNOWN);
}

static bool store_half(struct qemu_runtime *r, const struct wire_record *rec,
                       const struct effect_access *a, struct label *label)
{
    const struct qemu_replay *p = &r->replay;
    label->tags |= TAG_BIT(TAG_RMW);
    label->rmw =
        a->role != ACCESS_EXCLUSIVE || p->reserved_label == p->n_labels;
    if (a->role != ACCESS_EXCLUSIVE)
        return true;
    if (p->reserved_label == 0 || p->reserved_addr != rec->addr ||
        p->reserved_size != rec->size) {
        qemu_label_end_with(r, LABEL_UNMODELLED, 0,
                            "store-conditional that is not to what the last "
                            "load-reserve or load-exclusive read");
        return false;
    }
    if (label->rmw)
        return true;
    /* When one fails and its loop tries again, what was done between is done
     * twice; to read twice shows nothing. */
    if (p->reserved_effects != r->spin.effects &&
        (p->in_loop || !r->tries_failures)) {
        qemu_label_end_with(r, LABEL_UNMODELLED, 0,
                            "store-conditional with a write since its load, "
                            "which a failure would repeat");
        return false;
    }
    label->aux = p->reserved_read;
    return true;
}

static bool store(struct qemu_runtime *r, const struct wire_record *rec,
                  const struct effect_access *a)
{
    struct qemu_target t;
    if (!qemu_label_may_touch(r, rec) ||
        !qemu_label_resolve(r, rec->addr, rec->size, true, &t))
        return false;
    bool whole;
    if (!is_whole(r, rec, a, &whole))
        return false;
    for (unsigned done = 0, size; done < rec->size; done += size) {
        size = whole ? rec->size
                     : locations_piece(&r->program->locations, rec->addr + done,
                                       rec->size - done);
        if (r->program->locations.stale) {
            qemu_label_stale(r);
            return false;
        }
        struct label label = qemu_label_access(r, true, a->tags, size);
        if (a->role != ACCESS_PLAIN && !store_half(r, rec, a, &label))
            return false;
        if (qemu_label_is_live(&r->replay))
            label.loc = qemu_label_location(r, &t, rec->addr + done, size);
        label.value = qemu_label_value(r, rec->bytes + done, size);
        qemu_label_add(r, &label, rec->pc);
    }
    return true;
}

static bool private_access(struct qemu_runtime *r,
                           const struct wire_record *rec)
{
    if (rec->type != RECORD_STORE && qemu_image_differs(r, rec)) {
        qemu_label_end_with(r, LABEL_UNMODELLED, 0,
                            "read of an instruction as data");
        return false;
    }
    if (rec->type != RECORD_STORE)
        return true;
    uint64_t offset = rec->addr - WIRE_BASE;
    if (offset >> WIRE_REGION_BITS == r->replay.thread) {
        spin_store(&r->spin, rec->addr, rec->bytes, rec->size);
        return true;
    }
    qemu_label_end_with(r, LABEL_ERROR, VIOLATION_INVALID_ACCESS,
                        "write of %u bytes at address 0x%" PRIx64 ": constant",
                        rec->size, rec->addr);
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
    memset(m->bytes, 0, sizeof m->bytes);
    for (int i = 0; i < e->n_accesses; i++) {
        m->values.low[i] = m->values.high[i] = 0;
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

/* One access of an instruction; false: the run ends there. */
static bool access_memory(struct qemu_runtime *r, struct matcher *m,
                          const struct wire_record *rec)
{
    int i = match(m, rec);
    if (i < 0) {
        const struct instruction *in = decode_at(&r->decode, rec->pc);
        qemu_label_end_with(r, LABEL_UNMODELLED, 0,
                            "unknown access of instruction '%s' at 0x%" PRIx64,
                            in ? in->text : "?", rec->pc);
        return false;
    }
    const struct effect_access *a = &m->effect->accesses[i];
    if (!is_plain(a) && rec->size != a->size &&
        !(rec->flags & RECORD_PRIVATE)) {
        qemu_label_end_with(
            r, LABEL_UNMODELLED, 0,
            "atomic access of %u bytes that QEMU makes in parts", a->size);
        return false;
    }
    r->replay.access = i;
    m->deps[i].address = rec->addr;
    m->deps[i].is_private = rec->flags & RECORD_PRIVATE;
    uint64_t low = 0;
    memcpy(&low, rec->bytes, rec->size < 8 ? rec->size : 8);
    if (rec->flags & RECORD_PRIVATE) {
        if (a->role == ACCESS_EXCLUSIVE)
            r->replay.reserved_label = 0;
        m->values.high[i] = m->values.low[i];
        m->values.low[i] = low;
        if (a->role == ACCESS_AMO && rec->type == RECORD_STORE)
            qemu_label_add_fence(r, TAG_BIT(TAG_MFENCE), rec->pc);
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

/* A store-conditional takes the reservation away, whether it succeeds or not.
 * Without one it fails. With one QEMU lets it succeed, unless it is to another
 * address or of another size; machines may do so even then. False: that is so.
 */
static bool end_reservation(struct qemu_runtime *r, const struct matcher *m)
{
    struct qemu_replay *p = &r->replay;
    const struct effect *e = m->effect;
    for (int i = 0; i < e->n_accesses; i++) {
        if (!e->accesses[i].is_write || e->accesses[i].role != ACCESS_EXCLUSIVE)
            continue;
        bool fails = m->bytes[i] == 0, reserved = p->reserved_label != 0;
        p->reserved_label = 0;
        if (!fails)
            continue;
        if (reserved) {
            qemu_label_end_with(r, LABEL_UNMODELLED, 0,
                                "store-conditional to another address than "
                                "that of its load");
            return false;
        }
        /* The next iteration of a loop may have one: it does not only wait. */
        r->spin.effects++;
    }
    if (e->ends_exclusive)
        p->reserved_label = 0;
    return true;
}

/* For the instruction's events that are new: what they depend on. */
static void report_deps(struct qemu_runtime *r, const struct instruction *in,
                        const struct matcher *m)
{
    const struct qemu_replay *p = &r->replay;
    struct deps_out out;
    struct deps_dynamic dynamic = {.accesses = m->deps,
                                   .selection = p->selection};
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
    qemu_label_end_with(r, LABEL_BOUND, 0, "loop at %s in %s: %s", where,
                        function, what);
}

/* Ends the run if the loop only waits, or goes on for too long. */
static void arrive_at_loop(struct qemu_runtime *r, uint64_t pc, bool back)
{
    struct qemu_replay *p = &r->replay;
    const struct spin_loop *l;
    p->in_loop = true;
    enum spin_result result = spin_arrive(&r->spin, pc, back, live(r, pc), &l);
    char text[60];
    uint64_t max = r->unroll ? r->unroll : UNROLL_DEFAULT;
    if (result == SPIN_BLOCK) {
        qemu_label_block(r, BLOCK_SPIN);
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
    p->begins_block = false;
    if (in && p->selection == DEPS_UNKNOWN && qemu_image_has_stub(r, in))
        return true; /* it comes next */
    p->instructions++;
    p->last_pc = pc;
    p->n_events = 0;
    if (qemu_label_is_user_code(r, pc))
        p->user_place = qemu_runtime_place(r, pc);
    if (!in || in->effect.kind != EFFECT_KNOWN) {
        qemu_label_end_with(r, LABEL_UNMODELLED, 0,
                            "unknown instruction '%s' at 0x%" PRIx64,
                            in ? in->text : "?", pc);
        return false;
    }
    struct matcher m;
    begin_match(&m, &in->effect);
    bool goes_on = true;
    for (uint32_t i = 0; goes_on && i < n; i++)
        goes_on = access_memory(r, &m, &recs[i]);
    p->access = -1;
    if (goes_on && !is_complete(&m)) {
        qemu_label_end_with(r, LABEL_UNMODELLED, 0,
                            "QEMU does not tell what '%s' at 0x%" PRIx64
                            " does to memory",
                            in->text, pc);
        goes_on = false;
    }
    goes_on = goes_on && end_reservation(r, &m);
    if (goes_on && in->effect.fence)
        qemu_label_add_fence(r, in->effect.fence, pc);
    if (r->on_event)
        report_deps(r, in, &m);
    if (!goes_on)
        return false;
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

static bool is_in_stub(const struct qemu_runtime *r, uint64_t pc)
{
    return pc - r->image->stubs.from <
           (uint64_t)r->n_selections * STUB_WORDS * 4;
}

/* A block in a stub. The selection itself stands at another place, to which the
 * stub returns. */
static bool step_stub(struct qemu_runtime *r, uint64_t pc)
{
    struct qemu_replay *p = &r->replay;
    const struct instruction *in;
    uint64_t word = (pc - r->image->stubs.from) / 4;
    if (word % STUB_WORDS == STUB_SKIP)
        return true;
    p->begins_block = true;
    p->selection =
        word % STUB_WORDS == STUB_NOT_HELD ? DEPS_NOT_HELD : DEPS_HELD;
    bool goes_on = step(r, r->selections[word / STUB_WORDS], NULL, 0, &in);
    p->selection = DEPS_UNKNOWN;
    return goes_on;
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

/* An instruction over the end of a page is alone in its block: QEMU gives up a
 * longer block before it, but has counted it already. It comes next. */
static bool is_given_up(struct qemu_runtime *r)
{
    const struct qemu_replay *p = &r->replay;
    if (p->left != 1 || p->begins_block)
        return false;
    const struct instruction *in = decode_at(&r->decode, p->pc);
    return in && p->pc / PAGE_BYTES != (p->pc + in->length - 1) / PAGE_BYTES;
}

/* The instructions up to `pc`, which made no records. False: the run ends. */
static bool run_up_to(struct qemu_runtime *r, uint64_t pc)
{
    struct qemu_replay *p = &r->replay;
    const struct instruction *in;
    while (p->left > 0 && p->pc != pc && !is_given_up(r)) {
        if (!step(r, p->pc, NULL, 0, &in))
            return false;
        p->pc += in->length;
        p->left--;
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
    qemu_label_add(r, &label, 0);
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
            if (is_in_stub(r, rec->pc)) {
                go_on = step_stub(r, rec->pc);
                break;
            }
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
                go_on = qemu_library_operation(r, rec);
            break;
        }
    }
    if (p->guessing && p->node != p->sure)
        path_cut(p->path, p->sure);
    if (last && go_on && !p->done && w->status == STATUS_ENDED)
        p->diverged = true;
    return true;
}
