/* Several translation units as one program, on the source side. */
#ifndef FRONTEND_COMPILE_LINK_H
#define FRONTEND_COMPILE_LINK_H

#include "core/err.h"

#include <llvm-c/Types.h>
#include <stdint.h>

/* Links `n` modules of one context, at least one, and takes them all, whether
 * it succeeds or not. NULL: err says why. */
LLVMModuleRef compile_link(LLVMModuleRef *modules, uint32_t n, struct err *err);

/* Does the program use something of <hwcheck/library.h>? */
bool compile_link_needs_library(LLVMModuleRef module);

#endif
