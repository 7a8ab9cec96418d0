#include "frontend/source/source_runtime.h"

#include "core/halt.h"
#include "core/mem.h"

#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <ucontext.h>

#define SIGNAL_STACK_BYTES ((size_t)64 << 10)
enum { FAULT_SIGNALS = 4 };
static const int fault_signals[FAULT_SIGNALS] = {SIGSEGV, SIGBUS, SIGFPE,
                                                 SIGILL};

/* Signal handlers are the process's, and a handler has only globals to tell
 * whose fault it is: those of the process are counted under the lock, each of
 * our threads has a stack for them. */
static struct {
    pthread_mutex_t lock;
    unsigned users;
    struct sigaction old[FAULT_SIGNALS];
} handlers = {.lock = PTHREAD_MUTEX_INITIALIZER};

static _Thread_local struct source_runtime *running;
static _Thread_local bool has_signal_stack;
static _Thread_local char signal_stack[SIGNAL_STACK_BYTES];

static uint64_t fault_pc(const ucontext_t *context)
{
#if defined(__x86_64__)
    return (uint64_t)context->uc_mcontext.gregs[REG_RIP];
#else
    return context->uc_mcontext.pc;
#endif
}

/* Ends the run of the thread by a label, from outside its stack. */
static void add_fault(struct hooks *h, int signal, const siginfo_t *info)
{
    struct hooks_thread *t = h->thread;
    enum violation_kind kind = VIOLATION_INVALID_ACCESS;
    char text[100];
    if (coroutine_in_guard(&t->coroutine, info->si_addr)) {
        kind = VIOLATION_STACK_OVERFLOW;
        snprintf(text, sizeof text, "stack overflow");
    } else if (signal == SIGFPE) {
        kind = VIOLATION_ARITHMETIC;
        snprintf(text, sizeof text, "integer division by zero or overflow");
    } else if (signal == SIGILL) {
        kind = VIOLATION_ABORT;
        snprintf(text, sizeof text, "trap instruction");
    } else {
        snprintf(text, sizeof text, "access to address %p: not in any object",
                 info->si_addr);
    }
    struct label label = {
        .kind = LABEL_ERROR,
        .place = t->place,
        .loc = LOC_NONE,
        .aux = program_text(h->program, text),
        .value = kind,
    };
    if (hooks_is_live(h))
        path_append(h->path, h->node, h->key, &label);
    else
        h->diverged = true;
}

static void on_fault(int signal, siginfo_t *info, void *context)
{
    struct source_runtime *r = running;
    struct hooks *h = r ? &r->hooks : NULL;
    if (h && h->thread) {
        uint64_t pc = fault_pc(context);
        const struct image *im = h->image;
        if (pc >= im->code_from && pc < im->code_to) {
            add_fault(h, signal, info);
            coroutine_abandon(&h->thread->coroutine);
        }
    }
    /* Not the program's: as if we had never been here. The instruction is
     * tried again and faults again. */
    for (int i = 0; i < FAULT_SIGNALS; i++)
        if (fault_signals[i] == signal)
            sigaction(signal, &handlers.old[i], NULL);
}

static void use_handlers(struct source_runtime *r)
{
    r->uses_handlers = true;
    pthread_mutex_lock(&handlers.lock);
    if (handlers.users++ == 0) {
        struct sigaction action = {0};
        action.sa_sigaction = on_fault;
        /* NODEFER: the handler leaves by a switch of stacks, not by return,
         * and must not leave the signal blocked. */
        action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER;
        for (int i = 0; i < FAULT_SIGNALS; i++)
            sigaction(fault_signals[i], &action, &handlers.old[i]);
    }
    pthread_mutex_unlock(&handlers.lock);
}

static void leave_handlers(struct source_runtime *r)
{
    if (!r->uses_handlers)
        return;
    pthread_mutex_lock(&handlers.lock);
    if (--handlers.users == 0)
        for (int i = 0; i < FAULT_SIGNALS; i++)
            sigaction(fault_signals[i], &handlers.old[i], NULL);
    pthread_mutex_unlock(&handlers.lock);
}

/* Stays for as long as the thread. A sanitizer may have set one before, which
 * does as well, and which it wants to find again. */
