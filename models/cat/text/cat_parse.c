/* Statements and files. */
#include "models/cat/text/cat_parser.h"

#include "core/mem.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    SOURCES_MAX = 64,      /* files */
    INCLUDE_DEPTH_MAX = 16 /* files that are open at a time */
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

static bool parse_statements(struct parser *p, struct ast_list *out,
                             enum cat_token_kind end);

static ast_id parse_define(struct parser *p)
{
    struct cat_token at = p->token;
    struct ast_list binds = {0};
    bool recursive;
    if (!parser_next(p) || !parser_binds(p, &binds, &recursive))
        return 0;
    if (parser_is(p, TOKEN_IN) &&
        !parser_next(p)) /* herd allows it here, too */
        return 0;
    ast_id define = parser_node(p, AST_DEFINE, &at, binds.first, 0);
    if (define)
        p->ast->nodes[define].flag = recursive;
    return define;
}

/* [as name] into the node's text. */
static bool parse_as(struct parser *p, ast_id check)
{
    p->ast->nodes[check].text = NULL;
    p->ast->nodes[check].length = 0;
    if (!parser_is(p, TOKEN_AS))
        return true;
    if (!parser_next(p))
        return false;
    if (!parser_is(p, TOKEN_NAME))
        return parser_fail_expected(p, "a name");
    p->ast->nodes[check].text = p->token.text;
    p->ast->nodes[check].length = p->token.length;
    return parser_next(p);
}

static ast_id parse_check(struct parser *p, enum check_role role, bool negated)
{
    struct cat_token at = p->token;
    if (parser_is(p, TOKEN_TILDE)) {
        negated = !negated;
        if (!parser_next(p))
            return 0;
    }
    enum check_kind kind;
    if (parser_is(p, TOKEN_ACYCLIC))
        kind = CHECK_ACYCLIC;
    else if (parser_is(p, TOKEN_IRREFLEXIVE))
        kind = CHECK_IRREFLEXIVE;
    else if (parser_is(p, TOKEN_EMPTY))
        kind = CHECK_EMPTY;
    else
        return parser_fail_expected(p, "'acyclic', 'irreflexive' or 'empty'");
    ast_id e = parser_next(p) ? parser_expr(p) : 0;
    ast_id check = e ? parser_node(p, AST_CHECK, &at, e, 0) : 0;
    if (!check)
        return 0;
    p->ast->nodes[check].check = (uint8_t)kind;
    p->ast->nodes[check].role = (uint8_t)role;
    p->ast->nodes[check].negated = negated;
    return parse_as(p, check) ? check : 0;
}

static ast_id parse_procedure(struct parser *p)
{
    if (!parser_next(p))
        return 0;
    if (parser_is(p, TOKEN_REC))
        return parser_fail(p, &p->token,
                           "recursive procedures are not supported");
    struct cat_token at = p->token;
    struct ast_list parameters = {0}, body = {0};
    if (!parser_is(p, TOKEN_NAME))
        return parser_fail_expected(p, "a name");
    if (!parser_next(p) || !parser_parameters(p, &parameters) ||
        !parser_expect(p, TOKEN_EQUAL))
        return 0;
    if (!parse_statements(p, &body, TOKEN_END) || !parser_next(p))
        return 0;
    return parser_node(p, AST_PROCEDURE, &at, parameters.first, body.first);
}

static ast_id parse_call(struct parser *p)
{
    if (!parser_next(p))
        return 0;
    struct cat_token at = p->token;
    struct ast_list arguments = {0};
    if (!parser_is(p, TOKEN_NAME))
        return parser_fail_expected(p, "a name");
    if (!parser_next(p) || !parser_arguments(p, &arguments))
        return 0;
    ast_id call = parser_node(p, AST_CALL, &at, arguments.first, 0);
    if (call && parser_is(p, TOKEN_AS)) {
        if (!parser_next(p) || !parser_expect(p, TOKEN_NAME))
            return 0;
    }
    return call;
}

/* show a, b as c: only herd's pictures look at it. */
static bool skip_show(struct parser *p)
{
    if (!parser_next(p))
        return false;
    for (;;) {
        if (!parser_expr(p))
            return false;
        if (parser_is(p, TOKEN_AS) &&
            (!parser_next(p) || !parser_expect(p, TOKEN_NAME)))
            return false;
        if (!parser_is(p, TOKEN_COMMA))
            return true;
        if (!parser_next(p))
            return false;
    }
}

/* `with co from generate_cos(co0)`: herd enumerates co by it; the explorer
 * does so here. */
