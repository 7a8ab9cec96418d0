/* What a litmus test asks of the final state: condition, filter, locations. */
#include "core/mem.h"
#include "frontend/litmus/litmus_asm.h"
#include "frontend/litmus/litmus_lex.h"

#include <assert.h>
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#define DEPTH_MAX 200 /* of parentheses in a condition */
#define NODES_MAX 10000

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
            t->terms[i].is_whole |= term.is_whole;
            if (term.is_register)
                free(term.name);
            return i;
        }
    t->terms = mem_room(t->terms, t->n_terms, &t->terms_cap, sizeof *t->terms);
    t->terms[t->n_terms] = term;
    return t->n_terms++;
}

static bool parse_index(struct lex *p, struct litmus_term *term)
{
    struct litmus_place start = lex_place(p);
    int64_t index;
    const struct litmus_location *l = &p->test->locations[term->location];
    if (!lex_skip(p) || !lex_number(p, &index) || !lex_skip(p))
        return false;
    if (index < 0 || index >= l->n)
        return litmus_fail(p->test, start, p->err, "'%s' has no element %lld",
                           l->name, (long long)index);
    if (!lex_accept(p, "]"))
        return lex_expected(p, "']'");
    term->index = (uint32_t)index;
    return true;
}

/* The type that the init section says, else int; numbers of C are as they are.
 */
static void set_type(const struct litmus_test *t, struct litmus_term *x)
{
    const struct litmus_dialect *dialect = t->dialect;
    unsigned bytes;
    x->size = dialect ? 4 : 8;
    x->is_signed = true;
    if (dialect && !x->is_register) {
        x->size = t->locations[x->location].size;
        x->is_signed = t->locations[x->location].is_signed;
        return;
    }
    for (uint32_t i = 0; dialect && i < t->n_registers; i++) {
        const struct litmus_register *r = &t->registers[i];
        if (r->type && r->thread == x->thread &&
            dialect->find(r->name, &bytes) == dialect->find(x->name, &bytes)) {
            x->size = r->size;
            x->is_signed = r->is_signed;
        }
    }
}

/* 0:r1, x, [x], x[1], *x; is it an array as a whole? Then *out is its first
 * element. */
static bool parse_term(struct lex *p, bool shown, uint32_t *out, bool *whole)
{
    struct litmus_term term = {.is_shown = shown,
                               .index = LITMUS_NONE,
                               .location = LITMUS_NONE,
                               .place = lex_place(p)};
    *whole = false;
    if (lex_is_at_thread(p)) {
        term.is_register = true;
        if (!lex_register(p, &term.thread, &term.name))
            return false;
        if (term.thread >= p->test->n_threads) {
            free(term.name);
            return litmus_fail(p->test, term.place, p->err,
                               "there is no thread %u", term.thread);
        }
        set_type(p->test, &term);
        *out = add_term(p->test, term);
        return true;
    }
    bool bracket = lex_accept(p, "[");
    if (!bracket)
        lex_accept(p, "*");
    if (!lex_skip(p) || !lex_location(p, &term.location) || !lex_skip(p))
        return false;
    if (lex_accept(p, "[") && (!parse_index(p, &term) || !lex_skip(p)))
        return false;
    if (bracket && !lex_accept(p, "]"))
        return lex_expected(p, "']'");
    /* An array as a whole is its elements. */
    uint32_t n = p->test->locations[term.location].n;
    set_type(p->test, &term);
    assert(!term.is_register);
    *whole = n > 0 && term.index == LITMUS_NONE;
    term.is_whole = *whole && shown;
    for (uint32_t i = n; *whole && i-- > 1;) {
        term.index = i;
        add_term(p->test, term);
    }
    if (*whole)
        term.index = 0;
    *out = add_term(p->test, term);
    return true;
}

/* {1,2}: what the elements of an array are, all of them. */
static bool parse_elements(struct lex *p, uint32_t first, uint32_t *out)
{
    struct litmus_term term = p->test->terms[first];
    uint32_t n = p->test->locations[term.location].n;
    if (!lex_accept(p, "{"))
        return lex_expected(p, "the elements of the array, '{'");
    for (term.index = 0; term.index < n; term.index++) {
        struct litmus_node node = {.op = LITMUS_EQUAL,
                                   .term = add_term(p->test, term)};
        if (!lex_skip(p) || !lex_value(p, &node.value) || !lex_skip(p))
            return false;
        struct litmus_node all = {.op = LITMUS_AND,
                                  .b = add_node(p->test, node)};
        if (term.index > 0) {
            all.a = *out;
            *out = add_node(p->test, all);
        } else {
            *out = all.b;
        }
        if (!lex_accept(p, term.index + 1 < n ? "," : "}"))
            return lex_expected(p, term.index + 1 < n ? "','" : "'}'");
    }
    return true;
}

