#include "models/model_load.h"

#include "core/embedded.h"
#include "core/mem.h"
#include "models/cat/cat_model.h"
#include "models/cat/text/cat_parse.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FILE_BYTES_MAX (1 << 20)

/* Names of built-in sources, so that their includes do not look at the current
 * folder. */
#define BUILT_IN "built-in:"

/* What herd's own library files define and models take for granted, written
 * anew. Those that only define what is builtin here are empty. */
static const struct embedded_file library[] = {
    {"cos.cat", ""},
    {"stdlib.cat", ""},
    {"basic.cat", ""},
    {"filters.cat", "let WW(r) = r & (W * W)\n"
                    "let WR(r) = r & (W * R)\n"
                    "let RW(r) = r & (R * W)\n"
                    "let RR(r) = r & (R * R)\n"
                    "let RM(r) = r & (R * M)\n"
                    "let MR(r) = r & (M * R)\n"
                    "let WM(r) = r & (W * M)\n"
                    "let MW(r) = r & (M * W)\n"
                    "let MM(r) = r & (M * M)\n"},
    {"fences.cat", "let mfence = fencerel(MFENCE)\n"
                   "let sfence = fencerel(SFENCE)\n"
                   "let lfence = fencerel(LFENCE)\n"},
    {"x86fences.cat", "include \"fences.cat\"\n"},
    {NULL, NULL},
};

static char *copy_text(const char *text)
{
    size_t bytes = strlen(text) + 1;
    return memcpy(mem_resize(NULL, bytes), text, bytes);
}

static const char *find_text(const struct embedded_file *files,
                             const char *name)
{
    for (; files->name; files++)
        if (strcmp(files->name, name) == 0)
            return files->text;
    return NULL;
}

static bool load_built_in(const char *name, struct cat_source *out)
{
    const char *text = find_text(embedded_models, name);
    if (!text)
        text = find_text(library, name);
    if (!text)
        return false;
    size_t bytes = sizeof BUILT_IN + strlen(name);
    out->name = mem_resize(NULL, bytes);
    snprintf(out->name, bytes, "%s%s", BUILT_IN, name);
    out->text = copy_text(text);
    return true;
}

static bool read_file(const char *path, struct cat_source *out, struct err *err)
{
    FILE *f = fopen(path, "rb");
    if (!f)
        return err_set(err, ERR_INPUT, "cannot open '%s': %s", path,
                       strerror(errno));
    char *text = mem_resize(NULL, FILE_BYTES_MAX + 1);
    size_t n = fread(text, 1, FILE_BYTES_MAX + 1, f);
    bool failed = ferror(f) != 0;
    int cause = errno;
    fclose(f);
    if (failed || n > FILE_BYTES_MAX || memchr(text, '\0', n)) {
        free(text);
        return failed ? err_set(err, ERR_INPUT, "cannot read '%s': %s", path,
                                strerror(cause))
               : n > FILE_BYTES_MAX
                   ? err_set(err, ERR_INPUT, "'%s' is too large", path)
                   : err_set(err, ERR_INPUT, "'%s' is not a text file", path);
    }
    text[n] = '\0';
    out->text = mem_resize(text, n + 1);
    out->name = copy_text(path);
    return true;
}

static bool readable(const char *path)
{
    FILE *f = fopen(path, "rb");
    if (f)
        fclose(f);
    return f != NULL;
}

/* `self` is not NULL when files may be read. */
static bool load_include(void *self, const char *name, const char *from,
                         struct cat_source *out, struct err *err)
{
    bool from_file = self && strncmp(from, BUILT_IN, sizeof BUILT_IN - 1) != 0;
    if (from_file) {
        const char *slash = strrchr(from, '/');
        int folder = slash && name[0] != '/' ? (int)(slash - from + 1) : 0;
        char path[1024];
        int n = snprintf(path, sizeof path, "%.*s%s", folder, from, name);
        if (n > 0 && (size_t)n < sizeof path && readable(path))
            return read_file(path, out, err);
    }
    if (load_built_in(name, out))
        return true;
    return err_set(err, ERR_INPUT, "cannot find '%s'", name);
}

