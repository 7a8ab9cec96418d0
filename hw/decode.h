/* The instructions of a program image: decodes on demand and remembers by
 * address, so that each is decoded once a run. */
#ifndef HW_DECODE_H
#define HW_DECODE_H

#include "core/err.h"
#include "hw/isa.h"

struct instruction {
    uint64_t pc;
    uint8_t length;    /* bytes */
    bool is_loop_head; /* see decode_find_loops */
    char text[78];     /* assembly, for reports */
    struct effect effect;
};

struct decode_section {
    uint64_t address;
    size_t bytes;
    const uint8_t *code; /* borrowed */
};

struct decode {
    const struct isa *isa;
    size_t handle; /* capstone's; 0: not open */
    struct decode_section *sections;
    uint32_t n_sections, sections_cap;
    struct instruction **chunks; /* never move, so that pointers stay */
    uint32_t n, n_chunks, chunks_cap;
    uint32_t *index; /* open-addressed hash by pc: ordinal + 1 */
    uint32_t index_cap;
};

/* Of the disassembler: "5.0". */
void decode_version(char *buf, size_t cap);

/* Fails if capstone does not support the ISA. */
bool decode_init(struct decode *d, const struct isa *isa, struct err *err);
void decode_release(struct decode *d);

/* Says where code is. `code` must live as long as `d`. */
void decode_add_section(struct decode *d, uint64_t address, const uint8_t *code,
                        size_t bytes);

/* The instruction at pc, valid until decode_release; NULL if no section holds
 * a whole instruction there. */
const struct instruction *decode_at(struct decode *d, uint64_t pc);

/* Marks the targets of all branches backwards in [from, to). */
void decode_find_loops(struct decode *d, uint64_t from, uint64_t to);

/* Reads an effect from bytes that belong to no section; as isa.decode. */
unsigned decode_bytes(const struct decode *d, const uint8_t *code, size_t bytes,
                      uint64_t pc, struct instruction *out);

#endif
