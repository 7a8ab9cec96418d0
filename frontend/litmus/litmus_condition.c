/* Conditions on final states: evaluation, and the way herd prints them. */
#include "frontend/litmus/litmus.h"

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
    if (t->is_c)
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
    case LITMUS_SAME:
        return values[n->term].location == values[n->a].location &&
               values[n->term].number == values[n->a].number;
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

/* herd's parentheses: and needs none in or, nothing needs any in itself. */
static bool has_parentheses(enum litmus_operator op,
                            enum litmus_operator around)
{
    bool joins = op == LITMUS_AND || op == LITMUS_OR || op == LITMUS_IMPLIES;
    return joins && around != LITMUS_TRUE && op != around &&
           !(op == LITMUS_AND && around == LITMUS_OR);
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

/* `around` is the operator that this is an operand of; LITMUS_TRUE: none. */
static void print_node(const struct litmus_test *t, uint32_t node,
                       enum litmus_operator around, FILE *out)
{
    const struct litmus_node *n = &t->nodes[node];
    bool parentheses = has_parentheses(n->op, around);
    if (n->is_whole) {
        uint32_t location = t->terms[n->term].location;
        fprintf(out, "%s={", t->locations[location].name);
        print_elements(t, node, out);
        fputc('}', out);
        return;
    }
    if (parentheses)
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
    case LITMUS_SAME:
        litmus_print_term(t, n->term, out);
        fputc('=', out);
        litmus_print_term(t, n->a, out);
        break;
    case LITMUS_NOT:
        fputs("not (", out);
        print_node(t, n->a, LITMUS_TRUE, out);
        fputc(')', out);
        break;
    case LITMUS_AND:
    case LITMUS_OR:
    case LITMUS_IMPLIES:
        print_node(t, n->a, n->op, out);
        fputs(n->op == LITMUS_AND  ? " /\\ "
              : n->op == LITMUS_OR ? " \\/ "
                                   : " => ",
              out);
        print_node(t, n->b, n->op, out);
        break;
    }
    if (parentheses)
        fputc(')', out);
}

void litmus_print_outcome(const struct litmus_test *t, FILE *out)
{
    print_node(t, t->condition, LITMUS_TRUE, out);
}

void litmus_print_condition(const struct litmus_test *t, FILE *out)
{
    static const char *const words[] = {
        [LITMUS_EXISTS] = "exists",
        [LITMUS_NOT_EXISTS] = "~exists",
        [LITMUS_FORALL] = "forall",
    };
    fprintf(out, "%s (", words[t->quantifier]);
    print_node(t, t->condition, LITMUS_TRUE, out);
    fputc(')', out);
}
