/* The fast checker against the full evaluator, on random graphs. */
#include "models/model_load.h"
#include "test_cat_random.h"

#include "unity.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void setUp(void)
{
}
void tearDown(void)
{
}

struct run {
    struct model m;
    struct model_instance *in;
    struct graph g;
    uint64_t seed;
    bool plain;   /* cycles are of edges that is_edge knows */
    bool only_sc; /* graphs in which the order of SC events matters */
    bool weak;    /* graphs of machine code */
    uint32_t n_checked, n_forbidden, n_edges, n_earlier;
    struct {
        const char *axiom;
        uint32_t n;
    } broken[8]; /* how often each axiom forbade something */
};

static void count_axiom(struct run *x, const char *axiom)
{
    for (unsigned i = 0; i < 8; i++) {
        if (!x->broken[i].axiom)
            x->broken[i].axiom = axiom;
        if (x->broken[i].axiom == axiom) {
            x->broken[i].n++;
            return;
        }
    }
}

/* Is a co-before b? */
static bool is_co(const struct graph *g, event_id a, event_id b)
{
    if (b == EVENT_INIT || g->events[b].kind != LABEL_WRITE)
        return false;
    for (event_id w = g->events[b].co_prev; w != EVENT_NONE;
         w = g->events[w].co_prev) {
        if (w == a)
            return true;
        if (w == EVENT_INIT)
            return false;
    }
    return false;
}

static bool is_fr(const struct graph *g, event_id a, event_id b)
{
    return a != EVENT_INIT && g->events[a].kind == LABEL_READ &&
           is_co(g, g->events[a].rf, b);
}

/* Does the edge that an explanation names hold? By the graph alone. What is no
 * communication is within a thread: po, perhaps with fences or marks. */
static bool is_edge(const struct graph *g, event_id a, event_id b,
                    const char *name)
{
    bool inside = a != EVENT_INIT && b != EVENT_INIT &&
                  g->events[a].thread == g->events[b].thread;
    char base[3] = {name[0], name[1], '\0'};
    if ((name[0] && name[1] && name[2] == 'e' && inside) ||
        (name[0] && name[1] && name[2] == 'i' && !inside && name[3] == '\0'))
        return false;
    if (strcmp(name, "rmw^-1") == 0)
        return inside && g->events[b].rmw == a;
    if (strcmp(base, "rf") == 0)
        return b != EVENT_INIT && g->events[b].kind == LABEL_READ &&
               g->events[b].rf == a;
    if (strcmp(base, "co") == 0)
        return is_co(g, a, b);
    if (strcmp(base, "fr") == 0)
        return is_fr(g, a, b);
    if (strcmp(name, "rmw") == 0)
        return inside && g->events[a].rmw == b;
    return inside && row_has(graph_row(g, b, ROW_PO), a);
}

static void check_cycle(struct run *x, const struct broken *why)
{
    TEST_ASSERT_GREATER_THAN(0, why->n);
    for (uint32_t i = 0; i < why->n; i++) {
        event_id a = why->cycle[i], b = why->cycle[(i + 1) % why->n];
        if (is_edge(&x->g, a, b, why->edge[i])) {
            x->n_edges++;
            continue;
        }
        char message[200];
        snprintf(message, sizeof message,
                 "%s, seed %llu, axiom %s: there is no %s from %u to %u",
                 x->m.name, (unsigned long long)x->seed, why->axiom,
                 why->edge[i], a, b);
        TEST_FAIL_MESSAGE(message);
    }
}

static void take(struct graph *g, event_id e, event_id w)
{
    if (g->events[e].kind == LABEL_READ) {
        graph_set_rf(g, e, w, 0);
    } else {
        graph_remove_co(g, e);
        graph_insert_co(g, e, w);
    }
}

/* Access e is refused with its source or place. If the model says that it is so
 * with all earlier ones, it must be. */