/* Takes the axiom of that name away. */
static bool leave_out(struct cat_ast *ast, const char *axiom, size_t length,
                      struct err *err)
{
    char known[300] = "";
    for (ast_id *at = &ast->statements; *at; at = &ast->nodes[*at].next) {
        const struct ast_node *n = &ast->nodes[*at];
        if (n->kind != AST_CHECK || !n->text || n->role != CHECK_AXIOM)
            continue;
        if (n->length == length && strncmp(n->text, axiom, length) == 0) {
            *at = n->next;
            return true;
        }
        size_t k = strlen(known);
        snprintf(known + k, sizeof known - k, " %.*s", (int)n->length, n->text);
    }
    return err_set(err, ERR_USAGE, "no axiom '%.*s' to leave out; there are%s",
                   length < 60 ? (int)length : 60, axiom,
                   known[0] ? known : " none");
}

/* Each name after a '~' is one of an axiom to leave out. */
static bool leave_out_all(struct cat_ast *ast, const char *name,
                          struct err *err)
{
    for (const char *at = name; (at = strchr(at, '~'));) {
        at++;
        if (!leave_out(ast, at, strcspn(at, "~"), err))
            return false;
    }
    return true;
}

/* Takes the source over. */
static bool load_source(struct model *m, const char *name,
                        struct cat_source source, bool files, struct err *err)
{
    struct cat_loader loader = {files ? m : NULL, load_include};
    struct cat_ast ast = {0};
    struct cat_code code = {0};
    bool ok = cat_parse(&ast, source, &loader, err) &&
              leave_out_all(&ast, name, err) && cat_compile(&code, &ast, err);
    cat_ast_release(&ast);
    if (!ok) {
        cat_code_release(&code);
        return false;
    }
    cat_model_init(m, name, &code);
    return true;
}

bool model_load_text(struct model *m, const char *name, const char *text,
                     struct err *err)
{
    struct cat_source source = {copy_text(name), copy_text(text)};
    return load_source(m, name, source, false, err);
}

static bool is_path(const char *name)
{
    size_t n = strlen(name);
    return strchr(name, '/') || (n > 4 && strcmp(name + n - 4, ".cat") == 0);
}

static void list_name(void *self, const char *name, const char *title)
{
    (void)title;
    struct err *err = self;
    size_t n = strlen(err->text);
    if (n + strlen(name) + 3 < sizeof err->text)
        snprintf(err->text + n, sizeof err->text - n, " %s", name);
}

bool model_load(struct model *m, const char *name_or_path, struct err *err)
{
    struct cat_source source = {0};
    char where[1024];
    snprintf(where, sizeof where, "%.*s", (int)strcspn(name_or_path, "~"),
             name_or_path);
    const char *without = name_or_path + strlen(where);
    char name[300];
    if (is_path(where)) {
        if (!read_file(where, &source, err))
            return false;
        const char *slash = strrchr(where, '/');
        const char *base = slash ? slash + 1 : where;
        size_t n = strlen(base);
        if (n > 4 && strcmp(base + n - 4, ".cat") == 0)
            n -= 4;
        snprintf(name, sizeof name, "%.*s%.120s", n < 120 ? (int)n : 120, base,
                 without);
        return load_source(m, name, source, true, err);
    }
    char file[128];
    snprintf(file, sizeof file, "%.120s.cat", where);
    if (!find_text(embedded_models, file) || !load_built_in(file, &source)) {
        err_set(err, ERR_USAGE, "unknown model '%.60s'; there are:", where);
        model_for_each(list_name, err);
        return false;
    }
    snprintf(name, sizeof name, "%.120s%.120s", where, without);
    return load_source(m, name, source, false, err);
}

void model_for_each(void (*visit)(void *self, const char *name,
                                  const char *title),
                    void *self)
{
    for (const struct embedded_file *f = embedded_models; f->name; f++) {
        struct cat_lexer lexer;
        struct cat_token token;
        struct err ignored;
        cat_lexer_init(&lexer, f->name, f->text);
        if (!cat_lexer_next(&lexer, &token, &ignored) ||
            token.kind != TOKEN_STRING)
            continue;
        char name[128], title[256];
        size_t n = strlen(f->name);
        snprintf(name, sizeof name, "%.*s", n < 120 ? (int)n - 4 : 120,
                 f->name);
        snprintf(title, sizeof title, "%.*s", (int)(token.length & 255),
                 token.text);
        visit(self, name, title);
    }
}
