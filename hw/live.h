/* Which registers matter from an instruction on: those that some path reads
 * before it writes them. A loop's state is made of these alone; what its last
 * iteration left in the others makes no difference.
 *
 * From decoded code, within a function: where control is lost sight of (calls,
 * indirect jumps, returns to unknown places) everything counts as read. */
#ifndef HW_LIVE_H
#define HW_LIVE_H

#include "hw/decode.h"

struct live_set {
    uint8_t parts[256]; /* of each register; LIVE_WHOLE: all of it */
};
#define LIVE_WHOLE 0xff

struct live_entry {
    uint64_t pc;
    bool outermost;
    struct live_set set;
};

struct live {
    struct decode *decode;
    reg_id result;            /* register of a function's result */
    struct live_entry *known; /* few: heads of loops */
    uint32_t n, cap;
};

/* `decode` must live as long. */
void live_init(struct live *l, struct decode *decode, reg_id result);
void live_release(struct live *l);

/* The registers that matter at pc; valid until the next call. `outermost`: a
 * return from here ends the thread, and only its result is looked at. */
const struct live_set *live_at(struct live *l, uint64_t pc, bool outermost);

#endif
