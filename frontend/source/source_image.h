/* What the instrumented program refers to by number, and where its code and
 * variables stand in memory: written by instrumentation, then completed with
 * addresses once the code is in memory; read by the source runtime. */
#ifndef FRONTEND_SOURCE_IMAGE_H
#define FRONTEND_SOURCE_IMAGE_H

#include "core/event.h"

#include <stddef.h>

struct program;

_Static_assert(TAG_LOCK < 32, "sites keep the tags of C in 32 bits");

enum site_op { /* of an atomic read-modify-write */
               OP_XCHG,
               OP_ADD,
               OP_SUB,
               OP_AND,
               OP_NAND,
               OP_OR,
               OP_XOR,
               OP_MAX,
               OP_MIN,
               OP_UMAX,
               OP_UMIN,
               OP_UINC_WRAP,
               OP_UDEC_WRAP,
               OP_FADD,
               OP_FSUB,
               OP_FMAX,
               OP_FMIN,
};

/* One instruction or call that the runtime is told of. */
struct site {
    place_id place;
    uint32_t tags;       /* of the read, write or fence */
    uint32_t tags_write; /* RMW: of the write half */
    uint32_t tags_fail;  /* CAS: of a read that fails, 0 if the same */
    uint8_t size;        /* of an atomic or scalar access, in bytes */
    uint8_t op;          /* enum site_op */
    const struct image_global *object; /* that it met last, or NULL */
};

struct image_loop {
    place_id place;
    uint32_t function; /* text id */
};

enum result_kind { RESULT_NONE, RESULT_INT32, RESULT_WORD };

struct image_function {
    uint64_t addr;
    uint32_t name;  /* text id */
    uint8_t result; /* enum result_kind: what of its result is meaningful */
};

enum type_kind {
    TYPE_SCALAR,
    TYPE_ARRAY,
    TYPE_STRUCT,
    TYPE_UNION,
    TYPE_LIBRARY, /* a mutex and the like: its inside is the library's */
};

/* How the bits of a scalar are to be read. */
enum type_encoding {
    ENCODING_INTEGER,
    ENCODING_UNSIGNED,
    ENCODING_FLOAT,
    ENCODING_POINTER,
};

/* Of a variable, as far as needed to name its parts and read their values. */
struct image_type {
    uint8_t kind;
    uint8_t encoding; /* scalar: enum type_encoding */
    uint8_t used;     /* scalar: the bytes that mean something, if not all */
    uint32_t first;   /* array: the element's type; struct: first in members */
    uint32_t n;       /* array: 0 if not known; struct: members */
    uint64_t size;    /* bytes */
    const void *meta; /* debug info it was made of; only while instrumenting */
};

struct image_member {
    uint32_t name; /* text id, 0: anonymous */
    uint32_t type;
    uint64_t offset; /* bytes */
    /* A bit-field, from a bit counted from the first byte on, in the order in
     * which the target counts the bits of a byte; n_bits == 0: it is none. */
    uint64_t bit;
    uint32_t n_bits;
};

#define TYPE_NONE UINT32_MAX

struct image_global {
    uint64_t addr, size; /* of the initial value */
    uint64_t tls;        /* offset in a thread's own range; TLS_NONE: shared */
    uint32_t name;       /* text id; no two variables have the same */
    uint32_t type;       /* or TYPE_NONE */
    bool constant;
    /* The declaration. Unnamed objects (literals) have declared == 0. */
    uint32_t declared; /* text id: the name in the program */
    uint32_t function; /* text id: of a variable of a function; else 0 */
    uint32_t file;     /* text id */
    uint32_t line;
    bool external;
};

#define TLS_NONE UINT64_MAX

/* A variable of a function whose address escapes. */
struct image_local {
    uint32_t name; /* text id */
    uint32_t type; /* or TYPE_NONE */
};

/* A number or pointer in the initial value of a variable, to be turned round in
 * memory: the program is compiled for a machine of the other byte order. */
struct image_swap {
    uint32_t global; /* before globals are sorted */
    uint32_t bytes;
    uint64_t offset;
};

struct image {
    struct site *sites;
    struct image_loop *loops;
    struct image_function *functions; /* sorted by address; the runtime's
                                         function number is the index */
    struct image_global *globals;     /* sorted by address */
    struct image_type *types;
    struct image_member *members;
    struct image_local *locals;
    struct image_swap *swaps;
    uint32_t n_sites, n_loops, n_functions, n_globals, n_types, n_members,
        n_locals, n_swaps;
    uint32_t sites_cap, loops_cap, functions_cap, globals_cap, types_cap,
        members_cap, locals_cap, swaps_cap;
    uint64_t tls_size;
    uint64_t code_from, code_to; /* of the instrumented code, roughly */
    uint32_t main;               /* function number */
    bool can_fail;               /* it has an assertion, or calls abort */
    bool has_addresses;          /* it makes integers of addresses */
};

void image_init(struct image *im);
void image_release(struct image *im);

uint32_t image_add_site(struct image *im, struct site site);
uint32_t image_add_loop(struct image *im, struct image_loop loop);
uint32_t image_add_function(struct image *im, struct image_function function);
uint32_t image_add_global(struct image *im, struct image_global global);
uint32_t image_add_type(struct image *im, struct image_type type);
uint32_t image_add_member(struct image *im, struct image_member member);
uint32_t image_add_local(struct image *im, struct image_local local);
uint32_t image_add_swap(struct image *im, struct image_swap swap);

/* Makes the names of variables unique: "r@f" is that of function f, "r@a.c"
 * that of a file, if there are others. */
void image_name_globals(struct image *im, struct program *program);

/* One scalar part of a variable. */
struct image_leaf {
    uint64_t offset; /* of its first byte in the variable */
    uint32_t type;   /* TYPE_NONE: bytes of which nothing is known */
    uint8_t bytes;   /* that hold it, at most IMAGE_LEAF_BYTES */
    uint8_t bit;     /* a bit-field's first bit in them */
    uint8_t n_bits;  /* 0: no bit-field */
};

#define IMAGE_LEAF_BYTES 16

/* Who is told of leaves; `name` is a leaf's part of the name (".head",
 * "[3].next"). */
struct image_visitor {
    void (*visit)(void *self, const struct image_leaf *leaf, const char *name);
    void *self;
};

/* Tells of each leaf of `type` that has one of the `n` bytes at `from`. */
void image_each_leaf(const struct image *im, const struct program *program,
                     uint32_t type, uint64_t from, uint64_t n,
                     const struct image_visitor *visitor);

/* Sorts functions and globals once their addresses are set. */
void image_sort(struct image *im);

/* The global that holds byte `addr`, or NULL. */
const struct image_global *image_find_global(const struct image *im,
                                             uint64_t addr);
/* The variable at offset `tls` of a thread's own range, or NULL. */
const struct image_global *image_find_tls(const struct image *im, uint64_t tls);
/* Number of the function at `addr`, or UINT32_MAX. */
uint32_t image_find_function(const struct image *im, uint64_t addr);
/* Its name in the source, or NULL. */
const char *image_function_name(const struct image *im,
                                const struct program *program, uint64_t addr);

/* Appends the name of the part of `type` at `offset` (".head", "[3].next") to
 * buf; what has no name is "+8". */
void image_print_part(const struct image *im, const struct program *program,
                      uint32_t type, uint64_t offset, char *buf, size_t cap);

#endif
