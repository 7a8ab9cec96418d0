/* Store-conditionals of litmus tests: what has to be done about their failing.
 *
 * One may fail at any time, and QEMU's does not by itself. One that stands
 * outside of loops is made to fail in a copy of the thread's code
 * (litmus_asm.c). One in a loop that only tries again needs nothing: leave the
 * iterations out in which it failed, and nothing that can be seen has changed.
 * What else a loop does with a failure (count it, give up) is not modelled. */
#ifndef FRONTEND_LITMUS_RETRY_H
#define FRONTEND_LITMUS_RETRY_H

#include "frontend/litmus/litmus.h"
#include "hw/litmus_dialect.h"

enum litmus_failing {
    LITMUS_NO_CONDITIONAL, /* another instruction */
    LITMUS_FAILS_ALONE,
    LITMUS_RETRIED,
    LITMUS_FAILS_IN_LOOP, /* not modelled */
};

enum litmus_failing litmus_failing(const struct litmus_dialect *d,
                                   const struct litmus_test *t, uint32_t thread,
                                   uint32_t line);

#endif
