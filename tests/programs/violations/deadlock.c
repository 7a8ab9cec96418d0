// Two mutexes taken in opposite order.
//
// expect: model=sc verdict=VIOLATION kind=deadlock exit=1
// expect: model=rc11 verdict=VIOLATION kind=deadlock exit=1
// expect: model=rc11 verdict=SOUND flags=-DFIX exit=0
#include <pthread.h>
#include <stddef.h>

static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t b = PTHREAD_MUTEX_INITIALIZER;

static void *a_then_b(void *unused)
{
    (void)unused;
    pthread_mutex_lock(&a);
    pthread_mutex_lock(&b);
    pthread_mutex_unlock(&b);
    pthread_mutex_unlock(&a);
    return NULL;
}

static void *b_then_a(void *unused)
{
    (void)unused;
    pthread_mutex_lock(&b);
    pthread_mutex_lock(&a);
    pthread_mutex_unlock(&a);
    pthread_mutex_unlock(&b);
    return NULL;
}

int main(void)
{
    pthread_t t1, t2;

    pthread_create(&t1, NULL, a_then_b, NULL);
#ifdef FIX
    (void)b_then_a;
    pthread_create(&t2, NULL, a_then_b, NULL);
#else
    pthread_create(&t2, NULL, b_then_a, NULL);
#endif
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    return 0;
}
