/* The report for programs: one JSON object. Integers are numbers, signed as
 * wide as the access; beyond 2^53 they are strings of decimal digits, since
 * many readers keep numbers as doubles. */
#ifndef FRONTEND_REPORT_JSON_H
#define FRONTEND_REPORT_JSON_H

#include "core/err.h"
#include "frontend/report.h"
#include "frontend/witness.h"

struct cJSON;

/* The object of one program; to be freed by report_json_free. */
struct cJSON *report_json_new(const struct report *r);

/* In its place for a program that could not be explored: verdict "ERROR",
 * or INCONCLUSIVE if the command was to end before. */
struct cJSON *report_json_new_error(const struct options *o,
                                    const char *program, const struct err *err);

/* Prints the objects of n programs: for one the object itself, for several an
 * object whose `programs` lists them. */
void report_json_print(struct cJSON *const *objects, uint32_t n, FILE *out);

/* Does --json take the place of the text? */
bool report_json_on_stdout(const struct options *o);

/* The same to where --json says. */
bool report_json_write(const struct options *o, struct cJSON *const *objects,
                       uint32_t n, struct err *err);

/* Frees n objects, of which some may be NULL. */
void report_json_free(struct cJSON **objects, uint32_t n);

/* Adds an execution: its events, rf and co, whether it is an interleaving, and,
 * if `why` is not NULL, the broken axiom with its cycle. */
void report_json_witness(struct cJSON *to, const struct witness *w,
                         const struct broken *why);

/* For other reports: a text, made UTF-8; a count; the name of an event. */
void report_json_text(struct cJSON *to, const char *name, const char *text);
void report_json_count(struct cJSON *to, const char *name, uint64_t value);
struct cJSON *report_json_event(const struct witness *w, event_id e);

#endif
