/* Calls: of library functions, of LLVM's own functions, through pointers, and
 * inline assembly. */
#include "frontend/source/instrument_module.h"
#include "hw/isa.h"

#include "frontend/source/hooks_library.h"
#include "frontend/source/hooks_memory.h"
#include "frontend/source/hooks_thread.h"

#include <stdlib.h>
#include <string.h>

static bool starts_with(const char *s, const char *prefix)
{
    return strncmp(s, prefix, strlen(prefix)) == 0;
}

/* The call's result becomes the word that a hook returned. */
static void replace_by_word(struct instrument *in, LLVMValueRef call,
                            LLVMValueRef word)
{
    LLVMTypeRef type = LLVMTypeOf(call);
    if (LLVMGetTypeKind(type) == LLVMVoidTypeKind)
        instrument_replace(call, NULL);
    else
        instrument_replace(call, instrument_from_word(in, word, type));
}

/* Arguments as words: integers with their sign, so that a hook that takes a
 * long sees the same number. */
static LLVMValueRef argument(struct instrument *in, LLVMValueRef call,
                             unsigned i)
{
    if (i >= LLVMGetNumArgOperands(call))
        return NULL;
    LLVMValueRef value = LLVMGetOperand(call, i);
    LLVMTypeRef type = LLVMTypeOf(value);
    if (!instrument_is_word(in, type)) {
        instrument_fail(in, call, "argument %u is of no supported type", i + 1);
        return NULL;
    }
    if (LLVMGetTypeKind(type) == LLVMIntegerTypeKind &&
        LLVMGetIntTypeWidth(type) > 1)
        return LLVMBuildSExtOrBitCast(in->builder, value, in->i64, "");
    return instrument_to_word(in, value);
}

static void call_hook(struct instrument *in, LLVMValueRef call,
                      const struct library_function *f)
{
    LLVMTypeRef type = LLVMTypeOf(call);
    if (LLVMGetTypeKind(type) != LLVMVoidTypeKind &&
        !instrument_is_word(in, type)) {
        instrument_fail(in, call, "result of '%s' is of no supported type",
                        f->name);
        return;
    }
    LLVMValueRef a = argument(in, call, 0), b = argument(in, call, 1),
                 c = argument(in, call, 2), d = argument(in, call, 3);
    LLVMValueRef word = instrument_hook(
        in, f->hook, instrument_site(in, call, TAG_BIT(TAG_NA), 0),
        WORDS(a, b, c, d));
    replace_by_word(in, call, word);
}

/* The handle is written before the thread starts, as glibc does: programs rely
 * on it. */
static void call_create(struct instrument *in, LLVMValueRef call,
                        const struct library_function *f)
{
    uint32_t site = instrument_site(in, call, 0, 0);
    LLVMValueRef handle = instrument_hook(in, hooks_on_handle, site, NO_WORDS);
    instrument_store_word(in, call, LLVMGetOperand(call, 0), handle, f->bytes);
    LLVMValueRef word =
        instrument_hook(in, hooks_on_create, site,
                        WORDS(argument(in, call, f->argument),
                              argument(in, call, f->argument + 1u)));
    replace_by_word(in, call, word);
}

static void call_join(struct instrument *in, LLVMValueRef call,
                      const struct library_function *f)
{
    LLVMValueRef result = LLVMGetOperand(call, 1);
    LLVMValueRef handle = argument(in, call, 0);
    uint32_t site = instrument_site(in, call, TAG_BIT(TAG_NA), f->bytes);
    int64_t offset;
    bool native = instrument_private(in, result, &offset) != NULL;
    LLVMValueRef value = instrument_hook(
        in, hooks_on_join, site,
        WORDS(handle, native ? NULL : instrument_to_word(in, result)));
    if (native)
        instrument_store_word(in, call, result, value, f->bytes);
    replace_by_word(in, call, instrument_word(in, 0));
}

