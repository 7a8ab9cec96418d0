/* hwcheck: parse, load the model, compile, explore, report. This file may see
 * everything and decides nothing else. */
#include "core/embedded.h"
#include "core/explore.h"
#include "core/halt.h"
#include "core/mem.h"
#include "frontend/base/cli.h"
#include "frontend/base/output.h"
#include "frontend/base/progress.h"
#include "frontend/commands/check_command.h"
#include "frontend/commands/draw.h"
#include "frontend/commands/explain_command.h"
#include "frontend/commands/trace.h"
#include "frontend/commands/version.h"
#include "frontend/litmus/litmus_run.h"
#include "frontend/report/report_json.h"
#include "frontend/report/report_text.h"
#include "frontend/subject/model_fit.h"
#include "frontend/subject/subject.h"
#include "mappings/mapping.h"
#include "models/model_load.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* A broken invariant or a bad access of our own: the runtime takes the faults
 * of the program under test before they get here. */
static void on_fault(int signal)
{
    static const char text[] =
        "hwcheck: internal error; please report it with the command line\n";

    (void)signal;
    if (write(STDERR_FILENO, text, sizeof(text) - 1) < 0)
        _exit(EXIT_INTERNAL);
    _exit(EXIT_INTERNAL);
}

/* The first Ctrl-C asks for a partial report, a second one kills. SIGPIPE is
 * left as it is: it ends the process quietly. A file that may not grow is an
 * error of writing it. */
static void catch_signals(void)
{
    static const int faults[] = {SIGABRT, SIGSEGV, SIGBUS, SIGFPE, SIGILL};
    struct sigaction fault = {.sa_handler = on_fault}, old;

    halt_catch();
    signal(SIGXFSZ, SIG_IGN);
    for (size_t i = 0; i < sizeof(faults) / sizeof(faults[0]); i++)
        /* A sanitizer has a handler that says more. */
        if (sigaction(faults[i], NULL, &old) == 0 && old.sa_handler == SIG_DFL)
            sigaction(faults[i], &fault, NULL);
}

/* A closed standard stream must not be taken by the next file opened: then the
 * report would go there. Writing to what stands in for it fails. */
static void fill_standard_streams(void)
{
    for (int fd = 0; fd <= 2; fd++)
        if (fcntl(fd, F_GETFD) < 0 && open("/dev/null", O_RDONLY) < 0)
            _exit(EXIT_USAGE);
}

static int fail(const struct err *err)
{
    cli_complain(err, stderr);
    return cli_code_of(err);
}

/* The command is to end before the program was explored. */
static int report_stopped(const struct options *o, const struct isa *isa,
                          const char *path, const struct err *why,
                          struct cJSON **json)
{
    if (!report_json_on_stdout(o))
        report_text_stopped(o, path, why, stdout);
    if (o->json)
        *json = report_json_new_error(path, isa, why);
    return EXIT_INCONCLUSIVE;
}

static int code_of(enum verdict verdict)
{
    switch (verdict) {
    case VERDICT_SOUND:
        return EXIT_SOUND;
    case VERDICT_VIOLATION:
        return EXIT_VIOLATION;
    case VERDICT_GAP:
        return EXIT_INCONCLUSIVE;
    case VERDICT_NONE:
        break;
    }
    return EXIT_INTERNAL;
}

/* One program on its way through hwcheck. */
struct exploration {
    const struct options *options;
    const char *path;
    struct subject subject;
    struct explore explore;
    struct draw draw;
    struct progress progress;
    const struct language *language; /* whose model it is; NULL: it was named */
    struct model model;              /* of that */
    struct cJSON *json;
};

static void on_execution(void *self, const struct graph *g, bool blocked)
{
    struct exploration *r = self;
    draw_execution(&r->draw, explore_with_fences(&r->explore, g), blocked);
}

static void on_progress(void *self, uint64_t executions, uint64_t blocked,
                        double seconds)
{
    progress_show(&((struct exploration *)self)->progress, executions, blocked,
                  seconds);
}

