/* Which program it is going to be: half of them any instructions, half of them
 * cycles as in litmus tests, where what matters between two accesses to
 * different locations is likely to show. */
#include "tests/harness/random_asm.h"

#include <string.h>

struct draw {
    struct asm_program *p;
    uint64_t *seed;
    unsigned thread;
    unsigned n_llsc; /* of the thread */
    unsigned inside; /* so many instructions may be skipped from here on */
    bool selects;    /* rather than branches */
    bool swaps;      /* rather than does other read-modify-writes */
};

static unsigned below(struct draw *d, unsigned n)
{
    return (unsigned)(script_random(d->seed) % n);
}

static bool often(struct draw *d, unsigned percent)
{
    return below(d, 100) < percent;
}

/* Is there a branch by whether a register is zero? */
static bool has_zero_branch(enum asm_isa isa)
{
    return isa == ASM_AARCH64 || isa == ASM_RISCV;
}

static int any_register(struct draw *d)
{
    return (int)below(d, ASM_REGS);
}

/* A register that some earlier instruction wrote: others are constants. */
static int written_register(struct draw *d)
{
    int r = any_register(d);
    for (unsigned i = 0; i < ASM_REGS; i++, r = (r + 1) % ASM_REGS)
        if (asm_uses(d->p, d->thread, (unsigned)r))
            return r;
    return r;
}

static void access_of(struct draw *d, struct asm_insn *in)
{
    in->loc = below(d, d->p->n_locs);
    if (often(d, 25))
        in->addr = written_register(d);
    if (often(d, 40))
        in->rb = written_register(d);
}

static struct asm_insn random_access(struct draw *d, struct asm_insn in)
{
    bool arm = d->p->isa == ASM_AARCH64, x86 = d->p->isa == ASM_X86_64;
    bool riscv = d->p->isa == ASM_RISCV;
    enum { SWAP = 18 };
    unsigned dice = d->swaps && often(d, 30) ? SWAP : below(d, 20);
    access_of(d, &in);
    in.acq = arm && often(d, 25);
    in.rel = arm && often(d, 25);
    if (dice < 8) {
        in.op = ASM_LOAD;
        in.acq_pc = arm && !in.acq && often(d, 15);
    } else if (dice < 16) {
        in.op = ASM_STORE;
    } else if (d->p->isa != ASM_PPC && dice < SWAP) {
        in.op = ASM_AMO;
        in.kind = below(d, x86 ? 2 : 4);
        in.acq |= riscv && often(d, 30);
        in.rel |= riscv && often(d, 30);
        if (often(d, 25))
            in.rd = -1;
    } else if ((arm || x86) && dice == SWAP) {
        in.op = ASM_CAS;
    } else if (x86) {
        in.op = ASM_UPDATE;
        in.addr = -1;
    } else if (d->n_llsc < 2) {
        in.op = ASM_LLSC;
        in.acq |= riscv && often(d, 30);
        in.rel |= riscv && often(d, 30);
        in.from_read = often(d, 40);
        in.rs = (in.rd + 1) % ASM_REGS;
        in.apart = often(d, 50);
        in.between = often(d, 30)   ? ASM_FENCE
                     : often(d, 50) ? ASM_LOAD
                                    : ASM_STORE;
        in.between_loc = below(d, d->p->n_locs);
        in.between_kind = below(d, asm_n_fences(d->p->isa));
        d->n_llsc++;
        d->p->counts_differ |= d->inside > 0;
    } else {
        in.op = ASM_LOAD;
    }
    return in;
}

/* Any operands, no operation yet. */
static struct asm_insn blank(struct draw *d)
{
    return (struct asm_insn){.rd = any_register(d),
                             .ra = written_register(d),
                             .rb = -1,
                             .rs = -1,
                             .addr = -1,
                             .imm = 1 + below(d, 3),
                             .syntax = below(d, 4)};
}

static struct asm_insn random_insn(struct draw *d)
{
    struct asm_insn in = blank(d);
    unsigned dice = below(d, 20);
    if (dice < 15)
        return random_access(d, in);
    if (dice < 18) {
        in.op = ASM_FENCE;
        in.kind = below(d, asm_n_fences(d->p->isa));
    } else if (dice < 19 && below(d, 2)) {
        in.op = ASM_CONST;
    } else {
        in.op = ASM_ALU;
        in.kind = below(d, 6);
        in.rb = written_register(d);
    }
    return in;
}

static void add(struct draw *d, struct asm_insn in)
{
    unsigned *n = &d->p->n_insns[d->thread];
    /* What it stores must still be there. */
    if (in.apart && in.between == ASM_LOAD && in.ra == in.rb)
        in.apart = false;
    d->p->insns[d->thread][(*n)++] = in;
    d->inside -= d->inside > 0;
}

/* A comparison, perhaps something else, and what uses it. x86 changes its
 * flags all the time, so nothing comes between there. */
static void add_compare(struct draw *d)
{
    struct asm_insn compare = blank(d), use = blank(d);
    bool x86 = d->p->isa == ASM_X86_64, riscv = d->p->isa == ASM_RISCV;
    compare.op = ASM_COMPARE;
    compare.imm = below(d, 3);
    compare.field = use.field = d->p->isa == ASM_PPC || riscv ? below(d, 2) : 0;
    add(d, compare);
    if (!x86 && often(d, 25))
        add(d, random_insn(d));
    use.op = !riscv && often(d, d->selects ? 80 : 25) ? ASM_SELECT : ASM_BRANCH;
    use.rb = written_register(d);
    use.negated = often(d, 50);
    use.skip = below(d, 3);
    add(d, use);
    if (use.op == ASM_BRANCH)
        d->inside = use.skip > d->inside ? use.skip : d->inside;
}

