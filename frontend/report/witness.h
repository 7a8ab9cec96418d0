/* One execution made ready to be shown: its events in a readable order, with
 * names (a, b, c...) and texts. The reports share it, so that an event has the
 * same name in all of them. Borrows the graph, the path cache and the program;
 * scratch. */
#ifndef FRONTEND_WITNESS_H
#define FRONTEND_WITNESS_H

#include "core/explore.h"

struct witness {
    const struct graph *graph;
    const struct path *path;
    const struct program *program;
    event_id *rows;   /* [n] events in the order shown */
    uint32_t *row_of; /* [graph->cap] the inverse */
    uint32_t n;       /* without those of a litmus test's thread 0 */
    /* The rows are an interleaving: each read takes the write last before it.
     * False: there is none (the execution needs a weak memory) and the rows
     * only respect po, and rf if these two have no cycle. */
    bool interleaved;
};

void witness_init(struct witness *w, const struct graph *g,
                  const struct path *path, const struct program *program);
void witness_release(struct witness *w);

/* Each writes a NUL-terminated text, cut to fit, into buf. */

/* "a", ..., "z", "aa", ...; "init" for EVENT_INIT, "?" for EVENT_NONE. */
void witness_name(const struct witness *w, event_id e, char *buf, size_t cap);
/* "R x = 1 (acq)", "create T1", ... */
void witness_text(const struct witness *w, event_id e, char *buf, size_t cap);
/* The same in fewer characters, for graphs: "Racq x=1". */
void witness_short_text(const struct witness *w, event_id e, char *buf,
                        size_t cap);
/* "main", "T1", ...; of a litmus test "P0", ... */
void witness_thread(const struct witness *w, thread_id t, char *buf,
                    size_t cap);
/* The machine instruction of an event, "" if there is none. */
const char *witness_instruction(const struct witness *w, event_id e);
/* Is there anything of this thread in the rows? */
bool witness_shows(const struct witness *w, thread_id t);

const struct label *witness_label(const struct witness *w, event_id e);
place_id witness_place(const struct witness *w, event_id e);

/* Why the execution is no interleaving: cycle[i] is related to cycle[i+1], the
 * last to the first, by edges[i] ("po", "rf", "co", "fr"; static texts).
 * Returns how many, 0 if it is an interleaving or no cycle of at most cap was
 * found. */
uint32_t witness_find_cycle(const struct witness *w, event_id *cycle,
                            const char **edges, uint32_t cap);

/* "R", "W", "F", "create", ... */
const char *witness_kind(const struct event *e);
/* "na", "rlx", "acq", ..., or "" if it has none. */
const char *witness_order(const struct event *e);
/* Does the event act on a location of memory? */
bool witness_has_location(const struct event *e);
bool witness_has_value(const struct event *e);

/* A value of `size` bytes as a signed number. */
int64_t value_signed(uint64_t value, unsigned size);
/* Likewise of any size; false: it has 16 bytes, of which 8 are not enough. */
bool value_number(const struct program *p, uint64_t value, unsigned size,
                  int64_t *number);
/* A value for people: small numbers in signed decimal, addresses of known
 * objects by name ("&x"), all else in hexadecimal; 16 bytes that are more as
 * "{low, high}". */
void value_text(const struct program *p, uint64_t value, unsigned size,
                char *buf, size_t cap);

#endif
