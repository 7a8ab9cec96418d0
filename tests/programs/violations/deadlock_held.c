// A thread ends with a mutex held that another one waits for.
//
// expect: model=rc11 verdict=VIOLATION kind=deadlock exit=1
#include <pthread.h>
#include <stddef.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void *take(void *unused)
{
    (void)unused;
    pthread_mutex_lock(&mutex);
    return NULL;
}

int main(void)
{
    pthread_t t1, t2;

    pthread_create(&t1, NULL, take, NULL);
    pthread_create(&t2, NULL, take, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    return 0;
}
