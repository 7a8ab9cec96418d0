/* What the program asked of the guest's library, as labels. */
#include "hw/print.h"
#include "hw/qemu/qemu_label.h"

#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>

#define TAGS_ATOMIC(mode) (TAG_BIT(TAG_ATOMIC) | TAG_BIT(TAG_##mode))

static uint64_t mode_tags(const struct isa_sync *sync, enum wire_mode mode)
{
    if (mode == MODE_PLAIN)
        return TAG_BIT(TAG_NA);
    uint64_t half = TAG_BIT(TAG_RMW) | sync->half;
    switch (mode) {
    case MODE_PLAIN:
    case MODE_RLX:
        return TAGS_ATOMIC(RLX);
    case MODE_ACQ:
        return TAGS_ATOMIC(ACQ) | sync->acquire;
    case MODE_REL:
        return TAGS_ATOMIC(REL) | sync->release | sync->unlock;
    case MODE_LOCK:
        return TAGS_ATOMIC(ACQ) | TAG_BIT(TAG_LOCK) | half | sync->acquire;
    case MODE_RMW_RLX:
    case MODE_RMW_REL:
        return TAGS_ATOMIC(RLX) | half;
    case MODE_ONCE:
    case MODE_RMW_ACQ_REL:
    case MODE_TRYLOCK:
        return TAGS_ATOMIC(ACQ) | half | sync->acquire;
    case MODE_RMW_WRITE:
        return TAGS_ATOMIC(RLX) | half;
    case MODE_RMW_WRITE_REL:
        return TAGS_ATOMIC(REL) | half | sync->release;
    }
    return 0;
}

static void add_fence(struct qemu_runtime *r, uint64_t pc)
{
    uint64_t fence = r->image->isa->sync->fence;
    if (fence)
        qemu_label_add_fence(r, fence, pc);
}

/* Is it known what this would be as instructions? Plain accesses are alike
 * everywhere. */
static bool is_known(struct qemu_runtime *r, enum wire_mode mode)
{
    if (r->image->isa->sync || mode == MODE_PLAIN)
        return true;
    qemu_label_end_with(r, LABEL_UNMODELLED, 0,
                        "the library's synchronization on %s",
                        r->image->isa->name);
    return false;
}

/* The library asks: value in, or the end of what is known. */
static bool ask_op(struct qemu_runtime *r, const struct wire_record *rec,
                   const struct label *label)
{
    struct qemu_replay *p = &r->replay;
    uint32_t node = qemu_label_tape_next(r, rec->pc, 0, 8, false);
    if (!qemu_label_ask(r, label, 0, NULL))
        return false;
    p->in_call = true;
    r->spin.salt = r->spin.salt * 31 + p->last_value + 1;
    qemu_label_tape_answer(r, node, p->last_value);
    return !(rec->flags & RECORD_UNKNOWN);
}

static bool mode_is_half(enum wire_mode mode)
{
    return mode == MODE_LOCK || mode == MODE_RMW_RLX || mode == MODE_ONCE ||
           mode == MODE_RMW_REL || mode == MODE_RMW_ACQ_REL ||
           mode == MODE_TRYLOCK;
}

static bool op_read(struct qemu_runtime *r, const struct wire_record *rec)
{
    unsigned size = (unsigned)rec->word[0];
    enum wire_mode mode = (enum wire_mode)rec->word[1];
    struct qemu_target t;
    if (!is_known(r, mode) ||
        !qemu_label_resolve(r, rec->addr, size, mode == MODE_LOCK, &t) ||
        !qemu_label_fits_whole(r, rec->addr, size))
        return false;
    /* A fence cannot stand between the halves. */
    if (mode == MODE_RMW_REL || mode == MODE_RMW_ACQ_REL)
        add_fence(r, rec->pc);
    struct label label =
        qemu_label_access(r, false, mode_tags(r->image->isa->sync, mode), size);
    label.rmw = mode_is_half(mode);
    if (mode == MODE_TRYLOCK)
        label.value = TAGS_ATOMIC(RLX) | TAG_BIT(TAG_R) | TAG_BIT(TAG_RMW);
    label.loc = qemu_label_location(r, &t, rec->addr, size);
    if (!ask_op(r, rec, &label))
        return false;
    if (mode == MODE_ACQ || (mode == MODE_ONCE && r->replay.last_value == 2))
        add_fence(r, rec->pc);
    return true;
}

