/* Checks programs on machines, each against each, and prints verdicts. */
#ifndef FRONTEND_CHECK_COMMAND_H
#define FRONTEND_CHECK_COMMAND_H

#include "core/model.h"
#include "frontend/base/options.h"

#include <signal.h>
#include <stdio.h>

/* The operands are programs. Reports go to `out`, complaints to `talk`. Returns
 * the exit code. */
int check_command(const struct options *o, model_loader *load,
                  const volatile sig_atomic_t *stop, FILE *out, FILE *talk);

#endif
