/* The TCG plugin: lets one guest thread run at a time, feeds the values that
 * its reads of shared memory return, and records what it does. It decides
 * nothing: see hw/qemu/wire.h for the words and hw/qemu/qemu_link.c for the
 * other side.
 *
 * User-mode guest memory is memory of this process, at the same addresses (the
 * guest's mailbox tells whether that is so). An instruction's exec callback
 * comes before it, so a value written there is what its load sees; the memory
 * callback comes after the access, so what a store wrote can be read there.
 *
 * A run is stopped in the middle by a signal to ourselves, which QEMU delivers
 * to the guest at the end of the current block; the guest's handler goes back
 * to its loop. What the guest does until then is not recorded, and its stores
 * do no harm since shared memory is never read without being fed. */
#include "hw/qemu/turn.h"
#include "qemu-plugin/qemu_api.h"

#include <dlfcn.h>
#include <errno.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#define LIBRARY_STACK_BYTES 1024
#define BLOCK_RECORDS       8192
#define SLICE_MS            1000

struct plugin {
    struct wire *wire;
    struct wire_mailbox *mailbox;
    pid_t parent;
    struct turn_patience patience;

    /* The run. */
    bool running; /* its records count */
    uint32_t next_feed;
    uint32_t reads;         /* shared loads of the current instruction */
    uint32_t guesses;       /* loads without a feed */
    uint32_t blocks;        /* since the first of them */
    uint64_t reserved_addr; /* of the last load-exclusive, if shared */
    uint8_t reserved_size;  /* 0: none */
    uint8_t reserved_bytes[16];
    uint64_t own_from, own_to;
    uint64_t stack_from;
    uint64_t *dirty; /* lowest stored byte of the current stack */

    uint32_t n_regions; /* mapped */
    uint64_t dirty_of[WIRE_THREADS];
};

static struct plugin plugin;

/* QEMU looks this up after our constructor has run: it wants a number between
 * the oldest and the newest interface that it has. */
QEMU_PLUGIN_EXPORT int qemu_plugin_version = 1;

__attribute__((constructor)) static void choose_version(void)
{
    static const struct {
        int version;
        const char *since; /* a function that came with it */
    } known[] = {
        {5, "qemu_plugin_write_register"},
        {4, "qemu_plugin_mem_get_value"},
        {2, "qemu_plugin_read_register"},
    };
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        if (dlsym(RTLD_DEFAULT, known[i].since)) {
            qemu_plugin_version = known[i].version;
            return;
        }
    }
}

/* ---- words of the guest */

static uint64_t guest_word(uint64_t word)
{
    return plugin.wire->big_endian ? __builtin_bswap64(word) : word;
}

/* ---- turns */

/* False: nothing happened for a second. */
static bool has_parent(void *self)
{
    (void)self;
    return getppid() == plugin.parent;
}

/* Hands over to hwcheck and waits for the next command. */
static void yield_turn(uint32_t status)
{
    struct wire *w = plugin.wire;
    w->status = status;
    turn_give(w, TURN_HOST);
    if (!turn_wait(w, &plugin.patience, TURN_QEMU, SLICE_MS, has_parent, NULL))
        _exit(0); /* no one is left to work for */
}

_Noreturn static void give_up(const char *fmt, ...)
    __attribute__((format(printf, 1, 2)));
_Noreturn static void give_up(const char *fmt, ...)
{
    va_list args;
    va_start(args, fmt);
    vsnprintf(plugin.wire->message, sizeof plugin.wire->message, fmt, args);
    va_end(args);
    yield_turn(STATUS_BAD);
    _exit(0);
}

/* ---- records */

/* Stops the guest in the middle of its code. */
static void interrupt(uint32_t status)
{
    plugin.running = false;
    plugin.wire->status = status;
    syscall(SYS_tgkill, getpid(), (pid_t)syscall(SYS_gettid), SIGUSR1);
}

/* A new block gets room for all that it may do, so that hwcheck sees it as a
 * whole. */
