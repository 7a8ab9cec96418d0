#include "frontend/instrument.h"

#include "core/mem.h"
#include "frontend/guest_library.h"
#include "frontend/guest_memory.h"
#include "frontend/instrument_module.h"

#include <llvm-c/Analysis.h>
#include <llvm-c/DebugInfo.h>

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void instrument_fail(struct instrument *in, LLVMValueRef instruction,
                     const char *fmt, ...)
{
    if (in->failed)
        return;
    in->failed = true;
    char text[500];
    va_list args;
    va_start(args, fmt);
    vsnprintf(text, sizeof text, fmt, args);
    va_end(args);
    unsigned line;
    const char *file = instrument_file(instruction, &line);
    if (file)
        err_set(in->err, ERR_INPUT, "%s:%u: %s", file, line, text);
    else
        err_set(in->err, ERR_INPUT, "%s", text);
}

LLVMValueRef instrument_word(struct instrument *in, uint64_t value)
{
    return LLVMConstInt(in->i64, value, 0);
}

LLVMValueRef instrument_hook(struct instrument *in, guest_hook *hook,
                             uint32_t site, LLVMValueRef a, LLVMValueRef b,
                             LLVMValueRef c, LLVMValueRef d)
{
    LLVMValueRef zero = instrument_word(in, 0);
    LLVMValueRef args[] = {
        LLVMConstIntToPtr(instrument_word(in, (uint64_t)(uintptr_t)in->guest),
                          in->ptr),
        LLVMConstInt(in->i32, site, 0),
        a ? a : zero,
        b ? b : zero,
        c ? c : zero,
        d ? d : zero,
    };
    LLVMValueRef target = LLVMConstIntToPtr(
        instrument_word(in, (uint64_t)(uintptr_t)hook), in->ptr);
    return LLVMBuildCall2(in->builder, in->hook_type, target, args, 6, "");
}

static unsigned scalar_bits(struct instrument *in, LLVMTypeRef type)
{
    switch (LLVMGetTypeKind(type)) {
    case LLVMIntegerTypeKind:
    case LLVMHalfTypeKind:
    case LLVMBFloatTypeKind:
    case LLVMFloatTypeKind:
    case LLVMDoubleTypeKind:
    case LLVMPointerTypeKind:
    case LLVMVectorTypeKind:
        return (unsigned)LLVMSizeOfTypeInBits(in->layout, type);
    default:
        return 0;
    }
}

bool instrument_is_word(struct instrument *in, LLVMTypeRef type)
{
    unsigned bits = scalar_bits(in, type);
    return bits == 1 || bits == 8 || bits == 16 || bits == 32 || bits == 64;
}

LLVMValueRef instrument_to_word(struct instrument *in, LLVMValueRef value)
{
    LLVMTypeRef type = LLVMTypeOf(value);
    if (LLVMGetTypeKind(type) == LLVMPointerTypeKind)
        return LLVMBuildPtrToInt(in->builder, value, in->i64, "");
    if (LLVMGetTypeKind(type) != LLVMIntegerTypeKind)
        value = LLVMBuildBitCast(
            in->builder, value,
            LLVMIntTypeInContext(in->context, scalar_bits(in, type)), "");
    return LLVMBuildZExtOrBitCast(in->builder, value, in->i64, "");
}

LLVMValueRef instrument_from_word(struct instrument *in, LLVMValueRef word,
                                  LLVMTypeRef type)
{
    if (LLVMGetTypeKind(type) == LLVMPointerTypeKind)
        return LLVMBuildIntToPtr(in->builder, word, type, "");
    LLVMValueRef bits = LLVMBuildTruncOrBitCast(
        in->builder, word,
        LLVMIntTypeInContext(in->context, scalar_bits(in, type)), "");
    return LLVMGetTypeKind(type) == LLVMIntegerTypeKind
               ? bits
               : LLVMBuildBitCast(in->builder, bits, type, "");
}

LLVMValueRef instrument_frame(struct instrument *in, LLVMTypeRef type)
{
    LLVMPositionBuilderBefore(in->builder, in->entry);
    LLVMValueRef frame = LLVMBuildAlloca(in->builder, type, "");
    LLVMSetMetadata(frame, in->frame_kind,
                    LLVMMDNodeInContext(in->context, NULL, 0));
    LLVMBuildStore(in->builder, LLVMConstNull(type), frame);
    return frame;
}

void instrument_replace(LLVMValueRef old, LLVMValueRef value)
{
    if (value)
        LLVMReplaceAllUsesWith(old, value);
    LLVMInstructionEraseFromParent(old);
}

