/* The words of a litmus file, and what is written alike in all its sections:
 * numbers, values, registers. What can fail returns false with *err set. */
#ifndef FRONTEND_LITMUS_LEX_H
#define FRONTEND_LITMUS_LEX_H

#include "frontend/litmus/litmus.h"

#include <stddef.h>

struct lex {
    struct litmus_test *test;
    const char *at, *end;
    const char *line_start;
    uint32_t line;
    uint32_t depth;
    bool is_option; /* the text of --outcome, not a file */
    struct err *err;
};

/* The n bytes from there as a string, to be freed. */
char *lex_copy(const char *from, size_t n);
/* Blanks off both ends. */
void lex_trim(const char **from, const char **to);
/* Of the current character. */
struct litmus_place lex_place(const struct lex *p);
/* Complains that something else stands here; returns false. */
bool lex_expected(struct lex *p, const char *what);
/* To the next character; there must be one. */
void lex_advance(struct lex *p);
/* Does this text start here? */
bool lex_is_at(const struct lex *p, const char *text);
/* At a register's thread, 0: or P0:? (Of the first a digit is enough.) */
bool lex_is_at_thread(const struct lex *p);
/* Over a comment (* ... *), which starts here. */
bool lex_skip_comment(struct lex *p);
/* Does a comment start here that ends with the line? */
bool lex_is_line_comment(const struct lex *p);
/* To the end of the line. */
void lex_skip_line(struct lex *p);
/* Over blanks and comments. False: one has no end. */
bool lex_skip(struct lex *p);
/* Over this text, if it is here. */
bool lex_accept(struct lex *p, const char *text);
/* Of a name, but for its first character. */
bool lex_is_word_char(char c);
/* Of the name that starts here; 0: none. */
size_t lex_word_length(const struct lex *p);
/* Is it this name? */
bool lex_is_word(const struct lex *p, const char *word);
/* Over this name, if it is here. */
bool lex_accept_word(struct lex *p, const char *word);
/* 12, -3, 0xff, 0b101 */
bool lex_number(struct lex *p, int64_t *out);
/* The name of a location, which is made if there is none. */
bool lex_location(struct lex *p, uint32_t *out);
/* A number, x, &x, x+4 or x[1]. */
bool lex_value(struct lex *p, struct litmus_value *out);
/* 0:r1; the name is to be freed, also on failure. */
bool lex_register(struct lex *p, uint32_t *thread, char **name);

/* ---- between litmus_parse.c, litmus_final.c and litmus_outcome.c */

/* Everything after the code. */
bool litmus_parse_final(struct lex *p);
/* A condition, up to what cannot belong to it. */
bool litmus_parse_condition(struct lex *p, uint32_t *out);

#endif
