/* Which executions are drawn into files: --dot and --dot-all. */
#ifndef FRONTEND_DRAW_H
#define FRONTEND_DRAW_H

#include "core/explore.h"
#include "frontend/base/options.h"

#include <stdio.h>

#define DRAW_ALL_MAX 1000

struct draw {
    const struct options *options;
    const char *program; /* its path, for the titles */
    const struct explore *x;
    struct graph first; /* the first complete execution, or else the first */
    bool has_first;
    uint64_t n_written; /* files 1 .. n_written of --dot-all exist */
    bool failed;        /* a file could not be written; err says why */
    struct err err;
};

void draw_init(struct draw *d, const struct options *o, const char *program,
               const struct explore *x);
void draw_release(struct draw *d);

/* Makes the folder of --dot-all, if given. */
bool draw_prepare(struct draw *d, struct err *err);

/* To be called from explore_options.on_execution. */
void draw_execution(struct draw *d, const struct graph *g, bool blocked);

/* After the exploration: writes --dot, and a note to `talk` if --dot-all did
 * not draw everything. False: some file could not be written. */
bool draw_finish(struct draw *d, FILE *talk, struct err *err);

#endif
