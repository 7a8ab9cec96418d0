#include "frontend/source/compile.h"

#include "core/halt.h"
#include "core/mem.h"
#include "frontend/base/clang.h"
#include "frontend/source/compile_link.h"
#include "frontend/source/instrument.h"
#include "frontend/source/source_runtime.h"
#include "frontend/target/target.h"

#include <llvm-c/BitReader.h>
#include <llvm-c/Core.h>
#include <llvm-c/DebugInfo.h>
#include <llvm-c/Error.h>
#include <llvm-c/LLJIT.h>
#include <llvm-c/Orc.h>
#include <llvm-c/Target.h>
#include <llvm-c/TargetMachine.h>
#include <llvm-c/Transforms/PassBuilder.h>

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define STATIC_BYTES_MAX (1u << 30)

/* Takes LLVM's error, which may be NULL; true if it is. */
static bool succeed(LLVMErrorRef error, const char *what, struct err *err)
{
    if (!error)
        return true;
    char *message = LLVMGetErrorMessage(error);
    err_set(err, ERR_INTERNAL, "%s: %s", what, message);
    LLVMDisposeErrorMessage(message);
    return false;
}

/* The program is always compiled alike: what concerns optimisation and output
 * comes after the user's flags, so that it wins. */
static bool run_clang(const char *path, const struct source_options *options,
                      char **bitcode, size_t *bytes, struct err *err)
{
    static const char *const before[] = {"-std=gnu17", "-Wno-empty-body",
                                         "-D__HWCHECK_SOURCE__"};
    static const char *const after[] = {
        "-g",
        "-O1",
        "-Xclang",
        "-disable-llvm-passes",
        "-fno-discard-value-names",
        "-fno-stack-protector",
        "-ffp-contract=off",
        "-fno-pic",
        "-emit-llvm",
        "-c",
        "-x",
        "c",
    };
    const int n_before = sizeof before / sizeof *before;
    const int n_after = sizeof after / sizeof *after;
    struct target_abi abi = {.n_flags = 0};
    if (!target_abi(options->abi, &abi, err))
        return false;
    const char **args =
        mem_resize(NULL, (size_t)(options->n_cflags + n_before + n_after + 1 +
                                  TARGET_ABI_FLAGS) *
                             sizeof *args);
    int n = 0;
    for (int i = 0; i < n_before; i++)
        args[n++] = before[i];
    for (uint32_t i = 0; i < abi.n_flags; i++)
        args[n++] = abi.flags[i];
    for (int i = 0; i < options->n_cflags; i++)
        args[n++] = options->cflags[i];
    for (int i = 0; i < n_after; i++)
        args[n++] = after[i];
    args[n++] = path;
    bool ok = clang_run(args, n, bitcode, bytes, err);
    free(args);
    return ok;
}

static bool check_path(const char *path, struct err *err)
{
    static const char *const cxx[] = {".cc", ".cpp", ".cxx", ".C", ".hpp"};
    const char *dot = strrchr(path, '.');
    for (size_t i = 0; dot && i < sizeof cxx / sizeof *cxx; i++)
        if (strcmp(dot, cxx[i]) == 0)
            return err_set(err, ERR_INPUT,
                           "'%s' is C++, which is not supported", path);
    if (access(path, R_OK) != 0)
        return err_set(err, ERR_INPUT, "cannot read '%s': %s", path,
                       strerror(errno));
    return true;
}

static bool is_local(LLVMValueRef pointer)
{
    while (LLVMIsAGetElementPtrInst(pointer) || LLVMIsABitCastInst(pointer))
        pointer = LLVMGetOperand(pointer, 0);
    return LLVMIsAAllocaInst(pointer);
}

/* Optimisation must not drop or merge an access to shared memory, which it may
 * do to any plain one (a value that is read but not used still takes part in a
 * data race). Volatile ones are kept as they are. Accesses to local variables
 * are not volatile, so that the variables become registers; after inlining
 * more are seen to be such. */
