#include "frontend/source/instrument.h"

#include "core/halt.h"
#include "core/mem.h"
#include "frontend/source/hooks_library.h"
#include "frontend/source/hooks_memory.h"
#include "frontend/source/instrument_module.h"

#include <llvm-c/Analysis.h>
#include <llvm-c/DebugInfo.h>

#include <limits.h>
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
    char file[PATH_MAX];
    if (instrument_file(instruction, file, sizeof file, &line))
        err_set(in->err, ERR_INPUT, "%s:%u: %s", file, line, text);
    else
        err_set(in->err, ERR_INPUT, "%s", text);
}

LLVMValueRef instrument_word(struct instrument *in, uint64_t value)
{
    return LLVMConstInt(in->i64, value, 0);
}

LLVMValueRef instrument_hook(struct instrument *in, hooks_function *hook,
                             uint32_t site, const LLVMValueRef words[4])
{
    LLVMValueRef args[6] = {
        LLVMConstIntToPtr(instrument_word(in, (uint64_t)(uintptr_t)in->hooks),
                          in->ptr),
        LLVMConstInt(in->i32, site, 0),
    };
    in->image->can_fail |= hook == hooks_on_assert_fail ||
                           hook == hooks_on_assert || hook == hooks_on_error ||
                           hook == hooks_on_abort;
    for (int i = 0; i < 4; i++)
        args[2 + i] = words[i] ? words[i] : instrument_word(in, 0);
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

bool instrument_is_wide(struct instrument *in, LLVMTypeRef type)
{
    return scalar_bits(in, type) == WIDE_BYTES * 8;
}

static LLVMValueRef wide_to_word(struct instrument *in, LLVMValueRef value)
{
    LLVMTypeRef bits = LLVMIntTypeInContext(in->context, WIDE_BYTES * 8);
    if (LLVMTypeOf(value) != bits)
        value = LLVMBuildBitCast(in->builder, value, bits, "");
    LLVMValueRef high =
        LLVMBuildLShr(in->builder, value, LLVMConstInt(bits, 64, 0), "");
    return instrument_hook(
        in, hooks_on_wide, 0,
        WORDS(LLVMBuildTrunc(in->builder, value, in->i64, ""),
              LLVMBuildTrunc(in->builder, high, in->i64, "")));
}

static LLVMValueRef wide_from_word(struct instrument *in, LLVMValueRef word,
                                   LLVMTypeRef type)
{
    LLVMTypeRef bits = LLVMIntTypeInContext(in->context, WIDE_BYTES * 8);
    LLVMValueRef half[2];
    for (unsigned i = 0; i < 2; i++) {
        half[i] = instrument_hook(in, hooks_on_half, 0,
                                  WORDS(word, instrument_word(in, i)));
        half[i] = LLVMBuildZExt(in->builder, half[i], bits, "");
    }
    LLVMValueRef value = LLVMBuildOr(
        in->builder, half[0],
        LLVMBuildShl(in->builder, half[1], LLVMConstInt(bits, 64, 0), ""), "");
    return type == bits ? value
                        : LLVMBuildBitCast(in->builder, value, type, "");
}

LLVMValueRef instrument_to_word(struct instrument *in, LLVMValueRef value)
{
    LLVMTypeRef type = LLVMTypeOf(value);
    if (instrument_is_wide(in, type))
        return wide_to_word(in, value);
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
    if (instrument_is_wide(in, type))
        return wide_from_word(in, word, type);
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
    instrument_hook(in, hooks_on_divisor, instrument_site(in, division, 0, 0),
                    WORDS(LLVMBuildZExt(in->builder, nonzero, in->i64, ""),
                          LLVMBuildZExt(in->builder, overflow, in->i64, "")));
}

/* A long double that machines compute with by functions of their libraries,
 * which are not there. */
static bool is_foreign(LLVMValueRef value)
{
    LLVMTypeKind kind = LLVMGetTypeKind(LLVMTypeOf(value));
    return kind == LLVMPPC_FP128TypeKind || kind == LLVMFP128TypeKind;
}

static bool has_foreign(LLVMValueRef i)
{
    bool has = is_foreign(i);
    for (int k = 0; k < LLVMGetNumOperands(i) && !has; k++)
        has = is_foreign(LLVMGetOperand(i, (unsigned)k));
    return has;
}

/* Is it a label's address that is a constant, or read from constants? What
 * memory holds may be that of another compilation. */
static bool is_of_table(LLVMValueRef address)
{
    if (LLVMIsAPHINode(address)) {
        unsigned n = LLVMCountIncoming(address);
        for (unsigned k = 0; k < n; k++) {
            LLVMValueRef value = LLVMGetIncomingValue(address, k);
            if (LLVMIsAPHINode(value) || !is_of_table(value))
                return false;
        }
        return true;
    }
    if (LLVMIsABlockAddress(address))
        return true;
    if (!LLVMIsALoadInst(address))
        return false;
    LLVMValueRef from = LLVMGetOperand(address, 0);
    while (LLVMIsAGetElementPtrInst(from))
        from = LLVMGetOperand(from, 0);
    return LLVMIsAGlobalVariable(from) && LLVMIsGlobalConstant(from);
}

static void rewrite(struct instrument *in, LLVMValueRef i)
{
    LLVMPositionBuilderBefore(in->builder, i);
    if (has_foreign(i)) {
        instrument_fail(in, i, "long double of this machine is not supported");
        return;
    }
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
        instrument_hook(in, hooks_on_unreachable, instrument_site(in, i, 0, 0),
                        NO_WORDS);
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

/* The first instruction that says where it comes from, else the first. */
static LLVMValueRef first_placed(LLVMValueRef function)
{
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b;
         b = LLVMGetNextBasicBlock(b))
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i;
             i = LLVMGetNextInstruction(i))
            if (LLVMInstructionGetDebugLoc(i))
                return i;
    return LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(function));
}

