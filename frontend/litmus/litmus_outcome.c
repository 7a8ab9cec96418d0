/* Conditions from the command line (--outcome). Unlike those of a file they are
 * about a test that is complete: a name that it does not use is a mistake. */
#include "core/mem.h"
#include "frontend/litmus/litmus_asm.h"
#include "frontend/litmus/litmus_lex.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* A list of names for a message: each once, in the order found. */
struct names {
    char text[500];
    uint32_t n;
};

static void add_known(struct names *names, const char *name, size_t length)
{
    size_t used = strlen(names->text);
    for (const char *at = names->text; (at = strstr(at, name)); at++)
        if ((at == names->text || at[-1] == ' ') &&
            (at[length] == ',' || at[length] == '\0'))
            return;
    names->n++;
    snprintf(names->text + used, sizeof names->text - used, "%s%s",
             used ? ", " : "", name);
}

/* The next word at or after *at, as a string to be freed; NULL: none left. */
static char *next_word(const char **at)
{
    const char *from = *at;
    while (*from && !isalpha((unsigned char)*from) && *from != '_')
        from += isdigit((unsigned char)*from) ? strcspn(from, " ,;()[]\n") : 1;
    const char *to = from;
    while (isalnum((unsigned char)*to) || *to == '_')
        to++;
    *at = to;
    return to == from ? NULL : lex_copy(from, (size_t)(to - from));
}

/* Registers that the code or the initial state of a thread names. */
static void list_registers(const struct litmus_test *t, uint32_t thread,
                           struct names *known)
{
    const struct litmus_dialect *dialect = t->dialect;
    const struct litmus_thread *code = &t->threads[thread];
    unsigned bytes;
    for (uint32_t i = 0; i < code->n_lines; i++) {
        const char *at = code->lines[i].text;
        for (char *word; (word = next_word(&at)); free(word))
            if (dialect->find(word, &bytes) >= 0)
                add_known(known, word, strlen(word));
    }
    for (uint32_t i = 0; i < t->n_registers; i++)
        if (t->registers[i].thread == thread)
            add_known(known, t->registers[i].name,
                      strlen(t->registers[i].name));
}

/* Local variables: what is assigned to, but not through a pointer. */
static void list_variables(const struct litmus_test *t, uint32_t thread,
                           struct names *known)
{
    const char *body = t->threads[thread].body, *at = body ? body : "";
    for (char *word; (word = next_word(&at)); free(word)) {
        size_t n = strlen(word);
        const char *after = at + strspn(at, " \t\n"), *before = at - n;
        while (before > body && isspace((unsigned char)before[-1]))
            before--;
        bool is_assigned = after[0] == '=' && after[1] != '=';
        bool is_pointed = before > body && strchr("*.>", before[-1]) &&
                          !(before[-1] == '*' && before > body + 1 &&
                            isalpha((unsigned char)before[-2]));
        if (is_assigned && !is_pointed)
            add_known(known, word, n);
    }
    for (uint32_t i = 0; i < t->n_registers; i++)
        if (t->registers[i].thread == thread)
            add_known(known, t->registers[i].name,
                      strlen(t->registers[i].name));
}

static bool is_known_register(const struct litmus_test *t,
                              const struct litmus_term *x,
                              const struct names *known)
{
    const struct litmus_dialect *dialect = t->dialect;
    unsigned bytes;
    bool found = false;
    char *text = lex_copy(known->text, strlen(known->text)), *rest = text;
    for (char *name; !found && (name = strtok_r(rest, ", ", &rest));)
        found = dialect ? dialect->find(x->name, &bytes) >= 0 &&
                              dialect->find(x->name, &bytes) ==
                                  dialect->find(name, &bytes)
                        : strcmp(x->name, name) == 0;
    free(text);
    return found;
}

static bool check_register(const struct litmus_test *t,
                           const struct litmus_term *x, struct err *err)
{
    struct names known = {.n = 0};
    if (t->is_c)
        list_variables(t, x->thread, &known);
    else
        list_registers(t, x->thread, &known);
    if (is_known_register(t, x, &known))
        return true;
    return litmus_fail(t, x->place, err, "thread %u has no %s '%s'; it has %s",
                       x->thread, t->is_c ? "variable" : "register", x->name,
                       known.n ? known.text : "none");
}

/* x86 code names locations itself. */
static void list_operands(const struct litmus_test *t, const char *line,
                          struct names *known)
{
    const char *at = line;
    for (char *word; (word = next_word(&at)); free(word)) {
        size_t n = strlen(word);
        if (litmus_names_memory(t, line, at - n, n))
            add_known(known, word, n);
    }
}

/* The first n locations, which the test had before. */
static void list_locations(const struct litmus_test *t, uint32_t n,
                           struct names *known)
{
    for (uint32_t i = 0; i < n; i++)
        add_known(known, t->locations[i].name, strlen(t->locations[i].name));
    for (uint32_t i = 0; i < t->n_threads; i++)
        for (uint32_t k = 0; k < t->threads[i].n_lines; k++)
            list_operands(t, t->threads[i].lines[k].text, known);
}

static bool is_known(const struct names *known, const char *name)
{
    char *text = lex_copy(known->text, strlen(known->text)), *rest = text;
    bool found = false;
    for (char *word; !found && (word = strtok_r(rest, ", ", &rest));)
        found = strcmp(word, name) == 0;
    free(text);
    return found;
}

/* Is all known that the condition names? The test had so many terms and
 * locations without it. */
static bool check_names(const struct litmus_test *t, uint32_t n_terms,
                        uint32_t n_locations, struct err *err)
{
    struct names known = {.n = 0};
    list_locations(t, n_locations, &known);
    for (uint32_t i = n_terms; i < t->n_terms; i++) {
        const struct litmus_term *x = &t->terms[i];
        if (x->is_register && !check_register(t, x, err))
            return false;
    }
    for (uint32_t i = n_locations; i < t->n_locations; i++) {
        struct litmus_place place = {1, 1}; /* of a value there is none */
        for (uint32_t k = n_terms; k < t->n_terms; k++)
            if (!t->terms[k].is_register && t->terms[k].location == i)
                place = t->terms[k].place;
        if (!is_known(&known, t->locations[i].name))
            return litmus_fail(t, place, err, "no location '%s'; there %s %s",
                               t->locations[i].name,
                               known.n == 1 ? "is" : "are",
                               known.n ? known.text : "none");
    }
    return true;
}

/* Parses all of `text`; messages speak of the option. */
static bool parse(struct litmus_test *t, const char *text, struct err *err)
{
    struct lex p = {.test = t,
                    .at = text,
                    .end = text + strlen(text),
                    .line_start = text,
                    .line = 1,
                    .is_option = true,
                    .err = err};
    return litmus_parse_condition(&p, &t->condition) && lex_skip(&p) &&
           (p.at == p.end || lex_expected(&p, "'/\\', '\\/' or the end"));
}

static char option_path[] = "--outcome";

bool litmus_set_outcome(struct litmus_test *t, const char *text,
                        struct err *err)
{
    char *path = t->path;
    uint32_t n_terms = t->n_terms, n_locations = t->n_locations;
    t->path = option_path;
    t->quantifier = LITMUS_EXISTS;
    bool good =
        parse(t, text, err) && check_names(t, n_terms, n_locations, err);
    t->path = path;
    return good;
}
