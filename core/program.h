/* What the engine and the reports need to know of the program under test
 * beyond its events: texts, source positions and names of addresses. Filled
 * by a frontend and by its runtime as threads run: ids are stable as long as it
 * lives. It is of one explorer at a time: two that are at work at once have a
 * program, and a runtime, each. */
#ifndef CORE_PROGRAM_H
#define CORE_PROGRAM_H

#include "core/event.h"
#include "core/location.h"
#include "core/wide.h"

#include <stddef.h>

struct place {
    uint32_t file; /* text ids */
    uint32_t function;
    uint32_t line, column; /* 0: not known */
};

/* A dependency of a label on an earlier read of its thread, or on a
 * store-conditional, by what tells whether it succeeded. */
enum dep_kind {
    DEP_ADDR,
    DEP_DATA,
    DEP_CTRL,
    DEP_PICK_ADDR, /* AArch64's pick flow: through csel and CAS as well */
    DEP_PICK_DATA,
    DEP_PICK_CTRL,
    DEP_OPEN, /* no dependency: the read chose what the write, or an event
                 before it, depends on; see core/lb_gap.c */
    DEP_KINDS
};

struct dep {
    uint32_t kind;   /* enum dep_kind */
    uint32_t source; /* DEP_READ or DEP_STORE */
};

/* The n-th LABEL_READ of the thread, from 0; the store-conditional whose load
 * that is. */
#define DEP_READ(n)          (2 * (uint32_t)(n))
#define DEP_STORE(n)         (2 * (uint32_t)(n) + 1)
#define DEP_NUMBER(source)   ((source) / 2)
#define DEP_IS_STORE(source) ((source) % 2 != 0)

/* A list of dependencies, by `source`; interned, so that equal ones have one
 * id.
 */
struct dep_list {
    uint32_t first, n; /* in program.deps */
    uint32_t next;     /* with the same hash; 0: none */
    bool picks;        /* some by conditional selection */
    bool open;         /* some DEP_OPEN */
};

#define DEP_HASHES 1024

struct program {
    char **texts; /* interned strings; text 0 is "" */
    uint32_t n_texts, texts_cap;
    uint32_t *text_index; /* open-addressed hash of text ids + 1 */
    uint32_t text_index_cap;
    struct place *places; /* interned */
    uint32_t n_places, places_cap;
    struct locations locations;
    struct wides wides; /* values of 16 bytes */
    struct dep *deps;
    uint32_t n_deps, deps_cap;
    struct dep_list *dep_lists; /* list 0 is empty */
    uint32_t n_dep_lists, dep_lists_cap;
    uint32_t dep_hashes[DEP_HASHES]; /* the newest list of each; 0: none */
    bool has_picks, has_open;        /* some list has */

    /* Writes the source's name of [addr, addr+size) ("x", "q.head", "ht[3]",
     * "malloc#2+8") to buf; supplied by the frontend. */
    void (*name)(const void *self, uint64_t addr, unsigned size, char *buf,
                 size_t cap);
    const void *self;

    /* The machine instruction behind a label of the path cache, "" if there is
     * none; NULL: there are no instructions. */
    const char *(*instruction)(void *self, node_id node);
    void *instruction_self;

    /* Its outcomes are compared with those of another program: they tell
     * allocated objects by where they were made, and how threads failed. */
    bool compares;
    bool prints;     /* what threads print is part of outcomes */
    bool has_status; /* what thread 0 returns is the program's exit status */
    bool big_endian; /* its memory */

    bool has_pieces; /* some label has a `piece` */

    /* A litmus test: thread 0 only creates the others, which are P0, P1, ... */
    bool is_litmus;
};

void program_init(struct program *p);
void program_release(struct program *p);

/* Interns; the id of an equal string is the same. */
uint32_t program_text(struct program *p, const char *text);
place_id program_place(struct program *p, const char *file,
                       const char *function, uint32_t line, uint32_t column);

/* Id of the list for label.deps. */
uint32_t program_deps(struct program *p, const struct dep *deps, uint32_t n);

/* "file.c:12" into buf; "?" if unknown. */
void program_print_place(const struct program *p, place_id place, char *buf,
                         size_t cap);
/* Name of a location for reports. */
void program_print_location(const struct program *p, loc_id loc, char *buf,
                            size_t cap);

#endif
