/* C11 threads as hwcheck knows them. */
#ifndef _THREADS_H
#define _THREADS_H

#include <time.h>

typedef unsigned long thrd_t;
typedef int (*thrd_start_t)(void *);
typedef struct {
    int __word[10];
} mtx_t;
typedef int once_flag;
#define ONCE_FLAG_INIT 0
#define thread_local   _Thread_local

enum { thrd_success, thrd_busy, thrd_error, thrd_nomem, thrd_timedout };
enum { mtx_plain = 0, mtx_recursive = 1, mtx_timed = 2 };

int thrd_create(thrd_t *, thrd_start_t, void *);
int thrd_join(thrd_t, int *);
int thrd_detach(thrd_t);
thrd_t thrd_current(void);
int thrd_equal(thrd_t, thrd_t);
_Noreturn void thrd_exit(int);
void thrd_yield(void);
int mtx_init(mtx_t *, int);
void mtx_destroy(mtx_t *);
int mtx_lock(mtx_t *);
int mtx_trylock(mtx_t *);
int mtx_unlock(mtx_t *);
void call_once(once_flag *, void (*)(void));

typedef struct {
    unsigned __word;
    int __rest[11];
} cnd_t;
int cnd_init(cnd_t *);
void cnd_destroy(cnd_t *);
int cnd_wait(cnd_t *, mtx_t *);
int cnd_signal(cnd_t *);
int cnd_broadcast(cnd_t *);

#endif
