/* The tables of options as a manual page and as completions of shells. */
#include "frontend/base/cli.h"
#include "frontend/target/target.h"

#include <ctype.h>
#include <string.h>

/* ---- the manual page */

/* Text in roff: nothing in it is a request or an escape. */
static void roff_text(const char *text, FILE *out)
{
    bool at_start = true;
    for (; *text; text++) {
        if (at_start && (*text == '.' || *text == '\''))
            fputs("\\&", out);
        if (*text == '\\')
            fputs("\\e", out);
        else if (*text == '-')
            fputs("\\-", out);
        else
            fputc(*text, out);
        at_start = *text == '\n';
    }
}

static void roff_block(const char *text, FILE *out)
{
    fputs(".nf\n", out);
    roff_text(text, out);
    fputs(".fi\n", out);
}

/* The paragraphs of a command's help; its examples stay as they are. */
static void roff_about(const char *text, FILE *out)
{
    const char *examples = strstr(text, "Examples:\n");
    size_t n = examples ? (size_t)(examples - text) : strlen(text);
    char copy[2000];
    while (n > 0 && text[n - 1] == '\n')
        n--;
    snprintf(copy, sizeof copy, "%.*s", (int)n, text);
    if (copy[0]) {
        roff_text(copy, out);
        fputs("\n.PP\n", out);
    }
    if (examples)
        roff_block(examples, out);
}

static int upper(char c)
{
    return toupper((unsigned char)c);
}

static void man_commands(FILE *out)
{
    char text[CLI_TEXT_MAX];
    fputs(".SH COMMANDS\n", out);
    for (int i = 0; i < COMMAND_COUNT; i++) {
        fputs(".SS hwcheck ", out);
        roff_text(cli_command_name((enum command)i), out);
        fputc(' ', out);
        roff_text(cli_command_operands((enum command)i), out);
        const char *what = cli_command_what((enum command)i);
        fprintf(out, "\n%c", upper(what[0]));
        roff_text(what + 1, out);
        fputs(".\n.PP\n", out);
        cli_command_examples((enum command)i, text, sizeof text);
        roff_about(text, out);
    }
}

static void man_options(FILE *out)
{
    const struct option_row *row;
    fputs(".SH OPTIONS\nOptions may be written \\-\\-name=value or \\-\\-name "
          "value, before or after operands. What follows \\-\\- is for the "
          "compiler.\n",
          out);
    for (size_t i = 0; (row = cli_option(i)); i++) {
        bool first = true;
        char form[64], text[CLI_TEXT_MAX];
        cli_print_form(row, form, sizeof form);
        fputs(".TP\n.B ", out);
        roff_text(form, out);
        fputs("\n", out);
        cli_expand(row->help, text, sizeof text);
        roff_text(text, out);
        if (cli_shows_initial(row)) {
            fputs(" (default: ", out);
            roff_text(row->initial, out);
            fputc(')', out);
        }
        fputs(".\n.RI [", out);
        for (int k = 0; k < COMMAND_COUNT; k++)
            if (row->commands & 1u << k) {
                fprintf(out, "%s%s", first ? "" : ",\\ ",
                        cli_command_name((enum command)k));
                first = false;
            }
        fputs("]\n", out);
    }
    fputs(".TP\n.B \\-\\-help\nexplain the command.\n.TP\n.B \\-\\-version\n"
          "print the versions of hwcheck, of its libraries, and of the "
          "compilers and QEMUs that are found.\n",
          out);
}

void cli_print_man(FILE *out)
{
    fprintf(out,
            ".\\\" Made by 'hwcheck help --man'.\n"
            ".TH HWCHECK 1 \"%s\" \"hwcheck %s\" \"User Commands\"\n"
            ".SH NAME\nhwcheck \\- is concurrent C compiled soundly?\n"
            ".SH SYNOPSIS\n",
            HWCHECK_DATE, HWCHECK_VERSION);
    for (int i = 0; i < COMMAND_COUNT; i++) {
        fprintf(out, "%s.B hwcheck %s\n", i ? ".br\n" : "",
                cli_command_name((enum command)i));
        roff_text(cli_command_operands((enum command)i), out);
        fputc('\n', out);
    }
    fputs(".SH DESCRIPTION\nhwcheck compiles a concurrent C program to the "
          "machine code of a target, explores every execution "
          "of it under the memory model of the machine, every execution of "
          "the source under that of the language, and compares the outcomes. "
          "It also runs litmus tests and explores programs for races and "
          "failing assertions.\n",
          out);
    man_commands(out);
    man_options(out);
    fputs(".SH EXIT STATUS\n", out);
    roff_block(cli_exit_codes(), out);
    fputs(".SH ENVIRONMENT\n", out);
    roff_block(cli_environment(), out);
    fputs(".SH SEE ALSO\n.BR herd7 (1),\n.BR qemu\\-user (1),\n.BR clang (1)\n",
          out);
}

