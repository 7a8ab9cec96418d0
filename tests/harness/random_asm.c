#include "tests/harness/random_asm.h"

#include <string.h>

#define T(tag) TAG_BIT(TAG_##tag)

/* ---- fences */

static const struct fence {
    const char *text;
    uint64_t tags;
} fences[ASM_N_ISAS][14] = {
    [ASM_X86_64] = {{"mfence", T(MFENCE)},
                    {"lfence", T(LFENCE)},
                    {"sfence", T(SFENCE)}},
    [ASM_AARCH64] = {{"DMB SY", T(DMB_SY)},
                     {"DMB ISH", T(DMB_SY)},
                     {"DMB LD", T(DMB_LD)},
                     {"DMB ISHLD", T(DMB_LD)},
                     {"DMB ST", T(DMB_ST)},
                     {"DMB ISHST", T(DMB_ST)},
                     {"ISB", T(ISB)},
                     {"DMB OSH", T(DMB_SY)},
                     {"DSB SY", T(DSB_SY)},
                     {"DSB ISHLD", T(DSB_LD)},
                     {"DSB ST", T(DSB_ST)},
                     {"ISB", T(ISB)}},
    [ASM_PPC] = {{"sync", T(SYNC)},
                 {"lwsync", T(LWSYNC)},
                 {"isync", T(ISYNC)},
                 {"eieio", T(EIEIO)},
                 {"isync", T(ISYNC)}},
    [ASM_RISCV] = {{"fence rw,rw", T(FENCE_RW_RW)},
                   {"fence r,r", T(FENCE_R_R)},
                   {"fence r,w", T(FENCE_R_W)},
                   {"fence r,rw", T(FENCE_R_RW)},
                   {"fence w,r", T(FENCE_W_R)},
                   {"fence w,w", T(FENCE_W_W)},
                   {"fence w,rw", T(FENCE_W_RW)},
                   {"fence rw,r", T(FENCE_RW_R)},
                   {"fence rw,w", T(FENCE_RW_W)},
                   {"fence.tso", T(FENCE_TSO)},
                   {"fence iorw,iorw", T(FENCE_RW_RW)},
                   {"fence ir,ow", T(FENCE_R_W)}},
};

unsigned asm_n_fences(enum asm_isa isa)
{
    unsigned n = 0;
    while (fences[isa][n].text)
        n++;
    return n;
}

const char *asm_fence(enum asm_isa isa, unsigned kind)
{
    return fences[isa][kind].text;
}

uint64_t asm_fence_tags(enum asm_isa isa, unsigned kind)
{
    return fences[isa][kind].tags;
}

/* ---- registers */

static bool writes_result(const struct asm_insn *in)
{
    switch (in->op) {
    case ASM_CONST:
    case ASM_ALU:
    case ASM_LOAD:
    case ASM_AMO:
    case ASM_CAS:
    case ASM_LLSC:
    case ASM_SELECT:
        return true;
    case ASM_STORE:
    case ASM_FENCE:
    case ASM_COMPARE:
    case ASM_BRANCH:
    case ASM_UPDATE:
        break;
    }
    return false;
}

bool asm_uses(const struct asm_program *p, unsigned t, unsigned reg)
{
    for (unsigned i = 0; i < p->n_insns[t]; i++) {
        const struct asm_insn *in = &p->insns[t][i];
        if (writes_result(in) && in->rd == (int)reg)
            return true;
        if (in->op == ASM_LLSC && p->isa != ASM_PPC && in->rs == (int)reg)
            return true;
        if (in->op == ASM_LLSC && in->apart && in->between == ASM_LOAD &&
            in->ra == (int)reg)
            return true;
    }
    return false;
}

void asm_bind(struct asm_program *p, struct program *program)
{
    p->program = program;
    for (unsigned i = 0; i < p->n_locs; i++) {
        uint64_t addr = 0x1000 + 8 * i;
        locations_whole(&program->locations, addr, p->size);
        p->locs[i] =
            locations_get(&program->locations, addr, p->size, 0, LOC_NONE);
    }
}

/* ---- interpretation */

/* What a value comes from: the flow of data, and AArch64's pick flow, which
 * contains it. Bit n: the n-th read; bit STORED + n: the store-conditional that
 * made a pair with that. */
enum { STORED = 32 };

struct flow {
    uint64_t d, p;
};

