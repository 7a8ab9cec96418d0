/* The decoder of x86-64 against tests/isa/x86_64.table. `test_isa_x86_64 <isa>
 * <file>` lists the unknown instructions of raw code instead, see
 * tests/isa/sweep.sh. */
#include "tests/harness/isa_table.h"

#include <unity.h>

extern const struct isa isa_x86_64;

static const char table[] = "tests/isa/x86_64.table";

void setUp(void)
{
}

void tearDown(void)
{
}

static void every_row_has_its_effect(void)
{
    isa_table_check(&isa_x86_64, table, false);
}

static void the_table_is_large(void)
{
    TEST_ASSERT_GREATER_THAN(150, isa_table_size(table));
}

static void the_bytes_are_those_of_the_assembler(void)
{
    isa_table_reassemble(table);
}

/* A prefix that means nothing here must not be taken for an atomic access. */
static void a_lock_prefix_on_a_load_is_unknown(void)
{
    static const uint8_t lock_mov[] = {0xf0, 0x8b, 0x07, 0x90};
    isa_table_expect(&isa_x86_64, lock_mov, sizeof lock_mov, "unknown");
}

int main(int argc, char **argv)
{
    if (argc == 3)
        return isa_sweep_main((const struct isa *const[]){&isa_x86_64, NULL},
                              argv);
    UNITY_BEGIN();
    RUN_TEST(every_row_has_its_effect);
    RUN_TEST(the_table_is_large);
    RUN_TEST(the_bytes_are_those_of_the_assembler);
    RUN_TEST(a_lock_prefix_on_a_load_is_unknown);
    return UNITY_END();
}
