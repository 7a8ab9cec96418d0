// A ring with two readers that both see every item: the writer goes no further
// than one round ahead of the slower one, the minimum of their cursors, and
// remembers it. BUG: the readers' cursors are relaxed. (On AArch64 clang breaks
// the correct one: docs/FINDINGS.md.)
//
// expect: model=sc verdict=SOUND
// expect: model=rc11 verdict=SOUND
// expect: model=rc11 verdict=VIOLATION kind=data-race flags=-DBUG
#include <hwcheck.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

#define SLOTS   2u
#define READERS 2
#define ITEMS   3u

#ifdef BUG
#define GIVE_BACK memory_order_relaxed
#else
#define GIVE_BACK memory_order_release
#endif

static int slots[SLOTS];
static atomic_uint published, cursors[READERS];
static int sums[READERS];

static unsigned slowest(void)
{
    unsigned least = UINT32_MAX;

    for (int i = 0; i < READERS; i++) {
        unsigned at = atomic_load_explicit(&cursors[i], memory_order_acquire);
        least = at < least ? at : least;
    }
    return least;
}

static void *reader(void *arg)
{
    int self = (int)(intptr_t)arg;
    unsigned at = 0, limit = self == 0 ? ITEMS : 1;
    unsigned to = atomic_load_explicit(&published, memory_order_acquire);

    to = to > limit ? limit : to;
    while (at < to)
        sums[self] += slots[at++ % SLOTS];
    atomic_store_explicit(&cursors[self], at, GIVE_BACK);
    return NULL;
}

int main(void)
{
    pthread_t t[READERS];
    unsigned gate = 0, refused = 0, at = 0;

    for (int i = 0; i < READERS; i++)
        pthread_create(&t[i], NULL, reader, (void *)(intptr_t)i);
    for (int k = 1; k <= (int)ITEMS; k++) {
        if (at - gate == SLOTS)
            gate = slowest();
        if (at - gate == SLOTS) {
            refused++;
            continue;
        }
        slots[at % SLOTS] = k;
        atomic_store_explicit(&published, ++at, memory_order_release);
    }
    for (int i = 0; i < READERS; i++)
        pthread_join(t[i], NULL);
    observe("refused", (long)refused);
    return 0;
}
