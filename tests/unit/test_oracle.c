/* The explorer against the brute-force oracle, on random programs: the same
 * executions, none twice.
 *   test_oracle [programs per model [seed [model or its file]]] */
#include "core/explore.h"
#include "models/model_load.h"
#include "tests/harness/oracle.h"

#include <unity.h>

#include <stdlib.h>
#include <string.h>

static unsigned programs = 80;
static uint64_t first_seed = 1;
static const char *only_model;

void setUp(void)
{
}

void tearDown(void)
{
}

struct seen {
    struct execution_set executions;
    struct explore *x;
};

static void collect(void *self, const struct graph *g, bool blocked)
{
    struct seen *seen = self;
    char why[100];
    const struct graph *whole = explore_with_fences(seen->x, g);
    if (!graph_check(g, why, sizeof why) ||
        !graph_check(whole, why, sizeof why))
        TEST_FAIL_MESSAGE(why);
    if (!blocked)
        execution_set_add(&seen->executions, execution_key_of(whole));
}

/* False: the explorer says that it does not explore all. */
static bool explore_script(struct script *s, const struct model *model,
                           struct execution_set *out)
{
    struct program program;
    struct err err = {0};
    struct explore x;
    struct seen seen = {{0}, &x};
    program_init(&program);
    script_bind(s, &program);
    struct runtime runtime = script_runtime(s);
    struct explore_options options = {
        .all = true, .on_execution = collect, .self = &seen};
    /* Races are not what this is about: they would stop an execution. */
    struct model quiet = *model;
    quiet.has_flags = false;
    explore_init(&x, &options, &quiet, &program, &runtime);
    TEST_ASSERT_TRUE_MESSAGE(explore_run(&x, 0, 0, &err), err.text);
    /* In a hole that can happen, and need not lose anything. */
    if (model->acyclic_cause && x.gap_reason == REASON_NOT_EXTENSIBLE) {
        script_print(s, stdout);
        TEST_FAIL_MESSAGE(x.gap_text);
    }
    bool all = !gap_is_of_search(x.gap_reason);
    explore_release(&x);
    program_release(&program);
    execution_set_sort(&seen.executions);
    *out = seen.executions;
    return all;
}

/* Differences between sorted sets, each element counted as often as it is. */
static void compare(const struct execution_set *want,
                    const struct execution_set *got, unsigned *missed,
                    unsigned *extra, unsigned *repeated)
{
    unsigned i = 0, j = 0;
    *missed = *extra = *repeated = 0;
    while (i < want->n || j < got->n) {
        int c = i == want->n ? 1
                : j == got->n
                    ? -1
                    : memcmp(&want->keys[i], &got->keys[j], sizeof *want->keys);
        if (c == 0) {
            i++, j++;
            while (j < got->n && memcmp(&got->keys[j], &got->keys[j - 1],
                                        sizeof *got->keys) == 0)
                (*repeated)++, j++;
        } else if (c < 0)
            (*missed)++, i++;
        else
            (*extra)++, j++;
    }
}

