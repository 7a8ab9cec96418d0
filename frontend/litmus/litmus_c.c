#include "frontend/litmus/litmus_c.h"

#include "core/mem.h"
#include "frontend/litmus/litmus_scope.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* In place of a test's number: it is the only one, its names can stay. */
#define ALONE UINT32_MAX

/* A parameter `atomic_int *x`: the type of what it points to, and the name. */
struct parameter {
    const char *type, *name;
    int type_length, name_length;
};

static bool is_name_char(char c)
{
    return isalnum((unsigned char)c) || c == '_';
}

static bool split_parameter(const char *from, const char *to,
                            struct parameter *p)
{
    const char *star = NULL;
    while (to > from && isspace((unsigned char)to[-1]))
        to--;
    p->name = to;
    while (p->name > from && is_name_char(p->name[-1]))
        p->name--;
    for (const char *c = from; c < p->name; c++)
        if (*c == '*')
            star = c;
    p->name_length = (int)(to - p->name);
    p->type = from;
    p->type_length = star ? (int)(star - from) : 0;
    return star && p->name_length > 0 && !isdigit((unsigned char)*p->name);
}

/* Calls `visit` for each parameter of the thread. */
static bool each_parameter(struct litmus_test *t, uint32_t thread,
                           void (*visit)(struct litmus_test *t,
                                         const struct parameter *p, void *self),
                           void *self, struct err *err)
{
    const char *from = t->threads[thread].parameters;
    from += strspn(from, " \t\r\n");
    if (*from == '\0' || strcmp(from, "void") == 0)
        return true;
    for (;;) {
        struct parameter p;
        size_t n = strcspn(from, ",");
        if (!split_parameter(from, from + n, &p))
            return litmus_fail(t, t->threads[thread].parameters_place, err,
                               "expected a pointer to a location, got '%.*s'",
                               (int)n, from);
        visit(t, &p, self);
        from += n;
        if (!*from)
            return true;
        from += 1 + strspn(from + 1, " \t\r\n");
    }
}

/* An atomic type wins over another, and any over that of the init section. */
static void take_type(struct litmus_test *t, const struct parameter *p,
                      void *self)
{
    bool *taken = self;
    uint32_t i = litmus_location(t, p->name, (size_t)p->name_length);
    struct litmus_location *l = &t->locations[i];
    char type[200] = "";
    snprintf(type, sizeof type, "%.*s", p->type_length, p->type);
    bool atomic = strstr(type, "tomic") != NULL;
    if (i >= 256 || (taken[i] && !atomic))
        return;
    taken[i] = true;
    free(l->type);
    l->type = mem_resize(NULL, sizeof type);
    memcpy(l->type, type, sizeof type);
}

/* What is written, and how. */
struct writer {
    FILE *out;
    uint32_t test;
    bool as_herd;
};

/* Its value needs braces, which that of an atomic_int must not have. */
static bool is_struct(const char *type)
{
    return type && (strstr(type, "atomic_t") || strstr(type, "atomic_flag"));
}

/* To herd only what functions do is atomic: *x is not, whatever x points to. */
static void write_pointer(struct litmus_test *t, const struct parameter *p,
                          void *self)
{
    const struct writer *w = self;
    uint32_t i = litmus_location(t, p->name, (size_t)p->name_length);
    char type[200] = "";
    snprintf(type, sizeof type, "%.*s", p->type_length, p->type);
    bool strip = w->as_herd && strstr(type, "tomic") && !is_struct(type);
    fprintf(w->out, strip ? "__typeof_unqual__(%s) *" : "%s *", type);
    fprintf(w->out, "%.*s = (void *)&HWC_v%u;\n", p->name_length, p->name, i);
}

static void write_value(struct litmus_value v, FILE *out)
{
    if (v.location == LITMUS_NONE)
        fprintf(out, "%" PRId64, v.number);
    else
        fprintf(out, "(void *)((char *)&HWC_v%u + %" PRId64 ")", v.location,
                v.number);
}

static void declare(const struct litmus_location *l, uint32_t i, FILE *out)
{
    fprintf(out, "%s HWC_v%u", l->type ? l->type : "int", i);
    if (l->n)
        fprintf(out, "[%u]", l->n);
}

