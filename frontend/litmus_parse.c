/* The parser of litmus files: one pass over the text, by recursive descent. A
 * place is remembered wherever a later step may have to complain. */
#include "core/mem.h"
#include "frontend/litmus.h"

#include <ctype.h>
#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#define DEPTH_MAX   200 /* of parentheses in a condition */
#define NODES_MAX   10000
#define INDEX_MAX   100000
#define PREVIEW_MAX 24

struct parser {
    struct litmus_test *test;
    const char *at, *end;
    const char *line_start;
    uint32_t line;
    uint32_t depth;
    struct err *err;
};

/* ---- texts */

static char *copy(const char *from, size_t n)
{
    char *to = mem_resize(NULL, n + 1);
    memcpy(to, from, n);
    to[n] = '\0';
    return to;
}

static void trim(const char **from, const char **to)
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

static struct litmus_place place(const struct parser *p)
{
    return (struct litmus_place){p->line,
                                 (uint32_t)(p->at - p->line_start) + 1};
}

/* What stands at the current position, for messages. */
static const char *found(const struct parser *p, char *buf, size_t cap)
{
    size_t n = 0;
    if (p->at == p->end)
        return "the end of the file";
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

static bool expected(struct parser *p, const char *what)
{
    char buf[PREVIEW_MAX + 8];
    return litmus_fail(p->test, place(p), p->err, "expected %s, got %s", what,
                       found(p, buf, sizeof buf));
}

/* ---- characters and words */

static void advance(struct parser *p)
{
    if (*p->at++ == '\n') {
        p->line++;
        p->line_start = p->at;
    }
}

static bool is_at(const struct parser *p, const char *text)
{
    size_t n = strlen(text);
    return (size_t)(p->end - p->at) >= n && memcmp(p->at, text, n) == 0;
}

/* Comments nest, as in OCaml. */
static bool skip_comment(struct parser *p)
{
    struct litmus_place start = place(p);
    uint32_t depth = 0;
    do {
        if (p->at == p->end)
            return litmus_fail(p->test, start, p->err,
                               "comment without an end");
        int step = is_at(p, "(*") ? 1 : is_at(p, "*)") ? -1 : 0;
        depth += (uint32_t)step;
        if (step)
            advance(p);
        advance(p);
    } while (depth > 0);
    return true;
}

static bool skip(struct parser *p)
{
    while (p->at < p->end) {
        if (isspace((unsigned char)*p->at))
            advance(p);
        else if (!is_at(p, "(*"))
            return true;
        else if (!skip_comment(p))
            return false;
    }
    return true;
}

static bool accept(struct parser *p, const char *text)
{
    if (!is_at(p, text))
        return false;
    for (size_t n = strlen(text); n > 0; n--)
        advance(p);
    return true;
}

static bool is_word_char(char c)
{
    return isalnum((unsigned char)c) || c == '_' || c == '.' || c == '$';
}

/* Length of the word at `at`, 0 if none starts there. */
static size_t word_length(const struct parser *p)
{
    size_t n = 0;
    if (p->at == p->end ||
        !(isalpha((unsigned char)*p->at) || *p->at == '_' || *p->at == '%'))
        return 0;
    n = 1;
    while (p->at + n < p->end && is_word_char(p->at[n]))
        n++;
    return n == 1 && *p->at == '%' ? 0 : n;
}

static bool is_word(const struct parser *p, const char *word)
{
    size_t n = word_length(p);
    return n == strlen(word) && memcmp(p->at, word, n) == 0;
}

static bool accept_word(struct parser *p, const char *word)
{
    if (!is_word(p, word))
        return false;
    p->at += strlen(word);
    return true;
}

static bool parse_number(struct parser *p, int64_t *out)
{
    char digits[32];
    size_t n = 0;
    struct litmus_place start = place(p);
    while (p->at + n < p->end && n + 1 < sizeof digits &&
           (isalnum((unsigned char)p->at[n]) || (n == 0 && p->at[n] == '-'))) {
        digits[n] = p->at[n];
        n++;
    }
    digits[n] = '\0';
    char *rest;
    bool negative = digits[0] == '-';
    if (!isdigit((unsigned char)digits[negative]))
        return expected(p, "a value");
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
        .name = copy(name, length), .size = 4, .is_signed = true};
    l->values = mem_resize(NULL, sizeof *l->values);
    l->values[0] = (struct litmus_value){LITMUS_NONE, 0};
    return t->n_locations++;
}

