/* From the compiled DAG to fast relations. */
#ifndef MODELS_CAT_CONVERT_H
#define MODELS_CAT_CONVERT_H

#include "models/cat/plan/cat_compile.h"
#include "models/cat/plan/cat_rel.h"

struct cat_converter {
    struct cat_rels *rels;
    const struct cat_code *code;
    rel_id *made;         /* by cat_id, REL_NONE: not yet */
    struct cat_set *sets; /* by cat_id */
    bool *have_set;
    rel_id *variables; /* by group: the first one, or REL_NONE */
    bool *tried;       /* by group: was it seen whether there are any? */
};

void cat_converter_init(struct cat_converter *c, struct cat_rels *rels,
                        const struct cat_code *code);
void cat_converter_release(struct cat_converter *c);

/* The fast form of a relation. */
rel_id cat_convert(struct cat_converter *c, cat_id id);

#endif
