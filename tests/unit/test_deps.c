/* Dependency tracking, by snippets of AArch64. An instruction is written as in
 * tests/isa/aarch64.table, which has its bytes; reads are numbered from 0. */
#include "hw/decode.h"
#include "hw/deps.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unity.h>

extern const struct isa isa_aarch64;

static struct decode decode;
static struct deps deps;
static struct deps_out out;
static uint32_t n_reads;

/* --- Running instructions --- */

/* The instruction of this assembly text, from the table. */
static void find(const char *assembly, struct instruction *in)
{
    FILE *file = fopen("tests/isa/aarch64.table", "r");
    TEST_ASSERT_NOT_NULL(file);
    char line[4096], pattern[128];
    snprintf(pattern, sizeof pattern, "| %s ", assembly);
    unsigned byte[4];
    bool found = false;
    while (!found && fgets(line, sizeof line, file)) {
        const char *at = strstr(line, pattern);
        found = at && strspn(at + strlen(pattern), " ") ==
                          strcspn(at + strlen(pattern), "|");
    }
    fclose(file);
    if (!found || sscanf(line, "%2x%2x%2x%2x", &byte[0], &byte[1], &byte[2],
                         &byte[3]) != 4)
        TEST_FAIL_MESSAGE(assembly);
    const uint8_t code[] = {(uint8_t)byte[0], (uint8_t)byte[1],
                            (uint8_t)byte[2], (uint8_t)byte[3]};
    TEST_ASSERT_EQUAL_UINT(
        4, decode_bytes(&decode, code, sizeof code, 0x1000, in));
    TEST_ASSERT_EQUAL_MESSAGE(EFFECT_KNOWN, in->effect.kind, assembly);
}

struct how {
    uint64_t private_at; /* 0: shared */
    enum deps_selection selection;
    bool fails; /* store-conditional or compare-and-swap */
};

static void run_how(const char *assembly, struct how how)
{
    struct instruction in;
    struct deps_access accesses[EFFECT_ACCESSES] = {0};
    struct deps_dynamic dynamic = {.accesses = accesses,
                                   .selection = how.selection};
    find(assembly, &in);
    for (int i = 0; i < in.effect.n_accesses; i++) {
        const struct effect_access *a = &in.effect.accesses[i];
        accesses[i].address = how.private_at;
        accesses[i].is_private = how.private_at != 0;
        how.private_at += how.private_at ? a->size : 0;
        if (a->is_write) {
            accesses[i].skipped = how.fails;
        } else if (!accesses[i].is_private) {
            accesses[i].read = n_reads++;
            accesses[i].n_reads = 1;
        }
    }
    deps_step(&deps, &in.effect, &dynamic, &out);
}

static void run(const char *assembly)
{
    run_how(assembly, (struct how){0});
}

static void run_private(const char *assembly, uint64_t address)
{
    run_how(assembly, (struct how){.private_at = address});
}

static void run_selected(const char *assembly, enum deps_selection selection)
{
    run_how(assembly, (struct how){.selection = selection});
}

/* --- Looking at sets --- */

static void expect(const char *reads, const uint64_t *set, unsigned line)
{
    char text[2048] = "";
    size_t used = 0;
    for (uint32_t r = deps_next(set, deps.n_words, 0); r != UINT32_MAX;
         r = deps_next(set, deps.n_words, r + 1))
        used += (size_t)snprintf(text + used, sizeof text - used, "%s%u%s",
                                 used ? " " : "", DEP_NUMBER(r),
                                 DEP_IS_STORE(r) ? "s" : "");
    UNITY_TEST_ASSERT_EQUAL_STRING(reads, text, line, NULL);
}

#define EXPECT(reads, set) expect(reads, set, __LINE__)
#define EXPECT_REGISTER(d_reads, p_reads, r)        \
    do {                                            \
        EXPECT(d_reads, deps_register(&deps, r).d); \
        EXPECT(p_reads, deps_register(&deps, r).p); \
    } while (0)

enum { X0, X1, X2, X3, X5 = 5, SP = 31, NZCV = 32, V0 = 33 };

void setUp(void)
{
    struct err err;
    TEST_ASSERT_TRUE(decode_init(&decode, &isa_aarch64, &err));
    deps_init(&deps, &isa_aarch64, true);
    n_reads = 0;
}