static bool parse_location(struct parser *p, uint32_t *out)
{
    size_t n = word_length(p);
    if (n == 0 || *p->at == '%')
        return expected(p, "the name of a location");
    *out = litmus_location(p->test, p->at, n);
    p->at += n;
    return true;
}

/* 1, -0x2, x, &x, x+4 */
static bool parse_value(struct parser *p, struct litmus_value *out)
{
    *out = (struct litmus_value){LITMUS_NONE, 0};
    bool address = accept(p, "&");
    if (!skip(p))
        return false;
    if (!address && word_length(p) == 0)
        return parse_number(p, &out->number);
    if (!parse_location(p, &out->location) || !skip(p))
        return false;
    if (accept(p, "+"))
        return skip(p) && parse_number(p, &out->number);
    if (p->at < p->end && *p->at == '[') {
        const struct litmus_location *l = &p->test->locations[out->location];
        unsigned size = l->size;
        int64_t index;
        advance(p);
        if (!skip(p) || !parse_number(p, &index) || !skip(p))
            return false;
        if (index < 0 || index > INDEX_MAX)
            return expected(p, "a small index before this");
        out->number = index * size;
        if (!accept(p, "]"))
            return expected(p, "']'");
    }
    return true;
}

static bool parse_thread_number(struct parser *p, uint32_t *out)
{
    struct litmus_place start = place(p);
    int64_t n;
    if (!parse_number(p, &n))
        return false;
    if (n < 0 || n >= LITMUS_THREADS_MAX)
        return litmus_fail(p->test, start, p->err,
                           "thread %lld: there may be %d, from 0 on",
                           (long long)n, LITMUS_THREADS_MAX);
    *out = (uint32_t)n;
    return true;
}

/* 0:r1 */
static bool parse_register(struct parser *p, uint32_t *thread, char **name)
{
    size_t n;
    *name = NULL;
    if (!parse_thread_number(p, thread) || !skip(p))
        return false;
    if (!accept(p, ":"))
        return expected(p, "':' after the number of a thread");
    if (!skip(p))
        return false;
    n = word_length(p);
    if (n == 0)
        return expected(p, "the name of a register");
    *name = copy(p->at, n);
    p->at += n;
    return true;
}

/* ---- types, as in C */

static const struct known_type {
    const char *name;
    uint8_t size;
    bool is_signed;
} known_types[] = {
    {"char", 1, true},          {"int8_t", 1, true},
    {"uint8_t", 1, false},      {"short", 2, true},
    {"int16_t", 2, true},       {"uint16_t", 2, false},
    {"int", 4, true},           {"int32_t", 4, true},
    {"uint32_t", 4, false},     {"long", 8, true},
    {"int64_t", 8, true},       {"uint64_t", 8, false},
    {"size_t", 8, false},       {"intptr_t", 8, true},
    {"uintptr_t", 8, false},    {"unsigned", 4, false},
    {"signed", 4, true},        {"bool", 1, false},
    {"_Bool", 1, false},        {"atomic_int", 4, true},
    {"atomic_uint", 4, false},  {"atomic_long", 8, true},
    {"atomic_ulong", 8, false}, {"atomic_bool", 1, false},
    {"atomic_char", 1, true},   {"atomic_t", 4, true},
    {"const", 0, true},         {"volatile", 0, true},
    {"_Atomic", 0, true},       {NULL, 0, false},
};

static const struct known_type *find_type(const char *word, size_t n)
{
    for (const struct known_type *k = known_types; k->name; k++)
        if (strlen(k->name) == n && memcmp(k->name, word, n) == 0)
            return k;
    return NULL;
}

struct type {
    char *text; /* owned; NULL: none was written */
    uint8_t size;
    bool is_signed;
};

static void add_type_word(struct type *type, const char *word, size_t n)
{
    const struct known_type *k = find_type(word, n);
    size_t used = type->text ? strlen(type->text) : 0;
    type->text = mem_resize(type->text, used + n + 2);
    snprintf(type->text + used, n + 2, "%s%.*s", used ? " " : "", (int)n, word);
    if (*word == '*') {
        type->size = 8;
        type->is_signed = false;
    } else if (k && k->size && strncmp(word, "unsigned", n) == 0) {
        type->is_signed = false;
    } else if (k && k->size) {
        bool is_unsigned = used && strstr(type->text, "unsigned ");
        type->size = k->size;
        type->is_signed = k->is_signed && !is_unsigned;
    }
}