static void add_zero_branch(struct draw *d)
{
    struct asm_insn in = blank(d);
    in.op = ASM_BRANCH;
    in.on_reg = true;
    in.negated = often(d, 50);
    in.skip = below(d, 3);
    add(d, in);
    d->inside = in.skip > d->inside ? in.skip : d->inside;
}

/* ---- cycles: thread t accesses location t, then t + 1 */

static struct asm_insn access_to(struct draw *d, unsigned loc)
{
    struct asm_insn in = random_access(d, blank(d));
    in.loc = loc;
    in.addr = in.rb = -1;
    return in;
}

/* Something between the accesses, or in the second one, by which it may depend
 * on register r. */
static void connect(struct draw *d, int r, struct asm_insn *second)
{
    struct asm_insn in = blank(d), use = blank(d);
    bool has_zero = has_zero_branch(d->p->isa);
    unsigned dice = d->selects && often(d, 60) ? 6 : below(d, 9);
    if (d->p->isa == ASM_RISCV && dice == 6)
        dice = 5; /* it has no selections */
    in.ra = r;
    if (dice < 2) {
        second->addr = r;
    } else if (dice < 3) {
        second->rb = r;
    } else if (dice < 5 || (dice < 6 && !has_zero)) {
        in.op = ASM_COMPARE;
        use.op = ASM_BRANCH;
        use.skip = below(d, 2);
        add(d, in);
        add(d, use);
        d->inside = use.skip;
    } else if (dice < 6) {
        in.op = ASM_BRANCH;
        in.on_reg = true;
        add(d, in);
    } else if (dice < 7) {
        in.op = ASM_COMPARE;
        use.op = ASM_SELECT;
        use.rb = (use.ra + 1) % ASM_REGS;
        add(d, in);
        add(d, use);
        *(often(d, 50) ? &second->addr : &second->rb) = use.rd;
    } else if (dice < 8) { /* by what an update read that stores r */
        in.op = d->p->isa == ASM_PPC ? ASM_LLSC : ASM_AMO;
        in.rb = r;
        in.rs = (in.rd + 1) % ASM_REGS;
        in.loc = d->p->n_locs - 1;
        d->n_llsc += in.op == ASM_LLSC;
        add(d, in);
        *(often(d, 50) ? &second->addr : &second->rb) = in.rd;
    } else { /* through memory */
        in.op = ASM_STORE;
        in.rb = r;
        in.loc = use.loc = d->p->n_locs - 1;
        use.op = ASM_LOAD;
        add(d, in);
        add(d, use);
        *(often(d, 50) ? &second->addr : &second->rb) = use.rd;
    }
}

static void generate_cycle(struct draw *d)
{
    struct asm_program *p = d->p;
    unsigned n = p->n_threads;
    p->n_locs = n < ASM_LOCS ? n + 1 : ASM_LOCS;
    for (d->thread = 0; d->thread < n; d->thread++) {
        d->n_llsc = d->inside = 0;
        struct asm_insn first = access_to(d, d->thread);
        struct asm_insn second = access_to(d, (d->thread + 1) % n);
        add(d, first);
        if (often(d, 60) && first.rd >= 0 && first.op != ASM_STORE)
            connect(d,
                    first.op == ASM_LLSC && often(d, 15) ? first.rs : first.rd,
                    &second);
        if (often(d, 45)) {
            struct asm_insn fence = blank(d);
            fence.op = ASM_FENCE;
            fence.kind = below(d, asm_n_fences(p->isa));
            add(d, fence);
        }
        p->counts_differ |= d->inside > 0 && second.op == ASM_LLSC;
        add(d, second);
    }
}

static void generate_any(struct draw *d)
{
    struct asm_program *p = d->p;
    p->n_locs = often(d, 65) ? 2 : 1 + below(d, ASM_LOCS);
    for (d->thread = 0; d->thread < p->n_threads; d->thread++) {
        unsigned want = 1 + below(d, 2) + below(d, p->n_threads == 2 ? 5 : 4);
        unsigned *n = &p->n_insns[d->thread];
        d->n_llsc = d->inside = 0;
        while (*n < want) {
            /* Flags must be set on all ways to their use. */
            if (*n && !d->inside && often(d, 22))
                add_compare(d);
            else if (*n && has_zero_branch(p->isa) && often(d, 8))
                add_zero_branch(d);
            else
                add(d, random_insn(d));
        }
    }
}

void asm_generate(struct asm_program *p, enum asm_isa isa, uint64_t *seed)
{
    memset(p, 0, sizeof *p);
    struct draw d = {.p = p, .seed = seed};
    p->isa = isa;
    p->n_threads = 2 + below(&d, 2);
    p->size = often(&d, 60) ? 4 : 1u << below(&d, 4);
    if (isa == ASM_RISCV && p->size < 4) /* no atomic ones are smaller */
        p->size *= 4;
    d.selects = often(&d, 25) && isa != ASM_RISCV;
    d.swaps = p->isa != ASM_PPC && often(&d, 25);
    if (often(&d, 50))
        generate_cycle(&d);
    else
        generate_any(&d);
}
