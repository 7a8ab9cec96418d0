// Vyukov's bounded queue: each cell has a sequence number that says whose turn
// it is. Two producers, one consumer. BUG: the producer's hand-over is relaxed.
//
// expect: model=sc executions=14 verdict=SOUND
// expect: model=rc11 executions=14 verdict=SOUND
// expect: model=rc11 verdict=VIOLATION kind=data-race flags=-DBUG
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#define CELLS 2u

#ifdef BUG
#define HAND_OVER memory_order_relaxed
#else
#define HAND_OVER memory_order_release
#endif

struct cell {
    atomic_uint turn;
    int value;
};

static struct cell cells[CELLS];
static atomic_uint put_at, take_at;

static bool put(int value)
{
    unsigned at = atomic_load_explicit(&put_at, memory_order_relaxed);

    for (;;) {
        struct cell *c = &cells[at % CELLS];
        unsigned turn = atomic_load_explicit(&c->turn, memory_order_acquire);
        if (turn == at) {
            if (atomic_compare_exchange_strong_explicit(
                    &put_at, &at, at + 1, memory_order_relaxed,
                    memory_order_relaxed)) {
                c->value = value;
                atomic_store_explicit(&c->turn, at + 1, HAND_OVER);
                return true;
            }
        } else if ((int)(turn - at) < 0) {
            return false; // full
        } else {
            at = atomic_load_explicit(&put_at, memory_order_relaxed);
        }
    }
}

static bool take(int *value)
{
    unsigned at = atomic_load_explicit(&take_at, memory_order_relaxed);

    for (;;) {
        struct cell *c = &cells[at % CELLS];
        unsigned turn = atomic_load_explicit(&c->turn, memory_order_acquire);
        if (turn == at + 1) {
            if (atomic_compare_exchange_strong_explicit(
                    &take_at, &at, at + 1, memory_order_relaxed,
                    memory_order_relaxed)) {
                *value = c->value;
                atomic_store_explicit(&c->turn, at + CELLS,
                                      memory_order_release);
                return true;
            }
        } else if ((int)(turn - (at + 1)) < 0) {
            return false; // empty
        } else {
            at = atomic_load_explicit(&take_at, memory_order_relaxed);
        }
    }
}

static void *producer(void *arg)
{
    bool there_is_room = put((int)(intptr_t)arg);

    assert(there_is_room);
    return NULL;
}

int main(void)
{
    pthread_t p1, p2;
    int sum = 0, value;

    for (unsigned k = 0; k < CELLS; k++)
        atomic_init(&cells[k].turn, k);
    pthread_create(&p1, NULL, producer, (void *)1);
    pthread_create(&p2, NULL, producer, (void *)2);
    if (take(&value))
        sum += value;
    pthread_join(p1, NULL);
    pthread_join(p2, NULL);
    while (take(&value))
        sum += value;
    assert(sum == 3);
    return 0;
}