static const struct script_shape shapes[] = {
    {2, 4, 2, SHAPE_ADDR},
    {3, 3, 2, SHAPE_ADDR},
    {3, 3, 3, SHAPE_ATOMICS | SHAPE_ADDR},
    {4, 2, 2, SHAPE_ATOMICS | SHAPE_ADDR},
    {2, 5, 1, SHAPE_ADDR},
    {3, 4, 2, SHAPE_ATOMICS | SHAPE_ADDR},
    {2, 4, 2, SHAPE_ATOMICS | SHAPE_ADDR | SHAPE_RELAXED},
    {3, 3, 3, SHAPE_ATOMICS | SHAPE_ADDR | SHAPE_RELAXED},
    {3, 3, 2, SHAPE_ATOMICS | SHAPE_ADDR | SHAPE_RELAXED},
    {2, 5, 2, SHAPE_ATOMICS | SHAPE_ADDR | SHAPE_RELAXED},
    {2, 4, 2, SHAPE_ATOMICS | SHAPE_ADDR | SHAPE_RELAXED | SHAPE_FENCES},
    {3, 4, 3, SHAPE_ATOMICS | SHAPE_ADDR | SHAPE_RELAXED | SHAPE_FENCES},
    {3, 3, 2, SHAPE_ATOMICS | SHAPE_ADDR | SHAPE_FENCES},
    {2, 5, 2, SHAPE_ATOMICS | SHAPE_ADDR | SHAPE_RELAXED | SHAPE_PAIRS},
    {3, 4, 2, SHAPE_ATOMICS | SHAPE_ADDR | SHAPE_RELAXED | SHAPE_PAIRS},
    {3, 4, 1, SHAPE_ATOMICS | SHAPE_RELAXED | SHAPE_FENCES | SHAPE_PAIRS},
    {2, 6, 2, SHAPE_ATOMICS | SHAPE_ADDR | SHAPE_FENCES | SHAPE_PAIRS},
    {4, 3, 3, SHAPE_ATOMICS | SHAPE_ADDR | SHAPE_RELAXED},
    {2, 5, 1, SHAPE_ATOMICS | SHAPE_RELAXED | SHAPE_PARTS},
    {3, 4, 2, SHAPE_ATOMICS | SHAPE_ADDR | SHAPE_RELAXED | SHAPE_PARTS},
    {3, 4, 1, SHAPE_ATOMICS | SHAPE_ADDR | SHAPE_FENCES | SHAPE_PARTS},
    {2, 4, 2, SHAPE_ATOMICS | SHAPE_PAIRS | SHAPE_UPDATES},
    {2, 4, 3, SHAPE_ATOMICS | SHAPE_ADDR | SHAPE_PAIRS | SHAPE_UPDATES},
    {2, 5, 3, SHAPE_ATOMICS | SHAPE_RELAXED | SHAPE_PAIRS | SHAPE_UPDATES},
    {3, 3, 2, SHAPE_ATOMICS | SHAPE_ADDR | SHAPE_FENCES | SHAPE_UPDATES},
    {2, 4, 3, SHAPE_ATOMICS | SHAPE_RELAXED},
    {2, 4, 3, SHAPE_ATOMICS | SHAPE_RELAXED | SHAPE_UPDATES},
    {2, 5, 3, SHAPE_ATOMICS | SHAPE_RELAXED | SHAPE_UPDATES},
    {3, 3, 3, SHAPE_ATOMICS | SHAPE_RELAXED | SHAPE_UPDATES},
    {2, 4, 3, SHAPE_ATOMICS | SHAPE_RELAXED | SHAPE_UPDATES | SHAPE_RING},
    {3, 3, 3, SHAPE_ATOMICS | SHAPE_RELAXED | SHAPE_UPDATES | SHAPE_RING},
    {2, 5, 3, SHAPE_ATOMICS | SHAPE_RELAXED | SHAPE_OWN},
    {2, 6, 3, SHAPE_ATOMICS | SHAPE_OWN},
    {3, 4, 3, SHAPE_ATOMICS | SHAPE_RELAXED | SHAPE_OWN | SHAPE_ADDR},
    {2, 5, 3, SHAPE_ATOMICS | SHAPE_RELAXED | SHAPE_OWN | SHAPE_UPDATES},
    {3, 5, 3, SHAPE_ATOMICS | SHAPE_RELAXED | SHAPE_OWN | SHAPE_FENCES},
    {2, 4, 2, SHAPE_ATOMICS | SHAPE_SWAPS},
    {3, 3, 2, SHAPE_ATOMICS | SHAPE_SWAPS | SHAPE_ADDR},
    {3, 3, 2, SHAPE_ATOMICS | SHAPE_SWAPS | SHAPE_RELAXED},
    {2, 4, 2, SHAPE_ATOMICS | SHAPE_SWAPS | SHAPE_FENCES},
    {3, 4, 2, SHAPE_ATOMICS | SHAPE_SWAPS | SHAPE_FENCES | SHAPE_UPDATES},
    {2, 5, 3, SHAPE_ATOMICS | SHAPE_ADDR | SHAPE_INDEX | SHAPE_RELAXED},
    {3, 4, 3, SHAPE_ATOMICS | SHAPE_ADDR | SHAPE_INDEX | SHAPE_RELAXED},
    {2, 5, 3, SHAPE_ATOMICS | SHAPE_ADDR | SHAPE_INDEX | SHAPE_UPDATES},
    {3, 4, 2, SHAPE_ATOMICS | SHAPE_ADDR | SHAPE_INDEX | SHAPE_FENCES},
    {3, 3, 3, SHAPE_ATOMICS | SHAPE_ADDR | SHAPE_INDEX | SHAPE_OWN},
    {3, 4, 3, SHAPE_ATOMICS | SHAPE_SERVED},
    {3, 4, 3, SHAPE_ATOMICS | SHAPE_SERVED | SHAPE_SC},
    {3, 4, 3, SHAPE_ATOMICS | SHAPE_SERVED | SHAPE_FENCES},
    {3, 4, 3, SHAPE_ATOMICS | SHAPE_SERVED | SHAPE_UPDATES},
    {4, 3, 3, SHAPE_ATOMICS | SHAPE_ADDR | SHAPE_SERVED}};
enum { N_SHAPES = sizeof shapes / sizeof *shapes };

