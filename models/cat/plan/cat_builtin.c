#include "models/cat/plan/cat_builtin.h"

#include "core/graph.h"

#include <stddef.h>
#include <string.h>

static bool same(const char *name, uint32_t length, const char *text)
{
    return strlen(text) == length && memcmp(name, text, length) == 0;
}

static cat_id rel(struct cat_code *c, enum cat_op op, cat_id a, cat_id b)
{
    return cat_node(c, op, false, a, b);
}
static cat_id base(struct cat_code *c, enum cat_op op)
{
    return rel(c, op, CAT_NONE, CAT_NONE);
}
static cat_id tag(struct cat_code *c, enum event_tag t)
{
    return cat_node(c, CAT_TAG, true, (cat_id)t, CAT_NONE);
}
static cat_id memory(struct cat_code *c)
{
    return cat_node(c, CAT_UNION, true, tag(c, TAG_R), tag(c, TAG_W));
}
static cat_id fr(struct cat_code *c)
{
    cat_id from = rel(c, CAT_INVERSE, base(c, CAT_RF), CAT_NONE);
    cat_id r = rel(c, CAT_SEQ, from, base(c, CAT_CO));
    return rel(c, CAT_DIFF, r, base(c, CAT_ID));
}

/* herd's constraint that initial writes come first and final ones last. */
static cat_id co0(struct cat_code *c)
{
    cat_id w = tag(c, TAG_W);
    cat_id iw = cat_node(c, CAT_INIT, true, CAT_NONE, CAT_NONE);
    cat_id fw = cat_node(c, CAT_FINAL, true, CAT_NONE, CAT_NONE);
    cat_id first = rel(c, CAT_PRODUCT, iw, cat_node(c, CAT_DIFF, true, w, iw));
    cat_id last = rel(c, CAT_PRODUCT, cat_node(c, CAT_DIFF, true, w, fw), fw);
    return rel(c, CAT_INTER, base(c, CAT_LOC), rel(c, CAT_UNION, first, last));
}

enum builtin {
    B_UNIVERSE,
    B_EMPTY_SET,
    B_MEMORY,
    B_INIT,
    B_FINAL,
    B_PLAIN,
    B_BASE, /* op says which */
    B_PO_LOC,
    B_FR,
    B_INTERNAL, /* & int */
    B_EXTERNAL, /* & ext */
    B_FR_INTERNAL,
    B_FR_EXTERNAL,
    B_NO_REL,
    B_DEPS,
    B_DEPS_OF_WRITES, /* what a swap compares with is no data of its read */
    B_COM,
    B_CO0
};

static const struct {
    const char *name;
    enum builtin what;
    unsigned op; /* enum cat_op, or for B_DEPS enum graph_row */
} names[] = {
    {"_", B_UNIVERSE, 0},
    {"emptyset", B_EMPTY_SET, 0},
    {"M", B_MEMORY, 0},
    {"IW", B_INIT, 0},
    {"FW", B_FINAL, 0},
    {"P", B_PLAIN, 0},     /* plain accesses: those that are not atomic */
    {"B", B_EMPTY_SET, 0}, /* branches are no events here */
    {"CON", B_EMPTY_SET, 0},
    {"po", B_BASE, CAT_PO},
    {"sb", B_BASE, CAT_PO},
    {"rf", B_BASE, CAT_RF},
    {"co", B_BASE, CAT_CO},
    {"mo", B_BASE, CAT_CO},
    {"fr", B_FR, 0},
    {"rb", B_FR, 0},
    {"rmw", B_BASE, CAT_RMW},
    {"amo", B_BASE, CAT_RMW},
    {"lxsx", B_NO_REL, 0}, /* the graph does not tell them from amo yet */
    {"loc", B_BASE, CAT_LOC},
    {"int", B_BASE, CAT_INT},
    {"ext", B_BASE, CAT_EXT},
    {"id", B_BASE, CAT_ID},
    {"po-loc", B_PO_LOC, 0},
    {"rfi", B_INTERNAL, CAT_RF},
    {"rfe", B_EXTERNAL, CAT_RF},
    {"coi", B_INTERNAL, CAT_CO},
    {"coe", B_EXTERNAL, CAT_CO},
    {"fri", B_FR_INTERNAL, 0},
    {"fre", B_FR_EXTERNAL, 0},
    {"addr", B_DEPS, ROW_ADDR},
    {"data", B_DEPS, ROW_DATA},
    {"ctrl", B_DEPS, ROW_CTRL},
    {"paddr", B_DEPS, ROW_PICK_ADDR},
    {"pdata", B_DEPS_OF_WRITES, ROW_PICK_DATA},
    {"pctrl", B_DEPS, ROW_PICK_CTRL},
    {"com", B_COM, 0},
    {"co0", B_CO0, 0},
};
enum { N_NAMES = sizeof names / sizeof names[0] };

