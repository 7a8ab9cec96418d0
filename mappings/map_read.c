/* The reader of map files, line by line; mapping.h has the format. */
#include "core/mem.h"
#include "mappings/mapping.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

struct reader {
    struct mapping *m;
    const struct map_chain *chain;
    const char *text, *at;
    struct err *err;
    bool has_rows, has_like;
    char *isas;          /* names with blanks between; NULL: not given */
    uint32_t file;       /* its number in m */
    unsigned own;        /* templates from here on are this file's */
    const char *counted; /* `line` is that of this place */
    unsigned line;
};

/* What a row is for, before the product of its fields is taken. */
struct row {
    bool ops[MAP_OPS], orders[MAP_ORDERS], failures[MAP_ORDERS];
    bool widths[MAP_WIDTHS];
    bool all_orders, all_failures; /* written `*` */
    bool unused;
    enum map_op op; /* one of them */
};

static const char *const width_names[] = {"8", "16", "32", "64", "128", NULL};

/* ---- places and words */

static bool fail(struct reader *r, const char *at, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));

/* Line and column of a place. They are mostly asked for in the order of the
 * text, so that counting goes on where it was. */
static void locate(struct reader *r, const char *at, unsigned *line,
                   unsigned *column)
{
    if (!r->counted || at < r->counted) {
        r->counted = r->text;
        r->line = 1;
    }
    for (; r->counted < at; r->counted++)
        r->line += *r->counted == '\n';
    const char *start = at;
    while (start > r->text && start[-1] != '\n')
        start--;
    *line = r->line;
    *column = (unsigned)(at - start) + 1;
}

static bool fail(struct reader *r, const char *at, const char *fmt, ...)
{
    char what[900];
    unsigned line, column;
    va_list args;
    va_start(args, fmt);
    vsnprintf(what, sizeof what, fmt, args);
    va_end(args);
    locate(r, at, &line, &column);
    return err_set(r->err, ERR_INPUT, "%s:%u:%u: %s", r->chain->file, line,
                   column, what);
}

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r';
}

/* Does the line go on after the '\n' at `at`? One of blanks alone does not
 * count. */
static bool continues(const char *at)
{
    const char *next = at + 1;
    while (is_blank(*next))
        next++;
    return next > at + 1 && *next && *next != '\n';
}

/* The end of the line at `at` and of those that continue it. */
static const char *line_end(const char *at)
{
    at += strcspn(at, "\n");
    while (*at && continues(at))
        at += 1 + strcspn(at + 1, "\n");
    return at;
}

static void skip_blanks(struct reader *r)
{
    while (is_blank(*r->at) || (*r->at == '\n' && continues(r->at)))
        r->at++;
}

/* Moves over a word, which may be empty. */
static size_t take_word(struct reader *r, const char **word)
{
    skip_blanks(r);
    *word = r->at;
    r->at += strcspn(r->at, " \t\r\n=");
    return (size_t)(r->at - *word);
}

static bool is(const char *word, size_t n, const char *name)
{
    return strlen(name) == n && memcmp(word, name, n) == 0;
}

/* A word for messages. */
#define SHOWN(word, n) (int)((n) < 40 ? (n) : 40), (word)

static bool expected(struct reader *r, const char *what, const char *at,
                     size_t n)
{
    if (n == 0 && *at == '=')
        return fail(r, at, "expected %s, got '='", what);
    if (n == 0)
        return fail(r, at, "expected %s, got the end of the line", what);
    return fail(r, at, "expected %s, got '%.*s'", what, SHOWN(at, n));
}

/* The rest of the line with each run of blanks as one; owned by the caller. */
static char *take_rest(struct reader *r, const char **start)
{
    const char *end = line_end(r->at);
    skip_blanks(r);
    *start = r->at;
    char *text = mem_resize(NULL, (size_t)(end - r->at) + 1);
    size_t n = 0;
    for (; r->at < end; r->at++)
        if (!is_blank(*r->at) && *r->at != '\n')
            text[n++] = *r->at;
        else if (n > 0 && text[n - 1] != ' ')
            text[n++] = ' ';
    if (n > 0 && text[n - 1] == ' ')
        n--;
    text[n] = '\0';
    return text;
}

