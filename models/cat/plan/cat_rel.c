/* Constructors simplify as they build: operands of |, & and ; are flat lists,
 * those of | and & sorted and without doubles, and the shapes of fr and eco are
 * recognised however a file spells them. */
#include "models/cat/plan/cat_rel.h"

#include "core/mem.h"

#include <stdlib.h>
#include <string.h>

enum { BASE_COUNT = REL_OP_TOID };

static const uint32_t base_is[BASE_COUNT] = {
#define X(id, attributes) attributes,
    REL_BASES(X)
#undef X
};

void cat_rels_init(struct cat_rels *r, bool in_order, bool coherent)
{
    *r = (struct cat_rels){.in_order = in_order, .coherent = coherent};
    for (unsigned i = 0; i < BASE_COUNT; i++) {
        r->nodes = mem_room(r->nodes, r->n, &r->cap, sizeof *r->nodes);
        r->nodes[r->n++] = (struct cat_rel){
            .op = (uint8_t)i, .is = base_is[i], .row = -1, .within = -1};
    }
    r->nodes[REL_OP_EMPTY].required = UINT64_MAX;
    r->nodes[REL_OP_OPAQUE].is = REL_BLIND | REL_INIT;
}

void cat_rels_release(struct cat_rels *r)
{
    free(r->nodes);
    free(r->kids);
    free(r->sets);
    free(r->fixes);
    free(r->bodies);
    free(r->members);
    *r = (struct cat_rels){0};
}

uint32_t rel_keep_set(struct cat_rels *r, const struct cat_set *set)
{
    for (uint32_t i = 0; i < r->n_sets; i++)
        if (cat_set_equal(&r->sets[i], set))
            return i;
    r->sets = mem_room(r->sets, r->n_sets, &r->sets_cap, sizeof *r->sets);
    r->sets[r->n_sets] = *set;
    return r->n_sets++;
}

static rel_id node(struct cat_rels *r, enum rel_op op, unsigned is,
                   const rel_id *kids, uint32_t n)
{
    for (rel_id i = BASE_COUNT; i < r->n; i++) {
        const struct cat_rel *x = &r->nodes[i];
        if (x->op == op && x->n == n && n &&
            memcmp(r->kids + x->first, kids, n * sizeof *kids) == 0)
            return i;
    }
    struct cat_rel x = {.op = (uint8_t)op, .row = -1, .within = -1, .n = n};
    if (is & REL_SINK && is & REL_STRICT)
        is |= REL_LATE;
    x.is = is;
    x.required = rel_required(r, op, kids, n);
    x.products = op == REL_OP_UNION;
    uint32_t size = 1;
    x.first = r->n_kids;
    for (uint32_t i = 0; i < n; i++) {
        x.products = x.products && r->nodes[kids[i]].op == REL_OP_PRODUCT;
        size += r->nodes[kids[i]].size;
        if (r->nodes[kids[i]].depth >= x.depth)
            x.depth = (uint16_t)(r->nodes[kids[i]].depth + 1);
        r->kids = mem_room(r->kids, r->n_kids, &r->kids_cap, sizeof *r->kids);
        r->kids[r->n_kids++] = kids[i];
    }
    if (size > REL_SIZE_MAX) {
        size = REL_SIZE_MAX + 1;
        x.is |= REL_BLIND;
    }
    x.size = (uint16_t)size;
    r->nodes = mem_room(r->nodes, r->n, &r->cap, sizeof *r->nodes);
    r->nodes[r->n] = x;
    return r->n++;
}

static rel_id leaf(struct cat_rels *r, enum rel_op op, unsigned is, uint32_t a,
                   uint32_t b)
{
    for (rel_id i = BASE_COUNT; i < r->n; i++) {
        const struct cat_rel *x = &r->nodes[i];
        if (x->op == op && x->n == 0 && x->a == a && x->b == b)
            return i;
    }
    rel_id n = node(r, op, is, NULL, 0);
    r->nodes[n].a = a;
    r->nodes[n].b = b;
    return n;
}

rel_id rel_opaque(struct cat_rels *r, unsigned is)
{
    return leaf(r, REL_OP_OPAQUE, is | REL_BLIND | REL_INIT, r->n, 0);
}

rel_id rel_variables(struct cat_rels *r, uint32_t n, unsigned is)
{
    rel_id first = leaf(r, REL_OP_VARIABLE, is, r->n, 0);
    for (uint32_t i = 1; i < n; i++)
        leaf(r, REL_OP_VARIABLE, is, r->n, 0);
    return first;
}

