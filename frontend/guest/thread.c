/* Threads, and mutexes, barriers and once-only calls as words that are read
 * and written atomically. A mutex has its word at offset 0 and its type at
 * offset 16. Which mutexes a thread holds follows from what it did, so that
 * misuse is seen without events. */
#include "frontend/guest/runtime.h"

#include <errno.h>
#include <pthread.h>
#include <threads.h>

#define WORD        4
#define TYPE_OFFSET 16

static char *at(const void *p, unsigned offset)
{
    return (char *)(uintptr_t)p + offset;
}

/* ---- threads */

static uint64_t create(uint64_t caller, uint64_t function, uint64_t argument,
                       uint64_t returns_int)
{
    struct state *s = &__hwc_state;
    if (s->n_created == WIRE_CHILDREN)
        __hwc_end(caller, OP_UNMODELLED,
                  (uint64_t)(uintptr_t)"more than 64 threads made by one", 0,
                  0);
    uint64_t handle = __hwc_mailbox.handles[s->n_created++];
    __hwc_tell(caller, OP_CREATE, function, argument, returns_int);
    return handle;
}

int pthread_create(pthread_t *thread, const pthread_attr_t *attributes,
                   void *(*function)(void *), void *argument)
{
    (void)attributes;
    uint64_t caller = CALLER;
    uint64_t handle = create(caller, (uint64_t)(uintptr_t)function,
                             (uint64_t)(uintptr_t)argument, 0);
    __hwc_store(thread, sizeof *thread, handle);
    return 0;
}

int thrd_create(thrd_t *thread, thrd_start_t function, void *argument)
{
    uint64_t caller = CALLER;
    uint64_t handle = create(caller, (uint64_t)(uintptr_t)function,
                             (uint64_t)(uintptr_t)argument, 1);
    __hwc_store(thread, sizeof *thread, handle);
    return thrd_success;
}

int pthread_join(pthread_t thread, void **result)
{
    uint64_t caller = CALLER;
    uint64_t value = __hwc_tell(caller, OP_JOIN, thread, 0, 0);
    if (result)
        __hwc_store(result, sizeof *result, value);
    return 0;
}

int thrd_join(thrd_t thread, int *result)
{
    uint64_t caller = CALLER;
    uint64_t value = __hwc_tell(caller, OP_JOIN, thread, 0, 0);
    if (result)
        __hwc_store(result, sizeof *result, value);
    return thrd_success;
}

_Noreturn void pthread_exit(void *result)
{
    __hwc_end(CALLER, OP_END, (uint64_t)(uintptr_t)result, END_THREAD, 0);
}

_Noreturn void thrd_exit(int result)
{
    __hwc_end(CALLER, OP_END, (uint32_t)result, END_THREAD, 0);
}

pthread_t pthread_self(void)
{
    return WIRE_HANDLE_BASE + __hwc_mailbox.thread;
}

thrd_t thrd_current(void)
{
    return pthread_self();
}

int pthread_equal(pthread_t a, pthread_t b)
{
    return a == b;
}

int thrd_equal(thrd_t a, thrd_t b)
{
    return a == b;
}

#define NOTHING(result, name, parameters) \
    result name parameters                \
    {                                     \
        return 0;                         \
    }
NOTHING(int, pthread_detach, (pthread_t a))
NOTHING(int, thrd_detach, (thrd_t a))
NOTHING(int, pthread_yield, (void))
NOTHING(int, sched_yield, (void))
NOTHING(int, usleep, (unsigned a))
NOTHING(unsigned, sleep, (unsigned a))
NOTHING(int, nanosleep, (const struct timespec *a, struct timespec *b))
NOTHING(int, pthread_setconcurrency, (int a))
NOTHING(int, pthread_attr_init, (pthread_attr_t * a))
NOTHING(int, pthread_attr_destroy, (pthread_attr_t * a))
NOTHING(int, pthread_attr_setdetachstate, (pthread_attr_t * a, int b))
NOTHING(int, pthread_attr_setscope, (pthread_attr_t * a, int b))
NOTHING(int, pthread_attr_setstacksize, (pthread_attr_t * a, size_t b))
NOTHING(int, pthread_mutexattr_destroy, (pthread_mutexattr_t * a))
NOTHING(int, thrd_sleep, (const void *a, void *b))
void thrd_yield(void)
{
}

