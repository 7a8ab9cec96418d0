// A reference-counted object: the last to drop it frees it. BUG: dropping is
// relaxed, so the last one may free what another still reads.
//
// expect: model=sc executions=2 verdict=SOUND
// expect: model=tso verdict=SOUND
// expect: model=rc11 executions=2 verdict=SOUND
// expect: model=rc11 executions=6 verdict=SOUND flags=-DN=3
// expect: model=rc11 verdict=VIOLATION flags=-DBUG
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

#ifndef N
#define N 2
#endif

#ifdef BUG
#define DROP memory_order_relaxed
#else
#define DROP memory_order_release
#endif

struct object {
    atomic_int references;
    int value;
};

static void drop(struct object *o)
{
    if (atomic_fetch_sub_explicit(&o->references, 1, DROP) == 1) {
#ifndef BUG
        atomic_thread_fence(memory_order_acquire);
#endif
        free(o);
    }
}

static void *user(void *arg)
{
    struct object *o = arg;

    assert(o->value == 42);
    drop(o);
    return NULL;
}

int main(void)
{
    pthread_t t[N];
    struct object *o = malloc(sizeof *o);

    atomic_init(&o->references, N);
    o->value = 42;
    for (int k = 0; k < N; k++)
        pthread_create(&t[k], NULL, user, o);
    for (int k = 0; k < N; k++)
        pthread_join(t[k], NULL);
    return 0;
}
