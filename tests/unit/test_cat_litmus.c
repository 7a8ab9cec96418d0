/* The models on the classic shapes. Verdicts: A allowed, F forbidden; those of
 * SC, TSO and PSO were checked against herd and against a store-buffer machine,
 * those of RC11 against herd and GenMC. */
#include "models/model_load.h"
#include "test_cat_graph.h"

#include "unity.h"

void setUp(void)
{
}
void tearDown(void)
{
}

enum { N_MODELS = 6 };
static const char *const model_names[N_MODELS] = {"sc", "tso",  "pso",
                                                  "ra", "rc11", "rc11-paper"};

/* A dot: not asked (or not meant for that kind of program). */
static const struct {
    const char *name, *verdicts, *text;
} tests[] = {
    {"SB", "FAA...", "W x 1; R y 0 | W y 1; R x 0"},
    {"SB+mfences", "FFF...", "W x 1; MFENCE; R y 0 | W y 1; MFENCE; R x 0"},
    {"SB+mfence+po", "FAA...", "W x 1; MFENCE; R y 0 | W y 1; R x 0"},
    {"SB+lfences", "FAA...", "W x 1; LFENCE; R y 0 | W y 1; LFENCE; R x 0"},
    {"SB+sfences", "FAA...", "W x 1; SFENCE; R y 0 | W y 1; SFENCE; R x 0"},
    {"SB+xchg", "FFF...", "Lx x 0 1; R y 0 | Lx y 0 1; R x 0"},
    {"SB+xchg-other", "FFF...",
     "W x 1; Lx z 0 1; R y 0 | W y 1; Lx z 1 2; R x 0"},
    {"SB+xchg-other2", "FFF...",
     "W x 1; Lx z 0 1; R y 0 | W y 1; Lx w 0 1; R x 0"},
    {"SB+cmpxchg-fail", "FFF...",
     "W x 1; LRx z 0; R y 0 | W y 1; LRx z 0; R x 0"},
    {"SB+rfi", "FAA...", "W x 1; R x 1; R y 0 | W y 1; R y 1; R x 0"},
    {"MP", "FFA...", "W x 1; W y 1 | R y 1; R x 0"},
    {"MP+sfence+lfence", "FFF...",
     "W x 1; SFENCE; W y 1 | R y 1; LFENCE; R x 0"},
    {"LB", "FFF...", "R x 1; W y 1 | R y 1; W x 1"},
    {"2+2W", "FFA...", "W x 1; W y 2 | W y 1; W x 2 ? x=1 y=1"},
    {"S", "FFA...", "W x 2; W y 1 | R y 1; W x 1 ? x=2"},
    {"R", "FAA...", "W x 1; W y 1 | W y 2; R x 0 ? y=2"},
    {"R+po+mfence", "FFA...", "W x 1; W y 1 | W y 2; MFENCE; R x 0 ? y=2"},
    {"IRIW", "FFF...", "W x 1 | R x 1; R y 0 | W y 1 | R y 1; R x 0"},
    {"WRC", "FFF...", "W x 1 | R x 1; W y 1 | R y 1; R x 0"},
    {"n5", "FFF...", "W x 1; R x 2 | W x 2; R x 1"},
    {"INC2", "FFF...", "Lx x 0 1 | Lx x 0 2"},
    {"INC2-nolock", "AAA...", "R x 0; W x 1 | R x 0; W x 2"},

    {"SB+rlx", "FAAAAA", "Wrlx x 1; Rrlx y 0 | Wrlx y 1; Rrlx x 0"},
    {"SB+ra", "FAAAAA", "Wrel x 1; Racq y 0 | Wrel y 1; Racq x 0"},
    {"SB+sc", "FFFAFF", "Wsc x 1; Rsc y 0 | Wsc y 1; Rsc x 0"},
    {"SB+scf", "FFFAFF", "Wrlx x 1; Fsc; Rrlx y 0 | Wrlx y 1; Fsc; Rrlx x 0"},
    {"SB+arf", "FAAAAA", "Wrlx x 1; Far; Rrlx y 0 | Wrlx y 1; Far; Rrlx x 0"},
    {"SB+3sc+rel", "FAAAAA", "Wsc x 1; Rsc y 0 | Wrel y 1; Rsc x 0"},
    {"SB+rfis", "FAAAAA",
     "Wrel x 1; Rsc x 1; Rsc y 0 | Wrel y 1; Rsc y 1; Rsc x 0"},
    {"SB+rmw-elsewhere", "FFFFFF",
     "Wrlx x 1; Uar z 0 1; Rrlx y 0 | Wrlx y 1; Uar z 1 2; Rrlx x 0"},
    {"MP+rlx", "FFAFAA", "Wrlx x 1; Wrlx y 1 | Rrlx y 1; Rrlx x 0"},
    {"MP+rel+acq", "FFFFFF", "Wrlx x 1; Wrel y 1 | Racq y 1; Rrlx x 0"},
    {"MP+rel+rlx", "FFFFAA", "Wrlx x 1; Wrel y 1 | Rrlx y 1; Rrlx x 0"},
    {"MP+relf+acqf", "FFFFFF",
     "Wrlx x 1; Frel; Wrlx y 1 | Rrlx y 1; Facq; Rrlx x 0"},
    {"MP+scf+po", "FFFFAA", "Wrlx x 1; Fsc; Wrlx y 1 | Rrlx y 1; Rrlx x 0"},
    {"MP+rels+acq", "FFFFAF",
     "Wrlx x 1; Wrel y 1; Wrlx y 2 | Racq y 2; Rrlx x 0"},
    {"MP+rel+rmw+acq", "FFFFFF",
     "Wrlx x 1; Wrel y 1 | Urlx y 1 2 | Racq y 2; Rrlx x 0"},
    {"MP+rel+rmwacq", "FFFFFF", "Wrlx x 1; Wrel y 1 | Uacq y 1 2; Rrlx x 0"},
    {"MP+rel+othw+acq", "FFFFAA",
     "Wrlx x 1; Wrel y 1 | Rrlx y 1; Wrlx y 2 | Racq y 2; Rrlx x 0"},
    {"MP+na+rel+acq", "FFFFFF", "Wna d 1; Wrel y 1 | Racq y 1; Rna d 0"},
    {"LB+rlx", "FFFFFF", "Rrlx x 1; Wrlx y 1 | Rrlx y 1; Wrlx x 1"},
    {"LB+na", "FFFFFF", "Rna x 1; Wna y 1 | Rna y 1; Wna x 1"},
    {"psc-ar", "FFFFAA",
     "Rrlx y 1; Fsc; Rrlx z 0 | Wrlx z 1; Fsc; Wrlx x 1 | Rrlx x 1; Wrlx y 1"},
    {"ISA2+rel+acq", "FFFFAA",
     "Wrlx x 1; Wrel y 1 | Rrlx y 1; Wrlx z 1 | Racq z 1; Rrlx x 0"},
    {"S+rel+acq", "FFFFFF", "Wrlx x 2; Wrel y 1 | Racq y 1; Wrlx x 1 ? x=2"},
    {"S+rel+rlx", "FFFFAA", "Wrlx x 2; Wrel y 1 | Rrlx y 1; Wrlx x 1 ? x=2"},
    {"2+2W+rel", "FFFAAA", "Wrel x 1; Wrel y 2 | Wrel y 1; Wrel x 2 ? x=1 y=1"},
    {"2+2W+sc", "FFFAFF", "Wsc x 1; Wsc y 2 | Wsc y 1; Wsc x 2 ? x=1 y=1"},
    {"2+2W+scf", "FFFAFF",
     "Wrlx x 1; Fsc; Wrlx y 2 | Wrlx y 1; Fsc; Wrlx x 2 ? x=1 y=1"},
    {"IRIW+ra", "FFFAAA",
     "Wrel x 1 | Racq x 1; Racq y 0 | Wrel y 1 | Racq y 1; Racq x 0"},
    {"IRIW+sc", "FFFAFF",
     "Wsc x 1 | Rsc x 1; Rsc y 0 | Wsc y 1 | Rsc y 1; Rsc x 0"},
    {"IRIW+scf", "FFFAFF",
     "Wrlx x 1 | Rrlx x 1; Fsc; Rrlx y 0 | Wrlx y 1 | Rrlx y 1; Fsc; Rrlx x 0"},
    {"IRIW-acq-sc", "FFFAAA",
     "Wsc x 1 | Racq x 1; Rsc y 0 | Wsc y 1 | Racq y 1; Rsc x 0"},
    {"RWC+scf", "FFFAFF",
     "Wrlx x 1 | Rrlx x 1; Fsc; Rrlx y 0 | Wrlx y 1; Fsc; Rrlx x 0"},
    {"W+RWC+scf", "FFFAFF",
     "Wrlx x 1; Wrel z 1 | Racq z 1; Fsc; Rrlx y 0 | Wrlx y 1; Fsc; Rrlx x 0"},
    {"W+RWC+sc", "FFFAFF",
     "Wsc x 1; Wrel z 1 | Racq z 1; Rsc y 0 | Wsc y 1; Rsc x 0"},
    {"Z6.U", "FFFAAA",
     "Wsc x 1; Wrel y 1 | Usc y 1 2; Rrlx y 3 | Wsc y 3; Rsc x 0"},
    {"WRC+rlx+rel+acq", "FFFFFF",
     "Wrlx x 1 | Rrlx x 1; Wrel y 1 | Racq y 1; Rrlx x 0"},
    {"CoRR", "FFFFFF", "Wrlx x 1 | Rrlx x 1; Rrlx x 0"},
    {"RMW2", "FFFFFF", "Urlx x 0 1 | Urlx x 0 2"},
};