void tearDown(void)
{
    deps_release(&deps);
    decode_release(&decode);
}

/* --- Through registers --- */

static void a_loaded_address_is_an_address_dependency(void)
{
    run("ldr x0, [x1]");
    run("ldr w2, [x0]");
    EXPECT("0", out.accesses[0].addr);
    EXPECT("0", out.accesses[0].paddr);
    EXPECT("", out.accesses[0].data);
    EXPECT("", out.ctrl);
}

static void a_load_does_not_hand_on_its_address(void)
{
    run("ldr x0, [x1]");
    run("ldr w2, [x0]");
    EXPECT_REGISTER("1", "1", X2);
}

static void an_exclusive_or_with_itself_is_a_dependency(void)
{
    run("ldr w0, [x1]");
    run("eor w2, w0, w0");
    run("ldr w3, [x4, x2]");
    EXPECT("0", out.accesses[0].addr);
}

static void a_loaded_value_is_a_data_dependency(void)
{
    run("ldr w0, [x1]");
    run("str w0, [x2]");
    EXPECT("0", out.accesses[0].data);
    EXPECT("0", out.accesses[0].pdata);
    EXPECT("", out.accesses[0].addr);
}

static void arithmetic_unites_its_operands(void)
{
    run("ldr w0, [x1]");
    run("ldr w2, [x3]");
    run("add w0, w0, w2");
    run("str w0, [x2]");
    EXPECT("0 1", out.accesses[0].data);
    EXPECT("1", out.accesses[0].addr);
}

static void an_overwritten_register_hands_on_nothing(void)
{
    run("ldr w0, [x1]");
    run("mov w0, #1");
    run("str w0, [x2]");
    EXPECT("", out.accesses[0].data);
}

static void a_32_bit_write_replaces_the_whole_register(void)
{
    run("ldr x0, [x1]");
    run("mov w0, w1");
    EXPECT_REGISTER("", "", X0);
}

static void a_write_to_part_of_a_register_keeps_the_rest(void)
{
    run("ldr w0, [x1]");
    run("movk x0, #2, lsl #16");
    EXPECT_REGISTER("0", "0", X0);
    run("ldr w1, [x2]");
    run("bfi w0, w1, #8, #8");
    EXPECT_REGISTER("0 1", "0 1", X0);
}

static void the_zero_register_is_a_constant(void)
{
    run("ldr x0, [x1]");
    run("ldr xzr, [x1]");
    run("str wzr, [x1]");
    EXPECT("", out.accesses[0].data);
    EXPECT_REGISTER("", "", SP);
    run("mov x0, xzr");
    EXPECT_REGISTER("", "", X0);
}

static void a_pair_of_loads_gives_each_register_its_read(void)
{
    run("ldp x0, x1, [x2]");
    EXPECT_REGISTER("0", "0", X0);
    EXPECT_REGISTER("1", "1", X1);
    run("ldp x1, x0, [x1]");
    EXPECT("1", out.accesses[0].addr);
    EXPECT("1", out.accesses[1].addr);
    EXPECT_REGISTER("2", "2", X1);
    EXPECT_REGISTER("3", "3", X0);
}

static void write_back_keeps_what_the_address_depends_on(void)
{
    run("ldr x1, [x9]");
    run("ldr w0, [x1], #4");
    EXPECT("0", out.accesses[0].addr);
    EXPECT_REGISTER("0", "0", X1);
    EXPECT_REGISTER("1", "1", X0);
}

static void vectors_carry_dependencies(void)
{
    run("ldr q0, [x1]");
    EXPECT_REGISTER("0 1", "0 1", V0);
    run("ld1 {v0.s}[1], [x1]");
    EXPECT_REGISTER("0 1 2", "0 1 2", V0);
    run("umov w0, v0.b[2]");
    EXPECT_REGISTER("0 1 2", "0 1 2", X0);
    run("movi v0.2d, #0");
    EXPECT_REGISTER("", "", V0);
}

/* --- Control --- */

static void a_branch_on_a_read_controls_all_that_follows(void)
{
    run("ldr w0, [x1]");
    EXPECT("", out.ctrl);
    run("cbz w0, #8");
    run("mov w0, #1");
    run("str w0, [x2]");
    EXPECT("0", out.ctrl);
    EXPECT("0", out.pctrl);
    EXPECT("", out.accesses[0].data);
    run("ldr w0, [x1]");
    run("cbz w0, #8");
    run("str w0, [x2]");
    EXPECT("0 1", out.ctrl);
}

