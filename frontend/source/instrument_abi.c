/* Where the machine that the program is compiled for and the one that it runs
 * on here differ: byte order, and how functions get variable arguments.
 *
 * Memory holds what it would hold on that machine. The hooks see to it for
 * shared memory; native variables and initial values are swapped here.
 *
 * Of variable arguments those that the machine would pass in registers are
 * passed in memory like the others: each ABI has that case. */
#include "frontend/source/instrument_module.h"
#include "hw/isa.h"

#include "frontend/source/hooks_memory.h"

#include <string.h>

/* ---- byte order */

static LLVMValueRef swap_integer(struct instrument *in, LLVMValueRef value)
{
    LLVMTypeRef type = LLVMTypeOf(value), wide = type;
    unsigned bits = LLVMGetIntTypeWidth(type);
    if (bits <= 8)
        return value;
    if (bits % 16) /* which bswap does not take */
        wide = LLVMIntTypeInContext(in->context, bits + 8);
    value = LLVMBuildZExtOrBitCast(in->builder, value, wide, "");
    LLVMValueRef swap = LLVMGetIntrinsicDeclaration(
        in->module, LLVMLookupIntrinsicID("llvm.bswap", 10), &wide, 1);
    value = LLVMBuildCall2(in->builder, LLVMGlobalGetValueType(swap), swap,
                           &value, 1, "");
    if (wide == type)
        return value;
    value = LLVMBuildLShr(in->builder, value, LLVMConstInt(wide, 8, 0), "");
    return LLVMBuildTrunc(in->builder, value, type, "");
}

static LLVMValueRef swap_parts(struct instrument *in, LLVMValueRef value,
                               LLVMValueRef instruction, unsigned n)
{
    for (unsigned i = 0; i < n; i++) {
        LLVMValueRef part = LLVMBuildExtractValue(in->builder, value, i, "");
        part = instrument_swap(in, part, instruction);
        value = LLVMBuildInsertValue(in->builder, value, part, i, "");
    }
    return value;
}

static LLVMValueRef swap_vector(struct instrument *in, LLVMValueRef value,
                                LLVMValueRef instruction, unsigned n)
{
    for (unsigned i = 0; i < n; i++) {
        LLVMValueRef at = LLVMConstInt(in->i32, i, 0);
        LLVMValueRef part = LLVMBuildExtractElement(in->builder, value, at, "");
        part = instrument_swap(in, part, instruction);
        value = LLVMBuildInsertElement(in->builder, value, part, at, "");
    }
    return value;
}

LLVMValueRef instrument_swap(struct instrument *in, LLVMValueRef value,
                             LLVMValueRef instruction)
{
    LLVMTypeRef type = LLVMTypeOf(value), bits;
    if (!in->big_endian)
        return value;
    switch (LLVMGetTypeKind(type)) {
    case LLVMIntegerTypeKind:
        if (LLVMGetIntTypeWidth(type) % 8 == 0)
            return swap_integer(in, value);
        break;
    case LLVMPointerTypeKind:
        value = LLVMBuildPtrToInt(in->builder, value, in->i64, "");
        value = swap_integer(in, value);
        return LLVMBuildIntToPtr(in->builder, value, type, "");
    case LLVMHalfTypeKind:
    case LLVMBFloatTypeKind:
    case LLVMFloatTypeKind:
    case LLVMDoubleTypeKind:
    case LLVMFP128TypeKind:
        bits = LLVMIntTypeInContext(
            in->context, (unsigned)LLVMSizeOfTypeInBits(in->layout, type));
        value = LLVMBuildBitCast(in->builder, value, bits, "");
        value = swap_integer(in, value);
        return LLVMBuildBitCast(in->builder, value, type, "");
    case LLVMVectorTypeKind:
        return swap_vector(in, value, instruction, LLVMGetVectorSize(type));
    case LLVMArrayTypeKind:
        return swap_parts(in, value, instruction,
                          (unsigned)LLVMGetArrayLength2(type));
    case LLVMStructTypeKind:
        return swap_parts(in, value, instruction,
                          LLVMCountStructElementTypes(type));
    default:
        break;
    }
    instrument_fail(in, instruction,
                    "a value of this type is not supported on a big-endian "
                    "machine");
    return value;
}

