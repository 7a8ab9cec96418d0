#include "frontend/litmus/litmus_log.h"

#include "core/mem.h"
#include "frontend/litmus/litmus_asm.h"

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
    free(r->trouble);
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
    const struct litmus_dialect *dialect = t->dialect;
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
    const struct litmus_judgement *o = order;
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
static uint32_t print_item(const struct litmus_judgement *o, uint32_t k,
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

void litmus_print_state(const struct litmus_judgement *o,
                        const struct litmus_state *state, FILE *out)
{
    for (uint32_t k = 0; k < o->n;)
        k = print_item(o, k, state->values, out);
}

static void print_states(const struct litmus_result *r,
                         const struct litmus_judgement *o, FILE *out)
{
    fprintf(out, "States %u\n", r->n_states);
    for (uint32_t i = 0; i < r->n_states; i++) {
        litmus_print_state(o, &r->states[i], out);
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

/* Those that are equal in what is shown become one. */
static void join_states(struct litmus_result *r, struct litmus_judgement *o)
{
    uint32_t n = 0;
    if (r->n_states)
        qsort_r(r->states, r->n_states, sizeof *r->states, compare_states, o);
    for (uint32_t i = 0; i < r->n_states; i++) {
        if (n && compare_states(&r->states[n - 1], &r->states[i], o) == 0) {
            r->states[n - 1].executions += r->states[i].executions;
            free(r->states[i].values);
        } else
            r->states[n++] = r->states[i];
    }
    r->n_states = n;
}

void litmus_judge(struct litmus_judgement *o, const struct litmus_test *t,
                  struct litmus_result *r)
{
    static const char *const kinds[] = {
        [LITMUS_EXISTS] = "Allowed",
        [LITMUS_NOT_EXISTS] = "Forbidden",
        [LITMUS_FORALL] = "Required",
    };
    *o = (struct litmus_judgement){.test = t, .kind = kinds[t->quantifier]};
    o->terms = mem_resize(NULL, (t->n_terms + 1) * sizeof *o->terms);
    for (uint32_t i = 0; i < t->n_terms; i++)
        if (t->terms[i].is_shown)
            o->terms[o->n++] = i;
    qsort_r(o->terms, o->n, sizeof *o->terms, compare_terms,
            (void *)(uintptr_t)t);
    for (uint32_t i = 0; i < r->n_states; i++)
        *(litmus_holds(t, t->condition, r->states[i].values) ? &o->holds
                                                             : &o->fails) +=
            r->states[i].executions;
    join_states(r, o);
    o->verdict = verdict(t, r, o->holds, o->fails);
    o->observation = o->holds == 0   ? "Never"
                     : o->fails == 0 ? "Always"
                                     : "Sometimes";
}

void litmus_judgement_release(struct litmus_judgement *o)
{
    free(o->terms);
    *o = (struct litmus_judgement){0};
}

static void print_log(const struct litmus_judgement *o,
                      const struct litmus_result *r, FILE *out)
{
    const struct litmus_test *t = o->test;
    fprintf(out, "Test %s %s\n", t->name, o->kind);
    print_states(r, o, out);
    fprintf(out, "%s%s\nWitnesses\n", r->is_cut ? "Loop " : "", o->verdict);
    bool swap = t->quantifier == LITMUS_NOT_EXISTS;
    fprintf(out, "Positive: %" PRIu64 " Negative: %" PRIu64 "\n",
            swap ? o->fails : o->holds, swap ? o->holds : o->fails);
    if (r->flag)
        fprintf(out, "Flag %s\n", r->flag);
    fputs("Condition ", out);
    litmus_print_condition(t, out);
    fprintf(out, "\nObservation %s %s %" PRIu64 " %" PRIu64 "\n", t->name,
            o->observation, o->holds, o->fails);
    fprintf(out, "Time %s %.2f\n", t->name, r->seconds);
    if (t->hash)
        fprintf(out, "Hash=%s\n", t->hash);
    fputc('\n', out);
}

void litmus_print_log(const struct litmus_test *t, struct litmus_result *r,
                      FILE *out)
{
    struct litmus_judgement o;
    litmus_judge(&o, t, r);
    print_log(&o, r, out);
    litmus_judgement_release(&o);
}
