/* Is the command to end now, with what was found so far? Ctrl-C asks for that,
 * SIGTERM, and the end of its time. Of the process, as signals are: whoever
 * works for long, or waits, asks here.
 *
 * What cannot go on because of it fails with ERR_STOPPED, which is no error of
 * anything: the verdict is INCONCLUSIVE then. */
#ifndef CORE_HALT_H
#define CORE_HALT_H

#include "core/err.h"

#include <signal.h>
#include <sys/types.h>

enum halt { HALT_NONE, HALT_INTERRUPTED, HALT_TIMEOUT };

/* From now on the first SIGINT or SIGTERM asks for the end; a second one kills
 * the process, and the group of halt_child. */
void halt_catch(void);
/* Asks for the end after this time, which begins now. */
void halt_after(double seconds);

/* What is left of it; 0: nothing, or no time was set. */
double halt_remaining(void);

enum halt halt_reason(void);
/* Not zero: the reason. */
const volatile sig_atomic_t *halt_flag(void);
/* "interrupted", "stopped after 5 seconds"; "" if there is no reason. */
void halt_print(char *buf, size_t cap);
/* Sets ERR_STOPPED with that text, and `where` behind it; returns false. */
bool halt_fail_at(struct err *err, const char *where);
bool halt_fail(struct err *err);

/* The process group that must not live longer than we; 0: none. */
void halt_child(pid_t group);

#endif
