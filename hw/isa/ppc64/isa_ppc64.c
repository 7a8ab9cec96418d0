/* Big-endian Power as the rest of hwcheck sees it; the rest is in
 * isa_ppc64le.c. */
#include "hw/isa/ppc64/ppc64.h"

#include <capstone/capstone.h>
#include <elf.h>

const struct isa isa_ppc64 = {
    .name = "ppc64",
    .aliases = (const char *const[]){"powerpc64", "ppc64be", NULL},
    .triple = "powerpc64-linux-gnu",
    /* As for ppc64le: older ones have no byte-wide lbarx. */
    .abi_flags = (const char *const[]){"-mabi=elfv2", "-mcpu=power8", NULL},
    /* Bitcode does not say. */
    .link_flags = (const char *const[]){"-mllvm", "-target-abi=elfv2", NULL},
    .qemu = "qemu-ppc64",
    .big_endian = true,
    .cs_mode = (int)((unsigned)CS_MODE_64 | (unsigned)CS_MODE_BIG_ENDIAN),
    .decode = ppc_decode_big,
    PPC_ISA,
};
