#include "mappings/mapping.h"

#include "core/embedded.h"
#include "core/mem.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define FILE_BYTES_MAX (1 << 20)
#define BUILT_IN       "built-in:"
#define LIKE_DEPTH_MAX 16

const char *const map_op_names[] = {
    "load",       "store",      "fence",     "cas",       "idempotent",
    "exchange",   "fetch_add",  "fetch_sub", "fetch_and", "fetch_or",
    "fetch_xor",  "fetch_nand", "fetch_max", "fetch_min", "fetch_umax",
    "fetch_umin", NULL};
const char *const map_order_names[] = {
    "plain", "relaxed", "acquire", "release", "acq_rel", "seq_cst", NULL};

bool map_has_order(enum map_op op, enum map_order order)
{
    switch (order) {
    case MAP_PLAIN:
        return op == MAP_LOAD || op == MAP_STORE;
    case MAP_RELAXED:
        return op != MAP_FENCE;
    case MAP_ACQUIRE:
        return op != MAP_STORE;
    case MAP_RELEASE:
        return op != MAP_LOAD;
    case MAP_ACQ_REL:
        return op != MAP_LOAD && op != MAP_STORE;
    case MAP_SEQ_CST:
        return true;
    case MAP_ORDERS:
        break;
    }
    return false;
}

/* ---- loading */

void map_init(struct mapping *m)
{
    memset(m, 0, sizeof *m);
    memset(m->rows, 0xff, sizeof m->rows); /* MAP_NONE */
    memset(m->ops, 0xff, sizeof m->ops);
}

static const char *find_built_in(const char *name)
{
    size_t n = strlen(name);
    for (const struct embedded_file *f = embedded_mappings; f->name; f++)
        if (strncmp(f->name, name, n) == 0 && strcmp(f->name + n, ".map") == 0)
            return f->text;
    return NULL;
}

static bool is_path(const char *name)
{
    size_t n = strlen(name);
    return strchr(name, '/') || (n > 4 && strcmp(name + n - 4, ".map") == 0);
}

/* The whole text, to be freed; NULL: err says why. */
static char *read_file(const char *path, struct err *err)
{
    FILE *f = fopen(path, "rb");
    if (!f) {
        err_set(err, ERR_INPUT, "cannot open '%s': %s", path, strerror(errno));
        return NULL;
    }
    char *text = mem_resize(NULL, FILE_BYTES_MAX + 1);
    size_t n = fread(text, 1, FILE_BYTES_MAX + 1, f);
    const char *trouble = ferror(f)               ? strerror(errno)
                          : n > FILE_BYTES_MAX    ? "it is too large"
                          : memchr(text, '\0', n) ? "it is no text file"
                                                  : NULL;
    fclose(f);
    if (trouble) {
        err_set(err, ERR_INPUT, "cannot read '%s': %s", path, trouble);
        free(text);
        return NULL;
    }
    text[n] = '\0';
    return text;
}

/* Is a file being read that it is to be like? Then it will never end. */
static bool check_chain(const struct map_chain *chain, struct err *err)
{
    int depth = 0;
    for (const struct map_chain *c = chain->of; c; c = c->of) {
        if (strcmp(c->file, chain->file) == 0)
            return err_set(err, ERR_INPUT, "'%s' is like itself", c->file);
        if (++depth == LIKE_DEPTH_MAX)
            return err_set(err, ERR_INPUT,
                           "too many mappings like one another");
    }
    return true;
}

static bool load_built_in(struct mapping *m, const char *name,
                          const struct map_chain *of, struct err *err)
{
    char file[128];
    const char *text = find_built_in(name);
    snprintf(file, sizeof file, BUILT_IN "%.100s.map", name);
    struct map_chain chain = {file, of};
    if (text)
        return check_chain(&chain, err) && map_read(m, &chain, text, err);
    return err_set(err, ERR_USAGE,
                   "unknown mapping '%.60s'; 'hwcheck mappings' lists them",
                   name);
}

static bool load_file(struct mapping *m, const char *path,
                      const struct map_chain *of, struct err *err)
{
    struct map_chain chain = {path, of};
    char *text = check_chain(&chain, err) ? read_file(path, err) : NULL;
    bool good = text && map_read(m, &chain, text, err);
    free(text);
    return good;
}

bool map_read_like(struct mapping *m, const char *name,
                   const struct map_chain *chain, struct err *err)
{
    const char *from = chain->file, *slash = strrchr(from, '/');
    bool built_in = strncmp(from, BUILT_IN, strlen(BUILT_IN)) == 0;
    int folder = slash && name[0] != '/' ? (int)(slash - from + 1) : 0;
    char path[4096];
    if (built_in || !is_path(name))
        return load_built_in(m, name, chain, err);
    int n = snprintf(path, sizeof path, "%.*s%s", folder, from, name);
    if (n < 0 || (size_t)n >= sizeof path)
        return err_set(err, ERR_INPUT, "the name of the file is too long");
    return load_file(m, path, chain, err);
}

