#include "frontend/report/witness.h"

#include "core/mem.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Which relations the rows are to respect. */
enum respect { RESPECT_PO, RESPECT_RF, RESPECT_ALL };

/* Where each thread stands while the rows are laid out. */
struct layout {
    struct witness *w;
    enum respect respect;
    event_id *next_of; /* [cap] po successor in the same thread */
    event_id *next;    /* [n_threads] first event not yet placed */
    bool *placed;      /* [cap] */
};

const struct label *witness_label(const struct witness *w, event_id e)
{
    return path_label(w->path, w->graph->events[e].node);
}

place_id witness_place(const struct witness *w, event_id e)
{
    return witness_label(w, e)->place;
}

static bool is_placed(const struct layout *l, event_id e)
{
    return e >= l->w->graph->cap || l->placed[e];
}

/* Are all events placed that must come before e: its predecessors in po, in rf,
 * and, in an interleaving, in co and fr? */
static bool is_ready(const struct layout *l, event_id e)
{
    const struct graph *g = l->w->graph;
    const struct event *ev = &g->events[e];

    if (ev->po_prev == EVENT_NONE &&
        !is_placed(l, g->threads[ev->thread].create))
        return false;
    if (ev->kind == LABEL_JOIN) {
        thread_id child = witness_label(l->w, e)->loc;

        return child >= g->n_threads || is_placed(l, g->threads[child].last);
    }
    if (ev->kind == LABEL_READ && l->respect >= RESPECT_RF)
        return is_placed(l, ev->rf);
    if (ev->kind == LABEL_WRITE && ev->co_prev != EVENT_NONE &&
        l->respect == RESPECT_ALL) {
        const uint64_t *readers = ev->co_prev == EVENT_INIT
                                      ? graph_init_row(g, ev->loc)
                                      : graph_row(g, ev->co_prev, ROW_READERS);
        event_id r;

        row_for_each (r, readers, g->words) {
            if (!is_placed(l, r))
                return false;
        }
        return is_placed(l, ev->co_prev);
    }
    return true;
}

/* The next event of `t` if it can be placed now, else EVENT_NONE. */
static event_id ready_in(const struct layout *l, thread_id t)
{
    event_id e = l->next[t];

    return e != EVENT_NONE && is_ready(l, e) ? e : EVENT_NONE;
}

/* Every thread stands at its first event again. */
static void start(struct layout *l)
{
    const struct graph *g = l->w->graph;

    memset(l->placed, 0, g->cap * sizeof(bool));
    for (thread_id t = 0; t < g->n_threads; t++)
        l->next[t] = EVENT_NONE;
    for (uint32_t i = 0; i < g->n; i++) {
        event_id e = g->order[i];

        if (g->events[e].po_prev == EVENT_NONE)
            l->next[g->events[e].thread] = e;
    }
}

/* Places all events greedily; a thread goes on for as long as it can, so that
 * there are few switches. What is to be respected either has no cycle, and then
 * the greedy choice needs no way back, or no order exists: false. */
static bool lay_out(struct layout *l)
{
    const struct graph *g = l->w->graph;
    thread_id t = 0;

    start(l);
    for (uint32_t n = 0; n < l->w->n; n++) {
        event_id e = ready_in(l, t);

        for (thread_id i = 0; e == EVENT_NONE && i < g->n_threads; i++) {
            e = ready_in(l, i);
            if (e != EVENT_NONE)
                t = i;
        }
        if (e == EVENT_NONE)
            return false;
        l->w->rows[n] = e;
        l->placed[e] = true;
        l->next[t] = l->next_of[e];
    }
    return true;
}

/* An interleaving if there is one, else an order of cause and effect. */
static void order_rows(struct witness *w)
{
    const struct graph *g = w->graph;
    struct layout l = {
        .w = w,
        .respect = RESPECT_ALL,
        .next_of = mem_resize(NULL, g->cap * sizeof(event_id)),
        .next = mem_resize(NULL, g->n_threads * sizeof(event_id)),
        .placed = mem_resize(NULL, g->cap * sizeof(bool)),
    };

    for (uint32_t i = 0; i < g->cap; i++)
        l.next_of[i] = EVENT_NONE;
    for (uint32_t i = 0; i < g->n; i++)
        if (g->events[g->order[i]].po_prev != EVENT_NONE)
            l.next_of[g->events[g->order[i]].po_prev] = g->order[i];
    w->interleaved = lay_out(&l);
    l.respect = RESPECT_RF;
    if (!w->interleaved && !lay_out(&l)) {
        l.respect = RESPECT_PO; /* a model that allows load buffering */
        lay_out(&l);
    }
    free(l.next_of);
    free(l.next);
    free(l.placed);
}

