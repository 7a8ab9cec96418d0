/* Verdicts on compilations, for people and for programs. */
#ifndef FRONTEND_CHECK_REPORT_H
#define FRONTEND_CHECK_REPORT_H

#include "frontend/check.h"

#include <stdio.h>

struct cJSON;

/* All of one check. */
void check_report_print(const struct check *c, bool color, FILE *out);

/* One check in one row of a table; its head with c == NULL. */
void check_report_row(const struct check *c, bool color, FILE *out);

/* As an object, to be freed by report_json_free. */
struct cJSON *check_report_json(const struct check *c);

#endif
