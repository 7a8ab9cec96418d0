/* Loops: at each header the runtime is told whether the loop was entered or
 * goes round again, and whether the values that it carries from iteration to
 * iteration are what they were. In SSA form those are the PHIs of the header:
 * nothing else defined in the loop reaches the next iteration, except through
 * memory, which the runtime watches. That needs a header through which every
 * round passes, so loops with several entries only get their rounds counted. */
#include "frontend/source/instrument_module.h"

#include "core/mem.h"
#include "frontend/source/hooks_library.h"

#include <llvm-c/DebugInfo.h>

#include <stdlib.h>
#include <string.h>

struct graph_of_blocks {
    struct instrument *in;
    uint32_t *order;     /* blocks reached, in reverse postorder */
    uint32_t *position;  /* of each block in it; UINT32_MAX: not reached */
    uint32_t *dominator; /* of each, as position */
    uint32_t n;
};

static int by_address(const void *a, const void *b)
{
    uintptr_t x = (uintptr_t)((const struct block_number *)a)->block;
    uintptr_t y = (uintptr_t)((const struct block_number *)b)->block;
    return x < y ? -1 : x > y;
}

static uint32_t block_index(const struct instrument *in, LLVMBasicBlockRef b)
{
    struct block_number key = {b, 0};
    const struct block_number *found = bsearch(&key, in->numbers, in->n_blocks,
                                               sizeof *in->numbers, by_address);
    return found ? found->number : UINT32_MAX;
}

static unsigned n_successors(const struct instrument *in, uint32_t block)
{
    return LLVMGetNumSuccessors(LLVMGetBasicBlockTerminator(in->blocks[block]));
}

static uint32_t successor(const struct instrument *in, uint32_t block,
                          unsigned i)
{
    return block_index(
        in,
        LLVMGetSuccessor(LLVMGetBasicBlockTerminator(in->blocks[block]), i));
}

/* LLVM's C interface has no predecessors. */
static void find_edges(struct instrument *in)
{
    uint32_t n = in->n_blocks;
    uint32_t *at = mem_resize(in->first_edge, (n + 2) * sizeof *at);
    in->first_edge = at;
    memset(at, 0, (n + 2) * sizeof *at);
    for (uint32_t b = 0; b < n; b++)
        for (unsigned k = 0; k < n_successors(in, b); k++)
            at[successor(in, b, k) + 2]++;
    for (uint32_t b = 0; b < n; b++)
        at[b + 2] += at[b + 1];
    in->before = mem_resize(in->before, (at[n + 1] + 1) * sizeof *in->before);
    /* at[b + 1] is where the next edge to b goes: in the end, where they end */
    for (uint32_t b = 0; b < n; b++)
        for (unsigned k = 0; k < n_successors(in, b); k++)
            in->before[at[successor(in, b, k) + 1]++] = b;
}

static void sort_blocks(struct graph_of_blocks *g)
{
    struct instrument *in = g->in;
    uint32_t n = in->n_blocks, depth = 0, done = n;
    uint32_t *stack = mem_resize(NULL, n * sizeof *stack);
    unsigned *next = mem_resize(NULL, n * sizeof *next);
    bool *seen = mem_resize(NULL, n * sizeof *seen);
    memset(seen, 0, n * sizeof *seen);
    memset(next, 0, n * sizeof *next);
    stack[depth++] = 0;
    seen[0] = true;
    while (depth > 0) {
        uint32_t b = stack[depth - 1];
        if (next[b] == n_successors(in, b)) {
            g->order[--done] = b;
            depth--;
            continue;
        }
        uint32_t s = successor(in, b, next[b]++);
        if (!seen[s]) {
            seen[s] = true;
            stack[depth++] = s;
        }
    }
    g->n = n - done;
    memmove(g->order, g->order + done, g->n * sizeof *g->order);
    for (uint32_t i = 0; i < n; i++)
        g->position[i] = UINT32_MAX;
    for (uint32_t i = 0; i < g->n; i++)
        g->position[g->order[i]] = i;
    free(stack);
    free(next);
    free(seen);
}

