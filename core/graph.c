/* Execution graphs. All arrays of a graph lie in one block, so that capacities
 * change in one place (`layout`) and a copy is a handful of memcpys. */
#include "core/graph.h"

#include "core/mem.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>

static const struct graph_thread NO_THREAD = {NODE_NONE, EVENT_NONE, EVENT_NONE,
                                              EVENT_NONE};

static size_t take(size_t *at, size_t bytes)
{
    size_t here = *at;
    *at += (bytes + 63) / 64 * 64;
    return here;
}

/* Places the arrays for the graph's capacities in its block, which grows when
 * too small (contents are then lost). */
static void layout(struct graph *g)
{
    size_t row = g->words * sizeof(uint64_t);
    size_t at = 0;
    size_t events = take(&at, g->cap * sizeof *g->events);
    size_t rows = take(&at, (size_t)g->cap * g->n_rows * row);
    size_t order = take(&at, g->cap * sizeof *g->order);
    size_t threads = take(&at, g->threads_cap * sizeof *g->threads);
    size_t locs = take(&at, g->locs_cap * sizeof *g->locs);
    size_t loc_rows = take(&at, g->locs_cap * row);
    size_t init_rows = take(&at, g->locs_cap * row);
    size_t thread_rows = take(&at, g->threads_cap * row);
    size_t sets = take(&at, TAG_COUNT * row);
    size_t live = take(&at, row);
    size_t raw = take(&at, row);
    size_t loops = take(&at, row);

    if (!g->block || at > g->block_bytes) {
        free(g->block);
        g->block = mem_resize(NULL, at);
        g->block_bytes = at;
    }
    char *b = g->block;
    g->events = (struct event *)(b + events);
    g->rows = (uint64_t *)(b + rows);
    g->order = (event_id *)(b + order);
    g->threads = (struct graph_thread *)(b + threads);
    g->locs = (struct graph_loc *)(b + locs);
    g->loc_rows = (uint64_t *)(b + loc_rows);
    g->init_rows = (uint64_t *)(b + init_rows);
    g->thread_rows = (uint64_t *)(b + thread_rows);
    g->sets = (uint64_t *)(b + sets);
    g->live = (uint64_t *)(b + live);
    g->raw = (uint64_t *)(b + raw);
    g->loops = (uint64_t *)(b + loops);
}

void graph_init(struct graph *g, uint32_t n_model_rows)
{
    memset(g, 0, sizeof *g);
    g->words = 1;
    g->cap = 64;
    g->n_rows = ROW_MODEL + n_model_rows;
    g->threads_cap = 8;
    g->locs_cap = 16;
    layout(g);
    graph_reset(g);
}

void graph_release(struct graph *g)
{
    free(g->block);
    memset(g, 0, sizeof *g);
}

void graph_reset(struct graph *g)
{
    g->n = g->n_ids = 0;
    g->n_threads = g->n_locs = 0;
    memset(g->sets, 0, TAG_COUNT * g->words * sizeof *g->sets);
    memset(g->live, 0, g->words * sizeof *g->live);
    memset(g->raw, 0, g->words * sizeof *g->raw);
    memset(g->loops, 0, g->words * sizeof *g->loops);
}

static void copy_rows(uint64_t *dst, uint32_t dst_words, const uint64_t *src,
                      uint32_t src_words, size_t n)
{
    if (dst_words == src_words) {
        memcpy(dst, src, n * src_words * sizeof *src);
        return;
    }
    assert(dst_words > src_words);
    for (size_t i = 0; i < n; i++) {
        memcpy(dst + i * dst_words, src + i * src_words,
               src_words * sizeof *src);
        memset(dst + i * dst_words + src_words, 0,
               (dst_words - src_words) * sizeof *src);
    }
}

/* All contents of src but the rows of events into dst, whose capacities are at
 * least as large. */
