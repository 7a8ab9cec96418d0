/* Writes random C programs, ordinary and free of races: structs, unions,
 * bit-fields, arrays, pointers, plain stores and copies of them in one to three
 * threads, which have data of their own, or run in turn, or use a lock or
 * atomics.
 *
 *   random_c <seed> <n>      n functions test_0, test_1, ... on stdout
 *
 * The same numbers give the same text. With -DPLANTED the machine code of each
 * stores a wrong value. */
#include <assert.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum kind {
    KIND_INT,
    KIND_BOOL,
    KIND_REAL,
    KIND_DATA, /* int * */
    KIND_TEXT, /* const char * */
    KIND_CODE, /* step_f * */
    KIND_ARRAY,
    KIND_STRUCT,
    KIND_UNION,
};

struct type {
    enum kind kind;
    char name[24];
    bool is_signed;
    unsigned bits; /* of an integer */
    unsigned of;   /* array: type of its elements; struct: first member */
    unsigned n;    /* elements or members */
};

struct member {
    unsigned type;
    unsigned bits; /* of a bit-field; 0: none */
};

/* A scalar part of a variable. */
struct leaf {
    char path[120];
    unsigned type, bits;
    unsigned owner; /* thread */
    bool in_union;
};

struct variable {
    char name[16];
    unsigned type, owner;
    bool is_local; /* static in the thread's function */
};

enum { TYPES = 64, MEMBERS = 128, LEAVES = 400, VARIABLES = 12, BASIC = 15 };
enum mode { MODE_APART, MODE_IN_TURN, MODE_LOCK, MODE_ATOMIC, MODES };

static const struct type basic[BASIC] = {
    {KIND_INT, "char", true, 7, 0, 0}, /* of either sign */
    {KIND_INT, "signed char", true, 8, 0, 0},
    {KIND_INT, "unsigned char", false, 8, 0, 0},
    {KIND_INT, "short", true, 16, 0, 0},
    {KIND_INT, "unsigned short", false, 16, 0, 0},
    {KIND_INT, "int", true, 32, 0, 0},
    {KIND_INT, "unsigned", false, 32, 0, 0},
    {KIND_INT, "long", true, 64, 0, 0},
    {KIND_INT, "unsigned long", false, 64, 0, 0},
    {KIND_BOOL, "_Bool", false, 1, 0, 0},
    {KIND_REAL, "float", true, 0, 0, 0},
    {KIND_REAL, "double", true, 0, 0, 0},
    {KIND_DATA, "int *", false, 0, 0, 0},
    {KIND_TEXT, "const char *", false, 0, 0, 0},
    {KIND_CODE, "step_f *", false, 0, 0, 0},
};

struct program {
    uint64_t random;
    unsigned number;
    enum mode mode;
    unsigned n_threads;
    struct type types[TYPES];
    struct member members[MEMBERS];
    struct variable variables[VARIABLES];
    struct leaf leaves[LEAVES];
    unsigned n_types, n_members, n_variables, n_leaves;
};

static unsigned below(struct program *p, unsigned n)
{
    assert(n > 0);
    p->random ^= p->random << 13;
    p->random ^= p->random >> 7;
    p->random ^= p->random << 17;
    return (unsigned)(p->random >> 20) % n;
}

static bool one_in(struct program *p, unsigned n)
{
    return below(p, n) == 0;
}

/* ---- types */

static unsigned pick_type(struct program *p)
{
    bool is_own = p->n_types > BASIC && one_in(p, 3);
    return is_own ? BASIC + below(p, p->n_types - BASIC) : below(p, BASIC);
}

static void print_member(struct program *p, const struct member *m,
                         unsigned number)
{
    const struct type *t = &p->types[m->type];
    if (t->kind == KIND_ARRAY)
        printf("    %s m%u[%u];\n", p->types[t->of].name, number, t->n);
    else if (m->bits)
        printf("    %s m%u : %u;\n", t->name, number, m->bits);
    else
        printf("    %s m%u;\n", t->name, number);
    if (m->bits && one_in(p, 4))
        printf("    %s : %u;\n", t->name, one_in(p, 2) ? 0 : 3);
}

