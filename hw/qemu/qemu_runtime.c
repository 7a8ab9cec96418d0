#include "hw/qemu/qemu_runtime.h"

#include "core/halt.h"
#include "core/mem.h"
#include "hw/qemu/qemu_image.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define NONE UINT32_MAX

enum { TOUCHED_BYTES = 2 << 20 }; /* more than small explorations need */

/* ---- values of the past as feeds */

static uint32_t find_tape_root(struct qemu_runtime *r, const struct label *root)
{
    for (uint32_t i = 0; i < r->n_roots; i++)
        if (r->roots[i].thread == root->loc &&
            r->roots[i].function == root->aux &&
            r->roots[i].argument == root->value)
            return i;
    r->roots = mem_room(r->roots, r->n_roots, &r->roots_cap, sizeof *r->roots);
    r->roots[r->n_roots] =
        (struct tape_root){root->loc, root->aux, root->value, NONE};
    return r->n_roots++;
}

static uint32_t tape_child(const struct qemu_runtime *r, uint32_t node,
                           uint64_t key)
{
    uint32_t n = r->tape[node].child;
    while (n != NONE && r->tape[n].key != key)
        n = r->tape[n].sibling;
    return n;
}

uint64_t qemu_runtime_tape_key(struct qemu_runtime *r, const uint8_t *bytes,
                               unsigned size)
{
    uint64_t words[2] = {0};
    memcpy(words, bytes, size);
    return size == WIDE_BYTES ? wides_word(&r->program->wides,
                                           (struct wide){words[0], words[1]})
                              : words[0];
}

/* The guest's bytes of a value of `size` bytes. */
static void put_value(const struct qemu_runtime *r, uint64_t value,
                      unsigned size, uint8_t *bytes)
{
    bool big_endian = r->image->isa->big_endian;
    if (size == WIDE_BYTES) {
        struct wide wide = wides_value(&r->program->wides, value);
        put_value(r, wide.low, 8, bytes + (big_endian ? 8 : 0));
        put_value(r, wide.high, 8, bytes + (big_endian ? 0 : 8));
        return;
    }
    for (unsigned i = 0; i < size; i++)
        bytes[big_endian ? size - 1 - i : i] = (uint8_t)(value >> i * 8);
}

/* What a read of these pieces gets from the values from `first` on. */
static void put_pieces(const struct qemu_runtime *r, const struct tape_node *t,
                       const uint64_t *first, uint8_t *bytes)
{
    uint8_t all[2 * WIDE_BYTES] = {0};
    unsigned at = 0;
    for (unsigned i = 0; i < t->n_pieces; at += t->pieces[i++])
        put_value(r, first[i], t->pieces[i], all + at);
    memcpy(bytes, all + t->offset, t->size);
}

/* Walks along the values; what was asked there and is known goes to the
 * plugin. A read whose pieces are not all known stays out. */
static bool make_feeds(struct qemu_runtime *r, struct err *err)
{
    struct wire *w = r->link.wire;
    uint32_t next = 0;
    w->n_feeds = 0;
    for (uint32_t n = r->roots[r->replay.root].first; n != NONE;) {
        const struct tape_node *t = &r->tape[n];
        unsigned pieces = t->addr ? t->n_pieces : 1;
        if (r->n_values - next < pieces)
            break;
        if (w->n_feeds == WIRE_FEEDS)
            return err_set(err, ERR_SYSTEM, "more than %d reads by one thread",
                           WIRE_FEEDS);
        struct wire_feed *f = &w->feeds[w->n_feeds++];
        f->pc = t->pc;
        f->addr = t->addr;
        f->size = t->size;
        f->follows = t->follows;
        memset(f->bytes, 0, sizeof f->bytes);
        uint64_t key = r->values[next];
        if (t->addr) {
            put_pieces(r, t, r->values + next, f->bytes);
            key = qemu_runtime_tape_key(r, f->bytes, f->size);
        } else {
            memcpy(f->bytes, &key, sizeof key);
        }
        next += pieces;
        n = tape_child(r, n, key);
    }
    return true;
}

