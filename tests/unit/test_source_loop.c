/* Loops: which are blocked, which are bounded, which just run. */
#include "tests/harness/source_driver.h"

#include <string.h>
#include <unity.h>

void setUp(void)
{
}

void tearDown(void)
{
}

#define ATOMIC "#include <stdatomic.h>\natomic_int x, y;\n"
#define EXPECT(text, trace) \
    TEST_ASSERT_EQUAL_STRING(trace, driver_trace_of(text))

static const char *trace_of(const char *text,
                            const struct source_options *options)
{
    static struct driver d;
    static char result[sizeof d.trace];
    TEST_ASSERT_TRUE(driver_compile_with(&d, text, options));
    TEST_ASSERT_TRUE(driver_run(&d));
    memcpy(result, d.trace, sizeof result);
    driver_release(&d);
    return result;
}

static void a_loop_that_waits_is_blocked_after_one_round(void)
{
    EXPECT(ATOMIC "int main(void) { while (!x) ; }",
           "0: R x=0 sc\n0: block spin\n");
    EXPECT(ATOMIC "int main(void) { int r = 0; do { r = x; y; } while (!r);\n"
                  "  return r; }",
           "0: R x=0 sc\n0: R y=0 sc\n0: block spin\n");
    EXPECT(ATOMIC "int main(void) { int r = 0; while (r == 0) { r = x;\n"
                  "  atomic_thread_fence(memory_order_acquire); } }",
           "0: R x=0 sc\n0: F acq\n0: block spin\n");
}

static void a_compare_exchange_that_waits_is_blocked(void)
{
    EXPECT("#include <stdatomic.h>\natomic_int x = 1;\n"
           "int main(void) { int e = 0;\n"
           "  while (!atomic_compare_exchange_strong(&x, &e, 1)) e = 0; }",
           "0: uR x=1 sc\n0: block spin\n");
}

static void a_test_and_set_that_changes_nothing_is_blocked(void)
{
    EXPECT("#include <stdatomic.h>\natomic_int x = 1;\n"
           "int main(void) { while (atomic_exchange(&x, 1)) ; }",
           "0: uR x=1 sc\n0: uW x=1 sc\n0: block spin\n");
}

static void a_loop_inside_a_loop_is_entered_each_time(void)
{
    EXPECT(ATOMIC "int main(void) { for (int i = 0; i < 2; i++)\n"
                  "    while (x) ;\n  return 5; }",
           "0: R x=0 sc\n0: R x=0 sc\n0: end 5\n");
    EXPECT("#include <stdatomic.h>\natomic_int x, y = 1;\n"
           "int main(void) { int r; do { r = x; while (!y) ; } while (!r);\n"
           "  return 1; }",
           "0: R x=0 sc\n0: R y=1 sc\n0: block spin\n");
}

static void a_loop_that_changes_something_goes_on(void)
{
    EXPECT(ATOMIC "int main(void) { int n = 0; while (!x && n < 2) n++; }",
           "0: R x=0 sc\n0: R x=0 sc\n0: R x=0 sc\n0: end 0\n");
    EXPECT(ATOMIC "int main(void) { volatile int a[2] = {0};\n"
                  "  while (!x && a[1] < 2) a[1]++; }",
           "0: R x=0 sc\n0: R x=0 sc\n0: R x=0 sc\n0: end 0\n");
    EXPECT(ATOMIC "int main(void) { while (y < 2 && !x) y++; }",
           "0: R y=0 sc\n0: R x=0 sc\n0: uR y=0 sc\n0: uW y=1 sc\n"
           "0: R y=1 sc\n0: R x=0 sc\n0: uR y=1 sc\n0: uW y=2 sc\n"
           "0: R y=2 sc\n0: end 0\n");
}

/* The driver has x change under the thread's feet. */
static const char *random_trace_of(const char *text, uint64_t seed)
{
    static struct driver d;
    static char result[sizeof d.trace];
    TEST_ASSERT_TRUE(driver_compile(&d, text));
    d.random = seed;
    TEST_ASSERT_TRUE(driver_run(&d));
    memcpy(result, d.trace, sizeof result);
    driver_release(&d);
    return result;
}

static bool ever_says(const char *text, const char *what)
{
    for (uint64_t seed = 1; seed <= 40; seed++)
        if (strstr(random_trace_of(text, seed), what))
            return true;
    return false;
}

#define ADD(load, fail)                                                       \
    ATOMIC "int main(void) {\n"                                               \
           "  int e = atomic_load_explicit(&x, memory_order_" load ");\n"     \
           "  while (!atomic_compare_exchange_weak_explicit(&x, &e, e + 1,\n" \
           "      memory_order_acq_rel, memory_order_" fail ")) ; }\n"

