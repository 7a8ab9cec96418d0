#include "frontend/target/target.h"

#include "core/halt.h"
#include "frontend/base/child.h"
#include "frontend/base/said.h"
#include "frontend/target/keep.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define INPUTS_MAX 64
#define ARGS_MAX   256
#define FLAGS_MAX  1000

/* ---- the guest runtime's files */

bool target_find_guest(const char *name, char *buf, size_t cap, struct err *err)
{
    char folder[3000];
    ssize_t n = readlink("/proc/self/exe", folder, sizeof folder - 1);
    for (int up = 0; n > 0 && up < 4; up++) {
        while (n > 0 && folder[n - 1] != '/')
            n--;
        snprintf(buf, cap, "%.*sguest/%s", (int)n, folder, name);
        if (access(buf, R_OK) == 0)
            return true;
        snprintf(buf, cap, "%.*slib/hwcheck/guest/%s", (int)n, folder, name);
        if (access(buf, R_OK) == 0)
            return true;
        n--;
    }
    return err_set(err, ERR_SYSTEM,
                   "guest/%s is not beside hwcheck: built without clang-19?",
                   name);
}

/* ---- running tools */

struct command {
    const char *argv[ARGS_MAX + 1];
    int n;
};

static void add(struct command *c, const char *arg)
{
    if (c->n < ARGS_MAX)
        c->argv[c->n++] = arg;
}

static void add_all(struct command *c, const char *const *args)
{
    for (; args && *args; args++)
        add(c, *args);
}

/* Runs it with stdout in a file in memory, which is returned; -1: failed. What
 * it says goes to the file `talk`, or to stderr (said.h) if that is -1. */
static int run_tool(struct command *c, const char *what, int talk,
                    struct err *err)
{
    if (halt_reason() != HALT_NONE) {
        halt_fail(err);
        return -1;
    }
    int out = memfd_create("hwcheck", 0);
    if (out < 0) {
        err_set(err, ERR_SYSTEM, "no file in memory: %s", strerror(errno));
        return -1;
    }
    c->argv[c->n] = NULL;
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, out, STDOUT_FILENO);
    int said = talk < 0 ? said_open() : -1;
    if (talk >= 0 || said >= 0)
        posix_spawn_file_actions_adddup2(&actions, said < 0 ? talk : said,
                                         STDERR_FILENO);
    pid_t pid;
    int error = child_start(&pid, c->argv, &actions);
    posix_spawn_file_actions_destroy(&actions);
    int status = 0;
    if (error)
        err_set(err, ERR_SYSTEM, "%s cannot be run: %s", c->argv[0],
                strerror(error));
    else
        status = child_wait(pid);
    said_close(said);
    if (!error && status == 0)
        return out;
    close(out);
    if (!error && halt_reason() != HALT_NONE)
        halt_fail(err);
    else if (!error)
        err_set(err, ERR_INPUT, "%s failed", what);
    return -1;
}

/* ---- the ABI */

static bool add_abi_flags(struct target_abi *out, const char *const *flags,
                          struct err *err)
{
    for (; flags && *flags; flags++) {
        if (out->n_flags == TARGET_ABI_FLAGS)
            return err_set(err, ERR_INTERNAL, "too many flags of an ABI");
        out->flags[out->n_flags++] = *flags;
    }
    return true;
}

bool target_abi(const struct isa *isa, struct target_abi *out, struct err *err)
{
    const struct isa *abi = isa ? isa : isa_host();
    out->n_flags = 0;
    if (abi && !add_abi_flags(out, abi->ir_flags, err))
        return false;
    if (!isa)
        return true;
    if (!target_find_guest("include", out->include, sizeof out->include, err))
        return false;
    snprintf(out->target, sizeof out->target, "--target=%s", isa->triple);
    const char *const target[] = {out->target, NULL};
    const char *const headers[] = {"-nostdlibinc", "-isystem", out->include,
                                   NULL};
    return add_abi_flags(out, target, err) &&
           add_abi_flags(out, isa->abi_flags, err) &&
           add_abi_flags(out, headers, err);
}

/* ---- compiling */

static bool is_clang(const char *cc)
{
    const char *name = strrchr(cc, '/');
    return strstr(name ? name + 1 : cc, "clang") != NULL;
}

static bool has_suffix(const char *path, const char *suffix)
{
    size_t n = strlen(path), k = strlen(suffix);
    return n > k && strcmp(path + n - k, suffix) == 0;
}

static void note_flags(struct target *t, const char *arg)
{
    size_t n = strlen(t->flags);
    snprintf(t->flags + n, sizeof t->flags - n, "%s%s", n ? " " : "", arg);
}

