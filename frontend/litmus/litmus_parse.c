/* The parser of litmus files: one pass over the text, by recursive descent. A
 * place is remembered wherever a later step may have to complain. */
#include "core/mem.h"
#include "frontend/litmus/litmus_lex.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

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
static bool parse_type(struct lex *p, struct type *type)
{
    *type = (struct type){NULL, 4, true};
    for (;;) {
        struct lex ahead = *p;
        size_t n = lex_word_length(p);
        if (n == 0)
            break;
        ahead.at += n;
        if (!lex_skip(&ahead))
            return false;
        bool known = find_type(p->at, n) != NULL;
        bool digit = lex_is_at_thread(&ahead);
        bool word = lex_word_length(&ahead) > 0;
        bool star = ahead.at < ahead.end && *ahead.at == '*';
        if (!word && !star && !(digit && known))
            break;
        add_type_word(type, p->at, n);
        *p = ahead;
    }
    while (type->text && p->at < p->end && *p->at == '*') {
        add_type_word(type, "*", 1);
        lex_advance(p);
        if (!lex_skip(p))
            return false;
    }
    return true;
}

/* ---- the init section */

static bool parse_init_register(struct lex *p, struct type *type)
{
    struct litmus_test *t = p->test;
    t->registers = mem_room(t->registers, t->n_registers, &t->registers_cap,
                            sizeof *t->registers);
    struct litmus_register *r = &t->registers[t->n_registers];
    *r = (struct litmus_register){.place = lex_place(p)};
    r->value.location = LITMUS_NONE;
    if (!lex_register(p, &r->thread, &r->name)) {
        free(r->name);
        return false;
    }
    t->n_registers++;
    r->type = type->text;
    r->size = type->size;
    r->is_signed = type->is_signed;
    type->text = NULL;
    struct litmus_value value = r->value;
    if (!lex_skip(p))
        return false;
    if (lex_accept(p, "=") && (!lex_skip(p) || !lex_value(p, &value)))
        return false;
    t->registers[t->n_registers - 1].value = value;
    return true;
}

static void resize_array(struct litmus_location *l, uint32_t n)
{
    l->values = mem_resize(l->values, n * sizeof *l->values);
    for (; l->n < n; l->n++)
        l->values[l->n] = (struct litmus_value){LITMUS_NONE, 0};
    l->n = n;
}

/* `grows`: no size was written. */
static bool parse_array_values(struct lex *p, uint32_t location, bool grows)
{
    for (uint32_t i = 0;; i++) {
        struct litmus_value value;
        struct litmus_place start = lex_place(p);
        if (!lex_skip(p) || !lex_value(p, &value) || !lex_skip(p))
            return false;
        struct litmus_location *l = &p->test->locations[location];
        if (grows && i < LITMUS_ARRAY_MAX)
            resize_array(l, i + 1);
        if (i >= l->n)
            return litmus_fail(p->test, start, p->err,
                               "more values than '%s' has elements", l->name);
        l->values[i] = value;
        if (value.location != LITMUS_NONE)
            l->size = 8;
        if (lex_accept(p, "}"))
            return true;
        if (!lex_accept(p, ","))
            return lex_expected(p, "',' or '}'");
    }
}

static bool parse_array(struct lex *p, uint32_t location)
{
    struct litmus_place start = lex_place(p);
    int64_t n = 1;
    if (!lex_skip(p))
        return false;
    bool grows = p->at < p->end && *p->at == ']';
    if (!grows && (!lex_number(p, &n) || !lex_skip(p)))
        return false;
    if (n < 1 || n > LITMUS_ARRAY_MAX)
        return litmus_fail(p->test, start, p->err,
                           "an array has 1 to %d elements, not %lld",
                           LITMUS_ARRAY_MAX, (long long)n);
    if (!lex_accept(p, "]"))
        return lex_expected(p, "']'");
    struct litmus_location *l = &p->test->locations[location];
    l->n = 0;
    resize_array(l, (uint32_t)n);
    if (!lex_skip(p))
        return false;
    if (!lex_accept(p, "="))
        return !grows || lex_expected(p, "'=', since no size is given");
    if (!lex_skip(p))
        return false;
    if (!lex_accept(p, "{"))
        return lex_expected(p, "'{'");
    return parse_array_values(p, location, grows);
}

/* 1, or ATOMIC_INIT(1) as Linux writes it. */
static bool parse_initial(struct lex *p, struct litmus_value *value)
{
    bool wrapped = lex_accept_word(p, "ATOMIC_INIT");
    if (!lex_skip(p))
        return false;
    if (wrapped && !lex_accept(p, "("))
        return lex_expected(p, "'('");
    if (!lex_skip(p) || !lex_value(p, value) || !lex_skip(p))
        return false;
    return !wrapped || lex_accept(p, ")") || lex_expected(p, "')'");
}

