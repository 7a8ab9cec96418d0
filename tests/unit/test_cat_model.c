/* What models say beyond yes and no: cycles, flags, facts for the explorer; and
 * that herd's ways to write things mean what they mean there. */
#include "models/model_load.h"
#include "test_cat_graph.h"
#include "test_cat_random.h"

#include "core/embedded.h"
#include "unity.h"

void setUp(void)
{
}
void tearDown(void)
{
}

static struct model load(const char *name)
{
    struct model m;
    struct err err;
    TEST_ASSERT_TRUE_MESSAGE(model_load(&m, name, &err), err.text);
    return m;
}

static struct model load_text(const char *text)
{
    struct model m;
    struct err err;
    TEST_ASSERT_TRUE_MESSAGE(model_load_text(&m, "t", text, &err), err.text);
    return m;
}

/* --- cycles -------------------------------------------------------------- */

struct explained {
    struct model *m;
    char text[400];
};

/* "axiom kind: 0 -po-> 1 -fr-> ": events by their place in the test. */
static bool explain(struct litmus *l, void *self)
{
    struct explained *x = self;
    struct broken why;
    if (x->m->judge(x->m, &l->g, &why))
        return true;
    size_t n = (size_t)snprintf(x->text, sizeof x->text, "%s %s:", why.axiom,
                                why.kind);
    for (uint32_t i = 0; i < why.n && n < sizeof x->text; i++) {
        char name[20] = "init";
        if (why.cycle[i] != EVENT_INIT)
            snprintf(name, sizeof name, "%u", l->g.events[why.cycle[i]].stamp);
        n += (size_t)snprintf(x->text + n, sizeof x->text - n, " %s -%s->",
                              name, why.edge[i]);
    }
    return true;
}

static void expect_cycle(const char *model, const char *text,
                         const char *expected)
{
    struct model m = load(model);
    struct explained x = {.m = &m, .text = "consistent"};
    struct litmus l;
    litmus_init(&l, text);
    litmus_each_co(&l, 0, explain, &x);
    TEST_ASSERT_EQUAL_STRING(expected, x.text);
    litmus_release(&l);
    m.release(&m);
}

static void cycles_are_made_of_base_relations(void)
{
    expect_cycle("sc", "Wrlx x 1; Rrlx y 0 | Wrlx y 1; Rrlx x 0",
                 "sc acyclic: 0 -po-> 1 -fr-> 2 -po-> 3 -fr->");
    expect_cycle("tso", "W x 1; MFENCE; R y 0 | W y 1; MFENCE; R x 0",
                 "ghb acyclic: 0 -fenced-> 2 -fr-> 3 -fenced-> 5 -fr->");
    expect_cycle("tso", "W x 1; W y 1 | R y 1; R x 0",
                 "ghb acyclic: 0 -ppo-> 1 -rfe-> 2 -ppo-> 3 -fr->");
    expect_cycle("rc11", "Wrlx x 1; Wrel y 1 | Racq y 1; Rrlx x 0",
                 "coherence irreflexive: 0 -po-> 1 -rf-> 2 -po-> 3 -fr->");
}

static void fences_go_by_their_name(void)
{
    expect_cycle("power", "W x 1; LWSYNC; W y 1 | R y 1; SYNC; R x 0",
                 "observation irreflexive: 5 -fre-> 0 -lwsync-> 2 -rfe-> 3 "
                 "-sync->");
    expect_cycle("armv8", "W x 1; DMB.SY; W y 1 | R y 1; DMB.LD; R x 0",
                 "external irreflexive: 0 -DMB.SY-> 2 -rfe-> 3 -DMB.LD-> 5 "
                 "-fre->");
}

static void composite_orders_are_taken_apart(void)
{
    expect_cycle("rc11", "Wsc x 1; Rsc y 0 | Wsc y 1; Rsc x 0",
                 "psc acyclic: 0 -po-> 1 -fr-> 2 -po-> 3 -fr->");
    expect_cycle("rc11",
                 "Wrlx x 1 | Rrlx x 1; Fsc; Rrlx y 0 | Wrlx y 1; Fsc; Rrlx x 0",
                 "psc acyclic: 2 -po-> 3 -fr-> 4 -po-> 5 -po-> 6 -fr-> 0 "
                 "-rf-> 1 -po->");
}