/* The check of the stack, after the variables in front of the function. */
static void build_entry(struct instrument *in)
{
    LLVMValueRef first =
        LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(in->function));
    while (LLVMIsAAllocaInst(first))
        first = LLVMGetNextInstruction(first);
    uint32_t site = instrument_site(in, first_placed(in->function), 0, 0);
    LLVMPositionBuilderBefore(in->builder, first);
    in->arguments = NULL;
    if (LLVMIsFunctionVarArg(LLVMGlobalGetValueType(in->function)))
        instrument_take_arguments(in);
    in->entry = instrument_hook(in, hooks_on_enter, site, NO_WORDS);
}

static void rewrite_function(struct instrument *in, LLVMValueRef function)
{
    size_t length;
    in->function = function;
    in->is_main = strcmp(LLVMGetValueName2(function, &length), "main") == 0;
    LLVMValueRef *list = NULL;
    uint32_t n = list_instructions(function, &list);
    for (uint32_t i = 0; i < n; i++) /* before reads are rewritten */
        if (LLVMGetInstructionOpcode(list[i]) == LLVMIndirectBr &&
            !is_of_table(LLVMGetOperand(list[i], 0)))
            instrument_fail(in, list[i],
                            "goto to the address of a label that does not "
                            "come from a constant table is not supported");
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

static void init(struct instrument *in)
{
    in->context = LLVMGetModuleContext(in->module);
    in->builder = LLVMCreateBuilderInContext(in->context);
    in->layout = LLVMGetModuleDataLayout(in->module);
    in->big_endian = LLVMByteOrder(in->layout) == LLVMBigEndian;
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

/* A variable for our own use, which looks like one of the program. */
static LLVMValueRef add_variable(struct instrument *in, LLVMTypeRef type,
                                 const char *name)
{
    LLVMValueRef variable = LLVMAddGlobal(in->module, type, name);
    LLVMSetInitializer(variable, LLVMConstNull(type));
    LLVMSetLinkage(variable, LLVMInternalLinkage);
    return variable;
}

/* Is it an integer made of an address, or computed from one? */
static bool is_of_address(LLVMValueRef constant)
{
    if (!LLVMIsAConstantExpr(constant))
        return false;
    bool is = LLVMGetConstOpcode(constant) == LLVMPtrToInt;
    for (int k = 0; k < LLVMGetNumOperands(constant) && !is; k++)
        is = is_of_address(LLVMGetOperand(constant, (unsigned)k));
    return is;
}

static bool uses_integer(LLVMValueRef instruction)
{
    bool uses = LLVMGetInstructionOpcode(instruction) == LLVMPtrToInt;
    for (int k = 0; k < LLVMGetNumOperands(instruction) && !uses; k++)
        uses = is_of_address(LLVMGetOperand(instruction, (unsigned)k));
    return uses;
}

/* Does it make integers of addresses? */
static bool makes_integers(LLVMValueRef function)
{
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b;
         b = LLVMGetNextBasicBlock(b))
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i;
             i = LLVMGetNextInstruction(i))
            if (uses_integer(i))
                return true;
    return false;
}

