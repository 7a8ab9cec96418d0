/* A check as one page for a browser: nothing else is needed to read it, no
 * network. Relations are switched on and off by style alone; a script of a few
 * lines lights up the edges of an event. It is well-formed XML as well. */
#ifndef FRONTEND_CHECK_HTML_H
#define FRONTEND_CHECK_HTML_H

#include "frontend/check/check.h"

#include <stdio.h>

void check_html_print(const struct check *c, FILE *out);

/* ---- for pages of many checks (check_index.c) */

/* All but the beginning and the end, as section `number` (from 1), whose id is
 * "check-<number>". */
void check_html_section(const struct check *c, uint32_t number, FILE *out);
void html_begin(const char *title, FILE *out);
void html_end(const struct options *o, FILE *out);

/* ---- between check_html.c and check_html_witness.c */

/* A file of the program, if it could be read. */
struct html_source {
    const char *path; /* borrowed */
    char *text;       /* owned */
    char **lines;     /* owned list; lines[i] is line i + 1, without its end */
    bool *hot;        /* [n] takes part in a cycle */
    uint32_t n;
};

struct html_sources {
    struct html_source *files; /* owned */
    uint32_t n;
    uint32_t number; /* of the section; 0: the page is of one check */
};

/* The file that debug information calls so; NULL: it is none of the user's. */
struct html_source *html_find_source(const struct html_sources *s,
                                     const char *file);

/* All that is known of one outcome, or failing assertion, that only the machine
 * code has. Marks lines of the source. */
void check_html_witness(const struct check *c, const struct check_extra *e,
                        const struct html_sources *sources, FILE *out);

/* The text of a line without the blanks before it; "" if there is none. */
const char *html_source_line(const struct html_source *s, uint32_t line);

#endif
