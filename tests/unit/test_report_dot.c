#include "frontend/commands/draw.h"
#include "frontend/report/report_dot.h"
#include "tests/harness/report_fixture.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>
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

static void print(const struct violation *v, const char *title)
{
    size_t length;
    FILE *out;

    free(text);
    text = NULL;
    out = open_memstream(&text, &length);
    report_dot_print(&f.x.violations[0].graph, v, &f.x.path, &f.program, title,
                     out);
    fclose(out);
}

static void expect(const char *part)
{
    if (!strstr(text, part)) {
        printf("not found: %s\nin:\n%s", part, text);
        TEST_FAIL();
    }
}

static void events_stand_in_one_cluster_a_thread(void)
{
    print(NULL, "mp.c");
    expect("subgraph cluster_0 {\n    label=\"main\"");
    expect("subgraph cluster_2 {\n    label=\"T2\"");
    expect("label=\"c: W data=42 (na)\"");
    expect("label=\"init data=0\"");
}

static void relations_have_the_colours_of_herd(void)
{
    char edge[100];

    print(NULL, "mp.c");
    snprintf(edge, sizeof(edge), "e%u -> e%u [xlabel=\"rf\", color=\"red\"",
             f.write_ready, f.read_ready);
    expect(edge);
    snprintf(edge, sizeof(edge), "e%u -> e%u [xlabel=\"fr\", color=\"#ffa040\"",
             f.read_data, f.write_data);
    expect(edge);
    TEST_ASSERT_NULL(strstr(text, "filled"));
}

static void coherence_is_blue(void)
{
    struct label w = {.kind = LABEL_WRITE,
                      .size = 4,
                      .tags = TAG_BIT(TAG_RLX),
                      .loc = report_fixture_loc(&f, "ready", 4),
                      .value = 2};
    event_id e = report_fixture_add(&f, 1, w, 5);
    char edge[100];

    print(NULL, "mp.c");
    snprintf(edge, sizeof(edge), "e%u -> e%u [xlabel=\"co\", color=\"blue\"",
             f.write_ready, e);
    expect(edge);
}

static void what_is_bad_is_filled(void)
{
    print(&f.x.violations[0], "mp.c");
    expect("failure [style=filled");
    expect("label=\"assertion 'data == 42' failed\"");
    report_fixture_make_race(&f);
    print(&f.x.violations[0], "mp.c");
    expect("label=\"c: W data=42 (na)\", style=filled");
    expect("label=\"f: R data=0 (na)\", style=filled");
}

static void quotes_in_texts_are_escaped(void)
{
    print(NULL, "a \"b\" \\ c\n");
    expect("label=\"a \\\"b\\\" \\\\ c\"");
}

static void graphviz_accepts_it(void)
{
    FILE *dot;

    if (access("/usr/bin/dot", X_OK) != 0)
        TEST_IGNORE_MESSAGE("Graphviz is not installed");
    report_fixture_make_race(&f);
    print(&f.x.violations[0], "a \"b\" \\");
    dot = popen("dot -Tsvg -o /dev/null", "w");
    TEST_ASSERT_NOT_NULL(dot);
    fputs(text, dot);
    TEST_ASSERT_EQUAL(0, pclose(dot));
}

static void expect_file(const char *path, bool there)
{
    TEST_ASSERT_EQUAL_MESSAGE(there, access(path, R_OK) == 0, path);
}

static void all_executions_are_drawn_and_stale_files_removed(void)
{
    struct draw d;
    struct err err;
    char dir[60], path[100];

    snprintf(dir, sizeof(dir), "%s/all", f.folder);
    f.options.dot_all = dir;
    draw_init(&d, &f.options, "mp.c", &f.x);
    TEST_ASSERT_TRUE(draw_prepare(&d, &err));
    f.x.blocked = 0;
    /* Three executions, a start from the beginning, and then only two. */
    for (int i = 0; i < 5; i++) {
        f.x.executions = (uint64_t)(i % 3 + 1);
        draw_execution(&d, &f.x.violations[0].graph, false);
    }
    TEST_ASSERT_TRUE(draw_finish(&d, stderr, &err));
    for (int i = 1; i <= 3; i++) {
        snprintf(path, sizeof(path), "%s/execution-%04d.dot", dir, i);
        expect_file(path, i <= 2);
        unlink(path);
    }
    rmdir(dir);
    draw_release(&d);
}

static void without_violation_the_first_execution_is_drawn(void)
{
    struct draw d;
    struct err err;
    char path[60];

    snprintf(path, sizeof(path), "%s/x.dot", f.folder);
    f.options.dot = path;
    draw_init(&d, &f.options, "mp.c", &f.x);
    f.x.executions = 1;
    f.x.blocked = 0;
    draw_execution(&d, &f.x.violations[0].graph, false);
    f.x.n_violations = 0;
    TEST_ASSERT_TRUE(draw_finish(&d, stderr, &err));
    f.x.n_violations = 1;
    expect_file(path, true);
    unlink(path);
    draw_release(&d);
}

static void a_file_that_cannot_be_written_is_an_error(void)
{
    struct draw d;
    struct err err;

    f.options.dot = "/nonexistent/x.dot";
    draw_init(&d, &f.options, "mp.c", &f.x);
    TEST_ASSERT_FALSE(draw_finish(&d, stderr, &err));
    TEST_ASSERT_EQUAL_STRING(
        "cannot write '/nonexistent/x.dot': No such file or directory",
        err.text);
    f.options.dot = "/dev/full";
    TEST_ASSERT_FALSE(draw_finish(&d, stderr, &err));
    TEST_ASSERT_EQUAL_STRING("cannot write '/dev/full': No space left on "
                             "device",
                             err.text);
    f.options.dot_all = "/nonexistent/all";
    TEST_ASSERT_FALSE(draw_prepare(&d, &err));
    draw_release(&d);
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(events_stand_in_one_cluster_a_thread);
    RUN_TEST(relations_have_the_colours_of_herd);
    RUN_TEST(coherence_is_blue);
    RUN_TEST(what_is_bad_is_filled);
    RUN_TEST(quotes_in_texts_are_escaped);
    RUN_TEST(graphviz_accepts_it);
    RUN_TEST(all_executions_are_drawn_and_stale_files_removed);
    RUN_TEST(without_violation_the_first_execution_is_drawn);
    RUN_TEST(a_file_that_cannot_be_written_is_an_error);
    return UNITY_END();
}
