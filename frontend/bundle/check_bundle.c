#include "frontend/bundle/check_bundle.h"

#include "frontend/base/child.h"
#include "frontend/base/cli.h"
#include "frontend/base/output.h"
#include "frontend/bundle/check_litmus.h"
#include "frontend/bundle/check_rerun.h"
#include "frontend/check/check_report.h"
#include "frontend/check/check_view.h"
#include "frontend/page/check_html.h"
#include "frontend/report/report.h"
#include "hw/decode.h"

#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define PATH_BYTES    4096
#define HERD_LINES    12
#define FUNCTIONS_MAX 64

struct bundle {
    const struct check *check;
    char dir[PATH_BYTES];
    struct rerun rerun; /* the files that were copied, and the command */
    const char *functions[FUNCTIONS_MAX]; /* to show; none: all. Borrowed */
    uint32_t n_functions;
    bool has_litmus;      /* bad.litmus was written... */
    struct err no_litmus; /* ...or why not */
    char *herd;           /* what herd7 says of it, owned; NULL: not asked */
};

/* ---- the folder */

static bool make_folder(const char *dir, struct err *err)
{
    if (mkdir(dir, 0777) == 0 || errno == EEXIST)
        return true;
    return err_set(err, ERR_SYSTEM, "cannot make the folder '%s': %s", dir,
                   strerror(errno));
}

static const char *base_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

/* "prog-aarch64", or "test_1-aarch64" of a function, within dir; what has the
 * same name gets numbers. */
static bool make_own_folder(struct bundle *b, const char *dir, struct err *err)
{
    const char *entry = b->check->entry;
    const char *base = entry ? entry : base_name(b->check->path);
    int n = (int)strcspn(base, ".");
    if (n > NAME_MAX - 40)
        n = NAME_MAX - 40;
    for (unsigned i = 1; i < 10000; i++) {
        char number[16] = "";
        if (i > 1)
            snprintf(number, sizeof number, "-%u", i);
        int length = snprintf(b->dir, sizeof b->dir, "%s/%.*s-%s%s", dir, n,
                              base, b->check->isa->name, number);
        if (length >= (int)sizeof b->dir)
            return err_set(err, ERR_USAGE, "the name '%s' is too long", dir);
        if (mkdir(b->dir, 0777) == 0)
            return true;
        if (errno != EEXIST)
            break;
    }
    return err_set(err, ERR_SYSTEM, "cannot make the folder '%s': %s", b->dir,
                   strerror(errno));
}

static bool path_in(const struct bundle *b, const char *name, char *buf,
                    struct err *err)
{
    if (snprintf(buf, PATH_BYTES, "%s/%s", b->dir, name) < PATH_BYTES)
        return true;
    return err_set(err, ERR_USAGE, "the name '%s' is too long", b->dir);
}

typedef void printer(struct bundle *b, FILE *out);

static bool write_in(struct bundle *b, const char *name, printer *print,
                     struct err *err)
{
    char path[PATH_BYTES];
    if (!path_in(b, name, path, err))
        return false;
    struct output out;
    if (!output_open(&out, path, err))
        return false;
    print(b, out.file);
    return output_close(&out, err);
}

/* ---- what is in the files */

/* Who may read it may run it. */
static void make_executable(FILE *out)
{
    struct stat st;
    if (fstat(fileno(out), &st) == 0)
        fchmod(fileno(out), (st.st_mode | (st.st_mode & 0444) >> 2) & 0777);
}

/* A word of the command; that which names functions names the one at hand. */
static const char *own_word(const struct check *c, const char *word,
                            char buf[CHECK_NAME_BYTES])
{
    const char *entry = c->options->entry; /* is part of its word */
    size_t n = (size_t)((uintptr_t)entry - (uintptr_t)word);
    if (!c->entry || !entry || n > strlen(word))
        return word;
    snprintf(buf, CHECK_NAME_BYTES, "%.*s%s", (int)n, word, c->entry);
    return buf;
}

