// An unlock of a mutex that another thread holds.
//
// expect: model=rc11 verdict=VIOLATION kind=mutex-misuse at=here exit=1
#include <pthread.h>
#include <stddef.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void *other(void *unused)
{
    (void)unused;
    pthread_mutex_unlock(&mutex); // <- here
    return NULL;
}

int main(void)
{
    pthread_t t;

    pthread_mutex_lock(&mutex);
    pthread_create(&t, NULL, other, NULL);
    pthread_join(t, NULL);
    return 0;
}