/* The type in front of a name, if there is one: words as long as another word
 * or a star follows, then stars. */
static bool parse_type(struct parser *p, struct type *type)
{
    *type = (struct type){NULL, 4, true};
    for (;;) {
        struct parser ahead = *p;
        size_t n = word_length(p);
        if (n == 0)
            break;
        ahead.at += n;
        if (!skip(&ahead))
            return false;
        bool known = find_type(p->at, n) != NULL;
        bool digit = ahead.at < ahead.end && isdigit((unsigned char)*ahead.at);
        bool word = word_length(&ahead) > 0;
        bool star = ahead.at < ahead.end && *ahead.at == '*';
        if (!word && !star && !(digit && known))
            break;
        add_type_word(type, p->at, n);
        *p = ahead;
    }
    while (type->text && p->at < p->end && *p->at == '*') {
        add_type_word(type, "*", 1);
        advance(p);
        if (!skip(p))
            return false;
    }
    return true;
}

/* ---- the init section */

static bool parse_init_register(struct parser *p, struct type *type)
{
    struct litmus_test *t = p->test;
    t->registers = mem_room(t->registers, t->n_registers, &t->registers_cap,
                            sizeof *t->registers);
    struct litmus_register *r = &t->registers[t->n_registers];
    *r = (struct litmus_register){.place = place(p)};
    r->value.location = LITMUS_NONE;
    if (!parse_register(p, &r->thread, &r->name)) {
        free(r->name);
        return false;
    }
    t->n_registers++;
    r->type = type->text;
    type->text = NULL;
    struct litmus_value value = r->value;
    if (!skip(p))
        return false;
    if (accept(p, "=") && (!skip(p) || !parse_value(p, &value)))
        return false;
    t->registers[t->n_registers - 1].value = value;
    return true;
}

static bool parse_array_values(struct parser *p, uint32_t location)
{
    for (uint32_t i = 0;; i++) {
        struct litmus_value value;
        struct litmus_place start = place(p);
        if (!skip(p) || !parse_value(p, &value) || !skip(p))
            return false;
        struct litmus_location *l = &p->test->locations[location];
        if (i >= l->n)
            return litmus_fail(p->test, start, p->err,
                               "more values than '%s' has elements", l->name);
        l->values[i] = value;
        if (value.location != LITMUS_NONE)
            l->size = 8;
        if (accept(p, "}"))
            return true;
        if (!accept(p, ","))
            return expected(p, "',' or '}'");
    }
}

static bool parse_array(struct parser *p, uint32_t location)
{
    struct litmus_place start = place(p);
    int64_t n;
    if (!skip(p) || !parse_number(p, &n) || !skip(p))
        return false;
    if (n < 1 || n > LITMUS_ARRAY_MAX)
        return litmus_fail(p->test, start, p->err,
                           "an array has 1 to %d elements, not %lld",
                           LITMUS_ARRAY_MAX, (long long)n);
    if (!accept(p, "]"))
        return expected(p, "']'");
    struct litmus_location *l = &p->test->locations[location];
    l->n = (uint32_t)n;
    l->values = mem_resize(l->values, (size_t)n * sizeof *l->values);
    for (uint32_t i = 0; i < l->n; i++)
        l->values[i] = (struct litmus_value){LITMUS_NONE, 0};
    if (!skip(p) || !accept(p, "="))
        return true;
    if (!skip(p))
        return false;
    if (!accept(p, "{"))
        return expected(p, "'{'");
    return parse_array_values(p, location);
}

static bool parse_init_location(struct parser *p, struct type *type)
{
    uint32_t i;
    bool bracket = accept(p, "[") || accept(p, "*");
    bool closes = bracket && p->at[-1] == '[';
    if (!skip(p) || !parse_location(p, &i) || !skip(p))
        return false;
    if (closes && !accept(p, "]"))
        return expected(p, "']'");
    struct litmus_location *l = &p->test->locations[i];
    if (type->text) {
        free(l->type);
        l->type = type->text;
        l->size = type->size;
        l->is_signed = type->is_signed;
        type->text = NULL;
    }
    if (!skip(p))
        return false;
    if (accept(p, "["))
        return parse_array(p, i);
    if (!accept(p, "="))
        return true;
    struct litmus_value value;
    if (!skip(p) || !parse_value(p, &value))
        return false;
    l = &p->test->locations[i];
    l->values[0] = value;
    if (value.location != LITMUS_NONE)
        l->size = 8;
    return true;
}

