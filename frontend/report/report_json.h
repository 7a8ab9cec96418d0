/* The report for programs: one JSON object with a list of entries, the same of
 * all commands; docs/JSON.md says what is in it and docs/hwcheck.schema.json
 * is its schema. Integers are numbers, signed as wide as the access; beyond
 * 2^53 they are strings of decimal digits, since many readers keep numbers as
 * doubles. */
#ifndef FRONTEND_REPORT_JSON_H
#define FRONTEND_REPORT_JSON_H

#include "core/err.h"
#include "frontend/report/report.h"
#include "frontend/report/witness.h"

struct cJSON;

/* Changes when something in a report is renamed, removed or gets another
 * meaning; new members do not change it. */
#define REPORT_JSON_SCHEMA 1

/* The entry of one exploration; to be freed by report_json_free. */
struct cJSON *report_json_new(const struct report *r);

/* In its place for a program that could not be explored: verdict "ERROR", or
 * INCONCLUSIVE if the command was to end before. `isa` is NULL if that is no
 * matter of one machine. */
struct cJSON *report_json_new_error(const char *program, const struct isa *isa,
                                    const struct err *err);

/* Prints the whole report with these entries. */
void report_json_print(const struct options *o, struct cJSON *const *entries,
                       uint32_t n, FILE *out);

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
/* `arch`: the machine, or null: the source. */
void report_json_arch(struct cJSON *to, const struct isa *isa);
struct cJSON *report_json_event(const struct witness *w, event_id e);

#endif
