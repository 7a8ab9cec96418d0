/* From a relation to an automaton over its frozen parts.
 *
 * Adding the event e changes no pair of old events in a frozen relation, so a
 * new closed walk has e at the end of one of its letters: it goes through
 * (e, q) for some state q, and leaves it by a letter that can lead away from e.
 * Only few letters can (co, fr, eco); q is the start of such an edge. */
#include "models/cat_plan.h"

#include "core/mem.h"

#include <stdlib.h>
#include <string.h>

enum { STATES_MAX = 32, FIRST = 0, FINAL = 1 };

struct builder {
    struct cat_plan *plan;
    struct cat_edge *edges;
    uint32_t n;
    unsigned cap;
    uint32_t n_states;
    bool loops; /* has cycles of its own */
    bool failed;
    bool own;    /* all letters are REL_OWN */
    unsigned is; /* union of the letters' REL_TO_INIT and such */
};

static void add_edge(struct builder *b, uint32_t from, uint32_t to,
                     rel_id letter, uint32_t set)
{
    b->edges = mem_room(b->edges, b->n, &b->cap, sizeof *b->edges);
    b->edges[b->n++] =
        (struct cat_edge){(uint16_t)from, (uint16_t)to, letter, set};
}

static uint32_t state(struct builder *b)
{
    if (b->n_states >= STATES_MAX)
        b->failed = true;
    return b->failed ? FIRST : b->n_states++;
}

static void build(struct builder *b, rel_id n, bool inverse, uint32_t from,
                  uint32_t to);

static void build_letter(struct builder *b, rel_id n, bool inverse,
                         uint32_t from, uint32_t to)
{
    struct cat_rels *r = &b->plan->rels;
    if (!rel_is(r, n, REL_FROZEN) || rel_is(r, n, REL_BLIND)) {
        b->failed = true;
        return;
    }
    if (inverse)
        n = rel_inverse(r, n);
    b->is |= r->nodes[n].is & REL_INIT;
    b->own = b->own && rel_is(r, n, REL_OWN);
    add_edge(b, from, to, n, UINT32_MAX);
}

static void build_seq(struct builder *b, rel_id n, bool inverse, uint32_t from,
                      uint32_t to)
{
    uint32_t count = b->plan->rels.nodes[n].n;
    for (uint32_t i = 0; i < count && !b->failed; i++) {
        rel_id kid = rel_kids(&b->plan->rels, n)[inverse ? count - 1 - i : i];
        uint32_t next = i + 1 < count ? state(b) : to;
        build(b, kid, inverse, from, next);
        from = next;
    }
}

static bool is_star(const struct cat_rels *r, rel_id n)
{
    rel_id kid = rel_kids(r, n)[0];
    return r->nodes[kid].op == REL_OP_PLUS && r->nodes[kid].row < 0;
}

/* x*, as a loop at one state. */
static void build_star(struct builder *b, rel_id n, bool inverse, uint32_t from,
                       uint32_t to)
{
    const struct cat_rels *r = &b->plan->rels;
    uint32_t s = state(b);
    b->loops = true;
    add_edge(b, from, s, REL_NONE, UINT32_MAX);
    build(b, rel_kids(r, rel_kids(r, n)[0])[0], inverse, s, s);
    add_edge(b, s, to, REL_NONE, UINT32_MAX);
}

