/* Runs C programs given as text through the source runtime, without the engine:
 * one execution, thread after thread, in plain memory. What each thread did
 * comes out as lines of text to compare. */
#ifndef TESTS_SOURCE_DRIVER_H
#define TESTS_SOURCE_DRIVER_H

#include "core/path.h"
#include "frontend/source/compile.h"

#define DRIVER_THREADS 64

struct driver_thread {
    node_id node; /* NODE_NONE: not created */
    bool done;
    uint64_t result;
};

struct driver {
    struct program program;
    struct source source;
    struct path path;
    struct err err;
    struct driver_thread threads[DRIVER_THREADS];
    uint64_t *memory; /* by location; has[] says if it was written */
    bool *has;
    uint32_t cap;
    uint64_t choice; /* what choices return */
    uint64_t random; /* not 0: reads return anything */
    bool cold;       /* run every step from the thread's start */
    char trace[20000];
    size_t length;
};

/* Compiles a program whose text this is; false: err says why. In either case
 * driver_release is due. */
bool driver_compile(struct driver *d, const char *text);
bool driver_compile_with(struct driver *d, const char *text,
                         const struct source_options *options);
void driver_release(struct driver *d);

/* Runs the program once; explores again when granules change. The trace has a
 * line "T: what" for each label. False: the runtime failed. */
bool driver_run(struct driver *d);

/* Compiles, runs, and returns the trace, or the error, valid until the next
 * call. */
const char *driver_trace_of(const char *text);

/* The error of compiling, or "compiled". */
const char *driver_error_of(const char *text);

#endif
