/* The RISC-V decoder, by the tables tests/isa/riscv64.table and
 * riscv64_compressed.table. */
#include "hw/decode.h"
#include "tests/harness/isa_table.h"

#include <string.h>
#include <unity.h>

extern const struct isa isa_riscv64;

static struct decode decode;

static const char table[] = "tests/isa/riscv64.table";
static const char compressed[] = "tests/isa/riscv64_compressed.table";

void setUp(void)
{
}

void tearDown(void)
{
    decode_release(&decode);
}

static void each_instruction_has_the_effect_in_the_table(void)
{
    isa_table_check(&isa_riscv64, table, false);
    isa_table_check(&isa_riscv64, compressed, false);
    TEST_ASSERT_GREATER_THAN_UINT(200, isa_table_size(table));
    TEST_ASSERT_GREATER_THAN_UINT(35, isa_table_size(compressed));
}

static void the_bytes_in_the_table_are_those_of_the_assembler(void)
{
    isa_table_reassemble(table);
    isa_table_reassemble(compressed);
}

static void open_decoder(void)
{
    struct err err;
    TEST_ASSERT_TRUE_MESSAGE(decode_init(&decode, &isa_riscv64, &err),
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

/* The two lowest bits tell how long an instruction is. */
static void less_than_an_instruction_has_no_length(void)
{
    static const uint8_t word[] = {0x13, 0x00, 0x00, 0x00};
    static const uint8_t half[] = {0x01, 0x00, 0x01, 0x00};
    struct instruction in;
    open_decoder();
    TEST_ASSERT_EQUAL_UINT(4, decode_bytes(&decode, word, 4, 0x1000, &in));
    TEST_ASSERT_EQUAL_UINT(0, decode_bytes(&decode, word, 3, 0x1000, &in));
    TEST_ASSERT_EQUAL_UINT(0, decode_bytes(&decode, word, 2, 0x1000, &in));
    TEST_ASSERT_EQUAL_UINT(2, decode_bytes(&decode, half, 4, 0x1000, &in));
    TEST_ASSERT_EQUAL_UINT(2, decode_bytes(&decode, half, 2, 0x1000, &in));
    TEST_ASSERT_EQUAL_UINT(0, decode_bytes(&decode, half, 1, 0x1000, &in));
}

static uint64_t target_of(uint32_t code, unsigned length)
{
    const uint8_t bytes[] = {(uint8_t)code, (uint8_t)(code >> 8),
                             (uint8_t)(code >> 16), (uint8_t)(code >> 24)};
    struct instruction in;
    TEST_ASSERT_EQUAL_UINT(
        length, decode_bytes(&decode, bytes, length, 0x10000000, &in));
    return in.effect.target - 0x10000000;
}

/* Bytes as llvm-mc makes them. */
static void branches_have_their_targets(void)
{
    open_decoder();
    TEST_ASSERT_EQUAL_HEX64(0xaaaaa, target_of(0x2abaa06f, 4)); /* j 0xaaaaa */
    TEST_ASSERT_EQUAL_HEX64(-(uint64_t)0x100000, target_of(0x8000006f, 4));
    TEST_ASSERT_EQUAL_HEX64(0xffffe, target_of(0x7ffff06f, 4));
    TEST_ASSERT_EQUAL_HEX64(0xaaa, target_of(0x2a0005e3, 4)); /* beqz zero */
    TEST_ASSERT_EQUAL_HEX64(-(uint64_t)0x1000, target_of(0x80000063, 4));
    TEST_ASSERT_EQUAL_HEX64(0x2aa, target_of(0xa46d, 2)); /* c.j 0x2aa */
    TEST_ASSERT_EQUAL_HEX64(0x554, target_of(0xab91, 2));
    TEST_ASSERT_EQUAL_HEX64(-(uint64_t)0x800, target_of(0xb001, 2));
    TEST_ASSERT_EQUAL_HEX64(0xaa, target_of(0xc54d, 2)); /* c.beqz a0, 0xaa */
    TEST_ASSERT_EQUAL_HEX64(0x54, target_of(0xe931, 2)); /* c.bnez a0, 0x54 */
    TEST_ASSERT_EQUAL_HEX64(-(uint64_t)0x100, target_of(0xd101, 2));
}

static void every_register_has_a_name_of_its_own(void)
{
    for (reg_id a = 0; a < isa_riscv64.n_regs; a++)
        for (reg_id b = 0; b < a; b++)
            TEST_ASSERT_NOT_EQUAL(
                0, strcmp(isa_riscv64.reg_name(a), isa_riscv64.reg_name(b)));
    TEST_ASSERT_EQUAL_STRING("sp",
                             isa_riscv64.reg_name(isa_riscv64.stack_register));
}

/* No word, however odd, may name a register that does not exist or overrun the
 * effect's arrays (the sanitizers watch those). */
static void check_registers(const struct regs *regs)
{
    TEST_ASSERT_LESS_OR_EQUAL_UINT(EFFECT_REGS, regs->n);
    for (int i = 0; i < regs->n; i++)
        TEST_ASSERT_TRUE(regs->r[i] < isa_riscv64.n_regs ||
                         regs->r[i] >= REG_READ);
}

static void check_effect(const struct effect *e)
{
    for (int i = 0; i < e->n_accesses; i++) {
        const struct effect_access *a = &e->accesses[i];
        check_registers(&a->addr);
        check_registers(&a->data);
        check_registers(&a->pick);
        TEST_ASSERT_TRUE(a->result < isa_riscv64.n_regs ||
                         a->result == REG_NONE);
        TEST_ASSERT_TRUE(a->size && a->size <= 16);
        TEST_ASSERT_TRUE(a->size != 16 || a->role != ACCESS_PLAIN);
    }
    for (int i = 0; i < e->n_flows; i++) {
        TEST_ASSERT_LESS_THAN_UINT(isa_riscv64.n_regs, e->flows[i].dst);
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
    RUN_TEST(less_than_an_instruction_has_no_length);
    RUN_TEST(branches_have_their_targets);
    RUN_TEST(every_register_has_a_name_of_its_own);
    RUN_TEST(any_word_decodes_to_a_sane_effect);
    return UNITY_END();
}
