// Treiber's stack with allocated nodes. N threads push one value and pop one.
// Nodes are not reused, so there is no ABA problem. BUG: pushing is relaxed,
// and a popper may read a node that it does not see filled.
//
// expect: model=sc executions=40 verdict=SOUND
// expect: model=tso verdict=SOUND
// expect: model=rc11 executions=40 verdict=SOUND
// expect: model=rc11 verdict=SOUND flags=-DN=3 slow
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
#define PUBLISH memory_order_relaxed
#else
#define PUBLISH memory_order_release
#endif

struct node {
    int value;
    struct node *next;
};

static _Atomic(struct node *) top;
static atomic_int popped[N];

static void push(int value)
{
    struct node *n = malloc(sizeof *n);

    n->value = value;
    n->next = atomic_load_explicit(&top, memory_order_relaxed);
    while (!atomic_compare_exchange_strong_explicit(
        &top, &n->next, n, PUBLISH, memory_order_relaxed))
        ;
}

// The popped value, or -1 if the stack is empty.
static int pop(void)
{
    struct node *n = atomic_load_explicit(&top, memory_order_acquire);

    while (n && !atomic_compare_exchange_strong_explicit(
                    &top, &n, n->next, memory_order_acquire,
                    memory_order_acquire))
        ;
    return n ? n->value : -1;
}

static void *push_and_pop(void *arg)
{
    push((int)(intptr_t)arg);

    int value = pop();
    assert(value >= 0 && value < N); // one's own push came before
    assert(atomic_exchange(&popped[value], 1) == 0);
    return NULL;
}

int main(void)
{
    pthread_t t[N];

    for (intptr_t k = 0; k < N; k++)
        pthread_create(&t[k], NULL, push_and_pop, (void *)k);
    for (int k = 0; k < N; k++)
        pthread_join(t[k], NULL);
    for (int k = 0; k < N; k++)
        assert(atomic_load(&popped[k]));
    assert(!atomic_load(&top));
    return 0;
}
