/* What the search takes for granted of a model: a model that breaks it is told
 * from one that keeps it. */
#include "core/explore.h"
#include "models/model_load.h"
#include "tests/harness/oracle.h"

#include <unity.h>

#include <stdio.h>
#include <string.h>

void setUp(void)
{
}

void tearDown(void)
{
}

#define RELAXED (TAG_BIT(TAG_ATOMIC) | TAG_BIT(TAG_RLX))
#define HALF    (RELAXED | TAG_BIT(TAG_RMW))

static const struct script_insn load = {
    .op = OP_LOAD, .from = -1, .addr = -1, .tags = RELAXED};
static const struct script_insn store = {
    .op = OP_STORE, .from = -1, .addr = -1, .value = 1, .tags = RELAXED};
static const struct script_insn add = {.op = OP_FADD,
                                       .from = -1,
                                       .addr = -1,
                                       .value = 1,
                                       .tags = HALF,
                                       .write_tags = HALF};

static const struct script_insn swap = {.op = OP_CAS,
                                        .from = -1,
                                        .addr = -1,
                                        .value = 2,
                                        .tags = HALF,
                                        .write_tags = HALF,
                                        .fail_tags = RELAXED | TAG_BIT(TAG_R)};

/* a || b, on one location: executions that the search finds, and all. */
struct found {
    uint64_t visited;
    unsigned all;
    char gap[400];
    enum gap_reason reason;
};

static struct found run(const char *cat, struct script_insn a,
                        struct script_insn b)
{
    struct script s = {
        .n_threads = 2, .n_locs = 1, .n_insns = {1, 1}, .insns = {{a}, {b}}};
    struct model model;
    struct program program;
    struct execution_set all = {0};
    struct err err = {0};
    struct explore x;
    struct found found = {0};
    TEST_ASSERT_TRUE_MESSAGE(model_load_text(&model, "mine", cat, &err),
                             err.text);
    program_init(&program);
    script_bind(&s, &program);
    TEST_ASSERT_TRUE(oracle_run(&s, &model, 1000, &all));
    struct runtime runtime = script_runtime(&s);
    explore_init(&x, &(struct explore_options){.all = true}, &model, &program,
                 &runtime);
    TEST_ASSERT_TRUE_MESSAGE(explore_run(&x, 0, 0, &err), err.text);
    found.visited = x.executions;
    found.all = all.n;
    memcpy(found.gap, x.gap_text, sizeof found.gap);
    found.reason = x.gap_reason;
    TEST_ASSERT_EQUAL(found.gap[0] ? VERDICT_GAP : VERDICT_SOUND, x.verdict);
    explore_release(&x);
    program_release(&program);
    execution_set_release(&all);
    model.release(&model);
    return found;
}

#define SC_MODEL "acyclic po | rf | co | fr as sc\n"
#define ATOMIC   "empty rmw & (fr; co) as atomicity\n"

/* A read must take the last write. Once it has taken the initial value, no
 * write can be added, not even the one that it should have taken. */
static void a_model_that_is_not_extensible_is_told(void)
{
    struct found f = run(SC_MODEL "empty fr as last", load, store);
    TEST_ASSERT_EQUAL(1, f.all);
    TEST_ASSERT_EQUAL(0, f.visited);
    TEST_ASSERT_EQUAL(REASON_NOT_EXTENSIBLE, f.reason);
    TEST_ASSERT_NOT_NULL_MESSAGE(strstr(f.gap, "its axiom 'last'"), f.gap);
}

static void the_same_axiom_may_wait_for_complete_executions(void)
{
    struct found f = run(SC_MODEL "final empty fr as last", load, store);
    TEST_ASSERT_EQUAL(1, f.all);
    TEST_ASSERT_EQUAL(1, f.visited);
    TEST_ASSERT_EQUAL_STRING("", f.gap);
}

/* No read may be added at all: events without a place in co are told too. */
static void a_read_without_any_source_is_told(void)
{
    struct found f = run(SC_MODEL "empty [R]; id as none", store, load);
    TEST_ASSERT_EQUAL(0, f.visited);
    TEST_ASSERT_EQUAL_MESSAGE(REASON_NOT_EXTENSIBLE, f.reason, f.gap);
}