static void call_print(struct instrument *in, LLVMValueRef call,
                       const struct library_function *f)
{
    unsigned first = f->argument + 1u, n = LLVMGetNumArgOperands(call) - first;
    LLVMValueRef array = NULL;
    if (n) {
        LLVMTypeRef type = LLVMArrayType2(in->i64, n);
        array = instrument_frame(in, type);
        LLVMPositionBuilderBefore(in->builder, call);
        for (unsigned i = 0; i < n; i++) {
            LLVMValueRef value = LLVMGetOperand(call, first + i);
            LLVMValueRef index[] = {instrument_word(in, 0),
                                    instrument_word(in, i)};
            LLVMValueRef slot =
                LLVMBuildGEP2(in->builder, type, array, index, 2, "");
            if (instrument_is_word(in, LLVMTypeOf(value)))
                LLVMBuildStore(in->builder, instrument_to_word(in, value),
                               slot);
            else
                instrument_fail(in, call, "argument %u is of no supported type",
                                first + i + 1);
        }
        array = LLVMBuildPtrToInt(in->builder, array, in->i64, "");
    }
    LLVMValueRef word = instrument_hook(
        in, f->hook, instrument_site(in, call, 0, 0),
        WORDS(argument(in, call, f->argument), array, instrument_word(in, n)));
    replace_by_word(in, call, word);
}

static void call_bound(struct instrument *in, LLVMValueRef call,
                       const struct library_function *f)
{
    const struct loop *l = instrument_loop_of(in, call);
    LLVMValueRef frame =
        l ? LLVMBuildPtrToInt(in->builder, l->frame, in->i64, "") : NULL;
    LLVMValueRef word =
        instrument_hook(in, f->hook, instrument_site(in, call, 0, 0),
                        WORDS(frame, argument(in, call, 0)));
    replace_by_word(in, call, word);
}

static void refuse(struct instrument *in, LLVMValueRef call, const char *name)
{
    if (starts_with(name, "__atomic_")) {
        /* The generic ones take the size first, others end in it. */
        const char *digits = name + strcspn(name, "0123456789");
        LLVMValueRef size = LLVMGetOperand(call, 0);
        unsigned long long bytes = strtoull(digits, NULL, 10);
        if (!bytes && LLVMIsAConstantInt(size))
            bytes = LLVMConstIntGetZExtValue(size);
        instrument_fail(in, call,
                        "atomic access of %llu bytes is not supported", bytes);
        return;
    }
    instrument_fail(in, call,
                    "function '%s' is not supported, and is not defined in the "
                    "program",
                    name);
}

/* The call gives the address of a variable that each thread has. */
static void call_tls(struct instrument *in, LLVMValueRef call,
                     LLVMValueRef variable)
{
    uint64_t offset = 0;
    for (uint32_t i = 0; i < in->n_tls; i++)
        if (in->tls[i].variable == variable)
            offset = in->tls[i].offset;
    LLVMValueRef base = LLVMBuildLoad2(
        in->builder, in->i64,
        LLVMConstIntToPtr(
            instrument_word(in, (uint64_t)(uintptr_t)&in->hooks->tls_base),
            in->ptr),
        "");
    LLVMValueRef addr =
        LLVMBuildAdd(in->builder, base, instrument_word(in, offset), "");
    instrument_replace(call, LLVMBuildIntToPtr(in->builder, addr, in->ptr, ""));
}

static void call_library(struct instrument *in, LLVMValueRef call,
                         const char *name)
{
    const struct library_function *f = library_find(name);
    if (!f) {
        refuse(in, call, name);
        return;
    }
    switch (f->kind) {
    case LIBRARY_HOOK:
        call_hook(in, call, f);
        break;
    case LIBRARY_NATIVE:
        LLVMSetOperand(
            call, (unsigned)LLVMGetNumOperands(call) - 1,
            LLVMConstIntToPtr(
                instrument_word(in, (uint64_t)(uintptr_t)f->native), in->ptr));
        break;
    case LIBRARY_CREATE:
        call_create(in, call, f);
        break;
    case LIBRARY_JOIN:
        call_join(in, call, f);
        break;
    case LIBRARY_PRINT:
        call_print(in, call, f);
        break;
    case LIBRARY_BOUND:
        call_bound(in, call, f);
        break;
    case LIBRARY_ERRNO:
        call_tls(in, call, in->errno_variable);
        break;
    case LIBRARY_SECTION:
        replace_by_word(
            in, call,
            instrument_hook(
                in, f->hook, instrument_site(in, call, 0, 0),
                WORDS(instrument_to_word(in, in->section_variable))));
        break;
    }
}