uint32_t instrument_site(struct instrument *in, LLVMValueRef instruction,
                         uint64_t tags, unsigned bytes)
{
    return image_add_site(in->image,
                          (struct site){
                              .place = instrument_place(in, instruction),
                              .tags = (uint32_t)tags,
                              .size = (uint8_t)bytes,
                              .object = UINT32_MAX,
                          });
}

/* What was never given a value must be the same in every run. */
static void fix_undefined(LLVMValueRef instruction)
{
    for (int i = 0; i < LLVMGetNumOperands(instruction); i++) {
        LLVMValueRef value = LLVMGetOperand(instruction, (unsigned)i);
        if (LLVMIsUndef(value) || LLVMIsPoison(value))
            LLVMSetOperand(instruction, (unsigned)i,
                           LLVMConstNull(LLVMTypeOf(value)));
    }
}

/* Division by zero, and the one quotient that does not fit, trap on some
 * processors only. */
static void check_divisor(struct instrument *in, LLVMValueRef division,
                          bool is_signed)
{
    LLVMValueRef dividend = LLVMGetOperand(division, 0);
    LLVMValueRef divisor = LLVMGetOperand(division, 1);
    LLVMTypeRef type = LLVMTypeOf(divisor);
    if (LLVMGetTypeKind(type) != LLVMIntegerTypeKind)
        return;
    LLVMValueRef minus_one = LLVMConstAllOnes(type);
    if (LLVMIsAConstantInt(divisor) && !LLVMIsNull(divisor) &&
        divisor != minus_one)
        return;
    LLVMValueRef nonzero =
        LLVMBuildICmp(in->builder, LLVMIntNE, divisor, LLVMConstNull(type), "");
    LLVMValueRef overflow = LLVMConstNull(in->i1);
    if (is_signed) {
        unsigned bits = LLVMGetIntTypeWidth(type);
        LLVMValueRef lowest =
            LLVMBuildShl(in->builder, LLVMConstInt(type, 1, 0),
                         LLVMConstInt(type, bits - 1, 0), "");
        overflow = LLVMBuildAnd(
            in->builder,
            LLVMBuildICmp(in->builder, LLVMIntEQ, dividend, lowest, ""),
            LLVMBuildICmp(in->builder, LLVMIntEQ, divisor, minus_one, ""), "");
    }
    instrument_hook(in, guest_on_divisor, instrument_site(in, division, 0, 0),
                    LLVMBuildZExt(in->builder, nonzero, in->i64, ""),
                    LLVMBuildZExt(in->builder, overflow, in->i64, ""), NULL,
                    NULL);
}

static void rewrite(struct instrument *in, LLVMValueRef i)
{
    LLVMPositionBuilderBefore(in->builder, i);
    if (instrument_access(in, i))
        return;
    switch (LLVMGetInstructionOpcode(i)) {
    case LLVMCall:
        instrument_call(in, i);
        break;
    case LLVMUDiv:
    case LLVMURem:
        check_divisor(in, i, false);
        break;
    case LLVMSDiv:
    case LLVMSRem:
        check_divisor(in, i, true);
        break;
    case LLVMUnreachable:
        instrument_hook(in, guest_on_unreachable, instrument_site(in, i, 0, 0),
                        NULL, NULL, NULL, NULL);
        break;
    case LLVMVAArg:
    case LLVMInvoke:
    case LLVMCallBr:
        instrument_fail(in, i, "this construct is not supported");
        break;
    default:
        break;
    }
}

static void add_attribute(struct instrument *in, LLVMValueRef function,
                          const char *name, const char *value)
{
    LLVMAddAttributeAtIndex(
        function, FUNCTION_INDEX,
        LLVMCreateStringAttribute(in->context, name, (unsigned)strlen(name),
                                  value, (unsigned)strlen(value)));
}

/* What the program's own code was told of memory no longer holds. */
static void fix_attributes(struct instrument *in, LLVMValueRef function)
{
    static const char *const wrong[] = {
        "memory",       "nosync",    "nofree",     "willreturn",
        "mustprogress", "norecurse", "nocallback", "speculatable"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        LLVMRemoveEnumAttributeAtIndex(
            function, FUNCTION_INDEX,
            LLVMGetEnumAttributeKindForName(wrong[i], strlen(wrong[i])));
    unsigned byval = LLVMGetEnumAttributeKindForName("byval", 5);
    for (unsigned i = 0; i < LLVMCountParams(function); i++)
        LLVMRemoveEnumAttributeAtIndex(function, i + 1, byval);
    /* A large frame must not step over the guard page. */
    add_attribute(in, function, "probe-stack", "inline-asm");
}

/* What is there now, before anything of ours is. Local variables and their
 * lifetime marks are left to instrument_stack. */
static uint32_t list_instructions(LLVMValueRef function, LLVMValueRef **list)
{
    uint32_t n = 0, cap = 0;
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b;
         b = LLVMGetNextBasicBlock(b)) {
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i;
             i = LLVMGetNextInstruction(i)) {
            if (LLVMIsAAllocaInst(i) || instrument_is_lifetime(i))
                continue;
            *list = mem_room(*list, n, &cap, sizeof(LLVMValueRef));
            (*list)[n++] = i;
        }
    }
    return n;
}