/* What a read without a feed gets, unless the thread has changed it: the value
 * that is asked for next, most likely. */
static void make_memory(struct qemu_runtime *r)
{
    struct wire *w = r->link.wire;
    const struct path *path = r->replay.path;
    const struct locations *ls = &r->program->locations;
    w->n_memory = 0;
    for (loc_id i = 0; path->holds && i < ls->n && w->n_memory < WIRE_MEMORY;
         i++) {
        const struct location *l = &ls->items[i];
        if (l->kind == LOC_OBJECT)
            continue;
        struct wire_feed *f = &w->memory[w->n_memory++];
        f->addr = l->addr;
        f->size = l->size;
        put_value(r, path->holds(path->holds_self, i), l->size, f->bytes);
    }
}

/* Handles of the threads that it will create: those that exist, then the
 * numbers that path_thread will give out next. */
static void make_handles(struct qemu_runtime *r)
{
    struct wire *w = r->link.wire;
    const struct path *path = r->replay.path;
    uint32_t fresh = path->n_threads;
    for (uint32_t i = 0; i < WIRE_CHILDREN; i++) {
        thread_id t = fresh == path->n_threads
                          ? path_find_thread(path, r->replay.thread, i)
                          : THREAD_NONE;
        w->handles[i] = WIRE_HANDLE_BASE + (t == THREAD_NONE ? fresh++ : t);
    }
    w->n_handles = WIRE_CHILDREN;
}

/* ---- the port */

static void begin(struct qemu_runtime *r, struct path *path, node_id at,
                  uint64_t key)
{
    struct label root = *path_label(path, path_root_of(path, at));
    struct qemu_replay *p = &r->replay;
    memset(p, 0, offsetof(struct qemu_replay, events));
    p->path = path;
    p->node = at;
    p->key = key;
    p->thread = root.loc;
    p->tape = NONE;
    p->root = find_tape_root(r, &root);
    p->access = -1;
    for (node_id n = at; path->nodes[n].parent != NODE_NONE;
         n = path->nodes[n].parent)
        p->skip++;
    struct wire *w = r->link.wire;
    w->thread = root.loc;
    /* One too many has a number already, but is never run: qemu_library.c. */
    w->n_threads =
        path->n_threads < WIRE_THREADS ? path->n_threads : WIRE_THREADS;
    w->function = r->functions[root.aux].addr;
    w->argument = root.value;
    spin_reset(&r->spin);
    if (r->on_event)
        deps_reset(&r->deps);
}

/* One run, all its records replayed. */
static enum link_result run(struct qemu_runtime *r, struct err *err)
{
    enum wire_command command = COMMAND_RUN;
    for (;;) {
        enum link_result result = qemu_link_turn(&r->link, command, err);
        if (result != LINK_DONE)
            return result;
        bool full = r->link.wire->status == STATUS_FULL;
        if (command == COMMAND_STOP)
            return LINK_DONE;
        if (!qemu_replay_records(r, !full, err))
            return LINK_FAILED;
        if (!full)
            return LINK_DONE;
        /* A loop may fill the wire again and again, and QEMU always be ready:
         * then it is never waited for. */
        bool halted = !r->replay.done && halt_reason() != HALT_NONE;
        command = r->replay.done || halted ? COMMAND_STOP : COMMAND_GO_ON;
        if (halted) {
            qemu_link_turn(&r->link, command, err);
            halt_fail(err);
            return LINK_FAILED;
        }
    }
}

/* The command is to end. */
static bool stopped(struct qemu_runtime *r, struct err *err)
{
    place_id place = qemu_runtime_place(r, r->replay.loop);
    char text[300], where[500];
    program_print_place(r->program, place, text, sizeof text);
    snprintf(where, sizeof where, "; in the loop at %s in %s, at 0x%" PRIx64,
             text,
             place == PLACE_NONE
                 ? "?"
                 : r->program->texts[r->program->places[place].function],
             r->replay.loop);
    return halt_fail_at(err, where);
}

