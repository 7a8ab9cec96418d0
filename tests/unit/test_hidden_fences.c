/* Executions that are explored without the fences that the model ignores, and
 * are given them back. */
#include "core/explore.h"
#include "frontend/source/compile.h"
#include "models/model_load.h"
#include "tests/harness/source_driver.h"

#include "unity.h"

#include <string.h>

void setUp(void)
{
}
void tearDown(void)
{
}

static const char *const program =
    "#include <pthread.h>\n"
    "#include <stdatomic.h>\n"
    "atomic_int x, y;\n"
    "#define F atomic_thread_fence(memory_order_seq_cst)\n"
    "void *first(void *a) { F; x = 1; F; F; (void)y; F; return a; }\n"
    "void *second(void *a) { y = 1; F; (void)x; return a; }\n"
    "void *third(void *a) { F; return a; }\n"
    "int main(void) {\n"
    "    pthread_t t[3];\n"
    "    F;\n"
    "    pthread_create(&t[0], 0, first, 0);\n"
    "    F;\n"
    "    pthread_create(&t[1], 0, second, 0);\n"
    "    pthread_create(&t[2], 0, third, 0);\n"
    "    F;\n"
    "    for (int i = 0; i < 3; i++) pthread_join(t[i], 0);\n"
    "    F;\n"
    "    return x + y;\n"
    "}\n";

struct run {
    struct explore x;
    uint32_t n_fences, n_left_out; /* in all executions */
};

/* po and cause from the neighbours of each event. */
static void check_rows(const struct run *r, const struct graph *g, event_id e)
{
    const struct event *ev = &g->events[e];
    const struct label *label = path_label(&r->x.path, ev->node);
    event_id before[3] = {ev->po_prev, EVENT_NONE, EVENT_NONE};
    if (ev->po_prev == EVENT_NONE)
        before[0] = g->threads[ev->thread].create;
    if (ev->kind == LABEL_JOIN)
        before[1] = g->threads[label->loc].last;
    if (ev->kind == LABEL_READ && ev->rf != EVENT_INIT)
        before[2] = ev->rf;
    for (unsigned row = ROW_PO; row <= ROW_CAUSE; row++) {
        uint64_t want[4] = {0};
        TEST_ASSERT_TRUE(g->words <= 4);
        for (unsigned i = 0; i < (row == ROW_PO ? 2 : 3); i++)
            if (before[i] != EVENT_NONE) {
                for (uint32_t w = 0; w < g->words; w++)
                    want[w] |= graph_row(g, before[i], row)[w];
                row_add(want, before[i]);
            }
        TEST_ASSERT_EQUAL_MEMORY(want, graph_row(g, e, row),
                                 g->words * sizeof *want);
    }
}

static uint32_t count_fences(const struct graph *g)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < g->n; i++)
        n += g->events[g->order[i]].kind == LABEL_FENCE;
    return n;
}

static void on_execution(void *self, const struct graph *g, bool blocked)
{
    struct run *r = self;
    char why[100];
    TEST_ASSERT_FALSE(blocked);
    const struct graph *whole = explore_with_fences(&r->x, g);
    if (!graph_check(whole, why, sizeof why))
        TEST_FAIL_MESSAGE(why);
    for (uint32_t i = 0; i < whole->n; i++)
        check_rows(r, whole, whole->order[i]);
    for (uint32_t i = 0; i < g->n; i++)
        TEST_ASSERT_EQUAL(g->events[g->order[i]].node,
                          whole->events[g->order[i]].node);
    r->n_fences += count_fences(whole);
    r->n_left_out += count_fences(whole) - count_fences(g);
}

static void explore(const char *name, struct run *r)
{
    struct driver d;
    struct model model;
    struct err err = {0};
    struct explore_options options = {.on_execution = on_execution, .self = r};
    TEST_ASSERT_TRUE_MESSAGE(model_load(&model, name, &err), err.text);
    TEST_ASSERT_TRUE_MESSAGE(driver_compile(&d, program), d.err.text);
    explore_init(&r->x, &options, &model, &d.program,
                 source_runtime(&d.source));
    TEST_ASSERT_TRUE_MESSAGE(
        explore_run(&r->x, source_main(&d.source), 0, &err), err.text);
    explore_release(&r->x);
    driver_release(&d);
    model.release(&model);
}

static void each_execution_is_given_its_fences(void)
{
    struct run sc = {0}, rc11 = {0};
    explore("sc", &sc);
    explore("rc11", &rc11);
    TEST_ASSERT_EQUAL_UINT32(0, rc11.n_left_out);
    TEST_ASSERT_TRUE(rc11.n_fences > 0 && rc11.n_fences % 10 == 0);
    TEST_ASSERT_EQUAL_UINT32(rc11.n_fences, sc.n_fences);
    TEST_ASSERT_EQUAL_UINT32(sc.n_fences, sc.n_left_out);
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(each_execution_is_given_its_fences);
    return UNITY_END();
}
