/* Loads, stores, atomic operations and fences. */
#include "frontend/source/instrument_module.h"

#include "frontend/source/hooks_memory.h"

/* Which marks an access or fence of this order has; `read` and `write` say
 * which half of it is meant, both for a fence. */
static uint64_t order_tags(LLVMAtomicOrdering order, bool read, bool write)
{
    switch (order) {
    case LLVMAtomicOrderingNotAtomic:
        return TAG_BIT(TAG_NA);
    case LLVMAtomicOrderingUnordered:
    case LLVMAtomicOrderingMonotonic:
        return TAGS_ATOMIC(RLX);
    case LLVMAtomicOrderingAcquire:
        return read ? TAGS_ATOMIC(ACQ) : TAGS_ATOMIC(RLX);
    case LLVMAtomicOrderingRelease:
        return write ? TAGS_ATOMIC(REL) : TAGS_ATOMIC(RLX);
    case LLVMAtomicOrderingAcquireRelease:
        if (read && write)
            return TAGS_ATOMIC(ACQ_REL);
        return read ? TAGS_ATOMIC(ACQ) : TAGS_ATOMIC(REL);
    case LLVMAtomicOrderingSequentiallyConsistent:
        return TAGS_ATOMIC(SC);
    }
    return TAGS_ATOMIC(SC);
}

static void count_effect(struct instrument *in, LLVMValueRef by)
{
    LLVMValueRef counter = LLVMConstIntToPtr(
        instrument_word(in, (uint64_t)(uintptr_t)&in->hooks->effects), in->ptr);
    LLVMValueRef old = LLVMBuildLoad2(in->builder, in->i64, counter, "");
    LLVMBuildStore(in->builder, LLVMBuildAdd(in->builder, old, by, ""),
                   counter);
}

bool instrument_is_native(struct instrument *in, LLVMValueRef instruction,
                          LLVMValueRef pointer, LLVMValueRef bytes)
{
    int64_t offset;
    LLVMValueRef base = instrument_private(in, pointer, &offset);
    if (!base)
        return false;
    uint64_t size = instrument_alloca_bytes(in, base);
    if (offset >= 0 && LLVMIsAConstantInt(bytes)) {
        uint64_t n = LLVMConstIntGetZExtValue(bytes);
        if ((uint64_t)offset <= size && n <= size - (uint64_t)offset)
            return true;
    }
    uint32_t site = instrument_site(in, instruction, 0, 0);
    LLVMValueRef at = LLVMBuildSub(
        in->builder, LLVMBuildPtrToInt(in->builder, pointer, in->i64, ""),
        LLVMBuildPtrToInt(in->builder, base, in->i64, ""), "");
    instrument_hook(in, hooks_on_bounds, site,
                    WORDS(at,
                          LLVMBuildIntCast2(in->builder, bytes, in->i64, 0, ""),
                          instrument_word(in, size)));
    return true;
}

/* A store to a native variable is an effect of a loop iteration if it changes
 * anything. */
static void note_native_store(struct instrument *in, LLVMValueRef pointer,
                              LLVMValueRef value)
{
    LLVMTypeRef type = LLVMTypeOf(value);
    if (!instrument_is_word(in, type)) {
        count_effect(in, instrument_word(in, 1));
        return;
    }
    LLVMValueRef old = LLVMBuildLoad2(in->builder, type, pointer, "");
    LLVMValueRef changed =
        LLVMBuildICmp(in->builder, LLVMIntNE, instrument_to_word(in, old),
                      instrument_to_word(in, value), "");
    count_effect(in, LLVMBuildZExt(in->builder, changed, in->i64, ""));
}

static LLVMValueRef type_bytes(struct instrument *in, LLVMTypeRef type)
{
    return instrument_word(in, LLVMStoreSizeOfType(in->layout, type));
}

