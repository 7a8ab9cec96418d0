// Insertion into a sorted lock-free list (Harris without deletion): two
// threads insert, all keys are there, in order. BUG: linking is relaxed.
//
// expect: model=sc executions=4 verdict=SOUND
// expect: model=rc11 executions=4 verdict=SOUND
// expect: model=rc11 verdict=VIOLATION kind=data-race flags=-DBUG
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>

#ifdef BUG
#define LINK memory_order_relaxed
#else
#define LINK memory_order_release
#endif

struct node {
    int key;
    _Atomic(struct node *) next;
};

static struct node head;

static void insert(int key)
{
    struct node *n = malloc(sizeof *n);

    n->key = key;
    for (;;) {
        struct node *before = &head;
        struct node *after =
            atomic_load_explicit(&before->next, memory_order_acquire);
        while (after && after->key < key) {
            before = after;
            after = atomic_load_explicit(&after->next, memory_order_acquire);
        }
        atomic_store_explicit(&n->next, after, memory_order_relaxed);
        if (atomic_compare_exchange_strong_explicit(
                &before->next, &after, n, LINK, memory_order_relaxed))
            return;
    }
}

static void *inserter(void *arg)
{
    insert((int)(intptr_t)arg);
    return NULL;
}

int main(void)
{
    pthread_t t1, t2;

    insert(2);
    pthread_create(&t1, NULL, inserter, (void *)3);
    pthread_create(&t2, NULL, inserter, (void *)4);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);

    int expected = 2;
    for (struct node *n = atomic_load(&head.next); n;
         n = atomic_load(&n->next))
        assert(n->key == expected++);
    assert(expected == 5);
    return 0;
}
