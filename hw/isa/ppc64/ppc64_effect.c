/* Power: what a row's spec, or its special kind, means for one instruction. */
#include "hw/isa/ppc64/ppc64.h"

#include <string.h>

enum { CACHE_BLOCK = 128 };

/* --- Registers of a spec --- */

/* A VSR whose sixth bit is `high`. */
static reg_id vsr(unsigned low, unsigned high)
{
    return (reg_id)(PPC_VSR + (high << 5) + low);
}

reg_id ppc_register(const struct ppc_word *in, char class, char name)
{
    uint32_t w = in->word;
    unsigned n = ppc_field(w, name);
    switch (class) {
    case 'r':
        return (reg_id)(PPC_GPR + n);
    case 'o':
        return n ? (reg_id)(PPC_GPR + n) : REG_NONE;
    case 'R':
        return (reg_id)(PPC_GPR + (n | 1));
    case 'f':
        return vsr(n, 0);
    case 'v':
        return vsr(n, 1);
    case 's': /* TX, AX, BX, CX are bits 31, 29, 30, 28 */
        return vsr(n, ppc_bits(w,
                               name == 't'   ? 31
                               : name == 'a' ? 29
                               : name == 'b' ? 30
                                             : 28,
                               1));
    case 'q':
        return vsr(n, ppc_bits(w, 28, 1));
    case 'w':
        return vsr(n, ppc_bits(w, 5, 1));
    case 'z':
        return vsr(n, ppc_bits(w, 15, 1));
    default: /* c, k: three of five bits name a CR field */
        return (reg_id)(PPC_CR + (n >> 2));
    }
}

static reg_id single_reg(char name)
{
    switch (name) {
    case 'X':
        return PPC_CR;
    case 'Y':
        return PPC_CR + 6;
    case 'C':
        return PPC_CA;
    case 'V':
        return PPC_OV;
    case 'P':
        return PPC_FPSCR;
    case 'U':
        return PPC_VSCR;
    case 'M':
        return REG_READ;
    default:
        return REG_NONE;
    }
}

/* Takes one register of a spec. */
static reg_id take_reg(const struct ppc_word *in, const char **spec)
{
    char class = *(*spec)++;
    reg_id r = single_reg(class);
    return r != REG_NONE ? r : ppc_register(in, class, *(*spec)++);
}

static void regs_add(struct regs *regs, reg_id r)
{
    if (r == REG_NONE)
        return;
    for (int i = 0; i < regs->n; i++)
        if (regs->r[i] == r)
            return;
    if (regs->n < EFFECT_REGS)
        regs->r[regs->n++] = r;
}

static struct regs regs_of(reg_id r)
{
    struct regs regs = {0};
    regs_add(&regs, r);
    return regs;
}

/* Takes registers with commas between, which may be none. */
static struct regs take_regs(const struct ppc_word *in, const char **spec)
{
    struct regs regs = {0};
    while (**spec && !strchr(" =+]", **spec)) {
        regs_add(&regs, take_reg(in, spec));
        if (**spec == ',')
            ++*spec;
    }
    return regs;
}

/* --- Effects --- */

static void add_flow(struct effect *e, enum flow_kind kind, reg_id dst,
                     const struct regs *srcs)
{
    if (e->n_flows == EFFECT_FLOWS)
        return;
    struct effect_flow *f = &e->flows[e->n_flows++];
    *f = (struct effect_flow){.kind = (uint8_t)kind, .dst = dst};
    if (srcs)
        f->srcs = *srcs;
}

static struct effect_access *add_access(struct effect *e, bool is_write,
                                        unsigned size, const struct regs *addr)
{
    struct effect_access *a = &e->accesses[e->n_accesses++];
    *a = (struct effect_access){
        .is_write = is_write,
        .size = (uint8_t)size,
        .tags = is_write ? TAG_BIT(TAG_W) : TAG_BIT(TAG_R),
        .addr = *addr,
        .result = REG_NONE,
    };
    return a;
}

/* One side of an item that is memory: size[x][*count][address]. */
struct memory {
    unsigned size, count;
    bool reserved;
    struct regs addr;
};

static unsigned take_number(const char **spec)
{
    unsigned n = 0;
    while (**spec >= '0' && **spec <= '9')
        n = 10 * n + (unsigned)(*(*spec)++ - '0');
    return n;
}

