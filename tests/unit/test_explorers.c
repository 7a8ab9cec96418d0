/* Many explorers of one program in one process: each finds what one alone
 * finds, whether they take turns or run in threads of their own. They share the
 * model; all else each has for itself. */
#include "core/explore.h"
#include "models/model_load.h"
#include "tests/harness/oracle.h"

#include <unity.h>

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

enum { EXPLORERS = 4, SCRIPTS = 6 };

static const struct script_shape shapes[] = {
    {3, 4, 2, SHAPE_ATOMICS | SHAPE_ADDR | SHAPE_RELAXED},
    {2, 5, 2, SHAPE_ATOMICS | SHAPE_ADDR | SHAPE_RELAXED | SHAPE_PAIRS},
    {3, 4, 2, SHAPE_ATOMICS | SHAPE_SWAPS | SHAPE_UPDATES},
};

static const char *const models[] = {"rc11", "tso", "armv8", "power", "imm"};

static unsigned scale = 1;

void setUp(void)
{
}

void tearDown(void)
{
}

/* One explorer and all that is its own. */
struct explorer {
    struct script script;
    struct program program;
    struct runtime runtime;
    struct explore x;
    struct execution_set found;
    /* Of explorers that take turns: starts the next one, once. */
    struct explorer *next;
    struct err err;
    bool done;
};

static void run(struct explorer *e);

static void collect(void *self, const struct graph *g, bool blocked)
{
    struct explorer *e = self;
    struct explorer *next = e->next;
    e->next = NULL;
    if (next)
        run(next);
    if (!blocked)
        execution_set_add(&e->found,
                          execution_key_of(explore_with_fences(&e->x, g)));
}

static void prepare(struct explorer *e, const struct script *s,
                    const struct model *model)
{
    struct explore_options options = {
        .all = true, .on_execution = collect, .self = e};
    *e = (struct explorer){.script = *s};
    program_init(&e->program);
    script_bind(&e->script, &e->program);
    e->runtime = script_runtime(&e->script);
    explore_init(&e->x, &options, model, &e->program, &e->runtime);
}

static void run(struct explorer *e)
{
    e->done = explore_run(&e->x, 0, 0, &e->err);
    execution_set_sort(&e->found);
}

static void *run_thread(void *self)
{
    run(self);
    return NULL;
}

static void release(struct explorer *e)
{
    explore_release(&e->x);
    program_release(&e->program);
    execution_set_release(&e->found);
}

static void check_same(const struct explorer *want, const struct explorer *got)
{
    TEST_ASSERT_TRUE_MESSAGE(got->done, got->err.text);
    TEST_ASSERT_EQUAL_UINT64(want->x.executions, got->x.executions);
    TEST_ASSERT_EQUAL_UINT64(want->x.blocked, got->x.blocked);
    TEST_ASSERT_EQUAL_UINT64(want->x.revisits, got->x.revisits);
    TEST_ASSERT_EQUAL(want->x.gap_reason, got->x.gap_reason);
    TEST_ASSERT_EQUAL(want->x.n_violations, got->x.n_violations);
    TEST_ASSERT_EQUAL_UINT(want->x.outcomes.n, got->x.outcomes.n);
    TEST_ASSERT_EQUAL_UINT(want->found.n, got->found.n);
    if (want->found.n)
        TEST_ASSERT_EQUAL_MEMORY(want->found.keys, got->found.keys,
                                 want->found.n * sizeof *want->found.keys);
}

static void run_in_turns(struct explorer *e)
{
    for (unsigned i = 0; i + 1 < EXPLORERS; i++)
        e[i].next = &e[i + 1];
    for (unsigned i = 0; i < EXPLORERS; i++)
        if (i == 0 || e[i - 1].next) /* an explorer without executions */
            run(&e[i]);
}

static void run_in_threads(struct explorer *e)
{
    pthread_t threads[EXPLORERS];
    for (unsigned i = 0; i < EXPLORERS; i++)
        TEST_ASSERT_EQUAL(0,
                          pthread_create(&threads[i], NULL, run_thread, &e[i]));
    for (unsigned i = 0; i < EXPLORERS; i++)
        TEST_ASSERT_EQUAL(0, pthread_join(threads[i], NULL));
}

/* All of them explore the script; how many executions one finds. */
static uint64_t explore_by_many(const struct script *s,
                                const struct model *model,
                                void (*run_all)(struct explorer *e))
{
    struct explorer alone, many[EXPLORERS];
    prepare(&alone, s, model);
    run(&alone);
    TEST_ASSERT_TRUE_MESSAGE(alone.done, alone.err.text);
    for (unsigned i = 0; i < EXPLORERS; i++)
        prepare(&many[i], s, model);
    run_all(many);
    for (unsigned i = 0; i < EXPLORERS; i++) {
        check_same(&alone, &many[i]);
        release(&many[i]);
    }
    uint64_t n = alone.x.executions;
    release(&alone);
    return n;
}

static void explore_all(void (*run_all)(struct explorer *e))
{
    for (unsigned m = 0; m < sizeof models / sizeof *models; m++) {
        struct model model;
        struct err err = {0};
        uint64_t seed = 7 + m, executions = 0;
        TEST_ASSERT_TRUE_MESSAGE(model_load(&model, models[m], &err), err.text);
        for (unsigned i = 0; i < SCRIPTS * scale; i++) {
            struct script s;
            script_generate(&s, &shapes[i % 3], &seed);
            executions += explore_by_many(&s, &model, run_all);
        }
        TEST_ASSERT_GREATER_THAN_UINT64(10, executions);
        model.release(&model);
    }
}

static void explorers_that_take_turns_find_what_one_finds(void)
{
    explore_all(run_in_turns);
}

static void explorers_in_threads_find_what_one_finds(void)
{
    explore_all(run_in_threads);
}

/* Each explorer has a model of its own, and they have nothing in common. */
struct stranger {
    struct script script;
    const char *model;
    uint64_t executions;
};

static void *explore_alone(void *self)
{
    struct stranger *t = self;
    struct explorer e;
    struct model model;
    struct err err = {0};
    if (!model_load(&model, t->model, &err))
        return NULL;
    prepare(&e, &t->script, &model);
    run(&e);
    t->executions = e.x.executions;
    release(&e);
    model.release(&model);
    return NULL;
}

static void explorers_of_different_models_do_not_meet(void)
{
    enum { N = sizeof models / sizeof *models };
    uint64_t seed = 3;
    struct script s;
    struct stranger alone[N], many[N];
    pthread_t threads[N];
    script_generate(&s, &shapes[0], &seed);
    for (unsigned i = 0; i < N; i++) {
        many[i] = alone[i] = (struct stranger){s, models[i], 0};
        explore_alone(&alone[i]);
    }
    for (unsigned i = 0; i < N; i++)
        TEST_ASSERT_EQUAL(
            0, pthread_create(&threads[i], NULL, explore_alone, &many[i]));
    for (unsigned i = 0; i < N; i++) {
        TEST_ASSERT_EQUAL(0, pthread_join(threads[i], NULL));
        TEST_ASSERT_EQUAL_UINT64(alone[i].executions, many[i].executions);
    }
}

int main(void)
{
    scale = getenv("HWC_FAST") ? 1 : 5;
    UNITY_BEGIN();
    RUN_TEST(explorers_that_take_turns_find_what_one_finds);
    RUN_TEST(explorers_in_threads_find_what_one_finds);
    RUN_TEST(explorers_of_different_models_do_not_meet);
    return UNITY_END();
}
