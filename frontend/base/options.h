/* The command line as two tables. The struct, the parser, every --help and the
 * option table of README.md come from the rows: a new command or option is a
 * new row here and its use in main.c. */
#ifndef FRONTEND_OPTIONS_H
#define FRONTEND_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>

struct isa;

/* X(enumerator, name, operands, what it does). The examples and what else a
 * command's --help teaches stand in cli.c. */
#define COMMANDS(X)                                                    \
    X(CHECK, "check", "[options] prog.c|test.litmus... [-- CFLAGS]",   \
      "compare machine code with its source: is it compiled soundly?") \
    X(EXPLORE, "explore", "[options] prog.c... [-- CFLAGS]",           \
      "visit every execution of a C program under a memory model")     \
    X(TRACE, "trace", "[options] prog.c [-- CFLAGS]",                  \
      "run each thread once and print its events")                     \
    X(LITMUS, "litmus", "[options] test.litmus|@list... [-- CFLAGS]",  \
      "run litmus tests and print herd's log of them")                 \
    X(EXPLAIN, "explain", "[options] test.litmus|prog.c [-- CFLAGS]",  \
      "say why an outcome is allowed or forbidden")                    \
    X(MODELS, "models", "[show NAME]",                                 \
      "list the memory models, or print the cat file of one")          \
    X(MAPPINGS, "mappings", "[show NAME|FILE.map]",                    \
      "list the mapping schemes, or print the rows of one")            \
    X(HELP, "help", "[command]", "explain hwcheck, or one of its commands")

enum command {
#define X(id, name, operands, what) COMMAND_##id,
    COMMANDS(X)
#undef X
        COMMAND_COUNT
};

/* Kinds of option values. */
enum option_kind {
    OPTION_FLAG,    /* bool; no value */
    OPTION_COUNT,   /* uint64_t */
    OPTION_SECONDS, /* double */
    OPTION_TEXT,    /* const char *, NULL if not given */
    OPTION_LIST,    /* struct option_list; may be given several times */
    OPTION_OUTPUT,  /* const char *: a file; "-", and without value: stdout */
};

#define ON(id) (1u << COMMAND_##id)

/* Commands that search executions, and those that may run machine code. */
#define ON_SEARCH  (ON(CHECK) | ON(EXPLORE) | ON(LITMUS) | ON(EXPLAIN))
#define ON_MACHINE (ON_SEARCH | ON(TRACE))

/* X(commands, kind, field, name, value's name, initial value, help).
 * Initial values are written as a user would write them; "" is none. */