static void a_branch_on_flags_is_control(void)
{
    run("ldr w0, [x1]");
    run("cmp x0, #0");
    run("mov w0, #1");
    run("b.eq #8");
    run("isb");
    EXPECT("0", out.ctrl);
    EXPECT("0", out.pctrl);
    run("ldr w2, [x0]");
    EXPECT("0", out.ctrl);
    EXPECT("", out.accesses[0].addr);
}

static void an_indirect_branch_is_control(void)
{
    run("ldr x0, [x1]");
    run("br x0");
    run("isb");
    EXPECT("0", out.pctrl);
}

static void an_unconditional_branch_and_a_return_are_not(void)
{
    run("ldr x30, [sp]");
    run("bl #8");
    run_private("stp x29, x30, [sp, #-32]!", 0x8000);
    run_private("ldp x29, x30, [sp], #16", 0x8000);
    run("ret");
    run("b #8");
    run("isb");
    EXPECT("", out.pctrl);
}

static void the_status_of_a_store_conditional_carries_nothing(void)
{
    run("ldxr w0, [x1]");
    run("stxr w2, w0, [x1]");
    EXPECT("0", out.accesses[0].data);
    run("cbnz x2, #8");
    run("isb");
    EXPECT("", out.ctrl);
    run("ldxr w0, [x1]");
    run_how("stxr w2, w0, [x1]", (struct how){.fails = true});
    EXPECT_REGISTER("", "", X2);
}

/* --- Private memory --- */

static void a_spilled_value_keeps_its_dependencies(void)
{
    run("ldr w0, [x1]");
    run_private("str w0, [sp, #8]", 0x8008);
    run("mov w0, #1");
    run_private("ldr w0, [sp, #8]", 0x8008);
    run("str w0, [x2]");
    EXPECT("0", out.accesses[0].data);
    EXPECT("", out.accesses[0].addr);
}

static void a_spill_keeps_picked_and_data_flow_apart(void)
{
    run("ldr w0, [x1]");
    run("cmp x0, #0");
    run("cset w0, eq");
    run_private("str w0, [sp, #8]", 0x8008);
    run_private("ldr w2, [sp, #8]", 0x8008);
    EXPECT_REGISTER("", "0", X2);
}

static void a_constant_spilled_under_a_branch_is_untainted(void)
{
    run("ldr w0, [x1]");
    run("cbz w0, #8");
    run("mov w0, #1");
    run_private("str w0, [sp, #8]", 0x8008);
    run_private("ldr w0, [sp, #8]", 0x8008);
    EXPECT_REGISTER("", "", X0);
}

static void an_overwritten_slot_hands_on_nothing(void)
{
    run("ldr w0, [x1]");
    run_private("str w0, [sp, #8]", 0x8008);
    run("mov w0, #1"); /* it is the address, too */
    run_private("stp xzr, xzr, [x0]", 0x8000);
    run_private("ldr w0, [sp, #8]", 0x8008);
    EXPECT_REGISTER("", "", X0);
}

static void a_slot_may_be_overwritten_in_part(void)
{
    run("ldr x0, [x1]");
    run_private("str x0, [sp, #8]", 0x8008);
    run("ldrb w0, [x1]");
    run_private("strb w0, [sp, #11]", 0x800b);
    run_private("ldrb w2, [sp, #11]", 0x800b);
    EXPECT_REGISTER("1", "1", X2);
    run_private("ldrb w2, [sp, #11]", 0x800a);
    EXPECT_REGISTER("0", "0", X2);
    run_private("ldrb w2, [sp, #11]", 0x800c);
    EXPECT_REGISTER("0", "0", X2);
    run_private("ldr x0, [sp, #8]", 0x8008);
    EXPECT_REGISTER("0 1", "0 1", X0);
    run("mov w0, #1");
    run_private("str w0, [sp, #8]", 0x800a);
    run_private("ldr w0, [sp, #8]", 0x800a);
    EXPECT_REGISTER("", "", X0);
    run_private("ldrb w2, [sp, #11]", 0x800f);
    EXPECT_REGISTER("0", "0", X2);
    run_private("ldrb w2, [sp, #11]", 0x8010);
    EXPECT_REGISTER("", "", X2);
}

