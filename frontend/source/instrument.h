/* Turns the LLVM IR of a program into code whose every step on shared memory,
 * and every library call, is a call of a hook (hooks_*.h). What stays native:
 * arithmetic, and local variables that no pointer leads to.
 *
 * The hooks, and the struct that they share, are written into the code as plain
 * addresses. */
#ifndef FRONTEND_INSTRUMENT_H
#define FRONTEND_INSTRUMENT_H

#include "core/err.h"

#include <stdbool.h>

struct LLVMOpaqueModule;
struct image;
struct hooks;
struct program;

/* Names, in the instrumented module, of what leads to all addresses: arrays of
 * pointers to the image's functions and globals, in the order of the image. */
#define INSTRUMENT_FUNCTIONS "hwc.functions"
#define INSTRUMENT_GLOBALS   "hwc.globals"
/* Metadata of variables that other files see. */
#define INSTRUMENT_EXTERNAL "hwc.external"
#define INSTRUMENT_MAIN     "hwc.main" /* calls main as it is declared */

/* Fills `image`, except for addresses, and texts and places of `program`.
 * `hooks` is where the runtime will be. False: the program uses something that
 * is not supported; the message begins with file:line. */
bool instrument_module(struct LLVMOpaqueModule *module, struct image *image,
                       struct program *program, struct hooks *hooks,
                       struct err *err);

#endif
