/* Conditions on final states: evaluation, and the way herd prints them. */
#include "frontend/litmus.h"

#include <inttypes.h>

static bool has_32_bits(int64_t number)
{
    return number >> 31 == 0 || number >> 31 == -1 || number >> 32 == 0;
}

/* Of a number the bytes count that its type has, so -1 and 0xff may be the
 * same. In C it may be written as its 32 or its 64 bits. */
static bool is_equal(const struct litmus_test *t, uint32_t term,
                     struct litmus_value a, struct litmus_value b)
{
    unsigned bytes = t->terms[term].size;
    if (a.location != b.location)
        return false;
    if (a.number == b.number || a.location != LITMUS_NONE)
        return a.number == b.number;
    if (t->arch == LITMUS_C)
        bytes = has_32_bits(a.number) && has_32_bits(b.number) ? 4 : 8;
    return ((uint64_t)a.number ^ (uint64_t)b.number) << (64 - bytes * 8) == 0;
}

bool litmus_holds(const struct litmus_test *t, uint32_t node,
                  const struct litmus_value *values)
{
    const struct litmus_node *n = &t->nodes[node];
    switch (n->op) {
    case LITMUS_TRUE:
        return true;
    case LITMUS_FALSE:
        return false;
    case LITMUS_EQUAL:
        return is_equal(t, n->term, values[n->term], n->value);
    case LITMUS_UNEQUAL:
        return !is_equal(t, n->term, values[n->term], n->value);
    case LITMUS_NOT:
        return !litmus_holds(t, n->a, values);
    case LITMUS_AND:
        return litmus_holds(t, n->a, values) && litmus_holds(t, n->b, values);
    case LITMUS_OR:
        return litmus_holds(t, n->a, values) || litmus_holds(t, n->b, values);
    case LITMUS_IMPLIES:
        return !litmus_holds(t, n->a, values) || litmus_holds(t, n->b, values);
    }
    return false;
}

void litmus_print_term(const struct litmus_test *t, uint32_t term, FILE *out)
{
    const struct litmus_term *x = &t->terms[term];
    if (x->is_register)
        fprintf(out, "%u:%s", x->thread, x->name);
    else if (x->index == LITMUS_NONE)
        fprintf(out, t->locations[x->location].n ? "%s" : "[%s]",
                t->locations[x->location].name);
    else
        fprintf(out, "%s[%u]", t->locations[x->location].name, x->index);
}

void litmus_print_value(const struct litmus_test *t, struct litmus_value value,
                        FILE *out)
{
    if (value.location == LITMUS_NONE) {
        fprintf(out, "%" PRId64, value.number);
        return;
    }
    fputs(t->locations[value.location].name, out);
    if (value.number)
        fprintf(out, "+%" PRId64, value.number);
}

void litmus_print_final(const struct litmus_test *t, uint32_t term,
                        struct litmus_value value, FILE *out)
{
    const struct litmus_term *x = &t->terms[term];
    unsigned unused = 64 - x->size * 8u;
    uint64_t number = (uint64_t)value.number << unused;
    if (value.location != LITMUS_NONE)
        litmus_print_value(t, value, out);
    else if (x->is_signed)
        fprintf(out, "%" PRId64, (int64_t)number >> unused);
    else
        fprintf(out, "%" PRIu64, number >> unused);
}

/* How tightly an operator binds; operands that bind less need parentheses. */
static int strength(enum litmus_operator op)
{
    switch (op) {
    case LITMUS_IMPLIES:
        return 0;
    case LITMUS_OR:
        return 1;
    case LITMUS_AND:
        return 2;
    case LITMUS_NOT:
        return 3;
    case LITMUS_TRUE:
    case LITMUS_FALSE:
    case LITMUS_EQUAL:
    case LITMUS_UNEQUAL:
        break;
    }
    return 4;
}

/* 1,2: what the elements of an array are compared with. */
static void print_elements(const struct litmus_test *t, uint32_t node,
                           FILE *out)
{
    const struct litmus_node *n = &t->nodes[node];
    if (n->op == LITMUS_AND) {
        print_elements(t, n->a, out);
        fputc(',', out);
        n = &t->nodes[n->b];
    }
    litmus_print_value(t, n->value, out);
}

static void print_node(const struct litmus_test *t, uint32_t node, int around,
                       FILE *out)
{
    const struct litmus_node *n = &t->nodes[node];
    int own = strength(n->op);
    /* Around the sides of => herd always has parentheses. */
    int inner = n->op == LITMUS_IMPLIES ? strength(LITMUS_NOT) : own;
    if (n->is_whole) {
        uint32_t location = t->terms[n->term].location;
        fprintf(out, "%s={", t->locations[location].name);
        print_elements(t, node, out);
        fputc('}', out);
        return;
    }
    if (own < around)
        fputc('(', out);
    switch (n->op) {
    case LITMUS_TRUE:
        fputs("true", out);
        break;
    case LITMUS_FALSE:
        fputs("false", out);
        break;
    case LITMUS_EQUAL:
    case LITMUS_UNEQUAL:
        if (n->op == LITMUS_UNEQUAL)
            fputs("not (", out);
        litmus_print_term(t, n->term, out);
        fputc('=', out);
        litmus_print_value(t, n->value, out);
        if (n->op == LITMUS_UNEQUAL)
            fputc(')', out);
        break;
    case LITMUS_NOT:
        fputs("not (", out);
        print_node(t, n->a, 0, out);
        fputc(')', out);
        break;
    case LITMUS_AND:
    case LITMUS_OR:
    case LITMUS_IMPLIES:
        print_node(t, n->a, inner, out);
        fputs(n->op == LITMUS_AND  ? " /\\ "
              : n->op == LITMUS_OR ? " \\/ "
                                   : " => ",
              out);
        print_node(t, n->b, inner, out);
        break;
    }
    if (own < around)
        fputc(')', out);
}

void litmus_print_outcome(const struct litmus_test *t, FILE *out)
{
    print_node(t, t->condition, 0, out);
}

void litmus_print_condition(const struct litmus_test *t, FILE *out)
{
    static const char *const words[] = {
        [LITMUS_EXISTS] = "exists",
        [LITMUS_NOT_EXISTS] = "~exists",
        [LITMUS_FORALL] = "forall",
    };
    fprintf(out, "%s (", words[t->quantifier]);
    print_node(t, t->condition, 0, out);
    fputc(')', out);
}