/* As it was given. */
static void print_command(struct bundle *b, FILE *out)
{
    const struct options *o = b->check->options;
    for (uint32_t i = 0; i < o->argc; i++) {
        char replaced[CHECK_NAME_BYTES];
        fputs(i ? " " : "", out);
        rerun_print_word(own_word(b->check, o->argv[i], replaced), out);
    }
    fputc('\n', out);
}

/* The same from within the folder. */
static void print_own_command(struct bundle *b, FILE *out)
{
    rerun_print_command(&b->rerun, out);
}

static void print_script(struct bundle *b, FILE *out)
{
    rerun_print_script(&b->rerun, b->check, out);
    make_executable(out);
}

static void print_outcomes(struct bundle *b, FILE *out)
{
    uint32_t n;
    struct check_row *rows = check_rows_new(b->check, &n);
    fprintf(out, "%10s %10s  %-14s  %s\n", "source", "machine", "class",
            "outcome");
    for (uint32_t i = 0; i < n; i++)
        fprintf(out, "%10" PRIu64 " %10" PRIu64 "  %-14s  %s\n", rows[i].source,
                rows[i].machine, check_row_class(&rows[i]), rows[i].text);
    for (uint32_t i = 0; i < b->check->n_extras; i++)
        if (b->check->extras[i].violation != UINT32_MAX)
            fprintf(out, "%10d %10s  %-14s  %s\n", 0, "+",
                    check_extra_class(&b->check->extras[i]),
                    b->check->extras[i].text);
    free(rows);
}

static void print_html(struct bundle *b, FILE *out)
{
    check_html_print(b->check, out);
}

static bool has_function(const struct bundle *b, const char *name)
{
    for (uint32_t i = 0; i < b->n_functions; i++)
        if (strcmp(b->functions[i], name) == 0)
            return true;
    return false;
}

static void add_function(struct bundle *b, const char *name)
{
    if (!has_function(b, name) && b->n_functions < FUNCTIONS_MAX)
        b->functions[b->n_functions++] = name;
}

/* Where the instruction at pc comes from, when that is news; false: from a
 * function that is left out. */
static bool print_position(const struct bundle *b, uint64_t pc,
                           struct machine_position *last, FILE *out)
{
    const struct machine_image *im = &b->check->target->subject.target.image;
    struct machine_position at = {0};
    bool known = im->find(im->self, pc, &at);
    if (b->n_functions && (!at.function || !has_function(b, at.function)))
        return false;
    if (!known)
        return true;
    if (at.function &&
        (!last->function || strcmp(at.function, last->function) != 0))
        fprintf(out, "\n%s:\n", at.function);
    if (at.file && at.line && (at.line != last->line || at.file != last->file))
        fprintf(out, "                # %s:%" PRIu32 "\n", base_name(at.file),
                at.line);
    *last = at;
    return true;
}

/* Of a program with many functions to check: those that have a part in this
 * one. */
static void find_functions(struct bundle *b)
{
    struct check_side *t = b->check->target;
    const struct machine_image *im = &t->subject.target.image;
    struct machine_position at;
    uint64_t pc;
    if (b->check->entry)
        add_function(b, b->check->entry);
    for (node_id node = 0; b->check->entry && node < t->explore.path.n; node++)
        if (subject_instruction(&t->subject, node, &pc)[0] &&
            im->find(im->self, pc, &at) && at.function)
            add_function(b, at.function);
}

/* The program's own functions. */
static void print_assembly(struct bundle *b, FILE *out)
{
    const struct target *t = &b->check->target->subject.target;
    const struct machine_image *im = &t->image;
    struct machine_position last = {0};
    struct decode d;
    struct err err;
    find_functions(b);
    fprintf(out, "# %s, %s\n# %s\n", im->isa->name, t->compiler, t->flags);
    if (!decode_init(&d, im->isa, &err)) {
        fprintf(out, "# %s\n", err.text);
        return;
    }
    for (uint32_t i = 0; i < im->n_segments; i++)
        if (im->segments[i].is_code)
            decode_add_section(&d, im->segments[i].addr, im->segments[i].data,
                               im->segments[i].n_data);
    for (uint64_t pc = im->text.from; pc < im->text.to;) {
        const struct instruction *in = decode_at(&d, pc);
        unsigned length = in && in->length ? in->length : 1;
        if (in && !range_has(im->library, pc) && !range_has(im->quiet, pc) &&
            print_position(b, pc, &last, out))
            fprintf(out, "%8" PRIx64 ":       %s\n", pc, in->text);
        pc += length;
    }
    decode_release(&d);
}

