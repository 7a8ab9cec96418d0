#include "frontend/report/report_json.h"
#include "tests/harness/report_fixture.h"

#include <cjson/cJSON.h>
#include <stdlib.h>
#include <string.h>
#include <unity.h>

static struct report_fixture f;
static cJSON *whole;
static const cJSON *json;

void setUp(void)
{
    report_fixture_init(&f);
}

void tearDown(void)
{
    report_fixture_release(&f);
    cJSON_Delete(whole);
    whole = NULL;
}

/* Prints objects and reads the text back into `whole`; `json` is the first
 * entry of it. */
static void read_back(struct cJSON **objects, uint32_t n)
{
    char *text = NULL;
    const char *end;
    size_t length;
    FILE *out = open_memstream(&text, &length);

    report_json_print(&f.options, objects, n, out);
    fclose(out);
    report_json_free(objects, n);
    cJSON_Delete(whole);
    whole = cJSON_ParseWithOpts(text, &end, 0);
    TEST_ASSERT_NOT_NULL_MESSAGE(whole, text);
    json = cJSON_GetArrayItem(
        cJSON_GetObjectItemCaseSensitive(whole, "entries"), 0);
    TEST_ASSERT_NOT_NULL_MESSAGE(json, text);
    TEST_ASSERT_EQUAL_STRING("\n", end);
    free(text);
}

static void print(void)
{
    struct cJSON *object = report_json_new(&f.report);

    read_back(&object, 1);
}

static const cJSON *get(const cJSON *in, const char *name)
{
    const cJSON *item = cJSON_GetObjectItemCaseSensitive(in, name);

    TEST_ASSERT_NOT_NULL_MESSAGE(item, name);
    return item;
}

static void expect_text(const cJSON *in, const char *name, const char *text)
{
    TEST_ASSERT_EQUAL_STRING_MESSAGE(text, get(in, name)->valuestring, name);
}

static void expect_number(const cJSON *in, const char *name, double value)
{
    TEST_ASSERT_TRUE_MESSAGE(cJSON_IsNumber(get(in, name)), name);
    TEST_ASSERT_EQUAL_DOUBLE(value, get(in, name)->valuedouble);
}

static void the_object_has_verdict_counts_and_origin(void)
{
    print();
    expect_text(json, "verdict", "VIOLATION");
    expect_text(json, "reason", "assertion 'data == 42' failed (mp.c:7)");
    expect_text(json, "program", "mp.c");
    expect_text(json, "model", "rc11");
    expect_number(json, "executions", 13);
    expect_number(json, "blocked", 2);
    expect_number(json, "seconds", 0.5);
    expect_number(get(json, "path_cache"), "misses", 0);
    TEST_ASSERT_GREATER_THAN(0, get(json, "peak_bytes")->valuedouble);
    TEST_ASSERT_EQUAL(3, cJSON_GetArraySize(get(whole, "command")));
    get(whole, "version");
    expect_number(whole, "schema", REPORT_JSON_SCHEMA);
    expect_number(get(get(whole, "summary"), "verdicts"), "VIOLATION", 1);
    TEST_ASSERT_TRUE(cJSON_IsNull(get(json, "arch")));
}

static void a_gap_is_named(void)
{
    f.x.verdict = VERDICT_GAP;
    f.x.gap = GAP_TIMEOUT;
    strcpy(f.x.gap_text, "stopped after 2 seconds");
    print();
    expect_text(json, "verdict", "INCONCLUSIVE");
    expect_text(json, "gap", "TIMEOUT");
    expect_text(json, "reason", "stopped after 2 seconds");
}

static void outcomes_have_values_and_counts(void)
{
    const cJSON *second;

    print();
    TEST_ASSERT_EQUAL(2, cJSON_GetArraySize(get(json, "outcomes")));
    second = cJSON_GetArrayItem(get(json, "outcomes"), 1);
    expect_number(second, "executions", 1);
    expect_number(get(second, "values"), "r1", -1);
    expect_number(get(second, "values"), "data", 42);
}

static void what_was_observed_twice_becomes_a_list(void)
{
    const cJSON *list;

    f.x.outcomes.items[1].name = f.x.outcomes.items[0].name;
    print();
    list =
        get(get(cJSON_GetArrayItem(get(json, "outcomes"), 0), "values"), "r1");
    TEST_ASSERT_EQUAL(2, cJSON_GetArraySize(list));
    TEST_ASSERT_EQUAL_DOUBLE(42, cJSON_GetArrayItem(list, 1)->valuedouble);
}