void instrument_store_word(struct instrument *in, LLVMValueRef instruction,
                           LLVMValueRef pointer, LLVMValueRef word,
                           unsigned bytes)
{
    LLVMTypeRef type = LLVMIntTypeInContext(in->context, bytes * 8);
    LLVMValueRef value = LLVMBuildTrunc(in->builder, word, type, "");
    if (instrument_is_native(in, instruction, pointer, type_bytes(in, type))) {
        value = instrument_swap(in, value, instruction);
        note_native_store(in, pointer, value);
        LLVMBuildStore(in->builder, value, pointer);
        return;
    }
    instrument_hook(in, hooks_on_store,
                    instrument_site(in, instruction, TAG_BIT(TAG_NA), bytes),
                    WORDS(instrument_to_word(in, pointer), word));
}

/* An atomic operation on this type is one event; else it is refused. */
static bool check_atomic(struct instrument *in, LLVMValueRef instruction,
                         LLVMTypeRef type)
{
    if (instrument_is_word(in, type) || instrument_is_wide(in, type))
        return true;
    instrument_fail(in, instruction,
                    "atomic access of %llu bytes is not supported",
                    LLVMStoreSizeOfType(in->layout, type));
    return false;
}

static void rewrite_load(struct instrument *in, LLVMValueRef load)
{
    LLVMTypeRef type = LLVMTypeOf(load);
    LLVMValueRef pointer = LLVMGetOperand(load, 0);
    LLVMAtomicOrdering order = LLVMGetOrdering(load);
    if (instrument_is_native(in, load, pointer, type_bytes(in, type))) {
        if (in->big_endian) {
            LLVMValueRef raw = LLVMInstructionClone(load);
            LLVMInsertIntoBuilder(in->builder, raw);
            instrument_replace(load, instrument_swap(in, raw, load));
        }
        return;
    }
    if (order != LLVMAtomicOrderingNotAtomic && !check_atomic(in, load, type))
        return;
    uint64_t tags = order_tags(order, true, false);
    LLVMValueRef addr = instrument_to_word(in, pointer);
    if (instrument_is_word(in, type) || order != LLVMAtomicOrderingNotAtomic) {
        unsigned bytes = (unsigned)LLVMStoreSizeOfType(in->layout, type);
        LLVMValueRef word = instrument_hook(
            in, hooks_on_load, instrument_site(in, load, tags, bytes),
            WORDS(addr));
        instrument_replace(load, instrument_from_word(in, word, type));
        return;
    }
    LLVMValueRef copy = instrument_frame(in, type);
    LLVMPositionBuilderBefore(in->builder, load);
    instrument_hook(in, hooks_on_copy, instrument_site(in, load, tags, 0),
                    WORDS(LLVMBuildPtrToInt(in->builder, copy, in->i64, ""),
                          addr, type_bytes(in, type),
                          instrument_word(in, COPY_TO_NATIVE)));
    LLVMValueRef value = LLVMBuildLoad2(in->builder, type, copy, "");
    instrument_replace(load, instrument_swap(in, value, load));
}

static void rewrite_store(struct instrument *in, LLVMValueRef store)
{
    LLVMValueRef value = LLVMGetOperand(store, 0);
    LLVMValueRef pointer = LLVMGetOperand(store, 1);
    LLVMTypeRef type = LLVMTypeOf(value);
    LLVMAtomicOrdering order = LLVMGetOrdering(store);
    if (instrument_is_native(in, store, pointer, type_bytes(in, type))) {
        value = instrument_swap(in, value, store);
        LLVMSetOperand(store, 0, value);
        note_native_store(in, pointer, value);
        return;
    }
    if (order != LLVMAtomicOrderingNotAtomic && !check_atomic(in, store, type))
        return;
    uint64_t tags = order_tags(order, false, true);
    LLVMValueRef addr = instrument_to_word(in, pointer);
    if (instrument_is_word(in, type) || order != LLVMAtomicOrderingNotAtomic) {
        unsigned bytes = (unsigned)LLVMStoreSizeOfType(in->layout, type);
        instrument_hook(in, hooks_on_store,
                        instrument_site(in, store, tags, bytes),
                        WORDS(addr, instrument_to_word(in, value)));
    } else {
        LLVMValueRef copy = instrument_frame(in, type);
        LLVMPositionBuilderBefore(in->builder, store);
        LLVMBuildStore(in->builder, instrument_swap(in, value, store), copy);
        instrument_hook(
            in, hooks_on_copy, instrument_site(in, store, tags, 0),
            WORDS(addr, LLVMBuildPtrToInt(in->builder, copy, in->i64, ""),
                  type_bytes(in, type), instrument_word(in, COPY_FROM_NATIVE)));
    }
    instrument_replace(store, NULL);
}