/* Adds what must be swapped of an initial value of this type. */
static void list_swaps(struct instrument *in, struct image_swap swap,
                       LLVMTypeRef type)
{
    uint64_t n, size, at = swap.offset;
    LLVMTypeRef part;
    switch (LLVMGetTypeKind(type)) {
    case LLVMStructTypeKind:
        for (unsigned i = 0; i < LLVMCountStructElementTypes(type); i++) {
            swap.offset = at + LLVMOffsetOfElement(in->layout, type, i);
            list_swaps(in, swap, LLVMStructGetTypeAtIndex(type, i));
        }
        break;
    case LLVMArrayTypeKind:
    case LLVMVectorTypeKind:
        part = LLVMGetElementType(type);
        size = LLVMABISizeOfType(in->layout, part);
        n = LLVMGetTypeKind(type) == LLVMArrayTypeKind
                ? LLVMGetArrayLength2(type)
                : LLVMGetVectorSize(type);
        if (LLVMGetTypeKind(part) == LLVMIntegerTypeKind && size == 1)
            break;
        for (uint64_t i = 0; i < n; i++) {
            swap.offset = at + i * size;
            list_swaps(in, swap, part);
        }
        break;
    default:
        swap.bytes = (uint32_t)LLVMStoreSizeOfType(in->layout, type);
        if (swap.bytes > 1)
            image_add_swap(in->image, swap);
    }
}

void instrument_swap_global(struct instrument *in, LLVMValueRef global,
                            uint32_t number)
{
    LLVMValueRef initial = LLVMGetInitializer(global);
    if (!in->big_endian || !initial || LLVMIsNull(initial))
        return;
    list_swaps(in, (struct image_swap){.global = number}, LLVMTypeOf(initial));
    /* Constants would lie where they cannot be changed any more. */
    LLVMSetGlobalConstant(global, 0);
}

/* ---- variable arguments */

static LLVMValueRef host_word(struct instrument *in, uint64_t *word)
{
    return LLVMConstIntToPtr(instrument_word(in, (uint64_t)(uintptr_t)word),
                             in->ptr);
}

void instrument_take_arguments(struct instrument *in)
{
    in->arguments = LLVMBuildLoad2(in->builder, in->i64,
                                   host_word(in, &in->hooks->arguments), "");
}

/* The memory that arguments are passed in, while it is laid out. */
struct passed {
    LLVMValueRef call;
    LLVMValueRef addr; /* NULL: only its size is asked for */
    uint64_t bytes;
};

static LLVMValueRef passed_at(struct instrument *in, const struct passed *a,
                              uint64_t offset)
{
    return LLVMBuildAdd(in->builder, a->addr, instrument_word(in, offset), "");
}

static uint64_t take_bytes(struct passed *a, uint64_t bytes, uint64_t align)
{
    uint64_t at = (a->bytes + align - 1) / align * align;
    a->bytes = at + (bytes + 7) / 8 * 8;
    return at;
}

static void put_word(struct instrument *in, struct passed *a, uint64_t at,
                     LLVMValueRef word, unsigned bytes)
{
    if (a->addr)
        instrument_hook(in, hooks_on_store,
                        instrument_site(in, a->call, TAG_BIT(TAG_NA), bytes),
                        WORDS(passed_at(in, a, at), word));
}

static void put_struct(struct instrument *in, struct passed *a,
                       LLVMValueRef pointer, LLVMTypeRef type)
{
    uint64_t bytes = LLVMABISizeOfType(in->layout, type);
    uint64_t align = LLVMABIAlignmentOfType(in->layout, type) > 8 ? 16 : 8;
    uint64_t at = take_bytes(a, bytes, align);
    if (!a->addr)
        return;
    LLVMValueRef n = instrument_word(in, bytes);
    bool native = instrument_is_native(in, a->call, pointer, n);
    instrument_hook(
        in, hooks_on_copy, instrument_site(in, a->call, TAG_BIT(TAG_NA), 0),
        WORDS(passed_at(in, a, at), instrument_to_word(in, pointer), n,
              instrument_word(in, native ? COPY_FROM_NATIVE : 0)));
}

/* What a struct became: elements that stand one after the other. */
static void put_array(struct instrument *in, struct passed *a,
                      LLVMValueRef value)
{
    LLVMTypeRef part = LLVMGetElementType(LLVMTypeOf(value));
    unsigned n = (unsigned)LLVMGetArrayLength2(LLVMTypeOf(value));
    unsigned size = (unsigned)LLVMABISizeOfType(in->layout, part);
    if (!instrument_is_word(in, part) || (in->big_endian && size != 8)) {
        instrument_fail(in, a->call,
                        "a variable argument of this type is not supported");
        return;
    }
    uint64_t at = take_bytes(a, (uint64_t)n * size, 8);
    for (unsigned i = 0; a->addr && i < n; i++) {
        LLVMValueRef element = LLVMBuildExtractValue(in->builder, value, i, "");
        put_word(in, a, at + (uint64_t)i * size,
                 instrument_to_word(in, element), size);
    }
}

