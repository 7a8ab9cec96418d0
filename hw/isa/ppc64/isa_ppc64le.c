/* Power as the rest of hwcheck sees it: what both byte orders share, and
 * little-endian Power. */
#include "hw/isa/ppc64/ppc64.h"

#include <capstone/capstone.h>
#include <elf.h>

/* An operand in r0 would be taken for 0 by some instructions. */
const struct isa_assembly ppc_assembly = {
    .address = "b",
    .value = "b",
    .clobbers = "~{cr0},~{cr1},~{cr5},~{cr6},~{cr7},~{xer},~{memory}",
    .modifiers = "",
    .register_bits = 32,
};

/* Power has no marks on accesses but fences. */
const struct isa_sync ppc_sync = {.fence = TAG_BIT(TAG_LWSYNC)};

const struct isa_va_list ppc_va_list = {8, 1, {{0, 8, true, 0}}};

const struct isa isa_ppc64le = {
    .name = "ppc64le",
    .aliases = (const char *const[]){"powerpc64le", "ppc64el", "power", NULL},
    .triple = "powerpc64le-linux-gnu",
    .dialects = ppc_dialects,
    .qemu = "qemu-ppc64le",
    .cs_mode = (int)((unsigned)CS_MODE_64 | (unsigned)CS_MODE_LITTLE_ENDIAN),
    .decode = ppc_decode_little,
    PPC_ISA,
};
