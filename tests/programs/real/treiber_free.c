// Treiber's stack whose popper frees the node at once: another popper may
// still read it. The FIX variant lets only one thread pop.
//
// expect: model=sc verdict=VIOLATION kind=use-after-free
// expect: model=rc11 verdict=VIOLATION kind=use-after-free
// expect: model=rc11 verdict=SOUND flags=-DFIX
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct node {
    int value;
    struct node *next;
};

static _Atomic(struct node *) top;

static void push(int value)
{
    struct node *n = malloc(sizeof *n);

    n->value = value;
    n->next = atomic_load(&top);
    while (!atomic_compare_exchange_strong(&top, &n->next, n))
        ;
}

static void *pop(void *unused)
{
    struct node *n = atomic_load(&top);

    (void)unused;
    while (n && !atomic_compare_exchange_strong(&top, &n, n->next))
        ;
    if (n) {
        assert(n->value == 1 || n->value == 2);
        free(n);
    }
    return NULL;
}

static void *pusher(void *unused)
{
    (void)unused;
    push(2);
    return NULL;
}

int main(void)
{
    pthread_t t1, t2;

    push(1);
    pthread_create(&t1, NULL, pop, NULL);
#ifdef FIX
    pthread_create(&t2, NULL, pusher, NULL);
#else
    push(2);
    (void)pusher;
    pthread_create(&t2, NULL, pop, NULL);
#endif
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    return 0;
}