static void put_argument(struct instrument *in, struct passed *a, unsigned i)
{
    unsigned byval = LLVMGetEnumAttributeKindForName("byval", 5);
    LLVMAttributeRef attribute =
        LLVMGetCallSiteEnumAttribute(a->call, i + 1, byval);
    LLVMValueRef value = LLVMGetOperand(a->call, i);
    LLVMTypeRef type = LLVMTypeOf(value);
    LLVMTypeKind kind = LLVMGetTypeKind(type);
    if (attribute) {
        put_struct(in, a, value, LLVMGetTypeAttributeValue(attribute));
    } else if (kind == LLVMArrayTypeKind) {
        put_array(in, a, value);
    } else if (kind == LLVMIntegerTypeKind &&
               LLVMGetIntTypeWidth(type) == 128) {
        uint64_t at = take_bytes(a, 16, 16);
        LLVMValueRef high =
            LLVMBuildLShr(in->builder, value, LLVMConstInt(type, 64, 0), "");
        put_word(in, a, at + (in->big_endian ? 8 : 0),
                 LLVMBuildTrunc(in->builder, value, in->i64, ""), 8);
        put_word(in, a, at + (in->big_endian ? 0 : 8),
                 LLVMBuildTrunc(in->builder, high, in->i64, ""), 8);
    } else if (instrument_is_word(in, type)) {
        LLVMValueRef word =
            kind == LLVMIntegerTypeKind && LLVMGetIntTypeWidth(type) > 1
                ? LLVMBuildSExtOrBitCast(in->builder, value, in->i64, "")
                : instrument_to_word(in, value);
        put_word(in, a, take_bytes(a, 8, 8), word, 8);
    } else {
        instrument_fail(in, a->call,
                        "a variable argument of this type is not supported");
    }
}

void instrument_pass_arguments(struct instrument *in, LLVMValueRef call)
{
    unsigned fixed = LLVMCountParamTypes(LLVMGetCalledFunctionType(call));
    unsigned n = LLVMGetNumArgOperands(call);
    struct passed a = {.call = call};
    for (unsigned i = fixed; i < n; i++)
        put_argument(in, &a, i);
    uint64_t bytes = a.bytes;
    if (bytes) {
        uint32_t local = image_add_local(
            in->image,
            (struct image_local){
                program_text(in->program, "arguments"),
                instrument_type(in, LLVMArrayType2(in->i64, bytes / 8))});
        a = (struct passed){
            .call = call,
            .addr = instrument_hook(
                in, hooks_on_local, instrument_site(in, call, 0, 0),
                WORDS(instrument_word(in, bytes), instrument_word(in, local)))};
        for (unsigned i = fixed; i < n; i++)
            put_argument(in, &a, i);
        LLVMPositionBuilderBefore(in->builder, LLVMGetNextInstruction(call));
        instrument_hook(in, hooks_on_forget, instrument_site(in, call, 0, 0),
                        WORDS(a.addr));
        LLVMPositionBuilderBefore(in->builder, call);
    }
    LLVMBuildStore(in->builder, a.addr ? a.addr : instrument_word(in, 0),
                   host_word(in, &in->hooks->arguments));
}

static void start_list(struct instrument *in, LLVMValueRef call,
                       const struct isa_va_list *kind)
{
    LLVMValueRef list = LLVMGetOperand(call, 0);
    for (unsigned i = 0; i < kind->n; i++) {
        LLVMValueRef offset = instrument_word(in, kind->members[i].offset);
        LLVMValueRef at =
            LLVMBuildGEP2(in->builder, in->i8, list, &offset, 1, "");
        instrument_store_word(in, call, at,
                              kind->members[i].is_area
                                  ? in->arguments
                                  : instrument_word(in, kind->members[i].value),
                              kind->members[i].bytes);
    }
}

void instrument_list(struct instrument *in, LLVMValueRef call, const char *name)
{
    const struct isa *isa = isa_of_triple(LLVMGetTarget(in->module));
    const struct isa_va_list *kind = isa ? isa->va_list : NULL;
    if (!kind) {
        instrument_fail(in, call,
                        "functions with variable arguments are not supported "
                        "on this machine");
        return;
    }
    if (strncmp(name, "llvm.va_start", 13) == 0 && in->arguments)
        start_list(in, call, kind);
    else if (strncmp(name, "llvm.va_copy", 12) == 0)
        instrument_hook(in, hooks_on_copy,
                        instrument_site(in, call, TAG_BIT(TAG_NA), 0),
                        WORDS(instrument_to_word(in, LLVMGetOperand(call, 0)),
                              instrument_to_word(in, LLVMGetOperand(call, 1)),
                              instrument_word(in, kind->bytes)));
    instrument_replace(call, NULL);
}