static uint32_t common(const struct graph_of_blocks *g, uint32_t a, uint32_t b)
{
    while (a != b) {
        if (a > b)
            a = g->dominator[a];
        else
            b = g->dominator[b];
    }
    return a;
}

/* Lets an edge count; true: that changed something. */
static bool add_edge(struct graph_of_blocks *g, uint32_t from, uint32_t block)
{
    uint32_t to = g->position[block], old = g->dominator[to];
    uint32_t d = old == UINT32_MAX ? from : common(g, old, from);
    if (to == 0 || d == old)
        return false;
    g->dominator[to] = d;
    return true;
}

/* Cooper, Harvey, Kennedy: A Simple, Fast Dominance Algorithm, which here
 * pushes along successors. */
static void find_dominators(struct graph_of_blocks *g)
{
    for (uint32_t i = 0; i < g->n; i++)
        g->dominator[i] = UINT32_MAX;
    g->dominator[0] = 0;
    for (bool changed = true; changed;) {
        changed = false;
        for (uint32_t i = 0; i < g->n; i++)
            for (unsigned k = 0; k < n_successors(g->in, g->order[i]); k++)
                changed |= add_edge(g, i, successor(g->in, g->order[i], k));
    }
}

static bool dominates(const struct graph_of_blocks *g, uint32_t a, uint32_t b)
{
    while (b > a)
        b = g->dominator[b];
    return a == b;
}

/* All blocks from which `latch` is reached without passing the header. */
static void add_body(const struct graph_of_blocks *g, struct loop *l,
                     uint32_t latch)
{
    const struct instrument *in = g->in;
    uint32_t *stack = mem_resize(NULL, g->n * sizeof *stack), depth = 0;
    l->n_body += !l->body[l->block];
    l->body[l->block] = true;
    if (!l->body[latch])
        stack[depth++] = latch;
    l->n_body += depth;
    l->body[latch] = true;
    while (depth > 0) {
        uint32_t b = stack[--depth];
        for (uint32_t e = in->first_edge[b]; e < in->first_edge[b + 1]; e++) {
            uint32_t from = in->before[e];
            if (l->body[from] || g->position[from] == UINT32_MAX)
                continue;
            l->body[from] = true;
            l->n_body++;
            stack[depth++] = from;
        }
    }
    free(stack);
}

static struct loop *loop_at(struct instrument *in, uint32_t header)
{
    for (uint32_t i = 0; i < in->n_loops; i++)
        if (in->loops[i].block == header)
            return &in->loops[i];
    in->loops =
        mem_room(in->loops, in->n_loops, &in->loops_cap, sizeof *in->loops);
    struct loop *l = &in->loops[in->n_loops++];
    *l = (struct loop){.block = header, .reducible = true};
    l->body = mem_resize(NULL, in->n_blocks * sizeof *l->body);
    memset(l->body, 0, in->n_blocks * sizeof *l->body);
    return l;
}

static void find_loops(struct instrument *in)
{
    struct graph_of_blocks g = {.in = in};
    size_t bytes = in->n_blocks * sizeof *g.order;
    g.order = mem_resize(NULL, bytes);
    g.position = mem_resize(NULL, bytes);
    g.dominator = mem_resize(NULL, bytes);
    sort_blocks(&g);
    find_dominators(&g);
    for (uint32_t i = 0; i < g.n; i++) {
        for (unsigned k = 0; k < n_successors(in, g.order[i]); k++) {
            uint32_t to = g.position[successor(in, g.order[i], k)];
            if (to > i)
                continue;
            struct loop *l = loop_at(in, g.order[to]);
            l->reducible = l->reducible && dominates(&g, to, i);
            add_body(&g, l, g.order[i]);
        }
    }
    free(g.order);
    free(g.position);
    free(g.dominator);
}