static unsigned make_array(struct program *p)
{
    unsigned of = pick_type(p);
    if (p->types[of].kind >= KIND_ARRAY)
        of = below(p, BASIC);
    p->types[p->n_types] = (struct type){
        .kind = KIND_ARRAY, .of = of, .n = 1 + below(p, 6), .bits = 0};
    return p->n_types++;
}

/* A struct or union, which is printed. */
static void make_composite(struct program *p)
{
    bool is_union = one_in(p, 4);
    struct type t = {.kind = is_union ? KIND_UNION : KIND_STRUCT,
                     .n = 2 + below(p, 4)};
    struct member members[8] = {{0}};
    for (unsigned i = 0; i < t.n; i++) {
        bool is_array = p->n_types + 2 < TYPES && one_in(p, 4);
        struct member m = {is_array ? make_array(p) : pick_type(p), 0};
        const struct type *of = &p->types[m.type];
        if (!is_union && of->kind == KIND_INT && of->bits >= 16 && one_in(p, 2))
            m.bits = 1 + below(p, of->bits < 32 ? of->bits : 31);
        /* What points is not to be made of other bytes. */
        if (is_union && of->kind != KIND_INT)
            m = (struct member){below(p, 9), 0};
        members[i] = m;
    }
    t.of = p->n_members;
    snprintf(t.name, sizeof t.name, "%s c%u_%u", is_union ? "union" : "struct",
             p->number, p->n_types);
    printf("%s {\n", t.name);
    for (unsigned i = 0; i < t.n; i++) {
        print_member(p, &members[i], i);
        p->members[p->n_members++] = members[i];
    }
    printf("};\n");
    p->types[p->n_types++] = t;
}

static void make_types(struct program *p)
{
    memcpy(p->types, basic, sizeof basic);
    p->n_types = BASIC;
    for (unsigned n = 1 + below(p, 3); n > 0; n--)
        make_composite(p);
}

/* ---- variables */

__attribute__((format(printf, 2, 3))) static void
append(char *path, const char *format, ...)
{
    size_t n = strlen(path);
    va_list args;
    va_start(args, format);
    vsnprintf(path + n, sizeof((struct leaf *)0)->path - n, format, args);
    va_end(args);
}

static void add_leaves(struct program *p, struct leaf at)
{
    const struct type *t = &p->types[at.type];
    size_t n = strlen(at.path);
    unsigned type = at.type;
    if (t->kind < KIND_ARRAY) {
        if (p->n_leaves < LEAVES)
            p->leaves[p->n_leaves++] = at;
        return;
    }
    at.in_union |= t->kind == KIND_UNION;
    for (unsigned i = 0; i < p->types[type].n; i++) {
        t = &p->types[type];
        const struct member *m = &p->members[t->of + i];
        at.path[n] = '\0';
        append(at.path, t->kind == KIND_ARRAY ? "[%u]" : ".m%u", i);
        at.type = t->kind == KIND_ARRAY ? t->of : m->type;
        at.bits = t->kind == KIND_ARRAY ? 0 : m->bits;
        add_leaves(p, at);
    }
}

static void print_variable(const struct program *p, const struct variable *v,
                           const char *before)
{
    const struct type *t = &p->types[v->type];
    if (t->kind == KIND_ARRAY)
        printf("%s%s %s[%u];\n", before, p->types[t->of].name, v->name, t->n);
    else
        printf("%s%s %s;\n", before, t->name, v->name);
}

