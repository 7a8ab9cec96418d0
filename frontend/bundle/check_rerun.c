#include "frontend/bundle/check_rerun.h"

#include "core/mem.h"
#include "frontend/base/cli.h"
#include "frontend/subject/sources.h"

#include <errno.h>
#include <limits.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- paths */

static char *format(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
static char *format(const char *fmt, ...)
{
    va_list args;
    char *text = NULL;
    va_start(args, fmt);
    if (vasprintf(&text, fmt, args) < 0)
        text = NULL;
    va_end(args);
    return text ? text : mem_resize(NULL, 1);
}

/* From the root on, without "." and "..", by name alone: what links lead to
 * does not matter, for the compiler goes by names, too. To be freed. */
static char *absolute(const char *path)
{
    char cwd[PATH_MAX] = "";
    if (path[0] != '/' && !getcwd(cwd, sizeof cwd))
        cwd[0] = '\0';
    char *full = format("%s/%s", cwd, path);
    char *out = mem_resize(NULL, strlen(full) + 2);
    size_t n = 0;
    for (const char *at = full; *at;) {
        at += strspn(at, "/");
        size_t length = strcspn(at, "/");
        if (length == 2 && at[0] == '.' && at[1] == '.') {
            while (n > 0 && out[n - 1] != '/')
                n--;
            n -= n > 0;
        } else if (length && !(length == 1 && at[0] == '.')) {
            out[n++] = '/';
            memcpy(out + n, at, length);
            n += length;
        }
        at += length;
    }
    if (n == 0)
        out[n++] = '/';
    out[n] = '\0';
    free(full);
    return out;
}

static const char *base_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

/* The path within the folder `root`, "." for that itself; NULL: not in it. */
static const char *within(const char *root, const char *path)
{
    size_t n = strlen(root);
    if (strcmp(root, "/") == 0)
        return path[1] ? path + 1 : ".";
    if (strncmp(path, root, n) != 0 || (path[n] && path[n] != '/'))
        return NULL;
    return path[n] ? path + n + 1 : ".";
}

/* Cuts `root`, a folder, to what it has in common with that of the file. */
static void meet(char *root, const char *file)
{
    while (strcmp(root, "/") != 0 && !within(root, file)) {
        char *slash = strrchr(root, '/');
        slash[slash == root] = '\0';
    }
}

/* ---- files */

static bool make_folders(const char *path, struct err *err)
{
    char *copy = strdup(path);
    bool good = copy != NULL;
    for (char *at = copy; good && (at = strchr(at + 1, '/'));) {
        *at = '\0';
        good = mkdir(copy, 0777) == 0 || errno == EEXIST;
        *at = '/';
    }
    if (!good)
        err_set(err, ERR_SYSTEM, "cannot make the folder of '%s': %s", path,
                strerror(errno));
    free(copy);
    return good;
}

static bool copy_bytes(FILE *in, FILE *out)
{
    char block[4096];
    size_t n;
    do {
        n = fread(block, 1, sizeof block, in);
        if (fwrite(block, 1, n, out) != n)
            return false;
    } while (n == sizeof block);
    return !ferror(in);
}

static bool copy_file(const char *from, const char *to, struct err *err)
{
    FILE *in = fopen(from, "rb"), *out = NULL;
    if (!in)
        return err_set(err, ERR_SYSTEM, "cannot read '%s': %s", from,
                       strerror(errno));
    bool good =
        make_folders(to, err) && (out = fopen(to, "wb")) && copy_bytes(in, out);
    fclose(in);
    if ((out && fclose(out) != 0) || !good)
        return err_set(err, ERR_SYSTEM, "cannot write '%s': %s", to,
                       strerror(errno));
    return true;
}

/* Copies it to `name` in the bundle and notes that. */
static bool take_file(struct rerun *r, const char *dir, const char *from,
                      const char *name, struct err *err)
{
    for (uint32_t i = 0; i < r->n_files; i++)
        if (strcmp(r->files[i], name) == 0)
            return true;
    char *to = format("%s/%s", dir, name);
    bool good = copy_file(from, to, err);
    free(to);
    r->files = mem_resize(r->files, (r->n_files + 1) * sizeof *r->files);
    r->files[r->n_files++] = strdup(name);
    return good;
}

/* ---- models and mappings */

/* Takes the file, and those that lines `word "other"` of it name, which lie
 * beside it. */
static bool take_with_others(struct rerun *r, const char *dir, const char *path,
                             const char *folder, struct err *err)
{
    bool is_cat = strcmp(folder, "models") == 0;
    char *name = format("%s/%s", folder, base_name(path));
    bool good = take_file(r, dir, path, name, err);
    FILE *in = good ? fopen(path, "r") : NULL;
    char *line = NULL, other[256], *beside;
    size_t cap = 0;
    while (in && good && getline(&line, &cap, in) > 0) {
        if (sscanf(line, is_cat ? " include \"%255[^\"]\"" : " like %255s",
                   other) != 1)
            continue;
        beside = format("%.*s%s", (int)(base_name(path) - path), path, other);
        if (access(beside, R_OK) == 0 && strcmp(beside, path) != 0 &&
            !strchr(other, '/'))
            good = take_with_others(r, dir, beside, folder, err);
        free(beside);
    }
    free(line);
    free(name);
    if (in)
        fclose(in);
    return good;
}

/* The value of an option that names a model or a mapping: its file, if it is
 * one, is taken. "FILE.cat~axiom" is the model without that axiom. */
static char *take_value(struct rerun *r, const char *dir, const char *value,
                        const char *suffix, struct err *err)
{
    const char *end = strstr(value, suffix);
    size_t n = end ? (size_t)(end - value) + strlen(suffix) : 0;
    char *path = format("%.*s", (int)n, value), *out;
    const char *folder = strcmp(suffix, ".cat") == 0 ? "models" : "mappings";
    if (n && access(path, R_OK) == 0 &&
        take_with_others(r, dir, path, folder, err))
        out = format("%s/%s%s", folder, base_name(path), value + n);
    else
        out = strdup(value);
    free(path);
    return out;
}

/* ---- the command */

static void add_word(struct rerun *r, char *word)
{
    r->words = mem_resize(r->words, (r->n_words + 1) * sizeof *r->words);
    r->words[r->n_words++] = word;
}

static bool is_one_of(const char *name, const char *const *names)
{
    for (; *names; names++)
        if (strcmp(*names, name) == 0)
            return true;
    return false;
}

/* A program that is named by its path is found from everywhere. */
static char *program_value(const char *value)
{
    return strchr(value, '/') ? absolute(value) : strdup(value);
}

static void add_text(struct rerun *r, const struct check *c, const char *dir,
                     const struct option_row *row, struct err *err)
{
    static const char *const models[] = {"source-model", "target-model", NULL};
    static const char *const programs[] = {"cc", "qemu", NULL};
    const char *value =
        *(const char *const *)((const char *)c->options + row->offset);
    char *own;
    if (strcmp(row->name, "arch") == 0)
        value = c->isa->name;
    else if (strcmp(row->name, "entry") == 0)
        value = c->entry;
    if (!value || strcmp(value, row->initial) == 0)
        return;
    if (is_one_of(row->name, models))
        own = take_value(r, dir, value, ".cat", err);
    else if (strcmp(row->name, "mapping") == 0)
        own = take_value(r, dir, value, ".map", err);
    else if (is_one_of(row->name, programs))
        own = program_value(value);
    else
        own = strdup(value);
    add_word(r, format("--%s=%s", row->name, own));
    free(own);
}

/* Objects have a folder of their own; assembly is one of the sources. */
static char *code_value(struct rerun *r, const char *dir, const char *path,
                        bool is_assembly, struct err *err)
{
    char *full = absolute(path), *name;
    if (is_assembly)
        name = strdup(within(r->root, full));
    else {
        name = format("objects/%s", base_name(path));
        take_file(r, dir, full, name, err);
    }
    free(full);
    return name;
}

/* "T1=mine.map" */
static void add_list(struct rerun *r, const struct option_list *list,
                     const char *dir, const struct option_row *row,
                     struct err *err)
{
    bool is_assembly = strcmp(row->name, "asm") == 0;
    bool is_code = is_assembly || strcmp(row->name, "object") == 0;
    for (unsigned i = 0; i < list->n; i++) {
        const char *item = list->items[i];
        const char *equal = is_code ? NULL : strchr(item, '=');
        int n = equal ? (int)(equal + 1 - item) : 0;
        char *own = is_code ? code_value(r, dir, item, is_assembly, err)
                            : take_value(r, dir, item + n, ".map", err);
        add_word(r, format("--%s=%.*s%s", row->name, n, item, own));
        free(own);
    }
}

static void add_option(struct rerun *r, const struct check *c, const char *dir,
                       const struct option_row *row, struct err *err)
{
    static const char *const shown[] = {"bundle",   "html",        "dot",
                                        "quiet",    "verbose",     "no-color",
                                        "outcomes", "show-output", NULL};
    const char *field = (const char *)c->options + row->offset;
    if (is_one_of(row->name, shown))
        return;
    switch (row->kind) {
    case OPTION_FLAG:
        if (*(const bool *)field)
            add_word(r, format("--%s", row->name));
        break;
    case OPTION_COUNT:
        if (*(const uint64_t *)field != strtoull(row->initial, NULL, 10))
            add_word(r, format("--%s=%llu", row->name,
                               (unsigned long long)*(const uint64_t *)field));
        break;
    case OPTION_SECONDS:
        if (*(const double *)field > 0)
            add_word(r, format("--%s=%g", row->name, *(const double *)field));
        break;
    case OPTION_TEXT:
        add_text(r, c, dir, row, err);
        break;
    case OPTION_LIST:
        add_list(r, (const struct option_list *)field, dir, row, err);
        break;
    case OPTION_OUTPUT:
        break;
    }
}

/* The compiler's option that a path follows, in the same word or the next;
 * its length, or 0. */
static size_t path_option(const char *word)
{
    static const char *const options[] = {"-include",   "-imacros", "-isystem",
                                          "-idirafter", "-iquote",  "-I"};
    for (size_t i = 0; i < sizeof options / sizeof *options; i++)
        if (strncmp(word, options[i], strlen(options[i])) == 0)
            return strlen(options[i]);
    return 0;
}

/* Folders outside of the root are left out: nothing was found there. */
static void add_cflags(struct rerun *r, const struct options *o,
                       const char *root)
{
    if (o->n_cflags)
        add_word(r, strdup("--"));
    for (uint32_t i = 0; i < o->n_cflags; i++) {
        const char *word = o->cflags[i];
        size_t n = path_option(word);
        const char *path = n == 0                ? NULL
                           : word[n]             ? word + n
                           : i + 1 < o->n_cflags ? o->cflags[++i]
                                                 : NULL;
        if (!path) {
            add_word(r, strdup(word));
            continue;
        }
        char *full = absolute(path);
        const char *own = within(root, full);
        if (own && n == 2)
            add_word(r, format("-I%s", own));
        else if (own) {
            add_word(r, format("%.*s", (int)n, word));
            add_word(r, strdup(own));
        }
        free(full);
    }
}

static bool take_sources(struct rerun *r, const struct sources *s,
                         const char *dir, const char *root, struct err *err)
{
    bool good = true;
    for (uint32_t i = 0; i < s->n && good; i++) {
        char *full = absolute(s->files[i]);
        good = take_file(r, dir, full, within(root, full), err);
        free(full);
    }
    return good;
}

bool rerun_make(struct rerun *r, const struct check *c, const char *dir,
                struct err *err)
{
    const struct option_row *row;
    struct sources s;
    *r = (struct rerun){0};
    sources_find(&s, c->options, c->isa, c->path);
    char *program = absolute(c->path);
    r->root = format("%.*s", (int)(base_name(program) - program), program);
    if (strlen(r->root) > 1)
        r->root[strlen(r->root) - 1] = '\0';
    for (uint32_t i = 0; i < s.n; i++) {
        char *full = absolute(s.files[i]);
        meet(r->root, full);
        free(full);
    }
    err->kind = ERR_NONE;
    bool good = take_sources(r, &s, dir, r->root, err);
    add_word(r, strdup("check"));
    for (size_t i = 0; good && (row = cli_option(i)); i++)
        if (row->commands & ON(CHECK))
            add_option(r, c, dir, row, err);
    add_word(r, strdup(within(r->root, program)));
    for (uint32_t i = 1; i < c->options->n_files; i++) {
        char *full = absolute(c->options->operands[i]);
        add_word(r, strdup(within(r->root, full)));
        free(full);
    }
    add_cflags(r, c->options, r->root);
    free(program);
    sources_release(&s);
    return good && err->kind == ERR_NONE;
}

void rerun_release(struct rerun *r)
{
    for (uint32_t i = 0; i < r->n_words; i++)
        free(r->words[i]);
    for (uint32_t i = 0; i < r->n_files; i++)
        free(r->files[i]);
    free(r->words);
    free(r->files);
    free(r->root);
    *r = (struct rerun){0};
}

/* ---- scripts */

void rerun_print_word(const char *word, FILE *out)
{
    bool plain = word[0] && !word[strspn(word, "abcdefghijklmnopqrstuvwxyz"
                                               "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                               "0123456789-_=./,+:@%")];
    fputs(plain ? "" : "'", out);
    for (const char *c = word; *c; c++)
        if (*c == '\'')
            fputs("'\\''", out);
        else
            fputc(*c, out);
    fputs(plain ? "" : "'", out);
}

/* The words from `at` on, each after a blank. */
static void print_words(const struct rerun *r, uint32_t at, FILE *out)
{
    for (; at < r->n_words; at++) {
        fputc(' ', out);
        rerun_print_word(r->words[at], out);
    }
}

void rerun_print_command(const struct rerun *r, FILE *out)
{
    fputs("hwcheck", out);
    print_words(r, 0, out);
    fputc('\n', out);
}

void rerun_print_script(const struct rerun *r, const struct check *c, FILE *out)
{
    fprintf(out,
            "#!/bin/sh\n"
            "# Runs the check of this folder again, with hwcheck from PATH or "
            "$HWCHECK, and\n"
            "# compares the verdict: exit code 0, it is the same; 1, another. "
            "Options given\n"
            "# to it are passed on, as --html=page.html.\n"
            "want=%s\n"
            "cd \"$(dirname \"$0\")\" || exit 2\n"
            "said=$(\"${HWCHECK:-hwcheck}\" check --quiet \"$@\"",
            check_verdict_name(c->verdict));
    print_words(r, 1, out);
    fputs(")\n"
          "printf '%s\\n' \"$said\"\n"
          "case $said in\n"
          "\"$want\" | \"$want\"[:\\ ]*) echo \"the verdict is the same\" ;;\n"
          "*) echo \"another verdict: it was $want\"; exit 1 ;;\n"
          "esac\n",
          out);
}

void rerun_print_all(FILE *out)
{
    fputs("#!/bin/sh\n"
          "# Runs all checks of this folder again; exit code 0: all verdicts "
          "are the same.\n"
          "code=0\n"
          "for script in \"$(dirname \"$0\")\"/*/rerun.sh; do\n"
          "    [ -e \"$script\" ] || continue\n"
          "    printf '%s: ' \"$(basename \"$(dirname \"$script\")\")\"\n"
          "    sh \"$script\" \"$@\" || code=1\n"
          "done\n"
          "exit $code\n",
          out);
}