static struct memory take_memory(const struct ppc_word *in, const char **spec)
{
    struct memory m = {.size = take_number(spec), .count = 1};
    m.reserved = **spec == 'x';
    *spec += m.reserved;
    if (**spec == '*') {
        ++*spec;
        m.count = take_number(spec);
    }
    ++*spec; /* [ */
    m.addr = take_regs(in, spec);
    ++*spec; /* ] */
    return m;
}

static bool is_memory(const char *spec)
{
    return *spec >= '0' && *spec <= '9';
}

/* `data` of a write, `result` of a read; the other is empty. */
static void add_memory(struct effect *e, const struct memory *m, bool is_write,
                       const struct regs *data, reg_id result)
{
    for (unsigned i = 0; i < m->count; i++) {
        struct effect_access *a = add_access(e, is_write, m->size, &m->addr);
        if (m->reserved) {
            a->role = ACCESS_EXCLUSIVE;
            a->tags |= TAG_BIT(TAG_EX);
        }
        if (data)
            a->data = *data;
        a->result = result;
        a->partial = i > 0;
    }
}

/* Which bit of its CR field a field of the word names, as a mask. */
static uint8_t bit_of_field(const struct ppc_word *in, char name)
{
    return (uint8_t)(1u << (ppc_field(in->word, name) & 3));
}

/* Applies one item; leaves the sources of a flow in `srcs`. */
static void apply_item(const struct ppc_word *in, const char **spec,
                       struct effect *e, struct regs *srcs)
{
    if (is_memory(*spec)) {
        struct memory m = take_memory(in, spec);
        ++*spec; /* = */
        struct regs data = take_regs(in, spec);
        add_memory(e, &m, true, &data, REG_NONE);
        return;
    }
    bool is_bit = **spec == 'k';
    struct regs dsts = take_regs(in, spec);
    enum flow_kind kind = **spec == '+' ? FLOW_MERGE : FLOW_DATA;
    *spec += kind == FLOW_MERGE ? 2 : 1;
    if (is_memory(*spec)) {
        struct memory m = take_memory(in, spec);
        add_memory(e, &m, false, NULL, dsts.r[0]);
        return;
    }
    *srcs = take_regs(in, spec);
    for (int i = 0; i < dsts.n; i++) {
        add_flow(e, kind, dsts.r[i], srcs);
        if (is_bit)
            e->flows[e->n_flows - 1].part = bit_of_field(in, 't');
    }
    if (kind == FLOW_MERGE) /* for cr0 */
        for (int i = 0; i < dsts.n; i++)
            regs_add(srcs, dsts.r[i]);
}

static void apply_spec(const struct ppc_word *in, const struct ppc_row *row,
                       struct effect *e)
{
    struct regs srcs = {0};
    for (const char *spec = row->spec; *spec; spec += *spec == ' ')
        apply_item(in, &spec, e, &srcs);
    if (row->flags & PPC_OE && ppc_bits(in->word, 21, 1))
        add_flow(e, FLOW_DATA, PPC_OV, &srcs);
    if (row->flags & PPC_RC && in->word & 1)
        add_flow(e, FLOW_DATA, PPC_CR, &srcs);
    if (row->flags & PPC_RC1 && in->word & 1)
        add_flow(e, FLOW_DATA, PPC_CR + 1, &srcs);
}

/* --- What does not fit a spec --- */

/* The low `bits` of the word but AA and LK: a signed distance, or an address.
 */
static uint64_t branch_target(const struct ppc_word *in, unsigned bits)
{
    enum { ABSOLUTE = 2 };
    uint32_t high = in->word << (32 - bits);
    int64_t distance = (int32_t)high >> (32 - bits);
    distance &= ~(int64_t)3;
    return (in->word & ABSOLUTE ? 0 : in->pc) + (uint64_t)distance;
}

/* Sets what all branches share: the link register and the kind. `target` is
 * REG_NONE for a direct one. The counter is decremented: it keeps its taint,
 * but a loop that counts does not come back to the state it had. */