static struct wire_record *new_record(uint32_t limit)
{
    static struct wire_record nowhere;
    struct wire *w = plugin.wire;
    if (w->n_records >= limit && plugin.guesses) {
        interrupt(STATUS_STOPPED);
        return &nowhere;
    }
    if (w->n_records >= limit) {
        yield_turn(STATUS_FULL);
        w->n_records = 0;
        if (w->command != COMMAND_GO_ON) {
            interrupt(STATUS_FULL);
            return &nowhere;
        }
    }
    return &w->records[w->n_records++];
}

/* ---- memory */

static bool is_shared_word(uint64_t addr)
{
    const struct wire *w = plugin.wire;
    for (uint32_t i = 0; i < w->n_shared; i++)
        if (w->shared[i] == addr / 8)
            return true;
    return false;
}

static bool is_private(uint64_t addr, unsigned size)
{
    const struct wire *w = plugin.wire;
    if (addr - plugin.own_from < plugin.own_to - plugin.own_from)
        return w->n_shared == 0 ||
               (!is_shared_word(addr) && !is_shared_word(addr + size - 1));
    for (uint32_t i = 0; i < w->n_constant; i++)
        if (addr - w->constant[i].from <
            w->constant[i].to - w->constant[i].from)
            return true;
    return false;
}

static uint8_t flags_of(uint64_t pc)
{
    const struct wire *w = plugin.wire;
    uint64_t offset = pc - w->text_from;
    return offset < w->text_bytes ? w->text[offset] : TEXT_READS;
}

/* The value of a shared load has been chosen before it; here it is only
 * checked that it was the one foreseen. */
static void shared_load(struct wire_record *r)
{
    const struct wire *w = plugin.wire;
    if (plugin.reads++ > 0)
        r->flags |= RECORD_FOLLOWS;
    if (plugin.next_feed == w->n_feeds) {
        r->flags |= RECORD_UNKNOWN;
        if (++plugin.guesses > WIRE_GUESSES)
            interrupt(STATUS_STOPPED);
        return;
    }
    const struct wire_feed *feed = &w->feeds[plugin.next_feed++];
    bool is_half = feed->size == 16 && r->size == 8; /* the rest comes next */
    if (feed->addr != r->addr || (feed->size != r->size && !is_half))
        interrupt(STATUS_DIVERGED);
}

static void note_reservation(const struct wire_record *r)
{
    plugin.reserved_addr = r->addr;
    plugin.reserved_size = r->flags & RECORD_PRIVATE ? 0 : r->size;
    memcpy(plugin.reserved_bytes, r->bytes, sizeof r->bytes);
}

/* QEMU's store-conditional succeeds if memory holds what the load read; the
 * thread itself, or a value fed to another load, may have changed that. */
static void before_conditional(unsigned int cpu, void *pc)
{
    (void)cpu, (void)pc;
    if (plugin.running && plugin.reserved_size)
        memcpy((void *)(uintptr_t)plugin.reserved_addr, plugin.reserved_bytes,
               plugin.reserved_size);
    plugin.reserved_size = 0;
}

static void record_access(uint64_t pc, bool store, uint64_t addr, unsigned size)
{
    bool private = is_private(addr, size);
    struct wire_record *r = new_record(WIRE_RECORDS);
    r->type = store ? RECORD_STORE : RECORD_LOAD;
    r->size = (uint8_t)size;
    r->flags = private ? RECORD_PRIVATE : 0;
    r->n = 0;
    r->pc = pc;
    r->addr = addr;
    memcpy(r->bytes, (const void *)(uintptr_t)addr, size);
    if (!plugin.running)
        return;
    if (flags_of(r->pc) & TEXT_RESERVES)
        note_reservation(r);
    if (!store && !private)
        shared_load(r);
    else if (store && addr < *plugin.dirty && addr >= plugin.stack_from)
        *plugin.dirty = addr;
}

/* The second half of what is one access goes to the record of the first. */
static bool join_halves(uint64_t pc, bool store, uint64_t addr)
{
    struct wire *w = plugin.wire;
    struct wire_record *r = &w->records[w->n_records - 1];
    if (w->n_records == 0 || r->pc != pc || r->size != 8 ||
        r->type != (store ? RECORD_STORE : RECORD_LOAD) || r->addr % 16 ||
        r->addr + 8 != addr || r->flags & RECORD_PRIVATE || is_private(addr, 8))
        return false;
    r->size = 16;
    memcpy(r->bytes, (const void *)(uintptr_t)r->addr, 16);
    if (flags_of(pc) & TEXT_RESERVES)
        note_reservation(r);
    return true;
}