/* Does the declaration say that the function touches no memory? */
static bool is_pure(LLVMValueRef callee)
{
    unsigned kind = LLVMGetEnumAttributeKindForName("memory", 6);
    LLVMAttributeRef memory =
        LLVMGetEnumAttributeAtIndex(callee, FUNCTION_INDEX, kind);
    return memory && LLVMGetEnumAttributeValue(memory) == 0;
}

static bool is_of_machine(const char *name)
{
    for (const struct isa *const *i = isa_registry; *i; i++)
        if ((*i)->intrinsics && starts_with(name, (*i)->intrinsics))
            return true;
    return false;
}

static void call_intrinsic(struct instrument *in, LLVMValueRef call,
                           LLVMValueRef callee, const char *name)
{
    static const char *const ignored[] = {
        "llvm.dbg.",
        "llvm.lifetime.",
        "llvm.assume",
        "llvm.donothing",
        "llvm.prefetch",
        "llvm.stackrestore",
        "llvm.experimental.noalias.scope.decl",
        "llvm.invariant.",
        "llvm.sideeffect",
    };
    bool is_ignored = isa_is_pause(name);
    for (size_t i = 0; i < sizeof ignored / sizeof *ignored; i++)
        is_ignored |= starts_with(name, ignored[i]);
    if (is_ignored) {
        instrument_replace(call, NULL);
        return;
    }
    if (starts_with(name, "llvm.memcpy.") || starts_with(name, "llvm.memmove."))
        instrument_copy(in, call, false);
    else if (starts_with(name, "llvm.memset."))
        instrument_copy(in, call, true);
    else if (starts_with(name, "llvm.threadlocal.address"))
        call_tls(in, call, LLVMGetOperand(call, 0));
    else if (starts_with(name, "llvm.stacksave"))
        instrument_replace(call, LLVMConstNull(in->ptr));
    else if (strcmp(name, "llvm.trap") == 0 ||
             strcmp(name, "llvm.debugtrap") == 0 ||
             starts_with(name, "llvm.ubsantrap"))
        replace_by_word(in, call,
                        instrument_hook(in, hooks_on_abort,
                                        instrument_site(in, call, 0, 0),
                                        NO_WORDS));
    else if (starts_with(name, "llvm.va_"))
        instrument_list(in, call, name);
    else if (is_of_machine(name) ||
             (!is_pure(callee) && !starts_with(name, "llvm.ptrmask")))
        instrument_fail(in, call, "'%s' is not supported", name);
}

static bool is_one_of(const char *text, size_t n, const char *const *list)
{
    for (; list && *list; list++)
        if (strlen(*list) == n && memcmp(*list, text, n) == 0)
            return true;
    return false;
}

static bool is_harmless(const char *text, size_t n)
{
    static const char *const everywhere[] = {"", "nop", NULL};
    bool is = is_one_of(text, n, everywhere);
    for (const struct isa *const *i = isa_registry; *i; i++)
        is |= is_one_of(text, n, (*i)->pauses);
    return is;
}

