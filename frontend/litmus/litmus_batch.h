/* Litmus tests that share an image: what becomes of them. */
#ifndef FRONTEND_LITMUS_BATCH_H
#define FRONTEND_LITMUS_BATCH_H

#include "core/outcome.h"
#include "frontend/litmus/litmus_asm.h"
#include "frontend/subject/subject.h"

struct litmus_session;

struct litmus_batch {
    struct litmus_session *session;
    struct litmus_test **tests;
    struct err *errors;
    uint32_t *entries;
    uint32_t n;
    struct litmus_assembly assembly; /* of machine code */
    uint64_t *line_addresses;        /* of its lines */
    const struct isa *isa;           /* NULL: C on the source side */
    bool is_c;
    struct options options; /* for the subject */
    struct subject subject;
    uint64_t *addresses;             /* of the current test's locations */
    const struct outcomes *outcomes; /* likewise */
};

/* A test that is ready to run, for a visitor. */
struct litmus_case {
    struct litmus_batch *batch;
    uint32_t test;
    /* How the program names addresses by itself. */
    void (*name)(const void *self, uint64_t addr, unsigned size, char *buf,
                 size_t cap);
    const void *name_self;
};

/* Word i of the table that the assembly begins with. */
uint64_t litmus_table_word(const struct litmus_batch *b, uint32_t i);

/* Places and locations are the tests', not those of the image. */
void litmus_name_all(struct litmus_batch *b);

/* Looks up where the test's locations are: b->addresses. */
void litmus_find_locations(struct litmus_batch *b, uint32_t test);

/* What the terms are in one of b->outcomes; to be freed. */
struct litmus_value *litmus_term_values(const struct litmus_batch *b,
                                        uint32_t test,
                                        const struct outcome *outcome);

#endif
