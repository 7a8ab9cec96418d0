// Michael and Scott's queue with allocated nodes. N producers add a value each,
// main takes values meanwhile and after. BUG: linking a node is relaxed.
//
// expect: model=sc executions=34 verdict=SOUND
// expect: model=tso verdict=SOUND
// expect: model=rc11 executions=34 verdict=SOUND
// expect: model=rc11 verdict=SOUND flags=-DN=3 bench
// expect: model=rc11 verdict=VIOLATION kind=data-race flags=-DBUG
// expect: mapping=c11-x86-xchg arch=x86_64 verdict=SOUND
// expect: mapping=c11-aarch64 arch=aarch64 verdict=SOUND
// expect: mapping=c11-aarch64-lse arch=aarch64 verdict=SOUND
// expect: mapping=c11-power-leading-sync arch=ppc64le verdict=SOUND
// expect: mapping=c11-power-leading-sync arch=ppc64 verdict=SOUND
// expect: mapping=weak-aarch64-cas.map arch=aarch64 verdict=MISCOMPILED
// expect: mapping=weak-power-cas.map arch=ppc64le verdict=MISCOMPILED
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>

#ifndef N
#define N 2
#endif

#ifdef BUG
#define LINK memory_order_relaxed
#else
#define LINK memory_order_release
#endif

struct node {
    int value;
    _Atomic(struct node *) next;
};

static _Atomic(struct node *) head, tail;

static struct node *node_new(int value)
{
    struct node *n = malloc(sizeof *n);

    n->value = value;
    atomic_init(&n->next, NULL);
    return n;
}

static void enqueue(int value)
{
    struct node *n = node_new(value);

    for (;;) {
        struct node *t = atomic_load_explicit(&tail, memory_order_acquire);
        struct node *next = atomic_load_explicit(&t->next, memory_order_acquire);
        if (!next) {
            if (atomic_compare_exchange_strong_explicit(
                    &t->next, &next, n, LINK, memory_order_relaxed)) {
                atomic_compare_exchange_strong_explicit(
                    &tail, &t, n, LINK, memory_order_relaxed);
                return;
            }
        } else { // help the one who was slower
            atomic_compare_exchange_strong_explicit(
                &tail, &t, next, LINK, memory_order_relaxed);
        }
    }
}

// The oldest value, or 0 if the queue is empty.
static int dequeue(void)
{
    for (;;) {
        struct node *h = atomic_load_explicit(&head, memory_order_acquire);
        struct node *t = atomic_load_explicit(&tail, memory_order_acquire);
        struct node *next = atomic_load_explicit(&h->next, memory_order_acquire);
        if (!next)
            return 0;
        if (h == t)
            atomic_compare_exchange_strong_explicit(
                &tail, &t, next, LINK, memory_order_relaxed);
        if (atomic_compare_exchange_strong_explicit(
                &head, &h, next, memory_order_release, memory_order_relaxed))
            return next->value;
    }
}

static void *producer(void *arg)
{
    enqueue((int)(intptr_t)arg);
    return NULL;
}

int main(void)
{
    pthread_t t[N];
    int sum = 0;

    struct node *dummy = node_new(0);
    atomic_init(&head, dummy);
    atomic_init(&tail, dummy);
    for (intptr_t k = 1; k <= N; k++)
        pthread_create(&t[k - 1], NULL, producer, (void *)k);
    sum += dequeue();
    for (int k = 0; k < N; k++)
        pthread_join(t[k], NULL);
    for (int value; (value = dequeue());)
        sum += value;
    assert(sum == N * (N + 1) / 2);
    return 0;
}
