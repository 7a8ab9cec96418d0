/* One access as inline assembly. */
#include "core/mem.h"
#include "frontend/target/lower.h"

#include <llvm-c/Core.h>
#include <llvm-c/DebugInfo.h>

#include <stdlib.h>
#include <string.h>

/* An access of the program and what a template can speak of. */
struct access {
    LLVMValueRef instruction, pointer, operand, expected;
    LLVMTypeRef type; /* of the value; NULL: a fence */
    struct map_key key;
};

struct lowering {
    const struct mapping *m;
    const struct lower_options *options;
    LLVMContextRef context;
    LLVMBuilderRef builder;
    bool has_plain;
    struct err *err;
};

/* Clang may have cut the name of the input: then it is written as given. */
void lower_place(const struct lower_options *o, LLVMValueRef instruction,
                 char *buf, size_t cap)
{
    char file[300] = "";
    unsigned n = 0;
    const char *text = LLVMGetDebugLocFilename(instruction, &n);
    size_t n_input = strlen(o->input);
    if (n > 0 && n <= n_input && memcmp(o->input + n_input - n, text, n) == 0)
        snprintf(file, sizeof file, "%s:", o->input);
    else if (n > 0)
        snprintf(file, sizeof file, "%.*s:", (int)n, text);
    snprintf(buf, cap, "%s%u", file[0] ? file : "line ",
             LLVMGetDebugLocLine(instruction));
}

/* ---- what an instruction is */

static enum map_order order_of(LLVMAtomicOrdering o)
{
    switch (o) {
    case LLVMAtomicOrderingNotAtomic:
        return MAP_PLAIN;
    case LLVMAtomicOrderingUnordered:
    case LLVMAtomicOrderingMonotonic:
        return MAP_RELAXED;
    case LLVMAtomicOrderingAcquire:
        return MAP_ACQUIRE;
    case LLVMAtomicOrderingRelease:
        return MAP_RELEASE;
    case LLVMAtomicOrderingAcquireRelease:
        return MAP_ACQ_REL;
    case LLVMAtomicOrderingSequentiallyConsistent:
        return MAP_SEQ_CST;
    }
    return MAP_SEQ_CST;
}

/* MAP_OPS: no operation of ours. */
static enum map_op rmw_of(LLVMAtomicRMWBinOp op)
{
    switch (op) {
    case LLVMAtomicRMWBinOpXchg:
        return MAP_EXCHANGE;
    case LLVMAtomicRMWBinOpAdd:
        return MAP_FETCH_ADD;
    case LLVMAtomicRMWBinOpSub:
        return MAP_FETCH_SUB;
    case LLVMAtomicRMWBinOpAnd:
        return MAP_FETCH_AND;
    case LLVMAtomicRMWBinOpNand:
        return MAP_FETCH_NAND;
    case LLVMAtomicRMWBinOpOr:
        return MAP_FETCH_OR;
    case LLVMAtomicRMWBinOpXor:
        return MAP_FETCH_XOR;
    case LLVMAtomicRMWBinOpMax:
        return MAP_FETCH_MAX;
    case LLVMAtomicRMWBinOpMin:
        return MAP_FETCH_MIN;
    case LLVMAtomicRMWBinOpUMax:
        return MAP_FETCH_UMAX;
    case LLVMAtomicRMWBinOpUMin:
        return MAP_FETCH_UMIN;
    default:
        return MAP_OPS;
    }
}

/* Does it write back what it read, whatever that is? */
static bool is_idempotent(enum map_op op, LLVMValueRef operand)
{
    if (op == MAP_FETCH_ADD || op == MAP_FETCH_SUB || op == MAP_FETCH_OR ||
        op == MAP_FETCH_XOR)
        return LLVMIsAConstantInt(operand) && LLVMIsNull(operand);
    return op == MAP_FETCH_AND && LLVMIsAConstantInt(operand) &&
           operand == LLVMConstAllOnes(LLVMTypeOf(operand));
}

