#include "frontend/explain/explain_asked.h"

#include "core/mem.h"
#include "frontend/report/printed.h"
#include "frontend/report/witness.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LIST_MAX  20 /* names in a message */
#define DEPTH_MAX 200
#define BLANKS    " \t\n\v\f\r" /* those of isspace */

/* ---- words */

struct reader {
    struct asked *asked;
    const char *text, *at;
    uint32_t depth;
    struct err *err;
};

static bool fail(const struct reader *r, const char *at, const char *what)
{
    char got[60] = "the end";
    if (*at)
        snprintf(got, sizeof got, "'%.*s'", (int)strcspn(at, " "), at);
    return err_set(r->err, ERR_USAGE, "--outcome:1:%u: expected %s, got %s",
                   (unsigned)(at - r->text) + 1, what, got);
}

static void skip(struct reader *r)
{
    r->at += strspn(r->at, BLANKS);
}

static bool is_at(const char *at, const char *text)
{
    return strncmp(at, text, strlen(text)) == 0;
}

static bool accept(struct reader *r, const char *text)
{
    skip(r);
    if (!is_at(r->at, text))
        return false;
    r->at += strlen(text);
    return true;
}

static bool is_operator(const char *at)
{
    return is_at(at, "/\\") || is_at(at, "\\/") || is_at(at, "&&") ||
           is_at(at, "||") || is_at(at, "=>");
}

/* Behind the quoted text that starts there. */
static const char *end_of_quoted(const char *at)
{
    char quote = *at++;
    for (; *at && *at != quote; at++)
        if (*at == '\\' && at[1])
            at++;
    return *at ? at + 1 : at;
}

/* Behind the word that starts there. What is in quotes or brackets belongs to
 * it, blanks too. */
static const char *end_of_word(const char *at)
{
    uint32_t open = 0;
    const char *from = at;
    while (*at) {
        if (*at == '"') {
            at = end_of_quoted(at);
            continue;
        }
        if (!open && (isspace((unsigned char)*at) || *at == ')' ||
                      (at > from && is_operator(at))))
            break;
        open += strchr("([{", *at) != NULL;
        open -= open && strchr(")]}", *at);
        at++;
    }
    return at;
}

/* The sign of equality, of which there may be several (in a name): the last
 * one. NULL: there is none. */
static char *find_sign(char *text)
{
    char *found = NULL;
    for (char *at = text; *at; at++)
        if (*at == '"') {
            at = (char *)(uintptr_t)end_of_quoted(at) - 1;
        } else if (*at == '=' || is_at(at, "<>")) {
            found = at;
        }
    return found;
}

/* ---- items */

/* "x = 1" is one item, and so is a text in quotes with the words before. Stands
 * behind it then. */
static const char *end_of_item(const char *at)
{
    for (;;) {
        const char *end = end_of_word(at);
        size_t n = (size_t)(end - at);
        char *word = memcpy(mem_resize(NULL, n + 1), at, n);
        word[n] = '\0';
        const char *sign = find_sign(word);
        bool value_lacks = sign && n && strchr("=>", word[n - 1]);
        bool whole = (sign && !value_lacks) || at[0] == '"';
        free(word);
        const char *next = end + strspn(end, BLANKS);
        if (whole || !*next || *next == ')' || is_operator(next))
            return end;
        if (value_lacks)
            return end_of_word(next);
        at = next;
    }
}

/* The n bytes without blanks at the end, to be freed. */
static char *copy_name(const char *from, size_t n)
{
    while (n > 0 && isspace((unsigned char)from[n - 1]))
        n--;
    char *name = memcpy(mem_resize(NULL, n + 1), from, n);
    name[n] = '\0';
    return name;
}