static void numbers_beyond_2_to_the_53_are_strings(void)
{
    const cJSON *values;

    f.x.outcomes.items[0].value = ((uint64_t)1 << 53) - 1;
    f.x.outcomes.items[2].value = (uint64_t)1 << 62;
    print();
    values = get(cJSON_GetArrayItem(get(json, "outcomes"), 0), "values");
    expect_number(values, "r1", 9007199254740991.0);
    values = get(cJSON_GetArrayItem(get(json, "outcomes"), 1), "values");
    expect_text(values, "r1", "4611686018427387904");
}

static void a_violation_has_its_witness(void)
{
    const cJSON *v, *e;

    print();
    v = cJSON_GetArrayItem(get(json, "violations"), 0);
    expect_text(v, "kind", "assertion failed");
    expect_text(v, "text", "assertion 'data == 42' failed");
    expect_text(v, "file", f.source);
    expect_number(v, "line", 7);
    expect_text(v, "function", "worker");
    expect_number(v, "thread", 2);
    TEST_ASSERT_TRUE(cJSON_IsFalse(get(v, "sequentially_consistent")));
    TEST_ASSERT_EQUAL(4, cJSON_GetArraySize(get(v, "weak_cycle")));
    TEST_ASSERT_EQUAL(6, cJSON_GetArraySize(get(v, "events")));
    e = cJSON_GetArrayItem(get(v, "events"), 4);
    expect_text(e, "id", "e");
    expect_text(e, "kind", "R");
    expect_text(e, "order", "rlx");
    expect_text(e, "location", "ready");
    expect_text(e, "rf", "d");
    expect_number(e, "value", 1);
    expect_number(e, "thread", 2);
    expect_number(e, "line", 6);
    e = get(get(v, "co"), "data");
    TEST_ASSERT_EQUAL_STRING("c", cJSON_GetArrayItem(e, 1)->valuestring);
    TEST_ASSERT_EQUAL(0, cJSON_GetArraySize(get(v, "conflict")));
}

static void a_race_has_its_pair_and_flag(void)
{
    const cJSON *v;

    report_fixture_make_race(&f);
    print();
    v = cJSON_GetArrayItem(get(json, "violations"), 0);
    expect_text(v, "kind", "data race");
    expect_text(v, "axiom", "data-race");
    TEST_ASSERT_EQUAL_STRING(
        "c", cJSON_GetArrayItem(get(v, "conflict"), 0)->valuestring);
    TEST_ASSERT_EQUAL(2, cJSON_GetArraySize(get(v, "cycle")));
}

static void texts_that_are_not_utf_8_stay_valid_json(void)
{
    f.report.program = "caf\xe9 \xc3\xa9 \xff.c";
    print();
    expect_text(json, "program", "caf\\xe9 \xc3\xa9 \\xff.c");
    f.report.program = "\xc0\xaf \xed\xa0\x80 \xf4\x90\x80\x80 \xe2\x82";
    print();
    expect_text(json, "program",
                "\\xc0\\xaf \\xed\\xa0\\x80 \\xf4\\x90\\x80\\x80 "
                "\\xe2\\x82");
}

static void an_error_is_an_object_too(void)
{
    struct err err = {.text = "a.c: no such file"};
    struct cJSON *object = report_json_new_error("a.c", NULL, &err);

    read_back(&object, 1);
    expect_text(json, "verdict", "ERROR");
    expect_text(json, "reason", "a.c: no such file");
}

static void several_programs_are_one_object(void)
{
    struct cJSON *objects[] = {report_json_new(&f.report),
                               report_json_new(&f.report)};

    read_back(objects, 2);
    TEST_ASSERT_EQUAL(2, cJSON_GetArraySize(get(whole, "entries")));
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(the_object_has_verdict_counts_and_origin);
    RUN_TEST(a_gap_is_named);
    RUN_TEST(outcomes_have_values_and_counts);
    RUN_TEST(what_was_observed_twice_becomes_a_list);
    RUN_TEST(numbers_beyond_2_to_the_53_are_strings);
    RUN_TEST(a_violation_has_its_witness);
    RUN_TEST(a_race_has_its_pair_and_flag);
    RUN_TEST(texts_that_are_not_utf_8_stay_valid_json);
    RUN_TEST(an_error_is_an_object_too);
    RUN_TEST(several_programs_are_one_object);
    return UNITY_END();
}
