/* Machine code under QEMU, on each target: the labels of single threads, what
 * goes wrong in a guest, and what goes wrong with QEMU. Run from the root. */
#include "core/mem.h"
#include "frontend/target/target.h"
#include "hw/qemu/qemu_runtime.h"

#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
#include <unity.h>

static const char *const names[] = {"x86_64", "aarch64", "ppc64le", "ppc64"};

static struct target target;
static struct program program;
static struct qemu_runtime runtime;
static struct path path;
static struct err err;

void setUp(void)
{
    memset(&err, 0, sizeof err);
}

void tearDown(void)
{
}

static void open_program(const char *isa, const char *input, const char *flag,
                         const struct qemu_options *options)
{
    const char *flags[] = {"-w", flag};
    struct target_options o = {
        .isa = isa_find(isa),
        .inputs = &input,
        .n_inputs = 1,
        .cflags = flags,
        .n_cflags = flag ? 2 : 1,
    };
    TEST_ASSERT_NOT_NULL(o.isa);
    TEST_ASSERT_TRUE_MESSAGE(target_build(&target, &o, &err), err.text);
    program_init(&program);
    TEST_ASSERT_TRUE_MESSAGE(
        qemu_runtime_init(&runtime, &target.image, &program, options, &err),
        err.text);
    program.name = qemu_runtime_name;
    program.self = &runtime;
    path_init(&path, &runtime.runtime);
}

static void close_program(void)
{
    path_release(&path);
    qemu_runtime_release(&runtime);
    target_release(&target);
    program_release(&program);
}

static node_id root(void)
{
    return path_root(
        &path, 0, qemu_runtime_function(&runtime, target.image.main, true), 0);
}

/* Steps until the path ends; reads return the initial value of the location,
 * or what the thread itself wrote last. The final label's node. */
static node_id run_alone(void)
{
    uint64_t memory[64];
    bool written[64] = {false};
    node_id n = root();
    uint64_t value = 0;
    for (int i = 0; i < 1000; i++) {
        n = path_step(&path, n, value, &err);
        TEST_ASSERT_NOT_EQUAL_MESSAGE(NODE_NONE, n, err.text);
        struct label l = *path_label(&path, n);
        value = 0;
        if (label_ends(l.kind))
            return n;
        if (l.kind == LABEL_READ || l.kind == LABEL_WRITE)
            TEST_ASSERT_LESS_THAN(64, l.loc);
        if (l.kind == LABEL_READ)
            value = written[l.loc] ? memory[l.loc]
                                   : program.locations.items[l.loc].init;
        if (l.kind == LABEL_WRITE) {
            memory[l.loc] = l.value;
            written[l.loc] = true;
        }
    }
    TEST_FAIL_MESSAGE("the path does not end");
    return NODE_NONE;
}

static const struct qemu_options plain = {0};

static bool has_write(const char *location, uint64_t value)
{
    for (node_id n = 0; n < path.n; n++) {
        const struct label *l = path_label(&path, n);
        char name[100];
        if (l->kind != LABEL_WRITE)
            continue;
        program_print_location(&program, l->loc, name, sizeof name);
        if (strcmp(name, location) == 0 && l->value == value)
            return true;
    }
    return false;
}

/* Runs names.c on each target and lets `check` look at the path cache. */
static void on_each_target(void (*check)(const char *isa))
{
    for (int i = 0; i < 4; i++) {
        open_program(names[i], "tests/machine/names.c", NULL, &plain);
        TEST_ASSERT_EQUAL(LABEL_END, path_label(&path, run_alone())->kind);
        check(names[i]);
        close_program();
    }
}

static void check_names(const char *isa)
{
    TEST_ASSERT_TRUE_MESSAGE(has_write("hidden", 1), isa);
    TEST_ASSERT_TRUE_MESSAGE(has_write("q.slots[2].key", 41), isa);
    TEST_ASSERT_TRUE_MESSAGE(has_write("grid[2][3]", 9), isa);
    TEST_ASSERT_TRUE_MESSAGE(has_write("malloc#1+24", 3), isa);
    TEST_ASSERT_EQUAL(1, runtime.link.n_starts);
}

static void locations_have_the_names_of_the_source(void)
{
    on_each_target(check_names);
}