static bool extend(void *self, struct path *path, node_id at, uint64_t value,
                   struct err *err)
{
    struct qemu_runtime *r = self;
    struct label root = *path_label(path, path_root_of(path, at));
    if (root.aux >= r->n_functions || root.loc >= WIRE_THREADS)
        return err_set(err, ERR_INTERNAL, "no function %u or thread %u",
                       root.aux, root.loc);
    bool at_root = path_label(path, at)->kind == LABEL_START;
    uint32_t n = path_values(path, at, r->values, r->values_cap);
    if (n + 1 >= r->values_cap) {
        r->values_cap = n * 2 + 64;
        r->values = mem_resize(r->values, r->values_cap * sizeof *r->values);
        path_values(path, at, r->values, r->values_cap);
    }
    if (!at_root)
        r->values[n++] = value;
    r->n_values = n;
    /* Several runs if the values are known but not what asks for them: the
     * tape was forgotten, or QEMU died. */
    for (uint32_t tries = 0; tries <= n + 2; tries++) {
        begin(r, path, at, at_root ? 0 : value);
        if (!make_feeds(r, err))
            return false;
        make_memory(r);
        make_handles(r);
        enum link_result result = run(r, err);
        if (result == LINK_FAILED)
            return err->kind == ERR_STOPPED && r->replay.loop ? stopped(r, err)
                                                              : false;
        if (r->replay.diverged || r->link.wire->status == STATUS_DIVERGED)
            return err_set(err, ERR_INTERNAL,
                           "thread %u did not repeat what it did before",
                           root.loc);
        if (r->replay.done)
            return true;
    }
    return err_set(err, ERR_INTERNAL, "thread %u does not come to a label",
                   root.loc);
}

static bool prepare(void *self, struct err *err)
{
    struct qemu_runtime *r = self;
    return qemu_link_start(&r->link, err);
}

static void forget(struct qemu_runtime *r)
{
    r->n_tape = r->n_roots = 0;
}

static void restart(void *self)
{
    forget(self);
}

static void rest(void *self)
{
    struct qemu_runtime *r = self;
    qemu_link_rest(&r->link);
}

/* ---- setting up */

static uint8_t text_flags(const struct effect *e, bool atomic_pairs)
{
    unsigned flags = TEXT_WORDS | (e->is_pair && atomic_pairs ? TEXT_JOIN : 0);
    for (int i = 0; i < e->n_accesses; i++) {
        const struct effect_access *a = &e->accesses[i];
        if (a->size == WIDE_BYTES)
            flags |= TEXT_JOIN;
        if (a->size > 4 || a->role != ACCESS_PLAIN)
            flags &= ~(unsigned)TEXT_WORDS;
        if (!a->is_write)
            flags |= TEXT_READS;
        if (a->role == ACCESS_EXCLUSIVE)
            flags |= a->is_write ? TEXT_CONDITIONAL : TEXT_RESERVES;
    }
    return (uint8_t)flags;
}

static void describe_text(struct qemu_runtime *r)
{
    struct wire *w = r->link.wire;
    const struct machine_image *im = r->image;
    /* Stubs follow the text, and have no flags: they read nothing. */
    uint64_t end = im->stubs.to > im->text.to ? im->stubs.to : im->text.to;
    uint64_t bytes = end - im->text.from;
    if (bytes > WIRE_TEXT)
        return;
    /* Instructions of any length are found one after the other. Where that may
     * go wrong, those that it misses are as without flags. */
    bool exact = im->isa->exact_text;
    w->text_from = im->text.from;
    w->text_bytes = bytes;
    memset(w->text, TEXT_READS, im->text.to - im->text.from);
    for (uint64_t pc = im->text.from; pc < im->text.to;) {
        const struct instruction *in = decode_at(&r->decode, pc);
        uint8_t flags = in && in->effect.kind == EFFECT_KNOWN
                            ? text_flags(&in->effect, im->atomic_pairs)
                            : TEXT_READS;
        w->text[pc - w->text_from] =
            exact ? flags : TEXT_READS | (flags & TEXT_JOIN);
        pc += in && in->length ? in->length : im->isa->step;
    }
}

