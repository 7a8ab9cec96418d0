/* A litmus test in herd's format: what is in the file, and nothing of how it is
 * run. litmus_release frees all of it.
 *
 * Terms are the things whose final values matter: registers and memory that
 * the condition, the filter or `locations` name. A condition is a tree in an
 * array; a node names its operands by index. */
#ifndef FRONTEND_LITMUS_H
#define FRONTEND_LITMUS_H

#include "core/err.h"
#include "hw/litmus_dialect.h"

#include <stdint.h>
#include <stdio.h>

#define LITMUS_THREADS_MAX 32
#define LITMUS_ARRAY_MAX   256
#define LITMUS_NONE        UINT32_MAX

/* A number, or the address of a location plus a number. */
struct litmus_value {
    uint32_t location; /* LITMUS_NONE: a number */
    int64_t number;
};

struct litmus_location {
    char *name;
    char *type;                  /* as written, of one element; NULL: none */
    uint8_t size;                /* of one element: 1, 2, 4 or 8 bytes */
    bool is_signed;              /* how its value is printed */
    uint32_t n;                  /* elements of an array; 0: none */
    struct litmus_value *values; /* max(n, 1) initial values */
};

/* Where something stands in the file. */
struct litmus_place {
    uint32_t line, column; /* from 1 */
};

/* The initial value of a register. */
struct litmus_register {
    uint32_t thread;
    char *name; /* as herd prints it */
    char *type; /* C: of a local variable; or NULL */
    uint8_t size;
    bool is_signed;
    struct litmus_value value;
    struct litmus_place place;
};

struct litmus_line {
    char *text; /* one instruction, or a label with its colon */
    struct litmus_place place;
};

struct litmus_thread {
    struct litmus_line *lines; /* of assembly */
    uint32_t n_lines, lines_cap;
    char *parameters, *body; /* of C: without parentheses and braces */
    struct litmus_place parameters_place, body_place;
};

struct litmus_term {
    bool is_register;
    bool is_shown;     /* in states: not if only the filter names it */
    bool is_whole;     /* an element of an array that is shown as a whole */
    uint32_t thread;   /* of a register */
    char *name;        /* likewise, as herd prints it */
    uint32_t location; /* of memory */
    uint32_t index;    /* in an array; LITMUS_NONE: no index was written */
    uint8_t size;      /* of its type: that many bytes count */
    bool is_signed;
    struct litmus_place place;
};

enum litmus_operator {
    LITMUS_TRUE,
    LITMUS_FALSE,
    LITMUS_EQUAL, /* term and value */
    LITMUS_UNEQUAL,
    LITMUS_SAME, /* term and a, which is one, too */
    LITMUS_NOT,  /* a */
    LITMUS_AND,  /* a, b */
    LITMUS_OR,
    LITMUS_IMPLIES,
};

struct litmus_node {
    enum litmus_operator op;
    uint32_t a, b;
    uint32_t term;
    struct litmus_value value;
    bool is_whole; /* compares an array with all its elements */
};

enum litmus_quantifier { LITMUS_EXISTS, LITMUS_NOT_EXISTS, LITMUS_FORALL };

struct litmus_test {
    char *path;
    const struct litmus_dialect *dialect; /* of machine code; NULL: none */
    bool is_c;
    char *name;
    char *hash; /* NULL: none in the file */
    struct litmus_location *locations;
    uint32_t n_locations, locations_cap;
    struct litmus_register *registers;
    uint32_t n_registers, registers_cap;
    struct litmus_thread *threads;
    uint32_t n_threads, threads_cap;
    struct litmus_term *terms;
    uint32_t n_terms, terms_cap;
    struct litmus_node *nodes;
    uint32_t n_nodes, nodes_cap;
    enum litmus_quantifier quantifier;
    uint32_t condition; /* node */
    uint32_t filter;    /* node; LITMUS_NONE: none */
};

/* Reads a test from `text`, which is `bytes` long; `path` is for messages. On
 * failure err names file, line and column. Call litmus_release in either case.
 */
bool litmus_parse(struct litmus_test *t, const char *path, const char *text,
                  size_t bytes, struct err *err);
void litmus_release(struct litmus_test *t);

/* Asks for another outcome than the test's condition does: that some execution
 * has it. On failure err names the column, and what names there are if one is
 * unknown; the test is of no use then. */
bool litmus_set_outcome(struct litmus_test *t, const char *text,
                        struct err *err);

/* A message about a place in the file; returns false. */
bool litmus_fail(const struct litmus_test *t, struct litmus_place at,
                 struct err *err, const char *fmt, ...)
    __attribute__((format(printf, 4, 5)));

/* The location of that name, which is made if there is none. */
uint32_t litmus_location(struct litmus_test *t, const char *name,
                         size_t length);
/* The same, LITMUS_NONE if there is none. */
uint32_t litmus_find_location(const struct litmus_test *t, const char *name,
                              size_t length);

/* Does the condition hold when terms have these values? */
bool litmus_holds(const struct litmus_test *t, uint32_t node,
                  const struct litmus_value *values);

/* Without the quantifier: "[x]=2 /\ 1:r1=0". */
void litmus_print_outcome(const struct litmus_test *t, FILE *out);
/* As herd writes them: "exists ([x]=2 /\ 1:r1=0)", "1:r1", "[x]", "0". */
void litmus_print_condition(const struct litmus_test *t, FILE *out);
void litmus_print_term(const struct litmus_test *t, uint32_t term, FILE *out);
void litmus_print_value(const struct litmus_test *t, struct litmus_value value,
                        FILE *out);
/* The same of what a term is in the end: as its type says. */
void litmus_print_final(const struct litmus_test *t, uint32_t term,
                        struct litmus_value value, FILE *out);

#endif
