// A bounded buffer of one, with condition variables. BUG: the consumer does not
// look whether there is anything before it waits, so a signal may be lost.
//
// expect: model=rc11 verdict=SOUND
// expect: model=rc11 verdict=VIOLATION kind=deadlock flags=-DBUG
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t filled = PTHREAD_COND_INITIALIZER;
static int full, value;

static void *produce(void *unused)
{
    (void)unused;
    pthread_mutex_lock(&mutex);
    value = 7;
    full = 1;
    pthread_cond_signal(&filled);
    pthread_mutex_unlock(&mutex);
    return NULL;
}

int main(void)
{
    pthread_t t;

    pthread_create(&t, NULL, produce, NULL);
    pthread_mutex_lock(&mutex);
#ifdef BUG
    pthread_cond_wait(&filled, &mutex);
#else
    while (!full)
        pthread_cond_wait(&filled, &mutex);
#endif
    assert(value == 7);
    pthread_mutex_unlock(&mutex);
    pthread_join(t, NULL);
    return 0;
}
