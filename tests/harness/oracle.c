#include "tests/harness/oracle.h"

#include "core/mem.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

enum { TRACES_MAX = 4096 };

void execution_set_add(struct execution_set *s, struct execution_key key)
{
    s->keys = mem_room(s->keys, s->n, &s->cap, sizeof *s->keys);
    s->keys[s->n++] = key;
}

static int compare_keys(const void *a, const void *b)
{
    return memcmp(a, b, sizeof(struct execution_key));
}

void execution_set_sort(struct execution_set *s)
{
    if (s->n)
        qsort(s->keys, s->n, sizeof *s->keys, compare_keys);
}

void execution_set_release(struct execution_set *s)
{
    free(s->keys);
    memset(s, 0, sizeof *s);
}

static void mix(struct execution_key *k, uint64_t x)
{
    uint64_t z = x + k->a * 31;
    k->a = script_random(&z);
    k->b = (k->b ^ x) * 0x100000001b3u + (k->b >> 23);
}

/* (thread, place in its thread) of an event, as one number. */
static uint64_t name_of(const struct graph *g, event_id e)
{
    if (e == EVENT_INIT || e == EVENT_NONE)
        return e;
    uint64_t index = 0;
    for (event_id i = g->events[e].po_prev; i != EVENT_NONE;
         i = g->events[i].po_prev)
        index++;
    return (uint64_t)g->events[e].thread << 32 | index;
}

struct execution_key execution_key_of(const struct graph *g)
{
    struct execution_key k = {1, 2};
    for (thread_id t = 0; t < g->n_threads; t++) {
        /* Newest first: any fixed order serves. */
        for (event_id e = g->threads[t].last; e != EVENT_NONE;
             e = g->events[e].po_prev) {
            const struct event *ev = &g->events[e];
            mix(&k, name_of(g, e) << 8 | ev->kind);
            mix(&k, ev->value);
            if (ev->kind == LABEL_READ)
                mix(&k, name_of(g, ev->rf));
        }
    }
    for (loc_id l = 0; l < g->n_locs; l++)
        for (event_id w = g->locs[l].co_first; w != EVENT_NONE;
             w = g->events[w].co_next)
            mix(&k, name_of(g, w));
    return k;
}

struct trace {
    struct label labels[ORACLE_LABELS];
    uint64_t values[ORACLE_LABELS]; /* returned, in order */
    unsigned n, n_values;
};

struct oracle {
    const struct oracle_subject *subject;
    const struct model *model;
    void (*found)(void *to, const struct graph *g);
    void *to;
    unsigned limit, candidates;
    bool overflow;                  /* some thread has too many paths */
    uint64_t possible[SCRIPT_LOCS]; /* values a location can ever hold */
    struct trace *traces[SCRIPT_THREADS];
    unsigned n_traces[SCRIPT_THREADS];
    const struct trace *chosen[SCRIPT_THREADS];
    struct graph g;
    event_id reads[64], writes[SCRIPT_LOCS][64];
    unsigned n_reads, n_writes[SCRIPT_LOCS];
};

/* The values that a read, or a choice, may return. */
static uint64_t values_of(const struct oracle *o, const struct label *label)
{
    for (unsigned l = 0; l < o->subject->n_locs; l++)
        if (label->kind == LABEL_READ && o->subject->locs[l] == label->loc)
            return o->possible[l];
    return ((uint64_t)1 << label->value) - 1;
}

static void note_writes(struct oracle *o, const struct label *labels,
                        unsigned n)
{
    for (unsigned i = 0; i < n; i++)
        for (unsigned l = 0; l < o->subject->n_locs; l++)
            if (labels[i].kind == LABEL_WRITE &&
                o->subject->locs[l] == labels[i].loc &&
                labels[i].value < ORACLE_VALUES)
                o->possible[l] |= (uint64_t)1 << labels[i].value;
}

/* All paths of thread t whose reads return possible values. Blocked ones are
 * executed, for the values they write, but not kept. */