/* ---- completions */

static void print_isas(FILE *out)
{
    for (const struct isa *const *i = isa_registry; *i; i++)
        fprintf(out, "%s%s", i > isa_registry ? " " : "", (*i)->name);
}

enum values {
    VALUES_NONE,  /* a number, a text: nothing can be said */
    VALUES_WORDS, /* those of the table, "a|b" */
    VALUES_ISAS,
    VALUES_MODELS,
    VALUES_MAPPINGS,
    VALUES_FILES,
    VALUES_PROGRAMS,
};

/* By how the table writes them: capitals stand for something. */
static enum values values_of(const struct option_row *row)
{
    static const struct {
        const char *value;
        enum values values;
    } known[] = {
        {"ISA", VALUES_ISAS},
        {"NAME|FILE.cat", VALUES_MODELS},
        {"NAME|FILE.map", VALUES_MAPPINGS},
        {"FILE", VALUES_FILES},
        {"DIR", VALUES_FILES},
        {"COMPILER", VALUES_PROGRAMS},
    };
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++)
        if (strcmp(row->value, known[i].value) == 0)
            return known[i].values;
    for (const char *c = row->value; *c; c++)
        if (!islower((unsigned char)*c) && *c != '|')
            return VALUES_NONE;
    return row->value[0] ? VALUES_WORDS : VALUES_NONE;
}

static void print_words(const char *value, FILE *out)
{
    for (; *value; value++)
        fputc(*value == '|' ? ' ' : *value, out);
}

/* What a shell runs to get the names. */
static const char *lister(enum values values)
{
    return values == VALUES_MODELS ? "hwcheck models" : "hwcheck mappings";
}

/* The first sentence of the help, as a word in single quotes; what `special`
 * names is escaped. */
static void print_hint(const char *help, const char *special, FILE *out)
{
    size_t n = strcspn(help, ";:(");
    while (n > 0 && help[n - 1] == ' ')
        n--;
    fputc('\'', out);
    for (size_t i = 0; i < n; i++) {
        if (help[i] == '\'' || help[i] == '`')
            continue;
        if (strchr(special, help[i]))
            fputc('\\', out);
        fputc(help[i], out);
    }
    fputc('\'', out);
}

static void print_command_names(FILE *out)
{
    for (int i = 0; i < COMMAND_COUNT; i++)
        fprintf(out, "%s%s", i ? " " : "", cli_command_name((enum command)i));
}

static void bash_values(FILE *out)
{
    const struct option_row *row;
    for (size_t i = 0; (row = cli_option(i)); i++) {
        enum values values = values_of(row);
        if (values == VALUES_NONE && row->kind == OPTION_FLAG)
            continue;
        fprintf(out, "    --%s) ", row->name);
        switch (values) {
        case VALUES_NONE:
            fputs("files= ;;\n", out);
            break;
        case VALUES_WORDS:
            fputs("files= values='", out);
            print_words(row->value, out);
            fputs("' ;;\n", out);
            break;
        case VALUES_ISAS:
            fputs("files= values='all ", out);
            print_isas(out);
            fputs("' ;;\n", out);
            break;
        case VALUES_MODELS:
        case VALUES_MAPPINGS:
            fprintf(out, "values=$(%s 2>/dev/null | cut -d' ' -f1) ;;\n",
                    lister(values));
            break;
        case VALUES_FILES:
            fputs(";;\n", out);
            break;
        case VALUES_PROGRAMS:
            fputs("files= values=$(compgen -c -- \"$cur\") ;;\n", out);
            break;
        }
    }
}