/* The flags of a mapping, separated by NULs in `buf`. */
static void mapping_options(const struct mapping *m, struct command *c,
                            char *buf)
{
    if (!m || !m->flags)
        return;
    size_t n = strlen(buf);
    if (n)
        n++;
    snprintf(buf + n, FLAGS_MAX - n, "%s", m->flags);
    for (char *word = strtok(buf + n, " "); word; word = strtok(NULL, " "))
        add(c, word);
}

/* Options that decide about the code, in the order given, the user's last. */
static void code_options(struct target *t, const struct target_options *o,
                         struct command *c)
{
    int first = c->n;
    char triple[100];
    static _Thread_local char target[120], flags[FLAGS_MAX];
    snprintf(triple, sizeof triple, "%s", o->isa->triple);
    if (is_clang(t->cc)) {
        snprintf(target, sizeof target, "--target=%s", triple);
        add(c, target);
    }
    add(c, "-O2");
    add(c, "-g");
    add(c, "-fno-pic");
    add(c, "-fno-stack-protector");
    add(c, "-ffp-contract=off"); /* each number is rounded as in the source */
    add_all(c, o->isa->abi_flags);
    add_all(c, o->isa->code_flags);
    memset(flags, 0, sizeof flags);
    mapping_options(o->mapping, c, flags);
    for (uint32_t i = 0; i < o->n_maps; i++)
        mapping_options(o->maps[i].mapping, c, flags);
    for (uint32_t i = 0; i < o->n_cflags; i++)
        add(c, o->cflags[i]);
    t->flags[0] = '\0';
    for (int i = first; i < c->n; i++)
        note_flags(t, c->argv[i]);
}

/* What these flags, a text of words or NULL, say of effect.is_pair. */
static void scan_pairs(const struct isa *isa, const char *flags, bool *has)
{
    for (const char *at = flags ? flags : ""; *at; at += strspn(at, " ")) {
        for (const struct isa_pair_flag *f = isa->pair_flags; f && f->prefix;
             f++)
            if (strncmp(at, f->prefix, strlen(f->prefix)) == 0)
                *has = f->atomic;
        at += strcspn(at, " ");
    }
}

/* Is the code for machines on which ordinary accesses of 16 aligned bytes are
 * single? The last flag counts, and what is not known here does not. */
static bool has_atomic_pairs(const struct target_options *o,
                             const struct isa *isa)
{
    bool has = false;
    if (o->atomic_pairs)
        return true;
    scan_pairs(isa, o->mapping ? o->mapping->flags : NULL, &has);
    for (uint32_t i = 0; i < o->n_maps; i++)
        scan_pairs(isa, o->maps[i].mapping ? o->maps[i].mapping->flags : NULL,
                   &has);
    for (uint32_t i = 0; i < o->n_cflags; i++)
        scan_pairs(isa, o->cflags[i], &has);
    return has;
}

/* A file in memory has no name that says what it is. */
static bool is_in_memory(const char *path)
{
    return strncmp(path, "/proc/self/fd/", 14) == 0;
}

static bool is_assembly(const char *path)
{
    return has_suffix(path, ".s") || has_suffix(path, ".S");
}

enum form {
    FORM_OBJECT,
    FORM_IR,        /* before any optimisation */
    FORM_TEXT,      /* preprocessed */
    FORM_ASSEMBLED, /* an object, of assembly */
};

