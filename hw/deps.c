/* One matrix of bits: a row a set, all of the same width. First come rows in
 * which an instruction's results are prepared, since all of them are made of
 * the values before it; then the registers; then the slots of private memory,
 * as many as hold a value that depends on something. */
#include "hw/deps.h"

#include "core/mem.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

/* Each has the rows D, P, S and C. */
enum {
    FLOWS = 4,
    ROW_EMPTY = 0,             /* of constants */
    ROW_CTRL = FLOWS,          /* of branches; C: all that chose so far */
    ROW_OUT = 2 * FLOWS,       /* the same before the instruction */
    ROW_READ = 3 * FLOWS,      /* of REG_READ */
    ROW_STORED = 4 * FLOWS,    /* of what goes to a slot */
    ROW_CONDITION = 5 * FLOWS, /* of a selection */
    ROW_LEFT = 6 * FLOWS,      /* of the operand that is not selected */
    ROW_ACCESSES = 7 * FLOWS,  /* address and data of each access */
    ROW_RESULTS = ROW_ACCESSES + 2 * FLOWS * EFFECT_ACCESSES, /* each read */
    ROW_FLOWS = ROW_RESULTS + FLOWS * EFFECT_ACCESSES,        /* each flow */
    ROW_OPEN = ROW_FLOWS + FLOWS * EFFECT_FLOWS, /* one row each access */
    ROW_REGISTERS = ROW_OPEN + EFFECT_ACCESSES,  /* each */
};

/* --- Rows --- */

static uint64_t *row(const struct deps *t, uint32_t r)
{
    return t->rows + (size_t)r * t->n_words;
}

static struct deps_taint taint(const struct deps *t, uint32_t r)
{
    return (struct deps_taint){row(t, r), row(t, r + 1), row(t, r + 2),
                               row(t, r + 3)};
}

/* What the address of access i depends on. */
static struct deps_taint address_of(const struct deps *t, uint32_t i)
{
    return taint(t, ROW_ACCESSES + 2 * FLOWS * i);
}

/* What is stored by access i. */
static struct deps_taint data_of(const struct deps *t, uint32_t i)
{
    return taint(t, ROW_ACCESSES + 2 * FLOWS * i + FLOWS);
}

static struct deps_taint result_of(const struct deps *t, uint32_t i)
{
    return taint(t, ROW_RESULTS + FLOWS * i);
}

static void clear(const struct deps *t, uint64_t *set)
{
    memset(set, 0, t->n_words * sizeof *set);
}

static void unite(const struct deps *t, uint64_t *to, const uint64_t *from)
{
    for (uint32_t i = 0; i < t->n_words; i++)
        to[i] |= from[i];
}

static void intersect(const struct deps *t, uint64_t *to, const uint64_t *from)
{
    for (uint32_t i = 0; i < t->n_words; i++)
        to[i] &= from[i];
}

static void add_source(uint64_t *set, uint32_t source)
{
    set[source / 64] |= UINT64_C(1) << source % 64;
}

/* Adds it to what a value depends on in any case. */
static void taint_add(struct deps_taint to, uint32_t source)
{
    add_source(to.d, source);
    add_source(to.p, source);
    add_source(to.s, source);
}

static bool is_empty(const struct deps *t, const uint64_t *set)
{
    for (uint32_t i = 0; i < t->n_words; i++)
        if (set[i])
            return false;
    return true;
}

/* The rows of a taint are one block; mostly of one word each, which needs no
 * call. */
static void taint_clear(const struct deps *t, struct deps_taint a)
{
    if (t->n_words == 1)
        memset(a.d, 0, FLOWS * sizeof *a.d);
    else
        memset(a.d, 0, FLOWS * t->n_words * sizeof *a.d);
}

static void taint_copy(const struct deps *t, struct deps_taint to,
                       struct deps_taint from)
{
    if (t->n_words == 1)
        memcpy(to.d, from.d, FLOWS * sizeof *to.d);
    else
        memcpy(to.d, from.d, FLOWS * t->n_words * sizeof *to.d);
}

