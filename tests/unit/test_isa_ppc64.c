/* The decoder of Power against tests/isa/ppc64.table, in both byte orders.
 * `test_isa_ppc64 <isa> <file>` lists the unknown instructions of raw code
 * instead, see tests/isa/sweep.sh. */
#include "tests/harness/isa_table.h"

#include <unity.h>

extern const struct isa isa_ppc64, isa_ppc64le;

static const char table[] = "tests/isa/ppc64.table";

void setUp(void)
{
}

void tearDown(void)
{
}

static void every_row_has_its_effect(void)
{
    isa_table_check(&isa_ppc64le, table, false);
}

static void every_row_has_its_effect_in_big_endian(void)
{
    isa_table_check(&isa_ppc64, table, true);
}

static void the_table_is_large(void)
{
    TEST_ASSERT_GREATER_THAN(150, isa_table_size(table));
}

static void the_bytes_are_those_of_the_assembler(void)
{
    isa_table_reassemble(table);
}

/* The register that a pair's lower address goes to depends on byte order. */
static void vector_pairs_follow_the_byte_order(void)
{
    static const uint8_t lxvp_le[] = {0x00, 0x00, 0x83, 0x18}; /* vs4, r3 */
    static const uint8_t lxvp_be[] = {0x18, 0x83, 0x00, 0x00};
    isa_table_expect(&isa_ppc64le, lxvp_le, 4,
                     "R8 [r3] -> vs5; R8 [r3] -> +vs5; "
                     "R8 [r3] -> vs4; R8 [r3] -> +vs4");
    isa_table_expect(&isa_ppc64, lxvp_be, 4,
                     "R8 [r3] -> vs4; R8 [r3] -> +vs4; "
                     "R8 [r3] -> vs5; R8 [r3] -> +vs5");
}

static void no_bytes_no_instruction(void)
{
    static const uint8_t half_of_plwz[] = {0x00, 0x00, 0x00, 0x06};
    unsigned length =
        isa_table_expect(&isa_ppc64le, half_of_plwz, 4, "unknown");
    TEST_ASSERT_EQUAL_UINT(0, length);
}

static void the_zero_word_is_illegal(void)
{
    static const uint8_t zero[4];
    isa_table_expect(&isa_ppc64le, zero, 4, "trap");
}

int main(int argc, char **argv)
{
    if (argc == 3)
        return isa_sweep_main(
            (const struct isa *const[]){&isa_ppc64, &isa_ppc64le, NULL}, argv);
    UNITY_BEGIN();
    RUN_TEST(every_row_has_its_effect);
    RUN_TEST(every_row_has_its_effect_in_big_endian);
    RUN_TEST(the_table_is_large);
    RUN_TEST(the_bytes_are_those_of_the_assembler);
    RUN_TEST(vector_pairs_follow_the_byte_order);
    RUN_TEST(no_bytes_no_instruction);
    RUN_TEST(the_zero_word_is_illegal);
    return UNITY_END();
}
