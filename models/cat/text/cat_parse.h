/* Syntax trees of cat files.
 *
 * All files of a model (it and what it includes) share one array of nodes;
 * included statements stand in place of their `include`. Union and sequence
 * are n-ary: their operands are a list by `next`. */
#ifndef MODELS_CAT_PARSE_H
#define MODELS_CAT_PARSE_H

#include "core/err.h"
#include "models/cat/text/cat_lex.h"

typedef uint32_t ast_id; /* 0: none */

enum ast_kind {
    AST_NONE,

    /* Expressions. */
    AST_NAME,       /* text */
    AST_ZERO,       /* 0 or {} */
    AST_UNION,      /* a: list */
    AST_SEQ,        /* a: list */
    AST_INTER,      /* a, b */
    AST_DIFF,       /* a, b */
    AST_PRODUCT,    /* a, b */
    AST_COMPLEMENT, /* a; so are all up to AST_TOID */
    AST_INVERSE,
    AST_PLUS,
    AST_STAR,
    AST_OPT,
    AST_TOID,
    AST_APPLY, /* text: function; a: list of arguments */
    AST_TRY,   /* a, or b when a uses unknown names */
    AST_LET,   /* a: list of AST_BIND, b: body; flag: recursive */
    AST_FUN,   /* a: list of AST_NAME parameters, b: body */

    /* Statements. */
    AST_DEFINE,    /* a: list of AST_BIND; flag: recursive */
    AST_BIND,      /* text = b; flag: function of parameters a */
    AST_CHECK,     /* a: expression, text: name or NULL; check says which */
    AST_PROCEDURE, /* text, a: parameters, b: statements */
    AST_CALL,      /* text, a: arguments */
};

enum check_kind { CHECK_ACYCLIC, CHECK_IRREFLEXIVE, CHECK_EMPTY };
enum check_role {
    CHECK_AXIOM,
    CHECK_FLAG,       /* reported when it holds: flag ~empty race */
    CHECK_UNEXPLORED, /* the same, but no violation: something is missed */
    CHECK_ASSERT,     /* promised by the file's author; not looked at */
};

struct ast_node {
    uint8_t kind;  /* enum ast_kind */
    uint8_t check; /* enum check_kind */
    uint8_t role;  /* enum check_role */
    bool flag;
    bool negated; /* ~acyclic ... */
    bool final;   /* final acyclic ... */
    uint16_t depth;
    uint16_t file; /* index of its source */
    uint32_t line, column;
    ast_id a, b, next;
    const char *text; /* into its source */
    uint32_t length;
};

struct cat_source {
    char *name; /* path, or name of an embedded file; owned */
    char *text; /* owned */
};

struct cat_ast {
    struct ast_node *nodes;
    uint32_t n, cap;
    struct cat_source *sources;
    uint32_t n_sources, sources_cap;
    const char *title; /* of the first file; NULL if it has none */
    uint32_t title_length;
    ast_id statements; /* list */
};

/* Finds the file `name` that the source named `from` includes. True: *out has
 * name and text of its own (malloc), which the caller frees. */
struct cat_loader {
    void *self;
    bool (*load)(void *self, const char *name, const char *from,
                 struct cat_source *out, struct err *err);
};

/* Parses the source, which it takes over in any case. The ast must be zeroed
 * before, and released after success and failure alike. */
bool cat_parse(struct cat_ast *ast, struct cat_source source,
               const struct cat_loader *loader, struct err *err);
void cat_ast_release(struct cat_ast *ast);

/* Records "file:line:column: message" for a node; returns false. */
bool cat_error(const struct cat_ast *ast, ast_id at, struct err *err,
               const char *fmt, ...) __attribute__((format(printf, 4, 5)));

#endif
