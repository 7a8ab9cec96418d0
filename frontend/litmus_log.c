#include "frontend/litmus_log.h"

#include "core/mem.h"
#include "frontend/litmus_asm.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

void litmus_result_add(struct litmus_result *r, const struct litmus_test *t,
                       const struct litmus_value *values, uint64_t executions)
{
    if (t->filter != LITMUS_NONE && !litmus_holds(t, t->filter, values))
        return;
    r->states =
        mem_room(r->states, r->n_states, &r->states_cap, sizeof *r->states);
    struct litmus_state *s = &r->states[r->n_states++];
    s->executions = executions;
    s->values = mem_resize(NULL, (t->n_terms + 1) * sizeof *s->values);
    if (t->n_terms)
        memcpy(s->values, values, t->n_terms * sizeof *values);
}

void litmus_result_release(struct litmus_result *r)
{
    for (uint32_t i = 0; i < r->n_states; i++)
        free(r->states[i].values);
    free(r->states);
    *r = (struct litmus_result){0};
}

/* ---- order */

/* Of an array that is not shown as a whole. */
static bool is_element(const struct litmus_term *x)
{
    return x->index != LITMUS_NONE && !x->is_whole;
}

static int compare_registers(const struct litmus_test *t,
                             const struct litmus_term *x,
                             const struct litmus_term *y)
{
    const struct litmus_dialect *dialect = litmus_dialect_of(t->arch);
    unsigned bytes;
    if (x->thread != y->thread)
        return x->thread < y->thread ? -1 : 1;
    int order = dialect ? dialect->find(x->name, &bytes) -
                              dialect->find(y->name, &bytes)
                        : 0;
    return order ? order : strcmp(x->name, y->name);
}

/* As herd: registers by thread and number (those of C have none), then memory
 * by name, then elements. */
static int compare_terms(const void *a, const void *b, void *test)
{
    const struct litmus_test *t = test;
    const struct litmus_term *x = &t->terms[*(const uint32_t *)a];
    const struct litmus_term *y = &t->terms[*(const uint32_t *)b];
    if (x->is_register != y->is_register)
        return x->is_register ? -1 : 1;
    if (x->is_register)
        return compare_registers(t, x, y);
    if (is_element(x) != is_element(y))
        return is_element(x) ? 1 : -1;
    if (x->location != y->location)
        return strcmp(t->locations[x->location].name,
                      t->locations[y->location].name);
    return x->index < y->index ? -1 : x->index > y->index;
}

struct order {
    const struct litmus_test *test;
    uint32_t *terms; /* those that are shown, in order */
    uint32_t n;
};

static int compare_values(const struct litmus_test *t, struct litmus_value x,
                          struct litmus_value y)
{
    if (x.location != y.location) {
        if (x.location == LITMUS_NONE || y.location == LITMUS_NONE)
            return x.location == LITMUS_NONE ? -1 : 1;
        return strcmp(t->locations[x.location].name,
                      t->locations[y.location].name);
    }
    return x.number < y.number ? -1 : x.number > y.number;
}

static int compare_states(const void *a, const void *b, void *order)
{
    const struct litmus_state *x = a, *y = b;
    const struct order *o = order;
    for (uint32_t i = 0; i < o->n; i++) {
        uint32_t k = o->terms[i];
        int c = compare_values(o->test, x->values[k], y->values[k]);
        if (c)
            return c;
    }
    return 0;
}

/* ---- printing */

/* "1:r1=0;", or all of "a={1,2};"; returns the number of the next item. */
static uint32_t print_item(const struct order *o, uint32_t k,
                           const struct litmus_value *values, FILE *out)
{
    const struct litmus_term *x = &o->test->terms[o->terms[k]];
    fputs(k ? " " : "", out);
    if (!x->is_whole) {
        litmus_print_term(o->test, o->terms[k], out);
        fputc('=', out);
        litmus_print_final(o->test, o->terms[k], values[o->terms[k]], out);
        fputc(';', out);
        return k + 1;
    }
    const struct litmus_location *l = &o->test->locations[x->location];
    for (uint32_t i = 0; i < l->n; i++) {
        fprintf(out, i ? "," : "%s={", l->name);
        litmus_print_final(o->test, o->terms[k + i], values[o->terms[k + i]],
                           out);
    }
    fputs("};", out);
    return k + l->n;
}

static void print_states(const struct litmus_result *r, struct order *o,
                         FILE *out)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < r->n_states; i++)
        n += i == 0 || compare_states(&r->states[i - 1], &r->states[i], o) != 0;
    fprintf(out, "States %u\n", n);
    for (uint32_t i = 0; i < r->n_states; i++) {
        if (i && compare_states(&r->states[i - 1], &r->states[i], o) == 0)
            continue;
        for (uint32_t k = 0; k < o->n;)
            k = print_item(o, k, r->states[i].values, out);
        fputc('\n', out);
    }
}

static const char *verdict(const struct litmus_test *t,
                           const struct litmus_result *r, uint64_t holds,
                           uint64_t fails)
{
    bool good = false, sure = false; /* the answer is one execution */
    switch (t->quantifier) {
    case LITMUS_EXISTS:
        good = sure = holds > 0;
        break;
    case LITMUS_NOT_EXISTS:
        good = holds == 0;
        sure = !good;
        break;
    case LITMUS_FORALL:
        good = fails == 0;
        sure = !good;
        break;
    }
    return r->flag || (r->is_open && !sure) ? "Undef" : good ? "Ok" : "No";
}

void litmus_print_log(const struct litmus_test *t, struct litmus_result *r,
                      FILE *out)
{
    static const char *const kinds[] = {
        [LITMUS_EXISTS] = "Allowed",
        [LITMUS_NOT_EXISTS] = "Forbidden",
        [LITMUS_FORALL] = "Required",
    };
    struct order o = {.test = t};
    uint64_t holds = 0, fails = 0;
    o.terms = mem_resize(NULL, (t->n_terms + 1) * sizeof *o.terms);
    for (uint32_t i = 0; i < t->n_terms; i++)
        if (t->terms[i].is_shown)
            o.terms[o.n++] = i;
    qsort_r(o.terms, o.n, sizeof *o.terms, compare_terms, (void *)(uintptr_t)t);
    if (r->n_states)
        qsort_r(r->states, r->n_states, sizeof *r->states, compare_states, &o);
    for (uint32_t i = 0; i < r->n_states; i++)
        *(litmus_holds(t, t->condition, r->states[i].values) ? &holds
                                                             : &fails) +=
            r->states[i].executions;
    fprintf(out, "Test %s %s\n", t->name, kinds[t->quantifier]);
    print_states(r, &o, out);
    fprintf(out, "%s%s\nWitnesses\n", r->is_cut ? "Loop " : "",
            verdict(t, r, holds, fails));
    bool swap = t->quantifier == LITMUS_NOT_EXISTS;
    fprintf(out, "Positive: %" PRIu64 " Negative: %" PRIu64 "\n",
            swap ? fails : holds, swap ? holds : fails);
    if (r->flag)
        fprintf(out, "Flag %s\n", r->flag);
    fputs("Condition ", out);
    litmus_print_condition(t, out);
    fprintf(out, "\nObservation %s %s %" PRIu64 " %" PRIu64 "\n", t->name,
            holds == 0   ? "Never"
            : fails == 0 ? "Always"
                         : "Sometimes",
            holds, fails);
    fprintf(out, "Time %s %.2f\n", t->name, r->seconds);
    if (t->hash)
        fprintf(out, "Hash=%s\n", t->hash);
    fputc('\n', out);
    free(o.terms);
}
