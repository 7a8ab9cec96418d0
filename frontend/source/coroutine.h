/* Stacks on which the threads of the program under test run, and the switch
 * between one of them and the stack of the caller. One thread of hwcheck may
 * use a coroutine at a time. Below each stack lies a guard page. */
#ifndef FRONTEND_COROUTINE_H
#define FRONTEND_COROUTINE_H

#include <stdbool.h>
#include <stddef.h>

/* What the code of a coroutine may use, and what it must leave free when it
 * calls hwcheck back. */
#define COROUTINE_STACK_BYTES   ((size_t)8 << 20)
#define COROUTINE_RESERVE_BYTES ((size_t)64 << 10)

struct coroutine {
    char *stack; /* lowest usable byte; the guard page is below */
    void *sp;    /* while it does not run */
    void *caller_sp;
    void (*entry)(void *argument);
    void *argument;
    /* Sanitizers' own view of the stacks. */
    void *fiber, *caller_fiber;
    void *fake_stack, *caller_fake_stack;
    const void *caller_bottom;
    size_t caller_bytes;
};

/* False: no memory for the stack. */
bool coroutine_init(struct coroutine *c);
void coroutine_release(struct coroutine *c);

/* The next resume calls entry(argument) on an empty stack, whatever the
 * coroutine was doing. The entry must not return: it leaves by coroutine_yield
 * for good. */
void coroutine_reset(struct coroutine *c, void (*entry)(void *argument),
                     void *argument);

/* Runs `c` until it yields. */
void coroutine_resume(struct coroutine *c);

/* To be called on the coroutine's own stack: back to coroutine_resume. */
void coroutine_yield(struct coroutine *c);

/* To be called by a signal handler on its own stack while `c` runs: makes
 * coroutine_resume return; `c` must be reset before it runs again. */
_Noreturn void coroutine_abandon(struct coroutine *c);

/* Is `p` in the guard page? */
bool coroutine_in_guard(const struct coroutine *c, const void *p);

#endif
