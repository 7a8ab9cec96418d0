/* Runs litmus tests, many in one image, and prints herd's log of each. */
#ifndef FRONTEND_LITMUS_RUN_H
#define FRONTEND_LITMUS_RUN_H

#include "core/err.h"
#include "core/model.h"
#include "core/path.h"
#include "frontend/base/options.h"
#include "frontend/litmus/litmus.h"

#include <signal.h>
#include <stdio.h>

/* Reads and parses one file. Call litmus_release in either case. */
bool litmus_read(struct litmus_test *t, const char *path, struct err *err);

/* The operands are litmus files and, with @ in front, lists of them. Logs go to
 * `out`, in the order of the files; complaints to `talk`. Returns the exit
 * code. */
int litmus_run(const struct options *o, model_loader *load,
               const volatile sig_atomic_t *stop, FILE *out, FILE *talk);

struct litmus_case; /* how to ask about a test's final states */
struct subject;
struct isa;

/* A test that is built and can be explored: `function` on `argument`. */
struct litmus_ready {
    struct litmus_case *its_case;
    const struct litmus_test *test;
    struct subject *subject;
    const struct model *model;
    uint32_t function;
    uint64_t argument;
};

/* Does the condition `node` hold at the end of a complete execution? */
bool litmus_case_holds(const struct litmus_case *c, uint32_t node,
                       const struct graph *g, const struct path *path);
/* From here on locations and threads go by the test's names for them;
 * conditions cannot be asked meanwhile. */
void litmus_case_show_names(struct litmus_case *c, bool on);

/* Returns an exit code; or sets err. */
struct litmus_visitor {
    int (*visit)(void *self, const struct litmus_ready *ready, struct err *err);
    void *self;
    /* Told of what was complained about; NULL: need not be. */
    void (*complain)(void *self, const struct isa *isa, const struct err *err);
};

/* As litmus_run, but each test is handed to the visitor instead of being run;
 * with the outcome of the options (--outcome) as its condition, if there is
 * one. */
int litmus_visit(const struct options *o, model_loader *load,
                 const volatile sig_atomic_t *stop,
                 const struct litmus_visitor *visitor, FILE *talk);

#endif
