/* The inside of the explorer: what the files of core/ that search share. Only
 * they include this; the rest of hwcheck sees core/explore.h.
 *
 * A search belongs to one explorer, as do its path cache, its program's tables
 * and its instance of the model: nothing here is shared, so any number of
 * explorers may work side by side. */
#ifndef CORE_SEARCH_H
#define CORE_SEARCH_H

#include "core/depend.h"
#include "core/explore.h"
#include "core/scratch.h"

/* A graph that is grown and cut in place, and where its own work begins. */
struct frame {
    struct graph *g;
    uint32_t work_base;
};

enum work_kind {
    WORK_SOURCE,  /* let read e take write `alt` */
    WORK_PLACE,   /* put write e right after `alt` in co */
    WORK_REVISIT, /* let the older read `alt` take the new write e */
    WORK_CHOICE,  /* let choice e have value `alt` */
};

/* An alternative that is still to be explored, at the stamp of event e in the
 * graph on top. */
struct work {
    uint32_t kind;
    event_id e;
    uint32_t alt;
};

struct search {
    struct explore *x; /* whose options these are, and whose results */
    const struct model *model;
    struct model_instance *instance; /* as long as explore_run runs */
    struct program *program;
    struct path *path;
    struct err *err;

    struct frame *frames; /* the stack; graphs are kept when it shrinks */
    uint32_t n_frames, frames_cap, frames_made;
    struct work *work;
    uint32_t n_work, work_cap;
    struct graph_ids ids; /* of all graphs, where the model needs that */
    struct dep_cache deps;
    struct scratch scratch;
    struct graph shown; /* see explore_with_fences */

    event_id pending; /* a read whose RMW must write next, or EVENT_NONE */
    bool has_splits;  /* some revisit kept a read without its RMW's write */
    bool has_swaps;   /* a compare-and-swap was met */
    bool dead;        /* the graph on top leads nowhere: backtrack */
    bool stopped;     /* --max-executions was reached */
    bool failed;      /* the runtime failed, *err says why */
    double started, next_progress;
    uint64_t misses_seen; /* of the path cache, at the last look */
};

static inline struct graph *search_graph(const struct search *s)
{
    return s->frames[s->n_frames - 1].g;
}

/* The graph that the one on top was copied from. */
static inline struct graph *search_graph_below(const struct search *s)
{
    return s->frames[s->n_frames - 2].g;
}

/* Are there executions with load buffering (cycles in po | rf), and are they
 * explored? Then the causal prefix of an event is less than all before it in
 * po, and threads can have holes (struct graph_thread). */
static inline bool search_has_lb(const struct search *s)
{
    return !s->model->acyclic_cause && s->path->runtime->gives_deps;
}

/* Does an event of the row stand behind e in its thread? */
static inline bool search_has_behind(const struct graph *g, event_id e,
                                     const uint64_t *row)
{
    event_id f = g->events[e].po_next;
    while (f != EVENT_NONE && !row_has(row, f))
        f = g->events[f].po_next;
    return f != EVENT_NONE;
}

/* A scratch row for events of g, empty. */
static inline uint64_t *search_row(struct search *s, const struct graph *g)
{
    return scratch_row(&s->scratch, g->words);
}

/* Is the work to be done next another alternative of the same event? */
static inline bool search_has_more(const struct search *s, uint32_t kind,
                                   event_id e)
{
    const struct work *next = s->work + s->n_work - 1;
    return s->n_work > s->frames[s->n_frames - 1].work_base &&
           next->kind == kind && next->e == e;
}

/* The runtime is not asked any more, or not for a while. */
static inline void search_rest(const struct path *path)
{
    if (path->runtime->rest)
        path->runtime->rest(path->runtime->self);
}

/* Is g, consistent without e, consistent with it? Axioms that wait for the
 * complete graph wait here too. */
static inline bool search_is_consistent(const struct search *s,
                                        const struct graph *g, event_id e)
{
    return s->model->check(s->instance, g, e);
}

/* e of g has got another source or other events before it. */
static inline void search_enter(const struct search *s, struct graph *g,
                                event_id e)
{
    s->model->enter(s->instance, g, e);
}

/* Does the execution go on where a thread has failed so? */
static inline bool search_goes_through(const struct search *s,
                                       const struct label *error)
{
    return s->x->options.through_failures &&
           (error->value == VIOLATION_ASSERT ||
            error->value == VIOLATION_ABORT);
}

