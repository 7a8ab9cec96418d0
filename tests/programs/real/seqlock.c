// A sequence lock (Boehm's version): the reader tries again when the sequence
// changed. BUG: no acquire fence between the reads of the data and the second
// look at the sequence.
//
// expect: model=sc executions=3 verdict=SOUND
// expect: model=tso verdict=SOUND
// expect: model=rc11 executions=3 verdict=SOUND
// expect: model=rc11 verdict=VIOLATION kind=assertion-failed flags=-DBUG
// expect: mapping=c11-x86-xchg arch=x86_64 verdict=SOUND flags=-DWRITES=1
// expect: mapping=c11-aarch64 arch=aarch64 verdict=SOUND flags=-DWRITES=1
// expect: mapping=c11-aarch64-lse arch=aarch64 verdict=SOUND flags=-DWRITES=1
// expect: mapping=c11-power-leading-sync arch=ppc64le verdict=SOUND flags=-DWRITES=1
// expect: mapping=c11-power-leading-sync arch=ppc64 verdict=SOUND flags=-DWRITES=1
// expect: mapping=weak-aarch64-acquire-fence.map arch=aarch64 verdict=MISCOMPILED flags=-DWRITES=1
// expect: mapping=weak-power-acquire-fence.map arch=ppc64le verdict=MISCOMPILED flags=-DWRITES=1
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

#ifndef WRITES
#define WRITES 2
#endif

static atomic_int sequence, a, b; // a == b in every consistent state

static void *writer(void *unused)
{
    (void)unused;
    for (int k = 1; k <= WRITES; k++) {
        int s = atomic_load_explicit(&sequence, memory_order_relaxed);
        atomic_store_explicit(&sequence, s + 1, memory_order_relaxed);
        atomic_thread_fence(memory_order_release);
        atomic_store_explicit(&a, k, memory_order_relaxed);
        atomic_store_explicit(&b, k, memory_order_relaxed);
        atomic_store_explicit(&sequence, s + 2, memory_order_release);
    }
    return NULL;
}

static void *reader(void *unused)
{
    int before, after, x, y;

    (void)unused;
    do {
        before = atomic_load_explicit(&sequence, memory_order_acquire);
        x = atomic_load_explicit(&a, memory_order_relaxed);
        y = atomic_load_explicit(&b, memory_order_relaxed);
#ifndef BUG
        atomic_thread_fence(memory_order_acquire);
#endif
        after = atomic_load_explicit(&sequence, memory_order_relaxed);
    } while (before != after || before % 2);
    assert(x == y);
    return NULL;
}

int main(void)
{
    pthread_t w, r;

    pthread_create(&w, NULL, writer, NULL);
    pthread_create(&r, NULL, reader, NULL);
    pthread_join(w, NULL);
    pthread_join(r, NULL);
    return 0;
}
