/* A finished exploration made by hand, for tests of the reports: message
 * passing over a relaxed flag. Its threads are
 *
 *     main  create T1, create T2
 *     T1    W data = 42 (na), W ready = 1 (rlx)
 *     T2    R ready = 1 (rlx), R data = 0 (na), and a failing assertion
 *
 * with two outcomes and one violation, which needs weak memory. */
#ifndef TESTS_REPORT_FIXTURE_H
#define TESTS_REPORT_FIXTURE_H

#include "frontend/report/report.h"

struct report_fixture {
    struct options options;
    struct model model;
    struct program program;
    struct explore x;
    struct report report;
    char folder[32], source[64]; /* of the source file, made for the test */
    event_id write_data, write_ready, read_ready, read_data;
};

void report_fixture_init(struct report_fixture *f);
void report_fixture_release(struct report_fixture *f);

/* Adds thread t to the violation's graph, created by main at line `line`. */
void report_fixture_start(struct report_fixture *f, thread_id t, uint32_t line);

/* Makes `label`, at line `line`, the next event of t in the graph. */
event_id report_fixture_add(struct report_fixture *f, thread_id t,
                            struct label label, uint32_t line);

/* The location of the variable `name`, which is 4 or 8 bytes at an address of
 * its own; a new one if there is none. */
loc_id report_fixture_loc(struct report_fixture *f, const char *name,
                          unsigned size);

/* Turns the violation into a data race on `data`. */
void report_fixture_make_race(struct report_fixture *f);

#endif