static void mark_shared(LLVMModuleRef module)
{
    LLVMContextRef context = LLVMGetModuleContext(module);
    LLVMTypeRef i1 = LLVMInt1TypeInContext(context);
    for (LLVMValueRef f = LLVMGetFirstFunction(module); f;
         f = LLVMGetNextFunction(f))
        for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b;
             b = LLVMGetNextBasicBlock(b))
            for (LLVMValueRef i = LLVMGetFirstInstruction(b); i;
                 i = LLVMGetNextInstruction(i)) {
                if (LLVMIsALoadInst(i))
                    LLVMSetVolatile(i, !is_local(LLVMGetOperand(i, 0)));
                else if (LLVMIsAStoreInst(i))
                    LLVMSetVolatile(i, !is_local(LLVMGetOperand(i, 1)));
                else if (LLVMIsAMemCpyInst(i) || LLVMIsAMemMoveInst(i))
                    LLVMSetOperand(
                        i, 3,
                        LLVMConstInt(i1,
                                     !is_local(LLVMGetOperand(i, 0)) ||
                                         !is_local(LLVMGetOperand(i, 1)),
                                     0));
                else if (LLVMIsAMemSetInst(i))
                    LLVMSetOperand(
                        i, 3,
                        LLVMConstInt(i1, !is_local(LLVMGetOperand(i, 0)), 0));
            }
}

/* A function that is said to be pure may be called fewer times; but what it
 * reads is an event. */
static void distrust_attributes(LLVMModuleRef module)
{
    unsigned memory = LLVMGetEnumAttributeKindForName("memory", 6);
    LLVMAttributeIndex function =
        (LLVMAttributeIndex)LLVMAttributeFunctionIndex;
    for (LLVMValueRef f = LLVMGetFirstFunction(module); f;
         f = LLVMGetNextFunction(f)) {
        if (LLVMIsDeclaration(f))
            continue;
        LLVMRemoveEnumAttributeAtIndex(f, function, memory);
        for (LLVMUseRef use = LLVMGetFirstUse(f); use;
             use = LLVMGetNextUse(use))
            if (LLVMIsACallInst(LLVMGetUser(use)))
                LLVMRemoveCallSiteEnumAttribute(LLVMGetUser(use), function,
                                                memory);
    }
}

/* Is it what source_options.entry names? */
static bool is_entry(const char *name, const char *entry)
{
    size_t n = entry ? strlen(entry) : 0;
    return n && (entry[n - 1] == '*' ? strncmp(name, entry, n - 1) == 0
                                     : strcmp(name, entry) == 0);
}

/* Remembers for instrument_describe_global that it was. */
static void mark_external(LLVMContextRef context, LLVMValueRef global)
{
    unsigned kind = LLVMGetMDKindIDInContext(context, INSTRUMENT_EXTERNAL,
                                             strlen(INSTRUMENT_EXTERNAL));
    LLVMGlobalSetMetadata(global, kind, LLVMMDNodeInContext2(context, NULL, 0));
}

/* Only main and entries are seen from outside, so that what they do not need
 * goes. */
static void hide_all_but_entries(LLVMModuleRef module, const char *entry)
{
    size_t n;
    for (LLVMValueRef f = LLVMGetFirstFunction(module); f;
         f = LLVMGetNextFunction(f))
        if (!LLVMIsDeclaration(f) &&
            strcmp(LLVMGetValueName2(f, &n), "main") != 0 &&
            !is_entry(LLVMGetValueName2(f, &n), entry))
            LLVMSetLinkage(f, LLVMInternalLinkage);
    for (LLVMValueRef g = LLVMGetFirstGlobal(module); g;
         g = LLVMGetNextGlobal(g))
        if (!LLVMIsDeclaration(g) &&
            strncmp(LLVMGetValueName2(g, &n), "llvm.", 5) != 0) {
            if (LLVMGetLinkage(g) != LLVMInternalLinkage &&
                LLVMGetLinkage(g) != LLVMPrivateLinkage)
                mark_external(LLVMGetModuleContext(module), g);
            LLVMSetLinkage(g, LLVMInternalLinkage);
        }
}

/* Asked between its steps: LLVM does not stop within one. */
static bool goes_on(struct err *err)
{
    return halt_reason() == HALT_NONE || halt_fail(err);
}

/* Locals become registers, and small functions part of their callers, which
 * saves the objects that pointers to locals would need. Nothing else. */
static bool simplify(LLVMModuleRef module, const char *entry, struct err *err)
{
    LLVMPassBuilderOptionsRef options = LLVMCreatePassBuilderOptions();
    hide_all_but_entries(module, entry);
    distrust_attributes(module);
    mark_shared(module);
    bool ok =
        succeed(LLVMRunPasses(module, "globaldce,cgscc(inline)", NULL, options),
                "inlining", err) &&
        goes_on(err);
    if (ok) {
        mark_shared(module);
        ok = succeed(LLVMRunPasses(module, "function(sroa,adce),globaldce",
                                   NULL, options),
                     "simplifying", err);
    }
    LLVMDisposePassBuilderOptions(options);
    return ok;
}

