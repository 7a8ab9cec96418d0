/* AArch64 loads and stores (Arm ARM, C4.1 "Loads and Stores"): marks as in
 * docs/MODELS.md, AArch64.
 *
 * A 16-byte access appears as one only where it is single-copy atomic on every
 * CPU: exclusive pairs (if the store succeeds), casp and FEAT_LSE128. ldp, stp
 * and 128-bit vector accesses are split into their registers and 8-byte halves,
 * without an order between them; the structure loads ld1 ... st4 into their
 * elements. */
#include "hw/isa/aarch64/aarch64.h"

#define MARK(name) TAG_BIT(TAG_##name)

static uint64_t mark_if(bool condition, uint64_t mark)
{
    return condition ? mark : 0;
}

/* --- Builders --- */

static struct regs base_address(uint32_t w)
{
    struct regs regs = {0};
    a64_add(&regs, a64_sp(w, A64_RN));
    return regs;
}

static struct effect_access *add_access(struct effect *e, bool is_write,
                                        unsigned size, const struct regs *addr)
{
    struct effect_access *a = &e->accesses[e->n_accesses++];
    *a = (struct effect_access){.is_write = is_write,
                                .size = (uint8_t)size,
                                .addr = *addr,
                                .result = REG_NONE};
    return a;
}

static struct effect_access *add_read(struct effect *e, unsigned size,
                                      const struct regs *addr, reg_id result)
{
    struct effect_access *a = add_access(e, false, size, addr);
    a->result = result;
    return a;
}

static struct effect_access *add_write(struct effect *e, unsigned size,
                                       const struct regs *addr, reg_id data)
{
    struct effect_access *a = add_access(e, true, size, addr);
    a64_add(&a->data, data);
    return a;
}

/* A load or store of one register as plain accesses of at most 8 bytes. */
static void add_plain(struct effect *e, bool is_load, unsigned size,
                      const struct regs *addr, reg_id r)
{
    for (unsigned at = 0; at < size; at += 8) {
        unsigned piece = size - at < 8 ? size - at : 8;
        if (is_load)
            add_read(e, piece, addr, r)->partial = at > 0;
        else
            add_write(e, piece, addr, r);
    }
}

/* The address register after the access; the offset is a constant. */
static void write_back(uint32_t w, struct effect *e)
{
    reg_id n = a64_sp(w, A64_RN);
    a64_flow(e, n, n, REG_NONE, REG_NONE);
}

void a64_zero_block(uint32_t w, struct effect *e)
{
    enum { BLOCK = 64 }; /* what dczid_el0 says on all CPUs in use */
    struct regs addr = {0};
    a64_add(&addr, a64_x(w, A64_RT));
    for (unsigned at = 0; at < BLOCK; at += 8)
        add_write(e, 8, &addr, REG_NONE);
}

/* --- Exclusive and ordered accesses, compare and swap --- */

static void exclusive_load(uint32_t w, struct effect *e, unsigned size,
                           bool is_pair)
{
    struct regs addr = base_address(w);
    struct effect_access *a = add_read(e, size, &addr, a64_x(w, A64_RT));
    a->role = ACCESS_EXCLUSIVE;
    a->tags = MARK(EX) | mark_if(a64_bit(w, 15), MARK(ARM_A));
    a->if_stored = size == 16;
    if (is_pair)
        a64_flow(e, a64_x(w, A64_RT2), REG_READ, REG_NONE, REG_NONE);
}

/* The status register carries no dependency. */
static void exclusive_store(uint32_t w, struct effect *e, unsigned size,
                            bool is_pair)
{
    struct regs addr = base_address(w);
    struct effect_access *a = add_write(e, size, &addr, a64_x(w, A64_RT));
    a->role = ACCESS_EXCLUSIVE;
    a->tags = MARK(EX) | mark_if(a64_bit(w, 15), MARK(ARM_L));
    if (is_pair)
        a64_add(&a->data, a64_x(w, A64_RT2));
    a64_constant(e, a64_x(w, A64_RS));
}

static bool exclusive(uint32_t w, struct effect *e, unsigned size, bool is_pair)
{
    if (a64_bit(w, 22))
        exclusive_load(w, e, size, is_pair);
    else
        exclusive_store(w, e, size, is_pair);
    return true;
}

/* stlr and ldar; stllr and ldlar, which are as strong within the models. */
static bool ordered(uint32_t w, struct effect *e, unsigned size)
{
    struct regs addr = base_address(w);
    if (a64_bit(w, 22))
        add_read(e, size, &addr, a64_x(w, A64_RT))->tags = MARK(ARM_A);
    else
        add_write(e, size, &addr, a64_x(w, A64_RT))->tags = MARK(ARM_L);
    return true;
}

