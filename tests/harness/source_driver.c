#include "tests/harness/source_driver.h"

#include "core/mem.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

bool driver_compile_with(struct driver *d, const char *text,
                         const struct source_options *options)
{
    memset(d, 0, sizeof *d);
    program_init(&d->program);
    char name[] = "/tmp/hwcheck-test-XXXXXX.c";
    int fd = mkstemps(name, 2);
    size_t bytes = strlen(text);
    bool ok = fd >= 0 && write(fd, text, bytes) == (ssize_t)bytes;
    if (fd >= 0)
        close(fd);
    if (!ok)
        return err_set(&d->err, ERR_SYSTEM, "cannot write %s", name);
    /* Messages name the file: make that the same each time. */
    char rename[80];
    snprintf(rename, sizeof rename, "-ffile-prefix-map=%s=t.c", name);
    const char *flags[] = {rename, "-w"};
    struct source_options all = *options;
    all.cflags = flags;
    all.n_cflags = 2;
    ok = compile_program(&d->source, &all, name, &d->program, &d->err);
    unlink(name);
    if (ok)
        path_init(&d->path, source_runtime(&d->source));
    return ok;
}

bool driver_compile(struct driver *d, const char *text)
{
    return driver_compile_with(d, text, &(struct source_options){0});
}

void driver_release(struct driver *d)
{
    path_release(&d->path);
    source_release(&d->source);
    program_release(&d->program);
    free(d->memory);
    free(d->has);
}

__attribute__((format(printf, 2, 3))) static void say(struct driver *d,
                                                      const char *fmt, ...)
{
    va_list args;
    va_start(args, fmt);
    size_t room = sizeof d->trace - d->length;
    int n = vsnprintf(d->trace + d->length, room, fmt, args);
    va_end(args);
    if (n > 0)
        d->length += (size_t)n < room ? (size_t)n : room - 1;
}

static const char *mode(uint64_t tags)
{
    static const struct {
        uint64_t bit;
        const char *name;
    } modes[] = {
        {TAG_BIT(TAG_NA), "na"},          {TAG_BIT(TAG_RLX), "rlx"},
        {TAG_BIT(TAG_ACQ), "acq"},        {TAG_BIT(TAG_REL), "rel"},
        {TAG_BIT(TAG_ACQ_REL), "acqrel"}, {TAG_BIT(TAG_SC), "sc"},
    };
    for (size_t i = 0; i < sizeof modes / sizeof *modes; i++)
        if (tags & modes[i].bit)
            return modes[i].name;
    return "?";
}

static void say_access(struct driver *d, const struct label *l, uint64_t value)
{
    char name[200];
    program_print_location(&d->program, l->loc, name, sizeof name);
    say(d, "%s%s %s=%" PRId64 " %s", l->rmw ? "u" : "",
        l->kind == LABEL_READ ? "R" : "W", name, (int64_t)value, mode(l->tags));
    if (l->kind == LABEL_READ && l->value)
        say(d, "/%s", mode(l->value));
    if (l->tags & TAG_BIT(TAG_LOCK))
        say(d, " lock");
    if (l->size != 4)
        say(d, " %u", l->size);
    say(d, "\n");
}

static void say_label(struct driver *d, thread_id t, const struct label *l,
                      uint64_t value)
{
    static const char *const reasons[] = {"assume", "spin", "lock"};
    const char *text = d->program.texts[0];
    char name[200] = "";
    if (l->kind >= LABEL_ERROR || l->kind == LABEL_OBSERVE)
        text = d->program.texts[l->aux];
    if (l->kind == LABEL_ALLOC || l->kind == LABEL_FREE)
        program_print_location(&d->program, l->loc, name, sizeof name);
    if (l->kind != LABEL_START)
        say(d, "%u: ", t);
    switch ((enum label_kind)l->kind) {
    case LABEL_START:
        break;
    case LABEL_READ:
    case LABEL_WRITE:
        say_access(d, l, value);
        break;
    case LABEL_FENCE:
        say(d, "F %s\n", mode(l->tags));
        break;
    case LABEL_CREATE:
        say(d, "create %u\n", l->loc);
        break;
    case LABEL_JOIN:
        say(d, "join %u=%" PRId64 "\n", l->loc, (int64_t)value);
        break;
    case LABEL_ALLOC:
        say(d, "alloc %s %" PRIu64 "%s\n", name, l->value,
            l->aux ? " zero" : "");
        break;
    case LABEL_FREE:
        say(d, "free %s\n", name);
        break;
    case LABEL_CHOICE:
        say(d, "choose %" PRIu64 " of %" PRIu64 "\n", value, l->value);
        break;
    case LABEL_OBSERVE:
        say(d, "observe %s=%" PRId64 "\n", text, (int64_t)l->value);
        break;
    case LABEL_END:
        say(d, "end %" PRId64 "\n", (int64_t)l->value);
        break;
    case LABEL_BLOCK:
        say(d, "block %s\n", reasons[l->aux]);
        break;
    case LABEL_WARN:
    case LABEL_ERROR:
    case LABEL_BOUND:
    case LABEL_UNMODELLED:
        program_print_place(&d->program, l->place, name, sizeof name);
        say(d, "%s: %s\n", name, text);
        break;
    }
}

