/* Verdicts on compilations, for people. */
#ifndef FRONTEND_CHECK_REPORT_H
#define FRONTEND_CHECK_REPORT_H

#include "frontend/check/check_view.h"

#include <stdio.h>

/* All of one check. */
void check_report_print(const struct check *c, bool color, FILE *out);

/* Several checks, a row each; rows come as checks end, so the width is that of
 * the names known before. A name is never cut. */
struct check_table {
    FILE *out;
    bool color;
    bool has_paths; /* functions of several programs are shown with these */
    int width;      /* of names */
    bool has_head;
    struct check_counts counts; /* to be kept by the caller */
};

/* There will be a row of this name. */
void check_table_expect(struct check_table *t, const char *path,
                        const char *entry);
void check_table_row(struct check_table *t, const struct check *c);
/* "3 checks: 2 sound, 1 miscompiled" */
void check_table_end(const struct check_table *t);

#endif