static void print_bash(FILE *out)
{
    const struct option_row *row;
    fputs("# bash completion for hwcheck, made by "
          "'hwcheck help --completion=bash'\n"
          "_hwcheck()\n{\n"
          "    local cur=${COMP_WORDS[COMP_CWORD]} option= command=check\n"
          "    local values= files=yes i\n"
          "    COMPREPLY=()\n"
          "    case ${COMP_WORDS[1]-} in\n    ",
          out);
    for (int i = 0; i < COMMAND_COUNT; i++)
        fprintf(out, "%s%s", i ? " | " : "", cli_command_name((enum command)i));
    fputs(") command=${COMP_WORDS[1]} ;;\n"
          "    @* | *.litmus) command=litmus ;;\n    esac\n"
          "    for ((i = 1; i < COMP_CWORD; i++)); do\n"
          "        [ \"${COMP_WORDS[i]}\" != -- ] || command=\n    done\n"
          "    # --name=value is three words, for = ends one\n"
          "    if [ \"$cur\" = = ]; then\n"
          "        option=${COMP_WORDS[COMP_CWORD - 1]} cur=\n"
          "    elif [ \"${COMP_WORDS[COMP_CWORD - 1]}\" = = ]; then\n"
          "        option=${COMP_WORDS[COMP_CWORD - 2]}\n    fi\n"
          "    case $option in\n",
          out);
    bash_values(out);
    fputs("    '')\n        case $command:$cur in\n", out);
    for (int k = 0; k < COMMAND_COUNT; k++) {
        fprintf(out, "        %s:-*) files= values='--help --version",
                cli_command_name((enum command)k));
        for (size_t i = 0; (row = cli_option(i)); i++)
            if (row->commands & 1u << k)
                fprintf(out, " --%s%s", row->name,
                        row->kind == OPTION_FLAG || row->kind == OPTION_OUTPUT
                            ? ""
                            : "=");
        fputs("' ;;\n", out);
    }
    fputs("        models:* | mappings:*) values=\"show $(hwcheck $command "
          "2>/dev/null | cut -d' ' -f1)\" ;;\n        help:*) files= values='",
          out);
    print_command_names(out);
    fputs(
        "' ;;\n        esac\n"
        "        if [ \"$COMP_CWORD\" = 1 ] && [ \"${cur:0:1}\" != - ]; then\n"
        "            values='",
        out);
    print_command_names(out);
    fputs("'\n        fi\n        ;;\n    esac\n"
          "    [ -z \"$values\" ] || mapfile -t COMPREPLY < <(compgen -W "
          "\"$values\" -- \"$cur\")\n"
          "    if [ -n \"$files\" ]; then\n"
          "        while IFS= read -r i; do COMPREPLY+=(\"$i\"); done < "
          "<(compgen "
          "-f -- \"$cur\")\n"
          "        compopt -o filenames 2>/dev/null\n    fi\n"
          "    case ${COMPREPLY[0]-} in *=) compopt -o nospace 2>/dev/null ;; "
          "esac\n"
          "    return 0\n}\ncomplete -F _hwcheck hwcheck\n",
          out);
}

static void zsh_option(const struct option_row *row, FILE *out)
{
    enum values values = values_of(row);
    fprintf(out, "            '%s--%s%s[", row->kind == OPTION_LIST ? "*" : "",
            row->name,
            row->kind == OPTION_FLAG     ? ""
            : row->kind == OPTION_OUTPUT ? "=-"
                                         : "=");
    fputs("'", out);
    print_hint(row->help, "[]:\\", out);
    fputs("']", out);
    if (row->kind != OPTION_FLAG) {
        fprintf(out, "%svalue:", row->kind == OPTION_OUTPUT ? "::" : ":");
        switch (values) {
        case VALUES_NONE:
            fputc(' ', out);
            break;
        case VALUES_WORDS:
            fputc('(', out);
            print_words(row->value, out);
            fputc(')', out);
            break;
        case VALUES_ISAS:
            fputs("(all ", out);
            print_isas(out);
            fputc(')', out);
            break;
        case VALUES_MODELS:
            fputs("_hwcheck_models", out);
            break;
        case VALUES_MAPPINGS:
            fputs("_hwcheck_mappings", out);
            break;
        case VALUES_FILES:
            fputs("_files", out);
            break;
        case VALUES_PROGRAMS:
            fputs("_command_names -e", out);
            break;
        }
    }
    fputs("' \\\n", out);
}

