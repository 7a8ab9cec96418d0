#include "frontend/base/cli.h"

#include "core/mem.h"
#include "hw/isa.h"
#include "hw/litmus_dialect.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct command_row {
    const char *name, *operands, *what;
};

static const struct command_row commands[] = {
#define X(id, name, operands, what) {name, operands, what},
    COMMANDS(X)
#undef X
};

static const struct option_row rows[] = {
#define X(on, of_kind, field, its_name, its_value, at_first, text) \
    {.commands = (on),                                             \
     .kind = OPTION_##of_kind,                                     \
     .offset = offsetof(struct options, field),                    \
     .name = (its_name),                                           \
     .value = (its_value),                                         \
     .initial = (at_first),                                        \
     .help = (text)},
    OPTIONS(X)
#undef X
};

#define N_ROWS (sizeof(rows) / sizeof(rows[0]))

/* What a command's --help says besides its options. */
static const char *const examples[COMMAND_COUNT] = {
    [COMMAND_CHECK] =
        "Explores the source under the model of its language and the machine\n"
        "code under the model of the machine, and compares the outcomes: "
        "final\n"
        "values of the globals and of what the program observes, and failing\n"
        "assertions. What only the machine code does is a miscompilation, and\n"
        "is shown. The word check may be left out before programs; C litmus\n"
        "tests need it.\n"
        "\n"
        "Examples:\n"
        "  hwcheck prog.c\n"
        "  hwcheck --arch=aarch64,ppc64le prog.c -- -O3 -DN=2\n"
        "  hwcheck --arch=aarch64 --cc=aarch64-linux-gnu-gcc prog.c\n"
        "  hwcheck --arch=ppc64le --source-model=sc prog.c\n"
        "  hwcheck --arch=ppc64le --html=why.html prog.c\n"
        "  hwcheck --arch=ppc64le,aarch64 --bundle=bugs prog.c\n",
    [COMMAND_EXPLORE] =
        "Visits each execution that the model allows exactly once, and looks\n"
        "for failing assertions, data races, bad memory accesses, deadlocks\n"
        "and misuse of mutexes and threads. The program is C11 or C17 with\n"
        "<stdatomic.h> and <pthread.h> or <threads.h>; <hwcheck.h> adds\n"
        "observations, assumptions and nondeterministic choices.\n"
        "\n"
        "Examples:\n"
        "  hwcheck explore queue.c\n"
        "  hwcheck explore --model=tso --all queue.c -- -DN=3 -Iinclude\n"
        "  hwcheck explore --arch=aarch64 --model=sc queue.c -- -O3\n"
        "  hwcheck explore --dot=bad.dot queue.c; dot -Tsvg -O bad.dot\n",
    [COMMAND_TRACE] =
        "Runs the threads one after the other on one memory and prints what\n"
        "each does: source line, address, instruction, event, and the reads\n"
        "that its address, its value or its being executed depends on.\n"
        "\n"
        "Examples:\n"
        "  hwcheck trace --arch=aarch64 queue.c\n"
        "  hwcheck trace --arch=ppc64le --cc=powerpc64le-linux-gnu-gcc "
        "queue.c -- -O3\n"
        "  hwcheck trace queue.c\n",
    [COMMAND_LITMUS] =
        "Reads tests in herd's format: @architectures, which "
        "are\n"
        "assembled and run under QEMU, and C, whose source is run, or its\n"
        "machine code with --arch. @list names a file with one test a line.\n"
        "The default model is that of the machine, rc11 for C. The word "
        "litmus\n"
        "may be left out.\n"
        "\n"
        "Examples:\n"
        "  hwcheck litmus MP.litmus SB.litmus\n"
        "  hwcheck @all\n"
        "  hwcheck litmus --model=mine.cat @tests/all\n",
    [COMMAND_EXPLAIN] =
        "Says whether the model allows an outcome. If it does, shows an\n"
        "execution that ends so; if not, the nearest execution that would, "
        "the\n"
        "axiom that it breaks, and the cycle edge by edge. Without --outcome\n"
        "the condition of the litmus test is asked about.\n"
        "\n"
        "Examples:\n"
        "  hwcheck explain MP+lwsync+addr.litmus\n"
        "  hwcheck explain --outcome='1:r1=1 /\\ 1:r3=0' MP.litmus\n"
        "  hwcheck explain --model=tso --outcome='x=1 /\\ seen=0' prog.c\n",
    [COMMAND_MODELS] =
        "A model is a cat file: named relations, then named axioms. Copy one\n"
        "as the start of your own and pass it as --model=FILE.cat.\n"
        "\n"
        "Examples:\n"
        "  hwcheck models\n"
        "  hwcheck models show rc11\n"
        "  hwcheck models show rc11 > mine.cat\n",
    [COMMAND_MAPPINGS] =
        "A mapping says which instructions each atomic operation of a source\n"
        "language becomes on a machine; --mapping=NAME compiles by it. One\n"
        "marked 'bad' is known to be wrong: its rows say why. Copy one as\n"
        "the start of your own and pass it as --mapping=FILE.map.\n"
        "\n"
        "Examples:\n"
        "  hwcheck mappings\n"
        "  hwcheck mappings show c11-power-leading-sync\n"
        "  hwcheck mappings show c11-x86-xchg > mine.map\n",
    [COMMAND_HELP] = "Examples:\n"
                     "  hwcheck help\n"
                     "  hwcheck help explore\n",
};