static void a_pair_is_spilled_and_reloaded(void)
{
    run("ldp x0, x1, [x2]");
    run_private("stp x0, x1, [x2]", 0x8000);
    run_private("ldp x1, x0, [x1]", 0x8000);
    EXPECT_REGISTER("0 1", "0 1", X1); /* x1 was the address, too */
    EXPECT_REGISTER("1", "1", X0);
}

static void a_private_access_with_a_loaded_address(void)
{
    run("ldr x0, [x1]");
    run_private("ldr w2, [x0]", 0x8000);
    EXPECT_REGISTER("0", "0", X2);
    EXPECT("", out.pctrl);
    run("isb");
    EXPECT("0", out.pctrl);
    EXPECT("", out.ctrl);
}

/* --- Selection --- */

static void select_from_reads(enum deps_selection selection)
{
    run("ldp w0, w1, [x2, #8]"); /* reads 0, 1 */
    run("ldr w2, [x3]");         /* read 2 */
    run("cmp w2, #0");
    run_selected("csel x0, x0, x1, eq", selection);
}

static void a_selection_takes_data_from_the_selected_operand(void)
{
    select_from_reads(DEPS_HELD);
    EXPECT_REGISTER("0", "0 2", X0);
    run("str x0, [x0]");
    EXPECT("0", out.accesses[0].addr);
    EXPECT("0 2", out.accesses[0].paddr);
    EXPECT("0", out.accesses[0].data);
    EXPECT("0 2", out.accesses[0].pdata);
    EXPECT("2", out.accesses[0].open);
}

/* What is compared is what is taken: D and P are the same, but with another
 * value they would be others. */
static void what_selects_itself_chooses_all_the_same(void)
{
    run("ldr w0, [x1]");
    run("cmp w0, w1");
    run_selected("csel x0, x0, x1, eq", DEPS_HELD);
    EXPECT_REGISTER("0", "0", X0);
    EXPECT("", deps_register(&deps, X0).s);
    EXPECT("0", deps_register(&deps, X0).c);
    run("mov x0, #-1");
    run("cmp w0, w1");
    run_selected("csel x0, x0, x1, eq", DEPS_HELD);
    EXPECT("", deps_register(&deps, X0).c);
}

static void what_both_operands_share_is_sure(void)
{
    run("ldp w0, w1, [x2, #8]"); /* reads 0, 1 */
    run("ldr w2, [x3]");         /* read 2 */
    run("add w0, w0, w2");
    run("add w1, w1, w2");
    run("ldr w2, [x0]"); /* read 3 */
    run("cmp w2, #0");
    run_selected("csel x0, x0, x1, eq", DEPS_HELD);
    EXPECT("0 2", deps_register(&deps, X0).d);
    EXPECT("2", deps_register(&deps, X0).s);
    EXPECT("3", deps_register(&deps, X0).c);
}

/* Is the store that was run last open? */
static bool is_open(void)
{
    return deps_next(out.accesses[0].open, out.n_words, 0) != UINT32_MAX;
}

static void a_write_of_what_was_selected_is_open(void)
{
    select_from_reads(DEPS_HELD);
    TEST_ASSERT_FALSE(is_open());
    run("str x5, [x6]"); /* nothing was done with it yet */
    TEST_ASSERT_FALSE(is_open());
    run("str x0, [x6]");
    TEST_ASSERT_TRUE(is_open());
    run("str x5, [x6]"); /* the one before may order it behind a read */
    TEST_ASSERT_TRUE(is_open());
}

static void so_is_one_behind_an_address_that_was_selected(void)
{
    select_from_reads(DEPS_NOT_HELD);
    run("ldr w7, [x0]");
    run("str x5, [x6]");
    TEST_ASSERT_TRUE(is_open());
}

static void one_behind_a_branch_on_what_selects_is_not(void)
{
    select_from_reads(DEPS_HELD);
    run("cbnz x2, #8");
    run("str x0, [x6]");
    TEST_ASSERT_FALSE(is_open());
    run("ldr w7, [x0]");
    run("str x5, [x6]");
    TEST_ASSERT_FALSE(is_open());
}

