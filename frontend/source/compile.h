/* The source side of a check: compiles a C program with clang, instruments it,
 * and puts it in memory as a runtime. */
#ifndef FRONTEND_COMPILE_H
#define FRONTEND_COMPILE_H

#include "core/err.h"
#include "core/program.h"
#include "core/runtime.h"
#include "frontend/source/source_image.h"

struct isa;

struct source_options {
    /* The machine whose ABI the program has; NULL: the host, and its C
     * library's headers. */
    const struct isa *abi;
    /* The user's flags: -D, -I, -std; what concerns optimisation or output is
     * overridden. Read only while compiling. */
    const char *const *cflags;
    int n_cflags;
    uint64_t unroll;  /* iterations of a loop with events; 0: default */
    bool show_output; /* let what the program prints through, to stderr */
    /* Functions to start with besides main: a name, or its beginning and a *;
     * or NULL. */
    const char *entry;
    const char *const *more; /* the other files of the program */
    uint32_t n_more;
};

/* A program in memory. */
struct source {
    struct image image;
    struct source_runtime *runtime;
    void *jit;    /* LLVM's */
    uint64_t key; /* programs of different ABIs that have the same are alike */
};

/* Compiles `path` (with options->more: as one program) and fills `program`,
 * which must live as long as `s`. __HWCHECK_SOURCE__ is defined. On failure err
 * says why, after clang's own messages on stderr. Call source_release in either
 * case. */
bool compile_program(struct source *s, const struct source_options *options,
                     const char *path, struct program *program,
                     struct err *err);

/* Accepts what compile_program left, also on failure, and zeros. */
void source_release(struct source *s);

/* The port; valid until source_release. */
const struct runtime *source_runtime(const struct source *s);

/* The function number of main; its argument is 0. */
uint32_t source_main(const struct source *s);

/* Is the function one that `entry` names? */
bool source_is_entry(const struct source *s, uint32_t function,
                     const char *entry);

/* How often a thread was run from its start, and from where it stood. */
void source_statistics(const struct source *s, uint64_t *cold, uint64_t *warm);

#endif
