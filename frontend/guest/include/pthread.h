/* POSIX threads as hwcheck knows them; sizes as in glibc. */
#ifndef _PTHREAD_H
#define _PTHREAD_H

#include <sched.h>
#include <stddef.h>
#include <time.h>

typedef unsigned long pthread_t;
typedef struct {
    long __word[7];
} pthread_attr_t;
typedef union {
    struct {
        int __lock;
        unsigned __count;
        int __owner;
        unsigned __users;
        int __kind;
        int __rest[5];
    } __data;
} pthread_mutex_t;
typedef struct {
    int __kind;
} pthread_mutexattr_t;
typedef struct {
    unsigned __count, __size;
    long __rest[3];
} pthread_barrier_t;
typedef struct {
    int __kind;
} pthread_barrierattr_t;
typedef union {
    struct {
        unsigned __readers;
        int __rest[13];
    } __data;
} pthread_rwlock_t;
typedef struct {
    int __kind;
} pthread_rwlockattr_t;
typedef union {
    struct {
        union {
            unsigned long long __value64;
        } __wseq;
        int __rest[10];
    } __data;
} pthread_cond_t;
typedef struct {
    int __kind;
} pthread_condattr_t;
typedef int pthread_once_t;

enum {
    PTHREAD_MUTEX_NORMAL = 0,
    PTHREAD_MUTEX_RECURSIVE = 1,
    PTHREAD_MUTEX_ERRORCHECK = 2,
    PTHREAD_MUTEX_DEFAULT = 0,
    PTHREAD_CREATE_JOINABLE = 0,
    PTHREAD_CREATE_DETACHED = 1,
    PTHREAD_SCOPE_SYSTEM = 0,
    PTHREAD_SCOPE_PROCESS = 1
};
#define PTHREAD_MUTEX_INITIALIZER \
    {                             \
        {                         \
            0, 0, 0, 0, 0, {0}    \
        }                         \
    }
#define PTHREAD_ONCE_INIT             0
#define PTHREAD_BARRIER_SERIAL_THREAD (-1)

int pthread_create(pthread_t *, const pthread_attr_t *, void *(*)(void *),
                   void *);
int pthread_join(pthread_t, void **);
int pthread_detach(pthread_t);
pthread_t pthread_self(void);
int pthread_equal(pthread_t, pthread_t);
_Noreturn void pthread_exit(void *);
int pthread_yield(void);
int pthread_setconcurrency(int);
int pthread_attr_init(pthread_attr_t *);
int pthread_attr_destroy(pthread_attr_t *);
int pthread_attr_setdetachstate(pthread_attr_t *, int);
int pthread_attr_setscope(pthread_attr_t *, int);
int pthread_attr_setstacksize(pthread_attr_t *, size_t);
int pthread_mutex_init(pthread_mutex_t *, const pthread_mutexattr_t *);
int pthread_mutex_destroy(pthread_mutex_t *);
int pthread_mutex_lock(pthread_mutex_t *);
int pthread_mutex_trylock(pthread_mutex_t *);
int pthread_mutex_unlock(pthread_mutex_t *);
int pthread_mutexattr_init(pthread_mutexattr_t *);
int pthread_mutexattr_settype(pthread_mutexattr_t *, int);
int pthread_mutexattr_destroy(pthread_mutexattr_t *);
int pthread_barrier_init(pthread_barrier_t *, const pthread_barrierattr_t *,
                         unsigned);
int pthread_barrier_wait(pthread_barrier_t *);
int pthread_barrier_destroy(pthread_barrier_t *);
int pthread_once(pthread_once_t *, void (*)(void));

#define PTHREAD_RWLOCK_INITIALIZER \
    {                              \
        {                          \
            0, {0}                 \
        }                          \
    }
#define PTHREAD_COND_INITIALIZER \
    {                            \
        {                        \
            {0}, {0}             \
        }                        \
    }
int pthread_rwlock_init(pthread_rwlock_t *, const pthread_rwlockattr_t *);
int pthread_rwlock_destroy(pthread_rwlock_t *);
int pthread_rwlock_rdlock(pthread_rwlock_t *);
int pthread_rwlock_wrlock(pthread_rwlock_t *);
int pthread_rwlock_tryrdlock(pthread_rwlock_t *);
int pthread_rwlock_trywrlock(pthread_rwlock_t *);
int pthread_rwlock_unlock(pthread_rwlock_t *);
int pthread_cond_init(pthread_cond_t *, const pthread_condattr_t *);
int pthread_cond_destroy(pthread_cond_t *);
int pthread_cond_wait(pthread_cond_t *, pthread_mutex_t *);
int pthread_cond_signal(pthread_cond_t *);
int pthread_cond_broadcast(pthread_cond_t *);

#endif