/* Assembly that does nothing is a compiler barrier or a pause. */
static void call_assembly(struct instrument *in, LLVMValueRef call,
                          LLVMValueRef callee)
{
    size_t n;
    const char *text = LLVMGetInlineAsmAsmString(callee, &n);
    while (n > 0 && strchr(" \t\n;", text[0]))
        text++, n--;
    while (n > 0 && strchr(" \t\n;", text[n - 1]))
        n--;
    if (!is_harmless(text, n)) {
        instrument_fail(in, call,
                        "inline assembly '%.*s' is not supported: give its "
                        "meaning in C under #ifdef __HWCHECK_SOURCE__",
                        (int)(n < 60 ? n : 60), text);
        return;
    }
    /* One with operands passes a value through, hidden from the optimiser. */
    if (LLVMGetTypeKind(LLVMTypeOf(call)) == LLVMVoidTypeKind)
        instrument_replace(call, NULL);
    else if (LLVMGetNumArgOperands(call) == 1 &&
             LLVMTypeOf(call) == LLVMTypeOf(LLVMGetOperand(call, 0)))
        instrument_replace(call, LLVMGetOperand(call, 0));
    else
        instrument_fail(in, call,
                        "inline assembly with operands is not supported: give "
                        "its meaning in C under #ifdef __HWCHECK_SOURCE__");
}

/* A struct passed by value becomes an object of the caller whose address is
 * passed: code generation would copy it from memory that is not there. */
static void pass_structs(struct instrument *in, LLVMValueRef call)
{
    unsigned kind = LLVMGetEnumAttributeKindForName("byval", 5);
    for (unsigned i = 0; i < LLVMGetNumArgOperands(call); i++) {
        LLVMAttributeRef byval =
            LLVMGetCallSiteEnumAttribute(call, i + 1, kind);
        if (!byval)
            continue;
        LLVMTypeRef type = LLVMGetTypeAttributeValue(byval);
        LLVMValueRef from = LLVMGetOperand(call, i);
        LLVMValueRef bytes =
            instrument_word(in, LLVMABISizeOfType(in->layout, type));
        uint32_t local = image_add_local(
            in->image,
            (struct image_local){program_text(in->program, "argument"),
                                 instrument_type(in, type)});
        uint32_t site = instrument_site(in, call, TAG_BIT(TAG_NA), 0);
        LLVMPositionBuilderBefore(in->builder, call);
        bool native = instrument_is_native(in, call, from, bytes);
        LLVMValueRef to = instrument_hook(
            in, hooks_on_local, site, WORDS(bytes, instrument_word(in, local)));
        instrument_hook(
            in, hooks_on_copy, site,
            WORDS(to, instrument_to_word(in, from), bytes,
                  instrument_word(in, native ? COPY_FROM_NATIVE : 0)));
        LLVMSetOperand(call, i,
                       LLVMBuildIntToPtr(in->builder, to, in->ptr, ""));
        LLVMRemoveCallSiteEnumAttribute(call, i + 1, kind);
        LLVMPositionBuilderBefore(in->builder, LLVMGetNextInstruction(call));
        instrument_hook(in, hooks_on_forget, site, WORDS(to));
        LLVMPositionBuilderBefore(in->builder, call);
    }
}

/* A function without a prototype may be called as if it did. */
static bool takes_variable(LLVMValueRef call, LLVMValueRef callee)
{
    LLVMTypeRef type = LLVMIsAFunction(callee)
                           ? LLVMGlobalGetValueType(callee)
                           : LLVMGetCalledFunctionType(call);
    return LLVMIsFunctionVarArg(type);
}

void instrument_call(struct instrument *in, LLVMValueRef call)
{
    LLVMValueRef callee = LLVMGetCalledValue(call);
    if (LLVMIsAInlineAsm(callee)) {
        call_assembly(in, call, callee);
        return;
    }
    if (LLVMIsAFunction(callee) && LLVMIsDeclaration(callee)) {
        size_t n;
        const char *name = LLVMGetValueName2(callee, &n);
        if (starts_with(name, "llvm."))
            call_intrinsic(in, call, callee, name);
        else
            call_library(in, call, name);
        return;
    }
    if (!LLVMIsAFunction(callee))
        instrument_hook(in, hooks_on_call, instrument_site(in, call, 0, 0),
                        WORDS(instrument_to_word(in, callee)));
    if (takes_variable(call, callee))
        instrument_pass_arguments(in, call);
    pass_structs(in, call);
}
