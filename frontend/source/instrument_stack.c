/* Local variables. One that no pointer leads to but those we see stays on the
 * native stack. Any other is an object like one from malloc: threads may be
 * handed its address. Its life is its scope, as clang marks it, so that a
 * pointer that outlives it is found; without marks it is the function's. */
#include "frontend/source/instrument_module.h"

#include "core/mem.h"
#include "frontend/source/hooks_memory.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool is_intrinsic(LLVMValueRef call, const char *prefix)
{
    if (!LLVMIsACallInst(call))
        return false;
    LLVMValueRef callee = LLVMGetCalledValue(call);
    if (!LLVMIsAFunction(callee))
        return false;
    size_t n;
    const char *name = LLVMGetValueName2(callee, &n);
    return strncmp(name, prefix, strlen(prefix)) == 0;
}

bool instrument_is_lifetime(LLVMValueRef instruction)
{
    return is_intrinsic(instruction, "llvm.lifetime.");
}

uint64_t instrument_alloca_bytes(struct instrument *in, LLVMValueRef alloca)
{
    uint64_t n = LLVMConstIntGetZExtValue(LLVMGetOperand(alloca, 0));
    return n * LLVMABISizeOfType(in->layout, LLVMGetAllocatedType(alloca));
}

/* May the call do anything with its argument but write through it? A struct
 * passed by value is read, by us, when the call is rewritten. */
static bool call_keeps_private(LLVMValueRef call, LLVMValueRef pointer)
{
    if (is_intrinsic(call, "llvm.lifetime.") ||
        is_intrinsic(call, "llvm.memcpy.") ||
        is_intrinsic(call, "llvm.memmove.") ||
        is_intrinsic(call, "llvm.memset."))
        return true;
    LLVMValueRef callee = LLVMGetCalledValue(call);
    size_t n;
    unsigned byval = LLVMGetEnumAttributeKindForName("byval", 5);
    const struct library_function *known =
        LLVMIsAFunction(callee) && LLVMIsDeclaration(callee)
            ? library_find(LLVMGetValueName2(callee, &n))
            : NULL;
    if (callee == pointer)
        return false;
    for (unsigned i = 0; i < LLVMGetNumArgOperands(call); i++) {
        if (LLVMGetOperand(call, i) != pointer)
            continue;
        if (known && i < 8 && known->writes >> i & 1)
            continue;
        if (LLVMGetCallSiteEnumAttribute(call, i + 1, byval))
            continue;
        return false;
    }
    return true;
}

static bool stays_private(const struct instrument *in, LLVMValueRef pointer);

static bool use_keeps_private(const struct instrument *in, LLVMValueRef user,
                              LLVMValueRef pointer)
{
    switch (LLVMGetInstructionOpcode(user)) {
    case LLVMLoad:
        return true;
    case LLVMStore:
        return LLVMGetOperand(user, 0) != pointer;
    case LLVMAtomicRMW:
        return !in->big_endian && LLVMGetOperand(user, 1) != pointer;
    case LLVMAtomicCmpXchg:
        return !in->big_endian && LLVMGetOperand(user, 1) != pointer &&
               LLVMGetOperand(user, 2) != pointer;
    case LLVMGetElementPtr:
    case LLVMBitCast:
        return stays_private(in, user);
    case LLVMICmp:
        return LLVMIsNull(LLVMGetOperand(user, 0)) ||
               LLVMIsNull(LLVMGetOperand(user, 1));
    case LLVMCall:
        return call_keeps_private(user, pointer);
    default:
        return false;
    }
}

static bool stays_private(const struct instrument *in, LLVMValueRef pointer)
{
    for (LLVMUseRef use = LLVMGetFirstUse(pointer); use;
         use = LLVMGetNextUse(use))
        if (!use_keeps_private(in, LLVMGetUser(use), pointer))
            return false;
    return true;
}

/* Does all that follows do nothing but leave the function? */
static bool leads_to_return(LLVMValueRef instruction)
{
    for (int steps = 0; instruction && steps < 100; steps++) {
        switch (LLVMGetInstructionOpcode(instruction)) {
        case LLVMRet:
            return true;
        case LLVMBr:
            if (LLVMIsConditional(instruction))
                return false;
            instruction =
                LLVMGetFirstInstruction(LLVMGetSuccessor(instruction, 0));
            continue;
        case LLVMPHI:
            break;
        case LLVMCall:
            if (!is_intrinsic(instruction, "llvm.lifetime.end"))
                return false;
            break;
        default:
            return false;
        }
        instruction = LLVMGetNextInstruction(instruction);
    }
    return false;
}

