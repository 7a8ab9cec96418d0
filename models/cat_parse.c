/* Recursive descent. Precedence as in herd, weakest first: | ; \ & then the
 * product and ~, then postfix operators. A failed function returns 0 (false)
 * and has set p->err, which stays the first error. */
#include "models/cat_parse.h"

#include "core/mem.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    DEPTH_MAX = 200,       /* of one expression */
    NODES_MAX = 100000,    /* of all files together */
    SOURCES_MAX = 64,      /* files */
    INCLUDE_DEPTH_MAX = 16 /* files that are open at a time */
};

struct parser {
    struct cat_ast *ast;
    const struct cat_loader *loader;
    struct err *err;
    struct cat_lexer lexer;
    struct cat_token token; /* the one to look at */
    uint32_t file;
    uint32_t depth;                   /* of function calls */
    const struct parser *included_by; /* for cycles */
    uint32_t include_depth;
};

bool cat_error(const struct cat_ast *ast, ast_id at, struct err *err,
               const char *fmt, ...)
{
    char text[800];
    va_list args;
    va_start(args, fmt);
    vsnprintf(text, sizeof text, fmt, args);
    va_end(args);
    const struct ast_node *n = &ast->nodes[at];
    return err_set(err, ERR_INPUT, "%s:%u:%u: %s", ast->sources[n->file].name,
                   n->line, n->column, text);
}

static ast_id fail(struct parser *p, const struct cat_token *at,
                   const char *text)
{
    err_set(p->err, ERR_INPUT, "%s:%u:%u: %s", p->ast->sources[p->file].name,
            at->line, at->column, text);
    return 0;
}

static ast_id fail_expected(struct parser *p, const char *what)
{
    const struct cat_token *t = &p->token;
    char got[80];
    if (t->kind == TOKEN_NAME || t->kind == TOKEN_TAG)
        snprintf(got, sizeof got, "'%.*s'", (int)(t->length & 63), t->text);
    else
        snprintf(got, sizeof got, "%s", cat_token_name(t->kind));
    char text[200];
    snprintf(text, sizeof text, "expected %s, got %s", what, got);
    return fail(p, t, text);
}

static bool next(struct parser *p)
{
    return cat_lexer_next(&p->lexer, &p->token, p->err);
}

static bool is(const struct parser *p, enum cat_token_kind kind)
{
    return p->token.kind == kind;
}

static bool expect(struct parser *p, enum cat_token_kind kind)
{
    if (!is(p, kind))
        return fail_expected(p, cat_token_name(kind));
    return next(p);
}

