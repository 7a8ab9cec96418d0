/* From a relation to an automaton over its frozen parts.
 *
 * Adding the event e changes no pair of old events in a frozen relation, so a
 * new closed walk has e at the end of one of its letters: it goes through
 * (e, q) for some state q, and leaves it by a letter that can lead away from e.
 * Only few letters can (co, fr, eco); q is the start of such an edge. */
#include "models/cat/plan/cat_plan.h"

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
    bool rises;  /* rel_rises, each of them */
    unsigned is; /* union of the letters' REL_TO_INIT and such */
};

static void add_edge(struct builder *b, uint32_t from, uint32_t to,
                     rel_id letter, uint32_t set)
{
    b->edges = mem_room(b->edges, b->n, &b->cap, sizeof *b->edges);
    b->edges[b->n++] = (struct cat_edge){.from = (uint16_t)from,
                                         .to = (uint16_t)to,
                                         .letter = letter,
                                         .set = set};
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
    b->rises = b->rises && rel_rises(r, n);
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
 * and no loop; else n. With `loops` there may be loops besides. */
static uint32_t lone_edge(const struct builder *b, uint32_t q, bool to,
                          bool loops)
{
    uint32_t found = b->n;
    for (uint32_t i = 0; i < b->n; i++) {
        const struct cat_edge *e = &b->edges[i];
        if ((to ? e->to : e->from) != q || (loops && e->from == e->to))
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

static bool has_loop(const struct builder *b, uint32_t q,
                     const struct cat_edge *like)
{
    for (uint32_t i = 0; i < b->n; i++) {
        const struct cat_edge *e = &b->edges[i];
        if (e->from == q && e->to == q && e->letter == like->letter &&
            e->set == like->set)
            return true;
    }
    return false;
}

/* x*;y* is y* where x is part of y: loops at a state that is left for another
 * one at once, which has the same loops, are taken away. */
static bool drop_loops(struct builder *b, uint32_t q)
{
    uint32_t out = lone_edge(b, q, false, true);
    bool any = false;
    if (out == b->n)
        return false;
    uint32_t next = b->edges[out].to;
    for (uint32_t i = 0; i < b->n; i++)
        if (b->edges[i].from == q && b->edges[i].to == q) {
            if (!has_loop(b, next, &b->edges[i]))
                return false;
            any = true;
        }
    for (uint32_t i = b->n; i-- > 0;)
        if (b->edges[i].from == q && b->edges[i].to == q)
            b->edges[i] = b->edges[--b->n];
    return any;
}

/* Takes away states that are entered, or left, by one silent edge alone: they
 * are what is at its other end. Behind the final state a walk may go on then,
 * which is right only as long as it is not the first one too. */
static void join_states(struct builder *b)
{
    for (uint32_t q = 0; q < b->n_states;) {
        uint32_t in = q == FIRST ? b->n : lone_edge(b, q, true, false);
        uint32_t out = q == FINAL ? b->n : lone_edge(b, q, false, false);
        if (q != FIRST && q != FINAL && drop_loops(b, q))
            out = lone_edge(b, q, false, false);
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

/* Do earlier sources or places lead from the new event to more by this letter,
 * and to what later ones lead to? */
static bool is_eco_step(const struct cat_rels *r, rel_id n)
{
    const struct cat_rel *x = &r->nodes[n];
    bool found = rel_is(r, n, REL_ECO) && x->n == 0;
    for (uint32_t i = 0; i < x->n && x->op == REL_OP_INTER; i++) {
        rel_id kid = rel_kids(r, n)[i];
        bool eco = rel_is(r, kid, REL_ECO) && r->nodes[kid].n == 0;
        if (!eco && kid != REL_OP_EXT && kid != REL_OP_INT)
            return false;
        found = found || eco;
    }
    return found;
}

/* Copies the edges into the plan, in layers if need be. */
static void keep_edges(struct builder *b, uint16_t layer, bool acyclic)
{
    struct cat_plan *plan = b->plan;
    for (uint32_t i = 0; i < b->n; i++) {
        struct cat_edge e = b->edges[i];
        if (!layer) { /* the loop is closed by making both ends one */
            e.from = e.from == FINAL ? FIRST : e.from;
            e.to = e.to == FINAL ? FIRST : e.to;
            if (e.letter == REL_NONE && e.from == e.to)
                continue;
        }
        keep_edge(plan, e);
        e.from = (uint16_t)(e.from + layer);
        e.to = (uint16_t)(e.to + layer);
        if (layer)
            keep_edge(plan, e);
    }
    struct cat_edge back = {.from = (uint16_t)(FINAL + layer),
                            .to = FIRST,
                            .letter = REL_NONE,
                            .set = UINT32_MAX};
    if (layer)
        keep_edge(plan, back);
    back.to = (uint16_t)(FIRST + layer);
    if (layer && acyclic)
        keep_edge(plan, back);
}

/* The edges by which walks leave the new event. */
static void keep_outs(struct builder *b, struct cat_search *s, uint16_t layer)
{
    struct cat_plan *plan = b->plan;
    uint64_t required[STATES_MAX];
    require(b, required);
    s->first_out = plan->n_outs;
    for (uint32_t i = 0; i < s->n_edges; i++) {
        struct cat_edge e = plan->edges[s->first_edge + i];
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
        s->lasts = s->lasts && (behind || is_eco_step(&plan->rels, e.letter));
    }
    s->n_outs = plan->n_outs - s->first_out;
}

/* How many steps lead from each state back to where walks have left the new
 * event, as far as they can without others `behind` it; n_states: none do. */
static void count_steps(const struct cat_plan *plan, const struct cat_search *s,
                        bool behind, uint32_t steps[2 * STATES_MAX])
{
    const struct cat_edge *edges = plan->edges + s->first_edge;
    const struct cat_out *outs = plan->outs + s->first_out;
    for (uint32_t q = 0; q < s->n_states; q++)
        steps[q] = s->n_states;
    for (uint32_t i = 0; i < s->n_outs; i++)
        if (behind || !outs[i].behind)
            steps[outs[i].to] = 0;
    for (bool more = true; more;) {
        more = false;
        for (uint32_t i = 0; i < s->n_edges; i++)
            if (steps[edges[i].from] + 1 < steps[edges[i].to]) {
                steps[edges[i].to] = steps[edges[i].from] + 1;
                more = true;
            }
    }
}

/* Drops edges that lead nowhere, and numbers the states anew, the nearest
 * first. A walk goes on at the first state that it can, so that one which comes
 * back is found early. */
static void put_near_first(struct cat_plan *plan, struct cat_search *s)
{
    uint32_t steps[2 * STATES_MAX];
    uint16_t numbers[2 * STATES_MAX], n = 0;
    struct cat_edge *edges = plan->edges + s->first_edge;
    struct cat_out *outs = plan->outs + s->first_out;
    count_steps(plan, s, true, steps);
    for (uint32_t i = s->n_edges; i-- > 0;)
        if (steps[edges[i].from] == s->n_states)
            edges[i] = edges[--s->n_edges];
    plan->n_edges = s->first_edge + s->n_edges;
    count_steps(plan, s, false, steps);
    for (uint32_t far = 0; far <= s->n_states; far++)
        for (uint32_t q = 0; q < s->n_states; q++)
            if (steps[q] == far)
                numbers[q] = n++;
    for (uint32_t i = 0; i < s->n_edges; i++) {
        edges[i].from = numbers[edges[i].from];
        edges[i].to = numbers[edges[i].to];
    }
    for (uint32_t i = 0; i < s->n_outs; i++) {
        outs[i].from = numbers[outs[i].from];
        outs[i].to = numbers[outs[i].to];
    }
}

static void keep_search(struct builder *b, uint32_t check, rel_id node,
                        bool acyclic)
{
    struct cat_plan *plan = b->plan;
    bool layered = b->loops || !acyclic;
    uint16_t layer = layered ? (uint16_t)b->n_states : 0;
    struct cat_search s = {
        .check = check,
        .own = b->own,
        .lasts = b->rises && !plan->rels.in_order,
        .required = plan->rels.nodes[node].required,
        .n_states = (uint16_t)(layered ? 2 * b->n_states : b->n_states),
        .first_edge = plan->n_edges,
    };
    keep_edges(b, layer, acyclic);
    s.n_edges = plan->n_edges - s.first_edge;
    keep_outs(b, &s, layer);
    if (s.n_outs) {
        put_near_first(plan, &s);
        qsort(plan->outs + s.first_out, s.n_outs, sizeof *plan->outs, by_from);
    }
    plan->searches = mem_room(plan->searches, plan->n_searches,
                              &plan->searches_cap, sizeof *plan->searches);
    plan->searches[plan->n_searches++] = s;
    if (plan->states < s.n_states)
        plan->states = s.n_states;
}

bool cat_automaton(struct cat_plan *plan, uint32_t check, rel_id node,
                   bool acyclic)
{
    struct builder b = {
        .plan = plan, .n_states = 2, .own = true, .rises = true};
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