static void check_earlier(struct run *x, event_id e)
{
    const struct event *ev = &x->g.events[e];
    bool is_access = ev->kind == LABEL_READ || ev->kind == LABEL_WRITE;
    if (!is_access || ev->tags & TAG_BIT(TAG_RMW) ||
        ev->po_next != EVENT_NONE || !x->m.refuses_earlier(x->in, &x->g, e))
        return;
    event_id now = ev->kind == LABEL_READ ? ev->rf : ev->co_prev;
    for (event_id w = now; w != EVENT_INIT; x->n_earlier++) {
        w = x->g.events[w].co_prev;
        take(&x->g, e, w);
        if (x->m.judge(&x->m, &x->g, NULL)) {
            char message[200];
            snprintf(
                message, sizeof message,
                "%s, seed %llu, %u events: one earlier in co is consistent",
                x->m.name, (unsigned long long)x->seed, x->g.n);
            TEST_FAIL_MESSAGE(message);
        }
    }
    take(&x->g, e, now);
}

static bool agree(struct run *x, event_id e)
{
    x->m.enter(x->in, &x->g, e);
    bool now = x->m.check(x->in, &x->g, e);
    if (!now)
        check_earlier(x, e);
    bool end = !x->m.has_final || x->m.final(x->in, &x->g);
    struct broken why;
    bool all = x->m.judge(&x->m, &x->g, &why);
    x->n_checked++;
    x->n_forbidden += !all;
    if (!all) {
        count_axiom(x, why.axiom);
        if (x->plain)
            check_cycle(x, &why);
        TEST_ASSERT_GREATER_THAN(0, x->m.count_broken(&x->m, &x->g));
    }
    if (all != (now && end)) {
        char message[200];
        snprintf(message, sizeof message,
                 "%s, seed %llu, %u events: check says %d, judge %d", x->m.name,
                 (unsigned long long)x->seed, x->g.n, now && end, all);
        TEST_FAIL_MESSAGE(message);
    }
    return now;
}

static bool agree_half(void *self, event_id e)
{
    return agree(self, e);
}

/* Removes a random event with all that depends on it, as a revisit does. */
static void cut(struct random *r, struct graph *g)
{
    event_id x = g->order[random_below(r, g->n)];
    uint64_t keep[8];
    memcpy(keep, g->live, g->words * sizeof *keep);
    for (uint32_t i = 0; i < g->n; i++) {
        event_id e = g->order[i];
        if (e == x || row_has(graph_row(g, e, ROW_CAUSE), x))
            row_drop(keep, e);
    }
    /* Halves of an RMW go together. */
    bool lone = false;
    for (uint32_t i = 0; i < g->n; i++) {
        event_id other = g->events[g->order[i]].rmw;
        lone = lone || (row_has(keep, g->order[i]) && other != EVENT_NONE &&
                        !row_has(keep, other));
    }
    if (!lone)
        graph_restrict(g, keep);
}

static void pad(struct run *x, uint32_t n)
{
    struct label l = {.kind = LABEL_CHOICE, .tags = TAG_BIT(TAG_CHOICE)};
    for (uint32_t i = 0; i < n; i++)
        x->m.enter(x->in, &x->g, graph_add(&x->g, i % 2, &l));
}

/* Takes the newest event away; what is behind it gets its rows anew. */
static void pop(struct run *x)
{
    event_id behind = x->g.events[x->g.order[x->g.n - 1]].po_next;
    graph_pop(&x->g);
    if (behind != EVENT_NONE)
        x->m.enter(x->in, &x->g, behind);
}

/* Grows one graph; it has `padding` more events than random ones. */
static void grow(struct run *x, uint64_t seed, uint32_t size, uint32_t padding)
{
    struct random r;
    x->seed = seed;
    random_init(&r, seed);
    r.out_of_order = !x->m.acyclic_cause && seed % 3 > 0;
    if (x->weak)
        random_make_weak(&r);
    r.power = strcmp(x->m.name, "power") == 0;
    if (x->only_sc) {
        random_make_sc(&r);
        r.coherent = true;
    }
    graph_reset(&x->g);
    random_start(&r, &x->g);
    pad(x, padding);
    if (padding && !x->m.judge(&x->m, &x->g, NULL))
        return; /* nothing held before */
    for (uint32_t i = 0; i < size; i++) {
        event_id added[2] = {EVENT_NONE, EVENT_NONE};
        uint32_t before = x->g.n;
        uint32_t n = random_add(&r, &x->g, agree_half, x, added);
        bool ok = n > 0;
        if (n == 1 && x->g.n == before + 1 &&
            (x->g.events[added[0]].tags & TAG_BIT(TAG_RMW)) == 0)
            ok = agree(x, added[0]);
        else if (n == 2)
            ok = agree(x, added[1]);
        else
            ok = false; /* first half already refused */
        while (!ok && x->g.n > before)
            pop(x);
        if (random_below(&r, 12) == 0 && x->g.n > 2 && !r.out_of_order)
            cut(&r, &x->g);
    }
}