/* ---- mutexes */

struct held *__hwc_find_held(const void *mutex)
{
    struct state *s = &__hwc_state;
    for (uint32_t i = 0; i < s->n_held; i++)
        if (s->held[i].mutex == (uint64_t)(uintptr_t)mutex)
            return &s->held[i];
    return NULL;
}

void __hwc_hold(uint64_t caller, const void *mutex, uint32_t count)
{
    struct state *s = &__hwc_state;
    if (s->n_held == HELD_MAX)
        __hwc_end(caller, OP_UNMODELLED,
                  (uint64_t)(uintptr_t)"more than 64 mutexes held by one", 0,
                  0);
    s->held[s->n_held++] = (struct held){(uint64_t)(uintptr_t)mutex, count};
}

static void init(uint64_t caller, void *mutex, uint64_t type)
{
    __hwc_store(mutex, WORD, 0);
    __hwc_store(at(mutex, TYPE_OFFSET), WORD, type);
}

int pthread_mutex_init(pthread_mutex_t *mutex, const pthread_mutexattr_t *a)
{
    uint64_t caller = CALLER;
    init(caller, mutex, a ? __hwc_load(a, WORD) : 0);
    return 0;
}

int mtx_init(mtx_t *mutex, int type)
{
    init(CALLER, mutex, type & mtx_recursive ? PTHREAD_MUTEX_RECURSIVE : 0);
    return thrd_success;
}

int pthread_mutexattr_init(pthread_mutexattr_t *a)
{
    __hwc_store(a, WORD, 0);
    return 0;
}

int pthread_mutexattr_settype(pthread_mutexattr_t *a, int type)
{
    __hwc_store(a, WORD, (uint32_t)type);
    return 0;
}

static void destroy(uint64_t caller, void *mutex)
{
    if (__hwc_find_held(mutex) ||
        __hwc_read(caller, mutex, WORD, MODE_RLX) != 0)
        __hwc_fail(caller, VIOLATION_MUTEX, "destroy of a locked mutex");
}

int pthread_mutex_destroy(pthread_mutex_t *mutex)
{
    destroy(CALLER, mutex);
    return 0;
}

void mtx_destroy(mtx_t *mutex)
{
    destroy(CALLER, mutex);
}

/* What lock of a mutex that the thread itself holds does: only then its type
 * matters. */
static int relock(uint64_t caller, struct held *held, int wait)
{
    uint64_t type =
        __hwc_load((const char *)(uintptr_t)held->mutex + TYPE_OFFSET, WORD);
    if (type == PTHREAD_MUTEX_RECURSIVE) {
        held->count++;
        return 0;
    }
    if (!wait)
        return EBUSY;
    if (type == PTHREAD_MUTEX_ERRORCHECK)
        return EDEADLK;
    __hwc_fail(caller, VIOLATION_DEADLOCK,
               "lock of a mutex that the thread holds already");
}

int __hwc_lock(uint64_t caller, void *mutex)
{
    struct held *held = __hwc_find_held(mutex);
    if (held)
        return relock(caller, held, 1);
    if (__hwc_read(caller, mutex, WORD, MODE_LOCK) != 0)
        __hwc_end(caller, OP_BLOCK, BLOCK_LOCK, 0, 0);
    __hwc_write(caller, mutex, WORD, MODE_RMW_WRITE, 1);
    __hwc_hold(caller, mutex, 1);
    return 0;
}

static int trylock(uint64_t caller, void *mutex)
{
    struct held *held = __hwc_find_held(mutex);
    if (held)
        return relock(caller, held, 0);
    if (__hwc_read(caller, mutex, WORD, MODE_TRYLOCK) != 0)
        return EBUSY;
    __hwc_write(caller, mutex, WORD, MODE_RMW_WRITE, 1);
    __hwc_hold(caller, mutex, 1);
    return 0;
}

