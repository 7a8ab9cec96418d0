/* Fences that a model ignores: whether one is there must make no difference to
 * the full evaluator, on random graphs. */
#include "models/model_load.h"
#include "test_cat_random.h"

#include "unity.h"

#include <string.h>

void setUp(void)
{
}
void tearDown(void)
{
}

struct tally {
    uint32_t ignored, seen, forbidden;
};

static void load(struct model *m, const char *name)
{
    struct err err;
    TEST_ASSERT_TRUE_MESSAGE(model_load(m, name, &err), err.text);
}

static void check_without(const struct model *m, const struct graph *g,
                          event_id fence, struct tally *n)
{
    struct graph less;
    graph_init(&less, m->n_rows);
    graph_copy(&less, g);
    uint64_t keep[4];
    TEST_ASSERT_TRUE(g->words <= 4);
    memcpy(keep, g->live, g->words * sizeof *keep);
    row_drop(keep, fence);
    graph_restrict(&less, keep);
    uint32_t broken = m->count_broken(m, g);
    TEST_ASSERT_EQUAL_UINT32_MESSAGE(broken, m->count_broken(m, &less),
                                     m->name);
    n->forbidden += broken > 0;
    graph_release(&less);
}

static bool go_on(void *self, event_id e)
{
    (void)self;
    (void)e;
    return true;
}

/* Each fence of a random graph. */
static void check_graph(const struct model *m, uint64_t seed, struct tally *n)
{
    struct graph g;
    struct random r;
    event_id added[2];
    random_init(&r, seed);
    if (seed % 2)
        random_make_weak(&r);
    r.has_fences = true;
    struct model_instance *in = m->instantiate(m);
    graph_init(&g, m->n_rows);
    random_start(&r, &g);
    for (uint32_t i = 0; i < 14; i++)
        random_add(&r, &g, go_on, NULL, added);
    for (uint32_t i = 0; i < g.n; i++) {
        const struct event *e = &g.events[g.order[i]];
        if (e->kind != LABEL_FENCE)
            continue;
        if (m->ignores && m->ignores(in, e->tags)) {
            n->ignored++;
            check_without(m, &g, g.order[i], n);
        } else
            n->seen++;
    }
    m->dismiss(in);
    graph_release(&g);
}

static void ignored_fences_change_no_shipped_model(void)
{
    static const char *const names[] = {
        "sc",    "tso",  "pso",   "ra",    "rc11",        "rc11-paper",
        "ocaml", "lkmm", "jam21", "jam19", "weak-causal", "weak-incoherent"};
    for (unsigned i = 0; i < sizeof names / sizeof names[0]; i++) {
        struct model m;
        struct tally n = {0};
        char message[100];
        load(&m, names[i]);
        for (uint64_t seed = 1; seed <= 300; seed++)
            check_graph(&m, seed, &n);
        snprintf(message, sizeof message,
                 "%s: %u fences ignored (%u in forbidden graphs), %u not",
                 names[i], n.ignored, n.forbidden, n.seen);
        TEST_MESSAGE(message);
        m.release(&m);
    }
}

static void ignored_fences_change_no_random_model(void)
{
    static const char *const kinds[] = {"acyclic", "irreflexive", "empty"};
    struct tally n = {0};
    for (uint32_t i = 0; i < 1000; i++) {
        struct random r;
        struct model m;
        struct err err;
        char text[1000], a[400], b[400];
        random_init(&r, i + 11);
        random_relation(&r, 3, a, sizeof a);
        random_relation(&r, 3, b, sizeof b);
        snprintf(text, sizeof text,
                 "%s %s as one\n%s %s as two\nacyclic po | rf",
                 kinds[random_below(&r, 3)], a, kinds[random_below(&r, 3)], b);
        TEST_ASSERT_TRUE_MESSAGE(model_load_text(&m, text, text, &err),
                                 err.text);
        for (uint64_t seed = 1; seed <= 20; seed++)
            check_graph(&m, seed + 20 * i, &n);
        m.release(&m);
    }
    TEST_ASSERT_TRUE(n.ignored > 1000 && n.seen > 1000 && n.forbidden > 1000);
}

static bool ignores(const struct model *m, uint64_t tags)
{
    struct model_instance *in = m->instantiate(m);
    bool is = m->ignores && m->ignores(in, tags);
    m->dismiss(in);
    return is;
}

static void expect(const char *name, uint64_t tags, bool ignored)
{
    struct model m;
    load(&m, name);
    TEST_ASSERT_EQUAL_MESSAGE(ignored, ignores(&m, tags | TAG_BIT(TAG_F)),
                              name);
    m.release(&m);
}

static void a_model_sees_the_fences_that_it_names(void)
{
    uint64_t seq_cst = TAG_BIT(TAG_SC) | TAG_BIT(TAG_ATOMIC);
    expect("sc", TAG_BIT(TAG_SYNC), true);
    expect("sc", TAG_BIT(TAG_MFENCE), true);
    expect("sc", seq_cst, true);
    expect("ra", seq_cst, true);
    expect("tso", TAG_BIT(TAG_MFENCE), false);
    expect("tso", seq_cst, false);
    expect("tso", TAG_BIT(TAG_LFENCE), true);
    expect("tso", TAG_BIT(TAG_LWSYNC), true);
    expect("pso", TAG_BIT(TAG_SFENCE), false);
    expect("rc11", seq_cst, false);
    expect("power", TAG_BIT(TAG_ISYNC), false);
    expect("armv8", TAG_BIT(TAG_ISB), false);
    expect("imm", seq_cst, false);
}

/* Of a model with this axiom too, does it see seq_cst fences? */
static void expect_seen(const char *axiom, bool seen)
{
    struct model m;
    struct err err;
    char text[200];
    uint64_t tags = TAG_BIT(TAG_F) | TAG_BIT(TAG_SC);
    snprintf(text, sizeof text, "%s\nacyclic po | rf", axiom);
    TEST_ASSERT_TRUE_MESSAGE(model_load_text(&m, axiom, text, &err), err.text);
    TEST_ASSERT_NOT_NULL(m.ignores);
    TEST_ASSERT_EQUAL_MESSAGE(!seen, ignores(&m, tags), axiom);
    m.release(&m);
}

static void each_way_to_see_a_fence_is_known(void)
{
    expect_seen("irreflexive po; fr", false);
    expect_seen("irreflexive (po | rf)+; fr", false);
    expect_seen("irreflexive (po & (R * W))+; fr", false);
    expect_seen("empty rmw & (fr; co)", false);
    expect_seen("irreflexive [domain(rf)]; po; fr", false);
    expect_seen("acyclic po | co | [ACQ]; po; [W]", false);
    expect_seen("irreflexive po; [F]; po; fr", true);
    expect_seen("irreflexive po; po; fr", true);
    expect_seen("irreflexive (po \\ loc)+; fr", true);
    expect_seen("acyclic (po \\ loc) | fr", true);
    expect_seen("irreflexive [domain(po & (M * F))]; po; fr", true);
    expect_seen("irreflexive [range(po & (F * M))]; po; fr", true);
    expect_seen("empty po \\ (po | po^-1)", true);
    expect_seen("irreflexive [F]; po?", true);
    expect_seen("let rec r = po | r; rf\nirreflexive r; fr", true);
    expect_seen("let hb = po; [F]; po", true);
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(ignored_fences_change_no_shipped_model);
    RUN_TEST(ignored_fences_change_no_random_model);
    RUN_TEST(a_model_sees_the_fences_that_it_names);
    RUN_TEST(each_way_to_see_a_fence_is_known);
    return UNITY_END();
}
