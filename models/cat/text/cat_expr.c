/* Expressions. Precedence as in herd, weakest first: | ; \ & then the product
 * and ~, then postfix operators. */
#include "models/cat/text/cat_parser.h"

#include "core/mem.h"

#include <stdio.h>
#include <string.h>

enum { NODES_MAX = 20000 }; /* of all files together */

ast_id parser_fail(struct parser *p, const struct cat_token *at,
                   const char *text)
{
    err_set(p->err, ERR_INPUT, "%s:%u:%u: %s", p->ast->sources[p->file].name,
            at->line, at->column, text);
    return 0;
}

ast_id parser_fail_expected(struct parser *p, const char *what)
{
    const struct cat_token *t = &p->token;
    char got[80];
    if (t->kind == TOKEN_NAME || t->kind == TOKEN_TAG)
        snprintf(got, sizeof got, "'%.*s'", (int)(t->length & 63), t->text);
    else
        snprintf(got, sizeof got, "%s", cat_token_name(t->kind));
    char text[200];
    snprintf(text, sizeof text, "expected %s, got %s", what, got);
    return parser_fail(p, t, text);
}

bool parser_next(struct parser *p)
{
    return cat_lexer_next(&p->lexer, &p->token, p->err);
}

bool parser_is(const struct parser *p, enum cat_token_kind kind)
{
    return p->token.kind == kind;
}

bool parser_expect(struct parser *p, enum cat_token_kind kind)
{
    if (!parser_is(p, kind))
        return parser_fail_expected(p, cat_token_name(kind));
    return parser_next(p);
}

ast_id parser_node(struct parser *p, enum ast_kind kind,
                   const struct cat_token *at, ast_id a, ast_id b)
{
    struct cat_ast *ast = p->ast;
    if (ast->n >= NODES_MAX)
        return parser_fail(p, at, "the model is too large");
    uint32_t depth = 0;
    for (ast_id i = a; i; i = ast->nodes[i].next)
        if (ast->nodes[i].depth > depth)
            depth = ast->nodes[i].depth;
    if (ast->nodes[b].depth > depth)
        depth = ast->nodes[b].depth;
    if (++depth > PARSER_DEPTH_MAX)
        return parser_fail(p, at, "expression nests too deeply");
    ast->nodes = mem_room(ast->nodes, ast->n, &ast->cap, sizeof *ast->nodes);
    ast->nodes[ast->n] = (struct ast_node){
        .kind = (uint8_t)kind,
        .depth = (uint16_t)depth,
        .file = (uint16_t)p->file,
        .line = at->line,
        .column = at->column,
        .a = a,
        .b = b,
        .text = at->text,
        .length = at->length,
    };
    return ast->n++;
}

void parser_append(struct parser *p, struct ast_list *list, ast_id item)
{
    if (list->first)
        p->ast->nodes[list->last].next = item;
    else
        list->first = item;
    list->last = item;
    while (p->ast->nodes[list->last].next)
        list->last = p->ast->nodes[list->last].next;
}

static bool starts_atom(const struct parser *p)
{
    switch (p->token.kind) {
    case TOKEN_NAME:
    case TOKEN_ZERO:
    case TOKEN_LPAR:
    case TOKEN_LBRACKET:
    case TOKEN_LBRACE:
    case TOKEN_BEGIN:
    case TOKEN_TAG:
        return true;
    default:
        return false;
    }
}

bool parser_parameters(struct parser *p, struct ast_list *out)
{
    if (parser_is(p, TOKEN_NAME)) {
        ast_id name = parser_node(p, AST_NAME, &p->token, 0, 0);
        if (!name)
            return false;
        parser_append(p, out, name);
        return parser_next(p);
    }
    if (!parser_expect(p, TOKEN_LPAR))
        return false;
    while (!parser_is(p, TOKEN_RPAR)) {
        if (!parser_is(p, TOKEN_NAME))
            return parser_fail_expected(p, "a parameter");
        ast_id name = parser_node(p, AST_NAME, &p->token, 0, 0);
        if (!name)
            return false;
        parser_append(p, out, name);
        if (!parser_next(p))
            return false;
        if (!parser_is(p, TOKEN_COMMA))
            break;
        if (!parser_next(p))
            return false;
    }
    return parser_expect(p, TOKEN_RPAR);
}

