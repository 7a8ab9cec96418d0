#include "frontend/commands/check_command.h"

#include "core/mem.h"
#include "frontend/base/cli.h"
#include "frontend/base/output.h"
#include "frontend/bundle/check_bundle.h"
#include "frontend/check/check_dot.h"
#include "frontend/check/check_json.h"
#include "frontend/check/check_report.h"
#include "frontend/check/check_view.h"
#include "frontend/litmus/litmus_c.h"
#include "frontend/litmus/litmus_run.h"
#include "frontend/page/check_html.h"
#include "frontend/page/check_index.h"
#include "frontend/report/report_json.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define ISAS_MAX 16

struct check_session {
    const struct options *options;
    model_loader *load;
    const volatile sig_atomic_t *stop;
    FILE *out, *talk;
    bool color;
    bool table; /* there may be several checks */
    struct check_table rows;
    bool sifted; /* of so many functions that only those not sound matter */
    struct check_index pages, folders; /* of --html and --bundle */
    struct mapping mapping;
    bool is_mapped;
    const char *source_model;
    const struct isa *isas[ISAS_MAX];
    uint32_t n_isas;
    char **warnings; /* said already */
    uint32_t n_warnings, warnings_cap;
    struct cJSON **json; /* one a check; NULL: no JSON is wanted */
    uint32_t n_json;
    int code;
};

static int code_of(enum check_verdict verdict)
{
    switch (verdict) {
    case CHECK_SOUND:
        return EXIT_SOUND;
    case CHECK_MISCOMPILED:
    case CHECK_UNDEFINED:
        return EXIT_VIOLATION;
    case CHECK_INCONCLUSIVE:
        return EXIT_INCONCLUSIVE;
    }
    return EXIT_INTERNAL;
}

static void push_json(struct check_session *s, struct cJSON *object)
{
    s->json = mem_resize(s->json, (s->n_json + 1) * sizeof *s->json);
    s->json[s->n_json++] = object;
}

/* `isa` is NULL if it is no matter of one machine. */
static void complain(struct check_session *s, const char *path,
                     const struct isa *isa, struct err *err)
{
    if (err->kind == ERR_INPUT)
        err_name_file(err, path);
    fflush(s->out);
    cli_complain(err, s->talk);
    s->rows.counts.n_errors++;
    s->code = cli_worse(s->code, cli_code_of(err));
    if (s->options->json)
        push_json(s, report_json_new_error(path, isa, err));
    check_index_add_error(&s->pages, path, err);
    check_index_add_error(&s->folders, path, err);
}

static void fail_to_write(struct check_session *s, const struct err *err)
{
    fprintf(s->talk, "hwcheck: %s\n", err->text);
    s->code = cli_worse(s->code, EXIT_USAGE);
}

static void write_file(struct check_session *s, const struct check *c,
                       const char *path, check_printer *print)
{
    struct err err = {0};
    if (path && !check_write(c, path, print, &err))
        fail_to_write(s, &err);
}

static void print_report(struct check_session *s, const struct check *c)
{
    if (report_json_on_stdout(s->options))
        return;
    if (s->table)
        check_table_row(&s->rows, c);
    else
        check_report_print(c, s->color, s->out);
    fflush(s->out);
}

static void write_page(struct check_session *s, const struct check *c)
{
    if (s->table)
        check_index_add(&s->pages, c, NULL);
    else
        write_file(s, c, s->options->html, check_html_print);
}

static void write_folder(struct check_session *s, const struct check *c)
{
    struct err err = {0};
    char folder[NAME_MAX + 1] = "", page[NAME_MAX + 20];
    bool wanted = !s->sifted || c->verdict != CHECK_SOUND;
    if (wanted && !check_bundle_write(c, s->options->bundle,
                                      s->table ? folder : NULL, &err)) {
        fail_to_write(s, &err);
        return;
    }
    snprintf(page, sizeof page, "%s/witness.html", folder);
    check_index_add(&s->folders, c, folder[0] ? page : NULL);
}

static void report(struct check_session *s, const struct check *c)
{
    s->code = cli_worse(s->code, code_of(c->verdict));
    check_counts_add(&s->rows.counts, c);
    if (s->options->json)
        push_json(s, check_json_new(c));
    print_report(s, c);
    if (s->options->html)
        write_page(s, c);
    if (s->options->dot && !check_dot_has(c))
        fprintf(s->talk, "hwcheck: no execution to draw into '%s'\n",
                s->options->dot);
    else
        write_file(s, c, s->options->dot, check_dot_print);
    if (s->options->bundle)
        write_folder(s, c);
}