/* ---- head lines */

/* The text after a keyword, owned by the caller; NULL: there is none. */
static char *take_text(struct reader *r, const char *keyword, bool again)
{
    const char *start;
    char *text = take_rest(r, &start);
    if (*text && !again)
        return text;
    if (again)
        fail(r, start, "a second '%s' line", keyword);
    else
        fail(r, start, "expected a text after '%s', got the end of the line",
             keyword);
    free(text);
    return NULL;
}

static bool read_text(struct reader *r, const char *keyword, char **to)
{
    char *text = take_text(r, keyword, *to != NULL);
    if (text)
        *to = text;
    return text != NULL;
}

static bool read_cite(struct reader *r)
{
    char *line = take_text(r, "cite", false), **all = &r->m->cites;
    if (!line)
        return false;
    size_t had = *all ? strlen(*all) : 0, n = strlen(line);
    *all = mem_resize(*all, had + n + 2);
    memcpy(*all + had, line, n);
    memcpy(*all + had + n, "\n", 2);
    free(line);
    return true;
}

static int find_name(const char *const *names, const char *word, size_t n)
{
    for (int i = 0; names[i]; i++)
        if (is(word, n, names[i]))
            return i;
    return -1;
}

static void print_known_isas(char *buf, size_t cap)
{
    size_t n = 0;
    for (int i = 0; map_isa_names[i] && n < cap; i++)
        n += (size_t)snprintf(buf + n, cap - n, "%s%s",
                              i == 0                 ? ""
                              : map_isa_names[i + 1] ? ", "
                                                     : " or ",
                              map_isa_names[i]);
}

static void add_isa(struct reader *r, const char *name)
{
    size_t had = r->isas ? strlen(r->isas) : 0;
    if (had && map_has_name(r->isas, name))
        return;
    r->isas = mem_resize(r->isas, had + strlen(name) + 2);
    sprintf(r->isas + had, "%s%s", had ? " " : "", name);
}

static bool read_isas(struct reader *r)
{
    const char *word;
    char known[300];
    size_t n = take_word(r, &word);
    if (r->isas)
        return fail(r, word, "a second 'isa' line");
    print_known_isas(known, sizeof known);
    for (; n > 0 || !r->isas; n = take_word(r, &word)) {
        int isa = find_name(map_isa_names, word, n);
        if (isa < 0)
            return expected(r, known, word, n);
        add_isa(r, map_isa_names[isa]);
    }
    return r->at == line_end(r->at) ||
           fail(r, r->at, "expected an ISA, got '%c'", *r->at);
}

/* Of a mapping that is like another: all are among the other's? */
static bool check_isas(struct reader *r, const char *end)
{
    for (int i = 0; map_isa_names[i]; i++)
        if (map_has_name(r->isas, map_isa_names[i]) &&
            !map_has_name(r->m->isas, map_isa_names[i]))
            return fail(r, end, "'isa %s', but not in what it is like",
                        map_isa_names[i]);
    return true;
}

/* Takes over all that the other mapping has but its own description. */
static bool read_like(struct reader *r, const char *keyword)
{
    const char *start;
    struct mapping *m = r->m, parent;
    if (r->has_like || r->has_rows)
        return fail(r, keyword,
                    r->has_like ? "a second 'like' line"
                                : "expected 'like' before the rows");
    r->has_like = true;
    char *name = take_rest(r, &start);
    struct err inner;
    map_init(&parent);
    bool good = *name ? map_read_like(&parent, name, r->chain, &inner)
                      : expected(r, "the name of a mapping", start, 0);
    if (*name && !good)
        fail(r, start, "%s", inner.text);
    free(name);
    if (good) {
        free(parent.title);
        free(parent.bad);
        free(parent.cites);
        parent.title = m->title;
        parent.bad = m->bad;
        parent.cites = m->cites;
        memcpy(parent.name, m->name, sizeof parent.name);
        char **own[] = {&m->source, &m->flags};
        char **its[] = {&parent.source, &parent.flags};
        for (int i = 0; i < 2; i++)
            if (*own[i]) {
                free(*its[i]);
                *its[i] = *own[i];
            }
        *m = parent;
    } else
        mapping_release(&parent);
    r->own = m->n_templates;
    return good;
}

