/* `hwcheck --version`: of itself, of the libraries it runs with, and of the
 * programs that it would start. */
#ifndef FRONTEND_VERSION_H
#define FRONTEND_VERSION_H

#include <stdio.h>

void version_print(FILE *out);

#endif