static void copy_frame(struct graph *dst, const struct graph *src)
{
    uint32_t dw = dst->words, sw = src->words;
    assert(dst->block);
    dst->n_ids = src->n_ids;
    dst->n = src->n;
    dst->n_threads = src->n_threads;
    dst->n_locs = src->n_locs;
    memcpy(dst->events, src->events, src->n_ids * sizeof *src->events);
    memcpy(dst->order, src->order, src->n * sizeof *src->order);
    memcpy(dst->threads, src->threads, src->n_threads * sizeof *src->threads);
    memcpy(dst->locs, src->locs, src->n_locs * sizeof *src->locs);
    copy_rows(dst->loc_rows, dw, src->loc_rows, sw, src->n_locs);
    copy_rows(dst->init_rows, dw, src->init_rows, sw, src->n_locs);
    copy_rows(dst->thread_rows, dw, src->thread_rows, sw, src->n_threads);
    copy_rows(dst->sets, dw, src->sets, sw, TAG_COUNT);
    copy_rows(dst->live, dw, src->live, sw, 1);
    copy_rows(dst->raw, dw, src->raw, sw, 1);
    copy_rows(dst->loops, dw, src->loops, sw, 1);
}

static void copy_contents(struct graph *dst, const struct graph *src)
{
    copy_frame(dst, src);
    copy_rows(dst->rows, dst->words, src->rows, src->words,
              (size_t)src->n_ids * src->n_rows);
}

/* Gives dst the capacities of src. */
static void make_like(struct graph *dst, const struct graph *src)
{
    if (dst->words != src->words || dst->n_rows != src->n_rows ||
        dst->threads_cap < src->threads_cap || dst->locs_cap < src->locs_cap) {
        dst->words = src->words;
        dst->cap = src->cap;
        dst->n_rows = src->n_rows;
        dst->threads_cap = src->threads_cap;
        dst->locs_cap = src->locs_cap;
        layout(dst);
    }
}

void graph_copy(struct graph *dst, const struct graph *src)
{
    make_like(dst, src);
    copy_contents(dst, src);
}

void graph_copy_part(struct graph *dst, const struct graph *src,
                     const uint64_t *keep)
{
    size_t size = (size_t)src->n_rows * src->words;
    event_id e;
    make_like(dst, src);
    copy_frame(dst, src);
    row_for_each (e, keep, src->words)
        memcpy(dst->rows + e * size, src->rows + e * size,
               size * sizeof *src->rows);
    graph_restrict(dst, keep);
}

/* Moves the graph to larger capacities. */
static void grow(struct graph *g, uint32_t words, uint32_t threads_cap,
                 uint32_t locs_cap)
{
    struct graph bigger = *g;
    bigger.block = NULL;
    bigger.block_bytes = 0;
    bigger.words = words;
    bigger.cap = 64 * words;
    bigger.threads_cap = threads_cap;
    bigger.locs_cap = locs_cap;
    layout(&bigger);
    copy_contents(&bigger, g);
    free(g->block);
    *g = bigger;
}

static event_id free_id(struct graph *g)
{
    for (uint32_t w = 0; w < g->words; w++)
        if (~g->live[w])
            return w * 64 + (event_id)__builtin_ctzll(~g->live[w]);
    event_id id = g->cap;
    grow(g, g->words * 2, g->threads_cap, g->locs_cap);
    return id;
}

void graph_ids_release(struct graph_ids *ids)
{
    for (uint32_t t = 0; t < ids->n_threads; t++)
        free(ids->by_index[t]);
    free(ids->by_index);
    free(ids->caps);
    *ids = (struct graph_ids){0};
}

/* The id for the place `index` in thread t. */
static event_id shared_id(struct graph *g, thread_id t, uint32_t index)
{
    struct graph_ids *ids = g->ids;
    if (t >= ids->n_threads) {
        ids->by_index =
            mem_resize(ids->by_index, (t + 1) * sizeof *ids->by_index);
        ids->caps = mem_resize(ids->caps, (t + 1) * sizeof *ids->caps);
        for (; ids->n_threads <= t; ids->n_threads++) {
            ids->by_index[ids->n_threads] = NULL;
            ids->caps[ids->n_threads] = 0;
        }
    }
    if (index >= ids->caps[t]) {
        uint32_t cap = index + 32;
        ids->by_index[t] =
            mem_resize(ids->by_index[t], cap * sizeof *ids->by_index[t]);
        for (uint32_t i = ids->caps[t]; i < cap; i++)
            ids->by_index[t][i] = EVENT_NONE;
        ids->caps[t] = cap;
    }
    event_id *id = &ids->by_index[t][index];
    if (*id == EVENT_NONE)
        *id = ids->n++;
    if (64 * g->words < ids->n)
        grow(g, (ids->n + 63) / 64, g->threads_cap, g->locs_cap);
    return *id;
}

