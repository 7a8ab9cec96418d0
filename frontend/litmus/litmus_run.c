#include "frontend/litmus/litmus_run.h"

#include "core/explore.h"
#include "core/halt.h"
#include "core/mem.h"
#include "frontend/base/cli.h"
#include "frontend/litmus/litmus_batch.h"
#include "frontend/litmus/litmus_c.h"
#include "frontend/litmus/litmus_log.h"
#include "frontend/report/report_json.h"
#include "frontend/subject/model_fit.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define BATCH_MAX   500
#define FILE_MAX    (1 << 20)
#define INDEX_DEPTH 8

struct litmus_session {
    const struct options *options;
    const volatile sig_atomic_t *stop;
    FILE *out, *talk;
    int code;

    const struct litmus_visitor *visitor; /* NULL: the log is wanted */
    struct cJSON **json; /* without visitor, one a test: for --json */
    uint32_t n_json, json_cap;

    struct litmus_test *tests; /* that could be parsed */
    uint32_t n_tests, tests_cap;
    uint32_t n_not_run; /* of these: the command was to end */

    model_loader *load;
    struct model model; /* of the last batch */
    const char *model_name;
};

static void push_json(struct litmus_session *s, struct cJSON *entry)
{
    s->json = mem_room(s->json, s->n_json, &s->json_cap, sizeof *s->json);
    s->json[s->n_json++] = entry;
}

static void say(struct litmus_session *s, const struct err *err)
{
    fflush(s->out);
    cli_complain(err, s->talk);
    s->code = cli_worse(s->code, cli_code_of(err));
}

/* The file at `path` has no result. `isa` is NULL if that is not known. */
static void complain(struct litmus_session *s, const char *path,
                     const struct isa *isa, const struct err *err)
{
    say(s, err);
    if (s->visitor && s->visitor->complain)
        s->visitor->complain(s->visitor->self, isa, err);
    else if (!s->visitor && s->options->json)
        push_json(s, report_json_new_error(path, isa, err));
}

/* ---- files */

/* The whole file, to be freed; NULL: err says why. */
static char *read_file(const char *path, size_t *bytes, struct err *err)
{
    FILE *in = fopen(path, "rb");
    if (!in) {
        err_set(err, ERR_INPUT, "cannot read '%s': %s", path, strerror(errno));
        return NULL;
    }
    char *text = mem_resize(NULL, FILE_MAX + 1);
    *bytes = fread(text, 1, FILE_MAX + 1, in);
    bool bad = ferror(in);
    fclose(in);
    if (!bad && *bytes <= FILE_MAX)
        return text;
    err_set(err, ERR_INPUT, "cannot read '%s': %s", path,
            bad ? strerror(errno) : "more than a megabyte");
    free(text);
    return NULL;
}

bool litmus_read(struct litmus_test *t, const char *path, struct err *err)
{
    size_t bytes;
    char *text = read_file(path, &bytes, err);
    memset(t, 0, sizeof *t);
    bool good = text && litmus_parse(t, path, text, bytes, err);
    free(text);
    return good;
}

static void add_test(struct litmus_session *s, const char *path)
{
    struct err err = {0};
    s->tests = mem_room(s->tests, s->n_tests, &s->tests_cap, sizeof *s->tests);
    struct litmus_test *t = &s->tests[s->n_tests];
    const char *outcome = s->options->outcome;
    if (litmus_read(t, path, &err) &&
        (!outcome || litmus_set_outcome(t, outcome, &err))) {
        s->n_tests++;
        return;
    }
    litmus_release(t);
    complain(s, path, NULL, &err);
}

static void add_index(struct litmus_session *s, const char *path, int depth);

static void add_operand(struct litmus_session *s, const char *path, int depth)
{
    const char *name = strrchr(path, '/');
    name = name ? name + 1 : path;
    if (path[0] == '@')
        add_index(s, access(path, R_OK) == 0 ? path : path + 1, depth);
    else if (name[0] == '@')
        add_index(s, path, depth);
    else
        add_test(s, path);
}

