// A call of abort that one interleaving reaches.
//
// expect: model=sc verdict=VIOLATION kind=abort at=here exit=1
// expect: model=rc11 verdict=VIOLATION kind=abort at=here exit=1
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

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
    if (atomic_load(&x))
        abort(); // <- here
    pthread_join(t, NULL);
    return 0;
}