/* Bits of a value that fits a register, else 0. */
static unsigned bits_of(LLVMTypeRef type)
{
    switch (LLVMGetTypeKind(type)) {
    case LLVMIntegerTypeKind:
        return LLVMGetIntTypeWidth(type);
    case LLVMHalfTypeKind:
    case LLVMBFloatTypeKind:
        return 16;
    case LLVMFloatTypeKind:
        return 32;
    case LLVMDoubleTypeKind:
    case LLVMPointerTypeKind:
        return 64;
    default:
        return 0;
    }
}

/* False: a width that no row can have. */
static bool set_width(struct access *a)
{
    unsigned bits = bits_of(a->type);
    for (a->key.width = 0; a->key.width < MAP_WIDTHS; a->key.width++)
        if (8u << a->key.width == bits)
            return true;
    return false;
}

/* ---- private memory */

static LLVMValueRef underlying(LLVMValueRef pointer)
{
    for (;;) {
        bool derived = LLVMIsAGetElementPtrInst(pointer) ||
                       LLVMIsABitCastInst(pointer) ||
                       (LLVMIsAConstantExpr(pointer) &&
                        LLVMGetConstOpcode(pointer) == LLVMGetElementPtr);
        if (!derived)
            return pointer;
        pointer = LLVMGetOperand(pointer, 0);
    }
}

/* Does the address go anywhere but to accesses of this function? */
static bool escapes(LLVMValueRef address)
{
    for (LLVMUseRef use = LLVMGetFirstUse(address); use;
         use = LLVMGetNextUse(use)) {
        LLVMValueRef user = LLVMGetUser(use);
        bool derives =
            LLVMIsAGetElementPtrInst(user) || LLVMIsABitCastInst(user);
        bool accesses =
            LLVMIsALoadInst(user) || LLVMIsAMemIntrinsic(user) ||
            LLVMIsADbgInfoIntrinsic(user) ||
            (LLVMIsAStoreInst(user) && LLVMGetOperand(user, 0) != address) ||
            (LLVMIsACallInst(user) &&
             LLVMGetIntrinsicID(LLVMGetCalledValue(user)) != 0);
        if (derives ? escapes(user) : !accesses)
            return true;
    }
    return false;
}

static bool is_private(LLVMValueRef pointer)
{
    LLVMValueRef object = underlying(pointer);
    if (LLVMIsAGlobalVariable(object))
        return LLVMIsGlobalConstant(object);
    return LLVMIsAAllocaInst(object) && !escapes(object);
}

/* ---- accesses of a module */

static bool is_mapped_plain(const struct lowering *l, LLVMValueRef i,
                            LLVMValueRef pointer)
{
    return l->has_plain && !LLVMGetVolatile(i) && !is_private(pointer);
}

/* Fills *a if the instruction is to be replaced. */
static bool classify(const struct lowering *l, LLVMValueRef i, struct access *a)
{
    *a = (struct access){.instruction = i};
    if (LLVMIsALoadInst(i)) {
        a->key.op = MAP_LOAD;
        a->key.order = order_of(LLVMGetOrdering(i));
        a->pointer = LLVMGetOperand(i, 0);
        a->type = LLVMTypeOf(i);
    } else if (LLVMIsAStoreInst(i)) {
        a->key.op = MAP_STORE;
        a->key.order = order_of(LLVMGetOrdering(i));
        a->operand = LLVMGetOperand(i, 0);
        a->pointer = LLVMGetOperand(i, 1);
        a->type = LLVMTypeOf(a->operand);
    } else if (LLVMIsAAtomicRMWInst(i)) {
        a->key.op = rmw_of(LLVMGetAtomicRMWBinOp(i));
        a->key.order = order_of(LLVMGetOrdering(i));
        a->key.unused = LLVMGetFirstUse(i) == NULL;
        a->pointer = LLVMGetOperand(i, 0);
        a->operand = LLVMGetOperand(i, 1);
        a->type = LLVMTypeOf(i);
        return true;
    } else if (LLVMIsAAtomicCmpXchgInst(i)) {
        a->key.op = MAP_CAS;
        a->key.order = order_of(LLVMGetCmpXchgSuccessOrdering(i));
        a->key.failure = order_of(LLVMGetCmpXchgFailureOrdering(i));
        a->pointer = LLVMGetOperand(i, 0);
        a->expected = LLVMGetOperand(i, 1);
        a->operand = LLVMGetOperand(i, 2);
        a->type = LLVMTypeOf(a->operand);
        return true;
    } else if (LLVMIsAFenceInst(i)) {
        a->key.op = MAP_FENCE;
        a->key.order = order_of(LLVMGetOrdering(i));
        return !LLVMIsAtomicSingleThread(i);
    } else
        return false;
    return a->key.order != MAP_PLAIN || is_mapped_plain(l, i, a->pointer);
}

