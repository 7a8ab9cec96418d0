/* Mutexes and the like of <pthread.h>, <threads.h> and <semaphore.h>. */
#include "ordinary.h"

#include <semaphore.h>
#include <threads.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int counter;

static void *count(void *unused)
{
    pthread_mutex_lock(&mutex);
    counter++;
    pthread_mutex_unlock(&mutex);
    return unused;
}

static void *count_twice(void *unused)
{
    pthread_mutex_lock(&mutex);
    counter += PLANT(2, 3);
    pthread_mutex_unlock(&mutex);
    return unused;
}

int test_mutex(void)
{
    both(count, count_twice);
    return 0;
}

/* Made and destroyed at run time. */
static struct {
    pthread_mutex_t lock;
    int value;
} guarded;

static void *add(void *unused)
{
    pthread_mutex_lock(&guarded.lock);
    guarded.value += PLANT(5, 6);
    pthread_mutex_unlock(&guarded.lock);
    return unused;
}

int test_mutex_in_struct(void)
{
    pthread_mutex_init(&guarded.lock, NULL);
    both(add, add);
    pthread_mutex_destroy(&guarded.lock);
    return 0;
}

/* Whoever does not get it leaves. */
static int tries, misses[2];

static void *try_left(void *unused)
{
    if (pthread_mutex_trylock(&mutex) == 0) {
        tries += PLANT(1, 2);
        pthread_mutex_unlock(&mutex);
    } else
        misses[0] = 1;
    return unused;
}

static void *try_right(void *unused)
{
    if (pthread_mutex_trylock(&mutex) == 0) {
        tries++;
        pthread_mutex_unlock(&mutex);
    } else
        misses[1] = 1;
    return unused;
}

int test_trylock(void)
{
    both(try_left, try_right);
    return 0;
}

/* Taken again by its owner. */
static pthread_mutex_t again;
static int depth;

static void *nest(void *unused)
{
    pthread_mutex_lock(&again);
    pthread_mutex_lock(&again);
    depth += PLANT(1, 2);
    pthread_mutex_unlock(&again);
    pthread_mutex_unlock(&again);
    return unused;
}

int test_recursive(void)
{
    pthread_mutexattr_t kind;
    pthread_mutexattr_init(&kind);
    pthread_mutexattr_settype(&kind, PTHREAD_MUTEX_RECURSIVE);
    pthread_mutex_init(&again, &kind);
    both(nest, nest);
    return 0;
}

static pthread_rwlock_t rwlock = PTHREAD_RWLOCK_INITIALIZER;
static int shared_value, read_value;

static void *read_it(void *unused)
{
    pthread_rwlock_rdlock(&rwlock);
    read_value = shared_value;
    pthread_rwlock_unlock(&rwlock);
    return unused;
}

static void *write_it(void *unused)
{
    pthread_rwlock_wrlock(&rwlock);
    shared_value = 1;
    shared_value = PLANT(2, 3);
    pthread_rwlock_unlock(&rwlock);
    return unused;
}

int test_rwlock(void)
{
    both(read_it, write_it);
    return 0;
}

static sem_t semaphore;
static int item, got;

static void *post(void *unused)
{
    item = PLANT(8, 9);
    sem_post(&semaphore);
    return unused;
}

static void *await(void *unused)
{
    sem_wait(&semaphore);
    got = item;
    return unused;
}

int test_semaphore(void)
{
    sem_init(&semaphore, 0, 0);
    both(post, await);
    return 0;
}

static pthread_barrier_t barrier;
static int halves[2], sums[2];

static void *meet_left(void *unused)
{
    halves[0] = 1;
    pthread_barrier_wait(&barrier);
    sums[0] = halves[0] + halves[1];
    return unused;
}

static void *meet_right(void *unused)
{
    halves[1] = PLANT(2, 3);
    pthread_barrier_wait(&barrier);
    sums[1] = halves[0] - halves[1];
    return unused;
}

int test_barrier(void)
{
    pthread_barrier_init(&barrier, NULL, 2);
    both(meet_left, meet_right);
    return 0;
}

static mtx_t mtx;
static int under_mtx;

static int lock_mtx(void *by)
{
    mtx_lock(&mtx);
    under_mtx += *(int *)by;
    mtx_unlock(&mtx);
    return PLANT(3, 4);
}
static int thread_results[2];

int test_c11_threads(void)
{
    static int by[2] = {1, 2};
    thrd_t a, b;
    mtx_init(&mtx, mtx_plain);
    thrd_create(&a, lock_mtx, &by[0]);
    thrd_create(&b, lock_mtx, &by[1]);
    thrd_join(a, &thread_results[0]);
    thrd_join(b, &thread_results[1]);
    mtx_destroy(&mtx);
    return 0;
}

/* What a thread returns. */
static int results[2];

static void *give(void *p)
{
    *(int *)p = PLANT(6, 7);
    return p;
}

int test_result_of_thread(void)
{
    pthread_t t;
    void *result;
    pthread_create(&t, NULL, give, &results[0]);
    pthread_join(t, &result);
    results[1] = *(int *)result + 1;
    return 0;
}

/* A thread that leaves from within. */
static int left_at;

static __attribute__((noinline)) void leave(int n)
{
    left_at = n;
    if (n == PLANT(2, 3))
        pthread_exit(NULL);
}

static void *go(void *unused)
{
    for (int i = 0; i < 5; i++)
        leave(i);
    return unused;
}

int test_exit_of_thread(void)
{
    both(go, count);
    return 0;
}

int main(void)
{
    return 0;
}
