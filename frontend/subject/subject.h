/* The program under test, ready to be explored: its C source run in process, or
 * with an ISA its machine code run under QEMU. */
#ifndef FRONTEND_SUBJECT_H
#define FRONTEND_SUBJECT_H

#include "frontend/base/options.h"
#include "frontend/source/compile.h"
#include "frontend/target/target.h"
#include "hw/qemu/qemu_runtime.h"

struct subject {
    const struct isa *isa; /* NULL: the source */
    struct program program;
    struct source source;
    struct target target;
    struct qemu_runtime machine;
    uint32_t main;
};

/* Compiles `path` as the options say (--arch, --cc, --elf, flags after --);
 * with --link all operands are the program, of which it is the first.
 * Call subject_release in either case. */
bool subject_init(struct subject *s, const struct options *o,
                  const struct isa *isa, const char *path, struct err *err);
void subject_release(struct subject *s);

/* The function of that name, to start with instead of main; UINT32_MAX: there
 * is none. */
uint32_t subject_function(struct subject *s, const char *name);
/* Calls `visit` with each function of the source that --entry names, in the
 * order of the text. */
void subject_each_entry(const struct subject *s, const char *entry,
                        void (*visit)(void *self, const char *name),
                        void *self);

/* The port; valid until subject_release. */
const struct runtime *subject_runtime(struct subject *s);

/* The instruction behind a label, "" on the source side or in the library. */
const char *subject_instruction(struct subject *s, node_id node, uint64_t *pc);

#endif
