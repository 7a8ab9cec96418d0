/* The memory accesses of a run as labels: one for each access, or for each
 * granule that it covers. Sizes that QEMU and the machine see otherwise are
 * dealt with here. */
#include "hw/qemu/qemu_access.h"

#include "hw/qemu/qemu_image.h"
#include "hw/qemu/qemu_label.h"

#include <inttypes.h>
#include <string.h>

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
    struct locations *ls = &r->program->locations;
    *whole = !is_plain(a);
    if (*whole)
        return qemu_label_fits_whole(r, rec->addr, rec->size);
    if (qemu_label_is_user_code(r, rec->pc))
        *whole = locations_whole(ls, rec->addr, rec->size);
    return true;
}

/* Is it a read of a part of a location of 16 bytes? All writes there are of the
 * whole: it is as if it read the whole and forgot the rest. Which half it is
 * goes to *tags, since reads of different halves need not see the writes in one
 * order; but where loads of several instructions are made in order, other parts
 * will do, too. */
static bool is_part(struct qemu_runtime *r, const struct wire_record *rec,
                    const struct effect_access *a, uint64_t *tags)
{
    *tags = 0;
    if (a->role != ACCESS_PLAIN ||
        !locations_in_pair(&r->program->locations, rec->addr))
        return false;
    const struct instruction *in = decode_at(&r->decode, rec->pc);
    if (rec->size == WIDE_BYTES / 2 && rec->addr % rec->size == 0)
        *tags = TAG_BIT(rec->addr % WIDE_BYTES ? TAG_HIGH : TAG_LOW);
    return *tags ||
           (r->image->isa->loads_in_order && in && in->effect.n_accesses == 1 &&
            rec->addr % WIDE_BYTES + rec->size <= WIDE_BYTES &&
            rec->size < WIDE_BYTES);
}

/* Is a plain access one step, whether it is one event or not? */
static bool is_step(const struct qemu_runtime *r, const struct wire_record *rec)
{
    return rec->size <= 8 && (rec->size & (rec->size - 1)) == 0 &&
           rec->addr % rec->size == 0 && qemu_label_is_user_code(r, rec->pc);
}

/* How many bytes behind those `done` the next event of an access takes. */
static unsigned next_piece(struct qemu_runtime *r,
                           const struct wire_record *rec, unsigned done)
{
    struct locations *ls = &r->program->locations;
    return done ? locations_next(ls, rec->addr + done, rec->size - done)
                : locations_piece(ls, rec->addr, rec->size);
}

/* Its n-th piece. */
static uint8_t number_piece(struct qemu_runtime *r, bool step, unsigned n)
{
    r->program->has_pieces |= step && n > 0;
    return step ? (uint8_t)n : 0;
}

static uint64_t failed_loses(const struct qemu_runtime *r)
{
    return TAG_BIT(TAG_RMW) | r->image->isa->failed_loses;
}

/* Would the compare-and-swap at pc be a release, if it succeeds? */
static bool may_release(struct qemu_runtime *r, uint64_t pc)
{
    const struct effect *e = &decode_at(&r->decode, pc)->effect;
    for (int i = 0; i < e->n_accesses; i++)
        if (e->accesses[i].is_write &&
            e->accesses[i].tags & r->image->isa->release)
            return true;
    return false;
}

static struct label load_label(struct qemu_runtime *r, uint64_t pc,
                               const struct effect_access *a, unsigned size)
{
    struct label label = qemu_label_access(r, false, a->tags, size);
    if (a->role == ACCESS_PLAIN)
        return label;
    label.rmw = RMW_PLAIN;
    label.tags |= TAG_BIT(TAG_RMW);
    if (a->role != ACCESS_AMO_COMPARE)
        return label;
    /* A compare-and-swap that fails is no RMW any more; x86's is locked all
     * the same. */
    label.value = label.tags & ~failed_loses(r);
    if (may_release(r, pc))
        label.rmw = RMW_RELEASE;
    return label;
}

static void reserve(struct qemu_runtime *r, const struct wire_record *rec,
                    const struct effect_access *a)
{
    struct qemu_replay *p = &r->replay;
    p->unstored = a->if_stored;
    p->reserved_addr = rec->addr;
    p->reserved_label = p->n_labels;
    p->reserved_read = p->n_reads;
    p->reserved_size = rec->size;
    p->reserved_effects = r->spin.effects;
}

/* The read of the whole of which the record is a part. Its value is not in the
 * record, so there is nothing to guess. */
static bool load_part(struct qemu_runtime *r, const struct wire_record *rec,
                      const struct effect_access *a, uint64_t tags,
                      struct tape_node *n)
{
    struct qemu_target t;
    if (!qemu_label_resolve(r, rec->addr, rec->size, false, &t))
        return false;
    uint64_t addr = rec->addr - rec->addr % WIDE_BYTES;
    struct label label = load_label(r, rec->pc, a, WIDE_BYTES);
    label.tags |= tags;
    n->n_pieces = 1;
    n->pieces[0] = WIDE_BYTES;
    n->offset = (uint8_t)(rec->addr - addr);
    label.loc = qemu_label_location(r, &t, addr, WIDE_BYTES);
    return qemu_label_ask(r, &label, rec->pc, NULL);
}

