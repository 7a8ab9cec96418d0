/* Which older reads a new write may serve, and the graph that comes of it. */
#ifndef CORE_REVISIT_H
#define CORE_REVISIT_H

#include "core/search.h"

/* --- revisit.c: under models that forbid cycles in po | rf --------------- */

/* The new write w stands in co; `rival` is the write of another RMW on the same
 * source, or EVENT_NONE. Makes work of each revisit. */
void revisit_push(struct search *s, event_id w, event_id rival);
/* Read r takes w, in a new graph on top. */
void revisit_apply(struct search *s, event_id w, event_id r);

/* --- lb_revisit.c: the same under models with load buffering ------------- */

void lb_revisit_push(struct search *s, event_id w, event_id rival);
void lb_revisit_apply(struct search *s, event_id w, event_id r);
/* The write w of an RMW is not consistent where it has to be. With another one
 * on its source, which may fail because of w, it would be: notes that. */
void lb_revisit_note_refused(struct search *s, event_id w);
/* In a complete graph: had the halves of RMWs that were kept apart to be so?
 * Else it is reached in another way. */
bool lb_revisit_had_to_split(struct search *s);

/* The reads that w could serve, to `out`; false: there are none. Coherence
 * keeps it from those before it in its thread. */
bool lb_readers_of(const struct search *s, const struct graph *g, event_id w,
                   uint64_t *out);
/* Does an event behind e in its thread need e? What was kept without e did not,
 * so where the marks of e, as those of a CAS, have it needed now, another
 * revisit has kept it: this graph is not for that. */
bool lb_is_needed_behind(struct search *s, const struct graph *g, event_id e);

/* --- lb_gap.c: where the search may miss executions, says so ------------- */

struct prefix;

/* A cycle leads through a write that its own thread reads. */
void lb_gap_note_forwarded(struct search *s);
/* Of the new write w with the least prefix that a revisit may keep, but for
 * writes of RMWs. */
void lb_gap_check_prefix(struct search *s, event_id w,
                         const struct prefix *prefix);
/* The reads that w could serve if its prefix had them not, to `out`; false:
 * there are none. */
bool lb_needed_readers(const struct search *s, const struct graph *g,
                       event_id w, const uint64_t *prefix, uint64_t *out);
/* Of write w, which another thread may read. To be called if the program has
 * lists of dependencies that are open. */
void lb_gap_check_served(struct search *s, event_id w);
/* What a kept write needs varies with whether a compare-and-swap succeeds: a
 * model's `corder` should not let it. */
void lb_gap_note_varying(struct search *s);

#endif
