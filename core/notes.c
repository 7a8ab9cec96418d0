/* Where the search may miss executions under models with load buffering: each
 * note looks at a new write w and its prefix, and says so if that could be.
 * The one about selection is dear, and looks at the same again and again: what
 * it found good is remembered. */
#include "core/mem.h"
#include "core/search.h"

#include <stdlib.h>

bool notes_needed_readers(const struct explore *x, const struct graph *g,
                          event_id w, const uint64_t *prefix, uint64_t *out)
{
    holes_readers_of(x, g, w, out);
    return row_and(out, prefix, g->words);
}

/* --- What was looked at already ------------------------------------------- */

/* One step of a hash (the finalizer of splitmix64). */
static uint64_t mix(uint64_t h, uint64_t value)
{
    h = (h ^ value) + 0x9e3779b97f4a7c15;
    h = (h ^ h >> 30) * 0xbf58476d1ce4e5b9;
    h = (h ^ h >> 27) * 0x94d049bb133111eb;
    return h ^ h >> 31;
}

/* The write before w in co that is in the row, or EVENT_INIT. */
static event_id co_before_in(const struct graph *g, event_id w,
                             const uint64_t *row)
{
    event_id v = g->events[w].co_prev;
    while (v < EVENT_INIT && !row_has(row, v))
        v = g->events[v].co_prev;
    return v;
}

/* Of all that a note looks at: the prefix, and what is before it in po. */
static uint64_t key_of(struct explore *x, const struct graph *g, event_id w,
                       const uint64_t *prefix)
{
    uint64_t *all = search_scratch(x, SCRATCH_OTHER, g->words), key = w;
    event_id e;
    memcpy(all, prefix, g->words * sizeof *all);
    row_for_each (e, prefix, g->words)
        row_or(all, graph_row(g, e, ROW_PO), g->words);
    row_for_each (e, all, g->words) {
        const struct event *ev = &g->events[e];
        event_id other = ev->kind == LABEL_READ    ? ev->rf
                         : ev->kind == LABEL_WRITE ? co_before_in(g, e, all)
                                                   : EVENT_NONE;
        key = mix(mix(key, (uint64_t)e << 32 | ev->node),
                  (uint64_t)other << 8 | ev->flags);
    }
    return key ? key : 1;
}

/* Adds the key; false: it was there. */
static bool remember(struct key_set *s, uint64_t key)
{
    if (s->n * 2 >= s->cap) {
        struct key_set old = *s;
        s->cap = old.cap ? old.cap * 2 : 1024;
        s->n = 0;
        s->keys = mem_resize(NULL, s->cap * sizeof *s->keys);
        memset(s->keys, 0, s->cap * sizeof *s->keys);
        for (uint32_t i = 0; i < old.cap; i++)
            if (old.keys[i])
                remember(s, old.keys[i]);
        free(old.keys);
    }
    uint32_t i = (uint32_t)key & (s->cap - 1);
    while (s->keys[i] && s->keys[i] != key)
        i = (i + 1) & (s->cap - 1);
    if (s->keys[i])
        return false;
    s->keys[i] = key;
    s->n++;
    return true;
}

/* Was it looked at before? Not asked any more where that hardly ever is so. */
static bool is_known(struct explore *x, event_id w, const uint64_t *prefix)
{
    if (x->noted.n > 2000 && x->noted.hits < x->noted.n)
        return false;
    bool known = !remember(&x->noted, key_of(x, search_graph(x), w, prefix));
    x->noted.hits += known;
    return known;
}

void notes_forget(struct explore *x)
{
    free(x->noted.keys);
    x->noted = (struct key_set){0};
}

/* --- The notes ------------------------------------------------------------ */

/* A copy of the graph on top, to be changed and dropped again. */
static struct graph *push_copy(struct explore *x)
{
    struct graph *c = search_push_frame(x);
    graph_copy(c, &x->frames[x->n_frames - 2].g);
    return c;
}

/* Leaves of the readers those by which something is selected: one of them must
 * take another value, or all is as it is. False: there are none. */
static bool keep_selecting(const struct graph *g, uint64_t *picks,
                           uint64_t *readers)
{
    event_id e;
    row_for_each (e, g->live, g->words)
        if (g->events[e].flags & EVENT_PICKS)
            for (unsigned row = ROW_PICK_ADDR; row <= ROW_PICK_CTRL; row++)
                row_or(picks, graph_row(g, e, row), g->words);
    return row_and(readers, picks, g->words);
}

/* Takes the dependencies of events of the prefix away that may be others with
 * another value of what selects. */
static void drop_selected(const struct explore *x, struct graph *c,
                          const uint64_t *prefix)
{
    for (thread_id t = 0; t < c->n_threads; t++) {
        event_id first = EVENT_NONE;
        for (event_id e = c->threads[t].first; e != EVENT_NONE;
             e = c->events[e].po_next) {
            if (!row_has(prefix, e) || !(c->events[e].flags & EVENT_PICKS))
                continue;
            uint64_t *deps = graph_row(c, e, ROW_ADDR);
            const uint64_t *picks = graph_row(c, e, ROW_PICK_ADDR);
            for (uint32_t i = 0; i < 3 * c->words; i++)
                deps[i] &= ~picks[i];
            first = first == EVENT_NONE ? e : first;
        }
        if (first != EVENT_NONE)
            x->model->enter(x->model, c, first);
    }
}

/* A value that was selected by what a read returned cannot be kept without the
 * read, whether the model orders the two (AArch64) or not (Power's isel, as we
 * take it). In the second case executions are missed: say so. */
