// Read-copy-update in small: readers announce themselves, the writer publishes
// a new version, waits until no reader is inside, and frees the old one. BUG:
// a reader's announcement is not ordered before its look at the pointer.
//
// expect: model=sc executions=3 verdict=SOUND
// expect: model=tso verdict=SOUND
// expect: model=rc11 executions=3 verdict=SOUND
// expect: model=rc11 verdict=VIOLATION kind=use-after-free flags=-DBUG
// expect: model=sc verdict=SOUND flags=-DBUG
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

#ifdef BUG
#define FENCE() ((void)0)
#else
#define FENCE() atomic_thread_fence(memory_order_seq_cst)
#endif

struct version {
    int a, b;
};

static _Atomic(struct version *) current;
static atomic_int inside;

static struct version *version_new(int value)
{
    struct version *v = malloc(sizeof *v);

    v->a = value;
    v->b = value;
    return v;
}

static void *reader(void *unused)
{
    (void)unused;
    atomic_store_explicit(&inside, 1, memory_order_relaxed);
    FENCE();
    struct version *v = atomic_load_explicit(&current, memory_order_acquire);
    assert(v->a == v->b);
    atomic_store_explicit(&inside, 0, memory_order_release);
    return NULL;
}

static void *writer(void *unused)
{
    struct version *old =
        atomic_exchange_explicit(&current, version_new(2), memory_order_acq_rel);

    (void)unused;
    atomic_thread_fence(memory_order_seq_cst);
    while (atomic_load_explicit(&inside, memory_order_acquire))
        ;
    free(old);
    return NULL;
}

int main(void)
{
    pthread_t r, w;

    atomic_init(&current, version_new(1));
    pthread_create(&r, NULL, reader, NULL);
    pthread_create(&w, NULL, writer, NULL);
    pthread_join(r, NULL);
    pthread_join(w, NULL);
    free(atomic_load(&current));
    return 0;
}
