/* The AArch64 decoder, by the table tests/isa/aarch64.table. */
#include "hw/decode.h"
#include "tests/harness/isa_table.h"

#include <string.h>
#include <unity.h>

extern const struct isa isa_aarch64;

static struct decode decode;

static const char table[] = "tests/isa/aarch64.table";

void setUp(void)
{
}

void tearDown(void)
{
    decode_release(&decode);
}

static void each_instruction_has_the_effect_in_the_table(void)
{
    isa_table_check(&isa_aarch64, table, false);
    TEST_ASSERT_GREATER_THAN_UINT(150, isa_table_size(table));
}

static void the_bytes_in_the_table_are_those_of_the_assembler(void)
{
    isa_table_reassemble(table);
}

static void open_decoder(void)
{
    struct err err;
    TEST_ASSERT_TRUE_MESSAGE(decode_init(&decode, &isa_aarch64, &err),
                             err.text);
}

static void an_unallocated_word_is_unknown(void)
{
    static const uint8_t code[] = {0xff, 0xff, 0xff, 0xff};
    struct instruction in;
    open_decoder();
    TEST_ASSERT_EQUAL_UINT(4, decode_bytes(&decode, code, 4, 0x1000, &in));
    TEST_ASSERT_EQUAL(EFFECT_UNKNOWN, in.effect.kind);
    TEST_ASSERT_EQUAL_UINT(0, in.effect.n_accesses);
}

static void less_than_a_word_has_no_length(void)
{
    static const uint8_t code[] = {0x1f, 0x20, 0x03, 0xd5};
    struct instruction in;
    open_decoder();
    TEST_ASSERT_EQUAL_UINT(0, decode_bytes(&decode, code, 3, 0x1000, &in));
}

static void every_register_has_a_name_of_its_own(void)
{
    for (reg_id a = 0; a < isa_aarch64.n_regs; a++)
        for (reg_id b = 0; b < a; b++)
            TEST_ASSERT_NOT_EQUAL(
                0, strcmp(isa_aarch64.reg_name(a), isa_aarch64.reg_name(b)));
    TEST_ASSERT_EQUAL_STRING("sp",
                             isa_aarch64.reg_name(isa_aarch64.stack_register));
}

/* No word, however odd, may name a register that does not exist or overrun the
 * effect's arrays (the sanitizers watch those). */
static void check_registers(const struct regs *regs)
{
    TEST_ASSERT_LESS_OR_EQUAL_UINT(EFFECT_REGS, regs->n);
    for (int i = 0; i < regs->n; i++)
        TEST_ASSERT_TRUE(regs->r[i] < isa_aarch64.n_regs ||
                         regs->r[i] >= REG_READ);
}

static void check_effect(const struct effect *e)
{
    for (int i = 0; i < e->n_accesses; i++) {
        const struct effect_access *a = &e->accesses[i];
        check_registers(&a->addr);
        check_registers(&a->data);
        check_registers(&a->pick);
        TEST_ASSERT_TRUE(a->result < isa_aarch64.n_regs ||
                         a->result == REG_NONE);
        TEST_ASSERT_TRUE(a->size && a->size <= 16);
        TEST_ASSERT_TRUE(a->size != 16 || a->role != ACCESS_PLAIN);
    }
    for (int i = 0; i < e->n_flows; i++) {
        TEST_ASSERT_LESS_THAN_UINT(isa_aarch64.n_regs, e->flows[i].dst);
        check_registers(&e->flows[i].srcs);
    }
    check_registers(&e->branch_on);
}

static void any_word_decodes_to_a_sane_effect(void)
{
    uint64_t state = 1;
    open_decoder();
    for (int i = 0; i < 200000; i++) {
        state = state * UINT64_C(6364136223846793005) + 1442695040888963407;
        uint8_t code[4];
        uint32_t word = (uint32_t)(state >> 32);
        memcpy(code, &word, sizeof code);
        struct instruction in;
        decode_bytes(&decode, code, sizeof code, 0x1000, &in);
        check_effect(&in.effect);
    }
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(each_instruction_has_the_effect_in_the_table);
    RUN_TEST(the_bytes_in_the_table_are_those_of_the_assembler);
    RUN_TEST(an_unallocated_word_is_unknown);
    RUN_TEST(less_than_a_word_has_no_length);
    RUN_TEST(every_register_has_a_name_of_its_own);
    RUN_TEST(any_word_decodes_to_a_sane_effect);
    return UNITY_END();
}