static const char exit_codes[] =
    "Exit codes:\n"
    "  0   SOUND: no execution violates anything, and all were visited\n"
    "  1   VIOLATION or MISCOMPILED: one does; the report shows it\n"
    "  2   bad usage, or a file that cannot be read, compiled or written\n"
    "  3   INCONCLUSIVE: no violation found, but not all could be visited\n"
    "  70  an error in hwcheck itself\n"
    "  With several programs: the first of 1, 70, 2, 3, 0 that occurred.\n";

static const char environment[] =
    "Environment:\n"
    "  NO_COLOR  if set and not empty, as --no-color\n"
    "  PATH      where clang-19, or else clang, is looked for, and qemu-ISA\n";

/* Distance of two words in insertions, deletions, substitutions and swaps of
 * neighbours; words longer than 31 are far from everything. */
static unsigned distance(const char *a, const char *b)
{
    unsigned d[33][33];
    size_t na = strlen(a), nb = strlen(b);

    if (na > 31 || nb > 31)
        return 99;
    for (size_t i = 0; i <= na; i++)
        d[i][0] = (unsigned)i;
    for (size_t j = 0; j <= nb; j++)
        d[0][j] = (unsigned)j;
    for (size_t i = 1; i <= na; i++) {
        for (size_t j = 1; j <= nb; j++) {
            unsigned best = d[i - 1][j - 1] + (a[i - 1] != b[j - 1]);

            if (d[i - 1][j] + 1 < best)
                best = d[i - 1][j] + 1;
            if (d[i][j - 1] + 1 < best)
                best = d[i][j - 1] + 1;
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] &&
                a[i - 2] == b[j - 1] && d[i - 2][j - 2] + 1 < best)
                best = d[i - 2][j - 2] + 1;
            d[i][j] = best;
        }
    }
    return d[na][nb];
}

/* Keeps the nearer of `name` and the best so far; what starts the same way
 * counts as near. */
static void consider(const char *typed, const char *name, const char **best,
                     unsigned *best_distance)
{
    unsigned d = distance(typed, name);

    if (strlen(typed) >= 2 && strncmp(typed, name, strlen(typed)) == 0)
        d = 1;
    if (d < *best_distance && d <= strlen(typed) / 3 + 1) {
        *best = name;
        *best_distance = d;
    }
}