static void branch(const struct ppc_word *in, struct effect *e,
                   bool conditional, reg_id target)
{
    unsigned bo = ppc_field(in->word, 't');
    bool is_get_pc = in->word == 0x429f0005; /* bcl 20,31,$+4 */
    e->branch = BRANCH_DIRECT;
    if (conditional && !(bo & 16)) {
        e->branch = BRANCH_CONDITIONAL;
        regs_add(&e->branch_on, ppc_register(in, 'k', 'a'));
        e->branch_part = bit_of_field(in, 'a');
    }
    if (conditional && !(bo & 4)) {
        e->branch = BRANCH_CONDITIONAL;
        regs_add(&e->branch_on, PPC_CTR);
        e->branch_part = 0;
        struct regs counter = regs_of(PPC_CTR);
        add_flow(e, FLOW_DATA, PPC_CTR, &counter);
    }
    if (target != REG_NONE) {
        e->branch = BRANCH_INDIRECT;
        regs_add(&e->branch_on, target);
        e->branch_part = 0;
    } else {
        e->target = branch_target(in, conditional ? 16 : 26);
    }
    e->is_call = in->word & 1 && !is_get_pc;
    e->is_return = target == PPC_LR && !e->is_call;
    if (in->word & 1)
        add_flow(e, FLOW_DATA, PPC_LR, NULL);
}

/* mtspr and mfspr: the two halves of the number are exchanged. */
static void move_spr(const struct ppc_word *in, struct effect *e, bool to_spr)
{
    unsigned number = ppc_field(in->word, 'b') << 5 | ppc_field(in->word, 'a');
    reg_id gpr = ppc_register(in, 'r', 't');
    struct regs src = regs_of(gpr), sprs = {0};
    switch (number) {
    case 1: /* XER */
        regs_add(&sprs, PPC_CA);
        regs_add(&sprs, PPC_OV);
        break;
    case 8:
        regs_add(&sprs, PPC_LR);
        break;
    case 9:
        regs_add(&sprs, PPC_CTR);
        break;
    case 815:
        regs_add(&sprs, PPC_TAR);
        break;
    case 256: /* VRSAVE */
        break;
    case 268: /* time base, read only */
    case 269:
        if (!to_spr)
            break;
        e->kind = EFFECT_UNKNOWN;
        return;
    default:
        e->kind = EFFECT_UNKNOWN;
        return;
    }
    if (!to_spr)
        add_flow(e, FLOW_DATA, gpr, &sprs);
    for (int i = 0; to_spr && i < sprs.n; i++)
        add_flow(e, FLOW_DATA, sprs.r[i], &src);
}

/* mtcrf, mtocrf, mfocrf name CR fields by a mask, mfcr moves all. */
static void move_cr(const struct ppc_word *in, struct effect *e, bool to_cr)
{
    bool one = ppc_bits(in->word, 11, 1);
    unsigned mask = to_cr || one ? ppc_bits(in->word, 12, 8) : 0xff;
    reg_id gpr = ppc_register(in, 'r', 't');
    struct regs src = regs_of(gpr), fields = {0};
    for (unsigned i = 0; i < 8; i++)
        if (mask & 0x80u >> i) {
            regs_add(&fields, (reg_id)(PPC_CR + i));
            if (to_cr)
                add_flow(e, FLOW_DATA, (reg_id)(PPC_CR + i), &src);
        }
    if (!to_cr)
        add_flow(e, FLOW_DATA, gpr, &fields);
    if (fields.n == 1)
        e->flows[0].copy = to_cr ? COPY_BACK : COPY_OUT;
}

static void isel(const struct ppc_word *in, struct effect *e)
{
    struct regs cond = regs_of(ppc_register(in, 'k', 'c'));
    add_flow(e, FLOW_SELECT, ppc_register(in, 'r', 't'), NULL);
    struct effect_flow *f = &e->flows[e->n_flows - 1];
    f->srcs.n = 2;
    f->srcs.r[0] = ppc_register(in, 'o', 'a');
    f->srcs.r[1] = ppc_register(in, 'r', 'b');
    f->cond = cond;
    f->condition = ppc_field(in->word, 'c') & 3; /* LT, GT, EQ, SO */
}

/* lmw, stmw: words from or to rt .. r31. */
static void multiple(const struct ppc_word *in, struct effect *e, bool is_write)
{
    struct regs addr = regs_of(ppc_register(in, 'o', 'a'));
    for (unsigned r = ppc_field(in->word, 't'); r < 32; r++) {
        struct effect_access *a = add_access(e, is_write, 4, &addr);
        if (is_write)
            regs_add(&a->data, (reg_id)(PPC_GPR + r));
        else
            a->result = (reg_id)(PPC_GPR + r);
    }
}

