/* Port: something that runs the threads of a program (LLVM IR in process, QEMU,
 * or a script in the tests). Asked by the path cache alone. */
#ifndef CORE_RUNTIME_H
#define CORE_RUNTIME_H

#include "core/err.h"
#include "core/event.h"

struct path;

struct runtime {
    const char *name;
    void *self;
    bool gives_deps; /* its labels carry their dependencies */

    /* The code of a thread stands at node `at`; the label there returned
     * `value` (0 if it returns none; `at` may be the root, LABEL_START). Run on
     * and add what follows: first path_append(path, at, value, ...), then each
     * further label below the one before with key 0, up to and including the
     * first that label_returns() or label_ends(). At least one is added on
     * success. It may go on from there for a value of its choice (path.holds
     * says which may be asked for), up to another such label. False: the
     * runtime itself failed (not the program: what the program does wrong is a
     * LABEL_ERROR). */
    bool (*extend)(void *self, struct path *path, node_id at, uint64_t value,
                   struct err *err);

    /* Waits for what must be there before threads can run, and is no part of an
     * exploration (a process that starts). May be NULL. */
    bool (*prepare)(void *self, struct err *err);

    /* Nodes and locations seen so far may be void from here on: forget
     * whatever stands at them. May be NULL. */
    void (*restart)(void *self);

    /* Nothing was asked for a while, or the exploration has ended: let go of
     * what is held only to answer quickly. May be NULL. */
    void (*rest)(void *self);
};

#endif
