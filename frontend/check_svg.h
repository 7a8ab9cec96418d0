/* An execution as a picture in a page: a column a thread, its events from top
 * to bottom, arrows for po, rf, co, fr and dependencies.
 *
 * The layout is our own, so that a page needs no other program. Colours are
 * classes that the page's style sheet gives (check_html.c), and so is the font:
 * widths are computed for a monospaced one. */
#ifndef FRONTEND_CHECK_SVG_H
#define FRONTEND_CHECK_SVG_H

#include "frontend/witness.h"

#include <stdio.h>

/* An arrow that counts: drawn boldly, in place of a usual one with the same
 * ends. */
struct svg_mark {
    event_id from, to; /* EVENT_INIT is left out */
    const char *label;
    bool is_culprit; /* an order that is missing, rather than one that is */
};

/* Left out are events that are no accesses or fences, and accesses to what only
 * one thread uses, unless a mark names them. */
void svg_print(const struct witness *w, const struct svg_mark *marks,
               uint32_t n_marks, const char *title, FILE *out);

/* The arrow heads, once a page. */
void svg_print_heads(FILE *out);

/* Text between tags or in an attribute: escaped, and valid UTF-8. */
void html_text(const char *text, FILE *out);

#endif
