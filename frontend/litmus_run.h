/* Runs litmus tests, many in one image, and prints herd's log of each. */
#ifndef FRONTEND_LITMUS_RUN_H
#define FRONTEND_LITMUS_RUN_H

#include "core/err.h"
#include "core/model.h"
#include "frontend/options.h"

#include <signal.h>
#include <stdio.h>

/* The operands are litmus files and, with @ in front, lists of them. Logs go to
 * `out`, in the order of the files; complaints to `talk`. Returns the exit
 * code. */
int litmus_run(const struct options *o, model_loader *load,
               const volatile sig_atomic_t *stop, FILE *out, FILE *talk);

#endif