/* The check of the stack, after the variables in front of the function. */
static void build_entry(struct instrument *in)
{
    LLVMValueRef first =
        LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(in->function));
    while (LLVMIsAAllocaInst(first))
        first = LLVMGetNextInstruction(first);
    LLVMValueRef debug = first;
    while (debug && !LLVMInstructionGetDebugLoc(debug))
        debug = LLVMGetNextInstruction(debug);
    uint32_t site = instrument_site(in, debug ? debug : first, 0, 0);
    LLVMPositionBuilderBefore(in->builder, first);
    in->entry =
        instrument_hook(in, guest_on_enter, site, NULL, NULL, NULL, NULL);
}

static void rewrite_function(struct instrument *in, LLVMValueRef function)
{
    size_t length;
    in->function = function;
    in->is_main = strcmp(LLVMGetValueName2(function, &length), "main") == 0;
    if (LLVMIsFunctionVarArg(LLVMGlobalGetValueType(function))) {
        instrument_fail(
            in, LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(function)),
            "function '%s' has variable arguments, which are not "
            "supported",
            LLVMGetValueName2(function, &length));
        return;
    }
    LLVMValueRef *list = NULL;
    uint32_t n = list_instructions(function, &list);
    build_entry(in);
    instrument_stack(in);
    instrument_loops(in);
    for (uint32_t i = 0; i < n && !in->failed; i++) {
        fix_undefined(list[i]);
        rewrite(in, list[i]);
    }
    free(list);
    fix_attributes(in, function);
}

/* A function without a body whose address is used gets one that calls it, so
 * that the call is rewritten like any other. */
static void wrap_function(struct instrument *in, LLVMValueRef function)
{
    LLVMTypeRef type = LLVMGlobalGetValueType(function);
    size_t length;
    const char *name = LLVMGetValueName2(function, &length);
    char text[300];
    snprintf(text, sizeof text, "hwc.call.%s", name);
    LLVMValueRef wrapper = LLVMAddFunction(in->module, text, type);
    LLVMSetLinkage(wrapper, LLVMInternalLinkage);
    LLVMReplaceAllUsesWith(function, wrapper);
    LLVMPositionBuilderAtEnd(in->builder, LLVMAppendBasicBlockInContext(
                                              in->context, wrapper, "entry"));
    LLVMValueRef args[16];
    unsigned n = LLVMCountParams(wrapper);
    LLVMGetParams(wrapper, args);
    LLVMValueRef call =
        LLVMBuildCall2(in->builder, type, function, args, n, "");
    if (LLVMGetTypeKind(LLVMGetReturnType(type)) == LLVMVoidTypeKind)
        LLVMBuildRetVoid(in->builder);
    else
        LLVMBuildRet(in->builder, call);
}

static bool is_address_taken(LLVMValueRef function)
{
    for (LLVMUseRef use = LLVMGetFirstUse(function); use;
         use = LLVMGetNextUse(use)) {
        LLVMValueRef user = LLVMGetUser(use);
        if (!LLVMIsACallInst(user) || LLVMGetCalledValue(user) != function)
            return true;
    }
    return false;
}

/* Direct calls keep their callee: only then they can be told apart. */
static void wrap_functions(struct instrument *in)
{
    LLVMValueRef next;
    for (LLVMValueRef f = LLVMGetFirstFunction(in->module); f; f = next) {
        next = LLVMGetNextFunction(f);
        size_t n;
        if (!LLVMIsDeclaration(f) ||
            strncmp(LLVMGetValueName2(f, &n), "llvm.", 5) == 0 ||
            !is_address_taken(f))
            continue;
        LLVMTypeRef type = LLVMGlobalGetValueType(f);
        if (LLVMIsFunctionVarArg(type) || LLVMCountParams(f) > 16) {
            in->failed = true;
            err_set(in->err, ERR_INPUT,
                    "the address of function '%s' is used, which is not "
                    "supported",
                    LLVMGetValueName2(f, &n));
            return;
        }
        wrap_function(in, f);
    }
}