/* ---- rows */

static void add_file(struct reader *r)
{
    struct mapping *m = r->m;
    if (r->has_rows)
        return;
    r->has_rows = true;
    r->file = m->n_files;
    m->files = mem_resize(m->files, (m->n_files + 1) * sizeof *m->files);
    m->files[m->n_files++] = strdup(r->chain->file);
}

/* One name of a field of operations. */
static bool take_op(struct reader *r, struct row *row, const char *word,
                    size_t n)
{
    int op = find_name(map_op_names, word, n);
    if (is(word, n, "rmw") || is(word, n, "fetch")) {
        row->op = MAP_FETCH_ADD;
        row->ops[MAP_EXCHANGE] |= is(word, n, "rmw");
        for (int i = MAP_FETCH_ADD; i < MAP_OPS; i++)
            row->ops[i] = true;
        return true;
    }
    if (op < 0)
        return expected(r,
                        "a head line or an operation (load, store, fence, "
                        "cas, exchange, fetch_add, ..., rmw, idempotent)",
                        word, n);
    row->op = (enum map_op)op;
    row->ops[op] = true;
    return true;
}

/* The operations of a row must take operands alike: all read-modify-writes do,
 * and else there is one. */
static bool take_ops(struct reader *r, struct row *row, const char *word,
                     size_t n)
{
    const char *start = word;
    int n_ops = 0;
    for (const char *end = word + n; word <= end;) {
        size_t k = strcspn(word, ", \t\r\n=");
        if (word + k > end)
            k = (size_t)(end - word);
        if (!take_op(r, row, word, k))
            return false;
        word += k + 1;
    }
    for (int i = 0; i < MAP_OPS; i++)
        n_ops += row->ops[i];
    for (int i = 0; i < MAP_EXCHANGE; i++)
        if (row->ops[i] && n_ops > 1)
            return fail(r, start, "%s needs rows of its own", map_op_names[i]);
    return true;
}

/* A field of names: sets those in `set`; `*` is reported by *all. */
static bool take_field(struct reader *r, const char *what,
                       const char *const *names, bool *set, bool *all)
{
    const char *word;
    size_t n = take_word(r, &word);
    *all = is(word, n, "*");
    if (*all)
        return true;
    for (const char *end = word + n; word <= end;) {
        size_t k = 0;
        while (word + k < end && word[k] != ',')
            k++;
        int i = find_name(names, word, k);
        if (i < 0 || k == 0)
            return expected(r, what, word, k);
        set[i] = true;
        word += k + 1;
    }
    return true;
}

static bool take_orders(struct reader *r, struct row *row)
{
    skip_blanks(r);
    const char *at = r->at;
    if (!take_field(r, "an order", map_order_names, row->orders,
                    &row->all_orders))
        return false;
    for (int o = 0; o < MAP_ORDERS; o++) {
        bool can = map_has_order(row->op, (enum map_order)o);
        if (row->all_orders)
            row->orders[o] = can && o != MAP_PLAIN;
        else if (row->orders[o] && !can)
            return fail(r, at, "%s has no order '%s'", map_op_names[row->op],
                        map_order_names[o]);
    }
    if (row->op != MAP_CAS)
        return row->failures[MAP_PLAIN] = true;
    skip_blanks(r);
    at = r->at;
    if (!take_field(r, "the order of failure", map_order_names, row->failures,
                    &row->all_failures))
        return false;
    for (int o = 0; o < MAP_ORDERS; o++) {
        bool can = o != MAP_PLAIN && map_has_order(MAP_LOAD, (enum map_order)o);
        if (row->all_failures)
            row->failures[o] = can;
        else if (row->failures[o] && !can)
            return fail(r, at, "a cas that fails has no order '%s'",
                        map_order_names[o]);
    }
    return true;
}