static void clear_row(const struct graph *g, uint64_t *row)
{
    memset(row, 0, g->words * sizeof *row);
}

static void need_loc(struct graph *g, loc_id loc)
{
    if (loc >= g->locs_cap) {
        uint32_t cap = g->locs_cap;
        while (cap <= loc)
            cap *= 2;
        grow(g, g->words, g->threads_cap, cap);
    }
    for (; g->n_locs <= loc; g->n_locs++) {
        g->locs[g->n_locs] = (struct graph_loc){EVENT_NONE, EVENT_NONE};
        clear_row(g, graph_loc_row(g, g->n_locs));
        clear_row(g, graph_init_row(g, g->n_locs));
    }
}

void graph_start_thread(struct graph *g, thread_id t, node_id node,
                        event_id create)
{
    if (t >= g->threads_cap) {
        uint32_t cap = g->threads_cap;
        while (cap <= t)
            cap *= 2;
        grow(g, g->words, cap, g->locs_cap);
    }
    for (; g->n_threads <= t; g->n_threads++) {
        g->threads[g->n_threads] = NO_THREAD;
        clear_row(g, graph_thread_row(g, g->n_threads));
    }
    g->threads[t] = NO_THREAD;
    g->threads[t].node = node;
    g->threads[t].create = create;
}

/* po row, and cause row without rf, of an event whose predecessor is known. */
static void fill_po(struct graph *g, event_id e)
{
    const struct event *ev = &g->events[e];
    event_id before = ev->po_prev;
    if (before == EVENT_NONE)
        before = g->threads[ev->thread].create;
    uint64_t *po = graph_row(g, e, ROW_PO);
    uint64_t *cause = graph_row(g, e, ROW_CAUSE);
    if (before == EVENT_NONE) {
        clear_row(g, po);
        clear_row(g, cause);
        return;
    }
    size_t bytes = g->words * sizeof *po;
    memcpy(po, graph_row(g, before, ROW_PO), bytes);
    memcpy(cause, graph_row(g, before, ROW_CAUSE), bytes);
    row_add(po, before);
    row_add(cause, before);
}

static void set_tags(struct graph *g, event_id e, uint64_t tags, bool on)
{
    for (; tags; tags &= tags - 1) {
        uint64_t *set = graph_set(g, (enum event_tag)__builtin_ctzll(tags));
        if (on)
            row_add(set, e);
        else
            row_drop(set, e);
    }
}

/* Neighbours in the thread; events behind a hole get e as a predecessor. */
static void link_po(struct graph *g, event_id e)
{
    const struct event *ev = &g->events[e];
    if (ev->po_prev == EVENT_NONE)
        g->threads[ev->thread].first = e;
    else
        g->events[ev->po_prev].po_next = e;
    if (ev->po_next != EVENT_NONE)
        g->events[ev->po_next].po_prev = e;
    for (event_id f = ev->po_next; f != EVENT_NONE; f = g->events[f].po_next)
        row_add(graph_row(g, f, ROW_PO), e);
}

static void unlink_po(struct graph *g, event_id e)
{
    const struct event *ev = &g->events[e];
    struct graph_thread *thread = &g->threads[ev->thread];
    for (event_id f = ev->po_next; f != EVENT_NONE; f = g->events[f].po_next)
        row_drop(graph_row(g, f, ROW_PO), e);
    if (ev->po_prev == EVENT_NONE)
        thread->first = ev->po_next;
    else
        g->events[ev->po_prev].po_next = ev->po_next;
    if (ev->po_next != EVENT_NONE)
        g->events[ev->po_next].po_prev = ev->po_prev;
    /* Behind a hole nothing changes for the thread. */
    if (thread->last != EVENT_NONE &&
        ev->index <= g->events[thread->last].index) {
        thread->node = ev->node;
        thread->last = ev->po_prev;
    }
}

uint32_t graph_index_after(const struct graph *g, event_id prev,
                           const struct label *label)
{
    if (prev == EVENT_NONE)
        return 0;
    const struct event *ev = &g->events[prev];
    bool is_half = label->kind == LABEL_WRITE && label->rmw;
    return ev->index + (ev->flags & EVENT_RMW && !is_half ? 2 : 1);
}