/* Declared variables of the C library that may be named. */
static bool define_external(struct instrument *in, LLVMValueRef global)
{
    static const char *const streams[] = {"stdin", "stdout", "stderr"};
    size_t n;
    const char *name = LLVMGetValueName2(global, &n);
    for (uint64_t i = 0; i < 3; i++) {
        if (strcmp(name, streams[i]) != 0)
            continue;
        LLVMSetInitializer(
            global, LLVMConstIntToPtr(instrument_word(in, i + 1), in->ptr));
        LLVMSetGlobalConstant(global, 1);
        LLVMSetLinkage(global, LLVMInternalLinkage);
        return true;
    }
    in->failed = true;
    return err_set(in->err, ERR_INPUT, "variable '%s' is not defined", name);
}

static void list_global(struct instrument *in, LLVMValueRef global)
{
    size_t n;
    const char *name = LLVMGetValueName2(global, &n);
    if (strncmp(name, "llvm.", 5) == 0) {
        if (strcmp(name, "llvm.global_ctors") == 0 ||
            strcmp(name, "llvm.global_dtors") == 0) {
            in->failed = true;
            err_set(in->err, ERR_INPUT,
                    "constructor and destructor functions are not supported");
        }
        return;
    }
    if (LLVMIsDeclaration(global) && !define_external(in, global))
        return;
    struct image_global g = {
        .size = LLVMABISizeOfType(in->layout, LLVMGlobalGetValueType(global)),
        .tls = TLS_NONE,
        .constant = LLVMIsGlobalConstant(global),
    };
    instrument_describe_global(in, global, &g);
    if (LLVMIsThreadLocal(global)) {
        g.tls = in->image->tls_size;
        in->image->tls_size += (g.size + 63) & ~(uint64_t)63;
        g.constant = false;
        LLVMSetThreadLocal(global, 0);
        in->tls = mem_room(in->tls, in->n_tls, &in->tls_cap, sizeof *in->tls);
        in->tls[in->n_tls++] = (struct tls_variable){global, g.tls};
    }
    image_add_global(in->image, g);
    in->globals = mem_room(in->globals, in->n_globals, &in->globals_cap,
                           sizeof(LLVMValueRef));
    in->globals[in->n_globals++] = global;
}

static void list_function(struct instrument *in, LLVMValueRef function)
{
    LLVMTypeRef result = LLVMGetReturnType(LLVMGlobalGetValueType(function));
    size_t n;
    struct image_function f = {
        .name = program_text(in->program, LLVMGetValueName2(function, &n)),
        .result = RESULT_WORD,
    };
    if (LLVMGetTypeKind(result) == LLVMVoidTypeKind ||
        !instrument_is_word(in, result))
        f.result = RESULT_NONE;
    else if (LLVMSizeOfTypeInBits(in->layout, result) <= 32)
        f.result = RESULT_INT32;
    image_add_function(in->image, f);
    in->functions = mem_room(in->functions, in->n_functions, &in->functions_cap,
                             sizeof(LLVMValueRef));
    in->functions[in->n_functions++] = function;
}

/* One constant that holds all the addresses: its own is easy to find. */
static void build_table(struct instrument *in, const char *name,
                        LLVMValueRef *items, uint32_t n)
{
    LLVMValueRef table =
        LLVMAddGlobal(in->module, LLVMArrayType2(in->ptr, n), name);
    LLVMSetInitializer(table, LLVMConstArray2(in->ptr, items, n));
    LLVMSetGlobalConstant(table, 1);
}