/* QEMU before 8.1 makes accesses of 16 bytes, and those of two registers, in
 * parts; newer ones join them. Here all come in the parts, but for those that
 * are one to the machine. */
static void on_access(unsigned int cpu, qemu_plugin_meminfo_t info,
                      uint64_t addr, void *at)
{
    (void)cpu;
    if (!plugin.running)
        return;
    uint64_t pc = (uint64_t)(uintptr_t)at;
    uint8_t flags = flags_of(pc);
    unsigned size = 1u << qemu_plugin_mem_size_shift(info);
    unsigned part = flags & TEXT_WORDS ? 4 : 8;
    bool store = qemu_plugin_mem_is_store(info);
    if (!store && !(flags & TEXT_READS))
        return;
    part = size < part ? size : part;
    if (flags & TEXT_JOIN && size == 16 && addr % 16 == 0 &&
        !is_private(addr, 16))
        part = 16;
    else if (flags & TEXT_JOIN && size == 8 && join_halves(pc, store, addr))
        return;
    for (unsigned done = 0; done < size && plugin.running; done += part)
        record_access(pc, store, addr + done, part);
}

/* Before an instruction that reads memory: the values that it will read if it
 * reads shared memory. If it does not, they are written again later. */
static void before_read(unsigned int cpu, void *pc)
{
    (void)cpu;
    const struct wire *w = plugin.wire;
    plugin.reads = 0;
    if (!plugin.running)
        return;
    for (uint32_t i = plugin.next_feed; i < w->n_feeds; i++) {
        const struct wire_feed *feed = &w->feeds[i];
        if (feed->pc != (uint64_t)(uintptr_t)pc || feed->addr == 0 ||
            (i > plugin.next_feed && !feed->follows))
            return;
        memcpy((void *)(uintptr_t)feed->addr, feed->bytes, feed->size);
    }
}

static void on_block(unsigned int cpu, void *packed)
{
    (void)cpu;
    if (!plugin.running)
        return;
    if (plugin.guesses && ++plugin.blocks > WIRE_GUESS_BLOCKS) {
        interrupt(STATUS_STOPPED);
        return;
    }
    struct wire_record *r = new_record(WIRE_RECORDS - BLOCK_RECORDS);
    uint64_t word = (uint64_t)(uintptr_t)packed;
    r->type = RECORD_BLOCK;
    r->n = (uint32_t)(word >> 48);
    r->pc = word & (((uint64_t)1 << 48) - 1);
}

/* ---- the guest's library */

static void map(uint64_t from, uint64_t bytes)
{
    void *at = (void *)(uintptr_t)from;
    void *got =
        mmap(at, bytes, PROT_READ | PROT_WRITE,
             MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE,
             -1, 0);
    if (got != at)
        give_up("no room for %llu bytes at 0x%llx: %s",
                (unsigned long long)bytes, (unsigned long long)from,
                strerror(errno));
}

/* Memory that QEMU knows nothing of, but guest code can use it. */
static void map_regions(uint32_t n)
{
    for (; plugin.n_regions < n; plugin.n_regions++) {
        uint64_t region = wire_region(plugin.n_regions);
        map(region, WIRE_HEAP_LARGE + (4ull << WIRE_LARGE_BITS));
        map(region + WIRE_OWN, WIRE_TLS_BYTES);
        map(region + WIRE_OWN_END - WIRE_STACK_BYTES, WIRE_STACK_BYTES);
        plugin.dirty_of[plugin.n_regions] = region + WIRE_OWN_END;
    }
}

/* A fresh stack: what an earlier run left there must not be seen. The guest's
 * library uses some of it without our seeing that. */