static event_id add(struct graph *g, thread_id t, event_id prev, node_id node,
                    const struct label *label)
{
    uint32_t index = graph_index_after(g, prev, label);
    event_id e = g->ids ? shared_id(g, t, index) : free_id(g);
    bool has_loc = label->kind == LABEL_READ || label->kind == LABEL_WRITE ||
                   label->kind == LABEL_ALLOC || label->kind == LABEL_FREE;
    if (has_loc)
        need_loc(g, label->loc);
    if (e >= g->n_ids)
        g->n_ids = e + 1;

    struct graph_thread *thread = &g->threads[t];
    bool is_first = prev == EVENT_NONE;
    g->events[e] = (struct event){
        .tags = label->tags,
        .value = label->kind == LABEL_WRITE ? label->value : 0,
        .node = node,
        .loc = has_loc ? label->loc : LOC_NONE,
        .thread = t,
        .rf = EVENT_NONE,
        .co_prev = EVENT_NONE,
        .co_next = EVENT_NONE,
        .po_prev = prev,
        .po_next = is_first ? thread->first : g->events[prev].po_next,
        .index = index,
        .rmw = EVENT_NONE,
        .stamp = g->n,
        .kind = label->kind,
        .flags = label->kind == LABEL_READ && label->rmw ? EVENT_MAX | EVENT_RMW
                                                         : EVENT_MAX,
        .size = label->size,
    };
    g->order[g->n++] = e;
    row_add(g->live, e);
    memset(graph_row(g, e, ROW_READERS), 0,
           (ROW_MODEL - ROW_READERS) * g->words * sizeof *g->rows);
    fill_po(g, e);
    link_po(g, e);
    set_tags(g, e, label->tags, true);
    row_add(graph_thread_row(g, t), e);
    if (has_loc)
        row_add(graph_loc_row(g, label->loc), e);
    if (thread->last == prev)
        thread->last = e;
    return e;
}

event_id graph_add(struct graph *g, thread_id t, const struct label *label)
{
    return add(g, t, g->threads[t].last, g->threads[t].node, label);
}

event_id graph_add_after(struct graph *g, event_id prev, node_id node,
                         const struct label *label)
{
    return add(g, g->events[prev].thread, prev, node, label);
}

event_id graph_add_between(struct graph *g, thread_id t, event_id prev,
                           node_id node, const struct label *label)
{
    return add(g, t, prev, node, label);
}

void graph_pair(struct graph *g, event_id w, uint32_t n)
{
    event_id r = g->threads[g->events[w].thread].first;
    for (; r != EVENT_NONE && r != w; r = g->events[r].po_next)
        if (g->events[r].kind == LABEL_READ && --n == 0)
            break;
    assert(r != EVENT_NONE && r != w);
    g->events[w].rmw = r;
    g->events[w].flags |= EVENT_APART;
    g->events[r].rmw = w;
}

bool graph_has_pairs(const struct graph *g)
{
    for (uint32_t i = 0; i < g->n; i++)
        if (g->events[g->order[i]].flags & EVENT_APART)
            return true;
    return false;
}

static uint64_t *readers_of(struct graph *g, event_id w, loc_id loc)
{
    return w == EVENT_INIT ? graph_init_row(g, loc)
                           : graph_row(g, w, ROW_READERS);
}

static void unset_rf(struct graph *g, event_id r)
{
    struct event *ev = &g->events[r];
    if (ev->rf != EVENT_NONE)
        row_drop(readers_of(g, ev->rf, ev->loc), r);
    ev->rf = EVENT_NONE;
}

/* Takes e out of everything but `order`; its thread stands at it again. */
static void unlink_event(struct graph *g, event_id e)
{
    struct event *ev = &g->events[e];
    if (ev->kind == LABEL_READ)
        unset_rf(g, e);
    else if (ev->kind == LABEL_WRITE)
        graph_remove_co(g, e);
    if (ev->rmw != EVENT_NONE)
        g->events[ev->rmw].rmw = EVENT_NONE;
    set_tags(g, e, ev->tags, false);
    row_drop(g->live, e);
    row_drop(g->raw, e);
    row_drop(g->loops, e);
    row_drop(graph_thread_row(g, ev->thread), e);
    if (ev->loc != LOC_NONE)
        row_drop(graph_loc_row(g, ev->loc), e);
    unlink_po(g, e);
    if (ev->kind == LABEL_CREATE)
        for (thread_id t = 0; t < g->n_threads; t++)
            if (g->threads[t].create == e)
                g->threads[t] = NO_THREAD;
}