static bool parse_init(struct parser *p)
{
    struct litmus_place start = place(p);
    if (!accept(p, "{"))
        return expected(p, "'{', the start of the init section");
    for (;;) {
        struct type type;
        if (!skip(p))
            return false;
        if (accept(p, ";"))
            continue;
        if (accept(p, "}"))
            return true;
        if (p->at == p->end)
            return litmus_fail(p->test, start, p->err,
                               "init section without an end");
        bool good = parse_type(p, &type) &&
                    (p->at < p->end && isdigit((unsigned char)*p->at)
                         ? parse_init_register(p, &type)
                         : parse_init_location(p, &type));
        free(type.text);
        if (!good || !skip(p))
            return false;
        if (p->at < p->end && *p->at != ';' && *p->at != '}')
            return expected(p, "';' or '}'");
    }
}

/* ---- the head */

static bool parse_arch(struct parser *p)
{
    static const char *const names[] = {
        [LITMUS_X86_64] = "X86_64", [LITMUS_X86] = "X86",
        [LITMUS_PPC] = "PPC",       [LITMUS_AARCH64] = "AArch64",
        [LITMUS_C] = "C",
    };
    if (!skip(p))
        return false;
    for (unsigned i = 0; i < sizeof names / sizeof *names; i++)
        if (is_word(p, names[i])) {
            p->test->arch = (enum litmus_arch)i;
            p->at += strlen(names[i]);
            return true;
        }
    return expected(p, "an architecture (X86_64, X86, PPC, AArch64 or C)");
}

static const char *line_end(const struct parser *p)
{
    const char *end = memchr(p->at, '\n', (size_t)(p->end - p->at));
    return end ? end : p->end;
}

static bool parse_name(struct parser *p)
{
    const char *from = p->at, *to = line_end(p);
    trim(&from, &to);
    const char *comment = from;
    while (comment + 1 < to && !(comment[0] == '(' && comment[1] == '*'))
        comment++;
    if (comment + 1 < to) {
        to = comment;
        trim(&from, &to);
    }
    if (from == to)
        return expected(p, "the name of the test");
    if (to - from > 1 && *from == '"' && to[-1] == '"')
        from++, to--;
    for (const char *c = from; c < to; c++)
        if (!isprint((unsigned char)*c))
            return litmus_fail(p->test, place(p), p->err,
                               "byte 0x%02x in the name of the test",
                               (unsigned char)*c);
    p->test->name = copy(from, (size_t)(to - from));
    while (p->at < to)
        advance(p);
    if (p->at < p->end && *p->at == '"')
        advance(p);
    return true;
}

/* "text", then key=value lines up to the init section. */
static bool parse_info(struct parser *p)
{
    for (;;) {
        if (!skip(p))
            return false;
        if (p->at == p->end || *p->at == '{')
            return true;
        const char *end = line_end(p);
        if (*p->at == '"') {
            struct litmus_place start = place(p);
            do
                advance(p);
            while (p->at < p->end && *p->at != '"');
            if (p->at == p->end)
                return litmus_fail(p->test, start, p->err,
                                   "string without an end");
            advance(p);
            continue;
        }
        const char *equals = memchr(p->at, '=', (size_t)(end - p->at));
        if (!equals || word_length(p) == 0)
            return expected(p, "'{', the start of the init section");
        if (is_word(p, "Hash")) {
            const char *from = equals + 1, *to = end;
            trim(&from, &to);
            free(p->test->hash);
            p->test->hash = copy(from, (size_t)(to - from));
        }
        p->at = end;
    }
}

/* ---- code */

static struct litmus_thread *add_thread(struct litmus_test *t)
{
    t->threads =
        mem_room(t->threads, t->n_threads, &t->threads_cap, sizeof *t->threads);
    t->threads[t->n_threads] = (struct litmus_thread){0};
    return &t->threads[t->n_threads++];
}

