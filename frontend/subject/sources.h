/* The files that a program consists of: those that are compiled (--link names
 * several, --asm assembly), and what they include of the user's own. For pages
 * and bundles. */
#ifndef FRONTEND_SOURCES_H
#define FRONTEND_SOURCES_H

#include "frontend/base/options.h"
#include "hw/isa.h"

#include <stdint.h>

struct sources {
    char **files; /* owned; as the compiler names them, the program first */
    uint32_t n;
};

/* Asks clang which files it reads for `isa`; what is in system folders is left
 * out. If it does not know, only the program itself is listed. */
void sources_find(struct sources *s, const struct options *o,
                  const struct isa *isa, const char *path);
void sources_release(struct sources *s);

#endif