rel_id rel_toid(struct cat_rels *r, struct cat_set set)
{
    unsigned is = r->nodes[REL_OP_ID].is;
    if (set.opaque)
        return rel_opaque(r, REL_SINK | REL_SOURCE |
                                 (set.grows ? REL_GROWS : 0u) |
                                 (set.shrinks ? REL_SHRINKS : 0u));
    if (set.n == 0 && set.init)
        return rel_base(REL_OP_ID);
    if (cat_set_is_none(&set) && !set.init)
        return rel_base(REL_OP_EMPTY);
    if (!set.init)
        is &= ~(unsigned)REL_INIT_SELF;
    rel_id n = leaf(r, REL_OP_TOID, is, rel_keep_set(r, &set), 0);
    r->nodes[n].required = cat_set_common(&set);
    return n;
}

rel_id rel_members(struct cat_rels *r, enum members_kind kind, rel_id of,
                   struct cat_set set)
{
    uint32_t i = 0;
    while (i < r->n_members &&
           (r->members[i].kind != kind || r->members[i].of != of))
        i++;
    if (i == r->n_members) {
        r->members = mem_room(r->members, r->n_members, &r->members_cap,
                              sizeof *r->members);
        r->members[r->n_members++] = (struct cat_members){kind, of};
    }
    unsigned is = REL_SINK | REL_SOURCE | REL_SYMMETRIC | REL_INIT_SELF |
                  REL_BLIND | (set.grows ? REL_GROWS : 0u) |
                  (set.shrinks ? REL_SHRINKS : 0u);
    rel_id n = leaf(r, REL_OP_MEMBERS, is, i, 0);
    if (of != REL_NONE)
        r->nodes[n].required = r->nodes[of].required;
    return n;
}

rel_id rel_product(struct cat_rels *r, struct cat_set a, struct cat_set b)
{
    if (a.opaque || b.opaque)
        return rel_opaque(r, (a.grows && b.grows ? REL_GROWS : 0u) |
                                 (a.shrinks && b.shrinks ? REL_SHRINKS : 0u));
    if ((cat_set_is_none(&a) && !a.init) || (cat_set_is_none(&b) && !b.init))
        return rel_base(REL_OP_EMPTY);
    unsigned is = REL_FROZEN | REL_EARLY | REL_PAIR;
    struct cat_set both = cat_set_and(a, b);
    is |= cat_set_is_none(&both) ? REL_STRICT : 0;
    is |= cat_set_equal(&a, &b) ? REL_SYMMETRIC : 0;
    is |= b.init ? REL_TO_INIT : 0;
    is |= a.init ? REL_FROM_INIT : 0;
    is |= a.init && b.init ? REL_INIT_SELF : 0;
    uint32_t x = rel_keep_set(r, &a), y = rel_keep_set(r, &b);
    rel_id n = leaf(r, REL_OP_PRODUCT, is, x, y);
    r->nodes[n].required = cat_set_common(&a) | cat_set_common(&b);
    return n;
}

/* Cheap and selective operands first: that is the order of evaluation. */
static unsigned rank(const struct cat_rels *r, rel_id n)
{
    enum rel_op op = (enum rel_op)r->nodes[n].op;
    if (op == REL_OP_TOID || op == REL_OP_ID || op == REL_OP_LOC)
        return 0;
    if (op == REL_OP_EXT || op == REL_OP_INT || op == REL_OP_PO)
        return 1;
    if (op == REL_OP_PRODUCT || r->nodes[n].products)
        return 2;
    return n < BASE_COUNT ? 3 : 4;
}

static bool before(const struct cat_rels *r, rel_id a, rel_id b)
{
    unsigned x = rank(r, a), y = rank(r, b);
    return x < y || (x == y && a < b);
}

/* A list of operands being gathered. */
struct gather {
    rel_id *items;
    uint32_t n;
    unsigned cap;
};

static void add_sorted(const struct cat_rels *r, struct gather *list, rel_id n)
{
    uint32_t at = list->n;
    for (uint32_t i = 0; i < list->n; i++)
        if (list->items[i] == n)
            return;
    list->items =
        mem_room(list->items, list->n, &list->cap, sizeof *list->items);
    while (at > 0 && before(r, n, list->items[at - 1])) {
        list->items[at] = list->items[at - 1];
        at--;
    }
    list->items[at] = n;
    list->n++;
}

