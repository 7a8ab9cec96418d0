/* Random machine code, twice: as litmus tests through assembler, QEMU, decoders
 * and explorer, and by an interpreter and brute force
 * (tests/harness/random_asm.h). The same final states, and as many executions.
 *   test_random_asm [programs per ISA [seed [ISA [model]]]] */
#include "core/mem.h"
#include "frontend/base/cli.h"
#include "frontend/litmus/litmus_run.h"
#include "models/model_load.h"
#include "tests/harness/oracle.h"
#include "tests/harness/random_asm.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <unity.h>

enum { CHUNK = 250, CANDIDATES = 6000, SHOWN = 3 };

static unsigned programs = 60;
static uint64_t first_seed = 1;
static const char *only_isa, *only_model;

void setUp(void)
{
}

void tearDown(void)
{
}

/* A program and its states, each a line as in a log; sorted, without copies. */
struct subject {
    struct asm_program program;
    uint64_t seed;
    char **states;
    uint32_t n_states, states_cap;
    uint64_t executions;
    bool is_open; /* the pipeline says that it does not know all */
};

static int compare_texts(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

static void sort_states(struct subject *s)
{
    uint32_t kept = 0;
    if (s->n_states)
        qsort(s->states, s->n_states, sizeof *s->states, compare_texts);
    for (uint32_t i = 0; i < s->n_states; i++)
        if (kept && strcmp(s->states[kept - 1], s->states[i]) == 0)
            free(s->states[i]);
        else
            s->states[kept++] = s->states[i];
    s->n_states = kept;
}

static void add_state(struct subject *s, char *text)
{
    s->states =
        mem_room(s->states, s->n_states, &s->states_cap, sizeof *s->states);
    s->states[s->n_states++] = text;
}

static void release(struct subject *s)
{
    for (uint32_t i = 0; i < s->n_states; i++)
        free(s->states[i]);
    free(s->states);
    *s = (struct subject){0};
}

/* ---- by brute force */

/* What the thread's reads and choices returned, in order. */
static unsigned values_of(const struct graph *g, thread_id t, uint64_t *values)
{
    unsigned n = 0, k = 0;
    for (event_id e = g->threads[t].last; e != EVENT_NONE;
         e = g->events[e].po_prev)
        n += label_returns(g->events[e].kind);
    for (event_id e = g->threads[t].last; e != EVENT_NONE;
         e = g->events[e].po_prev)
        if (label_returns(g->events[e].kind))
            values[n - ++k] = g->events[e].value;
    return n;
}

static void note_state(void *to, const struct graph *g)
{
    struct subject *s = to;
    const struct asm_program *p = &s->program;
    char *text = NULL;
    size_t bytes = 0;
    FILE *out = open_memstream(&text, &bytes);
    TEST_ASSERT_NOT_NULL(out);
    for (unsigned t = 0; t < p->n_threads; t++) {
        uint64_t values[ORACLE_LABELS], regs[ASM_REGS];
        unsigned n = values_of(g, t, values);
        asm_registers(p, t, values, n, regs);
        for (unsigned r = 0; r < ASM_REGS; r++)
            if (asm_uses(p, t, r))
                fprintf(out, "%u:%s=%llu; ", t, asm_register(p->isa, r),
                        (unsigned long long)regs[r]);
    }
    for (unsigned i = 0; i < p->n_locs; i++) {
        event_id last =
            p->locs[i] < g->n_locs ? g->locs[p->locs[i]].co_last : EVENT_NONE;
        fprintf(out, "[%s]=%llu;%s", asm_location(i),
                (unsigned long long)(last == EVENT_NONE
                                         ? 0
                                         : g->events[last].value),
                i + 1 < p->n_locs ? " " : "");
    }
    fclose(out);
    add_state(s, text);
    s->executions++;
}

/* False: too large to be tried. */
static bool by_brute_force(struct subject *s, const struct model *model)
{
    struct program program;
    struct asm_program *p = &s->program;
    program_init(&program);
    asm_bind(p, &program);
    struct oracle_subject subject = {.n_threads = p->n_threads,
                                     .n_locs = p->n_locs,
                                     .locs = p->locs,
                                     .program = &program,
                                     .self = p,
                                     .run = asm_run};
    bool small = oracle_each(&subject, model, CANDIDATES, note_state, s);
    program_release(&program);
    p->program = NULL;
    sort_states(s);
    return small;
}

/* ---- by the pipeline */

static void write_tests(const char *folder, struct subject *subjects,
                        unsigned n)
{
    char path[200];
    snprintf(path, sizeof path, "%s/@all", folder);
    FILE *list = fopen(path, "w");
    TEST_ASSERT_NOT_NULL_MESSAGE(list, path);
    for (unsigned i = 0; i < n; i++) {
        char name[24];
        snprintf(name, sizeof name, "R%u", i);
        snprintf(path, sizeof path, "%s/%s.litmus", folder, name);
        FILE *out = fopen(path, "w");
        TEST_ASSERT_NOT_NULL_MESSAGE(out, path);
        asm_print(&subjects[i].program, name, out);
        fclose(out);
        fprintf(list, "%s.litmus\n", name);
    }
    fclose(list);
}

static void remove_tests(const char *folder, unsigned n)
{
    char path[200];
    for (unsigned i = 0; i < n; i++) {
        snprintf(path, sizeof path, "%s/R%u.litmus", folder, i);
        unlink(path);
    }
    snprintf(path, sizeof path, "%s/@all", folder);
    unlink(path);
    rmdir(folder);
}

/* The log of all tests, to be freed. */
static char *run_tests(const char *folder, const struct model *model)
{
    static const volatile sig_atomic_t stop;
    char list[200], *text = NULL;
    size_t bytes = 0;
    snprintf(list, sizeof list, "%s/@all", folder);
    const char *operands[] = {list};
    struct options o = {.command = COMMAND_LITMUS,
                        .unroll = 10000,
                        .max_events = 10000,
                        .operands = operands,
                        .n_operands = 1,
                        .model = model->name};
    FILE *out = open_memstream(&text, &bytes);
    TEST_ASSERT_NOT_NULL(out);
    int code = litmus_run(&o, model_load, &stop, out, stdout);
    fclose(out);
    if (code != 0 && code != EXIT_INCONCLUSIVE)
        printf("exit code %d\n", code);
    return text;
}

/* Reads test `number` from the log. False: it is not there. */
static bool read_log(const char *log, unsigned number, struct subject *out)
{
    char head[40];
    unsigned n_states = 0;
    snprintf(head, sizeof head, "Test R%u Required\n", number);
    const char *at = strstr(log, head);
    if (!at || sscanf(at + strlen(head), "States %u", &n_states) != 1)
        return false;
    at = strchr(at + strlen(head), '\n') + 1;
    for (unsigned i = 0; i < n_states; i++) {
        size_t length = strcspn(at, "\n");
        add_state(out, strndup(at, length));
        at += length + 1;
    }
    unsigned long long positive;
    char verdict[8];
    if (sscanf(at, "%7s Witnesses Positive: %llu Negative: 0", verdict,
               &positive) != 2)
        return false;
    out->executions = positive;
    out->is_open = strcmp(verdict, "Ok") != 0;
    sort_states(out);
    return true;
}

/* ---- both */

struct tally {
    unsigned missed, extra;        /* states */
    unsigned n_open;               /* programs whose verdict is Undef */
    unsigned n_counted;            /* programs whose executions compare */
    uint64_t lost, repeated, sure; /* of executions */
    unsigned n_different;
};

static void compare_states(const struct subject *want,
                           const struct subject *got, struct tally *t)
{
    uint32_t i = 0, j = 0;
    while (i < want->n_states || j < got->n_states) {
        int c = i == want->n_states  ? 1
                : j == got->n_states ? -1
                                     : strcmp(want->states[i], got->states[j]);
        t->missed += c < 0 && !got->is_open;
        t->extra += c > 0;
        if (c && t->n_different < SHOWN && !got->is_open)
            printf("%s: %s\n", c < 0 ? "missed" : "extra",
                   c < 0 ? want->states[i] : got->states[j]);
        i += c <= 0;
        j += c >= 0;
    }
}

static void compare(const struct subject *want, const struct subject *got,
                    struct tally *t)
{
    struct tally before = *t;
    compare_states(want, got, t);
    t->sure += want->executions;
    t->n_open += got->is_open;
    if (!want->program.counts_differ && !got->is_open) {
        t->n_counted++;
        if (got->executions < want->executions)
            t->lost += want->executions - got->executions;
        else
            t->repeated += got->executions - want->executions;
    }
    if (t->missed == before.missed && t->extra == before.extra &&
        t->lost == before.lost && t->repeated == before.repeated)
        return;
    if (t->n_different++ < SHOWN) {
        printf("seed %llu: %llu executions, not %llu\n",
               (unsigned long long)want->seed,
               (unsigned long long)got->executions,
               (unsigned long long)want->executions);
        asm_print(&want->program, "R", stdout);
    }
}

static void try_chunk(enum asm_isa isa, const struct model *model, unsigned n,
                      uint64_t *seed, struct tally *t)
{
    static struct subject subjects[CHUNK];
    char folder[] = "/tmp/hwcheck-random-XXXXXX";
    TEST_ASSERT_NOT_NULL_MESSAGE(mkdtemp(folder), strerror(errno));
    for (unsigned i = 0; i < n;) {
        subjects[i] = (struct subject){.seed = *seed};
        asm_generate(&subjects[i].program, isa, seed);
        if (by_brute_force(&subjects[i], model))
            i++;
        else
            release(&subjects[i]);
    }
    write_tests(folder, subjects, n);
    char *log = run_tests(folder, model);
    for (unsigned i = 0; i < n; i++) {
        struct subject got = {.seed = 0};
        if (read_log(log, i, &got)) {
            compare(&subjects[i], &got, t);
        } else {
            asm_print(&subjects[i].program, "R", stdout);
            t->n_different++;
        }
        release(&got);
        release(&subjects[i]);
    }
    free(log);
    remove_tests(folder, n);
}

static void agrees(enum asm_isa isa, const char *name, const char *model_name)
{
    struct model model;
    struct err err = {0};
    struct tally t = {0};
    uint64_t seed = first_seed;
    if (only_isa && strcmp(only_isa, name) != 0)
        return;
    TEST_ASSERT_TRUE_MESSAGE(model_load(&model, model_name, &err), err.text);
    for (unsigned done = 0, n; done < programs; done += n) {
        n = programs - done < CHUNK ? programs - done : CHUNK;
        try_chunk(isa, &model, n, &seed, &t);
    }
    model.release(&model);
    printf("%s under %s: %u programs, %llu executions; states: %u missed, %u "
           "extra; "
           "executions of %u programs: %llu missed, %llu repeated; "
           "%u programs left open\n",
           name, model_name, programs, (unsigned long long)t.sure, t.missed,
           t.extra, t.n_counted, (unsigned long long)t.lost,
           (unsigned long long)t.repeated, t.n_open);
    TEST_ASSERT_EQUAL_UINT_MESSAGE(0, t.n_different, "programs that differ");
}

static void x86_64_agrees_with_the_oracle(void)
{
    agrees(ASM_X86_64, "x86_64", "tso");
}

static void aarch64_agrees_with_the_oracle(void)
{
    agrees(ASM_AARCH64, "aarch64", "armv8");
}

static void ppc64le_agrees_with_the_oracle(void)
{
    agrees(ASM_PPC, "ppc64le", "power");
}

static void riscv64_agrees_with_the_oracle(void)
{
    agrees(ASM_RISCV, "riscv64", "rvwmo");
}

/* The model for compiled programs. */
static void ppc64le_with_rmw_loops_agrees_with_the_oracle(void)
{
    agrees(ASM_PPC, "ppc64le", "power-rmw");
}

static void aarch64_under_imm_agrees_with_the_oracle(void)
{
    agrees(ASM_AARCH64, "aarch64", "imm");
}

static void the_given_model_agrees_with_the_oracle(void)
{
    agrees(ASM_X86_64, "x86_64", only_model);
    agrees(ASM_AARCH64, "aarch64", only_model);
    agrees(ASM_PPC, "ppc64le", only_model);
    agrees(ASM_RISCV, "riscv64", only_model);
}

int main(int argc, char **argv)
{
    if (getenv("HWC_FAST"))
        programs = 15;
    if (argc > 1)
        programs = (unsigned)strtoul(argv[1], NULL, 10);
    if (argc > 2)
        first_seed = strtoull(argv[2], NULL, 10);
    if (argc > 3)
        only_isa = argv[3];
    if (argc > 4)
        only_model = argv[4];
    UNITY_BEGIN();
    if (only_model) {
        RUN_TEST(the_given_model_agrees_with_the_oracle);
        return UNITY_END();
    }
    RUN_TEST(x86_64_agrees_with_the_oracle);
    RUN_TEST(aarch64_agrees_with_the_oracle);
    RUN_TEST(ppc64le_agrees_with_the_oracle);
    RUN_TEST(riscv64_agrees_with_the_oracle);
    RUN_TEST(ppc64le_with_rmw_loops_agrees_with_the_oracle);
    RUN_TEST(aarch64_under_imm_agrees_with_the_oracle);
    return UNITY_END();
}