#define OPTIONS(X)                                                             \
    X(ON(CHECK), TEXT, source_model, "source-model", "NAME|FILE.cat", "",      \
      "what the language allows: one of `hwcheck models`, or your own cat "    \
      "file (default: that of the mapping, else of the language whose "        \
      "<hwcheck/...> header the program includes, else rc11)")                 \
    X(ON_SEARCH, TEXT, target_model, "target-model", "NAME|FILE.cat", "",      \
      "what the machine allows (default: @models, by --arch)")                 \
    X(ON(CHECK), TEXT, lb, "lb", "note|error", "note",                         \
      "outcomes by load buffering alone, which the source model forbids for "  \
      "want of dependencies: note them, or call them a miscompilation")        \
    X(ON(CHECK), TEXT, entry, "entry", "NAME|BEGIN*", "",                      \
      "start with this function, which has no parameters, instead of main; "   \
      "with a * each whose name begins so is checked as a program of its "     \
      "own, "                                                                  \
      "compiled with the others")                                              \
    X(ON(CHECK), TEXT, observe, "observe", "all|external", "all",              \
      "what of the final values is compared: if the compiler leaves static "   \
      "variables out, compile once more so that they are seen (`all`), or "    \
      "leave these out and name them")                                         \
    X(ON(CHECK), FLAG, ignore_races, "ignore-races", "", "",                   \
      "compare even if the source has data races")                             \
    X(ON(EXPLORE) | ON(LITMUS) | ON(EXPLAIN), TEXT, model, "model",            \
      "NAME|FILE.cat", "",                                                     \
      "memory model: one of `hwcheck models`, or your own cat file "           \
      "(default: that of the language whose <hwcheck/...> header the program " \
      "includes, else rc11; with --arch the model of the machine)")            \
    X(ON_MACHINE, TEXT, arch, "arch", "ISA", "",                               \
      "the machine: @isas; for `check` also a "                                \
      "list or `all` (its default); for the others the machine code is run "   \
      "under QEMU instead of the source")                                      \
    X(ON_MACHINE, TEXT, mapping, "mapping", "NAME|FILE.map", "",               \
      "compile atomics by this scheme: one of `hwcheck mappings`, or your "    \
      "own file (default: native, what the compiler does)")                    \
    X(ON_MACHINE, LIST, map, "map", "THREAD=NAME", "",                         \
      "the scheme of one thread: T0 (main), T1, ... or its function")          \
    X(ON_MACHINE, TEXT, cc, "cc", "COMPILER", "",                              \
      "compile the machine code with this (default: clang-19, -O2)")           \
    X(ON(CHECK) | ON(EXPLORE) | ON(TRACE) | ON(EXPLAIN), FLAG, link, "link",   \
      "", "",                                                                  \
      "all files that are named are one program: compile each and link them")  \
    X(ON(CHECK), LIST, object, "object", "FILE.o", "",                         \
      "the machine code is this object, which something else made of the "     \
      "program, instead of compiling it; may be given several times (default " \
      "of --arch: its ISA)")                                                   \
    X(ON(CHECK), LIST, assembly, "asm", "FILE.s", "",                          \
      "likewise, assembly of the ISA that --arch names")                       \
    X(ON_MACHINE, TEXT, qemu, "qemu", "FILE", "",                              \
      "the QEMU to run it with (default: qemu-ISA from PATH)")                 \
    X(ON(CHECK) | ON(EXPLORE) | ON(TRACE), FLAG, atomic_pairs, "atomic-pairs", \
      "", "",                                                                  \
      "on this machine ordinary accesses of 16 aligned bytes are single, as "  \
      "with FEAT_LSE2 and AVX (default: if -march or -mavx ask for these)")    \
    X(ON(EXPLORE) | ON(TRACE) | ON(EXPLAIN), FLAG, elf, "elf", "", "",         \
      "the program is linked already, against the guest runtime")              \
    X(ON_MACHINE, COUNT, unroll, "unroll", "N", "0",                           \
      "cut a loop after N iterations that do something; then the verdict is "  \
      "at best BOUNDED (0: 10000, or 1000 that only read; in litmus tests "    \
      "16)")                                                                   \
    X(ON_SEARCH, SECONDS, timeout, "timeout", "SECONDS", "0",                  \
      "end after this time, which is for the whole command, with what was "    \
      "found; what is not begun then is INCONCLUSIVE (0: never)")              \
    X(ON_SEARCH, COUNT, max_executions, "max-executions", "N", "0",            \
      "give up after N executions (0: no limit)")                              \
    X(ON_SEARCH, COUNT, max_events, "max-events", "N", "10000",                \
      "cut executions longer than N events")                                   \
    X(ON(EXPLAIN), TEXT, outcome, "outcome", "CONDITION", "",                  \
      "the outcome asked about: a line of a report as it is printed "          \
      "(`r1=0 p=&x`), or a condition, `1:r1=1 /\\ ~(1:r3=0 \\/ x=1)` "         \
      "(default: the condition of the litmus test)")                           \
    X(ON(EXPLORE), FLAG, all, "all", "", "",                                   \
      "go on after the first violation and report each distinct one")          \
    X(ON(CHECK) | ON(EXPLORE), COUNT, outcomes, "outcomes", "N", "20",         \
      "print at most N outcomes (0: all)")                                     \
    X(ON(CHECK) | ON(EXPLORE) | ON(TRACE), FLAG, show_output, "show-output",   \
      "", "", "let the program's own output through to stderr")                \
    X(ON_MACHINE, OUTPUT, json, "json", "FILE", "",                            \
      "write the report as JSON (docs/JSON.md) to FILE, or to stdout in "      \
      "place "                                                                 \
      "of the text")                                                           \
    X(ON(CHECK) | ON(EXPLORE) | ON(EXPLAIN), TEXT, dot, "dot", "FILE", "",     \
      "draw the first violation, or else the first execution, for Graphviz; "  \
      "of a check the forbidden execution of the source and that of the "      \
      "machine code")                                                          \
    X(ON(CHECK), TEXT, html, "html", "FILE", "",                               \
      "write the report as one page for a browser, with both graphs of each "  \
      "outcome that is explained; of several checks a table and a section "    \
      "for each that is not sound")                                            \
    X(ON(CHECK), TEXT, bundle, "bundle", "DIR", "",                            \
      "make the folder DIR with all that a bug report needs: report.md, the "  \
      "program, its assembly, the bad execution as a litmus test, a page, a "  \
      "script that runs it again wherever it is; "                             \
      "several checks have a folder each within DIR (of --entry=BEGIN* those " \
      "that are not sound), and index.html")                                   \
    X(ON(EXPLORE), TEXT, dot_all, "dot-all", "DIR", "",                        \
      "draw each execution into DIR, one file each, at most 1000")             \
    X(ON(CHECK) | ON(EXPLORE), FLAG, quiet, "quiet", "", "",                   \
      "print the verdict alone, and no progress")                              \
    X(ON(CHECK) | ON(EXPLORE), FLAG, verbose, "verbose", "", "",               \
      "print the work of the engine too")                                      \
    X(ON(CHECK) | ON(EXPLORE) | ON(EXPLAIN), FLAG, no_color, "no-color", "",   \
      "", "no colours, even on a terminal")                                    \
    X(ON(HELP), FLAG, man, "man", "", "", "print the manual page, in roff")    \
    X(ON(HELP), TEXT, completion, "completion", "bash|zsh|fish", "",           \
      "print a completion for this shell")                                     \
    X(ON(HELP), FLAG, markdown, "markdown", "", "",                            \
      "print the option tables as they stand in README.md")

/* Owned; the strings are argv's. */
struct option_list {
    const char **items;
    unsigned n, cap;
};

#define OPTION_TYPE_FLAG    bool
#define OPTION_TYPE_COUNT   uint64_t
#define OPTION_TYPE_SECONDS double
#define OPTION_TYPE_TEXT    const char *
#define OPTION_TYPE_LIST    struct option_list
#define OPTION_TYPE_OUTPUT  const char *

struct options {
    enum command command;
    bool help;    /* --help: explain `command` instead */
    bool version; /* --version */
#define X(commands, kind, field, name, value, initial, help) \
    OPTION_TYPE_##kind field;
    OPTIONS(X)
#undef X
    const char **operands; /* owned; the strings are argv's */
    uint32_t n_operands;
    uint32_t n_files; /* --link: of these the one program, operands[0], is made;
                         0: each operand is a program */
    char **cflags;    /* what follows --; part of argv */
    uint32_t n_cflags;
    bool keeps_statics; /* compile so that no static variable is left out */
    /* Whose sizes, byte order, macros and so on the source has; NULL: the
     * host's. */
    const struct isa *abi;
    char **argv; /* all of it, for reports */
    uint32_t argc;
};

#endif
