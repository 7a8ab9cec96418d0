// Threads of both kinds, with locks, barriers, once-only calls and the rest.
//
// expect: model=rc11 verdict=SOUND
// expect: model=sc verdict=SOUND
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <stddef.h>
#include <threads.h>

static pthread_once_t once = PTHREAD_ONCE_INIT;
static pthread_barrier_t barrier;
static pthread_rwlock_t rwlock = PTHREAD_RWLOCK_INITIALIZER;
static mtx_t mutex;
static sem_t semaphore;
static int initialised, before, shared;
static _Thread_local int mine = 1;

static void initialise(void) { initialised++; }

static int worker(void *arg)
{
    mine += *(int *)arg;
    call_once(&once, initialise);
    assert(initialised == 1);
    pthread_rwlock_rdlock(&rwlock);
    assert(before == 1);
    pthread_rwlock_unlock(&rwlock);
    mtx_lock(&mutex);
    shared += mine;
    mtx_unlock(&mutex);
    sem_post(&semaphore);
    return mine;
}

static void *waiter(void *arg)
{
    pthread_barrier_wait(&barrier);
    sem_wait(&semaphore);
    pthread_exit(arg);
}

int main(void)
{
    thrd_t t;
    pthread_t p;
    int argument = 4, result = 0;
    void *pointer;

    pthread_rwlock_wrlock(&rwlock);
    before = 1;
    pthread_rwlock_unlock(&rwlock);
    mtx_init(&mutex, mtx_plain);
    sem_init(&semaphore, 0, 0);
    pthread_barrier_init(&barrier, NULL, 2);
    assert(thrd_create(&t, worker, &argument) == thrd_success);
    assert(pthread_create(&p, NULL, waiter, &shared) == 0);
    pthread_barrier_wait(&barrier);
    assert(thrd_join(t, &result) == thrd_success && result == 5);
    assert(pthread_join(p, &pointer) == 0 && pointer == &shared);
    assert(shared == 5 && mine == 1);
    mtx_destroy(&mutex);
    pthread_barrier_destroy(&barrier);
    return 0;
}
