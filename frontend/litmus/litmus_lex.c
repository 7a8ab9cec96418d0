#include "frontend/litmus/litmus_lex.h"

#include "core/mem.h"

#include <ctype.h>
#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#define INDEX_MAX   100000
#define PREVIEW_MAX 24

/* ---- texts */

char *lex_copy(const char *from, size_t n)
{
    char *to = mem_resize(NULL, n + 1);
    memcpy(to, from, n);
    to[n] = '\0';
    return to;
}

void lex_trim(const char **from, const char **to)
{
    while (*from < *to && isspace((unsigned char)**from))
        (*from)++;
    while (*from < *to && isspace((unsigned char)(*to)[-1]))
        (*to)--;
}

bool litmus_fail(const struct litmus_test *t, struct litmus_place at,
                 struct err *err, const char *fmt, ...)
{
    char text[700];
    va_list args;
    va_start(args, fmt);
    vsnprintf(text, sizeof text, fmt, args);
    va_end(args);
    return err_set(err, ERR_INPUT, "%s:%u:%u: %s", t->path, at.line, at.column,
                   text);
}

struct litmus_place lex_place(const struct lex *p)
{
    return (struct litmus_place){p->line,
                                 (uint32_t)(p->at - p->line_start) + 1};
}

/* What stands at the current position, for messages. */
static const char *found(const struct lex *p, char *buf, size_t cap)
{
    size_t n = 0;
    if (p->at == p->end)
        return p->is_option ? "the end" : "the end of the file";
    if (isalnum((unsigned char)*p->at) || *p->at == '_')
        while (p->at + n < p->end && n < PREVIEW_MAX &&
               (isalnum((unsigned char)p->at[n]) || p->at[n] == '_'))
            n++;
    else
        n = 1;
    if (isprint((unsigned char)*p->at))
        snprintf(buf, cap, "'%.*s'", (int)n, p->at);
    else
        snprintf(buf, cap, "byte 0x%02x", (unsigned char)*p->at);
    return buf;
}

bool lex_expected(struct lex *p, const char *what)
{
    char buf[PREVIEW_MAX + 8];
    return litmus_fail(p->test, lex_place(p), p->err, "expected %s, got %s",
                       what, found(p, buf, sizeof buf));
}

/* ---- characters and words */

void lex_advance(struct lex *p)
{
    if (*p->at++ == '\n') {
        p->line++;
        p->line_start = p->at;
    }
}

bool lex_is_at(const struct lex *p, const char *text)
{
    size_t n = strlen(text);
    return (size_t)(p->end - p->at) >= n && memcmp(p->at, text, n) == 0;
}

void lex_skip_line(struct lex *p)
{
    while (p->at < p->end && *p->at != '\n')
        p->at++;
}

/* Comments nest, as in OCaml. */
bool lex_skip_comment(struct lex *p)
{
    struct litmus_place start = lex_place(p);
    uint32_t depth = 0;
    do {
        if (p->at == p->end)
            return litmus_fail(p->test, start, p->err,
                               "comment without an end");
        int step = lex_is_at(p, "(*") ? 1 : lex_is_at(p, "*)") ? -1 : 0;
        depth += (uint32_t)step;
        if (step)
            lex_advance(p);
        lex_advance(p);
    } while (depth > 0);
    return true;
}

bool lex_is_line_comment(const struct lex *p)
{
    if (lex_is_at(p, "//"))
        return true;
    const char *c = p->line_start;
    while (c < p->at && isspace((unsigned char)*c))
        c++;
    /* In C it would be for the preprocessor, which there is none of. */
    return c == p->at && lex_is_at(p, "#") && !p->test->is_c;
}

bool lex_skip(struct lex *p)
{
    while (p->at < p->end) {
        if (isspace((unsigned char)*p->at))
            lex_advance(p);
        else if (lex_is_line_comment(p))
            lex_skip_line(p);
        else if (!lex_is_at(p, "(*"))
            return true;
        else if (!lex_skip_comment(p))
            return false;
    }
    return true;
}

bool lex_accept(struct lex *p, const char *text)
{
    if (!lex_is_at(p, text))
        return false;
    for (size_t n = strlen(text); n > 0; n--)
        lex_advance(p);
    return true;
}

bool lex_is_word_char(char c)
{
    return isalnum((unsigned char)c) || c == '_' || c == '.' || c == '$';
}

/* Length of the word at `at`, 0 if none starts there. */
size_t lex_word_length(const struct lex *p)
{
    size_t n = 0;
    if (p->at == p->end ||
        !(isalpha((unsigned char)*p->at) || *p->at == '_' || *p->at == '%'))
        return 0;
    n = 1;
    while (p->at + n < p->end && lex_is_word_char(p->at[n]))
        n++;
    return n == 1 && *p->at == '%' ? 0 : n;
}

bool lex_is_word(const struct lex *p, const char *word)
{
    size_t n = lex_word_length(p);
    return n == strlen(word) && memcmp(p->at, word, n) == 0;
}

bool lex_accept_word(struct lex *p, const char *word)
{
    if (!lex_is_word(p, word))
        return false;
    p->at += strlen(word);
    return true;
}

