// Two threads wait for each other in turn, ROUNDS times: one execution.
//
// expect: model=sc executions=1 verdict=SOUND
// expect: model=tso executions=1 verdict=SOUND
// expect: model=rc11 executions=1 verdict=SOUND
// expect: model=rc11 executions=1 verdict=SOUND flags=-DROUNDS=10
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

#ifndef ROUNDS
#define ROUNDS 2
#endif

static atomic_int turn;
static int hits;

static void *player(void *arg)
{
    int side = (int)(intptr_t)arg;

    for (int round = 0; round < ROUNDS; round++) {
        int mine = 2 * round + side;
        while (atomic_load_explicit(&turn, memory_order_acquire) != mine)
            ;
        assert(hits++ == mine);
        atomic_store_explicit(&turn, mine + 1, memory_order_release);
    }
    return NULL;
}

int main(void)
{
    pthread_t a, b;

    pthread_create(&a, NULL, player, (void *)0);
    pthread_create(&b, NULL, player, (void *)1);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(hits == 2 * ROUNDS);
    return 0;
}
