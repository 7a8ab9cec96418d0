/* Does a loop only wait? A machine state in hashes: each register holds a hash
 * of how its value came about, from the constants, the values that were loaded
 * and the instructions in between; private memory is known byte by byte. Equal
 * states mean equal machines, whatever the registers really hold; registers
 * that no one reads any more (live.h) are left out. A loop that comes back to
 * its head in the state it had there before, and did nothing in between that
 * another thread could see, can only read again.
 *
 * One run of one thread; reset for each. */
#ifndef HW_QEMU_QEMU_SPIN_H
#define HW_QEMU_QEMU_SPIN_H

#include "hw/live.h"

struct spin_word {
    uint64_t key; /* address / 8 + 1; 0: free */
    uint64_t bytes;
    uint32_t run;
};

struct spin_loop {
    uint64_t head; /* pc; 0: free */
    uint32_t run;
    uint64_t state, effects, events; /* at the last arrival */
    uint64_t iterations, busy;       /* since it was entered */
    uint64_t round;                  /* events of the last iteration */
    uint64_t quiet;                  /* the last ones, which only read */
};

/* Writes to a part of a register, oldest first. One to the same part covers an
 * older one: of the same mask, or by the same instruction. */
#define SPIN_PARTS 4
struct spin_reg {
    uint64_t whole; /* the last write to all of it */
    reg_id copy_of; /* what it was before it came here; REG_NONE */
    uint32_t n_parts;
    struct {
        uint64_t part, value; /* part: its mask, else pc */
    } parts[SPIN_PARTS];
};

enum { SPIN_WRITTEN = 256 / 64 };

struct spin {
    reg_id n_regs, result; /* register of a function's result */
    struct spin_reg regs[256];
    uint64_t initial[256];
    uint64_t written[SPIN_WRITTEN]; /* a bit a register, in this run */
    uint64_t memory;                /* hash of all private memory */
    uint64_t salt; /* of what the library was told since its last call */
    uint32_t run;
    struct spin_word *words; /* open-addressed */
    uint32_t n_words, words_cap;
    struct spin_loop *loops; /* open-addressed */
    uint32_t n_loops, loops_cap;
    uint64_t effects, events;
};

void spin_init(struct spin *s, const struct isa *isa);
void spin_release(struct spin *s);
/* A new run. */
void spin_reset(struct spin *s);

/* What an instruction got: the value that its access i read. */
struct spin_values {
    uint64_t low[EFFECT_ACCESSES], high[EFFECT_ACCESSES];
};
/* An instruction was executed. */
void spin_step(struct spin *s, uint64_t pc, const struct effect *e,
               const struct spin_values *read);
/* It stored to private memory. */
void spin_store(struct spin *s, uint64_t addr, const uint8_t *bytes,
                unsigned size);
/* The library was called from pc, and got `salt` from outside in the end.
 * `pauses`: to yield, which is nothing and returns a constant. */
void spin_call(struct spin *s, uint64_t pc, bool pauses);

enum spin_result { SPIN_GO_ON, SPIN_BLOCK, SPIN_ENDLESS };
/* Control comes to `head`, where the registers of `live` matter; `back`: by a
 * jump backwards, else the loop is entered anew. Its counts, for bounds, go to
 * *loop. */
enum spin_result spin_arrive(struct spin *s, uint64_t head, bool back,
                             const struct live_set *live,
                             const struct spin_loop **loop);

#endif