bool lex_number(struct lex *p, int64_t *out)
{
    char digits[32] = "";
    size_t n = 0;
    struct litmus_place start = lex_place(p);
    while (p->at + n < p->end && n + 1 < sizeof digits &&
           (isalnum((unsigned char)p->at[n]) || (n == 0 && p->at[n] == '-'))) {
        digits[n] = p->at[n];
        n++;
    }
    char *rest;
    bool negative = digits[0] == '-';
    if (!isdigit((unsigned char)digits[negative]))
        return lex_expected(p, "a value");
    errno = 0;
    bool binary = digits[negative] == '0' &&
                  (digits[negative + 1] == 'b' || digits[negative + 1] == 'B');
    uint64_t value = strtoull(digits + negative + (binary ? 2 : 0), &rest,
                              binary                    ? 2
                              : digits[negative] == '0' ? 0
                                                        : 10);
    if (*rest || errno)
        return litmus_fail(p->test, start, p->err,
                           "'%s' is no number of 64 bits", digits);
    *out = (int64_t)(negative ? 0 - value : value);
    p->at += n;
    return true;
}

/* ---- locations and values */

uint32_t litmus_find_location(const struct litmus_test *t, const char *name,
                              size_t length)
{
    for (uint32_t i = 0; i < t->n_locations; i++)
        if (strlen(t->locations[i].name) == length &&
            memcmp(t->locations[i].name, name, length) == 0)
            return i;
    return LITMUS_NONE;
}

uint32_t litmus_location(struct litmus_test *t, const char *name, size_t length)
{
    uint32_t i = litmus_find_location(t, name, length);
    if (i != LITMUS_NONE)
        return i;
    t->locations = mem_room(t->locations, t->n_locations, &t->locations_cap,
                            sizeof *t->locations);
    struct litmus_location *l = &t->locations[t->n_locations];
    *l = (struct litmus_location){
        .name = lex_copy(name, length), .size = 4, .is_signed = true};
    l->values = mem_resize(NULL, sizeof *l->values);
    l->values[0] = (struct litmus_value){LITMUS_NONE, 0};
    return t->n_locations++;
}

bool lex_location(struct lex *p, uint32_t *out)
{
    size_t n = lex_word_length(p);
    if (n == 0 || *p->at == '%')
        return lex_expected(p, "the name of a location");
    *out = litmus_location(p->test, p->at, n);
    p->at += n;
    return true;
}

/* 1, -0x2, x, &x, x+4 */
bool lex_value(struct lex *p, struct litmus_value *out)
{
    *out = (struct litmus_value){LITMUS_NONE, 0};
    bool address = lex_accept(p, "&");
    if (!lex_skip(p))
        return false;
    if (!address && lex_word_length(p) == 0)
        return lex_number(p, &out->number);
    if (!lex_location(p, &out->location) || !lex_skip(p))
        return false;
    if (lex_accept(p, "+"))
        return lex_skip(p) && lex_number(p, &out->number);
    if (p->at < p->end && *p->at == '[') {
        const struct litmus_location *l = &p->test->locations[out->location];
        unsigned size = l->size;
        int64_t index;
        lex_advance(p);
        if (!lex_skip(p) || !lex_number(p, &index) || !lex_skip(p))
            return false;
        if (index < 0 || index > INDEX_MAX)
            return lex_expected(p, "a small index before this");
        out->number = index * size;
        if (!lex_accept(p, "]"))
            return lex_expected(p, "']'");
    }
    return true;
}

bool lex_is_at_thread(const struct lex *p)
{
    const char *at = p->at;
    if (at < p->end && isdigit((unsigned char)*at))
        return true;
    if (at == p->end || *at != 'P')
        return false;
    do
        at++;
    while (at < p->end && isdigit((unsigned char)*at));
    return at > p->at + 1 && at < p->end && *at == ':';
}

static bool parse_thread_number(struct lex *p, uint32_t *out)
{
    struct litmus_place start = lex_place(p);
    int64_t n = 0;
    lex_accept(p, "P");
    if (!lex_number(p, &n))
        return false;
    if (n < 0 || n >= LITMUS_THREADS_MAX)
        return litmus_fail(p->test, start, p->err,
                           "thread %lld: there may be %d, from 0 on",
                           (long long)n, LITMUS_THREADS_MAX);
    *out = (uint32_t)n;
    return true;
}

/* A register has one name, however it is written: that which herd prints. */
static void spell_register(const struct litmus_dialect *d, char *name)
{
    for (; d && *name; name++)
        *name = (char)(d->upper ? toupper((unsigned char)*name)
                                : tolower((unsigned char)*name));
}

/* 0:r1 */
bool lex_register(struct lex *p, uint32_t *thread, char **name)
{
    size_t n;
    *name = NULL;
    if (!parse_thread_number(p, thread) || !lex_skip(p))
        return false;
    if (!lex_accept(p, ":"))
        return lex_expected(p, "':' after the number of a thread");
    if (!lex_skip(p))
        return false;
    n = lex_word_length(p);
    if (n == 0)
        return lex_expected(p, "the name of a register");
    *name = lex_copy(p->at, n);
    spell_register(p->test->dialect, *name);
    p->at += n;
    return true;
}
