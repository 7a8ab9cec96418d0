/* JAM21 and JAM19 as their papers state them, against the cat files: every
 * order of the pushing events is tried in turn, on random graphs. Nothing is
 * shared with models/ but the question. Here a read-modify-write pushes and is
 * pushed as one, as in the papers, and a relation is an array of bits. */
#include "models/model_load.h"
#include "test_cat_random.h"

#include "unity.h"

#include <stdio.h>
#include <string.h>

enum { NODES_MAX = 32, LOCS_MAX = 4, PUSH_MAX = 7 };

typedef uint32_t relation[NODES_MAX]; /* successors of each node */

/* A graph; the initial writes come last. */
struct papers {
    bool jam19;
    uint32_t n, n_events;     /* nodes, and those that are events */
    uint32_t half[NODES_MAX]; /* the other one of an RMW, or itself */
    uint64_t tags[NODES_MAX];
    loc_id loc[NODES_MAX];
    uint32_t rf[NODES_MAX];   /* source of a read, or NODES_MAX */
    uint32_t rank[NODES_MAX]; /* place of a write in co */
    relation po, into, push;
};

void setUp(void)
{
}
void tearDown(void)
{
}

static bool has(const struct papers *p, uint32_t e, enum event_tag tag)
{
    return p->tags[e] >> tag & 1;
}

static void close_up(uint32_t n, relation r)
{
    for (uint32_t k = 0; k < n; k++)
        for (uint32_t i = 0; i < n; i++)
            if (r[i] >> k & 1)
                r[i] |= r[k];
}

static bool is_fence(const struct papers *p, uint32_t f, enum event_tag tag)
{
    return has(p, f, TAG_F) &&
           (has(p, f, tag) || (tag != TAG_SC && has(p, f, TAG_ACQ_REL)));
}

static void relate_by_fences(struct papers *p, uint32_t a, uint32_t b)
{
    for (uint32_t f = 0; f < p->n_events; f++) {
        if (!(p->po[a] >> f & 1) || !(p->po[f] >> b & 1))
            continue;
        if (is_fence(p, f, TAG_SC))
            p->push[a] |= 1u << b;
        if ((is_fence(p, f, TAG_REL) && has(p, b, TAG_W)) ||
            (is_fence(p, f, TAG_ACQ) && has(p, a, TAG_R)))
            p->into[a] |= 1u << b;
    }
}

/* Does a volatile access push to another one? An RMW is both read and write. */
static bool is_volint(const struct papers *p, uint32_t a, uint32_t b)
{
    uint64_t one = p->tags[a] | p->tags[p->half[a]];
    uint64_t two = p->tags[b] | p->tags[p->half[b]];
    if (p->half[a] == b)
        return false;
    if (!p->jam19)
        return one & two & TAG_BIT(TAG_SC);
    return (two & TAG_BIT(TAG_R) && two & TAG_BIT(TAG_SC)) ||
           (one & TAG_BIT(TAG_W) && one & TAG_BIT(TAG_SC));
}

static void relate(struct papers *p)
{
    for (uint32_t a = 0; a < p->n_events; a++)
        for (uint32_t b = 0; b < p->n_events; b++) {
            if (!(p->po[a] >> b & 1))
                continue;
            relate_by_fences(p, a, b);
            bool rel =
                has(p, b, TAG_W) && (has(p, b, TAG_REL) || has(p, b, TAG_SC));
            bool acq =
                has(p, a, TAG_R) && (has(p, a, TAG_ACQ) || has(p, a, TAG_SC));
            if (rel || acq || p->half[a] == b)
                p->into[a] |= 1u << b;
            if (is_volint(p, a, b))
                p->push[a] |= 1u << b;
        }
}

/* False: the graph is too large. */
static bool copy_graph(struct papers *p, const struct graph *g, bool jam19)
{
    uint32_t node[64];
    *p = (struct papers){.jam19 = jam19};
    if (g->n + g->n_locs > NODES_MAX)
        return false;
    for (uint32_t i = 0; i < g->n; i++) {
        const struct event *e = &g->events[g->order[i]];
        uint32_t at = p->n_events++;
        node[g->order[i]] = p->half[at] = at;
        p->tags[at] = e->tags;
        p->loc[at] = e->loc;
        p->rf[at] = NODES_MAX;
        if (e->kind == LABEL_WRITE && e->rmw != EVENT_NONE) {
            p->half[at] = node[e->rmw];
            p->half[node[e->rmw]] = at;
        }
    }
    p->n = p->n_events + g->n_locs;
    for (loc_id l = 0; l < g->n_locs; l++) {
        uint32_t init = p->n_events + l, rank = 0;
        p->half[init] = init;
        p->tags[init] = TAG_BIT(TAG_W) | TAG_BIT(TAG_RLX);
        p->loc[init] = l;
        p->rf[init] = NODES_MAX;
        for (event_id w = g->locs[l].co_first; w != EVENT_NONE;
             w = g->events[w].co_next)
            p->rank[node[w]] = ++rank;
    }
    for (uint32_t i = 0; i < g->n; i++) {
        event_id e = g->order[i], x;
        if (g->events[e].kind == LABEL_READ)
            p->rf[node[e]] = g->events[e].rf == EVENT_INIT
                                 ? p->n_events + g->events[e].loc
                                 : node[g->events[e].rf];
        row_for_each (x, graph_row(g, e, ROW_PO), g->words)
            p->po[node[x]] |= 1u << node[e];
    }
    relate(p);
    return true;
}