/* From source to what is asked for. */
static int compile_to(struct target *t, const struct target_options *o,
                      const char *input, enum form form, struct err *err)
{
    char include[3100], what[400];
    struct command c = {.n = 0};
    if (!target_find_guest("include", include, sizeof include, err))
        return -1;
    add(&c, t->cc);
    code_options(t, o, &c);
    if (is_clang(t->cc))
        add(&c, "-nostdlibinc");
    add(&c, "-isystem");
    add(&c, include);
    if (form == FORM_IR) {
        add(&c, "-Xclang");
        add(&c, "-disable-llvm-passes");
        add(&c, "-emit-llvm");
    }
    if (form == FORM_ASSEMBLED) {
        add(&c, "-x");
        add(&c, has_suffix(input, ".s") ? "assembler" : "assembler-with-cpp");
        add(&c, "-g0"); /* lines are the program's, if it has any */
        if (is_clang(t->cc))
            add(&c, "-Wno-unused-command-line-argument");
    } else if (is_in_memory(input)) {
        add(&c, "-x");
        add(&c, t->preprocessed ? "cpp-output" : "c");
        if (is_clang(t->cc))
            add(&c, "-Wno-unused-command-line-argument");
        if (is_clang(t->cc) && t->preprocessed) {
            add(&c, "-Xclang"); /* for DWARF's name of the unit */
            add(&c, "-main-file-name");
            add(&c, "-Xclang");
            add(&c, t->preprocessed);
        }
    }
    if (form != FORM_ASSEMBLED)
        add(&c, "-g"); /* whatever the user's flags say: it names variables */
    for (uint32_t i = 0; i < o->n_cflags; i++)
        if (strncmp(o->cflags[i], "-gsplit-dwarf", 13) == 0)
            add(&c, "-gno-split-dwarf"); /* else it leaves a file behind */
    if (said_color_option())
        add(&c, said_color_option());
    add(&c, form == FORM_TEXT ? "-E" : "-c");
    add(&c, input);
    add(&c, "-o");
    /* Not /dev/stdout: clang under another name would put a file in its place,
     * if it may. */
    add(&c, is_clang(t->cc) ? "-" : "/proc/self/fd/1");
    snprintf(what, sizeof what, "compilation of '%s' by %s", input, t->cc);
    int out = run_tool(&c, what, -1, err);
    if (out < 0 && err->kind == ERR_INPUT)
        err->kind = ERR_COMPILE;
    return out;
}

/* The same, of a program whose static variables all keep their values, if
 * these are to be seen. */
static int compile(struct target *t, const struct target_options *o,
                   const char *input, enum form form, struct err *err)
{
    char path[40];
    t->preprocessed = NULL;
    if (!o->keeps_statics || is_assembly(input))
        return compile_to(t, o, input, form, err);
    int text = compile_to(t, o, input, FORM_TEXT, err);
    int kept = text < 0 ? -1 : keep_statics(text, err), out = -1;
    if (kept >= 0) {
        snprintf(path, sizeof path, "/proc/self/fd/%d", kept);
        t->preprocessed = input;
        out = compile_to(t, o, path, form, err);
        close(kept);
    }
    if (text >= 0)
        close(text);
    return out;
}

/* ---- mappings */

/* Is the machine code there already? */
static bool is_given(const struct target_options *o)
{
    return o->n_objects > 0 || o->n_assemblies > 0;
}

static bool has_mapping(const struct target_options *o)
{
    return o->mapping || o->n_maps > 0;
}

static void note_mapping(struct target *t, const char *thread,
                         const struct mapping *m)
{
    size_t n = strlen(t->mapping);
    snprintf(t->mapping + n, sizeof t->mapping - n, "%s%s%s%s", n ? ", " : "",
             thread ? thread : "", thread ? "=" : "", m ? m->name : "native");
}

/* Notes the mappings and the flags that they want in t. */
static bool check_mappings(struct target *t, const struct target_options *o,
                           struct err *err)
{
    note_mapping(t, NULL, o->mapping);
    for (uint32_t i = 0; i < o->n_maps; i++)
        note_mapping(t, o->maps[i].thread, o->maps[i].mapping);
    if (!has_mapping(o))
        return true;
    if (o->elf || is_given(o))
        return err_set(err, ERR_USAGE,
                       "a mapping cannot be applied to what is %s already",
                       o->elf ? "linked" : "compiled");
    if (!is_clang(t->cc))
        return err_set(err, ERR_USAGE,
                       "a mapping needs clang, whose LLVM IR it is applied "
                       "to; '%s' is something else",
                       t->cc);
    if (o->n_maps > 0 && o->n_inputs > 1)
        return err_set(err, ERR_USAGE, "--map takes one source file");
    if (o->mapping && !lower_check_isa(o->mapping, o->isa, err))
        return false;
    for (uint32_t i = 0; i < o->n_maps; i++)
        if (o->maps[i].mapping &&
            !lower_check_isa(o->maps[i].mapping, o->isa, err))
            return false;
    return true;
}

/* What the assembler says of a row goes through; the first complaint is the
 * error. */
static void pass_on(int talk, const struct target *t, struct err *err)
{
    char line[1000], first[600] = "";
    FILE *in = fdopen(talk, "r");
    if (!in) {
        close(talk);
        return;
    }
    bool good = fseek(in, 0, SEEK_SET) == 0;
    while (good && fgets(line, sizeof line, in)) {
        char *error = strstr(line, ": error: ");
        fputs(line, stderr);
        if (error && !first[0])
            snprintf(first, sizeof first, "%.*s", (int)strcspn(line, "\n"),
                     line);
    }
    fclose(in);
    if (err->kind == ERR_INPUT && first[0])
        err_set(err, ERR_INPUT, "mapping %s: %s", t->mapping, first);
}