static void check_origin(const char *isa)
{
    for (node_id n = 0; n < path.n; n++) {
        const struct label *l = path_label(&path, n);
        char place[200];
        if (l->kind != LABEL_WRITE)
            continue;
        program_print_place(&program, l->place, place, sizeof place);
        TEST_ASSERT_NOT_NULL_MESSAGE(qemu_runtime_instruction(&runtime, n),
                                     isa);
        TEST_ASSERT_EQUAL_STRING_LEN("tests/machine/names.c:", place, 22);
    }
}

static void events_know_their_instruction_and_line(void)
{
    on_each_target(check_origin);
}

static void check_rmw(const char *isa)
{
    int pairs = 0;
    for (node_id n = 0; n < path.n; n++) {
        const struct label *l = path_label(&path, n);
        if (l->kind != LABEL_WRITE || !l->rmw)
            continue;
        const struct label *read = path_label(&path, path.nodes[n].parent);
        TEST_ASSERT_EQUAL(LABEL_READ, read->kind);
        TEST_ASSERT_TRUE(read->rmw);
        TEST_ASSERT_EQUAL(read->loc, l->loc);
        pairs++;
    }
    TEST_ASSERT_EQUAL_MESSAGE(1, pairs, isa);
}

static void an_rmw_is_a_read_and_its_write(void)
{
    on_each_target(check_rmw);
}

/* Which reads the two selections of select.c take data from, a bit each. */
struct selected {
    uint64_t data[2], pick[2];
    unsigned n;
};

static uint64_t reads_of(const uint64_t *set, uint32_t n_words)
{
    uint64_t bits = 0;
    for (uint32_t r = 0; (r = deps_next(set, n_words, r)) < 64; r++)
        bits |= UINT64_C(1) << DEP_NUMBER(r);
    return bits;
}

static void note_data(void *self, node_id node, const struct instruction *in,
                      int access, const struct deps_out *deps)
{
    struct selected *s = self;
    (void)in;
    if (path_label(&path, node)->kind != LABEL_WRITE || s->n == 2)
        return;
    const struct deps_event *e = &deps->accesses[access];
    s->data[s->n] = reads_of(e->data, deps->n_words);
    s->pick[s->n++] = reads_of(e->pdata, deps->n_words);
}

/* The last of the three reads is the condition. */
static struct selected select_with(const char *isa, uint64_t condition)
{
    const uint64_t values[] = {0, 5, 6, condition};
    struct selected s = {.n = 0};
    open_program(isa, "tests/machine/select.c", NULL, &plain);
    runtime.on_event = note_data;
    runtime.on_event_self = &s;
    node_id n = root();
    for (int i = 0; i < 4; i++) {
        n = path_step(&path, n, values[i], &err);
        TEST_ASSERT_NOT_EQUAL_MESSAGE(NODE_NONE, n, err.text);
    }
    TEST_ASSERT_EQUAL(LABEL_WRITE, path_label(&path, n)->kind);
    TEST_ASSERT_EQUAL(condition ? 6 : 5, path_label(&path, n)->value);
    TEST_ASSERT_EQUAL_MESSAGE(2, s.n, isa);
    close_program();
    return s;
}

static void a_selection_depends_on_what_it_takes(void)
{
    for (int i = 1; i < 4; i++)
        for (uint64_t condition = 0; condition < 2; condition++) {
            struct selected s = select_with(names[i], condition);
            for (unsigned k = 0; k < 2; k++) {
                uint64_t taken = condition == k ? 1 : 2;
                TEST_ASSERT_EQUAL_UINT64_MESSAGE(taken, s.data[k], names[i]);
                TEST_ASSERT_EQUAL_UINT64_MESSAGE(taken | 4, s.pick[k],
                                                 names[i]);
            }
        }
}

/* Where a selection was there is a branch. */
static void code_that_was_changed_cannot_be_read(void)
{
    for (int i = 0; i < 4; i++) {
        open_program(names[i], "tests/machine/select.c", "-DREADS_CODE",
                     &plain);
        const struct label *l = path_label(&path, run_alone());
        bool is_changed = i > 0;
        TEST_ASSERT_EQUAL_MESSAGE(is_changed ? LABEL_UNMODELLED : LABEL_END,
                                  l->kind, names[i]);
        if (is_changed)
            TEST_ASSERT_EQUAL_STRING("read of an instruction as data",
                                     program.texts[l->aux]);
        close_program();
    }
}