/* Words that say how a machine passes arguments, and names of sets of
 * attributes, whose numbers differ. */
static size_t skip_word(const char *at)
{
    static const char *const words[] = {"signext ", "zeroext "};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (strncmp(at, words[i], strlen(words[i])) == 0)
            return strlen(words[i]);
    if (at[0] == '#')
        return 1 + strspn(at + 1, "0123456789");
    return 0;
}

/* Lines about the machine alone: its name, sets of attributes, flags. */
static bool is_about_machine(const char *line)
{
    static const char flag[] = " = !{i32 ";
    if (line[0] == '!')
        return strncmp(line + 1 + strspn(line + 1, "0123456789"), flag,
                       sizeof flag - 1) == 0;
    return strncmp(line, "target ", 7) == 0 ||
           strncmp(line, "attributes #", 12) == 0;
}

/* A hash of the program's meaning. */
static uint64_t make_key(LLVMModuleRef module, bool big_endian)
{
    uint64_t hash = 14695981039346656037u + big_endian; /* FNV-1a */
    char *text = LLVMPrintModuleToString(module);
    for (const char *at = text; *at;) {
        const char *end = at + strcspn(at, "\n");
        for (bool counts = !is_about_machine(at); counts && at < end;) {
            size_t skipped = skip_word(at);
            if (!skipped)
                hash = (hash ^ (unsigned char)*at) * 1099511628211u;
            at += skipped ? skipped : 1;
        }
        at = end + (*end == '\n');
    }
    LLVMDisposeMessage(text);
    return hash;
}

/* What code generation may call by name. */
static bool define_symbols(LLVMOrcLLJITRef jit, struct err *err)
{
#define SYMBOL(name) {#name, (uint64_t)(uintptr_t)(name)}
    static const struct {
        const char *name;
        uint64_t addr;
    } symbols[] = {
        SYMBOL(memcpy), SYMBOL(memmove), SYMBOL(memset), SYMBOL(sin),
        SYMBOL(cos),    SYMBOL(tan),     SYMBOL(exp),    SYMBOL(exp2),
        SYMBOL(log),    SYMBOL(log2),    SYMBOL(log10),  SYMBOL(pow),
        SYMBOL(fmod),   SYMBOL(floor),   SYMBOL(ceil),   SYMBOL(trunc),
        SYMBOL(rint),   SYMBOL(round),   SYMBOL(fma),    SYMBOL(fmin),
        SYMBOL(fmax),   SYMBOL(sinf),    SYMBOL(cosf),   SYMBOL(expf),
        SYMBOL(logf),   SYMBOL(powf),    SYMBOL(fmodf),  SYMBOL(floorf),
        SYMBOL(ceilf),  SYMBOL(truncf),  SYMBOL(rintf),  SYMBOL(roundf),
        SYMBOL(fmaf),   SYMBOL(fminf),   SYMBOL(fmaxf),
    };
#undef SYMBOL
    enum { N = sizeof symbols / sizeof *symbols };
    LLVMOrcCSymbolMapPair pairs[N];
    for (int i = 0; i < N; i++) {
        pairs[i].Name = LLVMOrcLLJITMangleAndIntern(jit, symbols[i].name);
        pairs[i].Sym = (LLVMJITEvaluatedSymbol){
            symbols[i].addr, {LLVMJITSymbolGenericFlagsExported, 0}};
    }
    LLVMOrcMaterializationUnitRef unit = LLVMOrcAbsoluteSymbols(pairs, N);
    LLVMErrorRef error =
        LLVMOrcJITDylibDefine(LLVMOrcLLJITGetMainJITDylib(jit), unit);
    if (error)
        LLVMOrcDisposeMaterializationUnit(unit);
    return succeed(error, "defining symbols", err);
}

static void swap_bytes(const struct image *im, const struct image_swap *swap)
{
    uint8_t *bytes = (uint8_t *)(uintptr_t)im->globals[swap->global].addr;
    bytes += swap->offset;
    for (uint32_t i = 0, k = swap->bytes - 1; i < k; i++, k--) {
        uint8_t byte = bytes[i];
        bytes[i] = bytes[k];
        bytes[k] = byte;
    }
}