static bool unknown_command(const char *typed, struct err *err)
{
    const char *best = NULL;
    unsigned best_distance = 99;

    for (int i = 0; i < COMMAND_COUNT; i++)
        consider(typed, commands[i].name, &best, &best_distance);
    if (best)
        return err_set(err, ERR_USAGE,
                       "unknown command '%s'; did you mean '%s'?", typed, best);
    return err_set(err, ERR_USAGE, "unknown command '%s'; see 'hwcheck help'",
                   typed);
}

static bool unknown_option(enum command command, const char *typed,
                           const char *name, struct err *err)
{
    const char *best = NULL, *hint = commands[command].name;
    unsigned best_distance = 99;

    for (size_t i = 0; i < N_ROWS; i++)
        if (rows[i].commands & 1u << command)
            consider(name, rows[i].name, &best, &best_distance);
    consider(name, "help", &best, &best_distance);
    if (best)
        return err_set(err, ERR_USAGE,
                       "unknown option '%s'; did you mean '--%s'?", typed,
                       best);
    return err_set(err, ERR_USAGE, "unknown option '%s'; see 'hwcheck help %s'",
                   typed, hint);
}

static bool parse_count(const char *text, uint64_t *out)
{
    char *end;

    errno = 0;
    *out = strtoull(text, &end, 10);
    return isdigit((unsigned char)text[0]) && *end == '\0' && errno == 0;
}

static bool parse_seconds(const char *text, double *out)
{
    char *end;

    *out = strtod(text, &end);
    if (end != text && strcmp(end, "s") == 0)
        end++;
    return (isdigit((unsigned char)text[0]) || text[0] == '.') && end != text &&
           *end == '\0' && isfinite(*out) && *out < 1e9;
}

/* Stores the value of an option; `text` is NULL for one without. */
static bool store(struct options *o, const struct option_row *row,
                  const char *text, struct err *err)
{
    char *field = (char *)o + row->offset;
    struct option_list *list;

    switch (row->kind) {
    case OPTION_FLAG:
        *(bool *)field = true;
        return true;
    case OPTION_COUNT:
        if (parse_count(text, (uint64_t *)field))
            return true;
        return err_set(err, ERR_USAGE,
                       "--%s: expected a whole number, got '%s'", row->name,
                       text);
    case OPTION_SECONDS:
        if (parse_seconds(text, (double *)field))
            return true;
        return err_set(err, ERR_USAGE,
                       "--%s: expected a number of seconds, got '%s'",
                       row->name, text);
    case OPTION_LIST:
        list = (struct option_list *)field;
        list->items =
            mem_room(list->items, list->n, &list->cap, sizeof(*list->items));
        list->items[list->n++] = text;
        return true;
    case OPTION_TEXT:
    case OPTION_OUTPUT:
        *(const char **)field = text ? text : "-";
        if (text && text[0] == '\0')
            return err_set(err, ERR_USAGE, "--%s: the value is empty",
                           row->name);
        return true;
    }
    return false;
}

static bool set_initial_values(struct options *o, struct err *err)
{
    for (size_t i = 0; i < N_ROWS; i++)
        if (rows[i].initial[0] && !store(o, &rows[i], rows[i].initial, err))
            return false;
    return true;
}

static const struct option_row *find_option(enum command command,
                                            const char *name, size_t length)
{
    for (size_t i = 0; i < N_ROWS; i++)
        if (rows[i].commands & 1u << command &&
            strlen(rows[i].name) == length &&
            strncmp(rows[i].name, name, length) == 0)
            return &rows[i];
    return NULL;
}

static bool is_word(const char *name, size_t length, const char *word)
{
    return strlen(word) == length && strncmp(name, word, length) == 0;
}