static void use_signal_stack(void)
{
    stack_t stack = {.ss_sp = signal_stack, .ss_size = sizeof signal_stack};
    stack_t old;
    if (sigaltstack(NULL, &old) == 0 && old.ss_flags & SS_DISABLE)
        sigaltstack(&stack, NULL);
    has_signal_stack = true;
}

/* First code on a thread's stack. */
static void run_thread(void *argument)
{
    struct hooks *h = argument;
    struct hooks_thread *t = h->thread;
    const struct image_function *f = &h->image->functions[t->function];
    uint64_t result = ((uint64_t (*)(uint64_t))(uintptr_t)f->addr)(t->argument);
    if (f->result == RESULT_NONE)
        result = 0;
    else if (f->result == RESULT_INT32)
        result = (uint32_t)result;
    hooks_finish(h, UINT32_MAX, result, END_RETURN);
}

/* The run that stands exactly there. Node numbers are used again when the path
 * cache forgets, so the values decide. */
static struct hooks_thread *find_parked(struct hooks *h,
                                        const struct label *root,
                                        const uint64_t *values, uint32_t n)
{
    for (int i = 0; i < HOOKS_THREADS; i++) {
        struct hooks_thread *t = &h->threads[i];
        if (t->parked && t->id == root->loc && t->function == root->aux &&
            t->argument == root->value && t->n_values == n &&
            (n == 0 || memcmp(t->values, values, n * sizeof *values) == 0))
            return t;
    }
    return NULL;
}

/* A place for a new run: that of the same thread, else an unused one, else
 * that which was used longest ago. */
static struct hooks_thread *take(struct hooks *h, thread_id id)
{
    struct hooks_thread *best = &h->threads[0];
    for (int i = 0; i < HOOKS_THREADS; i++) {
        struct hooks_thread *t = &h->threads[i];
        if (t->used && t->id == id)
            return t;
        if (t->used < best->used)
            best = t;
    }
    return best;
}

static bool start(struct hooks *h, struct hooks_thread *t,
                  const struct label *root)
{
    if (!t->coroutine.stack && !coroutine_init(&t->coroutine))
        return false;
    t->id = root->loc;
    t->function = root->aux;
    t->argument = root->value;
    t->n_values = t->next = 0;
    t->effects = t->events = 0;
    t->n_created = 0;
    memset(t->n_objects, 0, sizeof t->n_objects);
    t->random = 1;
    t->place = PLACE_NONE;
    t->last_read = t->rmw_old = 0;
    t->n_held = 0;
    t->n_all_objects = 0;
    coroutine_reset(&t->coroutine, run_thread, h);
    return true;
}

static void push_value(struct hooks_thread *t, uint64_t value)
{
    t->values =
        mem_room(t->values, t->n_values, &t->values_cap, sizeof *t->values);
    t->values[t->n_values++] = value;
}

static void run(struct source_runtime *r, struct hooks_thread *t)
{
    struct hooks *h = &r->hooks;
    h->effects = t->effects;
    h->events = t->events;
    h->tls_base = area_start(t->id, AREA_TLS);
    h->stack_limit = t->coroutine.stack + COROUTINE_RESERVE_BYTES;
    h->diverged = h->stopped = false;
    t->parked = false;
    t->used = ++h->clock;
    h->thread = t;
    running = r;
    coroutine_resume(&t->coroutine);
    h->thread = NULL;
}

static bool stopped(const struct hooks *h, struct err *err)
{
    const struct image_loop *l = &h->image->loops[h->stopped_loop];
    char place[300], where[500];
    program_print_place(h->program, l->place, place, sizeof place);
    snprintf(where, sizeof where, "; in the loop at %s in %s", place,
             h->program->texts[l->function]);
    return halt_fail_at(err, where);
}

static bool extend(void *self, struct path *path, node_id at, uint64_t value,
                   struct err *err)
{
    struct source_runtime *r = self;
    struct hooks *h = &r->hooks;
    if (!r->uses_handlers)
        use_handlers(r);
    if (!has_signal_stack)
        use_signal_stack();

