/* Graphs from the text of a litmus test, for the tests of models.
 *
 * Threads are separated by '|', events by ';':
 *   Wrel x 1     a write; Rsc y 0 a read, which takes the write of that value
 *                (0: the initial one); modes na rlx acq rel ar sc
 *   Uar x 0 1    a read-modify-write of x from 0 to 1; Lx x 0 1 a locked one
 *   LRx x 0      a locked read without a write (a failed compare-and-swap)
 *   Fsc, MFENCE, LWSYNC, ... (fences of machines by their tags)
 * and after '?' final values: ? x=1 y=2. */
#ifndef TESTS_UNIT_TEST_CAT_GRAPH_H
#define TESTS_UNIT_TEST_CAT_GRAPH_H

#include "core/graph.h"
#include "core/model.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LITMUS_LOCS = 8 };

struct litmus {
    struct graph g;
    event_id writes[LITMUS_LOCS][8]; /* of each location */
    uint32_t n_writes[LITMUS_LOCS];
    int final[LITMUS_LOCS]; /* -1: any */
    char loc_names[LITMUS_LOCS];
    uint32_t n_locs;
};

static inline uint64_t litmus_mode(const char *mode, bool read, bool write)
{
    uint64_t atomic = TAG_BIT(TAG_ATOMIC);
    if (strcmp(mode, "") == 0 || strcmp(mode, "na") == 0)
        return TAG_BIT(TAG_NA);
    if (strcmp(mode, "x") == 0)
        return TAG_BIT(TAG_X);
    if (strcmp(mode, "sc") == 0)
        return TAG_BIT(TAG_SC) | atomic;
    if (strcmp(mode, "ar") == 0 && !read && !write)
        return TAG_BIT(TAG_ACQ_REL) | atomic;
    bool acquire = strcmp(mode, "acq") == 0 || strcmp(mode, "ar") == 0;
    bool release = strcmp(mode, "rel") == 0 || strcmp(mode, "ar") == 0;
    if (acquire && !write)
        return TAG_BIT(TAG_ACQ) | atomic;
    if (release && !read)
        return TAG_BIT(TAG_REL) | atomic;
    return TAG_BIT(TAG_RLX) | atomic;
}

static inline loc_id litmus_loc(struct litmus *l, char name)
{
    for (uint32_t i = 0; i < l->n_locs; i++)
        if (l->loc_names[i] == name)
            return i;
    l->loc_names[l->n_locs] = name;
    l->final[l->n_locs] = -1;
    return l->n_locs++;
}

static inline event_id litmus_access(struct litmus *l, thread_id t, bool write,
                                     uint64_t tags, char loc, int value)
{
    struct label label = {
        .kind = write ? LABEL_WRITE : LABEL_READ,
        .size = 4,
        .tags = tags | TAG_BIT(write ? TAG_W : TAG_R),
        .loc = litmus_loc(l, loc),
        .value = (uint64_t)value,
    };
    event_id e = graph_add(&l->g, t, &label);
    if (write)
        l->writes[label.loc][l->n_writes[label.loc]++] = e;
    else
        l->g.events[e].value = (uint64_t)value; /* what it wants */
    return e;
}

static inline void litmus_fence(struct litmus *l, thread_id t, uint64_t tags)
{
    struct label label = {.kind = LABEL_FENCE, .tags = tags | TAG_BIT(TAG_F)};
    graph_add(&l->g, t, &label);
}

