/* Shared by the instrument_*.c files: one module being rewritten. */
#ifndef FRONTEND_INSTRUMENT_MODULE_H
#define FRONTEND_INSTRUMENT_MODULE_H

#include "core/err.h"
#include "core/program.h"
#include "frontend/source/hooks.h"
#include "frontend/source/source_image.h"

#include <llvm-c/Core.h>
#include <llvm-c/Target.h>

/* LLVM declares it as an int. */
#define FUNCTION_INDEX ((LLVMAttributeIndex)LLVMAttributeFunctionIndex)

struct block_number {
    LLVMBasicBlockRef block;
    uint32_t number;
};

struct tls_variable {
    LLVMValueRef variable;
    uint64_t offset; /* in a thread's own range */
};

struct loop {
    uint32_t block; /* index of its header */
    uint32_t number;
    bool reducible;
    bool *body; /* [n_blocks] */
    uint32_t n_body;
    LLVMValueRef frame; /* its struct hooks_loop */
    LLVMValueRef *idle; /* PHIs, see instrument_is_idle */
    uint32_t n_idle, idle_cap;
};

struct instrument {
    LLVMModuleRef module;
    LLVMContextRef context;
    LLVMBuilderRef builder;
    LLVMTargetDataRef layout;
    LLVMTypeRef i1, i8, i32, i64, ptr, hook_type;
    unsigned private_kind; /* metadata kinds: allocas that stay native, */
    unsigned frame_kind;   /* and those that are our own */
    struct image *image;
    struct program *program;
    struct hooks *hooks;
    struct err *err;
    bool failed;
    bool big_endian; /* the machine that the program is compiled for */

    LLVMValueRef errno_variable;   /* NULL: not used */
    LLVMValueRef section_variable; /* a mutex; NULL: not used */
    struct tls_variable *tls;
    LLVMValueRef *globals, *functions; /* as in the image */
    uint32_t n_tls, tls_cap, n_globals, globals_cap, n_functions, functions_cap;

    /* Of the function at hand. */
    LLVMValueRef function;
    bool is_main;
    LLVMValueRef entry;     /* instruction before which new allocas go */
    LLVMValueRef arguments; /* address of variable ones; NULL: it has none */
    LLVMBasicBlockRef *blocks;
    uint32_t n_blocks, blocks_cap;
    struct block_number *numbers; /* sorted by block */
    uint32_t *before;             /* the block that each edge comes from; */
    uint32_t *first_edge;         /* those to block b: [first_edge[b], [b+1]) */
    struct loop *loops;
    uint32_t n_loops, loops_cap;
};

/* Records "file:line: message" as the error, unless there is one. */
void instrument_fail(struct instrument *in, LLVMValueRef instruction,
                     const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));

/* Builds a call of a hook at the builder's position; NULL arguments are 0. */
LLVMValueRef instrument_hook(struct instrument *in, hooks_function *hook,
                             uint32_t site, const LLVMValueRef words[4]);
#define WORDS(...) ((const LLVMValueRef[4]){__VA_ARGS__})
#define NO_WORDS   WORDS(NULL)
LLVMValueRef instrument_word(struct instrument *in, uint64_t value);

/* Is a value of this type one word (1, 2, 4 or 8 bytes) of memory? */
bool instrument_is_word(struct instrument *in, LLVMTypeRef type);
/* Or 16 bytes, which an atomic access may have? */
bool instrument_is_wide(struct instrument *in, LLVMTypeRef type);
/* Conversions between such a value and its zero-extended bits (of 16 bytes: the
 * word of core/wide.h). */
LLVMValueRef instrument_to_word(struct instrument *in, LLVMValueRef value);
LLVMValueRef instrument_from_word(struct instrument *in, LLVMValueRef word,
                                  LLVMTypeRef type);
/* A variable in the function's frame that the program does not know of. */
LLVMValueRef instrument_frame(struct instrument *in, LLVMTypeRef type);
/* Deletes an instruction whose uses become `value` (NULL: it has none). */
void instrument_replace(LLVMValueRef old, LLVMValueRef value);

/* A site at an instruction with tags, for accesses of `bytes`. */
uint32_t instrument_site(struct instrument *in, LLVMValueRef instruction,
                         uint64_t tags, unsigned bytes);

/* instrument_debug.c */
place_id instrument_place(struct instrument *in, LLVMValueRef instruction);
bool instrument_file(LLVMValueRef instruction, char *buf, size_t cap,
                     unsigned *line);
/* Name and type of a global as the source has them. */
void instrument_describe_global(struct instrument *in, LLVMValueRef global,
                                struct image_global *out);