static void describe(struct qemu_runtime *r)
{
    struct wire *w = r->link.wire;
    const struct machine_image *im = r->image;
    w->big_endian = im->isa->big_endian;
    w->marker_pc = im->marker;
    w->mailbox = im->mailbox;
    w->quiet = im->quiet;
    const struct wire_range constant[] = {im->constant, im->relro, im->own,
                                          im->text, im->quiet};
    for (size_t i = 0; i < sizeof constant / sizeof *constant; i++)
        w->constant[w->n_constant++] = constant[i];
    describe_text(r);
}

/* Beside this program, or in a folder above it, as in the build tree; or in
 * lib/hwcheck of such a folder, where it is installed. */
static const char *find_plugin(void)
{
    static char path[4096];
    char folder[3800];
    ssize_t n = readlink("/proc/self/exe", folder, sizeof folder - 1);
    for (int up = 0; n > 0 && up < 4; up++) {
        while (n > 0 && folder[n - 1] != '/')
            n--;
        snprintf(path, sizeof path, "%.*shwcheck-plugin.so", (int)n, folder);
        if (access(path, R_OK) == 0)
            return path;
        snprintf(path, sizeof path, "%.*slib/hwcheck/hwcheck-plugin.so", (int)n,
                 folder);
        if (access(path, R_OK) == 0)
            return path;
        n--;
    }
    return NULL;
}

bool qemu_runtime_init(struct qemu_runtime *r,
                       const struct machine_image *image,
                       struct program *program,
                       const struct qemu_options *options, struct err *err)
{
    memset(r, 0, sizeof *r);
    r->link.wire_fd = r->link.messages = r->link.image = -1;
    r->runtime = (struct runtime){.name = "qemu",
                                  .self = r,
                                  .extend = extend,
                                  .prepare = prepare,
                                  .restart = restart,
                                  .rest = rest};
    r->image = image;
    r->program = program;
    r->unroll = options->unroll;
    if (!qemu_link_init(&r->link, err) ||
        !decode_init(&r->decode, image->isa, err))
        return false;
    r->link.qemu = options->qemu ? options->qemu : image->isa->qemu;
    r->link.plugin = options->plugin ? options->plugin : find_plugin();
    if (!r->link.plugin)
        return err_set(err, ERR_SYSTEM,
                       "hwcheck-plugin.so is not beside hwcheck");
    r->link.cpu = image->isa->cpu;
    for (uint32_t i = 0; i < image->n_segments; i++)
        if (image->segments[i].is_code)
            decode_add_section(&r->decode, image->segments[i].addr,
                               image->segments[i].data,
                               image->segments[i].n_data);
    r->is_set_up = true;
    deps_init(&r->deps, image->isa, image->isa->has_dependencies);
    spin_init(&r->spin, image->isa);
    live_init(&r->live, &r->decode, r->spin.result);
    decode_find_loops(&r->decode, image->text.from, image->text.to);
    mem_touch(TOUCHED_BYTES);
    describe(r);
    return qemu_image_make(r, err) && qemu_link_launch(&r->link, err);
}

void qemu_runtime_release(struct qemu_runtime *r)
{
    if (r->link.image > 0)
        close(r->link.image);
    qemu_link_release(&r->link);
    if (r->is_set_up) {
        deps_release(&r->deps);
        spin_release(&r->spin);
        live_release(&r->live);
    }
    decode_release(&r->decode);
    free(r->values);
    free(r->tape);
    free(r->roots);
    free(r->functions);
    free(r->places);
    free(r->origin);
    free(r->selections);
    free(r->event_deps);
    memset(r, 0, sizeof *r);
    r->link.wire_fd = r->link.messages = r->link.image = -1;
}

/* ---- what labels stand for */

uint32_t qemu_runtime_function(struct qemu_runtime *r, uint64_t addr,
                               bool returns_int)
{
    for (uint32_t i = 0; i < r->n_functions; i++)
        if (r->functions[i].addr == addr &&
            r->functions[i].returns_int == returns_int)
            return i;
    r->functions = mem_room(r->functions, r->n_functions, &r->functions_cap,
                            sizeof *r->functions);
    r->functions[r->n_functions] = (struct qemu_function){addr, returns_int};
    return r->n_functions++;
}

