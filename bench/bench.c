/* Thread runs a second: asks QEMU again and again what the threads of a program
 * do, with nothing remembered but what their reads look like.
 *
 *   hwc_bench <isa> <prog.c> <seconds>
 *
 * Prints runs, runs by second of the wall clock, and by second of processor
 * time, hwcheck's and QEMU's together; then the same of answers, since a run
 * goes on behind what was asked. */
#include "frontend/target/target.h"
#include "hw/qemu/qemu_runtime.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>

struct bench {
    struct target target;
    struct program program;
    struct qemu_runtime runtime;
    struct path path;
    node_id threads[WIRE_THREADS]; /* roots */
    uint32_t n_threads;
    uint64_t answers;
};

static double seconds(clockid_t clock)
{
    struct timespec t;
    clock_gettime(clock, &t);
    return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

/* Follows main to its end; joins and reads return 0. Notes what it creates. */
static bool find_threads(struct bench *b, struct err *err)
{
    node_id n = path_root(
        &b->path, 0,
        qemu_runtime_function(&b->runtime, b->target.image.main, true), 0);
    for (;;) {
        n = path_step(&b->path, n, 0, err);
        if (n == NODE_NONE)
            return false;
        const struct label *l = path_label(&b->path, n);
        if (label_ends(l->kind))
            return b->n_threads > 0 ||
                   err_set(err, ERR_INPUT, "the program creates no thread");
        if (l->kind == LABEL_CREATE && b->n_threads < WIRE_THREADS)
            b->threads[b->n_threads++] = l->aux;
    }
}

/* Runs each thread from its start to its end; the bits of `values` answer its
 * reads. */
static bool sweep(struct bench *b, unsigned values, struct err *err)
{
    for (uint32_t i = 0; i < b->n_threads; i++) {
        node_id n = b->threads[i];
        unsigned left = values;
        uint64_t value = 0;
        do {
            n = path_step(&b->path, n, value, err);
            if (n == NODE_NONE)
                return false;
            value = 0;
            if (label_returns(path_label(&b->path, n)->kind)) {
                value = left & 1;
                left >>= 1;
                b->answers++;
            }
        } while (!label_ends(path_label(&b->path, n)->kind));
    }
    path_collect(&b->path);
    return true;
}

static bool measure(struct bench *b, double limit, struct err *err)
{
    if (!find_threads(b, err))
        return false;
    for (unsigned i = 0; i < 8; i++)
        if (!sweep(b, i, err))
            return false;
    uint64_t before = b->runtime.link.n_runs;
    b->answers = 0;
    double start = seconds(CLOCK_MONOTONIC);
    double cpu = seconds(CLOCK_PROCESS_CPUTIME_ID);
    clockid_t qemu;
    if (clock_getcpuclockid(b->runtime.link.pid, &qemu) != 0)
        return err_set(err, ERR_SYSTEM, "no clock of QEMU's");
    double qemu_cpu = seconds(qemu), wall;
    unsigned i = 0;
    do {
        if (!sweep(b, i++ % 8, err))
            return false;
        wall = seconds(CLOCK_MONOTONIC) - start;
    } while (wall < limit);
    double runs = (double)(b->runtime.link.n_runs - before);
    cpu = seconds(CLOCK_PROCESS_CPUTIME_ID) - cpu;
    qemu_cpu = seconds(qemu) - qemu_cpu;
    double answers = (double)b->answers;
    printf("%.0f runs, %.0f by second, %.0f by second of processor time "
           "(%.2f us hwcheck, %.2f us QEMU); answers: %.0f, %.0f; QEMU "
           "starts: %u\n",
           runs, runs / wall, runs / (cpu + qemu_cpu), cpu * 1e6 / runs,
           qemu_cpu * 1e6 / runs, answers / wall, answers / (cpu + qemu_cpu),
           (unsigned)b->runtime.link.n_starts);
    return true;
}

static bool open_bench(struct bench *b, const char *isa, const char *file,
                       struct err *err)
{
    struct target_options o = {
        .isa = isa_find(isa), .inputs = &file, .n_inputs = 1};
    struct qemu_options plain = {0};
    if (!o.isa)
        return err_set(err, ERR_USAGE, "no ISA '%s'", isa);
    return target_build(&b->target, &o, err) &&
           qemu_runtime_init(&b->runtime, &b->target.image, &b->program, &plain,
                             err);
}

int main(int argc, char **argv)
{
    static struct bench b;
    struct err err = {0};
    if (argc != 4) {
        fprintf(stderr, "usage: hwc_bench <isa> <prog.c> <seconds>\n");
        return 2;
    }
    program_init(&b.program);
    path_init(&b.path, &b.runtime.runtime);
    bool done = open_bench(&b, argv[1], argv[2], &err) &&
                measure(&b, strtod(argv[3], NULL), &err);
    path_release(&b.path);
    qemu_runtime_release(&b.runtime);
    target_release(&b.target);
    program_release(&b.program);
    if (!done)
        fprintf(stderr, "hwc_bench: %s\n", err.text);
    return done ? 0 : 1;
}