/* The image type for the LLVM type of a local variable. */
uint32_t instrument_type(struct instrument *in, LLVMTypeRef type);

/* instrument_globals.c */
/* Adds INSTRUMENT_MAIN. False: there is no main, err says so. */
bool instrument_main(struct instrument *in);
/* Makes functions of the library whose address is used callable. */
void instrument_wrap_functions(struct instrument *in);
/* Makes sure that the end of a variable is never the start of another: a
 * pointer tells which of them it is for. Once all code is rewritten. */
void instrument_pad_globals(struct instrument *in);
/* Adds to the image, and to in->globals and in->functions. */
void instrument_list_global(struct instrument *in, LLVMValueRef global);
void instrument_list_function(struct instrument *in, LLVMValueRef function);
/* Adds a constant that holds all the addresses: its own is easy to find. */
void instrument_table(struct instrument *in, const char *name,
                      LLVMValueRef *items, uint32_t n);

/* instrument_stack.c */
/* Finds the local variables that can stay native and makes objects of the
 * others. */
void instrument_stack(struct instrument *in);
bool instrument_is_lifetime(LLVMValueRef instruction);
/* The native variable that `pointer` points into, or NULL; *offset is where,
 * INT64_MIN if not constant. */
LLVMValueRef instrument_private(struct instrument *in, LLVMValueRef pointer,
                                int64_t *offset);
uint64_t instrument_alloca_bytes(struct instrument *in, LLVMValueRef alloca);

/* instrument_access.c */
/* If the access of `bytes` (a constant or not) through `pointer` is to a native
 * variable: checks bounds and returns true. */
bool instrument_is_native(struct instrument *in, LLVMValueRef instruction,
                          LLVMValueRef pointer, LLVMValueRef bytes);
/* Stores the low `bytes` of a word through a pointer, as the program would. */
void instrument_store_word(struct instrument *in, LLVMValueRef instruction,
                           LLVMValueRef pointer, LLVMValueRef word,
                           unsigned bytes);
/* Rewrites a load, store, atomic operation or fence; false: it is none. */
bool instrument_access(struct instrument *in, LLVMValueRef instruction);
/* memcpy, memmove, memset; the call's operands are as of the intrinsics. */
void instrument_copy(struct instrument *in, LLVMValueRef call, bool fill);

/* instrument_abi.c */
/* Between a value and the same as native memory holds it; the instruction is
 * for messages. */
LLVMValueRef instrument_swap(struct instrument *in, LLVMValueRef value,
                             LLVMValueRef instruction);
/* Sees to the byte order of the initial value of a variable of the image. */
void instrument_swap_global(struct instrument *in, LLVMValueRef global,
                            uint32_t number);
/* Variable arguments: before a call, at the start of a function, and
 * llvm.va_... in it. */
void instrument_pass_arguments(struct instrument *in, LLVMValueRef call);
void instrument_take_arguments(struct instrument *in);
void instrument_list(struct instrument *in, LLVMValueRef call,
                     const char *name);

/* instrument_loop.c */
void instrument_loops(struct instrument *in);
void instrument_loops_release(struct instrument *in);
/* The loop that a bound written at `instruction` is meant for, or NULL. */
const struct loop *instrument_loop_of(struct instrument *in,
                                      LLVMValueRef instruction);

/* instrument_idle.c */
/* Does this value that the loop carries decide nothing but how long it takes?
 */
bool instrument_is_idle(struct instrument *in, const struct loop *l,
                        LLVMValueRef phi);

/* instrument_call.c */
void instrument_call(struct instrument *in, LLVMValueRef call);

/* instrument_library.c */
enum library_kind {
    LIBRARY_HOOK,   /* words in, word out */
    LIBRARY_NATIVE, /* as it is: computes, touches no memory */
    LIBRARY_CREATE, /* thread functions */
    LIBRARY_JOIN,
    LIBRARY_PRINT,   /* takes a format */
    LIBRARY_BOUND,   /* __VERIFIER_loop_bound */
    LIBRARY_ERRNO,   /* the address of errno */
    LIBRARY_SECTION, /* of code that no other such may interrupt */
};

struct library_function {
    const char *name;
    enum library_kind kind;
    hooks_function *hook;
    void *native;
    uint8_t argument; /* create: of the function; print: of the format */
    uint8_t bytes;    /* join: of the result */
    uint8_t writes;   /* bit i: argument i is at most written through */
};

/* NULL: not known. */
const struct library_function *library_find(const char *name);

#endif