static bool parse_init_location(struct lex *p, struct type *type)
{
    uint32_t i;
    bool bracket = lex_accept(p, "[") || lex_accept(p, "*");
    bool closes = bracket && p->at[-1] == '[';
    if (!lex_skip(p) || !lex_location(p, &i) || !lex_skip(p))
        return false;
    if (closes && !lex_accept(p, "]"))
        return lex_expected(p, "']'");
    struct litmus_location *l = &p->test->locations[i];
    if (type->text) {
        free(l->type);
        l->type = type->text;
        l->size = type->size;
        l->is_signed = type->is_signed;
        type->text = NULL;
    }
    if (!lex_skip(p))
        return false;
    if (lex_accept(p, "["))
        return parse_array(p, i);
    if (!lex_accept(p, "="))
        return true;
    struct litmus_value value = {LITMUS_NONE, 0};
    if (!lex_skip(p) || !parse_initial(p, &value))
        return false;
    l = &p->test->locations[i];
    l->values[0] = value;
    if (value.location != LITMUS_NONE)
        l->size = 8;
    return true;
}

static bool parse_init(struct lex *p)
{
    struct litmus_place start = lex_place(p);
    if (!lex_accept(p, "{"))
        return lex_expected(p, "'{', the start of the init section");
    for (;;) {
        struct type type;
        if (!lex_skip(p))
            return false;
        if (lex_accept(p, ";"))
            continue;
        if (lex_accept(p, "}"))
            return true;
        if (p->at == p->end)
            return litmus_fail(p->test, start, p->err,
                               "init section without an end");
        bool good = parse_type(p, &type) &&
                    (lex_is_at_thread(p) ? parse_init_register(p, &type)
                                         : parse_init_location(p, &type));
        free(type.text);
        if (!good || !lex_skip(p))
            return false;
        if (p->at < p->end && *p->at != ';' && *p->at != '}')
            return lex_expected(p, "';' or '}'");
    }
}

/* ---- the head */

static bool expected_arch(struct lex *p)
{
    char text[300] = "an architecture (";
    const struct litmus_dialect *d;
    for (uint32_t i = 0; (d = litmus_dialect_nth(i)) != NULL; i++) {
        size_t n = strlen(text);
        snprintf(text + n, sizeof text - n, "%s%s", i ? ", " : "", d->name);
    }
    size_t n = strlen(text);
    snprintf(text + n, sizeof text - n, " or C)");
    return lex_expected(p, text);
}

static bool parse_arch(struct lex *p)
{
    const struct litmus_dialect *d;
    if (!lex_skip(p))
        return false;
    p->test->is_c = lex_accept_word(p, "C");
    for (uint32_t i = 0; !p->test->is_c && (d = litmus_dialect_nth(i)); i++)
        if (lex_is_word(p, d->name)) {
            p->test->dialect = d;
            p->at += strlen(d->name);
            return true;
        }
    return p->test->is_c || expected_arch(p);
}

static const char *line_end(const struct lex *p)
{
    const char *end = memchr(p->at, '\n', (size_t)(p->end - p->at));
    return end ? end : p->end;
}

static bool parse_name(struct lex *p)
{
    const char *from = p->at, *to = line_end(p);
    lex_trim(&from, &to);
    const char *comment = from;
    while (comment + 1 < to && !(comment[0] == '(' && comment[1] == '*'))
        comment++;
    if (comment + 1 < to) {
        to = comment;
        lex_trim(&from, &to);
    }
    if (from == to)
        return lex_expected(p, "the name of the test");
    if (to - from > 1 && *from == '"' && to[-1] == '"')
        from++, to--;
    for (const char *c = from; c < to; c++)
        if (!isprint((unsigned char)*c))
            return litmus_fail(p->test, lex_place(p), p->err,
                               "byte 0x%02x in the name of the test",
                               (unsigned char)*c);
    p->test->name = lex_copy(from, (size_t)(to - from));
    while (p->at < to)
        lex_advance(p);
    if (p->at < p->end && *p->at == '"')
        lex_advance(p);
    return true;
}