static bool rewrite_module(struct instrument *in)
{
    if (!instrument_main(in))
        return false;
    instrument_wrap_functions(in);
    if (LLVMGetNamedFunction(in->module, "__errno_location")) {
        in->errno_variable = add_variable(in, in->i32, "errno");
        LLVMSetThreadLocal(in->errno_variable, 1);
    }
    if (LLVMGetNamedFunction(in->module, "__VERIFIER_atomic_begin") ||
        LLVMGetNamedFunction(in->module, "__VERIFIER_atomic_end"))
        in->section_variable =
            add_variable(in, LLVMArrayType2(in->i64, 3), "atomic section");
    for (LLVMValueRef g = LLVMGetFirstGlobal(in->module); g && !in->failed;
         g = LLVMGetNextGlobal(g))
        instrument_list_global(in, g);
    image_name_globals(in->image, in->program);
    for (LLVMValueRef f = LLVMGetFirstFunction(in->module); f;
         f = LLVMGetNextFunction(f))
        if (!LLVMIsDeclaration(f))
            instrument_list_function(in, f);
    for (uint32_t i = 0; i < in->n_functions; i++)
        in->image->has_addresses |= makes_integers(in->functions[i]);
    for (uint32_t i = 0; i < in->n_functions && !in->failed; i++) {
        if (halt_reason() != HALT_NONE)
            return halt_fail(in->err);
        rewrite_function(in, in->functions[i]);
    }
    if (in->failed)
        return false;
    instrument_pad_globals(in);
    instrument_table(in, INSTRUMENT_FUNCTIONS, in->functions, in->n_functions);
    instrument_table(in, INSTRUMENT_GLOBALS, in->globals, in->n_globals);
    char *message = NULL;
    if (LLVMVerifyModule(in->module, LLVMReturnStatusAction, &message))
        err_set(in->err, ERR_INTERNAL, "instrumented code is not valid: %s",
                message);
    bool ok = !message || !*message;
    LLVMDisposeMessage(message);
    return ok;
}

bool instrument_module(struct LLVMOpaqueModule *module, struct image *image,
                       struct program *program, struct hooks *hooks,
                       struct err *err)
{
    struct instrument in = {
        .module = module,
        .image = image,
        .program = program,
        .hooks = hooks,
        .err = err,
    };
    init(&in);
    bool ok = rewrite_module(&in);
    instrument_loops_release(&in);
    free(in.loops);
    free(in.blocks);
    free(in.numbers);
    free(in.before);
    free(in.first_edge);
    free(in.tls);
    free(in.globals);
    free(in.functions);
    LLVMDisposeBuilder(in.builder);
    return ok;
}