static inline void litmus_event(struct litmus *l, thread_id t, const char *text)
{
    char what[16] = "", loc = 0;
    int v = 0, w = 0;
    sscanf(text, " %15s %c %d %d", what, &loc, &v, &w);
    enum event_tag fence = TAG_MFENCE;
    while (fence < TAG_COUNT && strcmp(what, event_tag_name(fence)) != 0)
        fence++;
    if (fence < TAG_COUNT) {
        litmus_fence(l, t, TAG_BIT(fence));
    } else if (what[0] == 'F') {
        litmus_fence(l, t, litmus_mode(what + 1, false, false));
    } else if (what[0] == 'W') {
        litmus_access(l, t, true, litmus_mode(what + 1, false, true), loc, v);
    } else if (what[0] == 'L' && what[1] == 'R') {
        litmus_access(l, t, false, litmus_mode(what + 2, true, false), loc, v);
    } else if (what[0] == 'R') {
        litmus_access(l, t, false, litmus_mode(what + 1, true, false), loc, v);
    } else {
        uint64_t rmw = TAG_BIT(TAG_RMW);
        event_id r = litmus_access(
            l, t, false, rmw | litmus_mode(what + 1, true, false), loc, v);
        event_id x = litmus_access(
            l, t, true, rmw | litmus_mode(what + 1, false, true), loc, w);
        l->g.events[r].rmw = x;
        l->g.events[x].rmw = r;
    }
}

static inline void litmus_init(struct litmus *l, const char *text)
{
    memset(l, 0, sizeof *l);
    graph_init(&l->g, 8);
    char copy[1000];
    snprintf(copy, sizeof copy, "%s", text);
    char *question = strchr(copy, '?');
    if (question)
        *question++ = '\0';
    thread_id t = 0;
    char *rest = copy;
    for (char *thread; (thread = strsep(&rest, "|")); t++) {
        graph_start_thread(&l->g, t, 0, EVENT_NONE);
        for (char *event; (event = strsep(&thread, ";"));)
            litmus_event(l, t, event);
    }
    for (uint32_t i = 0; i < l->g.n; i++) {
        event_id r = l->g.order[i], source = EVENT_INIT;
        const struct event *e = &l->g.events[r];
        if (e->kind != LABEL_READ)
            continue;
        for (uint32_t k = 0; k < l->n_writes[e->loc]; k++)
            if (l->g.events[l->writes[e->loc][k]].value == e->value)
                source = l->writes[e->loc][k];
        graph_set_rf(&l->g, r, source, 0);
    }
    for (char *p = question; p && *p; p++)
        if (p[0] > ' ' && p[1] == '=')
            l->final[litmus_loc(l, p[0])] = atoi(p + 2);
}

static inline void litmus_release(struct litmus *l)
{
    graph_release(&l->g);
}

/* Calls `visit` for each co that gives the final values, until it is true. */
static inline bool litmus_each_co(struct litmus *l, loc_id loc,
                                  bool (*visit)(struct litmus *l, void *self),
                                  void *self)
{
    if (loc == l->n_locs)
        return visit(l, self);
    uint32_t n = l->n_writes[loc], placed = 0;
    for (uint32_t k = 0; k < n; k++)
        placed += l->g.events[l->writes[loc][k]].co_prev != EVENT_NONE;
    event_id last = placed ? l->g.locs[loc].co_last : EVENT_INIT;
    if (placed == n) {
        uint64_t value = last == EVENT_INIT ? 0 : l->g.events[last].value;
        if (l->final[loc] >= 0 && value != (uint64_t)l->final[loc])
            return false;
        return litmus_each_co(l, loc + 1, visit, self);
    }
    for (uint32_t k = 0; k < n; k++) {
        event_id w = l->writes[loc][k];
        if (l->g.events[w].co_prev != EVENT_NONE)
            continue;
        graph_insert_co(&l->g, w, last);
        bool done = litmus_each_co(l, loc, visit, self);
        graph_remove_co(&l->g, w);
        if (done)
            return true;
    }
    return false;
}

static inline bool litmus_judge(struct litmus *l, void *self)
{
    const struct model *m = self;
    return m->judge(m, &l->g, NULL);
}

/* Is there an execution with these values? */
static inline bool litmus_allowed(const char *text, struct model *m)
{
    struct litmus l;
    litmus_init(&l, text);
    bool allowed = litmus_each_co(&l, 0, litmus_judge, m);
    litmus_release(&l);
    return allowed;
}

#endif