static bool skip_with(struct parser *p)
{
    struct cat_token at = p->token;
    if (!parser_next(p))
        return false;
    bool is_co = parser_is(p, TOKEN_NAME) && p->token.length == 2 &&
                 memcmp(p->token.text, "co", 2) == 0;
    if (!parser_expect(p, TOKEN_NAME) || !parser_expect(p, TOKEN_FROM))
        return false;
    ast_id e = parser_expr(p);
    if (!e)
        return false;
    const struct ast_node *n = &p->ast->nodes[e];
    if (!is_co || n->kind != AST_APPLY || n->length != 12 ||
        memcmp(n->text, "generate_cos", 12) != 0)
        return parser_fail(p, &at,
                           "'with ... from' is supported only as "
                           "'with co from generate_cos(...)'");
    return true;
}

static bool parse_file(struct parser *p, struct ast_list *out);

static bool parse_include(struct parser *p, struct ast_list *out)
{
    struct cat_token at = p->token;
    if (!parser_next(p))
        return false;
    if (!parser_is(p, TOKEN_STRING))
        return parser_fail_expected(p, "a file name in quotes");
    char name[256];
    if (p->token.length >= sizeof name)
        return parser_fail(p, &at, "the file name is too long");
    memcpy(name, p->token.text, p->token.length);
    name[p->token.length] = '\0';

    struct cat_ast *ast = p->ast;
    if (ast->n_sources >= SOURCES_MAX || p->include_depth >= INCLUDE_DEPTH_MAX)
        return parser_fail(p, &at, "too many included files");
    struct cat_source source = {0};
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
            return parser_fail(p, &at, text);
        }
    struct parser inner = {
        .ast = ast,
        .loader = p->loader,
        .err = p->err,
        .file = ast->n_sources - 1,
        .included_by = p,
        .include_depth = p->include_depth + 1,
    };
    return parse_file(&inner, out) && parser_next(p);
}

static ast_id fail_unsupported(struct parser *p)
{
    char text[80];
    snprintf(text, sizeof text, "%s is not supported",
             cat_token_name(p->token.kind));
    return parser_fail(p, &p->token, text);
}

/* final acyclic ... */
static ast_id parse_final(struct parser *p)
{
    ast_id s = parser_next(p) ? parse_check(p, CHECK_AXIOM, false) : 0;
    if (s)
        p->ast->nodes[s].final = true;
    return s;
}

/* One statement; *out stays 0 for those without effect. */
static bool parse_statement(struct parser *p, struct ast_list *list)
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
        s = parser_next(p) ? parse_check(p, CHECK_FLAG, false) : 0;
        break;
    case TOKEN_UNDEFINED_UNLESS:
    case TOKEN_REQUIRES:
        s = parser_next(p) ? parse_check(p, CHECK_FLAG, true) : 0;
        break;
    case TOKEN_ASSERT:
        s = parser_next(p) ? parse_check(p, CHECK_ASSERT, false) : 0;
        break;
    case TOKEN_FINAL:
        s = parse_final(p);
        break;
    case TOKEN_UNEXPLORED:
        s = parser_next(p) ? parse_check(p, CHECK_UNEXPLORED, false) : 0;
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
        return parser_next(p);
    case TOKEN_WITHOUTCO:
    case TOKEN_FORALL:
    case TOKEN_ENUM:
    case TOKEN_INSTRUCTIONS:
    case TOKEN_DEFAULT:
    case TOKEN_DEBUG:
    case TOKEN_MATCH:
        return fail_unsupported(p);
    default:
        return parser_fail_expected(p, "a definition or a check");
    }
    if (s)
        parser_append(p, list, s);
    return s != 0;
}

static bool parse_statements(struct parser *p, struct ast_list *out,
                             enum cat_token_kind end)
{
    if (++p->depth > PARSER_DEPTH_MAX)
        return parser_fail(p, &p->token, "procedures nest too deeply");
    while (!parser_is(p, end))
        if (!parse_statement(p, out))
            return false;
    p->depth--;
    return true;
}

/* "title", or herd's older forms: architecture "title", architecture title. */
static bool parse_title(struct parser *p)
{
    bool named = parser_is(p, TOKEN_NAME);
    struct cat_token title = p->token;
    if (named && !parser_next(p))
        return false;
    if (parser_is(p, TOKEN_STRING) || (named && parser_is(p, TOKEN_NAME))) {
        title = p->token;
        if (!parser_next(p))
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

static bool parse_file(struct parser *p, struct ast_list *out)
{
    const struct cat_source *source = &p->ast->sources[p->file];
    cat_lexer_init(&p->lexer, source->name, source->text);
    return parser_next(p) && parse_title(p) &&
           parse_statements(p, out, TOKEN_EOF);
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
    struct ast_list statements = {0};
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