/* Parses the option at argv[*at]; *at moves on to the last word it used. */
static bool parse_option(struct options *o, uint32_t *at, struct err *err)
{
    const char *typed = o->argv[*at], *value;
    const char *name = typed + 1 + (typed[1] == '-');
    size_t length = strcspn(name, "=");
    const struct option_row *row;
    char word[32];

    value = name[length] == '=' ? name + length + 1 : NULL;
    if (is_word(name, length, "help") || strcmp(typed, "-h") == 0) {
        o->help = true;
        return true;
    }
    if (is_word(name, length, "version")) {
        o->version = true;
        return true;
    }
    row = find_option(o->command, name, length);
    if (!row) {
        snprintf(word, sizeof(word), "%.*s", (int)length, name);
        return unknown_option(o->command, typed, word, err);
    }
    if (row->kind == OPTION_FLAG && value)
        return err_set(err, ERR_USAGE, "--%s takes no value, got '%s'",
                       row->name, value);
    /* A value may be the next word, unless the option also works without. */
    if (!value && row->kind != OPTION_FLAG && row->kind != OPTION_OUTPUT) {
        if (*at + 1 == o->argc || o->argv[*at + 1][0] == '-')
            return err_set(err, ERR_USAGE, "--%s needs a value: --%s=%s",
                           row->name, row->name, row->value);
        value = o->argv[++*at];
    }
    return store(o, row, value, err);
}

static bool find_command(const char *word, enum command *out, struct err *err)
{
    for (int i = 0; i < COMMAND_COUNT; i++) {
        if (strcmp(word, commands[i].name) == 0) {
            *out = (enum command)i;
            return true;
        }
    }
    return unknown_command(word, err);
}

/* Is it a litmus test, or a list of them? Then no command is needed. */
static bool is_litmus(const char *word)
{
    const char *dot = strrchr(word, '.'), *slash = strrchr(word, '/');

    return word[0] == '@' || (slash && slash[1] == '@') ||
           (dot && strcmp(dot, ".litmus") == 0);
}

/* Likewise a program, which is to be checked. */
static bool is_program(const char *word)
{
    const char *dot = strrchr(word, '.');

    return word[0] != '-' && dot && strcmp(dot, ".c") == 0;
}

/* What each command demands beyond the shape of its words. */
static bool check(const struct options *o, struct err *err)
{
    bool runs = o->command == COMMAND_CHECK || o->command == COMMAND_EXPLORE ||
                o->command == COMMAND_TRACE;

    if (runs && o->n_operands == 0)
        return err_set(err, ERR_USAGE, "no program given; usage: hwcheck %s %s",
                       commands[o->command].name,
                       commands[o->command].operands);
    if (o->command == COMMAND_TRACE && o->n_operands > 1)
        return err_set(err, ERR_USAGE, "trace takes one program, got %u",
                       o->n_operands);
    if (runs && o->command != COMMAND_CHECK && !o->arch &&
        (o->cc || o->qemu || o->elf || o->atomic_pairs))
        return err_set(err, ERR_USAGE,
                       "--cc, --qemu, --atomic-pairs and --elf go with --arch");
    if (runs && o->command != COMMAND_CHECK && !o->arch &&
        (o->mapping || o->map.n))
        return err_set(err, ERR_USAGE, "--mapping and --map go with --arch");
    if (o->command == COMMAND_CHECK && strcmp(o->observe, "all") != 0 &&
        strcmp(o->observe, "external") != 0)
        return err_set(err, ERR_USAGE,
                       "--observe: expected 'all' or 'external', got '%s'",
                       o->observe);
    if (o->command == COMMAND_CHECK && strcmp(o->lb, "note") != 0 &&
        strcmp(o->lb, "error") != 0)
        return err_set(err, ERR_USAGE,
                       "--lb: expected 'note' or 'error', got '%s'", o->lb);
    if (o->quiet && o->verbose)
        return err_set(err, ERR_USAGE,
                       "--quiet and --verbose exclude each other");
    if (o->command == COMMAND_EXPLORE && o->n_operands > 1 &&
        (o->dot || o->dot_all))
        return err_set(err, ERR_USAGE,
                       "--dot and --dot-all take one program, got %u",
                       o->n_operands);
    if (o->command == COMMAND_EXPLAIN && o->n_operands != 1)
        return err_set(err, ERR_USAGE,
                       "explain takes one test or program, got %u; usage: "
                       "hwcheck explain %s",
                       o->n_operands, commands[COMMAND_EXPLAIN].operands);
    if (o->command == COMMAND_LITMUS && o->n_operands == 0)
        return err_set(err, ERR_USAGE,
                       "no test given; usage: hwcheck litmus %s",
                       commands[COMMAND_LITMUS].operands);
    if ((o->command == COMMAND_MODELS || o->command == COMMAND_MAPPINGS) &&
        o->n_operands > 0 &&
        (o->n_operands != 2 || strcmp(o->operands[0], "show") != 0))
        return err_set(err, ERR_USAGE, "usage: hwcheck %s %s",
                       commands[o->command].name,
                       commands[o->command].operands);
    if (o->command == COMMAND_HELP && o->n_operands > 1)
        return err_set(err, ERR_USAGE, "usage: hwcheck help %s",
                       commands[COMMAND_HELP].operands);
    return true;
}

