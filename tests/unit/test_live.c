/* Which registers matter at the head of a waiting loop, on each ISA. */
#include "hw/live.h"

#include <string.h>
#include <unity.h>

extern const struct isa isa_aarch64, isa_ppc64le, isa_x86_64;

enum { PC = 0x1000 };

static struct decode decode;
static struct live live;

void setUp(void)
{
}

void tearDown(void)
{
    live_release(&live);
    decode_release(&decode);
}

static reg_id reg(const char *name)
{
    for (reg_id r = 0; r < decode.isa->n_regs; r++)
        if (strcmp(decode.isa->reg_name(r), name) == 0)
            return r;
    TEST_FAIL_MESSAGE(name);
    return REG_NONE;
}

static void code(const struct isa *isa, const uint8_t *bytes, size_t n,
                 const char *result)
{
    struct err err = {0};
    TEST_ASSERT_TRUE(decode_init(&decode, isa, &err));
    decode_add_section(&decode, PC, bytes, n);
    decode_find_loops(&decode, PC, PC + n);
    live_init(&live, &decode, reg(result));
}

static uint8_t part(const char *name, bool outermost)
{
    return live_at(&live, PC, outermost)->parts[reg(name)];
}

/* loop: ldr w1, [x0]; cbz w1, loop; mov w0, w1; ret */
static const uint8_t a64[] = {0x01, 0x00, 0x40, 0xb9, 0xe1, 0xff, 0xff, 0x34,
                              0xe0, 0x03, 0x01, 0x2a, 0xc0, 0x03, 0x5f, 0xd6};

static void what_is_loaded_first_does_not_matter(void)
{
    code(&isa_aarch64, a64, sizeof a64, "x0");
    TEST_ASSERT_TRUE(decode_at(&decode, PC)->is_loop_head);
    TEST_ASSERT_FALSE(decode_at(&decode, PC + 4)->is_loop_head);
    TEST_ASSERT_EQUAL(LIVE_WHOLE, part("x0", true));
    TEST_ASSERT_EQUAL(LIVE_WHOLE, part("x30", true)); /* ret reads it */
    TEST_ASSERT_EQUAL(0, part("x1", true));
    TEST_ASSERT_EQUAL(0, part("x2", true));
}

static void a_caller_may_read_all_else(void)
{
    code(&isa_aarch64, a64, sizeof a64, "x0");
    TEST_ASSERT_EQUAL(0, part("x1", false));
    TEST_ASSERT_EQUAL(LIVE_WHOLE, part("x2", false));
    TEST_ASSERT_EQUAL(LIVE_WHOLE, part("nzcv", false));
}

static void code_that_is_not_there_may_read_all(void)
{
    code(&isa_aarch64, a64, 8, "x0");
    TEST_ASSERT_EQUAL(0, part("x1", true));
    TEST_ASSERT_EQUAL(LIVE_WHOLE, part("x2", true));
}

/* loop: lwz 8, 0(3); cmpwi 0, 8, 0; cmpwi 1, 8, 1; crorc 20, 1, 6;
 * bt 20, loop; blr */
static void bits_of_a_condition_are_told_apart(void)
{
    static const uint8_t bytes[] = {
        0x00, 0x00, 0x03, 0x81, 0x00, 0x00, 0x08, 0x2c, 0x01, 0x00, 0x88, 0x2c,
        0x42, 0x33, 0x81, 0x4e, 0xf0, 0xff, 0x94, 0x41, 0x20, 0x00, 0x80, 0x4e};
    code(&isa_ppc64le, bytes, sizeof bytes, "r3");
    TEST_ASSERT_TRUE(decode_at(&decode, PC)->is_loop_head);
    TEST_ASSERT_EQUAL(0, part("cr0", false));
    TEST_ASSERT_EQUAL(0, part("cr5", true));
    TEST_ASSERT_EQUAL(LIVE_WHOLE & ~1, part("cr5", false));
    TEST_ASSERT_EQUAL(LIVE_WHOLE, part("r3", true));
    TEST_ASSERT_EQUAL(0, part("r8", false));
}

/* loop: mov (%rdi), %ecx; test %ecx, %ecx; setns %dl; or %cl, %dl; jne loop;
 * xor %eax, %eax; ret */
static void a_cleared_register_is_not_read(void)
{
    static const uint8_t bytes[] = {0x8b, 0x0f, 0x85, 0xc9, 0x0f, 0x99, 0xc2,
                                    0x08, 0xca, 0x75, 0xf5, 0x31, 0xc0, 0xc3};
    code(&isa_x86_64, bytes, sizeof bytes, "rax");
    TEST_ASSERT_TRUE(decode_at(&decode, PC)->is_loop_head);
    TEST_ASSERT_EQUAL(0, part("rax", false));
    TEST_ASSERT_EQUAL(0, part("rcx", false));
    TEST_ASSERT_EQUAL(LIVE_WHOLE & ~1, part("rdx", false));
    TEST_ASSERT_EQUAL(0, part("rbx", true));
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(what_is_loaded_first_does_not_matter);
    RUN_TEST(a_caller_may_read_all_else);
    RUN_TEST(code_that_is_not_there_may_read_all);
    RUN_TEST(bits_of_a_condition_are_told_apart);
    RUN_TEST(a_cleared_register_is_not_read);
    return UNITY_END();
}
