/* Locations of every kind, one thread. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct queue {
    int size;
    struct {
        long key;
        struct queue *next;
    } slots[4];
};

int x = 41;
struct queue q;
short grid[3][5];
static atomic_int hidden;

static void *child(void *argument)
{
    *(int *)argument = 7;
    return argument;
}

int main(void)
{
    pthread_t t;
    volatile int local = 5;
    struct queue *heap = malloc(sizeof *heap);
    atomic_fetch_add(&hidden, 1);
    q.slots[2].key = x;
    grid[2][3] = 9;
    q.slots[0].next = heap;
    heap->slots[1].key = 3;
    pthread_create(&t, NULL, child, (void *)&local);
    pthread_join(t, NULL);
    return local;
}
