/* Verdicts on compilations, for people. */
#ifndef FRONTEND_CHECK_REPORT_H
#define FRONTEND_CHECK_REPORT_H

#include "frontend/check.h"

#include <stdio.h>

/* All of one check. */
void check_report_print(const struct check *c, bool color, FILE *out);

/* One check in one row of a table; its head with c == NULL. */
void check_report_row(const struct check *c, bool color, FILE *out);

#endif