static uint64_t next_random(struct driver *d)
{
    d->random = d->random * 6364136223846793005u + 1442695040888963407u;
    return d->random >> 33;
}

/* Memory is what was written last; at random, any small number. */
static uint64_t read_memory(struct driver *d, const struct label *l)
{
    if (d->random && next_random(d) % 4 == 0)
        return next_random(d) % 3;
    return l->loc < d->cap && d->has[l->loc]
               ? d->memory[l->loc]
               : d->program.locations.items[l->loc].init;
}

static void write_memory(struct driver *d, const struct label *l)
{
    if (l->loc >= d->cap) {
        uint32_t cap = (l->loc + 1) * 2;
        d->memory = mem_resize(d->memory, cap * sizeof *d->memory);
        d->has = mem_resize(d->has, cap * sizeof *d->has);
        memset(d->has + d->cap, 0, cap - d->cap);
        d->cap = cap;
    }
    d->memory[l->loc] = l->value;
    d->has[l->loc] = true;
}

/* Takes one step of a thread; false: it waits, has ended, or failed. */
static bool step(struct driver *d, thread_id t)
{
    struct driver_thread *thread = &d->threads[t];
    const struct label l = *path_label(&d->path, thread->node);
    uint64_t value = l.value;
    if (l.kind == LABEL_JOIN) {
        if (!d->threads[l.loc].done)
            return false;
        value = d->threads[l.loc].result;
    } else if (l.kind == LABEL_READ) {
        value = read_memory(d, &l);
    } else if (l.kind == LABEL_CHOICE) {
        value = l.value ? d->choice % l.value : 0;
    } else if (l.kind == LABEL_WRITE) {
        write_memory(d, &l);
    } else if (l.kind == LABEL_CREATE && l.loc < DRIVER_THREADS) {
        d->threads[l.loc].node = l.aux;
    }
    say_label(d, t, &l, value);
    if (label_ends(l.kind)) {
        thread->done = true;
        thread->result = l.value;
        return false;
    }
    if (d->cold)
        d->path.runtime->restart(d->path.runtime->self);
    thread->node = path_step(&d->path, thread->node,
                             label_returns(l.kind) ? value : 0, &d->err);
    return thread->node != NODE_NONE && !d->program.locations.stale;
}

static void start(struct driver *d)
{
    for (int t = 0; t < DRIVER_THREADS; t++)
        d->threads[t] = (struct driver_thread){.node = NODE_NONE};
    if (d->cap)
        memset(d->has, 0, d->cap * sizeof *d->has);
    d->length = 0;
    d->trace[0] = '\0';
    path_release(&d->path);
    path_init(&d->path, source_runtime(&d->source));
    d->path.runtime->restart(d->path.runtime->self);
    d->threads[0].node = path_root(&d->path, 0, source_main(&d->source), 0);
}

bool driver_run(struct driver *d)
{
    uint64_t seed = d->random;
    start(d);
    for (bool progress = true; progress;) {
        progress = false;
        for (thread_id t = 0; t < DRIVER_THREADS; t++) {
            struct driver_thread *thread = &d->threads[t];
            if (thread->node == NODE_NONE || thread->done)
                continue;
            node_id before = thread->node;
            while (step(d, t))
                ;
            if (thread->node == NODE_NONE)
                return false;
            progress = progress || thread->node != before || thread->done;
        }
        if (d->program.locations.stale) {
            locations_restart(&d->program.locations);
            d->random = seed;
            start(d);
        }
    }
    return true;
}

const char *driver_trace_of(const char *text)
{
    static char result[20000];
    static struct driver d;
    bool ok = driver_compile(&d, text) && driver_run(&d);
    snprintf(result, sizeof result, "%s", ok ? d.trace : d.err.text);
    driver_release(&d);
    return result;
}

const char *driver_error_of(const char *text)
{
    static char result[1000];
    static struct driver d;
    bool ok = driver_compile(&d, text);
    snprintf(result, sizeof result, "%s", ok ? "compiled" : d.err.text);
    driver_release(&d);
    return result;
}