static void agrees_with_the_oracle(const char *name)
{
    struct model model;
    struct err err = {0};
    if (only_model && strcmp(only_model, name) != 0)
        return;
    TEST_ASSERT_TRUE_MESSAGE(model_load(&model, name, &err), err.text);
    uint64_t seed = first_seed, executions = 0;
    unsigned tried = 0, open = 0;
    while (tried < programs) {
        struct script s;
        struct program program;
        struct execution_set want = {0}, got;
        uint64_t at = seed;
        script_generate(&s, &shapes[script_random(&seed) % N_SHAPES], &seed);
        program_init(&program);
        script_bind(&s, &program);
        bool small = oracle_run(&s, &model, 20000, &want);
        program_release(&program);
        if (small) {
            unsigned missed, extra, repeated;
            bool all = explore_script(&s, &model, &got);
            compare(&want, &got, &missed, &extra, &repeated);
            open += !all;
            if ((missed && all) || extra || repeated) {
                script_print(&s, stdout);
                printf("%s, seed %llu: %u executions, %u missed, %u extra, "
                       "%u repeated\n",
                       name, (unsigned long long)at, want.n, missed, extra,
                       repeated);
                TEST_FAIL_MESSAGE("explorer and oracle differ");
            }
            tried++;
            executions += want.n;
            execution_set_release(&got);
        }
        execution_set_release(&want);
    }
    printf("%s: %u programs, %llu executions, none missed, extra or repeated; "
           "%u programs left open\n",
           name, tried, (unsigned long long)executions, open);
    TEST_ASSERT_LESS_OR_EQUAL_UINT(1 + programs / 50, open);
    model.release(&model);
}

static void the_given_file_agrees_with_the_oracle(void)
{
    agrees_with_the_oracle(only_model);
}

static void sc_agrees_with_the_oracle(void)
{
    agrees_with_the_oracle("sc");
}
static void tso_agrees_with_the_oracle(void)
{
    agrees_with_the_oracle("tso");
}
static void pso_agrees_with_the_oracle(void)
{
    agrees_with_the_oracle("pso");
}
static void ra_agrees_with_the_oracle(void)
{
    agrees_with_the_oracle("ra");
}
static void rc11_agrees_with_the_oracle(void)
{
    agrees_with_the_oracle("rc11");
}

static void jam21_agrees_with_the_oracle(void)
{
    agrees_with_the_oracle("jam21");
}
static void jam19_agrees_with_the_oracle(void)
{
    agrees_with_the_oracle("jam19");
}
static void ocaml_agrees_with_the_oracle(void)
{
    agrees_with_the_oracle("ocaml");
}
static void lkmm_agrees_with_the_oracle(void)
{
    agrees_with_the_oracle("lkmm");
}
static void imm_agrees_with_the_oracle(void)
{
    agrees_with_the_oracle("imm");
}
static void armv8_agrees_with_the_oracle(void)
{
    agrees_with_the_oracle("armv8");
}
static void power_agrees_with_the_oracle(void)
{
    agrees_with_the_oracle("power");
}
static void rvwmo_agrees_with_the_oracle(void)
{
    agrees_with_the_oracle("rvwmo");
}

static void power_with_rmw_loops_agrees_with_the_oracle(void)
{
    agrees_with_the_oracle("power-rmw");
}

#define RELAXED (TAG_BIT(TAG_ATOMIC) | TAG_BIT(TAG_RLX))

static struct script_insn load(int reg)
{
    return (struct script_insn){
        .op = OP_LOAD, .reg = reg, .from = -1, .addr = -1, .tags = RELAXED};
}

static struct script_insn store(uint64_t value, int from)
{
    return (struct script_insn){.op = OP_STORE,
                                .from = from,
                                .addr = -1,
                                .value = value,
                                .tags = RELAXED};
}

static struct script_insn increment(int reg, uint64_t tags)
{
    return (struct script_insn){.op = OP_FADD,
                                .reg = reg,
                                .from = -1,
                                .addr = -1,
                                .value = 1,
                                .tags = RELAXED | TAG_BIT(TAG_RMW) | tags,
                                .write_tags =
                                    RELAXED | TAG_BIT(TAG_RMW) | tags};
}

/* A compare-and-swap of `expected` for 1. */
static struct script_insn swap(int reg, uint64_t expected)
{
    struct script_insn in = increment(reg, 0);
    in.op = OP_CAS;
    in.expected = expected;
    in.fail_tags = RELAXED | TAG_BIT(TAG_R);
    return in;
}

static struct script_insn at(struct script_insn in, unsigned loc)
{
    in.loc = loc;
    return in;
}

/* False: the explorer says that it does not explore all. */
static bool explores_all(struct script *s, const char *name)
{
    struct model model;
    struct execution_set got;
    struct err err = {0};
    TEST_ASSERT_TRUE_MESSAGE(model_load(&model, name, &err), err.text);
    bool all = explore_script(s, &model, &got);
    execution_set_release(&got);
    model.release(&model);
    return all;
}