static int site_op(LLVMAtomicRMWBinOp op)
{
    switch (op) {
    case LLVMAtomicRMWBinOpXchg:
        return OP_XCHG;
    case LLVMAtomicRMWBinOpAdd:
        return OP_ADD;
    case LLVMAtomicRMWBinOpSub:
        return OP_SUB;
    case LLVMAtomicRMWBinOpAnd:
        return OP_AND;
    case LLVMAtomicRMWBinOpNand:
        return OP_NAND;
    case LLVMAtomicRMWBinOpOr:
        return OP_OR;
    case LLVMAtomicRMWBinOpXor:
        return OP_XOR;
    case LLVMAtomicRMWBinOpMax:
        return OP_MAX;
    case LLVMAtomicRMWBinOpMin:
        return OP_MIN;
    case LLVMAtomicRMWBinOpUMax:
        return OP_UMAX;
    case LLVMAtomicRMWBinOpUMin:
        return OP_UMIN;
    case LLVMAtomicRMWBinOpFAdd:
        return OP_FADD;
    case LLVMAtomicRMWBinOpFSub:
        return OP_FSUB;
    case LLVMAtomicRMWBinOpFMax:
        return OP_FMAX;
    case LLVMAtomicRMWBinOpFMin:
        return OP_FMIN;
    default:
        return -1;
    }
}

static void rewrite_rmw(struct instrument *in, LLVMValueRef rmw)
{
    LLVMValueRef pointer = LLVMGetOperand(rmw, 0);
    LLVMValueRef operand = LLVMGetOperand(rmw, 1);
    LLVMTypeRef type = LLVMTypeOf(operand);
    LLVMAtomicOrdering order = LLVMGetOrdering(rmw);
    if (instrument_is_native(in, rmw, pointer, type_bytes(in, type))) {
        count_effect(in, instrument_word(in, 1));
        return;
    }
    if (!check_atomic(in, rmw, type))
        return;
    LLVMTypeKind kind = LLVMGetTypeKind(type);
    int op = site_op(LLVMGetAtomicRMWBinOp(rmw));
    if (op < 0 || (op >= OP_FADD && kind != LLVMFloatTypeKind &&
                   kind != LLVMDoubleTypeKind)) {
        instrument_fail(in, rmw, "atomic operation is not supported");
        return;
    }
    uint32_t site =
        instrument_site(in, rmw, order_tags(order, true, false),
                        (unsigned)LLVMStoreSizeOfType(in->layout, type));
    in->image->sites[site].op = (uint8_t)op;
    in->image->sites[site].tags_write =
        (uint32_t)order_tags(order, false, true);
    LLVMValueRef word = instrument_hook(in, hooks_on_rmw, site,
                                        WORDS(instrument_to_word(in, pointer),
                                              instrument_to_word(in, operand)));
    instrument_replace(rmw, instrument_from_word(in, word, type));
}