/* The reports of a finished exploration; returns its exit code. */
static int report(struct exploration *r)
{
    struct report report = {.options = r->options,
                            .program = r->path,
                            .x = &r->explore,
                            .language = r->language,
                            .color = cli_wants_color(r->options)};
    int code = code_of(r->explore.verdict);
    struct err err;

    if (!r->subject.isa) {
        source_statistics(&r->subject.source, &report.cold, &report.warm);
    } else {
        report.target = &r->subject.target;
        report.cold = r->subject.machine.link.n_runs;
    }
    if (!report_json_on_stdout(r->options))
        report_text_print(&report, stdout);
    if (r->options->json)
        r->json = report_json_new(&report);
    if (!draw_finish(&r->draw, stderr, &err))
        code = cli_worse(code, fail(&err));
    return code;
}

static bool explore(struct exploration *r, const struct model *model,
                    struct err *err)
{
    const struct options *o = r->options;
    bool draws = o->dot || o->dot_all;
    struct explore_options options = {
        .max_executions = o->max_executions,
        .max_events =
            (uint32_t)(o->max_events < UINT32_MAX ? o->max_events : UINT32_MAX),
        .all = o->all,
        .on_execution = draws ? on_execution : NULL,
        .on_progress = on_progress,
        .self = r,
    };

    explore_init(&r->explore, &options, model, &r->subject.program,
                 subject_runtime(&r->subject));
    draw_init(&r->draw, o, r->path, &r->explore);
    progress_init(&r->progress, stderr, !o->quiet && !o->show_output);
    if (!draw_prepare(&r->draw, err))
        return false;
    bool done = explore_run(&r->explore, r->subject.main, 0, err);

    progress_clear(&r->progress);
    if (done)
        model_fit_warn(&r->explore, r->subject.isa);
    return done;
}

/* A program of another language has that one's model, if none is named. */
static bool find_language(struct exploration *r, const struct isa *isa,
                          const struct model **model, struct err *err)
{
    const struct options *o = r->options;

    if (o->model || o->target_model || isa)
        return true;
    if (!language_find(&r->language, o, r->path, err))
        return false;
    if (!r->language)
        return true;
    *model = &r->model;
    return model_load(&r->model, r->language->model, err);
}

static int explore_program(const struct options *o, const struct isa *isa,
                           const struct model *model, const char *path,
                           struct cJSON **json)
{
    struct exploration r = {.options = o, .path = path};
    struct err err = {0};
    bool begun = halt_reason() == HALT_NONE;
    int code;

    if (find_language(&r, isa, &model, &err) &&
        subject_init(&r.subject, o, isa, path, &err) &&
        explore(&r, model, &err)) {
        code = report(&r);
    } else if (err.kind == ERR_STOPPED) {
        err_wrap(&err, begun ? "not explored" : "not begun");
        code = report_stopped(o, isa, path, &err, &r.json);
    } else {
        if (err.kind == ERR_INPUT)
            err_name_file(&err, path);
        code = fail(&err);
        if (o->json)
            r.json = report_json_new_error(path, isa, &err);
    }
    *json = r.json;
    if (r.explore.model) {
        draw_release(&r.draw);
        explore_release(&r.explore);
    }
    subject_release(&r.subject);
    if (r.model.release)
        r.model.release(&r.model);
    return code;
}

/* --arch as an ISA; NULL without. */
static bool find_isa(const struct options *o, const struct isa **isa,
                     struct err *err)
{
    char known[200] = "";

    *isa = NULL;
    if (!o->arch)
        return true;
    *isa = isa_find(o->arch);
    if (*isa)
        return true;
    for (const struct isa *const *i = isa_registry; *i; i++)
        snprintf(known + strlen(known), sizeof(known) - strlen(known), "%s%s",
                 known[0] ? ", " : "", (*i)->name);
    return err_set(err, ERR_USAGE, "no ISA '%s'; there are %s", o->arch, known);
}

/* --model, or that of the machine, or that of C. */
static bool load_model(const struct options *o, const struct isa *isa,
                       struct model *model, struct err *err)
{
    return model_load(model,
                      o->model          ? o->model
                      : o->target_model ? o->target_model
                      : isa             ? isa->program_model
                                        : "rc11",
                      err);
}

