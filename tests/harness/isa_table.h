/* Tests of instruction decoders by tables: tests/isa/<name>.table holds one
 * instruction a line, `bytes | assembly | effect`, where the bytes are in the
 * order of memory and the effect is in the notation of isa_effect_print. A line
 * `# assemble: <options>` gives llvm-mc's options, by which the bytes are made
 * and checked again (tests/isa/assemble.sh); other lines with # are comments.
 *
 * The notation, items separated by `;`:
 *
 *   R4 [r4 r5] -> r3         read 4 bytes at an address made of r4 and r5
 *   R4 [r4] -> +r3           the same, r3 keeps what it also depended on
 *   W8 [r4] <- r3            write
 *   R4.ex EX [r3] -> r5      exclusive, with tag EX; .amo and .cas as well
 *   W4.ex EX [a1] <- a2 -> a0  its success is told by a0, which depends on it
 *   W4.cas X [rdi] <- rdx pick rax
 *   W8.ordered, W8.weak      volatile_order, outside_model
 *   F SYNC                   a fence with its tags (F itself left out)
 *   r3 := r4 r5              flow: replaces; a constant has no sources
 *   r3 += r4                 flow: merges
 *   r3 := cr0(2) ? r4 : -    flow: selects by condition 2
 *   goto, goto r5            jump; indirect jump
 *   if cr0                   conditional branch
 *   call, call r5, return lr
 *   clrex                    forgets the reservation
 *   -                        nothing, unknown, trap: the whole effect
 *
 * A source `mem` is REG_READ. */
#ifndef TESTS_ISA_TABLE_H
#define TESTS_ISA_TABLE_H

#include "hw/isa.h"

/* Fails the running Unity test at the first lines whose effect differs; path is
 * relative to the root. `swap` turns each group of four bytes around first. */
void isa_table_check(const struct isa *isa, const char *path, bool swap);

/* Fails if llvm-mc makes other bytes of the table; ignored without llvm-mc. */
void isa_table_reassemble(const char *path);

/* How many instructions the table has. */
unsigned isa_table_size(const char *path);

/* Writes the effect to `text` in the notation above. */
void isa_effect_print(const struct isa *isa, const struct effect *e, char *text,
                      size_t cap);

/* Fails unless the code decodes to this effect; returns the length found. */
unsigned isa_table_expect(const struct isa *isa, const uint8_t *code,
                          size_t bytes, const char *effect);

/* Main function of a sweep, `<program> <isa> <file>`: decodes the file's bytes
 * and prints the unknown instructions to stdout. Returns the exit code: 1 if
 * there were any, 2 for bad usage. `isas` ends in NULL. */
int isa_sweep_main(const struct isa *const *isas, char **argv);

#endif
