#include "hw/qemu/qemu_spin.h"

#include "core/graph.h"
#include "core/mem.h"

#include <stdlib.h>
#include <string.h>

static uint64_t mix(uint64_t a, uint64_t b)
{
    uint64_t x = (a ^ b * 0x9e3779b97f4a7c15u) + 0x632be59bd9b4e019u;
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
    x = (x ^ x >> 27) * 0x94d049bb133111ebu;
    return x ^ x >> 31;
}

static void set_whole(struct spin_reg *reg, uint64_t value)
{
    reg->whole = value;
    reg->copy_of = REG_NONE;
    reg->n_parts = 0;
}

void spin_init(struct spin *s, const struct isa *isa)
{
    memset(s, 0, sizeof *s);
    s->n_regs = isa->n_regs;
    s->result = isa->result_register;
    for (unsigned r = 0; r < isa->n_regs; r++)
        set_whole(&s->regs[r], s->initial[r] = mix(1, r));
}

void spin_release(struct spin *s)
{
    free(s->words);
    free(s->loops);
    memset(s, 0, sizeof *s);
}

/* The register, to be written. */
static struct spin_reg *change(struct spin *s, reg_id r)
{
    row_add(s->written, r);
    return &s->regs[r];
}

void spin_reset(struct spin *s)
{
    uint32_t r;
    row_for_each (r, s->written, SPIN_WRITTEN)
        set_whole(&s->regs[r], s->initial[r]);
    memset(s->written, 0, sizeof s->written);
    s->memory = s->salt = 0;
    s->effects = s->events = 0;
    s->n_words = s->n_loops = 0;
    if (++s->run == 0) { /* numbers of old runs come again */
        memset(s->words, 0, s->words_cap * sizeof *s->words);
        memset(s->loops, 0, s->loops_cap * sizeof *s->loops);
        s->run = 1;
    }
}

/* A hash of those parts that matter; the same whether or not others are known
 * apart. */
static uint64_t value_of(const struct spin_reg *reg, uint8_t live)
{
    uint64_t x = 0;
    uint8_t covered = 0;
    for (uint32_t i = 0; i < reg->n_parts; i++) {
        uint64_t part = reg->parts[i].part;
        if (part <= LIVE_WHOLE && !(part & live))
            continue;
        x = mix(mix(x, part), reg->parts[i].value);
        covered |= (uint8_t)(part <= LIVE_WHOLE ? part : 0);
    }
    if (live & ~covered)
        x = x ? mix(x, reg->whole) : reg->whole;
    return reg->copy_of == REG_NONE ? x : mix(x, reg->copy_of);
}

/* A hash of what all registers, or those parts of them, hold. A run writes but
 * few; the others are what they were in the begin. */
static uint64_t of_registers(const struct spin *s, const uint8_t *live)
{
    uint64_t x = 0;
    uint32_t r;
    row_for_each (r, s->written, SPIN_WRITTEN) {
        uint64_t value = value_of(&s->regs[r], live ? live[r] : LIVE_WHOLE);
        if ((!live || live[r]) && value != s->initial[r])
            x = mix(mix(x, r), value);
    }
    return x;
}

static void set_part(struct spin_reg *reg, uint64_t part, uint64_t value)
{
    uint32_t i = 0, n = reg->n_parts;
    while (i < n && reg->parts[i].part != part)
        i++;
    if (i == n && n == SPIN_PARTS) { /* no room: the oldest is kept for good */
        reg->whole = mix(reg->whole, reg->parts[0].value);
        i = 0;
    } else if (i == n) {
        reg->n_parts = n + 1;
    }
    for (; i + 1 < reg->n_parts; i++)
        reg->parts[i] = reg->parts[i + 1];
    reg->parts[i].part = part;
    reg->parts[i].value = value;
}

static uint64_t of_regs(const struct spin *s, const struct regs *regs)
{
    uint64_t x = 2;
    for (int i = 0; i < regs->n; i++)
        x = mix(x, regs->r[i] == REG_NONE
                       ? 0
                       : value_of(&s->regs[regs->r[i]], LIVE_WHOLE));
    return x;
}

/* So that a CR field which goes through a general register, where some bit is
 * changed, keeps the others. */
static bool moved(struct spin *s, const struct effect_flow *f)
{
    if (f->copy == COPY_NONE)
        return false;
    const struct spin_reg *from = &s->regs[f->srcs.r[0]];
    if (from->copy_of != (f->copy == COPY_BACK ? f->dst : REG_NONE))
        return false;
    struct spin_reg *to = change(s, f->dst);
    *to = *from;
    to->copy_of = f->copy == COPY_BACK ? REG_NONE : f->srcs.r[0];
    return true;
}

