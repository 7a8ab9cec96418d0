/* Values that a loop carries from iteration to iteration but that decide
 * nothing beyond how long it takes: a count of tries that nobody looks at, the
 * length of a back-off. An iteration that changes only these can be left out
 * like one that changes nothing.
 *
 * A value is idle if all that is computed from it is, stays in the loop, and
 * meets no memory, no call and no other effect. It may be branched on where
 * both ways come together again within the loop and do nothing on their way
 * but compute, pause and yield; then whatever is computed there, or chosen
 * between the two, must be idle as well. How many tries there may be is not
 * idle: that branch leaves the loop. */
#include "frontend/source/instrument_module.h"
#include "hw/isa.h"

#include "core/mem.h"

#include <stdlib.h>
#include <string.h>

struct idle {
    struct instrument *in;
    const struct loop *loop;
    LLVMValueRef *values; /* to be idle */
    uint32_t n, cap;
    bool *seen; /* blocks of the region at hand */
};

static void add(struct idle *s, LLVMValueRef value)
{
    for (uint32_t i = 0; i < s->n; i++)
        if (s->values[i] == value)
            return;
    s->values = mem_room(s->values, s->n, &s->cap, sizeof(LLVMValueRef));
    s->values[s->n++] = value;
}

static uint32_t index_of(const struct idle *s, LLVMBasicBlockRef block)
{
    uint32_t i = 0;
    while (s->in->blocks[i] != block)
        i++;
    return i;
}

static bool is_pause(LLVMValueRef call)
{
    static const char *const names[] = {
        "sched_yield",
        "thrd_yield",
        "pthread_yield",
        "usleep",
    };
    LLVMValueRef callee = LLVMGetCalledValue(call);
    size_t n;
    if (!LLVMIsAFunction(callee))
        return false;
    const char *name = LLVMGetValueName2(callee, &n);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(name, names[i]) == 0)
            return true;
    return isa_is_pause(name) || strncmp(name, "llvm.dbg.", 9) == 0;
}

static bool is_choice(LLVMValueRef call)
{
    static const char *const names[] = {"llvm.umin.", "llvm.umax.",
                                        "llvm.smin.", "llvm.smax."};
    LLVMValueRef callee = LLVMGetCalledValue(call);
    size_t n;
    if (!LLVMIsAFunction(callee))
        return false;
    const char *name = LLVMGetValueName2(callee, &n);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strncmp(name, names[i], strlen(names[i])) == 0)
            return true;
    return false;
}

/* Can anything be divided by it? */
static bool divides(LLVMValueRef by)
{
    return LLVMIsAConstantInt(by) &&
           LLVMGetIntTypeWidth(LLVMTypeOf(by)) <= 64 &&
           LLVMConstIntGetSExtValue(by) != 0 &&
           LLVMConstIntGetSExtValue(by) != -1;
}

/* Does it compute a value, and nothing else? */
static bool computes(LLVMValueRef i)
{
    switch (LLVMGetInstructionOpcode(i)) {
    case LLVMPHI:
    case LLVMAdd:
    case LLVMSub:
    case LLVMMul:
    case LLVMShl:
    case LLVMLShr:
    case LLVMAShr:
    case LLVMAnd:
    case LLVMOr:
    case LLVMXor:
    case LLVMICmp:
    case LLVMSelect:
    case LLVMFreeze:
    case LLVMTrunc:
    case LLVMZExt:
    case LLVMSExt:
        return true;
    case LLVMUDiv:
    case LLVMURem:
    case LLVMSDiv:
    case LLVMSRem:
        return divides(LLVMGetOperand(i, 1));
    case LLVMCall:
        return is_choice(i);
    default:
        return false;
    }
}

static bool is_idle_block(LLVMBasicBlockRef block)
{
    for (LLVMValueRef i = LLVMGetFirstInstruction(block); i;
         i = LLVMGetNextInstruction(i)) {
        LLVMOpcode op = LLVMGetInstructionOpcode(i);
        if (!computes(i) && op != LLVMBr && !(op == LLVMCall && is_pause(i)))
            return false;
    }
    return true;
}

/* Marks what is reached from `block` before `join`; false: that is not idle, or
 * leaves the loop or the iteration. */
static bool walk(struct idle *s, uint32_t block, uint32_t join)
{
    if (block == join || s->seen[block])
        return true;
    if (!s->loop->body[block] || block == s->loop->block ||
        !is_idle_block(s->in->blocks[block]))
        return false;
    s->seen[block] = true;
    LLVMValueRef end = LLVMGetBasicBlockTerminator(s->in->blocks[block]);
    for (unsigned i = 0; i < LLVMGetNumSuccessors(end); i++)
        if (!walk(s, index_of(s, LLVMGetSuccessor(end, i)), join))
            return false;
    return true;
}

static void add_values(struct idle *s, LLVMBasicBlockRef block, bool phis)
{
    for (LLVMValueRef i = LLVMGetFirstInstruction(block); i;
         i = LLVMGetNextInstruction(i))
        if (phis ? LLVMIsAPHINode(i) != NULL : computes(i))
            add(s, i);
}

/* Do the ways from this branch come together at `join`? */
static bool is_delay_to(struct idle *s, LLVMValueRef branch, uint32_t join)
{
    memset(s->seen, 0, s->in->n_blocks * sizeof *s->seen);
    if (!s->loop->body[join])
        return false;
    for (unsigned i = 0; i < LLVMGetNumSuccessors(branch); i++)
        if (!walk(s, index_of(s, LLVMGetSuccessor(branch, i)), join))
            return false;
    return true;
}

/* The branch decides nothing but a delay. What it decides the values of must be
 * idle, too. */
static bool is_delay(struct idle *s, LLVMValueRef branch)
{
    for (uint32_t join = 0; join < s->in->n_blocks; join++) {
        if (!is_delay_to(s, branch, join))
            continue;
        for (uint32_t b = 0; b < s->in->n_blocks; b++)
            if (s->seen[b])
                add_values(s, s->in->blocks[b], false);
        add_values(s, s->in->blocks[join], true);
        return true;
    }
    return false;
}

static bool is_idle_use(struct idle *s, LLVMValueRef user)
{
    if (!LLVMIsAInstruction(user) ||
        !s->loop->body[index_of(s, LLVMGetInstructionParent(user))])
        return false;
    if (LLVMIsABranchInst(user))
        return is_delay(s, user);
    if (!computes(user))
        return false;
    add(s, user);
    return true;
}

bool instrument_is_idle(struct instrument *in, const struct loop *l,
                        LLVMValueRef phi)
{
    struct idle s = {.in = in, .loop = l};
    s.seen = mem_resize(NULL, in->n_blocks * sizeof *s.seen);
    add(&s, phi);
    bool idle = l->reducible;
    for (uint32_t i = 0; idle && i < s.n; i++)
        for (LLVMUseRef u = LLVMGetFirstUse(s.values[i]); idle && u;
             u = LLVMGetNextUse(u))
            idle = is_idle_use(&s, LLVMGetUser(u));
    free(s.values);
    free(s.seen);
    return idle;
}