/* A program, compiled once for all its functions that are checked. */
struct program_check {
    struct check_session *session;
    struct check common; /* what the checks have in common */
    struct check_side sources[ISAS_MAX], targets[ISAS_MAX];
    /* The source with the ABI of that ISA: its own, or that of an earlier one
     * to which it is alike. */
    uint32_t source_of[ISAS_MAX];
    bool given_up[ISAS_MAX]; /* that target has an error */
    uint32_t n;              /* functions checked */
};

static bool was_said(const struct check_session *s, const char *text)
{
    for (uint32_t i = 0; i < s->n_warnings; i++)
        if (strcmp(s->warnings[i], text) == 0)
            return true;
    return false;
}

/* A row of the table has no room for what a report would say, and several rows
 * have the same to say. */
static void warn(struct check_session *s, const struct check_side *side)
{
    const struct explore *x = &side->explore;
    char text[1000];
    for (uint32_t i = 0; s->table && side->explored && i < x->n_warnings; i++) {
        check_print_warning(x, i, text, sizeof text);
        if (was_said(s, text))
            continue;
        fprintf(s->talk, "hwcheck: warning: %s\n", text);
        s->warnings = mem_room(s->warnings, s->n_warnings, &s->warnings_cap,
                               sizeof *s->warnings);
        s->warnings[s->n_warnings++] = strdup(text);
    }
}

static void check_on(struct program_check *p, const char *entry, uint32_t isa)
{
    struct check_session *s = p->session;
    struct err err = {0};
    struct check c = p->common;
    c.entry = entry;
    c.isa = s->isas[isa];
    c.source = &p->sources[p->source_of[isa]];
    c.target = &p->targets[isa];
    if (check_decide(&c, &err)) {
        warn(s, c.source);
        warn(s, c.target);
        report(s, &c);
    } else {
        complain(s, c.path, c.isa, &err);
        p->given_up[isa] = true;
    }
    check_release(&c);
    check_side_forget(c.target);
}

/* On all ISAs that have this source. */
static void check_with(struct program_check *p, const char *entry,
                       uint32_t source)
{
    struct check_session *s = p->session;
    struct err err = {0};
    struct check c = p->common;
    c.entry = entry;
    c.source = &p->sources[source];
    bool ok = check_explore_source(&c, &err);
    if (!ok)
        complain(s, c.path, s->isas[source], &err);
    for (uint32_t i = source; ok && i < s->n_isas; i++)
        if (!p->given_up[i] && p->source_of[i] == source)
            check_on(p, entry, i);
    check_side_forget(c.source);
}

/* `entry` is NULL for main. */
static void check_function(void *self, const char *entry)
{
    struct program_check *p = self;
    struct check_session *s = p->session;
    p->n++;
    for (uint32_t i = 0; i < s->n_isas; i++)
        if (!p->given_up[i] && p->source_of[i] == i)
            check_with(p, entry, i);
}

/* Compiles the source with the ABI of each ISA. Returns the first for which
 * that was possible, UINT32_MAX: there is none, or the command is to end, as
 * *stopped says. What is wrong is said once. */
static uint32_t compile_sources(struct program_check *p, struct err *stopped)
{
    struct check_session *s = p->session;
    char said[sizeof((struct err *)NULL)->text] = "";
    uint32_t first = UINT32_MAX;
    for (uint32_t i = 0; i < s->n_isas; i++) {
        struct err err = {0};
        struct check c = p->common;
        c.isa = s->isas[i];
        p->source_of[i] = i;
        if (!check_compile(&p->sources[i], &c, &err)) {
            p->given_up[i] = true;
            if (err.kind == ERR_STOPPED) {
                *stopped = err;
                return UINT32_MAX;
            }
            if (strcmp(said, err.text) == 0)
                continue;
            snprintf(said, sizeof said, "%s", err.text);
            if (first != UINT32_MAX) /* it is about this machine */
                err_wrap(&err, "%s", c.isa->name);
            complain(s, c.path, first != UINT32_MAX ? c.isa : NULL, &err);
            continue;
        }
        first = first == UINT32_MAX ? i : first;
        for (uint32_t k = 0; k < i && p->source_of[i] == i; k++)
            if (!p->given_up[k] && p->source_of[k] == k &&
                p->sources[k].subject.source.key ==
                    p->sources[i].subject.source.key) {
                p->source_of[i] = k;
                check_side_release(&p->sources[i]);
            }
    }
    return first;
}

/* A C litmus test as a C program in memory; -1: err says why not. */
static int open_litmus(const char *path, struct err *err)
{
    struct litmus_test test;
    int fd = -1;
    bool good = litmus_read(&test, path, err);
    if (good && !test.is_c)
        good = err_set(err, ERR_INPUT,
                       "%s: machine code has no source to be checked against; "
                       "'hwcheck litmus' runs it",
                       path);
    FILE *out =
        good ? fdopen(fd = memfd_create("hwcheck-litmus", 0), "w") : NULL;
    if (good && !out)
        good =
            err_set(err, ERR_SYSTEM, "no file in memory: %s", strerror(errno));
    good = good && litmus_write_alone(&test, out, err);
    int kept = good ? dup(fd) : -1;
    if (out)
        fclose(out);
    litmus_release(&test);
    return kept;
}

