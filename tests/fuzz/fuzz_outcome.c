/* Any text is an outcome to be asked about, of a litmus test or of a C program,
 * or an error. */
#include "frontend/explain/explain_asked.h"
#include "frontend/litmus/litmus.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const char *const tests[] = {
    "PPC MP\n{ 0:r2=x; 0:r4=y; 1:r2=x; 1:r4=y; p=x; a[2]={1,2}; }\n"
    " P0           | P1           ;\n"
    " li r1,1      | lwz r1,0(r4) ;\n"
    " stw r1,0(r2) | lwz r3,0(r2) ;\n"
    " stw r1,0(r4) |              ;\n"
    "exists (1:r1=1 /\\ 1:r3=0)\n",
    "C SB\n{ [x] = 0; int *p = &x; }\n"
    "P0(atomic_int *x, int *y) { int r0 = atomic_load(x); *y = 1; }\n"
    "P1(atomic_int *x, int *y) { int r0 = *y; }\n"
    "exists (0:r0=0)\n"};

static void ask_litmus(const char *test, const char *text)
{
    struct litmus_test t;
    struct err err = {0};
    if (!litmus_parse(&t, "fuzz.litmus", test, strlen(test), &err)) {
        fputs(err.text, stderr);
        abort();
    }
    if (litmus_set_outcome(&t, text, &err)) {
        struct litmus_value *values = calloc(t.n_terms + 1, sizeof *values);
        for (uint32_t i = 0; i < t.n_terms; i++)
            values[i].location = LITMUS_NONE;
        litmus_holds(&t, t.condition, values);
        free(values);
    } else if (!err.text[0]) {
        abort(); /* a failure must say why */
    }
    litmus_release(&t);
}

/* Operands stand before operators, and the last is all. */
static void check_nodes(const struct asked *a)
{
    if (a->n_nodes == 0)
        abort();
    for (uint32_t i = 0; i < a->n_nodes; i++) {
        const struct asked_node *n = &a->nodes[i];
        bool binary = n->op != ASKED_ITEM && n->op != ASKED_NOT;
        if (n->a >= (n->op == ASKED_ITEM ? a->n : i) || (binary && n->b >= i))
            abort();
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *text = malloc(size + 1);
    if (!text)
        return 0;
    memcpy(text, data, size);
    text[size] = '\0';
    for (unsigned i = 0; i < sizeof tests / sizeof *tests; i++)
        ask_litmus(tests[i], text);
    struct asked a;
    struct err err = {0};
    if (asked_parse(&a, text, &err))
        check_nodes(&a);
    else if (!err.text[0])
        abort(); /* a failure must say why */
    asked_release(&a);
    free(text);
    return 0;
}