/* 1:r2 or [x] in place of a value. */
static bool at_term(const struct lex *p)
{
    const char *at = p->at;
    if (at < p->end && *at == 'P')
        return lex_is_at_thread(p);
    while (at < p->end && isdigit((unsigned char)*at))
        at++;
    return at < p->end && (at > p->at ? *at == ':' : *at == '[');
}

/* 0:r1=1:r2 */
static bool parse_same(struct lex *p, bool shown, struct litmus_node *node)
{
    bool whole;
    struct litmus_node same = {.op = LITMUS_SAME, .term = node->term};
    if (!parse_term(p, shown, &same.a, &whole))
        return false;
    if (node->op == LITMUS_EQUAL)
        *node = same;
    else
        *node = (struct litmus_node){.op = LITMUS_NOT,
                                     .a = add_node(p->test, same)};
    return true;
}

/* x=1, 0:r1<>2, a={1,2} */
static bool parse_comparison(struct lex *p, bool shown, uint32_t *out)
{
    struct litmus_node node = {.op = LITMUS_EQUAL};
    bool whole;
    if (!parse_term(p, shown, &node.term, &whole) || !lex_skip(p))
        return false;
    if (lex_accept(p, "!=") || lex_accept(p, "<>"))
        node.op = LITMUS_UNEQUAL;
    else if (!lex_accept(p, "==") && !lex_accept(p, "="))
        return lex_expected(p, "'='");
    if (!lex_skip(p))
        return false;
    if (whole) {
        if (!parse_elements(p, node.term, &node.a))
            return false;
        *out = node.a;
        p->test->nodes[*out].is_whole = true;
        p->test->nodes[*out].term = node.term;
        if (node.op == LITMUS_EQUAL)
            return true;
        node.op = LITMUS_NOT;
    } else if (at_term(p)) {
        if (!parse_same(p, shown, &node))
            return false;
    } else if (!lex_value(p, &node.value)) {
        return false;
    }
    *out = add_node(p->test, node);
    return true;
}

static bool parse_or(struct lex *p, bool shown, uint32_t *out);

static bool parse_atom(struct lex *p, bool shown, uint32_t *out)
{
    struct litmus_node node = {.op = LITMUS_EQUAL};
    if (!lex_skip(p))
        return false;
    if (p->depth++ == DEPTH_MAX)
        return litmus_fail(p->test, lex_place(p), p->err,
                           "more than %d levels of parentheses", DEPTH_MAX);
    if (p->test->n_nodes >= NODES_MAX)
        return litmus_fail(p->test, lex_place(p), p->err,
                           "condition of more than %d parts", NODES_MAX);
    if (lex_accept(p, "~") || lex_accept_word(p, "not")) {
        node.op = LITMUS_NOT;
        if (!parse_atom(p, shown, &node.a))
            return false;
    } else if (lex_accept(p, "(")) {
        p->depth--;
        struct litmus_place start = lex_place(p);
        p->depth++;
        if (!parse_or(p, shown, out) || !lex_skip(p))
            return false;
        if (p->at == p->end)
            return litmus_fail(p->test, start, p->err, "'(' without ')'");
        p->depth--;
        return lex_accept(p, ")") || lex_expected(p, "'/\\', '\\/' or ')'");
    } else if (lex_accept_word(p, "true") || lex_accept_word(p, "false")) {
        node.op = p->at[-2] == 'u' ? LITMUS_TRUE : LITMUS_FALSE;
    } else {
        p->depth--;
        return parse_comparison(p, shown, out);
    }
    p->depth--;
    *out = add_node(p->test, node);
    return true;
}