/* The reads of a record, one or one a granule. */
static bool load_pieces(struct qemu_runtime *r, const struct wire_record *rec,
                        const struct effect_access *a, struct tape_node *n)
{
    struct qemu_replay *p = &r->replay;
    struct qemu_target t;
    bool whole, known = true;
    if (!qemu_label_resolve(r, rec->addr, rec->size, false, &t) ||
        !is_whole(r, rec, a, &whole))
        return false;
    n->n_pieces = n->offset = 0;
    p->first_half = 0;
    bool guess = rec->flags & RECORD_UNKNOWN && p->next_value == r->n_values;
    bool step = is_step(r, rec);
    for (unsigned done = 0, size; done < rec->size; done += size) {
        size = whole ? rec->size : next_piece(r, rec, done);
        if (r->program->locations.stale) {
            qemu_label_stale(r);
            return false;
        }
        n->pieces[n->n_pieces++] = (uint8_t)size;
        p->first_half += done < 8;
        if (!known)
            continue; /* only the sizes of its pieces matter now */
        struct label label = load_label(r, rec->pc, a, size);
        label.piece = number_piece(r, step, n->n_pieces - 1u);
        label.loc = qemu_label_location(r, &t, rec->addr + done, size);
        uint64_t held = qemu_label_value(r, rec->bytes + done, size);
        known = qemu_label_ask(r, &label, rec->pc, guess ? &held : NULL);
    }
    return known;
}

/* A shared load. False: the run ends there, or its value is not known. */
static bool load(struct qemu_runtime *r, const struct wire_record *rec,
                 const struct effect_access *a)
{
    struct qemu_replay *p = &r->replay;
    uint64_t tags;
    bool part = is_part(r, rec, a, &tags);
    if (a->role == ACCESS_EXCLUSIVE && p->unstored) {
        qemu_label_unstored(r);
        return false;
    }
    if (!part && !qemu_label_may_touch(r, rec))
        return false;
    if (part && p->guessing)
        p->over = true;
    if (p->over)
        return false;
    uint32_t node = qemu_label_tape_next(r, rec->pc, rec->addr, rec->size,
                                         rec->flags & RECORD_FOLLOWS);
    p->asked = node;
    bool guess = rec->flags & RECORD_UNKNOWN && p->next_value == r->n_values;
    bool known = part ? load_part(r, rec, a, tags, &r->tape[node])
                      : load_pieces(r, rec, a, &r->tape[node]);
    if (a->role == ACCESS_EXCLUSIVE && !r->program->locations.stale)
        reserve(r, rec, a);
    if (!known)
        return false;
    qemu_label_tape_answer(r, node,
                           qemu_runtime_tape_key(r, rec->bytes, rec->size));
    /* Known, but the plugin did not know: the tape was forgotten. */
    return guess || !(rec->flags & RECORD_UNKNOWN);
}