/* One file a line, relative to the list; # starts a comment. */
static void add_index(struct litmus_session *s, const char *path, int depth)
{
    struct err err = {0};
    size_t bytes;
    const char *slash = strrchr(path, '/');
    int folder = slash ? (int)(slash + 1 - path) : 0;
    char *text = depth < INDEX_DEPTH ? read_file(path, &bytes, &err) : NULL;
    if (!text) {
        if (depth == INDEX_DEPTH)
            err_set(&err, ERR_INPUT, "%s: lists within lists: too deep", path);
        complain(s, path, NULL, &err);
        return;
    }
    text[bytes] = '\0';
    for (char *line = text, *next; line < text + bytes; line = next) {
        char full[4096];
        next = line + strcspn(line, "\n");
        if (*next)
            *next++ = '\0';
        else
            next++;
        line[strcspn(line, "#")] = '\0';
        line += strspn(line, " \t\r");
        size_t n = strlen(line);
        while (n > 0 && isspace((unsigned char)line[n - 1]))
            line[--n] = '\0';
        if (n == 0 || strncmp(line, "(*", 2) == 0)
            continue;
        snprintf(full, sizeof full, "%.*s%s", *line == '/' ? 0 : folder, path,
                 line);
        add_operand(s, full, depth + 1);
    }
    free(text);
}

/* ---- one batch: tests that share an image */

/* "file:line:column: what", as far as known. */
static bool fail_at(const struct litmus_test *t, const struct explore *x,
                    place_id place, const char *what, struct err *err)
{
    const struct place *at =
        place < x->program->n_places ? &x->program->places[place] : NULL;
    if (!at || at->line == 0)
        return err_set(err, ERR_INPUT, "%s: %s", t->path, what);
    return litmus_fail(t, (struct litmus_place){at->line, at->column}, err,
                       "%s", what);
}

/* Of several the first is told. */
static void note_trouble(struct litmus_result *r, const struct err *err)
{
    if (!r->trouble)
        r->trouble = strdup(err->text);
}

/* What an exploration could not do, or found besides. */
static void note_troubles(struct litmus_session *s, const struct litmus_test *t,
                          const struct explore *x, struct litmus_result *r)
{
    struct err err;
    char what[600];
    r->is_cut = x->gap == GAP_BOUNDED;
    r->is_open = x->gap != GAP_NONE && x->gap != GAP_BOUNDED;
    if (r->is_open || r->is_cut) {
        fflush(s->out);
        fail_at(t, x, x->gap_place, x->gap_text, &err);
        fprintf(s->talk, "hwcheck: %s\n", err.text);
        note_trouble(r, &err);
        if (s->code == EXIT_SOUND)
            s->code = EXIT_INCONCLUSIVE;
    }
    for (uint32_t i = 0; i < x->n_violations; i++) {
        const struct violation *v = &x->violations[i];
        r->is_open = true;
        snprintf(what, sizeof what, "%s: %s", violation_name(v->kind),
                 x->program->texts[v->text]);
        fail_at(t, x, v->place, what, &err);
        say(s, &err);
        note_trouble(r, &err);
    }
}

/* The source's function that creates the threads of a test: its main has no
 * argument to choose by. */
static uint32_t find_main(const struct subject *subject, uint32_t test)
{
    const struct image *im = &subject->source.image;
    char name[32];
    snprintf(name, sizeof name, "t%u_main", test);
    for (uint32_t i = 0; i < im->n_functions; i++)
        if (strcmp(subject->program.texts[im->functions[i].name], name) == 0)
            return i;
    return im->main;
}

/* Looks up where the test's locations are; returns the function to run. */
static uint32_t prepare_test(struct litmus_batch *b, uint32_t test)
{
    litmus_find_locations(b, test);
    if (b->is_c)
        return b->isa ? b->subject.main : find_main(&b->subject, test);
    return qemu_runtime_function(&b->subject.machine,
                                 litmus_table_word(b, b->entries[test]), true);
}

/* Fills x, which the caller releases. */
static bool explore(struct litmus_batch *b, uint32_t test,
                    const struct model *model, struct explore *x,
                    struct err *err)
{
    const struct options *o = b->session->options;
    struct subject *subject = &b->subject;
    const struct runtime *runtime = subject_runtime(subject);
    struct explore_options options = {
        .max_executions = o->max_executions,
        .max_events =
            (uint32_t)(o->max_events < UINT32_MAX ? o->max_events : UINT32_MAX),
        .all = true,
        .stop = b->session->stop,
    };
    uint32_t function = prepare_test(b, test);
    /* Nothing of the test before is of use to this one. */
    locations_restart(&subject->program.locations);
    if (runtime->restart)
        runtime->restart(runtime->self);
    explore_init(x, &options, model, &subject->program, runtime);
    uint64_t argument = b->is_c ? test : 0;
    return explore_run(x, function, argument, err) &&
           explore_candidates(x, function, argument, err);
}