static void add_line(struct litmus_thread *t, const char *from, const char *to,
                     struct litmus_place at)
{
    t->lines = mem_room(t->lines, t->n_lines, &t->lines_cap, sizeof *t->lines);
    t->lines[t->n_lines++] =
        (struct litmus_line){copy(from, (size_t)(to - from)), at};
}

/* A cell: everything up to '|' or ';', without comments. */
struct cell {
    char text[400];
    size_t n;
    struct litmus_place place; /* of its first character that is no blank */
};

static bool parse_cell(struct parser *p, struct cell *c)
{
    c->n = 0;
    if (!skip(p))
        return false;
    c->place = place(p);
    while (p->at < p->end && *p->at != '|' && *p->at != ';') {
        if (is_at(p, "(*")) {
            if (!skip_comment(p))
                return false;
            continue;
        }
        char byte = *p->at;
        if (!isprint((unsigned char)byte) && !isspace((unsigned char)byte))
            return expected(p, "an instruction");
        if (byte == '"' || byte == '\\')
            return expected(p, "an instruction without quotes");
        if (c->n + 1 == sizeof c->text)
            return litmus_fail(p->test, c->place, p->err,
                               "instruction of more than %zu characters: no "
                               "';' before?",
                               sizeof c->text - 1);
        c->text[c->n++] = isspace((unsigned char)byte) ? ' ' : byte;
        advance(p);
    }
    while (c->n > 0 && c->text[c->n - 1] == ' ')
        c->n--;
    c->text[c->n] = '\0';
    if (p->at == p->end)
        return litmus_fail(p->test, c->place, p->err,
                           "row of code without ';' at its end");
    return true;
}

/* Labels and what follows them are lines of their own. */
static bool add_code(struct parser *p, uint32_t thread, const struct cell *c)
{
    const char *from = c->text, *end = c->text + c->n;
    struct litmus_place at = c->place;
    for (const char *q = from; q < end; q++) {
        if (is_word_char(*q) || *q != ':')
            continue;
        bool is_label = q > from && (isalpha((unsigned char)*from) ||
                                     *from == '_' || *from == '.');
        for (const char *k = from; k < q; k++)
            is_label = is_label && is_word_char(*k);
        if (!is_label)
            return litmus_fail(p->test, at, p->err,
                               "expected a label, got '%.*s'", (int)(q - from),
                               from);
        add_line(&p->test->threads[thread], from, q + 1, at);
        const char *rest = q + 1;
        while (rest < end && *rest == ' ')
            rest++;
        at.column += (uint32_t)(rest - from);
        from = rest;
    }
    if (from < end && *from == '.')
        return litmus_fail(p->test, at, p->err,
                           "expected an instruction, got a directive '%.*s'",
                           (int)(end - from), from);
    if (from < end)
        add_line(&p->test->threads[thread], from, end, at);
    return true;
}

/* P0, or P0:T as some tests have it. */
static bool parse_head_cell(struct parser *p, const struct cell *c)
{
    uint32_t number = p->test->n_threads;
    char want[16];
    size_t n = (size_t)snprintf(want, sizeof want, "P%u", number);
    if (number == LITMUS_THREADS_MAX)
        return litmus_fail(p->test, c->place, p->err, "more than %d threads",
                           LITMUS_THREADS_MAX);
    if (strncmp(c->text, want, n) != 0 || (c->text[n] && c->text[n] != ':'))
        return litmus_fail(p->test, c->place, p->err,
                           "expected '%s', got '%.24s'", want, c->text);
    add_thread(p->test);
    return true;
}

static bool at_final(const struct parser *p)
{
    return p->at == p->end || *p->at == '~' || is_word(p, "exists") ||
           is_word(p, "forall") || is_word(p, "locations") ||
           is_word(p, "filter") || is_word(p, "not");
}

static bool parse_row(struct parser *p, bool head)
{
    struct cell c;
    for (uint32_t column = 0;; column++) {
        if (!parse_cell(p, &c))
            return false;
        if (head) {
            if (!parse_head_cell(p, &c))
                return false;
        } else if (column >= p->test->n_threads) {
            return litmus_fail(p->test, c.place, p->err,
                               "more columns than threads");
        } else if (!add_code(p, column, &c)) {
            return false;
        }
        if (accept(p, ";"))
            return true;
        advance(p); /* the bar */
    }
}

