/* The DAG of a compiled file: equal nodes are made once. */
#include "models/cat/plan/cat_compile.h"

#include "core/mem.h"

#include <stdlib.h>
#include <string.h>

static uint32_t hash(const struct cat_node *n)
{
    uint64_t h = n->op * 0x9e3779b97f4a7c15u + n->set;
    h = (h ^ n->a) * 0xff51afd7ed558ccdu;
    h = (h ^ h >> 32 ^ n->b) * 0xc4ceb9fe1a85ec53u;
    return (uint32_t)(h >> 32);
}

static uint32_t *slot(const struct cat_code *code, const struct cat_node *n)
{
    for (uint32_t i = hash(n);; i++) {
        uint32_t *s = &code->table[i & (code->table_cap - 1)];
        if (*s == 0)
            return s;
        const struct cat_node *m = &code->nodes[*s - 1];
        if (m->op == n->op && m->set == n->set && m->a == n->a && m->b == n->b)
            return s;
    }
}

static void grow_table(struct cat_code *code)
{
    uint32_t cap = code->table_cap ? 2 * code->table_cap : 256;
    size_t bytes = cap * sizeof *code->table;
    code->table = memset(mem_resize(code->table, bytes), 0, bytes);
    code->table_cap = cap;
    for (uint32_t i = 0; i < code->n; i++)
        *slot(code, &code->nodes[i]) = i + 1;
}

static bool has_operands(enum cat_op op)
{
    return op != CAT_TAG && op != CAT_DEP && op != CAT_VARIABLE &&
           op != CAT_FIX;
}

cat_id cat_node(struct cat_code *code, enum cat_op op, bool set, cat_id a,
                cat_id b)
{
    struct cat_node n = {.op = (uint8_t)op, .set = set, .a = a, .b = b};
    if (op == CAT_VARIABLE)
        n.group = a + 1;
    for (int side = 0; side < 2 && has_operands(op); side++) {
        cat_id child = side ? b : a;
        if (child == CAT_NONE)
            continue;
        const struct cat_node *m = &code->nodes[child];
        if (m->depth >= n.depth)
            n.depth = (uint16_t)(m->depth + 1);
        if (m->group && (!n.group || m->group < n.group))
            n.group = m->group;
    }
    if (2 * code->n >= code->table_cap)
        grow_table(code);
    uint32_t *s = slot(code, &n);
    if (*s == 0) {
        code->nodes =
            mem_room(code->nodes, code->n, &code->cap, sizeof *code->nodes);
        code->nodes[code->n++] = n;
        *s = code->n;
    }
    return *s - 1;
}

bool cat_mentions(const struct cat_code *code, cat_id node, uint64_t tags)
{
    bool *part = mem_resize(NULL, code->n * sizeof *part), found = false;
    memset(part, 0, code->n * sizeof *part);
    part[node] = true;
    for (cat_id i = node + 1; i-- > 0;) {
        const struct cat_node *n = &code->nodes[i];
        if (!part[i])
            continue;
        if (n->op == CAT_TAG)
            found |= tags >> n->a & 1;
        if (n->op == CAT_FIX)
            for (uint32_t k = 0; k < code->groups[n->a].n; k++)
                part[code->bodies[code->groups[n->a].first + k]] = true;
        if (cat_has_operands(n)) {
            part[n->a] = true;
            if (n->b != CAT_NONE)
                part[n->b] = true;
        }
    }
    free(part);
    return found;
}

char *cat_keep_string(struct cat_code *code, const char *text, uint32_t length)
{
    char *s = mem_resize(NULL, length + 1);
    memcpy(s, text, length);
    s[length] = '\0';
    code->strings = mem_room(code->strings, code->n_strings, &code->strings_cap,
                             sizeof *code->strings);
    return code->strings[code->n_strings++] = s;
}

void cat_code_release(struct cat_code *code)
{
    for (uint32_t i = 0; i < code->n_strings; i++)
        free(code->strings[i]);
    free(code->strings);
    free(code->nodes);
    free(code->groups);
    free(code->bodies);
    free(code->checks);
    free(code->table);
    *code = (struct cat_code){0};
}
