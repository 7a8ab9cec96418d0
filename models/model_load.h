/* Loads a memory model: a cat file, from disk or from those built in. */
#ifndef MODELS_MODEL_LOAD_H
#define MODELS_MODEL_LOAD_H

#include "core/err.h"
#include "core/model.h"

/* A plain name ("rc11") is one of the models built in; anything with a '/' or
 * ending in ".cat" is a file. Includes are looked for beside the including
 * file, then among those built in. "rc11~no-thin-air" is rc11 without the axiom
 * of that name, "jam21~corw~pushto" leaves two out. The caller ends with
 * m->release(m); on failure there is nothing to release. */
bool model_load(struct model *m, const char *name_or_path, struct err *err);

/* The same from a text, which may include only what is built in. */
bool model_load_text(struct model *m, const char *name, const char *text,
                     struct err *err);

/* Visits every model built in, in the order of names. (Files without a title
 * are parts of models and not visited.) */
void model_for_each(void (*visit)(void *self, const char *name,
                                  const char *title),
                    void *self);

#endif