static ast_id parse_atom(struct parser *p);

bool parser_arguments(struct parser *p, struct ast_list *out)
{
    if (!parser_is(p, TOKEN_LPAR)) {
        ast_id atom = parse_atom(p);
        if (!atom)
            return false;
        parser_append(p, out, atom);
        return true;
    }
    if (!parser_next(p))
        return false;
    while (!parser_is(p, TOKEN_RPAR)) {
        ast_id e = parser_expr(p);
        if (!e)
            return false;
        parser_append(p, out, e);
        if (!parser_is(p, TOKEN_COMMA))
            break;
        if (!parser_next(p))
            return false;
    }
    return parser_expect(p, TOKEN_RPAR);
}

static ast_id parse_braces(struct parser *p)
{
    struct cat_token at = p->token;
    if (!parser_next(p))
        return 0;
    if (!parser_is(p, TOKEN_RBRACE))
        return parser_fail(p, &p->token,
                           "sets of sets {...} are not supported");
    return parser_next(p) ? parser_node(p, AST_ZERO, &at, 0, 0) : 0;
}

static ast_id parse_atom(struct parser *p)
{
    struct cat_token at = p->token;
    ast_id e;
    switch (at.kind) {
    case TOKEN_NAME:
        return parser_next(p) ? parser_node(p, AST_NAME, &at, 0, 0) : 0;
    case TOKEN_ZERO:
        return parser_next(p) ? parser_node(p, AST_ZERO, &at, 0, 0) : 0;
    case TOKEN_LPAR:
        if (!parser_next(p) || !(e = parser_expr(p)))
            return 0;
        if (parser_is(p, TOKEN_COMMA))
            return parser_fail(p, &p->token, "tuples are not supported");
        return parser_expect(p, TOKEN_RPAR) ? e : 0;
    case TOKEN_BEGIN:
        if (!parser_next(p) || !(e = parser_expr(p)))
            return 0;
        return parser_expect(p, TOKEN_END) ? e : 0;
    case TOKEN_LBRACKET:
        if (!parser_next(p) || !(e = parser_expr(p)) ||
            !parser_expect(p, TOKEN_RBRACKET))
            return 0;
        return parser_node(p, AST_TOID, &at, e, 0);
    case TOKEN_LBRACE:
        return parse_braces(p);
    case TOKEN_TAG:
        return parser_fail(p, &at,
                           "tags ('name) of bell files are not supported");
    default:
        return parser_fail_expected(p, "an expression");
    }
}

static ast_id parse_application(struct parser *p)
{
    struct cat_token at = p->token;
    ast_id e = parse_atom(p);
    if (!e || at.kind != TOKEN_NAME || !starts_atom(p))
        return e;
    struct ast_list arguments = {0};
    if (!parser_arguments(p, &arguments))
        return 0;
    return parser_node(p, AST_APPLY, &at, arguments.first, 0);
}

