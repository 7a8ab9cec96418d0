/* The language that a C program stands for, by the header that it includes:
 * each has a memory model of its own. */
#ifndef FRONTEND_LANGUAGE_H
#define FRONTEND_LANGUAGE_H

#include "core/err.h"
#include "frontend/base/options.h"

struct language {
    const char *header; /* "hwcheck/java.h" */
    const char *model;  /* "jam21" */
};

/* Sets *language to that of the program `path`, compiled as the options say, or
 * to NULL if it is C, or cannot be compiled (which compiling it tells better).
 * False: it includes headers of two. */
bool language_find(const struct language **language, const struct options *o,
                   const char *path, struct err *err);

#endif
