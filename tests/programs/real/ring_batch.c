// A ring of words for one writer and one reader that move as many at a time as
// there is room or there are items: counts by min, places by compare and
// select, not by a mask; the reader keeps the highest fill that it saw for the
// writer, without any order. On Power the selections are isel. BUG: the reader
// gives slots back with a relaxed store.
//
// expect: model=sc verdict=SOUND
// expect: model=tso verdict=SOUND
// expect: model=rc11 verdict=SOUND
// expect: model=rc11 verdict=VIOLATION kind=data-race flags=-DBUG
#include <hwcheck.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

#define SLOTS 3u
#define ITEMS 4u

#ifdef BUG
#define GIVE_BACK memory_order_relaxed
#else
#define GIVE_BACK memory_order_release
#endif

struct ring {
    atomic_uint head, tail; // both count up to 2 * SLOTS
    atomic_uint peak;
    int slots[SLOTS];
};

static struct ring ring;
static int got[ITEMS];

static unsigned min(unsigned a, unsigned b)
{
    return a < b ? a : b;
}

static unsigned used(unsigned head, unsigned tail)
{
    return head >= tail ? head - tail : head + 2 * SLOTS - tail;
}

static unsigned place(unsigned at)
{
    return at >= SLOTS ? at - SLOTS : at;
}

static unsigned forward(unsigned at, unsigned n)
{
    at += n;
    return at >= 2 * SLOTS ? at - 2 * SLOTS : at;
}

static void note_fill(struct ring *r)
{
    unsigned head = atomic_load_explicit(&r->head, memory_order_relaxed);
    unsigned tail = atomic_load_explicit(&r->tail, memory_order_relaxed);
    unsigned peak = atomic_load_explicit(&r->peak, memory_order_relaxed);
    unsigned now = used(head, tail);

    atomic_store_explicit(&r->peak, now > peak ? now : peak,
                          memory_order_relaxed);
}

static unsigned put(struct ring *r, const int *items, unsigned n)
{
    unsigned head = atomic_load_explicit(&r->head, memory_order_relaxed);
    unsigned tail = atomic_load_explicit(&r->tail, memory_order_acquire);

    n = min(n, SLOTS - used(head, tail));
    for (unsigned i = 0; i < n; i++)
        r->slots[place(forward(head, i))] = items[i];
    atomic_store_explicit(&r->head, forward(head, n), memory_order_release);
    return n;
}

static unsigned take(struct ring *r, int *items, unsigned n)
{
    unsigned tail = atomic_load_explicit(&r->tail, memory_order_relaxed);
    unsigned head = atomic_load_explicit(&r->head, memory_order_acquire);

    n = min(n, used(head, tail));
    for (unsigned i = 0; i < n; i++)
        items[i] = r->slots[place(forward(tail, i))];
    atomic_store_explicit(&r->tail, forward(tail, n), GIVE_BACK);
    return n;
}

static void *writer(void *unused)
{
    static const int items[ITEMS] = {1, 2, 3, 4};
    unsigned n = put(&ring, items, 3);

    put(&ring, items + n, ITEMS - n);
    observe("peak",
            (long)atomic_load_explicit(&ring.peak, memory_order_relaxed));
    return unused;
}

int main(void)
{
    pthread_t t;
    unsigned n = 0;

    pthread_create(&t, NULL, writer, NULL);
    note_fill(&ring);
    n += take(&ring, got, 2);
    n += take(&ring, got + n, 2);
    pthread_join(t, NULL);
    for (unsigned i = 0; i < n; i++)
        if (got[i] != (int)i + 1)
            observe("out of order", got[i]);
    observe("n", (long)n);
    return 0;
}
