#include "frontend/base/cli.h"

#include <stdlib.h>
#include <string.h>
#include <unity.h>

static struct options options;
static struct err err;

void setUp(void)
{
    memset(&options, 0, sizeof(options));
    memset(&err, 0, sizeof(err));
}

void tearDown(void)
{
    cli_release(&options);
}

/* Parses "hwcheck <line>", cut at blanks. */
static bool parse(const char *line)
{
    static char buf[500];
    static char *argv[40];
    int argc = 1;

    argv[0] = "hwcheck";
    snprintf(buf, sizeof(buf), "%s", line);
    for (char *w = strtok(buf, " "); w; w = strtok(NULL, " "))
        argv[argc++] = w;
    argv[argc] = NULL;
    cli_release(&options);
    return cli_parse(&options, argc, argv, &err);
}

static void expect_error(const char *line, const char *text)
{
    TEST_ASSERT_FALSE_MESSAGE(parse(line), line);
    TEST_ASSERT_EQUAL_MESSAGE(ERR_USAGE, err.kind, line);
    TEST_ASSERT_EQUAL_STRING(text, err.text);
}

/* What a printing function prints; valid until the next call. */
static const char *printed(void (*print)(FILE *))
{
    static char *text;
    size_t length;
    FILE *out;

    free(text);
    text = NULL;
    out = open_memstream(&text, &length);
    print(out);
    fclose(out);
    return text;
}

static void print_explore_help(FILE *out)
{
    cli_print_help(COMMAND_EXPLORE, out);
}

static void options_have_the_initial_values_of_the_table(void)
{
    TEST_ASSERT_TRUE(parse("explore a.c"));
    TEST_ASSERT_EQUAL(COMMAND_EXPLORE, options.command);
    TEST_ASSERT_NULL(options.model); /* depends on --arch */
    TEST_ASSERT_EQUAL_UINT64(20, options.outcomes);
    TEST_ASSERT_EQUAL_UINT64(0, options.max_executions);
    TEST_ASSERT_NULL(options.json);
    TEST_ASSERT_NULL(options.dot);
    TEST_ASSERT_FALSE(options.all);
}

static void a_value_follows_an_equals_sign_or_a_blank(void)
{
    TEST_ASSERT_TRUE(parse("explore --model=sc --unroll 3 --timeout=0.5 a.c"));
    TEST_ASSERT_EQUAL_STRING("sc", options.model);
    TEST_ASSERT_EQUAL_UINT64(3, options.unroll);
    TEST_ASSERT_EQUAL_DOUBLE(0.5, options.timeout);
    TEST_ASSERT_EQUAL_UINT32(1, options.n_operands);
    TEST_ASSERT_EQUAL_STRING("a.c", options.operands[0]);
}

static void one_dash_will_do(void)
{
    TEST_ASSERT_TRUE(parse("explore -model sc -all -max-executions=7 a.c"));
    TEST_ASSERT_EQUAL_STRING("sc", options.model);
    TEST_ASSERT_TRUE(options.all);
    TEST_ASSERT_EQUAL_UINT64(7, options.max_executions);
}

static void options_may_follow_programs(void)
{
    TEST_ASSERT_TRUE(parse("explore a.c --all b.c --quiet"));
    TEST_ASSERT_TRUE(options.all);
    TEST_ASSERT_TRUE(options.quiet);
    TEST_ASSERT_EQUAL_UINT32(2, options.n_operands);
    TEST_ASSERT_EQUAL_STRING("b.c", options.operands[1]);
}

static void the_last_of_equal_options_counts(void)
{
    TEST_ASSERT_TRUE(parse("explore --model=sc --model=ra a.c"));
    TEST_ASSERT_EQUAL_STRING("ra", options.model);
}

static void what_follows_two_dashes_is_for_the_compiler(void)
{
    TEST_ASSERT_TRUE(parse("explore a.c -- -DN=3 -O1 --help"));
    TEST_ASSERT_EQUAL_UINT32(1, options.n_operands);
    TEST_ASSERT_EQUAL_UINT32(3, options.n_cflags);
    TEST_ASSERT_EQUAL_STRING("-DN=3", options.cflags[0]);
    TEST_ASSERT_EQUAL_STRING("--help", options.cflags[2]);
    TEST_ASSERT_FALSE(options.help);
}

static void json_without_value_is_stdout_and_takes_no_word(void)
{
    TEST_ASSERT_TRUE(parse("explore --json a.c"));
    TEST_ASSERT_EQUAL_STRING("-", options.json);
    TEST_ASSERT_EQUAL_UINT32(1, options.n_operands);
    TEST_ASSERT_TRUE(parse("explore --json=out.json a.c"));
    TEST_ASSERT_EQUAL_STRING("out.json", options.json);
}

static void an_unknown_option_gets_the_nearest_name(void)
{
    expect_error("explore --modle=sc a.c",
                 "unknown option '--modle=sc'; did you mean '--model'?");
    expect_error("explore --max-exec a.c",
                 "unknown option '--max-exec'; did you mean "
                 "'--max-executions'?");
    expect_error("explore -hlep a.c",
                 "unknown option '-hlep'; did you mean '--help'?");
    expect_error("explore --frobnicate a.c",
                 "unknown option '--frobnicate'; see 'hwcheck help explore'");
}

static void an_option_of_another_command_is_unknown(void)
{
    expect_error("models --unroll=3",
                 "unknown option '--unroll=3'; see 'hwcheck help models'");
}

static void an_unknown_command_gets_the_nearest_name(void)
{
    expect_error("exlpore a.c",
                 "unknown command 'exlpore'; did you mean 'explore'?");
    expect_error("zzz", "unknown command 'zzz'; see 'hwcheck help'");
    expect_error("help exp", "unknown command 'exp'; did you mean 'explore'?");
}

