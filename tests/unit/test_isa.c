/* What each ISA of the registry must have, whichever it is. */
#include "hw/decode.h"
#include "hw/isa.h"
#include "hw/litmus_dialect.h"

#include <string.h>
#include <unity.h>

void setUp(void)
{
}

void tearDown(void)
{
}

static void names_are_found_and_belong_to_one(void)
{
    TEST_ASSERT_NOT_NULL(isa_registry[0]);
    for (const struct isa *const *i = isa_registry; *i; i++) {
        TEST_ASSERT_EQUAL_PTR(*i, isa_find((*i)->name));
        for (const char *const *a = (*i)->aliases; a && *a; a++)
            TEST_ASSERT_EQUAL_PTR_MESSAGE(*i, isa_find(*a), *a);
        TEST_ASSERT_EQUAL_PTR(*i,
                              isa_of_elf((*i)->elf_machine, (*i)->big_endian));
        TEST_ASSERT_EQUAL_PTR(*i, isa_of_triple((*i)->triple));
    }
    TEST_ASSERT_NULL(isa_find("pdp11"));
    TEST_ASSERT_NULL(isa_of_elf(0, false));
    TEST_ASSERT_NULL(isa_of_triple("pdp11-dec-unix"));
}

static void nothing_that_is_needed_is_missing(void)
{
    for (const struct isa *const *i = isa_registry; *i; i++) {
        const struct isa *isa = *i;
        const void *const needed[] = {
            isa->model, isa->program_model, isa->assembler_cpu, isa->qemu,
            isa->cpu,   isa->reg_name,      isa->decode};
        for (size_t k = 0; k < sizeof needed / sizeof *needed; k++)
            TEST_ASSERT_NOT_NULL_MESSAGE(needed[k], isa->name);
        TEST_ASSERT_TRUE(TAGS_ISA & TAG_BIT(isa->full_fence));
        TEST_ASSERT_TRUE(TAGS_THREAD_SYNC & TAG_BIT(isa->full_fence));
        TEST_ASSERT_LESS_THAN(isa->n_regs, isa->stack_register);
        TEST_ASSERT_LESS_THAN(isa->n_regs, isa->result_register);
        TEST_ASSERT_LESS_THAN(REG_READ, isa->n_regs);
        for (reg_id r = 0; r < isa->n_regs; r++)
            TEST_ASSERT_NOT_EQUAL(0, isa->reg_name(r)[0]);
    }
}

static void the_trap_is_one(void)
{
    for (const struct isa *const *i = isa_registry; *i; i++) {
        struct decode d;
        struct err err = {0};
        struct instruction in;
        TEST_ASSERT_TRUE_MESSAGE(decode_init(&d, *i, &err), err.text);
        TEST_ASSERT_EQUAL((*i)->n_trap,
                          decode_bytes(&d, (*i)->trap, (*i)->n_trap, 0, &in));
        TEST_ASSERT_EQUAL(EFFECT_TRAP, in.effect.kind);
        TEST_ASSERT_EQUAL(0, (*i)->n_trap % (*i)->step);
        decode_release(&d);
    }
}

static void dialects_know_their_registers(void)
{
    const struct litmus_dialect *d;
    for (uint32_t i = 0; (d = litmus_dialect_nth(i)) != NULL; i++) {
        unsigned bytes;
        TEST_ASSERT_NOT_NULL_MESSAGE(isa_find(d->isa), d->name);
        TEST_ASSERT_TRUE(d->n_registers <= LITMUS_REGISTERS_MAX);
        TEST_ASSERT_EQUAL(-1, d->find("nothing", &bytes));
        if (d->link)
            TEST_ASSERT_TRUE(d->find(d->link, &bytes) >= 0);
        /* Store-conditionals come with all that is asked of them. */
        if (d->conditionals)
            TEST_ASSERT_TRUE(d->retry && d->choose && d->forget && d->plain &&
                             d->compares && d->sets_flags && d->asks_flags &&
                             d->vectors);
    }
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(names_are_found_and_belong_to_one);
    RUN_TEST(nothing_that_is_needed_is_missing);
    RUN_TEST(the_trap_is_one);
    RUN_TEST(dialects_know_their_registers);
    return UNITY_END();
}