/* Sorts the words from `at` on into options, operands and compiler flags. */
static bool parse_words(struct options *o, uint32_t at, struct err *err)
{
    for (; at < o->argc; at++) {
        char *word = o->argv[at];

        if (strcmp(word, "--") == 0) {
            o->cflags = o->argv + at + 1;
            o->n_cflags = o->argc - at - 1;
            return true;
        }
        if (word[0] != '-' || word[1] == '\0')
            o->operands[o->n_operands++] = word;
        else if (!parse_option(o, &at, err))
            return false;
    }
    return true;
}

/* --link: the operands are one program. */
static bool join_operands(struct options *o, struct err *err)
{
    for (uint32_t i = 0; i < o->n_operands; i++)
        if (is_litmus(o->operands[i]))
            return err_set(err, ERR_USAGE,
                           "--link: '%s' is a litmus test, which is a program "
                           "of its own",
                           o->operands[i]);
    if (o->elf)
        return err_set(err, ERR_USAGE,
                       "--link: with --elf the program is linked already");
    o->n_files = o->n_operands;
    o->n_operands = o->n_operands ? 1 : 0;
    return true;
}

bool cli_parse(struct options *o, int argc, char **argv, struct err *err)
{
    /* The command is the first word; without one the operands tell. */
    bool has_command = argc > 1 && argv[1][0] != '-' && !is_litmus(argv[1]) &&
                       !is_program(argv[1]);
    bool litmus = false, program = false;

    for (int i = 1; i < argc && strcmp(argv[i], "--") != 0; i++) {
        litmus |= is_litmus(argv[i]);
        program |= is_program(argv[i]);
    }
    *o = (struct options){.command = litmus    ? COMMAND_LITMUS
                                     : program ? COMMAND_CHECK
                                               : COMMAND_HELP,
                          .argc = (uint32_t)argc,
                          .argv = argv};
    o->operands = mem_resize(NULL, (size_t)argc * sizeof(*o->operands));
    if ((has_command && !find_command(argv[1], &o->command, err)) ||
        !set_initial_values(o, err) ||
        !parse_words(o, has_command ? 2 : 1, err))
        return false;
    if (o->help || o->version)
        return true;
    if (o->command == COMMAND_HELP && o->n_operands == 1) {
        o->help = true;
        return find_command(o->operands[0], &o->command, err);
    }
    return (!o->link || join_operands(o, err)) && check(o, err);
}

void cli_release(struct options *o)
{
    for (size_t i = 0; i < N_ROWS; i++)
        if (rows[i].kind == OPTION_LIST)
            free(((struct option_list *)((char *)o + rows[i].offset))->items);
    free(o->operands);
    o->operands = NULL;
}

const char *cli_command_name(enum command command)
{
    return commands[command].name;
}

const char *cli_command_operands(enum command command)
{
    return commands[command].operands;
}

const char *cli_command_what(enum command command)
{
    return commands[command].what;
}

/* The names of a list with commas between, and `and` before the last. */
struct names {
    char text[200];
    const char *last;
};

static void add_name(struct names *names, const char *name)
{
    size_t n = strlen(names->text);
    if (names->last)
        snprintf(names->text + n, sizeof names->text - n, "%s%s", n ? ", " : "",
                 names->last);
    names->last = name;
}