static void clean_stack(uint32_t thread)
{
    uint64_t end = wire_region(thread) + WIRE_OWN_END;
    uint64_t lowest = end - WIRE_STACK_BYTES;
    uint64_t from = plugin.dirty_of[thread] - LIBRARY_STACK_BYTES;
    from = from > lowest ? from : lowest;
    memset((void *)(uintptr_t)from, 0, end - from);
    plugin.dirty_of[thread] = end;
    plugin.dirty = &plugin.dirty_of[thread];
}

static void start_run(void)
{
    struct wire *w = plugin.wire;
    struct wire_mailbox *m = plugin.mailbox;
    if (w->thread >= WIRE_THREADS || w->n_threads > WIRE_THREADS)
        give_up("more than %d threads", WIRE_THREADS);
    map_regions(w->n_threads > w->thread ? w->n_threads : w->thread + 1);
    clean_stack(w->thread);
    for (uint32_t i = 0; i < w->n_memory; i++)
        memcpy((void *)(uintptr_t)w->memory[i].addr, w->memory[i].bytes,
               w->memory[i].size);
    uint64_t region = wire_region(w->thread);
    plugin.own_from = region + WIRE_OWN;
    plugin.own_to = region + WIRE_OWN_END;
    plugin.stack_from = plugin.own_to - WIRE_STACK_BYTES;
    plugin.next_feed = 0;
    plugin.reads = plugin.guesses = plugin.blocks = 0;
    plugin.reserved_size = 0;
    plugin.running = true;
    w->n_records = 0;
    w->status = STATUS_NONE;
    m->stop = 0;
    m->thread = guest_word(w->thread);
    m->function = guest_word(w->function);
    m->argument = guest_word(w->argument);
    m->region = guest_word(region);
    m->stack = guest_word(plugin.own_to - 256);
    for (uint32_t i = 0; i < w->n_handles; i++)
        m->handles[i] = guest_word(w->handles[i]);
}

static void idle(void)
{
    struct wire *w = plugin.wire;
    plugin.running = false;
    do
        yield_turn(w->status == STATUS_NONE ? STATUS_READY : w->status);
    while (w->command == COMMAND_GO_ON || w->command == COMMAND_STOP);
    if (w->command == COMMAND_QUIT)
        _exit(0);
    start_run();
}

/* The guest is in our own code and ends the run itself: no signal. */
static void stop_at_op(uint32_t status)
{
    plugin.running = false;
    plugin.wire->status = status;
    plugin.mailbox->stop = ~(uint64_t)0;
}

static void ask(struct wire_record *r)
{
    const struct wire *w = plugin.wire;
    if (plugin.next_feed == w->n_feeds) {
        r->flags |= RECORD_UNKNOWN;
        stop_at_op(STATUS_STOPPED);
        return;
    }
    const struct wire_feed *feed = &w->feeds[plugin.next_feed++];
    if (feed->addr != 0) {
        stop_at_op(STATUS_DIVERGED);
        return;
    }
    uint64_t value;
    memcpy(&value, feed->bytes, sizeof value);
    plugin.mailbox->result = guest_word(value);
}

static void on_marker(unsigned int cpu, void *unused)
{
    (void)cpu, (void)unused;
    struct wire_mailbox *m = plugin.mailbox;
    uint32_t op = (uint32_t)guest_word(m->op);
    if (op == OP_IDLE) {
        idle();
        return;
    }
    if (!plugin.running) {
        m->stop = ~(uint64_t)0;
        return;
    }
    struct wire_record *r = new_record(WIRE_RECORDS);
    r->type = RECORD_OP;
    r->size = 0;
    r->flags = 0;
    r->n = op;
    r->pc = guest_word(m->pc);
    r->addr = guest_word(m->a);
    r->word[0] = guest_word(m->b);
    r->word[1] = guest_word(m->c);
    if (wire_op_asks(op))
        ask(r);
    else if (wire_op_ends(op))
        stop_at_op(STATUS_ENDED);
}

/* ---- translation */

