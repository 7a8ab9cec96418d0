#include "hw/qemu/qemu_spin.h"

#include <string.h>
#include <unity.h>

extern const struct isa isa_aarch64;

static struct spin spin;
static struct live_set all;
static const uint8_t seven[8] = {7};
static const uint8_t eight[8] = {8};

void setUp(void)
{
    memset(&all, LIVE_WHOLE, sizeof all);
    spin_init(&spin, &isa_aarch64);
    spin_reset(&spin);
}

void tearDown(void)
{
    spin_release(&spin);
}

/* x1 := load */
static void load(uint64_t value)
{
    struct effect e = {.kind = EFFECT_KNOWN, .n_accesses = 1};
    e.accesses[0].result = 1;
    struct spin_values v = {.low = {value}};
    spin.events++;
    spin_step(&spin, 0x1000, &e, &v);
}

/* x2 := x2 + 1 */
static void count(void)
{
    struct effect e = {.kind = EFFECT_KNOWN, .n_flows = 1};
    e.flows[0] = (struct effect_flow){
        .kind = FLOW_DATA, .dst = 2, .srcs = {.n = 1, .r = {2}}};
    spin_step(&spin, 0x1004, &e, &(struct spin_values){0});
}

static enum spin_result arrive(void)
{
    const struct spin_loop *l;
    return spin_arrive(&spin, 0x1000, true, &all, &l);
}

static void enter(void)
{
    const struct spin_loop *l;
    TEST_ASSERT_EQUAL(SPIN_GO_ON, spin_arrive(&spin, 0x1000, false, &all, &l));
    TEST_ASSERT_EQUAL(0, l->iterations);
}

static void a_loop_that_reads_the_same_again_blocks(void)
{
    load(0);
    TEST_ASSERT_EQUAL(SPIN_GO_ON, arrive());
    load(0);
    TEST_ASSERT_EQUAL(SPIN_BLOCK, arrive());
}

static void another_value_is_another_state(void)
{
    load(0);
    arrive();
    load(1);
    TEST_ASSERT_EQUAL(SPIN_GO_ON, arrive());
}

static void a_counter_is_never_the_same(void)
{
    for (int i = 0; i < 10; i++) {
        load(0);
        count();
        TEST_ASSERT_EQUAL(SPIN_GO_ON, arrive());
    }
}

static void an_effect_keeps_the_loop_going(void)
{
    load(0);
    arrive();
    load(0);
    spin.effects++;
    TEST_ASSERT_EQUAL(SPIN_GO_ON, arrive());
    load(0);
    TEST_ASSERT_EQUAL(SPIN_BLOCK, arrive());
}

static void private_memory_is_part_of_the_state(void)
{
    load(0);
    spin_store(&spin, 0x2004, seven, 8);
    arrive();
    load(0);
    spin_store(&spin, 0x2004, eight, 8);
    TEST_ASSERT_EQUAL(SPIN_GO_ON, arrive());
    load(0);
    spin_store(&spin, 0x2004, eight, 8);
    TEST_ASSERT_EQUAL(SPIN_BLOCK, arrive());
}

static void a_loop_without_events_never_ends(void)
{
    arrive();
    TEST_ASSERT_EQUAL(SPIN_ENDLESS, arrive());
}

static void what_no_one_reads_makes_no_difference(void)
{
    all.parts[1] = 0;
    enter();
    load(0);
    TEST_ASSERT_EQUAL(SPIN_BLOCK, arrive());
}

/* The low byte of x2 := x1, then of x2 and x1, as in "setne; or". */
static void a_part_that_is_written_anew_forgets_its_past(void)
{
    struct effect set = {.kind = EFFECT_KNOWN, .n_flows = 1};
    set.flows[0] = (struct effect_flow){
        .kind = FLOW_MERGE, .dst = 2, .srcs = {.n = 1, .r = {1}}, .part = 1};
    struct effect join = set;
    join.flows[0].srcs = (struct regs){.n = 2, .r = {1, 2}};
    join.flows[0].kind = FLOW_DATA;
    for (int i = 0; i < 2; i++) {
        load(0);
        spin_step(&spin, 0x1004, &set, &(struct spin_values){0});
        spin_step(&spin, 0x1008, &join, &(struct spin_values){0});
        TEST_ASSERT_EQUAL(i ? SPIN_BLOCK : SPIN_GO_ON, arrive());
    }
}

/* Bit 1 of x2 is read, bit 2 is not. */
static void a_part_that_no_one_reads_makes_no_difference(void)
{
    struct effect set = {.kind = EFFECT_KNOWN, .n_flows = 1};
    set.flows[0] = (struct effect_flow){
        .kind = FLOW_MERGE, .dst = 2, .srcs = {.n = 1, .r = {1}}, .part = 2};
    all.parts[1] = 0;
    all.parts[2] = 1;
    enter();
    load(0);
    spin_step(&spin, 0x1004, &set, &(struct spin_values){0});
    TEST_ASSERT_EQUAL(SPIN_BLOCK, arrive());
    all.parts[2] = 3;
    load(1);
    spin_step(&spin, 0x1004, &set, &(struct spin_values){0});
    TEST_ASSERT_EQUAL(SPIN_GO_ON, arrive());
}

static void entering_a_loop_again_starts_its_count(void)
{
    const struct spin_loop *l;
    load(0);
    arrive();
    load(1);
    spin_arrive(&spin, 0x1000, true, &all, &l);
    TEST_ASSERT_EQUAL(2, l->iterations);
    load(2);
    enter();
    load(3);
    TEST_ASSERT_EQUAL(SPIN_GO_ON, spin_arrive(&spin, 0x1000, true, &all, &l));
    TEST_ASSERT_EQUAL(1, l->iterations);
}

static void a_new_run_knows_nothing_of_the_old_one(void)
{
    load(0);
    arrive();
    spin_reset(&spin);
    load(0);
    TEST_ASSERT_EQUAL(SPIN_GO_ON, arrive());
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(a_loop_that_reads_the_same_again_blocks);
    RUN_TEST(another_value_is_another_state);
    RUN_TEST(a_counter_is_never_the_same);
    RUN_TEST(an_effect_keeps_the_loop_going);
    RUN_TEST(private_memory_is_part_of_the_state);
    RUN_TEST(a_loop_without_events_never_ends);
    RUN_TEST(what_no_one_reads_makes_no_difference);
    RUN_TEST(a_part_that_is_written_anew_forgets_its_past);
    RUN_TEST(a_part_that_no_one_reads_makes_no_difference);
    RUN_TEST(entering_a_loop_again_starts_its_count);
    RUN_TEST(a_new_run_knows_nothing_of_the_old_one);
    return UNITY_END();
}
