/* What the three reports (text, JSON, Graphviz) have in common: their input,
 * and the words for verdicts and violations. Reports only read; each returns
 * nothing, and the caller looks at ferror(out) and fclose. */
#ifndef FRONTEND_REPORT_H
#define FRONTEND_REPORT_H

#include "core/explore.h"
#include "frontend/base/options.h"
#include "frontend/subject/language.h"
#include "frontend/target/target.h"

#include <stdio.h>

struct report {
    const struct options *options;
    const char *program;     /* its path, as given */
    const struct explore *x; /* finished */
    bool color;
    const struct target *target;     /* the machine code, NULL: the source */
    const struct language *language; /* why this model; NULL: it was named */
    uint64_t cold, warm; /* runs of threads from their start, and resumed */
};

/* "SOUND", "VIOLATION", or "INCONCLUSIVE". */
const char *report_verdict(const struct explore *x);
/* "BOUNDED", ...; "" if nothing is missing. */
const char *report_gap(enum gap gap);
/* The gap that a command leaves which is to end (core/halt.h). */
enum gap report_halt_gap(void);
/* Why: one sentence without a full stop. */
void report_reason(const struct explore *x, char *buf, size_t cap);

/* "assertion failed", "data race", ...: a flag goes by its own name. */
void report_violation_kind(const struct violation *v, char *buf, size_t cap);
/* What happened, beyond the kind: "on data: W at prog.c:12, R at prog.c:20". */
void report_violation_text(const struct explore *x, const struct violation *v,
                           char *buf, size_t cap);
/* Both in one line: "data race on data: ...", "assertion 'x == 1' failed". */
void report_violation_title(const struct explore *x, const struct violation *v,
                            char *buf, size_t cap);
/* Are both of v->events events in conflict? (Else they only say where.) */
bool report_has_conflict(const struct violation *v);

/* "prog.c:12", without the folder; "" if unknown. */
void report_short_place(const struct program *p, place_id place, char *buf,
                        size_t cap);

/* The text with \\xNN in the place of each byte that is not UTF-8; to be freed.
 */
char *report_utf8_new(const char *text);

/* The most memory that the process has used so far. */
uint64_t report_peak_bytes(void);

#endif