struct fault {
    const char *flag;
    enum label_kind kind;
    const char *text; /* part of it */
};

static const struct fault faults[] = {
    {"-DFAULT=null", LABEL_ERROR, "null pointer"},
    {"-DFAULT=overflow", LABEL_ERROR, "stack overflow"},
    {"-DFAULT=silent", LABEL_BOUND, "in main: never ends"},
    {"-DFAULT=trap", LABEL_ERROR, "trap instruction"},
    {"-DFAULT=call", LABEL_UNMODELLED, "system call"},
    {"-DFAULT=assertion", LABEL_ERROR, "abort called"},
    {"-DFAULT=spin", LABEL_BLOCK, ""},
};

static void check_fault(const char *isa, const struct fault *f)
{
    char where[100];
    open_program(isa, "tests/machine/faults.c", f->flag, &plain);
    struct label l = *path_label(&path, run_alone());
    snprintf(where, sizeof where, "%s %s", isa, f->flag);
    TEST_ASSERT_EQUAL_MESSAGE(f->kind, l.kind, where);
    if (l.kind != LABEL_BLOCK)
        TEST_ASSERT_NOT_NULL_MESSAGE(strstr(program.texts[l.aux], f->text),
                                     program.texts[l.aux]);
    close_program();
}

static void faults_of_the_program_end_its_path(void)
{
    for (int i = 0; i < 4; i++)
        for (size_t k = 0; k < sizeof faults / sizeof *faults; k++)
            check_fault(names[i], &faults[k]);
}

/* ---- QEMU itself */

static void a_killed_qemu_is_started_again_once(void)
{
    open_program("aarch64", "tests/machine/names.c", NULL, &plain);
    node_id n = path_step(&path, root(), 0, &err);
    TEST_ASSERT_NOT_EQUAL(NODE_NONE, n);
    kill(runtime.link.pid, SIGKILL);
    TEST_ASSERT_EQUAL(LABEL_END, path_label(&path, run_alone())->kind);
    TEST_ASSERT_EQUAL(2, runtime.link.n_starts);
    close_program();
}

/* The next label that needs a run. */
static node_id next_question(node_id n)
{
    do
        n = path_step(&path, n, 0, &err);
    while (n != NODE_NONE && !label_returns(path_label(&path, n)->kind));
    return n;
}

static void a_qemu_killed_twice_is_an_error(void)
{
    open_program("x86_64", "tests/machine/names.c", NULL, &plain);
    node_id n = next_question(root());
    kill(runtime.link.pid, SIGKILL);
    n = next_question(n);
    TEST_ASSERT_NOT_EQUAL_MESSAGE(NODE_NONE, n, err.text);
    pid_t pid = runtime.link.pid;
    kill(pid, SIGKILL);
    TEST_ASSERT_EQUAL(NODE_NONE, path_step(&path, n, 0, &err));
    TEST_ASSERT_NOT_NULL_MESSAGE(strstr(err.text, "killed"), err.text);
    TEST_ASSERT_NOT_EQUAL(0, kill(pid, 0)); /* no zombie */
    close_program();
}

static void fails_with(const struct qemu_options *options, const char *text)
{
    open_program("x86_64", "tests/machine/names.c", NULL, options);
    TEST_ASSERT_EQUAL(NODE_NONE, path_step(&path, root(), 0, &err));
    TEST_ASSERT_NOT_NULL_MESSAGE(strstr(err.text, text), err.text);
    close_program();
}

static void a_missing_qemu_is_said(void)
{
    fails_with(&(struct qemu_options){.qemu = "/nowhere/qemu-x86_64"},
               "cannot be run");
}

static void a_plugin_that_does_not_load_is_said(void)
{
    fails_with(&(struct qemu_options){.plugin = "/etc/passwd"}, "plugin");
}

static void a_qemu_that_is_none_is_said(void)
{
    fails_with(&(struct qemu_options){.qemu = "true"}, "did not start");
}

static void a_qemu_of_another_machine_is_said(void)
{
    fails_with(&(struct qemu_options){.qemu = "qemu-aarch64"}, "start");
}

