/* The parser of litmus files, conditions and logs. */
#include "frontend/litmus/litmus.h"
#include "frontend/litmus/litmus_log.h"

#include <stdlib.h>
#include <string.h>
#include <unity.h>

static struct litmus_test test;
static struct err err;

void setUp(void)
{
    memset(&err, 0, sizeof err);
}

void tearDown(void)
{
    litmus_release(&test);
}

static void parse(const char *text)
{
    if (!litmus_parse(&test, "t.litmus", text, strlen(text), &err))
        TEST_FAIL_MESSAGE(err.text);
}

static const char head[] = "PPC T\n{ 0:r2=x; x=1; uint64_t y=0x10; int z[2]={3,"
                           "-4}; int *p=&x; [w]=-1; 1:r3=z+4; }\n"
                           " P0 | P1 ;\n"
                           " L0: lwz r1,0(r2) | (* comment *) ;\n"
                           " beq L0 | nop ;\n";

static void parse_with(const char *rest)
{
    char text[1000];
    snprintf(text, sizeof text, "%s%s", head, rest);
    parse(text);
}

static const struct litmus_location *location(const char *name)
{
    uint32_t i = litmus_find_location(&test, name, strlen(name));
    TEST_ASSERT_NOT_EQUAL(LITMUS_NONE, i);
    return &test.locations[i];
}

static void head_has_name_hash_and_comments(void)
{
    parse("(* a (* b *) *) AArch64 MP+dmb\n\"a text\"\nCycle=x y\nHash=12ab\n"
          "{}\n P0 ;\n NOP ;\nexists (true)");
    TEST_ASSERT_EQUAL_STRING("AArch64", test.dialect->name);
    TEST_ASSERT_EQUAL_STRING("MP+dmb", test.name);
    TEST_ASSERT_EQUAL_STRING("12ab", test.hash);
}

static void init_has_values_types_arrays_and_pointers(void)
{
    parse_with("exists (x=1)");
    TEST_ASSERT_EQUAL(1, location("x")->values[0].number);
    TEST_ASSERT_EQUAL(4, location("x")->size);
    TEST_ASSERT_EQUAL(8, location("y")->size);
    TEST_ASSERT_FALSE(location("y")->is_signed);
    TEST_ASSERT_EQUAL(16, location("y")->values[0].number);
    TEST_ASSERT_EQUAL(2, location("z")->n);
    TEST_ASSERT_EQUAL(-4, location("z")->values[1].number);
    TEST_ASSERT_EQUAL(8, location("p")->size);
    TEST_ASSERT_EQUAL_STRING(
        "x", test.locations[location("p")->values[0].location].name);
    TEST_ASSERT_EQUAL(-1, location("w")->values[0].number);
    TEST_ASSERT_EQUAL(2, test.n_registers);
    TEST_ASSERT_EQUAL(1, test.registers[1].thread);
    TEST_ASSERT_EQUAL(4, test.registers[1].value.number);
}

static void labels_are_lines_of_their_own(void)
{
    parse_with("exists (x=1)");
    TEST_ASSERT_EQUAL(2, test.n_threads);
    TEST_ASSERT_EQUAL(3, test.threads[0].n_lines);
    TEST_ASSERT_EQUAL_STRING("L0:", test.threads[0].lines[0].text);
    TEST_ASSERT_EQUAL_STRING("lwz r1,0(r2)", test.threads[0].lines[1].text);
    TEST_ASSERT_EQUAL(4, test.threads[0].lines[1].place.line);
    TEST_ASSERT_EQUAL(6, test.threads[0].lines[1].place.column);
    TEST_ASSERT_EQUAL(1, test.threads[1].n_lines);
    TEST_ASSERT_EQUAL_STRING("nop", test.threads[1].lines[0].text);
}

static void c_threads_are_taken_as_they_are(void)
{
    parse("C T\n{ atomic_int x = 2; }\nP0 (atomic_int *x) { int r0 = *x; }\n"
          "P1 (atomic_int *x) { if (1) { *x = 1; } /* } */ }\n"
          "exists (0:r0=1 /\\ [x]=1)");
    TEST_ASSERT_EQUAL(2, test.n_threads);
    TEST_ASSERT_EQUAL_STRING("atomic_int *x", test.threads[0].parameters);
    TEST_ASSERT_EQUAL_STRING(" int r0 = *x; ", test.threads[0].body);
    TEST_ASSERT_EQUAL_STRING(" if (1) { *x = 1; } /* } */ ",
                             test.threads[1].body);
}

