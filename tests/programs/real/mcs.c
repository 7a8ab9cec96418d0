// The MCS queue lock: each waiter spins in its own node. BUG: the hand-over
// store is relaxed.
//
// expect: model=sc executions=6 verdict=SOUND
// expect: model=tso verdict=SOUND
// expect: model=rc11 executions=6 verdict=SOUND
// expect: model=rc11 verdict=SOUND flags=-DTHREADS=3 slow
// expect: model=rc11 verdict=VIOLATION kind=data-race flags=-DBUG
// expect: mapping=c11-x86-xchg arch=x86_64 verdict=SOUND
// expect: mapping=c11-aarch64 arch=aarch64 verdict=SOUND
// expect: mapping=c11-aarch64-lse arch=aarch64 verdict=SOUND
// expect: mapping=c11-power-leading-sync arch=ppc64le verdict=SOUND
// expect: mapping=c11-power-leading-sync arch=ppc64 verdict=SOUND
// expect: mapping=weak-aarch64-store.map arch=aarch64 verdict=MISCOMPILED
// expect: mapping=bad-power-release-none arch=ppc64le verdict=MISCOMPILED
// expect: mapping=bad-power-acquire-isync arch=ppc64 verdict=MISCOMPILED
#include <stdatomic.h>
#include <stddef.h>

#ifdef BUG
#define RELEASE memory_order_relaxed
#else
#define RELEASE memory_order_release
#endif

struct node {
    _Atomic(struct node *) next;
    atomic_int waits;
};

static struct node nodes[8];
static _Atomic(struct node *) tail;

static void lock(int id)
{
    struct node *me = &nodes[id];

    atomic_store_explicit(&me->next, NULL, memory_order_relaxed);
    atomic_store_explicit(&me->waits, 1, memory_order_relaxed);

    struct node *before =
        atomic_exchange_explicit(&tail, me, memory_order_acq_rel);
    if (!before)
        return;
    atomic_store_explicit(&before->next, me, memory_order_release);
    while (atomic_load_explicit(&me->waits, memory_order_acquire))
        ;
}

static void unlock(int id)
{
    struct node *me = &nodes[id];
    struct node *next = atomic_load_explicit(&me->next, memory_order_acquire);

    if (!next) {
        struct node *last = me;
        if (atomic_compare_exchange_strong_explicit(&tail, &last, NULL,
                                                    memory_order_release,
                                                    memory_order_relaxed))
            return;
        while (!(next = atomic_load_explicit(&me->next, memory_order_acquire)))
            ;
    }
    atomic_store_explicit(&next->waits, 0, RELEASE);
}

#include "critical.h"
