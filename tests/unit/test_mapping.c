/* The reader of map files: rows, what they inherit, and their templates. The
 * messages for malformed ones are tested by tests/cli/test_mappings.sh. */
#include "mappings/mapping.h"

#include <stdlib.h>
#include <string.h>
#include <unity.h>

#define HEAD "title T\nsource rc11\nisa ppc64le ppc64\n"

static struct mapping mapping;
static struct err err;
static char text[MAP_TEMPLATE_MAX];

void setUp(void)
{
    memset(&err, 0, sizeof err);
    memset(&mapping, 0, sizeof mapping);
}

void tearDown(void)
{
    mapping_release(&mapping);
}

static void load(const char *map)
{
    if (!mapping_load_text(&mapping, "t.map", map, &err))
        TEST_FAIL_MESSAGE(err.text);
}

/* The instructions for a key, NULL if there is no row. */
static const char *find(struct map_key key)
{
    const struct map_template *t = mapping_find(&mapping, &key);
    if (!t)
        return NULL;
    if (!mapping_expand(&mapping, &key, t, text, &err))
        TEST_FAIL_MESSAGE(err.text);
    return text;
}

static void head_lines_are_kept(void)
{
    load("title  A  title\nsource rc11\ncite one\ncite two\nbad because\n"
         "flags -mcpu=power8\nisa ppc64\nfence seq_cst = sync\n");
    TEST_ASSERT_EQUAL_STRING("t", mapping.name);
    TEST_ASSERT_EQUAL_STRING("A title", mapping.title);
    TEST_ASSERT_EQUAL_STRING("rc11", mapping.source);
    TEST_ASSERT_EQUAL_STRING("one\ntwo\n", mapping.cites);
    TEST_ASSERT_EQUAL_STRING("because", mapping.bad);
    TEST_ASSERT_EQUAL_STRING("-mcpu=power8", mapping.flags);
    TEST_ASSERT_TRUE(mapping_has_isa(&mapping, "ppc64"));
    TEST_ASSERT_FALSE(mapping_has_isa(&mapping, "ppc64le"));
}

static void choices_follow_the_width(void)
{
    load(HEAD "load relaxed * = l{bz|hz|wz|d} %d, 0(%a)\n");
    struct map_key key = {.op = MAP_LOAD, .order = MAP_RELAXED};
    static const char *const want[] = {"lbz %d, 0(%a)", "lhz %d, 0(%a)",
                                       "lwz %d, 0(%a)", "ld %d, 0(%a)"};
    for (key.width = 0; key.width < MAP_CHOICES; key.width++)
        TEST_ASSERT_EQUAL_STRING(want[key.width], find(key));
}

static void a_row_is_the_product_of_its_fields(void)
{
    load(HEAD "store relaxed,seq_cst 8,64 = st %v, 0(%a)\n");
    struct map_key key = {.op = MAP_STORE, .order = MAP_SEQ_CST, .width = 3};
    TEST_ASSERT_NOT_NULL(find(key));
    key.width = 2;
    TEST_ASSERT_NULL(find(key));
    key = (struct map_key){.op = MAP_STORE, .order = MAP_RELEASE};
    TEST_ASSERT_NULL(find(key));
    key.op = MAP_LOAD;
    TEST_ASSERT_NULL(find(key));
}

static void a_star_never_means_plain(void)
{
    load(HEAD "load * * = lwz %d, 0(%a)\n");
    struct map_key key = {.op = MAP_LOAD, .order = MAP_PLAIN};
    TEST_ASSERT_NULL(find(key));
    TEST_ASSERT_FALSE(mapping_has_plain(&mapping));
    mapping_release(&mapping);
    load(HEAD "load plain 64 = ld %d, 0(%a)\n");
    TEST_ASSERT_TRUE(mapping_has_plain(&mapping));
}

