#include "frontend/litmus/litmus_scope.h"

#include <ctype.h>
#include <string.h>

/* Where the search stands in the body. */
struct scan {
    const struct litmus_test *test;
    uint32_t thread;
    const char *name;
    char *body;
    size_t at; /* of an occurrence of the name */
    uint32_t depth;
    char *type;
    struct err *err;
};

static bool is_word_char(char c)
{
    return isalnum((unsigned char)c) || c == '_';
}

static bool fail(const struct scan *s, const char *what)
{
    struct litmus_place place = s->test->threads[s->thread].body_place;
    for (size_t i = 0; i < s->at; i++) {
        place.column++;
        if (s->body[i] == '\n') {
            place.line++;
            place.column = 1;
        }
    }
    return litmus_fail(s->test, place, s->err, "register '%s' is declared %s",
                       s->name, what);
}

/* Start of the text before the name back to one of these characters. */
static size_t back_to(const struct scan *s, const char *stops)
{
    size_t from = s->at;
    while (from > 0 && !strchr(stops, s->body[from - 1]))
        from--;
    return from;
}

/* "int", "const int *": words and stars, the first of them no keyword that
 * starts a statement. */
static bool is_type(const char *text, size_t n)
{
    static const char *const statements[] = {"return", "else", "do",
                                             "goto",   "case", NULL};
    while (n > 0 && isspace((unsigned char)*text))
        text++, n--;
    size_t word = 0;
    while (word < n && is_word_char(text[word]))
        word++;
    for (int i = 0; statements[i]; i++)
        if (strlen(statements[i]) == word &&
            memcmp(statements[i], text, word) == 0)
            return false;
    for (size_t i = word; i < n; i++)
        if (!is_word_char(text[i]) && text[i] != '*' &&
            !isspace((unsigned char)text[i]))
            return false;
    return word > 0;
}

/* `int a, r1`: does the statement start with a type and another name? */
static bool is_in_list(const struct scan *s)
{
    size_t from = back_to(s, ";{}()"), n = from;
    while (n < s->at && s->body[n] != ',' && s->body[n] != '=')
        n++;
    if (n == s->at)
        return false;
    while (n > from && isspace((unsigned char)s->body[n - 1]))
        n--;
    while (n > from && is_word_char(s->body[n - 1]))
        n--;
    return is_type(s->body + from, n - from);
}

static bool take_type(struct scan *s, size_t from)
{
    char type[LITMUS_TYPE_MAX] = "";
    size_t n = 0;
    for (size_t i = from; i < s->at; i++) {
        char c = s->body[i];
        if (n + 1 == sizeof type)
            return fail(s, "with a type that is too long");
        if (!isspace((unsigned char)c))
            type[n++] = c;
        else if (n > 0 && type[n - 1] != ' ')
            type[n++] = ' ';
        if (c != '\n')
            s->body[i] = ' ';
    }
    if (s->type[0] && strcmp(s->type, type) != 0)
        return fail(s, "with different types");
    memcpy(s->type, type, sizeof type);
    return true;
}

/* `_Atomic(int) r1`: the parenthesis before the name is a type's. */
static bool ends_type(const struct scan *s, size_t end)
{
    static const char *const words[] = {"_Atomic", "typeof", "typeof__", NULL};
    uint32_t depth = 0;
    do {
        depth += s->body[--end] == ')';
        depth -= s->body[end] == '(';
    } while (end > 0 && depth > 0);
    while (end > 0 && isspace((unsigned char)s->body[end - 1]))
        end--;
    for (int i = 0; words[i]; i++) {
        size_t n = strlen(words[i]);
        if (end >= n && memcmp(s->body + end - n, words[i], n) == 0)
            return true;
    }
    return false;
}

/* What an occurrence of the name means. */
static bool visit(struct scan *s)
{
    size_t from = back_to(s, ";{}()"), end = s->at + strlen(s->name);
    size_t before = s->at;
    while (before > 0 && isspace((unsigned char)s->body[before - 1]))
        before--;
    if (before > 0 && s->body[before - 1] == ',' && is_in_list(s))
        return s->depth == 0 || fail(s, "in a block, and not by itself");
    if (before > 0 && s->body[before - 1] == ')' && ends_type(s, before))
        return s->depth == 0 || fail(s, "in a block, with parentheses");
    if (!is_type(s->body + from, s->at - from))
        return true;
    if (from > 0 && s->body[from - 1] == '(')
        return fail(s, "in parentheses, where its value is lost");
    if (s->depth == 0)
        return true;
    end += strspn(s->body + end, " \t\r\n");
    if (s->body[end] != '=' && s->body[end] != ';')
        return fail(s, "in a block, and not by itself");
    return take_type(s, from);
}

/* Over a comment, which is blank then, or a string that starts at `at`; the
 * same if none does. */
static size_t skip(char *body, size_t at)
{
    char *from = body + at, *end = NULL;
    if (strncmp(from, "//", 2) == 0 || strncmp(from, "/*", 2) == 0) {
        bool line = from[1] == '/';
        end = strstr(from + 2, line ? "\n" : "*/");
        end = end ? end + (line ? 0 : 2) : from + strlen(from);
        for (char *c = from; c < end; c++)
            *c = *c == '\n' ? '\n' : ' ';
    } else if (*from == '"' || *from == '\'') {
        for (end = from + 1; *end && *end != *from; end++)
            end += *end == '\\' && end[1];
        end += *end != '\0';
    } else {
        return at;
    }
    return (size_t)(end - body);
}

void litmus_blank_comments(char *body)
{
    for (size_t at = 0; body[at];) {
        size_t next = skip(body, at);
        at = next > at ? next : at + 1;
    }
}

bool litmus_scope(const struct litmus_test *t, uint32_t thread,
                  const char *name, char *body, char type[LITMUS_TYPE_MAX],
                  struct err *err)
{
    struct scan s = {.test = t,
                     .thread = thread,
                     .name = name,
                     .body = body,
                     .type = type,
                     .err = err};
    size_t length = strlen(name);
    type[0] = '\0';
    while (body[s.at]) {
        size_t next = skip(body, s.at), n = 0;
        while (next == s.at && is_word_char(body[s.at + n]))
            n++;
        if (n == length && memcmp(body + s.at, name, n) == 0 && !visit(&s))
            return false;
        s.depth += n == 0 && body[s.at] == '{';
        s.depth -= n == 0 && body[s.at] == '}' && s.depth > 0;
        s.at = next > s.at ? next : s.at + (n ? n : 1);
    }
    return true;
}