/* Is it a fence that the model does not see? Then it is no event; see
 * core/hidden_fences.c. */
static inline bool search_hides(const struct search *s,
                                const struct label *label)
{
    return label->kind == LABEL_FENCE && s->model->ignores &&
           s->model->ignores(s->instance, label->tags);
}

/* --- search.c ------------------------------------------------------------ */

struct search *search_new(void);
void search_free(struct search *s);

/* Empties the stack but for a graph in which thread 0 runs `function`. */
void search_start(struct search *s, uint32_t function, uint64_t argument);
/* The main loop: until no work is left, or something ends it. */
void search(struct search *s);

/* Seconds of a clock that only goes on. */
double search_now(void);

/* Something keeps the result from being complete; the first one is reported. */
void search_note_gap(struct search *s, enum gap_reason reason, const char *fmt,
                     ...) __attribute__((format(printf, 3, 4)));

/* Is one noted already, so that there is no need to look for more? */
static inline bool search_has_gap(const struct search *s)
{
    return s->x->gap != GAP_NONE && !gap_is_unexplored(s->x->gap_reason);
}

/* The label after `at`, or NODE_NONE with s->failed. */
node_id search_step(struct search *s, node_id at, uint64_t value);

void search_push_work(struct search *s, enum work_kind kind, event_id e,
                      uint32_t alt);
/* A graph on top of the stack: its contents are the caller's to fill. */
struct graph *search_push_frame(struct search *s);
void search_pop_frame(struct search *s);

/* Read e of the graph on top takes w: sets s->dead if that leads nowhere. */
void search_take_source(struct search *s, event_id e, event_id w);

/* Adds the write of the RMW whose read is given, not in co yet, to the graph on
 * top; EVENT_NONE with s->failed. */
event_id search_add_half(struct search *s, event_id read);
/* Removes the newest event of g. */
void search_pop(const struct search *s, struct graph *g);

/* --- search_check.c ------------------------------------------------------ */

/* Between two steps: is all as it must be? False: why not. For debug builds. */
bool search_check(const struct search *s, char *why, size_t cap);

/* --- advance.c ----------------------------------------------------------- */

/* Thread t goes on to `node`, and past all that is no event. */
void search_advance(struct search *s, thread_id t, node_id node);
/* "", or which thread has made so many accesses that it hardly does anything
 * but go round in a loop, and where; in buf. */
const char *search_where(const struct search *s, char *buf, size_t cap);
/* The command is to end, which is noted with that text. */
void search_note_halt(struct search *s, const char *text);
/* From outside? The gap is noted, then. */
bool search_is_halted(struct search *s);

/* --- hidden_fences.c ----------------------------------------------------- */

/* Adds the fences that the model does not see to g, which is to be shown and
 * not to be explored any more. Ids of events stay. */
void hidden_fences_add(const struct search *s, struct graph *g);

/* --- watch.c: what is taken for granted of the model --------------------- */

/* Event e is not consistent with the source or place it has now: the graph is
 * dead. Noted, if the model must have allowed it. */
void watch_refused(struct search *s, event_id e);
/* The item, taken from the work, is done with. If its event had alternatives,
 * one must have been consistent. */
void watch_tried(struct search *s, const struct work *item);
/* The compare-and-swap of `read` has failed. */
void watch_failure(struct search *s, event_id read);
/* The RMW of `read` is to be one step. */
void watch_atomic(struct search *s, event_id read);

/* --- violation.c: each notes what it finds and sets s->dead -------------- */

/* Do the axioms hold that wait for the complete graph, and are all accesses one
 * step each? More events never mend it if not, but the graph must be grown all
 * the same: a revisit may delete what is between. */
bool violation_is_judged(struct search *s);
/* The second half of it: do pairs of an RMW that are apart keep the model's
 * axioms (`check` leaves atomicity out), and is each access that is several
 * events seen as one step? Where that is not known, it is noted. */
bool violation_is_atomic(struct search *s);

void violation_check_event(struct search *s, event_id e);
void violation_check_deadlock(struct search *s);
/* Keeps `what` with the graph on top as its witness, unless known. */
void violation_add(struct search *s, const struct violation *what);
/* The same for what label l of thread t says. */
void violation_add_error(struct search *s, thread_id t, const struct label *l);
void violation_warn(struct explore *x, uint32_t text, place_id place);

#endif