/* Adds n, or the operands of n if it has this operator and no row. */
static void add_flat(const struct cat_rels *r, struct gather *list,
                     enum rel_op op, rel_id n)
{
    if (r->nodes[n].op != op || r->nodes[n].row >= 0) {
        add_sorted(r, list, n);
        return;
    }
    for (uint32_t i = 0; i < r->nodes[n].n; i++)
        add_sorted(r, list, rel_kids(r, n)[i]);
}

bool rel_has_part(const struct cat_rels *r, rel_id n, rel_id part)
{
    if (n == part)
        return true;
    if (r->nodes[n].op == REL_OP_OPT && part == rel_base(REL_OP_ID))
        return true;
    if (r->nodes[n].op != REL_OP_UNION)
        return false;
    for (uint32_t i = 0; i < r->nodes[n].n; i++)
        if (rel_kids(r, n)[i] == part)
            return true;
    return false;
}

static bool are_inverse(const struct cat_rels *r, rel_id a, rel_id b)
{
    const struct cat_rel *x = &r->nodes[a], *y = &r->nodes[b];
    if (a == b)
        return x->is & REL_SYMMETRIC;
    if (x->op == REL_OP_PRODUCT && y->op == REL_OP_PRODUCT)
        return x->a == y->b && x->b == y->a;
    return (x->op == REL_OP_INVERSE && rel_kids(r, a)[0] == b) ||
           (y->op == REL_OP_INVERSE && rel_kids(r, b)[0] == a);
}

static bool symmetric_union(const struct cat_rels *r, const struct gather *list)
{
    if (list->n > 16) /* enough for what people write */
        return false;
    for (uint32_t i = 0; i < list->n; i++) {
        bool found = false;
        for (uint32_t k = 0; k < list->n && !found; k++)
            found = are_inverse(r, list->items[i], list->items[k]);
        if (!found)
            return false;
    }
    return true;
}

/* rf | co;rf? | fr;rf? is another way to write eco. */
static bool is_eco(const struct cat_rels *r, const struct gather *list)
{
    bool rf = false, co = false, fr = false;
    for (uint32_t i = 0; i < list->n; i++) {
        rel_id n = list->items[i];
        rf = rf || n == REL_OP_RF;
        if (r->nodes[n].op != REL_OP_SEQ || r->nodes[n].n != 2)
            continue;
        const rel_id *kids = rel_kids(r, n);
        bool tail = r->nodes[kids[1]].op == REL_OP_OPT &&
                    rel_kids(r, kids[1])[0] == REL_OP_RF;
        co = co || (tail && kids[0] == REL_OP_CO);
        fr = fr || (tail && kids[0] == REL_OP_FR);
    }
    return list->n == 3 && rf && co && fr;
}

rel_id rel_union(struct cat_rels *r, const rel_id *kids, uint32_t n)
{
    struct gather list = {0};
    for (uint32_t i = 0; i < n; i++)
        if (kids[i] != REL_OP_EMPTY)
            add_flat(r, &list, REL_OP_UNION, kids[i]);
    rel_id result;
    if (list.n == 0) {
        result = rel_base(REL_OP_EMPTY);
    } else if (list.n == 1) {
        result = list.items[0];
    } else if (is_eco(r, &list)) {
        result = rel_base(REL_OP_ECO);
    } else {
        unsigned is = rel_traits_union(r, list.items, list.n);
        if (symmetric_union(r, &list))
            is |= REL_SYMMETRIC;
        result = node(r, REL_OP_UNION, is, list.items, list.n);
    }
    free(list.items);
    return result;
}

rel_id rel_join(struct cat_rels *r, rel_id a, rel_id b)
{
    rel_id both[] = {a, b};
    return rel_union(r, both, 2);
}

rel_id rel_inter(struct cat_rels *r, rel_id a, rel_id b)
{
    if (a == REL_OP_EMPTY || b == REL_OP_EMPTY)
        return rel_base(REL_OP_EMPTY);
    struct gather list = {0};
    add_flat(r, &list, REL_OP_INTER, a);
    add_flat(r, &list, REL_OP_INTER, b);
    rel_id result = list.n == 1 ? list.items[0]
                                : node(r, REL_OP_INTER,
                                       rel_traits_inter(r, list.items, list.n),
                                       list.items, list.n);
    free(list.items);
    return result;
}

