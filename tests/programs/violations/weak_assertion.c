// An assertion that only a weak memory model lets fail: store buffering.
//
// expect: model=sc verdict=SOUND exit=0
// expect: model=tso verdict=VIOLATION kind=assertion-failed at=here exit=1
// expect: model=pso verdict=VIOLATION kind=assertion-failed at=here exit=1
// expect: model=ra verdict=VIOLATION kind=assertion-failed at=here exit=1
// expect: model=rc11 verdict=VIOLATION kind=assertion-failed at=here exit=1
// expect: model=rc11 verdict=SOUND flags=-DORDER=memory_order_seq_cst exit=0
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

#ifndef ORDER
#define ORDER memory_order_relaxed
#endif

static atomic_int x, y;
static int r1, r2;

static void *thread_1(void *unused)
{
    (void)unused;
    atomic_store_explicit(&x, 1, ORDER);
    r1 = atomic_load_explicit(&y, ORDER);
    return NULL;
}

static void *thread_2(void *unused)
{
    (void)unused;
    atomic_store_explicit(&y, 1, ORDER);
    r2 = atomic_load_explicit(&x, ORDER);
    return NULL;
}

int main(void)
{
    pthread_t t1, t2;

    pthread_create(&t1, NULL, thread_1, NULL);
    pthread_create(&t2, NULL, thread_2, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    assert(r1 == 1 || r2 == 1); // <- here
    return 0;
}