/* Also the product: after `*`, what starts an operand makes it one. */
static ast_id parse_postfix(struct parser *p)
{
    if (parser_is(p, TOKEN_TILDE)) {
        struct cat_token at = p->token;
        if (++p->depth > PARSER_DEPTH_MAX)
            return parser_fail(p, &at, "expression nests too deeply");
        ast_id e = parser_next(p) ? parse_postfix(p) : 0;
        p->depth--;
        return e ? parser_node(p, AST_COMPLEMENT, &at, e, 0) : 0;
    }
    ast_id e = parse_application(p);
    while (e) {
        struct cat_token at = p->token;
        enum ast_kind kind;
        if (at.kind == TOKEN_PLUS)
            kind = AST_PLUS;
        else if (at.kind == TOKEN_OPT)
            kind = AST_OPT;
        else if (at.kind == TOKEN_INVERSE)
            kind = AST_INVERSE;
        else if (at.kind == TOKEN_STAR || at.kind == TOKEN_HAT_STAR)
            kind = AST_STAR;
        else
            return e;
        if (!parser_next(p))
            return 0;
        if (at.kind == TOKEN_STAR &&
            (starts_atom(p) || parser_is(p, TOKEN_TILDE))) {
            if (++p->depth > PARSER_DEPTH_MAX)
                return parser_fail(p, &at, "expression nests too deeply");
            ast_id right = parse_postfix(p);
            p->depth--;
            return right ? parser_node(p, AST_PRODUCT, &at, e, right) : 0;
        }
        e = parser_node(p, kind, &at, e, 0);
    }
    return 0;
}

static ast_id parse_inter(struct parser *p)
{
    ast_id e = parse_postfix(p);
    while (e && parser_is(p, TOKEN_INTER)) {
        struct cat_token at = p->token;
        ast_id right = parser_next(p) ? parse_postfix(p) : 0;
        e = right ? parser_node(p, AST_INTER, &at, e, right) : 0;
    }
    return e;
}

static ast_id parse_diff(struct parser *p)
{
    ast_id e = parse_inter(p);
    while (e && parser_is(p, TOKEN_DIFF)) {
        struct cat_token at = p->token;
        ast_id right = parser_next(p) ? parse_inter(p) : 0;
        e = right ? parser_node(p, AST_DIFF, &at, e, right) : 0;
    }
    return e;
}

/* item (separator item)*, as an n-ary node when there are several. Operands
 * that are lists themselves (from brackets) stay nodes of their own. */
static ast_id parse_list(struct parser *p, enum cat_token_kind separator,
                         enum ast_kind kind, ast_id (*item)(struct parser *))
{
    ast_id e = item(p);
    if (!e || !parser_is(p, separator))
        return e;
    struct cat_token at = p->token;
    struct ast_list items = {0};
    parser_append(p, &items, e);
    while (parser_is(p, separator)) {
        e = parser_next(p) ? item(p) : 0;
        if (!e)
            return 0;
        parser_append(p, &items, e);
    }
    return parser_node(p, kind, &at, items.first, 0);
}

static ast_id parse_seq(struct parser *p)
{
    return parse_list(p, TOKEN_SEMI, AST_SEQ, parse_diff);
}

static ast_id parse_union(struct parser *p)
{
    ast_id e = parse_list(p, TOKEN_UNION, AST_UNION, parse_seq);
    if (e && parser_is(p, TOKEN_PLUSPLUS))
        return parser_fail(p, &p->token, "sets of sets (++) are not supported");
    return e;
}

/* name = e, name(parameters) = e, name parameter = e */
static ast_id parse_bind(struct parser *p)
{
    struct cat_token at = p->token;
    if (parser_is(p, TOKEN_LPAR))
        return parser_fail(p, &at, "tuples are not supported");
    if (!parser_is(p, TOKEN_NAME))
        return parser_fail_expected(p, "a name");
    if (!parser_next(p))
        return 0;
    if (parser_is(p, TOKEN_COMMA))
        return parser_fail(p, &p->token, "tuples are not supported");
    struct ast_list parameters = {0};
    bool function = !parser_is(p, TOKEN_EQUAL);
    if (function && !parser_is(p, TOKEN_LPAR) && !parser_is(p, TOKEN_NAME))
        return parser_fail_expected(p, "'='");
    if (function && !parser_parameters(p, &parameters))
        return 0;
    if (!parser_expect(p, TOKEN_EQUAL))
        return 0;
    ast_id body = parser_expr(p);
    ast_id bind =
        body ? parser_node(p, AST_BIND, &at, parameters.first, body) : 0;
    if (bind)
        p->ast->nodes[bind].flag = function;
    return bind;
}

