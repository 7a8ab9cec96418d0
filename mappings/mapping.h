/* A mapping: which instructions each atomic operation of a source language
 * becomes, read from a text table (mappings/NAME.map, or a user's own file).
 *
 *     # A comment is a line of its own.
 *     title   C11 on Power, sync before seq_cst accesses
 *     source  rc11
 *     isa     ppc64le ppc64
 *     cite    where the scheme comes from; any number of such lines
 *     bad     why the scheme is wrong and what repairs it (if it is)
 *     flags   options that the compiler needs to assemble the templates
 *     like    OTHER: all rows of that mapping; rows of this file replace them
 *
 *     load relaxed *         = l{bz|hz|wz|d} %d, 0(%a)
 *     store release 32,64    = lwsync ; st{b|h|w|d} %v, 0(%a)
 *     cas acquire relaxed *  = ...
 *     fence seq_cst          = sync
 *     op fetch_add           = add %t, %d, %v
 *     rmw relaxed *          = 1: l{b|h|w|d}arx %d, 0, %a ; @op ;
 *         st{b|h|w|d}cx. %n, 0, %a ; bne- 1b
 *
 * A row is: operations, orders (cas: of success, then of failure), widths in
 * bits (not for fence), perhaps `noreturn`, `=`, instructions separated by `;`
 * (`-`: none). A field is a name, several with commas, or `*` for all that make
 * sense. Operations are load, store, fence, cas, exchange and fetch_add, _sub,
 * _and, _or, _xor, _nand, _max, _min, _umax, _umin; rmw is exchange and all
 * fetch_*, `fetch` all fetch_*; idempotent is preferred for a fetch_add, _sub,
 * _or or _xor of the constant 0 and a fetch_and of -1. Orders are relaxed,
 * acquire, release, acq_rel, seq_cst, and, never meant by `*`, plain:
 * non-atomic accesses, which are mapped only if there is a row for them. A
 * noreturn row is preferred when nobody uses the result. A line that begins
 * with a blank continues the one before. A row for 128 bits is for nothing
 * else, and `*` does not mean it.
 *
 * In a template {b|h|w|d} is what fits the width 8, 16, 32 or 64; @op is the
 * text of the `op` line of the operation (nothing for an exchange without);
 * %% is a %; and
 *     %a address     %d result      %v operand, value to store, desired value
 *     %e expected value of a cas    %x register that holds the operand (cas:
 * the expected value) before, and the result after %n new value: %v in an
 * exchange, else %t %t %u registers to work with, of the width; %s one of 32
 * bits Values of 8 and 16 bits are zero-extended in their register, for
 * fetch_max and fetch_min sign-extended. Flags and condition registers may be
 * changed, other registers named by the template not. On x86 the result of a
 * template with a cmpxchg is in the accumulator, which holds the expected value
 * of a cas before. A weak cas is a cas. Of 128
 * bits %d, %v, %e, %t, %u and %n are the low halves, %D, %V, %E, %T, %U and %N
 * the high ones; there is no @op and no %x. */
#ifndef MAPPINGS_MAPPING_H
#define MAPPINGS_MAPPING_H

#include "core/err.h"

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

enum map_op {
    MAP_LOAD,
    MAP_STORE,
    MAP_FENCE,
    MAP_CAS,
    MAP_IDEMPOTENT, /* an RMW that changes nothing */
    MAP_EXCHANGE,
    MAP_FETCH_ADD,
    MAP_FETCH_SUB,
    MAP_FETCH_AND,
    MAP_FETCH_OR,
    MAP_FETCH_XOR,
    MAP_FETCH_NAND,
    MAP_FETCH_MAX,
    MAP_FETCH_MIN,
    MAP_FETCH_UMAX,
    MAP_FETCH_UMIN,
    MAP_OPS,
};

enum map_order {
    MAP_PLAIN,
    MAP_RELAXED,
    MAP_ACQUIRE,
    MAP_RELEASE,
    MAP_ACQ_REL,
    MAP_SEQ_CST,
    MAP_ORDERS,
};