static void a_program_without_a_command_is_checked(void)
{
    TEST_ASSERT_TRUE(parse("a.c"));
    TEST_ASSERT_EQUAL(COMMAND_CHECK, options.command);
    TEST_ASSERT_TRUE(parse("--arch=power,x86 --lb=error a.c b.c -- -O3"));
    TEST_ASSERT_EQUAL(COMMAND_CHECK, options.command);
    TEST_ASSERT_EQUAL(2, options.n_operands);
    TEST_ASSERT_TRUE(parse("--model=sc a.litmus"));
    TEST_ASSERT_EQUAL(COMMAND_LITMUS, options.command);
    expect_error("--lb=maybe a.c",
                 "--lb: expected 'note' or 'error', got 'maybe'");
}

static void a_bad_value_is_named(void)
{
    expect_error("explore --unroll=x a.c",
                 "--unroll: expected a whole number, got 'x'");
    expect_error("explore --unroll=-1 a.c",
                 "--unroll: expected a whole number, got '-1'");
    expect_error("explore --unroll=99999999999999999999 a.c",
                 "--unroll: expected a whole number, got "
                 "'99999999999999999999'");
    expect_error("explore --timeout=inf a.c",
                 "--timeout: expected a number of seconds, got 'inf'");
    expect_error("explore --all=1 a.c", "--all takes no value, got '1'");
    expect_error("explore --model= a.c", "--model: the value is empty");
    expect_error("explore a.c --model", "--model needs a value: "
                                        "--model=NAME|FILE.cat");
    expect_error("explore --model --all a.c",
                 "--model needs a value: --model=NAME|FILE.cat");
}

static void a_missing_program_gets_a_usage_hint(void)
{
    expect_error("explore --all", "no program given; usage: hwcheck explore "
                                  "[options] prog.c... [-- CFLAGS]");
}

static void options_that_exclude_each_other_are_refused(void)
{
    expect_error("explore --quiet --verbose a.c",
                 "--quiet and --verbose exclude each other");
    expect_error("explore --dot=x a.c b.c",
                 "--dot and --dot-all take one program, got 2");
}

static void models_takes_nothing_or_show(void)
{
    TEST_ASSERT_TRUE(parse("models"));
    TEST_ASSERT_TRUE(parse("models show sc"));
    TEST_ASSERT_EQUAL_STRING("sc", options.operands[1]);
    expect_error("models sc", "usage: hwcheck models [show NAME]");
}

static void help_needs_no_program(void)
{
    TEST_ASSERT_TRUE(parse("explore --help"));
    TEST_ASSERT_TRUE(options.help);
    TEST_ASSERT_TRUE(parse("explore -h"));
    TEST_ASSERT_TRUE(options.help);
    TEST_ASSERT_TRUE(parse("help explore"));
    TEST_ASSERT_TRUE(options.help);
    TEST_ASSERT_EQUAL(COMMAND_EXPLORE, options.command);
    TEST_ASSERT_TRUE(parse("--version"));
    TEST_ASSERT_TRUE(options.version);
    TEST_ASSERT_TRUE(parse(""));
    TEST_ASSERT_EQUAL(COMMAND_HELP, options.command);
}

static void help_names_every_option_of_the_command(void)
{
    const char *text = printed(print_explore_help);

#define X(commands, kind, field, name, value, initial, help) \
    if ((commands) & ON(EXPLORE))                            \
        TEST_ASSERT_NOT_NULL_MESSAGE(strstr(text, "--" name), name);
    OPTIONS(X)
#undef X
    TEST_ASSERT_NOT_NULL(strstr(text, "Examples:"));
    TEST_ASSERT_NOT_NULL(strstr(text, "Exit codes:"));
    TEST_ASSERT_NOT_NULL(strstr(text, "Environment:"));
    TEST_ASSERT_NOT_NULL(strstr(text, "(default: 20)"));
}

static void help_is_at_most_80_columns_wide(void)
{
    const char *text = printed(print_explore_help);

    while (*text) {
        size_t length = strcspn(text, "\n");

        TEST_ASSERT_LESS_OR_EQUAL_size_t(80, length);
        TEST_ASSERT_NOT_EQUAL(' ', length ? text[length - 1] : 'x');
        text += length + (text[length] == '\n');
    }
}

static void the_overview_names_every_command(void)
{
    const char *text = printed(cli_print_overview);

    for (int i = 0; i < COMMAND_COUNT; i++)
        TEST_ASSERT_NOT_NULL(strstr(text, cli_command_name((enum command)i)));
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(options_have_the_initial_values_of_the_table);
    RUN_TEST(a_value_follows_an_equals_sign_or_a_blank);
    RUN_TEST(one_dash_will_do);
    RUN_TEST(options_may_follow_programs);
    RUN_TEST(the_last_of_equal_options_counts);
    RUN_TEST(what_follows_two_dashes_is_for_the_compiler);
    RUN_TEST(json_without_value_is_stdout_and_takes_no_word);
    RUN_TEST(an_unknown_option_gets_the_nearest_name);
    RUN_TEST(an_option_of_another_command_is_unknown);
    RUN_TEST(an_unknown_command_gets_the_nearest_name);
    RUN_TEST(a_program_without_a_command_is_checked);
    RUN_TEST(a_bad_value_is_named);
    RUN_TEST(a_missing_program_gets_a_usage_hint);
    RUN_TEST(options_that_exclude_each_other_are_refused);
    RUN_TEST(models_takes_nothing_or_show);
    RUN_TEST(help_needs_no_program);
    RUN_TEST(help_names_every_option_of_the_command);
    RUN_TEST(help_is_at_most_80_columns_wide);
    RUN_TEST(the_overview_names_every_command);
    return UNITY_END();
}