static void note_picks(struct explore *x, event_id w, const uint64_t *prefix)
{
    const struct graph *g = search_graph(x);
    bool orders = x->model->orders_picks;
    uint64_t *readers = search_scratch(x, SCRATCH_READERS, g->words);
    uint64_t *ordered = search_scratch(x, SCRATCH_ORDERED, g->words);
    if (x->gap != GAP_NONE || !notes_needed_readers(x, g, w, prefix, readers) ||
        (!orders && !keep_selecting(g, ordered, readers)) ||
        is_known(x, w, prefix))
        return;
    uint64_t *all = search_scratch(x, SCRATCH_OTHER, g->words);
    if (orders) {
        prefix_of(x, g, w, NULL, all, ordered);
    } else {
        struct graph *c = push_copy(x);
        drop_selected(x, c, prefix);
        prefix_of(x, c, w, NULL, all, ordered);
        x->n_frames--;
        g = search_graph(x); /* frames may have moved */
    }
    if (row_exceeds(readers, ordered, g->words))
        search_note_gap(x, GAP_UNMODELLED,
                        "load buffering across a conditional selection is not "
                        "explored");
}

/* Does an event of the prefix stay behind e, of its thread, for the model's
 * sake? Taken to be so where the model has no row of that. */
static bool is_ordered_before(const struct explore *x, const struct graph *g,
                              event_id e, const uint64_t *prefix)
{
    for (event_id f = g->events[e].po_next; f != EVENT_NONE;
         f = g->events[f].po_next)
        if (row_has(prefix, f) && prefix_is_behind(x, g, f, e))
            return true;
    return false;
}

/* Lets the compare-and-swaps of the copy c fail whose writes are in `fail`:
 * then nothing takes these. */
static void fail_swaps(const struct explore *x, struct graph *c,
                       const uint64_t *fail)
{
    event_id half, reader;
    row_for_each (half, fail, c->words) {
        event_id r = c->events[half].rmw;
        row_for_each (reader, graph_row(c, half, ROW_READERS), c->words)
            graph_set_rf(c, reader, EVENT_INIT, 0);
        graph_set_tags(
            c, r,
            search_rmw_tags(path_label(&x->path, c->events[r].node), false));
        graph_set_tags(c, half, 0);
        c->events[r].rmw = c->events[half].rmw = EVENT_NONE;
    }
    for (thread_id t = 0; t < c->n_threads; t++)
        if (c->threads[t].node != NODE_NONE &&
            c->threads[t].first != EVENT_NONE)
            x->model->enter(x->model, c, c->threads[t].first);
}

/* The writes of compare-and-swaps, other than w, that w needs by order, to
 * `out`; false: there are none. */
static bool needed_swaps(const struct explore *x, const struct graph *g,
                         event_id w, const uint64_t *prefix, uint64_t *out)
{
    bool any = false;
    event_id e;
    row_for_each (e, prefix, g->words) {
        if (e == w || !prefix_is_swap(x, g, e) ||
            !is_ordered_before(x, g, e, prefix))
            continue;
        row_add(out, e);
        any = true;
    }
    return any;
}

/* A write needs what comes before a compare-and-swap that succeeded, but would
 * not if it had failed (AArch64: its own write and a DMB ST order the two).
 * What would make it fail may exist only in a cycle through w, which is not
 * explored: say so. */
static void note_swaps(struct explore *x, event_id w, const uint64_t *prefix)
{
    const struct graph *g = search_graph(x);
    uint64_t *readers = search_scratch(x, SCRATCH_READERS, g->words);
    uint64_t *fail = search_scratch(x, SCRATCH_NEEDED, g->words);
    if (x->gap != GAP_NONE || !notes_needed_readers(x, g, w, prefix, readers) ||
        !needed_swaps(x, g, w, prefix, fail))
        return;
    struct graph *c = push_copy(x);
    fail_swaps(x, c, fail);
    uint64_t *failed = search_scratch(x, SCRATCH_OTHER, c->words);
    prefix_of(x, c, w, NULL, failed, NULL);
    x->n_frames--;
    if (row_exceeds(readers, failed, c->words))
        search_note_gap(x, GAP_UNMODELLED,
                        "load buffering across a compare-and-swap that may "
                        "fail is not explored");
}

/* A read of w's prefix takes the value of a write of its thread, and is ordered
 * before w, but not behind what that value depends on, or behind the read of
 * the write's RMW. The model may allow that one of these takes w (a cycle of
 * values in which w's own does not take part), but the write cannot be kept
 * without them: executions are missed, say so. The writes of RMWs are left
 * apart: what only they need, their reads do not (push_beside). */
static void note_forwarded(struct explore *x, event_id w)
{
    const struct graph *g = search_graph(x);
    uint64_t *prefix = search_scratch(x, SCRATCH_OTHER, g->words);
    uint64_t *readers = search_scratch(x, SCRATCH_READERS, g->words);
    prefix_of(x, g, w, g->live, prefix, NULL);
    if (!x->has_forwarded || !notes_needed_readers(x, g, w, prefix, readers))
        return;
    x->leaves_forwarded = true;
    prefix_of(x, g, w, g->live, prefix, NULL);
    x->leaves_forwarded = false;
    if (row_exceeds(readers, prefix, g->words))
        search_note_gap(x, GAP_UNMODELLED,
                        "load buffering across a value that its thread wrote "
                        "and reads again is not explored");
}

void notes_take(struct explore *x, event_id w, const uint64_t *prefix)
{
    if (x->gap != GAP_NONE)
        return;
    if (x->has_forwarded || x->has_joined)
        note_forwarded(x, w);
    if (x->program->has_picks)
        note_picks(x, w, prefix);
    if (x->has_swaps)
        note_swaps(x, w, prefix);
}