/* As in herd, it binds closer than and and or do. */
static bool parse_implies(struct lex *p, bool shown, uint32_t *out)
{
    if (!parse_atom(p, shown, out) || !lex_skip(p))
        return false;
    if (!lex_accept(p, "=>"))
        return true;
    struct litmus_node node = {.op = LITMUS_IMPLIES, .a = *out};
    if (p->depth++ == DEPTH_MAX)
        return litmus_fail(p->test, lex_place(p), p->err,
                           "more than %d '=>' one after the other", DEPTH_MAX);
    if (!parse_implies(p, shown, &node.b))
        return false;
    p->depth--;
    *out = add_node(p->test, node);
    return true;
}

/* The next item of a state as the log has it: "0:r1=1; x=2;". Only in the text
 * of --outcome. */
static bool is_state_item(struct lex *p)
{
    if (!p->is_option)
        return false;
    lex_accept(p, ";");
    return lex_skip(p) && p->at < p->end &&
           (isalnum((unsigned char)*p->at) || strchr("_[*%", *p->at));
}

static bool parse_and(struct lex *p, bool shown, uint32_t *out)
{
    if (!parse_implies(p, shown, out) || !lex_skip(p))
        return false;
    while (lex_accept(p, "/\\") || lex_accept(p, "&&") || is_state_item(p)) {
        struct litmus_node node = {.op = LITMUS_AND, .a = *out};
        if (!parse_implies(p, shown, &node.b) || !lex_skip(p))
            return false;
        *out = add_node(p->test, node);
    }
    return true;
}

static bool parse_or(struct lex *p, bool shown, uint32_t *out)
{
    if (!parse_and(p, shown, out) || !lex_skip(p))
        return false;
    while (lex_accept(p, "\\/") || lex_accept(p, "||")) {
        struct litmus_node node = {.op = LITMUS_OR, .a = *out};
        if (!parse_and(p, shown, &node.b) || !lex_skip(p))
            return false;
        *out = add_node(p->test, node);
    }
    return true;
}

bool litmus_parse_condition(struct lex *p, uint32_t *out)
{
    return parse_or(p, true, out);
}

static bool parse_locations(struct lex *p)
{
    if (!lex_skip(p))
        return false;
    if (!lex_accept(p, "["))
        return lex_expected(p, "'['");
    for (;;) {
        uint32_t term;
        bool whole;
        if (!lex_skip(p))
            return false;
        if (lex_accept(p, ";"))
            continue;
        if (lex_accept(p, "]"))
            return true;
        if (!parse_term(p, true, &term, &whole) || !lex_skip(p))
            return false;
        /* A type, which we know anyway. */
        while (lex_word_length(p) > 0 || lex_accept(p, "*")) {
            p->at += lex_word_length(p);
            if (!lex_skip(p))
                return false;
        }
        if (p->at == p->end || (*p->at != ';' && *p->at != ']'))
            return lex_expected(p, "';' or ']'");
    }
}

static bool parse_quantifier(struct lex *p)
{
    bool negated = lex_accept(p, "~") || lex_accept_word(p, "not");
    if (!lex_skip(p))
        return false;
    /* A condition alone, or behind `final`, is one of exists. */
    if (lex_accept_word(p, "exists") || (!negated && lex_is_at(p, "(")) ||
        (!negated && lex_accept_word(p, "final")))
        p->test->quantifier = negated ? LITMUS_NOT_EXISTS : LITMUS_EXISTS;
    else if (!negated && lex_accept_word(p, "forall"))
        p->test->quantifier = LITMUS_FORALL;
    else
        return lex_expected(p, negated ? "'exists'"
                                       : "'exists', '~exists' or 'forall'");
    return parse_or(p, true, &p->test->condition);
}

/* No condition at all is one that always holds. */
bool litmus_parse_final(struct lex *p)
{
    struct litmus_test *t = p->test;
    for (;;) {
        if (!lex_skip(p))
            return false;
        if (p->at == p->end)
            break;
        if (lex_accept_word(p, "locations")) {
            if (!parse_locations(p))
                return false;
        } else if (lex_accept_word(p, "filter")) {
            if (!parse_or(p, false, &t->filter))
                return false;
        } else {
            if (!parse_quantifier(p) || !lex_skip(p))
                return false;
            lex_accept(p, ";");
            if (!lex_skip(p))
                return false;
            return p->at == p->end || lex_expected(p, "the end of the file");
        }
    }
    t->quantifier = LITMUS_FORALL;
    t->condition = add_node(t, (struct litmus_node){.op = LITMUS_TRUE});
    return true;
}
