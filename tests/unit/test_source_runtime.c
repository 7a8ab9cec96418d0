/* The runtime as such: running again from the start gives what running on
 * gave, whatever the values; nothing is left behind. */
#include "tests/harness/source_driver.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unity.h>

void setUp(void)
{
}

void tearDown(void)
{
}

/* Something of everything that has a state of its own. */
static const char program[] =
    "#include <assert.h>\n#include <pthread.h>\n#include <stdatomic.h>\n"
    "#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\n"
    "atomic_int x, y, z; int data[4]; _Thread_local int mine = 3;\n"
    "pthread_mutex_t m; struct n { int v; struct n *next; } *_Atomic top;\n"
    "static int pure(int k) { return k < 2 ? k : pure(k - 1) + pure(k - 2); }\n"
    "void push(int v) { struct n *n = malloc(sizeof *n); n->v = v;\n"
    "  n->next = top; while (!atomic_compare_exchange_weak(&top, &n->next,\n"
    "      n)) ; }\n"
    "void *f(void *p) {\n"
    "  int local[3] = {0}, *shared = &local[0]; char text[8];\n"
    "  for (int i = 0; i < 3; i++) { local[i] = atomic_fetch_add(&x, i);\n"
    "    mine += local[i]; }\n"
    "  if (y) { int w = rand(); data[w % 4] += pure(10); free(malloc(8)); }\n"
    "  pthread_mutex_lock(&m); memcpy(data, local, sizeof local);\n"
    "  pthread_mutex_unlock(&m);\n"
    "  memset(text, z, 8); y = text[3];\n"
    "  *(int *volatile *)p = shared; push(mine);\n"
    "  while (z == 1) ; printf(\"%d\\n\", x);\n"
    "  return (void *)(long)(mine + text[7] + local[1]); }\n"
    "int main(void) { pthread_t t[3]; int *p[3]; void *r; long s = 0;\n"
    "  for (int i = 0; i < 3; i++) pthread_create(&t[i], 0, f, &p[i]);\n"
    "  for (int i = 0; i < 3; i++) { pthread_join(t[i], &r); s += (long)r; }\n"
    "  return s; }\n";

static void run_from_seed(struct driver *d, uint64_t seed, bool cold)
{
    d->random = seed;
    d->cold = cold;
    TEST_ASSERT_TRUE_MESSAGE(driver_run(d), d->err.text);
}

static void running_again_gives_the_same(void)
{
    static struct driver d;
    TEST_ASSERT_TRUE_MESSAGE(driver_compile(&d, program), d.err.text);
    static char warm[sizeof d.trace];
    for (uint64_t seed = 1; seed <= 300; seed++) {
        run_from_seed(&d, seed, false);
        memcpy(warm, d.trace, sizeof warm);
        run_from_seed(&d, seed, true);
        TEST_ASSERT_EQUAL_STRING(warm, d.trace);
    }
    driver_release(&d);
}

/* Visits every value at every read of a small program, in an order in which
 * hardly any run stands where the next begins. */
static void any_order_of_questions(void)
{
    static struct driver d;
    TEST_ASSERT_TRUE(driver_compile(
        &d, "#include <stdatomic.h>\natomic_int x;\n"
            "int main(void) { int s = 0; for (int i = 0; i < 4; i++)\n"
            "  s = s * 3 + x; x = s; return s; }"));
    for (unsigned k = 0; k < 81; k++) {
        unsigned path = k * 50 % 81, sum = 0;
        node_id n = path_root(&d.path, 0, source_main(&d.source), 0);
        n = path_step(&d.path, n, 0, &d.err);
        for (unsigned i = 0; i < 4; i++, path /= 3) {
            TEST_ASSERT_EQUAL(LABEL_READ, path_label(&d.path, n)->kind);
            sum = sum * 3 + path % 3;
            n = path_step(&d.path, n, path % 3, &d.err);
        }
        TEST_ASSERT_EQUAL(LABEL_WRITE, path_label(&d.path, n)->kind);
        TEST_ASSERT_EQUAL(sum, path_label(&d.path, n)->value);
        n = path_step(&d.path, n, 0, &d.err);
        TEST_ASSERT_EQUAL(LABEL_END, path_label(&d.path, n)->kind);
        TEST_ASSERT_EQUAL(sum, path_label(&d.path, n)->value);
    }
    TEST_ASSERT_EQUAL(1 + 1 + 3 + 9 + 27 + 2 * 81, d.path.n_live);
    driver_release(&d);
}