void spin_step(struct spin *s, uint64_t pc, const struct effect *e,
               const struct spin_values *read)
{
    uint64_t results[EFFECT_FLOWS];
    for (int i = 0; i < e->n_flows; i++) {
        const struct effect_flow *f = &e->flows[i];
        uint64_t x = mix(mix(pc, (uint64_t)i),
                         e->is_constant ? 0 : of_regs(s, &f->srcs));
        if (f->kind == FLOW_SELECT)
            x = mix(x, of_regs(s, &f->cond));
        results[i] = x;
        /* Flags of a comparison with memory, and the like. */
        for (int k = 0; k < e->n_accesses; k++)
            if (!e->accesses[k].is_write)
                results[i] = mix(mix(results[i], read->low[k]), read->high[k]);
    }
    for (int i = 0; i < e->n_accesses; i++) {
        const struct effect_access *a = &e->accesses[i];
        if (a->is_write || a->result == REG_NONE)
            continue;
        uint64_t x = mix(mix(3, pc), mix(read->low[i], read->high[i]));
        if (a->partial)
            set_part(change(s, a->result), a->part ? a->part : pc, x);
        else
            set_whole(change(s, a->result), x);
    }
    for (int i = 0; i < e->n_flows; i++) {
        const struct effect_flow *f = &e->flows[i];
        if (f->dst == REG_NONE || moved(s, f))
            continue;
        if (f->kind == FLOW_MERGE || f->part)
            set_part(change(s, f->dst), f->part ? f->part : pc, results[i]);
        else
            set_whole(change(s, f->dst), results[i]);
    }
}

/* ---- private memory */

static struct spin_word *find_word(struct spin *s, uint64_t key)
{
    uint32_t mask = s->words_cap - 1;
    uint32_t i = (uint32_t)mix(key, 4) & mask;
    while (s->words[i].run == s->run && s->words[i].key != key)
        i = (i + 1) & mask;
    return &s->words[i];
}

static struct spin_word *word_of(struct spin *s, uint64_t key)
{
    if (s->n_words * 2 >= s->words_cap) {
        struct spin_word *old = s->words;
        uint32_t old_cap = s->words_cap;
        s->words_cap = old_cap ? old_cap * 2 : 256;
        size_t bytes = s->words_cap * sizeof *old;
        s->words = memset(mem_resize(NULL, bytes), 0, bytes);
        for (uint32_t i = 0; i < old_cap; i++)
            if (old[i].run == s->run)
                *find_word(s, old[i].key) = old[i];
        free(old);
    }
    struct spin_word *w = find_word(s, key);
    if (w->run != s->run) {
        *w = (struct spin_word){key, 0, s->run};
        s->n_words++;
    }
    return w;
}

/* Memory that was never stored to is zero, and counts nothing. */
static uint64_t weight(const struct spin_word *w)
{
    return w->bytes ? mix(w->key, w->bytes) : 0;
}

void spin_store(struct spin *s, uint64_t addr, const uint8_t *bytes,
                unsigned size)
{
    for (unsigned done = 0; done < size;) {
        unsigned at = (unsigned)((addr + done) % 8);
        unsigned n = 8 - at < size - done ? 8 - at : size - done;
        struct spin_word *w = word_of(s, (addr + done) / 8 + 1);
        s->memory ^= weight(w);
        memcpy((uint8_t *)&w->bytes + at, bytes + done, n);
        s->memory ^= weight(w);
        done += n;
    }
}

void spin_call(struct spin *s, uint64_t pc, bool pauses)
{
    uint64_t x = mix(mix(pc, s->salt), pauses ? 0 : of_registers(s, NULL));
    if (s->result != REG_NONE)
        set_whole(change(s, s->result), pauses ? x : mix(x, s->memory));
    s->salt = 0;
}

/* ---- loops */

static struct spin_loop *find_loop(struct spin *s, uint64_t head)
{
    uint32_t mask = s->loops_cap - 1;
    uint32_t i = (uint32_t)mix(head, 5) & mask;
    while (s->loops[i].run == s->run && s->loops[i].head != head)
        i = (i + 1) & mask;
    return &s->loops[i];
}

static void more_loops(struct spin *s)
{
    struct spin_loop *old = s->loops;
    uint32_t old_cap = s->loops_cap;
    s->loops_cap = old_cap ? old_cap * 2 : 64;
    size_t bytes = s->loops_cap * sizeof *old;
    s->loops = memset(mem_resize(NULL, bytes), 0, bytes);
    for (uint32_t i = 0; i < old_cap; i++)
        if (old[i].run == s->run)
            *find_loop(s, old[i].head) = old[i];
    free(old);
}

static uint64_t state_of(const struct spin *s, const struct live_set *live)
{
    return mix(s->memory, of_registers(s, live->parts));
}

static struct spin_loop *loop_at(struct spin *s, uint64_t head)
{
    if (s->n_loops * 2 >= s->loops_cap)
        more_loops(s);
    struct spin_loop *l = find_loop(s, head);
    if (l->run != s->run) {
        *l = (struct spin_loop){
            .head = head, .run = s->run, .effects = UINT64_MAX};
        s->n_loops++;
    }
    return l;
}

enum spin_result spin_arrive(struct spin *s, uint64_t head, bool back,
                             const struct live_set *live,
                             const struct spin_loop **loop)
{
    struct spin_loop *l = loop_at(s, head);
    uint64_t state = state_of(s, live);
    bool same = l->effects == s->effects && l->state == state;
    bool busy = l->effects == UINT64_MAX || l->events != s->events;
    l->round = s->events - l->events;
    l->quiet = back && busy && l->effects == s->effects ? l->quiet + 1 : 0;
    l->state = state;
    l->effects = s->effects;
    l->events = s->events;
    l->iterations = back ? l->iterations + 1 : 0;
    l->busy = back ? l->busy + busy : 0;
    *loop = l;
    return !same ? SPIN_GO_ON : busy ? SPIN_BLOCK : SPIN_ENDLESS;
}