/* How many executions there are; the oracle says so too. */
static unsigned count_under(struct script *s, const char *name)
{
    struct model model;
    struct program program;
    struct execution_set want = {0}, got;
    struct err err = {0};
    TEST_ASSERT_TRUE_MESSAGE(model_load(&model, name, &err), err.text);
    program_init(&program);
    script_bind(s, &program);
    TEST_ASSERT_TRUE(oracle_run(s, &model, 1000000, &want));
    explore_script(s, &model, &got);
    unsigned n = got.n;
    TEST_ASSERT_EQUAL_UINT_MESSAGE(want.n, n, name);
    execution_set_release(&got);
    execution_set_release(&want);
    program_release(&program);
    model.release(&model);
    return n;
}

/* x := 1 || a := x || b := x; x := 2. Revisits that are judged without the new
 * write miss one of the nine. */
static void a_read_before_a_kept_write_is_judged_with_it(void)
{
    struct script s = {.n_threads = 3,
                       .n_locs = 1,
                       .n_insns = {1, 1, 2},
                       .insns = {{store(1, -1)}, {load(0)}, {load(0)}}};
    s.insns[2][1] = store(2, -1);
    TEST_ASSERT_EQUAL_UINT(9, count_under(&s, "imm"));
    TEST_ASSERT_EQUAL_UINT(9, count_under(&s, "armv8"));
    TEST_ASSERT_EQUAL_UINT(9, count_under(&s, "power"));
}

/* a := x || x++ || r := x; s := x; x := r + 1. */
static void an_increment_beside_a_hole_is_not_repeated(void)
{
    struct script s = {.n_threads = 3,
                       .n_locs = 1,
                       .n_insns = {1, 1, 3},
                       .insns = {{load(0)}, {load(0)}, {load(0)}}};
    s.insns[1][0] = increment(0, 0);
    s.insns[2][1] = load(1);
    s.insns[2][2] = store(1, 0);
    TEST_ASSERT_EQUAL_UINT(12, count_under(&s, "imm"));
    TEST_ASSERT_EQUAL_UINT(12, count_under(&s, "armv8"));
}

/* a := x; x := 1; b := x; y := b || c := y; x := c + 1. The thread may read its
 * own write before a has a value: a = 2 comes from a cycle of po and rf that no
 * order forbids but Power's. */
static void a_forwarded_write_is_not_waited_for(void)
{
    enum { X, Y };
    struct script s = {.n_threads = 2, .n_locs = 2, .n_insns = {4, 2}};
    s.insns[0][0] = at(load(0), X);
    s.insns[0][1] = at(store(1, -1), X);
    s.insns[0][2] = at(load(1), X);
    s.insns[0][3] = at(store(0, 1), Y);
    s.insns[1][0] = at(load(0), Y);
    s.insns[1][1] = at(store(1, 0), X);
    TEST_ASSERT_EQUAL_UINT(7, count_under(&s, "imm"));
    TEST_ASSERT_EQUAL_UINT(7, count_under(&s, "armv8"));
    TEST_ASSERT_EQUAL_UINT(6, count_under(&s, "power"));
}

/* a := z || b := y (acquire); c := x || x := 1; y := 1 (release); d := y;
 * z := d. The store to z is kept with y := 1, which its thread reads before
 * others do. If x := 1 went, b = 1 and c = 0 would be there before it, and then
 * it has no place: an interleaving was missed. */
static void a_release_that_its_thread_reads_is_kept_whole(void)
{
    enum { X, Y, Z };
    struct script s = {.n_threads = 3, .n_locs = 3, .n_insns = {1, 2, 4}};
    s.insns[0][0] = at(load(0), Z);
    s.insns[1][0] = at(load(0), Y);
    s.insns[1][0].tags = TAG_BIT(TAG_ATOMIC) | TAG_BIT(TAG_ACQ);
    s.insns[1][1] = at(load(1), X);
    s.insns[2][0] = at(store(1, -1), X);
    s.insns[2][1] = at(store(1, -1), Y);
    s.insns[2][1].tags = TAG_BIT(TAG_ATOMIC) | TAG_BIT(TAG_REL);
    s.insns[2][2] = at(load(0), Y);
    s.insns[2][3] = at(store(0, 0), Z);
    TEST_ASSERT_EQUAL_UINT(6, count_under(&s, "sc"));
    TEST_ASSERT_EQUAL_UINT(6, count_under(&s, "armv8"));
    TEST_ASSERT_EQUAL_UINT(6, count_under(&s, "imm"));
    TEST_ASSERT_EQUAL_UINT(8, count_under(&s, "power"));
}

/* b := y (acquire); c := x || a := z; x := a + 1; y := 3 (release); d := y;
 * x := d || e := x; z := e + 2. Here a itself may take what comes of y := 3,
 * which needs a and x := a + 1: others could see y without x. */
