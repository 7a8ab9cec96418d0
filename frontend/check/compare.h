/* What an outcome is, on both sides of a check: the final value of each leaf of
 * each source object (scalar members, elements, bit-fields), what the program
 * observed and printed, its exit status, and how threads failed.
 *
 * The source says which objects there are and of what parts they consist; the
 * final memory of a side gives the values, however its code wrote them. Texts
 * mean the same on both sides: a pointer is what it points to. */
#ifndef FRONTEND_COMPARE_H
#define FRONTEND_COMPARE_H

#include "core/explore.h"
#include "frontend/subject/subject.h"

enum { COMPARE_SOURCE, COMPARE_MACHINE, COMPARE_SIDES };

struct compare_leaf {
    char *name;
    uint32_t object;              /* in the source's image.globals */
    uint64_t addr[COMPARE_SIDES]; /* of its first byte */
    uint32_t at;                  /* of its bytes in compare.initial */
    uint8_t bytes, bit, n_bits;   /* as in struct image_leaf */
    uint8_t encoding;
    bool is_word; /* an integer of 8 bytes, which may be an address */
};

/* One variable on the machine's side. */
struct compare_object {
    uint64_t addr;
    uint32_t global; /* in the source's image */
};

struct compare {
    struct subject *sides[COMPARE_SIDES];
    struct compare_leaf *leaves; /* that a side changes, by name */
    uint32_t n, cap;
    uint32_t *order[COMPARE_SIDES];          /* leaves by address */
    uint8_t *initial[COMPARE_SIDES], *bytes; /* [n_bytes] of the leaves */
    uint32_t n_bytes;
    struct compare_object *objects; /* that the machine code has, by address */
    uint32_t n_objects;
    /* The outcome at hand: its side and items, and which of these are allocated
     * objects that a value points to. */
    int side;
    const struct outcome_item *raw;
    uint32_t n_raw;
    bool *is_met;
    uint32_t n_met, met_cap;
    bool *is_past;    /* [source objects] the source has a pointer to its end */
    bool has_status;  /* some exit status is not 0 */
    bool no_places;   /* the machine code does not know the line of a failure */
    bool no_lines;    /* nor does a side that of an allocation... */
    bool other_lines; /* ...or the two do not allocate on the same lines */
    bool lacks; /* the machine code does not say where all variables are */
    /* Variables that the source changes and that the machine code has no copy
     * of, "r1, r2"; "" if there are none. */
    char *missing;
    uint32_t n_threads; /* that either side has, at most */
};

/* What both explorations change. Call compare_release in the end. */
void compare_init(struct compare *c, struct subject *source,
                  const struct explore *source_run, struct subject *machine,
                  const struct explore *machine_run);
void compare_release(struct compare *c);
/* Counts the static variables that are compared as missing. */
void compare_note_statics(struct compare *c);

/* "r1=1 r2=0 x=2": observations, then leaves. */
struct compare_outcome {
    char *text;
    char *known; /* the same without values that need not look alike on both
                    sides (compare_word); NULL if there are none */
    char *outer; /* the same without static variables */
    bool failed; /* some thread failed */
    uint64_t executions;
};

struct compare_set {
    struct compare_outcome *list; /* by text, each once */
    uint32_t n;
    bool cut; /* there are more: they were not kept */
};

/* That of the source comes first. */
void compare_set_init(struct compare_set *s, struct compare *c, int side,
                      const struct explore *x);
void compare_set_release(struct compare_set *s);

/* Its index, or UINT32_MAX. */
uint32_t compare_set_find(const struct compare_set *s, const char *text);

/* The outcome of one execution, to be freed. */
char *compare_text(struct compare *c, int side, const struct path *path,
                   const struct graph *g);

/* A failing assertion, an abort or a deadlock is behaviour that both sides can
 * have; all else is undefined, so that nothing can be compared. */
bool compare_is_undefined(const struct violation *v);
/* "assertion 'a == 1' failed (prog.c:12)" */
void compare_violation(const struct explore *x, const struct violation *v,
                       char *buf, size_t cap);
/* Has x a violation of that text? */
bool compare_has_violation(const struct explore *x, const char *text);

/* Is there a cycle in po | rf, or with `co` in po | rf | co? (Then some write
 * came before an earlier read of its thread: load buffering.) */
bool compare_is_cyclic(const struct graph *g, bool co);

/* ---- between compare.c and compare_value.c */

/* Finds which variables the source has pointers to the end of. */
void compare_note_ends(struct compare *c, const struct explore *source);

/* A pointer or integer of the outcome at hand as text: what it points to, or a
 * number. *is_unsure: what means the same may be another text on the other
 * side, as it is a number that may be made of an address, or points to what has
 * no name there. */
void compare_word(struct compare *c, uint64_t value, char *buf, size_t cap,
                  bool *is_unsure);
/* The value of a leaf, whose bytes are in c->bytes. */
void compare_value(struct compare *c, const struct compare_leaf *leaf,
                   char *buf, size_t cap, bool *is_unsure);

#endif