static void expect_condition(const char *written, const char *printed)
{
    char *text;
    size_t bytes;
    parse_with(written);
    FILE *out = open_memstream(&text, &bytes);
    litmus_print_condition(&test, out);
    fclose(out);
    TEST_ASSERT_EQUAL_STRING(printed, text);
    free(text);
    litmus_release(&test);
}

static void conditions_are_printed_as_herd_does(void)
{
    expect_condition("exists (x=2 /\\ 0:r1=0x1)", "exists ([x]=2 /\\ 0:r1=1)");
    expect_condition("~exists ([x]=2)", "~exists ([x]=2)");
    expect_condition("forall x=1 \\/ (w=1 /\\ 0:r1=x)",
                     "forall ([x]=1 \\/ [w]=1 /\\ 0:r1=x)");
    expect_condition("exists ((x=1 \\/ w=1) /\\ ~z[1]=3)",
                     "exists (([x]=1 \\/ [w]=1) /\\ not (z[1]=3))");
    expect_condition("exists (z={3,-4} /\\ 0:r1=z[1])",
                     "exists (z={3,-4} /\\ 0:r1=z+4)");
    expect_condition("forall (x=1 /\\ w=1 => 0:r1=1 \\/ x=2)",
                     "forall ([x]=1 /\\ ([w]=1 => 0:r1=1) \\/ [x]=2)");
    expect_condition("forall (x=1 => z[1]=3 => 0:r1=1)",
                     "forall ([x]=1 => z[1]=3 => 0:r1=1)");
    expect_condition("exists (0:r1=[x])", "exists (0:r1=[x])");
    expect_condition("forall (x=1 => ~w=1)", "forall ([x]=1 => not ([w]=1))");
    expect_condition("exists (true)", "exists (true)");
    expect_condition("locations [x; 0:r1;]", "forall (true)");
}

static bool holds(const char *condition, int64_t x, int64_t r1)
{
    struct litmus_value values[2];
    char text[200];
    /* The terms in this order. */
    snprintf(text, sizeof text, "locations [x; 0:r1;] exists (%s)", condition);
    parse_with(text);
    values[0] = (struct litmus_value){LITMUS_NONE, x};
    values[1] = (struct litmus_value){LITMUS_NONE, r1};
    bool result = litmus_holds(&test, test.condition, values);
    litmus_release(&test);
    return result;
}

static void conditions_are_evaluated(void)
{
    TEST_ASSERT_TRUE(holds("x=1 /\\ 0:r1=2", 1, 2));
    TEST_ASSERT_FALSE(holds("x=1 /\\ 0:r1=2", 1, 3));
    TEST_ASSERT_TRUE(holds("x=2 \\/ x=1 /\\ 0:r1=2", 2, 3));
    TEST_ASSERT_TRUE(holds("~(x=2) /\\ not (0:r1=1)", 1, 3));
    TEST_ASSERT_TRUE(holds("x=1 => 0:r1=1", 0, 3));
    TEST_ASSERT_FALSE(holds("x=1 => 0:r1=1", 1, 3));
    TEST_ASSERT_TRUE(holds("0:r1=-1", 0, 0xffffffff));
    TEST_ASSERT_TRUE(holds("0:r1=1", 0, (int64_t)1 << 32 | 1));
    TEST_ASSERT_FALSE(holds("0:r1=0x101", 0, 1));
}

static void log_has_sorted_states_and_counts(void)
{
    char *text;
    size_t bytes;
    struct litmus_result r = {.seconds = 0.5};
    parse_with("filter (x<>9) exists (x=2 /\\ 0:r1=1)");
    for (int64_t i = 0; i < 4; i++) {
        struct litmus_value values[2] = {{LITMUS_NONE, i == 3 ? 9 : 2 - i / 2},
                                         {LITMUS_NONE, 1 - i % 2}};
        litmus_result_add(&r, &test, values, 2);
    }
    FILE *out = open_memstream(&text, &bytes);
    litmus_print_log(&test, &r, out);
    fclose(out);
    TEST_ASSERT_EQUAL_STRING("Test T Allowed\n"
                             "States 3\n"
                             "0:r1=0; [x]=2;\n"
                             "0:r1=1; [x]=1;\n"
                             "0:r1=1; [x]=2;\n"
                             "Ok\n"
                             "Witnesses\n"
                             "Positive: 2 Negative: 4\n"
                             "Condition exists ([x]=2 /\\ 0:r1=1)\n"
                             "Observation T Sometimes 2 4\n"
                             "Time T 0.50\n"
                             "\n",
                             text);
    free(text);
    litmus_result_release(&r);
}

