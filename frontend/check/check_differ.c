/* What the outcomes that the source does not have differ by. */
#include "frontend/check/check.h"

#include <string.h>

/* Some part of an outcome, or NULL. */
typedef const char *part_of(const struct compare_outcome *o);

static const char *known_part(const struct compare_outcome *o)
{
    return o->known;
}

static const char *outer_part(const struct compare_outcome *o)
{
    return o->outer;
}

static bool has_part(const struct compare_set *s, const char *text,
                     part_of *part)
{
    for (uint32_t i = 0; i < s->n; i++) {
        const char *own = part(&s->list[i]);
        if (own && strcmp(own, text) == 0)
            return true;
    }
    return false;
}

/* Would no outcome be wrong, if only that part of outcomes were compared? */
static bool differ_elsewhere(const struct check *c, part_of *part)
{
    bool buffers = strcmp(c->options->lb, "error") != 0;
    for (uint32_t i = 0; i < c->n_extras; i++) {
        const struct check_extra *e = &c->extras[i];
        uint32_t at = compare_set_find(&c->outcomes[1], e->text);
        const char *own =
            at == UINT32_MAX ? NULL : part(&c->outcomes[1].list[at]);
        if (!(e->buffering && buffers) &&
            (!own || !has_part(&c->outcomes[0], own, part)))
            return false;
    }
    return true;
}

bool check_differs_unsurely(const struct check *c)
{
    return differ_elsewhere(c, known_part);
}

bool check_differs_by_statics(const struct check *c)
{
    return c->n_extras > 0 && differ_elsewhere(c, outer_part);
}