static void print_names(struct names *names, const char *and, char *buf,
                        size_t cap)
{
    snprintf(buf, cap, "%s%s%s", names->text, names->text[0] ? and : "",
             names->last ? names->last : "");
}

static void print_models(char *buf, size_t cap)
{
    struct names names = {.last = NULL};
    for (const struct isa *const *i = isa_registry; *i; i++) {
        bool is_new = true;
        for (const struct isa *const *k = isa_registry; k < i; k++)
            is_new &= strcmp((*k)->model, (*i)->model) != 0;
        if (is_new)
            add_name(&names, (*i)->model);
    }
    print_names(&names, " or ", buf, cap);
}

static void print_architectures(char *buf, size_t cap)
{
    struct names names = {.last = NULL};
    const struct litmus_dialect *d;
    for (uint32_t i = 0; (d = litmus_dialect_nth(i)) != NULL; i++)
        add_name(&names, d->name);
    print_names(&names, " and ", buf, cap);
}

void cli_expand(const char *text, char *buf, size_t cap)
{
    static const struct {
        const char *word;
        void (*print)(char *buf, size_t cap);
    } words[] = {
        {"@isas", isa_print_names},
        {"@models", print_models},
        {"@architectures", print_architectures},
    };
    size_t n = 0;
    while (*text && n + 1 < cap) {
        size_t i = 0, count = sizeof words / sizeof *words;
        while (i < count &&
               strncmp(text, words[i].word, strlen(words[i].word)) != 0)
            i++;
        if (i < count) {
            words[i].print(buf + n, cap - n);
            n += strlen(buf + n);
            text += strlen(words[i].word);
        } else {
            buf[n++] = *text++;
        }
    }
    buf[n] = '\0';
}

void cli_command_examples(enum command command, char *buf, size_t cap)
{
    cli_expand(examples[command], buf, cap);
}

const char *cli_exit_codes(void)
{
    return exit_codes;
}

const char *cli_environment(void)
{
    return environment;
}

const struct option_row *cli_option(size_t i)
{
    return i < N_ROWS ? &rows[i] : NULL;
}

/* Prints words of `text` from column `at` on, wrapped to 80 columns and
 * indented by `indent`. */
static void print_wrapped(FILE *out, const char *text, int at, int indent)
{
    for (bool first = true; *text; first = false) {
        int length = (int)strcspn(text, " ");

        if (!first && at + 1 + length > 79)
            at = fprintf(out, "\n%*s", indent, "") - 1;
        else if (!first)
            at += fprintf(out, " ");
        at += fprintf(out, "%.*s", length, text);
        text += length;
        text += strspn(text, " ");
    }
    fputc('\n', out);
}

void cli_print_form(const struct option_row *row, char *buf, size_t cap)
{
    const char *format = row->kind == OPTION_FLAG     ? "--%s"
                         : row->kind == OPTION_OUTPUT ? "--%s[=%s]"
                                                      : "--%s=%s";

    snprintf(buf, cap, format, row->name, row->value);
}

bool cli_shows_initial(const struct option_row *row)
{
    return row->initial[0] && strcmp(row->initial, "0") != 0;
}

void cli_print_overview(FILE *out)
{
    fprintf(out,
            "hwcheck explores the executions of concurrent C programs under a\n"
            "memory model.\n\n"
            "Usage: hwcheck COMMAND ...\n\nCommands:\n");
    for (int i = 0; i < COMMAND_COUNT; i++)
        fprintf(out, "  %-10s%s\n", commands[i].name, commands[i].what);
    fprintf(out,
            "\n'hwcheck help COMMAND' has its options and examples;\n"
            "'hwcheck --version' prints versions, also of what it uses.\n\n%s",
            exit_codes);
}

