/* Applies a mapping to a program: in its LLVM IR each atomic access and fence
 * (with `plain` rows also each non-atomic access to what may be shared) becomes
 * inline assembly of its template; nothing else changes, so that the compiler
 * can optimise and allocate registers around it. What has no row is an error
 * with the place in the program. */
#ifndef FRONTEND_LOWER_H
#define FRONTEND_LOWER_H

#include "hw/isa.h"
#include "mappings/mapping.h"

/* The mapping of one thread; NULL: what the compiler does. */
struct lower_map {
    const char *thread; /* T0 (main), T1, ...: threads in the order of the calls
                           that create them; P0, ... of a litmus test; or the
                           name of the thread's function */
    const struct mapping *mapping;
};

/* An access that was replaced: where it stands in the program or in what that
 * includes, and what its row was looked up by. */
struct lower_use {
    uint32_t line, column;
    struct map_key key;
};

struct lower_uses {
    struct lower_use *list;
    uint32_t n, cap;
};

struct lower_options {
    const struct isa *isa;
    const char *input;             /* the program's name, for messages */
    const struct mapping *mapping; /* of all threads not named; or NULL */
    const struct lower_map *maps;
    uint32_t n_maps;
    struct lower_uses *uses; /* are added to; NULL: not wanted */
};

/* Lowers the bitcode in the file `in`; the result is a file in memory, -1:
 * failed. */
int lower_bitcode(const struct lower_options *o, int in, struct err *err);

/* Is the mapping one for the ISA? Else err says so. */
bool lower_check_isa(const struct mapping *m, const struct isa *isa,
                     struct err *err);

/* ---- between lower.c, lower_access.c and lower_threads.c */

struct LLVMOpaqueModule;
struct LLVMOpaqueValue;

/* Replaces the accesses of a module by those of m. */
bool lower_accesses(struct LLVMOpaqueModule *module, const struct mapping *m,
                    const struct lower_options *o, struct err *err);
/* The same where threads have mappings of their own. */
bool lower_threads(struct LLVMOpaqueModule *module,
                   const struct lower_options *o, struct err *err);
/* "prog.c:12" of an instruction. */
void lower_place(const struct lower_options *o,
                 struct LLVMOpaqueValue *instruction, char *buf, size_t cap);

#endif
