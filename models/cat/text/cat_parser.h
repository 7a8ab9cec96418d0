/* What the two halves of the parser share: cat_expr.c for expressions,
 * cat_parse.c for statements and files. A function that fails returns 0 (false)
 * and has set p->err. */
#ifndef MODELS_CAT_PARSER_H
#define MODELS_CAT_PARSER_H

#include "models/cat/text/cat_parse.h"

enum { PARSER_DEPTH_MAX = 200 }; /* of one expression, of calls */

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

/* Lists by `next`, built at their end. */
struct ast_list {
    ast_id first, last;
};

ast_id parser_fail(struct parser *p, const struct cat_token *at,
                   const char *text);
ast_id parser_fail_expected(struct parser *p, const char *what);

/* Reads on. */
bool parser_next(struct parser *p);
/* Is this the present token? */
bool parser_is(const struct parser *p, enum cat_token_kind kind);
/* Reads on if it is, else fails. */
bool parser_expect(struct parser *p, enum cat_token_kind kind);

ast_id parser_node(struct parser *p, enum ast_kind kind,
                   const struct cat_token *at, ast_id a, ast_id b);
void parser_append(struct parser *p, struct ast_list *list, ast_id item);

ast_id parser_expr(struct parser *p);
/* Names in brackets, or one name alone; `_` is a parameter not used. */
bool parser_parameters(struct parser *p, struct ast_list *out);
/* Expressions in brackets, or one atom alone. */
bool parser_arguments(struct parser *p, struct ast_list *out);
/* After `let`: [rec] bind (and bind)*; *recursive tells of the rec. */
bool parser_binds(struct parser *p, struct ast_list *out, bool *recursive);

#endif