/* The events of MP, their cycle under a text of a model. */
static void expect_cycle_of_text(const char *cat, const char *expected)
{
    struct model m = load_text(cat);
    struct explained x = {.m = &m, .text = "consistent"};
    struct litmus l;
    litmus_init(&l, "W x 1; W y 1 | R y 1; R x 0");
    litmus_each_co(&l, 0, explain, &x);
    TEST_ASSERT_EQUAL_STRING(expected, x.text);
    litmus_release(&l);
    m.release(&m);
}

static void recursive_definitions_are_unfolded(void)
{
    expect_cycle_of_text("let rec a = po | b; a and b = a; rfe\n"
                         "irreflexive a; fr as twice",
                         "twice irreflexive: 0 -po-> 1 -rfe-> 2 -po-> 3 -fr->");
    /* Two that are equal: there is an end to it. */
    expect_cycle_of_text("let rec a = b | po and b = a | rfe\n"
                         "acyclic a | fr as same",
                         "same acyclic: 0 -po-> 1 -rfe-> 2 -po-> 3 -fr->");
}

static void what_must_not_meet_gives_a_cycle(void)
{
    expect_cycle("rc11", "Urlx x 0 1 | Urlx x 0 2",
                 "atomicity empty: 2 -fr-> 1 -co-> 3 -rmw^-1->");
}

static void what_must_be_empty_gives_the_pair(void)
{
    expect_cycle_of_text("empty rfe as no-rfe", "no-rfe empty: 1 -rfe-> 2 -->");
}

static void initial_writes_can_be_in_a_cycle(void)
{
    struct model m = load_text("irreflexive co; rf; po; rf^-1 as back");
    struct explained x = {.m = &m, .text = "consistent"};
    struct litmus l;
    litmus_init(&l, "W x 1 | R x 1; R x 0");
    litmus_each_co(&l, 0, explain, &x);
    TEST_ASSERT_EQUAL_STRING(
        "back irreflexive: init -co-> 0 -rf-> 1 -po-> 2 -rf^-1->", x.text);
    litmus_release(&l);
    m.release(&m);
}

/* --- flags --------------------------------------------------------------- */

static void race_names_both_accesses(void)
{
    struct model m = load("rc11");
    struct litmus l;
    litmus_init(&l, "Wna d 1; Wrlx y 1 | Rrlx y 1; Rna d 1");
    struct graph *g = &l.g;
    struct model_instance *in = m.instantiate(&m);
    for (uint32_t i = 0; i < g->n; i++) {
        event_id e = g->order[i];
        if (g->events[e].kind == LABEL_WRITE)
            graph_insert_co(g, e, EVENT_INIT);
        m.enter(in, g, e);
    }
    struct broken why;
    TEST_ASSERT_FALSE(m.flagged(in, g, g->order[2], &why));
    TEST_ASSERT_TRUE(m.flagged(in, g, g->order[3], &why));
    TEST_ASSERT_EQUAL_STRING("data-race", why.axiom);
    TEST_ASSERT_EQUAL_STRING("flag", why.kind);
    TEST_ASSERT_EQUAL(2, why.n);
    TEST_ASSERT_EQUAL(g->order[0], why.cycle[0]);
    TEST_ASSERT_EQUAL(g->order[3], why.cycle[1]);
    m.dismiss(in);
    litmus_release(&l);
    m.release(&m);
}

/* The text of a built-in model with the flag made an axiom. */
static struct model twin_of_rc11(void)
{
    for (const struct embedded_file *f = embedded_models; f->name; f++) {
        if (strcmp(f->name, "rc11.cat") != 0)
            continue;
        static char text[10000];
        const char *flag = strstr(f->text, "flag ~empty race");
        TEST_ASSERT_NOT_NULL(flag);
        snprintf(text, sizeof text, "%.*s empty race as r",
                 (int)(flag - f->text), f->text);
        return load_text(text);
    }
    TEST_FAIL_MESSAGE("no rc11.cat");
    return (struct model){0};
}

struct growth {
    const struct model *m;
    struct model_instance *in;
    struct graph *g;
};

static bool enter_half(void *self, event_id e)
{
    struct growth *x = self;
    x->m->enter(x->in, x->g, e);
    return x->m->check(x->in, x->g, e);
}