static int command_explore(const struct options *o)
{
    struct cJSON **json = mem_resize(NULL, o->n_operands * sizeof(*json));
    const struct isa *isa;
    struct model model = {0};
    struct err err = {0};
    int code = EXIT_SOUND;
    uint32_t n = 0;

    if (!find_isa(o, &isa, &err) || !load_model(o, isa, &model, &err)) {
        free(json);
        return fail(&err);
    }
    for (; n < o->n_operands; n++) {
        if (n && !o->quiet && !report_json_on_stdout(o))
            putchar('\n');
        code = cli_worse(
            code, explore_program(o, isa, &model, o->operands[n], &json[n]));
    }
    if (o->json && !report_json_write(o, json, o->n_operands, &err))
        code = cli_worse(code, fail(&err));
    report_json_free(json, o->n_operands);
    free(json);
    model.release(&model);
    return code;
}

/* The first execution under sc is the threads one after the other, each as far
 * as it gets. */
struct trace {
    struct subject subject;
    struct explore explore;
    const struct options *options;
    struct cJSON *json;
    bool printed;
};

static void show_trace(struct trace *t, const struct graph *g)
{
    t->printed = true;
    if (t->options->json)
        t->json =
            trace_json(&t->subject, &t->explore, t->options->operands[0], g);
    if (!report_json_on_stdout(t->options))
        trace_print(&t->subject, &t->explore, g, stdout);
}

static void on_trace(void *self, const struct graph *g, bool blocked)
{
    struct trace *t = self;

    (void)blocked;
    if (!t->printed)
        show_trace(t, explore_with_fences(&t->explore, g));
}

static int command_trace(const struct options *o)
{
    struct trace t = {.options = o};
    struct explore_options options = {
        .max_executions = 1, .on_execution = on_trace, .self = &t};
    const struct isa *isa;
    struct model model = {0};
    struct err err = {0};
    int code = EXIT_SOUND;

    if (!find_isa(o, &isa, &err) || !model_load(&model, "sc", &err))
        return fail(&err);
    model.needs_deps = true; /* to be shown */
    if (subject_init(&t.subject, o, isa, o->operands[0], &err)) {
        explore_init(&t.explore, &options, &model, &t.subject.program,
                     subject_runtime(&t.subject));
        if (!explore_run(&t.explore, t.subject.main, 0, &err))
            code = fail(&err);
        else if (!t.printed && halt_reason() != HALT_NONE)
            halt_fail(&err);
        else if (!t.printed && t.explore.n_violations)
            show_trace(&t, &t.explore.violations[0].graph);
        else if (!t.printed) {
            err_set(&err, ERR_INPUT, "%s: %s", o->operands[0],
                    t.explore.gap_text);
            code = fail(&err);
        }
        explore_release(&t.explore);
    } else if (err.kind != ERR_STOPPED) {
        code = fail(&err);
    }
    if (err.kind == ERR_STOPPED)
        code = report_stopped(o, isa, o->operands[0], &err, &t.json);
    if (!t.json && o->json && err.kind != ERR_NONE)
        t.json = report_json_new_error(o->operands[0], isa, &err);
    if (t.json && !report_json_write(o, &t.json, 1, &err))
        code = cli_worse(code, fail(&err));
    report_json_free(&t.json, 1);
    subject_release(&t.subject);
    model.release(&model);
    return code;
}

/* The same, of the program that is explained. */
static bool load_model_of(const struct options *o, const struct isa *isa,
                          struct model *model, struct err *err)
{
    const struct language *language = NULL;

    if (!o->model && !o->target_model && !isa &&
        !language_find(&language, o, o->operands[0], err))
        return false;
    return language ? model_load(model, language->model, err)
                    : load_model(o, isa, model, err);
}

static int command_explain(const struct options *o)
{
    struct explain_command c = {.options = o,
                                .load = model_load,
                                .stop = halt_flag(),
                                .out = report_json_on_stdout(o) ? NULL : stdout,
                                .talk = stderr,
                                .color = cli_wants_color(o)};
    const struct isa *isa = NULL;
    struct model model = {0};
    struct err err = {0};
    int code;

    if (explain_is_litmus(o)) {
        code = explain_litmus(&c);
    } else if (!find_isa(o, &isa, &err) ||
               !load_model_of(o, isa, &model, &err)) {
        code = fail(&err);
    } else {
        code = explain_program(&c, isa, &model);
        model.release(&model);
    }
    if (halt_reason() != HALT_NONE && !c.reported) {
        halt_fail(&err);
        report_json_free(&c.json, 1);
        code = report_stopped(o, isa, o->operands[0], &err, &c.json);
    } else if (halt_reason() != HALT_NONE)
        code = cli_worse(code, EXIT_INCONCLUSIVE);
    if (c.json && !report_json_write(o, &c.json, 1, &err))
        code = cli_worse(code, fail(&err));
    report_json_free(&c.json, 1);
    return code;
}

