#include "frontend/base/progress.h"

#include <inttypes.h>
#include <unistd.h>

void progress_init(struct progress *p, FILE *out, bool wanted)
{
    *p = (struct progress){.out = wanted && isatty(fileno(out)) ? out : NULL};
}

void progress_show(struct progress *p, uint64_t executions, uint64_t blocked,
                   double seconds)
{
    double rate = seconds > 0 ? (double)(executions + blocked) / seconds : 0;

    if (!p->out)
        return;
    fprintf(p->out,
            "\r%" PRIu64 " executions, %" PRIu64 " blocked, %.0f/s, %.0f s"
            "\033[K",
            executions, blocked, rate, seconds);
    fflush(p->out);
    p->shown = true;
}

void progress_clear(struct progress *p)
{
    if (!p->shown)
        return;
    fputs("\r\033[K", p->out);
    fflush(p->out);
    p->shown = false;
}