/* Recursion is bounded by the depth of the DAG. */
static void build(struct builder *b, rel_id n, bool inverse, uint32_t from,
                  uint32_t to)
{
    const struct cat_rel x = b->plan->rels.nodes[n];
    if (b->failed)
        return;
    if (b->n > 8 * STATES_MAX) {
        b->failed = true;
        return;
    }
    if (x.row >= 0) {
        build_letter(b, n, inverse, from, to);
        return;
    }
    switch ((enum rel_op)x.op) {
    case REL_OP_EMPTY:
        return;
    case REL_OP_ID:
        add_edge(b, from, to, REL_NONE, UINT32_MAX);
        return;
    case REL_OP_TOID:
        add_edge(b, from, to, REL_NONE, x.a);
        return;
    case REL_OP_UNION:
        for (uint32_t i = 0; i < x.n; i++)
            build(b, rel_kids(&b->plan->rels, n)[i], inverse, from, to);
        return;
    case REL_OP_SEQ:
        build_seq(b, n, inverse, from, to);
        return;
    case REL_OP_OPT:
        if (is_star(&b->plan->rels, n)) {
            build_star(b, n, inverse, from, to);
            return;
        }
        add_edge(b, from, to, REL_NONE, UINT32_MAX);
        build(b, rel_kids(&b->plan->rels, n)[0], inverse, from, to);
        return;
    case REL_OP_INVERSE:
        build(b, rel_kids(&b->plan->rels, n)[0], !inverse, from, to);
        return;
    case REL_OP_PLUS: {
        uint32_t s = state(b), t = state(b);
        b->loops = true;
        add_edge(b, from, s, REL_NONE, UINT32_MAX);
        build(b, rel_kids(&b->plan->rels, n)[0], inverse, s, t);
        add_edge(b, t, s, REL_NONE, UINT32_MAX);
        add_edge(b, t, to, REL_NONE, UINT32_MAX);
        return;
    }
    default:
        build_letter(b, n, inverse, from, to);
    }
}

/* Does a walk without letters lead from the first state to the final one? It
 * would be a closed walk that leaves no event. */
static bool has_silent_walk(const struct builder *b)
{
    uint64_t reached = (uint64_t)1 << FIRST, old = 0;
    while (reached != old) {
        old = reached;
        for (uint32_t i = 0; i < b->n; i++)
            if (b->edges[i].letter == REL_NONE &&
                reached >> b->edges[i].from & 1)
                reached |= (uint64_t)1 << b->edges[i].to;
    }
    return reached >> FINAL & 1;
}

/* Does the edge lead to the same event, whatever that is? */
static bool is_silent(const struct cat_edge *e)
{
    return e->letter == REL_NONE && e->set == UINT32_MAX;
}

/* The only edge to (or from) the state, if there is one alone and it is silent
 * and no loop; else n. */
static uint32_t lone_edge(const struct builder *b, uint32_t q, bool to)
{
    uint32_t found = b->n;
    for (uint32_t i = 0; i < b->n; i++) {
        const struct cat_edge *e = &b->edges[i];
        if ((to ? e->to : e->from) != q)
            continue;
        if (found < b->n || !is_silent(e) || e->from == e->to)
            return b->n;
        found = i;
    }
    return found;
}

/* Makes state `gone` one with `stays`, once the edge between them is away. */
static void merge(struct builder *b, uint32_t edge, uint32_t gone,
                  uint32_t stays)
{
    b->edges[edge] = b->edges[--b->n];
    for (uint32_t i = 0; i < b->n; i++) {
        struct cat_edge *e = &b->edges[i];
        if (e->from == gone)
            e->from = (uint16_t)stays;
        if (e->to == gone)
            e->to = (uint16_t)stays;
    }
}

/* Takes away states that are entered, or left, by one silent edge alone: they
 * are what is at its other end. Behind the final state a walk may go on then,
 * which is right only as long as it is not the first one too. */
static void join_states(struct builder *b)
{
    for (uint32_t q = 0; q < b->n_states;) {
        uint32_t in = q == FIRST ? b->n : lone_edge(b, q, true);
        uint32_t out = q == FINAL ? b->n : lone_edge(b, q, false);
        if (in < b->n && q == FINAL && b->loops && b->edges[in].from != FIRST)
            merge(b, in, b->edges[in].from, FINAL);
        else if (in < b->n && q != FINAL)
            merge(b, in, q, b->edges[in].from);
        else if (out < b->n && q != FIRST)
            merge(b, out, q, b->edges[out].to);
        else {
            q++;
            continue;
        }
        q = 0;
    }
}