/* ---- the litmus test, and what herd7 says of it */

static const struct check_extra *chosen(const struct check *c)
{
    for (uint32_t i = 0; i < c->n_extras; i++)
        if (!c->extras[i].stuck && check_extra_graph(c, &c->extras[i]))
            return &c->extras[i];
    return NULL;
}

static bool write_litmus(struct bundle *b, struct err *err)
{
    const struct check_extra *e = chosen(b->check);
    char path[PATH_BYTES];
    if (!e)
        return true;
    if (!path_in(b, "bad.litmus", path, err))
        return false;
    struct output out;
    if (!output_open(&out, path, err))
        return false;
    b->has_litmus = check_litmus_print(b->check, e, out.file, &b->no_litmus);
    if (b->has_litmus)
        return output_close(&out, err);
    output_drop(&out);
    return true;
}

/* Its log, without the states; NULL if there is no herd7. */
static char *run_herd(const char *path)
{
    const char *const argv[] = {"timeout", "60", "herd7", path, NULL};
    posix_spawn_file_actions_t actions;
    int fds[2];
    pid_t pid;
    char *text = NULL;
    size_t cap = 0;
    if (pipe(fds) != 0)
        return NULL;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, fds[1], STDOUT_FILENO);
    posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", 1,
                                     0);
    posix_spawn_file_actions_addclose(&actions, fds[0]);
    bool started = child_start(&pid, argv, &actions) == 0;
    posix_spawn_file_actions_destroy(&actions);
    close(fds[1]);
    FILE *in = fdopen(fds[0], "r");
    if (in && started && child_has_output(fds[0]) &&
        getdelim(&text, &cap, '\0', in) <= 0) {
        free(text);
        text = NULL;
    }
    if (in)
        fclose(in);
    if (started)
        child_wait(pid);
    return text;
}

/* ---- report.md */

static void print_fact(const char *name, const char *text, FILE *out)
{
    if (text[0])
        fprintf(out, "* %s: %s\n", name, text);
}

static void print_facts(struct bundle *b, FILE *out)
{
    const struct check *c = b->check;
    const struct target *t = &c->target->subject.target;
    fprintf(out, "# %s: %s%s%s on %s\n\n%s.\n\n",
            check_verdict_name(c->verdict), base_name(c->path),
            c->entry ? ":" : "", c->entry ? c->entry : "", c->isa->name,
            c->reason);
    if (c->target->explored) {
        print_fact("compiler", t->compiler, out);
        print_fact("flags", t->flags, out);
        print_fact("mapping", t->mapping, out);
        print_fact("model of the machine", c->target->model.name, out);
    }
    print_fact("model of the source", c->source->model.name, out);
}

static void print_files(struct bundle *b, FILE *out)
{
    fprintf(out, "\n## Files\n\n"
                 "* `rerun.sh`: runs the check again, in this folder, and "
                 "compares the verdict\n"
                 "* `command.txt`: the command that it runs\n");
    for (uint32_t i = 0; i < b->rerun.n_files; i++)
        fprintf(out, "* `%s`: %s\n", b->rerun.files[i],
                i ? "which it includes" : "the program");
    if (b->check->target->explored)
        fprintf(out, "* `program.s`: its machine code\n"
                     "* `outcomes.txt`: the outcomes of both sides\n");
    if (b->has_litmus)
        fprintf(out, "* `bad.litmus`: the bad execution as a litmus test\n");
    fprintf(out, "* `witness.html`: this report as a page, with graphs\n");
}