static const char *raised_flag(const struct explore *x)
{
    for (uint32_t i = 0; i < x->n_violations; i++)
        if (x->violations[i].kind == VIOLATION_FLAG)
            return x->violations[i].why.axiom;
    return NULL;
}

static void report(struct litmus_batch *b, const struct litmus_test *t,
                   struct litmus_result *r)
{
    struct litmus_session *s = b->session;
    if (!report_json_on_stdout(s->options))
        litmus_print_log(t, r, s->out);
    if (s->options->json)
        push_json(s, litmus_json_new(t, r, s->model.name, b->isa));
}

/* An execution that raises a flag is not followed further. herd's states are
 * those of all executions, so then all are explored again without flags. */
static bool explore_test(struct litmus_batch *b, uint32_t test, struct err *err)
{
    struct litmus_session *s = b->session;
    struct litmus_test *t = b->tests[test];
    struct litmus_result result = {0};
    struct explore x = {0};
    bool good = explore(b, test, &s->model, &x, err);
    if (good && (result.flag = raised_flag(&x))) {
        struct model without = s->model;
        without.has_flags = false;
        explore_release(&x);
        good = explore(b, test, &without, &x, err);
    }
    if (good) {
        result.seconds = x.seconds;
        b->outcomes = &x.outcomes;
        for (uint32_t i = 0; i < x.outcomes.n; i++) {
            struct litmus_value *values =
                litmus_term_values(b, test, &x.outcomes.list[i]);
            litmus_result_add(&result, t, values,
                              x.outcomes.list[i].executions);
            free(values);
        }
        b->outcomes = NULL;
        note_troubles(s, t, &x, &result);
        report(b, t, &result);
    }
    explore_release(&x);
    litmus_result_release(&result);
    return good || err_wrap(err, "%s", t->path);
}

/* ---- a test that is ready to run, for a visitor */

static bool visit_test(struct litmus_batch *b, uint32_t test, struct err *err)
{
    struct litmus_session *s = b->session;
    struct litmus_case c = {.batch = b,
                            .test = test,
                            .name = b->subject.program.name,
                            .name_self = b->subject.program.self};
    struct litmus_ready ready = {.its_case = &c,
                                 .test = b->tests[test],
                                 .subject = &b->subject,
                                 .model = &s->model,
                                 .function = prepare_test(b, test),
                                 .argument = b->is_c ? test : 0};
    int code = s->visitor->visit(s->visitor->self, &ready, err);
    if (code != EXIT_SOUND)
        s->code = code;
    return err->kind == ERR_NONE || err_wrap(err, "%s", b->tests[test]->path);
}

/* ---- building */

/* A file in memory as a path that compilers can open. */
static int write_program(struct litmus_batch *b, struct err *err)
{
    char *text = NULL;
    size_t bytes = 0;
    FILE *out = open_memstream(&text, &bytes);
    int fd = memfd_create("hwcheck-litmus", 0);
    if (out) {
        litmus_write_c(b->tests, b->n, b->errors, !b->isa, out);
        fclose(out);
    }
    if (fd >= 0 && write(fd, text, bytes) != (ssize_t)bytes) {
        close(fd);
        fd = -1;
    }
    if (fd < 0)
        err_set(err, ERR_SYSTEM, "no file in memory");
    free(text);
    return fd;
}

/* A loop that counts while it waits would go on for as long as it may. */
enum { UNROLL_DEFAULT = 16 };

static bool build(struct litmus_batch *b, struct err *err)
{
    static char no_warnings[] = "-w";
    const struct options *o = b->session->options;
    char path[64];
    char **flags = NULL;
    int fd = -1;
    b->options = *o;
    if (!b->options.unroll)
        b->options.unroll = UNROLL_DEFAULT;
    if (b->is_c) {
        fd = write_program(b, err);
        flags = mem_resize(NULL, (o->n_cflags + 1) * sizeof *flags);
        flags[0] = no_warnings;
        if (o->n_cflags)
            memcpy(flags + 1, o->cflags, o->n_cflags * sizeof *flags);
        b->options.cflags = flags;
        b->options.n_cflags = o->n_cflags + 1;
    } else if (!litmus_assemble(b->isa, &b->assembly, &fd, err)) {
        return false;
    }
    if (fd < 0) {
        free(flags);
        return false;
    }
    snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
    bool good = subject_init(&b->subject, &b->options, b->isa, path, err);
    if (good && b->isa)
        b->subject.machine.tries_failures = true;
    if (good && !b->is_c)
        litmus_name_all(b);
    close(fd);
    free(flags);
    return good;
}

