/* The candidates of random programs are those of the brute-force oracle, but
 * for values that only justify themselves. */
#include "core/candidates.h"
#include "models/model_load.h"
#include "tests/harness/oracle.h"

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
    if (!graph_check(g, why, sizeof why))
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

/* Both are sorted; b may not have what a has twice. */
static bool is_subset(const struct execution_set *a,
                      const struct execution_set *b)
{
    unsigned j = 0;
    for (unsigned i = 0; i < a->n; i++, j++) {
        while (j < b->n &&
               memcmp(&a->keys[i], &b->keys[j], sizeof *a->keys) != 0)
            j++;
        if (j == b->n)
            return false;
    }
    return true;
}

static struct model load(const char *text)
{
    struct model m;
    struct err err = {0};
    TEST_ASSERT_TRUE_MESSAGE(model_load_text(&m, "t", text, &err), err.text);
    return m;
}

/* What the oracle says of a program: all executions, and those in which no
 * value justifies itself. */
struct bounds {
    struct model anything, founded;
    struct execution_set most, least;
};

static bool ask_oracle(struct bounds *b, struct script *s)
{
    struct program program;
    program_init(&program);
    script_bind(s, &program);
    b->most = b->least = (struct execution_set){0};
    bool small = oracle_run(s, &b->anything, 5000, &b->most) &&
                 oracle_run(s, &b->founded, 5000, &b->least);
    program_release(&program);
    execution_set_sort(&b->most);
    execution_set_sort(&b->least);
    return small;
}

/* Returns how many candidates there are. */
static unsigned compare(const struct bounds *b, struct script *s)
{
    struct execution_set got = {0};
    candidates_of(s, &got);
    execution_set_sort(&got);
    bool good = is_subset(&b->least, &got) && is_subset(&got, &b->most);
    if (!good)
        script_print(s, stdout);
    TEST_ASSERT_TRUE(good);
    unsigned n = got.n;
    execution_set_release(&got);
    return n;
}

static void candidates_are_those_of_the_oracle(void)
{
    static const struct script_shape shapes[] = {
        {2, 3, 2, SHAPE_ADDR},
        {3, 2, 2, SHAPE_ADDR},
        {2, 4, 2, SHAPE_ATOMICS | SHAPE_ADDR | SHAPE_RELAXED},
        {3, 3, 3, SHAPE_ATOMICS | SHAPE_ADDR | SHAPE_RELAXED},
        {2, 4, 2, SHAPE_ATOMICS | SHAPE_ADDR | SHAPE_RELAXED | SHAPE_PAIRS}};
    unsigned programs = getenv("HWC_FAST") ? 200 : 3000, equal = 0;
    struct bounds b = {
        .anything = load("irreflexive po as nothing"),
        .founded = load("acyclic addr | data | ctrl | rmw | rf as dep")};
    uint64_t seed = 1, total = 0;
    for (unsigned tried = 0; tried < programs;) {
        struct script s;
        script_generate(&s, &shapes[script_random(&seed) % 4], &seed);
        if (ask_oracle(&b, &s)) {
            unsigned n = compare(&b, &s);
            equal += b.most.n == n;
            total += n;
            tried++;
        }
        execution_set_release(&b.most);
        execution_set_release(&b.least);
    }
    TEST_ASSERT_GREATER_THAN(10 * programs, total);
    TEST_ASSERT_GREATER_THAN(programs / 2, equal);
    b.anything.release(&b.anything);
    b.founded.release(&b.founded);
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
    script_generate(&s,
                    &(struct script_shape){
                        2, 4, 2, SHAPE_ATOMICS | SHAPE_ADDR | SHAPE_RELAXED},
                    &seed);
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