static void a_cas_has_two_orders(void)
{
    load(HEAD "cas acquire,acq_rel relaxed 32 = %a %v %d %e\n"
              "cas seq_cst * 32 = sync %a %v %x\n");
    struct map_key key = {.op = MAP_CAS,
                          .order = MAP_ACQ_REL,
                          .failure = MAP_RELAXED,
                          .width = 2};
    TEST_ASSERT_EQUAL_STRING("%a %v %d %e", find(key));
    key.failure = MAP_ACQUIRE;
    TEST_ASSERT_NULL(find(key));
    key.order = MAP_SEQ_CST;
    TEST_ASSERT_EQUAL_STRING("sync %a %v %x", find(key));
}

static void rmw_is_exchange_and_all_fetches(void)
{
    load(HEAD "op fetch = new%t\n"
              "rmw relaxed 32 = ldx %d %a ; @op ; stx %n %a %%n\n");
    struct map_key key = {.op = MAP_EXCHANGE, .order = MAP_RELAXED, .width = 2};
    TEST_ASSERT_EQUAL_STRING("ldx %d %a ;  ; stx %v %a %%n", find(key));
    for (int op = MAP_FETCH_ADD; op < MAP_OPS; op++) {
        key.op = (enum map_op)op;
        TEST_ASSERT_EQUAL_STRING("ldx %d %a ; new%t ; stx %t %a %%n",
                                 find(key));
    }
}

static void a_noreturn_row_is_for_unused_results(void)
{
    load(HEAD "fetch_add relaxed 32 = used %a %x\n"
              "fetch_add relaxed 32 noreturn = unused %a %v\n"
              "fetch_sub relaxed 32 = used %a %x\n");
    struct map_key key = {
        .op = MAP_FETCH_ADD, .order = MAP_RELAXED, .width = 2};
    TEST_ASSERT_EQUAL_STRING("used %a %x", find(key));
    key.unused = true;
    TEST_ASSERT_EQUAL_STRING("unused %a %v", find(key));
    key.op = MAP_FETCH_SUB;
    TEST_ASSERT_EQUAL_STRING("used %a %x", find(key));
}

static void an_idempotent_row_is_an_operation_of_its_own(void)
{
    load(HEAD "op fetch = new%t\nrmw relaxed 32 = ldx %d %a ; @op ; stx %n %a\n"
              "idempotent acquire 32 = ld %d, %a\n"
              "idempotent acquire 32 noreturn = -\n");
    struct map_key key = {
        .op = MAP_IDEMPOTENT, .order = MAP_RELAXED, .width = 2};
    TEST_ASSERT_NULL(find(key));
    key.order = MAP_ACQUIRE;
    TEST_ASSERT_EQUAL_STRING("ld %d, %a", find(key));
    key.unused = true;
    TEST_ASSERT_EQUAL_STRING("", find(key));
}

static void a_blank_continues_a_line(void)
{
    load(HEAD
         "fence seq_cst\n  = sync ;\n\tisync\n# no\n\nfence acquire = -\n");
    struct map_key key = {.op = MAP_FENCE, .order = MAP_SEQ_CST};
    TEST_ASSERT_EQUAL_STRING("sync ; isync", find(key));
    key.order = MAP_ACQUIRE;
    TEST_ASSERT_EQUAL_STRING("", find(key));
}

static void like_takes_rows_over(void)
{
    load("title Mine\nlike c11-power-leading-sync\nfence acquire = isync\n");
    struct map_key key = {.op = MAP_FENCE, .order = MAP_ACQUIRE};
    char place[100];
    TEST_ASSERT_EQUAL_STRING("isync", find(key));
    mapping_place(&mapping, mapping_find(&mapping, &key), place, sizeof place);
    TEST_ASSERT_EQUAL_STRING("built-in:t.map:3", place);
    key.order = MAP_RELEASE;
    TEST_ASSERT_EQUAL_STRING("lwsync", find(key));
    mapping_place(&mapping, mapping_find(&mapping, &key), place, sizeof place);
    TEST_ASSERT_NOT_NULL(strstr(place, "c11-power-leading-sync.map:"));
    TEST_ASSERT_EQUAL_STRING("Mine", mapping.title);
    TEST_ASSERT_EQUAL_STRING("rc11", mapping.source);
    TEST_ASSERT_NULL(mapping.bad);
    TEST_ASSERT_TRUE(mapping_has_isa(&mapping, "ppc64"));
}