static void make_variables(struct program *p)
{
    for (unsigned thread = 0; thread < p->n_threads; thread++)
        for (unsigned k = 0, n = 2 + below(p, 2); k < n; k++) {
            struct variable *v = &p->variables[p->n_variables++];
            v->type = one_in(p, 4) && p->n_types < TYPES ? make_array(p)
                                                         : pick_type(p);
            /* Two of one type can be copied. */
            if (k == 1 && one_in(p, 2))
                v->type = v[-1].type;
            v->owner = thread;
            v->is_local = p->mode != MODE_IN_TURN && one_in(p, 4);
            if (v->is_local)
                snprintf(v->name, sizeof v->name, "own%u", k);
            else
                snprintf(v->name, sizeof v->name, "v%u_%u", p->number,
                         p->n_variables);
            if (!v->is_local)
                print_variable(p, v, one_in(p, 2) ? "static " : "");
            struct leaf at = {.type = v->type, .owner = thread};
            append(at.path, "%s", v->name);
            add_leaves(p, at);
        }
}

/* ---- statements */

static bool may_use(const struct program *p, unsigned thread, unsigned owner)
{
    return p->mode == MODE_IN_TURN || owner == thread;
}

/* One that the thread may use, of a kind if that is not KIND_ARRAY; NULL if
 * there is none among those tried. */
static const struct leaf *pick_leaf(struct program *p, unsigned thread,
                                    enum kind kind)
{
    for (unsigned tries = 0; tries < 60; tries++) {
        const struct leaf *l = &p->leaves[below(p, p->n_leaves)];
        if (may_use(p, thread, l->owner) &&
            (kind == KIND_ARRAY || p->types[l->type].kind == kind))
            return l;
    }
    return NULL;
}

/* A value that the leaf can hold, different for even and odd n. */
static void print_value(const struct program *p, const struct leaf *l,
                        unsigned n)
{
    const struct type *t = &p->types[l->type];
    unsigned bits = l->bits ? l->bits : t->bits;
    bool is_negative = t->is_signed && (bits == 1 || n % 3 == 0);
    bits -= t->is_signed && bits > 1;
    unsigned number = bits < 20 ? n & ((1u << bits) - 1) : n * 2654435761u;
    switch (t->kind) {
    case KIND_INT:
        if (bits >= 20)
            number = (number & 0x7fffe) | (n & 1);
        printf("%s%u", is_negative && strcmp(t->name, "char") != 0 ? "-" : "",
               number);
        break;
    case KIND_BOOL:
        printf("%u", n & 1);
        break;
    case KIND_REAL:
        printf("%u.%s", n % 1000, n & 1 ? "25" : "5");
        break;
    case KIND_DATA:
        if (n % 8 == 6)
            printf("NULL");
        else
            printf("pool + %u", n % 8 > 4 ? 1 : n % 8);
        break;
    case KIND_TEXT:
        printf("&\"%s\"[%u]", n & 2 ? "some words" : "text", n & 1);
        break;
    case KIND_CODE:
        printf(n & 1 ? "step_on" : "step_back");
        break;
    case KIND_ARRAY:
    case KIND_STRUCT:
    case KIND_UNION:
        break;
    }
}

static void store(struct program *p, unsigned thread)
{
    const struct leaf *l = pick_leaf(p, thread, KIND_ARRAY);
    if (!l)
        return;
    printf("    %s = ", l->path);
    print_value(p, l, below(p, 1000));
    printf(";\n");
}

/* An integer or number made of another. */
static void derive(struct program *p, unsigned thread)
{
    const struct leaf *to =
        pick_leaf(p, thread, one_in(p, 4) ? KIND_REAL : KIND_INT);
    const struct leaf *from = pick_leaf(p, thread, KIND_INT);
    if (!to || !from)
        return;
    if (one_in(p, 4))
        printf("    if ((uint64_t)%s %% 3 == %u)\n    ", from->path,
               below(p, 3));
    if (p->types[to->type].kind == KIND_REAL)
        printf("    %s = (%s)((uint64_t)%s %% 64) / 4;\n", to->path,
               p->types[to->type].name, from->path);
    else if (one_in(p, 3))
        printf("    %s ^= (%s)%u;\n", to->path, p->types[to->type].name,
               below(p, 100));
    else
        printf("    %s = (%s)((uint64_t)%s * %u + %u);\n", to->path,
               p->types[to->type].name, from->path, 1 + below(p, 9),
               below(p, 50));
}