static void print_model(void *self, const char *name, const char *title)
{
    (void)self;
    printf("%-12s %s\n", name, title);
}

/* The text of a built-in cat file, with or without ".cat" after its name. */
static const char *find_model_text(const char *name)
{
    size_t length = strlen(name);

    for (const struct embedded_file *f = embedded_models; f->name; f++)
        if (strcmp(f->name, name) == 0 ||
            (strncmp(f->name, name, length) == 0 &&
             strcmp(f->name + length, ".cat") == 0))
            return f->text;
    return NULL;
}

static int command_models(const struct options *o)
{
    const char *text;

    if (o->n_operands == 0) {
        model_for_each(print_model, NULL);
        return EXIT_SOUND;
    }
    text = find_model_text(o->operands[1]);
    if (!text) {
        struct err err;

        err_set(&err, ERR_INPUT, "no model '%s'; 'hwcheck models' lists them",
                o->operands[1]);
        return fail(&err);
    }
    fputs(text, stdout);
    return EXIT_SOUND;
}

static void print_mapping(void *self, const struct mapping *m)
{
    (void)self;
    printf("%-30s %-6s %-14s %s%s\n", m->name, m->source, m->isas,
           m->bad ? "bad: " : "", m->title);
}

static int command_mappings(const struct options *o)
{
    struct mapping m;
    struct err err;
    bool good;

    if (o->n_operands == 0) {
        if (mapping_for_each(print_mapping, NULL, &err))
            return EXIT_SOUND;
        err.kind = ERR_INTERNAL;
        return fail(&err);
    }
    good = mapping_load(&m, o->operands[1], &err);
    if (good)
        mapping_print(&m, stdout);
    mapping_release(&m);
    return good ? EXIT_SOUND : fail(&err);
}

static int command_help(const struct options *o)
{
    struct err err;

    if (o->markdown)
        cli_print_markdown(stdout);
    else if (o->man)
        cli_print_man(stdout);
    else if (!o->completion)
        cli_print_overview(stdout);
    else if (!cli_print_completion(o->completion, stdout)) {
        err_set(&err, ERR_USAGE,
                "--completion: expected 'bash', 'zsh' or 'fish', got '%s'",
                o->completion);
        return fail(&err);
    }
    return EXIT_SOUND;
}

static int run_command(const struct options *o)
{
    if (o->version) {
        version_print(stdout);
        return EXIT_SOUND;
    }
    if (o->help && o->command != COMMAND_HELP) {
        cli_print_help(o->command, stdout);
        return EXIT_SOUND;
    }
    switch (o->command) {
    case COMMAND_CHECK:
        return check_command(o, model_load, halt_flag(), stdout, stderr);
    case COMMAND_EXPLORE:
        return command_explore(o);
    case COMMAND_TRACE:
        return command_trace(o);
    case COMMAND_LITMUS:
        return litmus_run(o, model_load, halt_flag(), stdout, stderr);
    case COMMAND_EXPLAIN:
        return command_explain(o);
    case COMMAND_MODELS:
        return command_models(o);
    case COMMAND_MAPPINGS:
        return command_mappings(o);
    case COMMAND_HELP:
        return command_help(o);
    case COMMAND_COUNT:
        break;
    }
    return EXIT_INTERNAL;
}

int main(int argc, char **argv)
{
    struct options options;
    struct err err;
    int code;

    fill_standard_streams();
    catch_signals();
    if (cli_parse(&options, argc, argv, &err) && output_may(&options, &err)) {
        if (options.timeout > 0)
            halt_after(options.timeout);
        code = run_command(&options);
    } else
        code = fail(&err);
    cli_release(&options);
    if (fflush(stdout) != 0 || ferror(stdout)) {
        err_set(&err, ERR_SYSTEM, "cannot write the report: %s",
                strerror(errno));
        code = cli_worse(code, fail(&err));
    }
    return code;
}