/* As compile, with the mapping applied in between. */
static int compile_mapped(struct target *t, const struct target_options *o,
                          const char *input, struct err *err)
{
    struct lower_options lower = {.isa = o->isa,
                                  .input = input,
                                  .mapping = o->mapping,
                                  .maps = o->maps,
                                  .n_maps = o->n_maps,
                                  .uses = &t->uses};
    char path[40], what[400];
    struct command c = {.n = 0};
    int ir = compile(t, o, input, FORM_IR, err), lowered = -1, out = -1;
    int talk = memfd_create("hwcheck-messages", MFD_CLOEXEC);
    if (ir >= 0 && talk < 0)
        err_set(err, ERR_SYSTEM, "no file in memory: %s", strerror(errno));
    if (ir >= 0 && talk >= 0)
        lowered = lower_bitcode(&lower, ir, err);
    if (lowered >= 0) {
        snprintf(path, sizeof path, "/proc/self/fd/%d", lowered);
        snprintf(what, sizeof what, "assembling '%s' by %s", input, t->cc);
        add(&c, t->cc);
        code_options(t, o, &c);
        add(&c, "-Wno-unused-command-line-argument");
        add(&c, "-x");
        add(&c, "ir");
        add(&c, "-c");
        add(&c, path);
        add(&c, "-o");
        add(&c, "-");
        out = run_tool(&c, what, talk, err);
        close(lowered);
    }
    if (lowered >= 0)
        pass_on(talk, t, err);
    else if (talk >= 0)
        close(talk);
    if (ir >= 0)
        close(ir);
    return out;
}

/* By its name, or by its first bytes if it has none (a file in memory). */
static bool is_object(const char *path)
{
    char magic[4] = "";
    FILE *in = is_in_memory(path) ? fopen(path, "rb") : NULL;
    if (!in)
        return has_suffix(path, ".o");
    bool is = fread(magic, 1, 4, in) == 4 && memcmp(magic, "\177ELF", 4) == 0;
    fclose(in);
    return is;
}

/* An object as a file that the linker can open; -1: failed. */
static int object(struct target *t, const struct target_options *o,
                  const char *input, struct err *err)
{
    bool source = !is_object(input);
    if (has_mapping(o) && (!source || is_assembly(input))) {
        err_set(err, ERR_USAGE, "'%s' is not C: no mapping can be applied",
                input);
        return -1;
    }
    if (source)
        return has_mapping(o) ? compile_mapped(t, o, input, err)
                              : compile(t, o, input, FORM_OBJECT, err);
    int fd = open(input, O_RDONLY);
    if (fd < 0)
        err_set(err, ERR_INPUT, "cannot read '%s': %s", input, strerror(errno));
    return fd;
}

static void add_objects(struct command *c, const int *objects, uint32_t n,
                        char (*paths)[40])
{
    for (uint32_t i = 0; i < n; i++) {
        snprintf(paths[i], sizeof paths[i], "/proc/self/fd/%d", objects[i]);
        add(c, paths[i]);
    }
}

static bool has_lto(const struct target_options *o)
{
    bool has = false;
    for (uint32_t i = 0; i < o->n_cflags; i++)
        has = strncmp(o->cflags[i], "-flto", 5) == 0 ||
              (has && strcmp(o->cflags[i], "-fno-lto") != 0);
    return has;
}

/* GCC's objects for link-time optimisation as one ordinary object, which only
 * GCC can make of them. (lld knows those of clang.) */
static int optimise_whole(struct target *t, const struct target_options *o,
                          const int *objects, uint32_t n, struct err *err)
{
    char paths[INPUTS_MAX][40];
    struct command c = {.n = 0};
    add(&c, t->cc);
    code_options(t, o, &c);
    add(&c, "-r");
    add(&c, "-flinker-output=nolto-rel");
    add(&c, "-nostdlib");
    add_objects(&c, objects, n, paths);
    add(&c, "-o");
    add(&c, "/proc/self/fd/1");
    return run_tool(&c, "link-time optimisation", -1, err);
}

