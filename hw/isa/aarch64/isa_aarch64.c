/* AArch64 as the rest of hwcheck sees it. */
#include "hw/isa/aarch64/aarch64.h"

#include <capstone/capstone.h>
#include <elf.h>

/* FEAT_LSE2 is part of ARMv8.4. */
static const struct isa_pair_flag pair_flags[] = {
    {"-march=", false},       {"-mcpu=", false},
    {"-march=armv8.4", true}, {"-march=armv8.5", true},
    {"-march=armv8.6", true}, {"-march=armv8.7", true},
    {"-march=armv8.8", true}, {"-march=armv8.9", true},
    {"-march=armv9", true},   {NULL, false},
};

static const struct isa_assembly assembly = {
    .address = "r",
    .value = "r",
    .clobbers = "~{cc},~{memory}",
    .modifiers = "wwwx",
    .register_bits = 32,
};

static const struct isa_sync sync = {
    .half = TAG_BIT(TAG_X),
    .acquire = TAG_BIT(TAG_ARM_A),
    .release = TAG_BIT(TAG_ARM_L),
};

/* Offsets that are not negative: no registers are left. */
static const struct isa_va_list list = {
    32,
    5,
    {{0, 8, true, 0},
     {8, 8, true, 0},
     {16, 8, true, 0},
     {24, 4, false, 0},
     {28, 4, false, 0}},
};

const struct isa isa_aarch64 = {
    .name = "aarch64",
    .aliases = (const char *const[]){"arm64", "armv8", "a64", NULL},
    .elf_machine = EM_AARCH64,
    .model = "armv8",
    .program_model = "armv8",
    .full_fence = TAG_DMB_SY,
    .triple = "aarch64-linux-gnu",
    .code_flags = (const char *const[]){"-mno-outline-atomics", NULL},
    .assembler_cpu = "",
    .pair_flags = pair_flags,
    .assembly = &assembly,
    .intrinsics = "llvm.aarch64.",
    .pause = "llvm.aarch64.hint",
    .pauses = (const char *const[]){"yield", "isb; nop", NULL},
    .va_list = &list,
    .dialects = a64_dialects,
    .sketch = &a64_sketch,
    .qemu = "qemu-aarch64",
    .cpu = "max",
    .step = 4,
    .exact_text = true,
    .trap = {0, 0, 0, 0}, /* udf #0 */
    .n_trap = 4,
    .system_calls = (const char *const[]){"svc", NULL},
    .has_dependencies = true,
    .release = TAG_BIT(TAG_ARM_L),
    .failed_loses = TAG_BIT(TAG_ARM_L) | TAG_BIT(TAG_X),
    .sync = &sync,
    .cs_arch = CS_ARCH_ARM64,
    .cs_mode = CS_MODE_ARM,
    .n_regs = A64_N_REGS,
    .stack_register = A64_SP,
    .result_register = A64_X0,
    .reg_name = a64_reg_name,
    .decode = a64_decode,
    .make_stub = a64_make_stub,
};