/* ---- the assembly of one access */

struct assembly {
    const struct isa_assembly *dialect;
    char text[3 * MAP_TEMPLATE_MAX];
    size_t n_text;
    char constraints[300];
    int numbers[128]; /* of placeholders, -1: not used */
    LLVMTypeRef outputs[8], inputs[8];
    LLVMValueRef values[8];
    unsigned n_outputs, n_inputs;
};

static void put(struct assembly *s, const char *text)
{
    size_t n = strlen(text);
    if (s->n_text + n < sizeof s->text) {
        memcpy(s->text + s->n_text, text, n + 1);
        s->n_text += n;
    }
}

static void add_constraint(struct assembly *s, const char *prefix,
                           const char *what)
{
    size_t n = strlen(s->constraints);
    snprintf(s->constraints + n, sizeof s->constraints - n, "%s%s%s",
             n ? "," : "", prefix, what);
}

static void add_output(struct assembly *s, char name, const char *constraint,
                       LLVMTypeRef type)
{
    s->numbers[(int)name] = (int)s->n_outputs;
    s->outputs[s->n_outputs++] = type;
    /* An input may be needed after it was written. */
    add_constraint(s, "=&", constraint);
}

/* All outputs must have been added. */
static void add_input(struct assembly *s, char name, const char *constraint,
                      LLVMValueRef value)
{
    s->numbers[(int)name] = (int)(s->n_outputs + s->n_inputs);
    s->inputs[s->n_inputs] = LLVMTypeOf(value);
    s->values[s->n_inputs++] = value;
    add_constraint(s, "", constraint);
}

/* An integer of the access's width as the register holds it. */
static LLVMValueRef to_register(const struct lowering *l,
                                const struct access *a,
                                const struct isa_assembly *d,
                                LLVMValueRef value)
{
    LLVMTypeRef narrow = LLVMIntTypeInContext(l->context, 8u << a->key.width);
    LLVMTypeRef type = LLVMTypeOf(value);
    if (LLVMGetTypeKind(type) == LLVMPointerTypeKind)
        value = LLVMBuildPtrToInt(l->builder, value, narrow, "");
    else if (type != narrow)
        value = LLVMBuildBitCast(l->builder, value, narrow, "");
    unsigned bits = 8u << a->key.width;
    if (bits >= d->register_bits)
        return value;
    LLVMTypeRef wide = LLVMIntTypeInContext(l->context, d->register_bits);
    bool is_signed = a->key.op == MAP_FETCH_MAX || a->key.op == MAP_FETCH_MIN ||
                     (bits == 32 && d->extends_signed);
    return is_signed ? LLVMBuildSExt(l->builder, value, wide, "")
                     : LLVMBuildZExt(l->builder, value, wide, "");
}

static bool is_wide(const struct access *a)
{
    return a->key.width >= MAP_CHOICES;
}

static LLVMTypeRef register_type(const struct lowering *l,
                                 const struct access *a,
                                 const struct isa_assembly *d)
{
    unsigned bits = is_wide(a) ? 64 : 8u << a->key.width;
    return LLVMIntTypeInContext(
        l->context, bits < d->register_bits ? d->register_bits : bits);
}