static struct flow both(struct flow a, struct flow b)
{
    return (struct flow){a.d | b.d, a.p | b.p};
}

struct run {
    const struct asm_program *p;
    const uint64_t *values;
    unsigned n_values, used;
    bool starved; /* the next value is not known */
    struct label *out;
    unsigned n, cap, n_reads;
    uint64_t regs[ASM_REGS];
    struct flow flows[ASM_REGS];
    bool equal[2]; /* flags */
    struct flow flags[2];
    struct flow ctrl; /* of all from here on */
};

static struct flow flow_of(const struct run *r, int reg)
{
    return reg < 0 ? (struct flow){0, 0} : r->flows[reg];
}

static void set(struct run *r, int reg, uint64_t value, struct flow flow)
{
    if (reg < 0)
        return;
    r->regs[reg] = value;
    r->flows[reg] = flow;
}

static void push(struct dep *deps, uint32_t *n, uint32_t kind, uint64_t from)
{
    for (uint32_t i = 0; i < 2 * STORED; i++)
        if (from >> i & 1)
            deps[(*n)++] = (struct dep){
                kind, i < STORED ? DEP_READ(i) : DEP_STORE(i - STORED)};
}

static void emit(struct run *r, struct label label, struct flow addr,
                 struct flow data)
{
    struct dep deps[6 * 2 * STORED];
    uint32_t n = 0;
    push(deps, &n, DEP_ADDR, addr.d);
    push(deps, &n, DEP_DATA, data.d);
    push(deps, &n, DEP_CTRL, r->ctrl.d);
    push(deps, &n, DEP_PICK_ADDR, addr.p);
    push(deps, &n, DEP_PICK_DATA, data.p);
    push(deps, &n, DEP_PICK_CTRL, r->ctrl.p);
    /* x86's models know no dependencies, and its decoder tells none. */
    if (r->p->isa != ASM_X86_64)
        label.deps = program_deps(r->p->program, deps, n);
    label.place = PLACE_NONE;
    label.size = (uint8_t)r->p->size;
    if (r->n < r->cap)
        r->out[r->n] = label;
    r->n++;
}

static uint64_t take(struct run *r)
{
    if (r->used < r->n_values)
        return r->values[r->used++];
    r->starved = true;
    return 0;
}

static const struct flow nothing = {0, 0};

/* Reads the instruction's location; *flow is that of the result. */
static uint64_t read(struct run *r, const struct asm_insn *in, uint64_t tags,
                     uint64_t failed, struct flow *flow)
{
    emit(r,
         (struct label){.kind = LABEL_READ,
                        .tags = tags | T(R),
                        .rmw = (tags & T(RMW)) != 0,
                        .value = failed,
                        .loc = r->p->locs[in->loc]},
         flow_of(r, in->addr), nothing);
    uint64_t self = (uint64_t)1 << r->n_reads++;
    *flow = (struct flow){self, self};
    return take(r);
}

static void write(struct run *r, const struct asm_insn *in, uint64_t tags,
                  uint64_t value, struct flow data)
{
    emit(r,
         (struct label){.kind = LABEL_WRITE,
                        .tags = tags | T(W),
                        .rmw = (tags & T(RMW)) != 0,
                        .value = value,
                        .loc = r->p->locs[in->loc]},
         flow_of(r, in->addr), data);
}

static void add_fence(struct run *r, unsigned kind)
{
    emit(r,
         (struct label){.kind = LABEL_FENCE,
                        .tags = T(F) | asm_fence_tags(r->p->isa, kind),
                        .loc = LOC_NONE},
         nothing, nothing);
}

static uint64_t operand(const struct run *r, const struct asm_insn *in)
{
    return in->rb < 0 ? in->imm : r->regs[in->rb];
}

static uint64_t rv_marks(bool acquires, bool releases)
{
    return acquires   ? releases ? T(RV_AQRL) : T(RV_AQ)
             : releases ? T(RV_RL)
                      : 0;
}

bool asm_marks_both(const struct asm_insn *in)
{
    return in->syntax == 0;
}

static uint64_t acquire(const struct asm_insn *in)
{
    return (in->acq ? T(ARM_A) : 0) | (in->acq_pc ? T(ARM_Q) : 0);
}

static uint64_t release(const struct asm_insn *in)
{
    return in->rel ? T(ARM_L) : 0;
}