/* lxvp and such: two VSRs, in the order of the bytes in memory. */
static void vector_pair(const struct ppc_word *in, struct effect *e,
                        bool is_write)
{
    unsigned t = ppc_field(in->word, 't');
    reg_id even = vsr(t & ~1u, t & 1);
    struct regs addr = regs_of(ppc_register(in, 'o', 'a'));
    if (!in->prefixed && in->word >> 26 == 31)
        regs_add(&addr, ppc_register(in, 'r', 'b'));
    for (unsigned i = 0; i < 4; i++) {
        reg_id r = (reg_id)(even + ((i < 2) != in->big_endian));
        struct effect_access *a = add_access(e, is_write, 8, &addr);
        if (is_write)
            regs_add(&a->data, r);
        else
            a->result = r;
        a->partial = !is_write && i & 1;
    }
}

static void cache_block_zero(const struct ppc_word *in, struct effect *e)
{
    struct regs addr = regs_of(ppc_register(in, 'o', 'a'));
    regs_add(&addr, ppc_register(in, 'r', 'b'));
    for (unsigned i = 0; i < CACHE_BLOCK / 8; i++)
        add_access(e, true, 8, &addr);
}

/* Field L: 0 sync, 1 lwsync, 2 ptesync. The persistent and store-only kinds of
 * ISA 3.1 are unknown to every model. */
static void sync(const struct ppc_word *in, struct effect *e)
{
    unsigned l = ppc_bits(in->word, 8, 3), sc = ppc_bits(in->word, 14, 2);
    if (l > 2 || sc)
        e->kind = EFFECT_UNKNOWN;
    else
        e->fence = TAG_BIT(TAG_F) | TAG_BIT(l == 1 ? TAG_LWSYNC : TAG_SYNC);
}

/* crclr and crset: crxor and creqv of a bit with itself. */
static bool is_constant(const struct ppc_word *in, const struct ppc_row *row)
{
    return (strcmp(row->name, "crxor") == 0 ||
            strcmp(row->name, "creqv") == 0) &&
           ppc_field(in->word, 'a') == ppc_field(in->word, 'b');
}

/* nop, yield and hints of priority move a register to itself. */
static bool is_hint(const struct ppc_word *in, const struct ppc_row *row)
{
    uint32_t same = ppc_field(in->word, 't');
    if (ppc_field(in->word, 'a') != same)
        return false;
    if (strcmp(row->name, "or") == 0)
        return ppc_field(in->word, 'b') == same && !(in->word & 1);
    return strcmp(row->name, "ori") == 0 && !(in->word & 0xffff);
}

void ppc_apply(const struct ppc_word *in, const struct ppc_row *row,
               struct effect *e)
{
    switch ((enum ppc_special)row->special) {
    case PPC_PLAIN:
        if (is_hint(in, row))
            break;
        apply_spec(in, row, e);
        e->is_constant = is_constant(in, row);
        break;
    case PPC_B:
        branch(in, e, false, REG_NONE);
        break;
    case PPC_BC:
        branch(in, e, true, REG_NONE);
        break;
    case PPC_BCLR:
        branch(in, e, true, PPC_LR);
        break;
    case PPC_BCCTR:
        branch(in, e, true, PPC_CTR);
        break;
    case PPC_BCTAR:
        branch(in, e, true, PPC_TAR);
        break;
    case PPC_MTSPR:
        move_spr(in, e, true);
        break;
    case PPC_MFSPR:
        move_spr(in, e, false);
        break;
    case PPC_MTCRF:
        move_cr(in, e, true);
        break;
    case PPC_MFCR:
        move_cr(in, e, false);
        break;
    case PPC_ISEL:
        isel(in, e);
        break;
    case PPC_LMW:
        multiple(in, e, false);
        break;
    case PPC_STMW:
        multiple(in, e, true);
        break;
    case PPC_LOAD_PAIR:
        vector_pair(in, e, false);
        break;
    case PPC_STORE_PAIR:
        vector_pair(in, e, true);
        break;
    case PPC_DCBZ:
        cache_block_zero(in, e);
        break;
    case PPC_SYNC:
        sync(in, e);
        break;
    case PPC_ISYNC:
        e->fence = TAG_BIT(TAG_F) | TAG_BIT(TAG_ISYNC);
        break;
    case PPC_EIEIO:
        e->fence = TAG_BIT(TAG_F) | TAG_BIT(TAG_EIEIO);
        break;
    case PPC_TRAP_IF:
        e->may_trap = 1;
        if (ppc_field(in->word, 't') == 31)
            e->kind = EFFECT_TRAP;
        break;
    case PPC_TRAP:
        e->kind = EFFECT_TRAP;
        break;
    }
}
