#include "hw/live.h"

#include "core/mem.h"

#include <stdlib.h>
#include <string.h>

/* Of the code that is looked at; beyond, everything is live. */
enum { NODES_MAX = 1024, NOWHERE = -1, ANYWHERE = -2 };

struct node {
    const struct instruction *instruction;
    int next[2]; /* node, or NOWHERE, or ANYWHERE */
    struct live_set in;
};

struct search {
    struct live *live;
    bool outermost;
    int n;
    struct node nodes[NODES_MAX];
};

void live_init(struct live *l, struct decode *decode, reg_id result)
{
    *l = (struct live){.decode = decode, .result = result};
}

void live_release(struct live *l)
{
    free(l->known);
    *l = (struct live){0};
}

/* ---- the code that may follow */

/* The node of the code at pc, made if need be. */
static int node_at(struct search *s, uint64_t pc)
{
    const struct instruction *in = pc ? decode_at(s->live->decode, pc) : NULL;
    if (!in)
        return ANYWHERE;
    for (int i = 0; i < s->n; i++)
        if (s->nodes[i].instruction == in)
            return i;
    if (s->n == NODES_MAX)
        return ANYWHERE;
    s->nodes[s->n] = (struct node){.instruction = in};
    return s->n++;
}

static void find_next(struct search *s, int at)
{
    const struct instruction *in = s->nodes[at].instruction;
    const struct effect *e = &in->effect;
    int next[2] = {NOWHERE, NOWHERE};
    if (e->kind != EFFECT_KNOWN)
        ; /* ends the run */
    else if (e->is_return && s->outermost && e->branch_on.n <= 1)
        next[0] = NOWHERE; /* find_in adds the result */
    else if (e->is_call || e->branch == BRANCH_INDIRECT || e->may_trap)
        next[0] = ANYWHERE;
    else if (e->branch == BRANCH_DIRECT)
        next[0] = node_at(s, e->target);
    else
        next[0] = node_at(s, in->pc + in->length);
    if (e->kind == EFFECT_KNOWN && e->branch == BRANCH_CONDITIONAL)
        next[1] = node_at(s, e->target);
    memcpy(s->nodes[at].next, next, sizeof next);
}

/* ---- what it reads and writes */

static void add(struct live_set *set, reg_id r, uint8_t part)
{
    if (r != REG_NONE && r != REG_READ)
        set->parts[r] |= part ? part : LIVE_WHOLE;
}

static void add_all(struct live_set *set, const struct regs *regs, uint8_t part)
{
    for (int i = 0; i < regs->n; i++)
        add(set, regs->r[i], part);
}

static void drop(struct live_set *set, reg_id r, uint8_t part)
{
    if (r != REG_NONE && r != REG_READ)
        set->parts[r] &= (uint8_t)~(part ? part : LIVE_WHOLE);
}

static void drop_results(struct live_set *set, const struct effect *e)
{
    for (int i = 0; i < e->n_accesses; i++) {
        const struct effect_access *a = &e->accesses[i];
        if (!a->is_write && (!a->partial || a->part))
            drop(set, a->result, a->part);
    }
    for (int i = 0; i < e->n_flows; i++) {
        const struct effect_flow *f = &e->flows[i];
        if (f->kind != FLOW_MERGE || f->part)
            drop(set, f->dst, f->part);
    }
}

static void add_sources(struct live_set *set, const struct effect *e)
{
    for (int i = 0; i < e->n_accesses; i++) {
        add_all(set, &e->accesses[i].addr, 0);
        add_all(set, &e->accesses[i].data, 0);
        add_all(set, &e->accesses[i].pick, 0);
    }
    for (int i = 0; i < e->n_flows; i++) {
        add_all(set, &e->flows[i].srcs, 0);
        add_all(set, &e->flows[i].cond, 0);
    }
    add_all(set, &e->branch_on, e->branch_part);
}

static void unite(const struct search *s, struct live_set *set, int node)
{
    if (node == ANYWHERE)
        memset(set, LIVE_WHOLE, sizeof *set);
    else if (node != NOWHERE)
        for (size_t i = 0; i < sizeof set->parts; i++)
            set->parts[i] |= s->nodes[node].in.parts[i];
}

/* Does it only compute what nobody reads, like the count of a loop that no one
 * looks at? `out` is what is read behind it. */
static bool is_useless(const struct effect *e, const struct live_set *out)
{
    if (e->n_accesses || e->branch != BRANCH_NONE || e->fence || e->is_return)
        return false;
    for (int i = 0; i < e->n_flows; i++) {
        reg_id dst = e->flows[i].dst;
        if (dst == REG_READ || (dst != REG_NONE && out->parts[dst]))
            return false;
    }
    return true;
}

/* False: nothing new. */
static bool find_in(struct search *s, struct node *n)
{
    const struct effect *e = &n->instruction->effect;
    struct live_set in = {{0}};
    unite(s, &in, n->next[0]);
    unite(s, &in, n->next[1]);
    if (e->is_return)
        add(&in, s->live->result, 0);
    if (e->kind == EFFECT_KNOWN && !e->is_call && !e->may_trap &&
        !is_useless(e, &in)) {
        drop_results(&in, e);
        if (!e->is_constant)
            add_sources(&in, e);
    }
    bool is_new = memcmp(&in, &n->in, sizeof in) != 0;
    n->in = in;
    return is_new;
}

const struct live_set *live_at(struct live *l, uint64_t pc, bool outermost)
{
    for (uint32_t i = 0; i < l->n; i++)
        if (l->known[i].pc == pc && l->known[i].outermost == outermost)
            return &l->known[i].set;
    struct search *s = mem_resize(NULL, sizeof *s);
    s->live = l;
    s->outermost = outermost;
    s->n = 0;
    int start = node_at(s, pc);
    for (int i = 0; i < s->n; i++)
        find_next(s, i);
    for (bool again = true; again;) {
        again = false;
        for (int i = s->n; i-- > 0;)
            again |= find_in(s, &s->nodes[i]);
    }
    l->known = mem_room(l->known, l->n, &l->cap, sizeof *l->known);
    struct live_entry *e = &l->known[l->n++];
    *e = (struct live_entry){.pc = pc, .outermost = outermost};
    if (start >= 0)
        e->set = s->nodes[start].in;
    else
        memset(&e->set, LIVE_WHOLE, sizeof e->set);
    free(s);
    return &e->set;
}
