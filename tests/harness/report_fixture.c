#include "tests/harness/report_fixture.h"

#include "core/mem.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define FIRST_ADDRESS 0x10000

static const char source[] = "#include <stdatomic.h>\n"
                             "int data;\n"
                             "atomic_int ready;\n"
                             "    data = 42;\n"
                             "\tatomic_store_explicit(&ready, 1, relaxed);\n"
                             "    while (!ready)\n"
                             "    assert(data == 42);\n";

/* Variable i has the name of text i of `names` below and stands 16 bytes after
 * the one before. */
static void name_address(const void *self, uint64_t addr, unsigned size,
                         char *buf, size_t cap)
{
    const struct program *p = self;

    (void)size;
    buf[0] = '\0';
    for (uint32_t i = 0; i < p->n_texts; i++)
        if (addr == FIRST_ADDRESS + 16 * (uint64_t)i)
            snprintf(buf, cap, "%s", p->texts[i]);
}

loc_id report_fixture_loc(struct report_fixture *f, const char *name,
                          unsigned size)
{
    uint64_t addr =
        FIRST_ADDRESS + 16 * (uint64_t)program_text(&f->program, name);

    locations_whole(&f->program.locations, addr, size);
    return locations_get(&f->program.locations, addr, size, 0, LOC_NONE);
}

static struct graph *graph_of(struct report_fixture *f)
{
    return &f->x.violations[0].graph;
}

void report_fixture_start(struct report_fixture *f, thread_id t, uint32_t line)
{
    struct label create = {
        .kind = LABEL_CREATE, .tags = TAG_BIT(TAG_F), .loc = t};
    event_id e = t ? report_fixture_add(f, 0, create, line) : EVENT_NONE;

    graph_start_thread(graph_of(f), t, path_root(&f->x.path, t, t, 0), e);
}

event_id report_fixture_add(struct report_fixture *f, thread_id t,
                            struct label label, uint32_t line)
{
    struct graph *g = graph_of(f);
    const char *function = t ? "worker" : "main";

    label.place = program_place(&f->program, f->source, function, line, 1);
    g->threads[t].node = path_append(&f->x.path, g->threads[t].node, 0, &label);
    if (!label_is_event(label.kind))
        return EVENT_NONE;
    event_id e = graph_add(g, t, &label);

    if (label.kind == LABEL_WRITE)
        graph_insert_co(g, e,
                        g->locs[label.loc].co_last == EVENT_NONE
                            ? EVENT_INIT
                            : g->locs[label.loc].co_last);
    return e;
}

static struct label memory_access(enum label_kind kind, loc_id loc,
                                  uint64_t tag, uint64_t value)
{
    return (struct label){.kind = (uint8_t)kind,
                          .size = 4,
                          .tags = tag,
                          .loc = loc,
                          .value = value};
}

static void add_outcome(struct report_fixture *f, uint64_t executions,
                        uint64_t data, uint64_t r1)
{
    struct outcomes *o = &f->x.outcomes;
    struct outcome_item items[] = {
        {.name = program_text(&f->program, "r1"), .size = 8, .value = r1},
        {.name = program_text(&f->program, "data"),
         .kind = OUTCOME_LOCATION,
         .size = 4,
         .value = data},
    };

    o->list = mem_room(o->list, o->n, &o->cap, sizeof(*o->list));
    o->list[o->n++] =
        (struct outcome){.executions = executions, .first = o->n_items, .n = 2};
    for (int i = 0; i < 2; i++) {
        size_t n = o->n_items + 1;

        o->items = mem_resize(o->items, n * sizeof(*o->items));
        o->items[o->n_items++] = items[i];
    }
}

static void write_source(struct report_fixture *f)
{
    FILE *out;

    strcpy(f->folder, "/tmp/hwcheck-XXXXXX");
    if (!mkdtemp(f->folder))
        abort();
    snprintf(f->source, sizeof(f->source), "%s/mp.c", f->folder);
    out = fopen(f->source, "w");
    if (!out)
        abort();
    fputs(source, out);
    fclose(out);
}

static void build_graph(struct report_fixture *f)
{
    struct violation *v = &f->x.violations[0];
    loc_id data = report_fixture_loc(f, "data", 4);
    loc_id ready = report_fixture_loc(f, "ready", 4);
    uint32_t text;

    graph_init(&v->graph, 0);
    report_fixture_start(f, 0, 0);
    report_fixture_start(f, 1, 2);
    report_fixture_start(f, 2, 3);
    f->write_data = report_fixture_add(
        f, 1, memory_access(LABEL_WRITE, data, TAG_BIT(TAG_NA), 42), 4);
    f->write_ready = report_fixture_add(
        f, 1, memory_access(LABEL_WRITE, ready, TAG_BIT(TAG_RLX), 1), 5);
    f->read_ready = report_fixture_add(
        f, 2, memory_access(LABEL_READ, ready, TAG_BIT(TAG_RLX), 0), 6);
    graph_set_rf(&v->graph, f->read_ready, f->write_ready, 0);
    f->read_data = report_fixture_add(
        f, 2, memory_access(LABEL_READ, data, TAG_BIT(TAG_NA), 0), 7);
    graph_set_rf(&v->graph, f->read_data, EVENT_INIT, 0);
    text = program_text(&f->program, "assertion 'data == 42' failed");
    report_fixture_add(f, 2, (struct label){.kind = LABEL_ERROR, .aux = text},
                       7);
    v->kind = VIOLATION_ASSERT;
    v->text = text;
    v->thread = 2;
    v->place = program_place(&f->program, f->source, "worker", 7, 1);
    v->events[0] = f->read_data;
    v->events[1] = EVENT_NONE;
}

void report_fixture_init(struct report_fixture *f)
{
    static const struct explore_options none;
    static char *argv[] = {"hwcheck", "explore", "mp.c", NULL};

    memset(f, 0, sizeof(*f));
    write_source(f);
    f->options = (struct options){
        .outcomes = 20, .n_operands = 1, .argc = 3, .argv = argv};
    f->model = (struct model){.name = "rc11", .title = "Repaired C11"};
    program_init(&f->program);
    f->program.name = name_address;
    f->program.self = &f->program;
    explore_init(&f->x, &none, &f->model, &f->program, NULL);
    f->x.violations = mem_resize(NULL, sizeof(*f->x.violations));
    memset(f->x.violations, 0, sizeof(*f->x.violations));
    f->x.n_violations = 1;
    f->x.violations_seen = 1;
    f->x.verdict = VERDICT_VIOLATION;
    f->x.executions = 13;
    f->x.blocked = 2;
    f->x.seconds = 0.5;
    build_graph(f);
    add_outcome(f, 12, 42, 0);
    add_outcome(f, 1, 42, (uint64_t)-1);
    f->report =
        (struct report){.options = &f->options, .program = "mp.c", .x = &f->x};
}

void report_fixture_make_race(struct report_fixture *f)
{
    struct violation *v = &f->x.violations[0];

    v->kind = VIOLATION_FLAG;
    v->text = program_text(&f->program, "data-race");
    v->events[0] = f->read_data;
    v->events[1] = f->write_data;
    v->why = (struct broken){.axiom = "data-race", .kind = "flag", .n = 2};
    v->why.cycle[0] = f->write_data;
    v->why.cycle[1] = f->read_data;
}

void report_fixture_release(struct report_fixture *f)
{
    explore_release(&f->x);
    program_release(&f->program);
    unlink(f->source);
    rmdir(f->folder);
}