/* The file's name without folder and ".map". */
static void set_name(struct mapping *m, const char *path)
{
    const char *slash = strrchr(path, '/');
    const char *base = slash ? slash + 1 : path;
    size_t n = strlen(base);
    if (n > 4 && strcmp(base + n - 4, ".map") == 0)
        n -= 4;
    snprintf(m->name, sizeof m->name, "%.*s", n < 60 ? (int)n : 60, base);
}

bool mapping_load(struct mapping *m, const char *name_or_path, struct err *err)
{
    map_init(m);
    set_name(m, name_or_path);
    return is_path(name_or_path) ? load_file(m, name_or_path, NULL, err)
                                 : load_built_in(m, name_or_path, NULL, err);
}

bool mapping_load_text(struct mapping *m, const char *name, const char *text,
                       struct err *err)
{
    char file[128];
    snprintf(file, sizeof file, BUILT_IN "%.100s", name);
    struct map_chain chain = {file, NULL};
    map_init(m);
    set_name(m, name);
    return map_read(m, &chain, text, err);
}

void mapping_release(struct mapping *m)
{
    free(m->title);
    free(m->source);
    free(m->bad);
    free(m->flags);
    free(m->cites);
    free(m->isas);
    for (uint32_t i = 0; i < m->n_files; i++)
        free(m->files[i]);
    free(m->files);
    for (unsigned i = 0; i < m->n_templates; i++)
        free(m->templates[i].text);
    free(m->templates);
    memset(m, 0, sizeof *m);
}

/* ---- asking */

const struct map_template *mapping_find(const struct mapping *m,
                                        const struct map_key *k)
{
    const uint16_t *cells = m->rows[k->op][k->order][k->failure][k->width];
    uint16_t i = k->unused && cells[1] != MAP_NONE ? cells[1] : cells[0];
    return i == MAP_NONE ? NULL : &m->templates[i];
}

/* A text with room for MAP_TEMPLATE_MAX bytes. */
struct buffer {
    char *text;
    size_t n;
    bool full;
};

static void put(struct buffer *b, char c)
{
    if (b->n + 1 < MAP_TEMPLATE_MAX)
        b->text[b->n++] = c;
    else
        b->full = true;
}

/* The choice of {a|b|c|d} for a width; returns the place after it. */
static const char *put_choice(struct buffer *b, const char *c, unsigned width)
{
    unsigned at = 0;
    for (c++; *c && *c != '}'; c++)
        if (*c == '|')
            at++;
        else if (at == width)
            put(b, *c);
    return *c ? c + 1 : c;
}

static void expand(const struct mapping *m, const struct map_key *key,
                   const char *c, struct buffer *b, int depth)
{
    bool has_op = m->ops[key->op] != MAP_NONE;
    while (*c) {
        if (*c == '{') {
            c = put_choice(b, c, key->width);
        } else if (strncmp(c, "@op", 3) == 0 && depth == 0) {
            if (has_op)
                expand(m, key, m->templates[m->ops[key->op]].text, b, 1);
            c += 3;
        } else if (c[0] == '%' && (c[1] == 'n' || c[1] == 'N')) {
            const char *new = key->op == MAP_EXCHANGE ? "vV" : "tT";
            put(b, '%');
            put(b, new[c[1] == 'N']);
            c += 2;
        } else {
            if (*c == '%' && c[1]) /* so that %%n is not seen as %n */
                put(b, *c++);
            put(b, *c++);
        }
    }
}

bool mapping_expand(const struct mapping *m, const struct map_key *key,
                    const struct map_template *t, char *buf, struct err *err)
{
    struct buffer b = {.text = buf};
    expand(m, key, t->text, &b, 0);
    buf[b.n] = '\0';
    if (!b.full)
        return true;
    return err_set(err, ERR_INPUT, "%s:%u:%u: the instructions are too long",
                   m->files[t->file], t->line, t->column);
}

void mapping_place(const struct mapping *m, const struct map_template *t,
                   char *buf, size_t cap)
{
    snprintf(buf, cap, "%s:%u", m->files[t->file], t->line);
}

void mapping_print_key(const struct map_key *k, char *buf, size_t cap)
{
    const char *op = map_op_names[k->op], *order = map_order_names[k->order];
    const char *unused = k->unused ? " noreturn" : "";
    if (k->op == MAP_FENCE)
        snprintf(buf, cap, "%s %s", op, order);
    else if (k->op == MAP_CAS)
        snprintf(buf, cap, "%s %s %s %u", op, order,
                 map_order_names[k->failure], 8u << k->width);
    else
        snprintf(buf, cap, "%s %s %u%s", op, order, 8u << k->width, unused);
}

