/* RISC-V as the rest of hwcheck sees it. */
#include "hw/isa/riscv64/riscv64.h"

#include <capstone/capstone.h>
#include <elf.h>

/* Words are held with their sign extended, as lr.w and amo...w leave them. */
static const struct isa_assembly assembly = {
    .address = "r",
    .value = "r",
    .clobbers = "~{memory}",
    .modifiers = "",
    .register_bits = 64,
    .extends_signed = true,
};

static const struct isa_sync sync = {
    .half = TAG_BIT(TAG_X),
    .acquire = TAG_BIT(TAG_RV_AQ),
    .release = TAG_BIT(TAG_RV_RL),
};

/* A pointer to the next argument. */
static const struct isa_va_list list = {8, 1, {{0, 8, true, 0}}};

const struct isa isa_riscv64 = {
    .name = "riscv64",
    .aliases = (const char *const[]){"riscv", "rv64", NULL},
    .elf_machine = EM_RISCV,
    .model = "rvwmo",
    .program_model = "rvwmo",
    .full_fence = TAG_FENCE_RW_RW,
    .triple = "riscv64-linux-gnu",
    .code_flags = (const char *const[]){"-march=rv64gc", NULL},
    .assembler_cpu = "sifive-u74", /* RV64GC */
    .assembly = &assembly,
    .intrinsics = "llvm.riscv.",
    .pause = "llvm.riscv.pause",
    .pauses = (const char *const[]){"pause", NULL},
    .va_list = &list,
    .dialects = rv_dialects,
    .sketch = &rv_sketch,
    .qemu = "qemu-riscv64",
    .cpu = "rv64",
    .step = 2,
    .exact_text = true,
    .trap = {0, 0}, /* c.unimp */
    .n_trap = 2,
    .system_calls = (const char *const[]){"ecall", NULL},
    .has_dependencies = true,
    .release = TAG_BIT(TAG_RV_RL) | TAG_BIT(TAG_RV_AQRL),
    .failed_loses = TAG_BIT(TAG_RV_RL) | TAG_BIT(TAG_X),
    .sync = &sync,
    .cs_arch = CS_ARCH_RISCV,
    .cs_mode = CS_MODE_RISCV64 | CS_MODE_RISCVC,
    .n_regs = RV_N_REGS,
    .stack_register = RV_SP,
    .result_register = RV_A0,
    .reg_name = rv_reg_name,
    .decode = rv_decode,
};