static void collect_traces(struct oracle *o, unsigned t, uint64_t *values,
                           unsigned n_values)
{
    const struct oracle_subject *s = o->subject;
    struct label labels[ORACLE_LABELS];
    unsigned n = s->run(s->self, t, values, n_values, labels, ORACLE_LABELS);
    if (n > ORACLE_LABELS || o->n_traces[t] == TRACES_MAX)
        o->overflow = true;
    if (o->overflow)
        return;
    struct label last = labels[n - 1];
    if (label_ends(last.kind)) {
        note_writes(o, labels, n);
        if (last.kind != LABEL_END)
            return;
        assert(o->traces[t]);
        struct trace *trace = &o->traces[t][o->n_traces[t]++];
        memcpy(trace->labels, labels, n * sizeof *labels);
        if (n_values)
            memcpy(trace->values, values, n_values * sizeof *values);
        trace->n = n - 1;
        trace->n_values = n_values;
        return;
    }
    uint64_t possible = values_of(o, &last);
    for (uint64_t v = 0; v < ORACLE_VALUES && possible >> v; v++) {
        values[n_values] = v;
        if (possible >> v & 1)
            collect_traces(o, t, values, n_values + 1);
    }
}

/* The writes of the thread's longest path so far. */
static unsigned most_writes(const struct oracle *o, unsigned t)
{
    unsigned most = 0;
    for (unsigned i = 0; i < o->n_traces[t]; i++) {
        unsigned n = 0;
        for (unsigned k = 0; k < o->traces[t][i].n; k++)
            n += o->traces[t][i].labels[k].kind == LABEL_WRITE;
        most = n > most ? n : most;
    }
    return most;
}

/* Each round adds the values that one more write in a chain of writes and reads
 * can make. Chains are no longer than the writes of the program: values do not
 * come out of thin air under any model here. */
static void collect_all_traces(struct oracle *o)
{
    uint64_t before[SCRIPT_LOCS];
    unsigned rounds = 0, writes;
    for (unsigned l = 0; l < o->subject->n_locs; l++)
        o->possible[l] = 1;
    do {
        memcpy(before, o->possible, sizeof before);
        writes = 0;
        for (unsigned t = 0; t < o->subject->n_threads; t++) {
            uint64_t values[ORACLE_LABELS];
            o->n_traces[t] = 0;
            collect_traces(o, t, values, 0);
            writes += most_writes(o, t);
        }
    } while (!o->overflow && rounds++ <= writes &&
             memcmp(before, o->possible, sizeof before) != 0);
}

static void judge(struct oracle *o)
{
    if (++o->candidates > o->limit)
        return;
    if (o->model->judge(o->model, &o->g, NULL))
        o->found(o->to, &o->g);
}

/* Every order of the writes of location l and those after it. */
static void choose_co(struct oracle *o, unsigned l, unsigned placed)
{
    if (o->candidates > o->limit)
        return;
    if (l == o->subject->n_locs)
        judge(o);
    else if (placed == o->n_writes[l])
        choose_co(o, l + 1, 0);
    else
        for (event_id after = EVENT_INIT; after != EVENT_NONE;) {
            event_id w = o->writes[l][placed];
            graph_insert_co(&o->g, w, after);
            choose_co(o, l, placed + 1);
            graph_remove_co(&o->g, w);
            after = after == EVENT_INIT
                        ? o->g.locs[o->subject->locs[l]].co_first
                        : o->g.events[after].co_next;
        }
}

/* Every source with the right value for the reads from `i` on. */
static void choose_rf(struct oracle *o, unsigned i)
{
    if (i == o->n_reads) {
        choose_co(o, 0, 0);
        return;
    }
    event_id r = o->reads[i];
    uint64_t value = o->g.events[r].value;
    loc_id loc = o->g.events[r].loc;
    if (value == 0) {
        graph_set_rf(&o->g, r, EVENT_INIT, 0);
        choose_rf(o, i + 1);
    }
    for (unsigned l = 0; l < o->subject->n_locs; l++)
        for (unsigned k = 0; k < o->n_writes[l]; k++) {
            event_id w = o->writes[l][k];
            if (o->g.events[w].loc != loc || o->g.events[w].value != value)
                continue;
            graph_set_rf(&o->g, r, w, 0);
            choose_rf(o, i + 1);
        }
}

static event_id add(struct oracle *o, thread_id t, const struct label *label)
{
    event_id e = graph_add(&o->g, t, label);
    if (label->kind == LABEL_READ)
        o->reads[o->n_reads++] = e;
    for (unsigned l = 0; l < o->subject->n_locs; l++)
        if (label->kind == LABEL_WRITE && o->subject->locs[l] == label->loc)
            o->writes[l][o->n_writes[l]++] = e;
    return e;
}