static void races_agree_with_the_evaluator(void)
{
    struct model m = load("rc11"), twin = twin_of_rc11();
    struct graph g;
    graph_init(&g, m.n_rows);
    struct growth x = {&m, m.instantiate(&m), &g};
    uint32_t races = 0;
    for (uint64_t seed = 1; seed < 3000; seed++) {
        struct random r;
        random_init(&r, seed);
        r.has_na = true;
        r.has_rmw = false;
        graph_reset(&g);
        random_start(&r, &g);
        for (int i = 0; i < 10; i++) {
            event_id added[2] = {EVENT_NONE, EVENT_NONE};
            if (!random_add(&r, &g, enter_half, &x, added))
                continue;
            struct broken why;
            bool ok = enter_half(&x, added[0]);
            bool race = ok && m.flagged(x.in, &g, added[0], &why);
            if (ok)
                TEST_ASSERT_EQUAL(!race, twin.judge(&twin, &g, NULL));
            races += race;
            if (!ok || race)
                graph_pop(&g);
        }
    }
    TEST_ASSERT_GREATER_THAN(100, races);
    m.dismiss(x.in);
    graph_release(&g);
    twin.release(&twin);
    m.release(&m);
}

static void a_flag_that_is_not_frozen_is_raised_too(void)
{
    struct model m = load_text("flag ~acyclic po | rf | co | fr as not-sc\n"
                               "undefined_unless empty [FW]; po as last");
    TEST_ASSERT_TRUE(m.has_flags);
    struct litmus l;
    struct broken why;
    litmus_init(&l, "W x 1; R y 0 | W y 1; R x 0");
    graph_insert_co(&l.g, l.writes[0][0], EVENT_INIT);
    graph_insert_co(&l.g, l.writes[1][0], EVENT_INIT);
    TEST_ASSERT_TRUE(m.judge(&m, &l.g, &why));
    struct model_instance *in = m.instantiate(&m);
    TEST_ASSERT_TRUE(m.flagged(in, &l.g, l.g.order[3], &why));
    m.dismiss(in);
    TEST_ASSERT_EQUAL_STRING("not-sc", why.axiom);
    TEST_ASSERT_EQUAL(4, why.n);
    litmus_release(&l);
    m.release(&m);
}

/* Nothing is built from other relations: there is no list of parts at all. */
static void a_model_may_have_base_relations_only(void)
{
    struct model m = load_text("let rec x = po and y = x\n"
                               "flag ~empty y as second");
    struct litmus l;
    struct broken why;
    struct model_instance *in = m.instantiate(&m);
    litmus_init(&l, "R x 0; R y 0");
    TEST_ASSERT_LESS_OR_EQUAL(8, m.n_rows);
    for (uint32_t i = 0; i < 2; i++) {
        m.enter(in, &l.g, l.g.order[i]);
        TEST_ASSERT_TRUE(m.check(in, &l.g, l.g.order[i]));
    }
    TEST_ASSERT_TRUE(m.flagged(in, &l.g, l.g.order[1], &why));
    graph_pop(&l.g);
    TEST_ASSERT_FALSE(m.flagged(in, &l.g, l.g.order[0], &why));
    m.dismiss(in);
    litmus_release(&l);
    m.release(&m);
}

/* --- facts for the explorer ---------------------------------------------- */

static void expect_facts(const char *name, uint32_t n_rows, int coherence_row,
                         int hb_row)
{
    struct model m = load(name);
    TEST_ASSERT_EQUAL_MESSAGE(n_rows, m.n_rows, name);
    TEST_ASSERT_EQUAL_INT_MESSAGE(coherence_row, m.coherence_row, name);
    TEST_ASSERT_EQUAL_INT_MESSAGE(hb_row, m.hb_row, name);
    TEST_ASSERT_TRUE_MESSAGE(m.acyclic_cause, name);
    TEST_ASSERT_FALSE_MESSAGE(m.needs_deps, name);
    TEST_ASSERT_FALSE_MESSAGE(m.has_final, name);
    m.release(&m);
}