static void nor_one_that_stores_what_selects(void)
{
    select_from_reads(DEPS_HELD);
    run("add w0, w0, w2");
    run("str x0, [x6]");
    TEST_ASSERT_FALSE(is_open());
    run("str x0, [x6]");
    TEST_ASSERT_FALSE(is_open());
}

static void a_branch_on_what_was_selected_leaves_writes_open(void)
{
    select_from_reads(DEPS_HELD);
    run("cbz w0, #8");
    run("str x5, [x6]");
    TEST_ASSERT_TRUE(is_open());
}

/* Something else of it may be read again if the address is another. */
static void so_does_private_memory_written_through_what_was_read(void)
{
    run("ldr x0, [x1]");
    run_private("str x5, [x0]", 0x8000);
    run("str x5, [x6]");
    TEST_ASSERT_TRUE(is_open());
    run("str x0, [x6]");
    TEST_ASSERT_FALSE(is_open());
}

static void a_selection_takes_nothing_from_the_other(void)
{
    select_from_reads(DEPS_NOT_HELD);
    EXPECT_REGISTER("1", "1 2", X0);
}

static void an_unknown_selection_takes_what_the_operands_share(void)
{
    select_from_reads(DEPS_UNKNOWN);
    EXPECT_REGISTER("", "2", X0);
    TEST_ASSERT_EQUAL_UINT64(1, deps.n_unknown_selections);
    run("ldr w1, [x2]");
    run("cmp x0, #0");
    run("cinc w0, w1, eq");
    EXPECT_REGISTER("3", "2 3", X0);
}

static void flags_by_conditional_compare_are_picked(void)
{
    run("ldp w0, w1, [x2, #8]");
    run("ldr w2, [x3]");
    run("cmp w2, #0");
    run_selected("ccmp w0, w1, #0, eq", DEPS_HELD);
    EXPECT_REGISTER("0 1", "0 1 2", NZCV);
    run_selected("ccmp w0, w1, #0, eq", DEPS_NOT_HELD);
    EXPECT_REGISTER("", "0 1 2", NZCV);
    run("b.eq #8");
    run("isb");
    EXPECT("0 1 2", out.pctrl);
}

static void a_selection_without_condition_registers_is_data_alone(void)
{
    /* as Power's isel is decoded */
    struct effect isel = {.kind = EFFECT_KNOWN, .n_flows = 1};
    isel.flows[0] = (struct effect_flow){
        .kind = FLOW_SELECT, .dst = X3, .srcs = {.n = 2, .r = {X0, X1}}};
    run("ldp x0, x1, [x2]");
    struct deps_dynamic dynamic = {.selection = DEPS_NOT_HELD};
    deps_step(&deps, &isel, &dynamic, &out);
    EXPECT_REGISTER("1", "1", X3);
}

/* --- Atomic instructions --- */

static void fetch_and_add_stores_what_it_read(void)
{
    run("ldr w0, [x1]");
    run("ldadd w0, w1, [x2]");
    EXPECT("0 1", out.accesses[1].data);
    EXPECT_REGISTER("1", "1", X1);
}

static void swap_stores_its_operand_alone(void)
{
    run("ldr w0, [x1]");
    run("swp w0, w1, [x2]");
    EXPECT("0", out.accesses[1].data);
    EXPECT_REGISTER("1", "1", X1);
}

static void a_successful_compare_and_swap_gives_no_data(void)
{
    run("ldp x0, x1, [x2]");
    run("cas w0, w1, [x2]");
    EXPECT("1", out.accesses[1].data);
    EXPECT("0 1", out.accesses[1].pdata);
    EXPECT_REGISTER("", "2", X0);
}

static void a_failed_compare_and_swap_is_a_load(void)
{
    run("ldp x0, x1, [x2]");
    run_how("cas w0, w1, [x2]", (struct how){.fails = true});
    EXPECT_REGISTER("2", "2", X0);
}

static void no_address_orders_a_nontemporal_load(void)
{
    run("ldr w2, [x0]");
    run("ldnp x0, x1, [x2]");
    EXPECT("", out.accesses[0].addr);
    EXPECT("0", out.accesses[0].paddr);
    run("stnp x0, x1, [x2]");
    EXPECT("0", out.accesses[1].addr);
}

