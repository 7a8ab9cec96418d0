/* What an execution costs once all paths of the program are known: explores it
 * again and again in one process.
 *
 *   hwc_warm <seconds> [option of `hwcheck explore`]... prog.c [-- CFLAGS]
 *
 * Prints how many executions there are, complete and blocked, and microseconds
 * by execution: of the first exploration, and of the quickest one after it. The
 * time in which the program's own code runs is left out; if there are more
 * paths than are kept it runs again. */
#include "core/explore.h"
#include "frontend/base/cli.h"
#include "frontend/subject/subject.h"
#include "models/model_load.h"

#include <stdio.h>
#include <stdlib.h>

static bool measure(struct explore *x, uint32_t function, double limit,
                    struct err *err)
{
    if (!explore_run(x, function, 0, err))
        return false;
    double first = x->seconds - x->path.seconds, best = first, all = 0;
    uint64_t n = x->executions + x->blocked;
    if (n == 0 || x->verdict != VERDICT_SOUND)
        return err_set(err, ERR_INPUT, "nothing to measure");
    do {
        double before = x->path.seconds;
        if (!explore_run(x, function, 0, err))
            return false;
        double own = x->seconds - (x->path.seconds - before);
        best = own < best ? own : best;
        all += x->seconds;
    } while (all < limit);
    printf("%llu %.3f %.3f\n", (unsigned long long)n, first * 1e6 / (double)n,
           best * 1e6 / (double)n);
    return true;
}

static bool run(const struct options *o, double limit, struct err *err)
{
    static struct subject subject;
    static struct explore x;
    struct model model = {0};
    struct explore_options options = {0};
    const struct isa *isa = o->arch ? isa_find(o->arch) : NULL;
    if (o->n_operands != 1 || (o->arch && !isa))
        return err_set(err, ERR_USAGE, "one program, and a known --arch");
    if (!model_load(&model,
                    o->model ? o->model
                    : isa    ? isa->program_model
                             : "rc11",
                    err))
        return false;
    bool done = subject_init(&subject, o, isa, o->operands[0], err);
    if (done) {
        explore_init(&x, &options, &model, &subject.program,
                     subject_runtime(&subject));
        done = measure(&x, subject.main, limit, err);
        explore_release(&x);
    }
    subject_release(&subject);
    model.release(&model);
    return done;
}

int main(int argc, char **argv)
{
    struct options options;
    struct err err = {0};
    if (argc < 3) {
        fprintf(stderr, "usage: hwc_warm <seconds> [option]... prog.c "
                        "[-- CFLAGS]\n");
        return EXIT_USAGE;
    }
    double limit = strtod(argv[1], NULL);
    argv[1] = "explore";
    bool done =
        cli_parse(&options, argc, argv, &err) && run(&options, limit, &err);
    cli_release(&options);
    if (!done)
        fprintf(stderr, "hwc_warm: %s\n", err.text);
    return done ? EXIT_SUCCESS : EXIT_FAILURE;
}
