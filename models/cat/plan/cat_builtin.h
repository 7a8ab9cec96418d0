/* Names that every cat file knows. */
#ifndef MODELS_CAT_BUILTIN_H
#define MODELS_CAT_BUILTIN_H

#include "models/cat/plan/cat_compile.h"

/* The builtin set or relation of that name, CAT_NONE if there is none. Notes
 * in the code that it is a dependency, which needs the explorer's help. */
cat_id cat_builtin(struct cat_code *code, const char *name, uint32_t length);

/* The builtin function of one argument, or of two (cross); false: unknown.
 * `kinds` says what it takes: "s" a set, "r" a relation, "ss" two sets. */
bool cat_builtin_function(const char *name, uint32_t length,
                          const char **kinds);
cat_id cat_builtin_apply(struct cat_code *code, const char *name,
                         uint32_t length, const cat_id *arguments);

/* Names that herd knows and hwcheck does not; NULL if not one of them. */
const char *cat_builtin_unsupported(const char *name, uint32_t length);

/* The ith builtin name, NULL at the end: for suggestions. */
const char *cat_builtin_name(uint32_t i);

/* The name most like another, if one is: a slip of the keyboard. */
struct cat_closest {
    const char *name; /* NULL: none */
    uint32_t length;
    unsigned distance;
};
void cat_closest_try(struct cat_closest *best, const char *name,
                     uint32_t length, const char *other, uint32_t other_length);

#endif