/* All of a variable at once: zeroed, or a copy of another. */
static void copy(struct program *p, unsigned thread)
{
    const struct variable *v = &p->variables[below(p, p->n_variables)];
    const struct variable *w = v + 1;
    bool is_last = w == p->variables + p->n_variables;
    if (!may_use(p, thread, v->owner))
        return;
    if (is_last || w->type != v->type || !may_use(p, thread, w->owner))
        printf("    memset(&%s, 0, sizeof %s);\n", v->name, v->name);
    else if (one_in(p, 2) || p->types[v->type].kind == KIND_ARRAY)
        printf("    memcpy(&%s, &%s, sizeof %s);\n", v->name, w->name, v->name);
    else
        printf("    %s = %s;\n", w->name, v->name);
}

/* A loop over an array of integers. */
static void fill(struct program *p, unsigned thread)
{
    const struct variable *v = &p->variables[below(p, p->n_variables)];
    const struct type *t = &p->types[v->type];
    if (!may_use(p, thread, v->owner) || t->kind != KIND_ARRAY ||
        p->types[t->of].kind != KIND_INT)
        return;
    printf("    for (unsigned i = 0; i < %u; i++)\n        %s[i] %s (%s)(%u"
           "%s);\n",
           t->n, v->name, one_in(p, 3) ? "^=" : "=", p->types[t->of].name,
           below(p, 100), one_in(p, 2) ? " + i" : "");
}

/* Through a pointer, in a function that is not inlined. */
static void call(struct program *p, unsigned thread)
{
    const struct leaf *l = pick_leaf(p, thread, KIND_INT);
    if (l && !l->bits && strcmp(p->types[l->type].name, "int") == 0)
        printf("    %s(&%s);\n", one_in(p, 2) ? "step_on" : "step_back",
               l->path);
}

static void use_shared(struct program *p, unsigned thread)
{
    const struct leaf *l = pick_leaf(p, thread, KIND_INT);
    unsigned n = 1 + below(p, 9);
    if (p->mode == MODE_LOCK) {
        printf("    pthread_mutex_lock(&lock);\n");
        printf("    shared_%u = shared_%u * %u + %u;\n", p->number, p->number,
               1 + below(p, 3), n);
        if (l)
            printf("    %s = (%s)(shared_%u);\n", l->path,
                   p->types[l->type].name, p->number);
        printf("    pthread_mutex_unlock(&lock);\n");
        return;
    }
    switch (below(p, l ? 5 : 3)) {
    case 0:
        printf("    atomic_store(&x_%u, %u);\n", p->number, n);
        break;
    case 1:
        printf("    atomic_fetch_add(&y_%u, %u);\n", p->number, n);
        break;
    case 2:
        printf("    atomic_exchange(&x_%u, %u);\n", p->number, n);
        break;
    case 3:
        assert(l);
        printf("    %s = (%s)atomic_load(&x_%u);\n", l->path,
               p->types[l->type].name, p->number);
        break;
    default:
        assert(l);
        printf("    %s = (%s)atomic_fetch_or(&y_%u, %u);\n", l->path,
               p->types[l->type].name, p->number, n);
    }
}

static void statement(struct program *p, unsigned thread)
{
    switch (below(p, 10)) {
    case 0:
        copy(p, thread);
        break;
    case 1:
        fill(p, thread);
        break;
    case 2:
        call(p, thread);
        break;
    case 3:
    case 4:
    case 5:
        derive(p, thread);
        break;
    default:
        store(p, thread);
    }
}