static cat_id make(struct cat_code *c, uint32_t i)
{
    enum cat_op op = (enum cat_op)names[i].op;
    cat_id n = CAT_NONE;
    switch (names[i].what) {
    case B_UNIVERSE:
        return cat_node(c, CAT_UNIVERSE, true, n, n);
    case B_EMPTY_SET:
        return cat_node(c, CAT_EMPTY, true, n, n);
    case B_MEMORY:
        return memory(c);
    case B_INIT:
        return cat_node(c, CAT_INIT, true, n, n);
    case B_FINAL:
        return cat_node(c, CAT_FINAL, true, n, n);
    case B_PLAIN:
        return tag(c, TAG_NA);
    case B_BASE:
        return base(c, op);
    case B_PO_LOC:
        return rel(c, CAT_INTER, base(c, CAT_PO), base(c, CAT_LOC));
    case B_FR:
        return fr(c);
    case B_INTERNAL:
        return rel(c, CAT_INTER, base(c, op), base(c, CAT_INT));
    case B_EXTERNAL:
        return rel(c, CAT_INTER, base(c, op), base(c, CAT_EXT));
    case B_FR_INTERNAL:
        return rel(c, CAT_INTER, fr(c), base(c, CAT_INT));
    case B_FR_EXTERNAL:
        return rel(c, CAT_INTER, fr(c), base(c, CAT_EXT));
    case B_DEPS:
        c->needs_deps = true;
        c->orders_picks |= names[i].op == ROW_PICK_ADDR;
        return rel(c, CAT_DEP, names[i].op, CAT_NONE);
    case B_DEPS_OF_WRITES:
        c->needs_deps = true;
        n = rel(c, CAT_TOID, tag(c, TAG_W), CAT_NONE);
        return rel(c, CAT_SEQ, rel(c, CAT_DEP, names[i].op, CAT_NONE), n);
    case B_NO_REL:
        return base(c, CAT_EMPTY);
    case B_COM:
        n = rel(c, CAT_UNION, base(c, CAT_RF), base(c, CAT_CO));
        return rel(c, CAT_UNION, n, fr(c));
    case B_CO0:
        return co0(c);
    }
    return n;
}

cat_id cat_builtin(struct cat_code *code, const char *name, uint32_t length)
{
    for (unsigned t = 0; t < TAG_COUNT; t++)
        if (same(name, length, event_tag_name((enum event_tag)t)))
            return tag(code, (enum event_tag)t);
    for (uint32_t i = 0; i < N_NAMES; i++)
        if (same(name, length, names[i].name)) {
            cat_id n = make(code, i);
            if (!code->nodes[n].name)
                code->nodes[n].name = names[i].name;
            return n;
        }
    return CAT_NONE;
}

static const struct {
    const char *name, *kinds;
} functions[] = {
    {"domain", "r"}, {"range", "r"},    {"inverse", "r"},
    {"toid", "s"},   {"fencerel", "s"}, {"cross", "ss"},
};
enum { N_FUNCTIONS = sizeof functions / sizeof functions[0] };

bool cat_builtin_function(const char *name, uint32_t length, const char **kinds)
{
    for (unsigned i = 0; i < N_FUNCTIONS; i++)
        if (same(name, length, functions[i].name)) {
            *kinds = functions[i].kinds;
            return true;
        }
    return false;
}

cat_id cat_builtin_apply(struct cat_code *code, const char *name,
                         uint32_t length, const cat_id *arguments)
{
    cat_id x = arguments[0];
    if (same(name, length, "domain"))
        return cat_node(code, CAT_DOMAIN, true, x, CAT_NONE);
    if (same(name, length, "range"))
        return cat_node(code, CAT_RANGE, true, x, CAT_NONE);
    if (same(name, length, "inverse"))
        return rel(code, CAT_INVERSE, x, CAT_NONE);
    if (same(name, length, "cross"))
        return rel(code, CAT_PRODUCT, x, arguments[1]);
    cat_id id = rel(code, CAT_TOID, x, CAT_NONE);
    if (same(name, length, "toid"))
        return id;
    /* fencerel(F): what has an F between it, po;[F];po */
    cat_id po = base(code, CAT_PO);
    return rel(code, CAT_SEQ, rel(code, CAT_SEQ, po, id), po);
}

const char *cat_builtin_unsupported(const char *name, uint32_t length)
{
    static const char *const known[] = {
        "linearisations",   "generate_orders", "generate_cos", "classes",
        "classes-loc",      "partition",       "tag2scope",    "tag2fence",
        "tag2instrs",       "tag2level",       "fold",         "map",
        "different-values", "iico_data",       "iico_ctrl",    "iico_order",
        "rf-reg",           "same-instance",   "sm",           "si",
        "partial_po",
    };
    for (unsigned i = 0; i < sizeof known / sizeof known[0]; i++)
        if (same(name, length, known[i]))
            return known[i];
    return NULL;
}

const char *cat_builtin_name(uint32_t i)
{
    if (i < N_NAMES)
        return names[i].name;
    i -= N_NAMES;
    if (i < TAG_COUNT)
        return event_tag_name((enum event_tag)i);
    i -= TAG_COUNT;
    return i < N_FUNCTIONS ? functions[i].name : NULL;
}

/* Edit distance of short words, or something large. */
static unsigned distance(const char *a, uint32_t n, const char *b, uint32_t m)
{
    enum { LONGEST = 24 };
    if (n > LONGEST || m > LONGEST)
        return LONGEST;
    unsigned row[LONGEST + 1];
    for (unsigned j = 0; j <= m; j++)
        row[j] = j;
    for (unsigned i = 1; i <= n; i++) {
        unsigned diagonal = row[0];
        row[0] = i;
        for (unsigned j = 1; j <= m; j++) {
            unsigned d = diagonal + (a[i - 1] != b[j - 1]);
            diagonal = row[j];
            if (row[j] + 1 < d)
                d = row[j] + 1;
            if (row[j - 1] + 1 < d)
                d = row[j - 1] + 1;
            row[j] = d;
        }
    }
    return row[m];
}

void cat_closest_try(struct cat_closest *best, const char *name,
                     uint32_t length, const char *other, uint32_t other_length)
{
    unsigned limit = length < 3 ? 2 : length / 3 + 1;
    if (limit > 3)
        limit = 3;
    if (best->name && best->distance < limit)
        limit = best->distance;
    unsigned d = distance(name, length, other, other_length);
    if (d < limit)
        *best = (struct cat_closest){other, other_length, d};
}