bool map_has_name(const char *names, const char *name)
{
    size_t n = strlen(name);
    for (; *names; names += strspn(names, " ")) {
        size_t length = strcspn(names, " ");
        if (length == n && memcmp(names, name, n) == 0)
            return true;
        names += length;
    }
    return false;
}

bool mapping_has_isa(const struct mapping *m, const char *isa)
{
    return map_has_name(m->isas, isa);
}

bool mapping_has_plain(const struct mapping *m)
{
    for (int op = MAP_LOAD; op <= MAP_STORE; op++)
        for (int w = 0; w < MAP_WIDTHS; w++)
            if (m->rows[op][MAP_PLAIN][MAP_PLAIN][w][0] != MAP_NONE)
                return true;
    return false;
}

bool mapping_for_each(void (*visit)(void *self, const struct mapping *m),
                      void *self, struct err *err)
{
    for (const struct embedded_file *f = embedded_mappings; f->name; f++) {
        struct mapping m;
        char name[128];
        snprintf(name, sizeof name, "%.*s",
                 (int)((strlen(f->name) - strlen(".map")) & 127), f->name);
        bool good = mapping_load(&m, name, err);
        if (good)
            visit(self, &m);
        mapping_release(&m);
        if (!good)
            return false;
    }
    return true;
}

/* ---- printing */

static void print_lines(FILE *out, const char *keyword, const char *text)
{
    for (size_t n; text && *text; text += n + (text[n] == '\n')) {
        n = strcspn(text, "\n");
        fprintf(out, "%-7s %.*s\n", keyword, (int)n, text);
    }
}

/* "8,32 " for the widths that have the template of `width`, '*' for all; ""
 * if a smaller one has had it. */
static void print_widths(const uint16_t (*cells)[2], bool unused,
                         unsigned width, char *buf, size_t cap)
{
    unsigned n_same = 0;
    size_t n = 0;
    buf[0] = '\0';
    for (unsigned w = 0; w < MAP_WIDTHS; w++) {
        if (cells[w][unused] != cells[width][unused])
            continue;
        if (w < width) {
            buf[0] = '\0';
            return;
        }
        n += (size_t)snprintf(buf + n, cap - n, "%s%u", n_same ? "," : "",
                              8u << w);
        n_same++;
    }
    if (n_same == MAP_CHOICES && width == 0)
        snprintf(buf, cap, "*");
}

static void print_row(const struct mapping *m, const struct map_key *key,
                      uint32_t *file, FILE *out)
{
    const uint16_t(*cells)[2] = m->rows[key->op][key->order][key->failure];
    uint16_t index = cells[key->width][key->unused];
    char widths[40] = "", left[100];
    if (index == MAP_NONE)
        return;
    if (key->op != MAP_FENCE) {
        print_widths(cells, key->unused, key->width, widths, sizeof widths);
        if (!widths[0])
            return;
    }
    const struct map_template *t = &m->templates[index];
    if (*file != t->file)
        fprintf(out, "# rows of %s\n", m->files[ *file = t->file]);
    snprintf(left, sizeof left, "%s %s%s%s%s%s%s", map_op_names[key->op],
             map_order_names[key->order], key->op == MAP_CAS ? " " : "",
             key->op == MAP_CAS ? map_order_names[key->failure] : "",
             widths[0] ? " " : "", widths, key->unused ? " noreturn" : "");
    fprintf(out, "%-27s = %s\n", left, t->text[0] ? t->text : "-");
}

void mapping_print(const struct mapping *m, FILE *out)
{
    uint32_t file = UINT32_MAX;
    print_lines(out, "title", m->title);
    print_lines(out, "source", m->source);
    print_lines(out, "isa", m->isas);
    print_lines(out, "cite", m->cites);
    print_lines(out, "bad", m->bad);
    print_lines(out, "flags", m->flags);
    fputc('\n', out);
    for (int i = 0; i < MAP_OPS; i++)
        if (m->ops[i] != MAP_NONE)
            fprintf(out, "op %-24s = %s\n", map_op_names[i],
                    m->templates[m->ops[i]].text);
    for (unsigned i = 0; i < MAP_OPS * MAP_ORDER_PAIRS; i++)
        for (unsigned w = 0; w < MAP_WIDTHS * 2; w++) {
            struct map_key key = {
                .op = (enum map_op)(i / MAP_ORDER_PAIRS),
                .order = (enum map_order)(i / MAP_ORDERS % MAP_ORDERS),
                .failure = (enum map_order)(i % MAP_ORDERS),
                .width = w / 2,
                .unused = w % 2};
            print_row(m, &key, &file, out);
        }
}
