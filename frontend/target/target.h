/* The machine side of a check: a C program, or objects, as a linked image for
 * one target, and what is known of it from symbols and DWARF.
 *
 * Nothing is written to the file system: objects and image are files in
 * memory. The guest runtime (frontend/guest) lies in the folder guest/ beside
 * hwcheck. */
#ifndef FRONTEND_TARGET_H
#define FRONTEND_TARGET_H

#include "core/err.h"
#include "frontend/target/lower.h"
#include "hw/qemu/machine_image.h"

struct target_options {
    const struct isa *isa;     /* NULL: from the ELF */
    const char *cc;            /* NULL: clang-19 */
    const char *const *inputs; /* .c, .s, .S and .o files */
    uint32_t n_inputs;
    /* Instead of these: what somebody else made of the program. */
    const char *const *objects;
    const char *const *assemblies;
    uint32_t n_objects, n_assemblies;
    const char *elf; /* linked already, against our runtime; or NULL */
    const char *const *cflags;
    uint32_t n_cflags;
    const struct mapping *mapping; /* NULL: what the compiler does */
    const struct lower_map *maps;  /* of single threads */
    uint32_t n_maps;
    const char *entry;  /* functions to start with besides main; or NULL */
    bool keeps_statics; /* all of them are there to be seen (keep.h) */
    bool atomic_pairs;  /* machine_image.atomic_pairs, whatever the flags say */
};

#define TARGET_ABI_FLAGS 10

/* Flags for clang by which code has the ABI of an ISA, or of the host, and sees
 * the headers of its library. */
struct target_abi {
    const char *flags[TARGET_ABI_FLAGS];
    uint32_t n_flags;
    char target[120], include[3100];
};

/* isa == NULL: the host. */
bool target_abi(const struct isa *isa, struct target_abi *out, struct err *err);

struct target_line; /* of the line table */
struct target_symbol;
struct target_variable;

struct target {
    struct machine_image image;
    const char *cc;     /* what was run; NULL: --elf */
    char compiler[200]; /* name and version as it calls itself; "" unknown */
    char flags[1000];   /* all, as given to it */
    char mapping[400];  /* "native", or the names of those applied */
    struct lower_uses uses;   /* of their rows */
    const char *preprocessed; /* what is compiled right now was made of this */

    void *elf, *dwarf;    /* libelf's and libdw's */
    const uint8_t *bytes; /* of the file, mapped */
    size_t n_bytes;
    struct target_line *lines; /* sorted by address */
    uint32_t n_lines, lines_cap;
    struct target_symbol *symbols; /* functions and objects, likewise */
    uint32_t n_symbols, symbols_cap;
    struct target_variable *variables; /* likewise */
    uint32_t n_variables, variables_cap;
};

/* The ISA of an object file; NULL: err says why it is none of ours. */
const struct isa *target_object_isa(const char *path, struct err *err);

/* Compiles, links and reads. On failure err says why, after the compiler's own
 * messages on stderr. Call target_release in either case. */
bool target_build(struct target *t, const struct target_options *options,
                  struct err *err);
void target_release(struct target *t);

/* Where the function or object of that name starts, of several the external
 * one; false: there is none. */
bool target_find(const struct target *t, const char *name, bool function,
                 uint64_t *addr);

/* A variable as the program declares it. */
struct target_declaration {
    const char *name;
    const char *function; /* that it is a variable of; NULL: none */
    const char *file;
    uint32_t line;
    bool external;
    uint32_t nth; /* so many like it were declared before */
};

/* Where it lies; false: it has no place in memory, or not as one piece. */
bool target_find_variable(const struct target *t,
                          const struct target_declaration *d, uint64_t *addr);

/* The name of the function that starts at addr; "f@a.c" if it is static and
 * there are others of that name. False: there is none. */
bool target_function_name(const struct target *t, uint64_t addr, char *buf,
                          size_t cap);

/* ---- between target.c, target_elf.c and target_dwarf.c */

bool target_read_elf(struct target *t, int fd, const struct isa *isa,
                     struct err *err);
bool target_read_dwarf(struct target *t, struct err *err);
void target_release_dwarf(struct target *t);
/* Name of the function or object that holds addr, and where it starts. */
const char *target_symbol_at(const struct target *t, uint64_t addr,
                             bool function, uint64_t *start);
/* The function that starts at addr, or NULL; *length is that of the name that
 * the program gave it. */
const char *target_function_at(const struct target *t, uint64_t addr,
                               size_t *length, bool *is_one_of_many);

/* The path of a file of the guest's runtime: guest/<name> beside this program
 * or in a folder above it, as in the build tree, or in lib/hwcheck of such a
 * folder, where it is installed. */
bool target_find_guest(const char *name, char *buf, size_t cap,
                       struct err *err);

#endif