/* INSTRUMENT_MAIN, which every program has. */
static bool build_main(struct instrument *in)
{
    size_t length;
    LLVMValueRef user = LLVMGetNamedFunction(in->module, "main");
    if (!user || LLVMIsDeclaration(user))
        return err_set(in->err, ERR_INPUT, "%s: there is no main function",
                       LLVMGetSourceFileName(in->module, &length));
    LLVMTypeRef type = LLVMGlobalGetValueType(user);
    unsigned n = LLVMCountParams(user);
    LLVMTypeRef params[3];
    if (n > 3)
        return err_set(in->err, ERR_INPUT, "main has %u parameters", n);
    LLVMGetParamTypes(type, params);
    LLVMValueRef f = LLVMAddFunction(in->module, INSTRUMENT_MAIN,
                                     LLVMFunctionType(in->i64, NULL, 0, 0));
    LLVMPositionBuilderAtEnd(
        in->builder, LLVMAppendBasicBlockInContext(in->context, f, "entry"));
    LLVMValueRef text =
        LLVMBuildGlobalStringPtr(in->builder, "prog", "hwc.prog");
    LLVMValueRef words[] = {text, LLVMConstNull(in->ptr)};
    LLVMValueRef argv =
        LLVMAddGlobal(in->module, LLVMArrayType2(in->ptr, 2), "hwc.argv");
    LLVMSetInitializer(argv, LLVMConstArray2(in->ptr, words, 2));
    LLVMSetGlobalConstant(argv, 1);
    LLVMSetLinkage(argv, LLVMInternalLinkage);
    LLVMValueRef args[3];
    for (unsigned i = 0; i < n; i++)
        args[i] = LLVMGetTypeKind(params[i]) == LLVMIntegerTypeKind
                      ? LLVMConstInt(params[i], 1, 0)
                      : argv;
    if (n == 3) /* no environment: the NULL that ends argv */
        args[2] = LLVMConstGEP2(
            LLVMArrayType2(in->ptr, 2), argv,
            (LLVMValueRef[]){instrument_word(in, 0), instrument_word(in, 1)},
            2);
    LLVMValueRef result = LLVMBuildCall2(in->builder, type, user, args, n, "");
    if (LLVMGetTypeKind(LLVMTypeOf(result)) == LLVMIntegerTypeKind)
        LLVMBuildRet(in->builder,
                     LLVMBuildSExtOrBitCast(in->builder, result, in->i64, ""));
    else
        LLVMBuildRet(in->builder, instrument_word(in, 0));
    return true;
}

static void init(struct instrument *in)
{
    in->context = LLVMGetModuleContext(in->module);
    in->builder = LLVMCreateBuilderInContext(in->context);
    in->layout = LLVMGetModuleDataLayout(in->module);
    in->i1 = LLVMInt1TypeInContext(in->context);
    in->i8 = LLVMInt8TypeInContext(in->context);
    in->i32 = LLVMInt32TypeInContext(in->context);
    in->i64 = LLVMInt64TypeInContext(in->context);
    in->ptr = LLVMPointerTypeInContext(in->context, 0);
    in->private_kind = LLVMGetMDKindIDInContext(in->context, "hwc.private", 11);
    in->frame_kind = LLVMGetMDKindIDInContext(in->context, "hwc.frame", 9);
    LLVMTypeRef params[] = {in->ptr, in->i32, in->i64,
                            in->i64, in->i64, in->i64};
    in->hook_type = LLVMFunctionType(in->i64, params, 6, 0);
}

static bool rewrite_module(struct instrument *in)
{
    if (!build_main(in))
        return false;
    wrap_functions(in);
    if (LLVMGetNamedFunction(in->module, "__errno_location")) {
        in->errno_variable = LLVMAddGlobal(in->module, in->i32, "errno");
        LLVMSetInitializer(in->errno_variable, LLVMConstNull(in->i32));
        LLVMSetThreadLocal(in->errno_variable, 1);
        LLVMSetLinkage(in->errno_variable, LLVMInternalLinkage);
    }
    for (LLVMValueRef g = LLVMGetFirstGlobal(in->module); g && !in->failed;
         g = LLVMGetNextGlobal(g))
        list_global(in, g);
    for (LLVMValueRef f = LLVMGetFirstFunction(in->module); f;
         f = LLVMGetNextFunction(f))
        if (!LLVMIsDeclaration(f))
            list_function(in, f);
    for (uint32_t i = 0; i < in->n_functions && !in->failed; i++)
        rewrite_function(in, in->functions[i]);
    if (in->failed)
        return false;
    build_table(in, INSTRUMENT_FUNCTIONS, in->functions, in->n_functions);
    build_table(in, INSTRUMENT_GLOBALS, in->globals, in->n_globals);
    char *message = NULL;
    if (LLVMVerifyModule(in->module, LLVMReturnStatusAction, &message))
        err_set(in->err, ERR_INTERNAL, "instrumented code is not valid: %s",
                message);
    bool ok = !message || !*message;
    LLVMDisposeMessage(message);
    return ok;
}

bool instrument_module(struct LLVMOpaqueModule *module, struct image *image,
                       struct program *program, struct guest *guest,
                       struct err *err)
{
    struct instrument in = {
        .module = module,
        .image = image,
        .program = program,
        .guest = guest,
        .err = err,
    };
    init(&in);
    bool ok = rewrite_module(&in);
    instrument_loops_release(&in);
    free(in.loops);
    free(in.blocks);
    free(in.numbers);
    free(in.tls);
    free(in.globals);
    free(in.functions);
    LLVMDisposeBuilder(in.builder);
    return ok;
}
