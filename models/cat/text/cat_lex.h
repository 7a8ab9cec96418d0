/* Tokens of the cat language (herd's language of memory models).
 *
 * Names may hold letters, digits, '_', '.', '-' (po-loc, DMB.SY); comments are
 * (* nested *) or run from // to the end of the line. */
#ifndef MODELS_CAT_LEX_H
#define MODELS_CAT_LEX_H

#include "core/err.h"

#include <stdbool.h>
#include <stdint.h>

/* X(enumerator, how a message shows it). Keywords come first: their text is
 * what is written in the file. */
#define CAT_KEYWORDS(X)                     \
    X(LET, "let")                           \
    X(REC, "rec")                           \
    X(AND, "and")                           \
    X(IN, "in")                             \
    X(WHEN, "when")                         \
    X(FUN, "fun")                           \
    X(TRY, "try")                           \
    X(WITH, "with")                         \
    X(IF, "if")                             \
    X(THEN, "then")                         \
    X(ELSE, "else")                         \
    X(MATCH, "match")                       \
    X(BEGIN, "begin")                       \
    X(END, "end")                           \
    X(ACYCLIC, "acyclic")                   \
    X(IRREFLEXIVE, "irreflexive")           \
    X(EMPTY, "empty")                       \
    X(FLAG, "flag")                         \
    X(UNDEFINED_UNLESS, "undefined_unless") \
    X(FINAL, "final")                       \
    X(UNEXPLORED, "unexplored")             \
    X(REQUIRES, "requires")                 \
    X(ASSERT, "assert")                     \
    X(AS, "as")                             \
    X(SHOW, "show")                         \
    X(UNSHOW, "unshow")                     \
    X(INCLUDE, "include")                   \
    X(PROCEDURE, "procedure")               \
    X(CALL, "call")                         \
    X(FORALL, "forall")                     \
    X(DO, "do")                             \
    X(FROM, "from")                         \
    X(ENUM, "enum")                         \
    X(INSTRUCTIONS, "instructions")         \
    X(DEFAULT, "default")                   \
    X(DEBUG, "debug")                       \
    X(CATDEP, "catdep")                     \
    X(WITHCO, "withco")                     \
    X(WITHOUTCO, "withoutco")

#define CAT_SYMBOLS(X)    \
    X(EOF, "end of file") \
    X(NAME, "a name")     \
    X(STRING, "a string") \
    X(TAG, "a tag")       \
    X(ZERO, "'0'")        \
    X(LPAR, "'('")        \
    X(RPAR, "')'")        \
    X(LBRACKET, "'['")    \
    X(RBRACKET, "']'")    \
    X(LBRACE, "'{'")      \
    X(RBRACE, "'}'")      \
    X(EQUAL, "'='")       \
    X(COMMA, "','")       \
    X(UNION, "'|'")       \
    X(INTER, "'&'")       \
    X(SEMI, "';'")        \
    X(DIFF, "'\\'")       \
    X(TILDE, "'~'")       \
    X(STAR, "'*'")        \
    X(PLUS, "'+'")        \
    X(OPT, "'?'")         \
    X(PLUSPLUS, "'++'")   \
    X(HAT_STAR, "'^*'")   \
    X(INVERSE, "'^-1'")   \
    X(ARROW, "'->'")      \
    X(SUBSET, "'<='")     \
    X(ANDAND, "'&&'")     \
    X(OROR, "'||'")

enum cat_token_kind {
#define X(id, text) TOKEN_##id,
    CAT_KEYWORDS(X) CAT_SYMBOLS(X)
#undef X
        TOKEN_COUNT
};

struct cat_token {
    enum cat_token_kind kind;
    const char *text; /* into the source; of a string, without its quotes */
    uint32_t length;
    uint32_t line, column; /* from 1 */
};

struct cat_lexer {
    const char *file; /* for messages; borrowed, as is the text */
    const char *at;
    uint32_t line;
    const char *line_start;
};

void cat_lexer_init(struct cat_lexer *lexer, const char *file,
                    const char *text);

/* Reads the next token; false on a character or comment that cannot be. */
bool cat_lexer_next(struct cat_lexer *lexer, struct cat_token *token,
                    struct err *err);

/* "'let'", "a name", ...: for messages about what was expected. */
const char *cat_token_name(enum cat_token_kind kind);

#endif