static void shipped_models_have_their_rows(void)
{
    expect_facts("sc", 0, ROW_CAUSE, -1);
    expect_facts("tso", 1, ROW_PO, -1);
    expect_facts("pso", 1, ROW_PO, -1);
    expect_facts("ra", 0, ROW_CAUSE, ROW_CAUSE);
    expect_facts("rc11", 3, ROW_MODEL + 1, ROW_MODEL + 1);
    expect_facts("rc11-paper", 3, ROW_MODEL + 1, ROW_MODEL + 1);
}

static void load_buffering_is_found_by_trying(void)
{
    struct model m = load_text("acyclic (po & (R * M)) | rfe as c");
    TEST_ASSERT_TRUE(m.acyclic_cause);
    m.release(&m);
    m = load_text("acyclic (po & ((R & ACQ) * M)) | rfe as c");
    TEST_ASSERT_FALSE(m.acyclic_cause);
    m.release(&m);
    /* Only where accesses of two kinds meet in a thread. */
    m = load_text("acyclic (po & (A * A | NA * NA)) | rfe as c");
    TEST_ASSERT_FALSE(m.acyclic_cause);
    m.release(&m);
    m = load_text("acyclic addr | (try ctrl with 0) | rfe as c");
    TEST_ASSERT_FALSE(m.acyclic_cause);
    TEST_ASSERT_TRUE(m.needs_deps);
    m.release(&m);
    m = load_text("acyclic (try addr with 0) | po as c");
    TEST_ASSERT_TRUE(m.needs_deps);
    m.release(&m);
    m = load_text("acyclic (try addr | unknown with 0) | po as c");
    TEST_ASSERT_FALSE(m.needs_deps);
    m.release(&m);
}

/* Nothing is left of it to search for. */
static void an_axiom_may_come_to_nothing(void)
{
    struct model m = load_text("acyclic po+ & 0 | rfi | loc \\ fri as a");
    m.release(&m);
}

static void only_axioms_that_may_mend_wait_for_the_end(void)
{
    struct model m = load_text("acyclic po \\ (rf; po) as a\n"
                               "acyclic po | rf as b");
    TEST_ASSERT_FALSE(m.has_final); /* old pairs of rf;po never change */
    m.release(&m);
    m = load_text("acyclic po \\ (po; co) | rf as a\n"
                  "acyclic po | rf as b");
    TEST_ASSERT_TRUE(m.has_final); /* a write put into co takes pairs away */
    m.release(&m);
    m = load_text("~empty rf as some");
    TEST_ASSERT_TRUE(m.has_final);
    m.release(&m);
}

static void count(void *self, const char *name, const char *title)
{
    unsigned *n = self;
    TEST_ASSERT_NOT_EQUAL_MESSAGE(0, title[0], name);
    *n += strcmp(name, "rc11") == 0 || strcmp(name, "sc") == 0;
}

static void models_are_listed_with_titles(void)
{
    unsigned n = 0;
    model_for_each(count, &n);
    TEST_ASSERT_EQUAL(2, n);
}

/* --- the language -------------------------------------------------------- */

static bool allow_all(void *self, event_id e)
{
    (void)self;
    (void)e;
    return true;
}

/* Two texts that mean the same. */
static void expect_equal(const char *a, const char *b)
{
    struct model m = load_text(a), k = load_text(b);
    struct graph g;
    graph_init(&g, 8);
    uint32_t bad = 0;
    for (uint64_t seed = 1; seed < 300; seed++) {
        struct random r;
        random_init(&r, seed);
        graph_reset(&g);
        random_start(&r, &g);
        for (int i = 0; i < 8; i++) {
            event_id added[2];
            random_add(&r, &g, allow_all, NULL, added);
        }
        bool ok = m.judge(&m, &g, NULL);
        TEST_ASSERT_EQUAL_MESSAGE(ok, k.judge(&k, &g, NULL), a);
        bad += !ok;
    }
    TEST_ASSERT_GREATER_THAN_MESSAGE(0, bad, a);
    graph_release(&g);
    m.release(&m);
    k.release(&k);
}