static struct qemu_place *place_slot(const struct qemu_runtime *r, uint64_t pc)
{
    uint32_t mask = r->places_cap - 1;
    uint32_t i = (uint32_t)(pc * 0x9e3779b97f4a7c15u >> 32) & mask;
    while (r->places[i].pc && r->places[i].pc != pc)
        i = (i + 1) & mask;
    return &r->places[i];
}

static void more_places(struct qemu_runtime *r)
{
    struct qemu_place *old = r->places;
    uint32_t old_cap = r->places_cap;
    r->places_cap = old_cap ? old_cap * 2 : 256;
    size_t bytes = r->places_cap * sizeof *old;
    r->places = memset(mem_resize(NULL, bytes), 0, bytes);
    for (uint32_t i = 0; i < old_cap; i++)
        if (old[i].pc)
            *place_slot(r, old[i].pc) = old[i];
    free(old);
}

place_id qemu_runtime_place(struct qemu_runtime *r, uint64_t pc)
{
    if (pc == 0)
        return PLACE_NONE;
    if (r->n_places * 2 >= r->places_cap)
        more_places(r);
    struct qemu_place *slot = place_slot(r, pc);
    if (slot->pc)
        return slot->place;
    struct machine_position at = {0};
    *slot = (struct qemu_place){pc, PLACE_NONE};
    r->n_places++;
    if (r->image->find && r->image->find(r->image->self, pc, &at))
        slot->place =
            program_place(r->program, at.file ? at.file : "",
                          at.function ? at.function : "", at.line, at.column);
    return slot->place;
}

uint64_t qemu_runtime_pc(const struct qemu_runtime *r, node_id node)
{
    return node < r->origin_cap ? r->origin[node] : 0;
}

const struct instruction *qemu_runtime_instruction(struct qemu_runtime *r,
                                                   node_id node)
{
    uint64_t pc = qemu_runtime_pc(r, node);
    return pc ? decode_at(&r->decode, pc) : NULL;
}

static void name_heap(uint32_t thread, uint64_t offset, char *buf, size_t cap)
{
    static const struct {
        uint64_t start;
        unsigned bits;
        const char *name;
    } areas[] = {{WIRE_HEAP_LARGE, WIRE_LARGE_BITS, "malloc#L"},
                 {WIRE_HEAP_MEDIUM, WIRE_MEDIUM_BITS, "malloc#M"},
                 {WIRE_HEAP, WIRE_SLOT_BITS, "malloc#"}};
    int i = 0;
    while (offset < areas[i].start)
        i++;
    offset -= areas[i].start;
    unsigned long long ordinal = (offset >> areas[i].bits) + 1;
    uint64_t rest = offset & (((uint64_t)1 << areas[i].bits) - 1);
    size_t k = thread == 0 ? (size_t)snprintf(buf, cap, "%s%llu", areas[i].name,
                                              ordinal)
                           : (size_t)snprintf(buf, cap, "%s%u.%llu",
                                              areas[i].name, thread, ordinal);
    if (rest && k < cap)
        snprintf(buf + k, cap - k, "+%llu", (unsigned long long)rest);
}

void qemu_runtime_name(const void *self, uint64_t addr, unsigned size,
                       char *buf, size_t cap)
{
    (void)size;
    const struct qemu_runtime *r = self;
    const struct machine_image *im = r->image;
    if (im->name && im->name(im->self, addr, false, buf, cap))
        return;
    uint64_t offset = addr - WIRE_BASE;
    if (offset >> WIRE_REGION_BITS >= WIRE_THREADS) {
        snprintf(buf, cap, "0x%llx", (unsigned long long)addr);
        return;
    }
    uint32_t thread = (uint32_t)(offset >> WIRE_REGION_BITS);
    offset &= ((uint64_t)1 << WIRE_REGION_BITS) - 1;
    if (offset < WIRE_OWN)
        name_heap(thread, offset, buf, cap);
    else
        snprintf(buf, cap, "stack@%u-%llu", thread,
                 (unsigned long long)(WIRE_OWN_END - offset));
}