static bool read_tables(struct source *s, LLVMOrcLLJITRef jit, struct err *err)
{
    LLVMOrcExecutorAddress functions, globals, user_main;
    if (!succeed(LLVMOrcLLJITLookup(jit, &functions, INSTRUMENT_FUNCTIONS),
                 "generating code", err) ||
        !succeed(LLVMOrcLLJITLookup(jit, &globals, INSTRUMENT_GLOBALS),
                 "generating code", err) ||
        !succeed(LLVMOrcLLJITLookup(jit, &user_main, INSTRUMENT_MAIN),
                 "generating code", err))
        return false;
    struct image *im = &s->image;
    for (uint32_t i = 0; i < im->n_functions; i++)
        im->functions[i].addr = ((const uint64_t *)(uintptr_t)functions)[i];
    for (uint32_t i = 0; i < im->n_globals; i++)
        im->globals[i].addr = ((const uint64_t *)(uintptr_t)globals)[i];
    for (uint32_t i = 0; i < im->n_swaps; i++)
        swap_bytes(im, &im->swaps[i]);
    image_sort(im);
    im->main = image_find_function(im, user_main);
    im->code_from = im->functions[0].addr;
    /* The size of the last function is not known. */
    im->code_to = im->functions[im->n_functions - 1].addr + (1 << 20);
    return true;
}

/* What it was compiled for has had its say: sizes, offsets and the order of
 * bytes are in the code, which now is the host's. */
static void become_host(LLVMModuleRef module, LLVMOrcLLJITRef jit)
{
    static const char *const names[] = {"target-cpu", "target-features",
                                        "tune-cpu", "frame-pointer"};
    LLVMAttributeIndex function =
        (LLVMAttributeIndex)LLVMAttributeFunctionIndex;
    for (LLVMValueRef f = LLVMGetFirstFunction(module); f;
         f = LLVMGetNextFunction(f))
        for (size_t i = 0; i < sizeof names / sizeof *names; i++)
            LLVMRemoveStringAttributeAtIndex(f, function, names[i],
                                             (unsigned)strlen(names[i]));
    LLVMSetTarget(module, LLVMOrcLLJITGetTripleString(jit));
    LLVMSetDataLayout(module, LLVMOrcLLJITGetDataLayoutStr(jit));
}

/* Takes the module. */
static bool load(struct source *s, LLVMModuleRef module,
                 LLVMOrcThreadSafeContextRef context, struct err *err)
{
    LLVMOrcLLJITRef jit = NULL;
    if (!succeed(LLVMOrcCreateLLJIT(&jit, LLVMOrcCreateLLJITBuilder()),
                 "starting the code generator", err)) {
        LLVMDisposeModule(module);
        return false;
    }
    s->jit = jit;
    LLVMStripModuleDebugInfo(module);
    become_host(module, jit);
    LLVMOrcThreadSafeModuleRef safe =
        LLVMOrcCreateNewThreadSafeModule(module, context);
    LLVMErrorRef error = LLVMOrcLLJITAddLLVMIRModule(
        jit, LLVMOrcLLJITGetMainJITDylib(jit), safe);
    if (error)
        LLVMOrcDisposeThreadSafeModule(safe);
    return succeed(error, "generating code", err) && define_symbols(jit, err) &&
           read_tables(s, jit, err);
}

/* Code reaches its variables by 32-bit distances. */
static bool check_sizes(const struct image *im, const struct program *p,
                        struct err *err)
{
    const struct image_global *largest = NULL;
    uint64_t all = 0;
    for (uint32_t i = 0; i < im->n_globals; i++) {
        const struct image_global *o = &im->globals[i];
        uint64_t room = UINT64_MAX - all;
        all += o->size < room ? o->size : room;
        if (!largest || o->size > largest->size)
            largest = o;
    }
    if (all <= STATIC_BYTES_MAX)
        return true;
    return err_set(err, ERR_INPUT,
                   "the static variables take %" PRIu64
                   " bytes, '%s' in line %" PRIu32 " alone %" PRIu64
                   "; at most %u are supported",
                   all, p->texts[largest->name], largest->line, largest->size,
                   STATIC_BYTES_MAX);
}

/* Takes the module. */
static bool build(struct source *s, const struct source_options *options,
                  LLVMModuleRef module, LLVMOrcThreadSafeContextRef safe,
                  struct err *err)
{
    struct program *program = s->runtime->hooks.program;
    bool ok = simplify(module, options->entry, err) && goes_on(err);
    if (ok)
        s->key = make_key(module, program->big_endian);
    if (ok &&
        instrument_module(module, &s->image, program, &s->runtime->hooks,
                          err) &&
        check_sizes(&s->image, program, err) && goes_on(err))
        return load(s, module, safe, err);
    LLVMDisposeModule(module);
    return false;
}

