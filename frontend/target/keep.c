#include "frontend/target/keep.h"

#include "core/mem.h"

#include <ctype.h>
#include <errno.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

/* A token of preprocessed C; n == 0: the end. */
struct token {
    const char *at;
    size_t n;
};

static bool is_word(struct token t, const char *word)
{
    return t.n == strlen(word) && memcmp(t.at, word, t.n) == 0;
}

static bool is_identifier(struct token t)
{
    return t.n && (isalpha((unsigned char)t.at[0]) || t.at[0] == '_');
}

/* Spaces, and the lines that say where text comes from. */
static const char *skip_space(const char *at, const char *end,
                              const char *start)
{
    for (;; at++) {
        while (at < end && isspace((unsigned char)*at))
            at++;
        if (at == end || *at != '#' || (at > start && at[-1] != '\n'))
            return at;
        while (at < end && *at != '\n')
            at++;
        if (at == end)
            return at;
    }
}

static size_t quoted(const char *at, const char *end)
{
    const char *from = at;
    char quote = *at++;
    while (at < end && *at != quote)
        at += *at == '\\' && at + 1 < end ? 2 : 1;
    return (size_t)(at - from) + (at < end);
}

static struct token next_token(const char *at, const char *end,
                               const char *start)
{
    struct token t = {skip_space(at, end, start), 0};
    if (t.at == end)
        return t;
    if (*t.at == '"' || *t.at == '\'')
        t.n = quoted(t.at, end);
    else if (isalnum((unsigned char)*t.at) || *t.at == '_')
        while (t.at + t.n < end && (isalnum((unsigned char)t.at[t.n]) ||
                                    t.at[t.n] == '_' || t.at[t.n] == '$'))
            t.n++;
    else
        t.n = 1;
    return t;
}

/* The token behind the bracket that closes `open`. */
static struct token behind(struct token open, const char *end,
                           const char *start)
{
    unsigned depth = 0;
    struct token t = open;
    do {
        depth += t.n == 1 && strchr("([{", *t.at);
        depth -= t.n == 1 && strchr(")]}", *t.at) && depth;
        t = next_token(t.at + t.n, end, start);
    } while (t.n && depth);
    return t;
}

/* Words whose parentheses are not those of a function's parameters. */
static bool takes_parentheses(struct token t)
{
    static const char *const words[] = {
        "__attribute__", "__attribute", "_Alignas",      "alignas",
        "typeof",        "__typeof__",  "__typeof",      "_Atomic",
        "__asm__",       "asm",         "typeof_unqual", "_BitInt"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (is_word(t, words[i]))
            return true;
    return false;
}

static bool is_type_word(struct token t)
{
    static const char *const words[] = {
        "void",   "char",   "short",    "int",    "long",     "float",
        "double", "signed", "unsigned", "_Bool",  "const",    "volatile",
        "struct", "union",  "enum",     "inline", "restrict", "bool"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (is_word(t, words[i]))
            return true;
    return false;
}

/* Is what `static` stands before a variable? In doubt it is: a function that is
 * kept does no harm. */
static bool is_variable(struct token t, const char *end, const char *start)
{
    struct token last = t;
    while (t.n) {
        if (t.n == 1 && strchr(";=,", *t.at))
            return true;
        bool opens = t.n == 1 && strchr("([{", *t.at);
        if (opens && *t.at == '(' && !takes_parentheses(last)) {
            struct token inner = next_token(t.at + 1, end, start);
            return !is_identifier(last) || is_type_word(last) ||
                   is_word(inner, "*");
        }
        struct token next =
            opens ? behind(t, end, start) : next_token(t.at + t.n, end, start);
        /* What follows a bracket is no function's name. */
        last = opens ? (struct token){t.at, 1} : t;
        t = next;
    }
    return false;
}

static bool write_kept(const char *text, size_t n, FILE *out)
{
    const char *end = text + n, *written = text;
    struct token t = next_token(text, end, text), last = {text, 0};
    for (; t.n; last = t, t = next_token(t.at + t.n, end, text)) {
        const char *rest = t.at + t.n;
        if (!is_word(t, "static") || is_word(last, "[") ||
            !is_variable(next_token(rest, end, text), end, text))
            continue;
        fwrite(written, 1, (size_t)(rest - written), out);
        fputs(" __attribute__((__used__))", out);
        written = rest;
    }
    fwrite(written, 1, (size_t)(end - written), out);
    return fflush(out) == 0 && !ferror(out);
}

int keep_statics(int fd, struct err *err)
{
    struct stat st;
    int kept = memfd_create("hwcheck", 0);
    int copy = kept < 0 ? -1 : dup(kept);
    FILE *out = copy < 0 ? NULL : fdopen(copy, "w");
    bool good = out && fstat(fd, &st) == 0;
    size_t n = good ? (size_t)st.st_size : 0;
    const char *text =
        n ? mmap(NULL, n, PROT_READ, MAP_PRIVATE, fd, 0) : MAP_FAILED;
    if (text != MAP_FAILED) {
        good = write_kept(text, n, out);
        munmap((void *)(uintptr_t)text, n);
    } else
        good &= n == 0;
    if (out)
        fclose(out);
    else if (copy >= 0)
        close(copy);
    if (good)
        return kept;
    err_set(err, ERR_SYSTEM, "no file in memory: %s", strerror(errno));
    if (kept >= 0)
        close(kept);
    return -1;
}