/* "text", then key=value lines up to the init section. */
static bool parse_info(struct lex *p)
{
    for (;;) {
        if (!lex_skip(p))
            return false;
        if (p->at == p->end || *p->at == '{')
            return true;
        const char *end = line_end(p);
        if (*p->at == '"') {
            struct litmus_place start = lex_place(p);
            do
                lex_advance(p);
            while (p->at < p->end && *p->at != '"');
            if (p->at == p->end)
                return litmus_fail(p->test, start, p->err,
                                   "string without an end");
            lex_advance(p);
            continue;
        }
        const char *equals = memchr(p->at, '=', (size_t)(end - p->at));
        if (!equals || lex_word_length(p) == 0)
            return lex_expected(p, "'{', the start of the init section");
        if (lex_is_word(p, "Hash")) {
            const char *from = equals + 1, *to = end;
            lex_trim(&from, &to);
            free(p->test->hash);
            p->test->hash = lex_copy(from, (size_t)(to - from));
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
        (struct litmus_line){lex_copy(from, (size_t)(to - from)), at};
}

/* A cell: everything up to '|' or ';', without comments. */
struct cell {
    char text[400];
    size_t n;
    struct litmus_place place; /* of its first character that is no blank */
};

static bool parse_cell(struct lex *p, struct cell *c)
{
    c->n = 0;
    if (!lex_skip(p))
        return false;
    c->place = lex_place(p);
    while (p->at < p->end && *p->at != '|' && *p->at != ';') {
        if (lex_is_at(p, "(*")) {
            if (!lex_skip_comment(p))
                return false;
            continue;
        }
        if (lex_is_line_comment(p)) {
            lex_skip_line(p);
            continue;
        }
        char byte = *p->at;
        if (!isprint((unsigned char)byte) && !isspace((unsigned char)byte))
            return lex_expected(p, "an instruction");
        if (byte == '"' || byte == '\\')
            return lex_expected(p, "an instruction without quotes");
        if (c->n + 1 == sizeof c->text)
            return litmus_fail(p->test, c->place, p->err,
                               "instruction of more than %zu characters: no "
                               "';' before?",
                               sizeof c->text - 1);
        c->text[c->n++] = isspace((unsigned char)byte) ? ' ' : byte;
        lex_advance(p);
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
static bool add_code(struct lex *p, uint32_t thread, const struct cell *c)
{
    const char *from = c->text, *end = c->text + c->n;
    struct litmus_place at = c->place;
    for (const char *q = from; q < end; q++) {
        if (lex_is_word_char(*q) || *q != ':')
            continue;
        bool is_label = q > from && (isalpha((unsigned char)*from) ||
                                     *from == '_' || *from == '.');
        for (const char *k = from; k < q; k++)
            is_label = is_label && lex_is_word_char(*k);
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
static bool parse_head_cell(struct lex *p, const struct cell *c)
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

/* Power has an instruction of that name. */
static bool at_not_exists(const struct lex *p)
{
    struct lex ahead = *p;
    return lex_accept_word(&ahead, "not") && lex_skip(&ahead) &&
           lex_is_word(&ahead, "exists");
}

static bool at_final(const struct lex *p)
{
    return p->at == p->end || *p->at == '~' || *p->at == '(' ||
           lex_is_word(p, "exists") || lex_is_word(p, "final") ||
           lex_is_word(p, "forall") || lex_is_word(p, "locations") ||
           lex_is_word(p, "filter") || at_not_exists(p);
}

static bool parse_row(struct lex *p, bool head)
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
        if (lex_accept(p, ";"))
            return true;
        lex_advance(p); /* the bar */
    }
}

static bool starts_with(const struct litmus_line *line, const char *word)
{
    size_t n = strlen(word);
    return strncasecmp(line->text, word, n) == 0 &&
           (line->text[n] == '\0' || line->text[n] == ' ');
}

/* Does the line name the register? */
static bool names(const struct litmus_dialect *d, const char *line,
                  const char *reg)
{
    unsigned bytes;
    int wanted = d->find(reg, &bytes);
    for (const char *c = line; *c;) {
        char word[16] = "";
        size_t n = 0;
        while (lex_is_word_char(c[n]))
            n++;
        memcpy(word, c, n < sizeof word ? n : 0);
        if (n > 0 && d->find(word, &bytes) == wanted)
            return true;
        c += n + (n == 0);
    }
    return false;
}

static bool has_calls(const struct litmus_test *test, uint32_t thread)
{
    const struct litmus_dialect *d = test->dialect;
    const struct litmus_thread *t = &test->threads[thread];
    for (uint32_t i = 0; i < t->n_lines; i++) {
        for (const char *const *c = d->calls; c && *c; c++)
            if (starts_with(&t->lines[i], *c))
                return true;
        if (d->link && names(d, t->lines[i].text, d->link))
            return true;
    }
    for (uint32_t i = 0; d->link && i < test->n_registers; i++)
        if (test->registers[i].thread == thread &&
            names(d, test->registers[i].name, d->link))
            return true;
    return false;
}

/* What called the test is not part of it, so returns end a thread that calls
 * nothing itself: they become jumps to a label there. */
static void end_returns(struct litmus_test *test, uint32_t thread)
{
    static const char label[] = "return_:";
    const struct litmus_dialect *d = test->dialect;
    struct litmus_thread *t = &test->threads[thread];
    char jump[40];
    bool found = false;
    if (has_calls(test, thread))
        return;
    snprintf(jump, sizeof jump, "%s return_", d->jump);
    for (uint32_t i = 0; i < t->n_lines; i++)
        if (litmus_dialect_is(t->lines[i].text, d->returns)) {
            free(t->lines[i].text);
            t->lines[i].text = lex_copy(jump, strlen(jump));
            found = true;
        }
    if (found)
        add_line(t, label, label + sizeof label - 1,
                 t->lines[t->n_lines - 1].place);
}

static bool parse_columns(struct lex *p)
{
    if (!lex_skip(p))
        return false;
    if (at_final(p))
        return lex_expected(p, "code, 'P0 | P1 ;'");
    if (!parse_row(p, true))
        return false;
    for (;;) {
        if (!lex_skip(p))
            return false;
        if (at_final(p))
            break;
        if (!parse_row(p, false))
            return false;
    }
    for (uint32_t i = 0; i < p->test->n_threads; i++)
        end_returns(p->test, i);
    return true;
}

/* ---- code in C: parameters and body as they are, between brackets */

static bool skip_c_text(struct lex *p)
{
    char quote = *p->at;
    struct litmus_place start = lex_place(p);
    if (lex_is_at(p, "//")) {
        lex_skip_line(p);
    } else if (lex_is_at(p, "/*")) {
        lex_accept(p, "/*");
        while (p->at < p->end && !lex_is_at(p, "*/"))
            lex_advance(p);
        if (!lex_accept(p, "*/"))
            return litmus_fail(p->test, start, p->err,
                               "comment without an end");
    } else if (quote == '"' || quote == '\'') {
        do {
            if (*p->at == '\\')
                lex_advance(p);
            if (p->at < p->end)
                lex_advance(p);
        } while (p->at < p->end && *p->at != quote && *p->at != '\n');
        if (!(p->at < p->end && *p->at == quote))
            return litmus_fail(p->test, start, p->err, "string without an end");
        lex_advance(p);
    } else {
        lex_advance(p);
    }
    return true;
}

static bool parse_bracketed(struct lex *p, char open, char close, char **text,
                            struct litmus_place *at)
{
    struct litmus_place start = lex_place(p);
    uint32_t depth = 1;
    char what[] = {'\'', open, '\'', '\0'};
    if (p->at == p->end || *p->at != open)
        return lex_expected(p, what);
    lex_advance(p);
    const char *from = p->at;
    *at = lex_place(p);
    while (p->at < p->end) {
        if (*p->at == '\0')
            return lex_expected(p, "code");
        if (lex_is_at(p, "#"))
            return lex_expected(p, "code without preprocessor lines");
        depth += *p->at == open;
        depth -= *p->at == close;
        if (depth == 0) {
            *text = lex_copy(from, (size_t)(p->at - from));
            lex_advance(p);
            return true;
        }
        if (!skip_c_text(p))
            return false;
    }
    return litmus_fail(p->test, start, p->err, "'%c' without '%c'", open,
                       close);
}

static bool parse_c_threads(struct lex *p)
{
    for (;;) {
        char want[16];
        if (!lex_skip(p))
            return false;
        if (at_final(p) && p->test->n_threads)
            return true;
        snprintf(want, sizeof want, "P%u", p->test->n_threads);
        if (p->test->n_threads == LITMUS_THREADS_MAX)
            return litmus_fail(p->test, lex_place(p), p->err,
                               "more than %d threads", LITMUS_THREADS_MAX);
        /* Some tests write the type of the function. */
        lex_accept_word(p, "static");
        if (!lex_skip(p))
            return false;
        lex_accept_word(p, "void");
        if (!lex_skip(p))
            return false;
        if (!lex_accept_word(p, want)) {
            char what[32];
            snprintf(what, sizeof what, "'%s'", want);
            return lex_expected(p, what);
        }
        struct litmus_thread *t = add_thread(p->test);
        if (!lex_skip(p) ||
            !parse_bracketed(p, '(', ')', &t->parameters,
                             &t->parameters_place) ||
            !lex_skip(p) ||
            !parse_bracketed(p, '{', '}', &t->body, &t->body_place))
            return false;
    }
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
    struct lex p = {.test = t,
                    .at = text,
                    .end = text + bytes,
                    .line_start = text,
                    .line = 1,
                    .err = err};
    *t = (struct litmus_test){.path = lex_copy(path, strlen(path)),
                              .filter = LITMUS_NONE};
    return parse_arch(&p) && parse_name(&p) && parse_info(&p) &&
           parse_init(&p) &&
           (t->is_c ? parse_c_threads(&p) : parse_columns(&p)) &&
           litmus_parse_final(&p) && check_registers(t, err);
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