static void bad_does_not_pass_on(void)
{
    load("title Mine\nlike go-ppc64\nisa ppc64\n");
    TEST_ASSERT_NULL(mapping.bad);
    TEST_ASSERT_FALSE(mapping_has_isa(&mapping, "ppc64le"));
}

static void what_is_too_long_is_an_error(void)
{
    char *map = malloc(20000);
    size_t n = (size_t)sprintf(map, HEAD "op fetch_add = ");
    for (int i = 0; i < 300; i++)
        n += (size_t)sprintf(map + n, "x; ");
    n += (size_t)sprintf(map + n, "\nfetch_add relaxed 32 = %%a %%d ");
    for (int i = 0; i < 3; i++)
        n += (size_t)sprintf(map + n, "@op %%n ;");
    sprintf(map + n, "\n");
    load(map);
    free(map);
    struct map_key key = {
        .op = MAP_FETCH_ADD, .order = MAP_RELAXED, .width = 2};
    const struct map_template *t = mapping_find(&mapping, &key);
    TEST_ASSERT_FALSE(mapping_expand(&mapping, &key, t, text, &err));
    TEST_ASSERT_NOT_NULL(strstr(err.text, "t.map:5:24: "));
}

/* ---- those built in */

struct count {
    unsigned n, n_bad;
};

static void count_one(void *self, const struct mapping *m)
{
    struct count *c = self;
    c->n++;
    c->n_bad += m->bad != NULL;
    TEST_ASSERT_NOT_NULL(m->title);
    TEST_ASSERT_TRUE_MESSAGE(m->n_templates > 0, m->name);
}

static void all_built_in_can_be_read(void)
{
    struct count c = {0};
    if (!mapping_for_each(count_one, &c, &err))
        TEST_FAIL_MESSAGE(err.text);
    TEST_ASSERT_GREATER_THAN(40, c.n);
    TEST_ASSERT_GREATER_THAN(20, c.n_bad);
}

static void what_is_printed_can_be_read(void)
{
    char *map = NULL;
    size_t bytes;
    if (!mapping_load(&mapping, "linux-aarch64-lse", &err))
        TEST_FAIL_MESSAGE(err.text);
    FILE *out = open_memstream(&map, &bytes);
    mapping_print(&mapping, out);
    fclose(out);
    mapping_release(&mapping);
    load(map);
    free(map);
    struct map_key key = {
        .op = MAP_FETCH_SUB, .order = MAP_RELAXED, .width = 1, .unused = true};
    TEST_ASSERT_EQUAL_STRING("neg %t, %v ; staddh %t, [%a]", find(key));
    key = (struct map_key){.op = MAP_EXCHANGE, .order = MAP_SEQ_CST};
    TEST_ASSERT_EQUAL_STRING("swpalb %v, %d, [%a]", find(key));
    TEST_ASSERT_EQUAL_STRING("-march=armv8.1-a", mapping.flags);
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(head_lines_are_kept);
    RUN_TEST(choices_follow_the_width);
    RUN_TEST(a_row_is_the_product_of_its_fields);
    RUN_TEST(a_star_never_means_plain);
    RUN_TEST(a_cas_has_two_orders);
    RUN_TEST(rmw_is_exchange_and_all_fetches);
    RUN_TEST(a_noreturn_row_is_for_unused_results);
    RUN_TEST(an_idempotent_row_is_an_operation_of_its_own);
    RUN_TEST(a_blank_continues_a_line);
    RUN_TEST(like_takes_rows_over);
    RUN_TEST(bad_does_not_pass_on);
    RUN_TEST(what_is_too_long_is_an_error);
    RUN_TEST(all_built_in_can_be_read);
    RUN_TEST(what_is_printed_can_be_read);
    return UNITY_END();
}