/* The events of thread 0 come last, and are not counted. */
static void hide_first(struct witness *w)
{
    uint32_t n = 0, total = w->n;
    event_id *rows = mem_resize(NULL, total * sizeof(*rows));

    for (uint32_t pass = 0, at = 0; pass < 2; pass++) {
        for (uint32_t i = 0; i < total; i++)
            if ((w->graph->events[w->rows[i]].thread == 0) == (pass == 1))
                rows[at++] = w->rows[i];
        n = pass == 0 ? at : n;
    }
    free(w->rows);
    w->rows = rows;
    w->n = n;
}

void witness_init(struct witness *w, const struct graph *g,
                  const struct path *path, const struct program *program)
{
    *w = (struct witness){
        .graph = g, .path = path, .program = program, .n = g->n};
    w->rows = mem_resize(NULL, g->n * sizeof(*w->rows));
    w->row_of = mem_resize(NULL, g->cap * sizeof(*w->row_of));
    order_rows(w);
    if (program->is_litmus)
        hide_first(w);
    for (uint32_t i = 0; i < g->n; i++)
        w->row_of[w->rows[i]] = i;
}

bool witness_shows(const struct witness *w, thread_id t)
{
    return t < w->graph->n_threads && w->graph->threads[t].node != NODE_NONE &&
           (t > 0 || !w->program->is_litmus);
}

const char *witness_instruction(const struct witness *w, event_id e)
{
    const struct program *p = w->program;

    return p->instruction && e < w->graph->cap
               ? p->instruction(p->instruction_self, w->graph->events[e].node)
               : "";
}

void witness_release(struct witness *w)
{
    free(w->rows);
    free(w->row_of);
}

void witness_name(const struct witness *w, event_id e, char *buf, size_t cap)
{
    char digits[8], *at = digits + sizeof(digits) - 1;

    if (e == EVENT_INIT || e == EVENT_NONE) {
        snprintf(buf, cap, "%s", e == EVENT_INIT ? "init" : "?");
        return;
    }
    *at = '\0';
    for (uint32_t i = w->row_of[e] + 1; i; i = (i - 1) / 26)
        *--at = (char)('a' + (i - 1) % 26);
    snprintf(buf, cap, "%s", at);
}

void witness_thread(const struct witness *w, thread_id t, char *buf, size_t cap)
{
    if (t > 0 && w->program->is_litmus)
        snprintf(buf, cap, "P%" PRIu32, t - 1);
    else if (t == 0)
        snprintf(buf, cap, "main");
    else
        snprintf(buf, cap, "T%" PRIu32, t);
}

const char *witness_kind(const struct event *e)
{
    switch ((enum label_kind)e->kind) {
    case LABEL_READ:
        return e->rmw != EVENT_NONE ? "R*" : "R";
    case LABEL_WRITE:
        return e->rmw != EVENT_NONE ? "W*" : "W";
    case LABEL_FENCE:
        return "F";
    case LABEL_CREATE:
        return "create";
    case LABEL_JOIN:
        return "join";
    case LABEL_ALLOC:
        return "alloc";
    case LABEL_FREE:
        return "free";
    case LABEL_CHOICE:
        return "choice";
    case LABEL_START:
    case LABEL_OBSERVE:
    case LABEL_WARN:
    case LABEL_END:
    case LABEL_BLOCK:
    case LABEL_ERROR:
    case LABEL_BOUND:
    case LABEL_UNMODELLED:
        break; /* no events */
    }
    return "?";
}

/* "A" of A64.A */
static const char *plain_name(enum event_tag tag)
{
    const char *name = event_tag_name(tag), *dot = strrchr(name, '.');
    return dot ? dot + 1 : name;
}

const char *witness_order(const struct event *e)
{
    static const struct {
        uint64_t tags;
        const char *text;
    } orders[] = {
        {TAG_BIT(TAG_SC), "sc"},
        {TAG_BIT(TAG_ACQ_REL), "acq_rel"},
        {TAG_BIT(TAG_ACQ) | TAG_BIT(TAG_REL), "acq_rel"},
        {TAG_BIT(TAG_ACQ), "acq"},
        {TAG_BIT(TAG_REL), "rel"},
        {TAG_BIT(TAG_RLX), "rlx"},
        {TAG_BIT(TAG_NA), "na"},
    };
    uint64_t fence = e->tags & ~(TAG_BIT(TAG_F) | TAG_BIT(TAG_ATOMIC));

    if (e->kind == LABEL_CREATE || e->kind == LABEL_JOIN)
        return "";
    for (size_t i = 0; i < sizeof(orders) / sizeof(orders[0]); i++)
        if ((e->tags & orders[i].tags) == orders[i].tags)
            return orders[i].text;
    /* Those of a machine go by their own names. */
    if (e->kind == LABEL_FENCE && fence)
        return event_tag_name((enum event_tag)__builtin_ctzll(fence));
    if (e->tags & TAGS_ORDER)
        return plain_name(
            (enum event_tag)__builtin_ctzll(e->tags & TAGS_ORDER));
    return "";
}