/* Numbers the states that have edges from 0 on, and drops edges that are there
 * twice. */
static void number_states(struct builder *b)
{
    uint16_t numbers[STATES_MAX];
    bool used[STATES_MAX] = {[FIRST] = true, [FINAL] = true};
    uint32_t n = 0;
    for (uint32_t i = 0; i < b->n; i++)
        used[b->edges[i].from] = used[b->edges[i].to] = true;
    for (uint32_t q = 0; q < b->n_states; q++)
        numbers[q] = (uint16_t)(used[q] ? n++ : 0);
    b->n_states = n;
    for (uint32_t i = 0; i < b->n; i++) {
        b->edges[i].from = numbers[b->edges[i].from];
        b->edges[i].to = numbers[b->edges[i].to];
    }
    for (uint32_t i = 0; i < b->n; i++)
        for (uint32_t k = b->n; k-- > i + 1;)
            if (memcmp(&b->edges[i], &b->edges[k], sizeof *b->edges) == 0)
                b->edges[k] = b->edges[--b->n];
}

/* Can a walk leave the new event by this letter? */
static bool leads_away(const struct cat_rels *r, rel_id letter)
{
    return letter != REL_NONE && !rel_is(r, letter, REL_SINK | REL_STRICT);
}

static int by_to(const void *a, const void *b)
{
    const struct cat_edge *x = a, *y = b;
    return x->to != y->to ? x->to - y->to
           : x->from != y->from
               ? x->from - y->from
               : (x->letter > y->letter) - (x->letter < y->letter);
}

static int by_from(const void *a, const void *b)
{
    const struct cat_out *x = a, *y = b;
    return x->from != y->from ? x->from - y->from : x->to - y->to;
}

static void keep_edge(struct cat_plan *plan, struct cat_edge e)
{
    plan->edges = mem_room(plan->edges, plan->n_edges, &plan->edges_cap,
                           sizeof *plan->edges);
    plan->edges[plan->n_edges++] = e;
}

static uint64_t required_by(const struct cat_plan *plan,
                            const struct cat_edge *e)
{
    if (e->letter != REL_NONE)
        return plan->rels.nodes[e->letter].required;
    return e->set == UINT32_MAX ? 0 : cat_set_common(&plan->rels.sets[e->set]);
}

/* Tags that every walk from the first to the final state through a state has,
 * or all if there is no such walk. */
static void require(const struct builder *b, uint64_t out[STATES_MAX])
{
    uint64_t from_first[STATES_MAX], to_final[STATES_MAX];
    for (uint32_t q = 0; q < b->n_states; q++) {
        from_first[q] = q == FIRST ? 0 : UINT64_MAX;
        to_final[q] = q == FINAL ? 0 : UINT64_MAX;
    }
    for (bool changed = true; changed;) {
        changed = false;
        for (uint32_t i = 0; i < b->n; i++) {
            const struct cat_edge *e = &b->edges[i];
            uint64_t tags = required_by(b->plan, e);
            uint64_t *to = &from_first[e->to], *from = &to_final[e->from];
            uint64_t there = *to & (from_first[e->from] | tags);
            uint64_t back = *from & (to_final[e->to] | tags);
            changed = changed || there != *to || back != *from;
            *to = there;
            *from = back;
        }
    }
    for (uint32_t q = 0; q < b->n_states; q++)
        out[q] = from_first[q] | to_final[q];
    out[FINAL] = out[FIRST] = 0; /* one state, when not layered */
}