/* The last store of a thread, where the fault is. */
static void plant(struct program *p, unsigned thread)
{
    const struct leaf *l = NULL;
    unsigned n = below(p, 1000) & ~1u;
    for (unsigned tries = 0; tries < 100 && (!l || l->in_union); tries++)
        l = pick_leaf(p, thread, KIND_ARRAY);
    if (!l || l->in_union) {
        printf("    observe(\"planted\", PLANT(1, 2));\n");
        return;
    }
    printf("    %s = PLANT(", l->path);
    /* What is right is not zero: of a static variable that does not change,
     * the compiler leaves out a wrong store as any other. */
    print_value(p, l, n + 1);
    printf(", ");
    print_value(p, l, n);
    printf(");\n");
}

/* ---- programs */

static void write_thread(struct program *p, unsigned thread)
{
    printf("static void *thread%u_%u(void *unused)\n{\n", thread, p->number);
    for (unsigned i = 0; i < p->n_variables; i++)
        if (p->variables[i].is_local && p->variables[i].owner == thread)
            print_variable(p, &p->variables[i], "    static ");
    for (unsigned n = 3 + below(p, 6); n > 0; n--)
        statement(p, thread);
    if (p->mode == MODE_LOCK || p->mode == MODE_ATOMIC)
        use_shared(p, thread);
    if (p->mode == MODE_ATOMIC && p->n_threads < 3)
        use_shared(p, thread);
    for (unsigned n = below(p, 3); n > 0; n--)
        statement(p, thread);
    if (thread + 1 == p->n_threads)
        plant(p, thread);
    printf("    return unused;\n}\n\n");
}

static void write_program(uint64_t seed, unsigned number)
{
    struct program *p = calloc(1, sizeof *p);
    if (!p)
        abort();
    p->random = (seed * 1000003 + number + 1) * 0x9e3779b97f4a7c15u | 1;
    for (int i = 0; i < 8; i++)
        below(p, 2);
    p->number = number;
    p->mode = (enum mode)below(p, MODES);
    p->n_threads = 1 + below(p, p->mode == MODE_LOCK ? 2 : 3);
    if (p->mode == MODE_IN_TURN)
        p->n_threads = 2;
    make_types(p);
    make_variables(p);
    printf("static unsigned shared_%u;\nstatic atomic_uint x_%u, y_%u;\n\n",
           number, number, number);
    for (unsigned i = 0; i < p->n_threads; i++)
        write_thread(p, i);
    printf("int test_%u(void)\n{\n    pthread_t t[%u];\n", number,
           p->n_threads);
    for (unsigned i = 0; i < p->n_threads; i++) {
        printf("    pthread_create(&t[%u], NULL, thread%u_%u, NULL);\n", i, i,
               number);
        if (p->mode == MODE_IN_TURN)
            printf("    pthread_join(t[%u], NULL);\n", i);
    }
    for (unsigned i = 0; p->mode != MODE_IN_TURN && i < p->n_threads; i++)
        printf("    pthread_join(t[%u], NULL);\n", i);
    printf("    return (int)(shared_%u %% 3);\n}\n\n", number);
    free(p);
}

int main(int argc, char **argv)
{
    if (argc != 3) {
        fprintf(stderr, "random_c <seed> <n>\n");
        return 2;
    }
    uint64_t seed = strtoull(argv[1], NULL, 10);
    unsigned n = (unsigned)strtoul(argv[2], NULL, 10);
    printf("/* random_c %s %s */\n#include \"ordinary.h\"\n\n", argv[1],
           argv[2]);
    printf("typedef void step_f(int *);\nstatic int pool[4];\n"
           "static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;\n\n"
           "static __attribute__((noinline)) void step_on(int *at)\n{\n"
           "    *at = (int)((unsigned)*at + 1);\n}\n\n"
           "static __attribute__((noinline)) void step_back(int *at)\n{\n"
           "    *at = (int)(3 * (unsigned)*at - 1);\n}\n\n");
    for (unsigned i = 0; i < n; i++)
        write_program(seed, i);
    printf("int main(void)\n{\n    (void)pool;\n    (void)lock;\n    "
           "step_on(pool);\n    step_back(pool);\n    return 0;\n}\n");
    return 0;
}