static void a_release_that_its_thread_reads_in_a_cycle_is_left_open(void)
{
    enum { X, Y, Z };
    struct script s = {.n_threads = 3, .n_locs = 3, .n_insns = {2, 5, 2}};
    s.insns[0][0] = at(load(0), Y);
    s.insns[0][0].tags = TAG_BIT(TAG_ATOMIC) | TAG_BIT(TAG_ACQ);
    s.insns[0][1] = at(load(1), X);
    s.insns[1][0] = at(load(0), Z);
    s.insns[1][1] = at(store(1, 0), X);
    s.insns[1][2] = at(store(3, -1), Y);
    s.insns[1][2].tags = TAG_BIT(TAG_ATOMIC) | TAG_BIT(TAG_REL);
    s.insns[1][3] = at(load(1), Y);
    s.insns[1][4] = at(store(0, 1), X);
    s.insns[2][0] = at(load(0), X);
    s.insns[2][1] = at(store(2, 0), Z);
    TEST_ASSERT_FALSE(explores_all(&s, "imm"));
    TEST_ASSERT_TRUE(explores_all(&s, "power"));
}

/* e := x || a := x; x := 1; b := x; y := b || c := y; x := c + 1. e and a may
 * both take the last store. Under armv8 that needs a, because of x := 1, so it
 * is given to e with a as it is; under imm it does not. */
static void an_older_read_keeps_a_forwarded_write_as_it_is(void)
{
    enum { X, Y };
    struct script s = {.n_threads = 3, .n_locs = 2, .n_insns = {1, 4, 2}};
    s.insns[0][0] = at(load(0), X);
    s.insns[1][0] = at(load(0), X);
    s.insns[1][1] = at(store(1, -1), X);
    s.insns[1][2] = at(load(1), X);
    s.insns[1][3] = at(store(0, 1), Y);
    s.insns[2][0] = at(load(0), Y);
    s.insns[2][1] = at(store(1, 0), X);
    TEST_ASSERT_FALSE(explores_all(&s, "armv8"));
    TEST_ASSERT_EQUAL_UINT(21, count_under(&s, "imm"));
}

/* p := CAS(z, 2, 1); q := z, z += 2; y := q + 2 || r := y; z += r + 1; z := 2.
 * Under armv8 the swap may succeed with a 2 that is stored because of what its
 * own success lets q be. That is not explored, which must be said. */
static void a_swap_whose_value_is_read_again_is_left_open(void)
{
    enum { Y, Z };
    struct script s = {.n_threads = 2, .n_locs = 2, .n_insns = {3, 3}};
    s.insns[0][0] = at(increment(0, 0), Z);
    s.insns[0][0].op = OP_CAS;
    s.insns[0][0].expected = 2;
    s.insns[0][1] = at(increment(1, 0), Z);
    s.insns[0][1].value = 2;
    s.insns[0][2] = at(store(2, 1), Y);
    s.insns[1][0] = at(load(0), Y);
    s.insns[1][1] = at(increment(1, 0), Z);
    s.insns[1][1].from = 0;
    s.insns[1][2] = at(store(2, -1), Z);
    TEST_ASSERT_FALSE(explores_all(&s, "armv8"));
    TEST_ASSERT_TRUE(explores_all(&s, "power"));
}

/* a := x; y := a + 2 || c := CAS(y, 1, 1); d := y; x := d + 2, all modulo 4.
 * Under armv8 d may take what the swap stores before it is known to succeed,
 * and that leads to the 1 with which it does. In no graph that is explored does
 * it succeed. */
static void a_swap_that_only_its_own_value_lets_succeed_is_left_open(void)
{
    enum { X, Y };
    struct script s = {.n_threads = 2, .n_locs = 2, .n_insns = {2, 3}};
    s.insns[0][0] = at(load(0), X);
    s.insns[0][1] = at(store(2, 0), Y);
    s.insns[1][0] = at(swap(0, 1), Y);
    s.insns[1][1] = at(load(1), Y);
    s.insns[1][2] = at(store(2, 1), X);
    TEST_ASSERT_FALSE(explores_all(&s, "armv8"));
    /* What reads its value may be an update that stores what it read. */
    s.insns[1][1] = at(increment(1, 0), Y);
    s.insns[1][1].from = 0;
    TEST_ASSERT_FALSE(explores_all(&s, "armv8"));
}

/* a := y || CAS(x, 0, 1); y := y + 1 || x := 1, where the swap is a release if
 * it succeeds, and the increment an acquire. Under armv8 these stay in order,
 * but not if the swap fails: if what is needed varied with that, the fourth,
 * an interleaving, would be missed. */
static void a_swap_that_fails_is_needed_as_if_it_did_not(void)
{
    enum { X, Y };
    struct script s = {.n_threads = 3, .n_locs = 2, .n_insns = {1, 2, 1}};
    s.insns[0][0] = at(load(0), Y);
    s.insns[1][0] = at(swap(0, 0), X);
    s.insns[1][0].write_tags |= TAG_BIT(TAG_REL);
    s.insns[1][1] = at(increment(1, TAG_BIT(TAG_ACQ)), Y);
    s.insns[2][0] = at(store(1, -1), X);
    TEST_ASSERT_EQUAL_UINT(4, count_under(&s, "sc"));
    TEST_ASSERT_EQUAL_UINT(4, count_under(&s, "armv8"));
}

