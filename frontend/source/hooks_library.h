/* Hooks for loops, calls and library functions, see hooks.h. */
#ifndef FRONTEND_HOOKS_LIBRARY_H
#define FRONTEND_HOOKS_LIBRARY_H

#include "frontend/source/hooks.h"

/* What a loop remembers between arrivals at its header; a variable of the
 * instrumented function, so that each activation has its own. */
struct hooks_loop {
    uint64_t effects;    /* of struct hooks at the last arrival */
    uint64_t events;     /* likewise */
    uint64_t iterations; /* since the loop was entered */
    uint64_t busy;       /* those with an event */
    uint64_t quiet;      /* the last ones, which only read */
    uint64_t bound;      /* 0: the general one */
    uint64_t waits;      /* 1: an iteration without effect may be left out */
};

enum {
    LOOP_AGAIN = 1, /* came by a back edge; else the loop was entered */
    LOOP_SAME = 2,  /* all values it carries are as at the last arrival */
};

/* struct hooks_loop *, loop number, flags; last, if all that changes from one
 * iteration to the next is what was last read from one address, that address,
 * else 0 */
hooks_function hooks_on_loop;
hooks_function
    hooks_on_enter; /* a function's first code: is the stack enough? */
hooks_function hooks_on_call; /* function pointer: is it a function? */
hooks_function hooks_on_unreachable;
hooks_function hooks_on_bound; /* struct hooks_loop *, bound */

hooks_function hooks_on_assert_fail; /* text */
hooks_function hooks_on_assert;      /* condition */
hooks_function hooks_on_error;       /* reach_error and alike */
hooks_function hooks_on_abort;
hooks_function hooks_on_exit; /* status */
hooks_function hooks_on_assume;
hooks_function hooks_on_spin_end; /* 0: the iteration failed */
hooks_function hooks_on_choose;   /* lowest, highest; returns one of them */
hooks_function hooks_on_nondet;
hooks_function hooks_on_nondet_bool;
hooks_function hooks_on_observe; /* name, value */
hooks_function hooks_on_thread_number;
hooks_function hooks_on_rand;
hooks_function hooks_on_srand;
hooks_function hooks_on_nothing; /* returns 0 */
hooks_function hooks_on_time;    /* where to store it, or 0 */

hooks_function
    hooks_on_printf;          /* format, array of words, their number, stream */
hooks_function hooks_on_puts; /* text */
hooks_function hooks_on_putchar; /* character */
hooks_function hooks_on_fputs;   /* text */
hooks_function
    hooks_on_fwrite; /* bytes, size of an item, their number, stream */

hooks_function hooks_on_strlen;
hooks_function hooks_on_strnlen;
hooks_function hooks_on_strcmp;
hooks_function hooks_on_strncmp;
hooks_function hooks_on_strcpy;
hooks_function hooks_on_strncpy;
hooks_function hooks_on_strcat;
hooks_function hooks_on_strchr;
hooks_function hooks_on_strrchr;
hooks_function hooks_on_memcmp;
hooks_function hooks_on_memchr;

#endif
