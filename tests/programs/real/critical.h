// The test of a lock: THREADS threads enter ROUNDS times each and add to a
// plain counter. Included by programs that define lock(id) and unlock(id).
// A lock that lets two in, or does not pass the counter on, shows as a data
// race, a lost addition or both.
#include <assert.h>
#include <pthread.h>
#include <stdint.h>

#ifndef THREADS
#define THREADS 2
#endif
#ifndef ROUNDS
#define ROUNDS 1
#endif

static int counter;

static void *enter(void *arg)
{
    int id = (int)(intptr_t)arg;

    for (int round = 0; round < ROUNDS; round++) {
        lock(id);
        counter++;
        unlock(id);
    }
    return NULL;
}

int main(void)
{
    pthread_t t[THREADS];

    for (intptr_t id = 0; id < THREADS; id++)
        pthread_create(&t[id], NULL, enter, (void *)id);
    for (int id = 0; id < THREADS; id++)
        pthread_join(t[id], NULL);
    assert(counter == THREADS * ROUNDS);
    return 0;
}