static void a_failed_exchange_is_blocked_if_the_load_could_have_seen_it(void)
{
    TEST_ASSERT_TRUE(ever_says(ADD("relaxed", "relaxed"), "block spin"));
    TEST_ASSERT_TRUE(ever_says(ADD("relaxed", "acquire"), "block spin"));
    TEST_ASSERT_TRUE(ever_says(ADD("acquire", "acquire"), "block spin"));
    /* The load synchronises, the failure does not. */
    TEST_ASSERT_FALSE(ever_says(ADD("acquire", "relaxed"), "block spin"));
}

static void an_event_between_load_and_loop_forbids_that(void)
{
    TEST_ASSERT_FALSE(ever_says(
        ATOMIC "int main(void) { int e = x; y = 1;\n"
               "  while (!atomic_compare_exchange_weak(&x, &e, e + 1)) ; }\n",
        "block spin"));
    /* The first guess is no read at all. */
    TEST_ASSERT_FALSE(ever_says(
        ATOMIC "int main(void) { int e = 0;\n"
               "  while (!atomic_compare_exchange_weak(&x, &e, e + 1)) ; }\n",
        "block spin"));
}

static void computing_loops_run(void)
{
    EXPECT("int main(void) { unsigned s = 0;\n"
           "  for (unsigned i = 0; i < 1000000; i++) s += i * i;\n"
           "  return s % 1000; }",
           "0: end 992\n");
}

static void endless_loops_are_bounds(void)
{
    EXPECT("int main(void) {\n  for (;;) ; }",
           "0: t.c:2: loop at t.c:2 in main: never ends\n");
    EXPECT("static void f(void) {\n  for (unsigned long i = 1; i; i += 2) ; }\n"
           "int main(void) { f(); }",
           "0: t.c:2: loop at t.c:2 in f: more than 100000000 iterations\n");
}

static void the_bound_counts_iterations_with_events(void)
{
    const char *text = ATOMIC "int main(void) { int n = N;\n"
                              "  for (int i = 0; i < n; i++) x = 0; }";
    char three[200], four[200];
    snprintf(three, sizeof three, "#define N 3\n%s", text);
    snprintf(four, sizeof four, "#define N 4\n%s", text);
    struct source_options options = {.unroll = 3};
    TEST_ASSERT_EQUAL_STRING("0: W x=0 sc\n0: W x=0 sc\n0: W x=0 sc\n"
                             "0: end 0\n",
                             trace_of(three, &options));
    TEST_ASSERT_EQUAL_STRING(
        "0: W x=0 sc\n0: W x=0 sc\n0: W x=0 sc\n0: W x=0 sc\n"
        "0: t.c:5: loop at t.c:5 in main: more than 3 iterations\n",
        trace_of(four, &options));
}

static void a_program_may_set_a_bound(void)
{
    EXPECT("#include <hwcheck.h>\n" ATOMIC
           "int main(void) { for (int i = 0; i < 9; i++) {\n"
           "    hwc_loop_bound(1); x = i; } }",
           "0: W x=0 sc\n0: W x=1 sc\n"
           "0: t.c:4: loop at t.c:4 in main: more than 1 iterations\n");
    EXPECT("#include <hwcheck.h>\n" ATOMIC
           "int main(void) { __VERIFIER_loop_bound(1);\n"
           "  for (int i = 0; i < 9; i++) x = i; }",
           "0: W x=0 sc\n0: W x=1 sc\n"
           "0: t.c:5: loop at t.c:5 in main: more than 1 iterations\n");
}

static void loops_with_two_entries_are_only_counted(void)
{
    struct source_options options = {.unroll = 2};
    TEST_ASSERT_EQUAL_STRING(
        "0: R x=0 sc\n0: R y=0 sc\n0: R x=0 sc\n0: R y=0 sc\n0: R x=0 sc\n"
        "0: t.c:4: loop at t.c:4 in main: more than 2 iterations\n",
        trace_of(ATOMIC "int main(int n, char **v) { if (n > 1) goto b;\n"
                        "  a: if (x) return 1; b: if (y) return 2; goto a; }",
                 &options));
}

static void annotated_spin_loops(void)
{
    EXPECT("#include <genmc.h>\n" ATOMIC
           "int main(void) { await_while (x == 0) ; }",
           "0: R x=0 sc\n0: block spin\n");
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(a_loop_that_waits_is_blocked_after_one_round);
    RUN_TEST(a_compare_exchange_that_waits_is_blocked);
    RUN_TEST(a_test_and_set_that_changes_nothing_is_blocked);
    RUN_TEST(a_loop_inside_a_loop_is_entered_each_time);
    RUN_TEST(a_loop_that_changes_something_goes_on);
    RUN_TEST(a_failed_exchange_is_blocked_if_the_load_could_have_seen_it);
    RUN_TEST(an_event_between_load_and_loop_forbids_that);
    RUN_TEST(computing_loops_run);
    RUN_TEST(endless_loops_are_bounds);
    RUN_TEST(the_bound_counts_iterations_with_events);
    RUN_TEST(a_program_may_set_a_bound);
    RUN_TEST(loops_with_two_entries_are_only_counted);
    RUN_TEST(annotated_spin_loops);
    return UNITY_END();
}