/* An output, and of 128 bits the one for its high half. */
static void add_outputs(struct assembly *s, const struct access *a,
                        const char *names, const char *constraint,
                        LLVMTypeRef type)
{
    add_output(s, names[0], constraint, type);
    if (is_wide(a))
        add_output(s, names[1], constraint, type);
}

/* Likewise a value. */
static void add_inputs(const struct lowering *l, struct assembly *s,
                       const struct access *a, const char *names,
                       LLVMValueRef value)
{
    value = to_register(l, a, s->dialect, value);
    if (!is_wide(a)) {
        add_input(s, names[0], s->dialect->value, value);
        return;
    }
    LLVMTypeRef i64 = LLVMInt64TypeInContext(l->context);
    LLVMValueRef high = LLVMBuildLShr(
        l->builder, value, LLVMConstInt(LLVMTypeOf(value), 64, 0), "");
    add_input(s, names[0], s->dialect->value,
              LLVMBuildTrunc(l->builder, value, i64, ""));
    add_input(s, names[1], s->dialect->value,
              LLVMBuildTrunc(l->builder, high, i64, ""));
}

/* Operands in the order that LLVM wants: outputs, then inputs. */
static void add_operands(const struct lowering *l, const struct access *a,
                         const char *template, struct assembly *s)
{
    const struct isa_assembly *d = s->dialect;
    LLVMTypeRef type = register_type(l, a, d);
    bool used[128] = {false}, cas = a->key.op == MAP_CAS;
    for (const char *c = template; *c; c++)
        if (*c == '%' && c[1]) {
            c++;
            used[*c & 127] = true; /* a percent sign does no harm */
        }
    bool accumulator = d->accumulator_of && strstr(template, d->accumulator_of);
    bool tied = used['x'] || (accumulator && cas && !used['e']);
    memset(s->numbers, -1, sizeof s->numbers);
    if (used['d'] || tied || accumulator)
        add_outputs(s, a, "dD", accumulator ? d->accumulator : d->value, type);
    s->numbers['x'] = s->numbers['d'];
    if (used['t'] || used['T'])
        add_outputs(s, a, "tT", d->value, type);
    if (used['u'] || used['U'])
        add_outputs(s, a, "uU", d->value, type);
    if (used['s'])
        add_output(s, 's', d->value, LLVMInt32TypeInContext(l->context));
    if (a->pointer)
        add_input(s, 'a', d->address, a->pointer);
    if (used['v'])
        add_inputs(l, s, a, "vV", a->operand);
    if (used['e'])
        add_inputs(l, s, a, "eE", a->expected);
    if (tied) /* to the result, which is output 0 */
        add_input(s, '0', "0",
                  to_register(l, a, d, cas ? a->expected : a->operand));
    add_constraint(s, "", d->clobbers);
}

/* The template with LLVM's operands. A line marker of the preprocessor goes
 * before it, so that complaints of the assembler name the row. */
static void write_text(const struct lowering *l, const struct access *a,
                       const struct map_template *t, const char *template,
                       struct assembly *s)
{
    char buf[40];
    snprintf(buf, sizeof buf, "\n# %u \"", t->line);
    put(s, buf);
    for (const char *c = l->m->files[t->file]; *c; c++)
        put(s, *c == '$'                 ? "$$"
               : *c == '"' || *c == '\\' ? "_"
                                         : (char[]){*c, '\0'});
    put(s, "\"\n\t");
    for (const char *c = template; *c; c++) {
        if (*c == '%' && c[1] != '%') {
            c++;
            unsigned width = *c == 's'                 ? 2
                             : *c == 'a' || is_wide(a) ? 3
                                                       : a->key.width;
            char modifier =
                s->dialect->modifiers[0] ? s->dialect->modifiers[width] : '\0';
            snprintf(buf, sizeof buf, "${%d%s%c", s->numbers[*c & 127],
                     modifier ? ":" : "", modifier ? modifier : '}');
            put(s, buf);
            if (modifier)
                put(s, "}");
            continue;
        }
        if (*c == '%')
            c++;
        put(s, *c == '$' ? "$$" : (char[]){*c, '\0'});
    }
}