static void operators_bind_as_in_herd(void)
{
    expect_equal("acyclic po | rf; po & loc \\ rmw | fr as a",
                 "acyclic (po | (rf; ((po & loc) \\ rmw))) | fr as a");
    expect_equal("acyclic po \\ rf \\ loc | co | rf as a",
                 "acyclic ((po \\ rf) \\ loc) | co | rf as a");
    expect_equal("acyclic ~loc & po | rf | fr as a",
                 "acyclic ((~loc) & po) | rf | fr as a");
    expect_equal("irreflexive po; rf^-1+ as a",
                 "irreflexive po; ((rf^-1)+) as a");
    expect_equal("acyclic po & W * R | rf | fr as a",
                 "acyclic (po & (W * R)) | rf | fr as a");
    expect_equal("irreflexive (rf; po)*; fr as a",
                 "irreflexive fr | (rf; po)+; fr as a");
}

static void herds_idioms_mean_the_same(void)
{
    expect_equal("Arch \"old form of title\"\n"
                 "include \"cos.cat\" include \"stdlib.cat\"\n"
                 "with co from generate_cos(co0)\n"
                 "catdep\n"
                 "let fr = (rf^-1; co) \\ id\n"
                 "let com = rf | co | fr in\n"
                 "show com, fr\nunshow po\nshow po & loc as pl\n"
                 "acyclic po | com as sc\n"
                 "assert acyclic po",
                 "acyclic po | rf | co | fr as sc");
    expect_equal("let fences = fencerel(F) | toid(F); po | po; [F]\n"
                 "acyclic fences | rf | fr | co as a",
                 "acyclic po; [F]; po | [F]; po | po; [F] | rf | fr | co as a");
    expect_equal("procedure check(r) = let s = r | rf\n acyclic s as c end\n"
                 "call check(po | fr)",
                 "acyclic po | fr | rf as c");
    expect_equal("let r = try no-such-name with po\nacyclic r | fr as a",
                 "acyclic po | fr as a");
    expect_equal("let r = if \"variant\" && not \"other\" then 0 else po\n"
                 "acyclic r | fr as a",
                 "acyclic po | fr as a");
    expect_equal("let r = let a = po and b = fr in a | b\nacyclic r as a",
                 "acyclic po | fr as a");
    expect_equal("let k = fun (a, b) -> [a]; po; [b]\nacyclic k(W, R) | fr "
                 "as a",
                 "acyclic po & cross(W, R) | fr as a");
    expect_equal("empty domain(po; fr) & range(rf) as a",
                 "empty [range(rf)]; po; fr as a");
    expect_equal("let rec a = po | b and b = rf | a; b\nirreflexive a; fr as c",
                 "let rec b = rf | (po | b); b\nirreflexive (po | b); fr as c");
    expect_equal("irreflexive sb; (mo | rb) as a", "irreflexive po; (co | fr) "
                                                   "as a");
    expect_equal("acyclic rfi | rfe | coi | coe | fri | fre | po as a",
                 "acyclic com | po as a");
}

static void a_name_means_what_it_meant_where_it_is_used(void)
{
    expect_equal("let r = po\nlet f(x) = r | x\nlet r = 0\nacyclic f(fr) as a",
                 "acyclic po | fr as a");
    expect_equal("let po = po | rf\nacyclic po | fr as a",
                 "acyclic po | rf | fr as a");
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(cycles_are_made_of_base_relations);
    RUN_TEST(fences_go_by_their_name);
    RUN_TEST(composite_orders_are_taken_apart);
    RUN_TEST(recursive_definitions_are_unfolded);
    RUN_TEST(what_must_not_meet_gives_a_cycle);
    RUN_TEST(what_must_be_empty_gives_the_pair);
    RUN_TEST(initial_writes_can_be_in_a_cycle);
    RUN_TEST(race_names_both_accesses);
    RUN_TEST(races_agree_with_the_evaluator);
    RUN_TEST(a_flag_that_is_not_frozen_is_raised_too);
    RUN_TEST(a_model_may_have_base_relations_only);
    RUN_TEST(shipped_models_have_their_rows);
    RUN_TEST(load_buffering_is_found_by_trying);
    RUN_TEST(only_axioms_that_may_mend_wait_for_the_end);
    RUN_TEST(an_axiom_may_come_to_nothing);
    RUN_TEST(models_are_listed_with_titles);
    RUN_TEST(operators_bind_as_in_herd);
    RUN_TEST(herds_idioms_mean_the_same);
    RUN_TEST(a_name_means_what_it_meant_where_it_is_used);
    return UNITY_END();
}
