#include "models/cat/text/cat_lex.h"

#include <string.h>

static const char *const keyword_texts[] = {
#define X(id, text) text,
    CAT_KEYWORDS(X)
#undef X
};
enum { KEYWORD_COUNT = sizeof keyword_texts / sizeof keyword_texts[0] };

static const char *const token_names[TOKEN_COUNT] = {
#define X(id, text) "'" text "'",
    CAT_KEYWORDS(X)
#undef X
#define X(id, text) text,
        CAT_SYMBOLS(X)
#undef X
};

const char *cat_token_name(enum cat_token_kind kind)
{
    return token_names[kind];
}

void cat_lexer_init(struct cat_lexer *lexer, const char *file, const char *text)
{
    *lexer = (struct cat_lexer){file, text, 1, text};
}

static uint32_t column(const struct cat_lexer *lexer)
{
    return (uint32_t)(lexer->at - lexer->line_start) + 1;
}

static void advance(struct cat_lexer *lexer)
{
    if (*lexer->at == '\n') {
        lexer->line++;
        lexer->line_start = lexer->at + 1;
    }
    lexer->at++;
}

/* Skips one (* comment *), comments in it included. */
static bool skip_comment(struct cat_lexer *lexer, struct err *err)
{
    uint32_t line = lexer->line, col = column(lexer);
    uint32_t depth = 0;
    do {
        if (lexer->at[0] == '\0')
            return err_set(err, ERR_INPUT, "%s:%u:%u: comment without end",
                           lexer->file, line, col);
        if (lexer->at[0] == '(' && lexer->at[1] == '*') {
            depth++;
            lexer->at += 2;
        } else if (lexer->at[0] == '*' && lexer->at[1] == ')') {
            depth--;
            lexer->at += 2;
        } else {
            advance(lexer);
        }
    } while (depth > 0);
    return true;
}

static bool skip_blanks(struct cat_lexer *lexer, struct err *err)
{
    for (;;) {
        const char *at = lexer->at;
        if (*at == ' ' || *at == '\t' || *at == '\n' || *at == '\r') {
            advance(lexer);
        } else if (at[0] == '(' && at[1] == '*') {
            /* "(*)" would be an operator section elsewhere; cat has none. */
            if (!skip_comment(lexer, err))
                return false;
        } else if (at[0] == '/' && at[1] == '/') {
            while (*lexer->at && *lexer->at != '\n')
                lexer->at++;
        } else {
            return true;
        }
    }
}

static bool is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static bool in_name(char c)
{
    return is_letter(c) || is_digit(c) || c == '_' || c == '.' || c == '-';
}

static void read_name(struct cat_lexer *lexer, struct cat_token *token)
{
    while (in_name(*lexer->at))
        lexer->at++;
    if (*lexer->at == '\'')
        lexer->at++;
    token->length = (uint32_t)(lexer->at - token->text);
    token->kind = TOKEN_NAME;
    for (unsigned i = 0; i < KEYWORD_COUNT; i++)
        if (strlen(keyword_texts[i]) == token->length &&
            memcmp(keyword_texts[i], token->text, token->length) == 0)
            token->kind = (enum cat_token_kind)i;
}

static bool read_string(struct cat_lexer *lexer, struct cat_token *token,
                        struct err *err)
{
    lexer->at++;
    token->text = lexer->at;
    while (*lexer->at && *lexer->at != '"' && *lexer->at != '\n')
        lexer->at++;
    if (*lexer->at != '"')
        return err_set(err, ERR_INPUT, "%s:%u:%u: string without end",
                       lexer->file, token->line, token->column);
    token->kind = TOKEN_STRING;
    token->length = (uint32_t)(lexer->at - token->text);
    lexer->at++;
    return true;
}

/* Longest first. */
static const struct {
    char text[4];
    enum cat_token_kind kind;
} symbols[] = {
    {"^-1", TOKEN_INVERSE}, {"^+", TOKEN_PLUS},     {"^*", TOKEN_HAT_STAR},
    {"^?", TOKEN_OPT},      {"++", TOKEN_PLUSPLUS}, {"->", TOKEN_ARROW},
    {"<=", TOKEN_SUBSET},   {"&&", TOKEN_ANDAND},   {"||", TOKEN_OROR},
    {"(", TOKEN_LPAR},      {")", TOKEN_RPAR},      {"[", TOKEN_LBRACKET},
    {"]", TOKEN_RBRACKET},  {"{", TOKEN_LBRACE},    {"}", TOKEN_RBRACE},
    {"=", TOKEN_EQUAL},     {",", TOKEN_COMMA},     {"|", TOKEN_UNION},
    {"&", TOKEN_INTER},     {";", TOKEN_SEMI},      {"\\", TOKEN_DIFF},
    {"~", TOKEN_TILDE},     {"*", TOKEN_STAR},      {"+", TOKEN_PLUS},
    {"?", TOKEN_OPT},
};

static bool read_symbol(struct cat_lexer *lexer, struct cat_token *token,
                        struct err *err)
{
    for (unsigned i = 0; i < sizeof symbols / sizeof symbols[0]; i++) {
        size_t n = strlen(symbols[i].text);
        if (strncmp(lexer->at, symbols[i].text, n) == 0) {
            lexer->at += n;
            token->kind = symbols[i].kind;
            token->length = (uint32_t)n;
            return true;
        }
    }
    unsigned char c = (unsigned char)*lexer->at;
    if (c >= ' ' && c < 127)
        return err_set(err, ERR_INPUT, "%s:%u:%u: unexpected character '%c'",
                       lexer->file, token->line, token->column, c);
    return err_set(err, ERR_INPUT, "%s:%u:%u: unexpected byte 0x%02x",
                   lexer->file, token->line, token->column, c);
}

bool cat_lexer_next(struct cat_lexer *lexer, struct cat_token *token,
                    struct err *err)
{
    if (!skip_blanks(lexer, err))
        return false;
    char c = *lexer->at;
    *token =
        (struct cat_token){TOKEN_EOF, lexer->at, 0, lexer->line, column(lexer)};
    if (c == '\0')
        return true;
    if (c == '"')
        return read_string(lexer, token, err);
    if (c == '\'' && is_letter(lexer->at[1])) {
        lexer->at++;
        read_name(lexer, token);
        token->kind = TOKEN_TAG;
        return true;
    }
    if (c == '0' && !in_name(lexer->at[1])) {
        lexer->at++;
        token->kind = TOKEN_ZERO;
        token->length = 1;
        return true;
    }
    if (is_letter(c) || c == '_') {
        read_name(lexer, token);
        return true;
    }
    return read_symbol(lexer, token, err);
}
