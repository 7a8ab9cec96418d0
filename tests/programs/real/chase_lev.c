// Chase and Lev's work-stealing deque (the C11 version of Le et al.), of fixed
// size: the owner adds two items and takes one, thieves steal twice. No item
// is handed out twice. BUG: no seq_cst fence in take, so that the owner may
// miss what a thief took.
//
// expect: model=sc executions=38 verdict=SOUND
// expect: model=tso verdict=SOUND
// expect: model=rc11 executions=38 verdict=SOUND
// expect: model=rc11 verdict=VIOLATION kind=assertion-failed flags=-DBUG
// expect: model=tso verdict=VIOLATION kind=assertion-failed flags=-DBUG
// expect: model=sc verdict=SOUND flags=-DBUG
// expect: mapping=c11-x86-xchg arch=x86_64 verdict=SOUND
// expect: mapping=c11-aarch64 arch=aarch64 verdict=SOUND
// expect: mapping=c11-aarch64-lse arch=aarch64 verdict=SOUND
// expect: mapping=c11-power-leading-sync arch=ppc64le verdict=SOUND
// expect: mapping=c11-power-leading-sync arch=ppc64 verdict=SOUND
// expect: mapping=bad-x86-sc-fence arch=x86_64 verdict=MISCOMPILED
// expect: mapping=weak-aarch64-fence.map arch=aarch64 verdict=MISCOMPILED
// expect: mapping=weak-power-fence.map arch=ppc64le verdict=MISCOMPILED
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

#define CAPACITY 4
#ifndef ITEMS
#define ITEMS 2
#endif
#ifndef THIEVES
#define THIEVES 1
#endif

static atomic_int top, bottom;
static atomic_int items[CAPACITY];
static atomic_int handed_out[ITEMS + 1];

static void put(int item)
{
    int b = atomic_load_explicit(&bottom, memory_order_relaxed);
    int t = atomic_load_explicit(&top, memory_order_acquire);

    assert(b - t < CAPACITY);
    atomic_store_explicit(&items[b % CAPACITY], item, memory_order_relaxed);
    atomic_thread_fence(memory_order_release);
    atomic_store_explicit(&bottom, b + 1, memory_order_relaxed);
}

// The newest item, or 0 if there is none left.
static int take(void)
{
    int b = atomic_load_explicit(&bottom, memory_order_relaxed) - 1;

    atomic_store_explicit(&bottom, b, memory_order_relaxed);
#ifndef BUG
    atomic_thread_fence(memory_order_seq_cst);
#endif
    int t = atomic_load_explicit(&top, memory_order_relaxed);
    int item = 0;
    if (t <= b) {
        item = atomic_load_explicit(&items[b % CAPACITY], memory_order_relaxed);
        if (t < b)
            return item;
        // The last one: race with the thieves for it.
        if (!atomic_compare_exchange_strong_explicit(&top, &t, t + 1,
                                                     memory_order_seq_cst,
                                                     memory_order_relaxed))
            item = 0;
    }
    atomic_store_explicit(&bottom, b + 1, memory_order_relaxed);
    return item;
}

// The oldest item, or 0 if there is none or somebody else was faster.
static int steal(void)
{
    int t = atomic_load_explicit(&top, memory_order_acquire);

    atomic_thread_fence(memory_order_seq_cst);
    int b = atomic_load_explicit(&bottom, memory_order_acquire);
    if (t >= b)
        return 0;
    int item = atomic_load_explicit(&items[t % CAPACITY], memory_order_relaxed);
    if (!atomic_compare_exchange_strong_explicit(&top, &t, t + 1,
                                                 memory_order_seq_cst,
                                                 memory_order_relaxed))
        return 0;
    return item;
}

static void got(int item)
{
    if (item)
        assert(atomic_exchange_explicit(&handed_out[item], 1,
                                        memory_order_relaxed) == 0);
}

static void *owner(void *unused)
{
    (void)unused;
    for (int item = 1; item <= ITEMS; item++)
        put(item);
    got(take());
    return NULL;
}

static void *thief(void *unused)
{
    (void)unused;
    got(steal());
    got(steal());
    return NULL;
}

int main(void)
{
    pthread_t o, s[THIEVES];

    pthread_create(&o, NULL, owner, NULL);
    for (int i = 0; i < THIEVES; i++)
        pthread_create(&s[i], NULL, thief, NULL);
    pthread_join(o, NULL);
    for (int i = 0; i < THIEVES; i++)
        pthread_join(s[i], NULL);
    return 0;
}
