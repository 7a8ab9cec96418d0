#include "frontend/subject/model_fit.h"

#include <stdio.h>

static bool knows(const struct model *m, const struct isa *isa)
{
    return m->mentions(m, TAG_BIT(isa->full_fence));
}

bool model_fits(const struct model *m, const struct isa *isa, char *buf,
                size_t cap)
{
    if (!m->has_axioms) {
        snprintf(buf, cap, "model %s has no axioms: it allows everything",
                 m->name);
        return false;
    }
    if (!isa || knows(m, isa))
        return true;
    for (const struct isa *const *other = isa_registry; *other; other++)
        if (knows(m, *other)) {
            snprintf(buf, cap,
                     "model %s is about another machine than %s: it knows the "
                     "fences of %s",
                     m->name, isa->name, (*other)->name);
            return false;
        }
    return true;
}

void model_fit_warn(struct explore *x, const struct isa *isa)
{
    char text[300];
    if (!model_fits(x->model, isa, text, sizeof text))
        explore_warn(x, text);
}