/* Pointers may be to locations that come later. */
static void write_locations(const struct litmus_test *t, uint32_t test,
                            FILE *out)
{
    for (uint32_t i = 0; i < t->n_locations; i++) {
        if (test == ALONE)
            fprintf(out, "#define HWC_v%u %s\nextern ", i,
                    t->locations[i].name);
        else
            fprintf(out, "#define HWC_v%u t%u_v%u\nextern ", i, test, i);
        declare(&t->locations[i], i, out);
        fputs(";\n", out);
    }
    for (uint32_t i = 0; i < t->n_locations; i++) {
        const struct litmus_location *l = &t->locations[i];
        declare(l, i, out);
        bool braces = l->n || is_struct(l->type);
        fputs(braces ? " = {" : " = ", out);
        for (uint32_t k = 0; k < (l->n ? l->n : 1); k++) {
            write_value(l->values[k], out);
            if (l->n)
                fputc(',', out);
        }
        fputs(braces ? "};\n" : ";\n", out);
    }
    /* A parameter hides the location of its name. */
    for (uint32_t i = 0; test == ALONE && i < t->n_locations; i++)
        fprintf(out,
                "static inline char *HWC_at%u(void)\n{\nreturn (void "
                "*)&HWC_v%u;\n}\n"
                "#undef HWC_v%u\n#define HWC_v%u (*HWC_at%u())\n",
                i, i, i, i, i);
}

/* Declares the registers that are asked for; those that the body declares in
 * blocks are of that type. */
static bool declare_registers(const struct litmus_test *t, uint32_t thread,
                              char *body, FILE *out, struct err *err)
{
    char type[LITMUS_TYPE_MAX];
    for (uint32_t i = 0; i < t->n_terms; i++) {
        if (!t->terms[i].is_register || t->terms[i].thread != thread)
            continue;
        if (!litmus_scope(t, thread, t->terms[i].name, body, type, err))
            return false;
        fprintf(out, "%s %s = 0;\n", type[0] ? type : "int", t->terms[i].name);
    }
    return true;
}

static bool has_loop(const char *body)
{
    static const char *const words[] = {"while", "for", "do", "goto", NULL};
    for (int i = 0; words[i]; i++) {
        size_t n = strlen(words[i]);
        for (const char *at = body; (at = strstr(at, words[i])); at += n)
            if ((at == body || !is_name_char(at[-1])) && !is_name_char(at[n]))
                return true;
    }
    return false;
}

/* Registers that are asked for or have a value stand around the body, so that
 * declarations in the body win. */
static bool write_body(struct litmus_test *t, struct writer *w, uint32_t thread,
                       char *body, struct err *err)
{
    const struct litmus_thread *code = &t->threads[thread];
    uint32_t test = w->test;
    FILE *out = w->out;
    /* A weak compare-exchange may fail at any time; in a loop that would only
     * be another iteration. */
    fprintf(out, "#undef HWC_WEAK\n#define HWC_WEAK %d\n",
            w->as_herd && !has_loop(body));
    /* What is wrong with registers and parameters is wrong here, too. */
    fprintf(out, "#line %u \"%s\"\n", code->body_place.line, t->path);
    fprintf(out, "static void *t%u_P%u(void *unused)\n{\n", test, thread);
    if (!declare_registers(t, thread, body, out, err))
        return false;
    fputs("{\n", out);
    if (!each_parameter(t, thread, write_pointer, w, err))
        return false;
    for (uint32_t i = 0; i < t->n_registers; i++) {
        const struct litmus_register *r = &t->registers[i];
        if (r->thread != thread)
            continue;
        if (!r->type && r->value.location != LITMUS_NONE)
            fprintf(out, "__typeof__(&HWC_v%u) %s = ", r->value.location,
                    r->name);
        else
            fprintf(out, "%s %s = ", r->type ? r->type : "int", r->name);
        write_value(r->value, out);
        fputs(";\n", out);
    }
    fprintf(out, "{\n#line %u \"%s\"\n%s\n", code->body_place.line, t->path,
            body);
    for (uint32_t i = 0; i < t->n_terms; i++)
        if (!t->terms[i].is_register || t->terms[i].thread != thread)
            continue;
        else if (test == ALONE)
            fprintf(out, "observe(\"%u:%s\", (long)%s);\n", thread,
                    t->terms[i].name, t->terms[i].name);
        else
            fprintf(out, "observe(\"%u\", (long)%s);\n", i, t->terms[i].name);
    fputs("}\n}\nreturn 0;\n}\n", out);
    return true;
}

static bool write_thread(struct litmus_test *t, struct writer *w,
                         uint32_t thread, struct err *err)
{
    const char *from = t->threads[thread].body;
    size_t bytes = strlen(from) + 1;
    char *body = memcpy(mem_resize(NULL, bytes), from, bytes);
    litmus_blank_comments(body);
    bool good = write_body(t, w, thread, body, err);
    free(body);
    return good;
}