static void what_is_forgotten_is_found_again(void)
{
    for (int i = 0; i < 4; i++) {
        open_program(names[i], "bench/programs/mp.c", NULL, &plain);
        TEST_ASSERT_EQUAL(LABEL_END, path_label(&path, run_alone())->kind);
        path_collect(&path);
        runtime.runtime.restart(&runtime);
        TEST_ASSERT_EQUAL(LABEL_END, path_label(&path, run_alone())->kind);
        TEST_ASSERT_EQUAL(1, runtime.link.n_starts);
        close_program();
    }
}

/* Steps to the end of a thread whose reads return 1, or what the path cache
 * knows the rest for. */
static node_id follow(node_id n, bool as_known)
{
    while (!label_ends(path_label(&path, n)->kind)) {
        node_id child = path.nodes[n].child;
        uint64_t value = label_returns(path_label(&path, n)->kind);
        if (as_known && child != NODE_NONE)
            value = path.nodes[child].key;
        n = path_step(&path, n, value, &err);
        TEST_ASSERT_NOT_EQUAL_MESSAGE(NODE_NONE, n, err.text);
    }
    return n;
}

static uint64_t one(const void *self, loc_id loc)
{
    (void)self, (void)loc;
    return 1;
}

/* The second thread of mp.c reads twice; memory holds zero, and what follows
 * is known before it is asked for. */
static void a_thread_goes_on_with_what_memory_holds(void)
{
    for (int i = 0; i < 4; i++) {
        open_program(names[i], "bench/programs/mp.c", NULL, &plain);
        run_alone();
        node_id thread = NODE_NONE;
        for (node_id n = 0; n < path.n; n++)
            if (path_label(&path, n)->kind == LABEL_CREATE)
                thread = path_label(&path, n)->aux;
        follow(thread, false); /* for the locations: a guess makes none */
        path_collect(&path);
        uint64_t runs = runtime.link.n_runs;
        node_id n = follow(thread, true);
        TEST_ASSERT_EQUAL(LABEL_END, path_label(&path, n)->kind);
        TEST_ASSERT_EQUAL(1, runtime.link.n_runs - runs);
        /* Or with what it is to hold. */
        path_collect(&path);
        path.holds = one;
        n = follow(thread, false);
        TEST_ASSERT_EQUAL(LABEL_END, path_label(&path, n)->kind);
        TEST_ASSERT_EQUAL(2, runtime.link.n_runs - runs);
        close_program();
    }
}

static unsigned n_cores(void)
{
    cpu_set_t cores;
    TEST_ASSERT_EQUAL(0, sched_getaffinity(0, sizeof cores, &cores));
    return (unsigned)CPU_COUNT(&cores);
}

/* Runs that follow each other are on one core; between them we are free. */
static void cores_are_given_back(void)
{
    unsigned before = n_cores();
    open_program(names[0], "bench/programs/mp.c", NULL, &plain);
    run_alone();
    path_collect(&path);
    run_alone();
    TEST_ASSERT_EQUAL(1, n_cores());
    runtime.runtime.rest(&runtime);
    TEST_ASSERT_EQUAL(before, n_cores());
    path_collect(&path);
    run_alone();
    close_program();
    TEST_ASSERT_EQUAL(before, n_cores());
}

int main(void)
{
    UNITY_BEGIN();
    if (access("/usr/bin/qemu-x86_64", X_OK) != 0) {
        printf("no qemu-user: nothing tested\n");
        RUN_TEST(what_is_forgotten_is_found_again);
        RUN_TEST(a_thread_goes_on_with_what_memory_holds);
        return UNITY_END();
    }
    RUN_TEST(locations_have_the_names_of_the_source);
    RUN_TEST(events_know_their_instruction_and_line);
    RUN_TEST(an_rmw_is_a_read_and_its_write);
    RUN_TEST(a_selection_depends_on_what_it_takes);
    RUN_TEST(code_that_was_changed_cannot_be_read);
    RUN_TEST(faults_of_the_program_end_its_path);
    RUN_TEST(a_killed_qemu_is_started_again_once);
    RUN_TEST(a_qemu_killed_twice_is_an_error);
    RUN_TEST(a_missing_qemu_is_said);
    RUN_TEST(a_plugin_that_does_not_load_is_said);
    RUN_TEST(a_qemu_that_is_none_is_said);
    RUN_TEST(a_qemu_of_another_machine_is_said);
    RUN_TEST(what_is_forgotten_is_found_again);
    RUN_TEST(a_thread_goes_on_with_what_memory_holds);
    RUN_TEST(cores_are_given_back);
    return UNITY_END();
}