void graph_pop(struct graph *g)
{
    assert(g->n > 0);
    event_id e = g->order[--g->n];
    unlink_event(g, e);
    if (e + 1 == g->n_ids)
        g->n_ids = e;
}

void graph_set_rf(struct graph *g, event_id r, event_id w, uint64_t init)
{
    unset_rf(g, r);
    struct event *ev = &g->events[r];
    ev->rf = w;
    ev->value = w == EVENT_INIT ? init : g->events[w].value;
    row_add(readers_of(g, w, ev->loc), r);
    fill_po(g, r);
    if (w != EVENT_INIT) {
        uint64_t *cause = graph_row(g, r, ROW_CAUSE);
        row_or(cause, graph_row(g, w, ROW_CAUSE), g->words);
        row_add(cause, w);
    }
}

void graph_set_tags(struct graph *g, event_id e, uint64_t tags)
{
    struct event *ev = &g->events[e];
    if (ev->tags == tags)
        return;
    set_tags(g, e, ev->tags & ~tags, false);
    set_tags(g, e, tags & ~ev->tags, true);
    ev->tags = tags;
}

void graph_insert_co(struct graph *g, event_id w, event_id after)
{
    struct event *ev = &g->events[w];
    struct graph_loc *loc = &g->locs[ev->loc];
    assert(ev->co_prev == EVENT_NONE);
    event_id next =
        after == EVENT_INIT ? loc->co_first : g->events[after].co_next;
    ev->co_prev = after;
    ev->co_next = next;
    if (after == EVENT_INIT)
        loc->co_first = w;
    else
        g->events[after].co_next = w;
    if (next == EVENT_NONE)
        loc->co_last = w;
    else
        g->events[next].co_prev = w;
}

void graph_remove_co(struct graph *g, event_id w)
{
    struct event *ev = &g->events[w];
    struct graph_loc *loc = &g->locs[ev->loc];
    if (ev->co_prev == EVENT_NONE)
        return;
    if (ev->co_prev == EVENT_INIT)
        loc->co_first = ev->co_next;
    else
        g->events[ev->co_prev].co_next = ev->co_next;
    if (ev->co_next != EVENT_NONE)
        g->events[ev->co_next].co_prev = ev->co_prev;
    else
        loc->co_last = ev->co_prev == EVENT_INIT ? EVENT_NONE : ev->co_prev;
    ev->co_prev = ev->co_next = EVENT_NONE;
}

void graph_join(struct graph *g, event_id j, thread_id t)
{
    event_id last = g->threads[t].last;
    if (last == EVENT_NONE)
        last = g->threads[t].create;
    if (last == EVENT_NONE)
        return;
    for (unsigned row = ROW_PO; row <= ROW_CAUSE; row++) {
        uint64_t *to = graph_row(g, j, row);
        row_or(to, graph_row(g, last, row), g->words);
        row_add(to, last);
    }
}

void graph_restrict(struct graph *g, const uint64_t *keep)
{
    /* Newest first, as if popped: each thread ends up at its oldest removed
     * event. */
    for (uint32_t i = g->n; i-- > 0;) {
        event_id e = g->order[i];
        if (!row_has(keep, e))
            unlink_event(g, e);
    }
    uint32_t n = 0;
    for (uint32_t i = 0; i < g->n; i++) {
        event_id e = g->order[i];
        if (row_has(keep, e)) {
            g->events[e].stamp = n;
            g->order[n++] = e;
        }
    }
    g->n = n;
    while (g->n_ids > 0 && !row_has(g->live, g->n_ids - 1))
        g->n_ids--;
}

#define CHECK(condition, what)                           \
    do {                                                 \
        if (!(condition)) {                              \
            snprintf(why, cap, "event %u: %s", e, what); \
            return false;                                \
        }                                                \
    } while (0)