void cli_print_help(enum command command, FILE *out)
{
    const struct command_row *c = &commands[command];
    char about[CLI_TEXT_MAX];

    cli_command_examples(command, about, sizeof about);
    fprintf(out, "Usage: hwcheck %s %s\n\n%c%s.\n\n%s\nOptions:\n", c->name,
            c->operands, toupper((unsigned char)c->what[0]), c->what + 1,
            about);
    for (size_t i = 0; i < N_ROWS; i++) {
        char form[64], plain[CLI_TEXT_MAX], help[CLI_TEXT_MAX + 100];
        const struct option_row *row = &rows[i];

        if (!(row->commands & 1u << command))
            continue;
        cli_print_form(row, form, sizeof(form));
        cli_expand(row->help, plain, sizeof(plain));
        snprintf(help, sizeof(help), "%s%s%s%s", plain,
                 cli_shows_initial(row) ? " (default: " : "",
                 cli_shows_initial(row) ? row->initial : "",
                 cli_shows_initial(row) ? ")" : "");
        if (strlen(form) > 22)
            fprintf(out, "  %s\n%26s", form, "");
        else
            fprintf(out, "  %-24s", form);
        print_wrapped(out, help, 26, 26);
    }
    fprintf(out, "  %-24s%s\n", "--help", "print this");
    if (command == COMMAND_EXPLORE)
        fprintf(out, "\nA value may follow after a blank (--unroll 3); one "
                     "dash will do (-unroll=3).\n");
    fprintf(out, "\n%s", exit_codes);
    if (command == COMMAND_EXPLORE || command == COMMAND_TRACE ||
        command == COMMAND_LITMUS || command == COMMAND_EXPLAIN)
        fprintf(out, "\n%s", environment);
}

/* In a table cell a bar must be escaped. */
static void print_cell(FILE *out, const char *text)
{
    for (; *text; text++)
        fprintf(out, *text == '|' ? "\\|" : "%c", *text);
}

/* The commands that take the option, by name. */
static void print_commands(unsigned of, FILE *out)
{
    for (int i = 0, first = 1; i < COMMAND_COUNT; i++)
        if (of & 1u << i) {
            fprintf(out, "%s%s", first ? "" : ", ", commands[i].name);
            first = 0;
        }
}

void cli_print_markdown(FILE *out)
{
    fprintf(out, "| option | of | default | what it does |\n"
                 "|---|---|---|---|\n");
    for (size_t i = 0; i < N_ROWS; i++) {
        char form[64];

        if (rows[i].commands & ON(HELP))
            continue;
        cli_print_form(&rows[i], form, sizeof(form));
        fprintf(out, "| `");
        print_cell(out, form);
        fprintf(out, "` | ");
        print_commands(rows[i].commands, out);
        fprintf(out, " | %s | ", rows[i].initial);
        char help[CLI_TEXT_MAX];
        cli_expand(rows[i].help, help, sizeof help);
        print_cell(out, help);
        fprintf(out, " |\n");
    }
}

bool cli_wants_color(const struct options *o)
{
    const char *no_color = getenv("NO_COLOR"), *term = getenv("TERM");

    return !o->no_color && !(no_color && no_color[0]) &&
           !(term && strcmp(term, "dumb") == 0) && isatty(STDOUT_FILENO);
}

int cli_worse(int a, int b)
{
    static const int by_gravity[] = {EXIT_VIOLATION, EXIT_INTERNAL, EXIT_USAGE,
                                     EXIT_INCONCLUSIVE};

    for (size_t i = 0; i < sizeof(by_gravity) / sizeof(by_gravity[0]); i++)
        if (a == by_gravity[i] || b == by_gravity[i])
            return by_gravity[i];
    return EXIT_SOUND;
}

int cli_code_of(const struct err *err)
{
    return err->kind == ERR_INTERNAL  ? EXIT_INTERNAL
           : err->kind == ERR_STOPPED ? EXIT_INCONCLUSIVE
                                      : EXIT_USAGE;
}

void cli_complain(const struct err *err, FILE *talk)
{
    fprintf(talk, "hwcheck: %s%s\n",
            err->kind == ERR_INTERNAL ? "internal error: " : "", err->text);
}