static bool parse_columns(struct parser *p)
{
    if (!skip(p))
        return false;
    if (at_final(p))
        return expected(p, "code, 'P0 | P1 ;'");
    if (!parse_row(p, true))
        return false;
    for (;;) {
        if (!skip(p))
            return false;
        if (at_final(p))
            return true;
        if (!parse_row(p, false))
            return false;
    }
}

/* ---- code in C: parameters and body as they are, between brackets */

static bool skip_c_text(struct parser *p)
{
    char quote = *p->at;
    struct litmus_place start = place(p);
    if (is_at(p, "//")) {
        while (p->at < p->end && *p->at != '\n')
            advance(p);
    } else if (is_at(p, "/*")) {
        accept(p, "/*");
        while (p->at < p->end && !is_at(p, "*/"))
            advance(p);
        if (!accept(p, "*/"))
            return litmus_fail(p->test, start, p->err,
                               "comment without an end");
    } else if (quote == '"' || quote == '\'') {
        do {
            if (*p->at == '\\')
                advance(p);
            if (p->at < p->end)
                advance(p);
        } while (p->at < p->end && *p->at != quote && *p->at != '\n');
        if (!(p->at < p->end && *p->at == quote))
            return litmus_fail(p->test, start, p->err, "string without an end");
        advance(p);
    } else {
        advance(p);
    }
    return true;
}

static bool parse_bracketed(struct parser *p, char open, char close,
                            char **text, struct litmus_place *at)
{
    struct litmus_place start = place(p);
    uint32_t depth = 1;
    char what[] = {'\'', open, '\'', '\0'};
    if (p->at == p->end || *p->at != open)
        return expected(p, what);
    advance(p);
    const char *from = p->at;
    *at = place(p);
    while (p->at < p->end) {
        if (*p->at == '\0')
            return expected(p, "code");
        if (is_at(p, "#"))
            return expected(p, "code without preprocessor lines");
        depth += *p->at == open;
        depth -= *p->at == close;
        if (depth == 0) {
            *text = copy(from, (size_t)(p->at - from));
            advance(p);
            return true;
        }
        if (!skip_c_text(p))
            return false;
    }
    return litmus_fail(p->test, start, p->err, "'%c' without '%c'", open,
                       close);
}

static bool parse_c_threads(struct parser *p)
{
    for (;;) {
        char want[16];
        if (!skip(p))
            return false;
        if (at_final(p) && p->test->n_threads)
            return true;
        snprintf(want, sizeof want, "P%u", p->test->n_threads);
        if (p->test->n_threads == LITMUS_THREADS_MAX)
            return litmus_fail(p->test, place(p), p->err,
                               "more than %d threads", LITMUS_THREADS_MAX);
        /* Some tests write the type of the function. */
        accept_word(p, "static");
        if (!skip(p))
            return false;
        accept_word(p, "void");
        if (!skip(p))
            return false;
        if (!accept_word(p, want)) {
            char what[32];
            snprintf(what, sizeof what, "'%s'", want);
            return expected(p, what);
        }
        struct litmus_thread *t = add_thread(p->test);
        if (!skip(p) ||
            !parse_bracketed(p, '(', ')', &t->parameters,
                             &t->parameters_place) ||
            !skip(p) || !parse_bracketed(p, '{', '}', &t->body, &t->body_place))
            return false;
    }
}

/* ---- what is asked of the final state */

static uint32_t add_node(struct litmus_test *t, struct litmus_node node)
{
    t->nodes = mem_room(t->nodes, t->n_nodes, &t->nodes_cap, sizeof *t->nodes);
    t->nodes[t->n_nodes] = node;
    return t->n_nodes++;
}

static bool same_term(const struct litmus_term *a, const struct litmus_term *b)
{
    if (a->is_register != b->is_register)
        return false;
    if (a->is_register)
        return a->thread == b->thread && strcmp(a->name, b->name) == 0;
    return a->location == b->location && a->index == b->index;
}

static uint32_t add_term(struct litmus_test *t, struct litmus_term term)
{
    for (uint32_t i = 0; i < t->n_terms; i++)
        if (same_term(&t->terms[i], &term)) {
            t->terms[i].is_shown |= term.is_shown;
            free(term.name);
            return i;
        }
    t->terms = mem_room(t->terms, t->n_terms, &t->terms_cap, sizeof *t->terms);
    t->terms[t->n_terms] = term;
    return t->n_terms++;
}