    struct label root = *path_label(path, path_root_of(path, at));
    if (root.aux >= h->image->n_functions)
        return err_set(err, ERR_INTERNAL, "no function %u", root.aux);
    uint32_t n = path_values(path, at, r->past, r->past_cap);
    if (n > r->past_cap) {
        r->past_cap = n * 2;
        r->past = mem_resize(r->past, r->past_cap * sizeof *r->past);
        path_values(path, at, r->past, r->past_cap);
    }
    bool at_root = path_label(path, at)->kind == LABEL_START;
    struct hooks_thread *t = at_root ? NULL : find_parked(h, &root, r->past, n);
    if (t) {
        r->warm++;
    } else {
        r->cold++;
        t = take(h, root.loc);
        if (!start(h, t, &root))
            return err_set(err, ERR_SYSTEM, "no memory for a stack");
        for (uint32_t i = 0; i < n; i++)
            push_value(t, r->past[i]);
    }
    if (!at_root)
        push_value(t, value);
    h->path = path;
    h->node = at;
    h->key = at_root ? 0 : value;
    run(r, t);
    if (h->stopped)
        return stopped(h, err);
    if (h->diverged)
        return err_set(err, ERR_INTERNAL,
                       "thread %u did not repeat what it did before", t->id);
    return true;
}

static void restart(void *self)
{
    struct source_runtime *r = self;
    for (int i = 0; i < HOOKS_THREADS; i++)
        r->hooks.threads[i].parked = false;
}

void source_runtime_init(struct source_runtime *r, struct image *image,
                         struct program *program)
{
    memset(r, 0, sizeof *r);
    r->runtime = (struct runtime){
        .name = "source", .self = r, .extend = extend, .restart = restart};
    r->hooks.image = image;
    r->hooks.program = program;
}

void source_runtime_release(struct source_runtime *r)
{
    leave_handlers(r);
    for (int i = 0; i < HOOKS_THREADS; i++) {
        struct hooks_thread *t = &r->hooks.threads[i];
        coroutine_release(&t->coroutine);
        free(t->values);
        free(t->held);
        free(t->objects);
    }
    free(r->past);
    if (running == r)
        running = NULL;
    memset(r, 0, sizeof *r);
}

static void name_local(const struct hooks *h, thread_id thread, uint64_t start,
                       char *buf, size_t cap, uint32_t *type)
{
    const struct hooks_name *n = hooks_find_name(h, start);
    const char *name = "local";
    if (n) {
        const struct image_local *l = &h->image->locals[n->local];
        name = h->program->texts[l->name];
        *type = l->type;
    }
    if (thread == 0)
        snprintf(buf, cap, "%s", name);
    else
        snprintf(buf, cap, "%s@%u", name, thread);
}

void source_runtime_name(const void *self, uint64_t addr, unsigned size,
                         char *buf, size_t cap)
{
    (void)size;
    const struct hooks *h = &((const struct source_runtime *)self)->hooks;
    const struct image *im = h->image;
    const struct image_global *o = image_find_global(im, addr);
    if (o) {
        snprintf(buf, cap, "%s", h->program->texts[o->name]);
        image_print_part(im, h->program, o->type, addr - o->addr, buf, cap);
        return;
    }
    thread_id thread = 0;
    enum area area = area_of(addr, &thread);
    uint64_t start = area == AREA_NONE ? addr : area_slot(addr, area);
    uint64_t ordinal =
        (start - area_start(thread, area)) >> area_slot_bits(area);
    uint32_t type = TYPE_NONE;
    if (area == AREA_TLS) {
        uint64_t offset = addr - area_start(thread, area);
        o = image_find_tls(im, offset);
        if (!o) {
            snprintf(buf, cap, "tls@%u+%llu", thread,
                     (unsigned long long)offset);
            return;
        }
        snprintf(buf, cap, "%s@%u", h->program->texts[o->name], thread);
        image_print_part(im, h->program, o->type, offset - o->tls, buf, cap);
        return;
    }
    if (area == AREA_NONE) {
        const char *function = image_function_name(im, h->program, addr);
        if (function)
            snprintf(buf, cap, "%s", function);
        else
            snprintf(buf, cap, "0x%llx", (unsigned long long)addr);
        return;
    }
    if (area >= AREA_STACK) {
        name_local(h, thread, start, buf, cap, &type);
    } else {
        static const char *const kinds[] = {"malloc#", "malloc#M", "malloc#L"};
        if (thread == 0)
            snprintf(buf, cap, "%s%llu", kinds[area],
                     (unsigned long long)ordinal + 1);
        else
            snprintf(buf, cap, "%s%u.%llu", kinds[area], thread,
                     (unsigned long long)ordinal + 1);
    }
    image_print_part(im, h->program, type, addr - start, buf, cap);
}