static ast_id node(struct parser *p, enum ast_kind kind,
                   const struct cat_token *at, ast_id a, ast_id b)
{
    struct cat_ast *ast = p->ast;
    if (ast->n >= NODES_MAX)
        return fail(p, at, "the model is too large");
    uint32_t depth = 0;
    for (ast_id i = a; i; i = ast->nodes[i].next)
        if (ast->nodes[i].depth > depth)
            depth = ast->nodes[i].depth;
    if (ast->nodes[b].depth > depth)
        depth = ast->nodes[b].depth;
    if (++depth > DEPTH_MAX)
        return fail(p, at, "expression nests too deeply");
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

/* Lists by `next`, built at their end. */
struct list {
    ast_id first, last;
};

static void append(struct parser *p, struct list *list, ast_id item)
{
    if (list->first)
        p->ast->nodes[list->last].next = item;
    else
        list->first = item;
    list->last = item;
    while (p->ast->nodes[list->last].next)
        list->last = p->ast->nodes[list->last].next;
}

static ast_id parse_expr(struct parser *p);
static bool parse_statements(struct parser *p, struct list *out,
                             enum cat_token_kind end);

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

/* Names in brackets, or one name alone; `_` is a parameter not used. */
static bool parse_parameters(struct parser *p, struct list *out)
{
    if (is(p, TOKEN_NAME)) {
        ast_id name = node(p, AST_NAME, &p->token, 0, 0);
        if (!name)
            return false;
        append(p, out, name);
        return next(p);
    }
    if (!expect(p, TOKEN_LPAR))
        return false;
    while (!is(p, TOKEN_RPAR)) {
        if (!is(p, TOKEN_NAME))
            return fail_expected(p, "a parameter");
        ast_id name = node(p, AST_NAME, &p->token, 0, 0);
        if (!name)
            return false;
        append(p, out, name);
        if (!next(p))
            return false;
        if (!is(p, TOKEN_COMMA))
            break;
        if (!next(p))
            return false;
    }
    return expect(p, TOKEN_RPAR);
}

/* Expressions in brackets, or one atom alone. */
static ast_id parse_atom(struct parser *p);
static bool parse_arguments(struct parser *p, struct list *out)
{
    if (!is(p, TOKEN_LPAR)) {
        ast_id atom = parse_atom(p);
        if (!atom)
            return false;
        append(p, out, atom);
        return true;
    }
    if (!next(p))
        return false;
    while (!is(p, TOKEN_RPAR)) {
        ast_id e = parse_expr(p);
        if (!e)
            return false;
        append(p, out, e);
        if (!is(p, TOKEN_COMMA))
            break;
        if (!next(p))
            return false;
    }
    return expect(p, TOKEN_RPAR);
}

static ast_id parse_braces(struct parser *p)
{
    struct cat_token at = p->token;
    if (!next(p))
        return 0;
    if (!is(p, TOKEN_RBRACE))
        return fail(p, &p->token, "sets of sets {...} are not supported");
    return next(p) ? node(p, AST_ZERO, &at, 0, 0) : 0;
}

static ast_id parse_atom(struct parser *p)
{
    struct cat_token at = p->token;
    ast_id e;
    switch (at.kind) {
    case TOKEN_NAME:
        return next(p) ? node(p, AST_NAME, &at, 0, 0) : 0;
    case TOKEN_ZERO:
        return next(p) ? node(p, AST_ZERO, &at, 0, 0) : 0;
    case TOKEN_LPAR:
        if (!next(p) || !(e = parse_expr(p)))
            return 0;
        if (is(p, TOKEN_COMMA))
            return fail(p, &p->token, "tuples are not supported");
        return expect(p, TOKEN_RPAR) ? e : 0;
    case TOKEN_BEGIN:
        if (!next(p) || !(e = parse_expr(p)))
            return 0;
        return expect(p, TOKEN_END) ? e : 0;
    case TOKEN_LBRACKET:
        if (!next(p) || !(e = parse_expr(p)) || !expect(p, TOKEN_RBRACKET))
            return 0;
        return node(p, AST_TOID, &at, e, 0);
    case TOKEN_LBRACE:
        return parse_braces(p);
    case TOKEN_TAG:
        return fail(p, &at, "tags ('name) of bell files are not supported");
    default:
        return fail_expected(p, "an expression");
    }
}

static ast_id parse_application(struct parser *p)
{
    struct cat_token at = p->token;
    ast_id e = parse_atom(p);
    if (!e || at.kind != TOKEN_NAME || !starts_atom(p))
        return e;
    struct list arguments = {0};
    if (!parse_arguments(p, &arguments))
        return 0;
    return node(p, AST_APPLY, &at, arguments.first, 0);
}

/* Also the product: after `*`, what starts an operand makes it one. */
static ast_id parse_postfix(struct parser *p)
{
    if (is(p, TOKEN_TILDE)) {
        struct cat_token at = p->token;
        if (++p->depth > DEPTH_MAX)
            return fail(p, &at, "expression nests too deeply");
        ast_id e = next(p) ? parse_postfix(p) : 0;
        p->depth--;
        return e ? node(p, AST_COMPLEMENT, &at, e, 0) : 0;
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
        if (!next(p))
            return 0;
        if (at.kind == TOKEN_STAR && (starts_atom(p) || is(p, TOKEN_TILDE))) {
            if (++p->depth > DEPTH_MAX)
                return fail(p, &at, "expression nests too deeply");
            ast_id right = parse_postfix(p);
            p->depth--;
            return right ? node(p, AST_PRODUCT, &at, e, right) : 0;
        }
        e = node(p, kind, &at, e, 0);
    }
    return 0;
}

static ast_id parse_inter(struct parser *p)
{
    ast_id e = parse_postfix(p);
    while (e && is(p, TOKEN_INTER)) {
        struct cat_token at = p->token;
        ast_id right = next(p) ? parse_postfix(p) : 0;
        e = right ? node(p, AST_INTER, &at, e, right) : 0;
    }
    return e;
}

static ast_id parse_diff(struct parser *p)
{
    ast_id e = parse_inter(p);
    while (e && is(p, TOKEN_DIFF)) {
        struct cat_token at = p->token;
        ast_id right = next(p) ? parse_inter(p) : 0;
        e = right ? node(p, AST_DIFF, &at, e, right) : 0;
    }
    return e;
}

/* item (separator item)*, as an n-ary node when there are several. Operands
 * that are lists themselves (from brackets) stay nodes of their own. */
static ast_id parse_list(struct parser *p, enum cat_token_kind separator,
                         enum ast_kind kind, ast_id (*item)(struct parser *))
{
    ast_id e = item(p);
    if (!e || !is(p, separator))
        return e;
    struct cat_token at = p->token;
    struct list items = {0};
    append(p, &items, e);
    while (is(p, separator)) {
        e = next(p) ? item(p) : 0;
        if (!e)
            return 0;
        append(p, &items, e);
    }
    return node(p, kind, &at, items.first, 0);
}

static ast_id parse_seq(struct parser *p)
{
    return parse_list(p, TOKEN_SEMI, AST_SEQ, parse_diff);
}

static ast_id parse_union(struct parser *p)
{
    ast_id e = parse_list(p, TOKEN_UNION, AST_UNION, parse_seq);
    if (e && is(p, TOKEN_PLUSPLUS))
        return fail(p, &p->token, "sets of sets (++) are not supported");
    return e;
}

/* name = e, name(parameters) = e, name parameter = e */
static ast_id parse_bind(struct parser *p)
{
    struct cat_token at = p->token;
    if (is(p, TOKEN_LPAR))
        return fail(p, &at, "tuples are not supported");
    if (!is(p, TOKEN_NAME))
        return fail_expected(p, "a name");
    if (!next(p))
        return 0;
    if (is(p, TOKEN_COMMA))
        return fail(p, &p->token, "tuples are not supported");
    struct list parameters = {0};
    bool function = !is(p, TOKEN_EQUAL);
    if (function && !is(p, TOKEN_LPAR) && !is(p, TOKEN_NAME))
        return fail_expected(p, "'='");
    if (function && !parse_parameters(p, &parameters))
        return 0;
    if (!expect(p, TOKEN_EQUAL))
        return 0;
    ast_id body = parse_expr(p);
    ast_id bind = body ? node(p, AST_BIND, &at, parameters.first, body) : 0;
    if (bind)
        p->ast->nodes[bind].flag = function;
    return bind;
}

/* After `let`: [rec] bind (and bind)*; *recursive tells of the rec. */
static bool parse_binds(struct parser *p, struct list *out, bool *recursive)
{
    *recursive = is(p, TOKEN_REC);
    if (*recursive && !next(p))
        return false;
    for (;;) {
        ast_id bind = parse_bind(p);
        if (!bind)
            return false;
        append(p, out, bind);
        if (is(p, TOKEN_WHEN))
            return fail(p, &p->token, "'let rec ... when' is not supported");
        if (!is(p, TOKEN_AND))
            return true;
        if (!next(p))
            return false;
    }
}

static ast_id parse_let_in(struct parser *p)
{
    struct cat_token at = p->token;
    struct list binds = {0};
    bool recursive;
    if (!next(p) || !parse_binds(p, &binds, &recursive) || !expect(p, TOKEN_IN))
        return 0;
    ast_id body = parse_expr(p);
    ast_id let = body ? node(p, AST_LET, &at, binds.first, body) : 0;
    if (let)
        p->ast->nodes[let].flag = recursive;
    return let;
}

static ast_id parse_fun(struct parser *p)
{
    struct cat_token at = p->token;
    struct list parameters = {0};
    if (!next(p) || !parse_parameters(p, &parameters) ||
        !expect(p, TOKEN_ARROW))
        return 0;
    ast_id body = parse_expr(p);
    return body ? node(p, AST_FUN, &at, parameters.first, body) : 0;
}

static ast_id parse_try(struct parser *p)
{
    struct cat_token at = p->token;
    ast_id a = next(p) ? parse_expr(p) : 0;
    if (!a || !expect(p, TOKEN_WITH))
        return 0;
    ast_id b = parse_expr(p);
    return b ? node(p, AST_TRY, &at, a, b) : 0;
}

/* A condition on variants ("name"): hwcheck sets none, so each is false. */
static bool parse_condition(struct parser *p, bool *value)
{
    bool negated = false;
    while (is(p, TOKEN_NAME) && p->token.length == 3 &&
           memcmp(p->token.text, "not", 3) == 0) {
        negated = !negated;
        if (!next(p))
            return false;
    }
    if (!is(p, TOKEN_STRING))
        return fail(p, &p->token,
                    "only conditions on variants (\"name\") are supported");
    if (!next(p))
        return false;
    *value = negated;
    while (is(p, TOKEN_ANDAND) || is(p, TOKEN_OROR)) {
        bool both = is(p, TOKEN_ANDAND), right;
        if (++p->depth > DEPTH_MAX)
            return fail(p, &p->token, "expression nests too deeply");
        if (!next(p) || !parse_condition(p, &right))
            return false;
        p->depth--;
        *value = both ? *value && right : *value || right;
    }
    return true;
}

static ast_id parse_if(struct parser *p)
{
    bool value;
    if (!next(p) || !parse_condition(p, &value) || !expect(p, TOKEN_THEN))
        return 0;
    ast_id a = parse_expr(p);
    if (!a || !expect(p, TOKEN_ELSE))
        return 0;
    ast_id b = parse_expr(p);
    return b && value ? a : b;
}

static ast_id parse_expr(struct parser *p)
{
    if (++p->depth > DEPTH_MAX)
        return fail(p, &p->token, "expression nests too deeply");
    ast_id e;
    if (is(p, TOKEN_LET))
        e = parse_let_in(p);
    else if (is(p, TOKEN_FUN))
        e = parse_fun(p);
    else if (is(p, TOKEN_TRY))
        e = parse_try(p);
    else if (is(p, TOKEN_IF))
        e = parse_if(p);
    else if (is(p, TOKEN_MATCH))
        e = fail(p, &p->token, "'match' is not supported");
    else
        e = parse_union(p);
    p->depth--;
    return e;
}

static ast_id parse_define(struct parser *p)
{
    struct cat_token at = p->token;
    struct list binds = {0};
    bool recursive;
    if (!next(p) || !parse_binds(p, &binds, &recursive))
        return 0;
    if (is(p, TOKEN_IN) && !next(p)) /* herd allows it here, too */
        return 0;
    ast_id define = node(p, AST_DEFINE, &at, binds.first, 0);
    if (define)
        p->ast->nodes[define].flag = recursive;
    return define;
}

/* [as name] into the node's text. */
static bool parse_as(struct parser *p, ast_id check)
{
    p->ast->nodes[check].text = NULL;
    p->ast->nodes[check].length = 0;
    if (!is(p, TOKEN_AS))
        return true;
    if (!next(p))
        return false;
    if (!is(p, TOKEN_NAME))
        return fail_expected(p, "a name");
    p->ast->nodes[check].text = p->token.text;
    p->ast->nodes[check].length = p->token.length;
    return next(p);
}

static ast_id parse_check(struct parser *p, enum check_role role, bool negated)
{
    struct cat_token at = p->token;
    if (is(p, TOKEN_TILDE)) {
        negated = !negated;
        if (!next(p))
            return 0;
    }
    enum check_kind kind;
    if (is(p, TOKEN_ACYCLIC))
        kind = CHECK_ACYCLIC;
    else if (is(p, TOKEN_IRREFLEXIVE))
        kind = CHECK_IRREFLEXIVE;
    else if (is(p, TOKEN_EMPTY))
        kind = CHECK_EMPTY;
    else
        return fail_expected(p, "'acyclic', 'irreflexive' or 'empty'");
    ast_id e = next(p) ? parse_expr(p) : 0;
    ast_id check = e ? node(p, AST_CHECK, &at, e, 0) : 0;
    if (!check)
        return 0;
    p->ast->nodes[check].check = (uint8_t)kind;
    p->ast->nodes[check].role = (uint8_t)role;
    p->ast->nodes[check].negated = negated;
    return parse_as(p, check) ? check : 0;
}

static ast_id parse_procedure(struct parser *p)
{
    if (!next(p))
        return 0;
    if (is(p, TOKEN_REC))
        return fail(p, &p->token, "recursive procedures are not supported");
    struct cat_token at = p->token;
    struct list parameters = {0}, body = {0};
    if (!is(p, TOKEN_NAME))
        return fail_expected(p, "a name");
    if (!next(p) || !parse_parameters(p, &parameters) ||
        !expect(p, TOKEN_EQUAL))
        return 0;
    if (!parse_statements(p, &body, TOKEN_END) || !next(p))
        return 0;
    return node(p, AST_PROCEDURE, &at, parameters.first, body.first);
}

static ast_id parse_call(struct parser *p)
{
    if (!next(p))
        return 0;
    struct cat_token at = p->token;
    struct list arguments = {0};
    if (!is(p, TOKEN_NAME))
        return fail_expected(p, "a name");
    if (!next(p) || !parse_arguments(p, &arguments))
        return 0;
    ast_id call = node(p, AST_CALL, &at, arguments.first, 0);
    if (call && is(p, TOKEN_AS)) {
        if (!next(p) || !expect(p, TOKEN_NAME))
            return 0;
    }
    return call;
}

/* show a, b as c: only herd's pictures look at it. */
static bool skip_show(struct parser *p)
{
    if (!next(p))
        return false;
    for (;;) {
        if (!parse_expr(p))
            return false;
        if (is(p, TOKEN_AS) && (!next(p) || !expect(p, TOKEN_NAME)))
            return false;
        if (!is(p, TOKEN_COMMA))
            return true;
        if (!next(p))
            return false;
    }
}

/* `with co from generate_cos(co0)`: herd enumerates co by it; the explorer
 * does so here. */
static bool skip_with(struct parser *p)
{
    struct cat_token at = p->token;
    if (!next(p))
        return false;
    bool is_co = is(p, TOKEN_NAME) && p->token.length == 2 &&
                 memcmp(p->token.text, "co", 2) == 0;
    if (!expect(p, TOKEN_NAME) || !expect(p, TOKEN_FROM))
        return false;
    ast_id e = parse_expr(p);
    if (!e)
        return false;
    const struct ast_node *n = &p->ast->nodes[e];
    if (!is_co || n->kind != AST_APPLY || n->length != 12 ||
        memcmp(n->text, "generate_cos", 12) != 0)
        return fail(p, &at,
                    "'with ... from' is supported only as "
                    "'with co from generate_cos(...)'");
    return true;
}

static bool parse_file(struct parser *p, struct list *out);

static bool parse_include(struct parser *p, struct list *out)
{
    struct cat_token at = p->token;
    if (!next(p))
        return false;
    if (!is(p, TOKEN_STRING))
        return fail_expected(p, "a file name in quotes");
    char name[256];
    if (p->token.length >= sizeof name)
        return fail(p, &at, "the file name is too long");
    memcpy(name, p->token.text, p->token.length);
    name[p->token.length] = '\0';

    struct cat_ast *ast = p->ast;
    if (ast->n_sources >= SOURCES_MAX || p->include_depth >= INCLUDE_DEPTH_MAX)
        return fail(p, &at, "too many included files");
    struct cat_source source;
    if (!p->loader->load(p->loader->self, name, ast->sources[p->file].name,
                         &source, p->err))
        return err_wrap(p->err, "%s:%u:%u", ast->sources[p->file].name, at.line,
                        at.column);
    ast->sources = mem_room(ast->sources, ast->n_sources, &ast->sources_cap,
                            sizeof *ast->sources);
    ast->sources[ast->n_sources++] = source;
    for (const struct parser *q = p; q; q = q->included_by)
        if (strcmp(ast->sources[q->file].name, source.name) == 0) {
            char text[400];
            snprintf(text, sizeof text, "'%s' includes itself", source.name);
            return fail(p, &at, text);
        }
    struct parser inner = {
        .ast = ast,
        .loader = p->loader,
        .err = p->err,
        .file = ast->n_sources - 1,
        .included_by = p,
        .include_depth = p->include_depth + 1,
    };
    return parse_file(&inner, out) && next(p);
}

static ast_id fail_unsupported(struct parser *p)
{
    char text[80];
    snprintf(text, sizeof text, "%s is not supported",
             cat_token_name(p->token.kind));
    return fail(p, &p->token, text);
}

/* One statement; *out stays 0 for those without effect. */
static bool parse_statement(struct parser *p, struct list *list)
{
    ast_id s = 0;
    switch (p->token.kind) {
    case TOKEN_LET:
        s = parse_define(p);
        break;
    case TOKEN_ACYCLIC:
    case TOKEN_IRREFLEXIVE:
    case TOKEN_EMPTY:
    case TOKEN_TILDE:
        s = parse_check(p, CHECK_AXIOM, false);
        break;
    case TOKEN_FLAG:
        s = next(p) ? parse_check(p, CHECK_FLAG, false) : 0;
        break;
    case TOKEN_UNDEFINED_UNLESS:
    case TOKEN_REQUIRES:
        s = next(p) ? parse_check(p, CHECK_FLAG, true) : 0;
        break;
    case TOKEN_ASSERT:
        s = next(p) ? parse_check(p, CHECK_ASSERT, false) : 0;
        break;
    case TOKEN_PROCEDURE:
        s = parse_procedure(p);
        break;
    case TOKEN_CALL:
        s = parse_call(p);
        break;
    case TOKEN_SHOW:
    case TOKEN_UNSHOW:
        return skip_show(p);
    case TOKEN_WITH:
        return skip_with(p);
    case TOKEN_INCLUDE:
        return parse_include(p, list);
    case TOKEN_CATDEP:
    case TOKEN_WITHCO:
        return next(p);
    case TOKEN_WITHOUTCO:
    case TOKEN_FORALL:
    case TOKEN_ENUM:
    case TOKEN_INSTRUCTIONS:
    case TOKEN_DEFAULT:
    case TOKEN_DEBUG:
    case TOKEN_MATCH:
        return fail_unsupported(p);
    default:
        return fail_expected(p, "a definition or a check");
    }
    if (s)
        append(p, list, s);
    return s != 0;
}

static bool parse_statements(struct parser *p, struct list *out,
                             enum cat_token_kind end)
{
    if (++p->depth > DEPTH_MAX)
        return fail(p, &p->token, "procedures nest too deeply");
    while (!is(p, end))
        if (!parse_statement(p, out))
            return false;
    p->depth--;
    return true;
}

/* "title", or herd's older forms: architecture "title", architecture title. */
static bool parse_title(struct parser *p)
{
    bool named = is(p, TOKEN_NAME);
    struct cat_token title = p->token;
    if (named && !next(p))
        return false;
    if (is(p, TOKEN_STRING) || (named && is(p, TOKEN_NAME))) {
        title = p->token;
        if (!next(p))
            return false;
    } else if (!named) {
        return true;
    }
    if (p->file == 0) {
        p->ast->title = title.text;
        p->ast->title_length = title.length;
    }
    return true;
}

static bool parse_file(struct parser *p, struct list *out)
{
    const struct cat_source *source = &p->ast->sources[p->file];
    cat_lexer_init(&p->lexer, source->name, source->text);
    return next(p) && parse_title(p) && parse_statements(p, out, TOKEN_EOF);
}

bool cat_parse(struct cat_ast *ast, struct cat_source source,
               const struct cat_loader *loader, struct err *err)
{
    ast->sources = mem_room(ast->sources, ast->n_sources, &ast->sources_cap,
                            sizeof *ast->sources);
    ast->sources[ast->n_sources++] = source;
    /* Node 0 is "none". */
    ast->nodes = mem_room(ast->nodes, 0, &ast->cap, sizeof *ast->nodes);
    ast->nodes[0] = (struct ast_node){.kind = AST_NONE};
    ast->n = 1;

    struct parser p = {.ast = ast, .loader = loader, .err = err};
    struct list statements = {0};
    if (!parse_file(&p, &statements))
        return false;
    ast->statements = statements.first;
    return true;
}

void cat_ast_release(struct cat_ast *ast)
{
    for (uint32_t i = 0; i < ast->n_sources; i++) {
        free(ast->sources[i].name);
        free(ast->sources[i].text);
    }
    free(ast->sources);
    free(ast->nodes);
    *ast = (struct cat_ast){0};
}
