/* Any text is a litmus test or an error: no crash, no hang, and a test can be
 * evaluated, printed and translated. */
#include "frontend/litmus/litmus.h"
#include "frontend/litmus/litmus_asm.h"
#include "frontend/litmus/litmus_c.h"
#include "frontend/litmus/litmus_log.h"
#include "frontend/litmus/litmus_retry.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void look_for_conditionals(const struct litmus_test *t)
{
    const struct litmus_dialect *d = t->dialect;
    for (uint32_t i = 0; d && i < t->n_threads; i++)
        for (uint32_t k = 0; k < t->threads[i].n_lines; k++)
            litmus_failing(d, t, i, k);
}

static void use(struct litmus_test *t)
{
    struct litmus_result result = {0};
    struct litmus_value *values =
        calloc(t->n_terms + 1, sizeof(struct litmus_value));
    struct err error = {0};
    char *text = NULL;
    size_t bytes = 0;
    FILE *out = open_memstream(&text, &bytes);
    if (!values || !out)
        abort();
    for (uint32_t i = 0; i < t->n_terms; i++)
        values[i].location = LITMUS_NONE;
    litmus_result_add(&result, t, values, 1);
    litmus_print_log(t, &result, out);
    litmus_result_release(&result);
    if (t->is_c)
        litmus_write_c(&t, 1, &error, true, out);
    look_for_conditionals(t);
    fclose(out);
    free(text);
    free(values);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct litmus_test test;
    struct err err = {0};
    /* A copy of just that size, so that reading beyond it is seen. */
    char *text = malloc(size ? size : 1);
    if (!text)
        return 0;
    if (size)
        memcpy(text, data, size);
    if (litmus_parse(&test, "fuzz.litmus", text, size, &err))
        use(&test);
    else if (err.kind == ERR_NONE)
        abort();
    litmus_release(&test);
    free(text);
    return 0;
}
