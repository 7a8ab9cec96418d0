/* What the reports of a check, in all their forms, have in common: names,
 * outcomes of both sides in one list, executions by outcome, rows of the
 * mapping. */
#ifndef FRONTEND_CHECK_VIEW_H
#define FRONTEND_CHECK_VIEW_H

#include "frontend/check/check.h"

/* "prog.c", or "prog.c:test_1" of one of its functions. */
#define CHECK_NAME_BYTES 4500
void check_print_name(const struct check *c, char *buf, size_t cap);

/* How many checks came to what. */
struct check_counts {
    uint32_t n[CHECK_INCONCLUSIVE + 1]; /* by verdict */
    uint32_t n_buffering;               /* of those that are sound */
    uint32_t n_errors;                  /* programs that were not checked */
};

void check_counts_add(struct check_counts *n, const struct check *c);
/* Errors included. */
uint32_t check_counts_all(const struct check_counts *n);

/* One outcome and how many executions have it on each side. */
struct check_row {
    const char *text; /* borrowed from the check */
    uint64_t source, machine;
    const struct check_extra *extra; /* only the machine has it; else NULL */
};

/* All of them, sorted by text; *n is how many. To be freed. */
struct check_row *check_rows_new(const struct check *c, uint32_t *n);

/* "ALLOWED", "SOURCE-ONLY", "MISCOMPILED", "LOAD-BUFFERING", or "UNDECIDED". */
const char *check_row_class(const struct check_row *r);
/* The same of what only the machine has. */
const char *check_extra_class(const struct check_extra *e);
/* For people: "forbidden by the source", ... */
const char *check_extra_text(const struct check_extra *e);

/* The machine's execution that shows it, and its violation or NULL. NULL: no
 * execution was kept. */
const struct graph *check_extra_graph(const struct check *c,
                                      const struct check_extra *e);
const struct violation *check_extra_violation(const struct check *c,
                                              const struct check_extra *e);
/* Is there enough to show of it? */
bool check_extra_is_shown(const struct check_extra *e);

struct check_why;
struct check_step;

/* Is it an order that the machine does not keep, as far as is known? */
bool check_step_is_shown(const struct check_why *why,
                         const struct check_step *s);

/* The row of the mapping that an access or fence of the source went by. */
struct check_map_row {
    char key[100];
    char text[MAP_TEMPLATE_MAX];
    char place[200];
};

/* Of an event of the source's execution in `why`. False: the compiler chose, or
 * it is not known. */
bool check_map_row(const struct check *c, const struct check_why *why,
                   event_id e, struct check_map_row *row);
/* From s->source[0] on: the fences up to s->source[1], that one, EVENT_NONE. */
event_id check_step_next(const struct check_why *why,
                         const struct check_step *s, event_id e);

/* The warning of that number, with its place. */
void check_print_warning(const struct explore *x, uint32_t number, char *buf,
                         size_t cap);

/* Runs `print` on the file at `path`, made new. */
typedef void check_printer(const struct check *c, FILE *out);
bool check_write(const struct check *c, const char *path, check_printer *print,
                 struct err *err);

#endif