/* The register after that in the field, of a pair that starts at it. */
static reg_id second_of_pair(uint32_t w, unsigned lo)
{
    uint32_t next = a64_bits(w, lo + 4, lo) + 1;
    return next >= A64_ZERO ? REG_NONE : (reg_id)(A64_X0 + next);
}

/* cas and casp: xs is compared and receives what was read, xt is stored. */
static bool compare_and_swap(uint32_t w, struct effect *e, unsigned size,
                             bool is_pair)
{
    struct regs addr = base_address(w);
    reg_id s = a64_x(w, A64_RS);
    struct effect_access *r = add_read(e, size, &addr, s);
    r->role = ACCESS_AMO_COMPARE;
    r->tags = MARK(X);
    if (s == REG_NONE)
        r->tags |= MARK(NORET); /* and then never acquires */
    else
        r->tags |= mark_if(a64_bit(w, 22), MARK(ARM_A));

    struct effect_access *wr = add_write(e, size, &addr, a64_x(w, A64_RT));
    wr->role = ACCESS_AMO_COMPARE;
    wr->tags = MARK(X) | mark_if(a64_bit(w, 15), MARK(ARM_L));
    a64_add(&wr->pick, s);
    if (is_pair) {
        a64_add(&wr->data, second_of_pair(w, A64_RT));
        a64_add(&wr->pick, second_of_pair(w, A64_RS));
        a64_flow(e, second_of_pair(w, A64_RS), REG_READ, REG_NONE, REG_NONE);
    }
    return a64_bits(w, 14, 10) == 31;
}

static bool exclusive_group(uint32_t w, struct effect *e)
{
    enum { EXCLUSIVE, PAIR, ORDERED, CAS };
    unsigned size = 1u << a64_bits(w, 31, 30);
    unsigned pair = a64_bit(w, 30) ? 16 : 8;
    switch (a64_bits(w, 23, 23) << 1 | a64_bits(w, 21, 21)) {
    case EXCLUSIVE:
        return exclusive(w, e, size, false);
    case PAIR:
        if (a64_bit(w, 31))
            return exclusive(w, e, pair, true);
        return compare_and_swap(w, e, pair, true);
    case ORDERED:
        return ordered(w, e, size);
    case CAS:
        return compare_and_swap(w, e, size, false);
    default:
        return false;
    }
}

/* --- FEAT_LSE: fetch-and-operate, swap; ldapr --- */

/* Both halves of an AMO. Without a result register (st<op>, swp to zr) the read
 * never acquires and dmb ld does not order it. */
static struct effect_access *add_amo(uint32_t w, struct effect *e,
                                     unsigned size, reg_id result)
{
    struct regs addr = base_address(w);
    struct effect_access *r = add_read(e, size, &addr, result);
    r->role = ACCESS_AMO;
    r->tags = MARK(X);
    if (result == REG_NONE)
        r->tags |= MARK(NORET);
    else
        r->tags |= mark_if(a64_bit(w, 23), MARK(ARM_A));
    struct effect_access *wr = add_access(e, true, size, &addr);
    wr->role = ACCESS_AMO;
    wr->tags = MARK(X) | mark_if(a64_bit(w, 22), MARK(ARM_L));
    return wr;
}

static bool atomic(uint32_t w, struct effect *e)
{
    enum { LDADD = 0, LDUMIN = 7, SWP = 8, LDAPR = 12 };
    unsigned size = 1u << a64_bits(w, 31, 30);
    uint32_t op = a64_bits(w, 15, 12);
    reg_id s = a64_x(w, A64_RS), t = a64_x(w, A64_RT);
    if (op == LDAPR) {
        struct regs addr = base_address(w);
        add_read(e, size, &addr, t)->tags = MARK(ARM_Q);
        return a64_bits(w, 23, 22) == 2 && s == REG_NONE;
    }
    if (op > SWP)
        return false;
    struct effect_access *wr = add_amo(w, e, size, t);
    if (op <= LDUMIN)
        a64_add(&wr->data, REG_READ);
    a64_add(&wr->data, s);
    return true;
}

/* FEAT_LSE128: swpp, ldclrp and ldsetp; xt1 and xt2 are operands and results.
 */
static bool atomic_pair(uint32_t w, struct effect *e)
{
    enum { LDCLRP = 1, LDSETP = 3, SWPP = 8 };
    uint32_t op = a64_bits(w, 15, 12);
    reg_id t1 = a64_x(w, A64_RT), t2 = a64_x(w, 16);
    struct effect_access *wr = add_amo(w, e, 16, t1);
    if (op != SWPP)
        a64_add(&wr->data, REG_READ);
    a64_add(&wr->data, t1);
    a64_add(&wr->data, t2);
    a64_flow(e, t2, REG_READ, REG_NONE, REG_NONE);
    return (op == LDCLRP || op == LDSETP || op == SWPP) && t1 != REG_NONE &&
           t2 != REG_NONE;
}