static void run_model(struct model m, uint32_t graphs, bool plain, bool only_sc)
{
    bool weak = m.needs_deps;
    struct run x = {
        .m = m, .plain = plain && !weak, .only_sc = only_sc, .weak = weak};
    x.in = m.instantiate(&m);
    graph_init(&x.g, m.n_rows);
    for (uint32_t i = 0; i < graphs; i++)
        grow(&x, i + 1, 5 + i % (weak ? 25 : 13), 0);
    for (uint32_t i = 0; i < graphs / 100 + 1; i++)
        grow(&x, i + 1, 12, 60);
    for (uint32_t i = 0; i < graphs / 300 + 1; i++)
        grow(&x, i + 1, 12, 130);
    char message[300];
    int n = snprintf(message, sizeof message,
                     "%s: %u checks, %u earlier ones; forbidden by", m.name,
                     x.n_checked, x.n_earlier);
    for (unsigned i = 0; i < 8 && x.broken[i].axiom; i++)
        n += snprintf(message + n, sizeof message - (size_t)n, " %s %u",
                      x.broken[i].axiom, x.broken[i].n);
    TEST_MESSAGE(message);
    TEST_ASSERT_TRUE(x.n_forbidden > 0);
    TEST_ASSERT_TRUE(!x.plain || x.n_edges > x.n_forbidden);
    bool by_search =
        strcmp(m.name, "power") == 0 || strcmp(m.name, "armv8") == 0;
    TEST_ASSERT_TRUE(!by_search || x.n_earlier > 20);
    graph_release(&x.g);
    m.dismiss(x.in);
    m.release(&m);
}

static uint32_t scale = 1;

static void run_named(const char *name, uint32_t graphs, bool only_sc)
{
    struct model m;
    struct err err;
    TEST_ASSERT_TRUE_MESSAGE(model_load(&m, name, &err), err.text);
    bool waits = strncmp(name, "jam", 3) == 0 || strcmp(name, "power") == 0 ||
                 strcmp(name, "imm") == 0;
    TEST_ASSERT_EQUAL(waits, m.has_final);
    run_model(m, graphs * scale, true, only_sc);
}

static void run_text(const char *name, const char *text, uint32_t graphs)
{
    struct model m;
    struct err err;
    TEST_ASSERT_TRUE_MESSAGE(model_load_text(&m, name, text, &err), err.text);
    run_model(m, graphs * scale, false, false);
}

static void shipped_models_agree(void)
{
    run_named("sc", 2000, false);
    run_named("tso", 3000, false);
    run_named("pso", 3000, false);
    run_named("ra", 2000, false);
    run_named("rc11", 3000, false);
    run_named("rc11", 5000, true);
    run_named("rc11-paper", 2000, false);
    run_named("ocaml", 2000, false);
    run_named("lkmm", 300, false);
    run_named("jam21", 3000, false);
    run_named("jam21", 5000, true);
    run_named("jam19", 3000, false);
    run_named("jam19", 3000, true);
    run_named("imm", 1000, false);
    run_named("imm", 1000, true);
    run_named("armv8", 2000, false);
    run_named("power", 4000, false);
}

