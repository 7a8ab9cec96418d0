/* Hooks for loops, calls and library functions, see guest.h. */
#ifndef FRONTEND_GUEST_LIBRARY_H
#define FRONTEND_GUEST_LIBRARY_H

#include "frontend/source/guest.h"

/* What a loop remembers between arrivals at its header; a variable of the
 * instrumented function, so that each activation has its own. */
struct guest_loop {
    uint64_t effects;    /* guest's at the last arrival */
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

/* struct guest_loop *, loop number, flags; last, if all that changes from one
 * iteration to the next is what was last read from one address, that address,
 * else 0 */
guest_hook guest_on_loop;
guest_hook guest_on_enter; /* a function's first code: is the stack enough? */
guest_hook guest_on_call;  /* function pointer: is it a function? */
guest_hook guest_on_unreachable;
guest_hook guest_on_bound; /* struct guest_loop *, bound */

guest_hook guest_on_assert_fail; /* text */
guest_hook guest_on_assert;      /* condition */
guest_hook guest_on_error;       /* reach_error and alike */
guest_hook guest_on_abort;
guest_hook guest_on_exit; /* status */
guest_hook guest_on_assume;
guest_hook guest_on_spin_end; /* 0: the iteration failed */
guest_hook guest_on_choose;   /* lowest, highest; returns one of them */
guest_hook guest_on_nondet;
guest_hook guest_on_nondet_bool;
guest_hook guest_on_observe; /* name, value */
guest_hook guest_on_thread_number;
guest_hook guest_on_rand;
guest_hook guest_on_srand;
guest_hook guest_on_nothing; /* returns 0 */
guest_hook guest_on_time;    /* where to store it, or 0 */

guest_hook guest_on_printf;  /* format, array of words, their number, stream */
guest_hook guest_on_puts;    /* text */
guest_hook guest_on_putchar; /* character */
guest_hook guest_on_fputs;   /* text */
guest_hook guest_on_fwrite;  /* bytes, size of an item, their number, stream */

guest_hook guest_on_strlen;
guest_hook guest_on_strnlen;
guest_hook guest_on_strcmp;
guest_hook guest_on_strncmp;
guest_hook guest_on_strcpy;
guest_hook guest_on_strncpy;
guest_hook guest_on_strcat;
guest_hook guest_on_strchr;
guest_hook guest_on_strrchr;
guest_hook guest_on_memcmp;
guest_hook guest_on_memchr;

#endif
