/* Files that the user asked for. A file is written beside its place and then
 * put there, so that it is whole or as it was before. What cannot have that
 * (a device, a pipe, our own stdout by another name) is written as it is. */
#ifndef FRONTEND_OUTPUT_H
#define FRONTEND_OUTPUT_H

#include "core/err.h"
#include "frontend/base/options.h"

#include <limits.h>
#include <stdio.h>

struct output {
    FILE *file;
    const char *name; /* as given, for messages; borrowed */
    char path[PATH_MAX];
    char temporary[PATH_MAX]; /* "": written as it is */
};

bool output_open(struct output *o, const char *name, struct err *err);
/* To be called in any case after output_open was true: puts it in its place.
 * False: something was not written, and the old file, if any, is as before. */
bool output_close(struct output *o, struct err *err);
/* In its place: nothing is put there. */
void output_drop(struct output *o);

/* Before the work: could the files and folders of these options be written? */
bool output_may(const struct options *o, struct err *err);

/* Makes the folder, which must be empty if it is there, ours until
 * output_unlock: another hwcheck may not have it meanwhile. */
bool output_lock(const char *dir, struct err *err);
/* A folder with nothing in it goes away. */
void output_unlock(const char *dir);

#endif
