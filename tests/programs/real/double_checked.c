// Double-checked initialisation: look, lock, look again. BUG: the pointer is
// published and read relaxed, so the first look may see it before its object.
//
// expect: model=sc executions=4 verdict=SOUND
// expect: model=tso verdict=SOUND
// expect: model=rc11 executions=4 verdict=SOUND
// expect: model=rc11 verdict=SOUND flags=-DN=3 slow
// expect: model=rc11 verdict=VIOLATION kind=data-race flags=-DBUG
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

#ifndef N
#define N 2
#endif

#ifdef BUG
#define LOAD  memory_order_relaxed
#define STORE memory_order_relaxed
#else
#define LOAD  memory_order_acquire
#define STORE memory_order_release
#endif

struct settings {
    int width, height;
};

static struct settings settings;
static _Atomic(struct settings *) ready;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int n_inits;

static struct settings *get(void)
{
    struct settings *s = atomic_load_explicit(&ready, LOAD);

    if (s)
        return s;
    pthread_mutex_lock(&mutex);
    s = atomic_load_explicit(&ready, memory_order_relaxed);
    if (!s) {
        s = &settings;
        s->width = 640;
        s->height = 480;
        n_inits++;
        atomic_store_explicit(&ready, s, STORE);
    }
    pthread_mutex_unlock(&mutex);
    return s;
}

static void *user(void *unused)
{
    struct settings *s = get();

    (void)unused;
    assert(s->width == 640 && s->height == 480);
    return NULL;
}

int main(void)
{
    pthread_t t[N];

    for (int k = 0; k < N; k++)
        pthread_create(&t[k], NULL, user, NULL);
    for (int k = 0; k < N; k++)
        pthread_join(t[k], NULL);
    assert(n_inits == 1);
    return 0;
}