/* The bits of a PHI's value as integers that can be compared. */
static LLVMValueRef comparable(struct instrument *in, LLVMValueRef phi)
{
    LLVMTypeRef type = LLVMTypeOf(phi);
    if (instrument_is_word(in, type))
        return instrument_to_word(in, phi);
    switch (LLVMGetTypeKind(type)) {
    case LLVMIntegerTypeKind:
        return phi;
    case LLVMVectorTypeKind:
    case LLVMX86_FP80TypeKind:
    case LLVMFP128TypeKind:
        return LLVMBuildBitCast(
            in->builder, phi,
            LLVMIntTypeInContext(
                in->context, (unsigned)LLVMSizeOfTypeInBits(in->layout, type)),
            "");
    default:
        return NULL;
    }
}

static LLVMValueRef first_after_phis(LLVMBasicBlockRef block)
{
    LLVMValueRef i = LLVMGetFirstInstruction(block);
    while (LLVMIsAPHINode(i))
        i = LLVMGetNextInstruction(i);
    return i;
}

/* 1 when the header was reached from inside the loop. */
static LLVMValueRef build_again(struct instrument *in, const struct loop *l)
{
    LLVMBasicBlockRef header = in->blocks[l->block];
    LLVMPositionBuilderBeforeInstrAndDbgRecords(
        in->builder, LLVMGetFirstInstruction(header));
    LLVMValueRef again = LLVMBuildPhi(in->builder, in->i64, "");
    for (uint32_t e = in->first_edge[l->block];
         e < in->first_edge[l->block + 1]; e++) {
        LLVMValueRef value = instrument_word(in, l->body[in->before[e]]);
        LLVMAddIncoming(again, &value, &in->blocks[in->before[e]], 1);
    }
    return again;
}

/* Those that instrument_loops found before the header got our own code. */
static bool is_idle(const struct loop *l, LLVMValueRef phi)
{
    for (uint32_t i = 0; i < l->n_idle; i++)
        if (l->idle[i] == phi)
            return true;
    return false;
}

static void find_idle(struct instrument *in, struct loop *l)
{
    for (LLVMValueRef phi = LLVMGetFirstInstruction(in->blocks[l->block]);
         LLVMIsAPHINode(phi); phi = LLVMGetNextInstruction(phi)) {
        if (!instrument_is_idle(in, l, phi))
            continue;
        l->idle =
            mem_room(l->idle, l->n_idle, &l->idle_cap, sizeof(LLVMValueRef));
        l->idle[l->n_idle++] = phi;
    }
}

/* LOOP_SAME when no PHI has changed since the last arrival. */
static LLVMValueRef build_same(struct instrument *in, const struct loop *l,
                               LLVMValueRef again)
{
    LLVMValueRef same = LLVMConstInt(in->i1, l->reducible, 0);
    LLVMBasicBlockRef header = in->blocks[l->block];
    LLVMValueRef position = first_after_phis(header);
    for (LLVMValueRef phi = LLVMGetFirstInstruction(header);
         LLVMIsAPHINode(phi); phi = LLVMGetNextInstruction(phi)) {
        if (phi == again || is_idle(l, phi))
            continue;
        LLVMPositionBuilderBefore(in->builder, position);
        LLVMValueRef now = comparable(in, phi);
        if (!now)
            return LLVMConstNull(in->i1);
        LLVMValueRef slot = instrument_frame(in, LLVMTypeOf(now));
        LLVMPositionBuilderBefore(in->builder, position);
        LLVMValueRef old =
            LLVMBuildLoad2(in->builder, LLVMTypeOf(now), slot, "");
        same = LLVMBuildAnd(in->builder, same,
                            LLVMBuildICmp(in->builder, LLVMIntEQ, old, now, ""),
                            "");
        LLVMBuildStore(in->builder, now, slot);
    }
    return same;
}

