#include "models/cat/run/cat_memo.h"

#include "core/mem.h"

#include <stdlib.h>
#include <string.h>

/* When there is no room for more states there is twice the room, up to so many
 * bytes; then all are forgotten. Most explorations are small, and the first
 * touch of memory costs more than what is put there. */
enum { STATES_MIN = 128, BYTES_MAX = 6 << 20, STEPS_MAX = 200 };

/* What a key holds: the states before (two at a join), then the event itself
 * (with its location the other half of a write, or the source of a read), then
 * rows: its dependencies, and the dynamic relations. */
enum { KEY_BEFORE, KEY_JOINED, KEY_TAGS, KEY_IDS, KEY_LOC, KEY_ROWS };

void cat_memo_init(struct cat_memo *m, const struct cat_plan *plan)
{
    *m = (struct cat_memo){.plan = plan, .on = plan->remembers, .epoch = 1};
}

void cat_memo_release(struct cat_memo *m)
{
    free(m->keys);
    free(m->rows);
    free(m->table);
    free(m->key);
    *m = (struct cat_memo){0};
}

static void forget(struct cat_memo *m)
{
    m->epoch++;
    m->n = 0;
    memset(m->table, 0, 2 * (size_t)m->cap * sizeof *m->table);
}

/* The place of a key in the table: of the state with that key, or a free one.
 */
static uint32_t *slot(const struct cat_memo *m, const uint64_t *key)
{
    /* A sum, whose terms do not wait for each other. */
    uint64_t h = 0, factor = 0x9e3779b97f4a7c15u;
    for (uint32_t i = 0; i < m->key_words; i++, factor += 0xd1b54a32d192ed02u)
        h += (key[i] ^ key[i] >> 32) * factor;
    h ^= h >> 29;
    for (uint32_t i = (uint32_t)(h >> 20);; i++) {
        uint32_t *at = &m->table[i & (2 * m->cap - 1)];
        if (*at == 0 || memcmp(m->keys + (size_t)(*at - 1) * m->key_words, key,
                               m->key_words * sizeof *key) == 0)
            return at;
    }
}

/* Room for `cap` states. */
static void make_room(struct cat_memo *m, uint32_t cap)
{
    size_t rows = (size_t)m->plan->n_rows * m->words;
    m->cap = cap;
    m->keys = mem_resize(m->keys, cap * m->key_words * sizeof *m->keys);
    m->rows = mem_resize(m->rows, cap * rows * sizeof *m->rows);
    m->table = mem_resize(m->table, 2 * (size_t)cap * sizeof *m->table);
    memset(m->table, 0, 2 * (size_t)cap * sizeof *m->table);
    for (uint32_t i = 0; i < m->n; i++)
        *slot(m, m->keys + (size_t)i * m->key_words) = i + 1;
}

static void grow(struct cat_memo *m)
{
    size_t rows = (size_t)m->plan->n_rows * m->words;
    size_t bytes = (m->key_words + rows) * sizeof *m->keys;
    if (2 * m->cap * bytes <= BYTES_MAX)
        make_room(m, 2 * m->cap);
    else
        forget(m);
}

/* Copies `n` rows of `from` words to rows of `to` words; gives back what is
 * behind them. */
static const uint64_t *widen_rows(uint64_t **out, uint32_t to,
                                  const uint64_t *rows, uint32_t from, size_t n)
{
    for (; n > 0; n--, rows += from, *out += to) {
        memcpy(*out, rows, from * sizeof *rows);
        memset(*out + from, 0, (to - from) * sizeof *rows);
    }
    return rows;
}

/* From now on rows have so many words, more than before. */
static void widen(struct cat_memo *m, uint32_t words)
{
    uint32_t old = m->words, n_rows = m->plan->n_rows;
    uint32_t in_key = m->plan->n_deps + m->plan->n_dynamic;
    uint64_t *keys = m->keys, *rows = m->rows;
    const uint64_t *key = keys, *row = rows;
    m->words = words;
    m->key_words = KEY_ROWS + in_key * words;
    m->key = mem_resize(m->key, m->key_words * sizeof *m->key);
    uint32_t cap = m->cap ? m->cap : STATES_MIN;
    uint64_t *to = mem_resize(NULL, cap * m->key_words * sizeof *to);
    uint64_t *out = mem_resize(NULL, (size_t)cap * n_rows * words * sizeof *to);
    m->keys = to;
    m->rows = out;
    for (uint32_t i = 0; i < m->n; i++) {
        memcpy(to, key, KEY_ROWS * sizeof *to);
        to += KEY_ROWS;
        key = widen_rows(&to, words, key + KEY_ROWS, old, in_key);
        row = widen_rows(&out, words, row, old, n_rows);
    }
    make_room(m, cap);
    free(keys);
    free(rows);
}

