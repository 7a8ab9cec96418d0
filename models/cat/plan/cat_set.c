#include "models/cat/plan/cat_set.h"

#include <string.h>

/* An event is at most one of these: a read-modify-write is two events. */
#define EXCLUSIVE (TAG_BIT(TAG_R) | TAG_BIT(TAG_W) | TAG_BIT(TAG_F))

struct cat_set cat_set_all(void)
{
    return (struct cat_set){.init = true, .grows = true, .shrinks = true};
}

struct cat_set cat_set_none(void)
{
    return (struct cat_set){.n = 1, .grows = true, .shrinks = true};
}

struct cat_set cat_set_init(void)
{
    struct cat_set s = cat_set_none();
    s.init = true;
    return s;
}

struct cat_set cat_set_tag(enum event_tag tag)
{
    struct cat_set s = cat_set_none();
    s.clauses[0].with = TAG_BIT(tag);
    s.init = tag == TAG_W;
    return s;
}

struct cat_set cat_set_opaque(bool grows, bool shrinks)
{
    return (struct cat_set){
        .opaque = true, .init = true, .grows = grows, .shrinks = shrinks};
}

static bool implies(struct cat_clause a, struct cat_clause b)
{
    return !(a.with & ~b.with) && !(a.without & ~b.without);
}

/* False: no room. Keeps the clauses free of those that follow from others,
 * which also makes equal sets mostly equal in form. */
static bool add_clause(struct cat_set *s, struct cat_clause c)
{
    if (c.with & c.without)
        return true;
    uint32_t n = 0;
    for (uint32_t i = 0; i < s->n; i++)
        if (implies(s->clauses[i], c))
            return true;
    for (uint32_t i = 0; i < s->n; i++)
        if (!implies(c, s->clauses[i]))
            s->clauses[n++] = s->clauses[i];
    s->n = n;
    if (n == CAT_CLAUSES_MAX)
        return false;
    uint32_t at = n;
    while (at > 0 && (s->clauses[at - 1].with > c.with ||
                      (s->clauses[at - 1].with == c.with &&
                       s->clauses[at - 1].without > c.without))) {
        s->clauses[at] = s->clauses[at - 1];
        at--;
    }
    s->clauses[at] = c;
    s->n = n + 1;
    return true;
}

static struct cat_set normal(struct cat_set s)
{
    uint64_t common = cat_set_common(&s) & EXCLUSIVE;
    if (!s.opaque && (common & (common - 1))) {
        bool init = s.init;
        s = cat_set_none();
        s.init = init;
    }
    memset(s.clauses + s.n, 0, (CAT_CLAUSES_MAX - s.n) * sizeof s.clauses[0]);
    return s;
}

struct cat_set cat_set_and(struct cat_set a, struct cat_set b)
{
    struct cat_set none =
        cat_set_opaque(a.grows && b.grows, a.shrinks && b.shrinks);
    if (a.opaque || b.opaque)
        return none;
    a.init = a.init && b.init;
    for (uint32_t i = 0; i < b.n; i++)
        if (!add_clause(&a, b.clauses[i]))
            return none;
    return normal(a);
}

struct cat_set cat_set_or(struct cat_set a, struct cat_set b)
{
    struct cat_set none =
        cat_set_opaque(a.grows && b.grows, a.shrinks && b.shrinks);
    if (a.opaque || b.opaque)
        return none;
    struct cat_set s = cat_set_all();
    s.init = a.init || b.init;
    for (uint32_t i = 0; i < a.n; i++)
        for (uint32_t j = 0; j < b.n; j++) {
            struct cat_clause c = {a.clauses[i].with | b.clauses[j].with,
                                   a.clauses[i].without | b.clauses[j].without};
            if (!add_clause(&s, c))
                return none;
        }
    return normal(s);
}

struct cat_set cat_set_not(struct cat_set a)
{
    struct cat_set result = cat_set_none();
    if (a.opaque)
        return cat_set_opaque(a.shrinks, a.grows);
    for (uint32_t i = 0; i < a.n; i++) {
        struct cat_set clause = cat_set_all();
        for (unsigned t = 0; t < TAG_COUNT; t++) {
            struct cat_clause c = {0};
            if (a.clauses[i].with >> t & 1)
                c.without = TAG_BIT(t);
            else if (a.clauses[i].without >> t & 1)
                c.with = TAG_BIT(t);
            else
                continue;
            if (!add_clause(&clause, c))
                return cat_set_opaque(true, true);
        }
        result = cat_set_or(result, clause);
        if (result.opaque)
            return result;
    }
    result.init = !a.init;
    return result;
}

bool cat_set_equal(const struct cat_set *a, const struct cat_set *b)
{
    return !a->opaque && !b->opaque && a->n == b->n && a->init == b->init &&
           memcmp(a->clauses, b->clauses, a->n * sizeof a->clauses[0]) == 0;
}

bool cat_set_is_none(const struct cat_set *a)
{
    return !a->opaque && a->n > 0 && !a->clauses[0].with &&
           !a->clauses[0].without;
}

uint64_t cat_set_common(const struct cat_set *a)
{
    uint64_t common = 0;
    if (a->opaque)
        return 0;
    for (uint32_t i = 0; i < a->n; i++)
        if (!a->clauses[i].without &&
            !(a->clauses[i].with & (a->clauses[i].with - 1)))
            common |= a->clauses[i].with;
    return common;
}
