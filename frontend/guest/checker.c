/* The end of a program, what it says to the checker, and the rest of the
 * world, which is the same in every run. */
#include "frontend/guest/runtime.h"

#define NONDET_VALUES 4 /* of an unbounded nondeterministic integer: 0 to 3 */

#define TEXT(s) ((uint64_t)(uintptr_t)(s))

_Noreturn void __assert_fail(const char *text, const char *file, unsigned line,
                             const char *function)
{
    (void)file, (void)line, (void)function;
    __hwc_end(CALLER, OP_ERROR, VIOLATION_ASSERT, TEXT("assertion '%s' failed"),
              TEXT(text));
}

_Noreturn void __VERIFIER_assert_fail(void)
{
    __hwc_fail(CALLER, VIOLATION_ASSERT, "assertion failed");
}

void __VERIFIER_assert(int condition)
{
    if (!condition)
        __hwc_fail(CALLER, VIOLATION_ASSERT, "assertion failed");
}

_Noreturn void reach_error(void)
{
    __hwc_fail(CALLER, VIOLATION_ASSERT, "error function called");
}

_Noreturn void __VERIFIER_error(void)
{
    __hwc_fail(CALLER, VIOLATION_ASSERT, "error function called");
}

_Noreturn void abort(void)
{
    __hwc_fail(CALLER, VIOLATION_ABORT, "abort called");
}

#define EXIT(name)                                                \
    _Noreturn void name(int status)                               \
    {                                                             \
        __hwc_end(CALLER, OP_END, (uint32_t)status, END_EXIT, 0); \
    }
EXIT(exit)
EXIT(_exit)
EXIT(_Exit)
EXIT(quick_exit)

#define ASSUME(name, type)                                   \
    void name(type condition)                                \
    {                                                        \
        if (!condition)                                      \
            __hwc_end(CALLER, OP_BLOCK, BLOCK_ASSUME, 0, 0); \
    }
ASSUME(__VERIFIER_assume, int)
ASSUME(assume, int)
ASSUME(assume_abort_if_not, int)
ASSUME(hwc_assume, bool)

void __VERIFIER_spin_start(void)
{
}

void __VERIFIER_spin_end(int done)
{
    if (!done)
        __hwc_end(CALLER, OP_BLOCK, BLOCK_SPIN, 0, 0);
}

void __VERIFIER_loop_begin(void)
{
}

void __VERIFIER_loop_bound(int n)
{
    (void)n;
}

void hwc_loop_bound(long n)
{
    (void)n;
}

void observe(const char *name, long value)
{
    __hwc_tell(CALLER, OP_OBSERVE, TEXT(name), (uint64_t)value, 0);
}

void hwc_observe(const char *name, long value)
{
    __hwc_tell(CALLER, OP_OBSERVE, TEXT(name), (uint64_t)value, 0);
}

static long choose(uint64_t caller, long lowest, long highest)
{
    if (lowest > highest)
        __hwc_end(caller, OP_BLOCK, BLOCK_ASSUME, 0, 0);
    uint64_t n = (uint64_t)highest - (uint64_t)lowest;
    if (n >= UINT32_MAX)
        __hwc_end(caller, OP_UNMODELLED,
                  TEXT("choice between more than 2^32 values"), 0, 0);
    return lowest + (long)__hwc_tell(caller, OP_CHOICE, n + 1, 0, 0);
}

long hwc_choose(long lowest, long highest)
{
    return choose(CALLER, lowest, highest);
}

long __VERIFIER_nondet_range(long lowest, long highest)
{
    return choose(CALLER, lowest, highest);
}

#define NONDET(type, name, n)                                \
    type __VERIFIER_nondet_##name(void)                      \
    {                                                        \
        return (type)__hwc_tell(CALLER, OP_CHOICE, n, 0, 0); \
    }
NONDET(_Bool, bool, 2)
NONDET(_Bool, _Bool, 2)
NONDET(int, int, NONDET_VALUES)
NONDET(unsigned, uint, NONDET_VALUES)
NONDET(unsigned, unsigned_int, NONDET_VALUES)
NONDET(unsigned, unsigned, NONDET_VALUES)
NONDET(long, long, NONDET_VALUES)
NONDET(unsigned long, ulong, NONDET_VALUES)
NONDET(short, short, NONDET_VALUES)
NONDET(unsigned short, ushort, NONDET_VALUES)
NONDET(char, char, NONDET_VALUES)
NONDET(unsigned char, uchar, NONDET_VALUES)
NONDET(size_t, size_t, NONDET_VALUES)

int __VERIFIER_tid(void)
{
    return (int)__hwc_mailbox.thread;
}

int hwc_thread_number(void)
{
    return (int)__hwc_mailbox.thread;
}

/* One sequence a thread: a common one would be shared memory. */
static int next_random(void)
{
    struct state *s = &__hwc_state;
    __hwc_tell(0, OP_EFFECT, 0, 0, 0);
    s->random = s->random * 6364136223846793005u + 1;
    return (int)(s->random >> 33);
}

int rand(void)
{
    return next_random();
}

long random(void)
{
    return next_random();
}

void srand(unsigned seed)
{
    __hwc_tell(0, OP_EFFECT, 0, 0, 0);
    __hwc_state.random = seed;
}

void srandom(unsigned seed)
{
    __hwc_tell(0, OP_EFFECT, 0, 0, 0);
    __hwc_state.random = seed;
}

#define NOTHING(result, name, parameters) \
    result name parameters                \
    {                                     \
        return 0;                         \
    }
NOTHING(int, fflush, (void *a))
NOTHING(int, setvbuf, (void *a, char *b, int c, size_t d))
NOTHING(long, clock, (void))
NOTHING(char *, getenv, (const char *a))
NOTHING(int, atexit, (void (*a)(void)))
void setbuf(void *a, char *b)
{
    (void)a, (void)b;
}

int abs(int n)
{
    return n < 0 ? -n : n;
}

long labs(long n)
{
    return n < 0 ? -n : n;
}

long long llabs(long long n)
{
    return n < 0 ? -n : n;
}

long time(long *where)
{
    if (where)
        __hwc_store(where, sizeof *where, 0);
    return 0;
}
