// A plain read beside an atomic write of the same variable.
//
// expect: model=rc11 verdict=VIOLATION kind=data-race exit=1
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int x;
static int copy;

static void *writer(void *unused)
{
    (void)unused;
    atomic_store_explicit(&x, 1, memory_order_relaxed);
    return NULL;
}

int main(void)
{
    pthread_t t;

    pthread_create(&t, NULL, writer, NULL);
    copy = *(int *)&x;
    pthread_join(t, NULL);
    return copy > 1;
}