bool witness_has_location(const struct event *e)
{
    return e->kind == LABEL_READ || e->kind == LABEL_WRITE ||
           e->kind == LABEL_ALLOC || e->kind == LABEL_FREE;
}

bool witness_has_value(const struct event *e)
{
    return (e->kind == LABEL_READ && e->rf != EVENT_NONE) ||
           e->kind == LABEL_WRITE || e->kind == LABEL_CHOICE;
}

static void value_of(const struct witness *w, event_id e, char *buf, size_t cap)
{
    const struct event *ev = &w->graph->events[e];

    if (witness_has_value(ev))
        value_text(w->program, ev->value, ev->size, buf, cap);
    else
        snprintf(buf, cap, "?");
}

void witness_text(const struct witness *w, event_id e, char *buf, size_t cap)
{
    const struct event *ev = &w->graph->events[e];
    const char *kind = witness_kind(ev), *order = witness_order(ev);
    const char *is_lock = ev->tags & TAG_BIT(TAG_LOCK) ? ", lock" : "";
    char loc[80] = "", value[200], thread[16];

    if (witness_has_location(ev))
        program_print_location(w->program, ev->loc, loc, sizeof(loc));
    value_of(w, e, value, sizeof(value));
    if (ev->kind == LABEL_READ || ev->kind == LABEL_WRITE) {
        snprintf(buf, cap, order[0] ? "%s %s = %s (%s%s)" : "%s %s = %s", kind,
                 loc, value, order, is_lock);
    } else if (ev->kind == LABEL_FENCE) {
        snprintf(buf, cap, "F (%s)", order);
    } else if (ev->kind == LABEL_CREATE || ev->kind == LABEL_JOIN) {
        witness_thread(w, witness_label(w, e)->loc, thread, sizeof(thread));
        snprintf(buf, cap, "%s %s", kind, thread);
    } else if (ev->kind == LABEL_ALLOC) {
        snprintf(buf, cap, "alloc %s (%" PRIu64 " bytes)", loc,
                 witness_label(w, e)->value);
    } else if (ev->kind == LABEL_FREE) {
        snprintf(buf, cap, "free %s", loc);
    } else {
        snprintf(buf, cap, "%s = %s", kind, value);
    }
}

void witness_short_text(const struct witness *w, event_id e, char *buf,
                        size_t cap)
{
    const struct event *ev = &w->graph->events[e];
    char loc[80], value[200];

    if (ev->kind != LABEL_READ && ev->kind != LABEL_WRITE) {
        witness_text(w, e, buf, cap);
        return;
    }
    program_print_location(w->program, ev->loc, loc, sizeof(loc));
    value_of(w, e, value, sizeof(value));
    snprintf(buf, cap, witness_order(ev)[0] ? "%s %s=%s (%s)" : "%s %s=%s",
             witness_kind(ev), loc, value, witness_order(ev));
}

int64_t value_signed(uint64_t value, unsigned size)
{
    if (size == 0 || size >= 8)
        return (int64_t)value;
    uint64_t sign = (uint64_t)1 << (size * 8 - 1);
    uint64_t low = value & (sign * 2 - 1);

    return (int64_t)((low ^ sign) - sign);
}

#define DECIMAL_MAX 9999999

/* Does its low half, with the sign, say it all? */
static bool is_single(struct wide value)
{
    return value.high == ((int64_t)value.low < 0 ? UINT64_MAX : 0);
}

bool value_number(const struct program *p, uint64_t value, unsigned size,
                  int64_t *number)
{
    bool is_wide = size == WIDE_BYTES;
    struct wide wide = {value, 0};
    if (is_wide)
        wide = wides_value(&p->wides, value);
    *number = value_signed(wide.low, is_wide ? 8 : size);
    return !is_wide || is_single(wide);
}

/* As one number of 8 bytes if it is one, else "{low, high}". */
static void wide_text(const struct program *p, struct wide value, char *buf,
                      size_t cap)
{
    char low[80], high[80];
    value_text(p, value.low, 8, low, sizeof low);
    value_text(p, value.high, 8, high, sizeof high);
    if (is_single(value))
        snprintf(buf, cap, "%s", low);
    else
        snprintf(buf, cap, "{%s, %s}", low, high);
}

void value_text(const struct program *p, uint64_t value, unsigned size,
                char *buf, size_t cap)
{
    int64_t number = value_signed(value, size);
    char name[80] = "";

    if (size == WIDE_BYTES) {
        wide_text(p, wides_value(&p->wides, value), buf, cap);
        return;
    }

    if (p->name && value >= 4096 && (size == 0 || size == 8))
        p->name(p->self, value, 1, name, sizeof(name));
    if (name[0] && name[0] != '?' && strncmp(name, "0x", 2) != 0)
        snprintf(buf, cap, "&%s", name);
    else if (number >= -DECIMAL_MAX && number <= DECIMAL_MAX)
        snprintf(buf, cap, "%" PRId64, number);
    else
        snprintf(buf, cap, "0x%" PRIx64, value);
}