static LLVMValueRef call(const struct lowering *l, struct assembly *s)
{
    LLVMTypeRef result = s->n_outputs == 0 ? LLVMVoidTypeInContext(l->context)
                         : s->n_outputs == 1
                             ? s->outputs[0]
                             : LLVMStructTypeInContext(l->context, s->outputs,
                                                       s->n_outputs, false);
    LLVMTypeRef type = LLVMFunctionType(result, s->inputs, s->n_inputs, false);
    LLVMValueRef code = LLVMGetInlineAsm(
        type, s->text, s->n_text, s->constraints, strlen(s->constraints), true,
        false, LLVMInlineAsmDialectATT, false);
    return LLVMBuildCall2(l->builder, type, code, s->values, s->n_inputs, "");
}

/* The register's value as the program's. */
static LLVMValueRef from_register(const struct lowering *l,
                                  const struct access *a, LLVMValueRef value)
{
    unsigned bits = 8u << a->key.width;
    if (bits < LLVMGetIntTypeWidth(LLVMTypeOf(value)))
        value = LLVMBuildTrunc(l->builder, value,
                               LLVMIntTypeInContext(l->context, bits), "");
    if (LLVMGetTypeKind(a->type) == LLVMPointerTypeKind)
        return LLVMBuildIntToPtr(l->builder, value, a->type, "");
    return a->type == LLVMTypeOf(value)
               ? value
               : LLVMBuildBitCast(l->builder, value, a->type, "");
}

/* The first two results as the halves of one. */
static LLVMValueRef join_halves(const struct lowering *l,
                                const struct access *a, LLVMValueRef results)
{
    LLVMTypeRef wide = LLVMIntTypeInContext(l->context, 8u << a->key.width);
    LLVMValueRef half[2];
    for (unsigned i = 0; i < 2; i++)
        half[i] = LLVMBuildZExt(
            l->builder, LLVMBuildExtractValue(l->builder, results, i, ""), wide,
            "");
    return LLVMBuildOr(
        l->builder, half[0],
        LLVMBuildShl(l->builder, half[1], LLVMConstInt(wide, 64, 0), ""), "");
}

/* What a cmpxchg gives: old value and whether it was the expected one. */
static LLVMValueRef cas_result(const struct lowering *l, const struct access *a,
                               LLVMValueRef old)
{
    LLVMValueRef same =
        LLVMBuildICmp(l->builder, LLVMIntEQ, old, a->expected, "");
    LLVMValueRef pair = LLVMGetPoison(LLVMTypeOf(a->instruction));
    pair = LLVMBuildInsertValue(l->builder, pair, old, 0, "");
    return LLVMBuildInsertValue(l->builder, pair, same, 1, "");
}

static void note_use(const struct lowering *l, const struct access *a)
{
    struct lower_uses *u = l->options->uses;
    if (!u)
        return;
    u->list = mem_room(u->list, u->n, &u->cap, sizeof *u->list);
    u->list[u->n++] = (struct lower_use){
        .line = LLVMGetDebugLocLine(a->instruction),
        .column = LLVMGetDebugLocColumn(a->instruction),
        .key = a->key,
    };
}

