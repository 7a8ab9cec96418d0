/* x86-64 as the rest of hwcheck sees it. */
#include "hw/isa/x86_64/x86_64.h"

#include <elf.h>

/* AVX says that aligned pairs are single. */
static const struct isa_pair_flag pair_flags[] = {
    {"-mavx", true},
    {"-mno-avx", false},
    {"-march=x86-64-v3", true},
    {"-march=x86-64-v4", true},
    {NULL, false},
};

static const struct isa_assembly assembly = {
    .address = "r",
    .value = "r",
    .clobbers = "~{dirflag},~{fpsr},~{flags},~{memory}",
    .modifiers = "bwkq",
    .accumulator_of = "cmpxchg",
    .accumulator = "{ax}",
};

/* A mutex is taken and given back by LOCKed instructions. */
static const struct isa_sync sync = {
    .half = TAG_BIT(TAG_X),
    .unlock = TAG_BIT(TAG_X),
};

/* Both offsets into the area of registers are at its end. */
static const struct isa_va_list list = {
    24,
    4,
    {{0, 4, false, 48}, {4, 4, false, 176}, {8, 8, true, 0}, {16, 8, true, 0}},
};

const struct isa isa_x86_64 = {
    .name = "x86_64",
    .aliases = (const char *const[]){"x86-64", "x86", "amd64", "x64", NULL},
    .elf_machine = EM_X86_64,
    .model = "tso",
    .program_model = "tso",
    .full_fence = TAG_MFENCE,
    .triple = "x86_64-linux-gnu",
    /* Else atomics of 16 bytes are calls. */
    .ir_flags = (const char *const[]){"-mcx16", NULL},
    .assembler_cpu = "",
    .pair_flags = pair_flags,
    .assembly = &assembly,
    .intrinsics = "llvm.x86.",
    .pause = "llvm.x86.sse2.pause",
    .pauses =
        (const char *const[]){"pause", "rep; nop", "rep nop", "rep;nop", NULL},
    .va_list = &list,
    .long_double_bytes = 10, /* x87's; 6 of padding */
    .dialects = x86_dialects,
    .sketch = &x86_sketch,
    .qemu = "qemu-x86_64",
    .cpu = "max",
    .step = 1,
    .trap = {0x0f, 0x0b}, /* ud2 */
    .n_trap = 2,
    .system_calls = (const char *const[]){"syscall", "int 0x80", NULL},
    .loads_in_order = true,
    .private_amo = TAG_BIT(TAG_MFENCE),
    .sync = &sync,
    .cs_arch = CS_ARCH_X86,
    .cs_mode = CS_MODE_64,
    .n_regs = X86_N_REGS,
    .stack_register = X86_RSP,
    .result_register = X86_RAX,
    .reg_name = x86_reg_name,
    .decode = x86_decode,
};
