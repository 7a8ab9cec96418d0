/* The functions that programs may call without defining them. A new one is a
 * row here, and a hook if it does something new. */
#include "frontend/source/instrument_module.h"

#include "frontend/source/hooks_library.h"
#include "frontend/source/hooks_memory.h"
#include "frontend/source/hooks_thread.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define HOOK(name, on) {#name, LIBRARY_HOOK, hooks_on_##on, NULL, 0, 0, 0}
/* A hook that writes through some arguments, at most. */
#define WRITES(name, on, arguments) \
    {#name, LIBRARY_HOOK, hooks_on_##on, NULL, 0, 0, arguments}
#define PRINT(name, format) \
    {#name, LIBRARY_PRINT, hooks_on_printf, NULL, format, 0, 0}
#define NATIVE(name) \
    {#name, LIBRARY_NATIVE, NULL, (void *)(uintptr_t)(name), 0, 0, 0}
#define NATIVE_MATH(name) NATIVE(name), NATIVE(name##f)

/* What compilers call for complex numbers, given as two parts each. */
static float _Complex multiply_float(float a, float b, float c, float d)
{
    return __builtin_complex(a, b) * __builtin_complex(c, d);
}

static float _Complex divide_float(float a, float b, float c, float d)
{
    return __builtin_complex(a, b) / __builtin_complex(c, d);
}

static double _Complex multiply_double(double a, double b, double c, double d)
{
    return __builtin_complex(a, b) * __builtin_complex(c, d);
}

static double _Complex divide_double(double a, double b, double c, double d)
{
    return __builtin_complex(a, b) / __builtin_complex(c, d);
}

#define NATIVE_AS(name, function) \
    {name, LIBRARY_NATIVE, NULL, (void *)(uintptr_t)(function), 0, 0, 0}

static const struct library_function functions[] = {
    /* Threads. */
    {"pthread_create", LIBRARY_CREATE, NULL, NULL, 2, 8, 1},
    {"thrd_create", LIBRARY_CREATE, NULL, NULL, 1, 8, 1},
    {"pthread_join", LIBRARY_JOIN, NULL, NULL, 0, 8, 2},
    {"thrd_join", LIBRARY_JOIN, NULL, NULL, 0, 4, 2},
    HOOK(pthread_exit, thread_exit),
    HOOK(thrd_exit, thread_exit),
    HOOK(pthread_self, self),
    HOOK(thrd_current, self),
    HOOK(pthread_equal, equal),
    HOOK(thrd_equal, equal),
    HOOK(pthread_detach, nothing),
    HOOK(thrd_detach, nothing),
    HOOK(thrd_yield, nothing),
    HOOK(sched_yield, nothing),
    HOOK(pthread_yield, nothing),
    HOOK(usleep, nothing),
    HOOK(sleep, nothing),
    HOOK(nanosleep, nothing),
    HOOK(thrd_sleep, nothing),
    HOOK(pthread_setconcurrency, nothing),
    WRITES(pthread_attr_init, nothing, 1),
    WRITES(pthread_attr_destroy, nothing, 1),
    WRITES(pthread_attr_setdetachstate, nothing, 1),
    WRITES(pthread_attr_setscope, nothing, 1),
    WRITES(pthread_attr_setstacksize, nothing, 1),

    /* Locks and barriers. */
    HOOK(pthread_mutex_init, mutex_init),
    HOOK(pthread_mutex_destroy, mutex_destroy),
    HOOK(pthread_mutex_lock, mutex_lock),
    HOOK(pthread_mutex_trylock, mutex_trylock),
    HOOK(pthread_mutex_unlock, mutex_unlock),
    HOOK(pthread_mutexattr_init, mutexattr_init),
    HOOK(pthread_mutexattr_settype, mutexattr_settype),
    HOOK(pthread_mutexattr_destroy, nothing),
    HOOK(mtx_init, mtx_init),
    HOOK(mtx_destroy, mutex_destroy),
    HOOK(mtx_lock, mutex_lock),
    HOOK(mtx_trylock, mtx_trylock),
    HOOK(mtx_unlock, mutex_unlock),
    HOOK(pthread_barrier_init, barrier_init),
    HOOK(pthread_barrier_wait, barrier_wait),
    HOOK(pthread_barrier_destroy, barrier_destroy),
    HOOK(pthread_once, once),
    HOOK(call_once, once),
    HOOK(sem_init, sem_init),
    HOOK(sem_destroy, nothing),
    HOOK(sem_wait, sem_wait),
    HOOK(sem_trywait, sem_trywait),
    HOOK(sem_post, sem_post),
    HOOK(sem_getvalue, sem_getvalue),
    HOOK(pthread_rwlock_init, rwlock_init),
    HOOK(pthread_rwlock_destroy, nothing),
    HOOK(pthread_rwlock_rdlock, rwlock_rdlock),
    HOOK(pthread_rwlock_wrlock, rwlock_wrlock),
    HOOK(pthread_rwlock_tryrdlock, rwlock_tryrdlock),
    HOOK(pthread_rwlock_trywrlock, rwlock_trywrlock),
    HOOK(pthread_rwlock_unlock, rwlock_unlock),
    HOOK(pthread_cond_init, cond_init),
    HOOK(pthread_cond_destroy, nothing),
    HOOK(pthread_cond_wait, cond_wait),
    HOOK(pthread_cond_signal, cond_signal),
    HOOK(pthread_cond_broadcast, cond_signal),
    HOOK(cnd_init, cond_init),
    HOOK(cnd_destroy, nothing),
    HOOK(cnd_wait, cond_wait),
    HOOK(cnd_signal, cond_signal),
    HOOK(cnd_broadcast, cond_signal),

    /* Memory. */
    HOOK(malloc, malloc),
    HOOK(calloc, calloc),
    HOOK(aligned_alloc, aligned_alloc),
    HOOK(memalign, aligned_alloc),
    HOOK(posix_memalign, posix_memalign),
    HOOK(realloc, realloc),
    HOOK(free, free),
    HOOK(memcpy, copy),
    HOOK(memmove, copy),
    HOOK(memset, fill),
    HOOK(memcmp, memcmp),
    HOOK(bcmp, memcmp),
    HOOK(memchr, memchr),
    HOOK(strlen, strlen),
    HOOK(strnlen, strnlen),
    HOOK(strcmp, strcmp),
    HOOK(strncmp, strncmp),
    HOOK(strcpy, strcpy),
    HOOK(strncpy, strncpy),
    HOOK(strcat, strcat),
    HOOK(strchr, strchr),
    HOOK(strrchr, strrchr),

    /* The end of the program, and what checks it. */
    HOOK(__assert_fail, assert_fail),
    HOOK(__assert, assert_fail),
    HOOK(__assert_rtn, assert_fail),
    HOOK(__VERIFIER_assert_fail, assert_fail),
    HOOK(__VERIFIER_assert, assert),
    HOOK(reach_error, error),
    HOOK(__VERIFIER_error, error),
    HOOK(abort, abort),
    HOOK(exit, exit),
    HOOK(_exit, exit),
    HOOK(_Exit, exit),
    HOOK(quick_exit, exit),

    /* Words to the checker: hwcheck.h, genmc.h, SV-COMP. */
    HOOK(__VERIFIER_assume, assume),
    HOOK(assume, assume),
    HOOK(assume_abort_if_not, assume),
    HOOK(hwc_assume, assume),
    HOOK(observe, observe),
    HOOK(hwc_observe, observe),
    HOOK(hwc_choose, choose),
    HOOK(__VERIFIER_nondet_range, choose),
    HOOK(__VERIFIER_nondet_bool, nondet_bool),
    HOOK(__VERIFIER_nondet__Bool, nondet_bool),
    HOOK(__VERIFIER_nondet_int, nondet),
    HOOK(__VERIFIER_nondet_uint, nondet),
    HOOK(__VERIFIER_nondet_unsigned_int, nondet),
    HOOK(__VERIFIER_nondet_long, nondet),
    HOOK(__VERIFIER_nondet_ulong, nondet),
    HOOK(__VERIFIER_nondet_short, nondet),
    HOOK(__VERIFIER_nondet_ushort, nondet),
    HOOK(__VERIFIER_nondet_char, nondet),
    HOOK(__VERIFIER_nondet_uchar, nondet),
    HOOK(__VERIFIER_nondet_unsigned, nondet),
    HOOK(__VERIFIER_nondet_size_t, nondet),
    HOOK(__VERIFIER_spin_start, nothing),
    HOOK(__VERIFIER_spin_end, spin_end),
    HOOK(__VERIFIER_loop_begin, nothing),
    {"__VERIFIER_loop_bound", LIBRARY_BOUND, hooks_on_bound, NULL, 0, 0, 0},
    {"hwc_loop_bound", LIBRARY_BOUND, hooks_on_bound, NULL, 0, 0, 0},
    {"__VERIFIER_atomic_begin", LIBRARY_SECTION, hooks_on_mutex_lock, NULL, 0,
     0, 0},
    {"__VERIFIER_atomic_end", LIBRARY_SECTION, hooks_on_mutex_unlock, NULL, 0,
     0, 0},
    HOOK(__VERIFIER_tid, thread_number),
    HOOK(hwc_thread_number, thread_number),

    /* Output. */
    PRINT(printf, 0),
    PRINT(fprintf, 1),
    PRINT(dprintf, 1),
    HOOK(puts, puts),
    HOOK(putchar, putchar),
    HOOK(putc, putchar),
    HOOK(fputc, putchar),
    HOOK(fputs, fputs),
    HOOK(fwrite, fwrite),
    HOOK(perror, puts),
    HOOK(fflush, nothing),
    HOOK(setbuf, nothing),
    HOOK(setvbuf, nothing),

    {"__errno_location", LIBRARY_ERRNO, NULL, NULL, 0, 0, 0},

    /* The rest of the world: the same in every run. */
    HOOK(rand, rand),
    HOOK(random, rand),
    HOOK(srand, srand),
    HOOK(srandom, srand),
    HOOK(time, time),
    HOOK(clock, nothing),
    HOOK(getenv, nothing),
    HOOK(atexit, nothing),

    NATIVE_AS("__mulsc3", multiply_float),
    NATIVE_AS("__divsc3", divide_float),
    NATIVE_AS("__muldc3", multiply_double),
    NATIVE_AS("__divdc3", divide_double),
    NATIVE(abs),
    NATIVE(labs),
    NATIVE(llabs),
    NATIVE_MATH(acos),
    NATIVE_MATH(asin),
    NATIVE_MATH(atan),
    NATIVE_MATH(atan2),
    NATIVE_MATH(cbrt),
    NATIVE_MATH(ceil),
    NATIVE_MATH(cos),
    NATIVE_MATH(cosh),
    NATIVE_MATH(exp),
    NATIVE_MATH(exp2),
    NATIVE_MATH(fabs),
    NATIVE_MATH(floor),
    NATIVE_MATH(fmax),
    NATIVE_MATH(fmin),
    NATIVE_MATH(fmod),
    NATIVE_MATH(hypot),
    NATIVE_MATH(log),
    NATIVE_MATH(log10),
    NATIVE_MATH(log2),
    NATIVE_MATH(pow),
    NATIVE_MATH(rint),
    NATIVE_MATH(round),
    NATIVE_MATH(sin),
    NATIVE_MATH(sinh),
    NATIVE_MATH(sqrt),
    NATIVE_MATH(tan),
    NATIVE_MATH(tanh),
    NATIVE_MATH(trunc),
};

const struct library_function *library_find(const char *name)
{
    for (size_t i = 0; i < sizeof functions / sizeof *functions; i++)
        if (strcmp(functions[i].name, name) == 0)
            return &functions[i];
    return NULL;
}