static bool is_read(const struct papers *p, uint32_t e)
{
    return e < p->n_events && has(p, e, TAG_R);
}

/* Does the edge from write a to write b contradict co? */
static bool is_against(const struct papers *p, uint32_t a, uint32_t b)
{
    return a != b && has(p, a, TAG_W) && has(p, b, TAG_W) &&
           p->loc[a] == p->loc[b] && p->rank[a] > p->rank[b];
}

/* coww, cowr and corw, for each pair in vo. */
static bool keeps_visible(const struct papers *p, const relation vo)
{
    for (uint32_t a = 0; a < p->n; a++)
        for (uint32_t b = 0; b < p->n; b++) {
            if (!(vo[a] >> b & 1))
                continue;
            if (is_against(p, a, b) ||
                (is_read(p, b) && is_against(p, a, p->rf[b])))
                return false;
            for (uint32_t c = 0; c < p->n; c++)
                if (p->po[b] >> c & 1 && is_against(p, a, c))
                    return false;
        }
    return true;
}

static bool keeps_reads(const struct papers *p)
{
    for (uint32_t a = 0; a < p->n_events; a++)
        for (uint32_t b = 0; b < p->n_events; b++)
            if (p->po[a] >> b & 1 && is_read(p, a) && is_read(p, b) &&
                p->loc[a] == p->loc[b] && is_against(p, p->rf[a], p->rf[b]) &&
                (p->jam19 ||
                 (!has(p, p->rf[a], TAG_NA) && !has(p, p->rf[b], TAG_NA))))
                return false;
    return true;
}

/* What e pushes, or the RMW whose half it is. */
static uint32_t pushed(const struct papers *p, uint32_t e)
{
    return p->push[e] | p->push[p->half[e]];
}

/* Is the execution consistent with pushto = order[0] < order[1] < ...? */
static bool keeps_order(const struct papers *p, const uint32_t *order,
                        uint32_t n)
{
    relation vo = {0};
    for (uint32_t a = 0; a < p->n; a++) {
        vo[a] = p->into[a] | p->push[a];
        for (uint32_t b = 0; b < p->n_events; b++)
            if (is_read(p, b) && p->rf[b] == a)
                vo[a] |= 1u << b;
    }
    for (uint32_t i = 0; i < n; i++)
        for (uint32_t k = i + 1; k < n; k++) {
            vo[order[i]] |= pushed(p, order[k]);
            vo[p->half[order[i]]] |= pushed(p, order[k]);
        }
    close_up(p->n, vo);
    for (uint32_t a = 0; a < p->n_events; a++)
        for (uint32_t b = 0; b < p->n_events; b++)
            if (p->po[a] >> b & 1 && !has(p, a, TAG_F) && !has(p, b, TAG_F) &&
                p->loc[a] == p->loc[b])
                vo[a] |= 1u << b;
    return keeps_visible(p, vo);
}

/* All orders of what is left that keep `before`. */
static bool try_orders(const struct papers *p, const relation before,
                       uint32_t *order, uint32_t n, uint32_t left)
{
    if (!left)
        return keeps_order(p, order, n);
    for (uint32_t d = 0; d < p->n_events; d++) {
        if (!(left >> d & 1))
            continue;
        bool first = true;
        for (uint32_t e = 0; e < p->n_events; e++)
            first = first && !(left >> e & 1 && before[e] >> d & 1);
        order[n] = d;
        if (first && try_orders(p, before, order, n + 1, left & ~(1u << d)))
            return true;
    }
    return false;
}

static bool is_last(const struct papers *p, uint32_t w)
{
    for (uint32_t x = 0; x < p->n; x++)
        if (has(p, x, TAG_W) && p->loc[x] == p->loc[w] &&
            p->rank[x] > p->rank[w])
            return false;
    return true;
}

/* What pushes, an RMW by its first half. */
static uint32_t pushing(const struct papers *p)
{
    uint32_t set = 0;
    for (uint32_t d = 0; d < p->n_events; d++)
        set |= pushed(p, d) && p->half[d] >= d ? 1u << d : 0;
    return set;
}

