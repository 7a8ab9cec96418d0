#include "frontend/report/report_text.h"
#include "frontend/report/witness.h"
#include "tests/harness/report_fixture.h"

#include <stdlib.h>
#include <string.h>
#include <unity.h>

static struct report_fixture f;
static char *text;

void setUp(void)
{
    report_fixture_init(&f);
}

void tearDown(void)
{
    report_fixture_release(&f);
    free(text);
    text = NULL;
}

static const char *printed(void)
{
    size_t length;
    FILE *out;

    free(text);
    text = NULL;
    out = open_memstream(&text, &length);
    report_text_print(&f.report, out);
    fclose(out);
    return text;
}

static void expect(const char *part)
{
    const char *all = printed();

    if (!strstr(all, part)) {
        printf("not found: %s\nin:\n%s", part, all);
        TEST_FAIL();
    }
}

static void the_head_names_program_model_and_verdict(void)
{
    expect("program     mp.c\n"
           "model       rc11 (Repaired C11)\n"
           "VIOLATION: assertion 'data == 42' failed (mp.c:7)\n");
    expect("executions  13 complete, 2 blocked; stopped at the first");
}

static void each_verdict_has_its_word_and_reason(void)
{
    f.x.verdict = VERDICT_SOUND;
    expect("\nSOUND: no violation in 13 executions\n");
    f.x.executions = 0;
    expect("\nSOUND: no violation, but no execution runs to its end: all 2 "
           "are blocked\n");
    f.x.verdict = VERDICT_GAP;
    f.x.gap = GAP_BOUNDED;
    strcpy(f.x.gap_text, "loop at mp.c:6 was cut");
    expect("\nINCONCLUSIVE (BOUNDED): loop at mp.c:6 was cut\n");
    f.x.gap = GAP_INTERRUPTED;
    expect("\nINCONCLUSIVE (INTERRUPTED): ");
}

static void a_gap_beside_a_violation_is_told(void)
{
    f.x.gap = GAP_TIMEOUT;
    strcpy(f.x.gap_text, "stopped after 1 seconds");
    expect("not all executions were visited (TIMEOUT): stopped after 1");
}

static void outcomes_are_aligned(void)
{
    expect("outcomes    2\n"
           "      12  r1=0  data=42\n"
           "       1  r1=-1 data=42\n");
}

static void outcomes_beyond_the_limit_are_counted(void)
{
    f.options.outcomes = 1;
    expect("      12  r1=0 data=42\n"
           "     ...  1 more (--outcomes=0 shows all)\n");
}

static void the_witness_has_threads_in_columns(void)
{
    expect("\n"
           "     main       T1                 T2\n"
           "  a  create T1                                        mp.c:2  int "
           "data;\n");
    expect("\n  c             W data = 42 (na)                      mp.c:4");
    expect("\n  e                                R ready = 1 (rlx)  mp.c:6");
    expect("\n!                                  assertion 'data == 42' "
           "failed  mp.c:7  ");
    expect("\n  rf:  d -> e   init -> f\n"
           "  co:  data: init -> c   ready: init -> d\n");
    expect("it needs weak memory: c -po-> d -rf-> e -po-> f -fr-> c\n");
}

static void source_lines_stand_beside_their_events(void)
{
    expect("mp.c:4  data = 42;\n");
    expect("mp.c:5  atomic_store_explicit(&ready, 1, re...\n");
}

static void an_interleaving_is_recognised(void)
{
    graph_set_rf(&f.x.violations[0].graph, f.read_data, f.write_data, 0);
    expect("The rows are an interleaving");
}

static void a_race_names_both_accesses(void)
{
    report_fixture_make_race(&f);
    expect("VIOLATION: data race on data: W at mp.c:4, R at mp.c:7\n");
    expect("\n> c             W data = 42 (na)");
    expect("\n> f  ");
    expect("\n  conflict: c: W data = 42 (na) by T1 at /tmp/hwcheck-");
    expect("\n        and f: R data = 0 (na) by T2 at /tmp/hwcheck-");
}

static void a_broken_axiom_shows_its_cycle(void)
{
    struct broken *why = &f.x.violations[0].why;

    *why = (struct broken){.axiom = "coherence", .kind = "irreflexive", .n = 2};
    why->cycle[0] = f.write_data;
    why->cycle[1] = f.read_data;
    strcpy(why->edge[0], "hb");
    strcpy(why->edge[1], "fr");
    expect("\n  irreflexive coherence: c -hb-> f -fr-> c\n");
}