static void print_zsh(FILE *out)
{
    const struct option_row *row;
    fputs("#compdef hwcheck\n"
          "# Made by 'hwcheck help --completion=zsh'.\n"
          "_hwcheck_models() {\n"
          "    compadd -- ${${(f)\"$(hwcheck models 2>/dev/null)\"}%% *}\n"
          "    _files -g '*.cat'\n}\n"
          "_hwcheck_mappings() {\n"
          "    compadd -- ${${(f)\"$(hwcheck mappings 2>/dev/null)\"}%% *}\n"
          "    _files -g '*.map'\n}\n"
          "_hwcheck() {\n    local command=check\n    local -a commands\n"
          "    commands=(\n",
          out);
    for (int i = 0; i < COMMAND_COUNT; i++) {
        fprintf(out, "        %s:", cli_command_name((enum command)i));
        print_hint(cli_command_what((enum command)i), ":\\", out);
        fputc('\n', out);
    }
    fputs("    )\n    if (( CURRENT == 2 )) && [[ $words[2] != -* ]]; then\n"
          "        _describe command commands\n        _files\n"
          "        return\n    fi\n"
          "    if (( ${commands[(I)$words[2]:*]} )); then\n"
          "        command=$words[2]\n        shift words\n"
          "        (( CURRENT-- ))\n    fi\n    case $command in\n",
          out);
    for (int k = 0; k < COMMAND_COUNT; k++) {
        fprintf(out, "    %s)\n        _arguments \\\n",
                cli_command_name((enum command)k));
        for (size_t i = 0; (row = cli_option(i)); i++)
            if (row->commands & 1u << k)
                zsh_option(row, out);
        fputs("            '--help[explain the command]' "
              "'--version[print versions]' \\\n"
              "            '*:file:_files'\n        ;;\n",
              out);
    }
    fputs("    esac\n}\n"
          "if [ \"$funcstack[1]\" = _hwcheck ]; then\n    _hwcheck \"$@\"\n"
          "else\n    compdef _hwcheck hwcheck\nfi\n",
          out);
}

static void fish_values(const struct option_row *row, FILE *out)
{
    enum values values = values_of(row);
    switch (values) {
    case VALUES_NONE:
        fputs(row->kind == OPTION_FLAG ? "" : " -x", out);
        break;
    case VALUES_WORDS:
        fputs(" -x -a '", out);
        print_words(row->value, out);
        fputc('\'', out);
        break;
    case VALUES_ISAS:
        fputs(" -x -a 'all ", out);
        print_isas(out);
        fputc('\'', out);
        break;
    case VALUES_MODELS:
    case VALUES_MAPPINGS:
        fprintf(out, " -r -a \"(%s 2>/dev/null | string replace -r ' .*' '')\"",
                lister(values));
        break;
    case VALUES_FILES:
        fputs(row->kind == OPTION_OUTPUT ? "" : " -r -F", out);
        break;
    case VALUES_PROGRAMS:
        fputs(" -x -a '(__fish_complete_command)'", out);
        break;
    }
}

static void print_fish(FILE *out)
{
    const struct option_row *row;
    fputs("# fish completion for hwcheck, made by "
          "'hwcheck help --completion=fish'\n"
          "function __hwcheck_command\n"
          "    set -l words (commandline -opc)\n"
          "    if test (count $words) -gt 1; and contains -- $words[2] ",
          out);
    print_command_names(out);
    fputs("\n        echo $words[2]\n    else\n        echo check\n    end\n"
          "end\n",
          out);
    for (int i = 0; i < COMMAND_COUNT; i++) {
        fprintf(out, "complete -c hwcheck -n __fish_is_first_token -a %s -d ",
                cli_command_name((enum command)i));
        print_hint(cli_command_what((enum command)i), "\\", out);
        fputc('\n', out);
    }
    for (size_t i = 0; (row = cli_option(i)); i++) {
        fputs("complete -c hwcheck -n 'contains -- (__hwcheck_command)", out);
        for (int k = 0; k < COMMAND_COUNT; k++)
            if (row->commands & 1u << k)
                fprintf(out, " %s", cli_command_name((enum command)k));
        fprintf(out, "' -l %s", row->name);
        fish_values(row, out);
        fputs(" -d ", out);
        print_hint(row->help, "\\", out);
        fputc('\n', out);
    }
    fputs("complete -c hwcheck -l help -d 'explain the command'\n"
          "complete -c hwcheck -l version -d 'print versions'\n",
          out);
}

bool cli_print_completion(const char *shell, FILE *out)
{
    if (strcmp(shell, "bash") == 0)
        print_bash(out);
    else if (strcmp(shell, "zsh") == 0)
        print_zsh(out);
    else if (strcmp(shell, "fish") == 0)
        print_fish(out);
    else
        return false;
    return true;
}
