/* Mappings of single threads. LLVM's C interface cannot copy a function, only a
 * module: for each mapping in use there is a copy of the whole program lowered
 * by it, whose functions are renamed and whose variables are those of the
 * first. All are linked into one, and the calls that create threads are
 * pointed to the copy that each thread is to run. So a function that two
 * threads share is there twice, each time with the instructions of its thread.
 *
 * A function that is called through a pointer could be run by any thread: that
 * is refused. */
#include "core/mem.h"
#include "frontend/target/lower.h"

#include <llvm-c/Core.h>
#include <llvm-c/Linker.h>

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

enum { NAME_MAX_BYTES = 300 };

/* Ends the names of functions in copies, before the copy's number. */
#define COPY_SUFFIX ".map"

/* A call that creates a thread. */
struct creation {
    char function[NAME_MAX_BYTES]; /* what the thread runs */
    const struct mapping *mapping;
};

struct threads {
    const struct lower_options *options;
    LLVMModuleRef module;
    struct creation *sites; /* in the order of the text */
    unsigned n_sites, sites_cap;
    const struct mapping **mappings; /* in use, that of main first */
    unsigned n_mappings;
    bool *matched; /* which of the options named a thread */
    unsigned mark; /* kind of the metadata that numbers the calls */
    struct err *err;
};

static const char *name_of(LLVMValueRef value)
{
    size_t n;
    return LLVMGetValueName2(value, &n);
}

/* The operand of a call that is the new thread's function, or -1. */
static int start_operand(LLVMValueRef call)
{
    if (!LLVMIsACallInst(call))
        return -1;
    const char *callee = name_of(LLVMGetCalledValue(call));
    return strcmp(callee, "pthread_create") == 0 ? 2
           : strcmp(callee, "thrd_create") == 0  ? 1
                                                 : -1;
}

/* ---- which thread has which mapping */

/* Is the thread's function the P<n> of a litmus test (t<test>_P<n>)? */
static bool is_litmus_thread(const char *function, const char *name)
{
    size_t digits = 0;
    if (name[0] != 'P' || !isdigit((unsigned char)name[1]) ||
        function[0] != 't')
        return false;
    while (isdigit((unsigned char)function[1 + digits]))
        digits++;
    return digits > 0 && function[1 + digits] == '_' &&
           strcmp(function + digits + 2, name) == 0;
}

/* `number` is 0 for main. */
static const struct mapping *choose(struct threads *t, const char *function,
                                    unsigned number)
{
    const struct mapping *m = t->options->mapping;
    char by_number[20];
    snprintf(by_number, sizeof by_number, "T%u", number);
    for (uint32_t i = 0; i < t->options->n_maps; i++) {
        const char *name = t->options->maps[i].thread;
        if (strcmp(name, by_number) == 0 || strcmp(name, function) == 0 ||
            is_litmus_thread(function, name)) {
            m = t->options->maps[i].mapping;
            t->matched[i] = true;
        }
    }
    return m;
}

/* The number of the mapping's copy. */
static unsigned copy_of(struct threads *t, const struct mapping *m)
{
    unsigned i = 0;
    while (i < t->n_mappings && t->mappings[i] != m)
        i++;
    if (i == t->n_mappings) {
        t->mappings = mem_resize(t->mappings, (i + 1) * sizeof(*t->mappings));
        t->mappings[t->n_mappings++] = m;
    }
    return i;
}

static bool add_site(struct threads *t, LLVMValueRef call)
{
    char place[300];
    LLVMValueRef start = LLVMGetOperand(call, (unsigned)start_operand(call));
    if (!LLVMIsAFunction(start)) {
        lower_place(t->options, call, place, sizeof place);
        return err_set(t->err, ERR_INPUT,
                       "%s: --map: which function the thread runs is not "
                       "known here",
                       place);
    }
    t->sites = mem_room(t->sites, t->n_sites, &t->sites_cap, sizeof *t->sites);
    LLVMContextRef context = LLVMGetModuleContext(t->module);
    LLVMMetadataRef number = LLVMValueAsMetadata(
        LLVMConstInt(LLVMInt32TypeInContext(context), t->n_sites, false));
    LLVMSetMetadata(call, t->mark,
                    LLVMMetadataAsValue(
                        context, LLVMMDNodeInContext2(context, &number, 1)));
    struct creation *s = &t->sites[t->n_sites++];
    snprintf(s->function, sizeof s->function, "%s", name_of(start));
    s->mapping = choose(t, s->function, t->n_sites);
    copy_of(t, s->mapping);
    return true;
}