/* The lifetime marks of a variable, at most `cap` each kind of them. */
static unsigned find_marks(LLVMValueRef alloca, const char *name,
                           LLVMValueRef *marks, unsigned cap)
{
    unsigned n = 0;
    for (LLVMUseRef use = LLVMGetFirstUse(alloca); use && n < cap;
         use = LLVMGetNextUse(use))
        if (is_intrinsic(LLVMGetUser(use), name))
            marks[n++] = LLVMGetUser(use);
    return n;
}

struct object {
    LLVMValueRef slot; /* native variable that holds its address */
    LLVMValueRef bytes;
    LLVMValueRef alloca;
    uint32_t local;
};

static void make_object(struct instrument *in, const struct object *o,
                        LLVMValueRef before)
{
    uint32_t site = instrument_site(in, before, 0, 0);
    LLVMPositionBuilderBefore(in->builder, before);
    LLVMValueRef addr =
        instrument_hook(in, hooks_on_local, site,
                        WORDS(o->bytes, instrument_word(in, o->local)));
    LLVMBuildStore(in->builder, addr, o->slot);
}

static void drop_object(struct instrument *in, const struct object *o,
                        LLVMValueRef before)
{
    uint32_t site = instrument_site(in, before, 0, 0);
    LLVMPositionBuilderBefore(in->builder, before);
    LLVMValueRef addr = LLVMBuildLoad2(in->builder, in->i64, o->slot, "");
    instrument_hook(in, hooks_on_forget, site, WORDS(addr));
}

/* A PHI takes its value at the end of the block it comes from. */
static LLVMValueRef use_position(LLVMUseRef use)
{
    LLVMValueRef user = LLVMGetUser(use);
    if (!LLVMIsAPHINode(user))
        return user;
    LLVMValueRef value = LLVMGetUsedValue(use);
    for (unsigned i = 0; i < LLVMCountIncoming(user); i++)
        if (LLVMGetIncomingValue(user, i) == value)
            return LLVMGetBasicBlockTerminator(LLVMGetIncomingBlock(user, i));
    return user;
}

static void replace_uses(struct instrument *in, const struct object *o)
{
    LLVMUseRef use;
    while ((use = LLVMGetFirstUse(o->alloca))) {
        LLVMValueRef user = LLVMGetUser(use);
        LLVMPositionBuilderBefore(in->builder, use_position(use));
        LLVMValueRef addr = LLVMBuildLoad2(in->builder, in->i64, o->slot, "");
        LLVMValueRef pointer =
            LLVMBuildIntToPtr(in->builder, addr, in->ptr, "");
        if (LLVMIsAPHINode(user)) {
            for (unsigned i = 0; i < LLVMCountIncoming(user); i++) {
                if (LLVMGetIncomingValue(user, i) != o->alloca)
                    continue;
                LLVMPositionBuilderBefore(
                    in->builder,
                    LLVMGetBasicBlockTerminator(LLVMGetIncomingBlock(user, i)));
                addr = LLVMBuildLoad2(in->builder, in->i64, o->slot, "");
                pointer = LLVMBuildIntToPtr(in->builder, addr, in->ptr, "");
                LLVMSetOperand(user, i, pointer);
            }
            continue;
        }
        for (int i = 0; i < LLVMGetNumOperands(user); i++)
            if (LLVMGetOperand(user, (unsigned)i) == o->alloca)
                LLVMSetOperand(user, (unsigned)i, pointer);
    }
}

#define MARKS_MAX 256

static void drop_at_returns(struct instrument *in, const struct object *o)
{
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(in->function); b;
         b = LLVMGetNextBasicBlock(b)) {
        LLVMValueRef last = LLVMGetBasicBlockTerminator(b);
        if (LLVMIsAReturnInst(last))
            drop_object(in, o, last);
    }
}