static bool add_item(struct reader *r, const char *end)
{
    struct asked *a = r->asked;
    a->items = mem_room(a->items, a->n, &a->cap, sizeof *a->items);
    struct asked_item *item = &a->items[a->n++];
    size_t n = (size_t)(end - r->at);
    *item =
        (struct asked_item){.text = memcpy(mem_resize(NULL, n + 1), r->at, n),
                            .at = (uint32_t)(r->at - r->text) + 1,
                            .loc = LOC_NONE};
    item->text[n] = '\0';
    char *sign = find_sign(item->text);
    if (!sign && !strchr(item->text, '"'))
        return fail(r, end, "'='");
    if (!sign)
        return true;
    item->unequal = *sign == '<' || (sign > item->text && sign[-1] == '!');
    item->value = sign + (*sign == '<' ? 2 : 1);
    item->value += strspn(item->value, BLANKS);
    if (!*item->value)
        return fail(r, end, "a value");
    bool two = sign > item->text && strchr("!=", sign[-1]);
    item->name = copy_name(item->text, (size_t)(sign - item->text) - two);
    if (!item->name[0])
        return fail(r, r->at, "a name");
    for (uint32_t i = 0; i + 1 < a->n; i++)
        item->nth +=
            a->items[i].name && strcmp(a->items[i].name, item->name) == 0;
    return true;
}

/* ---- what they are joined by */

static uint32_t add_node(struct reader *r, enum asked_op op, uint32_t x,
                         uint32_t y)
{
    struct asked *a = r->asked;
    a->nodes = mem_room(a->nodes, a->n_nodes, &a->nodes_cap, sizeof *a->nodes);
    a->nodes[a->n_nodes] = (struct asked_node){op, x, y};
    return a->n_nodes++;
}

static bool parse_or(struct reader *r, uint32_t *out);

static bool parse_atom(struct reader *r, uint32_t *out)
{
    bool good;
    skip(r);
    if (r->depth++ == DEPTH_MAX)
        return err_set(r->err, ERR_USAGE,
                       "--outcome: more than %d levels of parentheses",
                       DEPTH_MAX);
    if (accept(r, "~") || accept(r, "not ")) {
        good = parse_atom(r, out);
        *out = add_node(r, ASKED_NOT, *out, 0);
    } else if (accept(r, "(")) {
        const char *start = r->at;
        good = parse_or(r, out);
        if (good && !*r->at)
            good = err_set(r->err, ERR_USAGE, "--outcome:1:%u: '(' without ')'",
                           (unsigned)(start - r->text) + 1);
        else if (good && !accept(r, ")"))
            good = fail(r, r->at, "'/\\', '\\/' or ')'");
    } else {
        const char *end = end_of_item(r->at);
        good = end > r->at ? add_item(r, end) : fail(r, r->at, "a name");
        r->at = end;
        *out = add_node(r, ASKED_ITEM, r->asked->n - 1, 0);
    }
    skip(r);
    r->depth--;
    return good;
}

/* As in litmus tests, it binds closer than and and or do. */
static bool parse_implies(struct reader *r, uint32_t *out)
{
    uint32_t b = 0;
    *out = 0;
    if (!parse_atom(r, out))
        return false;
    if (!accept(r, "=>"))
        return true;
    if (r->depth++ == DEPTH_MAX)
        return err_set(r->err, ERR_USAGE,
                       "--outcome: more than %d '=>' one after the other",
                       DEPTH_MAX);
    bool good = parse_implies(r, &b);
    r->depth--;
    *out = good ? add_node(r, ASKED_IMPLIES, *out, b) : 0;
    return good;
}

/* Items one after the other, as in reports, are joined by and. */
static bool parse_and(struct reader *r, uint32_t *out)
{
    uint32_t b = 0;
    if (!parse_implies(r, out))
        return false;
    while (accept(r, "/\\") || accept(r, "&&") ||
           (*r->at && *r->at != ')' && !is_operator(r->at))) {
        if (!parse_implies(r, &b))
            return false;
        *out = add_node(r, ASKED_AND, *out, b);
    }
    return true;
}

static bool parse_or(struct reader *r, uint32_t *out)
{
    uint32_t b = 0;
    if (!parse_and(r, out))
        return false;
    while (accept(r, "\\/") || accept(r, "||")) {
        if (!parse_and(r, &b))
            return false;
        *out = add_node(r, ASKED_OR, *out, b);
    }
    return true;
}

