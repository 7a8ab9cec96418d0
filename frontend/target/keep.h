/* Keeps the final values of a program's static variables to be seen.
 *
 * A compiler may leave out what nobody reads: stores to a static variable, or
 * all of it. In preprocessed C each is given __attribute__((__used__)), as if
 * some other code looked at it in the end. */
#ifndef FRONTEND_KEEP_H
#define FRONTEND_KEEP_H

#include "core/err.h"

/* A file in memory with the text of `fd`, so changed; -1: failed. */
int keep_statics(int fd, struct err *err);

#endif