static bool is_litmus(const char *path)
{
    const char *dot = strrchr(path, '.');
    return dot && strcmp(dot, ".litmus") == 0;
}

static void expect_row(void *self, const char *entry)
{
    struct program_check *p = self;
    check_table_expect(&p->session->rows, p->common.path, entry);
}

/* The command is to end before the program is compiled. */
static void report_stopped(struct program_check *p, const struct err *why,
                           bool not_begun)
{
    struct check_session *s = p->session;
    char what[200];
    snprintf(what, sizeof what, "%s: %.100s",
             not_begun ? "not begun" : "not explored", why->text);
    for (uint32_t i = 0; i < s->n_isas; i++) {
        struct check c = p->common;
        c.isa = s->isas[i];
        c.source = &p->sources[0]; /* whose model is there */
        c.target = &p->targets[i];
        check_stop(&c, what);
        report(s, &c);
        check_release(&c);
    }
}

/* Where neither user nor mapping names a model, the program's header does. */
static bool find_language(struct program_check *p, struct err *err)
{
    const struct check_session *s = p->session;
    struct check *c = &p->common;
    /* A litmus test is a text of its own: what we make of it includes all. */
    if (s->options->source_model || (s->is_mapped && s->mapping.source) ||
        is_litmus(c->path))
        return true;
    if (!language_find(&c->language, s->options, c->file, err))
        return false;
    if (c->language)
        c->source_model = c->language->model;
    return true;
}

static void check_file(struct check_session *s, const char *path,
                       const char *file)
{
    struct err err = {0};
    const char *entry = s->options->entry;
    bool not_begun = *s->stop;
    struct program_check p = {
        .session = s,
        .common = {.options = s->options,
                   .path = path,
                   .file = file,
                   .mapping = s->is_mapped ? &s->mapping : NULL,
                   .source_model = s->source_model,
                   .load = s->load,
                   .stop = s->stop},
    };
    /* If the command is to end, compiling will say so. */
    if (!find_language(&p, &err) && err.kind != ERR_STOPPED) {
        complain(s, path, NULL, &err);
        return;
    }
    uint32_t first = compile_sources(&p, &err);
    const struct subject *source = &p.sources[first % ISAS_MAX].subject;
    if (first != UINT32_MAX && entry) {
        subject_each_entry(source, entry, expect_row, &p);
        subject_each_entry(source, entry, check_function, &p);
    } else if (first != UINT32_MAX)
        check_function(&p, NULL);
    if (err.kind == ERR_STOPPED) {
        report_stopped(&p, &err, not_begun);
    } else if (first != UINT32_MAX && p.n == 0) {
        err_set(&err, ERR_INPUT, "no function '%s'", entry);
        complain(s, path, NULL, &err);
    }
    for (uint32_t i = 0; i < s->n_isas; i++) {
        check_side_release(&p.sources[i]);
        check_side_release(&p.targets[i]);
    }
}

static void check_program(struct check_session *s, const char *path)
{
    struct err err = {0};
    char file[40];
    if (!is_litmus(path)) {
        check_file(s, path, path);
        return;
    }
    int fd = open_litmus(path, &err);
    if (fd < 0) {
        complain(s, path, NULL, &err);
        return;
    }
    snprintf(file, sizeof file, "/proc/self/fd/%d", fd);
    check_file(s, path, file);
    close(fd);
}

static bool unknown_isa(const char *name, struct err *err)
{
    char known[200] = "";
    for (const struct isa *const *i = isa_registry; *i; i++)
        snprintf(known + strlen(known), sizeof known - strlen(known), "%s, ",
                 (*i)->name);
    return err_set(err, ERR_USAGE, "no ISA '%s'; there are %sand all", name,
                   known);
}

static bool add_isa(struct check_session *s, const struct isa *isa,
                    struct err *err)
{
    if (s->n_isas == ISAS_MAX)
        return err_set(err, ERR_USAGE, "more than %d ISAs at once", ISAS_MAX);
    s->isas[s->n_isas++] = isa;
    return true;
}

/* --arch: names with commas between them; "all" is each. */
static bool find_isas(struct check_session *s, const char *list,
                      struct err *err)
{
    char name[64];
    for (const char *at = list; *at; at += *at == ',') {
        size_t n = strcspn(at, ",");
        snprintf(name, sizeof name, "%.*s", (int)n, at);
        at += n;
        bool all = strcmp(name, "all") == 0;
        if (!all && !isa_find(name))
            return unknown_isa(name, err);
        for (const struct isa *const *i = isa_registry; *i; i++)
            if ((all || *i == isa_find(name)) && !add_isa(s, *i, err))
                return false;
    }
    return s->n_isas > 0 || unknown_isa(list, err);
}