static void run_amo(struct run *r, const struct asm_insn *in)
{
    struct flow flow, data = flow_of(r, in->rb);
    uint64_t marks =
        in->rd < 0 ? (r->p->isa == ASM_AARCH64 ? T(NORET) : 0) : acquire(in);
    uint64_t releases = release(in);
    if (r->p->isa == ASM_RISCV)
        marks = releases = rv_marks(in->acq, in->rel);
    uint64_t by = operand(r, in), value = by;
    uint64_t old = read(r, in, T(X) | T(RMW) | marks, 0, &flow);
    if (r->starved)
        return;
    if (in->kind == AMO_ADD)
        value = old + by;
    else if (in->kind == AMO_XOR)
        value = old ^ by;
    else if (in->kind == AMO_OR)
        value = old | by;
    if (in->kind != AMO_SWAP)
        data = both(data, flow);
    write(r, in, T(X) | T(RMW) | releases, value, data);
    set(r, in->rd, old, flow);
}

/* One that fails is a plain read (on x86 a locked one). The result of one that
 * succeeds may be taken from the register it was compared with: it is no data
 * of the read, and picked by both. */
static void run_cas(struct run *r, const struct asm_insn *in)
{
    struct flow flow, data = flow_of(r, in->rb);
    struct flow compared = flow_of(r, in->rd);
    uint64_t tags = T(X) | T(RMW) | acquire(in), value = operand(r, in);
    uint64_t keeps = acquire(in) | (r->p->isa == ASM_X86_64 ? T(X) : 0);
    uint64_t old = read(r, in, tags, (uint32_t)(keeps | T(R)), &flow);
    if (r->starved)
        return;
    /* One that would store what is there already is taken for one that fails:
     * QEMU shows the same of both (docs/SOUNDNESS.md, "Machine code"). */
    if (old != r->regs[in->rd] || value == old) {
        set(r, in->rd, old, flow);
        return;
    }
    data.p |= compared.p;
    write(r, in, T(X) | T(RMW) | release(in), value, data);
    set(r, in->rd, old, (struct flow){0, flow.p | compared.p});
}

/* What comes between the halves of a pair. */
static void run_between(struct run *r, const struct asm_insn *in)
{
    struct flow flow;
    struct asm_insn other = {.addr = -1, .loc = in->between_loc};
    if (in->between == ASM_STORE) {
        write(r, &other, 0, 1, nothing);
    } else if (in->between == ASM_LOAD) {
        uint64_t value = read(r, &other, 0, 0, &flow);
        set(r, in->ra, value, flow);
    } else {
        add_fence(r, in->between_kind);
    }
}

/* The status of a store-conditional: only RISC-V's depends on something, on the
 * store itself. */
static void set_status(struct run *r, const struct asm_insn *in, bool fails,
                       uint32_t number)
{
    struct flow flow = nothing;
    if (r->p->isa == ASM_RISCV && !fails)
        flow.d = flow.p = (uint64_t)1 << (STORED + number - 1);
    if (r->p->isa == ASM_PPC) {
        r->equal[0] = !fails;
        r->flags[0] = nothing;
    } else {
        set(r, in->rs, fails, flow);
    }
}

/* Whether the store succeeds is a choice. */
static void run_llsc(struct run *r, const struct asm_insn *in)
{
    struct flow flow, data = flow_of(r, in->rb);
    uint64_t value = operand(r, in);
    uint64_t first = acquire(in), second = release(in);
    if (r->p->isa == ASM_RISCV) {
        bool both = asm_marks_both(in);
        first = rv_marks(in->acq, both && in->rel);
        second = rv_marks(both && in->acq, in->rel);
    }
    emit(r,
         (struct label){.kind = LABEL_CHOICE,
                        .tags = T(CHOICE),
                        .value = 2,
                        .loc = LOC_NONE},
         nothing, nothing);
    bool fails = take(r);
    if (r->starved)
        return;
    uint64_t old = read(r, in, T(EX) | T(RMW) | first, 0, &flow);
    if (r->starved)
        return;
    if (in->from_read) {
        value = old + in->imm;
        data = flow;
    }
    uint32_t number = r->n_reads;
    struct flow addr = flow_of(r, in->addr);
    set(r, in->rd, old, flow);
    if (in->apart)
        run_between(r, in);
    if (!fails && !r->starved)
        emit(r,
             (struct label){.kind = LABEL_WRITE,
                            .tags = T(EX) | T(W) | T(RMW) | second,
                            .rmw = !in->apart,
                            .aux = in->apart ? number : 0,
                            .value = value,
                            .loc = r->p->locs[in->loc]},
             addr, data);
    set_status(r, in, fails, number);
}