/* --- FEAT_LRCPC2 and 3 --- */

/* stlur and ldapur; those that extend the sign too. */
static bool ordered_unscaled(uint32_t w, struct effect *e)
{
    unsigned size = 1u << a64_bits(w, 31, 30);
    struct regs addr = base_address(w);
    if (a64_bits(w, 23, 22) == 0)
        add_write(e, size, &addr, a64_x(w, A64_RT))->tags = MARK(ARM_L);
    else
        add_read(e, size, &addr, a64_x(w, A64_RT))->tags = MARK(ARM_Q);
    return true;
}

/* ldiapp and stilp: pairs whose accesses are ordered. Bit 12 clear: with
 * write-back. */
static bool ordered_pair(uint32_t w, struct effect *e)
{
    unsigned size = a64_bit(w, 30) ? 8 : 4;
    struct regs addr = base_address(w);
    const unsigned fields[] = {A64_RT, 16};
    for (int i = 0; i < 2; i++) {
        reg_id r = a64_x(w, fields[i]);
        struct effect_access *a;
        if (a64_bit(w, 22)) {
            a = add_read(e, size, &addr, r);
            a->tags = MARK(ARM_Q);
        } else {
            a = add_write(e, size, &addr, r);
            a->tags = MARK(ARM_L);
        }
        a->volatile_order = 1;
    }
    if (!a64_bit(w, 12))
        write_back(w, e);
    return true;
}

static bool is_ordered_pair(uint32_t w)
{
    return (w & 0xbfa0ec00) == 0x99000800;
}

static bool is_atomic_pair(uint32_t w)
{
    return (w & 0xff200c00) == 0x19200000;
}

bool a64_is_newer_pair(uint32_t w)
{
    return is_ordered_pair(w) || is_atomic_pair(w);
}

/* Bits 29..24 are 011001. */
static bool ordered_group(uint32_t w, struct effect *e)
{
    if (is_atomic_pair(w))
        return atomic_pair(w, e);
    if (is_ordered_pair(w))
        return ordered_pair(w, e);
    if (a64_bits(w, 11, 10) == 0 && !a64_bit(w, 21))
        return ordered_unscaled(w, e);
    return false; /* memory tags, memcpy */
}

/* --- Plain loads and stores --- */

/* The register and size of a load or store; false if unallocated. */
static bool single_operand(uint32_t w, reg_id *r, unsigned *size, bool *is_load)
{
    uint32_t scale = a64_bits(w, 31, 30), op = a64_bits(w, 23, 22);
    if (a64_bit(w, 26)) {
        if (op >= 2)
            scale += 4; /* 128 bits, if size is 0 */
        *r = a64_v(w, A64_RT);
        *is_load = op & 1;
    } else {
        *r = a64_x(w, A64_RT);
        *is_load = op != 0;
    }
    *size = 1u << scale;
    return scale <= 4;
}

/* ldr, str and their forms of all sizes; bits 29..27 are 111. */
static bool single(uint32_t w, struct effect *e)
{
    enum { UNSCALED, POST_INDEX, UNPRIVILEGED, PRE_INDEX };
    bool scaled = a64_bit(w, 24), is_load;
    uint32_t mode = a64_bits(w, 11, 10);
    struct regs addr = base_address(w);
    if (!scaled && a64_bit(w, 21)) {
        if (mode == 0)
            return !a64_bit(w, 26) && atomic(w, e);
        if (mode != 2)
            return false; /* ldraa */
        a64_add(&addr, a64_x(w, A64_RM));
    }
    if (a64_bits(w, 31, 30) == 3 && a64_bits(w, 23, 22) == 2 && !a64_bit(w, 26))
        return true; /* prfm */
    reg_id r;
    unsigned size;
    if (!single_operand(w, &r, &size, &is_load))
        return false;
    add_plain(e, is_load, size, &addr, r);
    if (!scaled && !a64_bit(w, 21) && (mode == POST_INDEX || mode == PRE_INDEX))
        write_back(w, e);
    return true;
}

