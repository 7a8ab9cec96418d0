/* What a module consists of: its functions and variables, as the image lists
 * them, and what is added so that they can be found in memory. */
#include "frontend/source/instrument.h"

#include "core/mem.h"
#include "frontend/source/instrument_module.h"

#include <stdio.h>
#include <string.h>

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
void instrument_wrap_functions(struct instrument *in)
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

void instrument_list_global(struct instrument *in, LLVMValueRef global)
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
    instrument_swap_global(in, global, in->n_globals);
    in->globals = mem_room(in->globals, in->n_globals, &in->globals_cap,
                           sizeof(LLVMValueRef));
    in->globals[in->n_globals++] = global;
}

void instrument_list_function(struct instrument *in, LLVMValueRef function)
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

/* The same variable with a byte behind it. */
static LLVMValueRef pad(struct instrument *in, LLVMValueRef global)
{
    LLVMTypeRef type = LLVMGlobalGetValueType(global);
    LLVMValueRef parts[] = {LLVMGetInitializer(global), LLVMConstNull(in->i8)};
    LLVMValueRef value = LLVMConstStructInContext(in->context, parts, 2, 0);
    LLVMValueRef padded =
        LLVMAddGlobal(in->module, LLVMTypeOf(value), "hwc.padded");
    unsigned align = LLVMGetAlignment(global);
    unsigned least = LLVMABIAlignmentOfType(in->layout, type);
    align = align > least ? align : least;
    LLVMSetInitializer(padded, value);
    LLVMSetGlobalConstant(padded, LLVMIsGlobalConstant(global));
    LLVMSetLinkage(padded, LLVMInternalLinkage);
    LLVMSetAlignment(padded, align > 8 ? align : 8);
    LLVMReplaceAllUsesWith(global, padded);
    LLVMDeleteGlobal(global);
    return padded;
}

void instrument_pad_globals(struct instrument *in)
{
    for (uint32_t i = 0; i < in->n_globals; i++)
        in->globals[i] = pad(in, in->globals[i]);
}

void instrument_table(struct instrument *in, const char *name,
                      LLVMValueRef *items, uint32_t n)
{
    LLVMValueRef table =
        LLVMAddGlobal(in->module, LLVMArrayType2(in->ptr, n), name);
    LLVMSetInitializer(table, LLVMConstArray2(in->ptr, items, n));
    LLVMSetGlobalConstant(table, 1);
}

/* INSTRUMENT_MAIN, which every program has. */
bool instrument_main(struct instrument *in)
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