static uint64_t calculate(unsigned kind, uint64_t a, uint64_t b)
{
    switch ((enum asm_alu)kind) {
    case ALU_MOVE:
        return a;
    case ALU_ADD:
        return (a + b) & 3;
    case ALU_SUB:
        return (a - b) & 3;
    case ALU_XOR:
        return a ^ b;
    case ALU_AND:
        return a & b;
    case ALU_OR:
        return a | b;
    }
    return 0;
}

static void run_select(struct run *r, const struct asm_insn *in)
{
    int from = r->equal[in->field] != in->negated ? in->ra : in->rb;
    struct flow flow = r->flows[from];
    if (r->p->isa != ASM_X86_64)
        flow.p |= r->flags[in->field].p;
    set(r, in->rd, r->regs[from], flow);
}

/* How many instructions are skipped. */
static unsigned run_branch(struct run *r, const struct asm_insn *in)
{
    bool equal = in->on_reg ? r->regs[in->ra] == 0 : r->equal[in->field];
    r->ctrl =
        both(r->ctrl, in->on_reg ? r->flows[in->ra] : r->flags[in->field]);
    return equal != in->negated ? in->skip : 0;
}

static void run_access(struct run *r, const struct asm_insn *in)
{
    struct flow flow;
    if (in->op == ASM_STORE) {
        write(r, in, release(in), operand(r, in), flow_of(r, in->rb));
    } else if (in->op == ASM_AMO) {
        run_amo(r, in);
    } else if (in->op == ASM_CAS) {
        run_cas(r, in);
    } else if (in->op == ASM_LLSC) {
        run_llsc(r, in);
    } else {
        uint64_t old = read(r, in, acquire(in), 0, &flow);
        if (in->op == ASM_LOAD)
            set(r, in->rd, old, flow);
        else if (!r->starved)
            write(r, in, 0, old + in->imm, flow);
    }
}

/* Executes one instruction; how many are skipped behind it. */
static unsigned step(struct run *r, const struct asm_insn *in)
{
    switch (in->op) {
    case ASM_CONST:
        set(r, in->rd, in->imm, nothing);
        break;
    case ASM_ALU:
        set(r, in->rd, calculate(in->kind, r->regs[in->ra], r->regs[in->rb]),
            in->kind == ALU_MOVE ? r->flows[in->ra]
                                 : both(r->flows[in->ra], r->flows[in->rb]));
        break;
    case ASM_FENCE:
        add_fence(r, in->kind);
        break;
    case ASM_COMPARE:
        r->equal[in->field] = r->regs[in->ra] == in->imm;
        r->flags[in->field] = r->flows[in->ra];
        break;
    case ASM_BRANCH:
        return run_branch(r, in);
    case ASM_SELECT:
        run_select(r, in);
        break;
    case ASM_LOAD:
    case ASM_STORE:
    case ASM_AMO:
    case ASM_CAS:
    case ASM_LLSC:
    case ASM_UPDATE:
        run_access(r, in);
        break;
    }
    return 0;
}

static void run_thread(struct run *r, unsigned t)
{
    for (unsigned i = 0; i < r->p->n_insns[t] && !r->starved; i++)
        i += step(r, &r->p->insns[t][i]);
    if (!r->starved)
        emit(r, (struct label){.kind = LABEL_END}, nothing, nothing);
}

unsigned asm_run(const void *self, unsigned t, const uint64_t *values,
                 unsigned n_values, struct label *out, unsigned cap)
{
    struct run r = {.p = self,
                    .values = values,
                    .n_values = n_values,
                    .out = out,
                    .cap = cap};
    run_thread(&r, t);
    return r.n;
}

void asm_registers(const struct asm_program *p, unsigned t,
                   const uint64_t *values, unsigned n_values,
                   uint64_t regs[ASM_REGS])
{
    struct run r = {.p = p, .values = values, .n_values = n_values};
    run_thread(&r, t);
    memcpy(regs, r.regs, sizeof r.regs);
}