/* ldp, stp, ldnp, stnp, ldpsw; bits 29..27 are 101. */
static bool pair(uint32_t w, struct effect *e)
{
    bool is_load = a64_bit(w, 22), is_vector = a64_bit(w, 26);
    uint32_t op = a64_bits(w, 31, 30);
    unsigned size = is_vector ? 4u << op : op == 2 ? 8 : 4;
    struct regs addr = base_address(w);
    if (op == 3 || (op == 1 && !is_vector && !is_load))
        return false; /* stgp */
    const unsigned fields[] = {A64_RT, A64_RT2};
    for (int i = 0; i < 2; i++)
        add_plain(e, is_load, size, &addr,
                  is_vector ? a64_v(w, fields[i]) : a64_x(w, fields[i]));
    e->is_pair = size == 8 && !is_vector && a64_bits(w, 24, 23) != 0; /* ldnp */
    for (int i = 0; is_load && i < 2; i++)
        e->accesses[i].loose_address = a64_bits(w, 24, 23) == 0;
    if (a64_bit(w, 23))
        write_back(w, e);
    return true;
}

/* ldr from an address next to the code; bits 29..27 are 011. */
static bool literal(uint32_t w, struct effect *e)
{
    enum { LDRSW = 2, PRFM = 3 };
    uint32_t op = a64_bits(w, 31, 30);
    bool is_vector = a64_bit(w, 26);
    const struct regs none = {0};
    if (!is_vector && op == PRFM)
        return true;
    unsigned size = !is_vector && op == LDRSW ? 4 : 4u << op;
    add_plain(e, true, size, &none,
              is_vector ? a64_v(w, A64_RT) : a64_x(w, A64_RT));
    return size <= 16;
}

/* --- Structures of vector elements --- */

/* One element of `size` bytes, of the kth register of the list. */
static void add_element(uint32_t w, struct effect *e, unsigned size, unsigned k,
                        bool keeps_rest)
{
    struct regs addr = base_address(w);
    reg_id r = (reg_id)(A64_V0 + (a64_bits(w, 4, 0) + k) % 32);
    if (a64_bit(w, 22))
        add_read(e, size, &addr, r)->partial = keeps_rest;
    else
        add_write(e, size, &addr, r);
}

/* Post-index, by a register or (field 31) by the size of the accesses. */
static bool structure_write_back(uint32_t w, struct effect *e)
{
    reg_id n = a64_sp(w, A64_RN);
    if (!a64_bit(w, 23))
        return a64_bits(w, 20, 16) == 0;
    a64_flow(e, n, n, a64_x(w, A64_RM), REG_NONE);
    return true;
}

/* Whole registers. Those of ld1 hold consecutive elements, those of ld2, ld3
 * and ld4 take them in turn. */
static bool multiple_structures(uint32_t w, struct effect *e)
{
    static const struct {
        uint8_t n_registers, in_turn;
    } forms[16] = {[0] = {4, 1}, [2] = {4, 0}, [4] = {3, 1}, [6] = {3, 0},
                   [7] = {1, 0}, [8] = {2, 1}, [10] = {2, 0}};
    uint32_t form = a64_bits(w, 15, 12);
    unsigned size = 1u << a64_bits(w, 11, 10), n = forms[form].n_registers;
    unsigned n_each = (a64_bit(w, 30) ? 16 : 8) / size;
    if (!n)
        return false;
    for (unsigned i = 0; i < n * n_each; i++)
        if (forms[form].in_turn)
            add_element(w, e, size, i % n, i >= n);
        else
            add_element(w, e, size, i / n_each, i % n_each > 0);
    return structure_write_back(w, e);
}

/* One lane of each register, or (ld1r ...) one element for all lanes. */
static bool single_structure(uint32_t w, struct effect *e)
{
    enum { BYTE, HALF, WORD_OR_DOUBLE, REPLICATE };
    uint32_t scale = a64_bits(w, 15, 14), low = a64_bits(w, 11, 10);
    unsigned n = (a64_bits(w, 13, 13) << 1 | a64_bits(w, 21, 21)) + 1;
    if (scale == REPLICATE)
        scale = low;
    else if (scale == WORD_OR_DOUBLE)
        scale += low;
    for (unsigned i = 0; i < n; i++)
        add_element(w, e, 1u << scale, i, a64_bits(w, 15, 14) != REPLICATE);
    return structure_write_back(w, e);
}

/* --- Dispatch --- */

bool a64_decode_memory(uint32_t w, struct effect *e)
{
    switch (a64_bits(w, 29, 27)) {
    case 3:
        if (!a64_bit(w, 24))
            return literal(w, e);
        return !a64_bit(w, 26) && ordered_group(w, e);
    case 5:
        return pair(w, e);
    case 7:
        return single(w, e);
    case 1:
        if (!a64_bit(w, 26))
            return !a64_bit(w, 24) && exclusive_group(w, e);
        if (a64_bit(w, 24))
            return single_structure(w, e);
        return multiple_structures(w, e);
    default:
        return false;
    }
}