/* e := y || a := x; y := a + 1; b := z || c := y; d := y (its address depends
 * on c); x := 1 || z := 1. x := 1 needs c because of d, also where d is a hole:
 * forgetting that loses two executions, interleavings even. */
static void what_is_needed_because_of_a_hole_stays_needed(void)
{
    enum { X, Y, Z };
    struct script s = {.n_threads = 4, .n_locs = 3, .n_insns = {1, 3, 3, 1}};
    s.insns[0][0] = at(load(0), Y);
    s.insns[1][0] = at(load(0), X);
    s.insns[1][1] = at(store(1, 0), Y);
    s.insns[1][2] = at(load(1), Z);
    s.insns[2][0] = at(load(0), Y);
    s.insns[2][1] = at(load(1), Y);
    s.insns[2][1].addr = 0;
    s.insns[2][2] = at(store(1, -1), X);
    s.insns[3][0] = at(store(1, -1), Z);
    TEST_ASSERT_EQUAL_UINT(16, count_under(&s, "sc"));
    TEST_ASSERT_EQUAL_UINT(20, count_under(&s, "imm"));
    TEST_ASSERT_EQUAL_UINT(20, count_under(&s, "armv8"));
    TEST_ASSERT_EQUAL_UINT(20, count_under(&s, "power"));
}

/* x++; y++ || y++; x++, each by a pair. That store-conditionals of a thread
 * stay in order keeps some executions from being complete, so it must not keep
 * the search from passing through what they have in common with others. */
static void order_of_store_conditionals_is_judged_in_the_end(void)
{
    enum { X, Y };
    struct script s = {.n_threads = 2, .n_locs = 2, .n_insns = {2, 2}};
    s.insns[0][0] = at(increment(0, TAG_BIT(TAG_EX)), X);
    s.insns[0][1] = at(increment(1, TAG_BIT(TAG_EX)), Y);
    s.insns[1][0] = at(increment(0, TAG_BIT(TAG_EX)), Y);
    s.insns[1][1] = at(increment(1, TAG_BIT(TAG_EX)), X);
    TEST_ASSERT_EQUAL_UINT(3, count_under(&s, "sc"));
    TEST_ASSERT_EQUAL_UINT(3, count_under(&s, "power"));
    TEST_ASSERT_EQUAL_UINT(4, count_under(&s, "armv8"));
}

/* a := z || y := 1; b := x || x := 1; c := y; z := c + 1, seq_cst but for z.
 * Where a takes z, x := 1 is a hole that c does not need, but if b is 0, as
 * long as x := 1 is not there, it has no place. Asked at each step, that lost
 * the interleaving with b = 1, a = 1. */
static void order_of_seq_cst_accesses_is_judged_in_the_end(void)
{
    enum { X, Y, Z };
    struct script s = {.n_threads = 3, .n_locs = 3, .n_insns = {1, 2, 3}};
    s.insns[0][0] = at(load(0), Z);
    s.insns[1][0] = at(store(1, -1), Y);
    s.insns[1][1] = at(load(0), X);
    s.insns[2][0] = at(store(1, -1), X);
    s.insns[2][1] = at(load(0), Y);
    s.insns[2][2] = at(store(1, 0), Z);
    for (unsigned t = 1; t <= 2; t++)
        for (unsigned i = 0; i < 2; i++)
            s.insns[t][i].tags = TAG_BIT(TAG_ATOMIC) | TAG_BIT(TAG_SC);
    TEST_ASSERT_EQUAL_UINT(6, count_under(&s, "imm"));
    TEST_ASSERT_EQUAL_UINT(6, count_under(&s, "armv8"));
}

/* x := 3; a := y; x := a + 1 || CAS(x, 0, 1); fence of stores; y := 3. The last
 * store needs the CAS if that succeeds. Kept without it, it must not meet one
 * that does: that execution is reached with both kept. */
static void a_swap_that_would_be_needed_does_not_fill_a_hole(void)
{
    enum { X, Y };
    struct script s = {.n_threads = 2, .n_locs = 2, .n_insns = {3, 3}};
    s.insns[0][0] = at(store(3, -1), X);
    s.insns[0][1] = at(load(0), Y);
    s.insns[0][2] = at(store(1, 0), X);
    s.insns[1][0] = at(swap(0, 0), X);
    s.insns[1][1] = (struct script_insn){
        .op = OP_FENCE, .tags = TAG_BIT(TAG_ATOMIC) | TAG_BIT(TAG_REL)};
    s.insns[1][2] = at(store(3, -1), Y);
    TEST_ASSERT_EQUAL_UINT(5, count_under(&s, "armv8"));
    TEST_ASSERT_EQUAL_UINT(5, count_under(&s, "power"));
}