static bool parse_index(struct parser *p, struct litmus_term *term)
{
    struct litmus_place start = place(p);
    int64_t index;
    const struct litmus_location *l = &p->test->locations[term->location];
    if (!skip(p) || !parse_number(p, &index) || !skip(p))
        return false;
    if (index < 0 || index >= l->n)
        return litmus_fail(p->test, start, p->err, "'%s' has no element %lld",
                           l->name, (long long)index);
    if (!accept(p, "]"))
        return expected(p, "']'");
    term->index = (uint32_t)index;
    return true;
}

/* 0:r1, x, [x], x[1], *x */
static bool parse_term(struct parser *p, bool shown, uint32_t *out)
{
    struct litmus_term term = {.is_shown = shown,
                               .index = LITMUS_NONE,
                               .location = LITMUS_NONE,
                               .place = place(p)};
    if (p->at < p->end && isdigit((unsigned char)*p->at)) {
        term.is_register = true;
        if (!parse_register(p, &term.thread, &term.name))
            return false;
        if (term.thread >= p->test->n_threads) {
            free(term.name);
            return litmus_fail(p->test, term.place, p->err,
                               "there is no thread %u", term.thread);
        }
        *out = add_term(p->test, term);
        return true;
    }
    bool bracket = accept(p, "[");
    if (!bracket)
        accept(p, "*");
    if (!skip(p) || !parse_location(p, &term.location) || !skip(p))
        return false;
    if (accept(p, "[") && (!parse_index(p, &term) || !skip(p)))
        return false;
    if (bracket && !accept(p, "]"))
        return expected(p, "']'");
    *out = add_term(p->test, term);
    return true;
}

static bool parse_or(struct parser *p, bool shown, uint32_t *out);

static bool parse_atom(struct parser *p, bool shown, uint32_t *out)
{
    struct litmus_node node = {.op = LITMUS_EQUAL};
    if (!skip(p))
        return false;
    if (p->depth++ == DEPTH_MAX)
        return litmus_fail(p->test, place(p), p->err,
                           "more than %d levels of parentheses", DEPTH_MAX);
    if (p->test->n_nodes >= NODES_MAX)
        return litmus_fail(p->test, place(p), p->err,
                           "condition of more than %d parts", NODES_MAX);
    if (accept(p, "~") || accept_word(p, "not")) {
        node.op = LITMUS_NOT;
        if (!parse_atom(p, shown, &node.a))
            return false;
    } else if (accept(p, "(")) {
        p->depth--;
        struct litmus_place start = place(p);
        p->depth++;
        if (!parse_or(p, shown, out) || !skip(p))
            return false;
        if (p->at == p->end)
            return litmus_fail(p->test, start, p->err, "'(' without ')'");
        p->depth--;
        return accept(p, ")") || expected(p, "'/\\', '\\/' or ')'");
    } else if (accept_word(p, "true") || accept_word(p, "false")) {
        node.op = p->at[-2] == 'u' ? LITMUS_TRUE : LITMUS_FALSE;
    } else {
        if (!parse_term(p, shown, &node.term) || !skip(p))
            return false;
        if (accept(p, "!=") || accept(p, "<>"))
            node.op = LITMUS_UNEQUAL;
        else if (!accept(p, "==") && !accept(p, "="))
            return expected(p, "'='");
        if (!skip(p) || !parse_value(p, &node.value))
            return false;
    }
    p->depth--;
    *out = add_node(p->test, node);
    return true;
}

static bool parse_and(struct parser *p, bool shown, uint32_t *out)
{
    if (!parse_atom(p, shown, out) || !skip(p))
        return false;
    while (accept(p, "/\\") || accept(p, "&&")) {
        struct litmus_node node = {.op = LITMUS_AND, .a = *out};
        if (!parse_atom(p, shown, &node.b) || !skip(p))
            return false;
        *out = add_node(p->test, node);
    }
    return true;
}

static bool parse_or(struct parser *p, bool shown, uint32_t *out)
{
    if (!parse_and(p, shown, out) || !skip(p))
        return false;
    while (is_at(p, "\\/") || is_at(p, "||") || is_at(p, "=>")) {
        struct litmus_node node = {
            .op = *p->at == '=' ? LITMUS_IMPLIES : LITMUS_OR, .a = *out};
        p->at += 2;
        if (!(node.op == LITMUS_IMPLIES ? parse_or(p, shown, &node.b)
                                        : parse_and(p, shown, &node.b)) ||
            !skip(p))
            return false;
        *out = add_node(p->test, node);
    }
    return true;
}

