/* What the search takes for granted of a model, watched while it runs: where a
 * user's model breaks it, executions may be missing, and the verdict says so.
 *
 * Extensibility. The search reaches an execution through graphs with events
 * that a revisit deletes again. It relies on such events being there in the
 * canonical way: last in co, or as late as possible where threads have holes.
 * If the model forbids that, the graph is dropped with all revisits that would
 * have started from it. So the first event that cannot be added canonically is
 * told. The proofs ask no more of a model (rule A3); with holes this finds what
 * is wrong with a `corder`.
 *
 * Failing. With holes, what a write needs must not vary with whether a
 * compare-and-swap of one instruction succeeds, by which it has a write or has
 * none (rule N6). A `corder` that knows of no failures lets it vary, most
 * likely.
 *
 * Atomicity. The write of a read-modify-write is only ever put directly behind
 * its source in co, so the model must not allow it elsewhere (rule A5). */
#include "core/search.h"

static void print_place(struct search *s, event_id e, char *out, size_t bytes)
{
    node_id node = search_graph(s)->events[e].node;
    program_print_place(s->program, path_label(s->path, node)->place, out,
                        bytes);
}

static void note_stuck(struct search *s, event_id e)
{
    char place[200];
    struct broken why = {.axiom = "?"};
    if (search_has_gap(s))
        return;
    print_place(s, e, place, sizeof place);
    s->model->judge(s->model, search_graph(s), &why);
    search_note_gap(s, REASON_NOT_EXTENSIBLE,
                    "model %s is not extensible: its axiom '%s', not marked "
                    "'final', forbids to go on at %s",
                    s->model->name, why.axiom, place);
}

/* Is access e the newest event, and nothing later in co than it, or than what
 * it reads? */
static bool is_maximal(const struct graph *g, event_id e)
{
    const struct event *ev = &g->events[e];
    if (g->order[g->n - 1] != e)
        return false;
    if (ev->kind == LABEL_WRITE)
        return ev->co_next == EVENT_NONE;
    event_id last = g->locs[ev->loc].co_last;
    return ev->rf == (last == EVENT_NONE ? EVENT_INIT : last);
}

void watch_refused(struct search *s, event_id e)
{
    const struct graph *g = search_graph(s);
    bool has_choice =
        g->events[e].kind == LABEL_READ || g->events[e].kind == LABEL_WRITE;
    s->dead = true;
    if (has_choice ? !search_has_lb(s) && is_maximal(g, e) : true)
        note_stuck(s, e);
}

void watch_tried(struct search *s, const struct work *item)
{
    if (!search_has_lb(s) ||
        (item->kind != WORK_SOURCE && item->kind != WORK_PLACE) ||
        search_graph(s)->events[item->e].flags & EVENT_TAKEN)
        return;
    if (!search_has_more(s, item->kind, item->e))
        note_stuck(s, item->e);
}

/* A model of one's own lacks something that matters at e. */
static void note_missing(struct search *s, event_id e, enum gap_reason reason,
                         const char *what)
{
    char place[200];
    if (search_has_gap(s))
        return;
    print_place(s, e, place, sizeof place);
    search_note_gap(s, reason, "model %s does not say %s, at %s",
                    s->model->name, what, place);
}

void watch_failure(struct search *s, event_id read)
{
    if (!s->model->tells_failures && search_has_lb(s))
        note_missing(s, read, REASON_NO_FAILURES,
                     "in its 'corder' what a compare-and-swap orders when it "
                     "fails (FAILED-SWAP)");
}

void watch_atomic(struct search *s, event_id read)
{
    if (!s->model->atomic_rmw)
        note_missing(s, read, REASON_NOT_ATOMIC,
                     "that a read-modify-write is atomic (empty rmw & (fr; "
                     "co)) and comes after the write that it reads "
                     "(irreflexive rmw; co; rf)");
}