/* Numbers of executions stand before an outcome in reports. */
static void skip_counts(struct reader *r)
{
    for (skip(r);;) {
        const char *end = r->at + strcspn(r->at, BLANKS);
        size_t n = (size_t)(end - r->at);
        if (!*end || !n ||
            (strspn(r->at, "0123456789") < n && !is_at(r->at, "- ")))
            return;
        r->at = end;
        skip(r);
    }
}

bool asked_parse(struct asked *a, const char *text, struct err *err)
{
    uint32_t all;
    size_t n = strlen(text);
    /* A report's remark on it stands behind. */
    const char *remark = strstr(text, " <- ");
    char *copy = memcpy(mem_resize(NULL, n + 1), text, n + 1);
    if (remark)
        copy[remark - text] = '\0';
    struct reader r = {.asked = a, .text = copy, .at = copy, .err = err};
    *a = (struct asked){0};
    skip_counts(&r);
    bool good = parse_or(&r, &all) &&
                (!*r.at || fail(&r, r.at, "'/\\', '\\/' or the end"));
    a->holds = mem_resize(NULL, a->n + 1);
    free(copy);
    return good;
}

void asked_release(struct asked *a)
{
    for (uint32_t i = 0; i < a->n; i++) {
        free(a->items[i].text);
        free(a->items[i].name);
    }
    free(a->items);
    free(a->nodes);
    free(a->holds);
    *a = (struct asked){0};
}

/* ---- executions */

static bool is_number(const char *text, long long *number)
{
    char *end;
    errno = 0;
    *number = text[0] == '0' && text[1] == 'b' ? strtoll(text + 2, &end, 2)
                                               : strtoll(text, &end, 0);
    return *text && !*end && errno == 0;
}

static bool same_value(const char *a, const char *b)
{
    long long x, y;
    return strcmp(a, b) == 0 ||
           (is_number(a, &x) && is_number(b, &y) && x == y);
}

static bool is_named(const struct program *p, loc_id loc, const char *name)
{
    char text[256];
    if (loc >= p->locations.n || p->locations.items[loc].kind != LOC_STATIC)
        return false;
    program_print_location(p, loc, text, sizeof text);
    return strcmp(text, name) == 0;
}

/* Its final value in g; false: there is no such location. */
static bool find_location(struct asked_item *item, const struct program *p,
                          const struct graph *g, char *value, size_t cap)
{
    if (!is_named(p, item->loc, item->name)) {
        item->loc = 0;
        while (item->loc < p->locations.n &&
               !is_named(p, item->loc, item->name))
            item->loc++;
        if (item->loc == p->locations.n)
            return false;
    }
    const struct location *l = &p->locations.items[item->loc];
    event_id last =
        item->loc < g->n_locs ? g->locs[item->loc].co_last : EVENT_NONE;
    value_text(p, last == EVENT_NONE ? l->init : g->events[last].value, l->size,
               value, cap);
    return true;
}

/* What the program observed under the item's name, the nth time. */
static bool find_observation(struct asked *a, struct asked_item *item,
                             const struct outcomes *o, char *value, size_t cap)
{
    uint32_t n = 0, wanted = 0;
    for (uint32_t i = 0; i < a->n; i++)
        wanted += a->items[i].name && strcmp(a->items[i].name, item->name) == 0;
    for (uint32_t i = 0; i < o->list[0].n; i++) {
        const struct outcome_item *seen = &o->items[o->list[0].first + i];
        if (seen->kind != OUTCOME_OBSERVED ||
            strcmp(a->program->texts[seen->name], item->name) != 0)
            continue;
        if (n++ == item->nth)
            value_text(a->program, seen->value, seen->size, value, cap);
    }
    item->ambiguous |= n > wanted;
    return n > item->nth;
}