static bool take_widths(struct reader *r, struct row *row)
{
    bool all;
    if (row->op == MAP_FENCE)
        return row->widths[0] = true;
    skip_blanks(r);
    const char *at = r->at;
    if (!take_field(r, "a width (8, 16, 32, 64, 128)", width_names, row->widths,
                    &all))
        return false;
    for (int w = 0; w < MAP_CHOICES; w++) {
        row->widths[w] |= all;
        if (row->widths[w] && row->widths[MAP_CHOICES])
            return fail(r, at, "128 bits need rows of their own");
    }
    return true;
}

/* ---- templates */

/* Which placeholders an operation may use: all of `may`, and at least one of
 * each group of `must` (groups are separated by blanks). */
struct rule {
    const char *may, *must;
};

static struct rule rule_of(const struct row *row, bool is_op)
{
    if (is_op)
        return (struct rule){"dvtu", ""};
    switch (row->op) {
    case MAP_LOAD:
        return (struct rule){"adtus", "a d"};
    case MAP_IDEMPOTENT: /* it may do without memory, if its result does */
        return (struct rule){"adtus", row->unused ? "" : "a d"};
    case MAP_STORE:
        return (struct rule){"avtus", "a v"};
    case MAP_FENCE:
        return (struct rule){"tus", ""};
    case MAP_CAS:
        return (struct rule){"adevxtus", "a v"};
    default:
        return (struct rule){"advxntus", "a"};
    }
}

/* One {b|h|w|d}, which must be closed before `limit`. */
static bool check_choice(struct reader *r, const char *open, const char *limit)
{
    const char *end = open + 1 + strcspn(open + 1, "{}");
    int n = 1;
    if (end >= limit || *end != '}')
        return fail(r, open, "expected '}' after '%.*s'",
                    SHOWN(open, strcspn(open, " \t\r\n")));
    for (const char *c = open; c < end; c++)
        n += *c == '|';
    if (n != MAP_CHOICES)
        return fail(r, open,
                    "expected four choices, for 8, 16, 32 and 64 bits, in "
                    "'%.*s', got %d",
                    SHOWN(open, (size_t)(end - open) + 1), n);
    return true;
}

/* Notes the placeholders from `start` up to where the reader is in `used`. */
static bool scan_template(struct reader *r, const struct row *row, bool is_op,
                          const char *start, bool *used)
{
    const struct rule rule = rule_of(row, is_op);
    bool wide = row->widths[MAP_CHOICES];
    for (const char *c = start; c < r->at; c++) {
        if (wide && (*c == '{' || *c == '@'))
            return fail(r, c, "'%c' in a row for 128 bits", *c);
        if (*c == '{' && !check_choice(r, c, r->at))
            return false;
        if (*c == '@' && (is_op || row->op < MAP_EXCHANGE))
            return fail(r, c, "'@op' outside of a read-modify-write");
        if (*c == '@' && strncmp(c, "@op", 3) != 0)
            return fail(r, c, "expected '@op', got '%.*s'",
                        SHOWN(c, strcspn(c, " \t\r\n;")));
        used['@'] |= *c == '@';
        if (*c != '%')
            continue;
        c++;
        if (c < r->at && *c == '%')
            continue;
        if (c == r->at || !strchr("advexntusDVENTU", *c))
            return fail(r, c - 1,
                        "unknown placeholder '%.*s' (%%%% is a percent sign)",
                        c == r->at ? 1 : 2, c - 1);
        bool high = *c >= 'A' && *c <= 'Z';
        char low = high ? (char)(*c - 'A' + 'a') : *c;
        if (!strchr(rule.may, low) || (high && !wide) || (wide && low == 'x'))
            return fail(r, c - 1, "'%%%c' has no meaning in this row", *c);
        used[(unsigned char)*c] = true;
    }
    return true;
}