static bool write_test(struct litmus_test *t, struct writer *w, struct err *err)
{
    uint32_t test = w->test;
    FILE *out = w->out;
    bool taken[256] = {false};
    for (const char *c = t->path; *c; c++)
        if (*c == '"' || *c == '\\' || *c == '\n')
            return litmus_fail(t, (struct litmus_place){1, 1}, err,
                               "quotes in the name of the file");
    for (uint32_t i = 0; i < t->n_threads; i++)
        if (!each_parameter(t, i, take_type, taken, err))
            return false;
    write_locations(t, test, out);
    for (uint32_t i = 0; i < t->n_threads; i++)
        if (!write_thread(t, w, i, err))
            return false;
    for (uint32_t i = 0; i < t->n_locations; i++)
        fprintf(out, "#undef HWC_v%u\n", i);
    fputs("__attribute__((used, noinline)) int ", out);
    fprintf(out, test == ALONE ? "main(void)" : "t%u_main(void)", test);
    fputs("\n{\npthread_t t;\n", out);
    for (uint32_t i = 0; i < t->n_threads; i++)
        fprintf(out, "pthread_create(&t, 0, t%u_P%u, 0);\n", test, i);
    fputs("return 0;\n}\n", out);
    return true;
}

/* The names of the Linux kernel are those of <hwcheck/linux.h>; what its tests
 * do to an int, others do to an atomic_int. */
static const char headers[] =
    "#include <hwcheck.h>\n#include <pthread.h>\n#include <stdatomic.h>\n"
    "#include <stdbool.h>\n#include <stddef.h>\n#include <stdint.h>\n"
    "#include <hwcheck/linux.h>\n"
    /* Atomic accesses may be to any type, as in herd. */
    "#define HWC_PLAIN(p) __typeof_unqual__(*(p))\n"
    "#define HWC_AT(p) ((volatile _Atomic(HWC_PLAIN(p)) *)(p))\n"
    "#define __c11_atomic_load(p, o) __c11_atomic_load(HWC_AT(p), o)\n"
    "#define __c11_atomic_store(p, v, o) __c11_atomic_store(HWC_AT(p), v, o)\n"
    "#define __c11_atomic_exchange(p, v, o) "
    "__c11_atomic_exchange(HWC_AT(p), v, o)\n"
    "#define __c11_atomic_fetch_add(p, v, o) "
    "__c11_atomic_fetch_add(HWC_AT(p), v, o)\n"
    "#define __c11_atomic_fetch_sub(p, v, o) "
    "__c11_atomic_fetch_sub(HWC_AT(p), v, o)\n"
    "#define __c11_atomic_fetch_and(p, v, o) "
    "__c11_atomic_fetch_and(HWC_AT(p), v, o)\n"
    "#define __c11_atomic_fetch_or(p, v, o) "
    "__c11_atomic_fetch_or(HWC_AT(p), v, o)\n"
    "#define __c11_atomic_fetch_xor(p, v, o) "
    "__c11_atomic_fetch_xor(HWC_AT(p), v, o)\n"
    "#define __c11_atomic_compare_exchange_strong(p, e, v, o, f) "
    "__c11_atomic_compare_exchange_strong(HWC_AT(p), (HWC_PLAIN(p) *)(e), v, "
    "o, f)\n"
    "#define __c11_atomic_compare_exchange_weak(p, e, v, o, f) "
    "(HWC_WEAK && hwc_choose(0, 1) "
    "? (*(HWC_PLAIN(p) *)(e) = __c11_atomic_load(p, f), false) "
    ": __c11_atomic_compare_exchange_strong(p, e, v, o, f))\n"
    "#undef READ_ONCE\n#undef WRITE_ONCE\n"
    "#undef smp_load_acquire\n#undef smp_store_release\n"
    "#define READ_ONCE(x) atomic_load_explicit(&(x), memory_order_relaxed)\n"
    "#define WRITE_ONCE(x, v) "
    "atomic_store_explicit(&(x), v, memory_order_relaxed)\n"
    "#define smp_load_acquire(p) "
    "atomic_load_explicit(p, memory_order_acquire)\n"
    "#define smp_store_release(p, v) "
    "atomic_store_explicit(p, v, memory_order_release)\n";

void litmus_write_c(struct litmus_test *const *tests, uint32_t n,
                    struct err *errors, bool as_herd, FILE *out)
{
    fputs(headers, out);
    for (uint32_t i = 0; i < n; i++) {
        char *text = NULL;
        size_t bytes = 0;
        FILE *one = open_memstream(&text, &bytes);
        if (!one || errors[i].kind != ERR_NONE) {
            if (one)
                fclose(one);
            free(text);
            continue;
        }
        struct writer w = {one, i, as_herd};
        bool good = write_test(tests[i], &w, &errors[i]);
        fclose(one);
        if (good)
            fwrite(text, 1, bytes, out);
        free(text);
    }
    fputs("int main(int test)\n{\nswitch (test) {\n", out);
    for (uint32_t i = 0; i < n; i++)
        if (errors[i].kind == ERR_NONE)
            fprintf(out, "case %u: return t%u_main();\n", i, i);
    fputs("}\nreturn 0;\n}\n", out);
}

bool litmus_write_alone(struct litmus_test *t, FILE *out, struct err *err)
{
    fputs(headers, out);
    struct writer w = {out, ALONE, false};
    return write_test(t, &w, err);
}