static void both_registers_of_a_pair_get_the_read(void)
{
    run("ldxp x0, x1, [x2]");
    EXPECT_REGISTER("0", "0", X0);
    EXPECT_REGISTER("0", "0", X1);
    run("casp x0, x1, x2, x3, [x4]");
    EXPECT_REGISTER("", "1", X0);
    EXPECT_REGISTER("", "1", X1);
    run_how("casp x0, x1, x2, x3, [x4]", (struct how){.fails = true});
    EXPECT_REGISTER("2", "2", X1);
}

static void atomics_work_on_private_memory(void)
{
    run("ldr w0, [x1]");
    run_how("swp w0, w1, [x2]", (struct how){.private_at = 0x8000});
    EXPECT_REGISTER("", "", X1);
    /* both accesses of one instruction are to the same address */
    struct instruction in;
    find("ldadd w0, w1, [x2]", &in);
    const struct deps_access accesses[] = {
        {.address = 0x8004, .is_private = 1},
        {.address = 0x8004, .is_private = 1}};
    struct deps_dynamic dynamic = {.accesses = accesses};
    deps_step(&deps, &in.effect, &dynamic, &out);
    EXPECT_REGISTER("0", "0", X1);
    EXPECT("0", out.accesses[1].data);
}

/* --- The tracker --- */

static void sets_grow_with_the_number_of_reads(void)
{
    run("ldr w0, [x1]");
    run_private("str w0, [sp, #8]", 0x8008);
    run("cbz w0, #8");
    for (int i = 0; i < 300; i++)
        run("ldr w2, [x3]");
    run("add w0, w0, w2");
    EXPECT_REGISTER("0 300", "0 300", X0);
    run_private("ldr w0, [sp, #8]", 0x8008);
    EXPECT_REGISTER("0", "0", X0);
    EXPECT("0", out.ctrl);
}

static void many_slots_are_kept(void)
{
    for (uint32_t i = 0; i < 200; i++) {
        run("ldr w0, [x1]");
        run_private("str w0, [sp, #8]", 0x8000 + 4 * (i * 77 % 200));
    }
    for (uint32_t i = 0; i < 200; i++) {
        char expected[16];
        snprintf(expected, sizeof expected, "%u", i);
        run_private("ldr w0, [sp, #8]", 0x8000 + 4 * (i * 77 % 200));
        EXPECT(expected, deps_register(&deps, X0).d);
    }
}

static void a_split_read_gives_all_its_parts(void)
{
    struct instruction in;
    find("ldr x0, [x1]", &in);
    const struct deps_access access = {.read = 63, .n_reads = 2};
    struct deps_dynamic dynamic = {.accesses = &access};
    deps_step(&deps, &in.effect, &dynamic, &out);
    EXPECT_REGISTER("63 64", "63 64", X0);
}

static void reset_forgets_all(void)
{
    run("ldr w0, [x1]");
    run_private("str w0, [sp, #8]", 0x8008);
    run("cbz w0, #8");
    deps_reset(&deps);
    run_private("ldr w2, [sp, #8]", 0x8008);
    EXPECT("", out.ctrl);
    EXPECT_REGISTER("", "", X0);
    EXPECT_REGISTER("", "", X2);
}

static void without_tracking_all_sets_are_empty(void)
{
    deps_release(&deps);
    deps_init(&deps, &isa_aarch64, false);
    run("ldr x0, [x1]");
    run("cbz w0, #8");
    run("ldr w2, [x0]");
    EXPECT("", out.accesses[0].addr);
    EXPECT("", out.pctrl);
    EXPECT_REGISTER("", "", X0);
}

static void instructions_are_decoded_once(void)
{
    static const uint8_t code[] = {0x20, 0x00, 0x40, 0xb9,  /* ldr w0, [x1] */
                                   0xc0, 0x03, 0x5f, 0xd6}; /* ret */
    decode_add_section(&decode, 0x4000, code, sizeof code);
    const struct instruction *load = decode_at(&decode, 0x4000);
    TEST_ASSERT_NOT_NULL(load);
    TEST_ASSERT_EQUAL_STRING("ldr w0, [x1]", load->text);
    TEST_ASSERT_EQUAL_UINT(1, load->effect.n_accesses);
    TEST_ASSERT_TRUE(decode_at(&decode, 0x4004)->effect.is_return);
    TEST_ASSERT_EQUAL_PTR(load, decode_at(&decode, 0x4000));
    TEST_ASSERT_NULL(decode_at(&decode, 0x4006));
    TEST_ASSERT_NULL(decode_at(&decode, 0x4008));
    TEST_ASSERT_NULL(decode_at(&decode, 0x3fff));
}

