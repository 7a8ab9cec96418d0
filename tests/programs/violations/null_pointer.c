// A pointer that the other thread has not set yet.
//
// expect: model=sc verdict=VIOLATION kind=invalid-access at=here exit=1
// expect: model=rc11 verdict=VIOLATION kind=invalid-access at=here exit=1
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static int target;
static _Atomic(int *) pointer;

static void *setter(void *unused)
{
    (void)unused;
    atomic_store(&pointer, &target);
    return NULL;
}

int main(void)
{
    pthread_t t;

    pthread_create(&t, NULL, setter, NULL);
    *atomic_load(&pointer) = 1; // <- here
    pthread_join(t, NULL);
    return 0;
}