/* Widths are log2 of bytes: 0 is 8 bits, 4 is 128. The first MAP_CHOICES are
 * what `*` means and {b|h|w|d} chooses by. */
enum {
    MAP_CHOICES = 4,
    MAP_WIDTHS,
    MAP_TEMPLATE_MAX = 2000,
};
/* How many rows there can be for one operation, widths aside. */
#define MAP_ORDER_PAIRS ((unsigned)MAP_ORDERS * MAP_ORDERS)

/* What a row is looked up by. */
struct map_key {
    enum map_op op;
    enum map_order order, failure; /* failure: of a cas, else MAP_PLAIN */
    unsigned width;                /* of a fence 0 */
    bool unused;                   /* nobody uses the result: `noreturn` */
};

/* The right side of a row, as written, and where. */
struct map_template {
    char *text; /* owned */
    uint32_t file;
    uint32_t line, column;
};

#define MAP_NONE UINT16_MAX

struct mapping {
    char name[64];
    char *title, *source, *bad, *flags; /* owned; NULL: not given */
    char *cites;                        /* lines, or NULL */
    char *isas;                         /* names with blanks between; owned */
    char **files;                       /* this one last; rows come from any */
    uint32_t n_files;
    struct map_template *templates;
    unsigned n_templates, templates_cap;
    uint16_t rows[MAP_OPS][MAP_ORDERS][MAP_ORDERS][MAP_WIDTHS][2];
    uint16_t ops[MAP_OPS];
};

/* A plain name is one of the mappings built in; anything with a '/' or ending
 * in ".map" is a file. Call mapping_release in either case. */
bool mapping_load(struct mapping *m, const char *name_or_path, struct err *err);
/* The same from a text, which may be like only what is built in. */
bool mapping_load_text(struct mapping *m, const char *name, const char *text,
                       struct err *err);
void mapping_release(struct mapping *m);

/* The template of a row, NULL if there is none. With key->unused the row for
 * used results will do too. Borrowed until mapping_release. */
const struct map_template *mapping_find(const struct mapping *m,
                                        const struct map_key *key);
/* Its text for that key: widths and @op resolved, %n replaced. `buf` has
 * MAP_TEMPLATE_MAX bytes. Fails if it does not fit, or without such an op. */
bool mapping_expand(const struct mapping *m, const struct map_key *key,
                    const struct map_template *t, char *buf, struct err *err);
/* "c11-x86.map:12" */
void mapping_place(const struct mapping *m, const struct map_template *t,
                   char *buf, size_t cap);
/* "fetch_add acquire, 32 bits" */
void mapping_print_key(const struct map_key *key, char *buf, size_t cap);

bool mapping_has_isa(const struct mapping *m, const char *isa);
/* Does it say what non-atomic accesses become? */
bool mapping_has_plain(const struct mapping *m);

/* Visits the mappings built in, in the order of names; false: one of them has
 * an error, which is an error of ours. */
bool mapping_for_each(void (*visit)(void *self, const struct mapping *m),
                      void *self, struct err *err);

/* Prints it with all rows, inherited ones too, such that it can be read
 * again. */
void mapping_print(const struct mapping *m, FILE *out);

/* ---- between mapping.c and map_read.c */

/* Names by enum value, NULL at the end. */
extern const char *const map_op_names[], *const map_order_names[];
/* Those of the ISAs in the order of lists, NULL at the end (cmake/isa.cmake).
 */
extern const char *const map_isa_names[];
/* Does the text of names with blanks between have this one? */
bool map_has_name(const char *names, const char *name);
/* Can the operation have this order? */
bool map_has_order(enum map_op op, enum map_order order);

/* The files being read, each because of the `like` of the next. */
struct map_chain {
    const char *file;
    const struct map_chain *of;
};

void map_init(struct mapping *m);
/* Reads a text into m, which is fresh. */
bool map_read(struct mapping *m, const struct map_chain *chain,
              const char *text, struct err *err);
/* Reads what the first file of the chain calls `name` into m, likewise. */
bool map_read_like(struct mapping *m, const char *name,
                   const struct map_chain *chain, struct err *err);

#endif