static bool parse_locations(struct parser *p)
{
    if (!skip(p))
        return false;
    if (!accept(p, "["))
        return expected(p, "'['");
    for (;;) {
        uint32_t term;
        if (!skip(p))
            return false;
        if (accept(p, ";"))
            continue;
        if (accept(p, "]"))
            return true;
        if (!parse_term(p, true, &term) || !skip(p))
            return false;
        /* A type, which we know anyway. */
        while (word_length(p) > 0 || accept(p, "*")) {
            p->at += word_length(p);
            if (!skip(p))
                return false;
        }
        if (p->at == p->end || (*p->at != ';' && *p->at != ']'))
            return expected(p, "';' or ']'");
    }
}

static bool parse_quantifier(struct parser *p)
{
    bool negated = accept(p, "~") || accept_word(p, "not");
    if (!skip(p))
        return false;
    if (accept_word(p, "exists"))
        p->test->quantifier = negated ? LITMUS_NOT_EXISTS : LITMUS_EXISTS;
    else if (!negated && accept_word(p, "forall"))
        p->test->quantifier = LITMUS_FORALL;
    else
        return expected(p, negated ? "'exists'"
                                   : "'exists', '~exists' or 'forall'");
    return parse_or(p, true, &p->test->condition);
}

/* No condition at all is one that always holds. */
static bool parse_final(struct parser *p)
{
    struct litmus_test *t = p->test;
    for (;;) {
        if (!skip(p))
            return false;
        if (p->at == p->end)
            break;
        if (accept_word(p, "locations")) {
            if (!parse_locations(p))
                return false;
        } else if (accept_word(p, "filter")) {
            if (!parse_or(p, false, &t->filter))
                return false;
        } else {
            if (!parse_quantifier(p) || !skip(p))
                return false;
            accept(p, ";");
            if (!skip(p))
                return false;
            return p->at == p->end || expected(p, "the end of the file");
        }
    }
    t->quantifier = LITMUS_FORALL;
    t->condition = add_node(t, (struct litmus_node){.op = LITMUS_TRUE});
    return true;
}

static bool check_registers(const struct litmus_test *t, struct err *err)
{
    for (uint32_t i = 0; i < t->n_registers; i++)
        if (t->registers[i].thread >= t->n_threads)
            return litmus_fail(t, t->registers[i].place, err,
                               "there is no thread %u", t->registers[i].thread);
    return true;
}

bool litmus_parse(struct litmus_test *t, const char *path, const char *text,
                  size_t bytes, struct err *err)
{
    struct parser p = {.test = t,
                       .at = text,
                       .end = text + bytes,
                       .line_start = text,
                       .line = 1,
                       .err = err};
    *t = (struct litmus_test){.path = copy(path, strlen(path)),
                              .filter = LITMUS_NONE};
    return parse_arch(&p) && parse_name(&p) && parse_info(&p) &&
           parse_init(&p) &&
           (t->arch == LITMUS_C ? parse_c_threads(&p) : parse_columns(&p)) &&
           parse_final(&p) && check_registers(t, err);
}

void litmus_release(struct litmus_test *t)
{
    for (uint32_t i = 0; i < t->n_locations; i++) {
        free(t->locations[i].name);
        free(t->locations[i].type);
        free(t->locations[i].values);
    }
    for (uint32_t i = 0; i < t->n_registers; i++) {
        free(t->registers[i].name);
        free(t->registers[i].type);
    }
    for (uint32_t i = 0; i < t->n_threads; i++) {
        for (uint32_t k = 0; k < t->threads[i].n_lines; k++)
            free(t->threads[i].lines[k].text);
        free(t->threads[i].lines);
        free(t->threads[i].parameters);
        free(t->threads[i].body);
    }
    for (uint32_t i = 0; i < t->n_terms; i++)
        free(t->terms[i].name);
    free(t->path);
    free(t->name);
    free(t->hash);
    free(t->locations);
    free(t->registers);
    free(t->threads);
    free(t->terms);
    free(t->nodes);
    *t = (struct litmus_test){0};
}
