/* The runtime port over native code: runs the threads of an instrumented
 * program in this process, each on a stack of its own, and stops them where
 * they need a value.
 *
 * One thread of hwcheck uses a source_runtime at a time. From its first run to
 * its release, handlers for SIGSEGV, SIGBUS, SIGFPE and SIGILL are installed,
 * which leave faults outside the program under test to those they replaced. */
#ifndef FRONTEND_SOURCE_RUNTIME_H
#define FRONTEND_SOURCE_RUNTIME_H

#include "core/err.h"
#include "core/runtime.h"
#include "frontend/source/hooks.h"

struct source_runtime {
    struct runtime runtime; /* the port */
    struct hooks hooks;
    uint64_t *past; /* scratch: values of the thread to be run */
    uint32_t past_cap;
    uint64_t cold, warm; /* runs from the start, and from where one stood */
    bool uses_handlers;
};

/* The image must live as long and get its addresses before the first run;
 * `program` likewise. The address of `r` goes into instrumented code. */
void source_runtime_init(struct source_runtime *r, struct image *image,
                         struct program *program);
void source_runtime_release(struct source_runtime *r);

/* Name of an address for reports: program's `name`; self is the runtime. */
void source_runtime_name(const void *self, uint64_t addr, unsigned size,
                         char *buf, size_t cap);

#endif