static void add_deps(struct oracle *o, event_id e, const struct label *label,
                     const event_id *reads)
{
    const struct program *p = o->subject->program;
    struct dep_list list = p->dep_lists[label->deps];
    for (uint32_t i = 0; i < list.n; i++) {
        struct dep d = p->deps[list.first + i];
        event_id source = reads[DEP_NUMBER(d.source)];
        if (DEP_IS_STORE(d.source))
            source = o->g.events[source].rmw;
        row_add(graph_row(&o->g, e, ROW_ADDR + d.kind), source);
    }
}

static void add_trace(struct oracle *o, thread_id t, const struct trace *trace)
{
    unsigned value = 0, n_reads = 0;
    event_id before = EVENT_NONE, reads[ORACLE_LABELS];
    for (unsigned i = 0; i < trace->n; i++) {
        const struct label *label = &trace->labels[i];
        event_id e = add(o, t, label);
        add_deps(o, e, label, reads);
        if (label->kind == LABEL_READ)
            reads[n_reads++] = e;
        if (label_returns(label->kind)) {
            o->g.events[e].value = trace->values[value++];
            const struct label *next = label + 1;
            bool takes = i + 1 < trace->n && next->kind == LABEL_WRITE &&
                         next->rmw && label->rmw;
            if (label->rmw && !takes)
                graph_set_tags(&o->g, e,
                               (label->value ? label->value : label->tags) |
                                   TAG_BIT(TAG_FAILED));
        }
        if (label->kind == LABEL_WRITE && (label->rmw || label->aux)) {
            event_id read = label->rmw ? before : reads[label->aux - 1];
            o->g.events[e].rmw = read;
            o->g.events[read].rmw = e;
        }
        before = e;
    }
}

static void build(struct oracle *o)
{
    const struct label create = {
        .kind = LABEL_CREATE, .tags = TAG_BIT(TAG_CREATE) | TAGS_THREAD_SYNC};
    graph_reset(&o->g);
    o->n_reads = 0;
    memset(o->n_writes, 0, sizeof o->n_writes);
    graph_start_thread(&o->g, 0, 0, EVENT_NONE);
    for (thread_id t = 1; t < o->subject->n_threads; t++) {
        event_id c = graph_add(&o->g, 0, &create);
        graph_start_thread(&o->g, t, 0, c);
    }
    for (thread_id t = 0; t < o->subject->n_threads; t++)
        add_trace(o, t, o->chosen[t]);
}

static void choose_traces(struct oracle *o, unsigned t)
{
    if (o->candidates > o->limit)
        return;
    if (t == o->subject->n_threads) {
        build(o);
        choose_rf(o, 0);
        return;
    }
    for (unsigned i = 0; i < o->n_traces[t]; i++) {
        o->chosen[t] = &o->traces[t][i];
        choose_traces(o, t + 1);
    }
}

bool oracle_each(const struct oracle_subject *s, const struct model *model,
                 unsigned limit, void (*found)(void *to, const struct graph *g),
                 void *to)
{
    struct oracle o = {
        .subject = s, .model = model, .found = found, .to = to, .limit = limit};
    for (unsigned t = 0; t < s->n_threads; t++)
        o.traces[t] = mem_resize(NULL, TRACES_MAX * sizeof *o.traces[t]);
    collect_all_traces(&o);
    graph_init(&o.g, model->n_rows);
    uint64_t combinations = 1;
    for (unsigned t = 0; t < s->n_threads; t++)
        combinations *= o.n_traces[t];
    if (o.overflow || combinations > limit)
        o.candidates = limit + 1;
    else
        choose_traces(&o, 0);
    graph_release(&o.g);
    for (unsigned t = 0; t < s->n_threads; t++)
        free(o.traces[t]);
    return o.candidates <= limit;
}

static unsigned run_script(const void *self, unsigned t, const uint64_t *values,
                           unsigned n_values, struct label *out, unsigned cap)
{
    return script_run(self, t, values, n_values, out, cap);
}

static void add_key(void *to, const struct graph *g)
{
    execution_set_add(to, execution_key_of(g));
}

bool oracle_run(const struct script *s, const struct model *model,
                unsigned limit, struct execution_set *out)
{
    struct oracle_subject subject = {.n_threads = s->n_threads,
                                     .n_locs = s->n_locs,
                                     .locs = s->locs,
                                     .program = s->program,
                                     .self = s,
                                     .run = run_script};
    bool small = oracle_each(&subject, model, limit, add_key, out);
    execution_set_sort(out);
    return small;
}
