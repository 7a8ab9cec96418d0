// A stack whose top is a pointer with a counter beside it, so that a pop cannot
// take a node for another that came to the same place: two threads pop and push
// back what they got.
//
// expect: verdict=SOUND
// expect: mapping=native arch=x86_64 verdict=SOUND flags=-mcx16
// expect: mapping=native arch=aarch64 verdict=SOUND flags=-march=armv8-a
// expect: mapping=native arch=aarch64 verdict=SOUND flags=-march=armv8.1-a
// expect: mapping=native arch=aarch64 verdict=SOUND flags=-march=armv8.4-a
// expect: mapping=c11-aarch64-lse2 arch=aarch64 verdict=SOUND
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

struct node {
    struct node *_Atomic next;
    int value;
};

struct top {
    struct node *node;
    long count;
} __attribute__((aligned(16)));

static struct node nodes[2] = {{&nodes[1], 1}, {NULL, 2}};
_Atomic struct top top = (struct top){nodes, 0};
int got[2];

static struct node *pop(void)
{
    struct top old = atomic_load_explicit(&top, memory_order_acquire), new;
    do {
        if (!old.node)
            return NULL;
        new.node = atomic_load_explicit(&old.node->next, memory_order_relaxed);
        new.count = old.count + 1;
    } while (!atomic_compare_exchange_weak_explicit(
        &top, &old, new, memory_order_acquire, memory_order_acquire));
    return old.node;
}

static void push(struct node *n)
{
    struct top old = atomic_load_explicit(&top, memory_order_relaxed), new;
    do {
        atomic_store_explicit(&n->next, old.node, memory_order_relaxed);
        new = (struct top){n, old.count + 1};
    } while (!atomic_compare_exchange_weak_explicit(
        &top, &old, new, memory_order_release, memory_order_relaxed));
}

static void *worker(void *me)
{
    struct node *n = pop();
    if (n) {
        got[(long)me] = n->value;
        push(n);
    }
    return NULL;
}

int main(void)
{
    pthread_t t[2];
    for (long i = 0; i < 2; i++)
        pthread_create(&t[i], 0, worker, (void *)i);
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], 0);
    struct top end = atomic_load_explicit(&top, memory_order_relaxed);
    assert(end.count == 4);
    return 0;
}