static void print_reproduce(struct bundle *b, FILE *out)
{
    const struct check *c = b->check;
    fprintf(out,
            "\n## How to reproduce\n\nThe command above, or `rerun.sh` of this "
            "folder, which needs nothing outside of it, with hwcheck %s. "
            "Of the machine's model alone:\n\n",
            HWCHECK_VERSION);
    if (b->has_litmus)
        fprintf(out,
                "    hwcheck litmus --target-model=%s bad.litmus\n\n"
                "finds the bad execution of the machine code "
                "(`Sometimes`).\n",
                c->options->target_model ? c->options->target_model
                                         : c->target->model.name);
    else
        fprintf(out, "there is no litmus test: %s.\n",
                b->no_litmus.kind ? b->no_litmus.text
                                  : "no execution is wrong");
    if (b->herd) {
        uint32_t n = 0;
        fprintf(out, "\nherd7 with its own model of the machine says:\n\n");
        for (char *line = strtok(b->herd, "\n"); line && n < HERD_LINES;
             line = strtok(NULL, "\n"))
            if (strncmp(line, "Observation", 11) == 0 ||
                strncmp(line, "Condition", 9) == 0) {
                fprintf(out, "    %s\n", line);
                n++;
            }
    }
}

/* The text report, whatever of it went to the terminal. */
static void print_witness(struct bundle *b, FILE *out)
{
    struct options options = *b->check->options;
    struct check c = *b->check;
    options.quiet = false;
    options.outcomes = 0;
    c.options = &options;
    fprintf(out, "\n## Report\n\n```\n");
    check_report_print(&c, false, out);
    fprintf(out, "```\n");
}

static void print_report(struct bundle *b, FILE *out)
{
    fputs("    ", out);
    print_command(b, out);
    fputc('\n', out);
    print_facts(b, out);
    print_reproduce(b, out);
    print_witness(b, out);
    print_files(b, out);
}

/* ---- all of it */

static bool write_files(struct bundle *b, struct err *err)
{
    char path[PATH_BYTES];
    bool explored = b->check->target->explored;
    if (!rerun_make(&b->rerun, b->check, b->dir, err) ||
        !write_in(b, "command.txt", print_own_command, err) ||
        !write_in(b, "rerun.sh", print_script, err) ||
        (explored && !write_in(b, "program.s", print_assembly, err)) ||
        (explored && !write_in(b, "outcomes.txt", print_outcomes, err)) ||
        !write_in(b, "witness.html", print_html, err) || !write_litmus(b, err))
        return false;
    if (b->has_litmus && path_in(b, "bad.litmus", path, err))
        b->herd = run_herd(path);
    return write_in(b, "report.md", print_report, err);
}

bool check_bundle_write(const struct check *c, const char *dir, char *folder,
                        struct err *err)
{
    struct bundle b = {.check = c};
    if (snprintf(b.dir, sizeof b.dir, "%s", dir) >= (int)sizeof b.dir)
        return err_set(err, ERR_USAGE, "the name '%s' is too long", dir);
    bool done = make_folder(dir, err) &&
                (!folder || make_own_folder(&b, dir, err)) &&
                write_files(&b, err);
    if (done && folder)
        snprintf(folder, NAME_MAX + 1, "%s", base_name(b.dir));
    free(b.herd);
    rerun_release(&b.rerun);
    return done;
}

/* Of all folders at once. */
static bool write_all_script(const char *dir, struct err *err)
{
    char path[PATH_BYTES];
    if (snprintf(path, sizeof path, "%s/rerun.sh", dir) >= (int)sizeof path)
        return err_set(err, ERR_USAGE, "the name '%s' is too long", dir);
    FILE *out = fopen(path, "w");
    if (out) {
        rerun_print_all(out);
        make_executable(out);
    }
    bool bad = !out || ferror(out);
    if ((out && fclose(out) != 0) || bad)
        return err_set(err, ERR_SYSTEM, "cannot write '%s': %s", path,
                       strerror(errno));
    return true;
}

bool check_bundle_write_index(struct check_index *x, const struct options *o,
                              const char *dir, struct err *err)
{
    char path[PATH_BYTES];
    if (snprintf(path, sizeof path, "%s/index.html", dir) >= (int)sizeof path)
        return err_set(err, ERR_USAGE, "the name '%s' is too long", dir);
    return make_folder(dir, err) && check_index_write(x, o, path, err) &&
           write_all_script(dir, err);
}