/* The same address whenever both are computed? */
static bool same_pointer(LLVMValueRef a, LLVMValueRef b)
{
    if (a == b)
        return true;
    if (!LLVMIsAGetElementPtrInst(a) || !LLVMIsAGetElementPtrInst(b) ||
        LLVMGetNumOperands(a) != LLVMGetNumOperands(b) ||
        LLVMGetGEPSourceElementType(a) != LLVMGetGEPSourceElementType(b) ||
        !same_pointer(LLVMGetOperand(a, 0), LLVMGetOperand(b, 0)))
        return false;
    for (unsigned i = 1; i < (unsigned)LLVMGetNumOperands(a); i++)
        if (LLVMGetOperand(a, i) != LLVMGetOperand(b, i))
            return false;
    return true;
}

/* The weaker, the smaller; only reads have these. */
static int strength(LLVMAtomicOrdering order)
{
    switch (order) {
    case LLVMAtomicOrderingUnordered:
    case LLVMAtomicOrderingMonotonic:
        return 0;
    case LLVMAtomicOrderingAcquire:
        return 1;
    default:
        return 2;
    }
}

/* If `value` is what an atomic read returned: its address and order. Of a
 * compare-exchange only failures matter, success is an effect. */
static LLVMValueRef read_of(LLVMValueRef value, LLVMAtomicOrdering *order)
{
    if (LLVMIsALoadInst(value)) {
        *order = LLVMGetOrdering(value);
        return *order == LLVMAtomicOrderingNotAtomic ? NULL
                                                     : LLVMGetOperand(value, 0);
    }
    if (!LLVMIsAExtractValueInst(value) || LLVMGetIndices(value)[0] != 0 ||
        !LLVMIsAAtomicCmpXchgInst(LLVMGetOperand(value, 0)))
        return NULL;
    value = LLVMGetOperand(value, 0);
    *order = LLVMGetCmpXchgFailureOrdering(value);
    return LLVMGetOperand(value, 0);
}

struct carried {
    LLVMValueRef phi;     /* of the header */
    LLVMValueRef pointer; /* that it is read through; NULL: it never changes */
    LLVMAtomicOrdering order;
};

/* Is `value`, which reaches the header again, the PHI itself or read through
 * the pointer, at least as strongly ordered as the first time? */
static bool is_carried(const struct carried *c, LLVMValueRef value, int depth)
{
    if (value == c->phi)
        return true;
    if (LLVMIsAPHINode(value) && depth < 8) {
        for (unsigned i = 0; i < LLVMCountIncoming(value); i++)
            if (!is_carried(c, LLVMGetIncomingValue(value, i), depth + 1))
                return false;
        return true;
    }
    LLVMAtomicOrdering order;
    LLVMValueRef pointer = c->pointer ? read_of(value, &order) : NULL;
    return pointer && same_pointer(pointer, c->pointer) &&
           strength(order) >= strength(c->order);
}

/* See hooks_on_loop: the one address whose last value is all that the loop
 * carries on; NULL: there is more to it. */
static LLVMValueRef find_waited(struct instrument *in, const struct loop *l,
                                LLVMValueRef again)
{
    LLVMValueRef waited = NULL;
    for (LLVMValueRef phi = LLVMGetFirstInstruction(in->blocks[l->block]);
         LLVMIsAPHINode(phi); phi = LLVMGetNextInstruction(phi)) {
        if (phi == again || is_idle(l, phi))
            continue;
        struct carried c = {.phi = phi};
        unsigned n_entries = 0;
        for (unsigned i = 0; i < LLVMCountIncoming(phi); i++) {
            if (l->body[block_index(in, LLVMGetIncomingBlock(phi, i))])
                continue;
            c.pointer = read_of(LLVMGetIncomingValue(phi, i), &c.order);
            n_entries++;
        }
        bool unchanged = true, carried = true;
        struct carried same = {.phi = phi};
        for (unsigned i = 0; i < LLVMCountIncoming(phi); i++) {
            if (!l->body[block_index(in, LLVMGetIncomingBlock(phi, i))])
                continue;
            LLVMValueRef value = LLVMGetIncomingValue(phi, i);
            unchanged = unchanged && is_carried(&same, value, 0);
            carried = carried && is_carried(&c, value, 0);
        }
        if (unchanged)
            continue;
        if (!carried || waited || n_entries != 1)
            return NULL;
        waited = c.pointer;
    }
    return l->reducible ? waited : NULL;
}