static void no_line_is_wider_than_a_hundred_columns(void)
{
    for (thread_id t = 3; t < 30; t++) {
        struct label w = {.kind = LABEL_WRITE,
                          .size = 8,
                          .tags = TAG_BIT(TAG_SC),
                          .loc = report_fixture_loc(&f, "a_long_name", 8),
                          .value = 0xdeadbeefcafe};

        report_fixture_start(&f, t, 2);
        report_fixture_add(&f, t, w, 4);
        for (const char *line = printed(); *line;) {
            size_t length = strcspn(line, "\n");

            TEST_ASSERT_LESS_OR_EQUAL_size_t(100, length);
            line += length + (line[length] == '\n');
        }
    }
}

static void warnings_have_their_place(void)
{
    uint32_t warning = program_text(&f.program, "read before write");
    place_id place = program_place(&f.program, "lib.h", "get", 9, 1);

    f.x.warnings = malloc(sizeof(warning));
    f.x.warning_places = malloc(sizeof(place));
    f.x.warnings[0] = warning;
    f.x.warning_places[0] = place;
    f.x.n_warnings = 1;
    expect("\nwarning     lib.h:9: read before write\n");
}

static void quiet_is_the_verdict_alone(void)
{
    f.options.quiet = true;
    TEST_ASSERT_EQUAL_STRING_LEN("VIOLATION: ", printed(), 11);
    TEST_ASSERT_EQUAL_PTR(strchr(text, '\n') + 1, text + strlen(text));
}

static void colors_are_used_only_when_asked_for(void)
{
    TEST_ASSERT_NULL(strchr(printed(), '\033'));
    f.report.color = true;
    TEST_ASSERT_NOT_NULL(strstr(printed(), "\033[1;31mVIOLATION\033[0m: "));
}

static void many_constant_items_are_told_once(void)
{
    struct outcomes *o = &f.x.outcomes;
    char name[40];

    free(o->items);
    o->items = calloc(2 * 20, sizeof(*o->items));
    for (uint32_t i = 0; i < 40; i++) {
        snprintf(name, sizeof(name), "variable%u", i % 20);
        o->items[i].name = program_text(&f.program, name);
        o->items[i].size = 4;
        o->items[i].value = i == 20 ? 5 : 7;
    }
    o->list[0].n = o->list[1].n = 20;
    o->list[1].first = 20;
    expect(
        "      12  variable0=7\n       1  variable0=5\n  in all  variable1=7");
}

static void values_are_decimal_names_or_hexadecimal(void)
{
    static const struct {
        uint64_t value;
        unsigned size;
        const char *text;
    } cases[] = {
        {0, 4, "0"},
        {0xffffffff, 4, "-1"},
        {0xffffffff, 8, "0xffffffff"},
        {0xff, 1, "-1"},
        {(uint64_t)-3, 8, "-3"},
        {0xdeadbeef, 4, "0xdeadbeef"},
        {9999999, 4, "9999999"},
    };
    char buf[80];
    loc_id data = report_fixture_loc(&f, "data", 4);
    uint64_t addr = f.program.locations.items[data].addr;

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        value_text(&f.program, cases[i].value, cases[i].size, buf, sizeof(buf));
        TEST_ASSERT_EQUAL_STRING(cases[i].text, buf);
    }
    value_text(&f.program, addr, 8, buf, sizeof(buf));
    TEST_ASSERT_EQUAL_STRING("&data", buf);
    value_text(&f.program, addr, 4, buf, sizeof(buf));
    TEST_ASSERT_NOT_EQUAL('&', buf[0]);
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(the_head_names_program_model_and_verdict);
    RUN_TEST(each_verdict_has_its_word_and_reason);
    RUN_TEST(a_gap_beside_a_violation_is_told);
    RUN_TEST(outcomes_are_aligned);
    RUN_TEST(outcomes_beyond_the_limit_are_counted);
    RUN_TEST(the_witness_has_threads_in_columns);
    RUN_TEST(source_lines_stand_beside_their_events);
    RUN_TEST(an_interleaving_is_recognised);
    RUN_TEST(a_race_names_both_accesses);
    RUN_TEST(a_broken_axiom_shows_its_cycle);
    RUN_TEST(no_line_is_wider_than_a_hundred_columns);
    RUN_TEST(warnings_have_their_place);
    RUN_TEST(quiet_is_the_verdict_alone);
    RUN_TEST(colors_are_used_only_when_asked_for);
    RUN_TEST(many_constant_items_are_told_once);
    RUN_TEST(values_are_decimal_names_or_hexadecimal);
    return UNITY_END();
}