/* The number of e's state, behind its rows; 0: none. */
static uint64_t *state_of(const struct cat_memo *m, const struct graph *g,
                          event_id e)
{
    return graph_row(g, e, ROW_MODEL + m->plan->n_rows);
}

static event_id before_of(const struct graph *g, event_id e)
{
    event_id before = g->events[e].po_prev;
    return before == EVENT_NONE ? g->threads[g->events[e].thread].create
                                : before;
}

/* The last event of the thread that e joins, or EVENT_NONE. */
static event_id joined_by(const struct graph *g, event_id e, event_id before)
{
    if (g->events[e].kind != LABEL_JOIN)
        return EVENT_NONE;
    const uint64_t *po = graph_row(g, e, ROW_PO);
    for (uint32_t w = 0; w < g->words; w++) {
        uint64_t more = po[w];
        if (before != EVENT_NONE)
            more &= ~graph_row(g, before, ROW_PO)[w];
        if (before != EVENT_NONE && before >> 6 == w)
            more &= ~((uint64_t)1 << (before & 63));
        if (more) {
            event_id any = w * 64 + (event_id)__builtin_ctzll(more);
            return g->threads[g->events[any].thread].last;
        }
    }
    return EVENT_NONE;
}

static bool is_known(const struct cat_memo *m, const struct graph *g,
                     event_id e)
{
    return e == EVENT_NONE || *state_of(m, g, e) >> 32 == m->epoch;
}

/* Is there an access with the tag to the location of e before it in po? */
static bool follows_in_loc(const struct graph *g, event_id e,
                           enum event_tag tag)
{
    if (g->events[e].loc == LOC_NONE)
        return false;
    const uint64_t *same = graph_loc_row(g, g->events[e].loc);
    const uint64_t *po = graph_row(g, e, ROW_PO);
    const uint64_t *tagged = tag == TAG_COUNT ? same : graph_set(g, tag);
    uint64_t any = 0;
    for (uint32_t w = 0; w < g->words; w++)
        any |= same[w] & po[w] & tagged[w];
    return any != 0;
}

/* The source of a read, if it is in the same thread. */
static event_id own_source(const struct graph *g, event_id e)
{
    const struct event *ev = &g->events[e];
    return ev->kind == LABEL_READ && ev->rf < EVENT_INIT &&
                   g->events[ev->rf].thread == ev->thread
               ? ev->rf
               : EVENT_NONE;
}

/* Can the relation lead to e, as far as a quick look tells? */
static bool may_lead_to(const struct cat_memo *m, const struct cat_dynamic *d,
                        const struct graph *g, event_id e, event_id own)
{
    const struct event *ev = &g->events[e];
    return cat_set_has(&m->plan->rels.sets[d->range], ev->tags) &&
           !(d->through_rfe && (ev->rf >= EVENT_INIT || own != EVENT_NONE)) &&
           !(d->in_po_loc && !follows_in_loc(g, e, d->from));
}

/* What leads to e by the relation, to `out`, which is empty. */
static void add_dynamic(struct cat_step *s, const struct cat_dynamic *d,
                        const struct graph *g, event_id e, uint64_t *out)
{
    const struct event *ev = &g->events[e];
    if (d->eco == REL_NONE || ev->tags & TAGS_PART) {
        cat_back_of(s, d->node, e, out);
        return;
    }
    cat_back_of(s, d->eco, ev->rf, out);
    const uint64_t *po = graph_row(g, e, ROW_PO);
    const uint64_t *same = graph_thread_row(g, g->events[ev->rf].thread);
    for (uint32_t w = 0; w < g->words; w++)
        out[w] &= po[w] & ~same[w];
}