/* A type cuts; without one it is int. Elements of arrays come last. */
static void values_are_printed_as_their_types_say(void)
{
    char *text;
    size_t bytes;
    struct litmus_result r = {0};
    struct litmus_value values[5] = {{LITMUS_NONE, -1},
                                     {LITMUS_NONE, 0xfffffffe},
                                     {LITMUS_NONE, (int64_t)1 << 32 | 3},
                                     {LITMUS_NONE, -4},
                                     {0, 8}};
    parse_with("locations [y; z[1]; x; 0:r4; 0:r5;] forall (y=-1 /\\ x=3)");
    litmus_result_add(&r, &test, values, 1);
    FILE *out = open_memstream(&text, &bytes);
    litmus_print_log(&test, &r, out);
    fclose(out);
    TEST_ASSERT_NOT_NULL(
        strstr(text, "\n0:r4=-4; 0:r5=x+8; [x]=3; [y]=18446744073709551615; "
                     "z[1]=-2;\nOk\n"));
    free(text);
    litmus_result_release(&r);
}

static void elements_are_shown_without_an_array_that_is_only_filtered(void)
{
    char *text;
    size_t bytes;
    struct litmus_result r = {0};
    struct litmus_value values[2] = {{LITMUS_NONE, 7}, {LITMUS_NONE, 7}};
    parse_with("locations [z[1];] filter (z={7,7})");
    TEST_ASSERT_EQUAL(2, test.n_terms);
    litmus_result_add(&r, &test, values, 1);
    FILE *out = open_memstream(&text, &bytes);
    litmus_print_log(&test, &r, out);
    fclose(out);
    TEST_ASSERT_NOT_NULL(strstr(text, "\nz[1]=7;\n"));
    free(text);
    litmus_result_release(&r);
}

static void what_is_left_open_has_no_verdict(void)
{
    char *text;
    size_t bytes;
    struct litmus_result r = {.is_open = true};
    parse_with("~exists (x=2)");
    FILE *out = open_memstream(&text, &bytes);
    litmus_print_log(&test, &r, out);
    fclose(out);
    TEST_ASSERT_NOT_NULL(strstr(text, "\nUndef\n"));
    free(text);
}

static void what_is_undefined_has_no_verdict(void)
{
    char *text;
    size_t bytes;
    struct litmus_result r = {.flag = "data-race"};
    struct litmus_value values[1] = {{LITMUS_NONE, 2}};
    parse_with("exists (x=2)");
    litmus_result_add(&r, &test, values, 1);
    FILE *out = open_memstream(&text, &bytes);
    litmus_print_log(&test, &r, out);
    fclose(out);
    TEST_ASSERT_NOT_NULL(strstr(text, "\nUndef\n"));
    TEST_ASSERT_NOT_NULL(strstr(text, "\nFlag data-race\n"));
    free(text);
    litmus_result_release(&r);
}

static void errors_name_line_and_column(void)
{
    static const char text[] = "PPC T\n{ }\n P0 ;\n nop ;\nexists (0:r1=)";
    TEST_ASSERT_FALSE(
        litmus_parse(&test, "t.litmus", text, strlen(text), &err));
    TEST_ASSERT_EQUAL_STRING("t.litmus:5:14: expected a value, got ')'",
                             err.text);
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(head_has_name_hash_and_comments);
    RUN_TEST(init_has_values_types_arrays_and_pointers);
    RUN_TEST(labels_are_lines_of_their_own);
    RUN_TEST(c_threads_are_taken_as_they_are);
    RUN_TEST(conditions_are_printed_as_herd_does);
    RUN_TEST(conditions_are_evaluated);
    RUN_TEST(log_has_sorted_states_and_counts);
    RUN_TEST(values_are_printed_as_their_types_say);
    RUN_TEST(elements_are_shown_without_an_array_that_is_only_filtered);
    RUN_TEST(what_is_left_open_has_no_verdict);
    RUN_TEST(what_is_undefined_has_no_verdict);
    RUN_TEST(errors_name_line_and_column);
    return UNITY_END();
}