int __hwc_unlock(uint64_t caller, void *mutex)
{
    struct state *s = &__hwc_state;
    struct held *held = __hwc_find_held(mutex);
    if (!held)
        __hwc_fail(caller, VIOLATION_MUTEX,
                   "unlock of a mutex that the thread does not hold");
    if (--held->count > 0)
        return 0;
    *held = s->held[--s->n_held];
    __hwc_write(caller, mutex, WORD, MODE_REL, 0);
    return 0;
}

int pthread_mutex_lock(pthread_mutex_t *mutex)
{
    return __hwc_lock(CALLER, mutex);
}

int pthread_mutex_trylock(pthread_mutex_t *mutex)
{
    return trylock(CALLER, mutex);
}

int pthread_mutex_unlock(pthread_mutex_t *mutex)
{
    return __hwc_unlock(CALLER, mutex);
}

int mtx_lock(mtx_t *mutex)
{
    return __hwc_lock(CALLER, mutex);
}

int mtx_trylock(mtx_t *mutex)
{
    return trylock(CALLER, mutex) ? thrd_busy : thrd_success;
}

int mtx_unlock(mtx_t *mutex)
{
    return __hwc_unlock(CALLER, mutex);
}

/* ---- barriers: count arrivals; the round of an arrival is its number divided
 * by the size, which stands in the second word. */

int pthread_barrier_init(pthread_barrier_t *barrier,
                         const pthread_barrierattr_t *a, unsigned n)
{
    (void)a;
    if (n == 0)
        return EINVAL;
    __hwc_store(barrier, WORD, 0);
    __hwc_store(at(barrier, WORD), WORD, n);
    return 0;
}

int pthread_barrier_wait(pthread_barrier_t *barrier)
{
    uint64_t caller = CALLER;
    uint64_t n = __hwc_load(at(barrier, WORD), WORD);
    if (n == 0)
        __hwc_fail(caller, VIOLATION_LIBRARY,
                   "wait at a barrier that is not initialised");
    uint64_t old = __hwc_read(caller, barrier, WORD, MODE_RMW_ACQ_REL);
    __hwc_write(caller, barrier, WORD, MODE_RMW_WRITE_REL, old + 1);
    if ((old + 1) % n == 0)
        return PTHREAD_BARRIER_SERIAL_THREAD;
    uint64_t now = __hwc_read(caller, barrier, WORD, MODE_ACQ);
    if (now / n <= old / n)
        __hwc_end(caller, OP_BLOCK, BLOCK_SPIN, 0, 0);
    return 0;
}

/* The size goes, so that a later wait is seen to be wrong. */
int pthread_barrier_destroy(pthread_barrier_t *barrier)
{
    uint64_t caller = CALLER;
    uint64_t n = __hwc_load(at(barrier, WORD), WORD);
    if (n == 0)
        __hwc_fail(caller, VIOLATION_LIBRARY,
                   "destroy of a barrier that is not initialised");
    if (__hwc_read(caller, barrier, WORD, MODE_ACQ) % n != 0)
        __hwc_fail(caller, VIOLATION_LIBRARY,
                   "destroy of a barrier at which a thread waits");
    __hwc_store(at(barrier, WORD), WORD, 0);
    return 0;
}

/* ---- once. 0: not called yet; 1: being called; 2: done. */

static void once(uint64_t caller, void *word, void (*function)(void))
{
    uint64_t old = __hwc_read(caller, word, WORD, MODE_ONCE);
    if (old == 1)
        __hwc_end(caller, OP_BLOCK, BLOCK_SPIN, 0, 0);
    if (old == 2)
        return;
    __hwc_write(caller, word, WORD, MODE_RMW_WRITE, 1);
    function();
    __hwc_write(caller, word, WORD, MODE_REL, 2);
}

int pthread_once(pthread_once_t *word, void (*function)(void))
{
    once(CALLER, word, function);
    return 0;
}

void call_once(once_flag *word, void (*function)(void))
{
    once(CALLER, word, function);
}
