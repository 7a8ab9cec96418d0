#include "frontend/subject/language.h"

#include "core/mem.h"
#include "frontend/base/clang.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct language languages[] = {
    {"hwcheck/java.h", "jam21"},
    {"hwcheck/linux.h", "lkmm"},
    {"hwcheck/ocaml.h", "ocaml"},
};

/* Can the file include one of them? Most programs are not worth a run of the
 * preprocessor: they include headers of the system alone. */
static bool may_include(const struct options *o, const char *path)
{
    char *line = NULL;
    size_t cap = 0;
    bool may = o->n_cflags > 0;
    FILE *in = fopen(path, "r");
    while (in && !may && getline(&line, &cap, in) > 0)
        may = strstr(line, "hwcheck/") ||
              (strstr(line, "include") && strchr(line, '"'));
    free(line);
    if (in)
        fclose(in);
    return may;
}

/* The files that it includes, as a rule for make; NULL: not known. */
static char *included(const struct options *o, const char *path)
{
    const char **args = mem_resize(NULL, (o->n_cflags + 8) * sizeof *args);
    char *text = NULL;
    size_t bytes = 0;
    int n = 0;
    struct err err = {0};
    args[n++] = "-std=gnu17";
    args[n++] = "-D__HWCHECK_SOURCE__";
    for (uint32_t i = 0; i < o->n_cflags; i++)
        if (strncmp(o->cflags[i], "-m", 2) != 0)
            args[n++] = o->cflags[i];
    args[n++] = "-w";
    args[n++] = "-M";
    args[n++] = "-MG"; /* what is not there is told when it is compiled */
    args[n++] = "-x";
    args[n++] = "c";
    args[n++] = path;
    if (clang_run(args, n, &text, &bytes, &err)) {
        text = mem_resize(text, bytes + 1);
        text[bytes] = '\0';
    } else
        text = NULL;
    free(args);
    return text;
}

static bool find_in(const struct language **language, const struct options *o,
                    const char *path, struct err *err)
{
    char *text = may_include(o, path) ? included(o, path) : NULL;
    bool good = true;
    for (size_t i = 0; text && i < sizeof languages / sizeof *languages; i++) {
        if (!strstr(text, languages[i].header))
            continue;
        if (*language && *language != &languages[i])
            good = err_set(err, ERR_INPUT,
                           "%s: includes <%s> and <%s>: which model is it "
                           "for? (--source-model, --model)",
                           path, (*language)->header, languages[i].header);
        *language = &languages[i];
    }
    free(text);
    return good;
}

bool language_find(const struct language **language, const struct options *o,
                   const char *path, struct err *err)
{
    *language = NULL;
    bool good = find_in(language, o, path, err);
    for (uint32_t i = 1; good && i < o->n_files; i++)
        good = find_in(language, o, o->operands[i], err);
    return good;
}