/* Calls `visit` for each call that creates a thread, in the order of the
 * text. */
static bool each_site(struct threads *t, LLVMModuleRef module,
                      bool (*visit)(struct threads *t, LLVMValueRef call))
{
    for (LLVMValueRef f = LLVMGetFirstFunction(module); f;
         f = LLVMGetNextFunction(f))
        for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b;
             b = LLVMGetNextBasicBlock(b))
            for (LLVMValueRef i = LLVMGetFirstInstruction(b); i;
                 i = LLVMGetNextInstruction(i))
                if (start_operand(i) >= 0 && !visit(t, i))
                    return false;
    return true;
}

/* An entry of llvm.used and the like. */
static bool is_mention(LLVMValueRef user)
{
    if (!LLVMIsAConstantArray(user))
        return false;
    for (LLVMUseRef use = LLVMGetFirstUse(user); use; use = LLVMGetNextUse(use))
        if (strncmp(name_of(LLVMGetUser(use)), "llvm.", 5) != 0)
            return false;
    return true;
}

/* A function may be called, or started as a thread; nothing else. */
static bool check_uses(struct threads *t, LLVMValueRef f)
{
    for (LLVMUseRef use = LLVMGetFirstUse(f); use; use = LLVMGetNextUse(use)) {
        LLVMValueRef user = LLVMGetUser(use);
        bool calls = LLVMIsACallInst(user) && LLVMGetCalledValue(user) == f;
        if (!calls && start_operand(user) < 0 && !is_mention(user))
            return err_set(t->err, ERR_INPUT,
                           "--map: function '%s' may be called through a "
                           "pointer, so that its thread is not known",
                           name_of(f));
    }
    return true;
}

static bool find_threads(struct threads *t)
{
    copy_of(t, choose(t, "main", 0));
    if (!each_site(t, t->module, add_site))
        return false;
    for (LLVMValueRef f = LLVMGetFirstFunction(t->module); f;
         f = LLVMGetNextFunction(f))
        if (!LLVMIsDeclaration(f) && !check_uses(t, f))
            return false;
    for (uint32_t i = 0; i < t->options->n_maps; i++)
        if (!t->matched[i])
            return err_set(t->err, ERR_USAGE,
                           "--map: there is no thread '%s': the program has "
                           "T0 (main) and %u calls that create one",
                           t->options->maps[i].thread, t->n_sites);
    return true;
}

/* ---- copies */

/* The name that a function has in copy k. */
static void copied_name(const char *name, unsigned k, char *buf, size_t cap)
{
    snprintf(buf, cap, "%s" COPY_SUFFIX "%u", name, k);
}

/* llvm.used and such, and constants without a name of their own. */
static bool is_own(LLVMValueRef global)
{
    return strncmp(name_of(global), "llvm.", 5) == 0 ||
           LLVMGetLinkage(global) == LLVMPrivateLinkage;
}

/* Makes a copy ready to be linked to the first: functions get names of their
 * own, variables become declarations of the first copy's. */
static void prepare_copy(LLVMModuleRef copy, unsigned k)
{
    char name[NAME_MAX_BYTES + 20];
    LLVMValueRef next;
    for (LLVMValueRef f = LLVMGetFirstFunction(copy); f;
         f = LLVMGetNextFunction(f)) {
        if (LLVMIsDeclaration(f))
            continue;
        copied_name(name_of(f), k, name, sizeof name);
        LLVMSetValueName2(f, name, strlen(name));
        LLVMSetLinkage(f, LLVMExternalLinkage);
    }
    for (LLVMValueRef g = LLVMGetFirstGlobal(copy); g; g = next) {
        next = LLVMGetNextGlobal(g);
        if (strncmp(name_of(g), "llvm.", 5) == 0) {
            LLVMDeleteGlobal(g);
        } else if (!is_own(g) && !LLVMIsDeclaration(g)) {
            LLVMSetInitializer(g, NULL);
            LLVMSetLinkage(g, LLVMExternalLinkage);
        }
    }
}

