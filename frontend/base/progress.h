/* The line on a terminal that shows how far an exploration is. */
#ifndef FRONTEND_PROGRESS_H
#define FRONTEND_PROGRESS_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

struct progress {
    FILE *out; /* NULL: show nothing */
    bool shown;
};

/* Shows progress only if `out` is a terminal. */
void progress_init(struct progress *p, FILE *out, bool wanted);
void progress_show(struct progress *p, uint64_t executions, uint64_t blocked,
                   double seconds);
/* Takes the line away. */
void progress_clear(struct progress *p);

#endif