static bool replace(const struct lowering *l, const struct access *a)
{
    char template[MAP_TEMPLATE_MAX], key[300], place[300];
    const struct map_template *t =
        a->key.op < MAP_OPS ? mapping_find(l->m, &a->key) : NULL;
    lower_place(l->options, a->instruction, place, sizeof place);
    if (!t) {
        struct map_key needed = a->key;
        needed.unused = false;
        mapping_print_key(&needed, key, sizeof key);
        return err_set(l->err, ERR_INPUT,
                       "%s: mapping '%s' has no row for '%s'", place,
                       l->m->name, key);
    }
    note_use(l, a);
    struct assembly s = {.dialect = l->options->isa->assembly};
    if (!mapping_expand(l->m, &a->key, t, template, l->err))
        return false;
    LLVMPositionBuilderBefore(l->builder, a->instruction);
    add_operands(l, a, template, &s);
    write_text(l, a, t, template, &s);
    LLVMValueRef result = call(l, &s);
    if (s.numbers['d'] == 0) {
        if (is_wide(a))
            result = join_halves(l, a, result);
        else if (s.n_outputs > 1)
            result = LLVMBuildExtractValue(l->builder, result, 0, "");
        result = from_register(l, a, result);
        if (a->key.op == MAP_CAS)
            result = cas_result(l, a, result);
        LLVMReplaceAllUsesWith(a->instruction, result);
    } else if (LLVMGetFirstUse(a->instruction)) {
        mapping_place(l->m, t, key, sizeof key);
        return err_set(l->err, ERR_INPUT, "%s: the instructions give no result",
                       key);
    }
    LLVMInstructionEraseFromParent(a->instruction);
    return true;
}

/* A row for what changes nothing goes before that of the operation. */
static void prefer_idempotent(const struct lowering *l, struct access *a)
{
    struct map_key key = a->key;
    key.op = MAP_IDEMPOTENT;
    if (is_idempotent(a->key.op, a->operand) && mapping_find(l->m, &key))
        a->key = key;
}

static bool check(const struct lowering *l, struct access *a)
{
    char place[300];
    if (a->key.op == MAP_OPS) {
        lower_place(l->options, a->instruction, place, sizeof place);
        return err_set(l->err, ERR_INPUT,
                       "%s: a read-modify-write that no mapping has", place);
    }
    if (a->type && !set_width(a)) {
        lower_place(l->options, a->instruction, place, sizeof place);
        unsigned bits = bits_of(a->type);
        char width[40] = "of a whole object";
        if (bits)
            snprintf(width, sizeof width, "of %u bits", bits);
        return err_set(l->err, ERR_INPUT,
                       "%s: mapping '%s' has no row for '%s %s' %s", place,
                       l->m->name, map_op_names[a->key.op],
                       map_order_names[a->key.order], width);
    }
    prefer_idempotent(l, a);
    return true;
}

/* Copies are accesses too, but no row speaks of them. */
static bool check_copy(const struct lowering *l, LLVMValueRef i)
{
    char place[300];
    bool copies = LLVMIsAMemCpyInst(i) || LLVMIsAMemMoveInst(i);
    if (!l->has_plain || !LLVMIsAMemIntrinsic(i) ||
        (is_private(LLVMGetOperand(i, 0)) &&
         (!copies || is_private(LLVMGetOperand(i, 1)))))
        return true;
    lower_place(l->options, i, place, sizeof place);
    return err_set(l->err, ERR_INPUT,
                   "%s: mapping '%s' has rows for plain accesses, but not for "
                   "copying a whole object",
                   place, l->m->name);
}

bool lower_accesses(LLVMModuleRef module, const struct mapping *m,
                    const struct lower_options *o, struct err *err)
{
    struct lowering l = {.m = m,
                         .options = o,
                         .context = LLVMGetModuleContext(module),
                         .has_plain = mapping_has_plain(m),
                         .err = err};
    bool good = true;
    l.builder = LLVMCreateBuilderInContext(l.context);
    for (LLVMValueRef f = LLVMGetFirstFunction(module); f && good;
         f = LLVMGetNextFunction(f))
        for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b && good;
             b = LLVMGetNextBasicBlock(b))
            for (LLVMValueRef i = LLVMGetFirstInstruction(b), next; i && good;
                 i = next) {
                struct access a;
                next = LLVMGetNextInstruction(i);
                good =
                    check_copy(&l, i) && (!classify(&l, i, &a) ||
                                          (check(&l, &a) && replace(&l, &a)));
            }
    LLVMDisposeBuilder(l.builder);
    return good;
}