static bool check_event(const struct graph *g, event_id e, char *why,
                        size_t cap)
{
    const struct event *ev = &g->events[e];
    CHECK(row_has(g->live, e), "in order but not live");
    CHECK(row_has(graph_thread_row(g, ev->thread), e), "not in its thread");
    for (unsigned tag = 0; tag < TAG_COUNT; tag++)
        CHECK(row_has(graph_set(g, (enum event_tag)tag), e) ==
                  (ev->tags >> tag & 1),
              "tags and sets differ");
    if (ev->kind == LABEL_READ && ev->rf != EVENT_NONE) {
        const uint64_t *readers = ev->rf == EVENT_INIT
                                      ? graph_init_row(g, ev->loc)
                                      : graph_row(g, ev->rf, ROW_READERS);
        CHECK(row_has(readers, e), "source does not know its reader");
        CHECK(ev->rf == EVENT_INIT || row_has(g->live, ev->rf),
              "reads from a removed write");
        CHECK(ev->rf == EVENT_INIT || g->events[ev->rf].value == ev->value,
              "value differs from its source's");
    }
    CHECK(ev->rmw == EVENT_NONE ||
              (row_has(g->live, ev->rmw) && g->events[ev->rmw].rmw == e),
          "halves do not know each other");
    CHECK(!(ev->flags & EVENT_APART) || ev->rmw != EVENT_NONE,
          "apart from no read");
    CHECK(ev->loc == LOC_NONE || row_has(graph_loc_row(g, ev->loc), e),
          "not among those of its location");
    return true;
}

/* Are the po rows of a thread's events, as far as they are of the thread, what
 * its list says? Do first and last stand in it? */
static bool check_thread(const struct graph *g, thread_id t, char *why,
                         size_t cap)
{
    const struct graph_thread *thread = &g->threads[t];
    const uint64_t *own = graph_thread_row(g, t);
    uint32_t n = 0, n_own = 0;
    bool has_last = thread->last == EVENT_NONE;
    event_id before = EVENT_NONE;
    for (event_id e = thread->first; e != EVENT_NONE;
         before = e, e = g->events[e].po_next, n++) {
        const struct event *ev = &g->events[e];
        const uint64_t *po = graph_row(g, e, ROW_PO);
        uint32_t n_before = 0;
        CHECK(ev->po_prev == before, "po is not a list");
        CHECK(ev->thread == t, "in another thread's list");
        CHECK(!g->ids || before == EVENT_NONE ||
                  ev->index > g->events[before].index,
              "its index is not above that of the one before");
        for (uint32_t w = 0; w < g->words; w++)
            n_before += (uint32_t)__builtin_popcountll(po[w] & own[w]);
        CHECK(n_before == n, "po does not have just those before it");
        CHECK(before == EVENT_NONE || row_has(po, before),
              "does not follow the one before in po");
        has_last |= thread->last == e;
    }
    for (uint32_t w = 0; w < g->words; w++)
        n_own += (uint32_t)__builtin_popcountll(own[w]);
    event_id e = thread->last;
    CHECK(has_last, "the last of its thread, but not in it");
    CHECK(n == n_own, "its thread's list and row differ");
    return true;
}

/* Is co of a location a list of just the writes that have a place? */
static bool check_co(const struct graph *g, loc_id loc, char *why, size_t cap)
{
    event_id before = EVENT_INIT, e;
    uint32_t n = 0, placed = 0;
    for (e = g->locs[loc].co_first; e != EVENT_NONE;
         before = e, e = g->events[e].co_next, n++)
        CHECK(g->events[e].co_prev == before && g->events[e].loc == loc,
              "co is not a list");
    e = g->locs[loc].co_last;
    CHECK(e == (before == EVENT_INIT ? EVENT_NONE : before),
          "not last in co, but said to be");
    row_for_each (e, graph_loc_row(g, loc), g->words)
        placed += g->events[e].co_prev != EVENT_NONE;
    e = g->locs[loc].co_last;
    CHECK(n == placed, "co lacks writes of the location");
    return true;
}

bool graph_check(const struct graph *g, char *why, size_t cap)
{
    uint32_t live = 0;
    for (uint32_t w = 0; w < g->words; w++)
        live += (uint32_t)__builtin_popcountll(g->live[w]);
    if (live != g->n) {
        snprintf(why, cap, "%u live events, %u in order", live, g->n);
        return false;
    }
    for (uint32_t i = 0; i < g->n; i++) {
        event_id e = g->order[i];
        CHECK(g->events[e].stamp == i, "stamp is not its place in order");
        if (!check_event(g, e, why, cap))
            return false;
    }
    for (thread_id t = 0; t < g->n_threads; t++)
        if (g->threads[t].node != NODE_NONE && !check_thread(g, t, why, cap))
            return false;
    for (loc_id l = 0; l < g->n_locs; l++)
        if (!check_co(g, l, why, cap))
            return false;
    return true;
}