static bool use_model(struct litmus_session *s, const char *name,
                      const struct isa *isa, struct err *err)
{
    char text[300];
    if (s->model_name && strcmp(s->model_name, name) == 0)
        return true;
    if (s->model_name)
        s->model.release(&s->model);
    s->model_name = NULL;
    if (!s->load(&s->model, name, err))
        return false;
    s->model_name = name;
    if (!model_fits(&s->model, isa, text, sizeof text))
        fprintf(s->talk, "hwcheck: warning: %s\n", text);
    return true;
}

/* The command is to end before this one. */
static void leave_out(struct litmus_batch *b, uint32_t test)
{
    struct litmus_session *s = b->session;
    struct err err = {0};
    char why[100];
    s->n_not_run++;
    halt_print(why, sizeof why);
    err_set(&err, ERR_STOPPED, "not run: %s", why);
    if (!s->visitor && s->options->json)
        push_json(s, report_json_new_error(b->tests[test]->path, b->isa, &err));
}

/* Explores the tests of an image that was built. */
static void explore_batch(struct litmus_batch *b)
{
    struct litmus_session *s = b->session;
    for (uint32_t i = 0; i < b->n; i++) {
        struct err err = {0};
        if (*s->stop)
            leave_out(b, i);
        else if (b->errors[i].kind != ERR_NONE)
            complain(s, b->tests[i]->path, b->isa, &b->errors[i]);
        else if (!(s->visitor ? visit_test(b, i, &err)
                              : explore_test(b, i, &err)))
            complain(s, b->tests[i]->path, b->isa, &err);
    }
}

static bool has_mapping(const struct options *o)
{
    return o->mapping || o->map.n > 0;
}

/* Tests that share an image have threads P0, P1, ...; what else --map could
 * name depends on which those are. And a mapping that cannot be read is no
 * fault of a test. */
static bool check_mappings(const struct options *o, struct err *err)
{
    struct mapping m;
    for (unsigned i = 0; i < o->map.n; i++)
        if (o->map.items[i][0] != 'P' ||
            !isdigit((unsigned char)o->map.items[i][1]))
            return err_set(err, ERR_USAGE,
                           "--map: the threads of litmus tests are P0, P1, "
                           "..., got '%s'",
                           o->map.items[i]);
    if (!o->mapping || strcmp(o->mapping, "native") == 0)
        return true;
    bool good = mapping_load(&m, o->mapping, err);
    mapping_release(&m);
    return good;
}

/* Builds several tests at once. If one of them is wrong, they are built apart,
 * and only then the compiler has its say. */
static bool build_quietly(struct litmus_batch *b, struct err *err)
{
    fflush(stderr);
    int said = dup(STDERR_FILENO), nowhere = open("/dev/null", O_WRONLY);
    if (said >= 0 && nowhere >= 0)
        dup2(nowhere, STDERR_FILENO);
    bool good = build(b, err);
    fflush(stderr);
    if (said >= 0)
        dup2(said, STDERR_FILENO);
    close(said);
    close(nowhere);
    return good;
}

/* One message, but an entry of the report each. */
static void complain_all(struct litmus_batch *b, const struct err *err)
{
    complain(b->session, b->tests[0]->path, b->isa, err);
    for (uint32_t i = 1; i < b->n && !b->session->visitor; i++)
        if (b->session->options->json)
            push_json(b->session,
                      report_json_new_error(b->tests[i]->path, b->isa, err));
}