static void pointers_to_instructions_stay(void)
{
    static uint8_t code[4 * 1000]; /* udf #0 */
    decode_add_section(&decode, 0x4000, code, sizeof code);
    const struct instruction *first = decode_at(&decode, 0x4000);
    for (uint64_t i = 0; i < sizeof code; i += 4)
        TEST_ASSERT_EQUAL_UINT64(0x4000 + i,
                                 decode_at(&decode, 0x4000 + i)->pc);
    TEST_ASSERT_EQUAL_PTR(first, decode_at(&decode, 0x4000));
    TEST_ASSERT_EQUAL_UINT32(1000, decode.n);
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(a_loaded_address_is_an_address_dependency);
    RUN_TEST(a_load_does_not_hand_on_its_address);
    RUN_TEST(an_exclusive_or_with_itself_is_a_dependency);
    RUN_TEST(a_loaded_value_is_a_data_dependency);
    RUN_TEST(arithmetic_unites_its_operands);
    RUN_TEST(an_overwritten_register_hands_on_nothing);
    RUN_TEST(a_32_bit_write_replaces_the_whole_register);
    RUN_TEST(a_write_to_part_of_a_register_keeps_the_rest);
    RUN_TEST(the_zero_register_is_a_constant);
    RUN_TEST(a_pair_of_loads_gives_each_register_its_read);
    RUN_TEST(write_back_keeps_what_the_address_depends_on);
    RUN_TEST(vectors_carry_dependencies);
    RUN_TEST(a_branch_on_a_read_controls_all_that_follows);
    RUN_TEST(a_branch_on_flags_is_control);
    RUN_TEST(an_indirect_branch_is_control);
    RUN_TEST(an_unconditional_branch_and_a_return_are_not);
    RUN_TEST(the_status_of_a_store_conditional_carries_nothing);
    RUN_TEST(a_spilled_value_keeps_its_dependencies);
    RUN_TEST(a_spill_keeps_picked_and_data_flow_apart);
    RUN_TEST(a_constant_spilled_under_a_branch_is_untainted);
    RUN_TEST(an_overwritten_slot_hands_on_nothing);
    RUN_TEST(a_slot_may_be_overwritten_in_part);
    RUN_TEST(a_pair_is_spilled_and_reloaded);
    RUN_TEST(a_private_access_with_a_loaded_address);
    RUN_TEST(a_selection_takes_data_from_the_selected_operand);
    RUN_TEST(what_selects_itself_chooses_all_the_same);
    RUN_TEST(what_both_operands_share_is_sure);
    RUN_TEST(a_write_of_what_was_selected_is_open);
    RUN_TEST(so_is_one_behind_an_address_that_was_selected);
    RUN_TEST(one_behind_a_branch_on_what_selects_is_not);
    RUN_TEST(nor_one_that_stores_what_selects);
    RUN_TEST(a_branch_on_what_was_selected_leaves_writes_open);
    RUN_TEST(so_does_private_memory_written_through_what_was_read);
    RUN_TEST(a_selection_takes_nothing_from_the_other);
    RUN_TEST(an_unknown_selection_takes_what_the_operands_share);
    RUN_TEST(flags_by_conditional_compare_are_picked);
    RUN_TEST(a_selection_without_condition_registers_is_data_alone);
    RUN_TEST(fetch_and_add_stores_what_it_read);
    RUN_TEST(swap_stores_its_operand_alone);
    RUN_TEST(a_successful_compare_and_swap_gives_no_data);
    RUN_TEST(a_failed_compare_and_swap_is_a_load);
    RUN_TEST(no_address_orders_a_nontemporal_load);
    RUN_TEST(both_registers_of_a_pair_get_the_read);
    RUN_TEST(atomics_work_on_private_memory);
    RUN_TEST(sets_grow_with_the_number_of_reads);
    RUN_TEST(many_slots_are_kept);
    RUN_TEST(a_split_read_gives_all_its_parts);
    RUN_TEST(reset_forgets_all);
    RUN_TEST(without_tracking_all_sets_are_empty);
    RUN_TEST(instructions_are_decoded_once);
    RUN_TEST(pointers_to_instructions_stay);
    return UNITY_END();
}
