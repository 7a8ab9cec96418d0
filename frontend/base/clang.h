/* Runs clang on a program, with the headers that hwcheck brings first in its
 * include path. Nothing is written to the file system: the headers are given as
 * open files in memory, the result comes through a pipe. */
#ifndef FRONTEND_CLANG_H
#define FRONTEND_CLANG_H

#include "core/err.h"

#include <stddef.h>

/* Where the program sees the headers (in messages of the compiler). */
#define CLANG_INCLUDE_DIR "/hwcheck/include"

/* Runs clang-19, or clang, with our include path, `args`, and `-o -`; what it
 * writes is in *output, to be freed, of *bytes. Its messages go to stderr,
 * each once. False: it could not be run or did not succeed. */
bool clang_run(const char *const *args, int n_args, char **output,
               size_t *bytes, struct err *err);

#endif
