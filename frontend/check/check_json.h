/* Verdicts on compilations, for programs. */
#ifndef FRONTEND_CHECK_JSON_H
#define FRONTEND_CHECK_JSON_H

#include "frontend/check/check.h"

struct cJSON;

/* One check as an object, to be freed by report_json_free. Each entry of
 * `extra` has the machine's execution, and, where it was looked into, the
 * nearest one of the source with the axiom that it breaks, and the orders that
 * the machine does not keep. */
struct cJSON *check_json_new(const struct check *c);

/* The outcomes of both sides alone. */
struct cJSON *check_json_outcomes(const struct check *c);

#endif