/* Copies the automaton into the plan, in layers if need be. */
static void keep_search(struct builder *b, uint32_t check, rel_id node,
                        bool acyclic)
{
    struct cat_plan *plan = b->plan;
    uint64_t required[STATES_MAX];
    require(b, required);
    bool layered = b->loops || !acyclic;
    uint16_t layer = layered ? (uint16_t)b->n_states : 0;
    struct cat_search s = {
        .check = check,
        .own = b->own,
        .required = plan->rels.nodes[node].required,
        .n_states = (uint16_t)(layered ? 2 * b->n_states : b->n_states),
        .layer = layer,
        .first_edge = plan->n_edges,
    };
    for (uint32_t i = 0; i < b->n; i++) {
        struct cat_edge e = b->edges[i];
        if (!layered) { /* the loop is closed by making both ends one */
            e.from = e.from == FINAL ? FIRST : e.from;
            e.to = e.to == FINAL ? FIRST : e.to;
            if (e.letter == REL_NONE && e.from == e.to)
                continue;
        }
        keep_edge(plan, e);
        e.from = (uint16_t)(e.from + layer);
        e.to = (uint16_t)(e.to + layer);
        if (layered)
            keep_edge(plan, e);
    }
    if (layered) {
        uint16_t final = (uint16_t)(FINAL + layer);
        keep_edge(plan, (struct cat_edge){final, FIRST, REL_NONE, UINT32_MAX});
        if (acyclic)
            keep_edge(plan, (struct cat_edge){final, (uint16_t)(FIRST + layer),
                                              REL_NONE, UINT32_MAX});
    }
    s.n_edges = plan->n_edges - s.first_edge;
    if (s.n_edges)
        qsort(plan->edges + s.first_edge, s.n_edges, sizeof *plan->edges,
              by_to);

    s.first_into = plan->n_into;
    uint32_t edge = 0;
    for (uint32_t q = 0; q <= s.n_states; q++) {
        while (edge < s.n_edges && plan->edges[s.first_edge + edge].to < q)
            edge++;
        plan->into = mem_room(plan->into, plan->n_into, &plan->into_cap,
                              sizeof *plan->into);
        plan->into[plan->n_into++] = s.first_edge + edge;
    }

    s.first_out = plan->n_outs;
    for (uint32_t i = 0; i < s.n_edges; i++) {
        struct cat_edge e = plan->edges[s.first_edge + i];
        bool behind = !leads_away(&plan->rels, e.letter);
        if (e.letter == REL_NONE || e.from < layer ||
            (behind && plan->rels.in_order))
            continue;
        uint16_t from = (uint16_t)(e.from - layer);
        plan->outs = mem_room(plan->outs, plan->n_outs, &plan->outs_cap,
                              sizeof *plan->outs);
        plan->outs[plan->n_outs++] =
            (struct cat_out){from, e.to, behind, e.letter, required[from]};
        plan->late = plan->late && rel_is(&plan->rels, e.letter, REL_LATE);
    }
    s.n_outs = plan->n_outs - s.first_out;
    if (s.n_outs)
        qsort(plan->outs + s.first_out, s.n_outs, sizeof *plan->outs, by_from);
    plan->searches = mem_room(plan->searches, plan->n_searches,
                              &plan->searches_cap, sizeof *plan->searches);
    plan->searches[plan->n_searches++] = s;
    if (plan->states < s.n_states)
        plan->states = s.n_states;
}

bool cat_automaton(struct cat_plan *plan, uint32_t check, rel_id node,
                   bool acyclic)
{
    struct builder b = {.plan = plan, .n_states = 2, .own = true};
    build(&b, node, false, FIRST, FINAL);
    /* Walks through initial writes, and of those alone, are not seen. */
    bool init = (b.is & REL_TO_INIT && b.is & REL_FROM_INIT) ||
                rel_is(&plan->rels, node, REL_INIT_SELF);
    bool ok = !b.failed && !init && !has_silent_walk(&b);
    bool any = !plan->rels.in_order;
    for (uint32_t i = 0; i < b.n; i++)
        any = any || leads_away(&plan->rels, b.edges[i].letter);
    if (ok && any) {
        join_states(&b);
        number_states(&b);
        keep_search(&b, check, node, acyclic);
    }
    free(b.edges);
    return ok;
}
