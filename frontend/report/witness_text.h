/* A violation's witness as text: threads in columns, one event a row. */
#ifndef FRONTEND_WITNESS_TEXT_H
#define FRONTEND_WITNESS_TEXT_H

#include "frontend/report/report.h"

#define REPORT_COLUMNS 100

/* Items one after the other, wrapped at REPORT_COLUMNS. Begin with
 * {.out = out, .head = "  rf:"}: the head is printed before the first item. */
struct wrapped {
    FILE *out;
    const char *head;
    int indent; /* of the lines after the first */
    int at;     /* column; 0: nothing printed yet */
};
void wrapped_add(struct wrapped *w, const char *text);
void wrapped_end(struct wrapped *w);

struct witness;

/* The rows of any execution, then its rf and co; `v`, which may be NULL, marks
 * events in conflict. */
void witness_text_rows(const struct witness *w, const struct violation *v,
                       bool color, FILE *out);

/* Could it happen under sequential consistency? If not, why. */
void witness_text_interleaved(const struct witness *w, FILE *out);

/* The whole witness of a violation. */
void witness_text_print(const struct report *r, const struct violation *v,
                        FILE *out);

#endif
