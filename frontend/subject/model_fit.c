#include "frontend/subject/model_fit.h"

#include "frontend/target/target.h"

#include <stdio.h>
#include <string.h>

/* What the full fence of the machine is in a cat file. */
static enum event_tag full_fence(const struct isa *isa)
{
    if (strcmp(isa->name, "x86_64") == 0)
        return TAG_MFENCE;
    return strcmp(isa->name, "aarch64") == 0 ? TAG_DMB_SY : TAG_SYNC;
}

static bool knows(const struct model *m, const struct isa *isa)
{
    return m->mentions(m, TAG_BIT(full_fence(isa)));
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
    for (uint32_t i = 0; target_isa(i); i++)
        if (knows(m, target_isa(i))) {
            snprintf(buf, cap,
                     "model %s is about another machine than %s: it knows the "
                     "fences of %s",
                     m->name, isa->name, target_isa(i)->name);
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
