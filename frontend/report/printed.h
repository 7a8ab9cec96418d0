/* What threads printed, as outcomes show it. */
#ifndef FRONTEND_PRINTED_H
#define FRONTEND_PRINTED_H

#include "core/outcome.h"

/* A byte as C writes it in a string; returns its length. */
#define PRINTED_ESCAPED 4 /* at most, without the NUL behind */
size_t printed_escape(unsigned char byte, char *buf);

/* All that the thread printed whose piece stands at *at, or after it, and of
 * which none stands before: T1 prints "...", to be freed. *at is behind that
 * piece then. NULL: there is none. */
char *printed_next(const struct outcome_item *raw, uint32_t n, uint32_t *at);

#endif