static bool op_write(struct qemu_runtime *r, const struct wire_record *rec)
{
    unsigned size = (unsigned)(rec->word[1] >> 8);
    enum wire_mode mode = (enum wire_mode)(rec->word[1] & 0xff);
    struct qemu_target t;
    if (!is_known(r, mode) ||
        !qemu_label_resolve(r, rec->addr, size, true, &t) ||
        !qemu_label_fits_whole(r, rec->addr, size))
        return false;
    bool half = mode == MODE_RMW_WRITE || mode == MODE_RMW_WRITE_REL;
    if (mode == MODE_REL)
        add_fence(r, rec->pc);
    struct label label =
        qemu_label_access(r, true, mode_tags(r->image->isa->sync, mode), size);
    label.rmw = half;
    label.loc = qemu_label_location(r, &t, rec->addr, size);
    label.value = size >= 8 ? rec->word[0]
                            : rec->word[0] & (((uint64_t)1 << size * 8) - 1);
    qemu_label_add(r, &label, 0);
    if (half)
        add_fence(r, rec->pc);
    return true;
}

static bool op_create(struct qemu_runtime *r, const struct wire_record *rec)
{
    struct qemu_replay *p = &r->replay;
    const struct machine_image *im = r->image;
    if (!range_has(im->text, rec->addr)) {
        qemu_label_end_with(
            r, LABEL_ERROR, VIOLATION_INVALID_ACCESS,
            "thread created to run 0x%" PRIx64 ": not a function", rec->addr);
        return false;
    }
    uint32_t ordinal = p->n_created++;
    thread_id child = path_thread(p->path, p->thread, ordinal);
    if (child >= WIRE_THREADS) {
        qemu_label_end_with(r, LABEL_UNMODELLED, 0,
                            "more than %d threads of machine code",
                            WIRE_THREADS);
        return false;
    }
    struct label label = {
        .kind = LABEL_CREATE,
        .place = qemu_runtime_place(r, r->replay.user_pc),
        .tags = TAG_BIT(TAG_CREATE) | TAGS_THREAD_SYNC,
        .loc = child,
    };
    if (qemu_label_is_live(p))
        label.aux =
            path_root(p->path, child,
                      qemu_runtime_function(r, rec->addr, rec->word[1] != 0),
                      rec->word[0]);
    qemu_label_add(r, &label, 0);
    return true;
}

static bool op_join(struct qemu_runtime *r, const struct wire_record *rec)
{
    uint64_t child = rec->addr - WIRE_HANDLE_BASE;
    if (child >= r->replay.path->n_threads || child == 0) {
        qemu_label_end_with(r, LABEL_ERROR, VIOLATION_THREAD,
                            "join of 0x%" PRIx64 ", which is not a thread",
                            rec->addr);
        return false;
    }
    if (child == r->replay.thread) {
        qemu_label_end_with(r, LABEL_ERROR, VIOLATION_DEADLOCK,
                            "thread joins itself");
        return false;
    }
    struct label label = {
        .kind = LABEL_JOIN,
        .place = qemu_runtime_place(r, r->replay.user_pc),
        .tags = TAG_BIT(TAG_JOIN) | TAGS_THREAD_SYNC,
        .loc = (loc_id)child,
    };
    return ask_op(r, rec, &label);
}

static bool op_choice(struct qemu_runtime *r, const struct wire_record *rec)
{
    struct label label = {
        .kind = LABEL_CHOICE,
        .place = qemu_runtime_place(r, r->replay.user_pc),
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
        qemu_label_end_with(r, LABEL_ERROR, VIOLATION_INVALID_FREE,
                            "free of 0x%" PRIx64 ": %s", rec->addr,
                            in_heap ? "not the start of an object"
                                    : "not from malloc");
        return false;
    }
    struct label label = {
        .kind = alloc ? LABEL_ALLOC : LABEL_FREE,
        .place = qemu_runtime_place(r, r->replay.user_pc),
        .tags = TAG_BIT(alloc ? TAG_ALLOC : TAG_FREE),
        .loc = locations_object(&r->program->locations, rec->addr),
        .aux = alloc ? (uint32_t)rec->word[1] : 0,
        .value = alloc ? rec->word[0] : 0,
    };
    qemu_label_add(r, &label, 0);
    return true;
}

static void op_observe(struct qemu_runtime *r, const struct wire_record *rec)
{
    char name[4096];
    machine_image_string(r->image, rec->addr, name, sizeof name);
    struct label label = {
        .kind = LABEL_OBSERVE,
        .place = qemu_runtime_place(r, r->replay.user_pc),
        .loc = LOC_NONE,
        .aux = program_text(r->program, name),
        .value = rec->word[0],
    };
    qemu_label_add(r, &label, 0);
}

static void add_printed(struct qemu_runtime *r, const char *text, unsigned n)
{
    struct label label = {
        .kind = LABEL_OBSERVE,
        .place = qemu_runtime_place(r, r->replay.user_pc),
        .loc = LOC_NONE,
    };
    if (!r->program->prints)
        return;
    for (unsigned i = 0; i < n; i += label.size) {
        label.size = (uint8_t)(n - i < 8 ? n - i : 8);
        label.value = label_printed(text + i, label.size);
        qemu_label_add(r, &label, 0);
    }
}