static void more_threads_than_stacks(void)
{
    static struct driver d;
    TEST_ASSERT_TRUE(driver_compile(
        &d, "#include <pthread.h>\n#include <stdatomic.h>\natomic_int x;\n"
            "void *f(void *p) { x++; return 0; }\n"
            "int main(void) { pthread_t t[200];\n"
            "  for (int i = 0; i < 200; i++) pthread_create(&t[i], 0, f, 0);\n"
            "  return x; }"));
    struct path *p = &d.path;
    node_id n = path_root(p, 0, source_main(&d.source), 0);
    static node_id threads[200];
    while ((n = path_step(p, n, 0, &d.err)) != NODE_NONE &&
           path_label(p, n)->kind == LABEL_CREATE)
        threads[path_label(p, n)->loc - 1] = path_label(p, n)->aux;
    for (int t = 0; t < 200; t++)
        threads[t] = path_step(p, threads[t], 0, &d.err);
    for (uint64_t t = 0; t < 200; t++) {
        n = path_step(p, threads[t], t, &d.err);
        TEST_ASSERT_NOT_EQUAL(NODE_NONE, n);
        TEST_ASSERT_EQUAL(LABEL_WRITE, path_label(p, n)->kind);
        TEST_ASSERT_EQUAL(t + 1, path_label(p, n)->value);
    }
    driver_release(&d);
}

static void two_programs_at_a_time(void)
{
    static struct driver a, b;
    TEST_ASSERT_TRUE(driver_compile(
        &a, "int x = 1; int main(void) { return *(&x + x - x); }"));
    TEST_ASSERT_TRUE(
        driver_compile(&b, "int *p; int main(void) { return *p; }"));
    for (int i = 0; i < 3; i++) {
        TEST_ASSERT_TRUE(driver_run(&a));
        TEST_ASSERT_TRUE(driver_run(&b));
        TEST_ASSERT_NOT_NULL(strstr(a.trace, "end 1"));
        TEST_ASSERT_NOT_NULL(strstr(b.trace, "null pointer"));
    }
    driver_release(&a);
    TEST_ASSERT_TRUE(driver_run(&b));
    driver_release(&b);
}

static void signal_handlers_are_put_back(void)
{
    struct sigaction before, during, after;
    sigaction(SIGSEGV, NULL, &before);
    static struct driver d;
    TEST_ASSERT_TRUE(driver_compile(&d, "int main(void) { return 0; }"));
    TEST_ASSERT_TRUE(driver_run(&d));
    sigaction(SIGSEGV, NULL, &during);
    driver_release(&d);
    sigaction(SIGSEGV, NULL, &after);
    TEST_ASSERT_TRUE(during.sa_sigaction != before.sa_sigaction);
    TEST_ASSERT_TRUE(after.sa_sigaction == before.sa_sigaction);
}

static void output_is_shown_on_demand(void)
{
    static struct driver d;
    struct source_options options = {.show_output = true};
    TEST_ASSERT_TRUE(driver_compile_with(
        &d,
        "#include <stdio.h>\nint x = 7;\n"
        "int main(void) { printf(\"%d %s %5.2f %lu %c%%\\n\", x, \"text\",\n"
        "  1.5, 123456789012ul, 'c'); puts(\"line\"); putchar('q');\n"
        "  fprintf(stderr, \"[%-4d]\\n\", -3); }",
        &options));
    FILE *old = stderr;
    char *text = NULL;
    size_t bytes = 0;
    stderr = open_memstream(&text, &bytes);
    bool ok = driver_run(&d);
    fclose(stderr);
    stderr = old;
    TEST_ASSERT_TRUE(ok);
    TEST_ASSERT_EQUAL_STRING("7 text  1.50 123456789012 c%\nline\nq[-3  ]\n",
                             text);
    free(text);
    driver_release(&d);
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(running_again_gives_the_same);
    RUN_TEST(any_order_of_questions);
    RUN_TEST(more_threads_than_stacks);
    RUN_TEST(two_programs_at_a_time);
    RUN_TEST(signal_handlers_are_put_back);
    RUN_TEST(output_is_shown_on_demand);
    return UNITY_END();
}