/* a := x; b := z, z += a + 1; y := b + 1 || c := y; x := c + 1. What depends on
 * the increment's read need not wait for its write, which depends on x. */
static void a_read_does_not_wait_for_the_write_of_its_update(void)
{
    enum { X, Y, Z };
    struct script s = {.n_threads = 2, .n_locs = 3, .n_insns = {3, 2}};
    s.insns[0][0] = at(load(0), X);
    s.insns[0][1] = at(increment(1, 0), Z);
    s.insns[0][1].from = 0;
    s.insns[0][2] = at(store(1, 1), Y);
    s.insns[1][0] = at(load(0), Y);
    s.insns[1][1] = at(store(1, 0), X);
    TEST_ASSERT_EQUAL_UINT(3, count_under(&s, "sc"));
    TEST_ASSERT_EQUAL_UINT(4, count_under(&s, "armv8"));
    TEST_ASSERT_EQUAL_UINT(4, count_under(&s, "power"));
    TEST_ASSERT_EQUAL_UINT(4, count_under(&s, "imm"));
}

/* b := z, z += 1; y := b || c := y; d := z, z += c + 1; then d is passed on to
 * z, by the thread itself or by another. In one execution the first increment
 * reads what was passed on, and c what follows from that. It would be reached
 * only where the increment has read the second one before, as both cannot read
 * the same. Such ones are not explored, which must be said. */
static void an_update_that_has_read_its_rival_is_left_open(void)
{
    enum { X, Y, Z };
    struct script s = {.n_threads = 2, .n_locs = 3, .n_insns = {2, 3}};
    s.insns[0][0] = at(increment(0, 0), Z);
    s.insns[0][1] = at(store(1, 0), Y);
    s.insns[1][0] = at(load(0), Y);
    s.insns[1][1] = at(increment(1, 0), Z);
    s.insns[1][1].from = 0;
    s.insns[1][2] = at(store(1, 1), Z);
    TEST_ASSERT_EQUAL_UINT(4, count_under(&s, "armv8"));
    TEST_ASSERT_FALSE(explores_all(&s, "imm"));
    s.n_threads = 3;
    s.n_insns[2] = 2;
    s.insns[1][2] = at(store(1, 1), X);
    s.insns[2][0] = at(load(0), X);
    s.insns[2][1] = at(store(1, 0), Z);
    TEST_ASSERT_FALSE(explores_all(&s, "power"));
    TEST_ASSERT_FALSE(explores_all(&s, "imm"));
}

/* The same with CAS(y, 0, 2) that fails when it has read the increment, but
 * would not have otherwise. */
static void a_swap_that_failed_because_of_its_rival_is_left_open(void)
{
    enum { X, Y };
    struct script s = {.n_threads = 3, .n_locs = 2, .n_insns = {2, 2, 3}};
    s.insns[0][0] = at(swap(0, 0), Y);
    s.insns[0][0].value = 2;
    s.insns[0][1] = at(store(3, 0), Y);
    s.insns[1][0] = at(increment(0, 0), Y);
    s.insns[1][0].value = 2;
    s.insns[1][1] = at(store(1, 0), X);
    s.insns[2][0] = at(load(0), X);
    s.insns[2][1] = at(increment(1, 0), Y);
    s.insns[2][1].value = 2;
    s.insns[2][1].from = 0;
    s.insns[2][2] = at(store(2, 1), Y);
    TEST_ASSERT_FALSE(explores_all(&s, "imm"));
}

/* a := x, x += 2; b := z, z += a + 1; c := y, y += b + 2 || d := y, y += 2;
 * e := y, y += d + 2; f := CAS(x, 0, e + 2); z := f + 1. What the swap stores
 * is read by the first increment, and left out where b takes z := f + 1. */
static void an_update_that_an_older_one_has_read_is_left_open(void)
{
    enum { X, Y, Z };
    struct script s = {.n_threads = 2, .n_locs = 3, .n_insns = {3, 4}};
    s.insns[0][0] = at(increment(0, 0), X);
    s.insns[0][0].value = 2;
    s.insns[0][1] = at(increment(1, 0), Z);
    s.insns[0][1].from = 0;
    s.insns[0][2] = at(increment(2, 0), Y);
    s.insns[0][2].value = 2;
    s.insns[0][2].from = 1;
    s.insns[1][0] = at(increment(0, 0), Y);
    s.insns[1][0].value = 2;
    s.insns[1][1] = at(increment(1, 0), Y);
    s.insns[1][1].value = 2;
    s.insns[1][1].from = 0;
    s.insns[1][2] = at(swap(2, 0), X);
    s.insns[1][2].value = 2;
    s.insns[1][2].from = 1;
    s.insns[1][3] = at(store(1, 2), Z);
    TEST_ASSERT_FALSE(explores_all(&s, "power"));
}