/* Machine code that is there already is of one ISA, which an object names. */
static bool find_given_isa(struct check_session *s, struct err *err)
{
    const struct options *o = s->options;
    if (o->n_operands != 1)
        return err_set(err, ERR_USAGE,
                       "--object and --asm take one program, got %u; with "
                       "--link its files",
                       o->n_operands);
    if (o->arch && !find_isas(s, o->arch, err))
        return false;
    if (!o->arch && o->object.n == 0)
        return err_set(err, ERR_USAGE, "--asm needs --arch");
    if (!o->arch) {
        s->isas[0] = target_object_isa(o->object.items[0], err);
        s->n_isas = s->isas[0] != NULL;
        return s->isas[0] != NULL;
    }
    return s->n_isas == 1 ||
           err_set(err, ERR_USAGE,
                   "--object and --asm are of one ISA, --arch=%s names %u",
                   o->arch, s->n_isas);
}

/* What the mapping, of all threads or else of the first that has one, says of
 * itself decides what the user does not say. */
static bool read_mapping(struct check_session *s, struct err *err)
{
    const struct options *o = s->options;
    const char *equal = o->map.n ? strchr(o->map.items[0], '=') : NULL;
    const char *name = o->mapping ? o->mapping : equal ? equal + 1 : NULL;
    s->is_mapped = name && strcmp(name, "native") != 0;
    if (s->is_mapped && !mapping_load(&s->mapping, name, err))
        return false;
    s->source_model = o->source_model                     ? o->source_model
                      : s->is_mapped && s->mapping.source ? s->mapping.source
                                                          : "rc11";
    if (o->object.n || o->assembly.n)
        return find_given_isa(s, err);
    if (o->arch || !s->is_mapped)
        return find_isas(s, o->arch ? o->arch : "all", err);
    for (const struct isa *const *i = isa_registry; *i; i++)
        if (mapping_has_isa(&s->mapping, (*i)->name) && !add_isa(s, *i, err))
            return false;
    return true;
}

/* A drawing is of one check. */
static bool takes_one(const struct check_session *s, struct err *err)
{
    return !s->table || !s->options->dot ||
           err_set(err, ERR_USAGE,
                   "--dot takes one program, one ISA and one function; "
                   "--html=FILE and --bundle=DIR take several");
}

/* What is about all checks. */
static void write_indexes(struct check_session *s)
{
    const struct options *o = s->options;
    struct err err = {0};
    if (s->table && o->html && !check_index_write(&s->pages, o, o->html, &err))
        fail_to_write(s, &err);
    if (s->table && o->bundle &&
        !check_bundle_write_index(&s->folders, o, o->bundle, &err))
        fail_to_write(s, &err);
}

int check_command(const struct options *o, model_loader *load,
                  const volatile sig_atomic_t *stop, FILE *out, FILE *talk)
{
    struct check_session s = {.options = o,
                              .load = load,
                              .stop = stop,
                              .out = out,
                              .talk = talk,
                              .color = cli_wants_color(o)};
    struct err err = {0};
    bool ready = read_mapping(&s, &err);
    s.sifted = o->entry && strchr(o->entry, '*');
    s.table = o->n_operands * s.n_isas > 1 || s.sifted;
    if (!ready || !takes_one(&s, &err) ||
        (o->bundle && !output_lock(o->bundle, &err))) {
        fprintf(talk, "hwcheck: %s\n", err.text);
        mapping_release(&s.mapping);
        return EXIT_USAGE;
    }
    check_index_init(&s.pages);
    check_index_init(&s.folders);
    s.rows = (struct check_table){
        .out = out, .color = s.color, .has_paths = o->n_operands > 1};
    for (uint32_t i = 0; i < o->n_operands && !o->entry; i++)
        check_table_expect(&s.rows, o->operands[i], NULL);
    for (uint32_t i = 0; i < o->n_operands; i++)
        check_program(&s, o->operands[i]);
    if (o->json && s.n_json > 0 &&
        !report_json_write(o, s.json, s.n_json, &err)) {
        fprintf(talk, "hwcheck: %s\n", err.text);
        s.code = cli_worse(s.code, EXIT_USAGE);
    }
    write_indexes(&s);
    if (o->bundle)
        output_unlock(o->bundle);
    if (s.table && !o->quiet && !report_json_on_stdout(o))
        check_table_end(&s.rows);
    check_index_release(&s.pages);
    check_index_release(&s.folders);
    report_json_free(s.json, s.n_json);
    free(s.json);
    while (s.n_warnings > 0)
        free(s.warnings[--s.n_warnings]);
    free(s.warnings);
    mapping_release(&s.mapping);
    return s.code;
}
