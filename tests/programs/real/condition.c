// A bounded buffer under a mutex, polled: producer and consumer take turns
// through the lock. BUG: the consumer looks without the lock.
//
// expect: model=sc executions=2 verdict=SOUND
// expect: model=rc11 executions=2 verdict=SOUND
// expect: model=rc11 verdict=VIOLATION kind=data-race flags=-DBUG
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int buffer, filled;

static void *producer(void *unused)
{
    (void)unused;
    pthread_mutex_lock(&mutex);
    buffer = 7;
    filled = 1;
    pthread_mutex_unlock(&mutex);
    return NULL;
}

static void *consumer(void *unused)
{
    (void)unused;
#ifndef BUG
    pthread_mutex_lock(&mutex);
#endif
    if (filled)
        assert(buffer == 7);
#ifndef BUG
    pthread_mutex_unlock(&mutex);
#endif
    return NULL;
}

int main(void)
{
    pthread_t p, c;

    pthread_create(&p, NULL, producer, NULL);
    pthread_create(&c, NULL, consumer, NULL);
    pthread_join(p, NULL);
    pthread_join(c, NULL);
    return 0;
}