/* Sequences are flat; filters that meet become one, rf^-1;co becomes fr. */
static void add_step(struct cat_rels *r, struct gather *list, rel_id n)
{
    if (n == REL_OP_ID)
        return;
    rel_id *last = list->n ? &list->items[list->n - 1] : NULL;
    if (last && r->nodes[n].op == REL_OP_TOID &&
        r->nodes[*last].op == REL_OP_TOID) {
        *last = rel_toid(
            r, cat_set_and(r->sets[r->nodes[*last].a], r->sets[r->nodes[n].a]));
        return;
    }
    if (last && n == REL_OP_CO && r->nodes[*last].op == REL_OP_INVERSE &&
        rel_kids(r, *last)[0] == REL_OP_RF) {
        *last = rel_base(REL_OP_FR);
        return;
    }
    list->items =
        mem_room(list->items, list->n, &list->cap, sizeof *list->items);
    list->items[list->n++] = n;
}

rel_id rel_seq(struct cat_rels *r, rel_id a, rel_id b)
{
    struct gather list = {0};
    rel_id both[] = {a, b};
    for (int side = 0; side < 2; side++) {
        rel_id n = both[side];
        bool flat = r->nodes[n].op == REL_OP_SEQ && r->nodes[n].row < 0;
        for (uint32_t i = 0; i < (flat ? r->nodes[n].n : 1); i++)
            add_step(r, &list, flat ? rel_kids(r, n)[i] : n);
    }
    rel_id result = list.n ? list.items[0] : rel_base(REL_OP_ID);
    unsigned is = r->nodes[result].is;
    bool empty = result == REL_OP_EMPTY;
    for (uint32_t i = 1; i < list.n; i++) {
        is = rel_traits_seq(r, list.items, i, is);
        empty = empty || list.items[i] == REL_OP_EMPTY;
    }
    if (empty)
        result = rel_base(REL_OP_EMPTY);
    else if (list.n > 1)
        result = node(r, REL_OP_SEQ, is, list.items, list.n);
    free(list.items);
    return result;
}

rel_id rel_diff(struct cat_rels *r, rel_id a, rel_id b)
{
    if (a == b)
        return rel_base(REL_OP_EMPTY);
    if (b == REL_OP_EMPTY || a == REL_OP_EMPTY ||
        (b == REL_OP_ID && rel_is(r, a, REL_STRICT)))
        return a;
    rel_id kids[] = {a, b};
    return node(r, REL_OP_DIFF, rel_traits_diff(r, a, b), kids, 2);
}

rel_id rel_complement(struct cat_rels *r, rel_id a)
{
    return node(r, REL_OP_COMPLEMENT, rel_traits_complement(r->nodes[a].is), &a,
                1);
}

rel_id rel_inverse(struct cat_rels *r, rel_id a)
{
    const struct cat_rel *x = &r->nodes[a];
    if (x->is & REL_SYMMETRIC)
        return a;
    if (x->op == REL_OP_INVERSE)
        return rel_kids(r, a)[0];
    if (x->op == REL_OP_PRODUCT)
        return rel_product(r, r->sets[x->b], r->sets[x->a]);
    return node(r, REL_OP_INVERSE, rel_traits_inverse(x->is), &a, 1);
}

rel_id rel_plus(struct cat_rels *r, rel_id a)
{
    rel_id com[] = {REL_OP_RF, REL_OP_CO, REL_OP_FR};
    rel_id cause[] = {REL_OP_PO, REL_OP_RF};
    if (rel_is(r, a, REL_TRANSITIVE))
        return a;
    if (r->nodes[a].op == REL_OP_OPT)
        return rel_opt(r, rel_plus(r, rel_kids(r, a)[0]));
    if (a == rel_union(r, com, 3))
        return rel_base(REL_OP_ECO);
    if (r->in_order && a == rel_union(r, cause, 2))
        return rel_base(REL_OP_CAUSE);
    return node(r, REL_OP_PLUS, rel_traits_plus(r, r->nodes[a].is), &a, 1);
}

rel_id rel_opt(struct cat_rels *r, rel_id a)
{
    if (a == REL_OP_EMPTY || a == REL_OP_ID)
        return rel_base(REL_OP_ID);
    if (r->nodes[a].op == REL_OP_OPT)
        return a;
    return node(r, REL_OP_OPT, rel_traits_opt(r->nodes[a].is), &a, 1);
}
