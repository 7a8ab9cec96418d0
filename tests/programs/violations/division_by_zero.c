// A division by what another thread may have set to zero.
//
// expect: model=sc verdict=VIOLATION kind=arithmetic-error at=here exit=1
// expect: model=rc11 verdict=VIOLATION kind=arithmetic-error at=here exit=1
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int divisor = 5;

static void *clearer(void *unused)
{
    (void)unused;
    atomic_store(&divisor, 0);
    return NULL;
}

int main(void)
{
    pthread_t t;

    pthread_create(&t, NULL, clearer, NULL);
    int quotient = 10 / atomic_load(&divisor); // <- here
    pthread_join(t, NULL);
    return quotient - 2;
}