static void read_modify_writes_that_may_be_torn_are_told(void)
{
    struct found f = run(SC_MODEL, add, store);
    TEST_ASSERT_EQUAL(3, f.all);
    TEST_ASSERT_EQUAL(2, f.visited);
    TEST_ASSERT_EQUAL_MESSAGE(REASON_NOT_ATOMIC, f.reason, f.gap);
    f = run(SC_MODEL, load, store);
    TEST_ASSERT_EQUAL_STRING("", f.gap);
}

/* Without coherence an increment of x = 1 may come before x = 1 in co. */
static void read_modify_writes_before_their_source_are_told(void)
{
    struct found f = run("acyclic po | rf as c\n" ATOMIC, add, store);
    TEST_ASSERT_EQUAL(3, f.all);
    TEST_ASSERT_EQUAL(2, f.visited);
    TEST_ASSERT_NOT_EQUAL_MESSAGE(0, f.gap[0], "no gap");
    f = run("acyclic po | rf as c\n" ATOMIC "irreflexive rf; rmw; co as o", add,
            store);
    TEST_ASSERT_EQUAL(2, f.all);
    TEST_ASSERT_EQUAL(2, f.visited);
    TEST_ASSERT_EQUAL_STRING("", f.gap);
}

static void atomicity_has_several_spellings(void)
{
    static const char *const cats[] = {
        SC_MODEL ATOMIC,
        SC_MODEL "empty rmw & (fre; coe) as atomic\n",
        SC_MODEL "empty rmw & ((rf^-1; co); co) as atomic\n",
        "acyclic po-loc | rf | co | fr as c\nacyclic po | rf as t\n" ATOMIC,
        "acyclic po | rf as c\n" ATOMIC "irreflexive rmw; (rf | co | fr)+ as o",
    };
    for (unsigned i = 0; i < sizeof cats / sizeof *cats; i++) {
        struct found f = run(cats[i], add, store);
        TEST_ASSERT_EQUAL_STRING_MESSAGE("", f.gap, cats[i]);
        TEST_ASSERT_EQUAL_MESSAGE(f.all, f.visited, cats[i]);
    }
    /* Only some pairs, or without the coherence that says the rest. */
    TEST_ASSERT_NOT_EQUAL(
        0, run(SC_MODEL "empty rmw & (fr; [NA]; co) as a", add, store).gap[0]);
    TEST_ASSERT_NOT_EQUAL(
        0, run("acyclic po | rf as c\nempty rmw & (fre; coe) as a\n"
               "irreflexive rmw; co; rf as b",
               add, store)
               .gap[0]);
}

/* The swap fails if it comes after the store. */
static void a_corder_without_failures_is_told(void)
{
    static const char weak[] =
        "acyclic po-loc | rf | co | fr as c\n" ATOMIC
        "let xrloc = (po-loc; [R]) \\ (po-loc?; rfi)\n"
        "let BEFORE = %s\nlet corder = xrloc | [BEFORE]; po\n";
    static const char *const told[] = {"R & (RMW | FAILED-RMW)", "FAILED-SWAP"};
    char cat[400];
    snprintf(cat, sizeof cat, weak, "R & RMW");
    struct found f = run(cat, swap, store);
    TEST_ASSERT_EQUAL_MESSAGE(REASON_NO_FAILURES, f.reason, f.gap);
    f = run(cat, swap, load);
    TEST_ASSERT_EQUAL_STRING("", f.gap);
    for (unsigned i = 0; i < 2; i++) {
        snprintf(cat, sizeof cat, weak, told[i]);
        f = run(cat, swap, store);
        TEST_ASSERT_EQUAL_STRING("", f.gap);
        TEST_ASSERT_EQUAL(f.all, f.visited);
    }
    /* Without load buffering there is nothing to be said. */
    f = run(SC_MODEL ATOMIC, swap, store);
    TEST_ASSERT_EQUAL_STRING("", f.gap);
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(a_model_that_is_not_extensible_is_told);
    RUN_TEST(the_same_axiom_may_wait_for_complete_executions);
    RUN_TEST(a_read_without_any_source_is_told);
    RUN_TEST(read_modify_writes_that_may_be_torn_are_told);
    RUN_TEST(read_modify_writes_before_their_source_are_told);
    RUN_TEST(atomicity_has_several_spellings);
    RUN_TEST(a_corder_without_failures_is_told);
    return UNITY_END();
}
