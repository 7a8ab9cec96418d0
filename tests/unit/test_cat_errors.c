/* What is wrong with a cat file is said with file, line and column. */
#include "models/cat/text/cat_lex.h"
#include "models/model_load.h"

#include "unity.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FOLDER "tests/badinput/cat"

void setUp(void)
{
}
void tearDown(void)
{
}

/* The tokens of a text, by name, with their columns. */
static const char *tokens(const char *text)
{
    static char out[1000];
    struct cat_lexer lexer;
    struct cat_token token;
    static struct err err;
    size_t n = 0;
    out[0] = '\0';
    cat_lexer_init(&lexer, "t", text);
    while (cat_lexer_next(&lexer, &token, &err)) {
        n += (size_t)snprintf(out + n, sizeof out - n, "%s%u:%u %.*s",
                              n ? ", " : "", token.line, token.column,
                              (int)token.length, token.text);
        if (token.kind == TOKEN_EOF)
            return out;
    }
    return err.text;
}

static void names_hold_dots_and_dashes(void)
{
    TEST_ASSERT_EQUAL_STRING("1:1 po-loc, 1:8 DMB.SY, 1:15 x', 1:17 ",
                             tokens("po-loc DMB.SY x'"));
}

static void inverse_is_one_token(void)
{
    TEST_ASSERT_EQUAL_STRING("1:1 rf, 1:3 ^-1, 1:6 ;, 1:7 co, 1:9 ^+, 1:11 ",
                             tokens("rf^-1;co^+"));
}

static void comments_nest_and_end_at_line_ends(void)
{
    TEST_ASSERT_EQUAL_STRING("1:21 a, 2:1 b, 2:2 ",
                             tokens("(* x (* \" y *) z *) a // c\nb"));
}

static void comment_without_end_is_refused_where_it_starts(void)
{
    TEST_ASSERT_EQUAL_STRING("t:2:2: comment without end",
                             tokens("\n (* (* *)"));
}

static void strings_do_not_cross_lines(void)
{
    TEST_ASSERT_EQUAL_STRING("t:1:1: string without end", tokens("\"a\nb\""));
}

static void check_file(const char *name)
{
    char path[300], expected[1000] = "";
    snprintf(path, sizeof path, FOLDER "/%.*s.expected", (int)strlen(name) - 4,
             name);
    FILE *f = fopen(path, "r");
    TEST_ASSERT_NOT_NULL_MESSAGE(f, path);
    TEST_ASSERT_NOT_NULL_MESSAGE(fgets(expected, sizeof expected, f), path);
    fclose(f);
    expected[strcspn(expected, "\n")] = '\0';

    snprintf(path, sizeof path, FOLDER "/%s", name);
    struct model m;
    struct err err = {0};
    TEST_ASSERT_FALSE_MESSAGE(model_load(&m, path, &err), path);
    TEST_ASSERT_EQUAL_STRING(expected, err.text);
    TEST_ASSERT_EQUAL(ERR_INPUT, err.kind);
}

static void bad_files_give_their_messages(void)
{
    DIR *folder = opendir(FOLDER);
    TEST_ASSERT_NOT_NULL_MESSAGE(folder, "run from the root of the project");
    unsigned n = 0;
    for (struct dirent *d; (d = readdir(folder));) {
        size_t length = strlen(d->d_name);
        if (length > 4 && strcmp(d->d_name + length - 4, ".cat") == 0) {
            check_file(d->d_name);
            n++;
        }
    }
    closedir(folder);
    TEST_ASSERT_GREATER_OR_EQUAL(30, n);
}

static void unknown_model_is_answered_with_those_there_are(void)
{
    struct model m;
    struct err err;
    TEST_ASSERT_FALSE(model_load(&m, "rc12", &err));
    TEST_ASSERT_EQUAL(ERR_USAGE, err.kind);
    TEST_ASSERT_EQUAL_STRING_LEN("unknown model 'rc12'; there are:", err.text,
                                 32);
    TEST_ASSERT_NOT_NULL(strstr(err.text, " rc11"));
}

static void missing_file_is_named(void)
{
    struct model m;
    struct err err;
    TEST_ASSERT_FALSE(model_load(&m, "no/such.cat", &err));
    TEST_ASSERT_EQUAL_STRING(
        "cannot open 'no/such.cat': No such file or directory", err.text);
}

/* One after another, so that they nest deeper than any limit. */
static void refuses_without_crash(const char *head, const char *item,
                                  const char *tail, unsigned n)
{
    size_t bytes = strlen(head) + n * strlen(item) + strlen(tail) + 1;
    char *text = malloc(bytes);
    TEST_ASSERT_NOT_NULL(text);
    size_t at = (size_t)snprintf(text, bytes, "%s", head);
    for (unsigned i = 0; i < n; i++)
        at += (size_t)snprintf(text + at, bytes - at, "%s", item);
    snprintf(text + at, bytes - at, "%s", tail);
    struct model m;
    struct err err = {0};
    if (model_load_text(&m, "t", text, &err))
        m.release(&m);
    else
        TEST_ASSERT_NOT_EQUAL(0, err.text[0]);
    free(text);
}

static void huge_inputs_are_refused_or_read(void)
{
    refuses_without_crash("let r = ", "(", "po", 100000);
    refuses_without_crash("let r = ", "~", "po", 100000);
    refuses_without_crash("let r = po", "+", "", 100000);
    refuses_without_crash("let r = po", "|rf", "", 100000);
    refuses_without_crash("let r = po", ";rf", "", 100000);
    refuses_without_crash("let r = po", "\\rf", "", 100000);
    refuses_without_crash("let r = po", "&rf", "", 100000);
    refuses_without_crash("let r = W", "*W", "", 100000);
    refuses_without_crash("let r = ", "f ", "x", 100000);
    refuses_without_crash("let r = ", "try ", "x", 100000);
    refuses_without_crash("let r = ", "let x = po in ", "x", 100000);
    refuses_without_crash("let r = ", "if \"a\" then ", "x", 100000);
    refuses_without_crash("let r = if \"a\"", "&& \"a\"", "then po else rf",
                          100000);
    refuses_without_crash("let r = po\n", "let r = r;r | rf\n", "acyclic r",
                          5000);
    refuses_without_crash("", "(*", "", 100000);
    refuses_without_crash("", "procedure p(x) =\n", "end", 100000);
    refuses_without_crash("let f(x) = x\n", "let f(x) = f(f(x))\n",
                          "acyclic f(po)", 50);
    refuses_without_crash("let r = po\n", "let r = (r;[W])|(r;[R])|[F];r\n",
                          "acyclic r", 40);
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(names_hold_dots_and_dashes);
    RUN_TEST(inverse_is_one_token);
    RUN_TEST(comments_nest_and_end_at_line_ends);
    RUN_TEST(comment_without_end_is_refused_where_it_starts);
    RUN_TEST(strings_do_not_cross_lines);
    RUN_TEST(bad_files_give_their_messages);
    RUN_TEST(unknown_model_is_answered_with_those_there_are);
    RUN_TEST(missing_file_is_named);
    RUN_TEST(huge_inputs_are_refused_or_read);
    return UNITY_END();
}
