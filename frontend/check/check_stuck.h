/* Executions in which a thread waits for ever: every thread has ended or waits,
 * and reading again changes nothing, since what it last read are the final
 * values. A thread that only chose to read old values is not stuck: it may read
 * newer ones the next time. */
#ifndef FRONTEND_CHECK_STUCK_H
#define FRONTEND_CHECK_STUCK_H

#include "frontend/check/check.h"

/* A thread that waits in a loop for ever in this execution, which is blocked;
 * THREAD_NONE: none does, or it is not known. */
thread_id check_stuck_thread(const struct path *path, const struct graph *g);
/* Is there one, without load buffering, which the source may not have? */
bool check_is_stuck(const struct check_side *side, const struct graph *g,
                    bool blocked);
/* Says which and where, in side->stuck_at. There must be one. */
void check_describe_stuck(struct check_side *side, const struct graph *g);

#endif