static void run_batch(struct litmus_session *s, uint32_t first, uint32_t n)
{
    struct err err = {0};
    struct litmus_batch b = {.session = s, .n = n};
    b.is_c = s->tests[first].is_c;
    const char *isa = b.is_c ? s->options->arch : s->tests[first].dialect->isa;
    b.isa = isa ? isa_find(isa) : NULL;
    b.tests = mem_resize(NULL, n * sizeof *b.tests);
    b.errors =
        memset(mem_resize(NULL, n * sizeof *b.errors), 0, n * sizeof *b.errors);
    b.entries = mem_resize(NULL, n * sizeof *b.entries);
    b.assembly = (struct litmus_assembly){
        .tests = b.tests, .n = n, .errors = b.errors, .entries = b.entries};
    for (uint32_t i = 0; i < n; i++)
        b.tests[i] = &s->tests[first + i];
    const char *model = s->options->model          ? s->options->model
                        : s->options->target_model ? s->options->target_model
                        : b.isa && b.is_c          ? b.isa->program_model
                        : b.isa                    ? b.isa->model
                                                   : "rc11";
    if (isa && !b.isa) {
        err_set(&err, ERR_USAGE, "no ISA '%s'", isa);
        complain_all(&b, &err);
    } else if (has_mapping(s->options) && !(b.is_c && b.isa)) {
        err_set(&err, ERR_USAGE,
                "%s: --mapping and --map are for C tests, with --arch",
                b.tests[0]->path);
        complain_all(&b, &err);
    } else if (!use_model(s, model, b.isa, &err)) {
        complain_all(&b, &err);
    } else if (n > 1 ? build_quietly(&b, &err) : build(&b, &err)) {
        explore_batch(&b);
    } else if (err.kind == ERR_STOPPED) {
        for (uint32_t i = 0; i < n; i++)
            leave_out(&b, i);
    } else if (n == 1) {
        /* What the compilers say names the file in memory. */
        if (b.is_c && err.kind == ERR_COMPILE)
            err_set(&err, ERR_INPUT, "%s: cannot be compiled",
                    b.tests[0]->path);
        else
            err_name_file(&err, b.tests[0]->path);
        complain(s, b.tests[0]->path, b.isa, &err);
    } else {
        /* Which of them cannot be built? */
        subject_release(&b.subject);
        memset(&b.subject, 0, sizeof b.subject);
        run_batch(s, first, n / 2);
        run_batch(s, first + n / 2, n - n / 2);
    }
    subject_release(&b.subject);
    free(b.addresses);
    free(b.line_addresses);
    free(b.assembly.lines);
    free(b.tests);
    free(b.errors);
    free(b.entries);
}

static bool share_image(const struct litmus_test *a,
                        const struct litmus_test *b)
{
    return a->is_c || b->is_c ? a->is_c == b->is_c
                              : strcmp(a->dialect->isa, b->dialect->isa) == 0;
}

/* The command was to end before all were run. */
static void note_not_run(struct litmus_session *s)
{
    char why[100];
    if (!*s->stop)
        return;
    halt_print(why, sizeof why);
    s->code = cli_worse(s->code, EXIT_INCONCLUSIVE);
    fflush(s->out);
    if (s->n_not_run)
        fprintf(s->talk,
                "hwcheck: %" PRIu32 " of %" PRIu32 " test%s not run: "
                "%s\n",
                s->n_not_run, s->n_tests, s->n_tests == 1 ? "" : "s", why);
}

static int run_session(struct litmus_session s)
{
    const struct options *o = s.options;
    struct err err = {0};
    if (!check_mappings(o, &err)) {
        say(&s, &err);
        return s.code;
    }
    for (uint32_t i = 0; i < o->n_operands; i++)
        add_operand(&s, o->operands[i], 0);
    for (uint32_t i = 0, n; i < s.n_tests; i += n) {
        for (n = 1; i + n < s.n_tests && n < BATCH_MAX; n++)
            if (!share_image(&s.tests[i], &s.tests[i + n]))
                break;
        run_batch(&s, i, n);
    }
    note_not_run(&s);
    if (!s.visitor && o->json && !report_json_write(o, s.json, s.n_json, &err))
        say(&s, &err);
    report_json_free(s.json, s.n_json);
    free(s.json);
    for (uint32_t i = 0; i < s.n_tests; i++)
        litmus_release(&s.tests[i]);
    free(s.tests);
    if (s.model_name)
        s.model.release(&s.model);
    return s.code;
}

int litmus_run(const struct options *o, model_loader *load,
               const volatile sig_atomic_t *stop, FILE *out, FILE *talk)
{
    return run_session((struct litmus_session){.options = o,
                                               .load = load,
                                               .stop = stop,
                                               .out = out,
                                               .talk = talk,
                                               .code = EXIT_SOUND});
}

int litmus_visit(const struct options *o, model_loader *load,
                 const volatile sig_atomic_t *stop,
                 const struct litmus_visitor *visitor, FILE *talk)
{
    return run_session((struct litmus_session){.options = o,
                                               .load = load,
                                               .stop = stop,
                                               .visitor = visitor,
                                               .out = stdout,
                                               .talk = talk,
                                               .code = EXIT_SOUND});
}