/* While copies are linked, variables of one file must be found by name; what
 * they were is restored afterwards. */
static LLVMValueRef *show_variables(LLVMModuleRef module, unsigned *n)
{
    LLVMValueRef *hidden = NULL;
    unsigned cap = 0;
    *n = 0;
    for (LLVMValueRef g = LLVMGetFirstGlobal(module); g;
         g = LLVMGetNextGlobal(g)) {
        if (LLVMGetLinkage(g) != LLVMInternalLinkage || is_own(g))
            continue;
        hidden = mem_room(hidden, *n, &cap, sizeof *hidden);
        hidden[(*n)++] = g;
        LLVMSetLinkage(g, LLVMExternalLinkage);
    }
    return hidden;
}

static bool link_copy(struct threads *t, LLVMModuleRef copy, unsigned k)
{
    const struct mapping *m = t->mappings[k];
    if (m && !lower_accesses(copy, m, t->options, t->err)) {
        LLVMDisposeModule(copy);
        return false;
    }
    prepare_copy(copy, k);
    if (LLVMLinkModules2(t->module, copy)) /* which disposes of the copy */
        return err_set(t->err, ERR_INTERNAL, "cannot link copies");
    return true;
}

static bool make_copies(struct threads *t)
{
    unsigned n_copies = t->n_mappings, n_hidden = 0;
    LLVMModuleRef *copies = mem_resize(NULL, n_copies * sizeof *copies);
    bool good = true;
    for (unsigned k = 1; k < n_copies; k++)
        copies[k] = LLVMCloneModule(t->module);
    if (t->mappings[0])
        good = lower_accesses(t->module, t->mappings[0], t->options, t->err);
    LLVMValueRef *hidden = show_variables(t->module, &n_hidden);
    for (unsigned k = 1; k < n_copies; k++) {
        if (good)
            good = link_copy(t, copies[k], k);
        else
            LLVMDisposeModule(copies[k]);
    }
    for (unsigned i = 0; i < n_hidden; i++)
        LLVMSetLinkage(hidden[i], LLVMInternalLinkage);
    free(hidden);
    free(copies);
    return good;
}

/* Points a call to the copy of its thread; calls are in every copy. */
static bool redirect(struct threads *t, LLVMValueRef call)
{
    char name[NAME_MAX_BYTES + 20];
    LLVMValueRef node = LLVMGetMetadata(call, t->mark), number;
    if (!node || t->n_sites == 0 || !t->sites)
        return err_set(t->err, ERR_INTERNAL, "a thread without number");
    LLVMGetMDNodeOperands(node, &number);
    const struct creation *s = &t->sites[LLVMConstIntGetZExtValue(number)];
    unsigned k = copy_of(t, s->mapping);
    copied_name(s->function, k, name, sizeof name);
    LLVMValueRef to = LLVMGetNamedFunction(t->module, k ? name : s->function);
    if (!to)
        return err_set(t->err, ERR_INTERNAL, "no copy of '%s'", s->function);
    LLVMSetOperand(call, (unsigned)start_operand(call), to);
    LLVMSetMetadata(call, t->mark, NULL);
    return true;
}

static void hide_copies(LLVMModuleRef module)
{
    for (LLVMValueRef f = LLVMGetFirstFunction(module); f;
         f = LLVMGetNextFunction(f))
        if (!LLVMIsDeclaration(f) && strstr(name_of(f), COPY_SUFFIX))
            LLVMSetLinkage(f, LLVMInternalLinkage);
}

bool lower_threads(LLVMModuleRef module, const struct lower_options *o,
                   struct err *err)
{
    static const char mark[] = "hwcheck.thread";
    struct threads t = {.options = o, .module = module, .err = err};
    t.mark = LLVMGetMDKindIDInContext(LLVMGetModuleContext(module), mark,
                                      sizeof mark - 1);
    t.matched = mem_resize(NULL, o->n_maps * sizeof *t.matched);
    memset(t.matched, 0, o->n_maps * sizeof *t.matched);
    bool good =
        find_threads(&t) && make_copies(&t) && each_site(&t, module, redirect);
    if (good)
        hide_copies(module);
    free(t.matched);
    free(t.mappings);
    free(t.sites);
    return good;
}
