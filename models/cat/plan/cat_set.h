/* Sets of events in the fast form: a condition on an event's tags, as a
 * conjunction of clauses. Whether the initial writes belong to it is kept
 * apart, because they are no events of the graph. */
#ifndef MODELS_CAT_SET_H
#define MODELS_CAT_SET_H

#include "core/event.h"

enum { CAT_CLAUSES_MAX = 8 };

/* Holds for an event with one of the tags `with`, or without one of the tags
 * `without`. A clause with neither holds for none. */
struct cat_clause {
    uint64_t with, without;
};

struct cat_set {
    uint32_t n;  /* clauses, all of which must hold; 0: all events */
    bool init;   /* initial writes belong to it */
    bool opaque; /* not a condition on tags, or too long: the rest is void */
    /* Of an opaque one: as the graph grows, an event that is in the set stays
     * (grows); one that is not stays out (shrinks). Else both are true. */
    bool grows, shrinks;
    struct cat_clause clauses[CAT_CLAUSES_MAX];
};

struct cat_set cat_set_all(void);
struct cat_set cat_set_none(void);
struct cat_set cat_set_init(void);
struct cat_set cat_set_tag(enum event_tag tag);
struct cat_set cat_set_opaque(bool grows, bool shrinks);
struct cat_set cat_set_and(struct cat_set a, struct cat_set b);
struct cat_set cat_set_or(struct cat_set a, struct cat_set b);
struct cat_set cat_set_not(struct cat_set a);

bool cat_set_equal(const struct cat_set *a, const struct cat_set *b);
/* Known to hold no event of a graph (initial writes apart). */
bool cat_set_is_none(const struct cat_set *a);
/* Tags that every event in the set has. */
uint64_t cat_set_common(const struct cat_set *a);

static inline bool cat_set_has(const struct cat_set *a, uint64_t tags)
{
    for (uint32_t i = 0; i < a->n; i++)
        if (!(tags & a->clauses[i].with) && !(~tags & a->clauses[i].without))
            return false;
    return true;
}

#endif