static bool check_template(struct reader *r, const struct row *row, bool is_op,
                           const char *base, const char *text)
{
    bool used[256] = {false};
    bool fetches = row->op > MAP_EXCHANGE || row->ops[MAP_FETCH_ADD];
    if (!scan_template(r, row, is_op, base, used))
        return false;
    if (is_op)
        return true;
    for (const char *c = rule_of(row, false).must; *c; c++)
        if (*c != ' ' && !used[(unsigned char)*c])
            return fail(r, base, "the instructions do not use '%%%c'", *c);
    for (const char *c = "dven"; row->widths[MAP_CHOICES] && *c; c++)
        if (used[(unsigned char)*c] != used[(unsigned char)(*c - 'a' + 'A')])
            return fail(r, base, "only one half of '%%%c' is used", *c);
    bool cmpxchg = strstr(text, "cmpxchg") != NULL;
    if (row->op >= MAP_CAS && !row->unused && !used['d'] && !used['x'] &&
        !cmpxchg)
        return fail(r, base,
                    "the instructions give no result: neither '%%d' "
                    "nor '%%x' is used");
    if (row->op >= MAP_EXCHANGE && !used['v'] && !used['x'] && !used['n'] &&
        !used['@'])
        return fail(r, base,
                    "the instructions do not use the operand: '%%v' or '%%x'");
    if (fetches && used['n'] && !used['@'] && !row->widths[MAP_CHOICES])
        return fail(r, base, "'%%n', but no '@op' to compute it");
    if (row->op == MAP_CAS && !used['e'] && !used['x'] && !cmpxchg)
        return fail(r, base,
                    "the instructions do not use the expected "
                    "value: '%%e' or '%%x'");
    return true;
}

/* The part after '=': *index is where it is kept. */
static bool take_template(struct reader *r, const struct row *row, bool is_op,
                          uint16_t *index)
{
    const char *start;
    skip_blanks(r);
    if (*r->at != '=')
        return expected(r, "'='", r->at, strcspn(r->at, " \t\r\n"));
    r->at++;
    char *text = take_rest(r, &start);
    struct map_template t = {.text = text, .file = r->file};
    struct mapping *m = r->m;
    if (strlen(text) >= MAP_TEMPLATE_MAX / 2 || m->n_templates >= MAP_NONE) {
        free(text);
        return fail(r, start, "the mapping is too large");
    }
    if (!*text) {
        free(text);
        return expected(r, "instructions, or '-' for none", start, 0);
    }
    if (strcmp(text, "-") == 0)
        *text = '\0';
    locate(r, start, &t.line, &t.column);
    m->templates = mem_room(m->templates, m->n_templates, &m->templates_cap,
                            sizeof *m->templates);
    *index = (uint16_t)m->n_templates;
    m->templates[m->n_templates++] = t;
    /* Nothing to use in an empty template: a load needs %d all the same. */
    return check_template(r, row, is_op, start, text);
}

/* Sets one cell, unless this file has done so before. */
static bool set_cell(struct reader *r, const char *at, uint16_t *cell,
                     uint16_t index, const struct map_key *key)
{
    char name[100];
    if (*cell != MAP_NONE && *cell >= r->own) {
        mapping_print_key(key, name, sizeof name);
        return fail(r, at, "%s: already given in line %u", name,
                    r->m->templates[*cell].line);
    }
    *cell = index;
    return true;
}

static bool set_cells(struct reader *r, const char *at, const struct row *row,
                      uint16_t index)
{
    for (unsigned i = 0; i < MAP_OPS * MAP_ORDER_PAIRS * MAP_WIDTHS; i++) {
        struct map_key k = {
            .op = (enum map_op)(i / (MAP_ORDER_PAIRS * MAP_WIDTHS)),
            .order =
                (enum map_order)(i / (MAP_ORDERS * MAP_WIDTHS) % MAP_ORDERS),
            .failure = (enum map_order)(i / MAP_WIDTHS % MAP_ORDERS),
            .width = i % MAP_WIDTHS,
            .unused = row->unused};
        uint16_t *cell =
            &r->m->rows[k.op][k.order][k.failure][k.width][k.unused];
        if (row->ops[k.op] && row->orders[k.order] &&
            row->failures[k.failure] && row->widths[k.width] &&
            !set_cell(r, at, cell, index, &k))
            return false;
    }
    return true;
}

static bool read_row(struct reader *r, const char *word, size_t n)
{
    struct row row = {.op = MAP_LOAD};
    const char *start = word;
    uint16_t index = MAP_NONE;
    add_file(r);
    if (!take_ops(r, &row, word, n) || !take_orders(r, &row) ||
        !take_widths(r, &row))
        return false;
    n = take_word(r, &word);
    row.unused = is(word, n, "noreturn");
    if (n > 0 && !row.unused)
        return expected(r, "'noreturn' or '='", word, n);
    if (row.unused && row.op < MAP_IDEMPOTENT)
        return fail(r, word, "'noreturn' is for exchange and fetch_* only");
    return take_template(r, &row, false, &index) &&
           set_cells(r, start, &row, index);
}