static void on_translation(qemu_plugin_id_t id, struct qemu_plugin_tb *tb)
{
    (void)id;
    const struct wire *w = plugin.wire;
    size_t n = qemu_plugin_tb_n_insns(tb);
    uint64_t start = qemu_plugin_tb_vaddr(tb);
    bool quiet = start - w->quiet.from < w->quiet.to - w->quiet.from;
    plugin.wire->n_translated++;
    if (!quiet)
        qemu_plugin_register_vcpu_tb_exec_cb(
            tb, on_block, QEMU_PLUGIN_CB_NO_REGS,
            (void *)(uintptr_t)(start | (uint64_t)n << 48));
    for (size_t i = 0; i < n; i++) {
        struct qemu_plugin_insn *insn = qemu_plugin_tb_get_insn(tb, i);
        uint64_t pc = qemu_plugin_insn_vaddr(insn);
        if (pc == w->marker_pc)
            qemu_plugin_register_vcpu_insn_exec_cb(
                insn, on_marker, QEMU_PLUGIN_CB_NO_REGS, NULL);
        if (quiet)
            continue;
        void *at = (void *)(uintptr_t)pc;
        if (flags_of(pc) & TEXT_READS)
            qemu_plugin_register_vcpu_insn_exec_cb(insn, before_read,
                                                   QEMU_PLUGIN_CB_NO_REGS, at);
        if (flags_of(pc) & TEXT_CONDITIONAL)
            qemu_plugin_register_vcpu_insn_exec_cb(insn, before_conditional,
                                                   QEMU_PLUGIN_CB_NO_REGS, at);
        qemu_plugin_register_vcpu_mem_cb(
            insn, on_access, QEMU_PLUGIN_CB_NO_REGS, QEMU_PLUGIN_MEM_RW, at);
    }
}

/* ---- start */

/* The first block of the guest: is its memory where we think it is? The image
 * is in place before any code is translated. */
static void check_mailbox(qemu_plugin_id_t id, struct qemu_plugin_tb *tb)
{
    static bool done;
    if (!done) {
        done = true;
        unsigned char seen;
        uint64_t page = plugin.wire->mailbox & ~(uint64_t)4095;
        if (mincore((void *)(uintptr_t)page, 1, &seen) != 0)
            give_up("guest memory is not at the guest's addresses: start QEMU "
                    "without -B and -R");
        if (guest_word(plugin.mailbox->magic) != WIRE_MAGIC)
            give_up("no mailbox in the guest: not linked against our runtime?");
    }
    on_translation(id, tb);
}

static bool attach(const char *fd_text)
{
    struct stat st;
    int fd = atoi(fd_text);
    if (fstat(fd, &st) != 0 || (size_t)st.st_size < sizeof(struct wire)) {
        fprintf(stderr, "hwcheck-plugin: fd=%d is no block of hwcheck's\n", fd);
        return false;
    }
    struct wire *w =
        mmap(NULL, sizeof *w, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    close(fd);
    if (w == MAP_FAILED)
        return false;
    if (w->magic != WIRE_MAGIC || w->version != WIRE_VERSION ||
        w->bytes != sizeof *w) {
        fprintf(stderr, "hwcheck-plugin: is not of this hwcheck's version\n");
        return false;
    }
    plugin.wire = w;
    plugin.mailbox = (struct wire_mailbox *)(uintptr_t)w->mailbox;
    plugin.parent = getppid();
    return true;
}

QEMU_PLUGIN_EXPORT int qemu_plugin_install(qemu_plugin_id_t id,
                                           const qemu_info_t *info, int argc,
                                           char **argv);
QEMU_PLUGIN_EXPORT int qemu_plugin_install(qemu_plugin_id_t id,
                                           const qemu_info_t *info, int argc,
                                           char **argv)
{
    if (info->system_emulation) {
        fprintf(stderr, "hwcheck-plugin: needs a user-mode QEMU\n");
        return -1;
    }
    if (argc != 1 || strncmp(argv[0], "fd=", 3) != 0) {
        fprintf(stderr, "hwcheck-plugin: is started by hwcheck alone\n");
        return -1;
    }
    if (!attach(argv[0] + 3))
        return -1;
    plugin.wire->api = (uint32_t)info->version.cur;
    qemu_plugin_register_vcpu_tb_trans_cb(id, check_mailbox);
    return 0;
}
