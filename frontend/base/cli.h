/* The command line: parsing and help, all from the tables of options.h. */
#ifndef FRONTEND_CLI_H
#define FRONTEND_CLI_H

#include "core/err.h"
#include "frontend/base/options.h"

#include <stdio.h>

#define HWCHECK_VERSION "0.1.0"
#define HWCHECK_DATE    "2026-11-18" /* of the manual page */

enum exit_code {
    EXIT_SOUND = 0,
    EXIT_VIOLATION = 1,
    EXIT_USAGE = 2, /* or input that cannot be read or compiled */
    EXIT_INCONCLUSIVE = 3,
    EXIT_INTERNAL = 70,
};

/* Fills `o`, which then borrows from argv. Options may be written --name=value,
 * --name value, and with one dash; they may stand before or after operands. On
 * failure err holds a message for the user, with the nearest name when one is
 * unknown. Call cli_release in either case. */
bool cli_parse(struct options *o, int argc, char **argv, struct err *err);
void cli_release(struct options *o);

/* The commands, one line each. */
void cli_print_overview(FILE *out);
/* All there is to know of one command. */
void cli_print_help(enum command command, FILE *out);
/* All of it as a manual page, in roff. */
void cli_print_man(FILE *out);
/* A completion for bash, zsh or fish; false: there is none for that shell. */
bool cli_print_completion(const char *shell, FILE *out);
/* The option tables as Markdown. */
void cli_print_markdown(FILE *out);

const char *cli_command_name(enum command command);

/* ---- the tables, for cli_shell.c */

struct option_row {
    unsigned commands; /* bits */
    enum option_kind kind;
    size_t offset; /* in struct options */
    const char *name, *value, *initial, *help;
};

/* NULL after the last. */
const struct option_row *cli_option(size_t i);
/* "--model=NAME|FILE.cat" into buf. */
void cli_print_form(const struct option_row *row, char *buf, size_t cap);
bool cli_shows_initial(const struct option_row *row);
const char *cli_command_operands(enum command command);
const char *cli_command_what(enum command command);
#define CLI_TEXT_MAX 2000
/* The text with the names of all ISAs, their models and the architectures of
 * litmus tests in the place of @isas, @models and @architectures. */
void cli_expand(const char *text, char *buf, size_t cap);
void cli_command_examples(enum command command, char *buf, size_t cap);
const char *cli_exit_codes(void);
const char *cli_environment(void);

/* ---- */

/* Colours are for terminals, unless the user says no. */
bool cli_wants_color(const struct options *o);

/* Of two exit codes the one that counts with several programs: 1 if any is
 * wrong, else that of an error, else 3. */
int cli_worse(int a, int b);
/* The exit code of a failure. */
int cli_code_of(const struct err *err);
/* Prints the message; of an error of our own it says so, since the exit code
 * may not. */
void cli_complain(const struct err *err, FILE *talk);

#endif
