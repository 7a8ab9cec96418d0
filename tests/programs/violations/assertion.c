// An assertion that fails in one of two interleavings.
//
// expect: model=sc verdict=VIOLATION kind=assertion-failed at=here exit=1
// expect: model=rc11 verdict=VIOLATION kind=assertion-failed at=here exit=1
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int x;

static void *setter(void *unused)
{
    (void)unused;
    atomic_store(&x, 1);
    return NULL;
}

int main(void)
{
    pthread_t t;

    pthread_create(&t, NULL, setter, NULL);
    assert(atomic_load(&x) == 0); // <- here
    pthread_join(t, NULL);
    return 0;
}