static void check_model(unsigned k)
{
    struct model m;
    struct err err;
    TEST_ASSERT_TRUE_MESSAGE(model_load(&m, model_names[k], &err), err.text);
    for (unsigned i = 0; i < sizeof tests / sizeof tests[0]; i++) {
        char got = litmus_allowed(tests[i].text, &m) ? 'A' : 'F';
        char want = tests[i].verdicts[k];
        char message[100];
        snprintf(message, sizeof message, "%s under %s", tests[i].name,
                 model_names[k]);
        if (want != '.')
            TEST_ASSERT_EQUAL_CHAR_MESSAGE(want, got, message);
    }
    m.release(&m);
}

static void sc_keeps_its_table(void)
{
    check_model(0);
}
static void tso_keeps_its_table(void)
{
    check_model(1);
}
static void pso_keeps_its_table(void)
{
    check_model(2);
}
static void ra_keeps_its_table(void)
{
    check_model(3);
}
static void rc11_keeps_its_table(void)
{
    check_model(4);
}
static void rc11_of_the_paper_keeps_its_table(void)
{
    check_model(5);
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(sc_keeps_its_table);
    RUN_TEST(tso_keeps_its_table);
    RUN_TEST(pso_keeps_its_table);
    RUN_TEST(ra_keeps_its_table);
    RUN_TEST(rc11_keeps_its_table);
    RUN_TEST(rc11_of_the_paper_keeps_its_table);
    return UNITY_END();
}
