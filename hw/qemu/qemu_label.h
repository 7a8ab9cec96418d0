/* Labels of the run that is being replayed: qemu_replay.c makes them of the
 * program's instructions, qemu_library.c of its calls of the library. */
#ifndef HW_QEMU_QEMU_LABEL_H
#define HW_QEMU_QEMU_LABEL_H

#include "hw/qemu/qemu_runtime.h"

bool qemu_label_is_user_code(const struct qemu_runtime *r, uint64_t pc);

/* ---- adding */

/* Is it new to the path cache? */
bool qemu_label_is_live(const struct qemu_replay *p);

void qemu_label_add(struct qemu_runtime *r, const struct label *label,
                    uint64_t pc);
void qemu_label_add_fence(struct qemu_runtime *r, uint64_t tags, uint64_t pc);

/* Adds a label that wants a value. True: it is known, or is `guess` (which may
 * be NULL); in replay.last_value. */
bool qemu_label_ask(struct qemu_runtime *r, const struct label *label,
                    uint64_t pc, const uint64_t *guess);

/* The last one. */
void qemu_label_end(struct qemu_runtime *r, const struct label *label,
                    uint64_t pc);
void qemu_label_end_with(struct qemu_runtime *r, enum label_kind kind,
                         uint64_t value, const char *fmt, ...)
    __attribute__((format(printf, 4, 5)));
/* `value`: see LABEL_BLOCK. */
void qemu_label_block(struct qemu_runtime *r, enum block_reason reason,
                      uint64_t value);
/* A load-exclusive that is not what it was taken for. */
void qemu_label_unstored(struct qemu_runtime *r);
/* The granules were cut anew: what comes now does not count. */
void qemu_label_stale(struct qemu_runtime *r);

/* Are we still to go on? What a guess leads to must not make anything new. */
bool qemu_label_may_touch(struct qemu_runtime *r,
                          const struct wire_record *rec);

/* ---- memory */

struct qemu_target {
    uint64_t object; /* start of the allocated object; 0: none */
    bool zero;       /* initial value is zero; else the image's */
    bool tls;
};

/* The guest's bytes as a value (16: the word of core/wide.h). */
uint64_t qemu_label_value(const struct qemu_runtime *r, const uint8_t *bytes,
                          unsigned size);

/* What the bytes at `addr` belong to; false: a label says why not. */
bool qemu_label_resolve(struct qemu_runtime *r, uint64_t addr, unsigned size,
                        bool write, struct qemu_target *t);
loc_id qemu_label_location(struct qemu_runtime *r, const struct qemu_target *t,
                           uint64_t addr, unsigned size);

/* An access that is one event whatever others do; false: it cannot be, and a
 * label says so. */
bool qemu_label_fits_whole(struct qemu_runtime *r, uint64_t addr,
                           unsigned size);

/* A label for an access; its location is still to be set. */
struct label qemu_label_access(struct qemu_runtime *r, bool write,
                               uint64_t tags, unsigned size);

/* ---- the tape: what the thread asked for */

/* The node of what is asked now; its value is told by the other. */
uint32_t qemu_label_tape_next(struct qemu_runtime *r, uint64_t pc,
                              uint64_t addr, unsigned size, bool follows);
void qemu_label_tape_answer(struct qemu_runtime *r, uint32_t node,
                            uint64_t key);

/* ---- the library */

/* What was asked of the library; false: nothing more comes of the run. */
bool qemu_library_operation(struct qemu_runtime *r,
                            const struct wire_record *rec);

#endif