static int link_image(const struct target_options *o, const int *objects,
                      uint32_t n, struct err *err)
{
    static const char lld[] = "ld.lld-19";
    char script[3100], runtime[3100], name[40], paths[INPUTS_MAX][40];
    char entry[300];
    snprintf(name, sizeof name, "%s.o", o->isa->name);
    if (!target_find_guest("link.ld", script, sizeof script, err) ||
        !target_find_guest(name, runtime, sizeof runtime, err))
        return -1;
    struct command c = {.n = 0};
    add(&c, lld);
    add(&c, "-static");
    add(&c, "-T");
    add(&c, script);
    /* Link-time optimisation must not take for unused what is looked for by
     * name. */
    add(&c, "--undefined=main");
    if (o->entry) {
        snprintf(entry, sizeof entry, "--undefined-glob=%s", o->entry);
        add(&c, entry);
    }
    if (o->keeps_statics)
        add(&c, "--export-dynamic");
    add_all(&c, o->isa->link_flags);
    add(&c, runtime);
    add_objects(&c, objects, n, paths);
    add(&c, "-o");
    add(&c, "-");
    return run_tool(&c, "linking", -1, err);
}

/* The nth of what somebody else made; -1: failed. */
static int given(struct target *t, const struct target_options *o, uint32_t n,
                 struct err *err)
{
    if (n >= o->n_objects) {
        const char *path = o->assemblies[n - o->n_objects];
        if (access(path, R_OK) == 0)
            return compile_to(t, o, path, FORM_ASSEMBLED, err);
        err_set(err, ERR_INPUT, "cannot read '%s': %s", path, strerror(errno));
        return -1;
    }
    const char *path = o->objects[n];
    const struct isa *isa = target_object_isa(path, err);
    if (isa && isa != o->isa)
        err_set(err, ERR_INPUT, "'%s' is for %s, not for %s", path, isa->name,
                o->isa->name);
    int fd = isa == o->isa ? open(path, O_RDONLY) : -1;
    if (fd < 0 && isa == o->isa)
        err_set(err, ERR_INPUT, "cannot read '%s': %s", path, strerror(errno));
    return fd;
}

/* In place of flags, of which nothing is known. */
static void note_given(struct target *t, const struct target_options *o)
{
    t->flags[0] = '\0';
    for (uint32_t i = 0; i < o->n_objects + o->n_assemblies; i++) {
        bool is_object = i < o->n_objects;
        note_flags(t, is_object ? "--object" : "--asm");
        note_flags(t,
                   is_object ? o->objects[i] : o->assemblies[i - o->n_objects]);
    }
}

static int build_image(struct target *t, const struct target_options *o,
                       struct err *err)
{
    int objects[INPUTS_MAX];
    uint32_t n = 0;
    int image = -1;
    if (o->n_inputs == 0 || o->n_inputs > INPUTS_MAX ||
        o->n_objects + o->n_assemblies > INPUTS_MAX) {
        err_set(err, ERR_USAGE, "%s",
                o->n_inputs ? "too many input files" : "no program given");
        return -1;
    }
    uint32_t n_all = is_given(o) ? o->n_objects + o->n_assemblies : o->n_inputs;
    for (; n < n_all; n++) {
        objects[n] =
            is_given(o) ? given(t, o, n, err) : object(t, o, o->inputs[n], err);
        if (objects[n] < 0)
            break;
    }
    if (is_given(o))
        note_given(t, o);
    int whole = n == n_all && has_lto(o) && !is_clang(t->cc)
                    ? optimise_whole(t, o, objects, n, err)
                    : -1;
    if (whole >= 0) {
        image = link_image(o, &whole, 1, err);
        close(whole);
    } else if (n == n_all && err->kind == ERR_NONE)
        image = link_image(o, objects, n, err);
    while (n > 0)
        close(objects[--n]);
    return image;
}

bool target_build(struct target *t, const struct target_options *options,
                  struct err *err)
{
    memset(t, 0, sizeof *t);
    t->image.fd = -1;
    if (!options->isa && !options->elf)
        return err_set(err, ERR_USAGE, "no target: give --arch");
    if (!options->elf)
        t->cc = options->cc ? options->cc : "clang-19";
    if (!check_mappings(t, options, err))
        return false;
    int fd;
    if (options->elf) {
        fd = open(options->elf, O_RDONLY | O_CLOEXEC);
        if (fd < 0)
            return err_set(err, ERR_INPUT, "cannot read '%s': %s", options->elf,
                           strerror(errno));
    } else {
        fd = build_image(t, options, err);
        if (fd < 0)
            return false;
    }
    fcntl(fd, F_SETFD, FD_CLOEXEC);
    if (!target_read_elf(t, fd, options->isa, err) ||
        !target_read_dwarf(t, err))
        return err_wrap(err, "%s",
                        options->elf ? options->elf : "linked image");
    t->image.atomic_pairs = has_atomic_pairs(options, t->image.isa);
    return true;
}