static void taint_unite(const struct deps *t, struct deps_taint to,
                        struct deps_taint from)
{
    if (t->n_words == 1)
        for (uint32_t i = 0; i < FLOWS; i++)
            to.d[i] |= from.d[i];
    else
        for (uint32_t i = 0; i < FLOWS * t->n_words; i++)
            to.d[i] |= from.d[i];
}

struct deps_taint deps_register(const struct deps *t, reg_id r)
{
    if (!t->enabled || r == REG_NONE)
        return taint(t, ROW_EMPTY);
    if (r == REG_READ)
        return taint(t, ROW_READ);
    return taint(t, ROW_REGISTERS + FLOWS * (uint32_t)r);
}

static void unite_registers(const struct deps *t, struct deps_taint to,
                            const struct regs *regs)
{
    for (int i = 0; i < regs->n; i++)
        taint_unite(t, to, deps_register(t, regs->r[i]));
}

uint32_t deps_next(const uint64_t *set, uint32_t n_words, uint32_t from)
{
    for (uint32_t i = from / 64; i < n_words; i++) {
        uint64_t word = set[i];
        if (i == from / 64)
            word &= UINT64_MAX << from % 64;
        if (word)
            return i * 64 + (uint32_t)__builtin_ctzll(word);
    }
    return UINT32_MAX;
}

/* --- Life --- */

static uint32_t n_fixed_rows(const struct deps *t)
{
    return ROW_REGISTERS + FLOWS * (uint32_t)t->n_regs;
}

void deps_init(struct deps *t, const struct isa *isa, bool enabled)
{
    *t = (struct deps){.enabled = enabled, .n_regs = isa->n_regs, .n_words = 1};
    t->rows_cap = n_fixed_rows(t) + 64;
    t->rows = mem_resize(NULL, t->rows_cap * sizeof *t->rows);
    deps_reset(t);
}

void deps_release(struct deps *t)
{
    free(t->rows);
    free(t->slots);
    free(t->free_rows);
    *t = (struct deps){0};
}

void deps_reset(struct deps *t)
{
    t->n_rows = n_fixed_rows(t);
    t->n_slots = t->n_free = 0;
    t->n_unknown_selections = 0;
    memset(t->rows, 0, (size_t)t->n_rows * t->n_words * sizeof *t->rows);
}

/* Makes rows wide enough for a source. Moves all rows. */
static void widen(struct deps *t, uint32_t source)
{
    uint32_t words = t->n_words;
    while (source / 64 >= words)
        words *= 2;
    if (words == t->n_words)
        return;
    uint64_t *rows =
        mem_resize(NULL, (size_t)t->rows_cap * words * sizeof *rows);
    memset(rows, 0, (size_t)t->n_rows * words * sizeof *rows);
    for (uint32_t r = 0; r < t->n_rows; r++)
        memcpy(rows + (size_t)r * words, row(t, r), t->n_words * sizeof *rows);
    free(t->rows);
    t->rows = rows;
    t->n_words = words;
}

/* Rows for a slot, of any contents. reserve() made room for them. */
static uint32_t new_rows(struct deps *t)
{
    if (t->n_free)
        return t->free_rows[--t->n_free];
    assert(t->n_rows + FLOWS <= t->rows_cap);
    t->n_rows += FLOWS;
    return t->n_rows - FLOWS;
}

/* --- Private memory --- */

static uint64_t slot_end(const struct deps_slot *s)
{
    return s->address + s->bytes;
}