/* a := x || b := y, y += 1; x := 3 || c := x; y += c + 1, y := d + 1, where d
 * is what the increment read. When a takes x := 3, c stays as it is, since the
 * write of its increment does: not all is explored, which must be said. */
static void an_older_read_keeps_an_update_as_it_is(void)
{
    enum { X, Y };
    struct script s = {.n_threads = 3, .n_locs = 2, .n_insns = {1, 2, 3}};
    s.insns[0][0] = at(load(0), X);
    s.insns[1][0] = at(increment(0, 0), Y);
    s.insns[1][1] = at(store(3, -1), X);
    s.insns[2][0] = at(load(0), X);
    s.insns[2][1] = at(increment(1, 0), Y);
    s.insns[2][1].from = 0;
    s.insns[2][2] = at(store(1, 1), Y);
    TEST_ASSERT_FALSE(explores_all(&s, "imm"));
    TEST_ASSERT_TRUE(explores_all(&s, "armv8"));
}

/* a := x || b := x; c := x; y := c + 2 || d := y; x += d + 1; x := 1. The same
 * where a had read the increment before it takes x := 1. */
static void an_update_that_was_read_is_left_open(void)
{
    enum { X, Y };
    struct script s = {.n_threads = 3, .n_locs = 2, .n_insns = {1, 3, 3}};
    s.insns[0][0] = at(load(0), X);
    s.insns[1][0] = at(load(0), X);
    s.insns[1][1] = at(load(1), X);
    s.insns[1][2] = at(store(2, 1), Y);
    s.insns[2][0] = at(load(0), Y);
    s.insns[2][1] = at(increment(1, 0), X);
    s.insns[2][1].from = 0;
    s.insns[2][2] = at(store(1, -1), X);
    TEST_ASSERT_FALSE(explores_all(&s, "imm"));
}

int main(int argc, char **argv)
{
    /* Under sanitizers all is ten times slower. */
    if (getenv("HWC_FAST"))
        programs = 12;
    if (argc > 1)
        programs = (unsigned)strtoul(argv[1], NULL, 10);
    if (argc > 2)
        first_seed = strtoull(argv[2], NULL, 10);
    if (argc > 3)
        only_model = argv[3];
    UNITY_BEGIN();
    if (only_model && strchr(only_model, '.'))
        RUN_TEST(the_given_file_agrees_with_the_oracle);
    RUN_TEST(sc_agrees_with_the_oracle);
    RUN_TEST(tso_agrees_with_the_oracle);
    RUN_TEST(pso_agrees_with_the_oracle);
    RUN_TEST(ra_agrees_with_the_oracle);
    RUN_TEST(rc11_agrees_with_the_oracle);
    RUN_TEST(jam21_agrees_with_the_oracle);
    RUN_TEST(jam19_agrees_with_the_oracle);
    RUN_TEST(ocaml_agrees_with_the_oracle);
    RUN_TEST(lkmm_agrees_with_the_oracle);
    RUN_TEST(imm_agrees_with_the_oracle);
    RUN_TEST(armv8_agrees_with_the_oracle);
    RUN_TEST(power_agrees_with_the_oracle);
    RUN_TEST(rvwmo_agrees_with_the_oracle);
    RUN_TEST(power_with_rmw_loops_agrees_with_the_oracle);
    RUN_TEST(a_read_before_a_kept_write_is_judged_with_it);
    RUN_TEST(an_increment_beside_a_hole_is_not_repeated);
    RUN_TEST(a_forwarded_write_is_not_waited_for);
    RUN_TEST(a_release_that_its_thread_reads_is_kept_whole);
    RUN_TEST(a_release_that_its_thread_reads_in_a_cycle_is_left_open);
    RUN_TEST(an_older_read_keeps_a_forwarded_write_as_it_is);
    RUN_TEST(a_swap_whose_value_is_read_again_is_left_open);
    RUN_TEST(a_swap_that_only_its_own_value_lets_succeed_is_left_open);
    RUN_TEST(a_swap_that_fails_is_needed_as_if_it_did_not);
    RUN_TEST(what_is_needed_because_of_a_hole_stays_needed);
    RUN_TEST(order_of_store_conditionals_is_judged_in_the_end);
    RUN_TEST(order_of_seq_cst_accesses_is_judged_in_the_end);
    RUN_TEST(a_swap_that_would_be_needed_does_not_fill_a_hole);
    RUN_TEST(a_read_does_not_wait_for_the_write_of_its_update);
    RUN_TEST(an_update_that_has_read_its_rival_is_left_open);
    RUN_TEST(a_swap_that_failed_because_of_its_rival_is_left_open);
    RUN_TEST(an_update_that_was_read_is_left_open);
    RUN_TEST(an_update_that_an_older_one_has_read_is_left_open);
    RUN_TEST(an_older_read_keeps_an_update_as_it_is);
    return UNITY_END();
}