/* Odd ways to say things, and things that need the full evaluator. */
static const struct {
    const char *name, *text;
} odd[] = {
    {"eco-spelled-out", "let fr0 = (rf^-1;co) \\ id\n"
                        "let com = fr0 | rf | co\n"
                        "irreflexive po; com+ as a\n"
                        "let eco2 = rf | co;rf? | fr0;rf?\n"
                        "irreflexive eco2; po as b"},
    {"let-rec", "let rec hb = po | [REL|SC];rf;[ACQ|SC] | hb;hb\n"
                "irreflexive hb;co as c1\n"
                "irreflexive hb;fr as c2"},
    {"let-rec-linear", "let rec r = co | fr;r | r;po\n"
                       "irreflexive r as lin"},
    {"let-rec-mutual", "let rec a = po | b;rf and b = rf | a;co\n"
                       "irreflexive a; fr as mut"},
    {"functions", "let at(r) = [A]; r; [A]\n"
                  "let twice(f, r) = f(f(r))\n"
                  "acyclic twice(at, po | rf) | at(co) | at(fr) as f"},
    {"filters", "include \"filters.cat\"\n"
                "let ppo = RM(po) | WW(po)\n"
                "acyclic ppo | rfe | coe | fre as x"},
    {"minus", "let ppo = po \\ (W * R) \\ ([F];po) \\ (po;[F])\n"
              "acyclic ppo | rfe | fr | co as minus"},
    {"minus-frozen", "acyclic (po \\ loc) | (rf \\ po) | (co \\ po) | fr "
                     "as mf"},
    {"inverse", "irreflexive po; rf^-1; co as i1\n"
                "empty po & co^-1 as i2\n"
                "empty (po;po) & (co;co)^-1 as i3"},
    {"same-source", "let si = rf^-1;rf\n"
                    "irreflexive po; si; po; fr as ss"},
    {"same-source-pairs", "acyclic po | rf as p0\n"
                          "empty po & (rf^-1; rf) & (SC * SC) as p1\n"
                          "acyclic po & (rf^-1; rf)+ | (rf^-1; co) & ext | rf "
                          "as p2"},
    {"empty-frozen", "empty [SC & W]; (po & loc); [NA & R] as e1\n"
                     "empty (po & fr^-1) as e2\n"
                     "empty [R & NA] & (W * _) as e3\n"
                     "acyclic po | rf | co | fr as e4"},
    {"non-monotone", "let nr = po-loc \\ (po-loc;[W];po-loc)\n"
                     "irreflexive nr; fr; co as nm\n"
                     "acyclic (po \\ (co;rf)) | rf | fr as nm2"},
    {"final", "irreflexive [FW]; po; fr as fin\n"
              "~empty rf as some-read\n"
              "acyclic po | rf | co | fr as base"},
    {"domains", "let Rx = domain(rmw)\n"
                "acyclic [Rx];po | rf | co | fr as d1\n"
                "irreflexive [range(rf;rmw)]; po; fr as d2"},
    {"products", "acyclic po & (SC * SC) | rf | co | fr as p1\n"
                 "irreflexive (W * R) & ext & loc; po; co as p2"},
    {"complement", "acyclic (po & ~loc) | co | fr as k1\n"
                   "irreflexive (po & ~(R * W)); rf; po; fr as k2"},
    {"inner-star", "irreflexive [SC]; (co | fr; rf)*; [SC]; po as s1\n"
                   "acyclic [SC]; (po | rf | co | fr)+; [SC]; po; [F] as s2\n"
                   "acyclic [SC]; (co | po)*; fr; [ACQ] as s3"},
    {"reflexive", "acyclic [FREE] | po | co as r1\n"
                  "irreflexive (po?; fr?) & (R * W) as r2\n"
                  "acyclic po; [SC] | rf | co | fr as r3"},
    {"init", "irreflexive [W]; co; rf; po; fr as in1\n"
             "let initread = [IW]; rf\n"
             "irreflexive po; fr; co; initread^-1 as in2\n"
             "acyclic loc & (IW * R) | po | rf | fr as in3"},
    {"back-to-init", "acyclic loc & (R * IW) & (SC * _) | po | rf as b1\n"
                     "irreflexive po; rf^-1; [IW]; co; rf as b2"},
    {"sc-fences", "let hb = (po | rf)+\n"
                  "acyclic [F & SC]; hb; (rf|co|fr)+; hb; [F & SC] as psc\n"
                  "acyclic po | rf | co; [SC] | [SC]; fr as c"},
    {"hb-not-closed", "let hb = po | [REL];rf;[ACQ]\n"
                      "irreflexive hb; (rf|co|fr)+ as coh"},
    {"internal", "acyclic po & int | rfi | coi | fri as int1\n"
                 "irreflexive (co & int); po as int2\n"
                 "irreflexive fri; po; rfe; po as int3"},
    {"power-like",
     "let rdw = po-loc & (fre;rfe)\n"
     "let detour = po-loc & (coe;rfe)\n"
     "let rec ii = rdw | rfi | ci | ii;ii and ic = ii | po-loc | ic;ic\n"
     "and ci = detour | ci;ii\n"
     "let ppo = (ii & (R*R)) | (ic & (R*W))\n"
     "let fence = fencerel(F)\n"
     "let hb = ppo | fence | rfe\n"
     "acyclic hb as nta\n"
     "acyclic po-loc | rf | co | fr as coh\n"
     "irreflexive fre; (fence | rfe;fence); hb* as obs"},
    {"imm-like",
     "let AQR = (R|F) & (ACQ | ACQ_REL | SC)\n"
     "let RLW = (W|F) & (REL | ACQ_REL | SC)\n"
     "let rs  = [W]; po-loc; [W] | [W]; (po-loc?; rf; rmw)*\n"
     "let sw  = [RLW]; ([F];po)?; rs; (rfi | po-loc?; rfe); (po;[F])?; [AQR]\n"
     "let hb  = (po | sw)+\n"
     "let eco = (rf | co | fr)+\n"
     "let psc = [F & SC]; hb; eco; hb; [F & SC]\n"
     "let bob = po; [W & RLW] | [R & AQR]; po | po; [F] | [F]; po\n"
     "let ppo = [R]; ([R & RMW]; po | rfi)+; [W]\n"
     "let detour = (coe;rfe) & po\n"
     "irreflexive hb; eco as coherence\n"
     "acyclic rfe | bob | ppo | detour | psc as nta"},
    {"lone-events", "irreflexive [R & NA & SC] as no1\n"
                    "empty [W & SC & NA] as no2\n"
                    "irreflexive loc & (NA * NA) & po as no3\n"
                    "acyclic po | co | rf | fr as sc"},
};