static void rewrite_header(struct instrument *in, struct loop *l)
{
    LLVMBasicBlockRef header = in->blocks[l->block];
    LLVMValueRef first = first_after_phis(header);
    LLVMValueRef at = LLVMGetBasicBlockTerminator(header);
    for (LLVMValueRef i = first; i; i = LLVMGetNextInstruction(i)) {
        if (LLVMInstructionGetDebugLoc(i)) {
            at = i;
            break;
        }
    }
    uint32_t site = instrument_site(in, at, 0, 0);
    place_id place = in->image->sites[site].place;
    size_t n;
    uint32_t function =
        place == PLACE_NONE
            ? program_text(in->program, LLVMGetValueName2(in->function, &n))
            : in->program->places[place].function;
    l->number = image_add_loop(in->image, (struct image_loop){place, function});
    l->frame = instrument_frame(
        in, LLVMArrayType2(in->i64, sizeof(struct hooks_loop) / 8));
    LLVMValueRef again = build_again(in, l);
    LLVMValueRef same = build_same(in, l, again);
    LLVMValueRef waited = find_waited(in, l, again);
    LLVMPositionBuilderBefore(in->builder, first);
    LLVMValueRef flags = LLVMBuildOr(
        in->builder, again,
        LLVMBuildShl(in->builder, LLVMBuildZExt(in->builder, same, in->i64, ""),
                     instrument_word(in, 1), ""),
        "");
    instrument_hook(in, hooks_on_loop, site,
                    WORDS(LLVMBuildPtrToInt(in->builder, l->frame, in->i64, ""),
                          instrument_word(in, l->number), flags,
                          waited ? instrument_to_word(in, waited) : NULL));
}

void instrument_loops(struct instrument *in)
{
    in->n_blocks = 0;
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(in->function); b;
         b = LLVMGetNextBasicBlock(b)) {
        in->blocks = mem_room(in->blocks, in->n_blocks, &in->blocks_cap,
                              sizeof(LLVMBasicBlockRef));
        in->blocks[in->n_blocks++] = b;
    }
    in->numbers = mem_resize(in->numbers, in->n_blocks * sizeof *in->numbers);
    for (uint32_t i = 0; i < in->n_blocks; i++)
        in->numbers[i] = (struct block_number){in->blocks[i], i};
    qsort(in->numbers, in->n_blocks, sizeof *in->numbers, by_address);
    find_edges(in);
    instrument_loops_release(in);
    find_loops(in);
    for (uint32_t i = 0; i < in->n_loops; i++)
        find_idle(in, &in->loops[i]);
    for (uint32_t i = 0; i < in->n_loops; i++)
        rewrite_header(in, &in->loops[i]);
}

void instrument_loops_release(struct instrument *in)
{
    for (uint32_t i = 0; i < in->n_loops; i++) {
        free(in->loops[i].body);
        free(in->loops[i].idle);
    }
    in->n_loops = 0;
}

/* A bound stands in the body of its loop or right before it. */
const struct loop *instrument_loop_of(struct instrument *in,
                                      LLVMValueRef instruction)
{
    uint32_t at = block_index(in, LLVMGetInstructionParent(instruction));
    uint32_t b = at;
    for (int steps = 0; steps < 4 && n_successors(in, b) == 1; steps++) {
        b = successor(in, b, 0);
        for (uint32_t i = 0; i < in->n_loops; i++)
            if (in->loops[i].block == b)
                return &in->loops[i];
    }
    const struct loop *best = NULL;
    for (uint32_t i = 0; i < in->n_loops; i++)
        if (in->loops[i].body[at] &&
            (!best || in->loops[i].n_body < best->n_body))
            best = &in->loops[i];
    return best;
}
