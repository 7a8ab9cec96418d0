/* The model port (core/model.h) over a compiled cat file. */
#ifndef MODELS_CAT_MODEL_H
#define MODELS_CAT_MODEL_H

#include "core/model.h"
#include "models/cat/plan/cat_compile.h"

/* Makes the model of a compiled file, which it takes over (*code is zeroed). */
void cat_model_init(struct model *m, const char *name, struct cat_code *code);

#endif