static void become_object(struct instrument *in, LLVMValueRef alloca,
                          bool fixed)
{
    LLVMValueRef marks[MARKS_MAX];
    size_t length;
    const char *name = LLVMGetValueName2(alloca, &length);
    char text[200];
    snprintf(text, sizeof text, "%.*s", (int)strcspn(name, "."), name);
    struct object o = {
        .alloca = alloca,
        .local = image_add_local(
            in->image,
            (struct image_local){
                program_text(in->program, *text ? text : "local"),
                instrument_type(in, LLVMGetAllocatedType(alloca))}),
    };
    o.slot = instrument_frame(in, in->i64);
    LLVMPositionBuilderBefore(in->builder, alloca);
    LLVMValueRef n = LLVMBuildIntCast2(in->builder, LLVMGetOperand(alloca, 0),
                                       in->i64, 0, "");
    o.bytes = LLVMBuildMul(
        in->builder, n,
        instrument_word(
            in, LLVMABISizeOfType(in->layout, LLVMGetAllocatedType(alloca))),
        "");

    bool scoped = false;
    unsigned k;
    while ((k = find_marks(alloca, "llvm.lifetime.start", marks, MARKS_MAX))) {
        scoped = true;
        for (unsigned i = 0; i < k; i++) {
            make_object(in, &o, marks[i]);
            LLVMInstructionEraseFromParent(marks[i]);
        }
    }
    if (!scoped)
        make_object(in, &o, fixed ? LLVMGetNextInstruction(in->entry) : alloca);
    while ((k = find_marks(alloca, "llvm.lifetime.end", marks, MARKS_MAX))) {
        for (unsigned i = 0; i < k; i++) {
            /* Returning from main ends the process in reality, but other
             * threads may still run in ours: what they were given stays. */
            if (scoped && !(in->is_main && leads_to_return(marks[i])))
                drop_object(in, &o, marks[i]);
            LLVMInstructionEraseFromParent(marks[i]);
        }
    }
    if (!scoped && !in->is_main)
        drop_at_returns(in, &o);
    replace_uses(in, &o);
    LLVMInstructionEraseFromParent(alloca);
}

/* Memory that was never written must hold the same in every run. */
static void become_native(struct instrument *in, LLVMValueRef alloca)
{
    LLVMValueRef marks[MARKS_MAX];
    unsigned n;
    while ((n = find_marks(alloca, "llvm.lifetime.", marks, MARKS_MAX)))
        for (unsigned i = 0; i < n; i++)
            LLVMInstructionEraseFromParent(marks[i]);
    LLVMSetMetadata(alloca, in->private_kind,
                    LLVMMDNodeInContext(in->context, NULL, 0));
    LLVMPositionBuilderBefore(in->builder, in->entry);
    LLVMBuildMemSet(in->builder, alloca, LLVMConstNull(in->i8),
                    instrument_word(in, instrument_alloca_bytes(in, alloca)),
                    1);
}

/* Those in front of the function have a fixed size and are made once; others
 * are made anew each time, with a size that may not be known before. */
void instrument_stack(struct instrument *in)
{
    LLVMValueRef *allocas = NULL;
    uint32_t n = 0, cap = 0, n_fixed = UINT32_MAX;
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(in->function); b;
         b = LLVMGetNextBasicBlock(b)) {
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i;
             i = LLVMGetNextInstruction(i)) {
            if (i == in->entry)
                n_fixed = n;
            if (!LLVMIsAAllocaInst(i))
                continue;
            allocas = mem_room(allocas, n, &cap, sizeof(LLVMValueRef));
            allocas[n++] = i;
        }
    }
    for (uint32_t i = n; i-- > 0;) {
        bool fixed =
            i < n_fixed && LLVMIsAConstantInt(LLVMGetOperand(allocas[i], 0));
        if (fixed && stays_private(in, allocas[i]))
            become_native(in, allocas[i]);
        else
            become_object(in, allocas[i], fixed);
    }
    free(allocas);
}

/* How far a GEP moves the pointer; false: not constant. */
static bool constant_offset(struct instrument *in, LLVMValueRef gep,
                            int64_t *offset)
{
    LLVMTypeRef type = LLVMGetGEPSourceElementType(gep);
    for (unsigned i = 1; i < (unsigned)LLVMGetNumOperands(gep); i++) {
        LLVMValueRef index = LLVMGetOperand(gep, i);
        if (!LLVMIsAConstantInt(index))
            return false;
        int64_t n = LLVMConstIntGetSExtValue(index);
        if (i > 1 && LLVMGetTypeKind(type) == LLVMStructTypeKind) {
            *offset +=
                (int64_t)LLVMOffsetOfElement(in->layout, type, (unsigned)n);
            type = LLVMStructGetTypeAtIndex(type, (unsigned)n);
            continue;
        }
        if (i > 1)
            type = LLVMGetElementType(type);
        *offset += n * (int64_t)LLVMABISizeOfType(in->layout, type);
    }
    return true;
}

LLVMValueRef instrument_private(struct instrument *in, LLVMValueRef pointer,
                                int64_t *offset)
{
    bool constant = true;
    *offset = 0;
    while (LLVMIsAGetElementPtrInst(pointer) || LLVMIsABitCastInst(pointer)) {
        if (LLVMIsAGetElementPtrInst(pointer))
            constant = constant && constant_offset(in, pointer, offset);
        pointer = LLVMGetOperand(pointer, 0);
    }
    if (!LLVMIsAAllocaInst(pointer) ||
        !LLVMGetMetadata(pointer, in->private_kind))
        return NULL;
    if (!constant)
        *offset = INT64_MIN;
    return pointer;
}