/* `before` and `joined` are what is before e; false: one has no state. */
static bool make_key(struct cat_memo *m, struct cat_step *s,
                     const struct graph *g, event_id e, event_id before,
                     event_id joined)
{
    const struct event *ev = &g->events[e];
    if (!is_known(m, g, before) || !is_known(m, g, joined))
        return false;
    uint64_t *key = m->key;
    bool half = ev->kind == LABEL_WRITE && ev->rmw != EVENT_NONE;
    key[KEY_BEFORE] = before == EVENT_NONE ? 0 : *state_of(m, g, before);
    key[KEY_JOINED] = joined == EVENT_NONE ? 0 : *state_of(m, g, joined);
    key[KEY_TAGS] = ev->tags;
    key[KEY_IDS] = (uint64_t)ev->thread << 32 | e;
    event_id own = own_source(g, e);
    key[KEY_LOC] = (uint64_t)ev->loc << 32 | (half ? ev->rmw : own);
    uint64_t *row = key + KEY_ROWS;
    size_t deps = (size_t)m->plan->n_deps * m->words;
    memcpy(row, graph_row(g, e, ROW_ADDR), deps * sizeof *row);
    row += deps;
    memset(row, 0, m->plan->n_dynamic * m->words * sizeof *row);
    for (uint32_t i = 0; i < m->plan->n_dynamic; i++, row += m->words)
        if (may_lead_to(m, &m->plan->dynamic[i], g, e, own))
            add_dynamic(s, &m->plan->dynamic[i], g, e, row);
    return true;
}

static void set_state(struct cat_memo *m, const struct graph *g, event_id e,
                      uint32_t number)
{
    *state_of(m, g, e) = number ? (uint64_t)m->epoch << 32 | number : 0;
}

/* Remembers the rows of e under the key just made. */
static void keep(struct cat_memo *m, const struct graph *g, event_id e,
                 uint32_t *at)
{
    size_t size = (size_t)m->plan->n_rows * m->words;
    memcpy(m->keys + (size_t)m->n * m->key_words, m->key,
           m->key_words * sizeof *m->key);
    memcpy(m->rows + m->n * size, graph_row(g, e, ROW_MODEL),
           size * sizeof *m->rows);
    *at = ++m->n;
    set_state(m, g, e, m->n);
}

/* Gives e, whose rows are there, a state of this epoch, and all before it. */
static void renew(struct cat_memo *m, struct cat_step *s, const struct graph *g,
                  event_id e, uint32_t depth)
{
    if (is_known(m, g, e) || depth > STEPS_MAX || m->n == m->cap ||
        row_has(g->raw, e))
        return;
    event_id before = before_of(g, e), joined = joined_by(g, e, before);
    renew(m, s, g, before, depth + 1);
    renew(m, s, g, joined, depth + 1);
    if (m->n == m->cap || !make_key(m, s, g, e, before, joined))
        return;
    uint32_t *at = slot(m, m->key);
    if (*at)
        set_state(m, g, e, *at);
    else
        keep(m, g, e, at);
}

void cat_memo_drop(struct cat_memo *m, const struct graph *g, event_id e)
{
    set_state(m, g, e, 0);
}

bool cat_memo_find(struct cat_memo *m, struct cat_step *s,
                   const struct graph *g, event_id e)
{
    if (m->words < g->words)
        widen(m, g->words);
    m->found = NULL;
    if (m->words != g->words)
        return false;
    if (m->n == m->cap)
        grow(m);
    event_id before = before_of(g, e), joined = joined_by(g, e, before);
    if (!is_known(m, g, before))
        renew(m, s, g, before, 0);
    if (!is_known(m, g, joined))
        renew(m, s, g, joined, 0);
    if (m->n == m->cap || !make_key(m, s, g, e, before, joined))
        return false;
    m->found = slot(m, m->key);
    if (!*m->found)
        return false;
    size_t size = (size_t)m->plan->n_rows * m->words;
    memcpy(graph_row(g, e, ROW_MODEL), m->rows + (*m->found - 1) * size,
           size * sizeof *m->rows);
    set_state(m, g, e, *m->found);
    m->found = NULL;
    return true;
}

bool cat_memo_is_plain(const struct cat_memo *m, const struct graph *g,
                       event_id e)
{
    uint64_t state = *state_of(m, g, e);
    if (!m->on || m->words != g->words || state >> 32 != m->epoch ||
        own_source(g, e) != EVENT_NONE)
        return false;
    const uint64_t *key =
        m->keys + (size_t)((uint32_t)state - 1) * m->key_words;
    uint64_t any = 0;
    for (uint32_t i = KEY_ROWS + m->plan->n_deps * m->words; i < m->key_words;
         i++)
        any |= key[i];
    return any == 0;
}

const uint64_t *cat_memo_dynamic(const struct cat_memo *m)
{
    return m->found ? m->key + KEY_ROWS + (size_t)m->plan->n_deps * m->words
                    : NULL;
}

void cat_memo_keep(struct cat_memo *m, const struct graph *g, event_id e)
{
    if (m->found)
        keep(m, g, e, m->found);
    m->found = NULL;
}