/* op NAMES = how %t comes from %d and %v */
static bool read_op(struct reader *r)
{
    struct row row = {.op = MAP_LOAD};
    const char *word;
    uint16_t index = MAP_NONE;
    add_file(r);
    size_t n = take_word(r, &word);
    if (!take_ops(r, &row, word, n))
        return false;
    if (row.op < MAP_EXCHANGE)
        return expected(r, "exchange or fetch_* after 'op'", word, n);
    if (!take_template(r, &row, true, &index))
        return false;
    for (int i = 0; i < MAP_OPS; i++) {
        struct map_key key = {.op = (enum map_op)i};
        if (row.ops[i] && !set_cell(r, word, &r->m->ops[i], index, &key))
            return false;
    }
    return true;
}

static bool read_line(struct reader *r)
{
    const char *word;
    struct mapping *m = r->m;
    size_t n = take_word(r, &word);
    if (is(word, n, "title"))
        return read_text(r, "title", &m->title);
    if (is(word, n, "source"))
        return read_text(r, "source", &m->source);
    if (is(word, n, "bad"))
        return read_text(r, "bad", &m->bad);
    if (is(word, n, "flags"))
        return read_text(r, "flags", &m->flags);
    if (is(word, n, "cite"))
        return read_cite(r);
    if (is(word, n, "isa"))
        return read_isas(r);
    if (is(word, n, "like"))
        return read_like(r, word);
    if (is(word, n, "op"))
        return read_op(r);
    return read_row(r, word, n);
}

/* ---- a whole file */

/* Every @op must have its op line; the row is where it is missing. */
static bool check_ops(struct reader *r)
{
    struct mapping *m = r->m;
    for (int op = MAP_FETCH_ADD; op < MAP_OPS; op++) { /* exchange needs none */
        const uint16_t *cells = &m->rows[op][0][0][0][0];
        for (unsigned i = 0; i < sizeof m->rows[op] / sizeof *cells; i++) {
            const struct map_template *t = &m->templates[cells[i]];
            if (cells[i] != MAP_NONE && m->ops[op] == MAP_NONE &&
                strstr(t->text, "@op"))
                return err_set(r->err, ERR_INPUT,
                               "%s:%u:%u: '@op' without a line 'op %s = ...'",
                               m->files[t->file], t->line, t->column,
                               map_op_names[op]);
        }
    }
    return true;
}

static bool check_head(struct reader *r)
{
    struct mapping *m = r->m;
    const char *end = r->text + strlen(r->text);
    const char *missing = !m->title                  ? "title"
                          : !m->source               ? "source"
                          : !r->isas && !r->has_like ? "isa"
                                                     : NULL;
    if (missing)
        return fail(r, end, "there is no '%s' line", missing);
    if (r->isas && r->has_like && !check_isas(r, end))
        return false;
    if (r->isas) {
        free(m->isas);
        m->isas = r->isas;
        r->isas = NULL;
    }
    return r->has_like || r->has_rows || fail(r, end, "there are no rows");
}

static bool read_all(struct reader *r)
{
    while (*r->at) {
        const char *line = r->at;
        while (is_blank(*r->at))
            r->at++;
        if (*r->at == '#')
            r->at += strcspn(r->at, "\n");
        else if (*r->at && *r->at != '\n') {
            if (r->at > line)
                return fail(r, r->at,
                            "a line that begins with a blank continues the "
                            "one before, but there is none");
            if (!read_line(r))
                return false;
        }
        if (*r->at == '\n')
            r->at++;
    }
    return check_head(r) && check_ops(r);
}

bool map_read(struct mapping *m, const struct map_chain *chain,
              const char *text, struct err *err)
{
    struct reader r = {
        .m = m, .chain = chain, .text = text, .at = text, .err = err};
    bool good = read_all(&r);
    free(r.isas);
    return good;
}