static void op_print(struct qemu_runtime *r, const struct wire_record *rec)
{
    char text[PRINT_MAX];
    unsigned n = (unsigned)rec->addr & 15;
    r->spin.effects++;
    if (n) {
        for (unsigned i = 0; i < n; i++)
            text[i] = (char)(rec->word[0] >> i * 8);
    } else {
        struct print_spec spec = print_unpack(rec->word[0]);
        n = print_value(&spec, rec->word[1], text);
    }
    add_printed(r, text, n);
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
    qemu_label_end_with(r, LABEL_ERROR, rec->addr, "%s", all);
}

static void op_end(struct qemu_runtime *r, const struct wire_record *rec)
{
    struct qemu_replay *p = &r->replay;
    const struct label *root =
        path_label(p->path, path_root_of(p->path, p->node));
    struct label label = {
        .kind = LABEL_END,
        .place = qemu_runtime_place(r, r->replay.user_pc),
        .loc = LOC_NONE,
        .aux = (uint32_t)rec->word[0],
        .value = r->functions[root->aux].returns_int ? (uint32_t)rec->addr
                                                     : rec->addr,
    };
    qemu_label_end(r, &label, 0);
}

static bool is_system_call(const struct isa *isa, const char *text)
{
    for (const char *const *s = isa->system_calls; s && *s; s++)
        if (strncmp(text, *s, strlen(*s)) == 0)
            return true;
    return false;
}

/* A signal from the guest's machine: the program's fault. */
static void op_fault(struct qemu_runtime *r, const struct wire_record *rec)
{
    struct qemu_replay *p = &r->replay;
    uint64_t pc = rec->word[1], addr = rec->word[0];
    const struct instruction *in = decode_at(&r->decode, pc);
    const char *text = in ? in->text : "?";
    p->last_pc = pc;
    if (qemu_label_is_user_code(r, pc))
        p->user_pc = pc;
    uint64_t stack = wire_region(p->thread) + WIRE_OWN_END - WIRE_STACK_BYTES;
    switch ((int)rec->addr) {
    case SIGFPE:
        qemu_label_end_with(r, LABEL_ERROR, VIOLATION_ARITHMETIC,
                            "division by zero or overflow: '%s' at 0x%" PRIx64,
                            text, pc);
        return;
    case SIGILL:
    case SIGTRAP:
        if (in && in->effect.kind == EFFECT_TRAP &&
            !is_system_call(r->image->isa, text))
            qemu_label_end_with(r, LABEL_ERROR, VIOLATION_ABORT,
                                "trap instruction '%s' at 0x%" PRIx64, text,
                                pc);
        else if (in && in->effect.kind == EFFECT_TRAP)
            qemu_label_end_with(r, LABEL_UNMODELLED, 0,
                                "system call '%s' at 0x%" PRIx64, text, pc);
        else
            qemu_label_end_with(
                r, LABEL_UNMODELLED, 0,
                "QEMU does not know instruction '%s' at 0x%" PRIx64, text, pc);
        return;
    default:
        break;
    }
    if (addr < stack && stack - addr < WIRE_STACK_BYTES)
        qemu_label_end_with(r, LABEL_ERROR, VIOLATION_STACK_OVERFLOW,
                            "stack overflow: '%s' at 0x%" PRIx64, text, pc);
    else
        qemu_label_end_with(
            r, LABEL_ERROR, VIOLATION_INVALID_ACCESS,
            "access to address 0x%" PRIx64 ": %s: '%s' at 0x%" PRIx64, addr,
            addr < 4096 ? "null pointer" : "not in any object", text, pc);
}

static void op_unmodelled(struct qemu_runtime *r, const struct wire_record *rec)
{
    char text[300];
    machine_image_string(r->image, rec->addr, text, sizeof text);
    qemu_label_end_with(r, LABEL_UNMODELLED, 0, "%s", text);
}

static bool makes_nothing_new(enum wire_op op)
{
    return op == OP_NONE || op == OP_EFFECT || op == OP_OBSERVE ||
           op == OP_PRINT || op == OP_BLOCK || op == OP_END;
}

/* False: nothing more comes of the run. */
bool qemu_library_operation(struct qemu_runtime *r,
                            const struct wire_record *rec)
{
    r->replay.in_call = true;
    if (r->replay.guessing && !makes_nothing_new((enum wire_op)rec->n))
        return false;
    if (range_has(r->image->text, rec->pc) &&
        qemu_label_is_user_code(r, rec->pc - 1) && rec->n != OP_FAULT)
        r->replay.user_pc = rec->pc - 1;
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
    case OP_PRINT:
        op_print(r, rec);
        return true;
    case OP_BLOCK:
        qemu_label_block(r, (enum block_reason)rec->addr, 0);
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