static bool store_half(struct qemu_runtime *r, const struct wire_record *rec,
                       const struct effect_access *a, struct label *label)
{
    struct qemu_replay *p = &r->replay;
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
    p->unstored = false;
    if (label->rmw)
        return true;
    /* When one fails and its loop tries again, what was done between is done
     * twice; to read twice shows nothing. */
    if (p->reserved_effects != r->spin.effects &&
        (p->loop || !r->tries_failures)) {
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
    bool whole, step = is_step(r, rec);
    if (!is_whole(r, rec, a, &whole))
        return false;
    for (unsigned done = 0, i = 0, size; done < rec->size; done += size) {
        size = whole ? rec->size : next_piece(r, rec, done);
        if (r->program->locations.stale) {
            qemu_label_stale(r);
            return false;
        }
        struct label label = qemu_label_access(r, true, a->tags, size);
        label.piece = number_piece(r, step, i++);
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

/* ---- accesses of an instruction */

/* Only what the effect has: this is done for each instruction. */
void qemu_access_begin(struct qemu_access *m, const struct effect *e)
{
    m->effect = e;
    m->read = m->write = -1;
    m->read_bytes = m->write_bytes = 0;
    memset(m->old, 0, sizeof m->old);
    memset(m->bytes, 0, sizeof m->bytes);
    for (int i = 0; i < e->n_accesses; i++) {
        m->values.low[i] = m->values.high[i] = 0;
        m->deps[i] = (struct deps_access){.skipped = e->accesses[i].is_write &&
                                                     e->accesses[i].role !=
                                                         ACCESS_PLAIN};
    }
}

static int match(struct qemu_access *m, const struct wire_record *rec)
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
bool qemu_access_is_complete(const struct qemu_access *m)
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

/* What spin detection is to know of the value that access i read. */
static void note_value(struct qemu_access *m, int i,
                       const struct wire_record *rec)
{
    for (unsigned done = 0; done < rec->size; done += 8) {
        unsigned left = rec->size - done;
        m->values.high[i] = m->values.low[i];
        m->values.low[i] = 0;
        memcpy(&m->values.low[i], rec->bytes + done, left < 8 ? left : 8);
    }
}

/* Both registers of an ldp, which may be one read. */
static bool load_pair(struct qemu_runtime *r, struct qemu_access *m, int i,
                      const struct wire_record *rec)
{
    struct qemu_replay *p = &r->replay;
    uint32_t first = p->n_reads;
    bool known = load(r, rec, &m->effect->accesses[i]);
    uint32_t n = p->n_reads - first;
    uint32_t low = n < p->first_half ? n : p->first_half;
    bool one = n > 0 && r->tape[p->asked].n_pieces == 1;
    m->deps[i].read = first;
    m->deps[i].n_reads = (uint8_t)low;
    m->deps[i + 1].read = one ? first : first + low;
    m->deps[i + 1].n_reads = (uint8_t)(one ? n : n - low);
    for (int k = 0; k < 2; k++)
        memcpy(&m->values.low[i + k], rec->bytes + 8 * k, 8);
    return known;
}

/* Both registers of an stp: one write, whose data comes of both, or two. */
static bool store_pair(struct qemu_runtime *r, struct qemu_access *m, int i,
                       const struct wire_record *rec)
{
    const struct effect_access *a = &m->effect->accesses[i];
    bool whole;
    if (!is_whole(r, rec, a, &whole))
        return false;
    if (whole) {
        m->joined = *m->effect;
        struct regs *data = &m->joined.accesses[i].data;
        const struct regs *second = &a[1].data;
        for (int k = 0; k < second->n && data->n < EFFECT_REGS; k++)
            data->r[data->n++] = second->r[k];
        m->effect = &m->joined;
        return store(r, rec, &m->joined.accesses[i]);
    }
    for (int k = 0; k < 2; k++) {
        struct wire_record half = *rec;
        half.size = 8;
        half.addr += 8u * (unsigned)k;
        memcpy(half.bytes, rec->bytes + 8 * k, 8);
        r->replay.access = i + k;
        if (!store(r, &half, &a[k]))
            return false;
    }
    return true;
}

/* The record of two accesses that the machine makes one of. */
static bool access_pair(struct qemu_runtime *r, struct qemu_access *m, int i,
                        const struct wire_record *rec)
{
    for (int k = i; k < i + 2; k++) {
        m->bytes[k] = 8;
        m->deps[k] = (struct deps_access){.address = rec->addr + 8u * (k > i)};
    }
    return rec->type == RECORD_LOAD ? load_pair(r, m, i, rec)
                                    : store_pair(r, m, i, rec);
}

/* One access of an instruction; false: the run ends there. */
bool qemu_access_memory(struct qemu_runtime *r, struct qemu_access *m,
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
    /* A number's halves are named by their addresses, which are the other way
     * round in the source. */
    if (a->size == WIDE_BYTES && r->image->isa->big_endian &&
        !(rec->flags & RECORD_PRIVATE)) {
        qemu_label_end_with(r, LABEL_UNMODELLED, 0,
                            "access of 16 bytes on a big-endian machine");
        return false;
    }
    r->replay.access = i;
    if (m->effect->is_pair && rec->size > a->size)
        return access_pair(r, m, i, rec);
    m->deps[i].address = rec->addr;
    m->deps[i].is_private = rec->flags & RECORD_PRIVATE;
    if (rec->flags & RECORD_PRIVATE) {
        if (a->role == ACCESS_EXCLUSIVE)
            r->replay.reserved_label = 0;
        note_value(m, i, rec);
        uint64_t fence = r->image->isa->private_amo;
        if (fence && a->role == ACCESS_AMO && rec->type == RECORD_STORE)
            qemu_label_add_fence(r, fence, rec->pc);
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
        memcpy(m->old, rec->bytes, rec->size);
        note_value(m, i, rec);
        return true;
    }
    m->deps[i].skipped = 0;
    if (a->role == ACCESS_EXCLUSIVE)
        m->deps[i].stored = r->replay.reserved_read;
    /* QEMU writes the old value back when a compare-and-swap fails. One that
     * succeeds without changing the value looks the same; to leave its write
     * out only allows more. */
    if (a->role == ACCESS_AMO_COMPARE &&
        memcmp(rec->bytes, m->old, rec->size) == 0) {
        m->deps[i].skipped = 1;
        return true;
    }
    return store(r, rec, a);
}

/* A store-conditional takes the reservation away, whether it succeeds or not.
 * Without one it fails. With one QEMU lets it succeed, unless it is to another
 * address or of another size; machines may do so even then. False: that is so.
 */
bool qemu_access_end_reservation(struct qemu_runtime *r,
                                 const struct qemu_access *m)
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
            bool wide = e->accesses[i].size == WIDE_BYTES;
            qemu_label_end_with(
                r, LABEL_UNMODELLED, 0, "store-conditional %s",
                wide ? "of 16 bytes that QEMU lets fail (7.2 all on Power)"
                     : "to another address than that of its load");
            return false;
        }
        /* The next iteration of a loop may have one: it does not only wait. */
        r->spin.effects++;
    }
    if (e->ends_exclusive)
        p->reserved_label = 0;
    return true;
}
