#include "frontend/commands/draw.h"

#include "frontend/base/output.h"
#include "frontend/report/report.h"
#include "frontend/report/report_dot.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

void draw_init(struct draw *d, const struct options *o, const char *program,
               const struct explore *x)
{
    *d = (struct draw){.options = o, .program = program, .x = x};
    graph_init(&d->first, x->model->n_rows);
}

void draw_release(struct draw *d)
{
    graph_release(&d->first);
}

bool draw_prepare(struct draw *d, struct err *err)
{
    const char *dir = d->options->dot_all;

    if (!dir || mkdir(dir, 0777) == 0 || errno == EEXIST)
        return true;
    return err_set(err, ERR_SYSTEM, "cannot make the folder '%s': %s", dir,
                   strerror(errno));
}

static bool write_file(const struct draw *d, const char *path,
                       const struct graph *g, const struct violation *v,
                       const char *what, struct err *err)
{
    struct output out;
    char title[500];

    if (!output_open(&out, path, err))
        return false;
    snprintf(title, sizeof(title), "%s under %s: %s", d->program,
             d->x->model->name, what);
    report_dot_print(g, v, &d->x->path, d->x->program, title, out.file);
    return output_close(&out, err);
}

static void numbered_path(const struct draw *d, uint64_t number, char *buf,
                          size_t cap)
{
    snprintf(buf, cap, "%s/execution-%04" PRIu64 ".dot", d->options->dot_all,
             number);
}

void draw_execution(struct draw *d, const struct graph *g, bool blocked)
{
    /* The exploration may start again with finer locations: the numbers then
     * do too, and the files and the copy are written over. */
    uint64_t number = d->x->executions + d->x->blocked;
    char path[4096], what[64];

    if (number == 1 || (!blocked && d->x->executions == 1)) {
        graph_copy(&d->first, g);
        d->has_first = true;
    }
    if (!d->options->dot_all || d->failed || number > DRAW_ALL_MAX)
        return;
    numbered_path(d, number, path, sizeof(path));
    snprintf(what, sizeof(what), "execution %" PRIu64 "%s", number,
             blocked ? " (blocked)" : "");
    d->failed = !write_file(d, path, g, NULL, what, &d->err);
    if (!d->failed && number > d->n_written)
        d->n_written = number;
}

/* Files that an exploration before the last start left over. */
static void remove_stale(const struct draw *d, uint64_t total)
{
    char path[4096];

    for (uint64_t i = total + 1; i <= d->n_written; i++) {
        numbered_path(d, i, path, sizeof(path));
        unlink(path);
    }
}

static bool draw_one(struct draw *d, FILE *talk, struct err *err)
{
    const struct explore *x = d->x;
    const char *path = d->options->dot;

    if (x->n_violations > 0) {
        const struct violation *v = &x->violations[0];
        char what[200];

        report_violation_kind(v, what, sizeof(what));
        return write_file(d, path, &v->graph, v, what, err);
    }
    if (d->has_first)
        return write_file(d, path, &d->first, NULL, "first execution", err);
    fprintf(talk, "hwcheck: no execution to draw into '%s'\n", path);
    return true;
}

bool draw_finish(struct draw *d, FILE *talk, struct err *err)
{
    uint64_t total = d->x->executions + d->x->blocked;

    if (d->options->dot_all) {
        remove_stale(d, total);
        if (total > DRAW_ALL_MAX && !d->failed)
            fprintf(talk,
                    "hwcheck: '%s' has the first %d of %" PRIu64
                    " executions\n",
                    d->options->dot_all, DRAW_ALL_MAX, total);
    }
    if (d->failed) {
        *err = d->err;
        return false;
    }
    return !d->options->dot || draw_one(d, talk, err);
}