static void odd_models_agree(void)
{
    for (unsigned i = 0; i < sizeof odd / sizeof odd[0]; i++)
        run_text(odd[i].name, odd[i].text, 300);
}

static void random_models_agree(void)
{
    static const char *const kinds[] = {"acyclic", "irreflexive", "empty"};
    struct random r;
    uint32_t checked = 0, forbidden = 0;
    for (uint32_t i = 0; i < 400 * scale; i++) {
        random_init(&r, i + 7);
        char text[1000], a[400], b[400];
        random_relation(&r, 3, a, sizeof a);
        random_relation(&r, 3, b, sizeof b);
        snprintf(text, sizeof text, "let hb = %s\n%s %s as one\n%s hb as two",
                 a, kinds[random_below(&r, 3)], b, kinds[random_below(&r, 3)]);
        struct run x = {0};
        struct err err;
        if (!model_load_text(&x.m, text, text, &err))
            TEST_FAIL_MESSAGE(err.text);
        x.in = x.m.instantiate(&x.m);
        graph_init(&x.g, x.m.n_rows);
        for (uint32_t k = 0; k < 20; k++)
            grow(&x, k + 1 + 100 * i, 8, 0);
        grow(&x, 100 * i, 6, 60);
        checked += x.n_checked;
        forbidden += x.n_forbidden;
        graph_release(&x.g);
        x.m.dismiss(x.in);
        x.m.release(&x.m);
    }
    char message[100];
    snprintf(message, sizeof message,
             "random models: %u checks, %u of them forbidden", checked,
             forbidden);
    TEST_MESSAGE(message);
}

int main(int argc, char **argv)
{
    if (argc > 1)
        scale = (uint32_t)atoi(argv[1]);
    UNITY_BEGIN();
    RUN_TEST(shipped_models_agree);
    RUN_TEST(odd_models_agree);
    RUN_TEST(random_models_agree);
    return UNITY_END();
}