/* The first slot that ends after the address. */
static uint32_t first_slot(const struct deps *t, uint64_t address)
{
    uint32_t low = 0, high = t->n_slots;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (slot_end(&t->slots[middle]) <= address)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static void load_slots(const struct deps *t, uint64_t address, unsigned bytes,
                       struct deps_taint to)
{
    for (uint32_t i = first_slot(t, address);
         i < t->n_slots && t->slots[i].address < address + bytes; i++)
        taint_unite(t, to, taint(t, t->slots[i].row));
}

static void insert_slot(struct deps *t, uint32_t at, struct deps_slot slot)
{
    t->slots = mem_room(t->slots, t->n_slots, &t->slots_cap, sizeof *t->slots);
    memmove(t->slots + at + 1, t->slots + at,
            (t->n_slots - at) * sizeof *t->slots);
    t->slots[at] = slot;
    t->n_slots++;
}

static void remove_slot(struct deps *t, uint32_t at)
{
    t->free_rows =
        mem_room(t->free_rows, t->n_free, &t->free_cap, sizeof *t->free_rows);
    t->free_rows[t->n_free++] = t->slots[at].row;
    t->n_slots--;
    memmove(t->slots + at, t->slots + at + 1,
            (t->n_slots - at) * sizeof *t->slots);
}

/* Cuts a hole [address, end) into the slots; returns where a slot for it goes.
 * A slot that reaches over both ends is split, and its parts keep its sets. */
static uint32_t cut_slots(struct deps *t, uint64_t address, uint64_t end)
{
    uint32_t at = first_slot(t, address);
    while (at < t->n_slots && t->slots[at].address < end) {
        struct deps_slot *s = &t->slots[at];
        uint64_t old_end = slot_end(s);
        if (s->address < address) {
            s->bytes = (uint32_t)(address - s->address);
            at++;
            if (old_end > end) {
                uint32_t from = s->row, to = new_rows(t);
                taint_copy(t, taint(t, to), taint(t, from));
                insert_slot(
                    t, at,
                    (struct deps_slot){end, (uint32_t)(old_end - end), to});
            }
        } else if (old_end > end) {
            s->address = end;
            s->bytes = (uint32_t)(old_end - end);
        } else {
            remove_slot(t, at);
        }
    }
    return at;
}

/* Stores the sets in ROW_STORED. Constants need no slot. */
static void store_slot(struct deps *t, uint64_t address, unsigned bytes)
{
    uint32_t at = cut_slots(t, address, address + bytes);
    if (is_empty(t, taint(t, ROW_STORED).p))
        return;
    uint32_t rows = new_rows(t);
    taint_copy(t, taint(t, rows), taint(t, ROW_STORED));
    insert_slot(t, at, (struct deps_slot){address, bytes, rows});
}

/* --- Accesses --- */

/* Adds what decides whether access `a`, the write of a compare-and-swap, is
 * done: the value compared with. It decides what its read is, too. */
static void unite_picks(struct deps *t, const struct effect_access *a,
                        struct deps_taint to)
{
    for (int k = 0; k < a->pick.n; k++)
        unite(t, to.p, deps_register(t, a->pick.r[k]).p);
}

/* Did the instruction's compare-and-swap write? */
static bool swapped(const struct effect *e, const struct deps_dynamic *dynamic)
{
    for (int i = 0; i < e->n_accesses; i++)
        if (e->accesses[i].role == ACCESS_AMO_COMPARE &&
            e->accesses[i].is_write)
            return !dynamic->accesses[i].skipped;
    return false;
}

/* Adds to what chose so far what chose for a value that something before the
 * next events depends on. A read on which that depends in any case does not
 * count: whatever waits for the value, waits for the read. */
static void note_choice(struct deps *t, struct deps_taint value)
{
    uint64_t *all = taint(t, ROW_CTRL).c;
    for (uint32_t i = 0; i < t->n_words; i++)
        all[i] |= value.c[i] & ~value.s[i];
}

/* What the address of access i depends on. A private access makes no event, so
 * that goes on with pctrl; and another slot would be written with another
 * address. */
static struct deps_taint step_address(struct deps *t, const struct effect *e,
                                      uint32_t i, const struct deps_access *how)
{
    struct deps_taint addr = address_of(t, i), ctrl = taint(t, ROW_CTRL);
    taint_clear(t, addr);
    clear(t, row(t, ROW_OPEN + i));
    unite_registers(t, addr, &e->accesses[i].addr);
    if (e->accesses[i].loose_address) {
        clear(t, addr.d);
        clear(t, addr.s);
    }
    note_choice(t, addr);
    if (how->is_private)
        unite(t, ctrl.p, addr.p);
    if (how->is_private && e->accesses[i].is_write)
        unite(t, ctrl.c, addr.p);
    return addr;
}

/* Prepares what the read returns, in its result rows, and adds it to REG_READ.
 * A shared read gives itself alone. A private one gives what was stored there,
 * with the address of both. The value that a successful compare-and-swap
 * returns may come from the compare register instead: it has no D, and P only
 * of the read, which both ways have. */
static void step_read(struct deps *t, const struct effect *e, uint32_t i,
                      const struct deps_dynamic *dynamic)
{
    const struct effect_access *a = &e->accesses[i];
    const struct deps_access *how = &dynamic->accesses[i];
    struct deps_taint addr = step_address(t, e, i, how);
    taint_clear(t, data_of(t, i));
    for (int k = 0; k < e->n_accesses; k++)
        unite_picks(t, &e->accesses[k], data_of(t, i));
    struct deps_taint value = result_of(t, i);
    taint_clear(t, value);
    if (how->is_private) {
        load_slots(t, how->address, a->size, value);
        taint_unite(t, value, addr);
    } else {
        for (uint32_t k = 0; k < how->n_reads; k++)
            taint_add(value, DEP_READ(how->read + k));
    }
    if (a->role == ACCESS_AMO_COMPARE) {
        clear(t, value.s);
        if (swapped(e, dynamic))
            clear(t, value.d);
    }
    taint_unite(t, taint(t, ROW_READ), value);
}

/* Of write i: see deps_event. */
static void find_open(const struct deps *t, uint32_t i)
{
    struct deps_taint ctrl = taint(t, ROW_CTRL);
    struct deps_taint addr = address_of(t, i), data = data_of(t, i);
    uint64_t *open = row(t, ROW_OPEN + i);
    for (uint32_t w = 0; w < t->n_words; w++)
        open[w] = ctrl.c[w] & ~(ctrl.s[w] | addr.s[w] | data.s[w]);
}

static void step_write(struct deps *t, const struct effect *e, uint32_t i,
                       const struct deps_dynamic *dynamic)
{
    const struct effect_access *a = &e->accesses[i];
    const struct deps_access *how = &dynamic->accesses[i];
    struct deps_taint addr = step_address(t, e, i, how);
    struct deps_taint data = data_of(t, i);
    taint_clear(t, data);
    unite_registers(t, data, &a->data);
    unite_picks(t, a, data);
    if (!how->is_private) {
        note_choice(t, data);
        find_open(t, i);
        return;
    }
    if (how->skipped)
        return;
    struct deps_taint stored = taint(t, ROW_STORED);
    taint_copy(t, stored, data);
    taint_unite(t, stored, addr);
    store_slot(t, how->address, a->size);
}

/* --- Flows --- */

/* The selected operand, and pick from the condition. Unless that is constant,
 * only what both operands share is sure. */
static void step_select(struct deps *t, const struct effect_flow *f,
                        enum deps_selection selection, struct deps_taint to)
{
    struct regs held = f->srcs, other = {.n = 1};
    other.r[0] = held.r[--held.n];
    bool is_held = selection != DEPS_NOT_HELD;
    struct deps_taint cond = taint(t, ROW_CONDITION);
    taint_clear(t, cond);
    unite_registers(t, cond, &f->cond);
    unite_registers(t, to, is_held ? &held : &other);
    struct deps_taint left = taint(t, ROW_LEFT);
    taint_clear(t, left);
    unite_registers(t, left, is_held ? &other : &held);
    if (selection == DEPS_UNKNOWN) {
        intersect(t, to.d, left.d);
        intersect(t, to.p, left.p);
        t->n_unknown_selections++;
    }
    if (selection == DEPS_UNKNOWN || !is_empty(t, cond.p))
        intersect(t, to.s, left.s);
    unite(t, to.p, cond.p);
    unite(t, to.c, cond.p);
    unite(t, to.c, cond.c);
}

static void step_flow(struct deps *t, const struct effect *e, int i,
                      enum deps_selection selection)
{
    const struct effect_flow *f = &e->flows[i];
    struct deps_taint to = taint(t, ROW_FLOWS + FLOWS * (uint32_t)i);
    taint_clear(t, to);
    switch ((enum flow_kind)f->kind) {
    case FLOW_MERGE:
        taint_unite(t, to, deps_register(t, f->dst));
        unite_registers(t, to, &f->srcs);
        break;
    case FLOW_DATA:
        unite_registers(t, to, &f->srcs);
        break;
    case FLOW_SELECT:
        step_select(t, f, selection, to);
        break;
    }
}

/* Writes the prepared results to the registers, in the order of effects. */
static void commit(struct deps *t, const struct effect *e,
                   const struct deps_dynamic *dynamic)
{
    for (int i = 0; i < e->n_accesses; i++) {
        const struct effect_access *a = &e->accesses[i];
        if (a->is_write || a->result == REG_NONE)
            continue;
        struct deps_taint to = deps_register(t, a->result);
        struct deps_taint value = result_of(t, (uint32_t)i);
        if (a->partial)
            taint_unite(t, to, value);
        else
            taint_copy(t, to, value);
    }
    for (int i = 0; i < e->n_flows; i++)
        taint_copy(t, deps_register(t, e->flows[i].dst),
                   taint(t, ROW_FLOWS + FLOWS * (uint32_t)i));
    for (int i = 0; i < e->n_accesses; i++) {
        const struct effect_access *a = &e->accesses[i];
        if (a->is_write && a->result != REG_NONE && dynamic->accesses[i].stored)
            taint_add(deps_register(t, a->result),
                      DEP_STORE(dynamic->accesses[i].stored - 1));
    }
}

/* --- The step --- */

/* Makes room for what the step adds, so that no row moves during it: one slot,
 * and another if it splits one, for each write. */
static void reserve(struct deps *t, const struct effect *e,
                    const struct deps_dynamic *dynamic)
{
    uint32_t last = 0, rows = 0;
    for (int i = 0; i < e->n_accesses; i++) {
        const struct deps_access *a = &dynamic->accesses[i];
        rows += a->is_private && e->accesses[i].is_write ? 2 * FLOWS : 0;
        if (!a->is_private && a->n_reads && a->read + a->n_reads - 1 > last)
            last = a->read + a->n_reads - 1;
        if (a->stored > last + 1)
            last = a->stored - 1;
    }
    widen(t, DEP_STORE(last));
    if (t->n_rows + rows > t->rows_cap) {
        t->rows_cap = 2 * (t->n_rows + rows);
        t->rows = mem_resize(t->rows, (size_t)t->rows_cap * t->n_words *
                                          sizeof *t->rows);
    }
}

static void fill_out(const struct deps *t, const struct effect *e,
                     struct deps_out *out)
{
    struct deps_taint ctrl = taint(t, ROW_OUT), none = taint(t, ROW_EMPTY);
    out->n_words = t->n_words;
    out->ctrl = ctrl.d;
    out->pctrl = ctrl.p;
    for (uint32_t i = 0; i < e->n_accesses; i++) {
        struct deps_taint addr = t->enabled ? address_of(t, i) : none;
        struct deps_taint data = t->enabled ? data_of(t, i) : none;
        out->accesses[i] = (struct deps_event){
            .addr = addr.d,
            .paddr = addr.p,
            .data = data.d,
            .pdata = data.p,
            .open = t->enabled ? row(t, ROW_OPEN + i) : none.d,
        };
    }
}

void deps_step(struct deps *t, const struct effect *e,
               const struct deps_dynamic *dynamic, struct deps_out *out)
{
    if (!t->enabled) {
        fill_out(t, e, out);
        return;
    }
    reserve(t, e, dynamic);
    struct deps_taint ctrl = taint(t, ROW_CTRL);
    taint_copy(t, taint(t, ROW_OUT), ctrl);
    taint_clear(t, taint(t, ROW_READ));
    for (uint32_t i = 0; i < e->n_accesses; i++)
        if (e->accesses[i].is_write)
            step_write(t, e, i, dynamic);
        else
            step_read(t, e, i, dynamic);
    fill_out(t, e, out);
    for (int i = 0; i < e->n_flows; i++)
        step_flow(t, e, i, dynamic ? dynamic->selection : DEPS_UNKNOWN);
    for (int i = 0; i < e->branch_on.n; i++) {
        struct deps_taint on = deps_register(t, e->branch_on.r[i]);
        unite(t, ctrl.d, on.d);
        unite(t, ctrl.p, on.p);
        unite(t, ctrl.s, on.s);
        note_choice(t, on);
    }
    commit(t, e, dynamic);
}
