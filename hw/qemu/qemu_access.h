/* What one instruction did to memory: matches the plugin's records with the
 * accesses of its effect and makes labels of them. */
#ifndef HW_QEMU_QEMU_ACCESS_H
#define HW_QEMU_QEMU_ACCESS_H

#include "hw/qemu/qemu_runtime.h"

/* Which access of the effect a record is: QEMU may split one in several. */
struct qemu_access {
    const struct effect *effect;
    int read, write;                  /* current accesses */
    unsigned read_bytes, write_bytes; /* done of them */
    struct spin_values values;
    struct deps_access deps[EFFECT_ACCESSES];
    uint8_t bytes[EFFECT_ACCESSES]; /* that QEMU told of each */
    uint8_t old[WIDE_BYTES];        /* what an atomic instruction read */
    struct effect joined;           /* see store_pair */
};

/* The instruction's first access comes next. */
void qemu_access_begin(struct qemu_access *m, const struct effect *e);
/* One access of it; false: the run ends there. */
bool qemu_access_memory(struct qemu_runtime *r, struct qemu_access *m,
                        const struct wire_record *rec);
/* Did QEMU tell of all that the instruction does to memory? */
bool qemu_access_is_complete(const struct qemu_access *m);
/* What the instruction does to the reservation, after its accesses; false: the
 * run ends there. */
bool qemu_access_end_reservation(struct qemu_runtime *r,
                                 const struct qemu_access *m);

#endif
