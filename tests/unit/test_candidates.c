/* The candidates of random programs are those of the brute-force oracle. */
#include "core/candidates.h"
#include "models/model_load.h"
#include "tests/oracle.h"

#include <stdlib.h>
#include <string.h>
#include <unity.h>

void setUp(void)
{
}
void tearDown(void)
{
}

static bool collect(void *self, const struct graph *g)
{
    char why[200];
    if (!graph_check(g, why, sizeof why) && !strstr(why, "cause"))
        TEST_FAIL_MESSAGE(why);
    execution_set_add(self, execution_key_of(g));
    return true;
}

static void candidates_of(struct script *s, struct execution_set *out)
{
    struct program program;
    struct err err = {0};
    program_init(&program);
    script_bind(s, &program);
    struct runtime runtime = script_runtime(s);
    struct path path;
    path_init(&path, &runtime);
    struct candidates c = {.path = &path,
                           .program = &program,
                           .max_steps = 100000000,
                           .max_events = 100,
                           .visit = collect,
                           .self = out};
    TEST_ASSERT_TRUE_MESSAGE(candidates_run(&c, 0, 0, &err), err.text);
    TEST_ASSERT_FALSE_MESSAGE(c.is_cut, c.cut_text);
    path_release(&path);
    program_release(&program);
}

static void candidates_are_those_of_the_oracle(void)
{
    static const struct script_shape shapes[] = {
        {2, 3, 2, false, true, false, false},
        {3, 2, 2, false, true, false, false},
        {2, 4, 2, true, true, true, false},
        {3, 3, 3, true, true, true, false}};
    unsigned programs = getenv("HWC_FAST") ? 200 : 3000;
    struct model anything;
    struct err err = {0};
    TEST_ASSERT_TRUE_MESSAGE(model_load_text(&anything, "anything",
                                             "irreflexive po as nothing", &err),
                             err.text);
    uint64_t seed = 1, total = 0;
    for (unsigned tried = 0; tried < programs;) {
        struct script s;
        struct program program;
        struct execution_set want = {0}, got = {0};
        script_generate(&s, &shapes[script_random(&seed) % 4], &seed);
        program_init(&program);
        script_bind(&s, &program);
        bool small = oracle_run(&s, &anything, 5000, &want);
        program_release(&program);
        if (small) {
            candidates_of(&s, &got);
            execution_set_sort(&want);
            execution_set_sort(&got);
            if (want.n != got.n ||
                (want.n && memcmp(want.keys, got.keys,
                                  want.n * sizeof *want.keys) != 0)) {
                script_print(&s, stdout);
                TEST_ASSERT_EQUAL(want.n, got.n);
                TEST_FAIL_MESSAGE("other executions");
            }
            total += want.n;
            tried++;
        }
        execution_set_release(&want);
        execution_set_release(&got);
    }
    TEST_ASSERT_GREATER_THAN(10 * programs, total);
    anything.release(&anything);
}

static bool stop_at_once(void *self, const struct graph *g)
{
    (void)g;
    ++*(unsigned *)self;
    return false;
}

static void a_visitor_or_a_bound_ends_the_search(void)
{
    struct script s;
    uint64_t seed = 5;
    unsigned visits = 0;
    struct err err = {0};
    struct program program;
    script_generate(
        &s, &(struct script_shape){2, 4, 2, true, true, true, false}, &seed);
    program_init(&program);
    script_bind(&s, &program);
    struct runtime runtime = script_runtime(&s);
    struct path path;
    path_init(&path, &runtime);
    struct candidates c = {.path = &path,
                           .program = &program,
                           .max_steps = 1000000,
                           .max_events = 100,
                           .visit = stop_at_once,
                           .self = &visits};
    TEST_ASSERT_TRUE(candidates_run(&c, 0, 0, &err));
    TEST_ASSERT_EQUAL(1, visits);
    TEST_ASSERT_FALSE(c.is_cut);
    struct candidates few = {.path = &path,
                             .program = &program,
                             .max_steps = 3,
                             .max_events = 100,
                             .visit = stop_at_once,
                             .self = &visits};
    TEST_ASSERT_TRUE(candidates_run(&few, 0, 0, &err));
    TEST_ASSERT_EQUAL(1, visits);
    TEST_ASSERT_TRUE(few.is_cut);
    TEST_ASSERT_EQUAL_STRING("stopped after 3 steps", few.cut_text);
    path_release(&path);
    program_release(&program);
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(candidates_are_those_of_the_oracle);
    RUN_TEST(a_visitor_or_a_bound_ends_the_search);
    return UNITY_END();
}
