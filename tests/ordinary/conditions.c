/* Condition variables. */
#include "ordinary.h"

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int item, taken;

static void *put(void *unused)
{
    pthread_mutex_lock(&mutex);
    item = PLANT(4, 5);
    pthread_cond_signal(&changed);
    pthread_mutex_unlock(&mutex);
    return unused;
}

static void *take(void *unused)
{
    pthread_mutex_lock(&mutex);
    while (!item)
        pthread_cond_wait(&changed, &mutex);
    taken = item;
    pthread_mutex_unlock(&mutex);
    return unused;
}

int test_signal(void)
{
    both(put, take);
    return 0;
}

int main(void)
{
    return 0;
}