/* One file as a module; NULL: failed. */
static LLVMModuleRef compile_file(const struct source_options *options,
                                  const char *path, LLVMContextRef context,
                                  struct err *err)
{
    char *bitcode = NULL;
    size_t bytes = 0;
    if (!check_path(path, err))
        return NULL;
    if (!run_clang(path, options, &bitcode, &bytes, err)) {
        if (err->kind == ERR_INPUT)
            err_set(err, ERR_COMPILE, "cannot compile '%s'", path);
        else if (err->kind != ERR_STOPPED)
            err_wrap(err, "compiling '%s'", path);
        return NULL;
    }
    LLVMMemoryBufferRef buffer =
        LLVMCreateMemoryBufferWithMemoryRangeCopy(bitcode, bytes, path);
    LLVMModuleRef module = NULL;
    if (LLVMParseBitcodeInContext2(context, buffer, &module) != 0)
        err_set(err, ERR_SYSTEM,
                "cannot read the bitcode that clang wrote: "
                "is it of version 19?");
    LLVMDisposeMemoryBuffer(buffer);
    free(bitcode);
    return module;
}

/* Takes the module, and links what it calls of our C library. */
static LLVMModuleRef add_library(const struct source_options *options,
                                 LLVMModuleRef whole, struct err *err)
{
    static const char text[] = "#include <hwcheck/library.h>\n";
    LLVMModuleRef both[2] = {whole, NULL};
    char path[40];
    int fd = memfd_create("hwcheck-library", 0);
    snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
    if (fd < 0 || write(fd, text, sizeof text - 1) != (ssize_t)sizeof text - 1)
        err_set(err, ERR_SYSTEM, "no file in memory: %s", strerror(errno));
    else
        both[1] = compile_file(options, path, LLVMGetModuleContext(whole), err);
    if (fd >= 0)
        close(fd);
    if (both[1])
        return compile_link(both, 2, err);
    LLVMDisposeModule(whole);
    return NULL;
}

/* All files of the program as one module; NULL: failed. */
static LLVMModuleRef compile_files(const struct source_options *options,
                                   const char *path, LLVMContextRef context,
                                   struct err *err)
{
    LLVMModuleRef *modules =
        mem_resize(NULL, (options->n_more + 1u) * sizeof *modules);
    LLVMModuleRef whole = NULL;
    uint32_t n = 0;
    for (; n <= options->n_more; n++) {
        const char *file = n ? options->more[n - 1] : path;
        modules[n] = compile_file(options, file, context, err);
        if (!modules[n])
            break;
    }
    if (n > options->n_more)
        whole = compile_link(modules, n, err);
    if (whole && compile_link_needs_library(whole))
        whole = add_library(options, whole, err);
    while (n <= options->n_more && n > 0)
        LLVMDisposeModule(modules[--n]);
    free(modules);
    return whole;
}

bool compile_program(struct source *s, const struct source_options *options,
                     const char *path, struct program *program, struct err *err)
{
    memset(s, 0, sizeof *s);
    image_init(&s->image);
    s->runtime = mem_resize(NULL, sizeof *s->runtime);
    source_runtime_init(s->runtime, &s->image, program);
    s->runtime->hooks.unroll = options->unroll;
    s->runtime->hooks.show_output = options->show_output;
    program->big_endian = options->abi && options->abi->big_endian;
    program->name = source_runtime_name;
    program->self = s->runtime;
    LLVMInitializeNativeTarget();
    LLVMInitializeNativeAsmPrinter();
    LLVMOrcThreadSafeContextRef safe = LLVMOrcCreateNewThreadSafeContext();
    LLVMModuleRef module = compile_files(
        options, path, LLVMOrcThreadSafeContextGetContext(safe), err);
    bool ok = module && build(s, options, module, safe, err);
    LLVMOrcDisposeThreadSafeContext(safe);
    return ok;
}

void source_release(struct source *s)
{
    if (s->runtime) {
        source_runtime_release(s->runtime);
        free(s->runtime);
    }
    if (s->jit)
        LLVMConsumeError(LLVMOrcDisposeLLJIT(s->jit));
    image_release(&s->image);
    memset(s, 0, sizeof *s);
}

const struct runtime *source_runtime(const struct source *s)
{
    return &s->runtime->runtime;
}

uint32_t source_main(const struct source *s)
{
    return s->image.main;
}

bool source_is_entry(const struct source *s, uint32_t function,
                     const char *entry)
{
    const struct image_function *f = &s->image.functions[function];
    return is_entry(s->runtime->hooks.program->texts[f->name], entry);
}

void source_statistics(const struct source *s, uint64_t *cold, uint64_t *warm)
{
    *cold = s->runtime->cold;
    *warm = s->runtime->warm;
}