static void rewrite_cas(struct instrument *in, LLVMValueRef cas)
{
    LLVMValueRef pointer = LLVMGetOperand(cas, 0);
    LLVMValueRef expected = LLVMGetOperand(cas, 1);
    LLVMTypeRef type = LLVMTypeOf(expected);
    LLVMAtomicOrdering success = LLVMGetCmpXchgSuccessOrdering(cas);
    LLVMAtomicOrdering failure = LLVMGetCmpXchgFailureOrdering(cas);
    if (instrument_is_native(in, cas, pointer, type_bytes(in, type))) {
        count_effect(in, instrument_word(in, 1));
        return;
    }
    if (!check_atomic(in, cas, type))
        return;
    uint64_t tags = order_tags(success, true, false);
    uint64_t tags_fail = order_tags(failure, true, false);
    uint32_t site = instrument_site(
        in, cas, tags, (unsigned)LLVMStoreSizeOfType(in->layout, type));
    in->image->sites[site].tags_write =
        (uint32_t)order_tags(success, false, true);
    in->image->sites[site].tags_fail =
        tags == tags_fail ? 0 : (uint32_t)tags_fail;
    LLVMValueRef wanted = instrument_to_word(in, expected);
    LLVMValueRef word =
        instrument_hook(in, hooks_on_cas, site,
                        WORDS(instrument_to_word(in, pointer), wanted,
                              instrument_to_word(in, LLVMGetOperand(cas, 2))));
    LLVMValueRef equal =
        LLVMBuildICmp(in->builder, LLVMIntEQ, word, wanted, "");
    LLVMValueRef pair =
        LLVMBuildInsertValue(in->builder, LLVMConstNull(LLVMTypeOf(cas)),
                             instrument_from_word(in, word, type), 0, "");
    pair = LLVMBuildInsertValue(in->builder, pair, equal, 1, "");
    instrument_replace(cas, pair);
}

static void rewrite_fence(struct instrument *in, LLVMValueRef fence)
{
    /* A fence against signal handlers: there are none. */
    if (!LLVMIsAtomicSingleThread(fence)) {
        uint64_t tags = order_tags(LLVMGetOrdering(fence), true, true);
        if (LLVMGetOrdering(fence) == LLVMAtomicOrderingAcquire)
            tags = TAGS_ATOMIC(ACQ);
        if (LLVMGetOrdering(fence) == LLVMAtomicOrderingRelease)
            tags = TAGS_ATOMIC(REL);
        uint32_t site = instrument_site(in, fence, tags | TAG_BIT(TAG_F), 0);
        instrument_hook(in, hooks_on_fence, site, NO_WORDS);
    }
    instrument_replace(fence, NULL);
}

bool instrument_access(struct instrument *in, LLVMValueRef instruction)
{
    switch (LLVMGetInstructionOpcode(instruction)) {
    case LLVMLoad:
        rewrite_load(in, instruction);
        return true;
    case LLVMStore:
        rewrite_store(in, instruction);
        return true;
    case LLVMAtomicRMW:
        rewrite_rmw(in, instruction);
        return true;
    case LLVMAtomicCmpXchg:
        rewrite_cas(in, instruction);
        return true;
    case LLVMFence:
        rewrite_fence(in, instruction);
        return true;
    default:
        return false;
    }
}

void instrument_copy(struct instrument *in, LLVMValueRef call, bool fill)
{
    LLVMValueRef to = LLVMGetOperand(call, 0);
    LLVMValueRef from = LLVMGetOperand(call, 1);
    LLVMValueRef bytes = LLVMGetOperand(call, 2);
    uint64_t flags = 0;
    if (instrument_is_native(in, call, to, bytes))
        flags |= COPY_TO_NATIVE;
    if (!fill && instrument_is_native(in, call, from, bytes))
        flags |= COPY_FROM_NATIVE;
    instrument_hook(in, fill ? hooks_on_fill : hooks_on_copy,
                    instrument_site(in, call, TAG_BIT(TAG_NA), 0),
                    WORDS(LLVMBuildPtrToInt(in->builder, to, in->i64, ""),
                          instrument_to_word(in, from),
                          LLVMBuildIntCast2(in->builder, bytes, in->i64, 0, ""),
                          instrument_word(in, flags)));
    instrument_replace(call, NULL);
}