bool parser_binds(struct parser *p, struct ast_list *out, bool *recursive)
{
    *recursive = parser_is(p, TOKEN_REC);
    if (*recursive && !parser_next(p))
        return false;
    for (;;) {
        ast_id bind = parse_bind(p);
        if (!bind)
            return false;
        parser_append(p, out, bind);
        if (parser_is(p, TOKEN_WHEN))
            return parser_fail(p, &p->token,
                               "'let rec ... when' is not supported");
        if (!parser_is(p, TOKEN_AND))
            return true;
        if (!parser_next(p))
            return false;
    }
}

static ast_id parse_let_in(struct parser *p)
{
    struct cat_token at = p->token;
    struct ast_list binds = {0};
    bool recursive;
    if (!parser_next(p) || !parser_binds(p, &binds, &recursive) ||
        !parser_expect(p, TOKEN_IN))
        return 0;
    ast_id body = parser_expr(p);
    ast_id let = body ? parser_node(p, AST_LET, &at, binds.first, body) : 0;
    if (let)
        p->ast->nodes[let].flag = recursive;
    return let;
}

static ast_id parse_fun(struct parser *p)
{
    struct cat_token at = p->token;
    struct ast_list parameters = {0};
    if (!parser_next(p) || !parser_parameters(p, &parameters) ||
        !parser_expect(p, TOKEN_ARROW))
        return 0;
    ast_id body = parser_expr(p);
    return body ? parser_node(p, AST_FUN, &at, parameters.first, body) : 0;
}

static ast_id parse_try(struct parser *p)
{
    struct cat_token at = p->token;
    ast_id a = parser_next(p) ? parser_expr(p) : 0;
    if (!a || !parser_expect(p, TOKEN_WITH))
        return 0;
    ast_id b = parser_expr(p);
    return b ? parser_node(p, AST_TRY, &at, a, b) : 0;
}

/* A condition on variants ("name"): hwcheck sets none, so each is false. */
static bool parse_condition(struct parser *p, bool *value)
{
    bool negated = false;
    while (parser_is(p, TOKEN_NAME) && p->token.length == 3 &&
           memcmp(p->token.text, "not", 3) == 0) {
        negated = !negated;
        if (!parser_next(p))
            return false;
    }
    if (!parser_is(p, TOKEN_STRING))
        return parser_fail(
            p, &p->token,
            "only conditions on variants (\"name\") are supported");
    if (!parser_next(p))
        return false;
    *value = negated;
    while (parser_is(p, TOKEN_ANDAND) || parser_is(p, TOKEN_OROR)) {
        bool both = parser_is(p, TOKEN_ANDAND), right;
        if (++p->depth > PARSER_DEPTH_MAX)
            return parser_fail(p, &p->token, "expression nests too deeply");
        if (!parser_next(p) || !parse_condition(p, &right))
            return false;
        p->depth--;
        *value = both ? *value && right : *value || right;
    }
    return true;
}

static ast_id parse_if(struct parser *p)
{
    bool value;
    if (!parser_next(p) || !parse_condition(p, &value) ||
        !parser_expect(p, TOKEN_THEN))
        return 0;
    ast_id a = parser_expr(p);
    if (!a || !parser_expect(p, TOKEN_ELSE))
        return 0;
    ast_id b = parser_expr(p);
    return b && value ? a : b;
}

ast_id parser_expr(struct parser *p)
{
    if (++p->depth > PARSER_DEPTH_MAX)
        return parser_fail(p, &p->token, "expression nests too deeply");
    ast_id e;
    if (parser_is(p, TOKEN_LET))
        e = parse_let_in(p);
    else if (parser_is(p, TOKEN_FUN))
        e = parse_fun(p);
    else if (parser_is(p, TOKEN_TRY))
        e = parse_try(p);
    else if (parser_is(p, TOKEN_IF))
        e = parse_if(p);
    else if (parser_is(p, TOKEN_MATCH))
        e = parser_fail(p, &p->token, "'match' is not supported");
    else
        e = parse_union(p);
    p->depth--;
    return e;
}
