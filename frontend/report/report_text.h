/* The report for people: what was explored, the verdict and why, the outcomes,
 * and each violation with its witness. At most 100 columns wide. */
#ifndef FRONTEND_REPORT_TEXT_H
#define FRONTEND_REPORT_TEXT_H

#include "frontend/report/report.h"

void report_text_print(const struct report *r, FILE *out);
/* In its place if the command is to end before the program was explored: `why`
 * is ERR_STOPPED. */
void report_text_stopped(const struct options *o, const char *program,
                         const struct err *why, FILE *out);

#endif
