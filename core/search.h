/* Inside of the explorer: shared by the files of core/ that search. */
#ifndef CORE_SEARCH_H
#define CORE_SEARCH_H

#include "core/explore.h"

/* A graph that is grown and cut in place, and where its own work begins. */
struct frame {
    struct graph g;
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

static inline struct graph *search_graph(struct explore *x)
{
    return &x->frames[x->n_frames - 1].g;
}

/* Under a model that allows cycles in po | rf the causal prefix of an event is
 * less than all before it in po, and threads can have holes. */
static inline bool search_has_lb(const struct explore *x)
{
    return !x->model->acyclic_cause && x->path.runtime->gives_deps;
}

/* With holes, a row behind the model's, if e has EVENT_NEEDS: what it was found
 * to need when it was kept and others before it went. An event may need another
 * because of a third one, which it does not need (addr; po): that is not seen
 * in the hole. */
static inline uint64_t *prefix_kept_needs(const struct explore *x,
                                          const struct graph *g, event_id e)
{
    return graph_row(g, e, ROW_MODEL + x->model->n_rows);
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

/* The main loop: until no work is left, or something ends it. */
void search(struct explore *x);

/* Seconds of a clock that only goes on. */
double search_now(void);

/* The label after `at`, or NODE_NONE with x->failed. */
node_id search_step(struct explore *x, node_id at, uint64_t value);

void search_push_work(struct explore *x, enum work_kind kind, event_id e,
                      uint32_t alt);
struct graph *search_push_frame(struct explore *x);

/* Is the work to be done next another alternative of the same event? */
static inline bool search_has_more(const struct explore *x, uint32_t kind,
                                   event_id e)
{
    const struct work *next = x->work + x->n_work - 1;
    return x->n_work > x->frames[x->n_frames - 1].work_base &&
           next->kind == kind && next->e == e;
}

/* The runtime is not asked any more, or not for a while. */
static inline void search_rest(const struct explore *x)
{
    const struct runtime *runtime = x->path.runtime;
    if (runtime->rest)
        runtime->rest(runtime->self);
}

/* The scratch row of this kind, cleared. */
uint64_t *search_scratch(struct explore *x, enum scratch_kind kind,
                         uint32_t words);

/* Something keeps the result from being complete; the first one is reported. */
void search_note_gap(struct explore *x, enum gap gap, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));

/* What a kept write needs varies with whether a compare-and-swap succeeds: a
 * model's `corder` should not let it. */
void search_note_varying(struct explore *x);

/* Is g, consistent without e, consistent with it? Axioms that wait for the
 * complete graph wait here too. */
static inline bool search_is_consistent(const struct explore *x,
                                        const struct graph *g, event_id e)
{
    return x->model->check(x->model, g, e);
}

/* Does the execution go on where a thread has failed so? */
static inline bool search_goes_through(const struct explore *x,
                                       const struct label *error)
{
    return x->options.through_failures && (error->value == VIOLATION_ASSERT ||
                                           error->value == VIOLATION_ABORT);
}

/* violation.c. Is each access that is several events seen as one step? Where
 * that is not known, it is noted. */
bool violation_check_torn(struct explore *x);

/* Are all accesses one step each? Do pairs that are apart keep the model's
 * axioms? The explorer places their
 * writes like any other, and `check` leaves atomicity out. That is never mended
 * by more events, but the graph must be grown all the same: a revisit may
 * delete what is between. */
static inline bool search_is_atomic(struct explore *x)
{
    const struct graph *g = search_graph(x);
    return (!graph_has_pairs(g) || x->model->judge(x->model, g, NULL)) &&
           (!x->program->has_pieces || violation_check_torn(x));
}

/* Do the axioms hold that wait for the complete graph? A thread that finds an
 * error stays there until the others have ended, if there are any. */
static inline bool search_is_judged(struct explore *x)
{
    return (!x->model->has_final ||
            x->model->final(x->model, search_graph(x))) &&
           search_is_atomic(x);
}

/* Is it a fence that the model does not see? Then it is no event; see
 * core/hidden_fences.c. */
static inline bool search_hides(const struct explore *x,
                                const struct label *label)
{
    return label->kind == LABEL_FENCE && x->model->ignores &&
           x->model->ignores(x->model, label->tags);
}

/* A CAS that fails has the tags of its failure order. */
static inline uint64_t search_rmw_tags(const struct label *read, bool takes)
{
    if (takes)
        return read->tags;
    if (!read->value)
        return read->tags | TAG_BIT(TAG_FAILED);
    return read->value | TAG_BIT(TAG_FAILED) | TAG_BIT(TAG_SWAP) |
           (read->rmw == RMW_RELEASE ? TAG_BIT(TAG_SWAP_L) : 0);
}

/* depend.c. Gives the new event e the dependencies of its label. `cache` (or
 * NULL) keeps rows by node: where events at the same place of a thread have the
 * same id, they are the same in all graphs. */
void search_depend(struct dep_cache *cache, const struct path *path,
                   const struct program *program, struct graph *g, event_id e);
/* When nodes get a new meaning otherwise than path.version says. */
void dep_cache_forget(struct dep_cache *c);
void dep_cache_release(struct dep_cache *c);

/* Read e of the graph on top takes w: sets x->dead if that leads nowhere. */
void search_take_source(struct explore *x, event_id e, event_id w);

/* Adds the write of the RMW whose read is given, not in co yet, to the graph on
 * top; EVENT_NONE with x->failed. */
event_id search_add_half(struct explore *x, event_id read);
/* Removes the newest event of g. */
void search_pop(const struct explore *x, struct graph *g);

/* advance.c. Thread t goes on to `node`, and past all that is no event. */
void search_advance(struct explore *x, thread_id t, node_id node);
/* "", or which thread has made so many accesses that it hardly does anything
 * but go round in a loop, and where; in buf. */
const char *search_where(struct explore *x, char *buf, size_t cap);
/* From outside? The gap is noted, then. */
bool search_is_halted(struct explore *x);

/* hidden_fences.c. Adds to g, which is to be shown and not to be explored any
 * more, what was left out. Ids of events stay. */
void hidden_fences_add(struct explore *x, struct graph *g);

/* revisit.c. The new write w stands in co; `rival` is the write of another RMW
 * on the same source, or EVENT_NONE. */
void revisit_push(struct explore *x, event_id w, event_id rival);
void revisit_apply(struct explore *x, event_id w, event_id r);
/* The same for models with holes. */
void lb_revisit_push(struct explore *x, event_id w, event_id rival);
/* The write w of an RMW is not consistent where it has to be. With another one
 * on its source, which may fail because of w, it would be: notes that. */
void lb_revisit_note_refused(struct explore *x, event_id w);
/* Does an event behind e in its thread need e? What was kept without e did not,
 * so a read whose marks, as those of a CAS, make it needed now is not for this
 * graph: another revisit has kept it. */
bool lb_is_needed_behind(struct explore *x, const struct graph *g, event_id e);
void lb_revisit_apply(struct explore *x, event_id w, event_id r);
/* In a complete graph: had the halves of RMWs that were kept apart to be so?
 * Else it is reached in another way. */
bool lb_revisit_had_to_split(struct explore *x);

/* The reads that w could serve, to `out`; false: there are none. Coherence
 * keeps it from those before it in its thread. */
bool lb_readers_of(const struct explore *x, const struct graph *g, event_id w,
                   uint64_t *out);

/* lb_gap.c. The new write w, with its prefix (from prefix_of, just called), may
 * be one for which executions are missed: says so. */
void lb_gap_check_prefix(struct explore *x, event_id w, const uint64_t *prefix,
                         const uint64_t *ordered);
/* Another thread could read w: the same. To be called if the program has lists
 * of dependencies that are open. */
void lb_gap_check_served(struct explore *x, event_id w);
/* Of these reads those that w needs. */
bool lb_needed_readers(const struct explore *x, const struct graph *g,
                       event_id w, const uint64_t *prefix, uint64_t *out);

/* prefix.c. The causal prefix of w, w included: all that w needs, without those
 * writes of RMWs that are `apart` (or NULL) for their reads' sake; and as far
 * as conditional selection is left aside, to `ordered` (or NULL). */
void prefix_of(struct explore *x, const struct graph *g, event_id w,
               const uint64_t *apart, uint64_t *prefix, uint64_t *ordered);
/* Has it all of these events whatever the model says, and whichever swaps
 * succeed? That is often so, and the model's rows, mostly not made yet, need
 * not be made for it. Or (prefix_of was called for the graph) if just the swaps
 * `failing` fail? */
bool prefix_surely_has(struct explore *x, const struct graph *g, event_id w,
                       const uint64_t *events, const uint64_t *failing);
/* Is it the write of a compare-and-swap whose order depends on success? */
bool prefix_is_swap(const struct explore *x, const struct graph *g, event_id e);
/* A compare-and-swap before read r in its thread that failed, and whose value r
 * might take if it had not; or EVENT_NONE. */
event_id prefix_swap_before(const struct explore *x, const struct graph *g,
                            event_id r);
/* Does f stay behind e, before it in po, for the model's sake? Taken to be so
 * if the model has no row of that. prefix_of was called for the graph. */
bool prefix_is_behind(const struct explore *x, const struct graph *g,
                      event_id f, event_id e);
/* The write of an RMW whose read is e, unless it is among `apart`. The read
 * does not need it, but the two stay together where they can. */
event_id prefix_half_of(const struct graph *g, event_id e,
                        const uint64_t *apart);
/* What the events of `prefix` need in g, they need in its `part`, the events
 * `keep`, as long as they stay; r gets another source. */
void prefix_keep_needs(struct explore *x, const struct graph *g,
                       const uint64_t *prefix, const uint64_t *keep, event_id r,
                       const struct graph *part);

/* watch.c. Event e is not consistent with the source or place it has now: the
 * graph is dead. Noted, if the model must have allowed it. */
void watch_refused(struct explore *x, event_id e);
/* The item, taken from the work, is done with. If its event had alternatives,
 * one must have been consistent. */
void watch_tried(struct explore *x, const struct work *item);
/* The compare-and-swap of `read` has failed. */
void watch_failure(struct explore *x, event_id read);
/* The RMW of `read` is to be one step. */
void watch_atomic(struct explore *x, event_id read);

/* violation.c. Each notes what it finds and sets x->dead. */
void violation_check_event(struct explore *x, event_id e);
void violation_check_deadlock(struct explore *x);
/* Keeps `what` with the graph on top as its witness, unless known. */
void violation_add(struct explore *x, const struct violation *what);
/* The same for what label l of thread t says. */
void violation_add_error(struct explore *x, thread_id t, const struct label *l);
void violation_warn(struct explore *x, uint32_t text, place_id place);

#endif