/* Among what pushes: what comes before in po and rf (JAM19: in what is visible
 * without pushto), and the last write of a location after its others. */
static void order_pushing(const struct papers *p, relation before)
{
    for (uint32_t a = 0; a < p->n; a++) {
        before[a] = p->jam19 ? p->into[a] | p->push[a] : p->po[a];
        for (uint32_t b = 0; b < p->n_events; b++)
            if (is_read(p, b) && p->rf[b] == a)
                before[a] |= 1u << b;
    }
    close_up(p->n, before);
    for (uint32_t a = 0; a < p->n_events; a++)
        for (uint32_t b = 0; b < p->n_events; b++) {
            if (a != b && has(p, a, TAG_W) && has(p, b, TAG_W) &&
                p->loc[a] == p->loc[b] && is_last(p, b))
                before[a] |= 1u << b;
            if (before[a] >> b & 1 && p->half[a] != b)
                before[a] |= 1u << p->half[b];
        }
    for (uint32_t a = 0; a < p->n_events; a++)
        before[a] |= p->half[a] != a ? before[p->half[a]] & ~(1u << a) : 0;
}

static bool is_consistent(const struct papers *p)
{
    uint32_t order[NODES_MAX];
    relation before = {0};
    order_pushing(p, before);
    return keeps_reads(p) && try_orders(p, before, order, 0, pushing(p));
}

static bool accept(void *self, event_id e)
{
    (void)self;
    (void)e;
    return true;
}

/* Both halves of an RMW are volatile, or neither is. */
static bool has_odd_rmw(const struct graph *g)
{
    for (uint32_t i = 0; i < g->n; i++) {
        const struct event *e = &g->events[g->order[i]];
        bool second = e->kind == LABEL_WRITE && e->rmw != EVENT_NONE;
        if (second && ((e->tags ^ g->events[e->rmw].tags) &
                       (TAG_BIT(TAG_SC) | TAG_BIT(TAG_NA))) != 0)
            return true;
    }
    return false;
}

static void agrees_with_all_orders(const char *name, bool jam19)
{
    struct model m;
    struct graph g;
    struct err err;
    uint32_t tried = 0, allowed = 0, by_order = 0, with_rmw = 0;
    TEST_ASSERT_TRUE_MESSAGE(model_load(&m, name, &err), err.text);
    graph_init(&g, m.n_rows);
    for (uint64_t seed = 1; tried < 60000; seed++) {
        struct random r;
        struct papers p;
        struct broken why;
        event_id added[2];
        random_init(&r, seed);
        r.has_machine = false;
        r.has_rmw = r.has_rmw || seed % 2;
        r.n_locs = 2 + seed % 2;
        graph_reset(&g);
        random_start(&r, &g);
        for (uint32_t i = 0; i < 6 + seed % 8; i++)
            random_add(&r, &g, accept, NULL, added);
        if (has_odd_rmw(&g) || g.n_locs > LOCS_MAX ||
            !copy_graph(&p, &g, jam19) ||
            __builtin_popcount(pushing(&p)) > PUSH_MAX)
            continue;
        bool want = is_consistent(&p), got = m.judge(&m, &g, &why);
        if (want != got) {
            char message[100];
            snprintf(message, sizeof message, "%s, seed %llu: %d, not %d (%s)",
                     name, (unsigned long long)seed, got, want,
                     got ? "" : why.axiom);
            TEST_FAIL_MESSAGE(message);
        }
        tried++;
        allowed += want;
        by_order += !got && (strcmp(why.axiom, "pushto") == 0 ||
                             strcmp(why.axiom, "volatile-order") == 0);
        uint64_t rmws = 0;
        for (uint32_t w = 0; w < g.words; w++)
            rmws |= graph_set(&g, TAG_RMW)[w];
        with_rmw += rmws != 0;
    }
    char message[160];
    snprintf(message, sizeof message,
             "%s: %u graphs, %u allowed, %u forbidden by pushto, %u with RMWs",
             name, tried, allowed, by_order, with_rmw);
    TEST_MESSAGE(message);
    TEST_ASSERT_GREATER_THAN(100, allowed);
    TEST_ASSERT_GREATER_THAN(50, by_order);
    TEST_ASSERT_GREATER_THAN(500, with_rmw);
    graph_release(&g);
    m.release(&m);
}

static void jam21_tries_no_orders_and_finds_the_same(void)
{
    agrees_with_all_orders("jam21", false);
}

static void jam19_tries_no_orders_and_finds_the_same(void)
{
    agrees_with_all_orders("jam19", true);
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(jam21_tries_no_orders_and_finds_the_same);
    RUN_TEST(jam19_tries_no_orders_and_finds_the_same);
    return UNITY_END();
}