static bool find_status(const struct asked_item *item, const struct outcomes *o,
                        char *value, size_t cap)
{
    char name[OUTCOME_STATUS_BYTES];
    for (uint32_t i = 0; i < o->n_raw; i++) {
        outcome_status_name(&o->raw[i], name);
        if (o->raw[i].kind == OUTCOME_STATUS && strcmp(item->name, name) == 0)
            return snprintf(value, cap, "%u", (unsigned)o->raw[i].value) > 0;
    }
    return false;
}

/* T1 prints "...", as a whole. */
static bool is_printed(const struct asked_item *item, const struct outcomes *o)
{
    char *text;
    bool found = false;
    for (uint32_t at = 0;
         !found && (text = printed_next(o->raw, o->n_raw, &at)); free(text))
        found = strcmp(text, item->text) == 0;
    return found;
}

static bool item_holds(struct asked *a, struct asked_item *item,
                       const struct outcomes *o, const struct graph *g,
                       bool *known)
{
    char value[256];
    if (!item->name && strstr(item->text, " prints \"")) {
        item->seen = true;
        return is_printed(item, o);
    }
    bool found = item->name &&
                 (find_observation(a, item, o, value, sizeof value) ||
                  find_location(item, a->program, g, value, sizeof value) ||
                  find_status(item, o, value, sizeof value));
    item->seen |= found;
    *known &= found;
    return found && same_value(value, item->value) != item->unequal;
}

static bool node_holds(const struct asked *a, uint32_t node)
{
    const struct asked_node *n = &a->nodes[node];
    switch (n->op) {
    case ASKED_ITEM:
        return a->holds[n->a];
    case ASKED_AND:
        return node_holds(a, n->a) && node_holds(a, n->b);
    case ASKED_OR:
        return node_holds(a, n->a) || node_holds(a, n->b);
    case ASKED_IMPLIES:
        return !node_holds(a, n->a) || node_holds(a, n->b);
    case ASKED_NOT:
        return !node_holds(a, n->a);
    }
    return false;
}

bool asked_holds(struct asked *a, struct program *program,
                 const struct graph *g, const struct path *path)
{
    struct outcomes outcomes;
    bool known = true;
    a->program = program;
    outcomes_init(&outcomes);
    outcomes_add(&outcomes, g, path, program);
    outcomes_finish(&outcomes, program);
    for (uint32_t i = 0; i < a->n; i++)
        a->holds[i] = item_holds(a, &a->items[i], &outcomes, g, &known);
    outcomes_release(&outcomes);
    return known && node_holds(a, a->n_nodes - 1);
}

static void add_name(struct err *err, uint32_t *n, const char *name)
{
    size_t used = strlen(err->text);
    if (++*n <= LIST_MAX)
        snprintf(err->text + used, sizeof err->text - used, "%s%s",
                 *n == 1 ? " " : ", ", name);
}

bool asked_check_names(const struct asked *a, const struct explore *x,
                       struct err *err)
{
    const struct outcomes *o = &x->outcomes;
    const struct asked_item *unknown = NULL;
    uint32_t n = 0;
    char text[256];
    for (uint32_t i = a->n; i-- > 0;) {
        if (a->items[i].ambiguous)
            return err_set(err, ERR_USAGE,
                           "--outcome: '%s' is observed more than once",
                           a->items[i].name);
        if (!a->items[i].seen)
            unknown = &a->items[i];
    }
    if (!unknown)
        return true;
    err_set(err, ERR_USAGE,
            "--outcome:1:%u: nothing is called '%.100s'; there are",
            unknown->at, unknown->name ? unknown->name : unknown->text);
    for (uint32_t i = 0; o->n && i < o->list[0].n; i++)
        if (o->items[o->list[0].first + i].kind == OUTCOME_OBSERVED)
            add_name(err, &n,
                     x->program->texts[o->items[o->list[0].first + i].name]);
    for (loc_id l = 0; l < x->program->locations.n; l++) {
        if (x->program->locations.items[l].kind != LOC_STATIC)
            continue;
        program_print_location(x->program, l, text, sizeof text);
        add_name(err, &n, text);
    }
    return false;
}
