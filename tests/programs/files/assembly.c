/* Store buffering by inline assembly for x86-64, whose meaning in C stands
 * beside it. With WEAK the fence is left out. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

atomic_int x, y;
int r1, r2;
static int total;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void put(atomic_int *at)
{
#ifdef __HWCHECK_SOURCE__
    atomic_store(at, 1);
#elif defined WEAK
    __asm__ volatile("movl $1, %0" : "=m"(*at) : : "memory");
#else
    __asm__ volatile("movl $1, %0; mfence" : "=m"(*at) : : "memory");
#endif
}

static void count(void)
{
    pthread_mutex_lock(&lock);
    total++;
    pthread_mutex_unlock(&lock);
}

static void *left(void *arg)
{
    put(&x);
    r1 = atomic_load(&y);
    count();
    return arg;
}

static void *right(void *arg)
{
    put(&y);
    r2 = atomic_load(&x);
    return arg;
}

int main(void)
{
    pthread_t t, u;
    pthread_create(&t, 0, left, 0);
    pthread_create(&u, 0, right, 0);
    pthread_join(t, 0);
    pthread_join(u, 0);
    assert(total == 1 && r1 == 1);
    return 0;
}
