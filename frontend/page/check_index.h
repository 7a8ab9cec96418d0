/* A page about many checks: all of them in a table, those that are not sound
 * first, and what there is to say of these: as sections of the page, or as
 * pages of their own that the table leads to. */
#ifndef FRONTEND_CHECK_INDEX_H
#define FRONTEND_CHECK_INDEX_H

#include "frontend/check/check_view.h"

#include <stdio.h>

/* A text that grows, as a file in memory. */
struct index_text {
    FILE *out; /* NULL: there is no memory */
    char *text;
    size_t n;
};

struct check_index {
    struct index_text flagged, sound; /* rows of the table */
    struct index_text sections;
    uint32_t n_sections, n_left; /* left: there were too many sections */
    struct check_counts counts;
};

void check_index_init(struct check_index *x);
void check_index_release(struct check_index *x);

/* Adds a check. `page` is that of a check that is not sound, to be borrowed for
 * the call; NULL: it becomes a section. */
void check_index_add(struct check_index *x, const struct check *c,
                     const char *page);
/* A program that could not be checked. */
void check_index_add_error(struct check_index *x, const char *path,
                           const struct err *err);

/* Writes the page of all that was added; nothing may be added afterwards. */
bool check_index_write(struct check_index *x, const struct options *o,
                       const char *path, struct err *err);

#endif
